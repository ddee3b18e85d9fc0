//! TURN, TAKEBACK, PLAY: e23 to e31.

use tengen::board::{Color, Rule, Size};
use tengen::notation::Comma;

use super::engine::{Engine, Program, board_lines, both, played, record};

fn started(program: Program) -> Engine {
    let mut engine = Engine::spawn(program);
    engine.expect("START 15", "OK");
    engine
}

#[test]
fn e23_an_impossible_turn_is_one_error() {
    both(|program| {
        let mut engine = started(program);
        for point in ["15,0", "-1,3", "abc", "", "7", "7,7,7", "99999999999999999999,7", ","] {
            engine.expect_error(&format!("TURN {point}"));
        }
        engine.ask_move("TURN 7,7");
        engine.end();
    });
}

#[test]
fn e24_a_turn_on_a_stone_is_one_error_and_changes_nothing() {
    both(|program| {
        let mut engine = started(program);
        let answer = engine.ask_move("TURN 7,7");
        engine.expect_error("TURN 7,7");
        engine.expect_error(&format!("TURN {}", Comma(answer)));
        engine.expect(&format!("TAKEBACK {}", Comma(answer)), "OK");
        engine.expect("TAKEBACK 7,7", "OK");
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "7,7", "the board was otherwise empty");
        engine.end();
    });
}

#[test]
fn e25_a_turn_may_hold_blanks_but_needs_its_comma() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move("TURN 7, 7");
        engine.expect_error("turn 0 0");
        engine.ask_move("turn 0 , 0");
        engine.end();
    });
}

#[test]
fn e26_begin_on_stones_moves_for_the_side_to_move() {
    both(|program| {
        let mut engine = started(program);
        let white = engine.ask_move("TURN 7,7");
        let black = engine.ask_move("BEGIN");
        assert_ne!(black, white);
        // The engine is black now, because the opponent's stone is white.
        engine.ask_move("TURN 0,0");
        engine.expect_error("TURN 0,0");
        engine.end();
    });
}

#[test]
fn e27_the_last_empty_point_is_played() {
    both(|program| {
        let mut engine = started(program);
        let all = Size::FIFTEEN.points().filter(|point| Comma(*point).to_string() != "2,3");
        let lines: String =
            all.enumerate().map(|(index, point)| format!("{},{}\n", Comma(point), 1 + index % 2)).collect();
        assert_eq!(Comma(engine.ask_move(&format!("BOARD\n{lines}DONE"))).to_string(), "2,3");
        engine.end();
    });
}

#[test]
fn e28_a_full_board_is_answered_by_an_error() {
    both(|program| {
        let mut engine = started(program);
        let all = Size::FIFTEEN.points().enumerate();
        let lines: String = all.map(|(index, point)| format!("{},{}\n", Comma(point), 1 + index % 2)).collect();
        engine.expect(&format!("BOARD\n{lines}DONE"), "ERROR board is full");
        engine.expect("BEGIN", "ERROR board is full");
        engine.expect("TAKEBACK 0,0", "OK");
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "0,0");
        engine.end();
    });
}

#[test]
fn e28_the_opponents_last_stone_leaves_no_move() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 5", "OK");
        let all = Size::new(5).unwrap().points().skip(1).enumerate();
        let lines: String = all.map(|(index, point)| format!("{},{}\n", Comma(point), 1 + index % 2)).collect();
        engine.expect_silence(&format!("YXBOARD\n{lines}DONE"));
        engine.expect("TURN 0,0", "ERROR board is full");
        engine.end();
    });
}

#[test]
fn e29_a_won_game_continues_on_request() {
    both(|program| {
        let record = record("h8a1i8a2j8a3k8a4l8o15");
        let board = played(&record, Size::FIFTEEN, Rule::Freestyle);
        for rule in [0, 1, 4, 8, 9] {
            for engine_color in Color::ALL {
                let mut engine = started(program);
                let lines = board_lines(&board, engine_color);
                let point = engine.ask_move(&format!("INFO rule {rule}\n{lines}"));
                assert!(board.is_empty(point), "{point:?}");
                engine.end();
            }
        }
    });
}

#[test]
fn e30_a_stone_is_taken_back_where_it_stands() {
    both(|program| {
        let mut engine = started(program);
        let answer = engine.ask_move("TURN 7,7");
        engine.expect(&format!("TAKEBACK {}", Comma(answer)), "OK");
        engine.expect("TAKEBACK 7,7", "OK");
        engine.expect_error("TAKEBACK 7,7");
        engine.expect_error("TAKEBACK 15,15");
        engine.expect_error("TAKEBACK x");
        engine.ask_move("TURN 8,8");
        engine.end();
    });
}

#[test]
fn e30_a_stone_that_is_not_the_last_may_be_taken_back() {
    both(|program| {
        let mut engine = started(program);
        engine.expect_silence("YXBOARD\n7,7,2\n8,8,1\n9,7,2\n6,6,1\nDONE");
        engine.expect("TAKEBACK 7,7", "OK");
        let weights = weights(&mut engine, "WEIGHTS");
        // The same stones set up at once. The color whose stone was taken back is to move.
        engine.expect_silence("YXBOARD\n9,7,1\n8,8,2\n6,6,2\nDONE");
        assert_eq!(self::weights(&mut engine, "WEIGHTS"), weights);
        engine.end();
    });
}

fn weights(engine: &mut Engine, command: &str) -> Vec<String> {
    engine.send(command);
    let mut lines = vec![engine.line()];
    while !lines.last().unwrap().starts_with("MESSAGE WEIGHTS END") {
        lines.push(engine.line());
    }
    lines
}

#[test]
fn an_empty_board_forgets_the_color_of_the_engine() {
    both(|program| {
        let mut engine = started(program);
        engine.send("INFO rule 4");
        engine.expect("PLAY 7,7", "7,7");
        engine.expect("TAKEBACK 7,7", "OK");
        for x in [0, 1, 2, 4, 5] {
            let answer = engine.ask_move(&format!("TURN {x},0"));
            engine.expect(&format!("TAKEBACK {}", Comma(answer)), "OK");
        }
        // The opponent is black, so a sixth stone would be one too many.
        engine.expect("YXSHOWFORBID", "FORBID 0300.");
        engine.end();
    });
}

#[test]
fn e31_play_places_the_engines_stone_without_a_search() {
    both(|program| {
        let mut engine = started(program);
        engine.expect("PLAY 7,7", "7,7");
        let answer = engine.ask_move("TURN 8,8");
        assert!(!["7,7", "8,8"].contains(&Comma(answer).to_string().as_str()));
        engine.expect_error("PLAY 7,7");
        engine.expect_error("PLAY 15,15");
        engine.end();
    });
}
