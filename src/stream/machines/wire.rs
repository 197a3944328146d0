//! The body of a reply as a machine.

use core::time::Duration;

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};

use crate::error::Error;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};
use crate::wire::{Piece, Reader};

impl sealed::Sealed for Reader {}

/// Emits the pieces of a reply. An unusable frame and a body that ends early are a
/// [`Piece::Failed`] as well as an error, so that the next adapter cannot take them for the end of
/// a complete reply.
impl Machine for Reader {
    type Input = [u8];
    type Item = Piece;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, bytes: &[u8], out: &mut Output<'_, Piece>) -> Result<(), Error> {
        emit(self.push(bytes), "invalid_frame", out)
    }

    fn end(&mut self, out: &mut Output<'_, Piece>) -> Result<(), Error> {
        emit(self.finish(), "incomplete_reply", out)
    }

    fn interrupt(&mut self, _: &mut Output<'_, Piece>) {
        self.interrupt();
    }

    fn on_timeout(&mut self, why: &Error, out: &mut Output<'_, Piece>) {
        out.item(failed("timeout", why.to_string()));
    }

    fn offset(&self) -> usize {
        self.offset()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.time_limit()
    }
}

fn emit(
    pieces: impl Iterator<Item = Result<Piece, Error>>,
    code: &str,
    out: &mut Output<'_, Piece>,
) -> Result<(), Error> {
    for piece in pieces {
        match piece {
            Ok(piece) => out.item(piece),
            Err(error) => {
                out.item(failed(code, error.to_string()));
                return Err(error);
            }
        }
    }
    Ok(())
}

fn failed(code: &str, message: String) -> Piece {
    let code = code.to_owned();
    Piece::Failed { code, message }
}
