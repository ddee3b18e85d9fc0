//! [`PointSums`]: what the combinations of the empty points add up to, move by move.

use super::combination::{Combination, Combinations};
use crate::board::{ByColor, Color, POINT_SLOTS, Point};
use crate::position::ThreatBoard;
use crate::threat::{Delta, PatternChange};

/// A sum over empty points, to which each adds a row by its combination.
pub(super) trait PointSum: Copy + Default + PartialEq {
    /// What one point adds.
    type Row: 'static;

    /// A point is added.
    fn add(&mut self, more: &Self::Row);

    /// A point is taken out.
    fn subtract(&mut self, less: &Self::Row);

    /// One point's row becomes another.
    fn shift(&mut self, old: &Self::Row, new: &Self::Row);
}

/// The rows of a color, by the number of the combination.
pub(super) type Rows<S> = [<S as PointSum>::Row; Combination::COUNT];

/// The rows of both colors.
pub(super) type RowTable<'a, S> = ByColor<&'a Rows<S>>;

/// The combinations of the empty points and the sums of their rows, for each color.
pub(super) struct PointSums<S> {
    combinations: &'static Combinations,
    /// The combinations of every empty point; those under a stone are from before it was played.
    kinds: Box<[ByColor<Combination>; POINT_SLOTS]>,
    /// The sums of the present position.
    sums: ByColor<S>,
    /// The stones pushed, and what takes each back.
    stones: Vec<Undo<S>>,
    /// The combinations that were replaced, those of the first stone first.
    replaced: Vec<(Point, ByColor<Combination>)>,
}

/// What takes a stone back.
#[derive(Clone, Copy)]
struct Undo<S> {
    /// The sums before it.
    sums: ByColor<S>,
    /// Where its part of `replaced` begins.
    start: usize,
}

/// Equal where the sums are.
impl<S: PartialEq> PartialEq for PointSums<S> {
    fn eq(&self, other: &Self) -> bool {
        self.sums == other.sums
    }
}

impl<S: PointSum> PointSums<S> {
    /// The sums of a position.
    pub(super) fn new(threats: &ThreatBoard, rows: RowTable<'_, S>) -> Self {
        let mut points = Self {
            combinations: Combinations::all(),
            kinds: Box::new([ByColor::default(); POINT_SLOTS]),
            sums: ByColor::default(),
            stones: Vec::new(),
            replaced: Vec::new(),
        };
        for point in threats.board().empty_points().iter() {
            for color in Color::ALL {
                let kind = points.combinations.of(threats.patterns(point, color));
                points.kinds[point.index()][color] = kind;
                points.sums[color].add(&rows[color][kind.index()]);
            }
        }
        points
    }

    /// Follows a stone; the rows are those of `new`.
    #[inline]
    pub(super) fn push(&mut self, delta: Delta<'_>, changes: &[PatternChange], rows: RowTable<'_, S>) {
        self.stones.push(Undo { sums: self.sums, start: self.replaced.len() });
        let kinds = &mut *self.kinds;
        self.replaced.extend(changes.iter().map(|change| (change.point, kinds[change.point.index()])));
        for color in Color::ALL {
            let rows = rows[color];
            // In a local, which the loop keeps in registers.
            let mut sum = self.sums[color];
            sum.subtract(&rows[kinds[delta.point.index()][color].index()]);
            for change in changes {
                let kind = self.combinations.of(change.new.of(color));
                let old = std::mem::replace(&mut kinds[change.point.index()][color], kind);
                if kind != old {
                    sum.shift(&rows[old.index()], &rows[kind.index()]);
                }
            }
            self.sums[color] = sum;
        }
    }

    /// Takes the last stone back.
    #[inline]
    pub(super) fn pop(&mut self) {
        let Some(Undo { sums, start }) = self.stones.pop() else { return };
        for &(point, kinds) in &self.replaced[start..] {
            self.kinds[point.index()] = kinds;
        }
        self.replaced.truncate(start);
        self.sums = sums;
    }

    /// The combinations of both colors on an empty point.
    #[inline]
    pub(super) fn kinds(&self, point: Point) -> ByColor<Combination> {
        self.kinds[point.index()]
    }

    /// The sums of both colors.
    #[inline]
    pub(super) const fn sums(&self) -> &ByColor<S> {
        &self.sums
    }
}
