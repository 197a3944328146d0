//! How far a model says that it has come.

use core::fmt;

use serde_core::de::{Deserialize, Deserializer, Error as _};
use serde_core::ser::{Serialize, Serializer};

/// How many calls in a row may bring nothing, by default.
const MOST_STALLS: u32 = 3;

/// The longest first line of a reply that may be an answer to the question.
#[cfg(feature = "stream")]
const LONGEST_ANSWER: usize = 60;

/// How many digits are read of a number; more make none of it.
const MOST_DIGITS: usize = 9;

/// Follows the percentages that a model gives between calls, and says when it is no use to go on.
///
/// The first percentage may be any. Each further one has to be higher than all before it by at
/// least 1; one that is not, or a call that brings nothing, counts as a call without progress. After
/// three of these in a row, [`is_stuck`](Self::is_stuck) is true.
///
/// It can be serialized, as `[last percentage or null, calls without progress, how many may be]`.
///
/// ```
/// use json_chunks::{Advance, Progress};
///
/// let mut progress = Progress::new();
/// assert_eq!(progress.record(Progress::percent_in("About 45 percent.").unwrap()), Advance::Risen);
/// assert_eq!(progress.record(45), Advance::Stalled);
/// assert_eq!(progress.record(30), Advance::Fallen);
/// assert!(!progress.is_stuck());
/// progress.record_nothing();
/// assert!(progress.is_stuck());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    percent: Option<u8>,
    stalls: u32,
    most_stalls: u32,
}

/// What a percentage is to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advance {
    /// It is the first, or higher than all before.
    Risen,
    /// It is the highest before.
    Stalled,
    /// It is lower than one before: something was lost, or begun anew.
    Fallen,
}

impl Progress {
    /// No progress yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            percent: None,
            stalls: 0,
            most_stalls: MOST_STALLS,
        }
    }

    /// How many calls in a row may be without progress before it is [stuck](Self::is_stuck); 3 by
    /// default.
    #[must_use]
    pub const fn max_stalls(mut self, calls: u32) -> Self {
        self.most_stalls = calls;
        self
    }

    /// Takes the percentage that a call gave; more than 100 is 100.
    pub fn record(&mut self, percent: u8) -> Advance {
        let percent = percent.min(100);
        let advance = match self.percent {
            Some(before) if percent < before => Advance::Fallen,
            Some(before) if percent == before => Advance::Stalled,
            Some(_) | None => Advance::Risen,
        };
        match advance {
            Advance::Risen => {
                self.percent = Some(percent);
                self.stalls = 0;
            }
            Advance::Stalled | Advance::Fallen => self.record_nothing(),
        }
        advance
    }

    /// Takes note of a call that brought something without saying how far it has come.
    pub const fn record_growth(&mut self) {
        self.stalls = 0;
    }

    /// Takes note of a call that brought nothing.
    pub const fn record_nothing(&mut self) {
        self.stalls = self.stalls.saturating_add(1);
    }

    /// The highest percentage so far.
    #[must_use]
    pub const fn percent(&self) -> Option<u8> {
        self.percent
    }

    /// How many calls in a row have been without progress.
    #[must_use]
    pub const fn stalls(&self) -> u32 {
        self.stalls
    }

    /// Whether so many calls in a row have been without progress that it is no use to go on.
    #[must_use]
    pub const fn is_stuck(&self) -> bool {
        self.stalls >= self.most_stalls
    }

    /// The percentage in an answer of a model: `45%`, `about 45 percent`, `Progress: 45/100`, `45`.
    ///
    /// Numbers with a percent sign, the word or `/100` count first; where there is none, a number
    /// counts if it is the only one in the text, with no word beside it but `progress`, `about` and
    /// the like. Of a decimal the integer counts. `None` if there is no such number from 0 to 100,
    /// or if there are several different ones. Linear in the text.
    #[must_use]
    pub fn percent_in(text: &str) -> Option<u8> {
        let mut marked = Findings::default();
        let mut bare = Findings::default();
        let mut rest = text;
        while let Some(at) = rest.find(|char: char| char.is_ascii_digit()) {
            let (before, number) = rest.split_at(at);
            let digits = digits(number);
            let behind = without_fraction(number.get(digits..).unwrap_or_default());
            let digits = number.get(..digits).unwrap_or_default();
            let is_part = before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
                || before == ",";
            let is_negative = before.ends_with(['-', '−', '–']);
            let value = (digits.len() <= MOST_DIGITS && !is_negative && !is_part)
                .then(|| digits.parse().ok())
                .flatten()
                .filter(|percent| *percent <= 100);
            if let Some(behind) = behind_mark(behind) {
                marked.add(value);
                rest = behind;
            } else {
                bare.add(value);
                rest = behind;
            }
        }
        match marked {
            Findings::None => bare.only().filter(|_| is_answer(text)),
            Findings::One(_, _) | Findings::Several => marked.agreed(),
        }
    }

    /// What a model says of its progress on the first line of a reply, and the rest of the reply.
    #[cfg(feature = "stream")]
    pub(crate) fn split_line(reply: &str) -> (Option<u8>, &str) {
        let start = reply.trim_start_matches(|c: char| c.is_whitespace() || "*_#>`".contains(c));
        let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
        let word = "progress";
        let has_word = line
            .get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word));
        let answer = line.get(word.len()..).unwrap_or_default();
        // Whatever else there is on the line is no JSON.
        let is_short =
            answer.len() <= LONGEST_ANSWER && !answer.contains(['"', '{', '}', '[', ']']);
        match Self::percent_in(answer) {
            Some(percent) if has_word && is_short => (Some(percent), rest),
            Some(_) | None => (None, reply),
        }
    }
}

/// The values of the numbers of one sort.
#[derive(Clone, Copy, Debug, Default)]
enum Findings {
    #[default]
    None,
    /// All have this value; and how many there are.
    One(Option<u8>, u32),
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

/// Whether this is nothing but a number and what goes with it.
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

/// What is behind the digits behind a decimal point, if there are any. Three behind a comma are
/// thousands.
fn without_fraction(text: &str) -> &str {
    let fraction = text.strip_prefix(['.', ',']).unwrap_or_default();
    match digits(fraction) {
        0 => text,
        3 if text.starts_with(',') => text,
        count => fraction.get(count..).unwrap_or_default(),
    }
}

/// What is behind a percent sign or the like.
fn behind_mark(text: &str) -> Option<&str> {
    let near = text.trim_start_matches([' ', '\u{A0}', '\u{202F}']);
    if let Some(behind) = near.strip_prefix(['%', '％']) {
        return Some(behind);
    }
    if let Some(behind) = near.strip_prefix('/') {
        let behind = behind.trim_start_matches(' ').strip_prefix("100")?;
        return Some(behind).filter(|behind| !behind.starts_with(|c: char| c.is_ascii_digit()));
    }
    ["percent", "per cent"].iter().find_map(|word| {
        let start = near.get(..word.len())?;
        let behind = near.get(word.len()..).unwrap_or_default();
        let is_word = !behind.starts_with(char::is_alphabetic);
        (start.eq_ignore_ascii_case(word) && is_word).then_some(behind)
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
        (self.percent, self.stalls, self.most_stalls).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Progress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (percent, stalls, most_stalls) = Deserialize::deserialize(deserializer)?;
        if percent > Some(100) {
            return Err(D::Error::custom("a percentage over 100"));
        }
        Ok(Self {
            percent,
            stalls,
            most_stalls,
        })
    }
}
