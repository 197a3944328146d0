//! The terminal while `watch` draws on it, restored however the command ends.

use std::io::{self, Stdout, Write as _};
use std::panic;
use std::process;

use crossterm::cursor::{Hide, Show};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate,
    EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{execute, queue};

/// The alternate screen. Dropping it restores the normal one.
#[derive(Debug)]
pub(super) struct Screen {
    out: Stdout,
}

impl Screen {
    pub(super) fn enter() -> io::Result<Self> {
        restore_on_panic();
        let mut screen = Self { out: io::stdout() };
        // Rows are wrapped by the width of their characters. If the terminal has another width for
        // one, the row is cut off instead of wrapped once more.
        execute!(screen.out, EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(screen)
    }

    /// Shows a frame with one write.
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

/// Returns the columns and rows of the terminal.
pub(super) fn size() -> (u16, u16) {
    match terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        Ok(_) | Err(_) => (80, 24),
    }
}

fn leave() {
    // If this fails, the terminal is gone.
    let _ = execute!(io::stdout(), EnableLineWrap, Show, LeaveAlternateScreen);
}

/// Restores the terminal when a thread panics, and ends the process: if only the reading thread
/// ended, the main thread would wait for it forever.
fn restore_on_panic() {
    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        leave();
        default_hook(panic);
        process::exit(101);
    }));
}
