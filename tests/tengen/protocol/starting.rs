//! START, RESTART, ABOUT: e13 to e22.

use super::engine::{Behaviour, Engine, Program, SEARCHING, both};
use tengen::notation::Comma;

#[test]
fn e13_about_before_start_is_answered_by_one_line() {
    both(|program| {
        let mut engine = Engine::bare(program);
        let about = engine.ask("ABOUT");
        let mut rest = about.as_str();
        for key in ["name", "version", "author", "country"] {
            rest = rest.strip_prefix(", ").unwrap_or(rest).strip_prefix(key).unwrap().strip_prefix("=\"").unwrap();
            let (value, behind) = rest.split_once('"').unwrap();
            assert!(!value.is_empty() && value.is_ascii() && !value.contains([',', '=']), "{about}");
            rest = behind;
        }
        assert_eq!(rest, "");
        let name = if program == Program::Greedy { "Tengen" } else { "TengenSearch" };
        assert!(about.starts_with(&format!("name=\"{name}\", version=\"{}\", author=\"", env!("CARGO_PKG_VERSION"))));
        engine.end();
    });
}

#[test]
fn e14_the_first_line_after_start_is_ok() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 20", "OK");
        engine.end();
    });
}

#[test]
fn e15_an_impossible_size_is_one_error() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        for size in ["3", "1000000000", "-5", "abc", "", "0", "4", "33", "15 abc", "15 20", "99999999999999999999"] {
            engine.expect_error(&format!("START {size}"));
        }
        engine.expect("START 15", "OK");
        let stone = engine.ask_move("BEGIN");
        engine.expect_error("START 3");
        engine.expect_error(&format!("TURN {}", Comma(stone)));
        engine.end();
    });
}

#[test]
fn e16_a_size_may_be_sent_twice() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        for size in ["15 15", "15,15", "15, 15"] {
            engine.expect(&format!("START {size}"), "OK");
        }
        engine.end();
    });
}

#[test]
fn e17_start_is_a_new_game_in_the_same_process() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15", "OK");
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "7,7");
        for _ in 0..100 {
            engine.expect("START 15\nINFO timeout_turn 100\nBEGIN", "OK");
            assert_eq!(Comma(engine.take_move()).to_string(), "7,7", "the board is empty again");
        }
        engine.end();
    });
}

#[test]
fn e18_restart_before_start_is_one_error() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect_error("RESTART");
        engine.end();
    });
}

#[test]
fn e19_restart_keeps_the_size_and_what_info_set() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15\nINFO rule 1", "OK");
        let stone = engine.ask_move("BEGIN");
        engine.expect("RESTART", "OK");
        engine.ask_move(&format!("TURN {}", Comma(stone)));
        // Renju has a visible effect: the rule still decides the forbidden points of the next game.
        engine.expect("INFO rule 4\nRESTART", "OK");
        engine.expect("YXBOARD\n7,7,1\n8,7,1\n9,8,1\n9,9,1\nDONE\nYXSHOWFORBID", "FORBID 0907.");
        engine.end();
    });
}

#[test]
fn e20_a_rectangle_is_an_error_unless_it_is_a_square() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect_error("RECTSTART 20,15");
        engine.expect("RECTSTART 15,15", "OK");
        engine.end();
    });
}

#[test]
fn e21_start_during_a_search_waits_for_the_move() {
    both(|program| {
        for mut engine in [Engine::inside(Behaviour::Patient), Engine::spawn_picker(Behaviour::Patient)] {
            engine.expect("START 15\nINFO timeout_turn 5000", "OK");
            engine.expect("BEGIN", SEARCHING);
            engine.expect("START 20", "7,7");
            assert_eq!(engine.line(), "OK");
            engine.expect("BEGIN", SEARCHING);
            engine.expect("RESTART", "10,10");
            assert_eq!(engine.line(), "OK");
            engine.end();
        }
        // An instant answer also shows the order.
        let mut engine = Engine::spawn(program);
        engine.expect("START 15\nBEGIN\nSTART 20\nBEGIN", "OK");
        assert_eq!([engine.line(), engine.line(), engine.line()], ["7,7", "OK", "10,10"]);
        engine.end();
    });
}

#[test]
fn e22_a_command_that_needs_a_board_is_one_error_before_start() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        let list = "7,7,1\n8,8,2\nDONE";
        for command in ["BEGIN", "TURN 7,7", "TAKEBACK 7,7", "PLAY 7,7", "RESTART", "WEIGHTS", "YXSHOWFORBID"] {
            engine.expect_error(command);
        }
        for command in ["BOARD", "YXBOARD", "SWAP2BOARD"] {
            engine.expect_error(&format!("{command}\n{list}"));
        }
        engine.expect("START 15", "OK");
        engine.ask_move("BEGIN");
        engine.end();
    });
}
