//! [`Run::improve`]: the steps of the generations, carried out in a folder.
//!
//! ```text
//! options.json    the configuration             K.games    the games of generation K
//! log.jsonl       a line for each step done     K.net      its network; 0.net is the built-in or the random one
//!                                               K.svg      the losses of its training
//! progress.jsonl  measurements, from random     K.jsonl    the record of its match
//!                 weights
//! ```

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::contest::check_programs;
use super::progress::Progress;
use super::{Generations, GenerationsConfig, NextStep, StartName, StepDone};
use crate::arena::config::load_openings;
use crate::board::{Color, Point, Size, Symmetry};
use crate::eval::network::{Networks, Weights};
use crate::files::{Kind, MOST_BYTES, OutputFile, read_text};
use crate::notation::Letters;
use crate::opening::lists::Opening;
use crate::picker::Evaluation;
use crate::shard::Shard;
use crate::tune::network::TrainFiles;
use crate::tune::run::{Run, RunError, cannot_read, create_folder, evaluation, if_exists};
use crate::tune::{Engine, GameSettings, RoundEnd, SelfPlayConfig, TrainConfig};

/// The kind of the options and of the log: JSON lines.
const LINES: Kind = Kind { name: "file of JSON lines", start: b"{" };

/// The folder of the generations.
pub(super) struct Folder<'a> {
    pub(super) path: &'a Path,
    pub(super) config: &'a GenerationsConfig,
    pub(super) threads: NonZeroUsize,
    /// The number of different games of a match: two for each image of an opening.
    pub(super) different_games: u32,
    /// The best network that was loaded last. A loaded network is kept until the process ends.
    pub(super) loaded: RefCell<Option<(PathBuf, Evaluation)>>,
}

impl Run<'_> {
    /// Plays, trains and tests until this number of generations is done, then reports the best network. Resumes an
    /// earlier run in the folder. Returns false if the run was halted before.
    ///
    /// # Errors
    /// When the openings cannot be read, a program is missing, the folder was begun with another configuration or is that of
    /// another run, or a step fails.
    pub fn improve(
        &self,
        folder: &Path,
        config: &GenerationsConfig,
        generations: NonZeroUsize,
        threads: NonZeroUsize,
    ) -> Result<bool, RunError> {
        let (_, openings) = load_openings(&config.openings, config.rule, Letters::new(Size::FIFTEEN))?;
        let different_games = u32::try_from(2 * images(&openings)).unwrap_or(u32::MAX);
        if different_games < config.match_games.get() {
            self.report(format_args!("the openings are enough for {different_games} games of a match"));
        }
        check_programs()?;
        create_folder(folder)?;
        let folder = Folder { path: folder, config, threads, different_games, loaded: RefCell::default() };
        let _reserved = folder.check_config()?;
        let mut so_far = folder.read_log()?;
        let mut progress = Progress::open(&folder, so_far.done(), self)?;
        while so_far.done() < generations.get() {
            let Some(step) = folder.carry_out(so_far, self)? else { return Ok(false) };
            folder.log(step)?;
            so_far = folder.read_log()?;
            if let (StepDone::Tested { generation, .. }, Some(progress)) = (step, &mut progress) {
                progress.measure(&folder, generation, self)?;
            }
        }
        match folder.best(so_far) {
            Some(best) => self.report(format_args!("the best network is {}", best.display())),
            None => self.report("no network is better than the program without one"),
        }
        Ok(true)
    }
}

impl Folder<'_> {
    /// A file of a generation.
    pub(super) fn file(&self, generation: usize, ending: &str) -> PathBuf {
        self.path.join(format!("{generation}.{ending}"))
    }

    pub(super) fn network(&self, generation: usize) -> PathBuf {
        self.file(generation, "net")
    }

    /// The best network so far; `None` if there was no first one and the program itself is still best.
    fn best(&self, so_far: Generations) -> Option<PathBuf> {
        let has_first = self.network(0).exists();
        so_far.best().or(has_first.then_some(0)).map(|generation| self.network(generation))
    }

    /// Writes the built-in network as the first one of a new run, if the rule has one. A later version of the program may
    /// have another.
    fn write_built_in(&self) -> Result<(), RunError> {
        match Networks::built_in().file(self.config.rule) {
            Some(file) if self.config.start == StartName::BuiltIn => {
                Ok(OutputFile::create(&self.network(0), &Weights::KIND)?.write_whole(&file)?)
            }
            _ => Ok(()),
        }
    }

    fn log_path(&self) -> PathBuf {
        self.path.join("log.jsonl")
    }

    /// Writes the configuration of a new run, or compares it with that of the folder. The file is returned: no other run
    /// can use the folder while it is reserved.
    fn check_config(&self) -> Result<OutputFile, RunError> {
        let path = self.path.join("options.json");
        let mut file = OutputFile::create(&path, &LINES).map_err(|error| match error.error.kind() {
            ErrorKind::ResourceBusy => RunError::InUse(self.path.to_owned()),
            _ => error.into(),
        })?;
        match if_exists(read_text(&path, MOST_BYTES)).map_err(cannot_read(&path))? {
            Some(text) => {
                let begun: GenerationsConfig = serde_json::from_str(&text).map_err(cannot_read(&path))?;
                let is_same = begun == *self.config;
                if !is_same {
                    return Err(RunError::OtherOptions(self.path.to_owned(), text));
                }
            }
            None => {
                self.write_built_in()?;
                file.write_whole(json_line(self.config, &path)?.as_bytes())?;
            }
        }
        Ok(file)
    }

    /// Reads the log. A line that a kill has cut is removed.
    fn read_log(&self) -> Result<Generations, RunError> {
        let path = self.log_path();
        let text = if_exists(read_text(&path, MOST_BYTES)).map_err(cannot_read(&path))?.unwrap_or_default();
        let (generations, length) = Generations::read(&text).map_err(cannot_read(&path))?;
        if length < text.len() {
            write(&path, &text.as_bytes()[..length])?;
        }
        Ok(generations)
    }

    /// Appends a line to the log.
    fn log(&self, step: StepDone) -> Result<(), RunError> {
        let path = self.log_path();
        let line = json_line(&step, &path)?;
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| RunError::Write(path, error))
    }

    /// Carries out the next step; `None` if it was halted.
    fn carry_out(&self, so_far: Generations, run: &Run<'_>) -> Result<Option<StepDone>, RunError> {
        let best = self.best(so_far);
        match so_far.next() {
            NextStep::Test(generation) => {
                let taken = self.is_better(generation, best.as_deref(), run)?;
                Ok(taken.map(|taken| StepDone::Tested { generation, taken }))
            }
            NextStep::Train(generation) => self.train(generation, best.as_deref(), run),
        }
    }

    /// The evaluation with the best network.
    fn evaluation(&self, best: Option<&Path>) -> Result<Evaluation, RunError> {
        let loaded = self.loaded.borrow().as_ref().filter(|(path, _)| Some(&**path) == best).map(|&(_, loaded)| loaded);
        if let Some(loaded) = loaded {
            return Ok(loaded);
        }
        let evaluation = evaluation(best, self.config.rule)?;
        *self.loaded.borrow_mut() = best.map(|best| (best.to_owned(), evaluation));
        Ok(evaluation)
    }

    /// Plays the missing games of a generation and trains its network. `None` if the run was halted.
    fn train(&self, generation: usize, best: Option<&Path>, run: &Run<'_>) -> Result<Option<StepDone>, RunError> {
        let &GenerationsConfig { rule, size, games, nodes, picker, window, rounds, rate, result_share, seed, .. } =
            self.config;
        let (seed, threads) = (seed.wrapping_add(generation as u64 - 1), self.threads);
        let settings = GameSettings { rule, sizes: size, nodes, seed };
        let config = SelfPlayConfig { settings, games, shard: Shard::WHOLE, threads };
        let engine = Engine { picker, evaluation: self.evaluation(best)? };
        run.play(&self.file(generation, "games"), &config, engine, true)?;
        if run.is_halted() {
            return Ok(None);
        }
        let games: Vec<_> =
            Generations::window(generation, window.get()).map(|generation| self.file(generation, "games")).collect();
        let (network, plot) = (self.network(generation), self.file(generation, "svg"));
        let files = TrainFiles { games: &games, held_out: &[], start: best, network: &network, plot: Some(&plot) };
        let config = TrainConfig { rule, result_share, samples: None, rounds, rate, seed, threads };
        let end = run.train(files, &config, true)?;
        let held_out = |end: RoundEnd| end.held_out.map(|held_out| held_out.rounded.losses);
        Ok(end.map(|end| StepDone::Trained { generation, held_out: held_out(end) }))
    }
}

/// The number of different images of openings on 15 × 15.
fn images(openings: &[Opening]) -> usize {
    let image = |opening: &Opening, symmetry: Symmetry| -> BTreeSet<(usize, Point)> {
        let stones = opening.iter().enumerate();
        stones.map(|(count, &point)| (Color::after(count).index(), symmetry.apply(point, Size::FIFTEEN))).collect()
    };
    let all = openings.iter().flat_map(|opening| Symmetry::all().map(move |symmetry| image(opening, symmetry)));
    all.collect::<BTreeSet<_>>().len()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    Ok(OutputFile::create(path, &LINES)?.write_whole(bytes)?)
}

/// A value as a line of JSON.
fn json_line(value: &impl serde::Serialize, path: &Path) -> Result<String, RunError> {
    let json = serde_json::to_string(value).map_err(|error| RunError::Write(path.to_owned(), error.into()))?;
    Ok(json + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_openings_that_are_alike_count_once() {
        let letters = Letters::new(Size::FIFTEEN);
        let count = |lists: &[&str]| {
            let openings: Vec<Opening> = lists.iter().map(|list| letters.parse_moves(list).unwrap()).collect();
            images(&openings)
        };
        assert_eq!([count(&[""]), count(&["h8"]), count(&["h8 h9"]), count(&["h8 i10"])], [1, 1, 4, 8]);
        assert_eq!(count(&["h8 h9 i9", "h8 g8 g9", "i9 h9 h8"]), 8);
    }
}
