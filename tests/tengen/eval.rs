//! The classical evaluation compared with its twin, which parses the weight files itself and sums in floating point.
//!
//! ```text
//! weight file ─► f64 ─► score     Σ score share / 8               ─┐
//!                   └─► 16 units  max(0, bias + Σ share) / 512     ├─► score in score points
//!                                 × output / 256 × 200            ─┘
//! ```

use std::collections::HashMap;
use std::path::Path;

use tengen::board::{Board, Color, Direction, Point, Rule, Size};
use tengen::eval::{Classical, Evaluator, MovePriors};
use tengen::position::Position;
use tengen::rng::Rng;
use tengen::threat::Pattern;

use crate::walk::every_walk;

/// Hidden units.
const UNITS: usize = 16;

/// Numbers of one role on a line of a file: the score share and the shares of the units.
const ROLE: usize = 1 + UNITS;

/// Units of a score share per score point.
const SCORE_POINT: f64 = 8.0;

/// The stored number of a hidden unit that stands for 1.
const UNIT: f64 = 512.0;

/// The stored number of an output weight that stands for 1.
const OUTPUT: f64 = 256.0;

/// Score points per logit of 1.
const LOGIT: f64 = 200.0;

/// The maximum static evaluation. Scores of 31,000 and more are wins.
const GREATEST: f64 = 30_999.0;

/// Rounding error of the integers: score share and hidden share are each truncated to a whole score point.
const CUTS: f64 = 2.0;

/// The relative error of the hidden share: the engine divides by 655 instead of 512 × 256 / 200 = 655.36.
const DIVISOR: f64 = UNIT * OUTPUT / LOGIT / 655.0 - 1.0;

/// The largest board size on which every sum of a unit fits 16 bits. On larger boards the engine's sums wrap in random
/// positions with fives at every turn; the tests skip those.
const GREATEST_SIDE: u8 = 20;

/// One file of weights.
struct File {
    bias: Vec<f64>,
    output: Vec<f64>,
    /// Rows by sorted patterns: attack prior, defence prior, the numbers for the mover, the numbers for the other side.
    combinations: HashMap<[Pattern; 4], Vec<f64>>,
}

impl File {
    fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/weights").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        let mut file = Self { bias: Vec::new(), output: Vec::new(), combinations: HashMap::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, numbers) = line.split_once(' ').unwrap();
            let numbers: Vec<f64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            match name {
                "bias" => file.bias = numbers,
                "output" => file.output = numbers,
                letters => {
                    let letters: Vec<_> = letters.chars().map(pattern).collect();
                    assert_eq!(numbers.len(), 2 + 2 * ROLE);
                    file.combinations.insert(sorted(letters.try_into().unwrap()), numbers);
                }
            }
        }
        assert_eq!((file.bias.len(), file.output.len(), file.combinations.len()), (UNITS, UNITS, 1365));
        file
    }
}

fn pattern(letter: char) -> Pattern {
    match letter {
        '.' => Pattern::Dead,
        '6' => Pattern::Overline,
        'a' => Pattern::One,
        'A' => Pattern::OpenOne,
        'b' => Pattern::Two,
        'B' => Pattern::OpenTwo,
        'c' => Pattern::Three,
        'C' => Pattern::OpenThree,
        'd' => Pattern::Four,
        'D' => Pattern::DoubleFour,
        'F' => Pattern::OpenFour,
        '5' => Pattern::Five,
        _ => panic!("{letter} is not a pattern"),
    }
}

fn sorted(mut patterns: [Pattern; 4]) -> [Pattern; 4] {
    patterns.sort_unstable();
    patterns
}

/// The weight files of a rule.
struct Twin {
    rule: Rule,
    black: File,
    white: File,
}

impl Twin {
    fn new(rule: Rule) -> Self {
        let [black, white] = match rule {
            Rule::Freestyle => ["freestyle.txt"; 2],
            Rule::Standard => ["standard.txt"; 2],
            Rule::Renju => ["renju_black.txt", "renju_white.txt"],
            Rule::CaroOverline | Rule::Caro => ["caro.txt"; 2],
        }
        .map(File::read);
        Self { rule, black, white }
    }

    fn file(&self, color: Color) -> &File {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The numbers of an empty point for one color.
    fn numbers(&self, position: &Position<Classical>, point: Point, color: Color) -> &[f64] {
        let patterns = position.threats().patterns(point, color);
        &self.file(color).combinations[&sorted(Direction::ALL.map(|direction| patterns.get(direction)))]
    }

    /// Compares every result of the engine for a position with the twin. Returns whether the sums fit 16 bits.
    fn check(&self, position: &mut Position<Classical>) -> bool {
        let is_small = position.board().size().side() <= GREATEST_SIDE;
        let mut is_compared = true;
        for mover in Color::ALL {
            self.check_priors(position, mover);
            let (score, units) = self.sums(position, mover);
            if units.iter().any(|unit| unit.abs() > f64::from(i16::MAX)) {
                assert!(!is_small, "a sum does not fit 16 bits\n{}", position.board());
                is_compared = false;
                continue;
            }
            let outputs = units.iter().zip(&self.file(mover).output);
            let hidden: f64 = outputs.map(|(unit, output)| (unit / UNIT).max(0.0) * (output / OUTPUT) * LOGIT).sum();
            let expected = (score / SCORE_POINT + hidden).clamp(-GREATEST, GREATEST);
            let found = {
                let (evaluation, sets) = position.follow_beside_sets();
                f64::from(evaluation.score(sets, mover).value())
            };
            let bound = CUTS + DIVISOR * hidden.abs();
            assert!((found - expected).abs() < bound, "{mover}: {found}, expected {expected}\n{}", position.board());
        }
        is_compared
    }

    fn check_priors(&self, position: &mut Position<Classical>, mover: Color) {
        for point in position.board().empty_points().iter() {
            let attack = self.numbers(position, point, mover)[0];
            let defence = self.numbers(position, point, !mover)[1];
            let prior = {
                let (evaluation, sets) = position.follow_beside_sets();
                evaluation.move_priors(sets, mover).of(point)
            };
            assert_eq!(f64::from(prior), attack + defence, "{mover} {point:?}\n{}", position.board());
        }
    }

    /// Sums over the empty points: the score share, and the units including their bias.
    fn sums(&self, position: &Position<Classical>, mover: Color) -> (f64, Vec<f64>) {
        let mut score = 0.0;
        let mut units = self.file(mover).bias.clone();
        for point in position.board().empty_points().iter() {
            let as_mover = &self.numbers(position, point, mover)[2..2 + ROLE];
            let as_other = &self.numbers(position, point, !mover)[2 + ROLE..];
            for shares in [as_mover, as_other] {
                score += shares[0];
                units.iter_mut().zip(&shares[1..]).for_each(|(unit, share)| *unit += share);
            }
        }
        (score, units)
    }
}

#[test]
fn the_evaluation_is_the_floating_point_sum_of_the_weight_files() {
    for twin in Rule::ALL.map(Twin::new) {
        for size in (Size::MIN..=Size::MAX).map(|side| Size::new(side).unwrap()) {
            let mut rng = Rng::new(size.side().into());
            let mut position = Position::<Classical>::new(Board::new(size, twin.rule), ());
            let mut compared = u32::from(twin.check(&mut position));
            position.play(size.centre());
            loop {
                let empty = position.board().empty_points();
                let stones = position.board().stones(Color::Black).union(&position.board().stones(Color::White));
                let near: Vec<_> = stones.neighbourhood().intersection(&empty).iter().collect();
                if near.is_empty() {
                    break;
                }
                position.play(near[rng.below(near.len())]);
                // About ten positions from each game.
                if rng.below(size.area()) < 10 {
                    compared += u32::from(twin.check(&mut position));
                }
            }
            assert!(compared > 2, "{} on {}", twin.rule, size.side());
        }
    }
}

#[test]
fn the_evaluation_keeps_that_sum_through_undo_and_walls() {
    let twins = Rule::ALL.map(Twin::new);
    every_walk::<Classical>(11, &[()], 150, |walk| {
        if walk.rng.below(8) == 0 {
            let rule = walk.position.board().rule();
            twins.iter().filter(|twin| twin.rule == rule).for_each(|twin| assert!(twin.check(&mut walk.position)));
        }
    });
}
