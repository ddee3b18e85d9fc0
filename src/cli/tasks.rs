//! The subcommands. They read arguments and files and print text.

use std::io;
use std::path::Path;
use std::time::Duration;

use crate::bench::{self, Extent};
use crate::board::{Outcome, Rule, Size};
use crate::explain::fifths::FifthsTable;
use crate::explain::{Explanation, Transcript};
use crate::files::{self, Kind, MOST_BYTES, OutputFile};
use crate::notation::{GameMoves, Letters, SavedGame};
use crate::opening::{Catalogue, NamedOpening};
use crate::picker::{Evaluation, PickerName, SearchControl};
use crate::protocol::{ReplayTime, Settings};
use crate::text::without_mark;
use crate::weights::WeightedPosition;
use anyhow::{Context, anyhow, bail, ensure};

use super::args::Question;
use super::config::Config;
use super::output::print;

/// Default time of a question.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Runs the bench and prints its signature and speed.
pub(super) fn bench(picker: PickerName, extent: Extent, evaluation: Evaluation) -> anyhow::Result<()> {
    print(&bench::run(picker, extent, evaluation))
}

/// Prints the settings. Fails if `tengen.toml` has an error.
pub(super) fn config(config: &Config) -> anyhow::Result<()> {
    print(config)?;
    match &config.error {
        Some(error) => Err(anyhow!("{error}")),
        None => Ok(()),
    }
}

/// Prints the named openings.
pub(super) fn openings(json: bool) -> anyhow::Result<()> {
    if json { print(&format_args!("{:#}", Catalogue.to_json())) } else { print(&Catalogue) }
}

/// Prints the search's verdicts next to the document's. Each row is printed as soon as it is complete.
pub(super) fn judge_openings(time: u64, settings: &Settings) -> anyhow::Result<()> {
    check_networks(settings, Rule::Renju)?;
    print(&FifthsTable::head())?;
    let mut printed = Ok(());
    let table = FifthsTable::search(Duration::from_millis(time), settings.evaluation, |row| {
        if printed.is_ok() {
            printed = print(row);
        }
    });
    printed?;
    print(&format_args!("\n{table}"))
}

/// Fails if `--network` was given, but without a network for this rule.
pub(super) fn check_networks(settings: &Settings, rule: Rule) -> anyhow::Result<()> {
    ensure!(
        !settings.evaluation.is_given_only_for_other_rules(rule),
        "--network was given without a network for {rule}"
    );
    Ok(())
}

/// Fails if `--size` is not the size of the game.
pub(super) fn check_size(asked: Option<Size>, size: Size) -> anyhow::Result<()> {
    ensure!(asked.is_none_or(|asked| asked == size), "the board of the game is {size}x{size}");
    Ok(())
}

/// Reads a position and prints the picker's move with its reason.
pub(super) fn explain(question: &Question, settings: &Settings) -> anyhow::Result<()> {
    let Some(path) = &question.file else {
        let letters = Letters::new(question.size.unwrap_or(Size::FIFTEEN)).counted_from(question.ranks);
        return explain_game(&GameMoves::from_letters(&question.moves.join(" "), letters)?, question, settings);
    };
    let name = if is_stdin(path) { "stdin".into() } else { path.display().to_string() };
    let explained = read(path, MOST_BYTES).and_then(|text| {
        if GameMoves::is_psq(&text) {
            explain_game(&SavedGame::read(&text)?.record, question, settings)
        } else {
            explain_lines(&text, question, settings)
        }
    });
    explained.context(name)
}

fn explain_game(record: &GameMoves, question: &Question, settings: &Settings) -> anyhow::Result<()> {
    let size = record.size;
    check_size(question.size, size)?;
    let position = WeightedPosition::new(record.board(question.rule, question.number)?, settings.weighting);
    let played = question.number.map_or(record.moves.len(), |number| number.saturating_sub(1));
    let played = GameMoves { size, moves: record.moves[..played.min(record.moves.len())].to_vec() };
    // After a draw by the rule of the judge there may be points to play on.
    let end = played.end(question.rule)?.filter(|(_, outcome)| *outcome != Outcome::Draw);
    if let Some((last, outcome)) = end {
        bail!("the game is over after move {last}: {outcome}");
    }
    let limits = settings.limits(SearchControl::default());
    let explanation = Explanation::ask(position, settings.picker, limits, time(question));
    // Name the opening by the moves on the board only. Protocol lines have no later moves either.
    let opening = NamedOpening::of_moves(&played.moves, size);
    let mut explanation = explanation.context("no empty point is left")?;
    explanation.opening = opening;
    show(&explanation, question, settings)
}

/// Explains the last answer to lines of the protocol. `--time` overrides the time that the lines set.
fn explain_lines(text: &str, question: &Question, settings: &Settings) -> anyhow::Result<()> {
    ensure!(question.number.is_none(), "--move is for games; end the lines where the move is asked for");
    let size = question.size.unwrap_or(Size::FIFTEEN);
    let transcript = Transcript::parse(text, size, question.rule, settings.clone())?;
    let fixed = question.time.map(|_| ReplayTime::Fixed(time(question)));
    let time = fixed.unwrap_or(ReplayTime::OfLines(DEFAULT_TIME));
    show(&transcript.explain(time)?, question, settings)
}

fn time(question: &Question) -> Duration {
    question.time.map_or(DEFAULT_TIME, Duration::from_millis)
}

fn show(explanation: &Explanation, question: &Question, settings: &Settings) -> anyhow::Result<()> {
    check_networks(settings, explanation.position().board().rule())?;
    if let Some(path) = &question.svg {
        OutputFile::create(path, &Kind::SVG)?.write_whole(explanation.to_svg().as_bytes())?;
    }
    if question.json {
        print(&format_args!("{:#}", explanation.to_json()))
    } else {
        print(&format_args!("{explanation:#}"))
    }
}

/// Whether the path means stdin.
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file or stdin of at most `most_bytes` bytes and removes the byte order mark. In a saved game the players'
/// names may have any encoding, and the rest is ASCII.
pub(super) fn read(path: &Path, most_bytes: u64) -> anyhow::Result<String> {
    let bytes =
        if is_stdin(path) { files::read_from(io::stdin(), most_bytes)? } else { files::read(path, most_bytes)? };
    let text = without_mark(&String::from_utf8_lossy(&bytes)).to_owned();
    ensure!(!text.trim().is_empty(), "it is empty");
    Ok(text)
}
