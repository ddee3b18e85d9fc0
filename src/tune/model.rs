//! [`Model`]: the weights as real numbers, and the gradient of the losses.

use super::features::Features;
use super::fit::Loss;
use crate::board::{Color, Direction, Rule};
use crate::eval::classical::{Combination, Quantization, UNITS};
use crate::rng::Rng;
use crate::threat::{Pattern, Threat};

/// A row is a sum: what its patterns bring each, what they make together, and what is left.
/// So a combination that the games seldom show is worth about what its parts are.
const PARTS: usize = Pattern::ALL.len() + THREATS;
const THREATS: usize = 8;
const ROWS: usize = PARTS + Combination::COUNT;

/// Hidden units.
pub(super) const HIDDEN: usize = UNITS;

/// Numbers of a row of the evaluation: its share of the score, and of each hidden unit.
const WIDTH: usize = 1 + HIDDEN;

/// How fast the number that is left decays without evidence.
const DECAY: f32 = 2.0;

/// ```text
/// player, role: rows of WIDTH │ player: bias, output of the hidden units │ player: rows of gain │ rows of denial
/// ```
pub(super) struct Model {
    rule: Rule,
    pub(super) numbers: Vec<f32>,
    /// The rows of every combination: player, role, combination.
    rows: Vec<[f32; WIDTH]>,
    /// Gain and denial of every combination: player, kind, combination.
    promises: Vec<f32>,
    /// The parts of each combination: its patterns and its threat.
    parts: Vec<[usize; 5]>,
}

const PLAYERS: usize = 2;
const HEADS: usize = PLAYERS * 2 * ROWS * WIDTH;
const PROMISES: usize = HEADS + PLAYERS * 2 * HIDDEN;
const NUMBERS: usize = PROMISES + PLAYERS * 2 * ROWS;

/// A forward pass.
struct Pass {
    hidden: [f32; HIDDEN],
    chance: f32,
}

impl Model {
    pub(super) fn new(rule: Rule, rng: &mut Rng) -> Self {
        let parts = |combination: Combination| {
            let patterns = combination.patterns();
            let [a, b, c, d] = Direction::ALL.map(|direction| patterns.get(direction).index());
            [a, b, c, d, Pattern::ALL.len() + Threat::of(patterns) as usize]
        };
        let mut random = |scale: f32| (rng.below(20_001) as f32 / 10_000.0 - 1.0) * scale;
        let mut numbers = vec![0.0; NUMBERS];
        for row in numbers[..HEADS]
            .chunks_exact_mut(WIDTH)
            .enumerate()
            .filter(|(index, _)| index % ROWS < PARTS)
            .map(|(_, row)| row)
        {
            row[1..].iter_mut().for_each(|number| *number = random(0.01));
        }
        numbers[HEADS..PROMISES].iter_mut().for_each(|number| *number = random(0.3));
        let mut model = Self {
            rule,
            numbers,
            rows: vec![[0.0; WIDTH]; PLAYERS * 2 * Combination::COUNT],
            promises: vec![0.0; PLAYERS * 2 * Combination::COUNT],
            parts: Combination::all().map(parts).collect(),
        };
        model.spread();
        model
    }

    /// What the rate of each number shall be multiplied by, so that numbers that count often move in small steps; and its
    /// decay.
    pub(super) fn scales(&self, samples: &[Features]) -> Vec<(f32, f32)> {
        let mut squares = vec![0.0; PLAYERS * 2 * ROWS];
        for sample in samples {
            let mut counts = vec![0.0; ROWS];
            for (block, kinds) in self.blocks(sample).into_iter().zip(&sample.counts) {
                counts.fill(0.0);
                for &(kind, count) in kinds {
                    for &source in &self.parts[kind.index()] {
                        counts[source] += f32::from(count);
                    }
                    counts[PARTS + kind.index()] += f32::from(count);
                }
                squares[block * ROWS..(block + 1) * ROWS]
                    .iter_mut()
                    .zip(&counts)
                    .for_each(|(sum, count)| *sum += count * count);
            }
        }
        let mut scales = vec![(1.0, 0.0); NUMBERS];
        for (index, (row, square)) in scales[..HEADS].chunks_exact_mut(WIDTH).zip(squares).enumerate() {
            let usual: f32 = (square / samples.len().max(1) as f32).sqrt();
            row.fill((1.0 / usual.max(1.0), if index % ROWS < PARTS { 0.0 } else { DECAY }));
        }
        scales
    }

    /// Only renju tells the colors apart.
    fn player(&self, color: Color) -> usize {
        if self.rule == Rule::Renju { color.index() } else { 0 }
    }

    /// Sums the parts of every combination.
    pub(super) fn spread(&mut self) {
        for block in 0..PLAYERS * 2 {
            for (combination, parts) in self.parts.iter().enumerate() {
                let sources = parts.iter().copied().chain([PARTS + combination]);
                let mut row = [0.0; WIDTH];
                let mut promise = 0.0;
                for source in sources {
                    let at = (block * ROWS + source) * WIDTH;
                    row.iter_mut().zip(&self.numbers[at..at + WIDTH]).for_each(|(sum, number)| *sum += number);
                    promise += self.numbers[PROMISES + block * ROWS + source];
                }
                self.rows[block * Combination::COUNT + combination] = row;
                self.promises[block * Combination::COUNT + combination] = promise;
            }
        }
    }

    fn head(&self, mover: usize) -> (&[f32], &[f32]) {
        self.numbers[HEADS + mover * 2 * HIDDEN..][..2 * HIDDEN].split_at(HIDDEN)
    }

    /// The blocks of a sample: mover as mover, other as other.
    fn blocks(&self, sample: &Features) -> [usize; 2] {
        [self.player(sample.mover) * 2, self.player(!sample.mover) * 2 + 1]
    }

    fn pass(&self, sample: &Features) -> Pass {
        let mut sums = [0.0; WIDTH];
        for (block, counts) in self.blocks(sample).into_iter().zip(&sample.counts) {
            for &(kind, count) in counts {
                let row = &self.rows[block * Combination::COUNT + kind.index()];
                sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += f32::from(count) * number);
            }
        }
        let (bias, output) = self.head(self.player(sample.mover));
        let mut hidden = [0.0; HIDDEN];
        let mut logit = sums[0];
        for unit in 0..HIDDEN {
            hidden[unit] = (sums[1 + unit] + bias[unit]).max(0.0);
            logit += hidden[unit] * output[unit];
        }
        Pass { hidden, chance: 1.0 / (1.0 + (-logit).exp()) }
    }

    /// The chances of the candidates to be the best.
    fn choice(&self, sample: &Features) -> Vec<f32> {
        let [gain, denial] =
            [self.player(sample.mover) * 2, self.player(!sample.mover) * 2 + 1].map(|block| block * Combination::COUNT);
        let promise = |&[own, other]: &[Combination; 2]| {
            self.promises[gain + own.index()] + self.promises[denial + other.index()]
        };
        let mut chances: Vec<_> = sample.candidates.iter().map(promise).collect();
        let greatest = chances.iter().copied().fold(f32::MIN, f32::max);
        chances.iter_mut().for_each(|chance| *chance = (*chance - greatest).exp());
        let sum: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }

    /// The mean losses on some samples.
    pub(super) fn loss(&self, samples: &[Features]) -> Loss {
        let mut loss = Loss::default();
        for sample in samples {
            loss.chance += entropy(sample.label, self.pass(sample).chance);
            loss.moves -= self.choice(sample)[sample.best].max(1e-9).ln();
        }
        let count = samples.len().max(1) as f32;
        Loss { chance: loss.chance / count, moves: loss.moves / count }
    }

    /// The gradient of the mean losses on some samples, and the losses.
    pub(super) fn gradient(&self, samples: &[Features]) -> (Vec<f32>, Loss) {
        let mut gradient = vec![0.0; NUMBERS];
        let mut rows = vec![[0.0; WIDTH]; self.rows.len()];
        let mut promises = vec![0.0; self.promises.len()];
        let mut loss = Loss::default();
        let share = 1.0 / samples.len() as f32;
        for sample in samples {
            let pass = self.pass(sample);
            loss.chance += share * entropy(sample.label, pass.chance);
            let error = share * (pass.chance - sample.label);
            let player = self.player(sample.mover);
            let (_, output) = self.head(player);
            let head = HEADS + player * 2 * HIDDEN;
            let mut step = [error; WIDTH];
            for unit in 0..HIDDEN {
                gradient[head + HIDDEN + unit] += error * pass.hidden[unit];
                step[1 + unit] = if pass.hidden[unit] > 0.0 { error * output[unit] } else { 0.0 };
                gradient[head + unit] += step[1 + unit];
            }
            for (block, counts) in self.blocks(sample).into_iter().zip(&sample.counts) {
                for &(kind, count) in counts {
                    let row = &mut rows[block * Combination::COUNT + kind.index()];
                    row.iter_mut().zip(step).for_each(|(sum, number)| *sum += f32::from(count) * number);
                }
            }
            let chances = self.choice(sample);
            loss.moves -= share * chances[sample.best].max(1e-9).ln();
            let [gain, denial] =
                [player * 2, self.player(!sample.mover) * 2 + 1].map(|block| block * Combination::COUNT);
            for (index, (chance, &[own, other])) in chances.iter().zip(&sample.candidates).enumerate() {
                let error = share * (chance - f32::from(u8::from(index == sample.best)));
                promises[gain + own.index()] += error;
                promises[denial + other.index()] += error;
            }
        }
        for block in 0..PLAYERS * 2 {
            for (combination, parts) in self.parts.iter().enumerate() {
                let row = &rows[block * Combination::COUNT + combination];
                let promise = promises[block * Combination::COUNT + combination];
                for source in parts.iter().copied().chain([PARTS + combination]) {
                    let at = (block * ROWS + source) * WIDTH;
                    gradient[at..at + WIDTH].iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
                    gradient[PROMISES + block * ROWS + source] += promise;
                }
            }
        }
        (gradient, loss)
    }

    pub(super) fn files(&self) -> Vec<(&'static str, String)> {
        let names: &[_] = match self.rule {
            Rule::Freestyle => &[("freestyle.txt", Color::Black)],
            Rule::Standard => &[("standard.txt", Color::Black)],
            Rule::Renju => &[("renju_black.txt", Color::Black), ("renju_white.txt", Color::White)],
            Rule::CaroOverline | Rule::Caro => &[("caro.txt", Color::Black)],
        };
        names.iter().map(|&(name, color)| (name, self.text(color))).collect()
    }

    fn text(&self, color: Color) -> String {
        use std::fmt::Write;

        let mut text = String::from("# see src/eval/classical/weights.rs\n");
        let player = self.player(color);
        let (bias, output) = self.head(player);
        let mut line = |name: &str, numbers: &mut dyn Iterator<Item = (f32, f32)>| {
            text.push_str(name);
            for (number, quantum) in numbers {
                let limit =
                    if quantum == Quantization::OUTPUT { Quantization::MAX_OUTPUT } else { f32::from(i16::MAX / 2) };
                let _ = write!(text, " {}", (number * quantum).round().clamp(-limit, limit) as i16);
            }
            text.push('\n');
        };
        line("bias", &mut bias.iter().map(|&number| (number, Quantization::UNIT)));
        line("output", &mut output.iter().map(|&number| (number, Quantization::OUTPUT)));
        for combination in Combination::all() {
            let at = [0, 1].map(|role| (player * 2 + role) * Combination::COUNT + combination.index());
            let promises = at.map(|at| (self.promises[at], Quantization::PRIOR));
            let quanta = [Quantization::LOGIT].into_iter().chain([Quantization::UNIT; HIDDEN]);
            let shares = at.into_iter().flat_map(|at| self.rows[at].into_iter().zip(quanta.clone()));
            line(&combination.letters(), &mut promises.into_iter().chain(shares));
        }
        text
    }
}

fn entropy(label: f32, chance: f32) -> f32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    -(label * chance.ln() + (1.0 - label) * (1.0 - chance).ln())
}
