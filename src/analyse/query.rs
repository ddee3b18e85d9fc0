//! [`Query`]: a decoded line of the input, and [`QueryError`].

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::board::{Board, DrawRule, Outcome, Point, PointSet, Rule, Size};
use crate::explain::proof::ProofKind;
use crate::notation::{GameMoves, Letters};

/// The expected `turns` of a query.
const TURNS_TO_SEARCH: &str = "expected \"all\" or a list of numbers of moves, at least one";

/// The expected `turns` of a cancelling, which without them cancels all.
const TURNS_TO_CANCEL: &str = "expected a list of numbers of moves, at least one; without it all turns are cancelled";

/// The longest time of a position.
const LONGEST_TIME: u64 = 1_000_000_000;

/// A query about positions of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The name of the query, which all its answers carry.
    pub id: String,
    /// The rule of the game.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The moves of the game.
    pub moves: Vec<Point>,
    /// The positions that are asked about.
    pub turns: Turns,
    /// Node limit of each search. A query that limits nodes, depth or time replaces all three limits of the engine.
    pub nodes: Option<u64>,
    /// Depth limit of each search.
    pub depth: Option<u32>,
    /// Time limit of each search. A search without any limit takes [a second](super::DEFAULT_TIME).
    pub time: Option<Duration>,
    /// The number of candidates.
    pub lines: usize,
    /// Positions of a greater priority are searched first.
    pub priority: i64,
    /// Time between two reports of a search; `None` for the final answer alone.
    pub report_every: Option<Duration>,
    /// Points that must not be chosen.
    pub left_out: PointSet,
    /// Whether the answers hold the weights of all empty points.
    pub with_weights: bool,
    /// Whether the answers hold the forbidden points.
    pub with_forbidden: bool,
    /// A forced win to look for.
    pub proof: Option<ProofKind>,
}

/// The positions of a game that a query asks about, by the number of moves before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turns {
    /// The position after the last move.
    Last,
    /// All positions, the empty board included.
    All,
    /// These positions.
    These(BTreeSet<usize>),
}

/// A line of the input.
#[derive(Debug)]
pub(super) enum Line {
    Query(Box<Query>),
    Action { id: String, action: Action },
}

/// A line that asks about the engine or its queue.
#[derive(Debug)]
pub(super) enum Action {
    /// Cancels a query, or these turns of it; all queries if none is named.
    Cancel { of: Option<String>, turns: BTreeSet<usize> },
    /// Asks for the version of the engine.
    Version,
}

/// Error returned when a line is neither a query nor an action. It names the query and the field if they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryError {
    pub(super) id: Option<String>,
    pub(super) field: Option<&'static str>,
    /// What is wrong, and what was expected.
    pub(super) reason: String,
}

impl QueryError {
    /// The error as a line of the output.
    pub(super) fn to_json(&self) -> Value {
        json!({ "id": self.id, "field": self.field, "error": self.reason })
    }
}

impl Query {
    /// A query about the last position of a game, with the defaults of all fields.
    pub const fn new(id: String, rule: Rule, size: Size, moves: Vec<Point>) -> Self {
        Self {
            id,
            rule,
            size,
            moves,
            turns: Turns::Last,
            nodes: None,
            depth: None,
            time: None,
            lines: 1,
            priority: 0,
            report_every: None,
            left_out: PointSet::EMPTY,
            with_weights: false,
            with_forbidden: false,
            proof: None,
        }
    }

    /// The turns of the requested positions in ascending order: the number of moves before each.
    pub(super) fn turns(&self) -> impl Iterator<Item = usize> + '_ {
        let last = self.moves.len();
        (0..=last).filter(move |&turn| self.turns.have(turn, last))
    }

    /// The position after the first `turn` moves, and the outcome if the game has ended by then.
    pub(super) fn position(&self, turn: usize) -> (Board, Option<Outcome>) {
        let mut board = Board::new(self.size, self.rule);
        let mut outcome = None;
        for &point in self.moves.iter().take(turn) {
            outcome = outcome.or_else(|| DrawRule::FULL_BOARD.outcome_of(&board, point));
            board.play(point);
        }
        (board, outcome)
    }
}

impl Turns {
    fn have(&self, turn: usize, last: usize) -> bool {
        match self {
            Self::Last => turn == last,
            Self::All => true,
            Self::These(turns) => turns.contains(&turn),
        }
    }
}

impl Line {
    pub(super) fn parse(line: &str) -> Result<Self, QueryError> {
        let fields = match serde_json::from_str(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err(QueryError { id: None, field: None, reason: "expected a JSON object".to_owned() }),
            Err(error) => return Err(QueryError { id: None, field: None, reason: format!("not JSON: {error}") }),
        };
        let id = fields.get("id").and_then(Value::as_str).map(str::to_owned);
        let mut fields = Fields { rest: fields };
        fields.line().map_err(|(field, reason)| QueryError { id, field, reason })
    }
}

/// The fields of a line that are not read yet.
struct Fields {
    rest: Map<String, Value>,
}

/// The name of the wrong field (`None` for an unknown field), and the reason.
type Wrong = (Option<&'static str>, String);

fn wrong(field: &'static str, expected: impl Into<String>) -> Wrong {
    (Some(field), expected.into())
}

impl Fields {
    fn line(&mut self) -> Result<Line, Wrong> {
        let id = self.text("id")?.ok_or_else(|| wrong("id", "missing: expected a text that names the query"))?;
        let line = match self.text("action")?.as_deref() {
            None => Line::Query(Box::new(self.query(id)?)),
            Some("cancel") => {
                let (of, turns) = (self.text("query")?, self.list("turns", TURNS_TO_CANCEL)?);
                if turns.as_ref().is_some_and(BTreeSet::is_empty) {
                    return Err(wrong("turns", TURNS_TO_CANCEL));
                }
                Line::Action { id, action: Action::Cancel { of, turns: turns.unwrap_or_default() } }
            }
            Some("version") => Line::Action { id, action: Action::Version },
            Some(_) => return Err(wrong("action", "expected cancel or version")),
        };
        match self.rest.keys().next() {
            None => Ok(line),
            Some(name) => Err((None, format!("unknown field {name:?}"))),
        }
    }

    fn query(&mut self, id: String) -> Result<Query, Wrong> {
        let rule = match self.text("rule")? {
            Some(name) => name.parse().map_err(|error| wrong("rule", format!("{error}")))?,
            None => Rule::default(),
        };
        let side = self.number("size", u64::from(Size::MIN)..=u64::from(Size::MAX))?;
        let size = side.and_then(|side| Size::new(side as u8)).unwrap_or(Size::FIFTEEN);
        let record = GameMoves { size, moves: self.points("moves", size)?.unwrap_or_default() };
        let board = record.board(rule, None).map_err(|error| wrong("moves", error.to_string()))?;
        let moves = record.moves;
        let turns = match self.rest.get("turns").and_then(Value::as_str) {
            Some("all") => {
                self.rest.remove("turns");
                Turns::All
            }
            _ => self.list("turns", TURNS_TO_SEARCH)?.map_or(Turns::Last, Turns::These),
        };
        if let Turns::These(turns) = &turns {
            if turns.is_empty() {
                return Err(wrong("turns", TURNS_TO_SEARCH));
            }
            if turns.iter().any(|&turn| turn > moves.len()) {
                return Err(wrong("turns", format!("the game has {} moves", moves.len())));
            }
        }
        let time = self.number("time", 1..=LONGEST_TIME)?.map(Duration::from_millis);
        let left_out: PointSet = self.points("left_out", size)?.unwrap_or_default().into_iter().collect();
        let leaves_a_point = |turn: usize| {
            let later = moves.iter().skip(turn).copied();
            board.empty_points().iter().chain(later).any(|point| !left_out.contains(point))
        };
        let mut asked = (0..=moves.len()).filter(|&turn| turns.have(turn, moves.len()) && turn < size.area());
        if !asked.all(leaves_a_point) {
            return Err(wrong("left_out", "expected to leave an empty point"));
        }
        Ok(Query {
            turns,
            nodes: self.number("nodes", 1..=u64::MAX)?,
            depth: self.number("depth", 1..=u64::from(u32::MAX))?.map(|depth| depth as u32),
            time,
            lines: self.number("lines", 1..=size.area() as u64)?.unwrap_or(1) as usize,
            priority: self.whole("priority")?.unwrap_or(0),
            report_every: self.number("report_every", 1..=LONGEST_TIME)?.map(Duration::from_millis),
            left_out,
            with_weights: self.switch("weights")?,
            with_forbidden: self.switch("forbidden")?,
            proof: match self.text("proof")? {
                Some(name) => Some(name.parse().map_err(|error| wrong("proof", format!("{error}")))?),
                None => None,
            },
            ..Query::new(id, rule, size, moves)
        })
    }

    fn text(&mut self, name: &'static str) -> Result<Option<String>, Wrong> {
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "expected a text")),
        }
    }

    fn switch(&mut self, name: &'static str) -> Result<bool, Wrong> {
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(is_on)) => Ok(is_on),
            Some(_) => Err(wrong(name, "expected true or false")),
        }
    }

    fn whole(&mut self, name: &'static str) -> Result<Option<i64>, Wrong> {
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_i64().map(Some).ok_or_else(|| wrong(name, "expected a whole number")),
        }
    }

    fn number(&mut self, name: &'static str, range: std::ops::RangeInclusive<u64>) -> Result<Option<u64>, Wrong> {
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_u64().filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
                wrong(name, format!("expected a whole number from {} to {}", range.start(), range.end()))
            }),
        }
    }

    /// A list of turns.
    fn list(&mut self, name: &'static str, expected: &'static str) -> Result<Option<BTreeSet<usize>>, Wrong> {
        let expected = || wrong(name, expected);
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(items)) => {
                let turn = |item: &Value| item.as_u64().and_then(|turn| usize::try_from(turn).ok());
                items.iter().map(turn).collect::<Option<_>>().map(Some).ok_or_else(expected)
            }
            Some(_) => Err(expected()),
        }
    }

    /// A list of points: one text, or a list of texts.
    fn points(&mut self, name: &'static str, size: Size) -> Result<Option<Vec<Point>>, Wrong> {
        let expected = || wrong(name, "expected points such as \"h8 i9\" or [\"h8\", \"i9\"]");
        let text = match self.rest.remove(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text,
            Some(Value::Array(items)) => {
                let words: Option<Vec<_>> = items.iter().map(Value::as_str).collect();
                words.ok_or_else(expected)?.join(" ")
            }
            Some(_) => return Err(expected()),
        };
        Letters::new(size).parse_moves(&text).map(Some).map_err(|error| wrong(name, format!("{error}")))
    }
}
