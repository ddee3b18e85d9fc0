//! The messages of the page, one line of JSON each: [`Request`] in, values of [`serde_json`] out.
//!
//! ```text
//! {"id": 3, "do": "view", "game": {"size": 15, "rule": "renju", "moves": "7,7 8,6"}}
//! {"id": 3, "kind": "view", "turn": "black", …}
//! ```

#![cfg_attr(not(feature = "programs"), expect(dead_code, reason = "only a server has a library"))]

use std::num::NonZeroU8;

use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::Failure;
use super::tree::TreeToWrite;
use crate::board::{Color, Point, Rule, Size};
use crate::explain::proof::ProofKind;
use crate::library::ExportFormat;
use crate::notation::{Moves, Ranks, parse_comma};
use crate::opening::Procedure;
use crate::picker::{Level, PickerName};
use crate::text::{Short, as_text};
use crate::weights::Weighting;

/// Maximum size in bytes of a message: enough for the record of about a thousand games.
pub const LONGEST_MESSAGE: usize = 16 << 20;

/// Maximum size in bytes of a message without a file: four times the longest game with its times.
const LONGEST_SHORT: usize = 1 << 16;

/// Maximum time of an answer, in milliseconds: an hour.
pub(super) const LONGEST_TIME: u64 = 3_600_000;

/// A position: the moves that led to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameText {
    #[serde(deserialize_with = "size")]
    pub(super) size: Size,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) rule: Rule,
    /// Whether the game continues after a five.
    #[serde(default)]
    pub(super) continuous: bool,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) moves: Moves,
}

/// An opening by a procedure: the answers so far, each as `swap`, `keep`, `7,7 8,6`, `7,7 8,6 3`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningText {
    #[serde(deserialize_with = "size")]
    pub(super) size: Size,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) rule: Rule,
    /// Whether the game continues after a five.
    #[serde(default)]
    pub(super) continuous: bool,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) procedure: Procedure,
    pub(super) answers: Vec<String>,
}

/// Who answers: a picker of this library, or an engine that the server was started with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(super) enum Who {
    /// A picker with its weighting.
    Picker(
        #[serde(deserialize_with = "as_text::deserialize")] PickerName,
        #[serde(deserialize_with = "as_text::deserialize")] Weighting,
    ),
    /// The name of an engine.
    Engine(String),
}

/// The limits of an answer. A limit that is 0 or missing does not apply.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Effort {
    /// Milliseconds.
    pub(super) time: u64,
    /// Milliseconds left for the rest of the game.
    pub(super) left: u64,
    /// Milliseconds that each move adds to `left`.
    pub(super) increment: u64,
    /// Nodes of the search.
    pub(super) nodes: u64,
    /// Plies of the search.
    pub(super) depth: u32,
    /// The number of lines in the reports.
    pub(super) lines: usize,
    /// The level of play, 1 to 10; 0 for full strength.
    pub(super) level: u64,
    /// Seed of the draws of a level.
    pub(super) seed: u64,
    /// Threads of the search; 0 for the number that the server was started with.
    pub(super) threads: usize,
    /// MiB of the search's table; 0 for the usual size.
    pub(super) memory: usize,
}

impl Effort {
    /// Checks the limits. `most_threads` is the maximum number of threads.
    ///
    /// # Errors
    /// When a limit is out of range, or the search has no limit.
    pub(super) fn check(self, most_threads: usize) -> Result<Self, Failure> {
        let is_endless = self.time == 0 && self.left == 0 && self.nodes == 0 && self.depth == 0;
        let is_long = [self.time, self.left, self.increment].into_iter().any(|time| time > LONGEST_TIME);
        let is_large = self.threads > most_threads || self.memory > MOST_MEMORY;
        let is_known = self.level == 0 || Level::new(self.level).is_some();
        if is_endless || is_long || is_large || !is_known || self.lines > MOST_LINES {
            Err(Failure::Effort)
        } else {
            Ok(self)
        }
    }
}

/// Maximum size in MiB of a search's table.
pub(super) const MOST_MEMORY: usize = 1024;

/// Maximum number of lines of an analysis.
pub(super) const MOST_LINES: usize = 20;

/// A game to write as a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameToWrite {
    pub(super) game: GameText,
    /// Milliseconds of each move; missing ones are 0.
    #[serde(default)]
    pub(super) times: Vec<u64>,
    /// The names of black and white.
    pub(super) players: [String; 2],
    /// Whether the game was lost on time.
    #[serde(default)]
    pub(super) is_time: bool,
}

/// A file to read. A long message is parsed straight into it, so the text is held once. Size, rule and
/// `continuous` apply if the text does not name them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextToRead {
    /// The number and the word of the request, which were read before.
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "do")]
    _what: IgnoredAny,
    pub(super) text: String,
    #[serde(deserialize_with = "size")]
    pub(super) size: Size,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) rule: Rule,
    #[serde(default)]
    pub(super) continuous: bool,
    /// Where the ranks of a list of moves begin; at the bottom by default.
    #[serde(default, deserialize_with = "as_text::deserialize")]
    pub(super) ranks: Ranks,
}

/// A file to import into the library. A long message is parsed straight into it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileToImport {
    /// The number and the word of the request, which were read before.
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "do")]
    _what: IgnoredAny,
    /// The name of the file.
    pub(super) name: String,
    /// The contents in Base64.
    pub(super) data: String,
    /// The rule if the file does not state one.
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) rule: Rule,
    /// The size of the board of a list of moves.
    #[serde(deserialize_with = "size")]
    pub(super) size: Size,
}

/// A change of the library at a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(super) enum LibraryChange {
    /// Makes the position and those on the way to it known.
    Add,
    /// Removes the position.
    Remove,
    /// Replaces the comment.
    Comment(String),
    /// Sets the label of a point; an empty text removes it.
    Label {
        #[serde(deserialize_with = "point")]
        point: Point,
        text: String,
    },
    /// Sets the result, or takes it back.
    Result(Option<Claim>),
}

/// A result that a person claims.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) winner: Color,
    /// The number of moves that the winner makes, if it is known.
    #[serde(default)]
    pub(super) moves: Option<NonZeroU8>,
}

/// The number and the word of a request, without its other fields.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
    #[serde(default, rename = "do")]
    what: String,
}

/// A request of the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    /// The server's rules, pickers, weightings, procedures, engines, sizes and limits of time.
    Hello {},
    /// The state of a game; on request with the weights and shapes of its points, and what the library knows of it.
    View {
        game: GameText,
        #[serde(default, deserialize_with = "as_text::optional")]
        weights: Option<Weighting>,
        #[serde(default)]
        shapes: bool,
        #[serde(default)]
        library: bool,
    },
    /// Everything about one point.
    Point {
        game: GameText,
        #[serde(deserialize_with = "point")]
        point: Point,
    },
    /// The move of the side to move. An analysis asks the same with more lines. On request the library keeps the score.
    Think {
        game: GameText,
        who: Who,
        effort: Effort,
        #[serde(default)]
        keep: bool,
    },
    /// The next question of an opening procedure.
    Opening { opening: OpeningText },
    /// The same question, put to a player.
    Negotiate { opening: OpeningText, who: Who, effort: Effort },
    /// Whether a side wins by force.
    Prove {
        game: GameText,
        #[serde(with = "as_text")]
        how: ProofKind,
        #[serde(default, deserialize_with = "as_text::optional")]
        side: Option<Color>,
    },
    /// The 26 named openings of renju, with the document's verdicts by the number of fifth moves.
    Openings {},
    /// The built-in puzzles of a rule.
    Puzzles {
        #[serde(deserialize_with = "as_text::deserialize")]
        rule: Rule,
    },
    /// The win that the side not to move threatens, and the points that prevent it.
    Threats { game: GameText },
    /// Why a move of the side to move is good or bad.
    Why {
        game: GameText,
        #[serde(deserialize_with = "point")]
        point: Point,
    },
    /// Stops the running job. A search answers with its best move so far.
    Stop {},
    /// The games of a file.
    Read(TextToRead),
    /// A game as a PSQ file.
    Psq(GameToWrite),
    /// A tree of moves as an SGF file.
    Sgf(TreeToWrite),
    /// Changes what the library knows of a position.
    Edit { game: GameText, change: LibraryChange },
    /// Takes back the last change of the library.
    Undo {},
    /// Adds a file to the library.
    Import(FileToImport),
    /// The positions of the library with this rule and size as a file.
    Export {
        game: GameText,
        #[serde(deserialize_with = "as_text::deserialize")]
        format: ExportFormat,
    },
}

/// Reads a line: the number of the request, null if it has none, and the request.
pub(super) fn parse(line: &str) -> (Value, Result<Request, Failure>) {
    let message = |error: serde_json::Error| Failure::Message(error.to_string());
    if line.len() > LONGEST_SHORT {
        // As a tree of JSON values such a line could take many times its size.
        let Numbered { id, what } = match serde_json::from_str(line) {
            Ok(numbered) => numbered,
            Err(error) => return (Value::Null, Err(message(error))),
        };
        let request = match what.as_str() {
            "read" => serde_json::from_str(line).map(Request::Read).map_err(message),
            "sgf" => serde_json::from_str(line).map(Request::Sgf).map_err(message),
            "import" => serde_json::from_str(line).map(Request::Import).map_err(message),
            _ => Err(Failure::Message(format!("longer than {} KiB", LONGEST_SHORT >> 10))),
        };
        return (id.into(), request);
    }
    let mut value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return (Value::Null, Err(message(error))),
    };
    let id = value.as_object_mut().and_then(|fields| fields.remove("id")).filter(Value::is_u64).unwrap_or_default();
    (id, serde_json::from_value(value).map_err(message))
}

/// An answer as a line: these fields with the number of the request.
pub(super) fn answer(id: &Value, kind: &str, fields: Value) -> String {
    let mut line = json!({ "id": id, "kind": kind });
    if let (Value::Object(line), Value::Object(fields)) = (&mut line, fields) {
        line.extend(fields);
    }
    line.to_string()
}

/// A refusal as a line, with the place of the failure in a text that was read.
pub(super) fn refusal(id: &Value, failure: &Failure) -> String {
    let mut fields = json!({ "error": Short(failure).to_string() });
    if let Failure::Place(place, _) = failure {
        fields["at"] = json!([place.start, place.end]);
    }
    answer(id, "error", fields)
}

pub(super) fn point<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
    parse_comma(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

pub(super) fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
    let side = u8::deserialize(deserializer)?;
    Size::new(side).ok_or_else(|| D::Error::custom(format!("a board has {} to {} points a side", Size::MIN, Size::MAX)))
}
