//! [`ThreatSets`]: the empty points by the threat that they make, updated with the cache.

use super::cache::{Delta, ThreatCache, WINDOW_CHANGES};
use super::pattern::{Pattern, PatternTable};
use super::patterns::{PatternPair, Patterns};
use crate::board::{Board, ByColor, Color, Direction, POINT_SLOTS, Point, PointSet};

/// The threat that a stone makes on its four lines together. The greatest that holds counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Threat {
    /// No threat.
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
    /// The threats to make five with the next stone, the strongest first.
    pub const FOURS: [Self; 4] = [Self::OpenFour, Self::DoubleFour, Self::FourThree, Self::Four];

    /// The threat that these patterns make together.
    #[inline]
    pub fn of(patterns: Patterns) -> Self {
        TABLE[patterns.bits() as usize]
    }

    /// The definition of the threats by the number of fives, open fours, fours and open threes.
    const fn classify(counts: [u8; 4]) -> Self {
        let [fives, open_fours, fours, open_threes] = counts;
        match (fives, open_fours, fours, open_threes) {
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

    /// The numbers that a line of this pattern adds to those of [`classify`](Self::classify), one byte each. A double
    /// four counts as two fours.
    const fn counts(pattern: Pattern) -> u32 {
        u32::from_le_bytes(match pattern {
            Pattern::Five => [1, 0, 0, 0],
            Pattern::OpenFour => [0, 1, 0, 0],
            Pattern::DoubleFour => [0, 0, 2, 0],
            Pattern::Four => [0, 0, 1, 0],
            Pattern::OpenThree => [0, 0, 0, 1],
            _ => [0; 4],
        })
    }
}

/// The threat of every combination of four patterns: 64 KB, computed at compile time.
static TABLE: [Threat; 1 << u16::BITS] = {
    let mut counts = [0; 16];
    let mut pattern = 0;
    while pattern < counts.len() {
        counts[pattern] = Threat::counts(Pattern::from_index(pattern));
        pattern += 1;
    }
    let mut table = [Threat::Nothing; 1 << u16::BITS];
    let mut bits = 0;
    while bits < table.len() {
        let lines = counts[bits & 15] + counts[bits >> 4 & 15] + counts[bits >> 8 & 15] + counts[bits >> 12];
        table[bits] = Threat::classify(lines.to_le_bytes());
        bits += 1;
    }
    table
};

/// The change of an empty point's patterns by a stone on one of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternChange {
    /// The empty point.
    pub point: Point,
    /// The line that has changed.
    direction: Direction,
    /// The patterns before.
    pub old: PatternPair,
    /// The patterns now.
    pub new: PatternPair,
}

impl PatternChange {
    /// Whether the line had, or has, an open three or more for either color. Only then can the point's threat have
    /// changed.
    #[inline]
    const fn is_sharp(&self) -> bool {
        self.old.is_sharp_along(self.direction) | self.new.is_sharp_along(self.direction)
    }
}

/// The change of the threat that one color makes on an empty point.
#[derive(Clone, Copy)]
struct ThreatChange {
    point: Point,
    color: Color,
    old: Threat,
    new: Threat,
}

/// The ends of a stone's changes, as indices.
#[derive(Clone, Copy, Default)]
struct Ends {
    patterns: usize,
    threats: usize,
}

/// The patterns of every empty point, and for each color the set of points that make each threat.
///
/// Applies the deltas of a [`ThreatCache`] and undoes them from its own stack. Like its windows, the patterns of a
/// point stay unchanged while it is occupied.
pub struct ThreatSets {
    table: &'static PatternTable,
    patterns: Box<[PatternPair; POINT_SLOTS]>,
    sets: ByColor<[PointSet; THREATS]>,
    counts: ByColor<[u16; THREATS]>,
    /// The ends of each stone's changes.
    ends: Vec<Ends>,
    /// The changes of the patterns by all stones in order. Entries after the last stone's are stale.
    changes: Vec<PatternChange>,
    /// The same for the threats.
    threats: Vec<ThreatChange>,
}

/// Compares the sets and counts, not the undo stacks.
impl PartialEq for ThreatSets {
    fn eq(&self, other: &Self) -> bool {
        self.sets == other.sets && self.counts == other.counts
    }
}

impl ThreatSets {
    /// The sets of a position, from scratch, with an empty undo stack.
    pub fn new(board: &Board, cache: &ThreatCache) -> Self {
        let mut sets = Self {
            table: PatternTable::of(board.rule()),
            patterns: Box::new([PatternPair::default(); POINT_SLOTS]),
            sets: ByColor::default(),
            counts: ByColor::default(),
            ends: Vec::new(),
            changes: Vec::new(),
            threats: Vec::new(),
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

    /// The patterns that a stone of either color would make on an empty point.
    #[inline]
    pub fn pattern_pair(&self, point: Point) -> PatternPair {
        self.patterns[point.index()]
    }

    /// The threat that a stone of this color makes on an empty point.
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        Threat::of(self.patterns[point.index()].of(color))
    }

    /// The empty points whose patterns a stone has changed; the first stone pushed is number 0.
    #[inline]
    pub fn changes(&self, number: usize) -> &[PatternChange] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before].patterns);
        &self.changes[start..self.ends[number].patterns]
    }

    /// Follows a stone.
    #[inline]
    pub fn push(&mut self, delta: Delta<'_>) {
        let start = self.ends.last().copied().unwrap_or_default();
        self.reserve(start, delta.point);
        self.leave(delta.point, self.patterns[delta.point.index()]);
        // Whether a window changes a pattern or a threat is unpredictable, so each slot is written, and kept or overwritten.
        let slots = &mut self.changes[start.patterns..][..WINDOW_CHANGES];
        let mut sharp = [0_u8; WINDOW_CHANGES];
        let (mut count, mut sharp_count) = (0, 0);
        let table = self.table;
        for window in delta.windows {
            let pair = &mut self.patterns[window.point.index()];
            let (old, new) = (*pair, pair.with(window.direction, table.bits(window.new)));
            *pair = new;
            let change = PatternChange { point: window.point, direction: window.direction, old, new };
            slots[count] = change;
            sharp[sharp_count] = count as u8;
            sharp_count += usize::from((old != new) & change.is_sharp());
            count += usize::from(old != new);
        }
        let threats = &mut self.threats[start.threats..][..2 * WINDOW_CHANGES];
        let mut threat_count = 0;
        for &slot in &sharp[..sharp_count] {
            let change = slots[usize::from(slot)];
            for color in Color::ALL {
                let (old, new) = (Threat::of(change.old.of(color)), Threat::of(change.new.of(color)));
                threats[threat_count] = ThreatChange { point: change.point, color, old, new };
                threat_count += usize::from(old != new);
            }
        }
        let end = Ends { patterns: start.patterns + count, threats: start.threats + threat_count };
        for index in start.threats..end.threats {
            let ThreatChange { point, color, old, new } = self.threats[index];
            self.remove(point, color, old);
            self.insert(point, color, new);
        }
        self.ends.push(end);
    }

    /// Makes room for the changes of one more stone.
    #[inline]
    fn reserve(&mut self, start: Ends, point: Point) {
        if self.changes.len() < start.patterns + WINDOW_CHANGES {
            let nothing = PatternPair::default();
            let nothing = PatternChange { point, direction: Direction::Horizontal, old: nothing, new: nothing };
            self.changes.resize(start.patterns + WINDOW_CHANGES, nothing);
        }
        if self.threats.len() < start.threats + 2 * WINDOW_CHANGES {
            let nothing = ThreatChange { point, color: Color::Black, old: Threat::Nothing, new: Threat::Nothing };
            self.threats.resize(start.threats + 2 * WINDOW_CHANGES, nothing);
        }
    }

    /// Undoes the stone that was pushed last, which stood on this point.
    #[inline]
    pub fn pop(&mut self, stone: Point) {
        let Some(end) = self.ends.pop() else { return };
        let start = self.ends.last().copied().unwrap_or_default();
        for change in &self.changes[start.patterns..end.patterns] {
            self.patterns[change.point.index()] = change.old;
        }
        for index in start.threats..end.threats {
            let ThreatChange { point, color, old, new } = self.threats[index];
            self.remove(point, color, new);
            self.insert(point, color, old);
        }
        self.enter(stone, self.patterns[stone.index()]);
    }

    /// Adds a point that has become empty.
    #[inline]
    fn enter(&mut self, point: Point, patterns: PatternPair) {
        Color::ALL.into_iter().for_each(|color| self.insert(point, color, Threat::of(patterns.of(color))));
    }

    /// Removes a point that has become occupied.
    #[inline]
    fn leave(&mut self, point: Point, patterns: PatternPair) {
        Color::ALL.into_iter().for_each(|color| self.remove(point, color, Threat::of(patterns.of(color))));
    }

    #[inline]
    fn insert(&mut self, point: Point, color: Color, threat: Threat) {
        self.sets[color][threat as usize].insert(point);
        self.counts[color][threat as usize] += 1;
    }

    #[inline]
    fn remove(&mut self, point: Point, color: Color, threat: Threat) {
        self.sets[color][threat as usize].remove(point);
        self.counts[color][threat as usize] -= 1;
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
