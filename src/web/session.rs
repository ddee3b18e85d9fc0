//! [`Session`]: one page, and the thread that works for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{io, thread};

use serde_json::{Value, json};

use super::files;
use super::game::Played;
use super::guests::{Engines, Task, Told};
use super::look;
use super::message::{Effort, Failure, GameText, OpeningText, ProofKind, Request, Who, answer, parse, refusal};
use super::opening;
use super::proof;
use super::think;
use crate::arena::config::EngineSpec;
use crate::arena::game::GuestError;
use crate::board::Color;
use crate::opening::{Procedure, Step};
use crate::picker::{Decision, PickerName, Question, SearchInfo};
use crate::player::{Answered, Event, PickerSource, Player, Request as Asked, Update};
use crate::weights::{WeightedPosition, Weighting};

/// Takes a line for the page, on any thread; says whether the page is still there.
pub type Sink = Arc<dyn Fn(String) -> bool + Send + Sync>;

/// What all sessions of a server share.
#[derive(Debug, Default)]
pub struct Config {
    /// The engines that a page may choose by their names. A page never sees or sets their commands.
    pub engines: Vec<EngineSpec>,
    /// The program above each engine; `None` where the system has none.
    pub supervisor: Option<PathBuf>,
    /// Threads of a search; 0 and 1 both mean one.
    pub threads: usize,
}

/// What reaches the thread of a session.
enum Input {
    /// A line of the page.
    Line(String),
    /// An event of a picker's thread.
    Picker(Event),
    /// The end of the job with this number, on another thread.
    Done(u64, Done),
    /// The page has gone.
    Gone,
}

enum Done {
    Engine(Box<Result<Told, GuestError>>),
    Proof(Value),
}

/// A page's session. A drop stops what it runs and ends its engines.
pub struct Session {
    inbox: Sender<Input>,
}

impl Session {
    /// Starts the thread of a session, whose lines go to the sink.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn start(config: Arc<Config>, sink: Sink) -> io::Result<Self> {
        let (inbox, lines) = mpsc::channel();
        let of_worker = inbox.clone();
        thread::Builder::new().name("session".to_owned()).spawn(move || {
            Worker::new(config, sink, of_worker).run(&lines);
        })?;
        Ok(Self { inbox })
    }

    /// Takes a line of the page. Returns at once; what it answers goes to the sink.
    pub fn line(&self, line: String) {
        // A worker that has ended has no page any more.
        let _ = self.inbox.send(Input::Line(line));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.inbox.send(Input::Gone);
    }
}

/// The long thing that runs.
struct Job {
    number: u64,
    /// The number of its request.
    id: Value,
    kind: JobKind,
}

enum JobKind {
    Search { picker: PickerName, position: Box<WeightedPosition>, info: Option<SearchInfo> },
    Opening,
    Engine(String),
    Proof(Arc<AtomicBool>),
}

struct Worker {
    config: Arc<Config>,
    sink: Sink,
    inbox: Sender<Input>,
    /// The player of the pickers that search.
    search: Player,
    /// The one of them that it has now.
    searching: PickerName,
    greedy: Player,
    engines: Engines,
    job: Option<Job>,
    jobs: u64,
    /// The job that the picker of searches was asked about last: what it tells is of no other.
    asked: u64,
}

fn source(name: PickerName) -> PickerSource {
    Box::new(move || name.build())
}

impl Worker {
    fn new(config: Arc<Config>, sink: Sink, inbox: Sender<Input>) -> Self {
        let events = inbox.clone();
        let event_sink = Arc::new(move |event| {
            // A worker that has ended waits for no picker.
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
            asked: 0,
        }
    }

    fn run(&mut self, inputs: &Receiver<Input>) {
        let mut is_there = true;
        while is_there {
            let input = match self.search.wake_at() {
                None => inputs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => inputs.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            is_there = match input {
                Ok(Input::Line(line)) => self.line(&line),
                Ok(Input::Picker(event)) => {
                    let update = self.search.handle(event);
                    self.update(update)
                }
                Ok(Input::Done(number, done)) => self.done(number, done),
                Err(RecvTimeoutError::Timeout) => {
                    let update = self.search.poll(Instant::now());
                    self.update(update)
                }
                Ok(Input::Gone) | Err(RecvTimeoutError::Disconnected) => false,
            };
        }
        self.give_up();
    }

    fn send(&self, line: String) -> bool {
        (self.sink)(line)
    }

    /// Carries out a line; whether the page is still there.
    fn line(&mut self, line: &str) -> bool {
        let (id, request) = parse(line);
        match request.and_then(|request| self.request(&id, request)) {
            Ok(None) => true,
            Ok(Some((kind, fields))) => self.send(answer(&id, kind, fields)),
            Err(failure) => self.send(refusal(&id, &failure)),
        }
    }

    /// Answers what can be answered at once; `None` where the answer comes later.
    fn request(&mut self, id: &Value, request: Request) -> Result<Option<(&'static str, Value)>, Failure> {
        let answer = match request {
            Request::Hello {} => ("hello", self.hello()),
            Request::View { game, weights, shapes } => {
                let played = Played::of(&game)?;
                let mut view = played.view();
                view["weights"] = weights.map(|weighting| look::weights(&played, weighting)).into();
                view["shapes"] = if shapes { look::shapes(&played) } else { Value::Null };
                ("view", view)
            }
            Request::Point { game, point } => ("point", look::point(&Played::of(&game)?, point)?),
            Request::Opening { opening } => ("opening", opening::state(&opening::read(&opening)?)),
            Request::Read(file) => ("games", files::read(&file)?),
            Request::Psq(game) => ("file", files::psq(&game)?),
            Request::Stop {} => {
                self.stop();
                ("stopped", json!({}))
            }
            Request::Think { game, who, effort } => return self.think(id, &game, who, effort.check()?),
            Request::Negotiate { opening, who, effort } => return self.negotiate(id, &opening, who, effort.check()?),
            Request::Prove { game, how, side } => {
                self.prove(id, &game, how, side)?;
                return Ok(None);
            }
        };
        Ok(Some(answer))
    }

    fn hello(&self) -> Value {
        let weightings = Weighting::ALL.iter().map(|weighting| json!([weighting.name(), weighting.title()]));
        let procedures = Procedure::ALL.map(|procedure| json!([procedure.name(), procedure.least_side()]));
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "rules": crate::board::Rule::ALL.map(|rule| rule.to_string()),
            "weightings": weightings.collect::<Vec<_>>(),
            "procedures": procedures,
            "engines": self.config.engines.iter().map(|engine| &engine.name).collect::<Vec<_>>(),
        })
    }

    /// Begins a job in the place of the one that runs.
    fn begin(&mut self, id: &Value, kind: JobKind) -> u64 {
        self.give_up();
        self.jobs += 1;
        self.job = Some(Job { number: self.jobs, id: id.clone(), kind });
        self.jobs
    }

    /// Ends what runs without an answer; its request is told so.
    fn give_up(&mut self) {
        let Some(job) = self.job.take() else { return };
        match &job.kind {
            JobKind::Search { .. } | JobKind::Opening => self.search.stop(Instant::now()),
            JobKind::Engine(name) => self.engines.halt(name),
            JobKind::Proof(stop) => stop.store(true, Ordering::Relaxed),
        }
        self.send(answer(&job.id, "given-up", json!({})));
    }

    /// Asks what runs for its answer now. An engine has none: its process ends.
    fn stop(&mut self) {
        match self.job.as_ref().map(|job| &job.kind) {
            Some(JobKind::Search { .. } | JobKind::Opening) => self.search.stop(Instant::now()),
            Some(JobKind::Proof(stop)) => stop.store(true, Ordering::Relaxed),
            Some(JobKind::Engine(_)) => self.give_up(),
            None => {}
        }
    }

    fn think(
        &mut self,
        id: &Value,
        game: &GameText,
        who: Who,
        effort: Effort,
    ) -> Result<Option<(&'static str, Value)>, Failure> {
        let played = Played::open(game)?;
        let (picker, weighting) = match who {
            Who::Picker(picker, weighting) => (picker, weighting),
            Who::Engine(name) => return self.ask_engine(id, name, Task::Move(game.clone()), effort).map(|()| None),
        };
        let position = WeightedPosition::new(played.board, weighting);
        let question = Question::Move { lines: effort.lines.max(1) };
        let kind = JobKind::Search { picker, position: Box::new(position.clone()), info: None };
        let update = self.ask_picker(id, picker, question, position, effort, kind);
        self.update(update);
        Ok(None)
    }

    fn negotiate(
        &mut self,
        id: &Value,
        opening: &OpeningText,
        who: Who,
        effort: Effort,
    ) -> Result<Option<(&'static str, Value)>, Failure> {
        let negotiation = opening::read(opening)?;
        let Step::Ask(_, question) = negotiation.step() else { return Err(Failure::Agreed) };
        match who {
            Who::Engine(name) => {
                let task = Task::Opening(Box::new(negotiation), opening.rule_info());
                self.ask_engine(id, name, task, effort)?;
            }
            Who::Picker(picker, weighting) => {
                let position = WeightedPosition::new(negotiation.board().clone(), weighting);
                let question = Question::Opening(question);
                let update = self.ask_picker(id, picker, question, position, effort, JobKind::Opening);
                self.update(update);
            }
        }
        Ok(None)
    }

    fn ask_picker(
        &mut self,
        id: &Value,
        picker: PickerName,
        question: Question,
        position: WeightedPosition,
        effort: Effort,
        kind: JobKind,
    ) -> Update {
        self.asked = self.begin(id, kind);
        let limits = effort.limits(self.config.threads);
        let player = match picker {
            PickerName::Greedy => &mut self.greedy,
            PickerName::Search | PickerName::Mcts => {
                if std::mem::replace(&mut self.searching, picker) != picker {
                    self.search.set_source(source(picker));
                }
                &mut self.search
            }
        };
        player.ask(Asked { question, position, limits, deadlines: effort.deadlines() }, &mut |_| {})
    }

    fn ask_engine(&mut self, id: &Value, name: String, task: Task, effort: Effort) -> Result<(), Failure> {
        let config = Arc::clone(&self.config);
        let Some(spec) = config.engines.iter().find(|spec| spec.name == name) else {
            return Err(Failure::Engine(name));
        };
        let number = self.begin(id, JobKind::Engine(name));
        let inbox = self.inbox.clone();
        let tell = Box::new(move |told| {
            let _ = inbox.send(Input::Done(number, Done::Engine(Box::new(told))));
        });
        let asked = self.engines.ask(spec, config.supervisor.as_ref(), task, effort.guest_time(), tell);
        asked.inspect_err(|_| self.job = None)
    }

    fn prove(&mut self, id: &Value, game: &GameText, how: ProofKind, side: Option<Color>) -> Result<(), Failure> {
        let mut board = Played::open(game)?.board;
        board.set_turn(side.unwrap_or(board.turn()));
        let stop = Arc::new(AtomicBool::new(false));
        let number = self.begin(id, JobKind::Proof(Arc::clone(&stop)));
        let inbox = self.inbox.clone();
        let tell = move |found| {
            let _ = inbox.send(Input::Done(number, Done::Proof(found)));
        };
        proof::start(board, how, stop, tell).inspect_err(|_| self.job = None)
    }

    /// Tells the page what a picker reports or answers; whether the page is still there.
    fn update(&mut self, update: Update) -> bool {
        match update {
            Update::Unchanged => true,
            Update::Report(report) => {
                let Some(Job { id, kind, .. }) = self.job.as_mut().filter(|job| job.number == self.asked) else {
                    return true;
                };
                if let (JobKind::Search { info, .. }, crate::picker::Report::Search(progress)) = (kind, &report) {
                    *info = Some(progress.clone());
                }
                let id = id.clone();
                think::report(&report).is_none_or(|fields| self.send(answer(&id, "info", fields)))
            }
            Update::Answer(given) => {
                let asked = self.asked;
                let Some(Job { id, kind, .. }) = self.job.take_if(|job| job.number == asked) else { return true };
                let line = match (kind, given) {
                    (JobKind::Search { picker, position, info }, Some(given)) => {
                        let given = think::with_reason(given, info.as_ref());
                        think::chosen(picker, Answered { position: *position, answer: given, info })
                            .map(|fields| answer(&id, "move", fields))
                    }
                    (JobKind::Opening, Some(given)) => match given.decision {
                        Decision::Opening(decision) => {
                            Some(answer(&id, "answer", json!({ "answer": decision.to_string() })))
                        }
                        Decision::Move(_) | Decision::Pair(_) => None,
                    },
                    _ => None,
                };
                self.send(line.unwrap_or_else(|| refusal(&id, &Failure::Ended)))
            }
        }
    }

    /// Tells the page the end of a job on another thread; whether the page is still there.
    fn done(&mut self, number: u64, done: Done) -> bool {
        let Some(Job { id, kind, .. }) = self.job.take_if(|job| job.number == number) else { return true };
        let name = if let JobKind::Engine(name) = kind { name } else { String::new() };
        self.send(match done {
            Done::Proof(found) => answer(&id, "proof", found),
            Done::Engine(told) => match *told {
                Ok(told) => {
                    let (kind, fields) = told.to_json();
                    answer(&id, kind, fields)
                }
                Err(error) => answer(&id, "failed", json!({ "engine": name, "error": format!("{name}: {error}") })),
            },
        })
    }
}
