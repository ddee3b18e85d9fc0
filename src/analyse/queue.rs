//! [`Queue`]: the positions that wait for a worker, and those in search.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::query::Query;
use crate::board::{Board, Outcome};
use crate::picker::SearchControl;

/// A position of a query. Its board is built when a worker takes it: a long queue of boards would need gigabytes.
#[derive(Clone, Debug)]
pub(super) struct QueryPosition {
    pub(super) query: Arc<Query>,
    /// The number of moves before the position.
    pub(super) turn: usize,
}

/// A position for a worker.
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
#[derive(Debug)]
struct Running {
    position: QueryPosition,
    control: Arc<SearchControl>,
    is_cancelled: bool,
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
    waiting: BTreeMap<(Reverse<i64>, u64), QueryPosition>,
    running: BTreeMap<u64, Running>,
    /// For each query the number of its positions that wait or are in search.
    unanswered: HashMap<String, usize>,
    next: u64,
    /// Whether workers end once nothing waits.
    is_closed: bool,
}

impl QueryPosition {
    /// Whether the position matches this id (`None` matches any) and these turns (an empty set matches any).
    fn is_of(&self, id: Option<&str>, turns: &BTreeSet<usize>) -> bool {
        id.is_none_or(|id| self.query.id == id) && (turns.is_empty() || turns.contains(&self.turn))
    }
}

impl State {
    /// Counts a position of the query as answered.
    fn answered(&mut self, query: &Query) {
        if let Some(count) = self.unanswered.get_mut(&query.id) {
            *count -= 1;
            if *count == 0 {
                self.unanswered.remove(&query.id);
            }
        }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the positions of a query.
    pub(super) fn add(&self, query: Query) {
        let query = Arc::new(query);
        let mut state = self.lock();
        let count = query.turns().count();
        if count > 0 {
            state.unanswered.insert(query.id.clone(), count);
        }
        for turn in query.turns() {
            let number = state.next;
            state.next += 1;
            state.waiting.insert((Reverse(query.priority), number), QueryPosition { query: Arc::clone(&query), turn });
        }
        self.changed.notify_all();
    }

    /// Whether a position of this query waits or is in search.
    pub(super) fn has(&self, id: &str) -> bool {
        self.lock().unanswered.contains_key(id)
    }

    /// The number of waiting positions.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Waits for a position, and returns it with the control of its search. `None` if the queue is closed and nothing
    /// waits.
    pub(super) fn next(&self) -> Option<(Job, Arc<SearchControl>)> {
        let (number, QueryPosition { query, turn }, control) = self.take()?;
        let (board, outcome) = query.position(turn);
        Some((Job { number, query, turn, board, outcome }, control))
    }

    /// Moves the first waiting position to those in search.
    fn take(&self) -> Option<(u64, QueryPosition, Arc<SearchControl>)> {
        let mut state = self.lock();
        loop {
            if let Some(((_, number), position)) = state.waiting.pop_first() {
                let control = Arc::<SearchControl>::default();
                let running =
                    Running { position: position.clone(), control: Arc::clone(&control), is_cancelled: false };
                state.running.insert(number, running);
                return Some((number, position, control));
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a position after its search. Returns whether it was cancelled.
    pub(super) fn finish(&self, job: &Job) -> bool {
        let mut state = self.lock();
        state.answered(&job.query);
        state.running.remove(&job.number).is_some_and(|running| running.is_cancelled)
    }

    /// Cancels positions: of this query or of all, these turns or all. Returns the waiting ones, and the number of those in
    /// search, which their workers answer.
    pub(super) fn cancel(&self, of: Option<&str>, turns: &BTreeSet<usize>) -> (Vec<QueryPosition>, usize) {
        let mut state = self.lock();
        let (removed, kept): (BTreeMap<_, _>, _) =
            std::mem::take(&mut state.waiting).into_iter().partition(|(_, position)| position.is_of(of, turns));
        state.waiting = kept;
        let removed: Vec<_> = removed.into_values().collect();
        for position in &removed {
            state.answered(&position.query);
        }
        let mut stopped = 0;
        for running in state.running.values_mut().filter(|running| running.position.is_of(of, turns)) {
            running.is_cancelled = true;
            running.control.stop();
            stopped += 1;
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
        state.running.values().for_each(|running| running.control.stop());
        drop(state);
        self.changed.notify_all();
    }
}
