//! Keys of records: a rule, a size and sorted stones.

use std::cmp::Ordering;

use arrayvec::ArrayVec;

use super::{RapfiSkip, Unwritable};
use crate::board::{ByColor, Color, Point, PointSet, Rule, Size, Symmetry};
use crate::library::Stones;

/// Bytes before the stones: rule, width, height.
pub(super) const HEAD: usize = 3;

/// Coordinates of a pass.
const PASS: [u8; 2] = [0xFF; 2];

/// The number of a rule; `None` if Rapfi has no such rule.
pub(in crate::library::format) const fn rule_number(rule: Rule) -> Option<u8> {
    match rule {
        Rule::Freestyle => Some(0),
        Rule::Standard => Some(1),
        Rule::Renju => Some(2),
        Rule::CaroOverline | Rule::Caro => None,
    }
}

/// The reason why bytes are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyError {
    /// They are not a key.
    Damaged,
    /// They are a key of a position that cannot be held.
    Skipped(RapfiSkip),
}

/// Reads a key. The first half of its pairs is black, with the middle one, and the side to move follows from their number.
/// Passes count in both.
pub(super) fn parse(key: &[u8]) -> Result<Stones, KeyError> {
    let (head, pairs) = key.split_at_checked(HEAD).ok_or(KeyError::Damaged)?;
    if pairs.len() % 2 != 0 {
        return Err(KeyError::Damaged);
    }
    let number = head[0];
    let rule = Rule::ALL.into_iter().find(|&rule| rule_number(rule) == Some(number));
    let rule = rule.ok_or(KeyError::Skipped(RapfiSkip::Rule))?;
    let size = Size::new(head[1]).filter(|_| head[1] == head[2]).ok_or(KeyError::Skipped(RapfiSkip::Size))?;
    let count = pairs.len() / 2;
    let mut points = ByColor::<Vec<Point>>::default();
    let mut seen = PointSet::EMPTY;
    for (place, pair) in pairs.chunks_exact(2).enumerate().filter(|(_, pair)| *pair != PASS) {
        let point = size.point(pair[0], pair[1]).filter(|&point| !seen.contains(point));
        let point = point.ok_or(KeyError::Skipped(RapfiSkip::Stones))?;
        seen.insert(point);
        let color = if place < count.div_ceil(2) { Color::Black } else { Color::White };
        points[color].push(point);
    }
    points.0.iter_mut().for_each(|points| points.sort_unstable());
    Ok(Stones { rule, size, turn: Color::after(count), points })
}

/// The least of the eight images of a position, compared by their stones in Rapfi's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::library::format) struct Canonical {
    rule: Rule,
    size: Size,
    turn: Color,
    /// The stones of each color, by column, then by row.
    pub(in crate::library::format) points: ByColor<Vec<Point>>,
    /// The symmetries that map the position to this image.
    symmetries: ArrayVec<Symmetry, 8>,
}

/// The order of stones in a key.
const fn by_column(point: &Point) -> (u8, u8) {
    (point.x(), point.y())
}

impl Canonical {
    /// The image of a position.
    pub(in crate::library::format) fn of(stones: &Stones) -> Self {
        let image = |symmetry: Symmetry| {
            ByColor([Color::Black, Color::White].map(|color| {
                let points = stones.points[color].iter();
                let mut points: Vec<_> = points.map(|&point| symmetry.apply(point, stones.size)).collect();
                points.sort_unstable_by_key(by_column);
                points
            }))
        };
        let mut points = image(Symmetry::identity());
        let mut symmetries: ArrayVec<_, 8> = ArrayVec::new();
        for symmetry in Symmetry::all() {
            let other = image(symmetry);
            // All images have the same number of stones of each color.
            let order = other.0.iter().flatten().map(by_column).cmp(points.0.iter().flatten().map(by_column));
            if order.is_lt() {
                points = other;
                symmetries.clear();
            }
            if order.is_le() {
                symmetries.push(symmetry);
            }
        }
        Self { rule: stones.rule, size: stones.size, turn: stones.turn, points, symmetries }
    }

    /// The least image of a point of the position, by row, then by column.
    pub(in crate::library::format) fn point(&self, point: Point) -> Point {
        let images = self.symmetries.iter().map(|symmetry| symmetry.apply(point, self.size));
        images.min().unwrap_or(point)
    }

    /// The key, with a pass where the side to move does not follow from the number of stones.
    ///
    /// # Errors
    /// When Rapfi does not know the rule, or one pass does not suffice.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, Unwritable> {
        let side = self.size.side();
        let mut key = vec![rule_number(self.rule).ok_or(Unwritable::Rule)?, side, side];
        let total: usize = self.points.0.iter().map(Vec::len).sum();
        let needs_pass = Color::after(total) != self.turn;
        for color in Color::ALL {
            self.points[color].iter().for_each(|point| key.extend([point.x(), point.y()]));
            if needs_pass && Color::after(total) == color {
                key.extend(PASS);
            }
        }
        // The stones of a color are known by their place among all pairs only.
        let read = parse(&key).map_err(|_| Unwritable::Surplus)?;
        let counts = |points: &ByColor<Vec<Point>>| [points.0[0].len(), points.0[1].len()];
        if counts(&read.points) == counts(&self.points) { Ok(key) } else { Err(Unwritable::Surplus) }
    }
}

/// Compares keys in the order of a file: the head, the number of stones, the stones, the side to move. Passes do not count.
pub(super) fn order(key: &[u8], other: &[u8]) -> Ordering {
    let (head, pairs) = key.split_at_checked(HEAD).unwrap_or((key, &[]));
    let (other_head, other_pairs) = other.split_at_checked(HEAD).unwrap_or((other, &[]));
    let stones = |pairs: &[u8]| pairs.chunks(2).filter(|pair| *pair != PASS).count();
    let order = head.cmp(other_head).then_with(|| stones(pairs).cmp(&stones(other_pairs)));
    let order = order.then_with(|| {
        let is_stone = |pair: &&[u8]| *pair != PASS;
        pairs.chunks(2).filter(is_stone).cmp(other_pairs.chunks(2).filter(is_stone))
    });
    // The keys differ only in a pass now. With it comes the other side; its place tells the colors of the stones.
    let order = order.then_with(|| (pairs.len() / 2 % 2).cmp(&(other_pairs.len() / 2 % 2)));
    order.then_with(|| pairs.cmp(other_pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stones(rule: Rule, turn: Color, black: &[(u8, u8)], white: &[(u8, u8)]) -> Stones {
        let size = Size::FIFTEEN;
        let points = |points: &[(u8, u8)]| {
            let mut points: Vec<_> = points.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect();
            points.sort();
            points
        };
        Stones { rule, size, turn, points: ByColor([points(black), points(white)]) }
    }

    #[test]
    fn a_pair_of_ff_is_a_pass_of_the_half_it_lies_in() {
        let read = |pairs: &[u8]| parse(&[&[2, 15, 15], pairs].concat()).unwrap();
        let of = |turn, black: &[_], white: &[_]| stones(Rule::Renju, turn, black, white);
        assert_eq!(read(&[]), of(Color::Black, &[], &[]));
        assert_eq!(read(&[7, 7]), of(Color::White, &[(7, 7)], &[]));
        assert_eq!(read(&[7, 7, 5, 6]), of(Color::Black, &[(7, 7)], &[(5, 6)]));
        assert_eq!(read(&[7, 7, 0xFF, 0xFF]), of(Color::Black, &[(7, 7)], &[]));
        // One stone each and white to move: black has passed.
        assert_eq!(read(&[7, 7, 0xFF, 0xFF, 5, 6]), of(Color::White, &[(7, 7)], &[(5, 6)]));
        // The pass lies after three black stones, in the half of white.
        let pairs = [5, 6, 6, 7, 7, 7, 0xFF, 0xFF, 7, 6];
        assert_eq!(read(&pairs), of(Color::White, &[(5, 6), (6, 7), (7, 7)], &[(7, 6)]));
    }

    #[test]
    fn keys_have_a_pass_where_the_side_to_move_needs_one() {
        let write = |turn, black: &[_], white: &[_]| {
            Canonical::of(&stones(Rule::Renju, turn, black, white)).to_bytes().map(|key| key[3..].to_vec())
        };
        assert_eq!(write(Color::Black, &[], &[]), Ok(vec![]));
        assert_eq!(write(Color::White, &[], &[]), Ok(vec![0xFF, 0xFF]));
        assert_eq!(write(Color::Black, &[(7, 7)], &[]), Ok(vec![7, 7, 0xFF, 0xFF]));
        assert_eq!(write(Color::White, &[(7, 7)], &[(7, 6)]), Ok(vec![7, 7, 0xFF, 0xFF, 6, 7]));
        let black = [(5, 6), (6, 7), (7, 7)];
        assert_eq!(write(Color::White, &black, &[(7, 6)]), Ok(vec![5, 6, 6, 7, 7, 7, 0xFF, 0xFF, 7, 6]));
        let unwritable = Err(Unwritable::Surplus);
        assert_eq!(write(Color::Black, &black, &[]), unwritable);
        assert_eq!(write(Color::White, &black, &[]), unwritable);
        assert_eq!(write(Color::Black, &black, &[(7, 6)]), unwritable);
        assert_eq!(write(Color::Black, &[], &[(7, 7)]), unwritable);
        let caro = Canonical::of(&stones(Rule::Caro, Color::Black, &[], &[]));
        assert_eq!(caro.to_bytes(), Err(Unwritable::Rule));
    }

    #[test]
    fn the_least_image_has_its_stones_by_column_and_its_labels_by_row() {
        let canonical = |black: &[_]| Canonical::of(&stones(Rule::Renju, Color::after(black.len()), black, &[]));
        let image = |canonical: &Canonical, x, y| canonical.point(Size::FIFTEEN.point(x, y).unwrap());
        let empty = canonical(&[]);
        for (x, y) in [(7, 3), (3, 7), (11, 7), (7, 11)] {
            assert_eq!(image(&empty, x, y), Point::new(7, 3).unwrap());
        }
        assert_eq!(image(&empty, 3, 6), Point::new(6, 3).unwrap());
        // d7 in the letters of Rapfi.
        assert_eq!(canonical(&[(6, 3)]).to_bytes().unwrap(), [2, 15, 15, 3, 6]);
        // The stone leaves only the reflection at its row: both labels are one.
        let axis = canonical(&[(7, 11)]);
        assert_eq!(axis.to_bytes().unwrap(), [2, 15, 15, 3, 7]);
        assert_eq!(image(&axis, 6, 11), image(&axis, 8, 11));
        assert_eq!(image(&axis, 6, 11), Point::new(3, 6).unwrap());
    }

    #[test]
    fn keys_are_in_the_order_of_their_stones_without_passes() {
        // As Rapfi writes them: fewer stones first, then the lesser bytes, then black to move.
        let keys: [&[u8]; 8] = [
            &[2, 15, 15, 7, 7],
            &[2, 15, 15, 7, 7, 0xFF, 0xFF],
            &[2, 15, 15, 5, 6, 7, 7],
            &[2, 15, 15, 6, 7, 7, 7],
            &[2, 15, 15, 5, 6, 6, 7, 7, 7, 0xFF, 0xFF, 7, 6],
            &[2, 15, 15, 6, 7, 7, 7, 5, 6, 6, 6],
            &[2, 15, 15, 5, 6, 6, 7, 7, 7, 5, 7, 7, 6, 0xFF, 0xFF],
            &[2, 19, 19],
        ];
        let is_before = |pair: &[&[u8]]| order(pair[0], pair[1]).is_lt() && order(pair[1], pair[0]).is_gt();
        // White is to move after one stone, so its key comes after that with a pass.
        assert!(is_before(&[keys[1], keys[0]]));
        assert!(keys[1..].windows(2).all(is_before));
        assert!(keys.iter().all(|key| order(key, key).is_eq()));
        assert!(order(&[0, 0, 0], keys[0]).is_lt());
    }

    #[test]
    fn bytes_that_are_no_position_are_damaged_or_skipped() {
        assert_eq!(parse(&[2, 15]), Err(KeyError::Damaged));
        assert_eq!(parse(&[2, 15, 15, 7]), Err(KeyError::Damaged));
        let skipped = |key: &[u8]| parse(key).unwrap_err();
        assert_eq!(skipped(&[3, 15, 15]), KeyError::Skipped(RapfiSkip::Rule));
        assert_eq!(skipped(&[0, 15, 16]), KeyError::Skipped(RapfiSkip::Size));
        assert_eq!(skipped(&[0, 33, 33]), KeyError::Skipped(RapfiSkip::Size));
        assert_eq!(skipped(&[0, 15, 15, 15, 0]), KeyError::Skipped(RapfiSkip::Stones));
        assert_eq!(skipped(&[0, 15, 15, 0, 0, 0, 0]), KeyError::Skipped(RapfiSkip::Stones));
    }
}
