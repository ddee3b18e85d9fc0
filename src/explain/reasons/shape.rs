//! [`Shape`]: the shape that a stone makes, proved on the board, and the stones of its rows.

use strum::Display;

use crate::board::{ByDirection, Color, Direction, Point, PointSet};
use crate::position::ThreatBoard;
use crate::threat::{Cell, LineWindow, Pattern, PatternTable, Patterns, REACH, Threat};

/// The shape that a stone makes on its four lines together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Shape {
    /// Two stones that can become a three.
    Two,
    /// Two stones that can become an open three.
    #[strum(to_string = "open two")]
    OpenTwo,
    /// Three stones that can become a four.
    Three,
    /// Three stones that can become an open four.
    #[strum(to_string = "open three")]
    OpenThree,
    /// Two open threes or more.
    #[strum(to_string = "double three")]
    DoubleThree,
    /// Four stones with one way to five.
    Four,
    /// A four and an open three.
    #[strum(to_string = "four-three")]
    FourThree,
    /// Two fours or more.
    #[strum(to_string = "double four")]
    DoubleFour,
    /// Four stones with two ways to five.
    #[strum(to_string = "open four")]
    OpenFour,
}

impl Shape {
    /// Whether the shape makes two threats that one answer cannot meet.
    pub(super) const fn is_fork(self) -> bool {
        match self {
            Self::DoubleThree | Self::FourThree | Self::DoubleFour | Self::OpenFour => true,
            Self::Two | Self::OpenTwo | Self::Three | Self::OpenThree | Self::Four => false,
        }
    }

    /// The least pattern of a line that is part of the shape.
    const fn least(self) -> Pattern {
        match self {
            Self::Two => Pattern::Two,
            Self::OpenTwo => Pattern::OpenTwo,
            Self::Three => Pattern::Three,
            Self::OpenThree | Self::DoubleThree | Self::FourThree => Pattern::OpenThree,
            Self::Four | Self::DoubleFour => Pattern::Four,
            Self::OpenFour => Pattern::OpenFour,
        }
    }
}

/// The greatest shape that a stone of the side to move makes on a point where it makes neither a five nor a foul, with
/// the stones of its rows in the order of the board; `None` if the stone makes less than a two.
///
/// A three counts only if its side may legally extend it to a four, and as open only if it may extend it to an open four.
pub(super) fn made(threats: &mut ThreatBoard, point: Point) -> Option<(Shape, Vec<Point>)> {
    let mover = threats.board().turn();
    threats.play(point);
    let pattern = |direction| allowed_pattern(threats, point, mover, direction);
    let patterns = ByDirection(Direction::ALL.map(pattern));
    threats.undo();
    let shape = match Threat::of(Patterns::new(patterns)) {
        Threat::Five => return None,
        Threat::OpenFour => Shape::OpenFour,
        Threat::DoubleFour => Shape::DoubleFour,
        Threat::FourThree => Shape::FourThree,
        Threat::Four => Shape::Four,
        Threat::DoubleThree => Shape::DoubleThree,
        Threat::OpenThree => Shape::OpenThree,
        Threat::Nothing => match patterns.0.into_iter().max()? {
            Pattern::Three => Shape::Three,
            Pattern::OpenTwo => Shape::OpenTwo,
            Pattern::Two => Shape::Two,
            _ => return None,
        },
    };
    let parts = Direction::ALL.into_iter().filter(|&direction| patterns[direction] >= shape.least());
    let mut stones: PointSet = parts.flat_map(|direction| row(threats, point, mover, direction)).collect();
    stones.insert(point);
    Some((shape, stones.iter().collect()))
}

/// The pattern of a stone that stands on a point. A three is downgraded if the rule forbids
/// the stone that extends it.
fn allowed_pattern(threats: &ThreatBoard, point: Point, color: Color, direction: Direction) -> Pattern {
    let table = PatternTable::of(threats.board().rule());
    let window = threats.cache().window(point, direction);
    let grows_to = |least: Pattern| {
        empty_places(window).any(|distance| {
            let next = point.step(direction, distance, threats.board().size());
            table.get(window.with(distance, Cell::of(color)))[color] >= least
                && next.is_some_and(|next| !threats.is_forbidden(next, color))
        })
    };
    match table.get(window)[color] {
        Pattern::OpenThree if grows_to(Pattern::OpenFour) => Pattern::OpenThree,
        Pattern::OpenThree | Pattern::Three if grows_to(Pattern::Four) => Pattern::Three,
        Pattern::OpenThree | Pattern::Three | Pattern::Overline => Pattern::Dead,
        pattern => pattern,
    }
}

/// The stones of this color that form a row with a stone on the point along a line, in line order and without the point.
/// The row is grown stone by stone to an open four or a five; empty if it reaches neither.
pub(super) fn row(threats: &ThreatBoard, point: Point, color: Color, direction: Direction) -> Vec<Point> {
    let table = PatternTable::of(threats.board().rule());
    let first = threats.cache().window(point, direction);
    let mut window = first;
    while table.get(window)[color] < Pattern::OpenFour {
        // The best next stone, the nearest of several.
        let grown = |&distance: &i8| {
            let pattern = table.get(window.with(distance, Cell::of(color)))[color];
            (pattern, -distance.abs(), distance)
        };
        let Some(next) = empty_places(window).max_by_key(grown) else { return Vec::new() };
        window = window.with(next, Cell::of(color));
    }
    let is_own = |&distance: &i8| window.cell(distance) == Cell::of(color);
    let reach = REACH as i8;
    let before = (1..=reach).map(|distance| -distance).take_while(is_own).last().unwrap_or(0);
    let after = (1..=reach).take_while(is_own).last().unwrap_or(0);
    let stones = (before..=after).filter(|&distance| distance != 0 && first.cell(distance) == Cell::of(color));
    stones.filter_map(|distance| point.step(direction, distance, threats.board().size())).collect()
}

/// The distances of the empty cells of a window.
fn empty_places(window: LineWindow) -> impl Iterator<Item = i8> {
    let reach = REACH as i8;
    (-reach..=reach).filter(move |&distance| distance != 0 && window.cell(distance) == Cell::Empty)
}
