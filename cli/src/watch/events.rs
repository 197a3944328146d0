//! The input and the signals of `watch` as events of one channel.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use super::feed::{Piece, Pieces};
use crate::error::CommandError;

#[derive(Debug)]
pub(super) enum Event {
    Piece(Piece),
    Ended(Result<(), CommandError>),
    Resized,
    /// A signal of this number ends the command.
    Stopped(u8),
}

/// The capacity of the channel: reading waits if it is faster than drawing.
const CAPACITY: usize = 64;

/// Starts reading, with a pause after each piece, and handling signals.
pub(super) fn start(mut pieces: Pieces, delay: Duration) -> io::Result<Receiver<Event>> {
    let (sender, receiver) = mpsc::sync_channel(CAPACITY);
    // Before the screen is entered, so that no signal ends the process without restoring it.
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
                Err(error) => break Err(error),
            }
        };
        // If the receiver is gone, the command has ended.
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
