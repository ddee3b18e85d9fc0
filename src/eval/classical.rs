//! What an empty point is worth to a side, by the patterns that its stone would make there.

use std::sync::{LazyLock, OnceLock};

use crate::board::{ByColor, ByDirection, Color, Direction, RowRule, Rule};
use crate::threat::{Pattern, Patterns, Threat};

/// The patterns of a point's four lines, whatever their order: one of 1,365.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Combination(u16);

/// The letters by which the files of weights write the patterns, in the order of [`Pattern::ALL`].
const LETTERS: [char; Pattern::ALL.len()] = ['.', '6', 'a', 'A', 'b', 'B', 'c', 'C', 'd', 'D', 'F', '5'];

impl Combination {
    /// The number of combinations: four of twelve patterns with repetition.
    pub const COUNT: usize = 1365;

    /// The combination of these patterns.
    pub fn of(patterns: Patterns) -> Self {
        Combinations::all().of(patterns)
    }

    /// Every combination, by its number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u16).map(Self)
    }

    /// 0..1365.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The patterns, the least first.
    pub fn patterns(self) -> Patterns {
        Combinations::all().patterns[self.index()]
    }

    /// Four letters, as the files of weights write it.
    pub fn letters(self) -> String {
        let patterns = self.patterns();
        Direction::ALL.into_iter().map(|direction| LETTERS[patterns.get(direction).index()]).collect()
    }
}

/// The combination of all patterns, and the sorted patterns of each combination.
///
/// Two look-ups of half the patterns and one of both halves: 13 KB, which stay in the first-level cache where a table of
/// all patterns would not.
pub(super) struct Combinations {
    /// The number of an unordered pair, by the bits of two patterns.
    pair: [u8; 256],
    /// The combination of two pairs.
    both: Box<[[Combination; PAIRS]; PAIRS]>,
    patterns: Vec<Patterns>,
}

/// Unordered pairs of patterns.
const PAIRS: usize = Pattern::ALL.len() * (Pattern::ALL.len() + 1) / 2;

impl Combinations {
    /// The one table there is, filled at its first use (some milliseconds).
    pub(super) fn all() -> &'static Self {
        static ALL: LazyLock<Combinations> = LazyLock::new(Combinations::new);
        &ALL
    }

    fn new() -> Self {
        let sorted = |bits: u16| {
            let mut patterns = Direction::ALL.map(|direction| Patterns::from_bits(bits).get(direction));
            patterns.sort_unstable();
            Patterns::new(ByDirection(patterns))
        };
        let mut order: Vec<_> = (0..=u16::MAX).map(|bits| sorted(bits).bits()).collect();
        order.sort_unstable();
        order.dedup();
        let mut pair = [0; 256];
        let mut both = Box::new([[Combination(0); PAIRS]; PAIRS]);
        let mut pairs = Vec::with_capacity(PAIRS);
        for bits in 0..=u8::MAX {
            // As the two last of four patterns, the least first.
            let key = sorted(bits.into()).bits();
            let number = pairs.iter().position(|&other| other == key).unwrap_or(pairs.len());
            if number == pairs.len() {
                pairs.push(key);
            }
            pair[usize::from(bits)] = number as u8;
        }
        for bits in 0..=u16::MAX {
            let [low, high] = bits.to_le_bytes().map(|half| usize::from(pair[usize::from(half)]));
            both[low][high] = Combination(order.partition_point(|&other| other < sorted(bits).bits()) as u16);
        }
        Self { pair, both, patterns: order.into_iter().map(Patterns::from_bits).collect() }
    }

    /// The combination of these patterns.
    #[inline]
    pub(super) fn of(&self, patterns: Patterns) -> Combination {
        let [low, high] = patterns.bits().to_le_bytes();
        self.both[usize::from(self.pair[usize::from(low)])][usize::from(self.pair[usize::from(high)])]
    }
}

/// What the patterns of a point mean to their color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worth {
    /// What the point adds to the evaluation where the color is to move.
    pub(super) mover: i16,
    /// What it adds where the other color is to move.
    pub(super) other: i16,
    /// How promising a move of the color looks by what it makes there.
    pub(super) gain: i16,
    /// How promising a move of the other color looks by what it takes away there.
    pub(super) denial: i16,
    /// What the four lines make together.
    pub(super) threat: Threat,
}

/// The worth of every combination for both colors.
pub(super) type Table = ByColor<&'static [Worth; Combination::COUNT]>;

/// Units of [`Worth`] in one unit of a score.
pub(super) const UNIT: i32 = 8;

/// The score at which the chance to win is 1 / (1 + 1/e) = 73 %: the chance is the logistic function of score / scale.
pub const SCALE: f32 = 200.0;

/// Units of the files of weights for a logit of one.
pub const LOGIT: f32 = SCALE * UNIT as f32;

/// The fitted weights, a file for each player that rules tell apart: four letters, worth as the mover, worth as the
/// other, gain, denial.
const FILES: [&str; 5] = [
    include_str!("weights/freestyle.txt"),
    include_str!("weights/standard.txt"),
    include_str!("weights/renju_black.txt"),
    include_str!("weights/renju_white.txt"),
    include_str!("weights/caro.txt"),
];

/// The file of a color under a rule.
const fn file(rule: Rule, color: Color) -> usize {
    match (rule, rule.row(color)) {
        (Rule::Renju, RowRule::ExactlyFive) => 2,
        (Rule::Renju, _) => 3,
        (_, RowRule::FiveOrMore) => 0,
        (_, RowRule::ExactlyFive) => 1,
        (_, RowRule::CaroOverline | RowRule::Caro) => 4,
    }
}

/// The table of a rule, filled at its first use (some milliseconds) and kept.
pub(super) fn table(rule: Rule) -> Table {
    static TABLES: [OnceLock<Box<[Worth; Combination::COUNT]>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    ByColor(Color::ALL.map(|color| {
        let file = file(rule, color);
        &**TABLES[file].get_or_init(|| read(FILES[file]))
    }))
}

/// Reads a file of weights; a combination that it does not name is worth nothing.
fn read(text: &str) -> Box<[Worth; Combination::COUNT]> {
    let nothing = Worth { mover: 0, other: 0, gain: 0, denial: 0, threat: Threat::Nothing };
    let mut worths = Box::new([nothing; Combination::COUNT]);
    for combination in Combination::all() {
        worths[combination.index()].threat = Threat::of(combination.patterns());
    }
    for line in text.lines() {
        let Some((letters, numbers)) = line.split_once(' ') else { continue };
        let patterns = letters.chars().filter_map(|letter| LETTERS.iter().position(|&other| other == letter));
        let mut found = ByDirection([Pattern::Dead; 4]);
        found.0.iter_mut().zip(patterns).for_each(|(slot, index)| *slot = Pattern::from_index(index));
        let numbers: Vec<_> = numbers.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        if let [mover, other, gain, denial] = numbers[..] {
            let worth = &mut worths[Combination::of(Patterns::new(found)).index()];
            *worth = Worth { mover, other, gain, denial, threat: worth.threat };
        }
    }
    worths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_forget_the_order_of_the_lines_and_nothing_else() {
        assert_eq!(Combination::all().count(), Combinations::all().patterns.len());
        for combination in Combination::all() {
            assert_eq!(Combination::of(combination.patterns()), combination);
        }
        let patterns = |list| Patterns::new(ByDirection(list));
        let [a, b, c] = [Pattern::OpenThree, Pattern::Four, Pattern::Two];
        assert_eq!(Combination::of(patterns([a, b, c, a])), Combination::of(patterns([c, a, a, b])));
        assert_ne!(Combination::of(patterns([a, b, c, a])), Combination::of(patterns([c, a, b, b])));
    }

    #[test]
    fn every_line_of_the_weights_is_read() {
        for text in FILES {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            for line in lines {
                let words: Vec<_> = line.split_whitespace().collect();
                assert_eq!(words.len(), 5, "{line}");
                assert!(words[0].chars().count() == 4 && words[0].chars().all(|letter| LETTERS.contains(&letter)));
                assert!(words[1..].iter().all(|word| word.parse::<i16>().is_ok()), "{line}");
            }
        }
    }
}
