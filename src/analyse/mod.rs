//! MANY POSITIONS: [`Analyst`], which answers queries about positions, several at once, in lines of JSON.
//!
//! ```text
//! line ─► Line::parse ──┬─ error ────────────────────────────────────────────────────────────────────► line
//!                       ├─ action ─► Queue: cancels positions ───────────────────────────────────────► line
//!                       └─ query ──► Queue: its positions, by priority ─► worker, each with a picker ─► line
//! ```
//!
//! The form follows KataGo's analysis engine: an id that comes back, turns of one game, priorities, reports during a
//! search, cancelling. The answers to a query with a limit of nodes or depth depend on the query and on the memory of a search
//! alone: a worker's picker forgets every position before the next.
//!
//! Owns the queries, their queue and their answers. Uses the player, the solvers and `explain`. Must never touch a stream
//! or a file of the process: it reads lines and writes lines.

mod answer;
mod games;
mod query;
mod queue;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

pub use self::games::{GamesError, queries_of};
use self::query::{Action, Line, QueryError};
pub use self::query::{Query, Turns};
use self::queue::Queue;
use self::worker::Worker;
use crate::picker::{Limits, PickerName};
use crate::text::without_mark;
use crate::weights::Weighting;

/// Maximum size of a line in bytes, some hundred times that of a long game.
const LONGEST_LINE: u64 = 1 << 20;

/// Interval of the checks for a closed output after the end of the input.
const OUTPUT_CHECK: Duration = Duration::from_millis(200);

/// Time of a search without any limit.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The engine that answers the queries.
#[derive(Clone, Debug)]
pub struct Analyst {
    /// The picker that answers.
    pub picker: PickerName,
    /// The weighting of the weights that a query asks for, and of the greedy picker.
    pub weighting: Weighting,
    /// The limits of a search, unless the query has its own. The memory is that of one search.
    pub limits: Limits,
    /// Time of a search whose query has no limit; `None` means [a second](DEFAULT_TIME) without another limit.
    pub time: Option<Duration>,
    /// Positions that are searched at once, each on a thread of its own.
    pub workers: NonZeroUsize,
}

/// An event of a running analysis.
enum Event {
    /// A line of the input; `None` if it is too long.
    Line(Option<String>),
    /// The end of the input, or the error that ended it.
    End(Option<io::Error>),
    /// A line for the output, with the number of its position and whether it is the position's last line.
    Answer(Value, u64, bool),
}

impl Analyst {
    /// Answers the queries of an input until it ends, and then the queries that are left, unless `is_unread` says that
    /// the output has no reader any more. Answers are written as they become ready, each with one write and one flush.
    ///
    /// # Errors
    /// When the input cannot be read or the output cannot be written. Running searches are then stopped.
    pub fn run(
        &self,
        input: impl Read + Send + 'static,
        output: &mut dyn Write,
        is_unread: fn() -> bool,
    ) -> io::Result<()> {
        let queue = Queue::default();
        let (event_tx, event_rx) = mpsc::channel();
        let line_tx = event_tx.clone();
        // Not a scoped thread: it may wait for input when the output has failed.
        thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &line_tx))?;
        thread::scope(|scope| {
            let _stop = StopOnDrop(&queue);
            self.start_workers(scope, &queue, &event_tx)?;
            drop(event_tx);
            let mut has_ended = false;
            while let Some(event) = next_event(&event_rx, has_ended, is_unread) {
                match event {
                    Event::Line(Some(line)) => {
                        for answer in self.take_line(&line, &queue) {
                            write_line(output, &answer)?;
                        }
                    }
                    Event::Line(None) => write_line(output, &too_long().to_json())?,
                    Event::Answer(answer, ..) => write_line(output, &answer)?,
                    // The loop ends when the last worker has dropped its sender.
                    Event::End(None) => {
                        has_ended = true;
                        queue.close();
                    }
                    Event::End(Some(error)) => return Err(error),
                }
            }
            Ok(())
        })
    }

    /// Answers queries, in their order. `write` receives each answer, and how many positions of how many are answered.
    ///
    /// # Errors
    /// When `write` fails.
    pub fn answer_all(
        &self,
        queries: Vec<Query>,
        write: &mut dyn FnMut(&Value, usize, usize) -> io::Result<()>,
    ) -> io::Result<()> {
        let queue = Queue::default();
        for query in queries {
            queue.add(query);
        }
        queue.close();
        let all = queue.waiting();
        let (event_tx, event_rx) = mpsc::channel();
        thread::scope(|scope| {
            let _stop = StopOnDrop(&queue);
            self.start_workers(scope, &queue, &event_tx)?;
            drop(event_tx);
            let (mut ready, mut next, mut answered) = (BTreeMap::<u64, Vec<Value>>::new(), 0, 0);
            let mut ended = BTreeSet::new();
            for event in &event_rx {
                let Event::Answer(value, number, is_last) = event else { continue };
                ready.entry(number).or_default().push(value);
                if is_last {
                    ended.insert(number);
                }
                while ended.remove(&next) {
                    answered += 1;
                    for value in ready.remove(&next).unwrap_or_default() {
                        write(&value, answered, all)?;
                    }
                    next += 1;
                }
            }
            Ok(())
        })
    }

    /// Starts the workers, each with a sender of its own. Fewer if the system refuses a thread, but at least one.
    fn start_workers<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        queue: &'scope Queue,
        event_tx: &mpsc::Sender<Event>,
    ) -> io::Result<()> {
        for number in 0..self.workers.get() {
            let event_tx = event_tx.clone();
            let work = move || {
                Worker::new(self).work(queue, &mut |value, number, is_last| {
                    // The receiver is gone once the output has failed.
                    let _ = event_tx.send(Event::Answer(value, number, is_last));
                });
            };
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Takes a line of the input: adds its positions to the queue, or cancels some. Returns the lines to write.
    fn take_line(&self, line: &str, queue: &Queue) -> Vec<Value> {
        let line = without_mark(line);
        if line.trim().is_empty() {
            return Vec::new();
        }
        match Line::parse(line) {
            Ok(Line::Query(query)) if queue.has(&query.id) => {
                let reason = "a query with this id is not answered yet".to_owned();
                vec![QueryError { id: Some(query.id), field: Some("id"), reason }.to_json()]
            }
            Ok(Line::Query(query)) if self.limits.evaluation.is_given_only_for_other_rules(query.rule) => {
                let reason = format!("--network was given without a network for {}", query.rule);
                vec![QueryError { id: Some(query.id), field: Some("rule"), reason }.to_json()]
            }
            Ok(Line::Query(query)) => {
                queue.add(*query);
                Vec::new()
            }
            Ok(Line::Action { id, action: Action::Cancel { of, turns } }) => {
                let (waiting, running) = queue.cancel(of.as_deref(), &turns);
                let answers = waiting.iter().map(|position| answer::cancelled(&position.query.id, position.turn));
                let done = answer::done(&id, "cancel", Some(waiting.len() + running));
                answers.chain([done]).collect()
            }
            Ok(Line::Action { id, action: Action::Version }) => {
                let mut done = answer::done(&id, "version", None);
                done["name"] = env!("CARGO_PKG_NAME").into();
                done["version"] = env!("CARGO_PKG_VERSION").into();
                done["picker"] = self.picker.to_string().into();
                vec![done]
            }
            Err(error) => vec![error.to_json()],
        }
    }
}

/// Stops all searches and workers when the writer leaves, also after an error.
struct StopOnDrop<'a>(&'a Queue);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The next event; `None` after the last one, or if the output is unread after the end of the input.
fn next_event(event_rx: &Receiver<Event>, has_ended: bool, is_unread: fn() -> bool) -> Option<Event> {
    if !has_ended {
        return event_rx.recv().ok();
    }
    loop {
        match event_rx.recv_timeout(OUTPUT_CHECK) {
            Ok(event) => return Some(event),
            Err(RecvTimeoutError::Timeout) if !is_unread() => {}
            Err(_) => return None,
        }
    }
}

/// Sends the lines of the input until it ends.
fn read_lines(input: impl Read, line_tx: &mpsc::Sender<Event>) {
    let mut input = io::BufReader::new(input);
    let end = loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) => break None,
            Ok(read) => {
                let is_whole = bytes.ends_with(b"\n") || (read as u64) < LONGEST_LINE;
                let line = is_whole.then(|| String::from_utf8_lossy(&bytes).into_owned());
                if line_tx.send(Event::Line(line)).is_err() {
                    return;
                }
                if !is_whole {
                    if let Err(error) = input.skip_until(b'\n') {
                        break Some(error);
                    }
                }
            }
            Err(error) => break Some(error),
        }
    };
    let _ = line_tx.send(Event::End(end));
}

/// The error for a line of more than [`LONGEST_LINE`] bytes.
fn too_long() -> QueryError {
    QueryError { id: None, field: None, reason: format!("expected a line of at most {LONGEST_LINE} bytes") }
}

/// Writes a value as one line.
fn write_line(output: &mut dyn Write, value: &Value) -> io::Result<()> {
    output.write_all(format!("{value}\n").as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests;
