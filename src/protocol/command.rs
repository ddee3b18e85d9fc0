//! [`Command`] and [`CommandReader`]: lines in, commands out. Pure: it knows no board, no clock and no stream.

use std::fmt;

use super::info::Info;
use super::list::{PointList, StoneList};
use super::vocabulary::{self, Data};
use crate::board::{Point, PointError, Size, SizeError};
use crate::weights::{Weighting, WeightingError};

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
    /// `YXNBEST n`: the engine moves, and reports this number of best moves.
    NBest(usize),
    /// `INFO key value`: a setting.
    Info(Info),
    /// An INFO that sets nothing here.
    IdleInfo,
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
            | Self::NBest(_)
            | Self::Refused(_) => true,
            Self::Info(_)
            | Self::IdleInfo
            | Self::About
            | Self::Stop
            | Self::End
            | Self::ShowInfo
            | Self::ShowForbid
            | Self::HashClear
            | Self::Weights(_)
            | Self::Foreign
            | Self::Unknown => false,
        }
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
    Weighting(WeightingError),
    /// YXNBEST without a number.
    Number,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Rectangle => f.write_str("unsupported board size, expected a square"),
            Self::Point(error) => error.fmt(f),
            Self::Weighting(error) => error.fmt(f),
            Self::Number => f.write_str("expected a number of moves such as 5"),
        }
    }
}

impl std::error::Error for CommandError {}

/// Folds lines into commands.
///
/// The lines from BOARD to DONE are one command. Inside a list INFO is a command of its own; any other known word drops
/// the list and is a command. Blank lines are ignored everywhere.
#[derive(Debug, Default)]
pub struct CommandReader {
    state: State,
}

/// What the next line is part of.
#[derive(Debug, Default)]
enum State {
    /// Nothing: the line is a command.
    #[default]
    Free,
    /// The list of a BOARD or YXBOARD.
    Stones(fn(StoneList) -> Command, StoneList),
    /// The list of a SWAP2BOARD.
    Points(PointList),
    /// The list of a foreign command.
    ForeignList,
    /// The path of a foreign command; `another` is whether a second one may follow.
    Path { another: bool },
    /// A path of a foreign command, or the next command.
    MaybePath,
}

/// A recognised word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Start,
    Restart,
    Begin,
    Turn,
    Play,
    Takeback,
    Board,
    YxBoard,
    Swap2Board,
    Done,
    Info,
    About,
    Stop,
    End,
    ShowInfo,
    ShowForbid,
    HashClear,
    NBest,
    Weights,
    Foreign(Data),
}

impl Word {
    fn parse(word: &str) -> Option<Self> {
        let known = match word.to_ascii_uppercase().as_str() {
            "START" | "RECTSTART" => Self::Start,
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => Self::Turn,
            "PLAY" => Self::Play,
            "TAKEBACK" => Self::Takeback,
            "BOARD" => Self::Board,
            "YXBOARD" => Self::YxBoard,
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "INFO" => Self::Info,
            "ABOUT" => Self::About,
            "STOP" | "YXSTOP" => Self::Stop,
            "END" => Self::End,
            "YXSHOWINFO" => Self::ShowInfo,
            "YXSHOWFORBID" => Self::ShowForbid,
            "YXHASHCLEAR" => Self::HashClear,
            "YXNBEST" => Self::NBest,
            "WEIGHTS" => Self::Weights,
            _ => Self::Foreign(vocabulary::foreign(word)?),
        };
        Some(known)
    }
}

impl CommandReader {
    /// Takes one line; returns the command that it completes, if it completes one.
    pub fn read(&mut self, line: &str) -> Option<Command> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = Word::parse(first);
        match &mut self.state {
            State::Free => {}
            State::Stones(..) | State::Points(_) | State::ForeignList if word == Some(Word::Info) => {
                return Some(info(rest));
            }
            State::Stones(_, list) if word.is_none() => {
                list.read(line);
                return None;
            }
            State::Points(list) if word.is_none() => {
                list.read(line);
                return None;
            }
            State::ForeignList if word.is_none() => return None,
            State::Stones(..) | State::Points(_) | State::ForeignList => {}
            State::Path { another } => {
                // Any text may be a path, except END, which must work at any time.
                if word != Some(Word::End) || !rest.is_empty() {
                    self.state = if *another { State::MaybePath } else { State::Free };
                    return None;
                }
            }
            State::MaybePath => {
                if word.is_none() && line.contains(['/', '\\', '.']) {
                    self.state = State::Free;
                    return None;
                }
            }
        }
        let before = std::mem::take(&mut self.state);
        match word {
            Some(word) => self.complete(word, rest, before),
            None => Some(Command::Unknown),
        }
    }

    /// The command that a known word completes, if it completes one.
    fn complete(&mut self, word: Word, rest: &str, before: State) -> Option<Command> {
        let point = |make: fn(Point) -> Command| match Point::parse_comma(rest) {
            Ok(point) => make(point),
            Err(error) => Command::Refused(CommandError::Point(error)),
        };
        let command = match word {
            Word::Start => start(rest),
            Word::Restart => Command::Restart,
            Word::Begin => Command::Begin,
            Word::Turn => point(Command::Turn),
            Word::Play => point(Command::Play),
            Word::Takeback => point(Command::Takeback),
            Word::Board => return self.open(State::Stones(Command::Board, StoneList::default())),
            Word::YxBoard => return self.open(State::Stones(Command::YxBoard, StoneList::default())),
            Word::Swap2Board => return self.open(State::Points(PointList::default())),
            Word::Done => return close(before),
            Word::Info => info(rest),
            Word::About => Command::About,
            Word::Stop => Command::Stop,
            Word::End => Command::End,
            Word::ShowInfo => Command::ShowInfo,
            Word::ShowForbid => Command::ShowForbid,
            Word::HashClear => Command::HashClear,
            Word::NBest => n_best(rest),
            Word::Weights => weights(rest),
            Word::Foreign(data) => {
                self.state = match data {
                    Data::List => State::ForeignList,
                    Data::Path | Data::Paths if rest.is_empty() => State::Path { another: data == Data::Paths },
                    Data::MaybePath if rest.is_empty() => State::MaybePath,
                    Data::Paths => State::MaybePath,
                    Data::None | Data::Path | Data::MaybePath => State::Free,
                };
                Command::Foreign
            }
        };
        Some(command)
    }

    fn open(&mut self, list: State) -> Option<Command> {
        self.state = list;
        None
    }
}

/// DONE: the list as a command. A DONE without a list is ignored.
fn close(state: State) -> Option<Command> {
    match state {
        State::Stones(command, list) => Some(command(list)),
        State::Points(list) => Some(Command::Swap2Board(list)),
        State::Free | State::ForeignList | State::Path { .. } | State::MaybePath => None,
    }
}

fn info(rest: &str) -> Command {
    Info::parse(rest).map_or(Command::IdleInfo, Command::Info)
}

/// `n`, `n n` or `n,n`.
fn start(rest: &str) -> Command {
    let sides = match rest.split_once(',').or_else(|| rest.split_once(char::is_whitespace)) {
        Some((width, height)) => (width, height),
        None => (rest, rest),
    };
    match (sides.0.trim().parse::<Size>(), sides.1.trim().parse::<Size>()) {
        (Ok(width), Ok(height)) if width == height => Command::Start(width),
        (Ok(_), Ok(_)) => Command::Refused(CommandError::Rectangle),
        (Err(error), _) | (_, Err(error)) => Command::Refused(CommandError::Size(error)),
    }
}

/// A number of moves; 0 reads as 1.
fn n_best(rest: &str) -> Command {
    rest.parse().map_or(Command::Refused(CommandError::Number), |count: usize| Command::NBest(count.max(1)))
}

fn weights(rest: &str) -> Command {
    match rest.parse() {
        _ if rest.is_empty() => Command::Weights(None),
        Ok(weighting) => Command::Weights(Some(weighting)),
        Err(error) => Command::Refused(CommandError::Weighting(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{ListError, Owner};

    fn read(text: &str) -> Vec<Command> {
        let mut reader = CommandReader::default();
        text.lines().filter_map(|line| reader.read(line)).collect()
    }

    fn point(text: &str) -> Point {
        Point::parse_comma(text).unwrap()
    }

    #[test]
    fn blanks_case_and_empty_lines_are_ignored() {
        let commands = read("\n  \t\n\tstart  15 \nTuRn 7 ,\t7\n");
        assert_eq!(commands, [Command::Start(Size::FIFTEEN), Command::Turn(point("7,7"))]);
    }

    #[test]
    fn a_size_may_be_sent_twice_but_not_as_two_sizes() {
        for text in ["START 15", "START 15 15", "START 15,15", "START 15 , 15", "RECTSTART 15,15"] {
            assert_eq!(read(text), [Command::Start(Size::FIFTEEN)], "{text}");
        }
        for text in
            ["START", "START abc", "START 4", "START 33", "START -5", "START 15 abc", "START 15,", "START 1 1 1"]
        {
            assert!(matches!(read(text)[..], [Command::Refused(CommandError::Size(_))]), "{text}");
        }
        for text in ["START 15 20", "RECTSTART 20,15"] {
            assert_eq!(read(text), [Command::Refused(CommandError::Rectangle)], "{text}");
        }
    }

    #[test]
    fn a_list_is_one_command() {
        let [Command::Board(list), Command::Begin] = &read("BOARD\n 7 , 7 , 1 \n\n6,6,2\n5,5,3\ndone \nBEGIN")[..]
        else {
            panic!("a board and the command behind it");
        };
        let stones = [("7,7", Owner::Own), ("6,6", Owner::Opponent), ("5,5", Owner::Wall)];
        assert_eq!(list.stones, stones.map(|(at, owner)| (point(at), owner)));
        assert_eq!(list.error, None);
    }

    #[test]
    fn bad_lines_of_a_list_are_skipped_and_the_first_is_remembered() {
        let commands = read("BOARD\n7,7,1\n7,7,2\n99,99,1\n6,6,0\n6,6,1\nxx\n5,5\n-1,-1,1\nDONE");
        let [Command::Board(list)] = &commands[..] else { panic!("one board") };
        assert_eq!(list.stones, [(point("7,7"), Owner::Own), (point("6,6"), Owner::Own)]);
        assert_eq!(list.error, Some(ListError::Repeated));
        let commands = read("SWAP2BOARD\n7,7\n8,8,1\n7,7,2\nx\nDONE");
        let [Command::Swap2Board(list)] = &commands[..] else { panic!("one list") };
        assert_eq!(list.points, [point("7,7"), point("8,8")]);
    }

    #[test]
    fn a_known_word_ends_a_list_and_info_does_not() {
        let commands = read("BOARD\n7,7,1\nINFO rule 4\n6,6,2\nSTART 15\nDONE\n7,7,1");
        assert_eq!(commands, [Command::Info(Info::Rule(4)), Command::Start(Size::FIFTEEN), Command::Unknown]);
        assert_eq!(read("SWAP2BOARD\n7,7\nEND"), [Command::End]);
        assert_eq!(read("BOARD\n7,7,1\n"), []);
    }

    #[test]
    fn the_data_of_foreign_commands_is_not_run() {
        let board = "yxquerydatabaseall\n7,7\n8,8\ndone\nBEGIN";
        let path = "yxhashload\nstart of game.bin\nBEGIN";
        let path_behind_the_word = "yxhashload a.bin\nBEGIN";
        let two_paths = "yxdbmerge\na.db\nb.db\nBEGIN";
        let perhaps_a_path = "RELOADCONFIG\nC:\\config.toml\nBEGIN";
        let no_path = "RELOADCONFIG\nBEGIN";
        for text in [board, path, path_behind_the_word, two_paths, perhaps_a_path, no_path] {
            assert_eq!(read(text), [Command::Foreign, Command::Begin], "{text}");
        }
        assert_eq!(read("yxhashdump\nEND"), [Command::Foreign, Command::End]);
    }

    #[test]
    fn the_best_moves_are_asked_for_by_a_number() {
        assert_eq!(read("YXNBEST 3\nyxnbest 0"), [Command::NBest(3), Command::NBest(1)]);
        for text in ["YXNBEST", "YXNBEST x", "YXNBEST -1", "YXNBEST 1 2"] {
            assert_eq!(read(text), [Command::Refused(CommandError::Number)], "{text}");
        }
    }

    #[test]
    fn weights_may_name_a_weighting() {
        assert_eq!(read("weights"), [Command::Weights(None)]);
        assert_eq!(read("WEIGHTS Runs"), [Command::Weights(Some(Weighting::RUNS))]);
        assert!(matches!(read("WEIGHTS x")[..], [Command::Refused(CommandError::Weighting(_))]));
    }
}
