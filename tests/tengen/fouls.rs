//! The parts of fouls, compared with a search for them on the array of the board.
//!
//! ```text
//! overline   more than five stones in a row
//! four       four stones that one more stone turns into a row of exactly five
//! three      three stones that one more stone turns into a row of exactly four, of which a stone at either end makes a
//!            row of exactly five; the stone makes no five elsewhere and is not forbidden
//! ```

use std::collections::{BTreeMap, BTreeSet};

use tengen::board::{Board, Color, Foul, FoulPart, PointSet, Rule, Size};
use tengen::rng::Rng;

use crate::data::{board, records};
use crate::naive::{self, AXES, Grid};

type Cell = (i32, i32);
type Cells = BTreeSet<Cell>;

/// The kind of a part, its stones, and the points that complete it.
type Part = (&'static str, Cells, Cells);

fn with(grid: &Grid, (x, y): Cell) -> Grid {
    let mut grid = grid.clone();
    grid.put(x, y, 'X');
    grid
}

/// The cells of the row of black stones through a black stone.
fn row(grid: &Grid, (x, y): Cell, (dx, dy): Cell) -> Cells {
    let ray = |sign: i32| {
        let cells = (0..).map(move |step| (x + sign * step * dx, y + sign * step * dy));
        cells.take_while(|&(x, y)| grid.at(x, y) == 'X')
    };
    ray(1).chain(ray(-1)).collect()
}

fn empties(grid: &Grid, (x, y): Cell, (dx, dy): Cell) -> Vec<Cell> {
    let line = (-grid.size..=grid.size).map(|step| (x + step * dx, y + step * dy));
    line.filter(|&(x, y)| grid.at(x, y) == '.').collect()
}

fn makes_five(grid: &Grid, cell: Cell) -> bool {
    AXES.into_iter().any(|axis| row(&with(grid, cell), cell, axis).len() == 5)
}

/// The row without the added cell if it is a straight four: a stone at either end makes exactly five of it.
fn straight_four(grid: &Grid, point: Cell, added: Cell, axis: Cell) -> Option<Cells> {
    let grid = with(grid, added);
    let mut four = row(&grid, point, axis);
    if four.len() != 4 {
        return None;
    }
    let ends: Vec<_> = empties(&grid, point, axis)
        .into_iter()
        .filter(|&end| {
            let five = row(&with(&grid, end), point, axis);
            five.len() == 5 && five.is_superset(&four)
        })
        .collect();
    (ends.len() == 2 && four.remove(&added)).then_some(four)
}

/// Every overline, four and three through a point of black, whether the rule forbids it or not.
fn shapes(grid: &Grid, point: Cell) -> Vec<Part> {
    let grid = with(grid, point);
    let mut parts = Vec::new();
    for axis in AXES {
        let run = row(&grid, point, axis);
        if run.len() > 5 {
            parts.push(("overline", run, Cells::new()));
        }
        let (mut fours, mut threes) = (BTreeMap::<Cells, Cells>::new(), BTreeMap::<Cells, Cells>::new());
        for added in empties(&grid, point, axis) {
            let mut five = row(&with(&grid, added), point, axis);
            if five.len() == 5 && five.remove(&added) {
                fours.entry(five).or_default().insert(added);
            }
            if let Some(three) = straight_four(&grid, point, added, axis) {
                if !makes_five(&grid, added) && grid.foul(added.0, added.1).is_none() {
                    threes.entry(three).or_default().insert(added);
                }
            }
        }
        assert!(threes.len() < 2, "a line holds one three");
        parts.extend(fours.into_iter().map(|(stones, makes)| ("four", stones, makes)));
        parts.extend(threes.into_iter().map(|(stones, makes)| ("three", stones, makes)));
    }
    parts
}

/// The reasons for which these shapes are forbidden.
fn reasons(parts: &[Part]) -> Foul {
    let count = |kind| parts.iter().filter(|part| part.0 == kind).count();
    Foul { double_three: count("three") >= 2, double_four: count("four") >= 2, overline: count("overline") > 0 }
}

/// The shapes of each reason that holds. No shape is forbidden if the point makes a five.
fn parts(grid: &Grid, point: Cell) -> Vec<Part> {
    if makes_five(grid, point) {
        return Vec::new();
    }
    let shapes = shapes(grid, point);
    let Foul { double_three, double_four, overline } = reasons(&shapes);
    let holds = BTreeMap::from([("three", double_three), ("four", double_four), ("overline", overline)]);
    shapes.into_iter().filter(|shape| holds[shape.0]).collect()
}

fn cells(points: &PointSet) -> Cells {
    points.iter().map(naive::xy).collect()
}

fn found(part: &FoulPart) -> Part {
    match part {
        FoulPart::Three { stones, extensions } => ("three", cells(stones), cells(extensions)),
        FoulPart::Four { stones, fives } => ("four", cells(stones), cells(fives)),
        FoulPart::Overline { stones } => ("overline", cells(stones), Cells::new()),
    }
}

/// Compares the parts of every empty point with those of the twin. Returns the number of each kind.
fn compare(board: &Board) -> BTreeMap<&'static str, usize> {
    let grid = Grid::of(board);
    let mut counts = BTreeMap::new();
    for point in board.empty_points().iter() {
        let mut found: Vec<_> = board.foul_parts(point).iter().map(found).collect();
        let mut expected = if board.rule() == Rule::Renju { parts(&grid, naive::xy(point)) } else { Vec::new() };
        assert_eq!(board.foul(point).unwrap_or_default(), reasons(&found), "{board}\n{point:?}");
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{board}\n{point:?}");
        found.iter().for_each(|part| *counts.entry(part.0).or_default() += 1);
    }
    counts
}

/// Black has two thirds of the stones, so that many points are forbidden.
fn random_board(rng: &mut Rng, side: u8, rule: Rule) -> Board {
    let size = Size::new(side).unwrap();
    let mut board = Board::new(size, rule);
    let all: Vec<_> = size.points().collect();
    for _ in 0..all.len() / 4 + rng.below(all.len() / 4) {
        let point = all[rng.below(all.len())];
        if board.is_empty(point) {
            match rng.below(10) {
                0 => board.wall(point),
                1..=6 => board.place(point, Color::Black),
                _ => board.place(point, Color::White),
            }
        }
    }
    board
}

#[test]
fn the_parts_of_a_foul_are_its_rows_and_what_completes_them() {
    let mut rng = Rng::new(11);
    let mut counts = BTreeMap::new();
    for number in 0..120 {
        for (kind, count) in compare(&random_board(&mut rng, [9, 12, 15][number % 3], Rule::Renju)) {
            *counts.entry(kind).or_insert(0) += count;
        }
    }
    assert!(counts.len() == 3 && counts.values().all(|&count| count > 30), "{counts:?}");
    assert_eq!(compare(&random_board(&mut rng, 15, Rule::Freestyle)), BTreeMap::new());
}

#[test]
fn the_parts_of_labelled_fouls_are_their_rows() {
    for name in ["forbidden.jsonl", "disagreements_forbidden.jsonl", "forbidden_interpretation.jsonl"] {
        records(name).iter().step_by(4).for_each(|record| {
            compare(&board(record));
        });
    }
}
