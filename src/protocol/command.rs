//! [`Command`]: what a manager may ask for. Pure: it knows no board, no clock and no stream.

use std::fmt;

use super::info::Info;
use super::list::{OpeningList, PointList, StoneList};
use crate::board::{Color, Point, Size, SizeError};
use crate::notation::PointError;
use crate::picker::Balance;
use crate::text::UnknownName;
use crate::weights::Weighting;

/// A command of the manager.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `START n`, `RECTSTART n,n`: a new board.
    Start(Size),
    /// `RESTART`: the same board, empty.
    Restart,
    /// `BEGIN`: the engine moves.
    Begin,
    /// `TURN x,y`: the opponent's stone; the engine moves.
    Turn(Point),
    /// `PLAY x,y`: the engine's stone, chosen by the manager.
    Play(Point),
    /// `TAKEBACK x,y`: remove a stone.
    Takeback(Point),
    /// `BOARD … DONE`: a whole position; the engine moves.
    Board(StoneList),
    /// `YXBOARD … DONE`: a whole position and no answer.
    YxBoard(StoneList),
    /// `SWAP2BOARD … DONE`: a question of the opening.
    Swap2Board(PointList),
    /// `OPENBOARD procedure … DONE`, an extension: a question of a procedure about the answers so far.
    OpenBoard(OpeningList),
    /// `YXNBEST n`: the engine moves, and reports this number of best moves.
    NBest(usize),
    /// `YXSEARCHDEFEND`: the engine moves, and reports every move that does not lose.
    SearchDefend,
    /// `YXBALANCEONE n`, `YXBALANCETWO n`: the stones that make the position as even as the number says.
    Balance(Balance),
    /// `YXSWAP2STEP1` to `3`: a question of the opening about the stones on the board, answered by messages.
    Swap2Step(u8),
    /// `YXSOOSORVSTEP1` to `6`: a question of Soosõrv's rule with eight fifth moves, answered by messages.
    Soosorv(SoosorvStep, PointList),
    /// `YXBLOCK … DONE`: points that the moves of the engine leave out.
    Block(PointList),
    /// `YXBLOCKUNDO … DONE`: points that they no longer leave out.
    BlockUndo(PointList),
    /// `YXBLOCKRESET`: no point is left out by YXBLOCK.
    BlockReset,
    /// `YXFORBID add x,y side`, `YXFORBID del x,y side`: a point that the moves of one color leave out, or no longer.
    Forbid(Forbid, Point, Color),
    /// `INFO key value`: a setting.
    Info(Info),
    /// What sets nothing here: an INFO without a meaning, and YXBLOCKPATHRESET, as no path is ever left out.
    Idle,
    /// `ABOUT`: name, version and author of the engine.
    About,
    /// `STOP`, `YXSTOP`: the search ends with its move.
    Stop,
    /// `END`: the process ends.
    End,
    /// `YXSHOWINFO`: the greatest number of threads and the largest table; Yixin's dialect holds from then on.
    ShowInfo,
    /// `YXSHOWFORBID`: black's forbidden points.
    ShowForbid,
    /// `YXHASHCLEAR`: the tables of the search are cleared.
    HashClear,
    /// `YXSHOWHASHUSAGE`: how full the table of the search is.
    HashUsage,
    /// `YXHASHDUMP` and a path: the table of the search into a file.
    HashDump(String),
    /// `YXHASHLOAD` and a path: the table of the search from a file.
    HashLoad(String),
    /// `YXQUERYDATABASE…`: what a database holds.
    Database(Query),
    /// `YXDRAW`: a draw is offered.
    Draw,
    /// `YXRESIGN`: the opponent resigns.
    Resign,
    /// `WEIGHTS [NAME]`, an extension: the weights of every empty point.
    Weights(Option<Weighting>),
    /// A known command with an invalid argument.
    Refused(CommandError),
    /// A command of another engine.
    Foreign,
    /// An unknown command.
    Unknown,
}

impl Command {
    /// Whether a search that runs must end with its move before the command is carried out: the command changes the
    /// game, or its reply must follow the move. The others change nothing that the search reads.
    pub(super) fn waits_for_the_move(&self) -> bool {
        match self {
            Self::Start(_)
            | Self::Restart
            | Self::Begin
            | Self::Turn(_)
            | Self::Play(_)
            | Self::Takeback(_)
            | Self::Board(_)
            | Self::YxBoard(_)
            | Self::Swap2Board(_)
            | Self::OpenBoard(_)
            | Self::NBest(_)
            | Self::SearchDefend
            | Self::Balance(_)
            | Self::Swap2Step(_)
            | Self::HashDump(_)
            | Self::HashLoad(_)
            | Self::Soosorv(..)
            | Self::Refused(_) => true,
            Self::Info(_)
            | Self::Idle
            | Self::About
            | Self::Stop
            | Self::End
            | Self::ShowInfo
            | Self::ShowForbid
            | Self::HashClear
            | Self::HashUsage
            | Self::Block(_)
            | Self::BlockUndo(_)
            | Self::BlockReset
            | Self::Forbid(..)
            | Self::Database(_)
            | Self::Draw
            | Self::Resign
            | Self::Weights(_)
            | Self::Foreign
            | Self::Unknown => false,
        }
    }

    /// Whether a search on the opponent's time goes on beside the command. Yixin-Board asks such things after each move.
    pub(super) fn is_aside(&self) -> bool {
        matches!(
            self,
            Self::Idle
                | Self::About
                | Self::ShowInfo
                | Self::ShowForbid
                | Self::BlockReset
                | Self::Database(_)
                | Self::Draw
                | Self::Weights(_)
                | Self::Foreign
                | Self::Unknown
        )
    }

    /// Whether the command asks the picker, or reads or writes its tables.
    pub(super) fn needs_the_picker(&self) -> bool {
        matches!(
            self,
            Self::Begin
                | Self::Turn(_)
                | Self::Board(_)
                | Self::Swap2Board(_)
                | Self::OpenBoard(_)
                | Self::NBest(_)
                | Self::SearchDefend
                | Self::Balance(_)
                | Self::Swap2Step(_)
                | Self::Soosorv(..)
                | Self::HashUsage
                | Self::HashDump(_)
                | Self::HashLoad(_)
        )
    }
}

/// A step of Yixin-Board's Soosõrv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoosorvStep {
    /// Its number, 1 to 6.
    pub step: u8,
    /// The number of fifth moves behind the fourth and fifth step.
    pub fifths: Option<u8>,
}

/// What YXFORBID does to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbid {
    /// Leaves it out.
    Add,
    /// Takes that back.
    Delete,
}

/// What is asked of a database of positions. The engine keeps none: the answer is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The moves that are known from a position.
    All,
    /// The record of a position.
    One,
    /// The comment of a position.
    Text,
}

/// The text behind MESSAGE, as Yixin-Board and its fork read it.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "DATABASE REFRESH",
            Self::One => "DATABASE ONE 0 0 0 0",
            Self::Text => "DATABASE TEXT \"\"",
        })
    }
}

/// Why the argument of a known command is invalid, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// START without a size of 5 to 32.
    Size(SizeError),
    /// START or RECTSTART with two different sides.
    Rectangle,
    /// The text is no point.
    Point(PointError),
    /// The text names no weighting.
    Weighting(UnknownName),
    /// YXNBEST without a number.
    Number,
    /// YXBALANCEONE or YXBALANCETWO with a text that is no score.
    Score,
    /// YXFORBID without add or del, a point and a side.
    Forbid,
    /// YXHASHDUMP or YXHASHLOAD without a path.
    Path,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Rectangle => f.write_str("unsupported board size, expected a square"),
            Self::Point(error) => error.fmt(f),
            Self::Weighting(error) => error.fmt(f),
            Self::Number => f.write_str("expected a number of moves such as 5"),
            Self::Score => f.write_str("expected a score such as 0"),
            Self::Path => f.write_str("expected a path behind the command or on the next line"),
            Self::Forbid => f.write_str("expected add or del, a point and 0 or 1, such as add 7 7 0"),
        }
    }
}

impl std::error::Error for CommandError {}
