//! The match of a new network against the best one, played by `tengen-arena`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use super::folder::Folder;
use crate::arena::config::quoted;
use crate::arena::contest::Conclusion;
use crate::tune::run::{Run, RunError};

/// Interval at which a running match is checked.
const POLL: Duration = Duration::from_millis(100);

/// Time limit of a move in milliseconds, long enough that only the node limit matters.
const TURN: u64 = 60_000;

impl Folder<'_> {
    /// Plays the match of a generation against the best network. Returns whether the test accepts the gain; `None` if the
    /// match was halted.
    pub(super) fn is_better(
        &self,
        generation: usize,
        best: Option<&Path>,
        run: &Run<'_>,
    ) -> Result<Option<bool>, RunError> {
        let config = self.config;
        let quoted = |path: &Path| quoted(&path.to_string_lossy());
        let program = quoted(&sibling(ENGINE)?);
        let command = |network: Option<&Path>| match network {
            // The engine runs in the folder of its program.
            Some(path) => std::path::absolute(path)
                .map(|path| format!("cmd={program} --network {}", quoted(&path)))
                .map_err(RunError::Arena),
            None => Ok(format!("cmd={program}")),
        };
        let record = self.file(generation, "jsonl");
        let mut arena = Command::new(sibling(ARENA)?);
        // Repeated games do not count, and `--restart` makes each game independent of those before it.
        let games = config.match_games.get().min(self.different_games);
        arena.args(["match", "--rule", &config.rule.to_string(), "--games", &games.to_string()]);
        arena.args(["--openings", &config.openings, "--transform", "--restart"]);
        arena.args(["--fail-on-forfeit", "--sprt", &format!("elo0=0 elo1={}", config.gain)]);
        arena.args(["--jobs", &self.threads.to_string()]);
        arena.args(["--each", &format!("turn={TURN}"), &format!("nodes={}", config.match_nodes)]);
        arena.args(["--engine", "name=new", &command(Some(&self.network(generation)))?]);
        arena.args(["--engine", "name=best", &command(best)?]);
        arena.arg("--resume").arg(&record);
        let mut arena = arena.spawn().map_err(RunError::Arena)?;
        let mut is_asked = false;
        let status = loop {
            if let Some(status) = arena.try_wait().map_err(RunError::Arena)? {
                break status;
            }
            if run.is_halted() && !is_asked {
                ask_to_end(&mut arena);
                is_asked = true;
            }
            thread::sleep(POLL);
        };
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        match code.and_then(Conclusion::from_repr) {
            Some(Conclusion::Finished) => Ok(Some(true)),
            Some(Conclusion::H0 | Conclusion::Undecided) => Ok(Some(false)),
            Some(Conclusion::Interrupted) => Ok(None),
            Some(Conclusion::Forfeits) => Err(RunError::Forfeits(record)),
            // Without a signal, as on Windows, a halted match ends with another status.
            None if run.is_halted() => Ok(None),
            None => Err(RunError::Match(status)),
        }
    }
}

/// Ends a match. Its record holds the games finished so far, and the engines are sent `END`.
#[cfg(unix)]
fn ask_to_end(arena: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // It fails if the arena has just ended.
    let _ = kill_process(Pid::from_child(arena), Signal::TERM);
}

/// Ends a match. Its record holds the games finished so far.
#[cfg(not(unix))]
fn ask_to_end(arena: &mut Child) {
    // It fails if the arena has just ended.
    let _ = arena.kill();
}

/// The programs that play the matches.
const ARENA: &str = "tengen-arena";
const ENGINE: &str = "pbrain-tengen-search";

/// Fails if a program that plays the matches is missing, before hours of games and training.
pub(super) fn check_programs() -> Result<(), RunError> {
    sibling(ARENA).and_then(|_| sibling(ENGINE)).map(drop)
}

/// A program in the folder of this one.
fn sibling(name: &str) -> Result<PathBuf, RunError> {
    let own = std::env::current_exe().map_err(RunError::Arena)?;
    let path = own.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() { Ok(path) } else { Err(RunError::Program(path)) }
}
