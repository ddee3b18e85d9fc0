//! The commands of Yixin-Board's analyst: excluded points, additional searches, Swap2 in steps, the table.

use std::path::PathBuf;
use std::time::Duration;

use tengen::board::{Point, Size};
use tengen::notation::{Comma, Letters, parse_comma};

use super::engine::{Engine, Program, both, read_move};

fn started(program: Program) -> Engine {
    let mut engine = Engine::spawn(program);
    engine.expect("START 15", "OK");
    engine
}

/// The searching engine with a fixed depth. The test reads every line it writes.
fn deep(depth: u32) -> Engine {
    let mut engine = Engine::spawn_with(Program::Search, &[]);
    engine.expect("START 15", "OK");
    engine.send(&format!("INFO max_depth {depth}"));
    engine
}

/// The lines of an answer, and the last of them, the first line that is not a message.
fn answer(engine: &mut Engine, lines: &str) -> (Vec<String>, String) {
    engine.send(lines);
    let mut messages = Vec::new();
    loop {
        let line = engine.line();
        if !line.starts_with("MESSAGE ") {
            return (messages, line);
        }
        messages.push(line);
    }
}

/// The first points of the lines at the last depth, as `x,y`.
fn leading(messages: &[String]) -> Vec<String> {
    let depth = |line: &str| line.split(' ').nth(2).and_then(|depth| depth.split('-').next()).map(str::to_owned);
    let last = messages.last().and_then(|line| depth(line));
    let of_last = messages.iter().filter(|line| depth(line) == last);
    let point = |name| Comma(Letters::new(Size::FIFTEEN).parse(name).unwrap()).to_string();
    of_last.filter_map(|line| Some(point(line.split_once(" pv ")?.1.split(' ').next()?))).collect()
}

fn score(line: &str) -> i32 {
    let mut words = line.split(' ').skip_while(|word| *word != "ev").skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

/// An open three of the other side, against which the engine has no threat of its own.
const OPEN_THREE: &str = "YXBOARD\n7,7,2\n0,0,1\n7,8,2\n14,0,1\n7,9,2\nDONE";

#[test]
fn a_blocked_point_is_not_played_until_it_is_freed() {
    both(|program| {
        let mut engine = started(program);
        // Only one point stops the five.
        let board = "YXBOARD\n7,7,2\n7,11,1\n7,8,2\n0,0,1\n7,9,2\n0,2,1\n7,10,2\nDONE\nBEGIN";
        let free = engine.ask_move(board);
        let other = engine.ask_move(&format!("YXBLOCK\n{}\nDONE\n{board}", Comma(free)));
        assert_ne!(other, free);
        let third = engine.ask_move(&format!("yxblock\n{}\ndone\n{board}", Comma(other)));
        assert!(third != free && third != other, "{free:?} {other:?} {third:?}");
        assert_eq!(
            engine.ask_move(&format!("YXBLOCKUNDO\n{}\nDONE\n{board}", Comma(free))),
            free,
            "{other:?} is blocked"
        );
        engine.expect(&format!("YXBLOCK\n{}\nDONE\nSTART 15", Comma(free)), "OK");
        assert_ne!(engine.ask_move(board), free, "START keeps the blocked points");
        assert_eq!(engine.ask_move(&format!("YXBLOCKRESET\n{board}")), free);
        engine.end();
    });
}

#[test]
fn a_blocked_point_stays_out_of_the_lines_and_of_a_late_answer() {
    let mut engine = deep(3);
    let (messages, best) = answer(&mut engine, &format!("{OPEN_THREE}\nYXNBEST 4"));
    assert_eq!(leading(&messages).len(), 4, "{messages:?}");
    let best = read_move(&best).unwrap();
    let (messages, other) = answer(&mut engine, &format!("YXBLOCK\n{}\nDONE\n{OPEN_THREE}\nYXNBEST 4", Comma(best)));
    assert!(!leading(&messages).contains(&Comma(best).to_string()), "{best:?}: {messages:?}");
    assert_eq!(leading(&messages)[0], Comma(read_move(&other).unwrap()).to_string());
    // Without time the weights answer. They leave out blocked points too.
    let board = OPEN_THREE.replace("YXBOARD", "BOARD");
    let (_, weighed) = answer(&mut engine, &format!("INFO timeout_turn 0\nYXBLOCKRESET\n{board}"));
    let weighed = read_move(&weighed).unwrap();
    let (_, late) = answer(&mut engine, &format!("YXBLOCK\n{}\nDONE\n{board}", Comma(weighed)));
    assert_ne!(read_move(&late), Some(weighed));
    engine.end();
}

#[test]
fn a_blocked_win_is_not_played_and_neither_is_a_corner() {
    let mut engine = deep(4);
    // The engine has a closed four and an open three.
    let four = "YXBOARD\n7,7,1\n6,7,2\n8,7,1\n0,14,2\n9,7,1\n14,0,2\n10,7,1\n0,0,2\nDONE\nBEGIN";
    assert_eq!(answer(&mut engine, four).1, "11,7");
    let other = read_move(&answer(&mut engine, &format!("YXBLOCK\n11,7\nDONE\n{four}")).1).unwrap();
    assert!(other.distance(parse_comma("9,7").unwrap()) < 5, "{other:?} is far away");
    // The only block of the other side's five is excluded: any move is right, and the engine must not crash.
    let lost = "YXBOARD\n7,7,2\n6,7,1\n8,7,2\n0,14,1\n9,7,2\n14,0,1\n10,7,2\nDONE\nBEGIN";
    assert_ne!(answer(&mut engine, lost).1, "11,7");
    engine.end();
}

#[test]
fn the_engine_moves_even_if_every_point_is_blocked() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 5", "OK");
        let all: String = (0..5).flat_map(|x| (0..5).map(move |y| format!("{x},{y}\n"))).collect();
        engine.ask_move(&format!("YXBLOCK\n{all}DONE\nBEGIN"));
        engine.ask_move("BEGIN");
        // The centre of an empty board.
        engine.expect("YXBLOCKRESET\nYXBLOCK\n2,2\nDONE\nRESTART", "OK");
        assert_ne!(Comma(engine.ask_move("BEGIN")).to_string(), "2,2");
        engine.end();
    });
}

#[test]
fn a_forbidden_point_is_not_played_by_its_color() {
    both(|program| {
        let mut engine = started(program);
        let black = "YXBOARD\n7,7,1\n8,8,2\n8,7,1\n9,9,2\nDONE\nBEGIN";
        // Table entries from other searches may change a move.
        let white = "YXHASHCLEAR\nYXBOARD\n7,7,2\n8,8,1\n6,8,2\nDONE\nBEGIN";
        let (one, other) = (engine.ask_move(black), engine.ask_move(white));
        let forbid = |point: Point, side| format!("yxforbid add {} {} {side}\n", point.x(), point.y());
        let forbidden = format!("{}{}", forbid(one, 0), forbid(other, 0));
        assert_ne!(engine.ask_move(&format!("{forbidden}{black}")), one);
        assert_eq!(engine.ask_move(white), other, "it is forbidden to black only");
        let allowed = forbidden.replace("add", "del");
        assert_eq!(engine.ask_move(&format!("YXHASHCLEAR\n{allowed}{black}")), one);
        engine.expect_error("YXFORBID add 7 7");
        engine.end();
    });
}

#[test]
fn every_move_that_does_not_lose_is_listed() {
    let mut engine = deep(6);
    let (messages, best) = answer(&mut engine, &format!("{OPEN_THREE}\nYXSEARCHDEFEND"));
    let mut listed = leading(&messages);
    assert_eq!(listed[0], Comma(read_move(&best).unwrap()).to_string());
    listed.sort();
    // The two ends: beyond them the three can still become an open four.
    assert_eq!(listed, ["7,10", "7,6"], "{messages:?}");
    // Without a threat every point is listed, however far away it is.
    let mut engine = deep(1);
    let (messages, _) = answer(&mut engine, "YXBOARD\n7,7,2\nDONE\nYXSEARCHDEFEND");
    assert_eq!(leading(&messages).len(), 224);
    engine.end();
}

#[test]
fn a_move_is_played_even_if_every_move_loses() {
    let mut engine = deep(4);
    // The other side has an open four.
    let lost = "YXBOARD\n7,7,2\n0,0,1\n7,8,2\n14,0,1\n7,9,2\n0,14,1\n7,10,2\nDONE";
    let (messages, point) = answer(&mut engine, &format!("{lost}\nYXSEARCHDEFEND"));
    assert!(read_move(&point).is_some() && leading(&messages).len() == 1, "{messages:?}");
    assert!(messages.last().unwrap().contains(" ev -M"), "{messages:?}");
    engine.end();
}

#[test]
fn the_stones_that_make_the_position_even_are_found() {
    let mut engine = deep(4);
    let board = "YXBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE";
    let (messages, one) = answer(&mut engine, &format!("{board}\nYXBALANCEONE"));
    assert!(read_move(&one).is_some(), "{one}");
    let even = score(messages.last().unwrap());
    let (messages, _) = answer(&mut engine, &format!("{board}\nBEGIN"));
    let best = score(messages.last().unwrap());
    // The searches visit different trees.
    assert!(even.abs() <= best.abs() + 50, "{even} {best}");
    // A different score may count as even.
    let (messages, _) = answer(&mut engine, &format!("{board}\nyxbalanceone -300"));
    let biased = score(messages.last().unwrap());
    assert!((biased + 300).abs() < 100 && biased < even, "{biased}");
    let (messages, two) = answer(&mut engine, &format!("{board}\nyxbalancetwo 0"));
    let stones: Vec<_> = two.split(' ').filter_map(read_move).collect();
    assert!(stones.len() == 2 && stones[0] != stones[1], "{two}");
    assert!(score(messages.last().unwrap()).abs() <= 100, "{messages:?}");
    engine.expect_error("YXBALANCEONE x");
    // Black makes a five whatever the two stones are.
    let fours = "YXBOARD\n5,7,1\n0,0,2\n6,7,1\n14,0,2\n7,7,1\n0,14,2\n8,7,1\n14,14,2\nDONE";
    let (messages, _) = answer(&mut engine, &format!("{fours}\nYXBALANCETWO 0"));
    assert!(messages.last().unwrap().contains(" ev +M3 "), "{messages:?}");
    engine.end();
}

#[test]
fn the_greedy_engine_answers_the_analyst_as_well() {
    let mut engine = started(Program::Greedy);
    let board = "YXBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE";
    for command in ["YXSEARCHDEFEND", "YXBALANCEONE 0"] {
        engine.ask_move(&format!("{board}\n{command}"));
    }
    let two = engine.ask(&format!("{board}\nYXBALANCETWO 0"));
    assert_eq!(two.split(' ').filter_map(read_move).count(), 2, "{two}");
    engine.end();
}

#[test]
fn a_blocked_point_is_open_to_the_second_of_two_balancing_stones() {
    both(|program| {
        let mut engine = started(program);
        engine.expect_silence("INFO max_depth 2");
        // The first stone can only be 9,9.
        let is_blocked = |point: &Point| !["7,7", "8,8", "8,7", "9,9"].contains(&&*Comma(*point).to_string());
        let blocked = Size::FIFTEEN.points().filter(is_blocked).map(|point| format!("{}\n", Comma(point)));
        engine.expect_silence(&format!("YXBLOCK\n{}DONE", blocked.collect::<String>()));
        let (_, two) = answer(&mut engine, "YXBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE\nYXBALANCETWO 0");
        let stones: Vec<_> = two.split(' ').collect();
        assert!(stones.len() == 2 && stones[0] == "9,9" && stones[1] != "9,9", "{program:?}: {two}");
        engine.end();
    });
}

/// The numbers after the text of a Swap2 message.
fn swap2_stone(line: &str, number: usize) -> String {
    let rest = line.strip_prefix(&format!("MESSAGE SWAP2 MOVE{number} ")).unwrap_or_else(|| panic!("{line}"));
    rest.replace(' ', ",")
}

#[test]
fn swap2_is_answered_step_by_step_as_yixin_board_reads_it() {
    both(|program| {
        let mut engine = started(program);
        engine.send("yxswap2step1");
        let stones: Vec<_> = (1..=3).map(|number| swap2_stone(&engine.line(), number)).collect();
        assert!(stones.iter().all(|stone| read_move(stone).is_some()), "{stones:?}");
        for (stones, step, choice) in [(3, 2, "SWAP1"), (5, 3, "SWAP2")] {
            let owner = |index: usize| if (stones - index) % 2 == 1 { 2 } else { 1 };
            let stone = |(index, point): (usize, &&str)| format!("{point},{}\n", owner(index));
            let points = &["0,0", "7,7", "14,14", "8,8", "14,0"][..stones];
            let lines: String = points.iter().enumerate().map(stone).collect();
            let line = engine.ask(&format!("yxboard\n{lines}done\nyxswap2step{step}"));
            if let Some(answer) = line.strip_prefix(&format!("MESSAGE SWAP2 {choice} ")) {
                assert!(["YES", "NO"].contains(&answer), "{line}");
            } else {
                assert_eq!(step, 2, "{line}");
                swap2_stone(&line, 4);
                swap2_stone(&engine.line(), 5);
            }
            engine.expect_silence("");
        }
        engine.expect_error("YXBOARD\n7,7,1\nDONE\nYXSWAP2STEP2");
        engine.end();
    });
}

#[test]
fn a_color_of_swap2_is_chosen_by_its_worth() {
    let mut engine = deep(4);
    // Three black stones in a row against one distant white stone, and with colors reversed.
    let black = "YXBOARD\n7,7,2\n0,0,1\n7,8,2\nDONE";
    engine.send("INFO show_detail 0");
    engine.expect(&format!("{black}\nYXSWAP2STEP2"), "MESSAGE SWAP2 SWAP1 YES");
    // White moves next, whatever color the list gives to the engine.
    let own = "YXBOARD\n7,7,1\n0,0,2\n7,8,1\nDONE";
    engine.expect(&format!("{own}\nYXSWAP2STEP2"), "MESSAGE SWAP2 SWAP1 YES");
    let white = "YXBOARD\n0,0,2\n7,7,1\n14,0,2\n7,8,1\n0,14,2\nDONE";
    engine.expect(&format!("{white}\nYXSWAP2STEP3"), "MESSAGE SWAP2 SWAP2 NO");
    engine.end();
}

#[test]
fn database_commands_are_answered_as_by_an_empty_database() {
    both(|program| {
        let mut engine = started(program);
        for query in ["yxquerydatabaseall", "YXQUERYDATABASEALLT"] {
            engine.expect(&format!("{query}\n7,7\n8,8\ndone"), "MESSAGE DATABASE REFRESH");
            assert_eq!(engine.line(), "MESSAGE DATABASE DONE");
        }
        engine.expect("yxquerydatabaseone\n7,7\ndone", "MESSAGE DATABASE ONE 0 0 0 0");
        engine.expect("yxquerydatabasetext\ndone", "MESSAGE DATABASE TEXT \"\"");
        engine.expect_silence("");
        engine.end();
    });
}

#[test]
fn the_end_of_a_game_by_agreement_is_answered() {
    both(|program| {
        let mut engine = started(program);
        engine.expect("yxdraw", "MESSAGE draw declined");
        engine.expect("yxresign", "MESSAGE resignation accepted");
        engine.expect_silence("");
        engine.end();
    });
}

/// A path in a temporary folder of this test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tengen {name} {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn files(&self) -> usize {
        std::fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_table_is_saved_to_a_file_and_loaded_back() {
    let folder = Folder::new("dump");
    let path = folder.file("hash of a game.bin");
    // One move is clearly the best, with any table.
    let board = "YXBOARD\n7,7,1\n8,7,2\n8,6,1\n6,8,2\n9,8,1\n9,9,2\nDONE\nBEGIN";
    let mut engine = deep(8);
    engine.expect_error(&format!("YXHASHDUMP\n{path}"));
    let (messages, first) = answer(&mut engine, board);
    let nodes = |messages: &[String]| {
        let line = messages.last().unwrap();
        line.split(' ').skip_while(|word| *word != "n").nth(1).unwrap().parse::<u64>().unwrap()
    };
    let cold = nodes(&messages);
    let usage = engine.ask("YXSHOWHASHUSAGE");
    assert!(usage.starts_with("MESSAGE hash usage ") && usage.ends_with(" %"), "{usage}");
    let dumped = engine.ask(&format!("YXHASHDUMP\n{path}"));
    let entries: u64 = dumped.strip_prefix("MESSAGE hash entries ").unwrap().parse().unwrap();
    assert!(entries > 100, "{dumped}");
    assert_eq!(folder.files(), 1, "no other file is left");
    engine.end();
    let mut engine = deep(8);
    assert_eq!(engine.ask(&format!("YXHASHLOAD\n{path}")), dumped);
    let (messages, second) = answer(&mut engine, board);
    // The search is deterministic, so only the table makes it shorter.
    assert!(nodes(&messages) < cold, "{} nodes instead of {cold}", nodes(&messages));
    assert_eq!(first, second);
    engine.end();
}

#[test]
fn a_bad_table_file_is_one_error_and_loses_nothing() {
    let folder = Folder::new("load");
    let [path, bad] = ["hash.bin", "bad.bin"].map(|name| folder.file(name));
    let mut engine = deep(5);
    engine.send("INFO show_detail 0\nBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE");
    engine.answer();
    let dumped = engine.ask(&format!("YXHASHDUMP\n{path}"));
    let good = std::fs::read(&path).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 4;
    for bytes in [&damaged[..], &good[..good.len() - 8], b"no table", b""] {
        std::fs::write(&bad, bytes).unwrap();
        engine.expect_error(&format!("YXHASHLOAD\n{bad}"));
        engine.expect_silence("");
    }
    for missing in [folder.file("none.bin"), folder.0.to_str().unwrap().to_owned()] {
        engine.expect_error(&format!("YXHASHLOAD\n{missing}"));
    }
    for no_place in [folder.file("no/folder/hash.bin"), folder.0.to_str().unwrap().to_owned()] {
        engine.expect_error(&format!("YXHASHDUMP\n{no_place}"));
    }
    engine.expect_error(&format!("INFO rule 4\nYXHASHLOAD\n{path}"));
    // The table and the file are unchanged.
    assert_eq!(engine.ask(&format!("INFO rule 0\nYXHASHDUMP\n{path}")), dumped);
    assert_eq!(std::fs::read(&path).unwrap().len(), good.len());
    engine.expect("START 20", "OK");
    engine.expect_error(&format!("YXHASHLOAD\n{path}"));
    engine.end();
}

#[test]
fn a_search_without_a_table_leaves_the_file_of_another() {
    let folder = Folder::new("mcts");
    let path = folder.file("hash.bin");
    let mut engine = deep(5);
    engine.send("INFO show_detail 0\nBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE");
    engine.answer();
    engine.ask(&format!("YXHASHDUMP\n{path}"));
    let table = std::fs::read(&path).unwrap();
    engine.send("INFO picker mcts\nINFO max_node 300\nBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE");
    engine.answer();
    engine.expect_error(&format!("YXHASHDUMP\n{path}"));
    assert!(std::fs::read(&path).unwrap() == table && folder.files() == 1);
    engine.end();
}

#[test]
fn the_greedy_engine_keeps_no_table() {
    let folder = Folder::new("greedy");
    let path = folder.file("hash.bin");
    let mut engine = started(Program::Greedy);
    engine.expect_error(&format!("YXHASHDUMP\n{path}"));
    engine.expect_error(&format!("YXHASHLOAD\n{path}"));
    engine.expect("YXSHOWHASHUSAGE", "MESSAGE hash usage 0.0 %");
    assert_eq!(folder.files(), 0);
    engine.end();
}

#[test]
fn commands_of_the_analyst_about_a_board_need_one() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        for command in ["YXSEARCHDEFEND", "YXBALANCEONE 0", "YXBALANCETWO 0", "YXSWAP2STEP1", "YXHASHLOAD\nx"] {
            engine.expect_error(command);
        }
        // Yixin-Board sends both after each move.
        engine.expect_silence("YXBLOCK\n7,7\nDONE\nYXBLOCKRESET\nYXBLOCKPATHRESET");
        assert_eq!(engine.line_within(Duration::from_millis(20)), None);
        engine.end();
    });
}
