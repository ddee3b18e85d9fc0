//! Which moves a node looks at, and in which order.

use std::sync::LazyLock;

use crate::board::{ByColor, Color, Direction, POINT_SLOTS, Point, PointSet};
use crate::position::Position;
use crate::threat::{Pattern, Patterns, Threat};

/// Moves of one node with the number that orders them, greatest first.
pub(super) type Moves = arrayvec::ArrayVec<(i32, Point), POINT_SLOTS>;

/// What earlier nodes have taught about moves.
pub(super) struct History {
    quiet: ByColor<Box<[i32; POINT_SLOTS]>>,
    counters: ByColor<Box<[Option<Point>; POINT_SLOTS]>>,
}

/// The bound of a history number: new results weigh less the nearer it is.
const HISTORY_LIMIT: i32 = 4096;

/// What a move that once refuted the last move is put forward by.
const COUNTER: i32 = 600;

/// History numbers that weigh as one unit of shape.
const HISTORY_UNIT: i32 = 8;

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
    pub(super) fn counter(&mut self, color: Color, last: Point, answer: Point) {
        self.counters[color][last.index()] = Some(answer);
    }

    /// What has been learnt about a move.
    pub(super) fn of(&self, color: Color, point: Point) -> i32 {
        self.quiet[color][point.index()]
    }

    /// Lets old lessons fade before a new search.
    pub(super) fn fade(&mut self) {
        for color in Color::ALL {
            self.quiet[color].iter_mut().for_each(|number| *number /= 2);
        }
    }
}

/// The empty points near the stones: two steps any way, three along lines. The centre where there are no stones.
pub(super) fn near(position: &Position) -> PointSet {
    let board = position.board();
    let stones = board.stones(Color::Black).union(&board.stones(Color::White));
    if stones.is_empty() {
        let mut centre = PointSet::EMPTY;
        centre.insert(board.size().centre());
        let centre = centre.intersection(&board.empty_points());
        return if centre.is_empty() { board.empty_points() } else { centre };
    }
    let near = stones.neighbourhood().intersection(&board.empty_points());
    if near.is_empty() { board.empty_points() } else { near }
}

/// Gives every move of a set its number.
pub(super) fn ordered(
    position: &Position,
    points: &PointSet,
    first: Option<Point>,
    last: Option<Point>,
    history: &History,
) -> Moves {
    let mover = position.board().turn();
    let counter = last.and_then(|last| history.counters[mover][last.index()]);
    let threats = position.threats();
    let number = |point: Point| {
        if Some(point) == first {
            return i32::MAX;
        }
        let own = OWN[threats.patterns(point, mover).bits() as usize];
        let other = OTHER[threats.patterns(point, !mover).bits() as usize];
        let counter = if Some(point) == counter { COUNTER } else { 0 };
        i32::from(own) + i32::from(other) + counter + history.of(mover, point) / HISTORY_UNIT
    };
    points.iter().map(|point| (number(point), point)).collect()
}

/// Moves the greatest of the moves from `index` on to `index`; ties go to the lesser point, whatever the order was.
pub(super) fn select(moves: &mut Moves, index: usize) -> Option<(i32, Point)> {
    let rank = |&(number, point): &(i32, Point)| (number, std::cmp::Reverse(point));
    let best = (index..moves.len()).max_by_key(|&slot| rank(&moves[slot]))?;
    moves.swap(index, best);
    moves.get(index).copied()
}

static OWN: LazyLock<Box<[i16]>> = LazyLock::new(|| table(own));
static OTHER: LazyLock<Box<[i16]>> = LazyLock::new(|| table(other));

fn table(number: fn(Patterns) -> i16) -> Box<[i16]> {
    (0..=u16::MAX).map(|bits| number(Patterns::from_bits(bits))).collect()
}

fn lines(patterns: Patterns) -> i16 {
    let line = |direction| match patterns.get(direction) {
        Pattern::Dead | Pattern::Overline => 0,
        Pattern::One => 3,
        Pattern::OpenOne => 12,
        Pattern::Two => 20,
        Pattern::OpenTwo => 55,
        Pattern::Three => 60,
        Pattern::OpenThree => 250,
        Pattern::Four => 240,
        Pattern::DoubleFour | Pattern::OpenFour | Pattern::Five => 500,
    };
    Direction::ALL.into_iter().map(line).sum()
}

/// How promising a move looks by the shapes that it makes.
fn own(patterns: Patterns) -> i16 {
    let whole = match Threat::of(patterns) {
        Threat::Nothing | Threat::OpenThree | Threat::Four => 0,
        Threat::DoubleThree => 700,
        Threat::FourThree => 3000,
        Threat::DoubleFour => 5000,
        Threat::OpenFour => 6000,
        Threat::Five => 12_000,
    };
    lines(patterns) + whole
}

/// How promising it looks by the shapes that it takes from the other side.
fn other(patterns: Patterns) -> i16 {
    let whole = match Threat::of(patterns) {
        Threat::Nothing | Threat::OpenThree | Threat::Four => 0,
        Threat::DoubleThree => 400,
        Threat::FourThree => 1200,
        Threat::DoubleFour => 2000,
        Threat::OpenFour => 2000,
        Threat::Five => 9000,
    };
    lines(patterns) * 3 / 4 + whole
}
