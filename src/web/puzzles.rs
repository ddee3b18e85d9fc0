//! The built-in puzzles, made by `tengen-tune puzzles`. The first line of each file names the arguments.

use serde_json::{Value, json};

use super::game::names;
use crate::board::Rule;
use crate::puzzle::{GRADES, Puzzle, SIZE, parse_puzzles};

/// The file of a rule. Rules without one have no puzzles.
const fn text(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => include_str!("puzzles/freestyle.txt"),
        Rule::Standard => include_str!("puzzles/standard.txt"),
        Rule::Renju => include_str!("puzzles/renju.txt"),
        Rule::Caro | Rule::CaroOverline => "",
    }
}

/// The puzzles of a rule.
fn builtin(rule: Rule) -> Vec<Puzzle> {
    parse_puzzles(text(rule)).unwrap_or_default()
}

/// The puzzles of a rule by length. A link names a puzzle by its place, counted from one.
pub(super) fn list(rule: Rule) -> Value {
    let puzzle = |puzzle: &Puzzle| {
        json!({
            "kind": puzzle.kind.to_string(),
            "length": puzzle.length,
            "moves": names(puzzle.moves.iter().copied()).join(" "),
            "solution": names(puzzle.solution.iter().copied()).join(" "),
        })
    };
    let puzzles: Vec<_> = builtin(rule).iter().map(puzzle).collect();
    json!({ "rule": rule.to_string(), "size": SIZE.side(), "grades": GRADES, "puzzles": puzzles })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::ThreatBoard;
    use crate::puzzle::PuzzleFinder;

    const RULES: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

    /// Finds each of these puzzles again from its position alone.
    fn check<'a>(rule: Rule, puzzles: impl Iterator<Item = &'a Puzzle>) {
        for puzzle in puzzles {
            let board = puzzle.board(rule);
            let again = PuzzleFinder::default().find(&mut ThreatBoard::new(board), &puzzle.moves).unwrap();
            assert_eq!((again.kind, again.solution[0]), (puzzle.kind, puzzle.solution[0]), "{rule}: {puzzle}");
        }
    }

    #[test]
    fn the_files_hold_puzzles_of_every_grade() {
        for rule in RULES {
            let puzzles = parse_puzzles(text(rule)).unwrap();
            assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.length), "{rule}");
            for grade in 0..GRADES.len() {
                assert!(puzzles.iter().any(|puzzle| puzzle.grade() == grade), "{rule}: grade {grade}");
            }
            // A part of them: a whole run costs minutes.
            check(rule, puzzles.iter().step_by((puzzles.len() / 4).max(1)));
        }
    }

    #[test]
    #[ignore = "minutes"]
    fn all_built_in_puzzles_are_found_again() {
        RULES.into_iter().for_each(|rule| check(rule, builtin(rule).iter()));
    }
}
