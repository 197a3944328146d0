//! The terminal while `watch` has it: taken over as a whole, and given back in every case.

use std::io::{self, Stdout, Write as _};
use std::panic;
use std::process;

use crossterm::cursor::{Hide, Show};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate,
    EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{execute, queue};

/// The alternate screen. Dropping it brings the normal one back.
#[derive(Debug)]
pub(super) struct Screen {
    out: Stdout,
}

impl Screen {
    pub(super) fn enter() -> io::Result<Self> {
        restore_on_panic();
        let mut screen = Self { out: io::stdout() };
        // Rows are cut to measure; should terminal and measure differ, a cut character is better
        // than a row too many.
        execute!(screen.out, EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(screen)
    }

    /// Shows a frame, all of it in one write.
    pub(super) fn show(&mut self, frame: &str) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(frame.len() + 32);
        queue!(bytes, BeginSynchronizedUpdate)?;
        bytes.extend_from_slice(frame.as_bytes());
        queue!(bytes, EndSynchronizedUpdate)?;
        let mut out = self.out.lock();
        out.write_all(&bytes)?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Columns and rows.
pub(super) fn size() -> (u16, u16) {
    match terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        Ok(_) | Err(_) => (80, 24),
    }
}

fn leave() {
    // Without a terminal there is nothing left to restore.
    let _ = execute!(io::stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
}

/// Ends the program, too: a panic of the reading thread would leave the other one waiting.
fn restore_on_panic() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        leave();
        report(panic);
        process::exit(101);
    }));
}
