//! [`Patterns`] and [`PatternPair`]: the patterns that a stone makes on the four lines through a point.

use super::pattern::{PATTERN_BITS, Pattern};
use crate::board::{ByDirection, Color, Direction};

/// The patterns of one point for one color in the four directions, four bits each.
///
/// The bits are a number below 65,536, which can index a table over all combinations of four patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Patterns(u16);

impl Patterns {
    /// The patterns in the order of [`Direction::ALL`].
    pub fn new(patterns: ByDirection<Pattern>) -> Self {
        let mut set = Self::default();
        for direction in Direction::ALL {
            set.put(direction, patterns[direction]);
        }
        set
    }

    /// The patterns with these [`bits`](Self::bits).
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The pattern in one direction.
    #[inline]
    pub const fn get(self, direction: Direction) -> Pattern {
        Pattern::from_index((self.0 >> (PATTERN_BITS * direction.index()) & 0xF) as usize)
    }

    /// The same with another pattern in one direction.
    #[inline]
    #[must_use]
    pub const fn with(self, direction: Direction, pattern: Pattern) -> Self {
        let mut patterns = self;
        patterns.put(direction, pattern);
        patterns
    }

    /// The patterns of the four directions as one number.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The number of directions with this pattern.
    pub const fn count(self, pattern: Pattern) -> usize {
        let mut count = 0;
        let mut rest = self.0;
        let mut direction = 0;
        while direction < Direction::ALL.len() {
            count += (rest & 0xF == pattern.index() as u16) as usize;
            rest >>= PATTERN_BITS;
            direction += 1;
        }
        count
    }

    #[inline]
    const fn put(&mut self, direction: Direction, pattern: Pattern) {
        let shift = PATTERN_BITS * direction.index();
        self.0 = self.0 & !(0xF << shift) | (pattern.index() as u16) << shift;
    }
}

/// The patterns of one point for both colors in one word, so that both change at once. Black's are the low half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternPair(u32);

impl PatternPair {
    /// The patterns of this color.
    #[inline]
    pub const fn of(self, color: Color) -> Patterns {
        Patterns((self.0 >> (u16::BITS as usize * color.index())) as u16)
    }

    /// Whether either color would make an open three or more on the line in this direction.
    #[inline]
    pub(super) const fn is_sharp_along(self, direction: Direction) -> bool {
        const { assert!(Pattern::OpenThree.index() == 0b0111 && Pattern::ALL.len() < 0b1111) };
        // Adding one carries into the top bit of the four if the pattern is an open three or more, and no further.
        let shift = PATTERN_BITS * direction.index();
        (self.0 + (0x0001_0001 << shift)) & 0x0008_0008 << shift != 0
    }

    #[inline]
    pub(super) const fn with(self, direction: Direction, bits: u8) -> Self {
        let (shift, bits) = (PATTERN_BITS * direction.index(), bits as u32);
        let both = (bits | bits << (u16::BITS - PATTERN_BITS as u32)) & 0x000F_000F;
        Self(self.0 & !(0x000F_000F << shift) | both << shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_sharp_from_an_open_three_on() {
        for direction in Direction::ALL {
            for (black, white) in Pattern::ALL.into_iter().flat_map(|black| Pattern::ALL.map(|white| (black, white))) {
                let pair =
                    PatternPair::default().with(direction, (black.index() | white.index() << PATTERN_BITS) as u8);
                assert_eq!(pair.of(Color::Black), Patterns::default().with(direction, black));
                assert_eq!(pair.of(Color::White), Patterns::default().with(direction, white));
                let is_sharp = black >= Pattern::OpenThree || white >= Pattern::OpenThree;
                for line in Direction::ALL {
                    assert_eq!(pair.is_sharp_along(line), is_sharp && line == direction, "{black} {white}");
                }
            }
        }
    }
}
