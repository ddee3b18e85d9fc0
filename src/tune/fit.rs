//! Regression of the weights.

use super::Sample;
use super::adam::Adam;
use super::features::Features;
use super::model::Model;
use crate::board::Rule;
use crate::rng::Rng;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The rule of the samples.
    pub rule: Rule,
    /// How much of a label is the result of the game, 0 to 1; the rest is the score of the search.
    pub result_share: f32,
    /// Rounds over all samples.
    pub rounds: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// Mean losses over some samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Cross entropy of the chance to win.
    pub chance: f32,
    /// Cross entropy of the best move.
    pub moves: f32,
}

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The files that belong to the rule, with their text.
    pub files: Vec<(&'static str, String)>,
    /// The samples that were positions of the rule.
    pub samples: usize,
}

const RATE: f32 = 0.004;
const BATCH: usize = 256;

/// Samples that are held out or fitted together: those of one game resemble each other.
const BLOCK: usize = 400;

/// Fits the weights of a rule to samples. `progress` hears after each round of the losses on the samples that are fitted
/// and on those that are held out, the twentieth part.
pub fn fit(course: &Course, samples: &[Sample], progress: &dyn Fn(usize, Loss, Loss)) -> Fit {
    let features = samples.iter().map(|sample| Features::of(sample, course.rule, course.result_share));
    let (held_out, fitted): (Vec<_>, Vec<_>) = features
        .enumerate()
        .filter_map(|(index, features)| Some((index, features?)))
        .partition(|&(index, _)| index / BLOCK % 20 == 19);
    let mut fitted: Vec<_> = fitted.into_iter().map(|(_, features)| features).collect();
    let held_out: Vec<_> = held_out.into_iter().map(|(_, features)| features).collect();
    let mut rng = Rng::new(course.seed);
    let mut model = Model::new(course.rule, &mut rng);
    let mut adam = Adam::new(model.scales(&fitted));
    for round in 0..course.rounds {
        rng.shuffle(&mut fitted);
        let rate = RATE * (1.0 - round as f32 / course.rounds as f32);
        let mut loss = Loss::default();
        for batch in fitted.chunks(BATCH) {
            let (gradient, found) = model.gradient(batch);
            adam.step(&mut model.numbers, &gradient, rate);
            model.spread();
            loss.chance += found.chance * batch.len() as f32 / fitted.len() as f32;
            loss.moves += found.moves * batch.len() as f32 / fitted.len() as f32;
        }
        progress(round, loss, model.loss(&held_out));
    }
    Fit { files: model.files(), samples: fitted.len() + held_out.len() }
}
