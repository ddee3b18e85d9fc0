//! [`Engines`]: the engine processes of one session. Each has a thread that starts and asks it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use super::Failure;
use super::message::{Effort, GameText};
use super::session::Ticket;
pub use crate::arena::config::EngineSpec;
use crate::arena::game::{EngineError, Guest, GuestLimits, Halt};
use crate::board::Rule;
use crate::notation::Comma;
use crate::opening::Negotiation;
use crate::protocol::rule_number::RuleInfo;

/// A question to an engine.
pub(super) enum Task {
    /// The next move of a game.
    Move(GameText),
    /// The question of an opening procedure, and whether the game goes on after a five.
    Opening(Box<Negotiation>, bool),
}

/// The result of a job: the kind of the answer to the page, and its fields.
pub(super) type JobResult = Result<(&'static str, Value), EngineError>;

/// Receives the answer of an engine, on the thread of the engine.
pub(super) type Teller = Box<dyn FnOnce(JobResult) + Send>;

/// A question with the limits of its answer and the receiver.
pub(super) struct Asked {
    pub(super) task: Task,
    pub(super) effort: Effort,
    pub(super) tell: Teller,
}

/// A thread with its engine. The thread lives as long as the engine: the system ends a process with the thread that
/// started it.
struct Seat {
    asked: Sender<Asked>,
    halt: Arc<Halt>,
    /// Set when the seat is given up. Dropped with the thread, after the process has ended.
    last: Arc<Mutex<Option<Ticket>>>,
}

/// The engines of a session by name. An engine starts with its first question.
#[derive(Default)]
pub(super) struct Engines {
    seats: BTreeMap<String, Seat>,
}

impl Engines {
    /// Asks an engine.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub(super) fn ask(&mut self, spec: &EngineSpec, supervisor: Option<&PathBuf>, asked: Asked) -> Result<(), Failure> {
        let asked = match self.seats.get(&spec.name) {
            Some(seat) => match seat.asked.send(asked) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(asked)) => asked,
            },
            None => asked,
        };
        let seat = seat(spec.clone(), supervisor.cloned())?;
        let sent = seat.asked.send(asked).map_err(|_| Failure::System("the engine's thread has ended".to_owned()));
        self.seats.insert(spec.name.clone(), seat);
        sent
    }

    /// Gives up the question to an engine: its process ends, and the next question starts a new one. The ticket is dropped
    /// when the process has ended.
    pub(super) fn halt(&mut self, name: &str, ticket: Ticket) {
        if let Some(seat) = self.seats.remove(name) {
            *seat.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(ticket);
        }
    }
}

/// Kills the process even during a search.
impl Drop for Seat {
    fn drop(&mut self) {
        self.halt.request();
    }
}

/// The limits of an engine process.
const fn limits(effort: Effort) -> GuestLimits {
    let Effort { time, left, increment, nodes, depth, lines: _, level: _, seed: _, threads: _, memory: _ } = effort;
    GuestLimits { turn: time, left, increment, nodes, depth }
}

/// The rule as engines receive it.
const fn rule_info(rule: Rule, continuous: bool) -> RuleInfo {
    RuleInfo { rule, continuous }
}

fn seat(spec: EngineSpec, supervisor: Option<PathBuf>) -> Result<Seat, Failure> {
    let (asked, inbox) = mpsc::channel::<Asked>();
    let halt = Arc::new(Halt::default());
    let last = Arc::new(Mutex::new(None));
    let of_thread = Arc::clone(&last);
    let mut guest = Guest::new(spec, supervisor, Arc::clone(&halt));
    let work = move || {
        let _last = of_thread;
        for Asked { task, effort, tell } in inbox {
            let limits = limits(effort);
            tell(match &task {
                Task::Move(game) => {
                    guest.choose(game.size, rule_info(game.rule, game.continuous), &game.moves.0, limits).map(|told| {
                        let (point, time) = (Comma(told.answer).to_string(), told.time.as_millis() as u64);
                        ("move", json!({ "point": point, "time": time, "said": told.said }))
                    })
                }
                Task::Opening(negotiation, continuous) => guest
                    .negotiate(negotiation, rule_info(negotiation.board().rule(), *continuous), limits)
                    .map(|told| ("answer", json!({ "answer": told.answer.to_string(), "said": told.said }))),
            });
        }
        guest.end();
    };
    let thread = thread::Builder::new().name("engine".to_owned()).spawn(work);
    thread.map(|_| Seat { asked, halt, last }).map_err(|error| Failure::System(error.to_string()))
}
