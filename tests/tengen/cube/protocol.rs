//! The protocol of the cube: transcripts, random input, failing pickers.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::time::{Duration, Instant};

use tengen::cube::protocol::{Setup, run};
use tengen::cube::{Answer, Cell, Gravity, Picker, PickerName, PickerSource, Position, Scores, SearchInfo};
use tengen::picker::Limits;
use tengen::rng::Rng;

use crate::protocol::engine::Program;
use crate::protocol::samples::{Seen, folder, replay};

/// The stones of a transcript as its lines show them: the height of each column, or the cells taken.
#[derive(Default)]
struct SeenCube {
    columns: Vec<String>,
    cells: BTreeSet<String>,
}

/// The numbers of a text such as `1,2` or `1,2,3`, without blanks.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let number = |part: &str| part.parse().ok().filter(|number| *number < 4 && part.len() == 1);
    text.split(',').map(number).collect()
}

impl SeenCube {
    fn put(&mut self, text: &str) {
        match numbers(text).map(|numbers| numbers.len()) {
            Some(2) => self.columns.push(text.to_owned()),
            Some(3) => _ = self.cells.insert(text.to_owned()),
            _ => {}
        }
    }
}

impl Seen for SeenCube {
    fn note(&mut self, line: &str) {
        let upper = line.trim().to_ascii_uppercase();
        let (word, rest) = upper.split_once(' ').unwrap_or((&upper, ""));
        match word {
            "START" | "RESTART" | "BOARD" | "YXBOARD" => *self = Self::default(),
            "TURN" => self.put(rest),
            "TAKEBACK" => {
                self.cells.remove(rest);
                if let Some(last) = self.columns.iter().rposition(|column| column == rest) {
                    self.columns.remove(last);
                }
            }
            // A line of a list: a move and its owner.
            _ => line.rsplit_once(',').into_iter().for_each(|(place, _)| self.put(place)),
        }
    }

    fn play(&mut self, answer: &str) -> bool {
        let is_move = numbers(answer).is_some();
        if is_move {
            self.put(answer);
        }
        is_move
    }

    fn is_free(&self, text: &str) -> bool {
        match numbers(text).map(|numbers| numbers.len()) {
            Some(2) => self.columns.iter().filter(|column| *column == text).count() < 4,
            Some(3) => !self.cells.contains(text),
            _ => false,
        }
    }
}

#[test]
fn every_transcript_is_played_as_it_is_written() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder().join("cube")).unwrap() {
        replay(Program::Cube, &entry.unwrap().path(), Box::<SeenCube>::default());
        count += 1;
    }
    assert!(count >= 4, "{count} transcripts");
}

/// Runs a session in this process and returns its output lines.
fn answers(input: &str, gravity: Gravity, picker: PickerSource) -> Vec<String> {
    let mut output = Vec::new();
    let setup = Setup { name: "TengenCube", picker, gravity, started: Instant::now(), is_unread: || false };
    run(Cursor::new(input.to_owned()), &mut output, setup).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

fn greedy() -> PickerSource {
    Box::new(|| PickerName::Greedy.build())
}

/// A random line of a game, usually a valid one.
fn random_line(rng: &mut Rng, gravity: Gravity) -> String {
    const BAD: [&str; 16] = [
        "TURN",
        "TURN 4,0",
        "TURN a,b",
        "TURN 1,2,3,4",
        "TURN -1,0",
        "BEGIN",
        "START 15",
        "START",
        "TAKEBACK 9,9",
        "é\u{1}",
        "7,7,1",
        "DONE",
        "PLAY 0",
        "INFO timeout_turn x",
        "INFO",
        "YXSHOWINFO",
    ];
    let place = |rng: &mut Rng| match gravity {
        Gravity::On => format!("{},{}", rng.below(4), rng.below(4)),
        Gravity::Off => format!("{},{},{}", rng.below(4), rng.below(4), rng.below(4)),
    };
    match rng.below(20) {
        0 => BAD[rng.below(BAD.len())].to_owned(),
        1 => format!("TAKEBACK {}", place(rng)),
        2 => format!("PLAY {}", place(rng)),
        _ => format!("TURN {}", place(rng)),
    }
}

/// Follows the commands of a session on its own board and consumes the answers that are due.
struct Referee {
    position: Position,
    gravity: Gravity,
    answers: std::vec::IntoIter<String>,
}

impl Referee {
    fn next(&mut self, line: &str) -> String {
        self.answers.next().unwrap_or_else(|| panic!("no answer to {line}"))
    }

    /// Plays the stone of an answer, which must be a legal move.
    fn take_move(&mut self, line: &str, answer: &str) {
        let cell = self.gravity.parse_move(answer).ok().and_then(|cell| self.position.landing(cell));
        let cell = cell.unwrap_or_else(|| panic!("{line} is answered by {answer}"));
        assert_eq!(self.gravity.name(cell), answer);
        self.put(cell);
    }

    fn put(&mut self, cell: Cell) {
        // Legality does not depend on the stone's color.
        self.position.play(cell);
    }

    fn follow(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let landing = self.gravity.parse_move(rest).ok().and_then(|cell| self.position.landing(cell));
        match word {
            "START" if rest == "4" => {
                assert_eq!(self.next(line), "OK");
                self.position = Position::new(self.gravity);
            }
            "TURN" | "BEGIN" => {
                if word == "TURN" {
                    match landing {
                        Some(cell) => self.put(cell),
                        None => return assert!(self.next(line).starts_with("ERROR "), "{line}"),
                    }
                }
                let answer = self.next(line);
                if self.position.playable().is_empty() {
                    return assert_eq!(answer, "ERROR board is full");
                }
                self.take_move(line, &answer);
            }
            "PLAY" => {
                let answer = self.next(line);
                match landing {
                    Some(_) => self.take_move(line, &answer),
                    None => assert!(answer.starts_with("ERROR "), "{line}: {answer}"),
                }
            }
            "TAKEBACK" => {
                let top = self.gravity.parse_move(rest).ok().and_then(|cell| self.position.top(cell));
                match top {
                    Some(cell) => {
                        assert_eq!(self.next(line), "OK");
                        self.position = self.position.without(cell);
                    }
                    None => assert!(self.next(line).starts_with("ERROR "), "{line}"),
                }
            }
            "START" => assert_eq!(self.next(line), "ERROR unsupported board size, expected 4"),
            "INFO" | "DONE" => {}
            _ => assert_eq!(self.next(line), "UNKNOWN command", "{line}"),
        }
    }
}

#[test]
fn nothing_illegal_in_ten_thousand_games_of_random_input() {
    let mut rng = Rng::new(77);
    for gravity in [Gravity::On, Gravity::Off] {
        // Each session plays many games, so that the test does not measure the cost of starting threads.
        for _ in 0..10 {
            let mut lines = Vec::new();
            for _ in 0..500 {
                lines.push("START 4".to_owned());
                let length = rng.below(60);
                lines.extend((0..length).map(|_| random_line(&mut rng, gravity)));
            }
            let answers = answers(&lines.join("\n"), gravity, greedy()).into_iter();
            let mut referee = Referee { position: Position::new(gravity), gravity, answers };
            lines.iter().for_each(|line| referee.follow(line));
            assert_eq!(referee.answers.next(), None);
        }
    }
}

#[test]
fn a_list_is_set_up_and_its_bad_lines_are_skipped() {
    let board = "START 4\nBOARD\n0,0,1\n0,1,2\nx\n0,0,1\n5,5,2\n0,1,2\n0,0,1\n0,1,3\nDONE\n";
    let lines = answers(board, Gravity::On, greedy());
    // Three of the engine's own stones in a column: the fourth wins.
    assert_eq!(
        lines,
        [
            "OK",
            "MESSAGE skipped a line of the list: expected a column such as 1,2, or without gravity a cell such as 1,2,3",
            "0,0"
        ]
    );
    let board = "START 4\nYXBOARD\n0,0,0,2\n1,1,1,2\n2,2,2,2\n3,0,0,1\n3,1,0,1\nDONE\nBEGIN\n";
    assert_eq!(answers(board, Gravity::Off, greedy()), ["OK", "3,3,3"], "the list begins with a stone of the opponent");
}

#[test]
fn the_gravity_changes_with_the_next_empty_cube() {
    let lines =
        "INFO gravity off\nSTART 4\nTURN 0,0\nTURN 0,0,3\nINFO gravity on\nTURN 0,1\nTURN 0,3,0\nRESTART\nTURN 0,0\n";
    let answers = answers(lines, Gravity::On, greedy());
    let is_error = |line: &String| line.starts_with("ERROR ");
    assert_eq!(answers.iter().map(is_error).collect::<Vec<_>>(), [false, true, false, true, false, false, false]);
    let commas = |line: &String| line.matches(',').count();
    assert_eq!((commas(&answers[2]), commas(&answers[4]), commas(&answers[6])), (2, 2, 1), "{answers:?}");
}

#[test]
fn the_gravity_does_not_change_during_a_search() {
    let lines = "INFO gravity off\nINFO timeout_turn 300\nSTART 4\nBEGIN\nINFO gravity on\nSTART 4\nBEGIN\n";
    let answers = answers(lines, Gravity::On, Box::new(|| PickerName::Search.build()));
    let commas = answers.iter().filter(|line| !line.starts_with("MESSAGE ")).map(|line| line.matches(',').count());
    assert_eq!(commas.collect::<Vec<_>>(), [0, 2, 0, 1], "{answers:?}");
}

/// The time a picker hangs, far longer than its limit of 200 ms.
const FOR_EVER: Duration = Duration::from_secs(300);

/// A picker made for these tests.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Panics,
    Hangs,
    Taken,
    Nothing,
}

impl Picker for Fault {
    fn answer(&mut self, position: &Position, _: &Limits, _: Scores, _: &mut dyn FnMut(SearchInfo)) -> Option<Answer> {
        match self {
            Self::Panics => panic!("a picker of the tests"),
            Self::Hangs => {
                std::thread::sleep(FOR_EVER);
                None
            }
            Self::Taken => {
                let cell = position.occupied().first()?;
                let mut answer =
                    PickerName::Greedy.build().answer(position, &Limits::default(), Scores::Best, &mut |_| {})?;
                answer.cell = cell;
                Some(answer)
            }
            Self::Nothing => None,
        }
    }
}

#[test]
fn a_picker_that_fails_costs_a_move_and_not_the_game() {
    for fault in [Fault::Panics, Fault::Hangs, Fault::Taken, Fault::Nothing] {
        let began = Instant::now();
        let lines = "INFO timeout_turn 200\nSTART 4\nTURN 1,1\nTURN 2,2\nABOUT\nEND\n";
        let answers = answers(lines, Gravity::On, Box::new(move || Box::new(fault) as Box<dyn Picker>));
        assert!(began.elapsed() < FOR_EVER, "{fault:?}");
        // END may arrive while the second question is being answered. Its move is written if it comes in time.
        let moves = answers[1..].iter().filter(|line| Gravity::On.parse_move(line).is_ok()).count();
        assert!(
            answers[0] == "OK" && moves >= 1 && answers.iter().any(|line| line.starts_with("name=")),
            "{fault:?}: {answers:?}"
        );
    }
}

#[test]
fn a_stop_ends_a_search_without_limits_and_other_commands_wait_for_its_move() {
    let lines = "INFO timeout_turn 2147483647\nSTART 4\nBEGIN\nTAKEBACK 0,0\nTURN x\n";
    let answers = answers(lines, Gravity::On, Box::new(|| PickerName::Search.build()));
    let rest: Vec<_> = answers.iter().filter(|line| !line.starts_with("MESSAGE ")).collect();
    assert_eq!(rest.len(), 4, "{answers:?}");
    assert!(rest[0] == "OK" && Gravity::On.parse_move(rest[1]).is_ok() && rest[3].starts_with("ERROR "), "{answers:?}");
}
