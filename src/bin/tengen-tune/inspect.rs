//! `show` and `info`: the contents of files of games.

use std::io::{self, BufWriter, ErrorKind, Write, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use tengen::tune::{GameFileError, GameReader, SelfPlayGame, Summary};

use crate::report;

pub(crate) fn show(file: &Path, count: Option<NonZeroUsize>) -> anyhow::Result<()> {
    let games = GameReader::open(file)?;
    let mut out = BufWriter::new(stdout().lock());
    for game in games.take(count.map_or(usize::MAX, NonZeroUsize::get)) {
        match print_game(&mut out, &game?) {
            // The reader has closed the pipe.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            printed => printed.context("cannot print the games")?,
        }
    }
    Ok(())
}

/// Prints a game as a comment line, and each of its samples as a line.
fn print_game(out: &mut impl Write, game: &SelfPlayGame) -> io::Result<()> {
    writeln!(out, "# {game}")?;
    game.samples().try_for_each(|sample| writeln!(out, "{sample}"))?;
    out.flush()
}

/// Prints the statistics of each file, and of several files together. Fails if a file cannot be read or is damaged.
pub(crate) fn info(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let (mut all, mut readable) = (Summary::default(), 0);
    for path in files {
        match summary(path) {
            Ok((text, summary)) => {
                print(&format!("{text}{summary}\n"))?;
                all = all + summary;
                readable += 1;
            }
            Err(error) => report(&format!("tengen-tune: {error}")),
        }
    }
    if readable > 1 {
        print(&format!("{readable} files\n{all}\n"))?;
    }
    Ok(if readable == files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The header of a file and the statistics of its games.
fn summary(path: &Path) -> Result<(String, Summary), GameFileError> {
    let mut games = GameReader::open(path)?;
    let mut text = format!("{}: {}\n", path.display(), games.header);
    text.extend(games.tail_note().map(|note| note + "\n"));
    let summary = games.try_fold(Summary::default(), |summary, game| Ok(summary + Summary::of(&game?)))?;
    Ok((text, summary))
}

fn print(text: &str) -> anyhow::Result<()> {
    stdout().write_all(text.as_bytes()).context("cannot print the statistics")
}
