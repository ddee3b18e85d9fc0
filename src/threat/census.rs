//! [`Census`]: which empty points make which threats, as sets that move with the cache.

use std::sync::LazyLock;

use super::cache::{PatternPair, Patterns};
use super::pattern::Pattern;
use crate::board::{ByColor, Color, Point, PointSet};

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

/// The empty points of each threat for both colors, with their numbers.
///
/// Whoever owns it tells it of every point that becomes empty, is taken, or changes its threat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    sets: ByColor<[PointSet; THREATS]>,
    counts: ByColor<[u16; THREATS]>,
}

impl Census {
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

    /// Moves an empty point from the threats of its old patterns to those of the new ones.
    #[inline]
    pub fn shift(&mut self, point: Point, old: PatternPair, new: PatternPair) {
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
    pub fn enter(&mut self, point: Point, patterns: PatternPair) {
        if patterns.is_sharp() {
            Color::ALL.into_iter().for_each(|color| self.insert(point, color, Threat::of(patterns.of(color))));
        }
    }

    /// Takes out a point on which something stands now.
    #[inline]
    pub fn leave(&mut self, point: Point, patterns: PatternPair) {
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
