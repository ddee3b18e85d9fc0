//! [`Yardstick`]: measures networks. [`LogLine`]: a measurement, as a line of JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::examine::{Examination, PassRates};
use super::ladder::{Estimate, Ladder, RUNGS};
use crate::board::{Rule, Size};
use crate::eval::network::Weights;
use crate::tune::loss::Losses;
use crate::tune::network::Model;

/// Measures the networks of a rule on boards of one size.
pub(in crate::tune) struct Yardstick {
    ladder: Ladder,
    examination: Examination,
}

/// What a measurement found. The network plays the move of its greatest prior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::tune) struct Measured {
    /// Elo above random moves near the stones, and half the width of its 95 % interval.
    pub(in crate::tune) elo: f64,
    error: f64,
    /// Share of positions with an own five in which the network makes it, 0 to 1.
    fives: f64,
    /// Share of positions with one five of the other side in which the network blocks it, 0 to 1.
    blocks: f64,
    /// The wins, draws and losses against each rung.
    rungs: BTreeMap<String, [u32; 3]>,
}

/// The work of a run up to a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::tune) struct Work {
    /// Rounds of an algorithm, or generations.
    pub(in crate::tune) updates: u64,
    /// Games played.
    pub(in crate::tune) games: u64,
    /// Positions in which a move was chosen.
    pub(in crate::tune) positions: u64,
    /// Seconds of learning, without measurements.
    pub(in crate::tune) seconds: f64,
    /// Seconds of all processors in that time.
    pub(in crate::tune) cpu_seconds: f64,
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::tune) enum LogLine {
    /// The first line: the name of the method and its seed.
    Run {
        /// The name of an algorithm, or `generations`.
        method: String,
        /// The seed.
        seed: u64,
        /// The rule.
        rule: String,
        /// The side of the board.
        size: u8,
        /// The learning rate of Adam.
        rate: f32,
    },
    /// A measurement.
    Measured {
        /// The work before it.
        work: Work,
        /// The mean losses since the measurement before.
        losses: Losses,
        /// The result.
        result: Measured,
    },
}

impl Yardstick {
    /// Measures the rungs and makes the positions. Cost: some seconds.
    pub(in crate::tune) fn new(rule: Rule, size: Size) -> Self {
        Self { ladder: Ladder::new(rule, size), examination: Examination::new(rule, size) }
    }

    /// The names and Elo of the rungs, from the weakest.
    pub(in crate::tune) fn rungs(&self) -> impl fmt::Display {
        let rungs: Vec<_> =
            RUNGS.iter().zip(self.ladder.elo).map(|(rung, elo)| format!("{} {elo:.0}", rung.name())).collect();
        rungs.join(", ")
    }

    /// Measures a network, which plays with the integers of its file. The openings depend on the seed. Cost: less than a
    /// second on 9 × 9.
    pub(in crate::tune) fn measure(&mut self, weights: &Weights, seed: u64) -> Measured {
        let model = Model::from_weights(weights.rule, weights);
        let (matches, Estimate { elo, error }) = self.ladder.measure(&model, seed);
        let PassRates { fives, blocks } = self.examination.examine(&model);
        let rungs = RUNGS.iter().zip(&matches).map(|(rung, played)| (rung.name().to_owned(), played.counts));
        Measured { elo, error, fives, blocks, rungs: rungs.collect() }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo, error, fives, blocks, rungs } = self;
        write!(f, "Elo {elo:+.0} ± {error:.0}, own fives {:.1} %, blocks {:.1} %", 100.0 * fives, 100.0 * blocks)?;
        RUNGS.iter().filter_map(|rung| Some((rung.name(), rungs.get(rung.name())?))).try_for_each(|(name, counts)| {
            let [wins, draws, losses] = counts;
            write!(f, ", {name} {wins}-{draws}-{losses}")
        })
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, seconds, cpu_seconds, .. } = self;
        let speed = |count: u64| count as f64 / seconds.max(f64::MIN_POSITIVE);
        write!(f, "{:.1} min, {:.1} CPU min, {games} games, ", seconds / 60.0, cpu_seconds / 60.0)?;
        write!(f, "{positions} positions ({:.0} a second)", speed(*positions))
    }
}
