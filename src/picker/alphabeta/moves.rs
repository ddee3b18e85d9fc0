//! Move ordering: the moves of a node are scored once and picked best first.

use multiversion::multiversion;

use super::history::History;
use crate::board::{POINT_SLOTS, Point, PointSet};
use crate::eval::{Evaluator, MovePriors};
use crate::position::Position;

/// The moves of one node with the keys that order them, greatest first.
pub(super) type Moves = arrayvec::ArrayVec<MoveKey, POINT_SLOTS>;

/// A move with its order score in one word: the score in the high bits, the inverted point in the low ones. Of equal
/// scores the lesser point is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MoveKey(i64);

/// Bits of a point in a key.
const POINT_BITS: u32 = POINT_SLOTS.ilog2();

impl MoveKey {
    const fn new(score: i32, point: Point) -> Self {
        Self((score as i64) << POINT_BITS | (POINT_SLOTS - 1 - point.index()) as i64)
    }

    /// The order score of the move.
    pub(super) const fn score(self) -> i32 {
        (self.0 >> POINT_BITS) as i32
    }

    /// The point of the move.
    pub(super) const fn point(self) -> Point {
        Point::from_index_wrapping(POINT_SLOTS - 1 - (self.0 as usize & (POINT_SLOTS - 1)))
    }
}

/// Scores the moves of a set into `moves`, which is some kilobytes and is filled in place. `last` is the move before this
/// node. The priors of the network are inlined here; they use AVX2 if the CPU has it.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn score_moves<E: Evaluator>(
    moves: &mut Moves,
    position: &mut Position<E>,
    points: &PointSet,
    last: Option<Point>,
    history: &History,
) {
    let mover = position.board().turn();
    let bonus = history.order_bonus(mover, last);
    let (evaluation, sets) = position.follow_beside_sets();
    let priors = evaluation.move_priors(sets, mover);
    for point in points.iter() {
        moves.push(MoveKey::new(priors.of(point) + bonus(point), point));
    }
}

/// Moves the greatest of the moves that `index` and later slots hold to `index`, and returns it.
pub(super) fn pick_next(moves: &mut Moves, index: usize) -> Option<MoveKey> {
    let rest = moves.get_mut(index..)?;
    let mut best = 0;
    let mut greatest = *rest.first()?;
    for (slot, &key) in rest.iter().enumerate() {
        if key > greatest {
            (best, greatest) = (slot, key);
        }
    }
    rest.swap(0, best);
    Some(greatest)
}

/// The moves of a set in their order.
pub(super) fn ordered<E: Evaluator>(
    position: &mut Position<E>,
    points: &PointSet,
    history: &History,
) -> impl Iterator<Item = Point> + use<E> {
    let mut moves = Moves::new();
    score_moves(&mut moves, position, points, None, history);
    moves.sort_unstable_by_key(|&key| std::cmp::Reverse(key));
    moves.into_iter().map(MoveKey::point)
}
