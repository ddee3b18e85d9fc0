//! What an empty point is worth to a side, by the patterns that its stone would make there.

use std::sync::{LazyLock, OnceLock};

use crate::board::{ByColor, Color, Direction, RowRule, Rule};
use crate::threat::{Pattern, Patterns, Threat};

/// The patterns of a point's four lines, whatever their order: one of 1,365.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Combination(u16);

/// The letters by which the files of weights write the patterns, in the order of [`Pattern::ALL`].
const LETTERS: [char; Pattern::ALL.len()] = ['.', '6', 'a', 'A', 'b', 'B', 'c', 'C', 'd', 'D', 'F', '5'];

impl Combination {
    /// The number of combinations: four of twelve patterns with repetition.
    pub const COUNT: usize = 1365;

    /// The combination of these patterns.
    pub fn of(patterns: Patterns) -> Self {
        COMBINATIONS.0[patterns.bits() as usize]
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
        COMBINATIONS.1[self.index()]
    }

    /// Four letters, as the files of weights write it.
    pub fn letters(self) -> String {
        let patterns = self.patterns();
        Direction::ALL.into_iter().map(|direction| LETTERS[patterns.get(direction).index()]).collect()
    }
}

/// The combination of all patterns, and the sorted patterns of each combination.
static COMBINATIONS: LazyLock<(Box<[Combination]>, Vec<Patterns>)> = LazyLock::new(|| {
    let sorted = |bits: u16| {
        let mut patterns = Direction::ALL.map(|direction| Patterns::from_bits(bits).get(direction));
        patterns.sort_unstable();
        Patterns::new(crate::board::ByDirection(patterns))
    };
    let mut order: Vec<_> = (0..=u16::MAX).map(|bits| sorted(bits).bits()).collect();
    order.sort_unstable();
    order.dedup();
    let number = |bits: u16| Combination(order.partition_point(|&other| other < sorted(bits).bits()) as u16);
    let numbers = (0..=u16::MAX).map(number).collect();
    (numbers, order.into_iter().map(Patterns::from_bits).collect())
});

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

/// The worth of every combination of four patterns for both colors, indexed by [`Patterns::bits`].
pub(super) type Table = ByColor<&'static [Worth]>;

/// Units of [`Worth`] in one unit of a score.
pub(super) const UNIT: i32 = 8;

/// The score at which the chance to win is 1 / (1 + 1/e) = 73 %: the chance is the logistic function of score / scale.
pub const SCALE: f32 = 200.0;

/// Units of the files of weights for a logit of one.
pub const LOGIT: f32 = SCALE * UNIT as f32;

/// The fitted weights, a file for each player that rules tell apart: four letters, worth as the mover, worth as the
/// other.
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
    static TABLES: [OnceLock<Box<[Worth]>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    ByColor(Color::ALL.map(|color| {
        let file = file(rule, color);
        &**TABLES[file].get_or_init(|| read(FILES[file]))
    }))
}

/// Reads a file of weights; a combination that it does not name is worth nothing.
fn read(text: &str) -> Box<[Worth]> {
    let mut worths = vec![(0, 0); Combination::COUNT];
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(letters), Some(mover), Some(other)) = (words.next(), words.next(), words.next()) else { continue };
        let patterns = letters.chars().filter_map(|letter| LETTERS.iter().position(|&other| other == letter));
        let mut found = crate::board::ByDirection([Pattern::Dead; 4]);
        found.0.iter_mut().zip(patterns).for_each(|(slot, index)| *slot = Pattern::from_index(index));
        if let (Ok(mover), Ok(other)) = (mover.parse(), other.parse()) {
            worths[Combination::of(Patterns::new(found)).index()] = (mover, other);
        }
    }
    let worth = |bits| {
        let patterns = Patterns::from_bits(bits);
        let (mover, other) = worths[Combination::of(patterns).index()];
        let (gain, denial) = promise(patterns);
        Worth { mover, other, gain, denial, threat: Threat::of(patterns) }
    };
    (0..=u16::MAX).map(worth).collect()
}

/// Gain and denial of a point, for the order of moves: each line by its pattern, and what they make together.
fn promise(patterns: Patterns) -> (i16, i16) {
    let line = |direction| match patterns.get(direction) {
        Pattern::Dead | Pattern::Overline => 0,
        Pattern::One => 3,
        Pattern::OpenOne => 12,
        Pattern::Two => 20,
        Pattern::OpenTwo => 55,
        Pattern::Three => 60,
        Pattern::OpenThree => 250,
        Pattern::Four => 240,
        Pattern::DoubleFour | Pattern::OpenFour | Pattern::Five => 500,
    };
    let lines: i16 = Direction::ALL.into_iter().map(line).sum();
    let (gain, denial) = match Threat::of(patterns) {
        Threat::Nothing | Threat::OpenThree | Threat::Four => (0, 0),
        Threat::DoubleThree => (700, 400),
        Threat::FourThree => (3000, 1200),
        Threat::DoubleFour => (5000, 2000),
        Threat::OpenFour => (6000, 2000),
        Threat::Five => (12_000, 9000),
    };
    (lines + gain, lines * 3 / 4 + denial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_forget_the_order_of_the_lines_and_nothing_else() {
        assert_eq!(Combination::all().count(), COMBINATIONS.1.len());
        for combination in Combination::all() {
            assert_eq!(Combination::of(combination.patterns()), combination);
        }
        let patterns = |list| Patterns::new(crate::board::ByDirection(list));
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
                assert_eq!(words.len(), 3, "{line}");
                assert!(words[0].chars().count() == 4 && words[0].chars().all(|letter| LETTERS.contains(&letter)));
                assert!(words[1..].iter().all(|word| word.parse::<i16>().is_ok()), "{line}");
            }
        }
    }
}
