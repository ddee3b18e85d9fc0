//! Commands during a search: e53 and e54, and failing pickers.

use std::time::Duration;

use super::engine::{Behaviour, Engine, Program, SEARCHING, both, read_move};
use super::timing::time_of;
use tengen::notation::Comma;

/// An engine whose picker searches without any limit.
pub(super) fn searching_with(behaviour: Behaviour) -> Engine {
    let mut engine = Engine::inside(behaviour);
    engine.expect("START 15\nINFO timeout_turn 0\nBEGIN", "OK");
    engine.take_move();
    engine.send("INFO timeout_turn 2147483647\nTURN 0,14");
    assert_eq!(engine.line(), SEARCHING);
    engine
}

#[test]
fn e53_about_is_answered_during_a_search() {
    let mut engine = searching_with(Behaviour::Patient);
    engine.expect_silence("INFO time_left 50000000");
    engine.expect("UNHEARD_OF", "UNKNOWN command");
    engine.ask_move("STOP");
    engine.end();
}

/// Ends a search without limits with these lines. Returns the time from the lines to the move.
pub(super) fn end_by(lines: &str) -> Duration {
    let mut engine = searching_with(Behaviour::Patient);
    let time = time_of(|| _ = engine.ask_move(lines));
    engine.end();
    time
}

#[test]
fn e53_less_time_left_shortens_a_search() {
    end_by("INFO time_left 100");
}

#[test]
fn e53_no_time_for_the_move_ends_a_search() {
    end_by("INFO timeout_turn 0");
}

#[test]
fn e53_enough_time_left_does_not_end_a_search() {
    let mut engine = searching_with(Behaviour::Patient);
    // A 25th of it is far more than the test waits.
    engine.send("INFO time_left 50000000");
    assert_eq!(engine.line_within(Duration::from_millis(300)), None);
    engine.ask_move("YXSTOP");
    engine.end();
}

#[test]
fn e53_stop_is_answered_by_one_move_however_often_it_comes() {
    both(|program| {
        let mut engine = searching_with(Behaviour::Patient);
        engine.ask_move("YXSTOP\nYXSTOP\nSTOP");
        engine.expect_silence("YXSTOP\nSTOP");
        engine.end();
        let mut engine = Engine::spawn(program);
        engine.expect_silence("YXSTOP\nSTOP");
        engine.expect("START 15", "OK");
        engine.expect_silence("yxstop\nstop");
        engine.end();
    });
}

#[test]
fn e53_end_during_a_search_prints_nothing() {
    for behaviour in [Behaviour::Patient, Behaviour::Hang] {
        searching_with(behaviour).end();
    }
}

#[test]
fn e53_the_end_of_the_input_after_end_prints_nothing() {
    let mut engine = searching_with(Behaviour::Patient);
    engine.send("END");
    assert_eq!(engine.close(), [""; 0]);
}

/// Sends END during a search with a limit of 50 ms. Returns whether its move is written.
pub(super) fn move_comes_after_end() -> bool {
    let mut engine = Engine::inside(Behaviour::Patient);
    engine.expect("START 15\nINFO timeout_turn 0\nBEGIN", "OK");
    engine.take_move();
    engine.send("INFO timeout_turn 50\nTURN 0,14\nEND");
    let lines = engine.close();
    lines.last().is_some_and(|line| read_move(line).is_some())
}

#[test]
fn e53_end_ends_the_engine_even_if_a_search_is_about_to_end() {
    move_comes_after_end();
}

#[test]
fn e53_commands_before_end_are_answered_before_it() {
    let mut engine = searching_with(Behaviour::Patient);
    engine.ask_move("INFO timeout_turn 0\nTURN 0,0\nTURN 14,0\nEND");
    engine.take_move();
    engine.take_move();
    engine.finish();
}

#[test]
fn e53_a_turn_during_a_search_is_carried_out_after_the_move() {
    let mut engine = searching_with(Behaviour::Patient);
    let old = engine.ask_move("TURN 0,0");
    assert_eq!(engine.line(), SEARCHING);
    let new = engine.ask_move("STOP");
    assert!(old != new && Comma(new).to_string() != "0,0");
    engine.expect_error("TURN 0,0");
    engine.end();
}

#[test]
fn e53_a_bad_turn_during_a_search_is_refused_after_the_move() {
    for turn in ["TURN 7,7", "TURN x"] {
        let mut engine = searching_with(Behaviour::Patient);
        engine.ask_move(turn);
        assert!(engine.line().starts_with("ERROR "));
        engine.end();
    }
}

#[test]
fn every_command_that_changes_the_game_waits_for_the_move() {
    for (command, answer) in [
        ("START 20", "OK"),
        ("RECTSTART 20,20", "OK"),
        ("RESTART", "OK"),
        ("BEGIN", SEARCHING),
        ("BOARD\n0,0,2\nDONE", SEARCHING),
        ("TAKEBACK 7,7", "OK"),
        ("PLAY 3,3", "3,3"),
    ] {
        let mut engine = searching_with(Behaviour::Patient);
        engine.ask_move(command);
        assert_eq!(engine.line(), answer, "{command}");
        engine.send("STOP");
        if answer == SEARCHING {
            engine.take_move();
        }
        engine.end();
    }
}

#[test]
fn questions_about_the_position_do_not_end_a_search() {
    let mut engine = searching_with(Behaviour::Patient);
    engine.expect("YXSHOWFORBID", "FORBID .");
    engine.send("WEIGHTS");
    while engine.line() != "MESSAGE WEIGHTS END shapes" {}
    for refused in ["WEIGHTS x", "YXFORBID add 7", "YXEDITLABELDATABASE 7\nDONE"] {
        engine.expect_error(refused);
    }
    engine.expect_silence("YXHASHCLEAR\nINFO rule 4\nINFO picker greedy\nINFO weights runs\nINFO thread_num 2");
    engine.ask_move("STOP");
    engine.ask_move("TURN 0,0");
    engine.end();
}

/// Asserts that a hanging picker is abandoned after these lines and its best point played. Returns the time it took.
pub(super) fn abandon(lines: &str) -> Duration {
    let mut engine = searching_with(Behaviour::Hang);
    let time = time_of(|| engine.expect(lines, "0,0"));
    engine.expect_silence("STOP");
    engine.end();
    time
}

/// Lines after which a picker must end its search.
pub(super) const ENDING: [&str; 6] = [
    "STOP",
    "INFO timeout_turn 0",
    "INFO time_left 100",
    "STOP\nINFO time_left 2147483647",
    "STOP\nINFO timeout_turn 2147483647",
    "STOP\nINFO show_detail 0",
];

#[test]
fn a_picker_that_does_not_end_its_search_is_abandoned_with_its_best_point() {
    for lines in ENDING {
        abandon(lines);
    }
}

#[test]
fn the_weights_answer_for_a_picker_that_fails_in_an_opening() {
    for behaviour in [Behaviour::Hang, Behaviour::Panic, Behaviour::Nothing] {
        for (question, stones) in [("", 3), ("7,7\n8,8\n9,9\n", 1)] {
            let mut engine = Engine::inside(behaviour);
            engine.expect("START 15\nINFO timeout_turn 2147483647", "OK");
            engine.send(&format!("SWAP2BOARD\n{question}DONE\nSTOP"));
            let answer = engine.answer();
            // The best point, (0,0), may belong to any of the boards that a picker compares.
            let is_answer = answer == "SWAP" && stones == 1 || answer.split(' ').count() == stones;
            assert!(is_answer && !answer.contains("0,0"), "{behaviour:?}: {answer}");
            engine.end();
        }
    }
}

/// Lets a hanging picker miss a limit in ms. Returns the time of the move.
pub(super) fn miss(limit: u64) -> Duration {
    let mut engine = searching_with(Behaviour::Hang);
    engine.expect(&format!("STOP\nINFO timeout_turn {limit}"), "0,0");
    let time = time_of(|| {
        engine.send("TURN 14,14");
        // The picker's best point is taken.
        let answer = engine.answer();
        let is_free = !["0,0", "14,14", "7,7", "0,14"].contains(&answer.as_str());
        assert!(is_free && read_move(&answer).is_some(), "{answer}");
    });
    engine.end();
    time
}

#[test]
fn a_picker_that_misses_its_deadline_is_abandoned() {
    for limit in [400, 200, 60, 20] {
        miss(limit);
    }
}

#[test]
fn a_picker_that_fails_costs_a_move_and_not_the_game() {
    for behaviour in [Behaviour::Panic, Behaviour::Illegal, Behaviour::Nothing, Behaviour::PanicAtOnce] {
        let mut engine = Engine::inside(behaviour);
        engine.expect("START 15\nINFO timeout_turn 5000", "OK");
        let mut taken = Vec::new();
        for turn in ["0,0", "14,0", "0,14", "14,14"] {
            taken.push(turn.to_owned());
            let answer = Comma(engine.ask_move(&format!("TURN {turn}"))).to_string();
            assert!(!taken.contains(&answer), "{behaviour:?}: {answer}");
            taken.push(answer);
        }
        engine.end();
    }
}

/// The shipped searching engine, in a search without any limit.
fn searching() -> Engine {
    let mut engine = Engine::spawn_with(Program::Greedy, &["--picker", "search"]);
    engine.expect("START 15", "OK");
    engine.send("INFO timeout_turn 2147483647\nBOARD\n0,0,2\n14,14,1\n0,14,2\nDONE");
    assert!(engine.line().starts_with("MESSAGE "));
    engine
}

/// Ends a search of the shipped engine with these lines. Returns the time from the lines to the move.
pub(super) fn end_of_search_by(lines: &str) -> Duration {
    let mut engine = searching();
    let time = time_of(|| {
        engine.send(lines);
        assert!(read_move(&engine.answer()).is_some());
    });
    engine.end();
    time
}

/// Sends END during a search of the shipped engine. Returns the time until its process has ended.
pub(super) fn leave_in_a_search() -> Duration {
    let mut engine = searching();
    time_of(|| {
        engine.send("END");
        assert!(engine.close().iter().all(|line| line.starts_with("MESSAGE ")));
    })
}

#[test]
fn e53_the_searching_engine_obeys_a_stop() {
    for lines in ["STOP", "yxstop", "INFO time_left 100", "INFO timeout_turn 0"] {
        end_of_search_by(lines);
    }
}

#[test]
fn e53_the_searching_engine_leaves_without_a_move() {
    leave_in_a_search();
}

#[test]
fn e53_the_searching_engine_answers_about_and_then_the_next_turn() {
    let mut engine = searching();
    engine.send("ABOUT\nINFO time_left 50000000");
    assert!(engine.answer().starts_with("name="));
    engine.send("TURN 1,1\nSTOP");
    let (old, new) = (engine.answer(), engine.answer());
    assert!(read_move(&old).is_some() && read_move(&new).is_some() && old != new, "{old} {new}");
    engine.end();
}

#[test]
fn e48_the_searching_engine_answers_without_a_search_if_there_is_no_time() {
    let mut engine = searching();
    engine.send("STOP");
    engine.answer();
    // The first line is the move, without a search report before it.
    engine.ask_move("INFO timeout_turn 0\nBOARD\n7,7,2\nDONE");
    engine.end();
}

/// Plays a game on the first empty points of the board. Each command is sent as soon as the previous answer is read.
fn play_fast(engine: &mut Engine, start: &str, turns: usize) {
    engine.expect(&format!("{start}\nINFO timeout_turn 1\nINFO rule 0"), "OK");
    let mut taken = vec![engine.ask_move("INFO time_left 100000\nBEGIN")];
    for _ in 0..turns {
        let turn = (0..15).flat_map(|y| (0..15).map(move |x| (x, y)));
        let turn =
            turn.filter_map(|(x, y)| tengen::board::Point::new(x, y)).find(|point| !taken.contains(point)).unwrap();
        let answer = engine.ask_move(&format!("INFO time_left 100000\nTURN {}", Comma(turn)));
        assert!(!taken.contains(&answer) && answer != turn, "{answer:?} is taken");
        taken.extend([turn, answer]);
    }
}

#[test]
fn e54_a_thousand_fast_games_lose_no_line() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        for game in 0..1000 {
            play_fast(&mut engine, if game % 2 == 0 { "START 15" } else { "RESTART" }, 8);
        }
        engine.end();
    });
}

#[test]
fn e54_fast_games_of_a_picker_on_a_thread_lose_no_line() {
    let mut engine = Engine::inside(Behaviour::Patient);
    for _ in 0..100 {
        play_fast(&mut engine, "START 15", 8);
    }
    // The stop and the answer race here.
    engine.expect("START 15\nINFO timeout_turn 34", "OK");
    for _ in 0..50 {
        engine.expect("RESTART\nBEGIN\nSTOP", "OK");
        assert!(read_move(&engine.answer()).is_some());
        engine.expect_silence("STOP");
    }
    engine.end();
}
