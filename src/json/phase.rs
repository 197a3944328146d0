//! Whether a reader accepts more input.

use crate::error::Error;

/// Whether a reader accepts more input.
#[derive(Clone, Debug, Default)]
pub(crate) enum Phase {
    #[default]
    Reading,
    /// After the end of the input.
    Finished,
    /// After an error, which every further call returns.
    Failed(Error),
}

impl Phase {
    /// Returns the error that has been returned before.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Reading | Self::Finished => Ok(()),
            Self::Failed(error) => Err(error.clone()),
        }
    }
}
