//! What the commands print.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use tengen::cli::output::print;
use tengen::library::{Cursor, Difference, Edit, JsonPosition, Known, KnownMove, Library, Move, Proof, Record, View};
use tengen::notation::Letters;

use crate::progress::EditBar;
use crate::report;

/// The sources that are printed: an archive has thousands of files.
const MOST_SOURCES: usize = 20;

/// The number of positions of each rule and size, and the sources.
pub(crate) fn info(library: &Library) -> anyhow::Result<()> {
    let view = library.view()?;
    let mut text = format!("{} positions\n", view.len()?);
    for (rule, size) in view.games()? {
        let (mut count, mut settled, mut games) = (0_u64, 0_u64, 0_u64);
        view.scan(rule, size, &mut |key, entry| {
            count += 1;
            settled += u64::from(entry.record.settled().is_some());
            if key.stone_count() == 0 {
                games = entry.record.games.total();
            }
            std::ops::ControlFlow::Continue(())
        })?;
        writeln!(text, "{rule} {size} × {size}: {count} positions, {settled} with a known result, {games} games")?;
    }
    let sources = view.sources()?;
    for (_, source) in sources.iter().take(MOST_SOURCES) {
        writeln!(text, "source: {}", source.name)?;
    }
    if let Some(more) = sources.len().checked_sub(MOST_SOURCES).filter(|&more| more > 0) {
        writeln!(text, "and {more} more sources")?;
    }
    print(&text.trim_end())
}

/// Makes a change of the library in a file permanent. Then reports what was read and what followed from it.
pub(crate) fn committed(file: &Path, edit: Edit<'_>, bar: &EditBar, read: &[String]) -> anyhow::Result<()> {
    let added = edit.added();
    let flow = edit.commit().with_context(|| file.display().to_string())?;
    bar.end();
    read.iter().for_each(|line| report(line));
    report(&format!("{added} new positions; {} results follow", flow.derived));
    contradictions(flow.contradictions.len() as u64);
    Ok(())
}

/// Reports contradictions that a change has met.
pub(crate) fn contradictions(count: u64) {
    if count > 0 {
        report(&format!("{count} contradictions between sources: tengen-library check lists them"));
    }
}

/// A position and its moves, as JSON in a line each.
pub(crate) fn position(view: &View<'_>, cursor: &Cursor, json: bool) -> anyhow::Result<()> {
    let Some(known) = view.known(cursor)? else {
        return if json { print(&"null") } else { print(&"unknown") };
    };
    if json {
        print(&serde_json::to_string(&JsonPosition::new(cursor, &known.record))?)?;
        return known.moves.iter().try_for_each(|known| json_move(cursor, known));
    }
    print(&text(cursor, &known).trim_end())
}

/// A move and the position after it.
#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    #[serde(flatten)]
    after: JsonPosition,
}

fn json_move(cursor: &Cursor, known: &KnownMove) -> anyhow::Result<()> {
    let mut after = cursor.clone();
    after.play(known.played);
    let after = JsonPosition::new(&after, &known.record);
    print(&serde_json::to_string(&JsonMove { played: name(cursor, known.played), after })?)
}

/// The name of a move.
fn name(cursor: &Cursor, played: Move) -> String {
    played.map_or("pass".to_owned(), |point| Letters::new(cursor.size()).point(point).to_string())
}

fn text(cursor: &Cursor, known: &Known) -> String {
    let letters = Letters::new(cursor.size());
    let record = &known.record;
    let mut text = format!("{} to move: {}\n", cursor.turn(), summary(record, false));
    for line in record.comment.lines() {
        text += &format!("  {line}\n");
    }
    for mark in &record.marks {
        text += &format!("  {} {}\n", letters.point(mark.point), mark.text);
    }
    for known in &known.moves {
        text += &format!("{:5} {}\n", name(cursor, known.played), summary(&known.record, true));
    }
    text
}

/// The knowledge of a position in one line, for the side to move, or for the side that moved last.
fn summary(record: &Record, is_after_move: bool) -> String {
    let mut facts = Vec::new();
    let wins = |proof: Proof| {
        let word = if proof.is_win != is_after_move { "wins" } else { "loses" };
        let plies = proof.plies.map(|plies| format!(" in {plies} plies")).unwrap_or_default();
        format!("{word}{plies} ({})", proof.origin)
    };
    if record.is_contradictory() {
        facts.push("contradictory results".to_owned());
    }
    facts.extend(record.settled().map(wins));
    let sign = if is_after_move { -1 } else { 1 };
    facts.extend(record.backed_up.map(|score| format!("score {} from its moves", sign * score)));
    if let Some(note) = record.search {
        facts.push(format!("score {} at depth {} ({})", sign * note.score, note.depth, note.bound));
    }
    let games = record.games;
    if games.total() > 0 {
        let (black, drawn, white) = (games.black, games.drawn, games.white);
        facts.push(format!("{} games: black won {black}, {drawn} drawn, white won {white}", games.total()));
    }
    facts.extend(record.label.map(|label| format!("label {label}")));
    if facts.is_empty() { "known".to_owned() } else { facts.join("; ") }
}

/// A position of which two libraries know different things, as lines after `-` and `+`.
pub(crate) fn difference(difference: &Difference) -> anyhow::Result<()> {
    for (sign, record) in ["-", "+"].into_iter().zip(&difference.records) {
        if let Some(record) = record {
            let line = serde_json::to_string(&JsonPosition::new(&difference.cursor, record))?;
            print(&format_args!("{sign} {line}"))?;
        }
    }
    Ok(())
}
