//! A node of the alpha-beta search.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::table::{Bound, Key};
use super::{Scores, Search};
use crate::board::Color;
use crate::cube::board::{Gravity, Position};
use crate::cube::geometry::{CELLS, COLUMNS, Cell};
use crate::cube::order::MoveWorth;
use crate::cube::threes::{holds, plies};
use crate::score::Score;

/// Nodes of the search for a forced sequence at a leaf. Set by 600 games against the weights; the search won 564 of
/// them (docs/lab/cube.md).
const LEAF_THREE_NODES: u64 = 8;

/// Nodes of the search for a forced sequence at an inner node, for each ply of depth. Set by the same games.
const INNER_THREE_NODES: u64 = 5;

/// Plies beyond the nominal depth in which the answers to a threatened forced sequence are searched. Hand-set.
const MOST_EXTENSIONS: i32 = 8;

/// Evaluation penalty for a threatened forced sequence of the other side, once the extensions are used up. Hand-set.
const THREAT: i32 = 30;

/// Number of nodes between two looks at the clock.
const CLOCK_INTERVAL: u64 = 512;

/// Number of moves that are searched to the full depth. Later moves are first searched one ply less deep. Hand-set.
const FULL_DEPTH_MOVES: usize = 4;

/// Number of moves after which the reduction is two plies, without gravity. Hand-set.
const ONE_LESS_MOVES: usize = 12;

/// Weight of a unit of the lines' worth in the move order; a doubling of the history of a move weighs 1. Hand-set.
const LINE_WEIGHT: u32 = 4;

/// Maximum number of moves searched at a node below the root. Moves that a threat refutes do not count. With gravity a node
/// never has more.
const MOST_MOVES: usize = COLUMNS;

/// Minimum depth for a reduction. Hand-set.
const REDUCED_DEPTH: i32 = 3;

/// Value of a line with one stone. With [`TWO_STONES`] the best of nine pairs in matches against the weights
/// (docs/lab/cube.md).
const ONE_STONE: i32 = 3;

/// Value of a line with two stones.
const TWO_STONES: i32 = 6;

/// Value of a line with three stones whose empty cell is on a level of its owner: 0 and 2 are black's, 1 and 3 white's.
/// With gravity columns fill in pairs as long as neither side plays below a threat, so that the owner gets this cell.
/// Hand-set.
const THREE_ON_OWN_LEVEL: i32 = 60;

/// Value of a line with three stones whose empty cell is on a level of the other side. Hand-set.
const THREE_ON_OTHER_LEVEL: i32 = 25;

/// Value of being to move. Hand-set.
const TEMPO: i32 = 6;

/// The cells of the levels 0 and 2.
const BLACK_LEVELS: u64 = 0x0000_FFFF_0000_FFFF;

impl Search {
    /// Searches the moves of the root and sorts them, best first. Returns false if the search was stopped. With
    /// `Scores::Best` the order then holds what was found, provided that the first move was searched to the end; with
    /// `Scores::All` it is unchanged.
    pub(super) fn search_root(
        &mut self,
        position: &Position,
        ranked: &mut Vec<(Cell, Option<Score>)>,
        depth: u32,
        scores: Scores,
    ) -> bool {
        let mut found: Vec<(Cell, Option<Score>)> = Vec::with_capacity(ranked.len());
        let mut alpha = -Score::INFINITE;
        for &(cell, _) in &*ranked {
            let next = position.after(cell);
            let window = if scores == Scores::All { -Score::INFINITE } else { alpha };
            let score = if next.has_four(position.turn()) {
                Score::win_at(1)
            } else {
                -self.search(&next, depth as i32 - 1, 1, -Score::INFINITE, -window)
            };
            if self.is_stopped {
                break;
            }
            alpha = alpha.max(score);
            // A score that does not exceed the lower end of the window is only an upper bound.
            found.push((cell, (score > window).then_some(score)));
        }
        let is_complete = found.len() == ranked.len();
        if is_complete || scores == Scores::Best {
            let rest = ranked.iter().filter(|(cell, _)| found.iter().all(|(other, _)| other != cell));
            found.extend(rest.map(|&(cell, _)| (cell, None)).collect::<Vec<_>>());
            // The sort is stable. Moves without a score come last.
            found.sort_by_key(|&(_, score)| Reverse(score));
            if found.first().is_some_and(|(_, score)| score.is_some()) {
                *ranked = found;
            }
        }
        is_complete
    }

    /// The score of a position for the side to move, within the window. Nobody may have won yet.
    fn search(&mut self, position: &Position, depth: i32, ply: u32, mut alpha: Score, beta: Score) -> Score {
        self.nodes += 1;
        if self.must_stop() {
            return Score::ZERO;
        }
        let side = position.turn();
        if !position.winning_cells(side).is_empty() {
            return Score::win_at(ply + 1);
        }
        let blocks = position.winning_cells(!side);
        match (blocks.len(), blocks.first()) {
            (0, _) if position.playable().is_empty() => return Score::ZERO,
            (0, _) => {}
            // A forced move costs no depth. The number of stones bounds the line.
            (1, Some(cell)) => return -self.search(&position.after(cell), depth, ply + 1, -beta, -alpha),
            _ => return Score::loss_at(ply + 2),
        }
        let key = Key::of(position);
        if let Some(score) = self.probe(&key, depth, ply, alpha, beta) {
            return score;
        }
        let three_nodes = if depth > 0 { INNER_THREE_NODES * depth as u64 } else { LEAF_THREE_NODES };
        if let Some(sequence) = self.threes.search(position, three_nodes) {
            return Score::win_at(ply + plies(position, &sequence));
        }
        let threat = self.threes.search(&position.passed(), three_nodes);
        if depth <= 0 && (threat.is_none() || depth <= -MOST_EXTENSIONS) {
            return evaluate(position) - if threat.is_some() { THREAT } else { 0 };
        }
        let before = alpha;
        let moves = self.ordered(position, self.table.best(&key));
        let mut best = (moves[0], -Score::INFINITE);
        let mut searched = 0;
        for &cell in &moves {
            // A loss is proved only by all moves.
            if depth > 0 && searched >= MOST_MOVES && !best.1.is_loss() {
                break;
            }
            let next = position.after(cell);
            let score = if let Some(sequence) = threat.as_ref().filter(|sequence| holds(&next, sequence)) {
                // The move does not stop the threat of the other side.
                Score::loss_at(ply + 1 + plies(&next, sequence))
            } else {
                searched += 1;
                self.search_move(&next, searched, depth, ply, alpha, beta)
            };
            if self.is_stopped {
                return Score::ZERO;
            }
            best = if score > best.1 { (cell, score) } else { best };
            alpha = alpha.max(score);
            if alpha >= beta {
                self.history[side.index()][cell.index()] += (depth * depth).max(1) as u32;
                break;
            }
        }
        let bound = Bound::of(best.1, before, beta);
        self.table.put(&key, ply, best.1, depth.max(0) as u8, bound, best.0);
        best.1
    }

    /// The score in the table, if its depth suffices and it is decisive within the window.
    fn probe(&self, key: &Key, depth: i32, ply: u32, alpha: Score, beta: Score) -> Option<Score> {
        let entry = self.table.get(key).filter(|entry| i32::from(entry.depth) >= depth)?;
        let score = entry.score(ply);
        let is_enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        is_enough.then_some(score)
    }

    /// The score of the move with this number, counted from one. The first move is searched with the full window, later
    /// ones with a zero window and a reduction until they turn out better.
    fn search_move(
        &mut self,
        next: &Position,
        number: usize,
        depth: i32,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if number == 1 {
            return -self.search(next, depth - 1, ply + 1, -beta, -alpha);
        }
        let is_late = depth >= REDUCED_DEPTH && number > FULL_DEPTH_MOVES;
        let reduction = match next.gravity() {
            _ if !is_late => 0,
            Gravity::Off if number > ONE_LESS_MOVES => 2,
            _ => 1,
        };
        let mut score = -self.search(next, depth - 1 - reduction, ply + 1, -(alpha + 1), -alpha);
        if score > alpha && reduction > 0 {
            score = -self.search(next, depth - 1, ply + 1, -(alpha + 1), -alpha);
        }
        if score > alpha && score < beta {
            score = -self.search(next, depth - 1, ply + 1, -beta, -alpha);
        }
        score
    }

    /// The moves in order: the table move, then by history and by the worth of their lines.
    fn ordered(&self, position: &Position, first: Option<Cell>) -> ArrayVec<Cell, CELLS> {
        let worth = MoveWorth::new(position);
        let history = &self.history[position.turn().index()];
        let rank = |cell: Cell| worth.of(cell) * LINE_WEIGHT + history[cell.index()].checked_ilog2().unwrap_or(0);
        let mut moves: ArrayVec<_, CELLS> = position.playable().collect();
        moves.sort_by_key(|&cell| (Some(cell) != first, Reverse(rank(cell)), cell));
        moves
    }

    fn must_stop(&mut self) -> bool {
        if self.nodes % CLOCK_INTERVAL == 0 || self.node_limit.is_some() {
            self.is_stopped |= self.node_limit.is_some_and(|limit| self.nodes > limit) || self.control.must_stop();
        }
        self.is_stopped
    }

    /// The principal variation from the table, beginning with this move.
    pub(super) fn line(&self, position: &Position, first: Cell) -> Vec<Cell> {
        let mut line = vec![first];
        let mut position = position.after(first);
        while position.outcome().is_none() {
            let forced = [position.turn(), !position.turn()].map(|side| position.winning_cells(side).first());
            let next = forced.into_iter().flatten().next().or_else(|| self.table.best(&Key::of(&position)));
            let Some(cell) = next.filter(|&cell| position.playable().contains(cell)) else { break };
            line.push(cell);
            position.play(cell);
        }
        line
    }
}

/// The static evaluation of a position.
fn evaluate(position: &Position) -> Score {
    let side = position.turn();
    Score::from_eval(lines_value(position, side) - lines_value(position, !side) + TEMPO)
}

fn lines_value(position: &Position, color: Color) -> i32 {
    let count = |stones| position.lines_of(color, stones).len() as i32;
    let fours = position.fours(color).0;
    let own_levels = if color == Color::Black { BLACK_LEVELS } else { !BLACK_LEVELS };
    let (own, other) = ((fours & own_levels).count_ones() as i32, (fours & !own_levels).count_ones() as i32);
    ONE_STONE * count(1) + TWO_STONES * count(2) + THREE_ON_OWN_LEVEL * own + THREE_ON_OTHER_LEVEL * other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_whose_first_moves_lose_searches_the_others() {
        let set = |cells: &str| cells.split(' ').map(|cell| cell.parse::<Cell>().unwrap()).collect();
        let black = set("0,1,0 0,2,0 3,3,0 0,0,1 2,1,1 3,1,2 0,2,2 3,2,2 3,1,3 1,2,3");
        let white = set("2,2,0 3,2,0 2,3,0 3,2,1 0,3,1 1,0,2 1,0,3 2,1,3 3,2,3");
        let position = Position::with([black, white], Color::White, Gravity::Off);
        // The first sixteen moves lose, 2,0,0 does not.
        let score = Search::default().search(&position, 1, 1, -Score::INFINITE, Score::INFINITE);
        assert!(!score.is_loss(), "{score:?}");
    }

    #[test]
    fn the_evaluation_is_that_of_the_other_side_turned_round_but_for_the_move() {
        let mut rng = crate::rng::Rng::new(5);
        for gravity in [Gravity::On, Gravity::Off] {
            for stones in 0..30 {
                let mut position = Position::new(gravity);
                for _ in 0..stones {
                    let moves: Vec<_> = position.playable().collect();
                    position.play(moves[rng.below(moves.len())]);
                }
                let sum = evaluate(&position) + evaluate(&position.passed()).value();
                assert_eq!(sum.value(), 2 * TEMPO);
            }
        }
    }
}
