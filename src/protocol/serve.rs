//! [`serve`]: the loop between a reader's thread, a session and an output.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use super::reader::{self, Input};
use super::write_line;

/// The number of events that may wait for a session. Where there are more, reader and picker wait: memory is bounded.
const WAITING_EVENTS: usize = 1024;

/// The interval at which the output is looked at while a question outlives the input.
const OUTPUT_CHECK: Duration = Duration::from_millis(200);

/// What happens to a session; `P` is an event of its player.
pub(crate) enum Event<P> {
    /// A line was read, or the last one has been.
    Input(Input),
    /// A picker reports or answers.
    Player(P),
}

/// A state machine between lines that come in and lines that go out.
pub(crate) trait Served {
    /// An event of its player.
    type PlayerEvent: Send + 'static;
    /// A line that goes out.
    type Reply: fmt::Display;

    /// Carries out what follows from an event.
    fn handle(&mut self, event: Event<Self::PlayerEvent>);

    /// Carries out what is due at this time.
    fn tick(&mut self, now: Instant);

    /// When [`tick`](Self::tick) must be called, if no event comes before; `None` is never.
    fn wake_at(&self) -> Option<Instant>;

    /// Whether a question runs although the input has ended.
    fn outlives_input(&self) -> bool;

    /// Whether the session is over.
    fn has_ended(&self) -> bool;

    /// The lines to write, in order.
    fn take_replies(&mut self) -> Vec<Self::Reply>;
}

/// Runs a session until it ends, or its output is closed, which is no error: the manager is gone.
///
/// `input` is read on a thread of its own, which may outlive the call. Each reply is one write and one flush. `is_unread`
/// tells whether nobody can read the output any more; a question that outlives the input is then dropped. `session`
/// receives where the player's events go; one that comes after the end is dropped.
///
/// # Errors
/// When the system refuses a thread for the reader.
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
