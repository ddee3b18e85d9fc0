//! The naive twins: every rule, pattern and weighting again, slow and obvious, cell by cell, written from the
//! documents. They share only the names of types with the library.
#![allow(dead_code, reason = "the benches share this file and use a part of it")]

use std::collections::{BTreeSet, HashMap};

use tengen::board::{Board, Color, Direction, Foul, Occupant, Point, Rule};
use tengen::threat::Pattern;
use tengen::weights::Weighting;

/// The four axes as (dx, dy), in the order of `Direction::ALL`.
pub const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board as characters: `X` black, `O` white, `.` empty. Any other character, and everything outside, is off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub size: i32,
    pub rule: Rule,
    pub signs: Vec<char>,
}

pub fn sign(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

pub fn other(side: char) -> char {
    if side == 'X' { 'O' } else { 'X' }
}

impl Grid {
    pub fn new(size: u8, rule: Rule) -> Self {
        Self { size: size.into(), rule, signs: vec!['.'; usize::from(size) * usize::from(size)] }
    }

    pub fn of(board: &Board) -> Self {
        let mut grid = Self::new(board.size().side(), board.rule());
        for point in board.size().points() {
            let sign = match board.at(point) {
                Occupant::Empty => '.',
                Occupant::Stone(color) => sign(color),
                Occupant::Wall => '#',
            };
            grid.put(point.x().into(), point.y().into(), sign);
        }
        grid
    }

    pub fn at(&self, x: i32, y: i32) -> char {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        if inside { self.signs[(y * self.size + x) as usize] } else { '#' }
    }

    pub fn put(&mut self, x: i32, y: i32, sign: char) {
        self.signs[(y * self.size + x) as usize] = sign;
    }

    pub fn empties(&self) -> Vec<(i32, i32)> {
        let all = (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y)));
        all.filter(|&(x, y)| self.at(x, y) == '.').collect()
    }

    /// The same grid with one more stone.
    fn with(&self, x: i32, y: i32, sign: char) -> Self {
        let mut grid = self.clone();
        grid.put(x, y, sign);
        grid
    }

    /// The length of the run of `side` through (x, y), which holds a stone of `side`, and how many of its ends the
    /// other side blocks.
    fn run(&self, x: i32, y: i32, (dx, dy): (i32, i32), side: char) -> (i32, i32) {
        let mut length = 1;
        let mut blocked = 0;
        for sign in [-1, 1] {
            let mut step = 1;
            while self.at(x + sign * step * dx, y + sign * step * dy) == side {
                step += 1;
            }
            length += step - 1;
            blocked += i32::from(self.at(x + sign * step * dx, y + sign * step * dy) == other(side));
        }
        (length, blocked)
    }

    fn is_five(&self, x: i32, y: i32, axis: (i32, i32), side: char) -> bool {
        let (length, blocked) = self.run(x, y, axis, side);
        match (self.rule, side) {
            (Rule::Freestyle, _) | (Rule::Renju, 'O') => length >= 5,
            (Rule::Standard, _) | (Rule::Renju, _) => length == 5,
            (Rule::CaroOverline, _) => length >= 6 || (length == 5 && blocked < 2),
            (Rule::Caro, _) => length == 5 && blocked < 2,
        }
    }

    /// Whether `side` wins by playing (x, y).
    pub fn wins(&self, x: i32, y: i32, side: char) -> bool {
        let grid = self.with(x, y, side);
        AXES.into_iter().any(|axis| grid.is_five(x, y, axis, side))
    }

    /// Renju's fouls for black at (x, y), as the rule text defines them: sets of stones, and recursion on whole boards.
    pub fn foul(&self, x: i32, y: i32) -> Option<Foul> {
        let grid = self.with(x, y, 'X');
        let run = |axis| grid.run(x, y, axis, 'X').0;
        if AXES.into_iter().any(|axis| run(axis) == 5) {
            return None;
        }
        let mut fours = 0;
        let mut threes = 0;
        for axis in AXES {
            fours += grid.fours(x, y, axis).len();
            threes += usize::from(grid.is_real_three(x, y, axis));
        }
        let foul = Foul {
            double_three: threes >= 2,
            double_four: fours >= 2,
            overline: AXES.into_iter().any(|axis| run(axis) > 5),
        };
        (foul != Foul::default()).then_some(foul)
    }

    /// The sets of four black stones through (x, y) that one more stone turns into exactly five.
    fn fours(&self, x: i32, y: i32, (dx, dy): (i32, i32)) -> BTreeSet<Vec<i32>> {
        let at = |step: i32| self.at(x + step * dx, y + step * dy);
        let mut sets = BTreeSet::new();
        for first in -4..=0 {
            let cells: Vec<i32> = (first..=first + 4).collect();
            let stones: Vec<i32> = cells.iter().copied().filter(|&step| at(step) == 'X').collect();
            let empties = cells.iter().filter(|&&step| at(step) == '.').count();
            if stones.len() == 4 && empties == 1 && at(first - 1) != 'X' && at(first + 5) != 'X' {
                sets.insert(stones);
            }
        }
        sets
    }

    /// Whether some stone that black may legally play makes a straight four with (x, y).
    fn is_real_three(&self, x: i32, y: i32, (dx, dy): (i32, i32)) -> bool {
        (-4..=4).filter(|&step| step != 0).any(|step| {
            let (ex, ey) = (x + step * dx, y + step * dy);
            if self.at(ex, ey) != '.' {
                return false;
            }
            let grid = self.with(ex, ey, 'X');
            let makes_five = AXES.into_iter().any(|axis| grid.run(ex, ey, axis, 'X').0 == 5);
            !makes_five && grid.is_straight_four((x, y), (ex, ey), (dx, dy)) && self.foul(ex, ey).is_none()
        })
    }

    /// Whether both points lie in one unbroken four with both ends empty and no black stone beyond them.
    fn is_straight_four(&self, (x, y): (i32, i32), (ex, ey): (i32, i32), (dx, dy): (i32, i32)) -> bool {
        (-3..=0).any(|first| {
            let cell = |step: i32| (x + step * dx, y + step * dy);
            let at = |step: i32| self.at(cell(step).0, cell(step).1);
            (first..=first + 3).all(|step| at(step) == 'X')
                && (first..=first + 3).any(|step| cell(step) == (ex, ey))
                && at(first - 1) == '.'
                && at(first + 4) == '.'
                && at(first - 2) != 'X'
                && at(first + 5) != 'X'
        })
    }
}

/// A cache of the naive classifier: line, index, rule and side → pattern.
#[derive(Default)]
pub struct Patterns(HashMap<(String, i32, Rule, char), Pattern>);

impl Patterns {
    /// The pattern of the line through (x, y) after `side` plays there, by the definitions on the whole line.
    pub fn of(&mut self, grid: &Grid, x: i32, y: i32, axis: (i32, i32), side: char) -> Pattern {
        let (dx, dy) = axis;
        let mut line: Vec<char> = Vec::new();
        let mut start = 0;
        while grid.at(x + (start - 1) * dx, y + (start - 1) * dy) != '#' {
            start -= 1;
        }
        let mut step = start;
        while step == 0 || grid.at(x + step * dx, y + step * dy) != '#' {
            line.push(grid.at(x + step * dx, y + step * dy));
            step += 1;
        }
        let middle = -start;
        line[middle as usize] = side;
        self.classify(&line.into_iter().collect::<String>(), middle, grid.rule, side)
    }

    /// The pattern of the row through `middle`, which holds a stone of `side`.
    pub fn classify(&mut self, line: &str, middle: i32, rule: Rule, side: char) -> Pattern {
        let key = (line.to_owned(), middle, rule, side);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let pattern = self.define(line, middle, rule, side);
        self.0.insert(key, pattern);
        pattern
    }

    fn define(&mut self, line: &str, middle: i32, rule: Rule, side: char) -> Pattern {
        let mut grid = Grid { size: line.len() as i32, rule, signs: vec!['#'; line.len() * line.len()] };
        grid.signs[..line.len()].copy_from_slice(&line.chars().collect::<Vec<_>>());
        let near: Vec<i32> = (middle - 5..=middle + 5).filter(|&x| grid.at(x, 0) == '.').collect();
        let (length, _) = grid.run(middle, 0, (1, 0), side);
        if grid.is_five(middle, 0, (1, 0), side) {
            return Pattern::Five;
        }
        let five_points = |grid: &Grid| {
            let fives = |&&x: &&i32| grid.at(x, 0) == '.' && grid.with(x, 0, side).is_five(middle, 0, (1, 0), side);
            near.iter().filter(fives).count()
        };
        match five_points(&grid) {
            0 => {}
            1 => return Pattern::Four,
            // Some reply of the other side leaves no way to five, so it is no better than one way.
            _ if near.iter().any(|&x| five_points(&grid.with(x, 0, other(side))) == 0) => return Pattern::Four,
            _ if length == 4 => return Pattern::OpenFour,
            _ => return Pattern::DoubleFour,
        }
        if length > 5 {
            return Pattern::Overline;
        }
        let next: Vec<Pattern> = near
            .iter()
            .map(|&x| {
                let line: String = grid.with(x, 0, side).signs[..line.len()].iter().collect();
                self.classify(&line, middle, rule, side)
            })
            .collect();
        let can = |pattern| next.contains(&pattern);
        if can(Pattern::OpenFour) {
            Pattern::OpenThree
        } else if can(Pattern::Four) || can(Pattern::DoubleFour) {
            Pattern::Three
        } else if can(Pattern::OpenThree) {
            Pattern::OpenTwo
        } else if can(Pattern::Three) {
            Pattern::Two
        } else if can(Pattern::OpenTwo) {
            Pattern::OpenOne
        } else if can(Pattern::Two) {
            Pattern::One
        } else {
            Pattern::Dead
        }
    }
}

/// Attack, defence and total of the empty point (x, y) for the side to move.
pub fn weights(weighting: Weighting, grid: &Grid, x: i32, y: i32, side: char) -> (i64, i64, i64) {
    let (own, their) = (side, other(side));
    let of = |for_side: char, role: Role| match weighting.name() {
        "shapes" => shapes(grid, x, y, for_side, role),
        "decimal" => decimal(grid, x, y, for_side, role),
        "windows" => windows(grid, x, y, for_side),
        "grades" => grades(grid, x, y, for_side, role),
        "counts" => counts(grid, x, y, for_side, role),
        "runs" => runs(grid, x, y, for_side),
        name => panic!("{name} has no naive twin"),
    };
    let (attack, defence) = (of(own, Role::Own), of(their, Role::Their));
    let total = if is_greater_of_both(weighting) { attack.max(defence) } else { attack + defence };
    (attack, defence, total)
}

/// Whether the total of a weighting is the maximum of attack and defence, rather than their sum.
pub fn is_greater_of_both(weighting: Weighting) -> bool {
    matches!(weighting.name(), "windows" | "grades")
}

/// The point that a weighting plays: a plain scan with the rules for openings and ties.
pub fn greatest(weighting: Weighting, grid: &Grid, side: char) -> Option<(i32, i32)> {
    let centre = grid.size / 2;
    let no_stone = !grid.signs.iter().any(|sign| "XO".contains(*sign));
    if no_stone && grid.at(centre, centre) == '.' {
        return Some((centre, centre));
    }
    let is_forbidden = |x, y| grid.rule == Rule::Renju && side == 'X' && grid.foul(x, y).is_some();
    let distance = |x: i32, y: i32| (2 * x - (grid.size - 1)).pow(2) + (2 * y - (grid.size - 1)).pow(2);
    let rank = |&(x, y): &(i32, i32)| {
        let (_, _, total) = weights(weighting, grid, x, y, side);
        (is_forbidden(x, y), -total, distance(x, y), y, x)
    };
    grid.empties().into_iter().min_by_key(rank)
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Own,
    Their,
}

/// The run after `side` plays (x, y): its length and number of open ends.
fn run_after(grid: &Grid, x: i32, y: i32, (dx, dy): (i32, i32), side: char) -> (i32, i32) {
    let (mut length, mut open) = (1, 0);
    for sign in [-1, 1] {
        let mut step = 1;
        while grid.at(x + sign * step * dx, y + sign * step * dy) == side {
            step += 1;
        }
        length += step - 1;
        open += i32::from(grid.at(x + sign * step * dx, y + sign * step * dy) == '.');
    }
    (length, open)
}

#[allow(clippy::too_many_lines, reason = "the cases of the document, one after another")]
fn shapes(grid: &Grid, x: i32, y: i32, side: char, role: Role) -> i64 {
    let rays = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let rays = rays.map(|(dx, dy)| shapes_ray(|j| grid.at(x + j * dx, y + j * dy), side, role));
    let value: i64 = rays.iter().map(|(value, _)| value).sum();
    let twos = rays.iter().filter(|(_, is_two)| *is_two).count();
    let for_twos = if role == Role::Their { 2900 } else { 3000 };
    if twos >= 2 { value + for_twos } else { value }
}

/// The number that one ray adds, and whether it is a two.
fn shapes_ray(at: impl Fn(i32) -> char, side: char, role: Role) -> (i64, bool) {
    let minus = |amount: i64| if role == Role::Their { amount } else { 0 };
    let s = |j: i32| at(j) == side;
    let empty = |j: i32| at(j) == '.';
    let blocked = |j: i32| at(j) == other(side) || at(j) == '#';
    if s(-1) && s(-2) && s(-3) && s(-4) && empty(-5) {
        return (300_000 - minus(500), false);
    }
    if s(-1) && s(-2) && s(-3) && s(-4) && blocked(-5) {
        return (250_000 - minus(500), false);
    }
    if s(-1) && s(-2) && s(-3) && s(1) {
        return (240_000 - minus(500), false);
    }
    if s(-1) && s(-2) && s(1) && s(2) {
        return (230_000 - minus(500), false);
    }
    let mut value = 0;
    if s(-1) && s(-2) && s(-3) {
        if empty(1) {
            value += 750;
            if empty(-4) {
                value += 3150 - minus(300);
            }
        }
        if blocked(1) && empty(-4) {
            value += 500;
        }
        return (value, false);
    }
    if empty(-1) && s(-2) && s(-3) && s(-4) {
        return (350, false);
    }
    if s(-1) && s(-2) && s(1) {
        value += 600;
        if empty(-3) && empty(2) {
            value += 3150;
        } else if !(blocked(-3) && blocked(2)) {
            value += 700;
        }
        return (value, false);
    }
    let is_two = s(-1) && s(-2) && at(-3) != other(side) && at(1) != other(side);
    for k in -4..=0 {
        let span: Vec<i32> = (k..=k + 4).collect();
        if !span.iter().any(|&j| blocked(j)) {
            value += 15 * span.iter().filter(|&&j| s(j)).count() as i64;
        }
    }
    (value, is_two)
}

fn decimal(grid: &Grid, x: i32, y: i32, side: char, role: Role) -> i64 {
    let axis = |axis| {
        let (own, their) = match run_after(grid, x, y, axis, side) {
            (5.., _) => (1_000_000_000, 100_000_000),
            (4, 2) => (10_000_000, 100_000),
            (4, 1) => (1_000_000, 1_000),
            (3, 2) => (10_000, 0),
            (3, 1) => (100, 0),
            (2, 2) => (10, 0),
            (2, 1) => (1, 0),
            _ => (0, 0),
        };
        if role == Role::Own { own } else { their }
    };
    AXES.into_iter().map(axis).sum()
}

fn windows(grid: &Grid, x: i32, y: i32, side: char) -> i64 {
    let mut weight = 0;
    for (dx, dy) in AXES {
        for first in -4..=0 {
            let cells: Vec<char> = (first..first + 5).map(|j| grid.at(x + j * dx, y + j * dy)).collect();
            if cells.iter().all(|&cell| cell == '.' || cell == side) {
                weight += [1, 5, 100, 5000, 100_000][cells.iter().filter(|&&cell| cell == side).count()];
            }
        }
    }
    weight
}

fn grades(grid: &Grid, x: i32, y: i32, side: char, role: Role) -> i64 {
    let axis = |axis| match run_after(grid, x, y, axis, side) {
        (5.., _) => 100,
        (4, 2) => 80,
        (3, 2) => 70,
        (4, 1) => 60,
        (3, 1) => 50,
        (2, 2) => 40,
        (2, 1) => 30,
        _ => 0,
    };
    AXES.into_iter().map(axis).max().unwrap() + i64::from(role == Role::Own)
}

fn counts(grid: &Grid, x: i32, y: i32, side: char, role: Role) -> i64 {
    let axis = |axis| {
        let (own, their) = match run_after(grid, x, y, axis, side) {
            (5.., _) => (10_000_000, 50_000),
            (4, 2) => (10_000, 5_000),
            (3, 2) => (1_000, 500),
            (2, 2) => (100, 50),
            _ => (0, 0),
        };
        if role == Role::Own { own } else { their }
    };
    let mut weight: i64 = AXES.into_iter().map(axis).sum();
    if role == Role::Own {
        weight += i64::from(grid.size % 2 == 1 && x == grid.size / 2 && y == grid.size / 2);
        if grid.rule == Rule::Renju && side == 'X' && grid.foul(x, y).is_some() {
            weight -= 100_000_000;
        }
    }
    weight
}

fn runs(grid: &Grid, x: i32, y: i32, side: char) -> i64 {
    let mut weight = 0;
    for (dx, dy) in AXES.into_iter().flat_map(|(dx, dy)| [(dx, dy), (-dx, -dy)]) {
        let mut length = 0;
        while grid.at(x + (length + 1) * dx, y + (length + 1) * dy) == side {
            length += 1;
        }
        let behind = grid.at(x + (length + 1) * dx, y + (length + 1) * dy);
        weight += match (length, behind == '.') {
            (1, true) => 50,
            (2, true) => 150,
            (3, true) => 500,
            (1, false) => 30,
            (2, false) => 90,
            (3, false) => 300,
            (4, _) => 3000,
            _ => 0,
        };
    }
    weight
}

/// The coordinates of a point.
pub fn xy(point: Point) -> (i32, i32) {
    (point.x().into(), point.y().into())
}

/// The axis of a direction.
pub fn axis(direction: Direction) -> (i32, i32) {
    AXES[direction.index()]
}
