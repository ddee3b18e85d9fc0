//! INFO: e44 to e52.

use std::time::Duration;

use tengen::board::{Rule, Size};
use tengen::notation::{Comma, parse_comma};

use super::engine::{Behaviour, Engine, Program, SEARCHING, board_of, both, played, read_move, record};
use super::timing::time_of;

pub(super) const BOARD: &str = "BOARD\n7,7,2\nDONE";

/// A game with 12 s left, in which the opponent has a four.
pub(super) const FORCED_BLOCK: &str = "INFO timeout_turn 30000\nINFO timeout_match 60000\nINFO time_left 12000\nBOARD\n\
     7,7,2\n6,7,1\n8,7,2\n8,9,1\n9,7,2\n6,10,1\n10,7,2\nDONE";

#[test]
fn the_only_block_of_a_five_is_played_in_a_game_with_a_clock() {
    both(|program| {
        let mut engine = preloaded(program);
        engine.send(FORCED_BLOCK);
        let moved = std::iter::repeat_with(|| read_move(&engine.line())).find_map(|point| point);
        assert_eq!(moved, read_move("11,7"));
        engine.end();
    });
}

fn started(program: Program) -> Engine {
    let mut engine = Engine::spawn(program);
    engine.expect("START 15", "OK");
    engine
}

/// A started engine with filled tables whose searches only time limits. The test reads every line it writes.
pub(super) fn preloaded(program: Program) -> Engine {
    let mut engine = Engine::spawn_with(program, &[]);
    engine.expect("START 15\nBEGIN", "OK");
    while read_move(&engine.line()).is_none() {}
    engine
}

/// An engine with a picker that takes all the time it is given.
pub(super) fn patient() -> Engine {
    let mut engine = Engine::inside(Behaviour::Patient);
    engine.expect("START 15", "OK");
    // The first move pays for starting the process and filling the tables.
    engine.expect("INFO timeout_turn 0\nBEGIN", "7,7");
    engine
}

/// The time of an answer, including the reports of its search.
pub(super) fn answer_in(engine: &mut Engine, lines: &str) -> Duration {
    time_of(|| {
        engine.send(lines);
        while read_move(&engine.line()).is_none() {}
    })
}

/// Settings that leave no time for a search: the first line is the move, without a report before it.
pub(super) const NO_TIME: [&str; 5] =
    ["timeout_turn 0", "timeout_turn 1", "time_left 0", "time_left -500", "time_left 1"];

#[test]
fn e44_invalid_settings_are_ignored_silently() {
    both(|program| {
        let mut engine = started(program);
        for setting in [
            "",
            "foo",
            "foo 5",
            "rule",
            "rule x",
            "timeout_turn -5",
            "max_memory 99999999999999999999",
            "thread_num 0",
            "thread_num 100000",
            "hash_size 999999999999",
            "evaluate 3,4",
            "show_detail",
            "timeout_match 5.5",
            "time_left x",
            "weights",
            "weights none",
            "picker oracle",
            "max_depth -9999999999999999999999",
        ] {
            engine.expect_silence(&format!("INFO {setting}"));
        }
        engine.ask_move(BOARD);
        #[cfg(target_os = "linux")]
        assert!(engine.peak_memory() < 350 << 20);
        engine.end();
    });
}

#[test]
fn e45_an_unknown_rule_is_played_by_its_known_bits() {
    both(|program| {
        for rule in [3, 8, 9, 99, 5, 6, 17, 1 << 30] {
            let mut engine = started(program);
            engine.expect_silence(&format!("INFO rule {rule}"));
            assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "7,7");
            engine.end();
        }
    });
}

#[test]
fn e46_a_rule_that_changes_in_a_game_holds_from_then_on() {
    both(|program| {
        // The weighting would play g9, which is forbidden to black.
        let stones = record("h8h9i7i9h10i6i11i12");
        let (last, before) = stones.split_last().unwrap();
        for (rule, plays_g9) in [(0, true), (4, false)] {
            let mut engine = started(program);
            let other = engine.ask_move(&board_of(&before[..6]));
            engine.expect(&format!("TAKEBACK {}", Comma(other)), "OK");
            engine.expect(&format!("PLAY {}", Comma(before[6])), &Comma(before[6]).to_string());
            let answer = engine.ask_move(&format!("INFO rule {rule}\nINFO weights decimal\nTURN {}", Comma(*last)));
            assert_eq!(Comma(answer).to_string() == "6,8", plays_g9, "rule {rule}: {answer:?}");
            engine.end();
        }
    });
}

#[test]
fn e47_a_rule_that_is_never_sent_is_freestyle() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move("BOARD\n0,0,1\n1,0,1\n2,0,1\n4,0,1\n5,0,1\nDONE");
        engine.expect("YXSHOWFORBID", "FORBID .");
        engine.end();
    });
}

#[test]
fn e48_e50_without_time_a_move_is_answered_without_a_search() {
    both(|program| {
        for mut engine in [preloaded(program), patient()] {
            engine.ask_move("INFO timeout_turn 0\nBEGIN");
            for setting in NO_TIME {
                engine.ask_move(&format!("INFO timeout_turn 5000\nINFO time_left 2147483647\nINFO {setting}\n{BOARD}"));
            }
            engine.end();
        }
    });
}

#[test]
fn e49_a_short_time_for_a_move_does_not_underflow() {
    both(|program| {
        for mut engine in [preloaded(program), patient()] {
            for turn in [1, 20, 30, 31, 40] {
                answer_in(&mut engine, &format!("INFO timeout_turn {turn}\n{BOARD}"));
            }
            engine.end();
        }
    });
}

/// The time of a move when only its own limit of 300 ms binds.
pub(super) fn without_time_left(engine: &mut Engine) -> Duration {
    let time =
        answer_in(engine, &format!("INFO timeout_turn 300\nINFO timeout_match 0\nINFO time_left 2147483647\n{BOARD}"));
    assert!(time > Duration::from_millis(200), "{time:?}");
    time
}

/// The time of a move when a part of the time left above the 300 ms reserve binds.
pub(super) fn with_a_second_left(engine: &mut Engine) -> Duration {
    let time = answer_in(engine, &format!("INFO timeout_turn 30000\nINFO time_left 1000\n{BOARD}"));
    assert!(time > Duration::from_millis(20), "{time:?}");
    time
}

#[test]
fn e50_unlimited_time_left_leaves_the_limit_of_the_move() {
    let mut engine = patient();
    without_time_left(&mut engine);
    engine.end();
}

#[test]
fn e50_time_left_alone_bounds_a_move() {
    let mut engine = patient();
    with_a_second_left(&mut engine);
    engine.end();
}

#[test]
fn e51_without_limits_a_move_comes() {
    both(|program| {
        let mut engine = started(program);
        engine.ask_move(BOARD);
        engine.end();
    });
}

/// The line that tells the manager how to set a time.
const NO_LIMIT: &str = "MESSAGE no time is set: INFO timeout_turn 30000 allows 30 seconds a move";

/// The time of the first move without any limit. The engine prints its message about this once.
pub(super) fn without_any_limit() -> Duration {
    let mut engine = Engine::inside(Behaviour::Patient);
    engine.expect("START 15\nBEGIN", "OK");
    let time = time_of(|| {
        assert_eq!((engine.line(), engine.line()), (NO_LIMIT.to_owned(), SEARCHING.to_owned()));
        engine.take_move();
    });
    engine.send("TURN 0,0");
    assert_eq!(engine.line(), SEARCHING, "it is told once");
    engine.ask_move("STOP");
    engine.end();
    time
}

#[test]
fn e51_without_any_limit_a_move_comes_and_a_message_once() {
    let time = without_any_limit();
    assert!(time > Duration::from_secs(4), "{time:?}");
}

#[test]
fn e51_a_manager_that_sets_a_limit_gets_no_message() {
    for limit in ["timeout_turn 300000", "timeout_match 300000", "time_left 300000", "max_depth 3", "max_node 1000"] {
        let mut engine = Engine::inside(Behaviour::Patient);
        engine.expect(&format!("INFO {limit}\nSTART 15\nBEGIN"), "OK");
        assert_eq!(engine.line(), SEARCHING, "{limit}");
        engine.ask_move("STOP");
        engine.end();
    }
}

#[test]
fn e51_without_limits_a_search_has_an_end() {
    // Five seconds are too long for a test. With a deadline, the end of the input would let the search run on.
    let mut engine = Engine::inside(Behaviour::Patient);
    engine.expect("START 15\nBEGIN", "OK");
    assert_eq!((engine.line(), engine.line()), (NO_LIMIT.to_owned(), SEARCHING.to_owned()));
    engine.expect("INFO timeout_turn 300", "7,7");
    engine.end();
}

#[test]
#[cfg(target_os = "linux")]
fn e52_memory_stays_below_what_is_allowed() {
    both(|program| {
        for memory in [1, 0, 1 << 20, 83_886_080] {
            let mut engine = started(program);
            engine.ask_move(&format!("INFO max_node 0\nINFO timeout_turn 400\nINFO max_memory {memory}\n{BOARD}"));
            assert!(engine.peak_memory() < 80 << 20, "{memory}: {}", engine.peak_memory());
            engine.end();
        }
    });
}

#[test]
fn every_known_setting_is_accepted_silently() {
    both(|program| {
        let mut engine = started(program);
        for key in [
            "game_type 3",
            "folder C:/gomocup/folder/xyz",
            "max_depth 5",
            "max_node 1000",
            "time_increment 100",
            "caution_factor 4",
            "pondering 1",
            "coordinates numbers",
            "show_detail 3",
            "start_depth 2",
            "nbestsym 1",
            "checkmate 2",
            "thread_split_depth 8",
            "vcthread 1",
            "usedatabase 1",
            "database_readonly 1",
            "swapable 1",
            "strength 50",
            "max_moves 200",
            "draw_result 1",
            "search_type alphabeta",
            "analysis_mode 1",
            "style 1",
            "protocol_lag 400",
            "static 1",
            "compute_vcf 1",
        ] {
            engine.expect_silence(&format!("INFO {key}"));
            engine.expect_silence(&format!("info {}", key.to_uppercase()));
        }
        engine.end();
    });
}

#[test]
fn a_continuous_game_turns_a_five_into_walls() {
    both(|program| {
        let mut engine = started(program);
        engine.expect_silence("INFO rule 2\nYXBOARD\n0,0,2\n0,5,1\n1,0,2\n1,5,1\n2,0,2\n2,5,1\n3,0,2\nDONE");
        engine.ask_move("TURN 4,0");
        for wall in 0..5 {
            engine.expect_error(&format!("TAKEBACK {wall},0"));
        }
        engine.end();
        let mut engine = started(program);
        engine.expect_silence("YXBOARD\n0,0,2\n0,5,1\n1,0,2\n1,5,1\n2,0,2\n2,5,1\n3,0,2\nDONE");
        engine.ask_move("TURN 4,0");
        engine.expect("TAKEBACK 4,0", "OK");
        engine.end();
    });
}

#[test]
fn a_foul_in_a_continuous_game_becomes_a_wall() {
    both(|program| {
        for (rule, is_wall) in [(6, true), (4, false)] {
            let mut engine = started(program);
            let stones = "6,7,2\n0,0,1\n8,7,2\n0,2,1\n7,6,2\n0,4,1\n7,8,2";
            engine.expect_silence(&format!("INFO rule {rule}\nYXBOARD\n{stones}\nDONE"));
            engine.ask_move("TURN 7,7");
            if is_wall {
                engine.expect_error("TAKEBACK 7,7");
            } else {
                engine.expect("TAKEBACK 7,7", "OK");
            }
            engine.end();
        }
    });
}

#[test]
fn the_weightings_point_of_e46_is_a_foul() {
    let board = played(&record("h8h9i7i9h10i6i11i12"), Size::FIFTEEN, Rule::Renju);
    assert!(board.foul(parse_comma("6,8").unwrap()).is_some());
}
