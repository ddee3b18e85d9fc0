//! [`Run::fit`]: a fit from files of games to weight files.

use std::path::{Path, PathBuf};

use super::{FitConfig, WeightFile, fit};
use crate::eval::classical::weight_files;
use crate::files::OutputFile;
use crate::tune::run::{Run, RunError, create_folder};

impl Run<'_> {
    /// Fits weights to files of games and writes the weight files into a folder, which is made if it is missing.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the fit fails. The files of the folder are then unchanged, unless a
    /// write failed.
    pub fn fit(&self, folder: &Path, games: &[PathBuf], config: &FitConfig) -> Result<(), RunError> {
        create_folder(folder)?;
        // Outputs are opened first, so that a long run does not fail at its end.
        let file = |name| OutputFile::create(&folder.join(name), &WeightFile::KIND);
        let files = weight_files(config.rule).map(file).collect::<Result<Vec<_>, _>>()?;
        let samples = self.read_games(games, config.rule, |game| game.samples().collect::<Vec<_>>())?;
        let fit = fit(config, &samples, &|round| self.report(round))?;
        if fit.skipped > 0 {
            let (skipped, all) = (fit.skipped, fit.samples + fit.skipped);
            self.report(format_args!(
                "{skipped} of {all} samples are not positions of {} and were skipped",
                config.rule
            ));
        }
        for (mut file, WeightFile { text, .. }) in files.into_iter().zip(fit.files) {
            file.write_whole(text.as_bytes())?;
        }
        Ok(())
    }
}
