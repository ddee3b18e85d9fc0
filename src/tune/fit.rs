//! Logistic regression of the weights.

use super::selfplay::Sample;
use crate::board::{Color, Direction, Rule};
use crate::eval::{Combination, LOGIT};
use crate::rng::Rng;
use crate::threat::{Pattern, Threat};

/// Fitted weights: for each player that the rule tells apart, a file's text; and the error on samples kept aside.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The files that belong to the rule, with their text.
    pub files: Vec<(&'static str, String)>,
    /// Mean cross entropy on the samples that were fitted.
    pub loss: f32,
    /// Mean cross entropy on one sample in twenty that was not.
    pub held_out_loss: f32,
}

/// A weight is a sum: what its patterns are worth each, what they make together, and what is left.
/// So a combination that the games seldom show is worth about what its parts are.
const PARTS: usize = Pattern::ALL.len() + THREATS;
const THREATS: usize = 8;

/// Numbers of one player in one role.
const BLOCK: usize = PARTS + Combination::COUNT;

/// How fast the number that is left decays without evidence.
const DECAY: f32 = 0.02;

const RATE: f32 = 0.004;
const BATCH: usize = 512;

/// Fits the weights of a rule to samples in some rounds over them (Adam: Kingma and Ba, 2015).
pub fn fit(rule: Rule, samples: &[Sample], rounds: usize, seed: u64) -> Fit {
    let (held_out, fitted): (Vec<_>, Vec<_>) = samples.iter().enumerate().partition(|(index, _)| index % 20 == 0);
    let mut fitted: Vec<_> = fitted.into_iter().map(|(_, sample)| sample).collect();
    let held_out: Vec<_> = held_out.into_iter().map(|(_, sample)| sample).collect();
    let mut model = Model::new(rule);
    let mut rng = Rng::new(seed);
    let mut loss = 0.0;
    for round in 0..rounds {
        rng.shuffle(&mut fitted);
        let rate = RATE * (1.0 - round as f32 / rounds as f32);
        let batches = fitted.chunks(BATCH);
        loss = batches.clone().map(|batch| model.learn(batch, rate)).sum::<f32>() / batches.len() as f32;
    }
    let held_out_loss = held_out.iter().map(|sample| model.loss(sample)).sum::<f32>() / held_out.len().max(1) as f32;
    Fit { files: model.files(), loss, held_out_loss }
}

struct Model {
    rule: Rule,
    /// Player, role, number.
    weights: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    /// The parts of each combination: its patterns and its threat.
    parts: Vec<[usize; 5]>,
}

impl Model {
    fn new(rule: Rule) -> Self {
        let parts = |combination: Combination| {
            let patterns = combination.patterns();
            let [a, b, c, d] = Direction::ALL.map(|direction| patterns.get(direction).index());
            [a, b, c, d, Pattern::ALL.len() + Threat::of(patterns) as usize]
        };
        let zeros = vec![0.0; 2 * 2 * BLOCK];
        Self {
            rule,
            weights: zeros.clone(),
            gradient: zeros.clone(),
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
            parts: Combination::all().map(parts).collect(),
        }
    }

    /// Where the numbers of a color in a role begin. Only renju tells the colors apart.
    fn block(&self, color: Color, role: usize) -> usize {
        let player = if self.rule == Rule::Renju { color.index() } else { 0 };
        (player * 2 + role) * BLOCK
    }

    fn weight(&self, block: usize, combination: Combination) -> f32 {
        let parts = self.parts[combination.index()].iter().map(|part| self.weights[block + part]).sum::<f32>();
        parts + self.weights[block + PARTS + combination.index()]
    }

    fn chance(&self, sample: &Sample) -> f32 {
        let side = |role: usize, color: Color| {
            let block = self.block(color, role);
            let terms = sample.counts[role].iter();
            terms.map(|&(kind, count)| f32::from(count) * self.weight(block, kind)).sum::<f32>()
        };
        let logit = side(0, sample.mover) - side(1, !sample.mover);
        1.0 / (1.0 + (-logit).exp())
    }

    fn loss(&self, sample: &Sample) -> f32 {
        let chance = self.chance(sample).clamp(1e-6, 1.0 - 1e-6);
        -(sample.chance * chance.ln() + (1.0 - sample.chance) * (1.0 - chance).ln())
    }

    /// One step of Adam on a batch; returns its mean loss before the step.
    fn learn(&mut self, batch: &[&Sample], rate: f32) -> f32 {
        let mut loss = 0.0;
        self.gradient.fill(0.0);
        for sample in batch {
            loss += self.loss(sample);
            let error = (self.chance(sample) - sample.chance) / batch.len() as f32;
            for (role, color, sign) in [(0, sample.mover, 1.0), (1, !sample.mover, -1.0)] {
                let block = self.block(color, role);
                for &(kind, count) in &sample.counts[role] {
                    let step = sign * error * f32::from(count);
                    for part in self.parts[kind.index()] {
                        self.gradient[block + part] += step;
                    }
                    self.gradient[block + PARTS + kind.index()] += step;
                }
            }
        }
        self.steps += 1;
        let (fade_mean, fade_square) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        for index in 0..self.weights.len() {
            let gradient = self.gradient[index];
            self.mean[index] += 0.1 * (gradient - self.mean[index]);
            self.square[index] += 0.001 * (gradient * gradient - self.square[index]);
            let step = self.mean[index] / fade_mean / ((self.square[index] / fade_square).sqrt() + 1e-8);
            let decay = if index % BLOCK >= PARTS { DECAY * self.weights[index] } else { 0.0 };
            self.weights[index] -= rate * (step + decay);
        }
        loss / batch.len() as f32
    }

    fn files(&self) -> Vec<(&'static str, String)> {
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

        let mut text = String::from("# four patterns (see src/eval/classical.rs), worth as the mover, as the other\n");
        let limit = f32::from(i16::MAX / 2);
        let number = |weight: f32| (weight * LOGIT).round().clamp(-limit, limit) as i16;
        for combination in Combination::all() {
            let [mover, other] = [0, 1].map(|role| number(self.weight(self.block(color, role), combination)));
            let _ = writeln!(text, "{} {mover} {other}", combination.letters());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::tune::{Plan, play};

    #[test]
    fn a_fit_explains_the_games_and_repeats_from_its_seed() {
        let rule = Rule::Freestyle;
        let plan = Plan { rule, size: Size::FIFTEEN, games: 6, nodes: 300, seed: 1, threads: 2, result_share: 0.5 };
        let samples = play(&plan, &|_| {});
        assert!(samples.len() > 50);
        let once = fit(rule, &samples, 20, 1);
        assert!(once.loss < 0.65, "no better than a coin: {}", once.loss);
        assert_eq!(fit(rule, &play(&plan, &|_| {}), 20, 1).files, once.files);
    }
}
