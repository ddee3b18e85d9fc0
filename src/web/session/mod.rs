//! [`Session`]: one page, and the thread that works for it.

mod inline;
mod jobs;
mod proofs;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::{Value, json};
use strum::VariantNames;

pub use self::inline::InlineSession;
use self::jobs::Job;
pub(super) use self::jobs::Ticket;
use super::Failure;
use super::details;
use super::files;
use super::game::Played;
use super::guests::{EngineSpec, Engines, JobResult};
use super::library::{MOST_FILE, SharedLibrary};
use super::message::{LONGEST_MESSAGE, LONGEST_TIME, MOST_MEMORY, Request, answer, parse, refusal};
use super::opening;
use super::puzzles;
use super::tree;
use crate::board::{Rule, Size};
use crate::library::ExportFormat;
use crate::opening::{Catalogue, Procedure};
use crate::picker::{Limits, PickerName};
use crate::platform::{Instant, most_threads, spawn};
use crate::player::{Event, PickerSource, Player};
use crate::score::Score;
use crate::weights::Weighting;

/// Receives the lines for the page, on any thread. Returns whether the page is still open.
pub type Sink = Arc<dyn Fn(String) -> bool + Send + Sync>;

/// State that all sessions of a server share.
#[derive(Debug, Default)]
pub struct SessionConfig {
    /// The engines that a page can choose by name. A page never sees or sets their commands.
    pub engines: Vec<EngineSpec>,
    /// The program that supervises each engine; `None` if the system does not support one.
    pub supervisor: Option<PathBuf>,
    /// Threads of a search; 0 means one.
    pub threads: usize,
    /// The library that the pages look up and change.
    pub library: Option<Arc<SharedLibrary>>,
}

impl SessionConfig {
    /// The greatest number of threads that a page can choose: the number of cores, or the server's own number.
    fn most_threads(&self) -> usize {
        most_threads().max(self.threads)
    }
}

/// An input of the thread of a session.
enum Input {
    /// A line of the page, and a value that is dropped once the line is handled.
    Line(String, Box<dyn Send>),
    /// An event of a picker's thread.
    Picker(Event),
    /// The job with this number reports before its answer.
    Info(u64, Value),
    /// The job with this number has ended on another thread.
    Done(u64, JobResult),
    /// A thread has ended.
    Ended,
    /// The page was closed.
    Gone,
}

/// The kind of the answer to a request, and its fields; `None` if a job answers later.
type AnswerNow = Option<(&'static str, Value)>;

/// The session of a page. Dropping it stops its job and ends its engines.
pub struct Session {
    inbox: Sender<Input>,
}

impl Session {
    /// Starts the thread of a session. Its lines go to the sink.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn start(config: Arc<SessionConfig>, sink: Sink) -> io::Result<Self> {
        let (inbox, lines) = mpsc::channel();
        let of_worker = inbox.clone();
        spawn("session", Box::new(move || Worker::new(config, sink, of_worker).run(&lines)))?;
        Ok(Self { inbox })
    }

    /// Takes a line of the page and returns at once; the answer goes to the sink. `held` is dropped once the line is
    /// handled, even if its job answers later. The caller uses it to limit the bytes of queued lines.
    pub fn line(&self, line: String, held: impl Send + 'static) {
        // The worker ends only after its page has closed.
        let _ = self.inbox.send(Input::Line(line, Box::new(held)));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.inbox.send(Input::Gone);
    }
}

struct Worker {
    config: Arc<SessionConfig>,
    sink: Sink,
    inbox: Sender<Input>,
    /// The player of the searching pickers.
    search: Player,
    /// The picker that `search` has now.
    searching: PickerName,
    greedy: Player,
    engines: Engines,
    job: Option<Job>,
    jobs: u64,
    /// The number of the last job of a picker. Updates of the players belong to it.
    picking: u64,
    /// The number of running threads of proofs and of engines that were given up.
    threads: Arc<AtomicUsize>,
    /// Alive while a thread reads a file into the library or writes one from it.
    transfer: Weak<()>,
}

fn source(name: PickerName) -> PickerSource {
    Box::new(move || name.build())
}

impl Worker {
    fn new(config: Arc<SessionConfig>, sink: Sink, inbox: Sender<Input>) -> Self {
        let events = inbox.clone();
        let event_sink = Arc::new(move |event| {
            // A worker that has ended needs no events.
            let _ = events.send(Input::Picker(event));
        });
        Self {
            config,
            sink,
            inbox,
            search: Player::threaded(source(PickerName::Search), event_sink),
            searching: PickerName::Search,
            greedy: Player::inline(source(PickerName::Greedy), Duration::ZERO),
            engines: Engines::default(),
            job: None,
            jobs: 0,
            picking: 0,
            threads: Arc::default(),
            transfer: Weak::new(),
        }
    }

    fn run(&mut self, inputs: &Receiver<Input>) {
        let mut is_there = true;
        while is_there {
            let input = match self.wake_at() {
                None => inputs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => inputs.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            is_there = match input {
                Ok(input) => self.handle(input),
                Err(RecvTimeoutError::Timeout) => self.wake(),
                Err(RecvTimeoutError::Disconnected) => false,
            };
            is_there = is_there && self.advance();
        }
        self.give_up();
    }

    /// Handles an input. Returns whether the page is still open.
    fn handle(&mut self, input: Input) -> bool {
        match input {
            Input::Line(line, _held) => self.line(&line),
            Input::Picker(event) => {
                let update = self.search.handle(event);
                self.update(update)
            }
            Input::Info(number, fields) => self.info(number, fields),
            Input::Done(number, done) => self.done(number, done),
            Input::Ended => true,
            Input::Gone => false,
        }
    }

    /// Looks at the search again without an input. Returns whether the page is still open.
    fn wake(&mut self) -> bool {
        let update = self.search.poll(Instant::now());
        self.update(update) && self.tick()
    }

    /// When the worker must look at its search again without an input.
    fn wake_at(&self) -> Option<Instant> {
        let tick = self.job.as_ref().and_then(Job::next_tick);
        [self.search.wake_at(), tick].into_iter().flatten().min()
    }

    fn send(&self, line: String) -> bool {
        (self.sink)(line)
    }

    /// Handles a line. Returns whether the page is still open.
    fn line(&mut self, line: &str) -> bool {
        let (id, request) = parse(line);
        match request.and_then(|request| self.request(&id, request)) {
            Ok(None) => true,
            Ok(Some((kind, fields))) => self.send(answer(&id, kind, fields)),
            Err(failure) => self.send(refusal(&id, &failure)),
        }
    }

    /// Answers a request.
    fn request(&mut self, id: &Value, request: Request) -> Result<AnswerNow, Failure> {
        let answer = match request {
            Request::Hello {} => ("hello", self.hello()),
            Request::View { game, weights, shapes, library } => {
                let played = Played::of(&game)?;
                let mut view = played.view();
                view["weights"] = weights.map(|weighting| details::weights(&played, weighting)).into();
                view["shapes"] = if shapes { details::shapes(&played) } else { Value::Null };
                view["library"] = if library { self.library()?.known(&game) } else { Value::Null };
                ("view", view)
            }
            Request::Point { game, point } => ("point", details::point(&Played::of(&game)?, point)?),
            Request::Opening { opening } => ("opening", opening::state(&opening::read(&opening)?)),
            Request::Read(file) => ("games", files::read(&file)?),
            Request::Sgf(tree) => ("file", tree::to_sgf(&tree)?),
            Request::Psq(game) => ("file", files::psq(&game)?),
            Request::Stop {} => {
                self.stop();
                ("stopped", json!({}))
            }
            Request::Think { game, who, effort, keep } => {
                return self.think(id, game, who, effort.check(self.config.most_threads())?, keep);
            }
            Request::Negotiate { opening, who, effort } => {
                return self.negotiate(id, &opening, who, effort.check(self.config.most_threads())?);
            }
            Request::Prove { game, how, side } => return self.prove(id, &game, how, side),
            Request::Openings {} => ("openings", json!({ "openings": Catalogue.to_json() })),
            Request::Puzzles { rule } => ("puzzles", puzzles::list(rule)),
            Request::Threats { game } => return self.threats(id, &game),
            Request::Why { game, point } => return self.explain(id, &game, point),
            Request::Edit { game, change } => ("changed", self.library()?.edit(&game, &change)?),
            Request::Undo {} => ("changed", self.library()?.undo()?),
            Request::Import(file) => return self.transfer(id, "imported", move |library| library.import(&file)),
            Request::Export { game, format } => {
                return self.transfer(id, "exported", move |library| library.export(&game, format));
            }
        };
        Ok(Some(answer))
    }

    fn library(&self) -> Result<&Arc<SharedLibrary>, Failure> {
        self.config.library.as_ref().ok_or(Failure::NoLibrary)
    }

    /// Reads a file into the library, or writes one from it, on another thread: that can take seconds. The thread answers
    /// even if another job begins meanwhile.
    fn transfer(
        &mut self,
        id: &Value,
        kind: &'static str,
        work: impl FnOnce(&SharedLibrary) -> Result<Value, Failure> + Send + 'static,
    ) -> Result<AnswerNow, Failure> {
        let (library, sink, id) = (Arc::clone(self.library()?), Arc::clone(&self.sink), id.clone());
        if self.transfer.strong_count() > 0 {
            return Err(Failure::LibraryBusy);
        }
        let running = Arc::new(());
        self.transfer = Arc::downgrade(&running);
        let work = move || {
            let line = match work(&library) {
                Ok(fields) => answer(&id, kind, fields),
                Err(failure) => refusal(&id, &failure),
            };
            drop(running);
            sink(line);
        };
        spawn("library", Box::new(work)).map(|()| None).map_err(|error| Failure::System(error.to_string()))
    }

    fn hello(&self) -> Value {
        let weightings = Weighting::ALL.iter().map(|weighting| json!([weighting.name(), weighting.title()]));
        let procedures: Vec<_> =
            Procedure::ALL.iter().map(|procedure| json!([procedure.name(), procedure.least_side()])).collect();
        // Chances between these favor neither side.
        let even = [-Score::EVEN, Score::EVEN].map(|value| Score::from_eval(value).win_chance());
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "rules": Rule::ALL.map(|rule| rule.to_string()),
            "pickers": PickerName::ALL.map(|picker| picker.to_string()),
            "weightings": weightings.collect::<Vec<_>>(),
            "procedures": procedures,
            "engines": self.config.engines.iter().map(|engine| &engine.name).collect::<Vec<_>>(),
            "shapes": details::SHAPES,
            "library": self.config.library.as_ref().map(|library| library.name()),
            "formats": ExportFormat::VARIANTS,
            "limits": {
                "size": [Size::MIN, Size::MAX],
                "time": LONGEST_TIME,
                "file": MOST_FILE,
                "message": LONGEST_MESSAGE,
                "threads": self.config.most_threads(),
                "memory": MOST_MEMORY,
            },
            // What a search has if the page leaves it open, in threads and MiB.
            "usual": { "threads": self.config.threads.max(1), "memory": Limits::DEFAULT_MEMORY >> 20 },
            "scales": { "even": even },
        })
    }
}
