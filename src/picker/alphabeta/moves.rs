//! Which moves a node looks at, and in which order.

use crate::board::{Board, ByColor, Color, POINT_SLOTS, Point, PointSet};
use crate::eval::Evaluator;
use crate::position::Position;

/// Moves of one node with the keys that order them, greatest first.
pub(super) type Moves = arrayvec::ArrayVec<MoveKey, POINT_SLOTS>;

/// A move and its number in one word: the number above, the point below so that among equals the lesser point is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MoveKey(i64);

/// Bits of a point in a key.
const POINT_BITS: u32 = POINT_SLOTS.ilog2();

impl MoveKey {
    const fn new(number: i32, point: Point) -> Self {
        Self((number as i64) << POINT_BITS | (POINT_SLOTS - 1 - point.index()) as i64)
    }

    /// The number of the move.
    pub(super) const fn number(self) -> i32 {
        (self.0 >> POINT_BITS) as i32
    }

    /// The point of the move.
    pub(super) const fn point(self) -> Point {
        Point::from_index_wrapping(POINT_SLOTS - 1 - (self.0 as usize & (POINT_SLOTS - 1)))
    }
}

/// What earlier nodes have taught about moves.
pub(super) struct History {
    quiet: ByColor<Box<[i32; POINT_SLOTS]>>,
    counters: ByColor<Box<[Option<Point>; POINT_SLOTS]>>,
}

/// The bound of a history number: new results weigh less the nearer it is. Hand-set.
const HISTORY_LIMIT: i32 = 4096;

/// The bonus of a move that once refuted the last move; 100 is a factor e of the odds to be the best, as in
/// [`Evaluator::move_priors`]. Hand-set.
const COUNTER: i32 = 100;

/// History numbers that weigh as one unit of a move prior. Hand-set.
const HISTORY_UNIT: i32 = 20;

impl Default for History {
    fn default() -> Self {
        let numbers = || Box::new([0; POINT_SLOTS]);
        let points = || Box::new([None; POINT_SLOTS]);
        Self { quiet: ByColor([numbers(), numbers()]), counters: ByColor([points(), points()]) }
    }
}

impl History {
    /// Remembers that a move was good (a positive bonus) or not.
    pub(super) fn learn(&mut self, color: Color, point: Point, bonus: i32) {
        let number = &mut self.quiet[color][point.index()];
        *number += bonus - *number * bonus.abs() / HISTORY_LIMIT;
    }

    /// Remembers the answer to a move.
    pub(super) fn set_counter(&mut self, color: Color, last: Point, answer: Point) {
        self.counters[color][last.index()] = Some(answer);
    }

    /// The history number of a move.
    pub(super) fn quiet(&self, color: Color, point: Point) -> i32 {
        self.quiet[color][point.index()]
    }

    /// Halves the history numbers before a new search.
    pub(super) fn decay(&mut self) {
        for color in Color::ALL {
            self.quiet[color].iter_mut().for_each(|number| *number /= 2);
        }
    }
}

/// The empty points near the stones: two steps any way, three along lines. The centre where there are no stones.
pub(in crate::picker) fn near(board: &Board) -> PointSet {
    if board.stone_count() == 0 {
        let centre = PointSet::from_iter([board.size().centre()]).intersection(&board.empty_points());
        return if centre.is_empty() { board.empty_points() } else { centre };
    }
    let near = board.near_stones();
    if near.is_empty() { board.empty_points() } else { near }
}

/// Gives every move of a set the number that orders it, into `moves`: some kilobytes that are filled where they lie.
/// `last` is the move before this node.
pub(super) fn score_moves<E: Evaluator>(
    moves: &mut Moves,
    position: &mut Position<E>,
    points: &PointSet,
    last: Option<Point>,
    history: &History,
) {
    let mover = position.board().turn();
    let counter = last.and_then(|last| history.counters[mover][last.index()]);
    let (evaluation, sets) = position.follow_beside_sets();
    let prior = evaluation.move_priors(sets, mover);
    for point in points.iter() {
        let counter = if Some(point) == counter { COUNTER } else { 0 };
        let number = prior(point) + counter + history.quiet(mover, point) / HISTORY_UNIT;
        moves.push(MoveKey::new(number, point));
    }
}

/// Moves the greatest of the moves from `index` on to `index`, and returns it.
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
