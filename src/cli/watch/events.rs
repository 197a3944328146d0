//! What `watch` waits for, on one channel: the input and the signals.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use super::feed::{Piece, Pieces};
use crate::cli::Failure;

#[derive(Debug)]
pub(super) enum Event {
    Piece(Piece),
    Ended(Result<(), Failure>),
    Resized,
    /// By the signal of this number.
    Stopped(u8),
}

/// An input that is faster than the screen waits once so many pieces are queued.
const QUEUED: usize = 64;

/// Starts reading, with a pause after each piece, and listening.
pub(super) fn start(mut pieces: Pieces, delay: Duration) -> io::Result<Receiver<Event>> {
    let (sender, receiver) = mpsc::sync_channel(QUEUED);
    // Before the screen changes: from here on no signal ends the program by itself.
    signals(sender.clone())?;
    thread::spawn(move || {
        let ended = loop {
            match pieces.next() {
                Ok(Some(piece)) => {
                    if sender.send(Event::Piece(piece)).is_err() {
                        return;
                    }
                    thread::sleep(delay);
                }
                Ok(None) => break Ok(()),
                Err(failure) => break Err(failure),
            }
        };
        // Whoever listened has gone by himself.
        let _ = sender.send(Event::Ended(ended));
    });
    Ok(receiver)
}

#[cfg(unix)]
fn signals(sender: SyncSender<Event>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let runtime = runtime()?;
    let entered = runtime.enter();
    let stopping = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    for kind in stopping {
        let (mut arrived, sender) = (signal(kind)?, sender.clone());
        let number = u8::try_from(kind.as_raw_value()).unwrap_or(0);
        runtime.spawn(async move {
            while arrived.recv().await.is_some() && sender.send(Event::Stopped(number)).is_ok() {}
        });
    }
    let mut arrived = signal(SignalKind::window_change())?;
    drop(entered);
    thread::spawn(move || {
        runtime.block_on(async move {
            while arrived.recv().await.is_some() && sender.send(Event::Resized).is_ok() {}
        });
    });
    Ok(())
}

#[cfg(not(unix))]
fn signals(sender: SyncSender<Event>) -> io::Result<()> {
    const INTERRUPT: u8 = 2;

    let runtime = runtime()?;
    thread::spawn(move || {
        runtime.block_on(async move {
            while tokio::signal::ctrl_c().await.is_ok()
                && sender.send(Event::Stopped(INTERRUPT)).is_ok()
            {}
        });
    });
    Ok(())
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
}
