//! The messages of the page, one line of JSON each: [`Request`] in, values of [`serde_json`] out.
//!
//! ```text
//! {"id": 3, "do": "view", "game": {"size": 15, "rule": "renju", "moves": "7,7 8,6"}}
//! {"id": 3, "kind": "view", "turn": "black", …}
//! ```

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::board::{Color, Point, Rule, Size};
use crate::notation::{Comma, GameMovesError, Moves, Ranks, parse_comma};
use crate::opening::{Procedure, ReadError};
use crate::picker::PickerName;
use crate::protocol::rule_number::RuleInfo;
use crate::text::{Quoted, Short, as_text};
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

impl GameText {
    /// The rule as engines receive it.
    pub(super) const fn rule_info(&self) -> RuleInfo {
        RuleInfo { rule: self.rule, continuous: self.continuous }
    }
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

impl OpeningText {
    /// The rule as engines receive it.
    pub(super) const fn rule_info(&self) -> RuleInfo {
        RuleInfo { rule: self.rule, continuous: self.continuous }
    }
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
}

impl Effort {
    /// # Errors
    /// When a limit is out of range, or the search has no limit.
    pub(super) fn check(self) -> Result<Self, Failure> {
        let is_endless = self.time == 0 && self.left == 0 && self.nodes == 0 && self.depth == 0;
        let is_long = [self.time, self.left, self.increment].into_iter().any(|time| time > LONGEST_TIME);
        if is_endless || is_long || self.lines > MOST_LINES { Err(Failure::Effort) } else { Ok(self) }
    }
}

/// Maximum number of lines of an analysis.
const MOST_LINES: usize = 20;

/// The kind of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ProofKind {
    /// Victory by continuous fours.
    Vcf,
    /// Victory by continuous threats.
    Vct,
}

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
    /// The number of the request.
    #[serde(default, rename = "id")]
    _id: Option<u64>,
    /// `read`.
    #[serde(default, rename = "do")]
    _what: Option<ReadWord>,
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

/// The `do` of the only request that may be long.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReadWord {
    Read,
}

/// The number of a request, without its other fields.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// A request of the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    /// The server's rules, pickers, weightings, procedures, engines, sizes and limits of time.
    Hello {},
    /// The state of a game; on request with the weights and shapes of its points.
    View {
        game: GameText,
        #[serde(default, deserialize_with = "as_text::optional")]
        weights: Option<Weighting>,
        #[serde(default)]
        shapes: bool,
    },
    /// Everything about one point.
    Point {
        game: GameText,
        #[serde(deserialize_with = "point")]
        point: Point,
    },
    /// The move of the side to move. An analysis asks the same with more lines.
    Think { game: GameText, who: Who, effort: Effort },
    /// The next question of an opening procedure.
    Opening { opening: OpeningText },
    /// The same question, put to a player.
    Negotiate { opening: OpeningText, who: Who, effort: Effort },
    /// Whether a side wins by force.
    Prove {
        game: GameText,
        how: ProofKind,
        #[serde(default, deserialize_with = "as_text::optional")]
        side: Option<Color>,
    },
    /// Stops the running job. A search answers with its best move so far.
    Stop {},
    /// The games of a file.
    Read(TextToRead),
    /// A game as a PSQ file.
    Psq(GameToWrite),
}

/// Error returned when a request is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The line is not a message that the server knows.
    #[error("invalid message: {0}")]
    Message(String),
    /// The moves do not make a game.
    #[error(transparent)]
    Record(#[from] GameMovesError),
    /// The game was over before this move, counted from one.
    #[error("move {0}: the game is over before it")]
    Over(usize),
    /// The request needs a game that is not over.
    #[error("the game is over")]
    Ended,
    /// The point is not empty, or off the board.
    #[error("{} is not an empty point of the board", Comma(*.0))]
    Point(Point),
    /// No engine has this name.
    #[error("no engine is named {}", Quoted(.0))]
    Engine(String),
    /// The procedure does not allow the answers.
    #[error(transparent)]
    Opening(ReadError),
    /// A word of an answer is not a point, a number, `swap` or `keep`.
    #[error("{} is not an answer: expected points, a number, swap or keep", Quoted(.0))]
    Word(String),
    /// The opening is complete: the procedure has no further question.
    #[error("the opening is settled")]
    Agreed,
    /// The search has no limit, or a limit is out of range.
    #[error(
        "a search needs a limit of time, nodes or depth; times are at most {} s, lines at most {MOST_LINES}",
        LONGEST_TIME / 1000
    )]
    Effort,
    /// A file holds no game.
    #[error("the file {0}")]
    File(&'static str),
    /// A line of a file, counted from one, is not part of a game.
    #[error("line {0}: {1}")]
    FileLine(usize, String),
    /// The system refuses a thread or a process.
    #[error("{0}")]
    System(String),
}

/// Reads a line: the number of the request, null if it has none, and the request.
pub(super) fn parse(line: &str) -> (Value, Result<Request, Failure>) {
    let message = |error: serde_json::Error| Failure::Message(error.to_string());
    if line.len() > LONGEST_SHORT {
        // As a tree of JSON values such a line could take many times its size.
        let id = serde_json::from_str(line).map_or(Value::Null, |Numbered { id }| id.into());
        return (id, serde_json::from_str(line).map(Request::Read).map_err(message));
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

/// A refusal as a line.
pub(super) fn refusal(id: &Value, failure: &Failure) -> String {
    answer(id, "error", json!({ "error": Short(failure).to_string() }))
}

fn point<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
    parse_comma(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
    let side = u8::deserialize(deserializer)?;
    Size::new(side).ok_or_else(|| D::Error::custom(format!("a board has {} to {} points a side", Size::MIN, Size::MAX)))
}
