//! EXPANSION: grows a library by searches, the most interesting positions first.
//!
//! ```text
//! library ─► cheapest candidates: position, known moves ─► search without the known moves, on several threads
//!    ▲                                                        │ best further move and its score
//!    └──────────── one transaction: moves, scores, proofs ────┘
//! ```
//!
//! The library is the only state, so an expansion can be stopped or killed at any time, and the next one continues it.
//!
//! Owns the order in which positions are searched. Uses the library and a player. Must never know the protocol.

mod cost;
#[cfg(test)]
mod tests;

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use self::cost::{Candidate, Frontier};
use crate::board::Point;
use crate::library::{Cursor, Edit, Library, LibraryError, Proof, ProofOrigin, Record, SearchResult, Source, SourceId};
use crate::picker::{Deadlines, Evaluation, Limits, PickerName, Question, Reason};
use crate::player::{Answered, Player, Request};
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

/// Number of positions that are searched before the library is changed. It does not depend on the threads, so neither does
/// the library. Hand-set: more would search positions that the first results make uninteresting.
const BATCH: usize = 16;

/// Bytes of the table of a search, for each of its nodes.
const ENTRY_BYTES: u64 = 16;

/// The least table of a search in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// The settings of an expansion.
#[derive(Clone, Debug)]
pub struct ExpansionConfig {
    /// The position from which the library grows.
    pub root: Cursor,
    /// Nodes of each search.
    pub nodes: NonZeroU64,
    /// Plies after the root that are searched at most.
    pub plies: usize,
    /// Threads, each with a search of its own.
    pub threads: usize,
    /// The time after which no batch of at most 16 searches begins.
    pub time: Option<Duration>,
    /// The number of searches after which no batch begins.
    pub searches: Option<u64>,
    /// The evaluation of the searches.
    pub evaluation: Evaluation,
    /// The name of the engine, as the source of its scores.
    pub engine: String,
}

/// The progress of an expansion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Searches so far.
    pub searches: u64,
    /// Positions that are new in the library.
    pub added: u64,
    /// Contradictory positions that the commits visited; one that is visited again counts again.
    pub contradictions: u64,
    /// The score of the root for the side to move, as far as it is known.
    pub root: Option<Score>,
    /// The time so far.
    pub time: Duration,
}

/// Error returned when an expansion ends early. The library keeps what was committed.
#[derive(Debug, Error)]
pub enum ExpansionError {
    /// The library cannot be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A picker panicked, or broke the rules.
    #[error("the search of a position failed")]
    Search,
}

/// The result of the search of a candidate.
struct Found {
    /// The best move that was not known.
    point: Point,
    /// Its score for the side that makes it, and the depth; `None` if the search ended before it had a score.
    scored: Option<(Score, u32)>,
    nodes: u64,
}

/// Grows a library from a root until the time or the number of searches is reached, nothing is left to search, or `halt` is
/// set. Passes the progress to `report` after each transaction.
///
/// # Errors
/// When the library cannot be read or written, or a search fails.
pub fn expand(
    library: &Library,
    config: &ExpansionConfig,
    halt: &AtomicBool,
    report: &mut dyn FnMut(Progress),
) -> Result<Progress, ExpansionError> {
    let started = Instant::now();
    let mut progress = Progress { searches: 0, added: 0, contradictions: 0, root: None, time: Duration::ZERO };
    let engine = {
        let mut edit = library.edit()?;
        let engine = edit.add_source(&Source { name: config.engine.clone(), checksum: None })?;
        edit.update(&config.root, &mut |_, _| {})?;
        edit.commit()?;
        engine
    };
    let mut frontier = Frontier::new(config.root.key(), config.plies);
    loop {
        progress.time = started.elapsed();
        // The limits are checked only between batches, so that the library does not depend on when they end an
        // expansion. `halt` can cut a batch short.
        let is_over = config.time.is_some_and(|time| progress.time >= time)
            || config.searches.is_some_and(|most| progress.searches >= most);
        if is_over || halt.load(Ordering::Relaxed) {
            return Ok(progress);
        }
        let candidates = next_batch(&mut frontier, library, config)?;
        if candidates.is_empty() {
            return Ok(progress);
        }
        let found = search_all(&candidates, config, halt)?;
        commit(library, &candidates, &found, engine, &mut frontier, &mut progress)?;
        let root = library.view()?.entry(&config.root)?;
        progress.root = root.and_then(|entry| entry.record.score());
        progress.time = started.elapsed();
        report(progress);
    }
}

/// The positions that are searched next.
fn next_batch(
    frontier: &mut Frontier,
    library: &Library,
    config: &ExpansionConfig,
) -> Result<Vec<Candidate>, LibraryError> {
    let view = library.view()?;
    let candidates = frontier.cheapest(&view, BATCH)?;
    debug_assert_eq!(
        Frontier::new(config.root.key(), config.plies).cheapest(&view, BATCH)?,
        candidates,
        "the frontier in memory is not that of the library"
    );
    Ok(candidates)
}

/// Adds what the searches of a batch have found, in one transaction. A candidate without a result was not searched.
fn commit(
    library: &Library,
    candidates: &[Candidate],
    found: &[Option<Found>],
    engine: SourceId,
    frontier: &mut Frontier,
    progress: &mut Progress,
) -> Result<(), LibraryError> {
    let mut edit = library.edit()?;
    for (candidate, found) in candidates.iter().zip(found) {
        let Some(found) = found else { continue };
        let after = add(&mut edit, candidate, found, engine)?;
        progress.searches += 1;
        frontier.forget(candidate.cursor.key());
        frontier.forget(after.key());
        // Other known positions may lead to the new position too.
        let mover = candidate.cursor.turn();
        let stones = after.stones().iter().filter(|(color, _)| *color == mover);
        stones.for_each(|&(_, point)| frontier.forget(after.key_before(point)));
    }
    progress.added += edit.added() as u64;
    let flow = edit.commit()?;
    progress.contradictions += flow.contradictions.len() as u64;
    flow.updated.into_iter().for_each(|key| frontier.forget(key));
    Ok(())
}

/// Searches candidates on several threads. A search that was not begun because of `halt` has no result.
fn search_all(
    candidates: &[Candidate],
    config: &ExpansionConfig,
    halt: &AtomicBool,
) -> Result<Vec<Option<Found>>, ExpansionError> {
    let next = Mutex::new(candidates.iter().enumerate());
    let results = Mutex::new(candidates.iter().map(|_| Ok(None)).collect::<Vec<_>>());
    let work = || {
        let mut player = Player::inline(Box::new(|| PickerName::Search.build()), Duration::ZERO);
        loop {
            let candidate = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((index, candidate)) = candidate.filter(|_| !halt.load(Ordering::Relaxed)) else { return };
            let result = search(&mut player, candidate, config).map(Some);
            results.lock().unwrap_or_else(PoisonError::into_inner)[index] = result;
        }
    };
    thread::scope(|scope| {
        for _ in 1..config.threads.min(candidates.len()) {
            // If the system refuses a thread, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
}

/// Searches for the best legal move among those that are not known yet.
fn search(player: &mut Player, candidate: &Candidate, config: &ExpansionConfig) -> Result<Found, ExpansionError> {
    let board = candidate.cursor.board();
    let mut left_out = candidate.known;
    left_out.extend(board.empty_points().iter().filter(|&point| board.is_forbidden(point, board.turn())));
    let nodes = config.nodes.get();
    let table = usize::try_from(nodes.saturating_mul(ENTRY_BYTES)).unwrap_or(usize::MAX).max(TABLE_BYTES);
    let limits = Limits {
        nodes: Some(nodes),
        memory: Some(table),
        evaluation: config.evaluation,
        left_out,
        ..Limits::default()
    };
    let position = WeightedPosition::new(board, Weighting::default());
    // The result must not depend on the positions that the thread searched before.
    player.clear();
    player.ask(Request { question: Question::MOVE, position, limits, deadlines: Deadlines::NONE }, &mut |_| {});
    let Answered { answer, .. } = player.take_answered().ok_or(ExpansionError::Search)?;
    let point = answer.choice().ok_or(ExpansionError::Search)?.point;
    let scored = match answer.reason {
        Reason::Search { .. } => answer.reason.searched(),
        // The centre of an empty board, or too few nodes for a depth. `Rule` answers opening procedures only.
        Reason::Centre | Reason::Unfinished | Reason::Rule => None,
        Reason::Weights(_) | Reason::Prior(_) | Reason::Book(_) => return Err(ExpansionError::Search),
    };
    Ok(Found { point, scored, nodes: answer.nodes })
}

/// Adds what a search has found: the move, its score or proof, and if no move was known, the same for the position.
/// Returns the position after the move.
fn add(edit: &mut Edit<'_>, candidate: &Candidate, found: &Found, engine: SourceId) -> Result<Cursor, LibraryError> {
    let Candidate { cursor, known } = candidate;
    let &Found { point, scored, nodes } = found;
    let Some((score, depth)) = scored else {
        let mut after = cursor.clone();
        after.play(Some(point));
        edit.merge(&after, Record { source: Some(engine), ..Record::default() }, false)?;
        return Ok(after);
    };
    let found = SearchResult { point, score, depth, nodes, is_whole: known.is_empty() };
    let after = edit.add_search(cursor, found, engine)?;
    if let Some(proof) = lost_everywhere(edit, candidate, score)? {
        edit.merge(cursor, Record { proof: Some(proof), source: Some(engine), ..Record::default() }, false)?;
    }
    Ok(after)
}

/// The loss of a position, if the search says that the moves which were not known lose, and each other legal move is
/// known to lose by more than a claim: a loss by a claim would stay when the claim is taken back.
fn lost_everywhere(edit: &Edit<'_>, candidate: &Candidate, score: Score) -> Result<Option<Proof>, LibraryError> {
    let Some(found) = score.plies().filter(|_| score.is_loss()) else { return Ok(None) };
    let board = candidate.cursor.board();
    let mut loss = Proof { is_win: false, plies: u16::try_from(found).ok(), origin: ProofOrigin::Proved };
    for point in candidate.known.iter().filter(|&point| !board.is_forbidden(point, board.turn())) {
        let mut after = candidate.cursor.clone();
        after.play(Some(point));
        let settled = edit.entry(&after)?.and_then(|entry| entry.record.settled());
        match settled.filter(|proof| proof.is_win) {
            Some(won) => {
                let plies = won.plies.map(|plies| plies.saturating_add(1));
                loss = loss.and(Proof { is_win: false, plies, ..won });
            }
            None => return Ok(None),
        }
    }
    Ok(Some(loss).filter(|loss| loss.origin > ProofOrigin::Claimed))
}
