//! Deadlines measured by the machine's clock. Other work on the machine can fail these tests, so `cargo test` skips
//! them. `cargo test --test tengen clock:: -- --ignored` runs them; `.ci/run` runs them when no other work is left, about
//! one on each core. Each test measures three times before it fails.
//!
//! The modules that define the timed functions test, at any load, that the same output comes and no other.

use std::time::{Duration, Instant};

use super::engine::{Behaviour, Engine, Program, SEARCHING, both};
use super::timing::{MEASUREMENTS, median_below, median_ratio_below, start_of, time_of};
use super::{boards, framing, openings, pondering, searching, settings};

/// E51. This is the longest of these tests. They run in the order of their names, so its name begins with an a.
#[test]
#[ignore = "watches the clock"]
fn a_move_comes_within_five_seconds_without_any_limit() {
    median_below(5100, settings::without_any_limit);
}

#[test]
#[ignore = "watches the clock"]
fn e6_an_engine_ends_with_its_input_at_once() {
    both(|program| {
        let run = || time_of(|| assert_eq!(Engine::bare(program).close(), [""; 0]));
        median_ratio_below(3, run, || start_of(program));
    });
}

#[test]
#[ignore = "watches the clock"]
fn e7_a_search_finishes_in_its_time_after_the_end_of_the_input() {
    let (greedy, search) = (|| Engine::bare(Program::Greedy), || Engine::bare(Program::Search));
    for engine in [|| Engine::inside(Behaviour::Patient), || Engine::spawn_picker(Behaviour::Patient), greedy, search] {
        median_below(600, || time_of(|| framing::close_in_a_search(engine())));
    }
}

#[test]
#[ignore = "watches the clock"]
#[cfg(unix)]
fn e10_a_termination_signal_ends_a_search_at_once() {
    median_below(50, framing::end_by_signal);
}

#[test]
#[ignore = "watches the clock"]
#[cfg(unix)]
fn e11_a_command_sent_during_a_suspension_is_timed_from_when_it_is_read() {
    both(|program| {
        median_below(1000, || {
            let mut engine = Engine::bare(program);
            engine.send_signal("-STOP");
            engine.send("START 15\nINFO timeout_turn 1000\nINFO time_left 180000\nBOARD\n7,7,2\nDONE");
            std::thread::sleep(Duration::from_millis(300));
            engine.send_signal("-CONT");
            let time = time_of(|| {
                assert_eq!(engine.line(), "OK");
                engine.take_move();
            });
            engine.end();
            time
        });
    });
}

#[test]
#[ignore = "watches the clock"]
fn e12_start_is_answered_at_once() {
    both(|program| {
        let first_answer = |line| {
            let spawned = Instant::now();
            let mut engine = Engine::bare(program);
            engine.ask(line);
            let time = spawned.elapsed();
            engine.end();
            time
        };
        // ABOUT needs neither a board nor a table.
        median_ratio_below(3, || first_answer("START 15"), || first_answer("ABOUT"));
    });
}

#[test]
#[ignore = "watches the clock"]
fn e12_the_first_move_comes_within_its_time_including_process_start() {
    median_below(1000, || {
        let spawned = Instant::now();
        let mut engine = Engine::spawn_picker(Behaviour::Patient);
        engine.expect("START 15\nINFO timeout_turn 1000\nBEGIN", "OK");
        assert_eq!(engine.line(), SEARCHING);
        engine.take_move();
        let time = spawned.elapsed();
        assert!(time > Duration::from_millis(500), "{time:?}");
        engine.end();
        time
    });
}

#[test]
#[ignore = "watches the clock"]
fn end_ends_the_engine_at_once_wherever_it_comes() {
    both(|program| {
        for lines in framing::UNFINISHED {
            median_ratio_below(3, || framing::end_behind(program, lines), || start_of(program));
        }
        median_ratio_below(3, || boards::end_inside_a_board(program), || start_of(program));
    });
}

/// Ten times as many stones are ten times as many lines to read, which costs little beside the move. A scan of the
/// whole board for each stone would show.
#[test]
#[ignore = "watches the clock"]
fn a_board_of_two_hundred_stones_is_answered_as_fast_as_one_of_twenty() {
    both(|program| {
        let (engine, [many, few]) = boards::two_boards(program);
        let engine = std::cell::RefCell::new(engine);
        let time = |board: &str| boards::answer_to(&mut engine.borrow_mut(), board);
        median_ratio_below(4, || time(&many), || time(&few));
        engine.into_inner().end();
    });
}

#[test]
#[ignore = "watches the clock"]
fn e48_e50_without_time_the_answer_comes_at_once() {
    both(|program| {
        for mut engine in [settings::preloaded(program), settings::patient()] {
            for setting in settings::NO_TIME {
                engine.send(&format!("INFO timeout_turn 5000\nINFO time_left 2147483647\nINFO {setting}"));
                median_below(20, || time_of(|| _ = engine.ask_move(settings::BOARD)));
            }
            engine.end();
        }
    });
}

#[test]
#[ignore = "watches the clock"]
fn e49_a_short_time_for_a_move_is_kept() {
    both(|program| {
        for mut engine in [settings::preloaded(program), settings::patient()] {
            // The deadline is half of these.
            for turn in [20, 30, 31, 40] {
                let lines = format!("INFO timeout_turn {turn}\n{}", settings::BOARD);
                median_below(turn * 5 / 4, || settings::answer_in(&mut engine, &lines));
            }
            engine.end();
        }
    });
}

#[test]
#[ignore = "watches the clock"]
fn e50_the_limit_of_the_move_and_the_time_left_are_kept() {
    let mut engine = settings::patient();
    median_below(500, || settings::without_time_left(&mut engine));
    median_below(70, || settings::with_a_second_left(&mut engine));
    engine.end();
}

#[test]
#[ignore = "watches the clock"]
fn a_forced_block_takes_less_time_of_the_game_than_another_move() {
    let mut engine = settings::preloaded(Program::Search);
    // Other moves aim at 730 ms and begin iterations for at least 40 % of it.
    median_below(250, || settings::answer_in(&mut engine, settings::FORCED_BLOCK));
    engine.end();
}

#[test]
#[ignore = "watches the clock"]
fn e53_less_time_ends_a_search_at_once() {
    for lines in ["INFO time_left 100", "INFO timeout_turn 0"] {
        median_below(30, || searching::end_by(lines));
    }
}

#[test]
#[ignore = "watches the clock"]
fn e53_end_waits_for_a_search_that_is_about_to_end() {
    assert!((0..MEASUREMENTS).any(|_| searching::move_comes_after_end()));
}

#[test]
#[ignore = "watches the clock"]
fn e53_end_ends_a_search_at_once() {
    for behaviour in [Behaviour::Patient, Behaviour::Hang] {
        median_below(125, || searching::searching_with(behaviour).end());
        median_below(125, || pondering::pondering(behaviour).end());
    }
    median_below(125, searching::leave_in_a_search);
}

#[test]
#[ignore = "watches the clock"]
fn a_picker_that_does_not_end_its_search_is_abandoned_after_sixty_milliseconds() {
    for lines in searching::ENDING {
        median_below(150, || searching::abandon(lines));
    }
}

#[test]
#[ignore = "watches the clock"]
fn a_picker_that_misses_its_deadline_is_abandoned_in_time() {
    for limit in [400, 200, 60, 20] {
        // 15 ms before the limit, and less for a short limit.
        median_below(2 * limit, || searching::miss(limit));
    }
}

#[test]
#[ignore = "watches the clock"]
fn e53_the_searching_engine_obeys_a_stop_at_once() {
    for lines in ["STOP", "yxstop", "INFO time_left 100", "INFO timeout_turn 0"] {
        // A search that ignores the stop is abandoned after 60 ms.
        median_below(50, || searching::end_of_search_by(lines));
    }
}

#[test]
#[ignore = "watches the clock"]
fn the_next_command_ends_pondering_within_five_milliseconds() {
    median_below(5, pondering::interrupt);
}

#[test]
#[ignore = "watches the clock"]
fn the_next_move_uses_the_results_of_pondering() {
    // A table may lengthen a single search. It shortens most searches, deep ones by half and more.
    let without = pondering::nodes(false);
    let with: Vec<_> = (0..MEASUREMENTS).map(|_| pondering::nodes(true)).take_while(|&with| with >= without).collect();
    assert!(with.len() < MEASUREMENTS, "{with:?} nodes instead of {without}");
}

#[test]
#[ignore = "watches the clock"]
fn a_picker_that_does_not_return_from_pondering_does_not_delay_the_next_move() {
    for limit in [400, 100] {
        median_below(2 * limit, || pondering::abandon(limit));
    }
}

#[test]
#[ignore = "watches the clock"]
fn the_search_answers_swap2_within_its_time() {
    for (time, question) in openings::TIMED {
        median_below((2 * time).max(20), || openings::answer_in(time, question));
    }
}
