//! [`Reply`]: one line of output. [`Display`](fmt::Display) writes the grammar that every known manager can read.
//!
//! Lines end with a lone `\n`. They are ASCII except for the texts and the path of a library, which are UTF-8. A move
//! line consists of `x,y` only.

use std::fmt;

use super::database::{DatabaseError, DatabaseMove, DatabaseRecord};
use super::hash_file::HashFileError;
use super::list::ListError;
use super::refused::CommandError;
use crate::board::{PlayError, Point, Rule};
use crate::notation::Comma;
use crate::opening::{ProcedureAnswer, ReadError};
use crate::score::Score;
use crate::text::UnknownName;
use crate::weights::{Weighting, Weights};

/// One line of output, without its line end. A comment of a library may have several lines.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// `x,y`: the move.
    Move(Point),
    /// `x,y x,y`: the two stones of an answer to YXBALANCETWO.
    Pair([Point; 2]),
    /// An answer to SWAP2BOARD or OPENBOARD: `SWAP`, `KEEP`, stones in playing order such as `x,y x,y x,y`, or stones
    /// and the number of fifth moves.
    Opening(ProcedureAnswer),
    /// `ERROR …`.
    Error(Refusal),
    /// `UNKNOWN …`.
    Unknown,
    /// `name="…", version="…", …`: the answer to ABOUT, with the name of the program.
    About(&'static str),
    /// `FORBID xxyy….`: two digits for each coordinate.
    Forbid(Vec<Point>),
    /// `MESSAGE …`.
    Message(Message),
    /// `INFO …`: one value of a search report, for Yixin-Board.
    Detail(String),
}

/// A line for people, or for a program that reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The progress of a search.
    Progress(String),
    /// Makes Yixin-Board clear its marks of searched moves.
    Refresh,
    /// The best point so far, for Yixin-Board to draw.
    Best(Point),
    /// The principal variation, for Yixin-Board's `bestline`.
    Line(String),
    /// The score of the best point, for Yixin-Board's `bestline`.
    Value(Score),
    /// The root move whose search starts now, for Yixin-Board to draw.
    Searching(Point),
    /// A root move whose search has ended.
    Searched(Point),
    /// A losing root move.
    Lost(Point),
    /// A stone of an answer to Yixin-Board's Swap2, with its number in the game.
    Swap2Stone(usize, Point),
    /// A color choice in Yixin-Board's Swap2: its number, 1 or 2, and whether the engine takes black.
    Swap2Color(usize, bool),
    /// A stone of an answer to Yixin-Board's Soosõrv, with its number in the game.
    SoosorvStone(u8, Point),
    /// A color choice in Yixin-Board's Soosõrv: its number, 1 or 2, and whether the engine swaps.
    SoosorvColor(u8, bool),
    /// White's fourth stone in Yixin-Board's Soosõrv, and the number of fifth moves.
    SoosorvFourth(Point, u8),
    /// Start of the offered fifth moves.
    SoosorvOffer,
    /// End of the offered fifth moves.
    SoosorvOffered,
    /// The fifth move that white chooses from black's offer.
    SoosorvFifth(Point),
    /// Start of the moves of a library, up to [`DatabaseEnd`](Self::DatabaseEnd).
    DatabaseMoves,
    /// A known move, or a label on a point.
    DatabaseMove(DatabaseMove),
    /// End of the moves of a library.
    DatabaseEnd,
    /// The numbers of a position.
    DatabaseRecord(DatabaseRecord),
    /// The comment on a position, between quotation marks.
    DatabaseComment(String),
    /// A library is opened, for the title of Yixin-Board's window.
    DatabaseLoading(String),
    /// A library was opened.
    DatabaseLoaded,
    /// A library is saved.
    DatabaseSaving(String),
    /// A library was saved.
    DatabaseSaved,
    /// The used share of the table, in thousandths; hashfull of the last report if the picker has no table or is busy.
    HashUsage(usize),
    /// A table was written to a file or read from one. Holds the number of its entries.
    HashFile(u64),
    /// An offered draw is declined.
    DrawDeclined,
    /// The opponent has resigned.
    Resigned,
    /// A hint about setting a time limit, because none is set.
    NoTime,
    /// `--network` was given, but without a network for this rule.
    OtherNetworks(Rule),
    /// A note on a setting: an error in `tengen.toml`, or an evaluation that the picker does not support.
    Note(String),
    /// A line of a list was skipped.
    Skipped(ListError),
    /// The weights of a point.
    Weight(Point, Weights),
    /// End of the weights.
    WeightsEnd(Weighting),
    /// Maximum number of threads.
    MaxThreads(usize),
    /// Maximum table size: the base-2 logarithm of its KiB.
    MaxHash(u32),
}

/// Error returned when a command is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The argument is invalid, whatever the position.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// No START has set up a board yet.
    #[error("no board, send START first")]
    NoBoard,
    /// The stone cannot be placed on its point, or removed from it.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The board has no empty point.
    #[error("board is full")]
    Full,
    /// This step of Swap2 needs another number of stones on the board.
    #[error("expected {0} stones on the board for this step of Swap2")]
    Swap2(usize),
    /// This step of Yixin-Board's Soosõrv needs more stones.
    #[error("expected {0} stones for this step of Soosorv")]
    SoosorvStones(u8),
    /// This step of Yixin-Board's Soosõrv needs a number of fifth moves.
    #[error("expected a number of fifth moves after the command, 1 to 8")]
    SoosorvNumber,
    /// Unknown procedure name.
    #[error(transparent)]
    Procedure(#[from] UnknownName),
    /// A line of OPENBOARD, counted from 1, is not a stone, SWAP, KEEP or a number.
    #[error("line {0} of the list: expected a point, SWAP, KEEP or a number")]
    OpeningLine(usize),
    /// The list of OPENBOARD is not a valid state of its procedure.
    #[error(transparent)]
    Opening(#[from] ReadError),
    /// The picker in use has no table.
    #[error("no table of a search is kept yet")]
    NoTable,
    /// The file of a table cannot be written or read.
    #[error(transparent)]
    HashFile(#[from] HashFileError),
    /// A command about the library cannot be carried out.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Maximum number of characters of a progress text. Managers may cut longer lines: Liskvork reads 2048 bytes at once,
/// and the specification allows a manager to read fewer.
const LONGEST_PROGRESS: usize = 900;

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("OK"),
            Self::Move(point) => Comma(*point).fmt(f),
            Self::Pair(points) => f.write_str(&commas(points.iter().copied())),
            Self::Opening(ProcedureAnswer::Swap) => f.write_str("SWAP"),
            Self::Opening(ProcedureAnswer::Keep) => f.write_str("KEEP"),
            Self::Opening(ProcedureAnswer::Stones(stones)) => f.write_str(&commas(stones.iter())),
            Self::Opening(ProcedureAnswer::Announce(stones, number)) => write!(f, "{} {number}", commas(stones.iter())),
            Self::Error(refusal) => write!(f, "ERROR {}", Plain(&refusal.to_string())),
            Self::Unknown => f.write_str("UNKNOWN command"),
            Self::About(name) => about(f, name),
            Self::Forbid(points) => {
                f.write_str("FORBID ")?;
                for point in points {
                    write!(f, "{:02}{:02}", point.x(), point.y())?;
                }
                f.write_str(".")
            }
            Self::Message(message) => write!(f, "MESSAGE {message}"),
            Self::Detail(text) => write!(f, "INFO {text}"),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Progress(text) => Plain(text).fmt(f),
            Self::Refresh => f.write_str("REALTIME REFRESH"),
            Self::Best(point) => write!(f, "REALTIME BEST {}", Comma(*point)),
            Self::Line(text) => write!(f, "REALTIME PV {}", Plain(text)),
            Self::Value(score) => write!(f, "REALTIME VAL {}", score.value()),
            Self::Searching(point) => write!(f, "REALTIME POS {}", Comma(*point)),
            Self::Searched(point) => write!(f, "REALTIME DONE {}", Comma(*point)),
            Self::Lost(point) => write!(f, "REALTIME LOSE {}", Comma(*point)),
            Self::Swap2Stone(number, point) => write!(f, "SWAP2 MOVE{number} {} {}", point.x(), point.y()),
            Self::Swap2Color(number, is_black) => {
                write!(f, "SWAP2 SWAP{number} {}", if *is_black { "YES" } else { "NO" })
            }
            Self::SoosorvStone(number, point) => write!(f, "SOOSORV MOVE{number} {} {}", point.x(), point.y()),
            Self::SoosorvColor(number, is_swap) => {
                write!(f, "SOOSORV SWAP{number} {}", if *is_swap { "YES" } else { "NO" })
            }
            Self::SoosorvFourth(point, fifths) => {
                write!(f, "SOOSORV MOVE4 {} {} {fifths}", point.x(), point.y())
            }
            Self::SoosorvOffer => f.write_str("SOOSORV MOVE5 REFRESH"),
            Self::SoosorvOffered => f.write_str("SOOSORV MOVE5 DONE"),
            // Yixin-Board expects a C directly after the 5, one more character, and the point.
            Self::SoosorvFifth(point) => write!(f, "SOOSORV MOVE5C {} {}", point.x(), point.y()),
            Self::DatabaseMoves => f.write_str("DATABASE REFRESH"),
            Self::DatabaseMove(line) => write!(f, "DATABASE {line}"),
            Self::DatabaseEnd => f.write_str("DATABASE DONE"),
            Self::DatabaseRecord(record) => write!(f, "DATABASE ONE {record}"),
            Self::DatabaseComment(text) => write!(f, "DATABASE TEXT \"{}\"", Escaped(text)),
            Self::DatabaseLoading(path) => write!(f, "DATABASE LOAD START {}", OneLine(path)),
            Self::DatabaseLoaded => f.write_str("DATABASE LOAD DONE"),
            Self::DatabaseSaving(path) => write!(f, "DATABASE SAVE START {}", OneLine(path)),
            Self::DatabaseSaved => f.write_str("DATABASE SAVE DONE"),
            Self::HashUsage(permille) => write!(f, "hash usage {}.{} %", permille / 10, permille % 10),
            Self::HashFile(entries) => write!(f, "hash entries {entries}"),
            Self::DrawDeclined => f.write_str("draw declined"),
            Self::Resigned => f.write_str("resignation accepted"),
            Self::NoTime => f.write_str(NO_TIME),
            Self::OtherNetworks(rule) => {
                write!(f, "--network was given without a network for {rule}; using the built-in evaluation")
            }
            Self::Note(text) => Plain(text).fmt(f),
            Self::Skipped(error) => write!(f, "skipped a line of the list: {error}"),
            Self::Weight(point, Weights { attack, defence, total }) => {
                write!(f, "WEIGHT {} {attack} {defence} {total}", Comma(*point))
            }
            Self::WeightsEnd(weighting) => write!(f, "WEIGHTS END {weighting}"),
            Self::MaxThreads(threads) => write!(f, "INFO MAX_THREAD_NUM {threads}"),
            Self::MaxHash(logarithm) => write!(f, "INFO MAX_HASH_SIZE {logarithm}"),
        }
    }
}

/// Points as `x,y x,y`.
pub(super) fn commas(points: impl Iterator<Item = Point>) -> String {
    points.map(|point| Comma(point).to_string()).collect::<Vec<_>>().join(" ")
}

/// A text as one short line of ASCII.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| if c.is_ascii_graphic() { c } else { ' ' };
        self.0.chars().take(LONGEST_PROGRESS).try_for_each(|c| write!(f, "{}", plain(c)))
    }
}

/// A text in quotation marks: `"` and `\` follow a `\`. Line ends stay, other control characters are left out.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().filter(|c| !c.is_control() || ['\n', '\t'].contains(c)).try_for_each(|c| match c {
            '"' | '\\' => write!(f, "\\{c}"),
            c => write!(f, "{c}"),
        })
    }
}

/// A text without control characters.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().filter(|c| !c.is_control()).try_for_each(|c| write!(f, "{c}"))
    }
}

/// Hint for a manager that has set no time limit.
const NO_TIME: &str = "no time is set: INFO timeout_turn 30000 allows 30 seconds a move";

/// Writes the answer to ABOUT. Managers split it naively, so values must not contain commas, quotes or equals signs,
/// and the line ends with the last quote. `www` is written only if the package has a homepage.
fn about(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let (version, author) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"));
    write!(f, r#"name="{name}", version="{version}", author="{author}", country="International""#)?;
    match env!("CARGO_PKG_HOMEPAGE") {
        "" => Ok(()),
        address => write!(f, r#", www="{address}""#),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{PointError, parse_comma};

    fn point(text: &str) -> Point {
        parse_comma(text).unwrap()
    }

    #[test]
    fn replies_are_what_the_strictest_manager_reads() {
        let one = point("0,10");
        let three = [one, point("1,1"), point("31,2")].into_iter().collect();
        for (reply, line) in [
            (Reply::Ok, "OK"),
            (Reply::Move(one), "0,10"),
            (Reply::Pair([one, point("31,2")]), "0,10 31,2"),
            (Reply::Opening(ProcedureAnswer::Stones(three)), "0,10 1,1 31,2"),
            (Reply::Opening(ProcedureAnswer::Swap), "SWAP"),
            (Reply::Opening(ProcedureAnswer::Keep), "KEEP"),
            (Reply::Opening(ProcedureAnswer::Announce([one, point("1,1")].into_iter().collect(), 5)), "0,10 1,1 5"),
            (Reply::Message(Message::SoosorvFourth(one, 3)), "MESSAGE SOOSORV MOVE4 0 10 3"),
            (Reply::Error(Refusal::Full), "ERROR board is full"),
            (Reply::Unknown, "UNKNOWN command"),
            (Reply::Forbid(vec![]), "FORBID ."),
            (Reply::Forbid(vec![one, point("7,3")]), "FORBID 00100703."),
            (Reply::Message(Message::WeightsEnd(Weighting::Runs)), "MESSAGE WEIGHTS END runs"),
            (Reply::Message(Message::DatabaseRecord(DatabaseRecord(None))), "MESSAGE DATABASE ONE 0 0 0 0"),
            (
                Reply::Message(Message::DatabaseComment("line \"q\"\r\n\\two\0".into())),
                "MESSAGE DATABASE TEXT \"line \\\"q\\\"\n\\\\two\"",
            ),
            (Reply::Message(Message::DatabaseLoading("é\n.library".into())), "MESSAGE DATABASE LOAD START é.library"),
            (
                Reply::Message(Message::Skipped(ListError::Point(PointError::Numbers))),
                "MESSAGE skipped a line of the list: expected a point such as 7,7",
            ),
        ] {
            assert_eq!(reply.to_string(), line);
        }
    }

    #[test]
    fn progress_stays_one_short_line_of_ascii() {
        let text = "depth 3\nh8 é ".repeat(500);
        let line = Reply::Message(Message::Progress(text)).to_string();
        assert!(line.starts_with("MESSAGE depth 3 h8   depth"));
        assert!(line.len() < 1000 && line.is_ascii() && !line.contains('\n'));
    }

    #[test]
    fn the_answer_to_about_survives_a_naive_split() {
        let line = Reply::About("TengenSearch").to_string();
        let keys: Vec<_> = line.split(", ").map(|pair| pair.split_once('=').unwrap().0).collect();
        assert_eq!(keys, ["name", "version", "author", "country"], "no address: there is none");
        assert!(line.starts_with("name=\"TengenSearch\", version=\""), "{line}");
        assert!(!line.contains("author=\"\""), "{line}");
        assert_eq!(line.matches(',').count(), 3);
        assert_eq!(line.matches('=').count(), 4);
        assert_eq!(line.matches('"').count(), 8);
    }
}
