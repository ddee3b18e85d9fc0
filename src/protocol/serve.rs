//! [`serve`]: the event loop that connects a reader thread, a session and an output.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use super::reader::{self, Input};
use super::write_line;

/// Capacity of a session's event queue. If the queue is full, the reader and the picker wait, which bounds the memory.
const WAITING_EVENTS: usize = 1024;

/// Interval of the checks for a closed output while a question outlives the input.
const OUTPUT_CHECK: Duration = Duration::from_millis(200);

/// An event of a session. `P` is the event type of its player.
pub(crate) enum Event<P> {
    /// A line was read, or the input ended.
    Input(Input),
    /// A picker reported or answered.
    Player(P),
}

/// A state machine that turns input lines into output lines.
pub(crate) trait Served {
    /// The event type of the player.
    type PlayerEvent: Send + 'static;
    /// An output line.
    type Reply: fmt::Display;

    /// Handles an event.
    fn handle(&mut self, event: Event<Self::PlayerEvent>);

    /// Runs the timers that are due at `now`.
    fn tick(&mut self, now: Instant);

    /// The time at which [`tick`](Self::tick) must be called if no event arrives first. `None` means never.
    fn wake_at(&self) -> Option<Instant>;

    /// Whether a question still runs after the end of the input.
    fn outlives_input(&self) -> bool;

    /// Whether the session is over.
    fn has_ended(&self) -> bool;

    /// The lines to write, in order.
    fn take_replies(&mut self) -> Vec<Self::Reply>;
}

/// Runs a session until it ends or its output is closed. A closed output is a normal end: the manager has exited.
///
/// `input` is read on its own thread, which may outlive the call. Each reply is one write and one flush. `is_unread`
/// returns true if the output has no reader; a question that outlives the input is then dropped. `session` receives the
/// sender for the player's events. Events after the end are dropped.
///
/// # Errors
/// If the system refuses the reader thread.
pub(crate) fn serve<S: Served>(
    input: impl Read + Send + 'static,
    mut output: impl Write,
    is_unread: fn() -> bool,
    session: impl FnOnce(SyncSender<Event<S::PlayerEvent>>) -> S,
) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(WAITING_EVENTS);
    let lines = sender.clone();
    reader::spawn(input, move |input| lines.send(Event::Input(input)).is_ok())?;
    let mut session = session(sender);
    while !session.has_ended() {
        let check_at = session.outlives_input().then(|| Instant::now() + OUTPUT_CHECK);
        let event = match session.wake_at().into_iter().chain(check_at).min() {
            Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => session.handle(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        session.tick(Instant::now());
        if session.outlives_input() && is_unread() {
            return Ok(());
        }
        for reply in session.take_replies() {
            log::debug!("<- {reply}");
            if write_line(&mut output, &reply).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}
