//! SEARCH: alpha-beta, after forced wins and proofs were tried.
//!
//! ```text
//! answer   win or forced block → forced sequence of threes → proof of the whole game, for a part of the time
//!          → alpha-beta, one ply deeper each time, until a deadline
//!
//! node     decided → forced move → table → forced sequence → leaf: evaluation → moves in order → store
//! ```

mod node;
mod table;

use std::sync::Arc;

use super::board::{Gravity, Position};
use super::geometry::{CELLS, Cell};
use super::greedy::ranking;
use super::picker::{Answer, Picker, Reason, Scores, SearchInfo};
use super::solve::{Bounds, Solver, Verdict};
use super::threes::{Threes, plies};
use super::weights::Weights;
use crate::picker::{Limits, SearchControl};
use crate::score::Score;
use table::Table;

/// Nodes of the search for a forced sequence at the root. They take ten milliseconds at most.
const ROOT_THREE_NODES: u64 = 20_000;

/// Share of the time for a proof of the whole game, in per cent.
const PROOF_SHARE: u32 = 30;

/// Minimum number of stones for a proof. With fewer stones it takes longer than the time of a move.
const PROOF_STONES: usize = 3;

/// Maximum number of positions of a proof. A move without a time limit continues with the search after some ten seconds.
const PROOF_EVALUATIONS: u64 = 100_000;

/// Maximum size of the proof's table in bytes. It takes half of the memory limit.
const PROOF_BYTES: usize = 64 << 20;

/// Maximum size of the search's table in bytes. It takes half of the memory limit.
const TABLE_BYTES: usize = 64 << 20;

/// The picker that searches. It keeps its table from move to move.
pub struct Search {
    table: Table,
    /// The gravity of the positions in the table.
    gravity: Gravity,
    threes: Threes,
    nodes: u64,
    node_limit: Option<u64>,
    control: Arc<SearchControl>,
    is_stopped: bool,
    history: [[u32; CELLS]; 2],
}

impl Default for Search {
    fn default() -> Self {
        Self {
            table: Table::with_bytes(TABLE_BYTES),
            gravity: Gravity::default(),
            threes: Threes::default(),
            nodes: 0,
            node_limit: None,
            control: Arc::default(),
            is_stopped: false,
            history: [[0; CELLS]; 2],
        }
    }
}

impl Picker for Search {
    fn answer(
        &mut self,
        position: &Position,
        limits: &Limits,
        scores: Scores,
        report: &mut dyn FnMut(SearchInfo),
    ) -> Option<Answer> {
        self.prepare(position, limits);
        let moves = ranking(position, &Weights::new(position));
        let &first = moves.first()?;
        if position.outcome().is_some() {
            // A manager may continue a game that is over. Any move will do.
            return Some(Answer::of(first, Reason::Unfinished, None, 0));
        }
        if scores == Scores::Best {
            if let Some((cell, reason, score)) = self.forced(position, moves.len()) {
                return Some(Answer::of(cell, reason, Some(score), self.nodes + self.threes.nodes()));
            }
            if let Some(cell) = self.proved(position, limits) {
                let score = Score::win_at((CELLS - position.stone_count()) as u32);
                return Some(Answer::of(cell, Reason::Proof, Some(score), self.nodes));
            }
        }
        Some(self.deepen(position, moves, limits, scores, report))
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Search {
    fn prepare(&mut self, position: &Position, limits: &Limits) {
        let bytes = limits.memory.map_or(TABLE_BYTES, |bytes| (bytes / 2).min(TABLE_BYTES));
        if self.table.needs_resize(bytes) {
            self.table = Table::with_bytes(bytes);
        }
        if self.gravity != position.gravity() {
            self.gravity = position.gravity();
            self.table.clear();
            // The sequences that failed under the other gravity may succeed.
            self.threes = Threes::default();
        }
        self.control = Arc::clone(&limits.control);
        self.node_limit = limits.nodes;
        (self.nodes, self.is_stopped) = (0, false);
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
    }

    /// The move that needs no search: four in a line, a block of four, or the start of a forced sequence.
    fn forced(&mut self, position: &Position, moves: usize) -> Option<(Cell, Reason, Score)> {
        let (own, other) = (position.winning_cells(position.turn()), position.winning_cells(!position.turn()));
        if let Some(cell) = own.first() {
            return Some((cell, Reason::Four, Score::win_at(1)));
        }
        if let Some(cell) = other.first() {
            return Some((cell, Reason::Block, if other.len() > 1 { Score::loss_at(2) } else { Score::ZERO }));
        }
        if moves == 1 {
            return None;
        }
        let sequence = self.threes.search(position, ROOT_THREE_NODES)?;
        Some((*sequence.first()?, Reason::Threes, Score::win_at(plies(position, &sequence))))
    }

    /// The first move of a proved win, if one is found in its share of the time.
    fn proved(&mut self, position: &Position, limits: &Limits) -> Option<Cell> {
        if position.stone_count() < PROOF_STONES || limits.has_work_limit() {
            return None;
        }
        let table_bytes = limits.memory.map_or(PROOF_BYTES, |bytes| (bytes / 2).min(PROOF_BYTES));
        let bounds = Bounds { table_bytes, evaluations: PROOF_EVALUATIONS, ..Bounds::of(position.gravity()) };
        let control = SearchControl::part(Arc::clone(&limits.control), PROOF_SHARE);
        let mut solver = Solver::new(position, bounds, Arc::new(control));
        let verdict = solver.prove(&mut |_| {});
        self.nodes += solver.progress().evaluated;
        if verdict == Verdict::Proved { solver.winning_move() } else { None }
    }

    /// Searches one ply deeper each time, until a limit.
    fn deepen(
        &mut self,
        position: &Position,
        moves: Vec<Cell>,
        limits: &Limits,
        scores: Scores,
        report: &mut dyn FnMut(SearchInfo),
    ) -> Answer {
        let mut ranked: Vec<_> = moves.into_iter().map(|cell| (cell, None)).collect();
        let mut finished = None;
        let last = limits.depth.unwrap_or(u32::MAX).min((CELLS - position.stone_count()) as u32).max(1);
        for depth in 1..=last {
            let is_complete = self.search_root(position, &mut ranked, depth, scores);
            let Some(&(first, Some(score))) = ranked.first().filter(|_| is_complete) else { break };
            finished = Some(depth);
            let line = self.line(position, first);
            let (nodes, elapsed) = (self.nodes, self.control.elapsed());
            report(SearchInfo { depth, score, nodes, elapsed, line, gravity: position.gravity() });
            let is_settled = match scores {
                Scores::Best => score.is_decided(),
                Scores::All => ranked.iter().all(|(_, score)| score.is_some_and(Score::is_decided)),
            };
            if self.control.is_half_spent() || is_settled {
                break;
            }
        }
        if scores == Scores::Best {
            ranked.truncate(1);
        }
        let reason = finished.map_or(Reason::Unfinished, Reason::Search);
        Answer { cell: ranked[0].0, reason, nodes: self.nodes, moves: ranked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::cube::geometry::CellSet;

    #[test]
    fn a_sequence_that_failed_under_gravity_is_searched_again_without_it() {
        let set = |cells: &str| -> CellSet { cells.split(' ').map(|cell| cell.parse::<Cell>().unwrap()).collect() };
        let stones = [set("3,3,0 3,1,0 0,3,0 3,3,1"), set("0,2,0 1,3,0 0,2,1 2,0,0")];
        let mut search = Search::default();
        for (gravity, wins) in [(Gravity::On, false), (Gravity::Off, true), (Gravity::On, false)] {
            let position = Position::with(stones, Color::Black, gravity);
            search.prepare(&position, &Limits::default());
            assert_eq!(search.threes.search(&position, ROOT_THREE_NODES).is_some(), wins, "{gravity}");
        }
    }
}
