//! [`JsonPosition`]: a position and its record as a line of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::position::Cursor;
use super::record::{Bound, GameCounts, Mark, Proof, ProofOrigin, Record, SearchNote};
use crate::board::{Color, Point, Rule, Size};
use crate::fnv::Fnv1a;
use crate::notation::{Letters, MovesError, PointError};
use crate::text::as_text;

/// A position and what is known of it. All values are for the side to move; ranks count from the bottom.
///
/// ```text
/// {"rule":"renju","size":15,"turn":"white","black":"h8","white":"","proof":{"result":"loss","plies":20,"origin":"claimed"}}
/// ```
///
/// A line of an exported file ends with the field `sum`, a checksum of the line without it. Proofs of a line without one
/// are claims: a text editor or a damaged disk may have written them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonPosition {
    #[serde(with = "as_text")]
    rule: Rule,
    size: u8,
    #[serde(with = "as_text")]
    turn: Color,
    /// The stones of black.
    black: String,
    /// The stones of white.
    white: String,
    /// The result that a source gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<JsonProof>,
    /// The result that follows from other positions. Imports leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    derived: Option<JsonProof>,
    /// Whether sources give different results.
    #[serde(default, skip_serializing_if = "is_default")]
    disputed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    search: Option<JsonSearch>,
    /// The score that follows from other positions. Imports leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    backed_up: Option<i32>,
    #[serde(default, skip_serializing_if = "is_default")]
    games: GameCounts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<char>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    marks: BTreeMap<String, String>,
}

/// Whether a value is the default, which is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonProof {
    result: JsonResult,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plies: Option<u16>,
    origin: ProofOrigin,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonResult {
    Win,
    Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonSearch {
    score: i32,
    depth: u16,
    bound: Bound,
    nodes: u64,
}

/// Error returned when a line is not a position.
#[derive(Debug, Error)]
pub enum JsonError {
    /// The line is not JSON with these fields.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The size of the board is not supported.
    #[error(transparent)]
    Size(#[from] crate::board::SizeError),
    /// A list of stones holds something else.
    #[error(transparent)]
    Stones(#[from] MovesError),
    /// The point of a mark is not a point of the board.
    #[error("mark {0}: {1}")]
    Mark(String, PointError),
    /// Two stones stand on a point.
    #[error("two stones on {0}")]
    TwoStones(String),
    /// The line is not the one that was written.
    #[error("the line does not have its checksum")]
    Sum,
}

/// The text between the other fields of a line and its checksum.
const SUM_FIELD: &str = ",\"sum\":\"";

/// The text after the checksum of a line.
const SUM_END: &str = "\"}";

/// The checksum of a line without one.
fn sum(line: &str) -> String {
    format!("{:016x}", Fnv1a::of(line.as_bytes()))
}

/// Splits a line into the line without its checksum, and the checksum.
fn split_sum(line: &str) -> Option<(String, &str)> {
    let (fields, sum) = line.strip_suffix(SUM_END)?.rsplit_once(SUM_FIELD)?;
    Some((format!("{fields}}}"), sum))
}

impl From<Proof> for JsonProof {
    fn from(proof: Proof) -> Self {
        let result = if proof.is_win { JsonResult::Win } else { JsonResult::Loss };
        Self { result, plies: proof.plies, origin: proof.origin }
    }
}

impl From<JsonProof> for Proof {
    fn from(proof: JsonProof) -> Self {
        Self { is_win: proof.result == JsonResult::Win, plies: proof.plies, origin: proof.origin }
    }
}

impl JsonPosition {
    /// A position with its record, whose marks are in the orientation of the cursor.
    pub fn new(cursor: &Cursor, record: &Record) -> Self {
        let letters = Letters::new(cursor.size());
        let name = |point: Point| letters.point(point).to_string();
        let stones = |color| {
            let stones = cursor.stones().iter().filter(|(other, _)| *other == color);
            stones.map(|&(_, point)| name(point)).collect::<Vec<_>>().join(" ")
        };
        let search = |note: SearchNote| {
            let SearchNote { score, depth, bound, nodes, .. } = note;
            JsonSearch { score, depth, bound, nodes }
        };
        Self {
            rule: cursor.rule(),
            size: cursor.size().side(),
            turn: cursor.turn(),
            black: stones(Color::Black),
            white: stones(Color::White),
            proof: record.proof.map(Into::into),
            derived: record.derived.map(Into::into),
            disputed: record.is_disputed,
            search: record.search.map(search),
            backed_up: record.backed_up,
            games: record.games,
            label: record.label,
            comment: record.comment.clone(),
            marks: record.marks.iter().map(|mark| (name(mark.point), mark.text.clone())).collect(),
        }
    }

    /// The line with its checksum.
    ///
    /// # Errors
    /// When the serializer fails, which no position causes.
    pub fn to_line(&self) -> Result<String, JsonError> {
        let line = serde_json::to_string(self)?;
        let fields = line.strip_suffix('}').unwrap_or(&line);
        Ok(format!("{fields}{SUM_FIELD}{}{SUM_END}", sum(&line)))
    }

    /// Reads a line. Without a checksum, what it says is proved is a claim.
    ///
    /// # Errors
    /// When the line is not JSON, lacks a field, or has another checksum.
    pub fn read(line: &str) -> Result<Self, JsonError> {
        match split_sum(line.trim()) {
            Some((line, own)) if sum(&line) == own => Ok(serde_json::from_str(&line)?),
            Some(_) => Err(JsonError::Sum),
            None => {
                let mut position: Self = serde_json::from_str(line)?;
                position.proof.iter_mut().for_each(|proof| proof.origin = ProofOrigin::Claimed);
                Ok(position)
            }
        }
    }

    /// The position and its record, with the marks in the orientation of the cursor. What follows from other positions is
    /// left out.
    ///
    /// # Errors
    /// When a text is not a point of the board, or two stones stand on one.
    pub fn parse(self) -> Result<(Cursor, Record), JsonError> {
        let size = Size::new(self.size).ok_or(crate::board::SizeError)?;
        let letters = Letters::new(size);
        let mut cursor = Cursor::new(self.rule, size);
        for (color, stones) in [(Color::Black, &self.black), (Color::White, &self.white)] {
            for point in letters.parse_moves(stones)? {
                if !cursor.is_empty(point) {
                    return Err(JsonError::TwoStones(letters.point(point).to_string()));
                }
                cursor.place(color, point);
            }
        }
        cursor.set_turn(self.turn);
        let mark = |(name, text): (String, String)| match letters.parse(&name) {
            Ok(point) => Ok(Mark { point, text }),
            Err(error) => Err(JsonError::Mark(name, error)),
        };
        let note = |search: JsonSearch| {
            let JsonSearch { score, depth, bound, nodes } = search;
            SearchNote { score, depth, bound, nodes, engine: None }
        };
        let record = Record {
            proof: self.proof.map(Into::into),
            is_disputed: self.disputed,
            search: self.search.map(note),
            games: self.games,
            label: self.label,
            comment: self.comment,
            marks: self.marks.into_iter().map(mark).collect::<Result<_, _>>()?,
            ..Record::default()
        };
        Ok((cursor, record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_proved_by_its_checksum_and_claimed_without_one() {
        let proof = Proof { is_win: true, plies: Some(9), origin: ProofOrigin::Proved };
        let record = Record { proof: Some(proof), comment: ",\"sum\":\"0\"}".to_owned(), ..Record::default() };
        let position = JsonPosition::new(&Cursor::new(Rule::Renju, Size::FIFTEEN), &record);
        let line = position.to_line().unwrap();
        assert_eq!(JsonPosition::read(&line).unwrap(), position);
        let origin = |line: &str| JsonPosition::read(line).map(|position| position.proof.unwrap().origin);
        assert_eq!(origin(&serde_json::to_string(&position).unwrap()).unwrap(), ProofOrigin::Claimed);
        let edited = line.replace("\"plies\":9", "\"plies\":7");
        assert!(matches!(origin(&edited), Err(JsonError::Sum)) && edited != line);
    }
}
