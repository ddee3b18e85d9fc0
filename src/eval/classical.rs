//! What an empty point is worth to a side, by the patterns that its stone would make there.

use std::sync::OnceLock;

use super::combination::Combination;
use crate::board::{ByColor, Color, RowRule, Rule};
use crate::score::Score;
use crate::threat::Threat;

/// Units of the one hidden layer.
pub const UNITS: usize = 16;

/// The numbers of the hidden units.
pub(super) type Units = [i16; UNITS];

/// What one point adds to the evaluation of a position, in one role: to the score itself, and to the hidden units, which
/// see what the points mean together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) score: i16,
    pub(super) units: Units,
}

/// What the patterns of a point mean to their color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worth {
    /// How promising a move of the color looks by what it makes there.
    pub(super) gain: i16,
    /// How promising a move of the other color looks by what it takes away there.
    pub(super) denial: i16,
    /// What the four lines make together.
    pub(super) threat: Threat,
}

/// The weights of one player.
///
/// ```text
/// empty points ──► score      Σ share of the mover + Σ share of the other ───────────────────┐
///              └─► 16 units   max(0, bias + Σ share of the mover + Σ share of the other) ──► output ──► evaluation
/// ```
pub(super) struct Weights {
    pub(super) worths: [Worth; Combination::COUNT],
    /// By combination: where the color is to move, and where the other is.
    pub(super) shares: [[Share; 2]; Combination::COUNT],
    /// Of the units where the color is to move.
    bias: Units,
    output: Units,
}

/// The weights of both colors.
pub(super) type Table = ByColor<&'static Weights>;

/// The score at which the chance to win is 1 / (1 + 1/e) = 73 %: the chance is the logistic function of score / scale.
pub const SCALE: f32 = 200.0;

/// How a number becomes a whole one in the files of weights.
#[derive(Clone, Copy, Debug)]
pub struct Quantum;

impl Quantum {
    /// Of the score, for a logit of one.
    pub const LOGIT: f32 = SCALE * Self::SCORE as f32;
    /// Of the sum of shares for one unit of a score.
    const SCORE: i32 = 8;
    /// Of a hidden unit.
    pub const UNIT: f32 = 512.0;
    /// Of its output.
    pub const OUTPUT: f32 = 256.0;
    /// Of gain and denial, for a move that is e times as likely to be the best.
    pub const PROMISE: f32 = 100.0;
    /// The greatest output: sixteen greatest units times it do not overflow.
    pub const MAX_OUTPUT: f32 = 4095.0;
    /// The sum of units times outputs for one unit of a score.
    const HIDDEN: i32 = (Self::UNIT * Self::OUTPUT / SCALE) as i32;
}

impl Weights {
    /// The evaluation for this color, which is to move, by the sums over the empty points of both.
    #[inline]
    pub(super) fn evaluate(&self, mover: &Sum, other: &Sum) -> Score {
        let mut hidden = 0;
        for unit in 0..UNITS {
            let sum = self.bias[unit].wrapping_add(mover.units[unit]).wrapping_add(other.units[unit]);
            hidden += i32::from(sum.max(0)) * i32::from(self.output[unit]);
        }
        Score::from_eval((mover.score + other.score) / Quantum::SCORE + hidden / Quantum::HIDDEN)
    }
}

/// The sum of shares over some points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    score: i32,
    units: Units,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, share: &Share) {
        self.score += i32::from(share.score);
        for unit in 0..UNITS {
            self.units[unit] = self.units[unit].wrapping_add(share.units[unit]);
        }
    }

    #[inline]
    pub(super) fn subtract(&mut self, share: &Share) {
        self.score -= i32::from(share.score);
        for unit in 0..UNITS {
            self.units[unit] = self.units[unit].wrapping_sub(share.units[unit]);
        }
    }

    /// One point's share becomes another.
    #[inline]
    pub(super) fn shift(&mut self, old: &Share, new: &Share) {
        self.score += i32::from(new.score) - i32::from(old.score);
        for unit in 0..UNITS {
            self.units[unit] = self.units[unit].wrapping_add(new.units[unit].wrapping_sub(old.units[unit]));
        }
    }
}

/// The fitted weights, a file for each player that rules tell apart. A line is four letters; gain, denial; the share of
/// the score and of the units as the mover; the same as the other. Two more lines hold the bias and the output.
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

/// The weights of a rule, read at their first use (some milliseconds) and kept.
pub(super) fn table(rule: Rule) -> Table {
    static TABLES: [OnceLock<Box<Weights>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    ByColor(Color::ALL.map(|color| {
        let file = file(rule, color);
        &**TABLES[file].get_or_init(|| read(FILES[file]))
    }))
}

/// Reads a file of weights; a combination that it does not name is worth nothing.
fn read(text: &str) -> Box<Weights> {
    let nothing = Worth { gain: 0, denial: 0, threat: Threat::Nothing };
    let mut weights = Box::new(Weights {
        worths: [nothing; Combination::COUNT],
        shares: [[Share::default(); 2]; Combination::COUNT],
        bias: Units::default(),
        output: Units::default(),
    });
    for combination in Combination::all() {
        weights.worths[combination.index()].threat = Threat::of(combination.patterns());
    }
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let mut numbers = words.map_while(|word| word.parse().ok());
        let mut next = || numbers.next().unwrap_or_default();
        match name {
            "bias" => weights.bias.iter_mut().for_each(|number| *number = next()),
            "output" => weights.output.iter_mut().for_each(|number| *number = next()),
            _ => {
                let Some(index) = Combination::from_letters(name).map(Combination::index) else { continue };
                (weights.worths[index].gain, weights.worths[index].denial) = (next(), next());
                for share in &mut weights.shares[index] {
                    share.score = next();
                    share.units.iter_mut().for_each(|number| *number = next());
                }
            }
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_weights_is_read() {
        for text in FILES {
            let mut names: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
            for line in &mut names {
                let (name, numbers) = line.split_once(' ').unwrap();
                let numbers: Vec<i16> = numbers.split_whitespace().map(|word| word.parse().unwrap()).collect();
                let expected = if name.len() == 4 && name != "bias" { 2 + 2 * (1 + UNITS) } else { UNITS };
                assert_eq!(numbers.len(), expected, "{name}");
                *line = name;
            }
            let combinations = names.iter().filter_map(|name| Combination::from_letters(name)).count();
            assert_eq!(combinations, Combination::COUNT);
            assert!(names.contains(&"bias") && names.contains(&"output") && names.len() == combinations + 2);
        }
    }
}
