//! [`CommandReader`]: lines in, commands out. It does not depend on the game, the clock or I/O.

use arrayvec::ArrayVec;

use super::command::{Command, Word};
use super::database::DatabaseArgumentError;
use super::foreign::{self, Data};
use super::list::{List, MoveList, MovesOf};
use super::quoted::{Closed, QuotedText};
use super::refused::CommandError;
use super::syntax::{self, Begun};

/// Folds lines into commands.
///
/// The lines from BOARD to DONE are one command. Inside a list INFO is a command of its own; any other known word drops
/// the list and is a command. Blank lines are ignored everywhere but in a text in quotation marks.
#[derive(Debug, Default)]
pub struct CommandReader {
    state: State,
}

/// The command that the next line may belong to.
#[derive(Debug, Default)]
enum State {
    /// None: the line is a command.
    #[default]
    Free,
    /// A command with a list.
    List(List),
    /// A command with a path.
    Path(Word, fn(String) -> Command),
    /// The text of YXEDITTEXTDATABASE.
    Text(QuotedText),
    /// A foreign command with a path; `another` says whether a second path may follow.
    ForeignPath { another: bool },
    /// A foreign command whose path may be absent.
    OptionalPath,
}

/// The meaning of the first word of a line.
#[derive(Clone, Copy)]
enum First {
    Done,
    Command(Word),
    /// A command of another engine.
    Foreign(Data),
}

/// The word that ends a list.
const DONE: &str = "DONE";

impl First {
    fn parse(word: &str) -> Option<Self> {
        if word.eq_ignore_ascii_case(DONE) {
            return Some(Self::Done);
        }
        word.parse().map(Self::Command).ok().or_else(|| foreign::data(word).map(Self::Foreign))
    }
}

impl CommandReader {
    /// Takes one line and returns the command that it completes, if any. If a path is expected and the line is a
    /// command, the command without its path is refused first.
    pub fn read(&mut self, whole: &str) -> ArrayVec<Command, 2> {
        let mut commands = ArrayVec::new();
        if let State::Text(text) = &mut self.state {
            let closed = text.read(whole);
            commands.extend(closed.and_then(|closed| self.close_text(closed)));
            return commands;
        }
        let line = whole.trim();
        if line.is_empty() {
            return commands;
        }
        let (spelling, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (first, rest) = (First::parse(spelling), rest.trim());
        if matches!(self.state, State::Path(..) | State::ForeignPath { .. }) {
            let is_command = match first {
                Some(First::Command(word)) => syntax::is_command(word, spelling, rest),
                // Arguments of another engine are unknown: `balance sheet.bin` is a path.
                Some(First::Done | First::Foreign(_)) => rest.is_empty(),
                None => false,
            };
            if is_command {
                // The engine writes no line after END.
                let is_end = matches!(first, Some(First::Command(Word::End)));
                if let (State::Path(before, _), false) = (std::mem::take(&mut self.state), is_end) {
                    commands.push(Command::refused(before, CommandError::Path));
                }
            }
        }
        commands.extend(self.read_line(line, spelling, first, rest));
        if let State::Text(text) = &mut self.state {
            let closed = text.read(whole.split_once('"').map_or("", |(_, quoted)| quoted));
            commands.extend(closed.and_then(|closed| self.close_text(closed)));
        }
        commands
    }

    /// Reads on with the list after a text, whose first line may follow the text at once: Yixin-Board sends no line end
    /// there. Refuses a command whose text is too long.
    fn close_text(&mut self, closed: Closed) -> Option<Command> {
        match closed {
            Closed::Text(text, rest) => {
                let mut list = List::Moves(MovesOf::Comment(text), MoveList::default());
                match rest.trim() {
                    done if done.eq_ignore_ascii_case(DONE) => {
                        self.state = State::Free;
                        return list.close();
                    }
                    "" => {}
                    line => list.read(line),
                }
                self.state = State::List(list);
                None
            }
            Closed::TooLong => {
                self.state = State::List(List::Skipped);
                Some(Command::refused(Word::DatabaseEditComment, DatabaseArgumentError::TextLength))
            }
        }
    }

    fn read_line(&mut self, line: &str, spelling: &str, first: Option<First>, rest: &str) -> Option<Command> {
        match (&mut self.state, first) {
            (State::List(_), Some(First::Command(Word::Info))) => return Some(syntax::info(rest)),
            (State::List(list), None) => {
                list.read(line);
                return None;
            }
            (State::Path(_, command), _) => {
                let command = command(line.to_owned());
                self.state = State::Free;
                return Some(command);
            }
            (State::ForeignPath { another }, _) => {
                self.state = if *another { State::OptionalPath } else { State::Free };
                return None;
            }
            (State::OptionalPath, None) if line.contains(['/', '\\', '.']) => {
                self.state = State::Free;
                return None;
            }
            (State::Free | State::List(_) | State::Text(_) | State::OptionalPath, _) => {}
        }
        let before = std::mem::take(&mut self.state);
        let word = match first {
            None => return Some(Command::Unknown),
            Some(First::Done) => {
                let State::List(list) = before else { return None };
                return list.close();
            }
            Some(First::Foreign(data)) => {
                self.state = foreign_data(data, rest);
                return Some(Command::Foreign);
            }
            Some(First::Command(word)) => word,
        };
        match syntax::begin(word, spelling, rest) {
            Begun::Complete(command) => return Some(command),
            Begun::Skips(command) => {
                self.state = State::List(List::Skipped);
                return Some(command);
            }
            Begun::List(list) => self.state = State::List(list),
            Begun::Path(command) => self.state = State::Path(word, command),
            Begun::Text => self.state = State::Text(QuotedText::default()),
        }
        None
    }
}

/// The data that follows the line of a foreign command.
fn foreign_data(data: Data, rest: &str) -> State {
    match data {
        Data::List => State::List(List::Skipped),
        Data::Path | Data::Paths if rest.is_empty() => State::ForeignPath { another: data == Data::Paths },
        Data::MaybePath if rest.is_empty() => State::OptionalPath,
        Data::Paths => State::OptionalPath,
        Data::None | Data::Path | Data::MaybePath => State::Free,
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::board::{Color, Point, Rule, Size};
    use crate::library::format::rapfi::{RapfiChange, RapfiLabel};
    use crate::notation::{PointError, parse_comma};
    use crate::opening::Item;
    use crate::protocol::command::Forbid;
    use crate::protocol::{Info, ListError, Owner};
    use crate::weights::Weighting;

    fn read(text: &str) -> Vec<Command> {
        let mut reader = CommandReader::default();
        text.lines().flat_map(|line| reader.read(line)).collect()
    }

    /// The error of a text that is one refused command.
    fn error(text: &str) -> CommandError {
        let commands = read(text);
        let [Command::Refused(refused)] = &commands[..] else { panic!("{text}: {commands:?}") };
        refused.error()
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
            assert!(matches!(error(text), CommandError::Size(_)), "{text}");
        }
        for text in ["START 15 20", "RECTSTART 20,15"] {
            assert_eq!(read(text), [Command::refused(Word::Start, CommandError::Rectangle)], "{text}");
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
        let two_paths = "yxdbtopos\na.db\nb.pos\nBEGIN";
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
        let [Command::SoosorvStep(first, _), Command::SoosorvStep(fifth, list)] =
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
                let refused = Command::refused(word.parse().unwrap(), CommandError::Path);
                assert_eq!(first, &refused, "{word} {next}");
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
    fn arguments_change_a_command_where_its_row_of_the_table_reads_them() {
        // Each word that reads arguments accepts or refuses one of these.
        let samples = ["15", "7,7", "swap2", "add 7 7 0", "rule 1", "runs", "1 119 0 0", "\"text\""];
        for word in Word::iter() {
            for spelling in word.spellings() {
                let plain = read(&format!("{spelling}\nDONE"));
                let is_changed = |sample: &&str| read(&format!("{spelling} {sample}\nDONE")) != plain;
                assert_eq!(samples.iter().any(is_changed), word.has_arguments(), "{spelling}");
            }
        }
    }

    #[test]
    fn the_arguments_of_the_analyst_s_commands_are_read() {
        let two = Command::BalanceTwo;
        assert_eq!(read("yxbalancetwo\nYXBALANCETWO -100"), [two(0), two(-100)]);
        assert_eq!(read("yxbalanceone x"), [Command::refused(Word::BalanceOne, CommandError::Score)]);
        let forbid = |action, color| Command::Forbid(action, point("7,8"), color);
        assert_eq!(read("yxforbid add 7 8 0"), [forbid(Forbid::Add, Color::Black)]);
        assert_eq!(read("YXFORBID Del 7,8 1"), [forbid(Forbid::Delete, Color::White)]);
        for text in ["yxforbid", "yxforbid add 7 8", "yxforbid add 7 8 2", "yxforbid add 7 99 0", "yxforbid x 7 8 0"] {
            assert_eq!(read(text), [Command::refused(Word::Forbid, CommandError::Forbid)], "{text}");
        }
    }

    #[test]
    fn the_moves_to_a_position_of_the_library_may_have_passes() {
        let [Command::DatabaseMoves(list), Command::DatabaseDelete(bad)] =
            &read("yxquerydatabaseall\n7,7\n -1,-1 \n8,8\ndone\nyxdeletedatabaseone\n7,7\nx\n8,8\ndone")[..]
        else {
            panic!("two lists");
        };
        assert_eq!(list.moves, [Some(point("7,7")), None, Some(point("8,8"))]);
        assert_eq!((list.error, bad.moves.len(), bad.error.is_some()), (None, 1, true));
        let position = |text: &str| {
            let [Command::DatabaseRecord(list)] = &read(&format!("yxquerydatabaseone\n{text}\ndone"))[..] else {
                panic!("one list");
            };
            list.position(Rule::Renju, Size::FIFTEEN).map(|cursor| cursor.stones().len())
        };
        assert_eq!(position("7,7\n-1,-1\n8,8"), Ok(2));
        assert_eq!(position("7,7\n -1 , -1 \n8,8"), Ok(2));
        assert_eq!(position("7,7\n8,8\n7,7"), Err(ListError::Repeated));
        assert_eq!(position("15,7"), Err(ListError::Point(PointError::OffBoard)));
        assert_eq!(position("7,7\nx"), Err(ListError::Point(PointError::Numbers)));
        assert_eq!(position(&"-1,-1\n".repeat(3_000)), Err(ListError::TooLong));
    }

    #[test]
    fn changes_of_the_library_are_read() {
        let change = |text: &str| match &read(&format!("yxedittvddatabase {text}\n7,7\ndone"))[..] {
            [Command::DatabaseEditNumbers(change, list)] if list.moves.len() == 1 => *change,
            other => panic!("{other:?}"),
        };
        let label = |character| Some(RapfiLabel::Character(character));
        let all = RapfiChange { label: label('w'), value: Some(-29_990), depth: Some(0) };
        assert_eq!(change("7 119 -29990 0"), all);
        assert_eq!(change("1 87 5 5"), RapfiChange { label: label('w'), ..RapfiChange::default() });
        assert_eq!(change("1 -1 0 0").label, Some(RapfiLabel::None));
        assert_eq!(change("6 -1 99999 -99999").value, Some(i16::MAX));
        assert_eq!(change("0 1 2 3"), RapfiChange::default());
        for text in ["yxedittvddatabase 1 119 0\n7,7\ndone", "yxedittvddatabase x 1 1 1\n7,7\ndone"] {
            let refused = Command::refused(Word::DatabaseEditNumbers, DatabaseArgumentError::Numbers);
            assert_eq!(read(text), [refused], "the list is skipped");
        }
        let labelled = |text: &str| Command::DatabaseEditLabel(point("7,8"), text.to_owned(), MoveList::default());
        assert_eq!(
            read("YXEDITLABELDATABASE 7,8 A \ndone\nyxeditlabeldatabase 7,8 \ndone"),
            [labelled("A"), labelled("")]
        );
        assert!(matches!(error("yxeditlabeldatabase A\n7,7\ndone"), CommandError::Point(_)));
    }

    #[test]
    fn a_comment_for_the_library_may_span_lines_that_look_like_commands() {
        let text = "YXEDITTEXTDATABASE \"one  \n\n END\nsay \\\"done\\\" \\\\\nDONE\"\n7,7\nDONE\nBEGIN";
        let [Command::DatabaseEditComment(text, list), Command::Begin] = &read(text)[..] else { panic!("a text") };
        assert_eq!((text.as_str(), list.moves.len()), ("one  \n\n END\nsay \"done\" \\\nDONE", 1));
        let empty = Command::DatabaseEditComment(String::new(), MoveList::default());
        assert_eq!(read("yxedittextdatabase \"\"\ndone"), [empty]);
        assert_eq!(
            read("yxedittextdatabase text\n7,7\ndone\nBEGIN"),
            [Command::refused(Word::DatabaseEditComment, DatabaseArgumentError::Text), Command::Begin]
        );
        let long = format!("yxedittextdatabase \"{}\"\n7,7\ndone\nBEGIN", "x\n".repeat(40_000));
        let refused = Command::refused(Word::DatabaseEditComment, DatabaseArgumentError::TextLength);
        assert_eq!(read(&long), [refused, Command::Begin]);
    }

    #[test]
    fn the_list_after_a_comment_may_begin_on_the_line_of_its_quotation_mark() {
        let moves = |text: &str| match &read(text)[..] {
            [Command::DatabaseEditComment(comment, list), Command::Begin] => (comment.clone(), list.moves.clone()),
            commands => panic!("{commands:?}"),
        };
        for start in ["\"one\"", "\"one\"\n", "\"one\" "] {
            let expected = ("one".to_owned(), vec![Some(point("7,7")), Some(point("7,6"))]);
            assert_eq!(moves(&format!("yxedittextdatabase {start}7,7\n7,6\ndone\nBEGIN")), expected);
            assert_eq!(moves(&format!("yxedittextdatabase {start}done\nBEGIN")), ("one".to_owned(), vec![]));
        }
    }

    #[test]
    fn the_best_moves_are_asked_for_by_a_number() {
        assert_eq!(read("YXNBEST 3\nyxnbest 0"), [Command::NBest(3), Command::NBest(1)]);
        for text in ["YXNBEST", "YXNBEST x", "YXNBEST -1", "YXNBEST 1 2"] {
            assert_eq!(read(text), [Command::refused(Word::NBest, CommandError::Number)], "{text}");
        }
    }

    #[test]
    fn weights_may_name_a_weighting() {
        assert_eq!(read("weights"), [Command::Weights(None)]);
        assert_eq!(read("WEIGHTS Runs"), [Command::Weights(Some(Weighting::Runs))]);
        assert!(matches!(error("WEIGHTS x"), CommandError::Weighting(_)));
    }
}
