//! [`Combination`]: the patterns of a point's four lines in any order.

use std::sync::LazyLock;

use crate::board::{ByDirection, Direction};
use crate::threat::{Pattern, Patterns};

/// The patterns of a point's four lines in any order: one of 1,365.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Combination(u16);

/// The letters of the patterns in files of weights, in the order of [`Pattern::ALL`].
const LETTERS: [char; Pattern::ALL.len()] = ['.', '6', 'a', 'A', 'b', 'B', 'c', 'C', 'd', 'D', 'F', '5'];

impl Combination {
    /// Number of combinations: four of twelve patterns with repetition.
    pub const COUNT: usize = 1365;

    /// The combination of these patterns.
    pub fn of(patterns: Patterns) -> Self {
        Combinations::all().of(patterns)
    }

    /// Every combination, by its number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u16).map(Self)
    }

    /// The number of the combination, 0..1365.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The patterns in ascending order.
    pub fn patterns(self) -> Patterns {
        Combinations::all().patterns[self.index()]
    }

    /// Reads four [`letters`](Self::letters).
    pub fn from_letters(text: &str) -> Option<Self> {
        let mut patterns = ByDirection([Pattern::Dead; 4]);
        let mut letters = text.chars();
        for pattern in &mut patterns.0 {
            let letter = letters.next()?;
            *pattern = Pattern::from_index(LETTERS.iter().position(|&other| other == letter)?);
        }
        letters.next().is_none().then(|| Self::of(Patterns::new(patterns)))
    }

    /// The four letters in files of weights.
    pub fn letters(self) -> String {
        let patterns = self.patterns();
        Direction::ALL.into_iter().map(|direction| LETTERS[patterns.get(direction).index()]).collect()
    }
}

/// The tables between patterns and combinations.
pub(super) struct Combinations {
    numbers: ByPatterns<Combination>,
    patterns: Vec<Patterns>,
}

/// A value of each combination, found by the patterns of a point.
///
/// That takes two look-ups of pairs and one of both pairs. A table of 16-bit values has 12 KB and stays in the first-level
/// cache, unlike a table of all patterns.
pub(in crate::eval) struct ByPatterns<T>(Box<[[T; PAIRS]; PAIRS]>);

impl<T: Copy> ByPatterns<T> {
    /// The table of these values.
    pub(in crate::eval) fn new(value: impl Fn(Combination) -> T) -> Self {
        Self(Box::new(Combinations::all().numbers.0.map(|row| row.map(&value))))
    }

    /// The value of the combination of these patterns.
    #[inline]
    pub(in crate::eval) fn of(&self, patterns: Patterns) -> T {
        let [low, high] = patterns.bits().to_le_bytes().map(|bits| usize::from(PAIR[usize::from(bits)]));
        self.0[low][high]
    }
}

/// Unordered pairs of patterns.
const PAIRS: usize = Pattern::ALL.len() * (Pattern::ALL.len() + 1) / 2;

/// The number of an unordered pair, by the bits of two patterns: `(0, 0)`, `(0, 1)` … `(0, 11)`, `(1, 1)` …
static PAIR: [u8; 256] = {
    let mut numbers = [0; 256];
    let mut bits = 0;
    while bits < numbers.len() {
        let [one, other] = [Pattern::from_index(bits & 0xF).index(), Pattern::from_index(bits >> 4).index()];
        let (least, greatest) = if one < other { (one, other) } else { (other, one) };
        numbers[bits] = (least * (2 * Pattern::ALL.len() - 1 - least) / 2 + greatest) as u8;
        bits += 1;
    }
    numbers
};

impl Combinations {
    /// The tables, filled at the first use (some milliseconds).
    pub(super) fn all() -> &'static Self {
        static ALL: LazyLock<Combinations> = LazyLock::new(Combinations::new);
        &ALL
    }

    fn new() -> Self {
        let all = Pattern::ALL;
        let from = |least: Pattern| all[least.index()..].iter().copied();
        let pairs: Vec<_> = all.into_iter().flat_map(|a| from(a).map(move |b| [a, b])).collect();
        let sorted = |[a, b]: [Pattern; 2], [c, d]: [Pattern; 2]| {
            let mut patterns = [a, b, c, d];
            patterns.sort_unstable();
            Patterns::new(ByDirection(patterns)).bits()
        };
        let mut order: Vec<_> =
            pairs.iter().flat_map(|&low| pairs.iter().map(move |&high| sorted(low, high))).collect();
        order.sort_unstable();
        order.dedup();
        let mut both = Box::new([[Combination(0); PAIRS]; PAIRS]);
        for (&low, row) in pairs.iter().zip(both.iter_mut()) {
            for (&high, combination) in pairs.iter().zip(row) {
                *combination = Combination(order.partition_point(|&other| other < sorted(low, high)) as u16);
            }
        }
        Self { numbers: ByPatterns(both), patterns: order.into_iter().map(Patterns::from_bits).collect() }
    }

    /// The combination of these patterns.
    #[inline]
    pub(super) fn of(&self, patterns: Patterns) -> Combination {
        self.numbers.of(patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_forget_the_order_of_the_lines_and_nothing_else() {
        assert_eq!(Combination::all().count(), Combinations::all().patterns.len());
        for combination in Combination::all() {
            assert_eq!(Combination::of(combination.patterns()), combination);
            assert_eq!(Combination::from_letters(&combination.letters()), Some(combination));
        }
        let patterns = |list| Patterns::new(ByDirection(list));
        let [a, b, c] = [Pattern::OpenThree, Pattern::Four, Pattern::Two];
        assert_eq!(Combination::of(patterns([a, b, c, a])), Combination::of(patterns([c, a, a, b])));
        assert_ne!(Combination::of(patterns([a, b, c, a])), Combination::of(patterns([c, a, b, b])));
    }
}
