//! Swap2 and renju: e55 to e62.

use std::time::Duration;

use tengen::board::{Point, Rule, Size};
use tengen::notation::{Comma, parse_comma};
use tengen::rng::Rng;

use super::engine::{Engine, Program, board_of, both, played, read_move, record};
use super::timing::time_of;

fn started(program: Program, size: u8) -> Engine {
    let mut engine = Engine::spawn(program);
    engine.expect(&format!("START {size}"), "OK");
    engine
}

/// Sends SWAP2BOARD. Returns the points of the answer, or an empty list for SWAP.
fn ask_swap2(engine: &mut Engine, lines: &str) -> Vec<Point> {
    let answer = engine.ask(&format!("SWAP2BOARD\n{lines}DONE"));
    if answer == "SWAP" {
        return Vec::new();
    }
    answer.split(' ').map(|word| read_move(word).unwrap_or_else(|| panic!("{answer}"))).collect()
}

fn lines(points: &[Point]) -> String {
    points.iter().map(|point| format!("{}\n", Comma(*point))).collect()
}

#[test]
fn e55_no_stones_are_answered_by_three() {
    both(|program| {
        for size in Size::MIN..=Size::MAX {
            let mut engine = started(program, size);
            let points = ask_swap2(&mut engine, "");
            let mut distinct = points.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), 3);
            assert!(points.iter().all(|point| Size::new(size).unwrap().contains(*point)));
            engine.end();
        }
    });
}

#[test]
fn e56_three_stones_are_answered_by_a_color() {
    both(|program| {
        let mut engine = started(program, 15);
        assert_eq!(ask_swap2(&mut engine, "7,7\n0,0\n8,7\n"), [], "black has the middle, white a corner");
        let white = ask_swap2(&mut engine, "0,0\n7,7\n14,14\n");
        assert_eq!(white.len(), 1, "white has the middle and the move");
        engine.end();
    });
}

#[test]
fn e57_five_stones_are_answered_by_a_color() {
    both(|program| {
        let mut engine = started(program, 15);
        assert_eq!(ask_swap2(&mut engine, "7,7\n0,0\n8,7\n0,2\n9,7\n"), []);
        assert_eq!(ask_swap2(&mut engine, "0,0\n7,7\n14,14\n7,8\n0,14\n").len(), 1);
        engine.end();
    });
}

#[test]
fn e55_to_e57_answers_always_fit_the_board() {
    both(|program| {
        let mut rng = Rng::new(55);
        for size in [5, 6, 15, 20, 32] {
            let mut engine = started(program, size);
            for rule in [0, 1, 4, 8, 9] {
                engine.send(&format!("INFO rule {rule}"));
                for count in 0..=8 {
                    let mut points: Vec<_> = Size::new(size).unwrap().points().collect();
                    rng.shuffle(&mut points);
                    points.truncate(count);
                    let answer = ask_swap2(&mut engine, &lines(&points));
                    match count {
                        0 => assert_eq!(answer.len(), 3),
                        3 if program != Program::Greedy => assert!(answer.len() <= 2),
                        3 | 5 => assert!(answer.len() <= 1),
                        _ => assert_eq!(answer.len(), 1),
                    }
                    assert!(answer.iter().all(|point| !points.contains(point)), "{points:?}: {answer:?}");
                }
            }
            engine.end();
        }
    });
}

#[test]
fn e58_after_swap2_a_board_decides_the_colors() {
    both(|program| {
        let mut engine = started(program, 15);
        let opening = ask_swap2(&mut engine, "");
        for fields in [["1", "2", "1"], ["2", "1", "2"]] {
            let stones: String =
                opening.iter().zip(fields).map(|(point, field)| format!("{},{field}\n", Comma(*point))).collect();
            let point = engine.ask_move(&format!("BOARD\n{stones}DONE"));
            assert!(!opening.contains(&point));
        }
        engine.end();
    });
}

#[test]
fn e58_swap2_leaves_the_board_unchanged() {
    both(|program| {
        let mut engine = started(program, 15);
        ask_swap2(&mut engine, "7,7\n8,8\n9,9\n");
        assert_eq!(Comma(engine.ask_move("BEGIN")).to_string(), "7,7");
        engine.end();
    });
}

#[test]
fn e59_a_swap2_list_is_read_like_a_board() {
    both(|program| {
        let mut engine = started(program, 15);
        let plain = engine.ask("SWAP2BOARD\n7,7\n8,8\n9,9\nDONE");
        // Table entries from an earlier search may change a score.
        engine.expect("YXHASHCLEAR\nswap2board\n 7 , 7 , 1\n\n8,8,2\n9, 9\ndone", &plain);
        engine.send("YXHASHCLEAR\nSWAP2BOARD\n7,7\nxx\n99,99\n20,20\n7,7\n8,8\n9,9\nDONE");
        assert!(engine.line().starts_with("MESSAGE skipped"));
        assert_eq!(engine.line(), plain);
        engine.send("SWAP2BOARD\n7,7");
        engine.end();
    });
}

#[test]
fn e60_black_with_forbidden_points_only_plays_one() {
    both(|program| {
        // XXX.XX in every other row would make six. The rest is white.
        let mut own = String::new();
        let mut opponent = String::new();
        let mut empty = Vec::new();
        for point in Size::FIFTEEN.points() {
            match (point.y() % 3, point.x()) {
                (0, 3) => empty.push(point),
                (0, 0..=5) => own += &format!("{},1\n", Comma(point)),
                _ => opponent += &format!("{},2\n", Comma(point)),
            }
        }
        let mut engine = started(program, 15);
        let board = format!("{own}{opponent}DONE");
        engine.send(&format!("INFO rule 4\nYXBOARD\n{board}"));
        let forbidden = engine.ask("YXSHOWFORBID");
        assert_eq!(forbidden.len(), "FORBID .".len() + 4 * empty.len(), "{forbidden}");
        let point = engine.ask_move(&format!("BOARD\n{board}"));
        assert!(empty.contains(&point), "{point:?}");
        engine.end();
    });
}

#[test]
fn e61_a_five_is_played_even_if_it_is_also_a_double_four() {
    both(|program| {
        // e5 makes a five in its row, and fours in its column and on a diagonal.
        let stones = record("a5o15b5o13c5o11d5n15e6n13e7n11e8l15f6l13g7l11h8k14");
        let board = played(&stones, Size::FIFTEEN, Rule::Renju);
        let five = parse_comma("4,4").unwrap();
        assert!(board.wins(five, board.turn()));
        let mut without_five = board.clone();
        without_five.try_remove(parse_comma("0,4").unwrap()).unwrap();
        assert!(without_five.foul(five).is_some());
        let mut engine = started(program, 15);
        engine.send("INFO rule 4");
        assert_eq!(engine.ask_move(&board_of(&stones)), five);
        engine.expect("TAKEBACK 4,4", "OK");
        assert!(!engine.ask("YXSHOWFORBID").contains("0404"));
        engine.end();
    });
}

#[test]
fn e62_a_late_renju_position_is_answered_on_an_empty_point() {
    both(|program| {
        let mut stones = record("h8h9i8i9j8j9h10j10g11f12k7b1a1c1d1");
        let mut rest: Vec<_> = Size::FIFTEEN.points().filter(|point| !stones.contains(point)).collect();
        Rng::new(62).shuffle(&mut rest);
        stones.extend(rest.into_iter().take(80));
        assert_eq!(stones.len(), 95);
        let mut engine = started(program, 15);
        engine.send("INFO rule 4");
        for count in 1..=stones.len() {
            let point = engine.ask_move(&board_of(&stones[..count]));
            assert!(!stones[..count].contains(&point), "{point:?} is taken");
        }
        engine.end();
    });
}

/// The searching engine with a small node limit.
fn searching(size: u8) -> Engine {
    started(Program::Search, size)
}

#[test]
fn the_search_opens_with_carried_stones_and_varies_them() {
    let mut engine = searching(15);
    engine.send("INFO rule 1\nINFO max_node 20000");
    // Earlier searches are cleared, so only the opening's number varies the openings.
    let ask = |engine: &mut Engine| {
        engine.send("YXHASHCLEAR");
        ask_swap2(engine, "")
    };
    let openings = [(); 4].map(|()| ask(&mut engine));
    let distinct: std::collections::BTreeSet<_> = openings.iter().collect();
    assert!(distinct.len() > 1, "{openings:?}");
    let mut again = searching(15);
    again.send("INFO rule 1\nINFO max_node 20000");
    assert_eq!([(); 4].map(|()| ask(&mut again)), openings, "the same in every process");
    let carried = tengen::opening::three_stones::listed(Rule::Standard, Size::FIFTEEN);
    for opening in &openings {
        let images = tengen::board::Symmetry::all()
            .map(|symmetry| opening.iter().map(|&point| symmetry.apply(point, Size::FIFTEEN)).collect::<Vec<_>>());
        let is_carried = |image: Vec<Point>| carried.iter().any(|stones| stones.iter().eq(image.iter().copied()));
        assert!(images.into_iter().any(is_carried), "{opening:?}");
    }
    engine.end();
    again.end();
}

#[test]
fn the_search_takes_the_color_that_its_score_prefers() {
    for rule in [0, 1, 4, 9] {
        let mut engine = searching(15);
        engine.send(&format!("INFO rule {rule}\nINFO max_node 20000"));
        // Black has two adjacent stones and white one in the corner; then black has two in distant corners and white
        // the middle.
        assert_eq!(ask_swap2(&mut engine, "7,7\n0,0\n8,8\n"), [], "rule {rule}: black is ahead");
        assert_eq!(ask_swap2(&mut engine, "0,0\n7,7\n14,14\n").len(), 1, "rule {rule}: white is ahead");
        assert_eq!(ask_swap2(&mut engine, "7,7\n0,0\n8,8\n14,0\n7,8\n"), [], "rule {rule}: black is ahead");
        assert_eq!(ask_swap2(&mut engine, "0,0\n7,7\n14,14\n7,8\n0,14\n").len(), 1, "rule {rule}: white is ahead");
        engine.end();
    }
}

/// A side that adds two stones leaves the choice to the other side, so it does this only on a nearly even board.
#[test]
fn the_search_may_leave_the_choice_by_two_stones() {
    let mut engine = searching(15);
    engine.send("INFO rule 1\nINFO max_node 5000");
    let openings = tengen::opening::three_stones::listed(Rule::Standard, Size::FIFTEEN);
    let points = openings.iter().map(|stones| stones.iter().collect::<Vec<_>>());
    let answers: Vec<_> = points.map(|points| ask_swap2(&mut engine, &lines(&points)).len()).collect();
    assert!(answers.contains(&2) && answers.contains(&1) && answers.contains(&0), "{answers:?}");
    engine.end();
}

/// Swap2 questions, and the time for the answer in ms.
pub(super) const TIMED: [(u64, &str); 5] =
    [(300, ""), (300, "7,7\n8,7\n9,9\n"), (300, "0,0\n7,7\n9,9\n8,1\n3,3\n"), (0, ""), (1, "7,7\n")];

/// Asks such a question. Returns the time of the answer.
pub(super) fn answer_in(time: u64, question: &str) -> Duration {
    let mut engine = Engine::bare(Program::Search);
    engine.expect(&format!("START 15\nINFO timeout_turn {time}"), "OK");
    engine.ask_move("BEGIN");
    let time = time_of(|| _ = ask_swap2(&mut engine, question));
    engine.end();
    time
}

#[test]
fn the_search_answers_swap2_however_short_its_time() {
    for (time, question) in TIMED {
        answer_in(time, question);
    }
}

#[test]
fn a_stop_ends_the_search_about_swap2_with_an_answer() {
    for question in ["", "7,7\n8,7\n9,9\n", "0,0\n7,7\n9,9\n8,1\n3,3\n"] {
        let mut engine = Engine::bare(Program::Search);
        engine.expect("START 15\nINFO timeout_turn 2147483647", "OK");
        engine.send(&format!("SWAP2BOARD\n{question}DONE"));
        // The search for an opening ends by itself after a second or two. The others do not end.
        if !question.is_empty() {
            assert_eq!(engine.line_within(Duration::from_millis(100)), None);
        }
        let answer = engine.ask("STOP");
        assert!(answer == "SWAP" || answer.split(' ').all(|word| read_move(word).is_some()), "{answer}");
        assert_eq!(
            Comma(engine.ask_move("INFO timeout_turn 0\nBEGIN")).to_string(),
            "7,7",
            "no stone was put on the board"
        );
        engine.end();
    }
}
