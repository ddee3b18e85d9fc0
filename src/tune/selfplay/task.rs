//! [`Run::play`]: self-play into a file of games.

use std::path::Path;

use super::{Engine, SelfPlayConfig, engine_signature, play};
use crate::tune::record::{GameWriter, Header};
use crate::tune::run::{Run, RunError};

/// Number of finished games between two lines of progress.
const PROGRESS_EVERY: usize = 100;

impl Run<'_> {
    /// Plays the games that a file does not hold yet. With `resume` the file may exist.
    ///
    /// # Errors
    /// When the file cannot be written or was begun with other settings, or a game fails.
    pub fn play(&self, path: &Path, config: &SelfPlayConfig, engine: Engine, resume: bool) -> Result<(), RunError> {
        let SelfPlayConfig { settings, shard, .. } = *config;
        let header = Header { settings, shard, engine: engine_signature(settings.rule, engine)? };
        let open = if resume { GameWriter::resume } else { GameWriter::create };
        let mut file = open(path, &header)?;
        if file.cut() > 0 {
            self.report(format_args!("{}: {} bytes of an unfinished game were cut off", path.display(), file.cut()));
        }
        let recorded = file.recorded().to_vec();
        let mut played = recorded.len();
        let report = |played| self.report(format_args!("{}: {played} games", path.display()));
        play(config, engine, &recorded, self.halt, &mut |game| {
            file.write(&game)?;
            played += 1;
            if played % PROGRESS_EVERY == 0 {
                report(played);
            }
            Ok(())
        })?;
        report(played);
        Ok(())
    }
}
