//! Labelled positions: `tests/data`, or the folder that `TENGEN_TEST_DATA` names.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use tengen::board::{Board, Color, Occupant, Outcome, Point, Rule, Size};
use tengen::notation::Letters;
use tengen::position::ThreatBoard;
use tengen::threat::{LineWindow, Pattern, PatternTable};

/// The text of a data file.
pub fn read(name: &str) -> String {
    let folder = std::env::var_os("TENGEN_TEST_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data"), PathBuf::from);
    let path = folder.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn records(name: &str) -> Vec<Value> {
    let records: Vec<_> = read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!records.is_empty(), "{name} is empty");
    records
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string"))
}

/// The notation of the points in a record.
pub fn letters(record: &Value) -> Letters {
    Letters::new(record["size"].as_u64().map_or(Size::FIFTEEN, |side| Size::new(side as u8).unwrap()))
}

/// A point of a record.
pub fn point(record: &Value, value: &Value) -> Point {
    letters(record).parse(text(value)).unwrap()
}

/// A list of points of a record.
pub fn points(record: &Value, value: &Value) -> Vec<Point> {
    value.as_array().into_iter().flatten().map(|value| point(record, value)).collect()
}

fn rule(value: &Value) -> Rule {
    match text(value) {
        "caro_overline_ok" => Rule::CaroOverline,
        name => name.parse().unwrap(),
    }
}

fn color(value: &Value) -> Color {
    if text(value) == "black" { Color::Black } else { Color::White }
}

pub fn board(record: &Value) -> Board {
    let mut board = Board::new(letters(record).size(), rule(&record["rule"]));
    for color in Color::ALL {
        for point in points(record, &record[color.to_string()]) {
            board.place(point, color);
        }
    }
    board.set_turn(color(&record["turn"]));
    board
}

/// Every empty point of every position is forbidden for the reasons in the file, or legal.
fn forbidden_points_are_exact(name: &str) {
    for record in records(name) {
        let id = text(&record["id"]);
        let board = board(&record);
        let position = ThreatBoard::<()>::new(board.clone());
        let fouls = record["expect"]["forbidden"].as_object().unwrap();
        let expected: BTreeMap<Point, &str> =
            fouls.iter().map(|(point, kinds)| (letters(&record).parse(point).unwrap(), text(kinds))).collect();
        let fives = points(&record, &record["expect"]["fives"]);
        for point in board.empty_points().iter() {
            let kinds = |names: &str| {
                let mut kinds: Vec<_> = names.split('+').map(str::to_owned).collect();
                kinds.sort();
                kinds
            };
            let foul = board.foul(point).map(|foul| kinds(&foul.to_string()));
            assert_eq!(foul, expected.get(&point).map(|names| kinds(names)), "{id} {point:?}");
            assert_eq!(board.is_forbidden(point, Color::Black), foul.is_some(), "{id} {point:?}");
            assert_eq!(position.is_forbidden(point, Color::Black), foul.is_some(), "{id} {point:?} by patterns");
            assert!(!board.is_forbidden(point, Color::White), "{id} {point:?}");
            assert_eq!(board.wins(point, Color::Black), fives.contains(&point), "{id} {point:?}");
        }
    }
}

#[test]
fn forbidden_points_are_those_of_three_independent_programs() {
    forbidden_points_are_exact("forbidden.jsonl");
}

#[test]
fn forbidden_points_are_right_where_public_programs_are_wrong() {
    forbidden_points_are_exact("disagreements_forbidden.jsonl");
}

#[test]
fn forbidden_points_follow_the_federation_where_readings_differ() {
    forbidden_points_are_exact("forbidden_interpretation.jsonl");
}

#[test]
fn moves_end_the_game_as_the_judge_decides() {
    for record in records("terminal.jsonl") {
        let board = board(&record);
        let point = point(&record, &record["move"]);
        assert_eq!(board.at(point), Occupant::Empty);
        let result = match board.outcome_of(point, color(&record["turn"])) {
            Some(Outcome::Row { .. }) => "win",
            Some(Outcome::Foul { .. }) => "foul",
            Some(Outcome::Draw) => "draw",
            None => "none",
        };
        assert_eq!(result, text(&record["expect"]["result"]), "{}", text(&record["id"]));
    }
}

/// The codes of all 3^10 windows of five free cells a side. In these windows the other side's stones act as edges too.
fn line_codes_are_reproduced(name: &str, rule: Rule) {
    let codes = read(name);
    let codes = codes.trim_end().as_bytes();
    assert_eq!(codes.len(), 3usize.pow(10));
    let distances: Vec<i8> = (-5..=5).filter(|&distance| distance != 0).collect();
    let table = PatternTable::of(rule);
    for (index, &code) in codes.iter().enumerate() {
        let mut rest = index;
        let mut digits = [0; 10];
        for digit in digits.iter_mut().rev() {
            *digit = rest % 3;
            rest /= 3;
        }
        // The tables do not cover cells behind an edge, so a window may end at the first "other or edge".
        let on_board = |half: &[usize]| half.iter().take_while(|&&digit| digit != 2).count() as u8;
        let before: Vec<_> = digits[..5].iter().rev().copied().collect();
        let mut with_stones = LineWindow::empty(5, 5);
        let mut with_edges = LineWindow::empty(on_board(&before), on_board(&digits[5..]));
        let (reach_before, reach_after) = with_edges.reach();
        for (&distance, &digit) in distances.iter().zip(&digits) {
            let owner = match digit {
                0 => continue,
                1 => tengen::threat::Cell::Own,
                _ => tengen::threat::Cell::Opponent,
            };
            with_stones = with_stones.with(distance, owner);
            if -(reach_before as i8) <= distance && distance <= reach_after as i8 {
                with_edges = with_edges.with(distance, owner);
            }
        }
        for window in [with_stones, with_edges] {
            let found = match table.get(window)[Color::Black] {
                Pattern::Five => b'5',
                Pattern::Overline => b'6',
                Pattern::OpenFour => b'F',
                Pattern::DoubleFour => b'D',
                Pattern::Four => b'4',
                Pattern::OpenThree => b'3',
                _ => b'.',
            };
            assert_eq!(char::from(found), char::from(code), "{name} {index} {window}");
        }
    }
}

#[test]
fn line_codes_of_exactly_five_are_reproduced() {
    line_codes_are_reproduced("line_codes_exact.txt", Rule::Standard);
    line_codes_are_reproduced("line_codes_exact.txt", Rule::Renju);
}

#[test]
fn line_codes_of_five_or_more_are_reproduced() {
    line_codes_are_reproduced("line_codes_five_or_more.txt", Rule::Freestyle);
}
