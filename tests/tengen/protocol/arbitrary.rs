//! Arbitrary bytes and commands: nothing panics, nothing is lost, every line is well-formed.

use std::cell::Cell;
use std::io::Cursor;
use std::iter::Peekable;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tengen::board::{Point, PointSet, Size};
use tengen::picker::PickerName;
use tengen::protocol::{self, Command, CommandReader, Info, Owner, Settings, Setup};

use super::engine::{Behaviour, read_move};

/// The maximum time of a session. A longer one counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// The output of a session with a named picker for this input, line by line.
fn answers(input: Vec<u8>, picker: PickerName) -> Vec<String> {
    answers_of(input, move || Setup::new(Settings { picker, ..Settings::default() }, Instant::now()))
}

fn answers_of(input: Vec<u8>, setup: impl FnOnce() -> Setup + Send + 'static) -> Vec<String> {
    let (sender, done) = mpsc::channel();
    thread::spawn(move || {
        let setup = setup();
        let mut output = Vec::new();
        protocol::run(Cursor::new(input), &mut output, setup).unwrap();
        sender.send(output).unwrap();
    });
    let output = done.recv_timeout(PATIENCE).expect("a session neither panics nor hangs");
    let text = String::from_utf8(output).expect("output is text");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.split_terminator('\n').map(String::from).collect()
}

/// Whether any manager can read the line, including the strictest.
fn is_grammatical(line: &str) -> bool {
    let text_behind = |word: &str| line.strip_prefix(word).is_some_and(|text| text.trim() == text && !text.is_empty());
    let is_forbid = || {
        let digits = line.strip_prefix("FORBID ").and_then(|line| line.strip_suffix('.'));
        digits.is_some_and(|digits| digits.len() % 4 == 0 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    line.len() <= 1000
        && line.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && (line == "OK"
            || line == "SWAP"
            || ["ERROR ", "UNKNOWN ", "MESSAGE "].into_iter().any(text_behind)
            || line.starts_with("name=\"")
            || is_forbid()
            || (1..=3).contains(&line.split(' ').count()) && line.split(' ').all(|word| read_move(word).is_some()))
}

/// The state of a game that a manager can know: the points taken.
#[derive(Default)]
struct Referee {
    size: Option<Size>,
    taken: PointSet,
    walls: PointSet,
    unknown: usize,
    /// Whether fives may have become walls.
    is_continuous: bool,
}

impl Referee {
    /// Steps through the commands of a session and consumes the lines that answer them, in order.
    #[allow(clippy::too_many_lines, reason = "a dispatch with one arm for each command")]
    fn check(mut self, input: &str, lines: &[String]) {
        let mut reader = CommandReader::default();
        let is_answer =
            |line: &&str| !["MESSAGE depth ", "MESSAGE REALTIME "].iter().any(|head| line.starts_with(head));
        let mut lines = lines.iter().map(String::as_str).filter(is_answer).peekable();
        for command in input.lines().flat_map(|line| reader.read(line)) {
            if command == Command::End {
                break;
            }
            let is_unknown = matches!(command, Command::Foreign | Command::Unknown);
            self.unknown = if is_unknown { self.unknown + 1 } else { 0 };
            if self.size.is_none() && needs_board(&command) {
                assert!(lines.next().unwrap().starts_with("ERROR "), "{command:?} before START");
                continue;
            }
            self.check_game(command, &mut lines);
        }
        assert_eq!(lines.next(), None, "an answer without a question");
    }

    /// Consumes the lines that answer a command of the game, and passes on other commands.
    fn check_game<'a>(&mut self, command: Command, lines: &mut Peekable<impl Iterator<Item = &'a str>>) {
        match command {
            Command::Start(size) => {
                self.size = Some(size);
                self.clear();
                assert_eq!(lines.next(), Some("OK"));
            }
            Command::Restart => {
                self.clear();
                assert_eq!(lines.next(), Some("OK"));
            }
            Command::Begin => self.take_move(lines.next()),
            Command::NBest(_) => {
                while lines.next_if(|line| line.starts_with("MESSAGE rank ")).is_some() {}
                self.take_move(lines.next());
            }
            Command::Turn(point) if self.is_free(point) => {
                self.taken.insert(point);
                self.take_move(lines.next());
            }
            Command::Play(point) if self.is_free(point) => {
                self.taken.insert(point);
                assert_eq!(lines.next(), Some(tengen::notation::Comma(point).to_string().as_str()));
            }
            Command::Takeback(point) if self.taken.contains(point) && !self.walls.contains(point) => {
                if lines.next() == Some("OK") {
                    self.taken.remove(point);
                } else {
                    assert!(self.is_continuous, "a stone can be undone");
                }
            }
            Command::Turn(_) | Command::Play(_) | Command::Takeback(_) | Command::Refused(_) => {
                assert!(lines.next().unwrap().starts_with("ERROR "), "{command:?}");
            }
            Command::Board(list) => {
                self.set_up(&list.stones);
                lines.next_if(|line| line.starts_with("MESSAGE skipped"));
                self.take_move(lines.next());
            }
            Command::YxBoard(list) => self.set_up(&list.stones),
            Command::Swap2Board(list) => {
                lines.next_if(|line| line.starts_with("MESSAGE skipped"));
                let line = lines.next().unwrap();
                let mut points = list.points;
                points.retain(|point| self.size.unwrap().contains(*point));
                let answer: Vec<_> = line.split(' ').filter_map(read_move).collect();
                assert_eq!(answer.is_empty(), line == "SWAP" || line == "ERROR board is full");
                assert!(answer.iter().all(|point| !points.contains(point)));
            }
            command => self.check_analysis(command, lines),
        }
    }

    /// Consumes the lines that answer a command of the analyst, or one that changes no game.
    fn check_analysis<'a>(&mut self, command: Command, lines: &mut Peekable<impl Iterator<Item = &'a str>>) {
        match command {
            Command::SearchDefend | Command::BalanceOne(_) => {
                self.take_move(lines.next());
            }
            Command::BalanceTwo(_) => {
                let line = lines.next().unwrap();
                if self.size.unwrap().area() - self.taken.len() < 2 {
                    assert_eq!(line, "ERROR board is full");
                } else {
                    let (first, second) = line.split_once(' ').unwrap();
                    assert!(first != second && read_move(second).is_some_and(|point| self.is_free(point)));
                    self.take_move(Some(first));
                }
            }
            Command::Swap2Step(_) => {
                let line = lines.next().unwrap();
                let starts = ["ERROR ", "MESSAGE SWAP2 SWAP", "MESSAGE SWAP2 MOVE"];
                assert!(starts.iter().any(|start| line.starts_with(start)), "{line}");
                while lines.next_if(|line| line.starts_with("MESSAGE SWAP2 MOVE")).is_some() {}
            }
            Command::Block(_) | Command::BlockUndo(_) | Command::BlockReset | Command::Forbid(..) => {}
            Command::OpenBoard(_) => assert!(!lines.next().unwrap().starts_with("UNKNOWN")),
            Command::SoosorvStep(..) => super::procedures::take_soosorv(lines),
            Command::HashDump(_) | Command::HashLoad(_) => {
                assert!(lines.next().unwrap().starts_with("ERROR "));
            }
            Command::HashUsage => assert!(lines.next().unwrap().starts_with("MESSAGE hash usage ")),
            command if is_of_library(&command) => {
                let line = lines.next().unwrap();
                assert!(line.starts_with("MESSAGE DATABASE ") || line.starts_with("ERROR "), "{line}");
                lines.next_if(|line| *line == "MESSAGE DATABASE DONE");
            }
            Command::Draw => assert_eq!(lines.next(), Some("MESSAGE draw declined")),
            Command::Resign => assert_eq!(lines.next(), Some("MESSAGE resignation accepted")),
            command => self.check_other(&command, lines),
        }
    }

    /// Consumes the lines that answer a command that changes no game.
    fn check_other<'a>(&mut self, command: &Command, lines: &mut Peekable<impl Iterator<Item = &'a str>>) {
        match command {
            Command::Info(info) => {
                if let Info::Rule(number) = info {
                    self.is_continuous |= number & 2 != 0;
                }
            }
            Command::Ignored | Command::Stop | Command::HashClear | Command::End => {}
            Command::About => assert!(lines.next().unwrap().starts_with("name=")),
            Command::ShowInfo => {
                assert!(lines.next().unwrap().starts_with("MESSAGE INFO MAX_THREAD_NUM "));
                assert!(lines.next().unwrap().starts_with("MESSAGE INFO MAX_HASH_SIZE "));
            }
            Command::ShowForbid => assert!(lines.next().unwrap().starts_with("FORBID ")),
            Command::Weights(_) => {
                let free = self.size.unwrap().area() - self.taken.len();
                for _ in 0..free {
                    assert!(lines.next().unwrap().starts_with("MESSAGE WEIGHT "));
                }
                assert!(lines.next().unwrap().starts_with("MESSAGE WEIGHTS END "));
            }
            Command::Foreign | Command::Unknown if self.unknown > 16 => {}
            Command::Foreign | Command::Unknown => assert_eq!(lines.next(), Some("UNKNOWN command")),
            command => unreachable!("{command:?} changes the game"),
        }
    }

    fn clear(&mut self) {
        (self.taken, self.walls) = (PointSet::EMPTY, PointSet::EMPTY);
    }

    fn is_free(&self, point: Point) -> bool {
        self.size.unwrap().contains(point) && !self.taken.contains(point)
    }

    /// The move that answers a question.
    fn take_move(&mut self, line: Option<&str>) {
        let line = line.expect("a question is answered");
        if self.taken.len() == self.size.unwrap().area() {
            assert_eq!(line, "ERROR board is full");
            return;
        }
        let point = read_move(line).unwrap_or_else(|| panic!("a move, not {line}"));
        assert!(self.is_free(point), "{point:?} is taken");
        self.taken.insert(point);
    }

    fn set_up(&mut self, stones: &[(Point, Owner)]) {
        self.clear();
        for &(point, owner) in stones {
            if self.size.unwrap().contains(point) {
                self.taken.insert(point);
                if owner == Owner::Wall {
                    self.walls.insert(point);
                }
            }
        }
    }
}

fn is_of_library(command: &Command) -> bool {
    format!("{command:?}").starts_with("Database")
}

fn needs_board(command: &Command) -> bool {
    let needs_none = matches!(
        command,
        Command::Start(_)
            | Command::Info(_)
            | Command::Ignored
            | Command::About
            | Command::Stop
            | Command::End
            | Command::ShowInfo
            | Command::HashClear
            | Command::HashUsage
            | Command::HashDump(_)
            | Command::Block(_)
            | Command::BlockUndo(_)
            | Command::BlockReset
            | Command::Forbid(..)
            | Command::Draw
            | Command::Resign
            | Command::Refused(_)
            | Command::Foreign
            | Command::Unknown
    );
    !needs_none && !is_of_library(command)
}

/// A point, mostly on small boards so that they fill up, sometimes nonsense.
fn point() -> impl Strategy<Value = String> {
    prop_oneof![
        20 => (0..6, 0..6).prop_map(|(x, y)| format!("{x},{y}")),
        5 => (0..33, 0..33).prop_map(|(x, y)| format!(" {x} , {y}")),
        1 => "[-0-9,a-z ]{0,8}",
    ]
}

fn open_board((number, lines): (usize, Vec<String>)) -> String {
    let name = tengen::opening::Procedure::ALL.get(number).map_or("sakata", |procedure| procedure.name());
    format!("OPENBOARD {name}\n{}\nDONE", lines.join("\n"))
}

/// Lines that change the game, and settings. They are answered in order at any time.
fn game_line() -> impl Strategy<Value = String> {
    let stone = || (point(), 0..5).prop_map(|(point, field)| format!("{point},{field}\n"));
    let stones = || vec(stone(), 0..30).prop_map(|lines| lines.concat());
    prop_oneof![
        2 => prop_oneof![Just("5"), Just("6"), Just("15"), Just("20,20"), Just("32"), Just("4"), Just("x")]
            .prop_map(|size| format!("START {size}")),
        1 => Just("RESTART".to_owned()),
        4 => Just("BEGIN".to_owned()),
        1 => (0..30).prop_map(|count| format!("yxnbest {count}")),
        12 => point().prop_map(|point| format!("turn {point}")),
        2 => point().prop_map(|point| format!("PLAY {point}")),
        4 => point().prop_map(|point| format!("TAKEBACK {point}")),
        3 => stones().prop_map(|stones| format!("BOARD\n{stones}DONE")),
        1 => stones().prop_map(|stones| format!("YXBOARD\n{stones}done")),
        1 => vec(point(), 0..7).prop_map(|points| format!("SWAP2BOARD\n{}\nDONE", points.join("\n"))),
        1 => (0..10_usize, vec(prop_oneof![5 => point(), 1 => "swap|KEEP|[0-9]{1,3}"], 0..8)).prop_map(open_board),
        1 => Just("YXSOOSORVSTEP1".to_owned()),
        1 => (2..7, 0..9, vec(point(), 0..9)).prop_map(|(step, number, points)| {
            format!("YXSOOSORVSTEP{step} {number}\n{}\nDONE", points.join("\n"))
        }),
        1 => stones().prop_map(|stones| format!("BOARD\n{stones}")),
        2 => (0..12).prop_map(|rule| format!("INFO rule {rule}")),
        1 => prop_oneof![Just("shapes"), Just("counts"), Just("windows")].prop_map(|weighting| format!("INFO weights {weighting}")),
        1 => "INFO [a-z_]{0,12} ?[-0-9]{0,20}",
        1 => (0..2).prop_map(|pondering| format!("INFO pondering {pondering}")),
        2 => analyst_line(),
        1 => Just("STOP".to_owned()),
    ]
}

/// Lines of the analyst, also answered in order.
fn analyst_line() -> impl Strategy<Value = String> {
    let points = || vec(point(), 0..9).prop_map(|points| points.join("\n"));
    prop_oneof![
        1 => Just("YXSEARCHDEFEND".to_owned()),
        1 => (-9..9).prop_map(|bias| format!("YXBALANCEONE {bias}")),
        1 => (-9..9).prop_map(|bias| format!("yxbalancetwo {bias}")),
        2 => points().prop_map(|points| format!("YXBLOCK\n{points}\nDONE")),
        1 => points().prop_map(|points| format!("YXBLOCKUNDO\n{points}\ndone")),
        1 => Just("YXBLOCKRESET".to_owned()),
        1 => (0..7, 0..7, 0..2).prop_map(|(x, y, side)| format!("YXFORBID add {x} {y} {side}")),
        1 => (1..4).prop_map(|step| format!("YXSWAP2STEP{step}")),
        1 => points().prop_map(|points| format!("YXSOOSORVSTEP2\n{points}\nDONE")),
        1 => Just("INFO coordinates numbers".to_owned()),
    ]
}

/// Any lines.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        20 => game_line(),
        1 => Just("WEIGHTS".to_owned()),
        1 => Just("YXSHOWFORBID".to_owned()),
        1 => Just("YXSHOWINFO".to_owned()),
        1 => Just("YXHASHCLEAR\nYXSHOWHASHUSAGE\nLOADMODEL\npath".to_owned()),
        1 => Just("YXHASHLOAD\nno such folder/file".to_owned()),
        1 => Just("YXDRAW\nYXRESIGN\nYXFORBID add 7".to_owned()),
        1 => Just("YXQUERYDATABASEALL\n1,1\nDONE".to_owned()),
        1 => Just("ABOUT".to_owned()),
        1 => Just("\n \t".to_owned()),
        1 => "[ -~]{0,20}",
        1 => Just("1,1,1\n".repeat(20)),
    ]
}

/// The beginning of most sessions.
fn start() -> impl Strategy<Value = String> {
    prop_oneof![8 => (5..8).prop_map(|size| format!("START {size}\n")), 1 => Just("START 15\n".into()), 1 => Just(String::new())]
}

/// Bytes mixed with words, so that they reach more than the unknown commands.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => vec(any::<u8>(), 0..20),
        4 => line().prop_map(String::into_bytes),
        4 => prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just(","), Just("START 6\n"), Just("DONE\n")]
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Runs a property over this number of cases, which are the same on every run.
fn check<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(S::Value)) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let result = TestRunner::new_with_rng(config, rng).run(strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Returns the number of bytes.
fn bytes_are_answered_in_the_grammar(cases: u32) -> usize {
    let total = Cell::new(0);
    check(cases, &bytes(), |input| {
        total.set(total.get() + input.len());
        for line in answers(input, PickerName::Greedy) {
            assert!(is_grammatical(&line), "{line:?}");
        }
    });
    total.get()
}

fn commands_are_answered_once_each(cases: u32) {
    check(cases, &(start(), vec(line(), 0..40)), |(start, lines)| {
        let input = start + &lines.join("\n");
        let answers = answers(input.clone().into_bytes(), PickerName::Greedy);
        Referee::default().check(&input, &answers);
    });
}

fn commands_during_searches_are_answered_once_each(cases: u32) {
    check(cases, &(start(), vec(game_line(), 0..20), 0..60), |(start, lines, turn)| {
        let input = format!("INFO timeout_turn {turn}\n{start}{}", lines.join("\n"));
        let answers = answers_of(input.clone().into_bytes(), || Behaviour::Patient.setup());
        Referee::default().check(&input, &answers);
    });
}

/// Reports of the search are not counted, but they must fit the grammar.
fn commands_to_the_search_are_answered_once_each(picker: PickerName, nodes: u32, cases: u32) {
    check(cases, &(start(), vec(game_line(), 0..20)), |(start, lines)| {
        let input = format!("INFO max_node {nodes}\n{start}{}", lines.join("\n"));
        let answers = answers(input.clone().into_bytes(), picker);
        assert!(answers.iter().all(|line| is_grammatical(line)), "{answers:?}");
        Referee::default().check(&input, &answers);
    });
}

#[test]
fn arbitrary_commands_to_the_search_are_answered_once_each() {
    commands_to_the_search_are_answered_once_each(PickerName::Search, 200, 100);
    commands_to_the_search_are_answered_once_each(PickerName::Mcts, 50, 100);
}

#[test]
fn arbitrary_bytes_are_answered_in_the_grammar() {
    bytes_are_answered_in_the_grammar(200);
}

#[test]
fn arbitrary_commands_are_answered_once_each() {
    commands_are_answered_once_each(1000);
}

#[test]
fn arbitrary_commands_during_searches_are_answered_once_each() {
    commands_during_searches_are_answered_once_each(30);
}

#[test]
#[ignore = "minutes: ten million bytes"]
fn ten_million_bytes_are_answered_in_the_grammar() {
    assert!(bytes_are_answered_in_the_grammar(30_000) >= 10_000_000);
}

#[test]
#[ignore = "minutes: a hundred thousand sequences"]
fn a_hundred_thousand_sequences_of_commands_are_answered_once_each() {
    commands_are_answered_once_each(100_000);
}

#[test]
#[ignore = "minutes: searches take their time"]
fn thousands_of_sequences_during_searches_are_answered_once_each() {
    commands_during_searches_are_answered_once_each(3000);
}

/// The names of all commands: the engine's own, and the foreign ones listed in the source.
fn command_names() -> Vec<&'static str> {
    let source = include_str!("../../../src/protocol/foreign.rs").lines();
    let foreign = source.filter(|line| line.contains("\", Data::")).filter_map(|line| line.split('"').nth(1));
    // A path after YXSETDATABASE would become a file.
    Command::words().filter(|word| *word != "YXSETDATABASE").chain(["DONE"]).chain(foreign).collect()
}

#[test]
fn every_named_command_is_answered_once() {
    let names = command_names();
    assert!(names.len() > 90 && names.contains(&"START") && names.contains(&"YXSOOSORVSTEP6"), "{names:?}");
    let once = |input: String| {
        let answers = answers(input.clone().into_bytes(), PickerName::Greedy);
        assert!(answers.iter().all(|line| is_grammatical(line)), "{input:?}: {answers:?}");
        Referee::default().check(&input, &answers);
    };
    const DATA: [&str; 7] = ["", " 6", " 1,1", " rule 4", " x y z", "\n1,1\n2,2,1\nDONE", "\npath\npath"];
    for (name, data) in names.iter().flat_map(|name| DATA.map(|data| (name, data))) {
        once(format!("{name}{data}\nABOUT\n"));
        once(format!("START 6\n{}{data}\nBEGIN\nABOUT\n", name.to_lowercase()));
    }
    // The lines that answer two consecutive Swap2 steps cannot be told apart.
    let names: Vec<_> = names.into_iter().filter(|name| !name.starts_with("YXSWAP2STEP")).collect();
    let command =
        (prop::sample::select(names), prop::sample::select(&DATA[..])).prop_map(|(name, data)| [name, data].concat());
    check(300, &(start(), vec(command, 0..30)), |(start, commands)| once(start + &commands.join("\n")));
}

#[test]
fn the_grammar_separates_good_lines_from_bad() {
    for line in ["OK", "7,7", "0,31", "1,1 2,2 3,3", "SWAP", "ERROR x", "UNKNOWN command", "FORBID .", "FORBID 0102."] {
        assert!(is_grammatical(line), "{line}");
    }
    for line in ["", "ok", "7, 7", "7,7 ", "7,-7", "7,7,7", "1,1 2,2 3,3 4,4", "ERROR", "ERROR ", "FORBID 1.", "OK x"] {
        assert!(!is_grammatical(line), "{line}");
    }
}
