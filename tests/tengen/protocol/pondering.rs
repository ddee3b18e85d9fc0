//! Thinking on the opponent's time.

use std::thread;
use std::time::{Duration, Instant};

use tengen::board::{Point, Size};
use tengen::notation::Letters;

use super::engine::{Behaviour, Engine, Program, SEARCHING, read_move};
use super::timing::median_below;

/// An engine that has answered a first move and thinks on since.
fn pondering(behaviour: Behaviour) -> Engine {
    let mut engine = Engine::inside(behaviour);
    engine.expect("START 15\nINFO pondering 1\nINFO timeout_turn 0\nBEGIN", "OK");
    engine.take_move();
    engine.send("INFO timeout_turn 2147483647\nTURN 0,14");
    if behaviour == Behaviour::Patient {
        assert_eq!(engine.line(), SEARCHING);
    }
    engine.send("STOP");
    engine.take_move();
    engine
}

#[test]
fn the_next_command_ends_it_within_five_milliseconds() {
    median_below(5, || {
        let mut engine = pondering(Behaviour::Patient);
        thread::sleep(Duration::from_millis(20));
        let sent = Instant::now();
        // The question waits for the picker that thinks, and the picker searches anew.
        engine.expect("TURN 14,0", SEARCHING);
        let time = sent.elapsed();
        engine.ask_move("STOP");
        engine.end();
        time
    });
}

#[test]
fn nothing_of_it_is_written_and_every_command_is_answered_as_ever() {
    let mut engine = pondering(Behaviour::Patient);
    thread::sleep(Duration::from_millis(50));
    assert_eq!(engine.line_within(Duration::from_millis(50)), None);
    // What Yixin-Board asks after each move does not end it.
    engine.expect("yxquerydatabaseall\n7,7\ndone", "MESSAGE DATABASE REFRESH");
    assert_eq!(engine.line(), "MESSAGE DATABASE DONE");
    engine.expect_silence("STOP\nYXSTOP");
    engine.expect("TAKEBACK 0,14", "OK");
    engine.expect("START 15", "OK");
    engine.expect("BOARD\n0,0,2\nDONE", SEARCHING);
    engine.ask_move("STOP");
    engine.expect_silence("INFO picker greedy\nYXHASHCLEAR\nINFO pondering 0");
    engine.ask_move("TURN 1,1");
    engine.end();
}

#[test]
fn the_end_comes_at_once() {
    for behaviour in [Behaviour::Patient, Behaviour::Hang] {
        median_below(125, || pondering(behaviour).end());
        assert_eq!(pondering(behaviour).close(), [""; 0]);
    }
}

#[test]
fn a_picker_that_does_not_come_back_costs_no_time_of_the_next_move() {
    for limit in [400, 100] {
        median_below(2 * limit, || {
            let mut engine = pondering(Behaviour::Hang);
            let sent = Instant::now();
            engine.ask_move(&format!("INFO timeout_turn {limit}\nTURN 14,14"));
            let time = sent.elapsed();
            engine.end();
            time
        });
    }
}

#[test]
fn a_picker_that_fails_there_fails_nothing_else() {
    for behaviour in [Behaviour::Panic, Behaviour::Illegal, Behaviour::Nothing] {
        let mut engine = pondering(behaviour);
        thread::sleep(Duration::from_millis(20));
        for turn in ["14,0", "14,14", "0,13"] {
            engine.ask_move(&format!("INFO timeout_turn 5000\nTURN {turn}"));
        }
        engine.end();
    }
}

/// Time in which a search gets five ticks of the processor, however busy the machine.
#[cfg(target_os = "linux")]
const LONG: Duration = Duration::from_secs(20);

/// Time in which an idle engine would get them, if it were not.
#[cfg(target_os = "linux")]
const SHORT: Duration = Duration::from_millis(600);

/// Whether an engine that has moved uses five ticks of the processor while the opponent thinks for this time.
#[cfg(target_os = "linux")]
fn works_while_idle(settings: &str, aside: &str, time: Duration) -> bool {
    let mut engine = Engine::spawn_with(Program::Search, &[]);
    engine.expect("START 15", "OK");
    engine.send(&format!("INFO show_detail 0\nINFO timeout_turn 100\n{settings}\nTURN 7,7"));
    engine.take_move();
    engine.send(aside);
    let ticks = |engine: &Engine| {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", engine.id())).unwrap();
        // User and system time, counted behind the name in brackets.
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    thread::sleep(Duration::from_millis(200));
    let (before, began) = (ticks(&engine), Instant::now());
    let mut used = 0;
    while used < 5 && began.elapsed() < time {
        thread::sleep(Duration::from_millis(50));
        used = ticks(&engine) - before;
    }
    engine.close();
    used >= 5
}

#[test]
#[cfg(target_os = "linux")]
fn the_opponents_time_is_used_only_where_the_manager_says_so() {
    assert!(works_while_idle("INFO pondering 1", "", LONG));
    assert!(works_while_idle("INFO pondering 1", "yxquerydatabaseall\ndone\nyxshowforbid", LONG));
    assert!(!works_while_idle("INFO pondering 1", "INFO time_left 1000", SHORT));
    for settings in ["", "INFO pondering 0", "INFO pondering 1\nINFO pondering 0", "INFO pondering 7"] {
        assert!(!works_while_idle(settings, "", SHORT), "{settings}");
    }
}

#[test]
fn what_was_thought_is_known_at_the_next_move() {
    let nodes = |pondering: bool, depth: u32| {
        let mut engine = Engine::spawn_with(Program::Search, &[]);
        engine.expect("START 15", "OK");
        let settings = if pondering { "INFO pondering 1\n" } else { "" };
        engine.send(&format!("{settings}INFO max_depth {depth}\nBOARD\n7,7,1\n8,8,2\nDONE"));
        let (mut expected, mut line) = (None, engine.line());
        while read_move(&line).is_none() {
            expected = line.split(' ').skip_while(|word| *word != "pv").nth(2).map(str::to_owned);
            line = engine.line();
        }
        if pondering {
            thread::sleep(Duration::from_millis(1000));
        }
        let reply = Letters::new(Size::FIFTEEN).parse(&expected.expect("a reply in the last line")).unwrap();
        engine.send(&format!("TURN {}", reply.comma()));
        let mut nodes = 0;
        loop {
            let line = engine.line();
            if read_move(&line).is_some() {
                engine.end();
                return nodes;
            }
            nodes = line.split(' ').skip_while(|word| *word != "n").nth(1).unwrap().parse::<u64>().unwrap();
        }
    };
    // A table may lengthen one search; it shortens most, the deep ones by half and more.
    let of_all = |pondering: bool| [6, 8, 10].map(|depth| nodes(pondering, depth)).iter().sum::<u64>();
    let (with, without) = (of_all(true), of_all(false));
    assert!(with < without, "{with} nodes instead of {without}");
}
