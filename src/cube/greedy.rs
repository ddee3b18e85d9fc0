//! [`Greedy`]: the cell of the greatest weight, as the document has it.

use std::cmp::Reverse;

use super::board::{Gravity, Position};
use super::geometry::Cell;
use super::picker::{Answer, Picker, Reason, Scores, SearchInfo};
use super::weights::Weights;
use crate::picker::Limits;
use crate::score::Score;

/// Plays the greatest weight of the document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Picker for Greedy {
    /// The scores are weights: the sums of both sides' point values.
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

/// The cell that the weights choose: a winning cell before everything, then one that stops a win, then the greatest sum
/// of both sides' point values. `None` where no cell can be played.
///
/// Ties go to the cell nearest the middle, by the column's distance and without gravity the level's too; then to the
/// lesser y, the lesser x, the lesser level: as on the flat board.
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

/// The cells that can be played, in the order in which [`greediest`] would choose them.
pub fn ranking(position: &Position, weights: &Weights) -> Vec<Cell> {
    let mut cells: Vec<_> = position.playable().collect();
    cells.sort_by_key(rank(position, weights));
    cells
}

/// How urgent a cell is, and its place among equals.
type Rank = (Reverse<(bool, bool, i32)>, [usize; 4]);

/// The rank of each cell; the least is chosen.
fn rank(position: &Position, weights: &Weights) -> impl Fn(&Cell) -> Rank {
    let (own, other) = (position.winning_cells(position.turn()), position.winning_cells(!position.turn()));
    move |&cell| {
        let urgency = (own.contains(cell), other.contains(cell), weights.both(cell));
        (Reverse(urgency), tie(cell, position.gravity()))
    }
}

/// The rank of a cell among equals; the least comes first.
fn tie(cell: Cell, gravity: Gravity) -> [usize; 4] {
    let axes = [cell.x(), cell.y(), cell.z()];
    let counted = if gravity == Gravity::On { 2 } else { 3 };
    // (2 i − 3)² on each axis: twice the distance from the middle, which lies between two cells.
    let distance = axes[..counted].iter().map(|&axis| (2 * axis).abs_diff(3).pow(2)).sum();
    [distance, cell.y(), cell.x(), cell.z()]
}
