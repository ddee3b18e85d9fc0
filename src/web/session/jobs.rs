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
use std::time::Instant;

use serde_json::{Value, json};

use super::{AnswerNow, Input, Worker, source};
use crate::arena::config::EngineSpec;
use crate::board::{Board, Color};
use crate::library::Cursor;
use crate::opening::Step;
use crate::picker::{Decision, PickerName, Question, Report, SearchInfo};
use crate::player::{Answered, Request as Asked, Update};
use crate::text::Short;
use crate::web::Failure;
use crate::web::game::Played;
use crate::web::guests::{self, JobResult, Task};
use crate::web::library::checked_cursor;
use crate::web::message::{Effort, GameText, OpeningText, ProofKind, Who, answer, refusal};
use crate::web::{opening, proof, think};
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
        /// The position for which the library keeps the score.
        keep: Option<Cursor>,
    },
    Opening,
    Engine(String),
    Proof(Arc<AtomicBool>),
}

/// The work of a job.
enum Work {
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
    Prove {
        board: Box<Board>,
        how: ProofKind,
    },
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
    fn ticket(&self) -> Ticket {
        self.threads.fetch_add(1, Ordering::Relaxed);
        Ticket { threads: Arc::clone(&self.threads), inbox: self.inbox.clone() }
    }

    /// Replaces the job, which answers later.
    fn put(&mut self, id: &Value, work: Work) -> Result<AnswerNow, Failure> {
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
            Work::Engine { .. } | Work::Prove { .. } => threads < MOST_THREADS,
        };
        let waits = |job: &mut Job| matches!(&job.state, JobState::Waiting(work) if may_begin(work));
        let Some(Job { number, id, state: JobState::Waiting(work) }) = self.job.take_if(waits) else { return true };
        match work {
            Work::Pick { picker, question, position, effort, keep } => {
                let search = || JobState::Search { picker, position: position.clone(), info: None, keep };
                let state = if matches!(question, Question::Opening(_)) { JobState::Opening } else { search() };
                self.job = Some(Job { number, id, state });
                self.pick(number, picker, question, *position, effort)
            }
            Work::Engine { spec, task, effort } => {
                let inbox = self.inbox.clone();
                let tell = Box::new(move |told| {
                    let _ = inbox.send(Input::Done(number, told));
                });
                let asked = guests::Asked { task, limits: effort.guest_limits(), tell };
                let asked = self.engines.ask(&spec, self.config.supervisor.as_ref(), asked);
                self.begun(Job { number, id, state: JobState::Engine(spec.name) }, asked)
            }
            Work::Prove { board, how } => {
                let stop = Arc::new(AtomicBool::new(false));
                let (inbox, ticket) = (self.inbox.clone(), self.ticket());
                let tell = move |found| {
                    let _ = inbox.send(Input::Done(number, Ok(("proof", found))));
                    drop(ticket);
                };
                let started = proof::start(*board, how, Arc::clone(&stop), tell);
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
        let task = Task::Opening(Box::new(negotiation), opening.rule_info());
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

    pub(super) fn prove(
        &mut self,
        id: &Value,
        game: &GameText,
        how: ProofKind,
        side: Option<Color>,
    ) -> Result<AnswerNow, Failure> {
        let mut board = Played::open(game)?.board;
        board.set_turn(side.unwrap_or(board.turn()));
        self.put(id, Work::Prove { board: Box::new(board), how })
    }

    fn pick(
        &mut self,
        number: u64,
        picker: PickerName,
        question: Question,
        position: WeightedPosition,
        effort: Effort,
    ) -> bool {
        self.asked = number;
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
        let asked = Asked { question, position, limits, deadlines: effort.deadlines() };
        let update = player.ask(asked, &mut |_| {});
        self.update(update)
    }

    /// Sends the report or answer of a picker. Returns whether the page is still open.
    pub(super) fn update(&mut self, update: Update) -> bool {
        match update {
            Update::Unchanged | Update::Report(Report::Weights(_) | Report::Book { .. }) => true,
            Update::Report(Report::Search(progress)) => {
                let Some(Job { id, state, .. }) = self.job.as_mut().filter(|job| job.number == self.asked) else {
                    return true;
                };
                let line = answer(id, "info", think::report(&progress));
                if let JobState::Search { info, .. } = state {
                    *info = Some(progress);
                }
                self.send(line)
            }
            Update::Answer(given) => {
                let asked = self.asked;
                let Some(Job { id, state, .. }) = self.job.take_if(|job| job.number == asked) else { return true };
                let line = match (state, given) {
                    (JobState::Search { picker, position, info, keep }, Some(given)) => {
                        let given = think::with_reason(given, info.as_ref());
                        let kept = keep.map(|cursor| self.library()?.keep(&cursor, &given)).transpose();
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

    /// Sends the result of a job on another thread. Returns whether the page is still open.
    pub(super) fn done(&mut self, number: u64, done: JobResult) -> bool {
        let Some(Job { id, state, .. }) = self.job.take_if(|job| job.number == number) else { return true };
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

/// The answer of a search; `kept` says whether the library has kept its score, if it should.
fn searched(id: &Value, mut fields: Value, kept: Result<Option<bool>, Failure>) -> String {
    match kept {
        Ok(kept) => {
            fields["kept"] = kept.into();
            answer(id, "move", fields)
        }
        Err(failure) => refusal(id, &failure),
    }
}
