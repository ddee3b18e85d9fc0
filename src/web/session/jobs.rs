//! The jobs of a session, one at a time: searches, openings, proofs, and questions to engines.
//!
//! ```text
//! request ─► Job, waiting ─► advance: fewer than MOST_THREADS run ─► begun ─► answer
//!   └► the job before it is given up: the page is notified at once, the thread ends a little later
//! ```
//!
//! A search waits until the one before it has returned its picker, and inherits its table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use serde_json::{Value, json};

use super::proofs::ProofWork;
use super::{AnswerNow, Input, Worker, source};
use crate::board::Board;
use crate::library::Cursor;
use crate::opening::Step;
use crate::picker::{Decision, PickerName, Question, Report, SearchControl, SearchInfo};
use crate::platform::Instant;
use crate::player::{Answered, Request, Update};
use crate::text::Short;
use crate::web::Failure;
use crate::web::game::Played;
use crate::web::guests::{self, EngineSpec, JobResult, Task};
use crate::web::library::checked_cursor;
use crate::web::message::{Effort, GameText, OpeningText, Who, answer, refusal};
use crate::web::{opening, think};
use crate::weights::WeightedPosition;

/// Maximum number of running threads of a session: one that works, and one that was given up and has not yet ended.
/// Each search holds a table.
const MOST_THREADS: usize = 2;

/// The job that a page waits for.
pub(super) struct Job {
    number: u64,
    /// The number of its request.
    id: Value,
    state: JobState,
}

enum JobState {
    /// Starts when other threads have ended.
    Waiting(Work),
    Search {
        picker: PickerName,
        position: Box<WeightedPosition>,
        info: Option<SearchInfo>,
        ticks: Ticks,
        /// The position for which the library keeps the score.
        keep: Option<Cursor>,
    },
    Opening,
    Engine(String),
    Proof(Arc<AtomicBool>),
}

/// The progress of a search between its reports.
struct Ticks {
    control: Arc<SearchControl>,
    next: Instant,
}

/// The time between two ticks.
const TICK: Duration = Duration::from_millis(250);

impl Job {
    /// Time of the next progress report; `None` unless the job is a search.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        match &self.state {
            JobState::Search { ticks, .. } => Some(ticks.next),
            _ => None,
        }
    }
}

/// The work of a job.
pub(super) enum Work {
    Pick {
        picker: PickerName,
        question: Question,
        position: Box<WeightedPosition>,
        effort: Effort,
        keep: Option<Cursor>,
    },
    Engine {
        spec: Box<EngineSpec>,
        task: Task,
        effort: Effort,
    },
    Prove(ProofWork),
}

/// Counts a running thread. When it is dropped the worker is notified.
pub(in crate::web) struct Ticket {
    threads: Arc<AtomicUsize>,
    inbox: Sender<Input>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.threads.fetch_sub(1, Ordering::Relaxed);
        // The send fails if the worker has ended.
        let _ = self.inbox.send(Input::Ended);
    }
}

impl Worker {
    pub(super) fn ticket(&self) -> Ticket {
        self.threads.fetch_add(1, Ordering::Relaxed);
        Ticket { threads: Arc::clone(&self.threads), inbox: self.inbox.clone() }
    }

    /// Gives up the current job and puts this one in its place. It answers later.
    pub(super) fn put(&mut self, id: &Value, work: Work) -> Result<AnswerNow, Failure> {
        self.give_up();
        self.jobs += 1;
        self.job = Some(Job { number: self.jobs, id: id.clone(), state: JobState::Waiting(work) });
        Ok(None)
    }

    /// Ends the job without an answer and notifies its request.
    pub(super) fn give_up(&mut self) {
        let Some(job) = self.job.take() else { return };
        match &job.state {
            JobState::Waiting(_) => {}
            JobState::Search { .. } | JobState::Opening => self.search.stop(Instant::now()),
            JobState::Engine(name) => self.engines.halt(name, self.ticket()),
            JobState::Proof(stop) => stop.store(true, Ordering::Relaxed),
        }
        self.send(answer(&job.id, "given-up", json!({})));
    }

    /// Asks the job for its answer now. An engine or a job that has not begun has no answer and is given up.
    pub(super) fn stop(&mut self) {
        match self.job.as_ref().map(|job| &job.state) {
            Some(JobState::Search { .. } | JobState::Opening) => self.search.stop(Instant::now()),
            Some(JobState::Proof(stop)) => stop.store(true, Ordering::Relaxed),
            Some(JobState::Engine(_) | JobState::Waiting(_)) => self.give_up(),
            None => {}
        }
    }

    /// Begins the waiting job if it can. Returns whether the page is still open.
    pub(super) fn advance(&mut self) -> bool {
        let threads = self.threads.load(Ordering::Relaxed) + self.search.searches();
        let may_begin = |work: &Work| match work {
            Work::Pick { picker: PickerName::Greedy, .. } => true,
            Work::Pick { .. } => threads < MOST_THREADS && !self.search.is_busy(),
            Work::Engine { .. } | Work::Prove(_) => threads < MOST_THREADS,
        };
        let waits = |job: &mut Job| matches!(&job.state, JobState::Waiting(work) if may_begin(work));
        let Some(Job { number, id, state: JobState::Waiting(work) }) = self.job.take_if(waits) else { return true };
        match work {
            Work::Pick { picker, question, position, effort, keep } => {
                let limits = effort.limits(self.config.threads);
                let ticks = Ticks { control: Arc::clone(&limits.control), next: Instant::now() + TICK };
                let search = || JobState::Search { picker, position: position.clone(), info: None, ticks, keep };
                let state = if matches!(question, Question::Opening(_)) { JobState::Opening } else { search() };
                self.job = Some(Job { number, id, state });
                let request = Request { question, position: *position, limits, deadlines: effort.deadlines() };
                self.pick(number, picker, request)
            }
            Work::Engine { spec, task, effort } => {
                let inbox = self.inbox.clone();
                let tell = Box::new(move |told| {
                    let _ = inbox.send(Input::Done(number, told));
                });
                let question = guests::Asked { task, effort, tell };
                let started = self.engines.ask(&spec, self.config.supervisor.as_ref(), question);
                self.begun(Job { number, id, state: JobState::Engine(spec.name) }, started)
            }
            Work::Prove(work) => {
                let stop = Arc::new(AtomicBool::new(false));
                let started = self.begin_proof(number, work, Arc::clone(&stop));
                self.begun(Job { number, id, state: JobState::Proof(stop) }, started)
            }
        }
    }

    /// Keeps a job that has begun, or sends the reason why it has not.
    fn begun(&mut self, job: Job, started: Result<(), Failure>) -> bool {
        match started {
            Ok(()) => {
                self.job = Some(job);
                true
            }
            Err(failure) => self.send(refusal(&job.id, &failure)),
        }
    }

    pub(super) fn think(
        &mut self,
        id: &Value,
        game: GameText,
        who: Who,
        effort: Effort,
        keep: bool,
    ) -> Result<AnswerNow, Failure> {
        let board = Played::open(&game)?.board;
        let keep = keep.then(|| self.library().and_then(|_| checked_cursor(&game))).transpose()?;
        let question = Question::Move { lines: effort.lines.max(1) };
        let work = self.work(who, question, board, Task::Move(game), effort, keep)?;
        self.put(id, work)
    }

    pub(super) fn negotiate(
        &mut self,
        id: &Value,
        opening: &OpeningText,
        who: Who,
        effort: Effort,
    ) -> Result<AnswerNow, Failure> {
        let negotiation = opening::read(opening)?;
        let Step::Ask(_, question) = negotiation.step() else { return Err(Failure::Agreed) };
        let board = negotiation.board().clone();
        let task = Task::Opening(Box::new(negotiation), opening.continuous);
        let work = self.work(who, Question::Opening(question), board, task, effort, None)?;
        self.put(id, work)
    }

    /// The question to a picker, or the task of the engine of this name.
    fn work(
        &self,
        who: Who,
        question: Question,
        board: Board,
        task: Task,
        effort: Effort,
        keep: Option<Cursor>,
    ) -> Result<Work, Failure> {
        match who {
            Who::Picker(picker, weighting) => {
                let position = Box::new(WeightedPosition::new(board, weighting));
                Ok(Work::Pick { picker, question, position, effort, keep })
            }
            Who::Engine(name) => match self.config.engines.iter().find(|spec| spec.name == name) {
                Some(spec) => Ok(Work::Engine { spec: Box::new(spec.clone()), task, effort }),
                None => Err(Failure::Engine(name)),
            },
        }
    }

    fn pick(&mut self, number: u64, picker: PickerName, request: Request) -> bool {
        self.picking = number;
        let player = match picker {
            PickerName::Greedy => &mut self.greedy,
            PickerName::Search | PickerName::Mcts | PickerName::Policy => {
                if std::mem::replace(&mut self.searching, picker) != picker {
                    self.search.set_source(source(picker));
                }
                &mut self.search
            }
        };
        let update = player.ask(request, &mut |_| {});
        self.update(update)
    }

    /// Sends the nodes and the time of a running search when a report is due. Returns whether the page is still open.
    pub(super) fn tick(&mut self) -> bool {
        let now = Instant::now();
        let due = |job: &&mut Job| job.next_tick().is_some_and(|next| next <= now);
        let Some(Job { id, state: JobState::Search { ticks, .. }, .. }) = self.job.as_mut().filter(due) else {
            return true;
        };
        ticks.next = now + TICK;
        let line = answer(id, "tick", think::progress(&ticks.control));
        self.send(line)
    }

    /// Sends the report or answer of a picker. Returns whether the page is still open.
    pub(super) fn update(&mut self, update: Update) -> bool {
        match update {
            Update::Unchanged | Update::Report(Report::Weights(_) | Report::Book { .. }) => true,
            Update::Report(Report::Search(progress)) => {
                // An opening search reports on its candidates, not on the shown position.
                let Some(Job { id, state: JobState::Search { position, info, .. }, .. }) =
                    self.job.as_mut().filter(|job| job.number == self.picking)
                else {
                    return true;
                };
                let line = answer(id, "info", think::report(&progress, position.board().turn()));
                *info = Some(progress);
                self.send(line)
            }
            Update::Answer(given) => {
                let picking = self.picking;
                let Some(Job { id, state, .. }) = self.job.take_if(|job| job.number == picking) else { return true };
                let line = match (state, given) {
                    (JobState::Search { picker, position, info, keep, .. }, Some(given)) => {
                        let given = think::with_reason(given, info.as_ref());
                        let kept = keep.map(|cursor| self.library()?.keep(&cursor, &given));
                        think::chosen(picker, Answered { position: *position, answer: given, info })
                            .map(|fields| searched(&id, fields, kept))
                    }
                    (JobState::Opening, Some(given)) => match given.decision {
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

    /// Sends a report of the job if it has not been given up. Returns whether the page is still open.
    pub(super) fn info(&self, number: u64, fields: Value) -> bool {
        let job = self.job.as_ref().filter(|job| job.number == number);
        job.is_none_or(|job| self.send(answer(&job.id, "info", fields)))
    }

    /// Sends the result of a job on another thread. Returns whether the page is still open.
    pub(super) fn done(&mut self, number: u64, done: JobResult) -> bool {
        let Some(Job { id, state, .. }) = self.job.take_if(|job| job.number == number) else { return true };
        // Only engines fail: a proof always has a result.
        let name = if let JobState::Engine(name) = state { name } else { String::new() };
        self.send(match done {
            Ok((kind, fields)) => answer(&id, kind, fields),
            Err(error) => {
                let error = Short(format_args!("{name}: {error}")).to_string();
                answer(&id, "failed", json!({ "engine": name, "error": error }))
            }
        })
    }
}

/// The answer of a search; `kept` says whether the library has kept its score, if it should, or why it could not.
fn searched(id: &Value, mut fields: Value, kept: Option<Result<bool, Failure>>) -> String {
    fields["kept"] = match kept {
        None => Value::Null,
        Some(Ok(kept)) => kept.into(),
        Some(Err(failure)) => Short(failure).to_string().into(),
    };
    answer(id, "move", fields)
}
