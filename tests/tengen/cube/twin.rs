//! A naive twin of the cube, which rereads every line from a grid of characters.

use std::cmp::Reverse;

use tengen::board::{Color, Outcome};
use tengen::cube::{Board, Cell, Gravity, Weights, greediest, ranking};
use tengen::rng::Rng;

/// The stones by `[z][y][x]`: `X` black, `O` white, `.` empty.
type Grid = [[[char; 4]; 4]; 4];

fn at(grid: &Grid, cell: [usize; 3]) -> char {
    grid[cell[2]][cell[1]][cell[0]]
}

/// The 76 lines. Along a line each axis increases, decreases or stays fixed, and at least one axis moves. The first
/// axis that moves increases, so that no line is listed twice.
fn lines() -> Vec<[[usize; 3]; 4]> {
    let mut lines = Vec::new();
    let kinds = 6_usize.pow(3);
    for kind in 0..kinds {
        // 0 to 3: fixed at that coordinate; 4: increasing; 5: decreasing.
        let axes = [kind % 6, kind / 6 % 6, kind / 36];
        if axes.iter().find(|axis| **axis > 3) == Some(&4) {
            let coordinate = |axis: usize, step: usize| match axis {
                4 => step,
                5 => 3 - step,
                fixed => fixed,
            };
            lines.push(std::array::from_fn(|step| axes.map(|axis| coordinate(axis, step))));
        }
    }
    lines
}

fn stones(grid: &Grid, line: &[[usize; 3]; 4], sign: char) -> usize {
    line.iter().filter(|cell| at(grid, **cell) == sign).count()
}

/// The value of a line for a side, as the document defines it.
fn value(grid: &Grid, line: &[[usize; 3]; 4], own: char, other: char) -> i32 {
    match stones(grid, line, own) {
        _ if stones(grid, line, other) > 0 => 0,
        0 => 1,
        1 => 5,
        2 => 100,
        3 => 5_000,
        _ => 100_000,
    }
}

/// The playable cells.
fn playable(grid: &Grid, gravity: Gravity) -> Vec<[usize; 3]> {
    let cells = (0..64).map(|index| [index % 4, index / 4 % 4, index / 16]);
    let lies =
        |cell: &[usize; 3]| gravity == Gravity::Off || cell[2] == 0 || grid[cell[2] - 1][cell[1]][cell[0]] != '.';
    cells.filter(|&cell| at(grid, cell) == '.').filter(lies).collect()
}

/// The empty cells on which a stone makes four in a row.
fn fours(grid: &Grid, lines: &[[[usize; 3]; 4]], sign: char) -> Vec<[usize; 3]> {
    let almost = lines.iter().filter(|line| stones(grid, line, sign) == 3);
    almost.flatten().copied().filter(|&cell| at(grid, cell) == '.').collect()
}

/// The values of all lines for one side: their sum over the position, and the sum through each cell.
fn sums(grid: &Grid, lines: &[[[usize; 3]; 4]], own: char, other: char) -> (i32, [i32; 64]) {
    let (mut total, mut points) = (0, [0; 64]);
    for line in lines {
        let value = value(grid, line, own, other);
        total += value;
        line.iter().for_each(|[x, y, z]| points[x + 4 * y + 16 * z] += value);
    }
    (total, points)
}

/// The document's choice, by the order of its tie rule.
fn greedy(grid: &Grid, lines: &[[[usize; 3]; 4]], gravity: Gravity, own: char, other: char) -> [usize; 3] {
    let (own_points, other_points) = (sums(grid, lines, own, other).1, sums(grid, lines, other, own).1);
    let fours = [own, other].map(|sign| fours(grid, lines, sign));
    let rank = |&[x, y, z]: &[usize; 3]| {
        let cell = [x, y, z];
        let index = x + 4 * y + 16 * z;
        let squares = cell.map(|axis| (2 * axis as i32 - 3).pow(2));
        let distance = squares[0] + squares[1] + if gravity == Gravity::Off { squares[2] } else { 0 };
        let makes_four = fours.each_ref().map(|fours| Reverse(fours.contains(&cell)));
        (makes_four, Reverse(own_points[index] + other_points[index]), distance, y, x, z)
    };
    playable(grid, gravity).into_iter().min_by_key(rank).unwrap()
}

/// Compares everything derived from the stones. Returns the naive list of playable cells.
fn compare(board: &Board, weights: &Weights, grid: &Grid, lines: &[[[usize; 3]; 4]]) -> Vec<[usize; 3]> {
    let position = board.position();
    let signs = [(Color::Black, 'X', 'O'), (Color::White, 'O', 'X')];
    for (side, own, other) in signs {
        let (total, points) = sums(grid, lines, own, other);
        assert_eq!(weights.total(side), total);
        Cell::all().for_each(|cell| assert_eq!(weights.point(cell, side), points[cell.index()], "{cell}"));
        let has_four = lines.iter().any(|line| stones(grid, line, own) == 4);
        assert_eq!(position.has_four(side), has_four);
    }
    let cells = playable(grid, position.gravity());
    let named = |cell: Cell| [cell.x(), cell.y(), cell.z()];
    assert_eq!(position.playable().map(named).collect::<Vec<_>>(), cells);
    if board.outcome().is_none() {
        for (side, own, _) in signs {
            let fours = fours(grid, lines, own);
            let wins: Vec<_> = cells.iter().copied().filter(|cell| fours.contains(cell)).collect();
            assert_eq!(position.winning_cells(side).map(named).collect::<Vec<_>>(), wins);
        }
        let (_, own, other) = signs[position.turn().index()];
        let pick = greediest(position, weights).unwrap();
        assert_eq!(named(pick), greedy(grid, lines, position.gravity(), own, other));
        assert_eq!(ranking(position, weights).first(), Some(&pick));
    }
    cells
}

#[test]
fn ten_thousand_random_games_agree_with_the_naive_twin() {
    let lines = lines();
    assert_eq!(lines.len(), 76);
    let mut rng = Rng::new(64);
    let mut won = 0;
    for game in 0..10_000 {
        let gravity = if game % 2 == 0 { Gravity::On } else { Gravity::Off };
        let mut board = Board::new(gravity);
        let mut grid = [[['.'; 4]; 4]; 4];
        let mut weights = Weights::new(board.position());
        let before = weights.clone();
        while board.outcome().is_none() {
            let cells = compare(&board, &weights, &grid, &lines);
            let [x, y, z] = cells[rng.below(cells.len())];
            let (cell, turn) = (Cell::new(x, y, z).unwrap(), board.position().turn());
            board.play(cell);
            weights.add(cell, turn);
            grid[z][y][x] = if turn == Color::Black { 'X' } else { 'O' };
        }
        compare(&board, &weights, &grid, &lines);
        assert_eq!(weights, Weights::new(board.position()));
        match board.outcome() {
            Some(Outcome::Row { winner }) => {
                assert_eq!(winner, !board.position().turn());
                won += 1;
            }
            outcome => assert_eq!(outcome, Some(Outcome::Draw)),
        }
        // Undo the whole game.
        while let Some(cell) = board.undo() {
            weights.remove(cell, board.position().turn());
        }
        assert_eq!((board, weights), (Board::new(gravity), before));
    }
    // Draws are rare: none of these games is one.
    assert!(won > 9_900, "{won} won");
}
