//! Pondering: thinking on the opponent's time.

use std::thread;
use std::time::Duration;

use tengen::board::Size;
use tengen::notation::{Comma, Letters};

use super::engine::{Behaviour, Engine, Program, SEARCHING, read_move};
use super::timing::time_of;

/// An engine that has answered its first move and is pondering.
pub(super) fn pondering(behaviour: Behaviour) -> Engine {
    let mut engine = Engine::inside(behaviour);
    engine.expect("START 15\nINFO pondering 1\nINFO timeout_turn 0\nBEGIN", "OK");
    engine.take_move();
    engine.send("INFO timeout_turn 2147483647\nTURN 0,14");
    if matches!(behaviour, Behaviour::Patient | Behaviour::Hang) {
        assert_eq!(engine.line(), SEARCHING);
    }
    engine.send("STOP");
    engine.take_move();
    engine
}

/// Asks for a move while the picker ponders. Returns the time until the new search has begun.
pub(super) fn interrupt() -> Duration {
    let mut engine = pondering(Behaviour::Patient);
    thread::sleep(Duration::from_millis(20));
    // The question waits until the pondering picker returns. Then the picker searches again.
    let time = time_of(|| engine.expect("TURN 14,0", SEARCHING));
    engine.ask_move("STOP");
    engine.end();
    time
}

#[test]
fn the_next_command_ends_pondering() {
    interrupt();
}

#[test]
fn pondering_writes_nothing_and_every_command_is_answered_as_usual() {
    let mut engine = pondering(Behaviour::Patient);
    thread::sleep(Duration::from_millis(50));
    assert_eq!(engine.line_within(Duration::from_millis(50)), None);
    // The commands that Yixin-Board sends after each move do not end it.
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
fn end_is_obeyed_while_pondering() {
    for behaviour in [Behaviour::Patient, Behaviour::Hang] {
        pondering(behaviour).end();
        assert_eq!(pondering(behaviour).close(), [""; 0]);
    }
}

/// Asks for a move within `limit` ms while a pondering picker hangs. Returns the time of the move.
pub(super) fn abandon(limit: u64) -> Duration {
    let mut engine = pondering(Behaviour::Hang);
    let time = time_of(|| {
        engine.send(&format!("INFO timeout_turn {limit}\nTURN 14,14"));
        assert!(read_move(&engine.answer()).is_some());
    });
    engine.end();
    time
}

#[test]
fn a_picker_that_hangs_while_pondering_costs_no_move() {
    for limit in [400, 100] {
        abandon(limit);
    }
}

#[test]
fn a_picker_that_panics_while_pondering_breaks_nothing_else() {
    for behaviour in [Behaviour::Panic, Behaviour::Illegal, Behaviour::Nothing] {
        let mut engine = pondering(behaviour);
        thread::sleep(Duration::from_millis(20));
        for turn in ["14,0", "14,14", "0,13"] {
            engine.ask_move(&format!("INFO timeout_turn 5000\nTURN {turn}"));
        }
        engine.end();
    }
}

/// One second of processor time, in ticks: more than an engine uses to end a search and to fill its tables.
#[cfg(target_os = "linux")]
const WORK: u64 = 100;

/// Number of consecutive checks that must find all threads of an engine asleep before it counts as idle.
#[cfg(target_os = "linux")]
const REST: usize = 20;

/// The processor ticks an engine has used, and whether all its threads sleep.
#[cfg(target_os = "linux")]
fn work_of(engine: &Engine) -> (u64, bool) {
    // The fields after the name in brackets: the state, and the user and system times.
    let fields = |path: &std::path::Path| {
        let stat = std::fs::read_to_string(path.join("stat")).unwrap_or_default();
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let process = std::path::Path::new("/proc").join(engine.id().to_string());
    let times = fields(&process);
    let threads = std::fs::read_dir(process.join("task")).unwrap();
    let is_asleep = |path: &std::path::Path| fields(path).first().is_none_or(|state| state == "S");
    let is_idle = threads.map_while(Result::ok).all(|thread| is_asleep(&thread.path()));
    (times[11].parse::<u64>().unwrap() + times[12].parse::<u64>().unwrap(), is_idle)
}

/// Waits until an engine has used a second of processor time, even on a busy machine. Returns false if it becomes idle
/// first.
#[cfg(target_os = "linux")]
fn works_on(engine: &Engine) -> bool {
    let (before, mut rest) = (work_of(engine).0, 0);
    loop {
        let (ticks, is_idle) = work_of(engine);
        rest = if is_idle { rest + 1 } else { 0 };
        if ticks - before >= WORK || rest >= REST {
            return rest < REST;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether an engine that has moved keeps working while the opponent thinks.
#[cfg(target_os = "linux")]
fn works_while_idle(settings: &str, aside: &str) -> bool {
    let mut engine = Engine::spawn_with(Program::Search, &[]);
    engine.expect("START 15", "OK");
    engine.send(&format!("INFO show_detail 0\nINFO timeout_turn 100\n{settings}\nTURN 7,7"));
    engine.take_move();
    engine.send(aside);
    let works = works_on(&engine);
    engine.close();
    works
}

#[test]
#[cfg(target_os = "linux")]
fn the_engine_ponders_only_if_the_manager_allows_it() {
    assert!(works_while_idle("INFO pondering 1", ""));
    assert!(works_while_idle("INFO pondering 1", "yxquerydatabaseall\ndone\nyxshowforbid"));
    assert!(!works_while_idle("INFO pondering 1", "INFO time_left 1000"));
    for settings in ["", "INFO pondering 0", "INFO pondering 1\nINFO pondering 0", "INFO pondering 7"] {
        assert!(!works_while_idle(settings, ""), "{settings}");
    }
}

/// Node counts of the searches after a first move, to several depths, with or without pondering. A pondering search
/// hands over its table if it returns within 60 ms.
pub(super) fn nodes(is_pondering: bool) -> u64 {
    [6, 8, 10].map(|depth| nodes_to(depth, is_pondering)).iter().sum()
}

fn nodes_to(depth: u32, is_pondering: bool) -> u64 {
    let mut engine = Engine::spawn_with(Program::Search, &[]);
    engine.expect("START 15", "OK");
    let settings = if is_pondering { "INFO pondering 1\n" } else { "" };
    engine.send(&format!("{settings}INFO max_depth {depth}\nBOARD\n7,7,1\n8,8,2\nDONE"));
    let (mut expected, mut line) = (None, engine.line());
    while read_move(&line).is_none() {
        expected = line.split(' ').skip_while(|word| *word != "pv").nth(2).map(str::to_owned);
        line = engine.line();
    }
    if is_pondering {
        thread::sleep(Duration::from_millis(1000));
    }
    let reply = Letters::new(Size::FIFTEEN).parse(&expected.expect("a reply in the last line")).unwrap();
    engine.send(&format!("TURN {}", Comma(reply)));
    let mut nodes = 0;
    loop {
        let line = engine.line();
        if read_move(&line).is_some() {
            engine.end();
            return nodes;
        }
        nodes = line.split(' ').skip_while(|word| *word != "n").nth(1).unwrap().parse::<u64>().unwrap();
    }
}
