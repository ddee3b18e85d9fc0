//! `show` and `info`: what is in files of games.

use std::io::{self, BufWriter, ErrorKind, Write, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use tengen::tune::{GameFileError, GameReader, GameRecord, Summary};

use crate::play::MOST_GAMES;
use crate::{count, report, tail};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The file of games
    file: PathBuf,
    /// The games to print; without it all
    #[arg(long, value_name = "N", value_parser = count(MOST_GAMES as u64))]
    games: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let games = GameReader::open(&args.file)?;
    let mut out = BufWriter::new(stdout().lock());
    for game in games.take(args.games.map_or(usize::MAX, NonZeroUsize::get)) {
        match print_game(&mut out, &game?) {
            // The reader has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            printed => printed.context("the games cannot be printed")?,
        }
    }
    Ok(())
}

/// Prints what a game is in a line of comment, and its samples in a line each.
fn print_game(out: &mut impl Write, game: &GameRecord) -> io::Result<()> {
    writeln!(out, "# {game}")?;
    game.samples().try_for_each(|sample| writeln!(out, "{sample}"))?;
    out.flush()
}

/// Prints what is in each file, and of several files in all; fails where one cannot be read or is damaged.
pub(crate) fn info(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    let (mut all, mut readable) = (Summary::default(), 0);
    for path in &args.files {
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
    Ok(if readable == args.files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What heads a file, and what its games come to.
fn summary(path: &Path) -> Result<(String, Summary), GameFileError> {
    let mut games = GameReader::open(path)?;
    let mut text = format!("{}: {}\n", path.display(), games.header());
    if games.tail() > 0 {
        text.push_str(&(tail(&games) + "\n"));
    }
    let summary = games.try_fold(Summary::default(), |summary, game| Ok(summary + Summary::of(&game?)))?;
    Ok((text, summary))
}

fn print(text: &str) -> anyhow::Result<()> {
    stdout().write_all(text.as_bytes()).context("the summary cannot be printed")
}
