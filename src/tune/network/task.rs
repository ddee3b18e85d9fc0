//! [`Run::train`]: a training from files of games to a network file.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Checkpoint, HeldOut, RoundEnd, TrainConfig, TrainError, TrainingGames, train};
use crate::board::Rule;
use crate::eval::network::Weights;
use crate::files::{Kind, OutputError, OutputFile, beside};
use crate::fnv::Fnv1a;
use crate::tune::plot::learning_curves;
use crate::tune::run::{Run, RunError, if_exists, read_checkpoint, read_network};
use crate::tune::{GameSource, GameStore};

/// Minimum time between two checkpoints within a round. A checkpoint has some 26 MB, twice as many if the colors differ.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(120);

/// The files of a training.
#[derive(Clone, Copy, Debug)]
pub struct TrainFiles<'a> {
    /// The files of games.
    pub games: &'a [PathBuf],
    /// The files of games on which the network is measured; without them, some of the games are held out.
    pub held_out: &'a [PathBuf],
    /// The initial network; `None` begins with random weights and the classical priors.
    pub start: Option<&'a Path>,
    /// The network file. Its checkpoint is `NAME.checkpoint`.
    pub network: &'a Path,
    /// The picture of the losses, if wanted.
    pub plot: Option<&'a Path>,
}

impl Run<'_> {
    /// Trains a network on files of games and writes it after each round. With `resume` the training continues from its
    /// checkpoint, if there is one. `None` if it was halted before its last part; then the checkpoint is left.
    ///
    /// # Errors
    /// When a file cannot be read or written, the initial network is the file to write, a checkpoint exists without
    /// `resume`, or the training fails.
    pub fn train(
        &self,
        files: TrainFiles<'_>,
        config: &TrainConfig,
        resume: bool,
    ) -> Result<Option<RoundEnd>, RunError> {
        let TrainFiles { games, held_out, start, network, plot } = files;
        let is_start =
            |start: &Path| start.canonicalize().ok().is_some_and(|start| network.canonicalize().ok() == Some(start));
        if start.is_some_and(is_start) {
            return Err(RunError::StartIsOutput(network.to_owned()));
        }
        // Outputs are opened first, so that a long run does not fail at its end and no other training takes the files.
        let checkpoint_file = beside(network, ".checkpoint");
        let mut network_out = OutputFile::create(network, &Weights::KIND)?;
        let mut checkpoint_out = OutputFile::create(&checkpoint_file, &Checkpoint::KIND)?;
        let mut plot_out = plot.map(|plot| OutputFile::create(plot, &Kind::SVG)).transpose()?;
        let start = start.map(read_network).transpose()?;
        let checkpoint = read_checkpoint(&checkpoint_file, Checkpoint::MOST_BYTES, resume, Checkpoint::from_bytes)?;
        let [mut games, mut held_out] =
            [self.store(games, config.rule, "games")?, self.store(held_out, config.rule, "held out")?];
        check_seeds(&games, &held_out)?;
        let games = TrainingGames {
            fitted: &mut games,
            held_out: (!held_out.files().is_empty()).then_some(&mut held_out as &mut dyn GameSource),
        };
        let mut written: Result<(), OutputError> = Ok(());
        let mut last = Instant::now();
        let trained = train(config, games, start.as_ref(), checkpoint, &mut |progress| {
            self.report(&progress);
            let is_last = progress.end.is_some() && progress.round == config.rounds.get();
            let is_due = self.is_halted() || progress.end.is_some() || last.elapsed() >= CHECKPOINT_EVERY;
            written = (|| {
                if let Some(end) = progress.end {
                    network_out.write_whole(&end.weights.to_bytes())?;
                    if let Some(plot) = &mut plot_out {
                        plot.write_whole(learning_curves(progress.curve).as_bytes())?;
                    }
                }
                // A training that is done leaves nothing to resume.
                if is_due && !is_last {
                    last = Instant::now();
                    checkpoint_out.write_whole(&(progress.checkpoint)().to_bytes())?;
                }
                Ok(())
            })();
            if written.is_ok() && !self.is_halted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        let end = match trained {
            Err(TrainError::Stopped) => return Ok(None),
            trained => trained?,
        };
        if_exists(fs::remove_file(&checkpoint_file)).map_err(|error| RunError::Write(checkpoint_file, error))?;
        if let Some(HeldOut { network, rounded, classical }) = end.held_out {
            for (name, quality) in [("network", network), ("rounded", rounded), ("classical", classical)] {
                self.report(format_args!("held out, {:<10} {quality}", format!("{name}:")));
            }
        }
        self.report(format_args!("checksum of the network: {:016x}", Fnv1a::of(&end.weights.to_bytes())));
        Ok(Some(end))
    }

    /// The games of some files. Reports what each file holds, so that the output of a training names its games.
    fn store(&self, paths: &[PathBuf], rule: Rule, name: &str) -> Result<GameStore, RunError> {
        let games = GameStore::new(self.open_games(paths, rule)?)?;
        for file in games.files() {
            self.report(format_args!("{name}: {}: {}", file.path().display(), file.header));
        }
        if !paths.is_empty() {
            self.report(format_args!("{name}: {} games", games.count()));
        }
        Ok(games)
    }
}

/// Refuses games of one seed on both sides: they may be the same games.
fn check_seeds(fitted: &GameStore, held_out: &GameStore) -> Result<(), RunError> {
    for judge in held_out.files() {
        let seed = judge.header.settings.seed;
        if let Some(file) = fitted.files().iter().find(|file| file.header.settings.seed == seed) {
            return Err(RunError::SameSeed(judge.path().to_owned(), file.path().to_owned(), seed));
        }
    }
    Ok(())
}
