//! One value of a document as text, while the document streams in.
//!
//! # For maintainers
//!
//! The parser reads the document; [`FieldReader`] only selects. A value is selected at its
//! `Started` event, by its path, and until its `Completed` event everything belongs to it: scalars
//! have no events between, and the open containers in it are counted. So a push costs as much as
//! its events, and a path is compared only where a value starts.
//!
//! | state | event | next state |
//! | --- | --- | --- |
//! | `Before` | the value at the path starts | `Open`, or an error if it is of the wrong kind |
//! | `Open` | it ends | `After` |
//! | `After` | a value at the path, or around it, starts again | the same, and an error |

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::document::Kind;
use crate::error::{Error, Reason};
use crate::json::floor_char_boundary;
use crate::limits::Limits;
use crate::parser::{Change, Parser, PathSelector, Tracker, Update};

/// Returns one value of a JSON text as text, while the input streams in.
///
/// [`text`](Self::text) is for the content of a string, such as the answer in
/// `{"thoughts": "…", "answer": "…"}`; [`json`](Self::json) is for the JSON text of any value, such
/// as the arguments in a call. The concatenated results of the pushes are that text, regardless of
/// how the input is split, and each character is returned as soon as it has arrived.
///
/// ```
/// use json_chunks::field::FieldReader;
///
/// let fragments =
///     [r#"{"score": 1, "answ"#, r#"er": "The sun\u"#, r#"2019s "#, r#"light.", "more": []}"#];
/// let mut answer = FieldReader::text("/answer");
/// let mut shown = String::new();
/// for fragment in fragments {
///     shown += &answer.push(fragment)?;
/// }
/// answer.finish()?;
/// assert_eq!(shown, "The sun’s light.");
/// assert!(answer.is_complete());
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Where the value is
///
/// A JSON Pointer (RFC 6901) from the root, such as `/answer` or `/choices/0/text`; the empty
/// pointer is the root. A text that starts with anything but `/` points to nothing. If there is no
/// such value, no text is returned, and no error; see [`is_found`](Self::is_found).
///
/// Text that was returned can't be taken back. Of two members with the same name the second one
/// counts, see [`Value`](crate::document::Value#members-with-the-same-name). So if the member, or
/// one around it, is repeated, the second one is an error.
///
/// # Cost
///
/// The cost of the [`Parser`], plus the text. The document is kept.
#[derive(Clone)]
pub struct FieldReader {
    pub(crate) parser: Parser,
    tracker: FieldTracker,
}

/// From the updates of the parser to the text of the value.
#[derive(Clone)]
struct FieldTracker {
    selector: PathSelector,
    form: Form,
    state: FieldState,
    /// What has not been returned.
    text: String,
}

/// What is returned of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The content of a string.
    Content,
    /// Its JSON text.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldState {
    Before,
    /// The number of arrays and objects that are open in the value, itself included.
    Open(usize),
    After,
}

impl FieldReader {
    /// Returns the content of the string at this pointer, its escapes resolved. A `null` there is
    /// no text; a value of another kind is an error.
    #[must_use]
    pub fn text(pointer: &str) -> Self {
        Self::new(pointer, Form::Content)
    }

    /// Returns the JSON text of the value at this pointer, of any kind, exactly as it is written,
    /// quotes, escapes and white space inside included.
    ///
    /// ```
    /// use json_chunks::field::FieldReader;
    ///
    /// let mut args = FieldReader::json("/args");
    /// assert_eq!(args.push(r#"{"name": "read", "args": {"pa"#)?, r#"{"pa"#);
    /// assert_eq!(args.push(r#"th": "/"} , "id": 1}"#)?, r#"th": "/"}"#);
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub fn json(pointer: &str) -> Self {
        Self::new(pointer, Form::Json)
    }

    fn new(pointer: &str, form: Form) -> Self {
        Self {
            parser: Parser::new(),
            tracker: FieldTracker {
                selector: PathSelector::new(pointer),
                form,
                state: FieldState::Before,
                text: String::new(),
            },
        }
    }

    /// Sets limits on the text.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.parser = self.parser.limits(limits);
        self
    }

    /// As [`Parser::strip_control_characters`].
    #[must_use]
    pub fn strip_control_characters(mut self, strip: bool) -> Self {
        self.parser = self.parser.strip_control_characters(strip);
        self
    }

    /// Reads the next fragment, which may end anywhere, and returns what it has added to the text
    /// of the value; often nothing.
    ///
    /// # Errors
    ///
    /// - As [`Parser::push`];
    /// - if the value of [`text`](Self::text) is no string
    ///   ([`ErrorKind::UnexpectedKind`](crate::error::ErrorKind::UnexpectedKind));
    /// - if the value is there a second time
    ///   ([`ErrorKind::Revision`](crate::error::ErrorKind::Revision)).
    ///
    /// What precedes the error is in [`rest`](Self::rest); every further call returns the same
    /// error.
    pub fn push(&mut self, fragment: impl AsRef<[u8]>) -> Result<String, Error> {
        self.parser.push_to(fragment.as_ref(), &mut self.tracker)?;
        Ok(self.rest())
    }

    /// Ends the text, and returns what that has added: the last digits of a number that is the
    /// root are known only now.
    ///
    /// # Errors
    ///
    /// If the text ends too early, or has failed before.
    pub fn finish(&mut self) -> Result<String, Error> {
        self.parser.finish_to(&mut self.tracker)?;
        Ok(self.rest())
    }

    /// Returns what was added to the text and not returned, because the push that added it has
    /// failed.
    pub fn rest(&mut self) -> String {
        core::mem::take(&mut self.tracker.text)
    }

    /// Whether the value has begun.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.tracker.state != FieldState::Before
    }

    /// Whether the value has ended: its text is complete.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.tracker.state == FieldState::After
    }

    /// Resets the reader for another text, keeping its options.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.tracker.state = FieldState::Before;
        self.tracker.text.clear();
    }
}

impl Tracker for FieldTracker {
    fn follow(&mut self, update: Update<'_>, error: Option<&Error>) -> Result<(), Error> {
        // Where the JSON text of the value starts in the text of this push.
        let mut from = 0;
        for event in update.events() {
            match (event.change, self.state) {
                (Change::Started(kind), FieldState::Before | FieldState::After) => {
                    let is_selected = match self.state {
                        // {"a":{"b":"x"},"a":1}: the second `a` leaves no /a/b.
                        FieldState::After => self.selector.is_at_or_in(event.path),
                        FieldState::Before | FieldState::Open(_) => self.selector.is_at(event.path),
                    };
                    if !is_selected {
                        continue;
                    }
                    from = update.offset_of(event.path.value().span().start());
                    if let Some(reason) = self.refuse(kind) {
                        return Err(Error::new(reason, update.start() + from));
                    }
                    self.state = FieldState::Open(usize::from(kind.is_container()));
                }
                (Change::Started(kind), FieldState::Open(depth)) => {
                    self.state = FieldState::Open(depth + usize::from(kind.is_container()));
                }
                (Change::Appended(text), FieldState::Open(_)) => {
                    if self.form == Form::Content {
                        self.text.push_str(text);
                    }
                }
                (Change::Completed(value), FieldState::Open(depth)) => {
                    let is_container = value.kind().is_container();
                    let depth = depth - usize::from(is_container);
                    self.state = FieldState::Open(depth);
                    // A scalar in it has ended: the value itself is a container.
                    if depth > 0 {
                        continue;
                    }
                    self.state = FieldState::After;
                    let to = update.offset_of(value.span().end());
                    self.add(update, from..to);
                }
                (
                    Change::Appended(_) | Change::Completed(_),
                    FieldState::Before | FieldState::After,
                ) => {}
            }
        }
        if let FieldState::Open(_) = self.state {
            let to = error.map_or(usize::MAX, |error| {
                error.offset().saturating_sub(update.start())
            });
            self.add(update, from..to);
        }
        Ok(())
    }
}

impl FieldTracker {
    /// Why a value of this kind can't be the one, if it can't.
    fn refuse(&self, kind: Kind) -> Option<Reason> {
        match (self.state, self.form, kind) {
            (FieldState::After | FieldState::Open(_), _, _) => Some(Reason::Restated),
            (FieldState::Before, Form::Json, _)
            | (FieldState::Before, Form::Content, Kind::String | Kind::Null) => None,
            (FieldState::Before, Form::Content, _) => Some(Reason::NotAString),
        }
    }

    /// Adds a piece of the text of a push, if it is JSON text that is returned.
    fn add(&mut self, update: Update<'_>, range: Range<usize>) {
        if self.form == Form::Json {
            let new = update.text();
            let end = floor_char_boundary(new, range.end);
            self.text
                .push_str(new.get(range.start..end).unwrap_or_default());
        }
    }
}

impl fmt::Debug for FieldReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldReader")
            .field("parser", &self.parser)
            .field("form", &self.tracker.form)
            .field("state", &self.tracker.state)
            .finish_non_exhaustive()
    }
}
