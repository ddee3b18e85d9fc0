//! [`StoneSymmetries`]: which fifth stones are equivalent by a symmetry of the stones on the board.

use arrayvec::ArrayVec;

use crate::board::{Board, Color, Point, PointSet, Size, Symmetry};

/// A step between two points, (x, y).
pub(super) type Step = (i8, i8);

/// The step from one point to another.
pub(super) fn step(from: Point, to: Point) -> Step {
    let between = |from: u8, to: u8| to as i8 - from as i8;
    (between(from.x(), to.x()), between(from.y(), to.y()))
}

/// The point after a step, if it lies on the board.
pub(super) fn after(point: Point, (x, y): Step, size: Size) -> Option<Point> {
    size.point(point.x().checked_add_signed(x)?, point.y().checked_add_signed(y)?)
}

/// The symmetries of the stones on a board: every rotation or reflection with a shift that maps the black stones to black stones and the
/// white stones to white stones.
///
/// The shift is free: two fifth stones that make the same pattern are equivalent even if the edges differ. The
/// symmetries of the board that keep the stones are included, so points that are distinct here are distinct by either
/// reading.
///
/// ```text
///  . . . . . .      X black, O white: mirrored at the dotted column the four stones are the same,
///  . 1 O O 2 .      so 1 and 2 are equivalent
///  . . X X . .
///  . . . : . .
/// ```
#[derive(Clone, Debug)]
pub struct StoneSymmetries {
    /// Each symmetry about the first stone, and that stone's image.
    maps: ArrayVec<(Symmetry, Point), 8>,
    /// The fixed point of the symmetries before the shift; `None` on an empty board.
    first: Option<Point>,
    size: Size,
}

impl StoneSymmetries {
    /// The symmetries of the stones on this board.
    pub fn of(board: &Board) -> Self {
        let (black, white) = (board.stones(Color::Black), board.stones(Color::White));
        let (size, first) = (board.size(), black.iter().next());
        let mut symmetries = Self { maps: ArrayVec::new(), first, size };
        let Some(first) = first else { return symmetries };
        for symmetry in Symmetry::all() {
            // The image of the first stone is one of the black stones, and fixes the shift.
            let maps_onto = |image: Point, stones: PointSet| {
                let images = stones.iter().map(|stone| after(image, symmetry.apply_to_step(step(first, stone)), size));
                images.into_iter().all(|image| image.is_some_and(|image| stones.contains(image)))
            };
            let image = black.iter().find(|&image| maps_onto(image, black) && maps_onto(image, white));
            symmetries.maps.extend(image.map(|image| (symmetry, image)));
        }
        symmetries
    }

    /// The points of the board that are equivalent to this one, including itself.
    pub fn images(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let image = move |(symmetry, image): &(Symmetry, Point)| {
            after(*image, symmetry.apply_to_step(step(self.first?, point)), self.size)
        };
        self.maps.iter().filter_map(image)
    }

    /// Whether stones on these points make the same pattern.
    pub fn are_equivalent(&self, one: Point, other: Point) -> bool {
        one == other || self.images(one).any(|image| image == other)
    }

    /// The given points without those that are equivalent to an earlier one.
    pub fn distinct(&self, points: impl IntoIterator<Item = Point>) -> Vec<Point> {
        let mut seen = PointSet::default();
        let mut distinct = Vec::new();
        for point in points {
            if !seen.contains(point) {
                seen.insert(point);
                self.images(point).for_each(|image| seen.insert(image));
                distinct.push(point);
            }
        }
        distinct
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rule;
    use crate::notation::Letters;
    use crate::rng::Rng;

    /// Four stones and no more, put anywhere near the middle.
    fn four_stones(rng: &mut Rng, size: Size) -> Board {
        let mut board = Board::new(size, Rule::Renju);
        while board.stone_count() < 4 {
            let at = |rng: &mut Rng| size.side() / 2 - 2 + rng.below(4) as u8;
            let _ = board.try_play(size.point(at(rng), at(rng)).unwrap());
        }
        board
    }

    /// The slow twin: every symmetry about the corner with every shift, compared stone by stone.
    fn equivalent_slowly(board: &Board, one: Point, other: Point) -> bool {
        let stones = |color| board.stones(color).iter().map(|p| (p.x() as i8, p.y() as i8)).collect::<Vec<_>>();
        let sets = Color::ALL.map(stones);
        let side = board.size().side() as i8;
        let point = |p: Point| (p.x() as i8, p.y() as i8);
        Symmetry::all().any(|symmetry| {
            (-2 * side..=2 * side).any(|dx| {
                (-2 * side..=2 * side).any(|dy| {
                    let map = |p: Step| {
                        let (x, y) = symmetry.apply_to_step(p);
                        (x + dx, y + dy)
                    };
                    map(point(one)) == point(other)
                        && sets.iter().all(|set| set.iter().all(|&stone| set.contains(&map(stone))))
                })
            })
        })
    }

    #[test]
    fn equivalent_fifths_are_those_of_every_symmetry_and_shift() {
        let (mut rng, size) = (Rng::new(26), Size::new(9).unwrap());
        let mut equivalent = 0;
        for _ in 0..300 {
            let board = four_stones(&mut rng, size);
            let symmetries = StoneSymmetries::of(&board);
            let points: Vec<_> = board.empty_points().iter().collect();
            let one = points[rng.below(points.len())];
            for &other in &points {
                let slow = one == other || equivalent_slowly(&board, one, other);
                assert_eq!(symmetries.are_equivalent(one, other), slow, "{one:?} {other:?}\n{board}");
                equivalent += usize::from(slow && one != other);
            }
        }
        assert!(equivalent > 10, "{equivalent}");
    }

    #[test]
    fn a_symmetry_of_the_board_that_keeps_the_stones_makes_points_equivalent() {
        let size = Size::FIFTEEN;
        let mut rng = Rng::new(8);
        let mut kept = 0;
        for _ in 0..2000 {
            let board = four_stones(&mut rng, size);
            let symmetries = StoneSymmetries::of(&board);
            for symmetry in Symmetry::all().skip(1) {
                let keeps =
                    |color| board.stones(color).iter().all(|p| board.stones(color).contains(symmetry.apply(p, size)));
                if !Color::ALL.into_iter().all(keeps) {
                    continue;
                }
                kept += 1;
                assert!(board.empty_points().iter().all(|p| symmetries.are_equivalent(p, symmetry.apply(p, size))));
            }
        }
        assert!(kept > 5, "{kept}");
    }

    #[test]
    fn distinct_points_are_one_of_each_class() {
        let board = crate::notation::parse_diagram(
            ".........\n.........\n.........\n...OO....\n...XX....\n.........\n.........\n.........\n.........",
            Rule::Renju,
        )
        .unwrap();
        let symmetries = StoneSymmetries::of(&board);
        let names = |text: &str| Letters::new(board.size()).parse_moves(text).unwrap();
        assert_eq!(symmetries.distinct(names("c6 f6 c5 f5 c6 a9")), names("c6 c5 a9"));
        // The mirror image of i9 lies off the board; a9's is h9.
        assert_eq!(symmetries.distinct(names("i9 a9 h9")), names("i9 a9"));
    }
}
