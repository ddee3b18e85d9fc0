//! [`ThreatSets`]: which empty points make which threats, as sets that move with the cache.

use std::sync::LazyLock;

use super::cache::{Delta, ThreatCache, WINDOW_CHANGES};
use super::pattern::{Pattern, PatternTable};
use super::patterns::{PatternPair, Patterns};
use crate::board::{Board, ByColor, Color, POINT_SLOTS, Point, PointSet};

/// What a stone makes of its four lines together; the greatest that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Threat {
    /// No three and no four.
    Nothing,
    /// One open three.
    OpenThree,
    /// Two open threes or more.
    DoubleThree,
    /// One four.
    Four,
    /// One four and an open three.
    FourThree,
    /// Two fours or more, in one line or in several.
    DoubleFour,
    /// An open four.
    OpenFour,
    /// Five.
    Five,
}

/// The number of threats.
const THREATS: usize = 8;

impl Threat {
    /// The threats by which a stone leaves the other side one move or none.
    pub const FOURS: [Self; 4] = [Self::OpenFour, Self::DoubleFour, Self::FourThree, Self::Four];

    /// What these patterns make together.
    #[inline]
    pub fn of(patterns: Patterns) -> Self {
        TABLE[patterns.bits() as usize]
    }

    fn classify(patterns: Patterns) -> Self {
        let count = |pattern| patterns.count(pattern);
        let fours = count(Pattern::Four) + 2 * count(Pattern::DoubleFour);
        match (count(Pattern::Five), count(Pattern::OpenFour), fours, count(Pattern::OpenThree)) {
            (1.., ..) => Self::Five,
            (_, 1.., ..) => Self::OpenFour,
            (_, _, 2.., _) => Self::DoubleFour,
            (_, _, 1, 1..) => Self::FourThree,
            (_, _, 1, 0) => Self::Four,
            (_, _, _, 2..) => Self::DoubleThree,
            (_, _, _, 1) => Self::OpenThree,
            _ => Self::Nothing,
        }
    }
}

/// The threat of every combination of four patterns.
static TABLE: LazyLock<Box<[Threat]>> =
    LazyLock::new(|| (0..=u16::MAX).map(|bits| Threat::classify(Patterns::from_bits(bits))).collect());

/// What a stone makes of the four lines through an empty point that sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternChange {
    /// The empty point.
    pub point: Point,
    /// Whether the line that has changed would have become, or would become, an open three or more for either color:
    /// only then can the point's threat have changed.
    is_sharp: bool,
    /// What the four lines would have become before.
    pub old: PatternPair,
    /// What they would become now.
    pub new: PatternPair,
}

/// The patterns of every empty point, and for both colors the sets of points that make each threat.
///
/// Follows the deltas of a [`ThreatCache`] and takes them back from a stack of its own. As the windows do, the patterns
/// of a point stay as they are while a stone stands on it.
#[derive(Clone)]
pub struct ThreatSets {
    table: &'static PatternTable,
    patterns: Box<[PatternPair; POINT_SLOTS]>,
    sets: ByColor<[PointSet; THREATS]>,
    counts: ByColor<[u16; THREATS]>,
    /// Where the changes of each stone end.
    ends: Vec<usize>,
    /// The changes of all stones, those of the first first; what lies behind the last end is stale.
    changes: Vec<PatternChange>,
}

/// Equal where the sets are; what can be taken back does not count.
impl PartialEq for ThreatSets {
    fn eq(&self, other: &Self) -> bool {
        self.sets == other.sets && self.counts == other.counts
    }
}

impl ThreatSets {
    /// The sets of a position, from scratch, with no stone to take back.
    pub fn new(board: &Board, cache: &ThreatCache) -> Self {
        let mut sets = Self {
            table: PatternTable::of(board.rule()),
            patterns: Box::new([PatternPair::default(); POINT_SLOTS]),
            sets: ByColor::default(),
            counts: ByColor::default(),
            ends: Vec::new(),
            changes: Vec::new(),
        };
        for point in board.empty_points().iter() {
            let pair = cache.pattern_pair(point);
            sets.patterns[point.index()] = pair;
            sets.enter(point, pair);
        }
        sets
    }

    /// The empty points where this color makes exactly this threat.
    #[inline]
    pub fn set(&self, color: Color, threat: Threat) -> &PointSet {
        &self.sets[color][threat as usize]
    }

    /// The number of those points.
    #[inline]
    pub fn count(&self, color: Color, threat: Threat) -> usize {
        self.counts[color][threat as usize] as usize
    }

    /// Whether this color can make a four of any kind.
    #[inline]
    pub fn has_four(&self, color: Color) -> bool {
        Threat::FOURS.iter().any(|&threat| self.count(color, threat) > 0)
    }

    /// What the four lines through an empty point would become for both colors.
    #[inline]
    pub fn pattern_pair(&self, point: Point) -> PatternPair {
        self.patterns[point.index()]
    }

    /// What a stone of this color makes on an empty point.
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        Threat::of(self.patterns[point.index()].of(color))
    }

    /// The empty points whose patterns the last stone has changed.
    #[inline]
    pub fn last_changes(&self) -> &[PatternChange] {
        match *self.ends {
            [] => &[],
            [end] => &self.changes[..end],
            [.., start, end] => &self.changes[start..end],
        }
    }

    /// Follows a stone.
    #[inline]
    pub fn push(&mut self, delta: Delta<'_>) {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.changes.len() < start + WINDOW_CHANGES {
            let nothing = PatternPair::default();
            let nothing = PatternChange { point: delta.point, is_sharp: false, old: nothing, new: nothing };
            self.changes.resize(start + WINDOW_CHANGES, nothing);
        }
        self.leave(delta.point, self.patterns[delta.point.index()]);
        let slots = &mut self.changes[start..start + WINDOW_CHANGES];
        let mut count = 0;
        for change in delta.windows {
            let pair = &mut self.patterns[change.point.index()];
            let (old, new) = (*pair, pair.with(change.direction, self.table.bits(change.new)));
            *pair = new;
            let is_sharp = old.is_sharp_along(change.direction) | new.is_sharp_along(change.direction);
            // Which windows change their pattern is beyond a branch predictor: the slot is written in any case.
            slots[count] = PatternChange { point: change.point, is_sharp, old, new };
            count += usize::from(old != new);
        }
        for slot in start..start + count {
            let PatternChange { point, is_sharp, old, new } = self.changes[slot];
            if is_sharp {
                self.shift(point, old, new);
            }
        }
        self.ends.push(start + count);
    }

    /// Takes back the stone that was pushed last, which stood on this point.
    #[inline]
    pub fn pop(&mut self, stone: Point) {
        let Some(end) = self.ends.pop() else { return };
        let start = self.ends.last().copied().unwrap_or(0);
        for slot in start..end {
            let PatternChange { point, is_sharp, old, new } = self.changes[slot];
            self.patterns[point.index()] = old;
            if is_sharp {
                self.shift(point, new, old);
            }
        }
        self.enter(stone, self.patterns[stone.index()]);
    }

    /// Moves an empty point from the threats of its old patterns to those of the new ones.
    #[inline]
    fn shift(&mut self, point: Point, old: PatternPair, new: PatternPair) {
        for color in Color::ALL {
            let (before, after) = (Threat::of(old.of(color)), Threat::of(new.of(color)));
            if before != after {
                self.remove(point, color, before);
                self.insert(point, color, after);
            }
        }
    }

    /// Adds a point that has become empty.
    #[inline]
    fn enter(&mut self, point: Point, patterns: PatternPair) {
        if patterns.is_sharp() {
            Color::ALL.into_iter().for_each(|color| self.insert(point, color, Threat::of(patterns.of(color))));
        }
    }

    /// Takes out a point on which a stone stands now.
    #[inline]
    fn leave(&mut self, point: Point, patterns: PatternPair) {
        if patterns.is_sharp() {
            Color::ALL.into_iter().for_each(|color| self.remove(point, color, Threat::of(patterns.of(color))));
        }
    }

    #[inline]
    fn insert(&mut self, point: Point, color: Color, threat: Threat) {
        if threat != Threat::Nothing {
            self.sets[color][threat as usize].insert(point);
            self.counts[color][threat as usize] += 1;
        }
    }

    #[inline]
    fn remove(&mut self, point: Point, color: Color, threat: Threat) {
        if threat != Threat::Nothing {
            self.sets[color][threat as usize].remove(point);
            self.counts[color][threat as usize] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::ByDirection;

    #[test]
    fn the_greatest_threat_of_four_lines_counts() {
        use Pattern::{Dead, DoubleFour, Five, Four, OpenFour, OpenThree, Overline, Three};
        let threat = |patterns| Threat::of(Patterns::new(ByDirection(patterns)));
        assert_eq!(threat([Dead, Three, Dead, Overline]), Threat::Nothing);
        assert_eq!(threat([Dead, OpenThree, Three, Dead]), Threat::OpenThree);
        assert_eq!(threat([OpenThree, OpenThree, OpenThree, Dead]), Threat::DoubleThree);
        assert_eq!(threat([Three, Four, Dead, Dead]), Threat::Four);
        assert_eq!(threat([OpenThree, Four, OpenThree, Dead]), Threat::FourThree);
        assert_eq!(threat([Four, Four, OpenThree, Dead]), Threat::DoubleFour);
        assert_eq!(threat([DoubleFour, Dead, Dead, Dead]), Threat::DoubleFour);
        assert_eq!(threat([OpenFour, Four, Dead, Dead]), Threat::OpenFour);
        assert_eq!(threat([OpenFour, Four, Five, Dead]), Threat::Five);
    }
}
