//! [`Record`]: what is known of a position. [`Entry`]: a record with its stones and moves, as a library stores it.

use serde::{Deserialize, Serialize};

use super::position::{Move, PositionKey, Stones};
use crate::board::{ByColor, Color, Point, Size};
use crate::fnv::Fnv1a;
use crate::score::Score;

/// The knowledge of a position. All values are from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The result with best play that a source gives.
    pub proof: Option<Proof>,
    /// The result that follows from the known moves.
    pub derived: Option<Proof>,
    /// Whether two sources give different results.
    pub is_disputed: bool,
    /// The deepest search of the position.
    pub search: Option<SearchNote>,
    /// The score that follows from the known moves.
    pub backed_up: Option<i32>,
    /// The results of the games that passed here.
    pub games: GameCounts,
    /// A label from another program that is neither a win nor a loss, such as `d` for a draw, `x` for a move that is
    /// not searched or `!` for the best move.
    pub label: Option<char>,
    /// The comment; lines end with U+000A.
    pub comment: String,
    /// Labels on points of the board, in ascending order of the points.
    pub marks: Vec<Mark>,
    /// The source that the record came from first.
    pub source: Option<SourceId>,
}

/// A label on a point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark {
    /// The point.
    #[serde(with = "point_index")]
    pub point: Point,
    /// A letter or a word.
    pub text: String,
}

/// The number of a source: a file that was imported, an engine, a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Whether the side to move wins; otherwise it loses.
    pub is_win: bool,
    /// Plies to the last stone, if they are known.
    pub plies: Option<u16>,
    /// How the result is known.
    pub origin: ProofOrigin,
}

impl Proof {
    /// The score of the result. Without plies it is the farthest win or loss.
    pub fn score(self) -> Score {
        let plies = self.plies.map_or(Score::MOST_PLIES, |plies| u32::from(plies).min(Score::MOST_PLIES));
        if self.is_win { Score::win_at(plies) } else { Score::loss_at(plies) }
    }

    /// Whether this proof says more than another with the same result: a better origin, then fewer plies.
    pub(crate) fn is_better_than(self, other: Self) -> bool {
        let rank = |proof: Self| (proof.origin, std::cmp::Reverse(proof.plies.unwrap_or(u16::MAX)));
        rank(self) > rank(other)
    }

    /// The result that rests on two proofs of the same result: the greater number of plies if both are known, and the
    /// worse origin.
    pub fn and(self, other: Self) -> Self {
        let plies = self.plies.zip(other.plies).map(|(one, other)| one.max(other));
        Self { plies, origin: self.origin.min(other.origin), ..self }
    }

    /// The better of two proofs with the same result.
    fn better(self, other: Self) -> Self {
        if other.is_better_than(self) { other } else { self }
    }
}

/// How a result is known. A later origin is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ProofOrigin {
    /// A person or another program says so, or it follows from such a claim.
    Claimed,
    /// It follows from proofs of other positions.
    Derived,
    /// A search or a solver of this program has proved it.
    Proved,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchNote {
    /// The score for the side to move, in the units of [`Score`].
    pub score: i32,
    /// The depth in plies.
    pub depth: u16,
    /// The kind of the score.
    pub bound: Bound,
    /// Number of nodes; 0 if it is unknown.
    pub nodes: u64,
    /// The engine.
    pub engine: Option<SourceId>,
}

/// The kind of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, strum::Display, strum::EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Bound {
    /// Unknown.
    #[default]
    None,
    /// At most this.
    Upper,
    /// At least this.
    Lower,
    /// Exactly this.
    Exact,
}

/// The results of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Games that black won.
    pub black: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games that white won.
    pub white: u32,
}

impl GameCounts {
    /// One game with this winner; `None` for a draw.
    pub const fn one(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::Black) => Self { black: 1, drawn: 0, white: 0 },
            Some(Color::White) => Self { black: 0, drawn: 0, white: 1 },
            None => Self { black: 0, drawn: 1, white: 0 },
        }
    }

    /// The number of games.
    pub const fn total(self) -> u64 {
        self.black as u64 + self.drawn as u64 + self.white as u64
    }

    /// The share of the points that a color took, 0 to 1; `None` without games.
    pub fn share(self, color: Color) -> Option<f32> {
        let won = if color == Color::Black { self.black } else { self.white };
        (self.total() > 0).then(|| (won as f32 + self.drawn as f32 / 2.0) / self.total() as f32)
    }

    /// Adds the games of another count.
    pub const fn add(&mut self, other: Self) {
        self.black = self.black.saturating_add(other.black);
        self.drawn = self.drawn.saturating_add(other.drawn);
        self.white = self.white.saturating_add(other.white);
    }
}

impl Record {
    /// What a search of this engine has found: a proof if the score is decided, else the score.
    pub fn of_search(score: Score, depth: u32, nodes: u64, engine: SourceId) -> Self {
        let proof = score.plies().map(|plies| Proof {
            is_win: score.is_win(),
            plies: u16::try_from(plies).ok(),
            origin: ProofOrigin::Proved,
        });
        let search = SearchNote {
            score: score.value(),
            depth: u16::try_from(depth).unwrap_or(u16::MAX),
            bound: Bound::Exact,
            nodes,
            engine: Some(engine),
        };
        Self { proof, search: proof.is_none().then_some(search), source: Some(engine), ..Self::default() }
    }

    /// What the search of a position says of the one after its best move. The score and the depth are those of the search.
    pub(super) fn of_best_move(score: Score, depth: u32, nodes: u64, engine: SourceId) -> Self {
        // A win or a loss is a ply nearer after the move.
        Self::of_search(-score.relative_to_node(1), depth.saturating_sub(1), nodes, engine)
    }

    /// Whether what is known of the result contradicts itself.
    pub fn is_contradictory(&self) -> bool {
        let differs = |(own, derived): (Proof, Proof)| own.is_win != derived.is_win;
        self.is_disputed || self.proof.zip(self.derived).is_some_and(differs)
    }

    /// The result, unless it is contradictory.
    pub fn settled(&self) -> Option<Proof> {
        if self.is_contradictory() {
            return None;
        }
        match (self.proof, self.derived) {
            (Some(proof), Some(derived)) => Some(proof.better(derived)),
            (proof, derived) => proof.or(derived),
        }
    }

    /// The best known score: the result, else that without it.
    pub fn score(&self) -> Option<Score> {
        self.settled().map(Proof::score).or_else(|| self.undecided_score())
    }

    /// The best known score besides the result: what follows from the known moves, else the search.
    pub fn undecided_score(&self) -> Option<Score> {
        let searched = self.search.map(|search| search.score);
        self.backed_up.or(searched).map(Score::from_eval)
    }

    /// Adds what another record of the same position knows. If `is_newer`, its comment and label, if it has them,
    /// replace those of this record, and so do its marks on the same points. Otherwise its comment is appended unless
    /// this one contains it, and its label and marks are added where there are none.
    pub fn merge(&mut self, other: Self, is_newer: bool) {
        self.is_disputed |= other.is_disputed;
        self.proof = match (self.proof, other.proof) {
            (Some(own), Some(proof)) => {
                self.is_disputed |= own.is_win != proof.is_win;
                Some(own.better(proof))
            }
            (own, proof) => own.or(proof),
        };
        let rank = |search: &SearchNote| (search.bound == Bound::Exact, search.depth, search.nodes);
        self.search = match (self.search, other.search) {
            (Some(own), Some(search)) => Some(if rank(&search) > rank(&own) { search } else { own }),
            (own, search) => own.or(search),
        };
        self.games.add(other.games);
        self.label = if is_newer { other.label.or(self.label) } else { self.label.or(other.label) };
        if self.comment.is_empty() || is_newer && !other.comment.is_empty() {
            self.comment = other.comment;
        } else if !has_lines(&self.comment, &other.comment) {
            self.comment.push('\n');
            self.comment.push_str(&other.comment);
        }
        for mark in other.marks {
            match self.marks.iter_mut().find(|own| own.point == mark.point) {
                None => self.marks.push(mark),
                Some(own) if is_newer => own.text = mark.text,
                Some(_) => {}
            }
        }
        self.marks.sort();
        self.source = self.source.or(other.source);
    }

    /// Whether the record says nothing but that the position is known.
    pub fn is_empty(&self) -> bool {
        *self == Self { source: self.source, ..Self::default() }
    }
}

/// Whether a text has the lines of another one, one after the other.
fn has_lines(text: &str, lines: &str) -> bool {
    lines.is_empty() || format!("\n{text}\n").contains(&format!("\n{lines}\n"))
}

/// A position in a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The stones in the stored orientation. They tell the position from another one with the same key.
    pub stones: Stones,
    /// The known moves in the stored orientation, in ascending order. Moves that are images of each other are one.
    pub moves: Vec<Move>,
    /// The record, with the marks in the stored orientation.
    pub record: Record,
}

/// Error returned when stored bytes are not an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the entry is damaged")]
pub struct EntryError;

/// The stored form of an entry. Postcard writes numbers below 128 in one byte.
#[derive(Serialize, Deserialize)]
struct StoredEntry {
    is_white_to_move: bool,
    /// The stones of each color as differences of their numbers, so that most take a byte.
    stones: [Vec<u16>; 2],
    /// 0 is a pass; else one more than the number of the point.
    moves: Vec<u16>,
    record: Record,
}

/// The number of a point, row by row.
pub(super) const fn number(point: Point, size: Size) -> u16 {
    point.y() as u16 * size.side() as u16 + point.x() as u16
}

/// The point with a number.
pub(super) fn numbered(number: u16, size: Size) -> Option<Point> {
    let side = u16::from(size.side());
    size.point((number % side) as u8, u8::try_from(number / side).ok()?)
}

impl Entry {
    /// Lists a move. Returns whether it was not listed before.
    pub(crate) fn add_move(&mut self, stored: Move) -> bool {
        let place = self.moves.binary_search(&stored);
        if let Err(place) = place {
            self.moves.insert(place, stored);
        }
        place.is_err()
    }

    /// The bytes that a store holds at a key. A checksum of both comes first: a store may return bytes that a disk has
    /// changed.
    pub fn to_bytes(&self, key: &PositionKey) -> Vec<u8> {
        let size = self.stones.size;
        let differences = |points: &Vec<Point>| {
            let numbers = points.iter().map(|&point| number(point, size));
            let mut last = 0;
            numbers.map(|number| number - std::mem::replace(&mut last, number)).collect()
        };
        let stored = StoredEntry {
            is_white_to_move: self.stones.turn == Color::White,
            stones: [differences(&self.stones.points.0[0]), differences(&self.stones.points.0[1])],
            moves: self.moves.iter().map(|played| played.map_or(0, |point| 1 + number(point, size))).collect(),
            record: self.record.clone(),
        };
        let bytes = vec![0; CHECKSUM_BYTES];
        // Writing to memory does not fail.
        let mut bytes = postcard::to_extend(&stored, bytes).unwrap_or_default();
        let checksum = checksum(key, &bytes[CHECKSUM_BYTES..]);
        bytes[..CHECKSUM_BYTES].copy_from_slice(&checksum);
        bytes
    }

    /// Reads the bytes of a store.
    ///
    /// # Errors
    /// When they are not those of an entry with this key.
    pub fn from_bytes(bytes: &[u8], key: &PositionKey) -> Result<Self, EntryError> {
        let (rule, size) = key.game().ok_or(EntryError)?;
        let (sum, bytes) = bytes.split_at_checked(CHECKSUM_BYTES).ok_or(EntryError)?;
        if sum != checksum(key, bytes) {
            return Err(EntryError);
        }
        let stored: StoredEntry = postcard::from_bytes(bytes).map_err(|_| EntryError)?;
        let points = |differences: &Vec<u16>| {
            let numbers = differences.iter().scan(0_u16, |last, &difference| {
                *last = last.checked_add(difference)?;
                Some(*last)
            });
            numbers.map(|number| numbered(number, size)).collect::<Option<Vec<_>>>()
        };
        let [black, white] = &stored.stones;
        let points = ByColor([points(black).ok_or(EntryError)?, points(white).ok_or(EntryError)?]);
        let played = |&code: &u16| match code {
            0 => Some(None),
            code => numbered(code - 1, size).map(Some),
        };
        let moves = stored.moves.iter().map(played).collect::<Option<_>>().ok_or(EntryError)?;
        let turn = if stored.is_white_to_move { Color::White } else { Color::Black };
        Ok(Self { stones: Stones { rule, size, turn, points }, moves, record: stored.record })
    }
}

/// Bytes of the checksum of an entry.
const CHECKSUM_BYTES: usize = 4;

fn checksum(key: &PositionKey, bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut sum = Fnv1a::default();
    sum.add_bytes(key.as_bytes());
    sum.add_bytes(bytes);
    ((sum.get() ^ sum.get() >> 32) as u32).to_le_bytes()
}

/// Serde for points as their index.
mod point_index {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use crate::board::Point;

    pub(super) fn serialize<S: Serializer>(point: &Point, serializer: S) -> Result<S::Ok, S::Error> {
        (point.index() as u16).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
        let index = u16::deserialize(deserializer)?;
        Point::from_index(index.into()).ok_or_else(|| D::Error::custom("not a point"))
    }
}
