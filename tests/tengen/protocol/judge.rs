//! The Gomocup judge's checks before an engine may play: four positions, and a game against itself.

use tengen::board::{Board, Point, Rule, Size};
use tengen::notation::{Comma, parse_comma};

use super::engine::{Engine, Program, board_of, both, played, record};

/// The leagues: rule and size.
const FREESTYLE: [(i64, u8); 2] = [(0, 20), (0, 15)];
const STANDARD: (i64, u8) = (1, 15);
const RENJU: (i64, u8) = (4, 15);
const CARO: (i64, u8) = (8, 15);

/// The answer to a position, asked for as the judge does.
fn answer(program: Program, (rule, size): (i64, u8), stones: &str) -> String {
    let mut engine = Engine::bare(program);
    engine.expect(&format!("START {size}"), "OK");
    engine.send("INFO timeout_turn 5000\nINFO timeout_match 100000\nINFO max_memory 367001600\nINFO game_type 1");
    // Deep enough for these positions, and the same on every machine.
    engine.send(&format!("INFO rule {rule}\nINFO folder f1\nINFO time_left 100000\nINFO max_node 20000"));
    let point = engine.ask_move(&board_of(&record(stones)));
    engine.end();
    Comma(point).to_string()
}

#[test]
fn the_probe_of_four_in_a_row_is_answered_by_five() {
    both(|program| {
        for league in FREESTYLE.into_iter().chain([STANDARD, RENJU, CARO]) {
            let point = answer(program, league, "h8h9i8i9j8j9k8k9");
            assert!(["6,7", "11,7"].contains(&point.as_str()), "{league:?}: {point}");
        }
    });
}

/// h13 would make six, which does not win: the open three must be stopped.
const SIX: &str = "h8h9i8h10g8h11j13h12g14h14i15";

#[test]
fn the_probe_of_six_in_a_row_is_answered_by_a_block() {
    let point = answer(Program::Search, STANDARD, SIX);
    assert!(["5,7", "9,7"].contains(&point.as_str()), "{point}");
}

#[test]
fn the_probe_of_a_forbidden_point_is_answered_elsewhere() {
    both(|program| assert_ne!(answer(program, RENJU, "h8h9i7i9h10i6i11i12"), "6,8"));
}

/// A five at k8 would be blocked at both ends, so the white row in the sixth column decides.
const HELD: &str = "h8f8g8f9i8f7j8l8";

#[test]
fn the_probe_of_a_held_five_is_answered_in_the_other_row() {
    let point = answer(Program::Search, CARO, HELD);
    assert!(["5,4", "5,5", "5,9", "5,10"].contains(&point.as_str()), "{point}");
}

/// Black's stone at a8 blocks one end of a five that begins at b8. A stone at g8 blocks the other end, and also stops
/// the five from c8 to g8. A stone at b8 would not.
#[test]
fn a_four_of_caro_is_answered_at_the_end_that_stops_both_fives() {
    for rule in [8, 9] {
        assert_eq!(answer(Program::Search, (rule, 15), "a8c8o1d8o3e8o5f8"), "6,7", "rule {rule}");
    }
}

#[test]
fn a_five_without_an_overline_comes_first_in_renju() {
    // e8 makes a five and a six, j8 a five alone. Some referees call the six a foul.
    let stones = "f8a1g8c1h8e1i8g1e5i1e6k1e7m1e9o1e10a3";
    assert_eq!(answer(Program::Search, RENJU, stones), "9,7");
}

/// The weightings ignore rules, so overlines and blocked fives attract them. The answers are legal all the same.
#[test]
fn the_weightings_answer_the_probes_that_need_a_rule_by_their_weights() {
    for (league, rule, stones) in [(STANDARD, Rule::Standard, SIX), (CARO, Rule::CaroOverline, HELD)] {
        let point = parse_comma(&answer(Program::Greedy, league, stones)).unwrap();
        assert!(played(&record(stones), Size::FIFTEEN, rule).is_empty(point), "{point:?}");
    }
}

#[test]
fn a_game_with_itself_from_the_judges_opening_comes_to_its_end() {
    both(|program| {
        for (number, size, rule) in [(0, 20, Rule::Freestyle), (1, 15, Rule::Standard), (4, 15, Rule::Renju)] {
            let mut board = played(&record("b2e2e3"), Size::new(size).unwrap(), rule);
            let mut engines = [(); 2].map(|()| Engine::spawn(program));
            for engine in &mut engines {
                engine.expect(&format!("START {size}\nINFO rule {number}"), "OK");
            }
            let (mut question, mut turn) = ([board_of(&record("b2e2e3")), String::new()], 0);
            while !board.is_full() {
                let point = engines[turn].ask_move(&question[turn]);
                if ends(&mut board, point) {
                    break;
                }
                turn = 1 - turn;
                let is_first = question[turn].is_empty();
                question[turn] = if is_first {
                    board_of(&[record("b2e2e3"), vec![point]].concat())
                } else {
                    format!("TURN {}", Comma(point))
                };
                question[1 - turn].push(' ');
            }
            engines.into_iter().for_each(|engine| _ = engine.end());
        }
    });
}

/// Plays a move. Returns whether the game is over.
fn ends(board: &mut Board, point: Point) -> bool {
    let color = board.turn();
    assert!(board.is_empty(point), "{point:?} is taken");
    assert!(!board.is_forbidden(point, color), "{point:?} is forbidden");
    let wins = board.wins(point, color);
    board.play(point);
    wins
}
