//! [`fit`]: regression of the weights to samples.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use super::Sample;
use super::adam::Adam;
use super::features::Features;
use super::model::Model;
use super::weight_files::WeightFile;
use crate::board::Rule;
use crate::rng::Rng;

/// The learning rate of the first round; it falls to 0 in equal steps. Hand-set: no match has tried another.
const LEARNING_RATE: f32 = 0.004;

/// Samples of a batch: the parameters move once for each batch. Hand-set: no match has tried another.
const BATCH: usize = 256;

/// The least number of samples of a fit: one batch.
pub const MIN_SAMPLES: usize = BATCH;

/// The samples of a block, some ten games, that are held out or fitted together. A game is in the block in which its first
/// sample is: the samples of one game resemble each other, and a game in both parts would make the losses on held-out
/// samples too small. Hand-set.
const BLOCK: usize = 400;

/// The number of blocks of which one is held out. Hand-set.
const HELD_OUT_EVERY: usize = 20;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitConfig {
    /// The rule of the samples.
    pub rule: Rule,
    /// The share of the game's result in a label.
    pub result_share: ResultShare,
    /// Rounds over all samples.
    pub rounds: NonZeroUsize,
    /// The seed of the random numbers: the first parameters, and the order of the samples.
    pub seed: u64,
}

/// The share of the game's result in a label, 0 to 1; the rest is the score of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultShare(f32);

impl ResultShare {
    /// This share; `None` outside 0 to 1, and where it is not a number.
    pub const fn new(share: f32) -> Option<Self> {
        if share >= 0.0 && share <= 1.0 { Some(Self(share)) } else { None }
    }

    /// The share, 0 to 1.
    pub const fn get(self) -> f32 {
        self.0
    }
}

/// A half. Hand-set: no match has tried another.
impl Default for ResultShare {
    fn default() -> Self {
        Self(0.5)
    }
}

impl fmt::Display for ResultShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text is no [`ResultShare`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultShareError;

impl fmt::Display for ResultShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number from 0 to 1")
    }
}

impl std::error::Error for ResultShareError {}

impl FromStr for ResultShare {
    type Err = ResultShareError;

    fn from_str(text: &str) -> Result<Self, ResultShareError> {
        text.parse().ok().and_then(Self::new).ok_or(ResultShareError)
    }
}

/// Mean losses over some samples, in natural units (nats).
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Cross entropy of the chance to win.
    pub chance: f32,
    /// Cross entropy of the best move among the candidates.
    pub moves: f32,
}

/// What a round has come to.
#[derive(Clone, Copy, Debug)]
pub struct RoundReport {
    /// The round, counted from 1.
    pub round: usize,
    /// The losses on the samples that are fitted, each batch before its step.
    pub fitted: Loss,
    /// The losses on the samples that are held out, after the round; `None` where there are none.
    pub held_out: Option<Loss>,
}

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weight files of the rule.
    pub files: Vec<WeightFile>,
    /// The samples that were fitted or held out.
    pub samples: usize,
    /// The samples that were left out: no positions of the rule, or the best move no candidate.
    pub skipped: usize,
}

/// Why samples cannot be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitError {
    /// The number of samples that are positions of the rule is below [`MIN_SAMPLES`].
    TooFewSamples(usize),
    /// The losses of this round, counted from 1, are no finite numbers.
    Diverged(usize),
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewSamples(count) => {
                write!(f, "{count} samples are positions of the rule, expected at least {MIN_SAMPLES}")
            }
            Self::Diverged(round) => write!(f, "the losses of round {round} are no finite numbers"),
        }
    }
}

impl std::error::Error for FitError {}

/// The features of the samples, in two parts.
struct Split {
    fitted: Vec<Features>,
    held_out: Vec<Features>,
}

impl Split {
    fn new(config: &FitConfig, games: &[Vec<Sample>]) -> Self {
        let mut split = Self { fitted: Vec::new(), held_out: Vec::new() };
        let mut first = 0;
        for game in games {
            let part = if is_held_out(first) { &mut split.held_out } else { &mut split.fitted };
            part.extend(game.iter().filter_map(|sample| Features::of(sample, config.rule, config.result_share)));
            first += game.len();
        }
        split
    }

    fn len(&self) -> usize {
        self.fitted.len() + self.held_out.len()
    }
}

/// Whether the game with this first sample, counted from 0 over all games, is held out.
const fn is_held_out(first: usize) -> bool {
    first / BLOCK % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
}

/// Fits the weights of a rule to the samples of games. `progress` receives the losses after each round.
///
/// The result depends on the samples and the config alone. Cost: some 15 µs for a sample and round on one thread.
///
/// # Errors
/// Before the first round, when there are too few samples; after a round, when the losses are no finite numbers.
pub fn fit(config: &FitConfig, games: &[Vec<Sample>], progress: &dyn Fn(RoundReport)) -> Result<Fit, FitError> {
    let mut split = Split::new(config, games);
    if split.len() < MIN_SAMPLES {
        return Err(FitError::TooFewSamples(split.len()));
    }
    let mut rng = Rng::new(config.seed);
    let mut model = Model::new(config.rule, &mut rng);
    let mut adam = Adam::new(model.steps(&split.fitted));
    for round in 0..config.rounds.get() {
        rng.shuffle(&mut split.fitted);
        let rate = LEARNING_RATE * (1.0 - round as f32 / config.rounds.get() as f32);
        let mut fitted = Loss::default();
        for batch in split.fitted.chunks(BATCH) {
            let (gradient, loss) = model.gradient(batch);
            adam.step(&mut model.parameters, &gradient, rate);
            model.sum_parts();
            fitted.chance += loss.chance * batch.len() as f32 / split.fitted.len() as f32;
            fitted.moves += loss.moves * batch.len() as f32 / split.fitted.len() as f32;
        }
        if !(fitted.chance.is_finite() && fitted.moves.is_finite()) {
            return Err(FitError::Diverged(round + 1));
        }
        let held_out = (!split.held_out.is_empty()).then(|| model.loss(&split.held_out));
        progress(RoundReport { round: round + 1, fitted, held_out });
    }
    let samples: usize = games.iter().map(Vec::len).sum();
    Ok(Fit { files: model.weight_files(), samples: split.len(), skipped: samples - split.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::notation::parse_comma;
    use crate::tune::VisitShares;

    #[test]
    fn a_game_is_held_out_whole_or_not_at_all() {
        let point = |name: &str| parse_comma(name).unwrap();
        let moves = vec![point("7,7"), point("8,8")];
        let sample = Sample {
            size: Size::FIFTEEN,
            moves,
            best: point("9,9"),
            visits: VisitShares::default(),
            chance: 0.5,
            result: None,
        };
        let config = FitConfig {
            rule: Rule::Freestyle,
            result_share: ResultShare::default(),
            rounds: NonZeroUsize::MIN,
            seed: 1,
        };
        // The last game begins in the last block of twenty and ends in the first one after it.
        let games = [vec![sample.clone(); 19 * BLOCK - 1], vec![sample.clone(); 5], vec![sample; 2 * BLOCK]];
        let split = Split::new(&config, &games);
        assert_eq!((split.fitted.len(), split.held_out.len()), (19 * BLOCK + 4, 2 * BLOCK));
    }

    #[test]
    fn a_result_share_is_a_number_from_0_to_1() {
        for (text, share) in [("0", 0.0), ("0.25", 0.25), ("1", 1.0)] {
            assert_eq!(text.parse().map(ResultShare::get), Ok(share));
        }
        for text in ["-0.1", "1.5", "nan", "inf", "-inf", "", "half"] {
            assert_eq!(text.parse::<ResultShare>(), Err(ResultShareError), "{text}");
        }
    }
}
