//! [`CommandReader`]: lines in, commands out. Pure: it knows no board, no clock and no stream.

use arrayvec::ArrayVec;

use super::arguments::{balance, forbid, info, n_best, start, weights};
use super::command::{Command, CommandError, Query, SoosorvStep};
use super::list::{OpeningList, PointList, StoneList};
use super::vocabulary::{self, Data};
use crate::board::Point;
use crate::notation::parse_comma;
use crate::opening::Procedure;
use crate::picker::BalanceStones;

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
    /// The list of a SWAP2BOARD, YXBLOCK or YXBLOCKUNDO.
    Points(fn(PointList) -> Command, PointList),
    /// The list of an OPENBOARD.
    Opening(OpeningList),
    /// The list of a step of Soosõrv.
    Soosorv(SoosorvStep, PointList),
    /// The path of a command of ours.
    File(fn(String) -> Command),
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
    OpenBoard,
    Done,
    Info,
    About,
    Stop,
    End,
    ShowInfo,
    ShowForbid,
    HashClear,
    HashUsage,
    HashDump,
    HashLoad,
    NBest,
    SearchDefend,
    Balance(BalanceStones),
    Swap2Step(u8),
    Soosorv(u8),
    Block,
    BlockUndo,
    BlockReset,
    BlockPathReset,
    Forbid,
    Database(Query),
    Draw,
    Resign,
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
            "OPENBOARD" => Self::OpenBoard,
            "DONE" => Self::Done,
            "INFO" => Self::Info,
            "ABOUT" => Self::About,
            "STOP" | "YXSTOP" => Self::Stop,
            "END" => Self::End,
            "YXSHOWINFO" => Self::ShowInfo,
            "YXSHOWFORBID" => Self::ShowForbid,
            "YXNBEST" => Self::NBest,
            "WEIGHTS" => Self::Weights,
            yixin => match Self::of_yixin(yixin) {
                Some(word) => word,
                None => Self::Foreign(vocabulary::foreign(yixin)?),
            },
        };
        Some(known)
    }

    /// The words of Yixin-Board's analyst, upper case.
    fn of_yixin(word: &str) -> Option<Self> {
        Some(match word {
            "YXHASHCLEAR" => Self::HashClear,
            "YXSHOWHASHUSAGE" => Self::HashUsage,
            "YXHASHDUMP" => Self::HashDump,
            "YXHASHLOAD" => Self::HashLoad,
            "YXSEARCHDEFEND" => Self::SearchDefend,
            "YXBALANCEONE" => Self::Balance(BalanceStones::One),
            "YXBALANCETWO" => Self::Balance(BalanceStones::Two),
            "YXSWAP2STEP1" => Self::Swap2Step(1),
            "YXSWAP2STEP2" => Self::Swap2Step(2),
            "YXSWAP2STEP3" => Self::Swap2Step(3),
            "YXBLOCK" => Self::Block,
            "YXBLOCKUNDO" => Self::BlockUndo,
            "YXBLOCKRESET" => Self::BlockReset,
            "YXBLOCKPATHRESET" => Self::BlockPathReset,
            "YXFORBID" => Self::Forbid,
            "YXQUERYDATABASEALL" | "YXQUERYDATABASEALLT" => Self::Database(Query::All),
            "YXQUERYDATABASEONE" => Self::Database(Query::One),
            "YXQUERYDATABASETEXT" => Self::Database(Query::Text),
            "YXDRAW" => Self::Draw,
            "YXRESIGN" => Self::Resign,
            "YXSOOSORVSTEP1" => Self::Soosorv(1),
            "YXSOOSORVSTEP2" => Self::Soosorv(2),
            "YXSOOSORVSTEP3" => Self::Soosorv(3),
            "YXSOOSORVSTEP4" => Self::Soosorv(4),
            "YXSOOSORVSTEP5" => Self::Soosorv(5),
            "YXSOOSORVSTEP6" => Self::Soosorv(6),
            _ => return None,
        })
    }
}

impl CommandReader {
    /// Takes one line; returns the command that it completes, if it completes one. Where a path is expected and the line
    /// is a command instead, the one without its path is refused first.
    pub fn read(&mut self, line: &str) -> ArrayVec<Command, 2> {
        let line = line.trim();
        let mut commands = ArrayVec::new();
        if line.is_empty() {
            return commands;
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (Word::parse(first), rest.trim());
        if matches!(self.state, State::File(_) | State::Path { .. }) && is_command(word, rest) {
            let refused = Command::Refused(CommandError::Path);
            let is_ours = matches!(std::mem::take(&mut self.state), State::File(_));
            // After END nothing is written.
            commands.extend((is_ours && word != Some(Word::End)).then_some(refused));
        }
        commands.extend(self.read_line(line, word, rest));
        commands
    }

    fn read_line(&mut self, line: &str, word: Option<Word>, rest: &str) -> Option<Command> {
        match &mut self.state {
            State::Free => {}
            State::Stones(..) | State::Points(..) | State::Opening(_) | State::Soosorv(..) | State::ForeignList
                if word == Some(Word::Info) =>
            {
                return Some(info(rest));
            }
            State::Stones(_, list) if word.is_none() => {
                list.read(line);
                return None;
            }
            State::Points(_, list) | State::Soosorv(_, list) if word.is_none() => {
                list.read(line);
                return None;
            }
            State::Opening(list) if word.is_none() => {
                list.read(line);
                return None;
            }
            State::ForeignList if word.is_none() => return None,
            State::Stones(..) | State::Points(..) | State::Opening(_) | State::Soosorv(..) | State::ForeignList => {}
            State::File(command) => {
                let command = command(line.to_owned());
                self.state = State::Free;
                return Some(command);
            }
            State::Path { another } => {
                self.state = if *another { State::MaybePath } else { State::Free };
                return None;
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

    /// The command that a known word completes, if it completes one; or the state in which its data is read.
    fn complete(&mut self, word: Word, rest: &str, before: State) -> Option<Command> {
        let (command, state) = match word {
            Word::Board => (None, State::Stones(Command::Board, StoneList::default())),
            Word::YxBoard => (None, State::Stones(Command::YxBoard, StoneList::default())),
            Word::Swap2Board => (None, State::Points(Command::Swap2Board, PointList::default())),
            Word::OpenBoard => (None, State::Opening(OpeningList::new(rest))),
            Word::Block => (None, State::Points(Command::Block, PointList::default())),
            Word::BlockUndo => (None, State::Points(Command::BlockUndo, PointList::default())),
            Word::HashDump if rest.is_empty() => (None, State::File(Command::HashDump)),
            Word::HashLoad if rest.is_empty() => (None, State::File(Command::HashLoad)),
            Word::HashDump => (Some(Command::HashDump(rest.to_owned())), State::Free),
            Word::HashLoad => (Some(Command::HashLoad(rest.to_owned())), State::Free),
            Word::Database(query) => (Some(Command::Database(query)), State::ForeignList),
            Word::Soosorv(step) => {
                let step = SoosorvStep { step, fifths: rest.parse().ok() };
                // The first step has no list.
                match step.step {
                    1 => (Some(Command::Soosorv(step, PointList::default())), State::Free),
                    _ => (None, State::Soosorv(step, PointList::default())),
                }
            }
            Word::Foreign(data) => (Some(Command::Foreign), foreign_data(data, rest)),
            Word::Done => (close(before), State::Free),
            word => (simple(word, rest), State::Free),
        };
        self.state = state;
        command
    }
}

/// The data that follows a command of another engine.
fn foreign_data(data: Data, rest: &str) -> State {
    match data {
        Data::List => State::ForeignList,
        Data::Path | Data::Paths if rest.is_empty() => State::Path { another: data == Data::Paths },
        Data::MaybePath if rest.is_empty() => State::MaybePath,
        Data::Paths => State::MaybePath,
        Data::None | Data::Path | Data::MaybePath => State::Free,
    }
}

/// The command of a word that has no data on lines of its own; `None` for the other words.
fn simple(word: Word, rest: &str) -> Option<Command> {
    let refused = |error| Command::Refused(CommandError::Point(error));
    let point = |make: fn(Point) -> Command| parse_comma(rest).map_or_else(refused, make);
    Some(match word {
        Word::Start => start(rest),
        Word::Restart => Command::Restart,
        Word::Begin => Command::Begin,
        Word::Turn => point(Command::Turn),
        Word::Play => point(Command::Play),
        Word::Takeback => point(Command::Takeback),
        Word::Info => info(rest),
        Word::About => Command::About,
        Word::Stop => Command::Stop,
        Word::End => Command::End,
        Word::ShowInfo => Command::ShowInfo,
        Word::ShowForbid => Command::ShowForbid,
        Word::HashClear => Command::HashClear,
        Word::HashUsage => Command::HashUsage,
        Word::NBest => n_best(rest),
        Word::SearchDefend => Command::SearchDefend,
        Word::Balance(stones) => balance(stones, rest),
        Word::Swap2Step(step) => Command::Swap2Step(step),
        Word::BlockReset => Command::BlockReset,
        Word::BlockPathReset => Command::Idle,
        Word::Forbid => forbid(rest),
        Word::Draw => Command::Draw,
        Word::Resign => Command::Resign,
        Word::Weights => weights(rest),
        Word::Board
        | Word::YxBoard
        | Word::Swap2Board
        | Word::OpenBoard
        | Word::Block
        | Word::BlockUndo
        | Word::HashDump
        | Word::HashLoad
        | Word::Database(_)
        | Word::Soosorv(_)
        | Word::Foreign(_)
        | Word::Done => return None,
    })
}

/// DONE: the list as a command. A DONE without a list is ignored.
fn close(state: State) -> Option<Command> {
    match state {
        State::Stones(command, list) => Some(command(list)),
        State::Points(command, list) => Some(command(list)),
        State::Opening(list) => Some(Command::OpenBoard(list)),
        State::Soosorv(step, list) => Some(Command::Soosorv(step, list)),
        State::Free | State::ForeignList | State::File(_) | State::Path { .. } | State::MaybePath => None,
    }
}

/// Whether a line is a command although a path is expected: a known word with nothing behind it, or with arguments that it
/// can read. Any other text may be a path; one such as `begin` is written `./begin`.
fn is_command(word: Option<Word>, rest: &str) -> bool {
    let Some(word) = word else { return false };
    match word {
        _ if rest.is_empty() => true,
        Word::Info | Word::HashDump | Word::HashLoad => true,
        Word::Soosorv(_) => rest.parse::<u8>().is_ok(),
        Word::OpenBoard => rest.parse::<Procedure>().is_ok(),
        Word::Start
        | Word::Turn
        | Word::Play
        | Word::Takeback
        | Word::NBest
        | Word::Balance(_)
        | Word::Forbid
        | Word::Weights => !matches!(simple(word, rest), Some(Command::Refused(_)) | None),
        // They have no arguments, or those of another engine: `balance sheet.bin` is a path.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size};
    use crate::opening::Item;
    use crate::picker::Balance;
    use crate::protocol::command::Forbid;
    use crate::protocol::{Info, ListError, Owner};
    use crate::weights::Weighting;

    fn read(text: &str) -> Vec<Command> {
        let mut reader = CommandReader::default();
        text.lines().flat_map(|line| reader.read(line)).collect()
    }

    fn point(text: &str) -> Point {
        parse_comma(text).unwrap()
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
        let board = "yxblockpath\n7,7\n8,8\ndone\nBEGIN";
        let path = "loadmodel\nstart of game.bin\nBEGIN";
        let path_behind_the_word = "loadmodel a.bin\nBEGIN";
        let two_paths = "yxdbmerge\na.db\nb.db\nBEGIN";
        let perhaps_a_path = "RELOADCONFIG\nC:\\config.toml\nBEGIN";
        let no_path = "RELOADCONFIG\nBEGIN";
        for text in [board, path, path_behind_the_word, two_paths, perhaps_a_path, no_path] {
            assert_eq!(read(text), [Command::Foreign, Command::Begin], "{text}");
        }
        for next in ["END", "BEGIN", "START 15"] {
            let [Command::Foreign, command] = &read(&format!("loadmodel\n{next}"))[..] else { panic!("{next}") };
            assert_eq!(read(next).first(), Some(command), "it has no path");
        }
    }

    #[test]
    fn the_data_of_the_analyst_s_commands_is_read() {
        let hash = |text: &str| Command::HashDump(text.to_owned());
        assert_eq!(read("yxhashdump\n start of game.bin \nBEGIN"), [hash("start of game.bin"), Command::Begin]);
        assert_eq!(read("YXHASHDUMP a.bin\nBEGIN"), [hash("a.bin"), Command::Begin]);
        let [Command::Block(list), Command::BlockUndo(undone)] =
            &read("yxblock\n7,7\n8,8\ndone\nyxblockundo\n7,7\ndone")[..]
        else {
            panic!("two lists");
        };
        assert_eq!((&list.points[..], &undone.points[..]), (&[point("7,7"), point("8,8")][..], &[point("7,7")][..]));
        assert_eq!(read("yxquerydatabaseall\n7,7\ndone\nBEGIN"), [Command::Database(Query::All), Command::Begin]);
        let [Command::Soosorv(first, _), Command::Soosorv(fifth, list)] =
            &read("yxsoosorvstep1\nyxsoosorvstep5 3\n7,7\ndone")[..]
        else {
            panic!("two steps");
        };
        assert_eq!((first.step, first.fifths, fifth.step, fifth.fifths), (1, None, 5, Some(3)));
        assert_eq!(list.points, [point("7,7")]);
        let [Command::OpenBoard(list)] = &read("OpenBoard soosorv-8\n7,7\n\n swap \n8\ndone")[..] else {
            panic!("one list");
        };
        assert_eq!(list.procedure, "soosorv-8");
        assert_eq!(list.items, [Item::Stone(point("7,7")), Item::Swap, Item::Number(8)]);
        let [Command::OpenBoard(list)] = &read("OPENBOARD\n7,7\nx\n8,8\nDONE")[..] else { panic!("one list") };
        assert_eq!((list.items.len(), list.invalid), (1, Some(2)));
    }

    #[test]
    fn a_command_in_the_place_of_a_path_is_run_and_the_one_without_its_path_is_refused() {
        for word in ["YXHASHDUMP", "yxhashload"] {
            for next in ["TURN 7,8", "TURN", "BEGIN", "START 15", "INFO x y", "BOARD\nDONE", "YXHASHDUMP a.bin"] {
                let commands = read(&format!("{word}\n\n{next}"));
                let (first, rest) = commands.split_first().unwrap();
                assert_eq!(first, &Command::Refused(CommandError::Path), "{word} {next}");
                assert_eq!(rest, read(next), "{word} {next}");
            }
            assert_eq!(read(&format!("{word}\nEND")), [Command::End]);
            for path in ["start of game.bin", "turn 7", "./begin", "begin at noon", "balance sheet.bin", "done.bin"] {
                let commands = read(&format!("{word}\n{path}\nBEGIN"));
                let [Command::HashDump(read) | Command::HashLoad(read), Command::Begin] = &commands[..] else {
                    panic!("{path} is a path: {commands:?}");
                };
                assert_eq!(read, path);
            }
        }
    }

    #[test]
    fn the_arguments_of_the_analyst_s_commands_are_read() {
        let two = |bias| Command::Balance(Balance { stones: BalanceStones::Two, bias });
        assert_eq!(read("yxbalancetwo\nYXBALANCETWO -100"), [two(0), two(-100)]);
        assert_eq!(read("yxbalanceone x"), [Command::Refused(CommandError::Score)]);
        let forbid = |action, color| Command::Forbid(action, point("7,8"), color);
        assert_eq!(read("yxforbid add 7 8 0"), [forbid(Forbid::Add, Color::Black)]);
        assert_eq!(read("YXFORBID Del 7,8 1"), [forbid(Forbid::Delete, Color::White)]);
        for text in ["yxforbid", "yxforbid add 7 8", "yxforbid add 7 8 2", "yxforbid add 7 99 0", "yxforbid x 7 8 0"] {
            assert_eq!(read(text), [Command::Refused(CommandError::Forbid)], "{text}");
        }
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
