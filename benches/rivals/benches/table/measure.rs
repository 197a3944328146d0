//! Rounds in turn, and the best of each task.

use std::fmt;
use std::time::{Duration, Instant};

/// Runs once and returns the time of the part that counts.
pub(crate) type Task = Box<dyn FnMut() -> Duration>;

/// For how long a row is measured, and in how many rounds at the least and at the most.
pub(crate) struct Effort {
    time: Duration,
    rounds: std::ops::Range<usize>,
}

impl Effort {
    pub(crate) fn new(is_test: bool) -> Self {
        if is_test {
            Self {
                time: Duration::ZERO,
                rounds: 1..1,
            }
        } else {
            Self {
                time: Duration::from_secs(1),
                rounds: 5..1000,
            }
        }
    }
}

/// What a row measures.
pub(crate) struct Case {
    /// How many bytes one run reads.
    pub(crate) bytes: usize,
    /// Ours first, then one for each rival.
    pub(crate) tasks: Vec<Task>,
    pub(crate) rivals: Vec<&'static str>,
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    /// How many times as fast as whom, or as large as what.
    pub(crate) ratios: Vec<(f64, &'static str)>,
    megabytes_per_second: Option<f64>,
}

/// Times the work.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

impl Case {
    /// Runs all tasks in turn, as often as the effort allows.
    pub(crate) fn measure(mut self, name: String, effort: &Effort) -> Row {
        let start = Instant::now();
        let mut best = vec![f64::MAX; self.tasks.len()];
        let mut round = 0;
        while round < effort.rounds.start
            || (round < effort.rounds.end && start.elapsed() < effort.time)
        {
            for (task, best) in self.tasks.iter_mut().zip(&mut best) {
                *best = task().as_secs_f64().min(*best);
            }
            round += 1;
        }
        let (ours, rivals) = best.split_first().expect("a case has tasks");
        let ratios = rivals.iter().map(|rival| rival / ours);
        Row {
            name,
            ratios: ratios.zip(self.rivals).collect(),
            megabytes_per_second: Some(self.bytes as f64 / ours / 1e6),
        }
    }
}

impl Row {
    /// A row without a speed.
    pub(crate) fn memory(name: String, ratios: Vec<(f64, &'static str)>) -> Self {
        Self {
            name,
            ratios,
            megabytes_per_second: None,
        }
    }
}

/// Two digits that count, three from 100 on.
fn digits(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2}")
    } else if ratio < 100.0 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} |", self.name)?;
        for at in 0..2 {
            match self.ratios.get(at) {
                Some((ratio, rival)) => write!(f, " {} | {rival} |", digits(*ratio))?,
                None => write!(f, " | |")?,
            }
        }
        let speed = self.megabytes_per_second.map(digits).unwrap_or_default();
        write!(f, " {speed} |")
    }
}
