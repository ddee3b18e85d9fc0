//! BOARD: e32 to e43.

use std::time::Duration;

use tengen::board::{Rule, Size};
use tengen::notation::Comma;
use tengen::rng::Rng;

use super::engine::{Engine, Program, board_of, both, played, record};
use super::timing::time_of;

fn started(program: Program) -> Engine {
    let mut engine = Engine::spawn(program);
    engine.expect("START 15", "OK");
    engine
}

#[test]
fn e32_an_empty_board_is_answered() {
    both(|program| {
        let mut engine = started(program);
        assert_eq!(Comma(engine.ask_move("BOARD\nDONE")).to_string(), "7,7");
        assert_eq!(Comma(engine.ask_move("BOARD\n\nDONE")).to_string(), "7,7");
        engine.end();
    });
}

#[test]
fn e33_stone_counts_that_do_not_fit_are_answered() {
    both(|program| {
        let mut engine = started(program);
        let stones = ["7,7,2", "8,7,1", "9,9,1"];
        let mut lists = vec![
            vec!["7,7,2", "8,7,1"],
            vec!["7,7,1", "8,7,2", "9,9,1"],
            vec!["7,7,1"],
            vec!["7,7,2", "8,8,2", "9,9,2"],
        ];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            lists.push(order.map(|index| stones[index]).to_vec());
        }
        for list in lists {
            let lines = list.join("\n");
            let point = engine.ask_move(&format!("BOARD\n{lines}\nDONE"));
            assert!(!list.iter().any(|line| line.starts_with(&format!("{},", Comma(point)))), "{lines}: {point:?}");
        }
        engine.end();
    });
}

#[test]
fn e34_a_board_replaces_what_stood_before() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move("BOARD\n7,7,2\nDONE");
        engine.ask_move("BOARD\n0,0,2\nDONE");
        engine.expect_error("TURN 0,0");
        engine.ask_move("TURN 14,14");
        engine.ask_move("BOARD\nDONE");
        let mut rng = Rng::new(34);
        for _ in 0..program.times(500) {
            let mut points: Vec<_> = Size::FIFTEEN.points().collect();
            rng.shuffle(&mut points);
            points.truncate(rng.below(40));
            let point = engine.ask_move(&board_of(&points));
            assert!(!points.contains(&point), "{point:?} in {points:?}");
        }
        engine.end();
    });
}

#[test]
fn e35_blank_lines_blanks_and_lower_case_are_accepted() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move("board\n 7 , 7 , 1 \n\n6, 6, 2\ndone ");
        engine.expect_silence("");
        engine.end();
    });
}

#[test]
fn e36_bad_lines_are_skipped_and_reported_by_one_message() {
    both(|program| {
        let mut engine = started(program);
        engine.send("BOARD\n99,99,1\nxx\n7,7,2\n7,7,1\n6,6,0\n8,8,4\n-1,-1,1\n15,15,2\nDONE");
        assert_eq!(engine.line(), "MESSAGE skipped a line of the list: the point lies outside the board");
        let point = engine.take_move();
        assert_ne!(Comma(point).to_string(), "7,7");
        engine.expect_error("TURN 7,7");
        engine.end();
    });
}

#[test]
fn e36_lines_too_far_for_this_board_are_skipped() {
    both(|program| {
        let mut engine = started(program);
        engine.send("BOARD\n15,15,1\n20,3,2\nDONE");
        assert!(engine.line().starts_with("MESSAGE skipped"));
        assert_eq!(Comma(engine.take_move()).to_string(), "7,7", "nothing stands on the board");
        engine.end();
    });
}

#[test]
fn e37_info_inside_a_board_is_honoured() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move("BOARD\n7,7,1\nINFO rule 1\n6,6,2\nDONE");
        // The effect of renju is visible: black has a point that makes six.
        engine.send("BOARD\n0,0,1\n1,0,1\n2,0,1\nINFO rule 4\n4,0,1\n5,0,1\n9,9,2\nDONE");
        engine.take_move();
        engine.expect("YXSHOWFORBID", "FORBID 0300.");
        engine.end();
    });
}

/// Sends END inside a list of stones. Returns the time until the engine has ended.
pub(super) fn end_inside_a_board(program: Program) -> Duration {
    let mut engine = started(program);
    engine.send("BOARD\n7,7,1");
    engine.end()
}

#[test]
fn e38_end_inside_a_board_ends_the_engine() {
    both(|program| _ = end_inside_a_board(program));
}

#[test]
fn e39_the_end_of_the_input_does_not_replace_done() {
    both(|program| {
        for list in ["BOARD\n7,7,1", "SWAP2BOARD", "YXBOARD\n"] {
            let mut engine = started(program);
            engine.send(list);
            assert_eq!(engine.close(), [""; 0]);
        }
    });
}

#[test]
fn e40_another_command_drops_the_list() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move("TURN 0,0");
        engine.expect("BOARD\n7,7,1\nSTART 20", "OK");
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "10,10", "the stone of the list is not there");
        engine.expect("BOARD\n7,7,1\nRESTART", "OK");
        engine.ask_move("BOARD\n7,7,1\nTURN 7,7");
        engine.expect_silence("BOARD\n7,7,1\nYXSTOP\nDONE");
        engine.end();
    });
}

#[test]
fn e41_a_list_longer_than_the_board_is_cut() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 5", "OK");
        let lines: String =
            (0..2000).map(|index| format!("{},{},{}\n", index % 5, index / 5 % 4, 1 + index % 2)).collect();
        engine.send(&format!("BOARD\n{lines}DONE"));
        assert!(engine.line().starts_with("MESSAGE skipped"));
        assert_eq!(engine.take_move().y(), 4, "twenty stones leave the last row");
        engine.end();
    });
}

#[test]
fn e42_a_board_of_walls_is_answered() {
    both(|program| {
        let mut engine = started(program);
        let point = engine.ask_move("INFO rule 2\nBOARD\n7,7,3\n8,7,3\n9,7,3\nDONE");
        assert!(!["7,7", "8,7", "9,7"].contains(&Comma(point).to_string().as_str()));
        for wall in ["7,7", "8,7", "9,7"] {
            engine.expect_error(&format!("TURN {wall}"));
            engine.expect_error(&format!("TAKEBACK {wall}"));
        }
        engine.end();
    });
}

#[test]
fn e43_the_order_of_stones_is_ignored_if_counts_decide_the_colors() {
    both(|program| {
        let record = record("h8h9i9g7j10g8i7g9");
        let board = played(&record, Size::FIFTEEN, Rule::Freestyle);
        let in_time = board_of(&record);
        let by_place = super::engine::board_lines(&board, board.turn());
        for rule in [0, 4] {
            let mut engine = started(program);
            let answer = engine.ask_move(&format!("INFO rule {rule}\n{in_time}"));
            // Table entries from an earlier search may change the move.
            assert_eq!(engine.ask_move(&format!("YXHASHCLEAR\n{by_place}")), answer);
            engine.end();
        }
    });
}

/// An engine that has already moved, and boards of 200 and of 20 stones.
pub(super) fn two_boards(program: Program) -> (Engine, [String; 2]) {
    let mut points: Vec<_> = Size::FIFTEEN.points().collect();
    Rng::new(1).shuffle(&mut points);
    let mut engine = started(program);
    engine.ask_move("BEGIN");
    (engine, [200, 20].map(|stones| board_of(&points[..stones])))
}

/// The response time for a board.
pub(super) fn answer_to(engine: &mut Engine, board: &str) -> Duration {
    time_of(|| _ = engine.ask_move(board))
}

#[test]
fn a_board_of_two_hundred_stones_is_answered() {
    both(|program| {
        let (mut engine, boards) = two_boards(program);
        for board in boards {
            answer_to(&mut engine, &board);
        }
        engine.end();
    });
}
