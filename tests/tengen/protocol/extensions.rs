//! Commands outside the standard: extensions of other managers and of this engine.

use tengen::board::{Board, Point, Rule, Size};
use tengen::notation::Comma;
use tengen::protocol::rule_number::RuleInfo;
use tengen::rng::Rng;
use tengen::weights::{WeightedPosition, Weighting};

use super::engine::{Engine, Program, board_lines, both, record};
use crate::naive::{self, Grid};

fn started(program: Program) -> Engine {
    let mut engine = Engine::spawn(program);
    engine.expect("START 15", "OK");
    engine
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
fn at_most_sixteen_unknown_commands_in_a_row_are_answered() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        for _ in 0..16 {
            engine.expect("7,7,1", "UNKNOWN command");
        }
        engine.expect_silence(&"FOO\nSUGGEST 7,7\n".repeat(50));
        // ABOUT is known, so the count restarts.
        engine.expect("FOO", "UNKNOWN command");
        engine.end();
    });
}

#[test]
fn commands_of_other_engines_are_unknown_and_their_data_is_not_run() {
    both(|program| {
        let mut engine = started(program);
        for command in [
            "YXBLOCKPATH\n7,7\n8,8\nDONE",
            "YXPRINTFEATURE",
            "YXSETBESTMOVEDATABASE\n7,7\nDONE",
            "YXDBTOPOS\n/data/a.db\n/data/b.pos",
            "YXDBCHECK",
            "SWAP1STBOARD\n7,7\nDONE",
            "PROBOARD\n7,7\n8,8\nDONE",
            "SHOWFORBID\n7,7\nDONE",
            "LOADMODEL\nmodel.bin",
            "RELOADCONFIG",
            "SRNBEST 2",
            "SUGGEST 7,7",
            "foo bar",
        ] {
            engine.expect(command, "UNKNOWN command");
            engine.expect_silence("");
        }
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "7,7", "nothing has changed");
        engine.end();
    });
}

#[test]
fn a_done_without_a_list_is_ignored() {
    both(|program| {
        let mut engine = started(program);
        engine.expect_silence("DONE\ndone");
        engine.end();
    });
}

#[test]
fn yxboard_is_not_answered_and_the_engine_is_to_move() {
    both(|program| {
        let mut engine = started(program);
        engine.expect_silence("YXBOARD\n7,7,1\n8,8,2\nxx\nDONE");
        engine.expect_error("TURN 7,7");
        engine.ask_move("BEGIN");
        engine.end();
    });
}

#[test]
fn yxshowinfo_reports_threads_and_tables_and_changes_the_dialect() {
    both(|program| {
        let mut engine = started(program);
        let six_is_forbidden = "YXBOARD\n0,0,1\n1,0,1\n2,0,1\n4,0,1\n5,0,1\nDONE\nYXSHOWFORBID";
        engine.expect(&format!("INFO rule 2\n{six_is_forbidden}"), "FORBID .");
        let threads = engine.ask("YXSHOWINFO");
        assert!(threads.strip_prefix("MESSAGE INFO MAX_THREAD_NUM ").unwrap().parse::<usize>().unwrap() >= 1);
        assert_eq!(engine.line(), "MESSAGE INFO MAX_HASH_SIZE 18");
        engine.expect(&format!("INFO rule 2\n{six_is_forbidden}"), "FORBID 0300.");
        engine.expect(&format!("INFO rule 5\n{six_is_forbidden}"), "FORBID .");
        engine.end();
    });
}

#[test]
fn forbidden_points_come_in_the_order_of_the_numbers_that_were_sent() {
    both(|program| {
        let mut engine = started(program);
        engine.send("INFO rule 4");
        // Two overlines: across row 2 at x = 10, and down column 12 at y = 9.
        let across = "7,2,1\n8,2,1\n9,2,1\n11,2,1\n12,2,1\n";
        let down = "12,6,1\n12,7,1\n12,8,1\n12,10,1\n12,11,1\n";
        engine.expect(&format!("YXBOARD\n{across}{down}DONE\nYXSHOWFORBID"), "FORBID 10021209.");
        engine.expect_silence("YXBOARD\n7,2,2\n8,2,2\n9,2,2\n11,2,2\n12,2,2\nDONE");
        engine.expect("YXSHOWFORBID", "FORBID 1002.");
        engine.end();
    });
}

#[test]
fn weights_are_listed_row_by_row_for_the_side_to_move() {
    both(|program| {
        let stones = record("h8i9h9");
        for &weighting in Weighting::ALL {
            let mut position = WeightedPosition::new(Board::new(Size::FIFTEEN, Rule::Freestyle), weighting);
            stones.iter().for_each(|&point| position.play(point));
            let empty = position.board().empty_points();
            let mut expected: Vec<_> = empty
                .iter()
                .map(|point| {
                    let weights = position.weights(point).unwrap();
                    format!("MESSAGE WEIGHT {} {} {} {}", Comma(point), weights.attack, weights.defence, weights.total)
                })
                .collect();
            expected.push(format!("MESSAGE WEIGHTS END {weighting}"));
            let mut engine = started(program);
            engine.send("YXBOARD\n7,7,2\n8,8,1\n7,8,2\nDONE");
            assert_eq!(weights(&mut engine, &format!("weights {weighting}")), expected);
            assert_eq!(weights(&mut engine, &format!("INFO weights {weighting}\nWEIGHTS")), expected);
            engine.end();
        }
    });
}

/// Compares five hundred random positions per weighting, half of them renju, where black's forbidden points weigh less.
#[test]
fn weights_equal_those_of_the_naive_twin() {
    both(|program| {
        const POSITIONS: usize = 125;
        let mut rng = Rng::new(500);
        for size in [10, 15, 16, 20].map(|side| Size::new(side).unwrap()) {
            let mut engine = Engine::spawn(program);
            engine.expect(&format!("START {size}"), "OK");
            for number in 0..POSITIONS {
                let rule = if number % 2 == 0 { Rule::Freestyle } else { Rule::Renju };
                let board = random_board(size, rule, &mut rng);
                engine.send(&format!(
                    "INFO rule {}\nYX{}",
                    RuleInfo::from(rule).number(),
                    board_lines(&board, board.turn())
                ));
                let grid = Grid::of(&board);
                for &weighting in Weighting::ALL {
                    let mut expected: Vec<_> = board
                        .empty_points()
                        .iter()
                        .map(|point| {
                            let (x, y) = naive::xy(point);
                            let (attack, defence, total) =
                                naive::weights(weighting, &grid, x, y, naive::sign(board.turn()));
                            format!("MESSAGE WEIGHT {x},{y} {attack} {defence} {total}")
                        })
                        .collect();
                    expected.push(format!("MESSAGE WEIGHTS END {weighting}"));
                    assert_eq!(weights(&mut engine, &format!("WEIGHTS {weighting}")), expected, "{board}");
                }
            }
            engine.end();
        }
    });
}

/// Stones close together: as many black as white, or one more black.
fn random_board(size: Size, rule: Rule, rng: &mut Rng) -> Board {
    let mut board = Board::new(size, rule);
    let mut last = size.centre();
    for _ in 0..2 + rng.below(size.area() / 3) {
        let near = |point: &Point| point.distance(last) <= 2;
        let points: Vec<_> = board.empty_points().iter().filter(near).collect();
        if points.is_empty() {
            break;
        }
        last = points[rng.below(points.len())];
        board.play(last);
    }
    board
}

#[test]
fn an_unknown_weighting_is_one_error() {
    both(|program| {
        let mut engine = started(program);
        engine.expect_error("WEIGHTS none");
        engine.expect_error("WEIGHTS shapes decimal");
        engine.end();
    });
}

#[test]
fn the_weights_after_an_answer_are_the_opponents() {
    both(|program| {
        let mut engine = started(program);
        let answer = engine.ask_move("TURN 7,7");
        let after_turn = weights(&mut engine, "WEIGHTS");
        engine.send(&format!("YXBOARD\n7,7,1\n{},2\nDONE", Comma(answer)));
        assert_eq!(weights(&mut engine, "WEIGHTS"), after_turn);
        engine.end();
    });
}

#[test]
fn the_weightings_of_info_choose_the_moves() {
    both(|program| {
        let board = "BOARD\n7,7,1\n7,8,2\n8,7,1\n6,7,2\nDONE";
        let mut engine = started(program);
        for &weighting in Weighting::ALL {
            let answer = engine.ask_move(&format!("INFO weights {weighting}\nINFO picker greedy\n{board}"));
            let mut position = WeightedPosition::new(Board::new(Size::FIFTEEN, Rule::Freestyle), weighting);
            record("h8h9i8g8").iter().for_each(|&point| position.play(point));
            assert_eq!(Some(answer), position.greatest(), "{weighting}");
        }
        engine.end();
    });
}

#[test]
fn an_option_chooses_the_weighting() {
    let mut engine =
        Engine::spawn_with(Program::Search, &["--force-utf8", "--weights", "runs", "x", "--picker=greedy"]);
    engine.expect("START 5", "OK");
    assert_eq!(weights(&mut engine, "WEIGHTS").last().unwrap(), "MESSAGE WEIGHTS END runs");
    engine.end();
}

#[test]
fn a_bad_option_is_an_error_of_the_command_line() {
    for arguments in [&["--weights", "x"][..], &["--picker=x"], &["--log"], &["--log", "/"]] {
        let output = std::process::Command::new(Program::Search.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(output.stdout, b"");
    }
}

#[test]
fn a_log_is_written_only_to_the_given_file() {
    let path = std::env::temp_dir().join(format!("tengen-{}.log", std::process::id()));
    let mut engine = Engine::spawn_with(Program::Greedy, &["--log", path.to_str().unwrap()]);
    engine.expect("START 15", "OK");
    engine.end();
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(log.contains("-> START 15") && log.contains("<- OK"), "{log}");
}
