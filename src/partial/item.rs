//! A value with its completeness.

/// A value read from JSON text that may not have ended yet.
///
/// While a model is writing, every value read from its text is the value of an auto-closed prefix:
/// `{"to": "bob", "amount": 10` looks like a payment of 10 and may become one of 1000. So the
/// streams of partial values, [`json_snapshots`] and [`json_partials`], yield with each value
/// whether the JSON was terminated. Display incomplete values, but act only on complete ones; a
/// program that only needs the complete value uses [`json_final`] instead.
///
/// [`json_snapshots`]: crate::stream::FragmentStreamExt::json_snapshots
/// [`json_partials`]: crate::stream::FragmentStreamExt::json_partials
/// [`json_final`]: crate::stream::FragmentStreamExt::json_final
///
/// ```
/// # #[cfg(feature = "stream")] {
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::Partial;
/// use json_chunks::stream::FragmentStreamExt;
///
/// let fragments = stream::iter([r#"{"amount": 10"#, "00", "}"]);
/// let snapshots: Vec<Partial<String>> = block_on(fragments.json_snapshots().collect());
/// assert_eq!(
///     snapshots,
///     [
///         Partial::incomplete(r#"{"amount":10}"#.to_owned()),
///         Partial::incomplete(r#"{"amount":1000}"#.to_owned()),
///         Partial::complete(r#"{"amount":1000}"#.to_owned()),
///     ]
/// );
/// # }
/// ```
///
/// `Debug` shows the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Partial<T> {
    /// The value so far.
    pub value: T,
    /// Whether the JSON was terminated; a truncated text is not. If there are several values, each
    /// is terminated by its own end.
    pub is_complete: bool,
}

impl<T> Partial<T> {
    /// Returns a value whose JSON was terminated.
    #[must_use]
    pub const fn complete(value: T) -> Self {
        Self {
            value,
            is_complete: true,
        }
    }

    /// Returns a value whose JSON has not ended yet.
    #[must_use]
    pub const fn incomplete(value: T) -> Self {
        Self {
            value,
            is_complete: false,
        }
    }

    /// Returns the value if it is complete.
    ///
    /// ```
    /// use json_chunks::Partial;
    ///
    /// assert_eq!(Partial::complete(1000).into_complete(), Some(1000));
    /// assert_eq!(Partial::incomplete(10).into_complete(), None);
    /// ```
    #[must_use]
    pub fn into_complete(self) -> Option<T> {
        self.is_complete.then_some(self.value)
    }

    /// Applies a function to the value, and keeps its completeness.
    #[must_use]
    pub fn map<U>(self, op: impl FnOnce(T) -> U) -> Partial<U> {
        Partial {
            value: op(self.value),
            is_complete: self.is_complete,
        }
    }
}

/// Returns the value, complete or not, so that `.json_snapshots().json_chunks()` composes.
///
/// The text alone does not show whether it is complete: a chunker closes all open values at the end
/// of its stream, even if the text of the model was truncated. A program that passes the chunks on
/// has to check [`is_complete`](Partial::is_complete) of the last snapshot, or the error of
/// `try_json_snapshots`, before it treats them as the answer.
impl<T: AsRef<str>> AsRef<str> for Partial<T> {
    fn as_ref(&self) -> &str {
        self.value.as_ref()
    }
}

/// Returns the value, complete or not.
impl<T: AsRef<[u8]>> AsRef<[u8]> for Partial<T> {
    fn as_ref(&self) -> &[u8] {
        self.value.as_ref()
    }
}
