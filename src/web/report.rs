//! The report of a match as one HTML file that needs no server: tables, and each game on the board of the page.

use serde_json::{Value, json};

use super::Failure;
use super::files;
use super::page_files;
use super::server::PORT;
use crate::arena::journal::MatchRecord;
use crate::arena::report::MatchReport;
use crate::arena::stats::results::llr_after_each_pair;
use crate::files::Kind;
use crate::shard::Shard;

/// The modules of the page that the scripts of the report import, each after those that it imports itself.
const MODULES: [&str; 7] =
    ["/dom.js", "/points.js", "/texts.js", "/tree.js", "/render/goban.js", "/render/games.js", "/render/table.js"];

/// Black's chances before the moves of a game, as the engine to move stated them last; null where it stated none.
fn chances(said: &[Value]) -> Vec<Value> {
    let mut chances = Vec::new();
    for line in said {
        let (Some(ply), Some(verdict)) =
            (line["ply"].as_u64(), line.get("verdict").filter(|verdict| verdict.is_object()))
        else {
            continue;
        };
        let share = match &verdict["result"]["winner"] {
            Value::String(winner) => f64::from(u8::from(winner == "black")),
            _ => verdict["chance"].as_f64().unwrap_or_default(),
        };
        let place = ply as usize;
        if chances.len() <= place {
            chances.resize(place + 1, Value::Null);
        }
        // Two digits keep a report small.
        chances[place] = ((100.0 * share).round() / 100.0).into();
    }
    chances
}

/// The policy of the page: it loads nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The kind of file of the page.
pub const KIND: Kind = Kind { name: "report", start: b"<!doctype html>" };

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
            let said = game.as_object_mut().and_then(|fields| fields.remove("said"));
            game["chances"] = chances(said.as_ref().and_then(Value::as_array).map_or(&[], Vec::as_slice)).into();
            games.push(game);
        }
    }
    let llr = match matches {
        [one] if Shard::are_all(shards) => llr_after_each_pair(one),
        _ => Vec::new(),
    };
    let board = format!("http://127.0.0.1:{PORT}/");
    let data = json!({ "report": MatchReport::new(matches, shards), "games": games, "llr": llr, "board": board });
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
    let own = page_files::REPORT_FILES.iter().map(|file| file.text);
    for line in MODULES.map(page_files::text).into_iter().chain(own).flat_map(str::lines) {
        is_import |= line.starts_with("import ");
        if !is_import {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
        is_import &= !line.ends_with(';');
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_statement_before_a_move_is_its_chance() {
        let said = json!([
            { "ply": 3, "text": "", "verdict": { "result": null, "chance": 0.4 } },
            { "ply": 3, "text": "", "verdict": { "result": null, "chance": 0.634 } },
            { "ply": 5, "text": "", "verdict": null },
            { "ply": 6, "text": "", "verdict": { "result": { "winner": "white", "moves": 3 }, "chance": null } },
        ]);
        let expected = json!([null, null, null, 0.63, null, null, 0.0]);
        assert_eq!(Value::from(chances(said.as_array().unwrap())), expected);
    }
}
