//! The messages of the page, one line of JSON each: [`Request`] in, values of [`serde_json`] out.
//!
//! ```text
//! {"id": 3, "do": "view", "game": {"size": 15, "rule": "renju", "moves": "7,7 8,6"}}
//! {"id": 3, "kind": "view", "turn": "black", …}
//! ```

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::board::{Color, Point, Rule, RuleInfo, Size};
use crate::notation::{Comma, GameMovesError, Moves, Ranks, parse_comma};
use crate::opening::{Procedure, ReadError};
use crate::picker::PickerName;
use crate::text::{Short, as_text};
use crate::weights::Weighting;

/// The most bytes of a message: a record of some thousand games.
pub const LONGEST_MESSAGE: usize = 16 << 20;

/// The most bytes of a message that holds no file: four times the longest game with its times.
const LONGEST_SHORT: usize = 1 << 16;

/// The longest time of an answer, in milliseconds: an hour.
pub(super) const LONGEST_TIME: u64 = 3_600_000;

/// A position: the moves that led to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameText {
    #[serde(deserialize_with = "size")]
    pub(super) size: Size,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) rule: Rule,
    /// Whether the game goes on after a five.
    #[serde(default)]
    pub(super) continuous: bool,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) moves: Moves,
}

impl GameText {
    /// The rule as engines are told it.
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
    /// Whether the game goes on after a five.
    #[serde(default)]
    pub(super) continuous: bool,
    #[serde(deserialize_with = "as_text::deserialize")]
    pub(super) procedure: Procedure,
    pub(super) answers: Vec<String>,
}

impl OpeningText {
    /// The rule as engines are told it.
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

/// What bounds an answer; what is 0 or missing does not.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Effort {
    /// Milliseconds.
    pub(super) time: u64,
    /// Milliseconds that are left of the game.
    pub(super) left: u64,
    /// Milliseconds that each move adds to them.
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
    /// When a number is out of its bounds, or nothing would end the search.
    pub(super) fn check(self) -> Result<Self, Failure> {
        let is_endless = self.time == 0 && self.left == 0 && self.nodes == 0 && self.depth == 0;
        let is_long = [self.time, self.left, self.increment].into_iter().any(|time| time > LONGEST_TIME);
        if is_endless || is_long || self.lines > MOST_LINES { Err(Failure::Effort) } else { Ok(self) }
    }
}

/// The most lines of an analysis.
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

/// A game to be written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameToWrite {
    pub(super) game: GameText,
    /// Milliseconds of each move; missing ones are 0.
    #[serde(default)]
    pub(super) times: Vec<u64>,
    /// The names of black and white.
    pub(super) players: [String; 2],
    /// Whether it was lost on time.
    #[serde(default)]
    pub(super) is_time: bool,
}

/// A file to be read, also the message with it: its text is then never held twice. Size, rule and whether the game is continuous hold where the text does not say.
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
    /// Where the ranks of a list of moves begin; missing: at the bottom.
    #[serde(default, deserialize_with = "as_text::deserialize")]
    pub(super) ranks: Ranks,
}

/// The word of the only request that may be long.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReadWord {
    Read,
}

/// The number of a request, whatever else it holds.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// What the page asks.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    /// What the server has: rules, weightings, procedures, engines.
    Hello {},
    /// The state of a game, with the weights and shapes of its points where they are asked for.
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
    /// The move of the side to move; an analysis is the same with more lines.
    Think { game: GameText, who: Who, effort: Effort },
    /// What an opening procedure asks next.
    Opening { opening: OpeningText },
    /// The same question, put to a player.
    Negotiate { opening: OpeningText, who: Who, effort: Effort },
    /// Whether a side wins by force.
    Prove {
        game: GameText,
        how: ProofKind,
        #[serde(default, deserialize_with = "color")]
        side: Option<Color>,
    },
    /// Ends what runs: a search answers with its best move so far.
    Stop {},
    /// The games of a file.
    Read(TextToRead),
    /// A game in Piskvork's form.
    Psq(GameToWrite),
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The line is no message that the server knows.
    Message(String),
    /// The moves are no game.
    Record(GameMovesError),
    /// The game was over before this move, counted from one.
    Over(usize),
    /// The question needs a game that goes on.
    Ended,
    /// The point is not empty, or off the board.
    Point(Point),
    /// No engine has this name.
    Engine(String),
    /// The answers are no state of the procedure.
    Opening(ReadError),
    /// A word of an answer is neither a point nor a number, nor `swap` or `keep`.
    Word(String),
    /// The procedure asks nothing more.
    Agreed,
    /// Nothing bounds the search, or a bound is out of its range.
    Effort,
    /// A file holds no game: the number of the line, and why.
    File(usize, String),
    /// A thread or a process cannot be started.
    System(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(error) => write!(f, "the message is not understood: {error}"),
            Self::Record(error) => error.fmt(f),
            Self::Over(number) => write!(f, "move {number}: the game is over before it"),
            Self::Ended => f.write_str("the game is over"),
            Self::Point(point) => write!(f, "{} is not an empty point of the board", Comma(*point)),
            Self::Engine(name) => write!(f, "there is no engine {name:?}"),
            Self::Opening(error) => error.fmt(f),
            Self::Word(word) => write!(f, "{word:?} is no part of an answer: expected points, a number, swap or keep"),
            Self::Agreed => f.write_str("the opening is settled"),
            Self::Effort => {
                f.write_str("a time of up to an hour, nodes or a depth must bound a search of up to 20 lines")
            }
            Self::File(0, error) => f.write_str(error),
            Self::File(line, error) => write!(f, "line {line}: {error}"),
            Self::System(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for Failure {}

impl From<GameMovesError> for Failure {
    fn from(error: GameMovesError) -> Self {
        Self::Record(error)
    }
}

/// Reads a line: the number of the request, and the request. The number is missing where the line has none.
pub(super) fn parse(line: &str) -> (Value, Result<Request, Failure>) {
    let message = |error: serde_json::Error| Failure::Message(error.to_string());
    if line.len() > LONGEST_SHORT {
        // As a tree of values such a line could be many times as large.
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

/// An answer as a line: these fields, and the number of the request.
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

fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
    match Option::<String>::deserialize(deserializer)?.as_deref() {
        None => Ok(None),
        Some("black") => Ok(Some(Color::Black)),
        Some("white") => Ok(Some(Color::White)),
        Some(other) => Err(D::Error::custom(format!("expected black or white, got {other:?}"))),
    }
}
