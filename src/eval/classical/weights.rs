//! The fitted weights: the contribution of an empty point to a side's evaluation, by the patterns of the side's stone
//! there.

use std::sync::OnceLock;

use thiserror::Error;

use super::combination::Combination;
use crate::board::{ByColor, Color, Rule};
use crate::score::Score;
use crate::text::Quoted;

/// Units of the one hidden layer.
pub const UNITS: usize = 16;

/// The values of the hidden units.
pub(super) type Units = [i16; UNITS];

/// The contribution of one point to the evaluation: to the linear score, and to the hidden units, which combine the points.
/// A threat is worth more to the side that may carry it out now. Therefore each color contributes in two roles: as the
/// side to move, and as the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contribution {
    /// As the side to move, and as the other.
    pub(super) scores: [i16; ROLES],
    /// The units as the side to move, then as the other: one row, which one loop adds.
    pub(super) units: [i16; ROLES * UNITS],
}

/// The roles of a color: the side to move, the other.
pub(super) const ROLES: usize = 2;

impl Contribution {
    const NONE: Self = Self { scores: [0; ROLES], units: [0; ROLES * UNITS] };
}

/// The prior of a move by the patterns of one color at its point, in hundredths of a softmax logit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MovePrior {
    /// For a move of the color: the patterns that it makes.
    pub(super) attack: i16,
    /// For a move of the other color: the patterns that it takes away.
    pub(super) defence: i16,
}

/// The weights of one player.
///
/// ```text
/// empty points ──► score      Σ contributions of the mover + Σ contributions of the other ───────────────────┐
///              └─► 16 units   max(0, bias + Σ contributions of the mover + Σ of the other) ──► output ──► evaluation
/// ```
pub(super) struct Weights {
    pub(super) priors: [MovePrior; Combination::COUNT],
    pub(super) contributions: [Contribution; Combination::COUNT],
    /// Bias of the units if the color is to move.
    bias: Units,
    output: Units,
}

/// The weights of both colors.
pub(super) type Table = ByColor<&'static Weights>;

/// The scales of the 16-bit numbers in files of weights.
#[derive(Clone, Copy, Debug)]
pub struct Quantization;

impl Quantization {
    /// A score contribution of one logit of winning.
    pub const LOGIT: f32 = Score::CHANCE_SCALE * Self::SCORE as f32;
    /// Score contributions in one unit of a [`Score`].
    const SCORE: i32 = 8;
    /// A hidden unit of 1.
    pub const UNIT: f32 = 512.0;
    /// An output weight of 1.
    pub const OUTPUT: f32 = 256.0;
    /// A prior of one logit.
    pub const PRIOR: f32 = 100.0;
    /// The greatest output weight in a file: 16 · 32,767 · 4,095 fits 32 bits.
    pub const MAX_OUTPUT: f32 = 4095.0;
    /// Units times outputs in one unit of a [`Score`].
    const HIDDEN: i32 = (Self::UNIT * Self::OUTPUT / Score::CHANCE_SCALE) as i32;
}

impl Weights {
    /// The evaluation for this color, which is to move, from the sums of both colors over the empty points.
    #[inline]
    pub(super) fn evaluate(&self, mover: &PointSum, other: &PointSum) -> Score {
        let mut hidden = 0;
        for unit in 0..UNITS {
            let sum = self.bias[unit].wrapping_add(mover.units[unit]).wrapping_add(other.units[UNITS + unit]);
            hidden += i32::from(sum.max(0)) * i32::from(self.output[unit]);
        }
        Score::from_eval((mover.scores[0] + other.scores[1]) / Quantization::SCORE + hidden / Quantization::HIDDEN)
    }
}

/// The sum of the contributions of one color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointSum {
    scores: [i32; ROLES],
    units: [i16; ROLES * UNITS],
}

impl Default for PointSum {
    fn default() -> Self {
        Self { scores: [0; ROLES], units: [0; ROLES * UNITS] }
    }
}

impl PointSum {
    #[inline]
    pub(super) fn add(&mut self, more: &Contribution) {
        self.shift(&Contribution::NONE, more);
    }

    #[inline]
    pub(super) fn subtract(&mut self, less: &Contribution) {
        self.shift(less, &Contribution::NONE);
    }

    /// Replaces one contribution by another.
    #[inline]
    pub(super) fn shift(&mut self, old: &Contribution, new: &Contribution) {
        for role in 0..ROLES {
            self.scores[role] += i32::from(new.scores[role]) - i32::from(old.scores[role]);
        }
        for unit in 0..ROLES * UNITS {
            self.units[unit] = self.units[unit].wrapping_add(new.units[unit].wrapping_sub(old.units[unit]));
        }
    }
}

/// The files of weights, one for each kind of player; `tengen-tune fit` writes them. A line is one of:
///
/// ```text
/// bias     16 units
/// output   16 units
/// 6aA.     attack and defence prior; score and 16 units as the mover; score and 16 units as the other
/// #        a comment
/// ```
///
/// The four letters are a [`Combination`]. A combination without a line contributes nothing.
const FILES: [(&str, &str); 5] = [
    ("freestyle.txt", include_str!("../weights/freestyle.txt")),
    ("standard.txt", include_str!("../weights/standard.txt")),
    ("renju_black.txt", include_str!("../weights/renju_black.txt")),
    ("renju_white.txt", include_str!("../weights/renju_white.txt")),
    ("caro.txt", include_str!("../weights/caro.txt")),
];

/// The file of a color under a rule.
const fn file(rule: Rule, color: Color) -> usize {
    match (rule, color) {
        (Rule::Freestyle, _) => 0,
        (Rule::Standard, _) => 1,
        (Rule::Renju, Color::Black) => 2,
        (Rule::Renju, Color::White) => 3,
        (Rule::CaroOverline | Rule::Caro, _) => 4,
    }
}

/// The names of the files of a rule: black's and white's, or one for both.
pub fn weight_files(rule: Rule) -> impl Iterator<Item = &'static str> {
    Color::ALL.into_iter().take(rule.tables()).map(move |color| FILES[file(rule, color)].0)
}

/// The weights of a rule, parsed at the first use (some milliseconds) and kept.
///
/// # Panics
/// When a built-in file is damaged; the tests rule that out.
pub(super) fn table(rule: Rule) -> Table {
    static TABLES: [OnceLock<Box<Weights>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    ByColor(Color::ALL.map(|color| {
        let file = file(rule, color);
        let parsed = || Weights::parse(FILES[file].1).unwrap_or_else(|error| panic!("built-in weights: {error}"));
        &**TABLES[file].get_or_init(parsed)
    }))
}

/// The parts of a move's prior in logits: by the mover's combination on the point, and by the other side's.
pub fn priors(rule: Rule, mover: Color) -> [Vec<f32>; 2] {
    let table = table(rule);
    let logits = |color: Color, part: fn(&MovePrior) -> i16| {
        table[color].priors.iter().map(|prior| f32::from(part(prior)) / Quantization::PRIOR).collect()
    };
    [logits(mover, |prior| prior.attack), logits(!mover, |prior| prior.defence)]
}

/// Error returned when a file of weights fails to parse.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct WeightsError {
    /// Number of the first invalid line, counted from 1.
    pub line: usize,
    /// The fault of that line.
    pub reason: WeightsFault,
}

/// The fault of a line of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsFault {
    /// It begins with neither a combination nor `bias` nor `output`.
    #[error("{} is not a combination, expected four letters, bias or output", Quoted(.0))]
    Name(String),
    /// A word is not a 16-bit number.
    #[error("{} is not a number from -32768 to 32767", Quoted(.0))]
    Number(String),
    /// An output weight is greater than [`Quantization::MAX_OUTPUT`].
    #[error("output weight {0}, expected -4095 to 4095")]
    Output(i16),
    /// It has the first number of numbers instead of the second.
    #[error("{0} numbers, expected {1}")]
    Count(usize, usize),
}

/// Checks that a file of weights parses.
///
/// # Errors
/// When a line is invalid.
pub fn check_weights(text: &str) -> Result<(), WeightsError> {
    Weights::parse(text).map(drop)
}

impl Weights {
    /// Parses a file of weights.
    ///
    /// # Errors
    /// When a line is invalid.
    fn parse(text: &str) -> Result<Box<Self>, WeightsError> {
        let mut weights = Box::new(Self {
            priors: [MovePrior::default(); Combination::COUNT],
            contributions: [Contribution::NONE; Combination::COUNT],
            bias: Units::default(),
            output: Units::default(),
        });
        let lines = text.lines().zip(1..).filter(|(text, _)| !text.trim().is_empty() && !text.starts_with('#'));
        for (text, line) in lines {
            weights.parse_line(text).map_err(|reason| WeightsError { line, reason })?;
        }
        Ok(weights)
    }

    fn parse_line(&mut self, text: &str) -> Result<(), WeightsFault> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        let number = |word: &str| word.parse().map_err(|_| WeightsFault::Number(word.to_owned()));
        let numbers = words.map(number).collect::<Result<Vec<i16>, _>>()?;
        let units = |numbers: &[i16]| Units::try_from(numbers).map_err(|_| WeightsFault::Count(numbers.len(), UNITS));
        match name {
            "bias" => self.bias = units(&numbers)?,
            "output" => {
                self.output = units(&numbers)?;
                let is_greater = |number: &&i16| f32::from(number.unsigned_abs()) > Quantization::MAX_OUTPUT;
                if let Some(&number) = self.output.iter().find(is_greater) {
                    return Err(WeightsFault::Output(number));
                }
            }
            _ => {
                let combination = Combination::from_letters(name).ok_or_else(|| WeightsFault::Name(name.to_owned()))?;
                let &[attack, defence, ref rows @ ..] = &numbers[..] else {
                    return Err(WeightsFault::Count(numbers.len(), COMBINATION_NUMBERS));
                };
                if numbers.len() != COMBINATION_NUMBERS {
                    return Err(WeightsFault::Count(numbers.len(), COMBINATION_NUMBERS));
                }
                self.priors[combination.index()] = MovePrior { attack, defence };
                let contribution = &mut self.contributions[combination.index()];
                for (role, row) in rows.chunks_exact(1 + UNITS).enumerate() {
                    contribution.scores[role] = row[0];
                    contribution.units[role * UNITS..][..UNITS].copy_from_slice(&row[1..]);
                }
            }
        }
        Ok(())
    }
}

/// Numbers in the line of a combination: two priors, then a score and the units in each role.
const COMBINATION_NUMBERS: usize = 2 + 2 * (1 + UNITS);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_whole() {
        for (_, text) in FILES {
            let names: Vec<_> = text.lines().filter_map(|line| line.split_once(' ')).map(|(name, _)| name).collect();
            assert_eq!(check_weights(text), Ok(()));
            let combinations = names.iter().filter_map(|name| Combination::from_letters(name)).count();
            assert_eq!(combinations, Combination::COUNT);
            assert!(names.contains(&"bias") && names.contains(&"output"));
        }
    }

    #[test]
    fn a_damaged_line_of_weights_is_an_error_with_its_number() {
        let error = |line: &str| {
            let text = FILES[0].1.lines().take(3).chain([line]).collect::<Vec<_>>().join("\n");
            check_weights(&text).unwrap_err().to_string()
        };
        let whole = FILES[0].1.lines().nth(3).unwrap();
        let (cut, _) = whole.rsplit_once(' ').unwrap();
        assert_eq!(error(cut), "line 4: 35 numbers, expected 36");
        assert_eq!(error(&format!("{whole} 1")), "line 4: 37 numbers, expected 36");
        assert_eq!(error(&format!("{cut} 1x")), "line 4: \"1x\" is not a number from -32768 to 32767");
        assert_eq!(error(&format!("{cut} 40000")), "line 4: \"40000\" is not a number from -32768 to 32767");
        assert!(error("zzzz 1").contains("\"zzzz\" is not a combination"));
        assert_eq!(error("bias 1 2"), "line 4: 2 numbers, expected 16");
        let output = format!("output{} 4096", " 4095".repeat(UNITS - 1));
        assert_eq!(error(&output), "line 4: output weight 4096, expected -4095 to 4095");
    }
}
