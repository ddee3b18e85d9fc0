//! [`FoulPart`]: the rows that make a point forbidden.

use super::forbidden::{Foul, Line, foul, legal_extensions, with_stone};
use super::{Direction, Point, PointSet, Rows, Size};

/// A row that makes a point forbidden to black. Its stones include the one on the forbidden point.
///
/// ```text
/// three      . X X * .     three stones and the points where black may make an open four of them
/// four       X X X *       four stones and the points of five: one, or both ends of an open four
/// overline   X X X * X X   all stones of the row
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoulPart {
    /// A three.
    Three {
        /// Its three stones.
        stones: PointSet,
        /// The points that make an open four of it and that black may play, at least one.
        extensions: PointSet,
    },
    /// A four.
    Four {
        /// Its four stones.
        stones: PointSet,
        /// The points that make a five of it: two if it is an open four, otherwise one.
        fives: PointSet,
    },
    /// A row of six or more.
    Overline {
        /// Its stones.
        stones: PointSet,
    },
}

/// The parts of a foul: the rows of each reason that holds, line by line. Empty if the point is legal.
///
/// Cost: some microseconds.
pub(super) fn foul_parts(black: &Rows, empty: &Rows, size: Size, point: Point) -> Vec<FoulPart> {
    let Some(Foul { double_three, double_four, overline }) = foul(black, empty, size, point) else { return Vec::new() };
    let mut parts = Vec::new();
    let (stones, rest) = with_stone(black, empty, point);
    for direction in Direction::ALL {
        let line = Line::with_stone(black, empty, point, direction);
        let points = |bits| line.points(bits, point, direction, size).collect::<PointSet>();
        if overline && line.run() > 5 {
            parts.push(FoulPart::Overline { stones: points(line.run_bits()) });
        }
        if double_four {
            parts.extend(
                fours(&line)
                    .into_iter()
                    .map(|(four, fives)| FoulPart::Four { stones: points(four), fives: points(fives) }),
            );
        }
        if double_three {
            let extensions: PointSet = legal_extensions(&stones, &rest, size, point, &line, direction).collect();
            let three = line.extension_windows().next().filter(|_| !extensions.is_empty());
            parts.extend(three.map(|(three, _)| FoulPart::Three { stones: points(three), extensions }));
        }
    }
    parts
}

/// The fours of a line with their points of five, as bits. The two windows of an open four are joined.
fn fours(line: &Line) -> Vec<(u64, u64)> {
    let mut fours: Vec<(u64, u64)> = Vec::new();
    for (four, fifth) in line.four_windows() {
        match fours.last_mut() {
            Some((last, fives)) if *last == four => *fives |= fifth,
            _ => fours.push((four, fifth)),
        }
    }
    fours
}
