//! The reports of a search: show_detail, YXNBEST, and the number of lines a second.

use std::time::{Duration, Instant};

use tengen::board::{Point, Size};
use tengen::notation::{Comma, Letters};

use super::engine::{Engine, Program, read_move};

/// Some stones with much to search and no forced win nearby.
const STONES: &str = "YXBOARD\n7,7,1\n8,8,2\n8,7,1\n9,7,2\nDONE";

/// The searching engine. The test reads every line it writes.
fn started() -> Engine {
    let mut engine = Engine::spawn_with(Program::Search, &[]);
    engine.expect("START 15", "OK");
    engine
}

/// The reports of a search, and its move.
fn search(engine: &mut Engine, lines: &str) -> (Vec<String>, Point) {
    engine.send(lines);
    let mut lines = Vec::new();
    loop {
        let line = engine.line();
        match read_move(&line) {
            Some(point) => return (lines, point),
            None => lines.push(line),
        }
    }
}

/// The number after a key in a line.
fn number(line: &str, key: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|word| *word != key).skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{key} in {line}"))
}

/// The first point of the PV.
fn first(line: &str) -> Point {
    let (_, pv) = line.split_once(" pv ").unwrap_or_else(|| panic!("{line}"));
    Letters::new(Size::FIFTEEN).parse(pv.split(' ').next().unwrap()).unwrap()
}

#[test]
fn every_finished_depth_is_one_message_by_default() {
    let mut engine = started();
    for settings in ["", "INFO show_detail 1\n", "INFO show_detail 9\nINFO show_detail x\n"] {
        engine.expect("START 15", "OK");
        let (lines, point) = search(&mut engine, &format!("{settings}{STONES}\nINFO max_depth 5\nYXHASHCLEAR\nBEGIN"));
        assert_eq!(lines.len(), 5, "{lines:?}");
        for (depth, line) in (1..).zip(&lines) {
            assert!(line.starts_with(&format!("MESSAGE depth {depth}-")), "{line}");
            assert!(!line.contains("name") && !line.contains(','), "{line}");
            let keys = ["ev", "n", "n/ms", "tm"].map(|key| number(line, key));
            assert!(keys[1] > 0, "{line}");
        }
        assert_eq!(first(lines.last().unwrap()), point);
    }
    engine.end();
}

#[test]
fn a_proof_is_reported_with_its_line() {
    let mut engine = started();
    // Black to move has an open three: a four, then a five.
    let (lines, point) =
        search(&mut engine, "INFO timeout_turn 5000\nBOARD\n7,7,1\n0,0,2\n8,7,1\n2,0,2\n9,7,1\n4,0,2\nDONE");
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert!(line.contains(" ev +M"), "{line}");
    assert_eq!(first(line), point);
    engine.end();
}

#[test]
fn without_detail_nothing_is_reported() {
    let mut engine = started();
    let (lines, _) = search(&mut engine, &format!("INFO show_detail 0\nINFO max_depth 4\n{STONES}\nBEGIN"));
    assert_eq!(lines, [""; 0]);
    let (lines, _) = search(&mut engine, "TURN 0,0");
    assert_eq!(lines, [""; 0], "it holds");
    let (lines, _) = search(&mut engine, "INFO show_detail 1\nTURN 0,1");
    assert!(!lines.is_empty());
    engine.end();
}

#[test]
fn detail_for_yixin_board_is_what_it_reads() {
    let mut engine = started();
    let (lines, point) = search(&mut engine, &format!("INFO show_detail 2\nINFO max_depth 2\n{STONES}\nYXNBEST 2"));
    assert!(lines.iter().all(|line| line.starts_with("INFO ") || line.starts_with("MESSAGE REALTIME ")), "{lines:?}");
    let last: Vec<_> = lines.rsplit(|line| line == "MESSAGE REALTIME REFRESH").next().unwrap().iter().collect();
    assert_eq!(*last[0], format!("MESSAGE REALTIME BEST {}", Comma(point)));
    for line in ["INFO PV 0", "INFO PV 1", "INFO NUMPV 2", "INFO DEPTH 2", "INFO PV DONE"] {
        assert!(last.iter().any(|lines| *lines == line), "{line}: {last:?}");
    }
    let (lines, _) = search(&mut engine, "INFO show_detail 3\nBEGIN");
    assert!(lines.iter().any(|line| line.starts_with("MESSAGE depth ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("INFO EVAL ")), "{lines:?}");
    engine.end();
}

/// A manager that is shown four lines a second gets at most that in every second of the test.
#[test]
fn a_person_sees_four_lines_a_second_and_a_program_all_lines() {
    let board = STONES.replace("YXBOARD", "BOARD");
    for (dialect, most) in [("YXSHOWINFO\n", Some(4)), ("", None)] {
        let mut engine = started();
        engine.send(&format!("{dialect}INFO max_node 300"));
        let (began, mut shown, mut moves) = (Instant::now(), 0, 0);
        // Enough moves that most of their lines must be dropped.
        while began.elapsed() < Duration::from_millis(2500) || moves < 20 {
            let (lines, _) = search(&mut engine, &board);
            shown += lines.iter().filter(|line| line.starts_with("MESSAGE depth ")).count();
            moves += 1;
        }
        engine.end();
        let seconds = began.elapsed().as_secs() as usize + 1;
        match most {
            Some(most) => assert!((1..=most * seconds).contains(&shown), "{shown} lines in {seconds} seconds"),
            None => assert!(shown >= moves, "{shown} lines for {moves} moves"),
        }
    }
}

/// The lines that Yixin-Board requests with the settings it sends at its start.
#[test]
fn yixin_board_gets_text_and_drawing_with_one_setting() {
    let mut engine = Engine::spawn_with(Program::Search, &[]);
    engine.send("info show_detail 1\nyxshowinfo\nSTART 15 15\nINFO timeout_turn 2147483647\nINFO rule 0");
    while engine.line() != "OK" {}
    // The other side has an open three. All moves but a few lose, and those few keep the search busy.
    engine.send("yxboard\n7,7,2\n8,6,1\n7,8,2\n6,6,1\n7,9,2\ndone\nyxnbest 4");
    let mut lines = Vec::new();
    for word in ["REFRESH", "BEST ", "PV ", "VAL ", "POS ", "DONE ", "LOSE "] {
        let head = format!("MESSAGE REALTIME {word}");
        while !lines.iter().any(|line: &String| line.starts_with(&head)) {
            lines.push(engine.line());
        }
    }
    let (rest, point) = search(&mut engine, "stop");
    lines.extend(rest);
    let last = lines.iter().rfind(|line| line.starts_with("MESSAGE REALTIME BEST ")).unwrap();
    assert_eq!(*last, format!("MESSAGE REALTIME BEST {}", Comma(point)));
    // The row counts from the bottom, the first number from the top.
    let label = format!("{}{}", char::from(b'A' + point.y()), 15 - point.x());
    let is_first = |line: &&String| line.starts_with("MESSAGE depth ") && line.contains(" multipv 1 ");
    let text = lines.iter().rfind(is_first).unwrap();
    assert!(text.contains(&format!(" pv {label}")), "{label}: {text}");
    assert!(!lines.iter().any(|line| line.starts_with("INFO ")), "{lines:?}");
    engine.end();
}

#[test]
fn the_points_of_a_text_are_written_as_the_manager_wants_them() {
    let mut engine = started();
    engine.send("INFO max_depth 2");
    let mut shown = |settings: &str| {
        let (lines, point) = search(&mut engine, &format!("{settings}\n{STONES}\nYXNBEST 1"));
        let (_, pv) = lines.iter().rfind(|line| line.contains(" pv ")).unwrap().split_once(" pv ").unwrap();
        (pv.split(' ').next().unwrap().to_owned(), point)
    };
    let (text, point) = shown("");
    assert_eq!(text, Letters::new(Size::FIFTEEN).point(point).to_string());
    for settings in ["INFO coordinates numbers", "INFO coordinates x"] {
        let (text, point) = shown(settings);
        assert_eq!(text, format!("[{}]", Comma(point)), "{settings}");
    }
    let (text, point) = shown("INFO coordinates LETTERS");
    assert_eq!(text, Letters::new(Size::FIFTEEN).point(point).to_string());
    engine.end();
}

#[test]
fn the_engine_searches_even_if_allowed_more_memory_than_exists() {
    let mut engine = started();
    let (lines, point) =
        search(&mut engine, &format!("INFO max_memory 1000000000000\nINFO max_depth 2\n{STONES}\nBEGIN"));
    assert_eq!((lines.len(), first(lines.last().unwrap())), (2, point), "{lines:?}");
    engine.end();
}

#[test]
fn the_best_moves_are_reported_with_their_ranks_and_scores() {
    for count in [1, 2, 5, 40] {
        let mut engine = started();
        let (lines, point) = search(&mut engine, &format!("{STONES}\nINFO max_depth 3\nYXNBEST {count}"));
        let last = &lines[lines.len() - count..];
        let firsts: Vec<_> = last.iter().map(|line| first(line)).collect();
        assert_eq!(firsts[0], point);
        let mut distinct = firsts.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), count, "{last:?}");
        let scores: Vec<_> = last.iter().map(|line| number(line, "ev")).collect();
        assert!(scores.is_sorted_by(|better, worse| better >= worse), "{scores:?}");
        for (rank, line) in (1..).zip(last).filter(|_| count > 1) {
            assert_eq!(number(line, "multipv"), rank, "{line}");
        }
        engine.expect_error(&format!("TURN {}", Comma(point)));
        engine.end();
    }
}

#[test]
fn the_best_moves_are_reported_even_without_detail_and_after_a_stop() {
    let mut engine = started();
    let (lines, _) = search(&mut engine, &format!("INFO show_detail 0\nINFO max_depth 2\n{STONES}\nYXNBEST 3"));
    assert_eq!(lines.len(), 3, "{lines:?}");
    engine.expect_silence("INFO max_depth 0\nINFO timeout_turn 2147483647");
    engine.send(&format!("{STONES}\nYXNBEST 3"));
    assert_eq!(engine.line_within(Duration::from_millis(200)), None);
    let (lines, point) = search(&mut engine, "STOP");
    assert_eq!((lines.len(), first(&lines[0])), (3, point), "{lines:?}");
    engine.end();
}

#[test]
fn the_other_moves_are_reported_beside_a_winning_one() {
    // A four that one stone turns into a five, an open three, and an open three of the other side.
    for (board, best, is_won) in [
        ("7,7,1\n7,0,2\n8,7,1\n0,14,2\n9,7,1\n14,0,2\n10,7,1\n6,7,2", "11,7", true),
        ("7,7,1\n0,0,2\n8,7,1\n2,0,2\n9,7,1\n4,0,2", "", true),
        ("0,0,1\n7,7,2\n2,0,1\n8,7,2\n4,0,1\n9,7,2\n14,14,1\n10,7,2", "", false),
    ] {
        let mut engine = started();
        let (lines, point) = search(&mut engine, &format!("INFO max_depth 3\nYXBOARD\n{board}\nDONE\nYXNBEST 3"));
        let last = &lines[lines.len() - 3..];
        assert_eq!(last[0].contains(" ev +M"), is_won, "{last:?}");
        assert!(best.is_empty() || Comma(point).to_string() == best, "{last:?}");
        let firsts: Vec<_> = last.iter().map(|line| first(line)).collect();
        assert!(firsts[0] == point && firsts[1] != point && firsts[2] != firsts[1] && firsts[2] != point, "{last:?}");
        engine.end();
    }
}

#[test]
fn every_five_is_reported_as_one() {
    let mut engine = started();
    let board = "7,7,1\n7,0,2\n8,7,1\n0,14,2\n9,7,1\n14,0,2\n10,7,1\n0,0,2";
    let (lines, _) = search(&mut engine, &format!("INFO max_depth 2\nYXBOARD\n{board}\nDONE\nYXNBEST 3"));
    let last = &lines[lines.len() - 3..];
    assert!(last[0].contains(" ev +M1 ") && last[1].contains(" ev +M1 ") && !last[2].contains(" ev +M1 "), "{last:?}");
    engine.end();
}

#[test]
fn the_greedy_engine_reports_the_points_of_the_greatest_weights() {
    let mut engine = Engine::spawn_with(Program::Greedy, &[]);
    engine.expect(&format!("START 15\n{STONES}"), "OK");
    let (lines, point) = search(&mut engine, "YXNBEST 4");
    assert_eq!((lines.len(), first(&lines[0])), (4, point), "{lines:?}");
    let totals: Vec<_> = lines.iter().map(|line| number(line, "total")).collect();
    assert!(totals.is_sorted_by(|greater, less| greater >= less), "{totals:?}");
    let (lines, _) = search(&mut engine, "BEGIN");
    assert_eq!(lines, [""; 0]);
    engine.expect_error("YXNBEST");
    engine.expect_error("YXNBEST x");
    engine.end();
}

#[test]
fn the_best_moves_are_reported_on_an_empty_board_and_without_time() {
    let mut engine = started();
    let (lines, point) = search(&mut engine, "INFO timeout_turn 5000\nYXNBEST 2");
    assert_eq!((lines.len(), first(&lines[0])), (1, point), "{lines:?}");
    for detail in 0..=3 {
        let question = format!("INFO show_detail {detail}\nINFO timeout_turn 0\n{STONES}\nYXNBEST 3");
        let (lines, point) = search(&mut engine, &question);
        assert_eq!((lines.len(), first(&lines[0])), (3, point), "{detail}: {lines:?}");
    }
    engine.end();
}

#[test]
fn a_request_for_more_moves_than_points_reports_every_point() {
    for (program, rank) in [(Program::Greedy, "rank"), (Program::Search, "multipv"), (Program::Mcts, "multipv")] {
        let mut engine = Engine::spawn_with(program, &[]);
        engine.expect("START 5", "OK");
        let all = Size::new(5).unwrap().points().skip(3).enumerate();
        let stones: String = all.map(|(index, point)| format!("{},{}\n", Comma(point), 1 + index % 2)).collect();
        let (lines, _) = search(&mut engine, &format!("YXBOARD\n{stones}DONE\nINFO max_depth 2\nYXNBEST 9"));
        let last = &lines[lines.len() - 3..];
        assert_eq!(last.iter().map(|line| number(line, rank)).collect::<Vec<_>>(), [1, 2, 3], "{lines:?}");
        engine.end();
    }
}

#[test]
fn a_tree_search_reports_its_playouts_with_the_visits_of_the_best_moves() {
    let mut engine = Engine::spawn_with(Program::Mcts, &[]);
    engine.expect("START 15", "OK");
    let (lines, point) = search(&mut engine, &format!("{STONES}\nINFO max_node 600\nBEGIN"));
    let playouts: Vec<_> = lines.iter().map(|line| number(line, "n")).collect();
    assert!(playouts.is_sorted() && playouts.len() >= 4 && playouts.last() == Some(&600), "{lines:?}");
    for line in &lines {
        let (head, tail) = line.split_once(" value 0.").unwrap_or_else(|| panic!("{line}"));
        let (_, tail) = tail.split_once(" visits ").unwrap();
        let (visits, _) = tail.split_once(" pv ").unwrap();
        let visits: Vec<_> = visits.split(' ').collect();
        assert!(head.starts_with("MESSAGE depth ") && visits.len() % 2 == 0 && visits.len() <= 6, "{line}");
        assert_eq!(Letters::new(Size::FIFTEEN).parse(visits[0]).unwrap(), first(line));
        let counts: Vec<u32> = visits.iter().skip(1).step_by(2).map(|count| count.parse().unwrap()).collect();
        assert!(counts.is_sorted_by(|one, next| one >= next), "{line}");
    }
    assert_eq!(first(lines.last().unwrap()), point);
    let (lines, point) = search(&mut engine, &format!("{STONES}\nYXNBEST 4"));
    let last = &lines[lines.len() - 4..];
    assert_eq!(last.iter().map(|line| number(line, "multipv")).collect::<Vec<_>>(), [1, 2, 3, 4], "{last:?}");
    assert_eq!(first(&last[0]), point);
    engine.end();
}
