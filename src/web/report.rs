//! The report of a match as one HTML file that needs no server: tables, and each game on the board of the page.

use serde_json::{Value, json};

use super::Failure;
use super::files;
use super::page_files;
use crate::arena::journal::MatchRecord;
use crate::arena::report::MatchReport;
use crate::arena::stats::results::llr_after_each_pair;
use crate::shard::Shard;

/// The modules of the page that the report uses, each after those that it imports.
const MODULES: [&str; 7] =
    ["/dom.js", "/points.js", "/texts.js", "/tree.js", "/render/goban.js", "/render/games.js", "/render/table.js"];

/// The script of the report, which imports them.
const REPORT: &str = include_str!("page/report.js");

/// The policy of the page: it loads nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The page of one or several matches, as `tengen-arena report --html` writes it. Each game takes half a kilobyte.
///
/// # Errors
/// When a recorded game cannot be played.
pub fn html(matches: &[MatchRecord], shards: &[Shard]) -> Result<String, Failure> {
    let mut games = Vec::new();
    for played in matches {
        for record in played.games.values() {
            let mut game = files::of_record(record, played.config.game.size, played.config.game.rule)?;
            // The lines of the engines are many times the size of the rest. They stay in the record.
            if let Value::Object(fields) = &mut game {
                fields.remove("said");
            }
            games.push(game);
        }
    }
    let llr = match matches {
        [one] => llr_after_each_pair(one, |opening| shards.iter().any(|shard| shard.has(opening))),
        _ => Vec::new(),
    };
    let data = json!({ "report": MatchReport::new(matches, shards), "games": games, "llr": llr });
    // An engine name with "</script>" must not end the script.
    let data = data.to_string().replace('<', "\\u003c");
    let (style, script) = (page_files::text("/style.css"), script());
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>Match report</title>\n<style>\n{style}</style>\n</head>\n<body class=\"report\">\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script type=\"module\">\n{script}</script>\n</body>\n</html>\n"
    ))
}

/// The modules as one script, without imports and the word `export`: all names are in one scope.
fn script() -> String {
    let mut script = String::new();
    let mut is_import = false;
    for line in MODULES.map(page_files::text).into_iter().chain([REPORT]).flat_map(str::lines) {
        is_import |= line.starts_with("import ");
        if !is_import {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
        is_import &= !line.ends_with(';');
    }
    script
}
