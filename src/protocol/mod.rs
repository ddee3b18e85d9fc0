//! WORDS: the line protocol of Gomocup and Piskvork, with Yixin-Board's extensions.
//!
//! ```text
//! bytes ─► reader ─► lines ─► command_reader ─► commands ─► session ─► replies ─► serve ─► bytes
//!          thread             pure                          │     ▲               the only writer
//!                                                           ▼     │
//!                                                           player
//! ```
//!
//! Owns the commands, the clock, the order of the answers, and all output while the protocol runs. Uses the player, and
//! the library of a session. Must never know how a move is chosen.
//!
//! Input must never cause a panic. The lints below deny code that could panic.

#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod clock;
mod command;
mod command_reader;
mod coordinates;
mod database;
mod detail;
mod excluded;
mod foreign;
mod game;
mod hash_file;
mod input_end;
mod list;
mod memory;
mod preload;
mod printer;
mod quoted;
mod reader;
mod realtime;
mod refused;
mod reply;
pub mod rule_number;
mod serve;
mod session;
mod settings;
mod syntax;
mod time_limit;

use std::fmt;
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use clock::Clock;
pub use command::{Command, Forbid, SoosorvStep};
pub use command_reader::CommandReader;
pub use coordinates::Coordinates;
pub use database::{DatabaseArgumentError, DatabaseError, DatabaseMove, DatabaseRecord, DeleteFilter, DeleteKind};
pub use detail::Detail;
pub use list::{ListError, MoveList, OpeningList, Owner, PointList, StoneList};
pub use memory::DEFAULT_MEMORY;
pub use refused::{CommandError, RefusedCommand};
pub use reply::{Message, Refusal, Reply};
pub use settings::{Info, Key, MOST_THREADS, PLAUSIBLE_MEMORY, Place, Row, Settings, ValueError, Values};
pub use time_limit::{MOST_MILLISECONDS, MatchLeft, TurnLimit, YIXIN_UNLIMITED_TURN};

use crate::picker::{Picker, PickerName};
use crate::player::{Answered, Player};
pub(crate) use clock::UNNAMED_TURN;
pub(crate) use game::engine_color;
pub(crate) use reader::Input;
pub(crate) use serve::{Event, Served, serve};
use session::Session;
pub(crate) use session::{END_GRACE, UNKNOWN_IN_A_ROW};

/// Builds the picker of a name: [`PickerName::build`], or a picker of a test.
pub type PickerFactory = Rc<dyn Fn(PickerName) -> Box<dyn Picker>>;

/// The start of a session.
pub struct Setup {
    /// The name of the engine in the answer to ABOUT: ASCII without blanks.
    pub name: &'static str,
    /// The settings until INFO changes them.
    pub settings: Settings,
    /// Builds the picker that the settings name.
    pub pickers: PickerFactory,
    /// The start time of the process. The time since then counts against the first move.
    pub started: Instant,
    /// A text written as a MESSAGE before the first question, such as an error in `tengen.toml`.
    pub note: Option<String>,
    /// Returns true if the output has no reader. Called periodically after the end of the input.
    pub is_unread: fn() -> bool,
}

impl Setup {
    /// A session with these settings.
    pub fn new(settings: Settings, started: Instant) -> Self {
        let pickers = Rc::new(PickerName::build);
        Self { name: "Tengen", settings, pickers, started, note: None, is_unread: || false }
    }
}

/// The time of a question in [`replay`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayTime {
    /// The limits that the lines set. This time if they set no time, depth or node limit.
    OfLines(Duration),
    /// This time. Overrides the limits of the lines.
    Fixed(Duration),
}

/// Runs the protocol until END, the end of the input, or a closed output.
///
/// `input` is read on its own thread, which may outlive the call. A picker that hangs may outlive it too. Each reply is
/// one write and one flush. A closed output is a normal end: the manager has exited. If a question runs when the input
/// ends, it is answered within its limits and an hour, provided that the output still has a reader.
///
/// # Errors
/// If the system refuses the reader thread.
pub fn run(input: impl Read + Send + 'static, output: impl Write, setup: Setup) -> io::Result<()> {
    serve(input, output, setup.is_unread, |sender| {
        let clock = Clock::new(setup.started.elapsed(), UNNAMED_TURN);
        let sink = Arc::new(move |event| _ = sender.send(Event::Player(event)));
        Session::new(setup, |picker| Player::threaded(picker, sink), clock)
    })
}

/// Sends lines to a new session without a manager's clock and without threads. Each question is answered before the
/// next line is read, so commands cannot stop a search. Returns the last answered question, or `None` if the lines ask
/// no question.
///
/// # Errors
/// The first refusal, if the session answers a line with ERROR.
pub fn replay<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    setup: Setup,
    time: ReplayTime,
) -> Result<Option<Answered>, Refusal> {
    let (ReplayTime::OfLines(unlimited) | ReplayTime::Fixed(unlimited)) = time;
    let clock = Clock::of_replay(setup.started.elapsed(), time);
    let mut session = Session::new(setup, |picker| Player::inline(picker, unlimited), clock);
    let inputs = lines.into_iter().map(|line| Input::Line { text: line.to_owned(), at: Instant::now() });
    for input in inputs.chain([Input::Ended]) {
        session.handle(Event::Input(input));
        for reply in session.take_replies() {
            if let Reply::Error(refusal) = reply {
                return Err(refusal);
            }
        }
    }
    Ok(session.take_answered())
}

/// Writes a line with a single write. Some managers lose a line that arrives in pieces.
pub(crate) fn write_line(output: &mut impl Write, reply: &impl fmt::Display) -> io::Result<()> {
    let line = format!("{reply}\n");
    output.write_all(line.as_bytes())?;
    output.flush()
}
