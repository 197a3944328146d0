//! The progress that a model reports, in percent of the content.

use core::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _};
use serde_core::ser::{Serialize, Serializer};

/// The default number of calls in a row without progress after which a [`Progress`] is stalled.
const MOST_STALLS: u32 = 3;

/// The longest first line of a reply that may answer the question, in bytes.
#[cfg(feature = "stream")]
const LONGEST_ANSWER: usize = 60;

/// Longer numbers are not percentages.
const MOST_DIGITS: usize = 9;

/// Tracks the percentages that a model reports between calls, and decides when to stop.
///
/// | reported | progress |
/// | --- | --- |
/// | the first percentage, or a higher one than all before | advanced |
/// | the same percentage, or a call that adds nothing | a stall |
/// | a lower percentage: content was lost or started again | regressed |
///
/// After three stalls in a row, or as soon as it has regressed,
/// [`is_stalled`](Self::is_stalled) is true.
///
/// It serializes as
/// `[highest percentage or null, stalls, maximum stalls, whether it has regressed]`.
///
/// ```
/// use json_chunks::prompt::{ProgressChange, Progress};
///
/// let mut progress = Progress::new();
/// let percent = Progress::percent_in("About 45 percent.").unwrap();
/// assert_eq!(progress.record(percent), ProgressChange::Advanced);
/// assert_eq!(progress.record(45), ProgressChange::Stalled);
/// assert!(!progress.is_stalled());
/// assert_eq!(progress.record(30), ProgressChange::Regressed);
/// assert!(progress.is_stalled());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    percent: Option<u8>,
    stalls: u32,
    most_stalls: u32,
    has_regressed: bool,
}

/// How a percentage compares to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProgressChange {
    /// It is the first, or higher than all before it.
    Advanced,
    /// It equals the highest before it.
    Stalled,
    /// It is lower than one before it: content was lost or started again.
    Regressed,
}

impl Progress {
    /// Returns a progress without a percentage.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            percent: None,
            stalls: 0,
            most_stalls: MOST_STALLS,
            has_regressed: false,
        }
    }

    /// Sets the number of stalls in a row after which it [is stalled](Self::is_stalled). The
    /// default is 3.
    #[must_use]
    pub const fn max_stalls(mut self, calls: u32) -> Self {
        self.most_stalls = calls;
        self
    }

    /// Records a reported percentage. More than 100 is 100.
    pub fn record(&mut self, percent: u8) -> ProgressChange {
        let percent = percent.min(100);
        let advance = match self.percent {
            Some(before) if percent < before => ProgressChange::Regressed,
            Some(before) if percent == before => ProgressChange::Stalled,
            Some(_) | None => ProgressChange::Advanced,
        };
        match advance {
            ProgressChange::Advanced => {
                self.percent = Some(percent);
                self.stalls = 0;
                self.has_regressed = false;
            }
            ProgressChange::Stalled => self.record_stall(),
            ProgressChange::Regressed => {
                self.record_stall();
                self.has_regressed = true;
            }
        }
        advance
    }

    /// Records a call that added content without reporting a percentage.
    pub const fn record_growth(&mut self) {
        self.stalls = 0;
    }

    /// Records a call that added nothing.
    pub const fn record_stall(&mut self) {
        self.stalls = self.stalls.saturating_add(1);
    }

    /// Returns the highest percentage so far.
    #[must_use]
    pub const fn percent(&self) -> Option<u8> {
        self.percent
    }

    /// Returns the number of stalls in a row.
    #[must_use]
    pub const fn stalls(&self) -> u32 {
        self.stalls
    }

    /// Returns whether the last percentage was lower than one before it.
    #[must_use]
    pub const fn has_regressed(&self) -> bool {
        self.has_regressed
    }

    /// Returns whether to stop calling the model: it has stalled too often in a row, or has
    /// regressed.
    #[must_use]
    pub const fn is_stalled(&self) -> bool {
        self.stalls >= self.most_stalls || self.has_regressed
    }

    /// Parses the percentage in an answer of a model: `45%`, `about 45 percent`,
    /// `Progress: 45/100`, `45`.
    ///
    /// | answer | percentage | because |
    /// | --- | --- | --- |
    /// | `3 of 7 days, 45%` | 45 | numbers with `%`, `percent` or `/100` take precedence |
    /// | `about 45` | 45 | it is the only number, and no other words are around it |
    /// | `45 days` | none | `days` is not `progress`, `about` or the like |
    /// | `45.7 %` | 45 | decimals are truncated |
    /// | `45% or 50%` | none | they contradict each other |
    /// | `145%` | none | it is not from 0 to 100 |
    ///
    /// Linear in the text.
    #[must_use]
    pub fn percent_in(text: &str) -> Option<u8> {
        let mut marked = Findings::default();
        let mut bare = Findings::default();
        let mut rest = text;
        while let Some(at) = rest.find(|char: char| char.is_ascii_digit()) {
            let (before, number) = rest.split_at(at);
            let digits = digits(number);
            let after = without_fraction(number.get(digits..).unwrap_or_default());
            let digits = number.get(..digits).unwrap_or_default();
            let is_part = before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
                || before == ",";
            let is_negative = before.ends_with(['-', '−', '–']);
            let value = (digits.len() <= MOST_DIGITS && !is_negative && !is_part)
                .then(|| digits.parse().ok())
                .flatten()
                .filter(|percent| *percent <= 100);
            if let Some(after) = after_mark(after) {
                marked.add(value);
                rest = after;
            } else {
                bare.add(value);
                rest = after;
            }
        }
        match marked {
            Findings::None => bare.only().filter(|_| is_answer(text)),
            Findings::One(_, _) | Findings::Several => marked.agreed(),
        }
    }

    /// Splits off the first line of a reply if it reports the progress. Returns the percentage and
    /// the rest of the reply.
    #[cfg(feature = "stream")]
    pub(crate) fn split_line(reply: &str) -> (Option<u8>, &str) {
        let start = reply.trim_start_matches(|c: char| c.is_whitespace() || "*_#>`".contains(c));
        let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
        let word = "progress";
        let has_word = line
            .get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word));
        let answer = line.get(word.len()..).unwrap_or_default();
        // A line that contains JSON is not an answer.
        let is_short =
            answer.len() <= LONGEST_ANSWER && !answer.contains(['"', '{', '}', '[', ']']);
        match Self::percent_in(answer) {
            Some(percent) if has_word && is_short => (Some(percent), rest),
            Some(_) | None => (None, reply),
        }
    }
}

/// The numbers of one kind in an answer.
#[derive(Clone, Copy, Debug, Default)]
enum Findings {
    #[default]
    None,
    /// All of them have this value. The second field counts them.
    One(Option<u8>, u32),
    /// They have different values.
    Several,
}

impl Findings {
    fn add(&mut self, value: Option<u8>) {
        *self = match *self {
            Self::None => Self::One(value, 1),
            Self::One(before, count) if before == value => Self::One(value, count + 1),
            Self::One(_, _) | Self::Several => Self::Several,
        };
    }

    fn agreed(self) -> Option<u8> {
        match self {
            Self::One(value, _) => value,
            Self::None | Self::Several => None,
        }
    }

    fn only(self) -> Option<u8> {
        match self {
            Self::One(value, 1) => value,
            Self::One(_, _) | Self::None | Self::Several => None,
        }
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Returns whether an answer contains no words except for those around a percentage.
fn is_answer(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "progress",
        "about",
        "around",
        "approximately",
        "roughly",
        "ca",
    ];
    let mut words = text.split(|char: char| !char.is_alphabetic());
    !text.contains(['{', '}', '[', ']', '"', '$'])
        && words.all(|word| {
            word.is_empty() || WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
        })
}

/// Returns the text without a decimal fraction at its start: `.5%` is `%`. Three digits after a
/// comma are thousands, and kept.
fn without_fraction(text: &str) -> &str {
    let fraction = text.strip_prefix(['.', ',']).unwrap_or_default();
    match digits(fraction) {
        0 => text,
        3 if text.starts_with(',') => text,
        count => fraction.get(count..).unwrap_or_default(),
    }
}

/// Returns the text after a percent sign, `percent` or `/100` at its start.
fn after_mark(text: &str) -> Option<&str> {
    let near = text.trim_start_matches([' ', '\u{A0}', '\u{202F}']);
    if let Some(after) = near.strip_prefix(['%', '％']) {
        return Some(after);
    }
    if let Some(after) = near.strip_prefix('/') {
        let after = after.trim_start_matches(' ').strip_prefix("100")?;
        return Some(after).filter(|after| !after.starts_with(|c: char| c.is_ascii_digit()));
    }
    ["percent", "per cent"].iter().find_map(|word| {
        let start = near.get(..word.len())?;
        let after = near.get(word.len()..).unwrap_or_default();
        let is_word = !after.starts_with(char::is_alphabetic);
        (start.eq_ignore_ascii_case(word) && is_word).then_some(after)
    })
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.percent {
            Some(percent) => write!(f, "{percent} %"),
            None => f.write_str("unknown"),
        }
    }
}

impl Serialize for Progress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (
            self.percent,
            self.stalls,
            self.most_stalls,
            self.has_regressed,
        )
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Progress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (percent, stalls, most_stalls, has_regressed) = Deserialize::deserialize(deserializer)?;
        if percent > Some(100) {
            return Err(D::Error::custom("a percentage over 100"));
        }
        Ok(Self {
            percent,
            stalls,
            most_stalls,
            has_regressed,
        })
    }
}
