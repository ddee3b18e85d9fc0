//! [`Greedy`]: plays the cell with the greatest documented weight.

use std::cmp::Reverse;

use super::board::{Gravity, Position};
use super::geometry::Cell;
use super::picker::{Answer, Picker, Reason, Scores, SearchInfo};
use super::weights::Weights;
use crate::picker::Limits;
use crate::score::Score;

/// Plays the cell with the greatest documented weight.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Picker for Greedy {
    /// Each score is a weight: the sum of both sides' point values.
    fn answer(
        &mut self,
        position: &Position,
        _: &Limits,
        scores: Scores,
        _: &mut dyn FnMut(SearchInfo),
    ) -> Option<Answer> {
        let weights = Weights::new(position);
        let cell = greediest(position, &weights)?;
        let reason = Reason::Weights(weights.both(cell));
        let moves = match scores {
            Scores::Best => vec![cell],
            Scores::All => ranking(position, &weights),
        };
        let moves = moves.into_iter().map(|cell| (cell, Some(Score::from_eval(weights.both(cell))))).collect();
        Some(Answer { cell, reason, nodes: 1, moves })
    }

    fn is_instant(&self) -> bool {
        true
    }
}

/// The cell that the weights choose: a winning cell, else a cell that stops a win, else the cell with the greatest sum of
/// both sides' point values. `None` if no cell can be played.
///
/// Ties go to the cell nearest the middle of its level, without gravity of the cube; then to the lesser y, x and level, as
/// on the flat board.
///
/// ```
/// use tengen::cube::{Weights, Gravity, Position, greediest};
///
/// let position = Position::new(Gravity::On);
/// assert_eq!(greediest(&position, &Weights::new(&position)).unwrap().to_string(), "0,0,0");
/// ```
pub fn greediest(position: &Position, weights: &Weights) -> Option<Cell> {
    position.playable().min_by_key(rank(position, weights))
}

/// The playable cells in the order in which [`greediest`] chooses them.
pub fn ranking(position: &Position, weights: &Weights) -> Vec<Cell> {
    let mut cells: Vec<_> = position.playable().collect();
    cells.sort_by_key(rank(position, weights));
    cells
}

/// The urgency of a cell, and its place among equally urgent ones.
type Rank = (Reverse<(bool, bool, i32)>, [usize; 4]);

/// The rank of each cell. The least rank is chosen.
fn rank(position: &Position, weights: &Weights) -> impl Fn(&Cell) -> Rank {
    let (own, other) = (position.winning_cells(position.turn()), position.winning_cells(!position.turn()));
    move |&cell| {
        let urgency = (own.contains(cell), other.contains(cell), weights.both(cell));
        (Reverse(urgency), tie(cell, position.gravity()))
    }
}

/// The rank of a cell among equally urgent ones. The least rank comes first.
fn tie(cell: Cell, gravity: Gravity) -> [usize; 4] {
    let axes = [cell.x(), cell.y(), cell.z()];
    let counted = if gravity == Gravity::On { 2 } else { 3 };
    // (2 i − 3)² on each axis: the square of twice the distance from the middle, which lies between two cells.
    let distance = axes[..counted].iter().map(|&axis| (2 * axis).abs_diff(3).pow(2)).sum();
    [distance, cell.y(), cell.x(), cell.z()]
}
