//! [`Queue`]: the positions that wait for a worker, and those in search.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::query::Query;
use crate::board::{Board, Outcome};
use crate::picker::SearchControl;

/// A position of a query.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// The number of the position among all, from 0.
    pub(super) number: u64,
    pub(super) query: Arc<Query>,
    /// The number of moves before the position.
    pub(super) turn: usize,
    pub(super) board: Board,
    /// Why the game is over, if it is.
    pub(super) outcome: Option<Outcome>,
}

/// A position in search.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) control: Arc<SearchControl>,
    pub(super) is_cancelled: Arc<AtomicBool>,
}

/// The positions of the queries, shared by the reader and the workers.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The waiting positions in the order of their searches: the greatest priority, then the first one asked.
    waiting: BTreeMap<(Reverse<i64>, u64), Job>,
    running: BTreeMap<u64, (Arc<Query>, usize, Running)>,
    next: u64,
    /// Whether workers end once nothing waits.
    is_closed: bool,
}

/// Whether this turn of a query belongs to those of this id, or of any, and of these turns, or of any.
fn is_of(query: &Query, turn: usize, id: Option<&str>, turns: &BTreeSet<usize>) -> bool {
    id.is_none_or(|id| query.id == id) && (turns.is_empty() || turns.contains(&turn))
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the positions of a query.
    pub(super) fn add(&self, query: Query) {
        let positions = query.positions();
        let query = Arc::new(query);
        let mut state = self.lock();
        for (turn, board, outcome) in positions {
            let number = state.next;
            state.next += 1;
            let job = Job { number, query: Arc::clone(&query), turn, board, outcome };
            state.waiting.insert((Reverse(query.priority), number), job);
        }
        self.changed.notify_all();
    }

    /// Whether a position of this query waits or is in search.
    pub(super) fn has(&self, id: &str) -> bool {
        let state = self.lock();
        state.waiting.values().any(|job| job.query.id == id) || state.running.values().any(|(query, ..)| query.id == id)
    }

    /// The number of waiting positions.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Waits for a position. `None` if the queue is closed and nothing waits.
    pub(super) fn next(&self) -> Option<(Job, Running)> {
        let mut state = self.lock();
        loop {
            if let Some((_, job)) = state.waiting.pop_first() {
                let running = Running { control: Arc::default(), is_cancelled: Arc::default() };
                state.running.insert(job.number, (Arc::clone(&job.query), job.turn, running.clone()));
                return Some((job, running));
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a position after its search.
    pub(super) fn finish(&self, job: &Job) {
        self.lock().running.remove(&job.number);
    }

    /// Cancels positions: of this query or of all, these turns or all. Returns the waiting ones, and the number of those in
    /// search, which their workers answer.
    pub(super) fn cancel(&self, of: Option<&str>, turns: &BTreeSet<usize>) -> (Vec<Job>, usize) {
        let mut state = self.lock();
        let (mut removed, mut kept) = (Vec::new(), BTreeMap::new());
        for (key, job) in std::mem::take(&mut state.waiting) {
            if is_of(&job.query, job.turn, of, turns) {
                removed.push(job);
            } else {
                kept.insert(key, job);
            }
        }
        state.waiting = kept;
        let mut stopped = 0;
        for (query, turn, running) in state.running.values() {
            if is_of(query, *turn, of, turns) {
                running.is_cancelled.store(true, Ordering::Relaxed);
                running.control.stop();
                stopped += 1;
            }
        }
        (removed, stopped)
    }

    /// Lets the workers end once nothing waits.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Ends all searches and workers.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.waiting.clear();
        state.is_closed = true;
        state.running.values().for_each(|(.., running)| running.control.stop());
        drop(state);
        self.changed.notify_all();
    }
}
