//! The VCT solver compared with labelled proofs, and tested against every defence.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use tengen::board::{Board, Color, Point, Rule, Size};
use tengen::picker::{AlphaBeta, Deadlines, Limits, Picker};
use tengen::position::ThreatBoard;
use tengen::rng::Rng;
use tengen::solver::{Proof, Vct};
use tengen::weights::{WeightedPosition, Weighting};

use crate::data::{board, records, text};

fn five_points(board: &Board, color: Color) -> Vec<Point> {
    board.empty_points().iter().filter(|&point| board.wins(point, color)).collect()
}

fn allowed_points(board: &Board) -> Vec<Point> {
    board.empty_points().iter().filter(|&point| !board.is_forbidden(point, board.turn())).collect()
}

/// The points where the side to move leaves the other side without a five, found by trying all points.
fn naive_stops(board: &Board) -> Vec<Point> {
    let mover = board.turn();
    let stops = |&point: &Point| {
        let mut after = board.clone();
        after.play(point);
        five_points(&after, !mover).is_empty()
    };
    allowed_points(board).into_iter().filter(stops).collect()
}

/// The solver's play against every answer.
struct Challenge {
    vct: Vct,
    seen: HashSet<u64>,
}

/// Budget of one proof.
const NODES: u64 = 200_000;

impl Challenge {
    /// Whether the solver, called again at every move, beats every defence. Only rules of the board are used.
    fn wins(&mut self, position: &mut ThreatBoard) -> bool {
        let attacker = position.board().turn();
        if !self.seen.insert(position.board().key().bits()) || !five_points(position.board(), attacker).is_empty() {
            return true;
        }
        let Proof::Win(line) = self.vct.any(position, NODES, &|| false) else { return false };
        let Some(&point) = line.first() else { return false };
        let board = position.board();
        if !board.is_empty(point) || board.outcome_of(point, attacker).is_some() {
            return false;
        }
        position.play(point);
        let is_won = five_points(position.board(), !attacker).is_empty() && {
            let is_four = !five_points(position.board(), attacker).is_empty();
            let board = position.board();
            let answers = if is_four { naive_stops(board) } else { allowed_points(board) };
            answers.into_iter().all(|answer| {
                position.play(answer);
                let is_won = self.wins(position);
                position.undo();
                is_won
            })
        };
        position.undo();
        is_won
    }
}

/// Whether the solver's play beats every defence.
fn is_sound(position: &mut ThreatBoard) -> bool {
    Challenge { vct: Vct::default(), seen: HashSet::new() }.wins(position)
}

/// Alternating stones on random points near the middle, without a five. `None` if that fails.
fn scattered(rule: Rule, rng: &mut Rng, stones: usize) -> Option<Board> {
    let size = Size::new(11)?;
    let mut board = Board::new(size, rule);
    for _ in 0..stones {
        let near: Vec<Point> = board.empty_points().iter().filter(|point| point.distance(size.centre()) <= 3).collect();
        let point = *near.get(rng.below(near.len()))?;
        if board.outcome_of(point, board.turn()).is_some() {
            return None;
        }
        board.play(point);
    }
    Some(board)
}

/// Whether every move of the line is legal, neither side passes up a five, and the last move has no answer.
fn is_line_sound(vct: &mut Vct, position: &ThreatBoard, line: &[Point]) -> bool {
    let attacker = position.board().turn();
    let mut position = position.clone();
    for &point in line {
        let (board, mover) = (position.board(), position.board().turn());
        let is_passed_by = !five_points(board, mover).is_empty();
        if is_passed_by || !board.is_empty(point) || board.outcome_of(point, mover).is_some() {
            return false;
        }
        position.play(point);
    }
    let board = position.board();
    let answers = if five_points(board, attacker).is_empty() { allowed_points(board) } else { naive_stops(board) };
    board.turn() != attacker
        && five_points(board, !attacker).is_empty()
        && answers.into_iter().all(|answer| {
            position.play(answer);
            let is_won = matches!(vct.any(&mut position, NODES, &|| false), Proof::Win(line) if line.len() <= 1);
            position.undo();
            is_won
        })
}

#[test]
fn labelled_wins_by_threats_are_never_denied_and_their_lines_hold() {
    let mut vct = Vct::default();
    let mut won = 0;
    let records = records("vct.jsonl");
    for record in &records {
        let id = text(&record["id"]);
        let mut position = ThreatBoard::new(board(record));
        match vct.any(&mut position, 10_000, &|| false) {
            Proof::Win(line) => {
                won += 1;
                assert!(is_line_sound(&mut Vct::default(), &position, &line), "{id} {line:?}");
            }
            Proof::NoWin => panic!("{id} is denied"),
            Proof::Unknown => {}
        }
        assert_eq!(position.board(), &board(record), "{id}");
        assert!(position.is_consistent(), "{id}");
    }
    assert!(won * 2 > records.len(), "{won} of {}", records.len());
}

/// At a fixed depth the clock does not affect how long a VCT is searched for.
#[test]
fn the_clock_has_no_effect_at_a_fixed_depth() {
    let is_long = |position: &ThreatBoard| {
        let proof = |nodes| Vct::default().any(&mut position.clone(), nodes, &|| false);
        proof(4000) == Proof::Unknown && matches!(proof(20_000), Proof::Win(_))
    };
    let positions = records("vct.jsonl").into_iter().map(|record| ThreatBoard::new(board(&record)));
    let long = positions.into_iter().find(is_long).unwrap();
    let mut position = WeightedPosition::new(long.board().clone(), Weighting::default());
    let mut pick = |time| {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        limits.control.set_deadlines(Deadlines { soft: time, hard: time });
        AlphaBeta::default().pick(&mut position, &limits)
    };
    assert_eq!(pick(Some(Duration::from_secs(600))), pick(None));
}

#[test]
fn proofs_by_threats_hold_against_every_answer() {
    let is_short = |record: &&serde_json::Value| record["expect"]["attacker_moves_upper_bound"] == 3;
    for record in records("vct.jsonl").iter().filter(is_short).step_by(3) {
        let mut position = ThreatBoard::new(board(record));
        assert!(is_sound(&mut position), "{}", text(&record["id"]));
    }
}

#[test]
fn proofs_by_threats_hold_under_every_rule() {
    holds_under_every_rule(2);
}

fn holds_under_every_rule(games: usize) {
    for rule in Rule::ALL {
        let mut rng = Rng::new(1 + rule.index() as u64);
        let mut won = 0;
        while won < games {
            let Some(board) = scattered(rule, &mut rng, 14) else { continue };
            let mut position = ThreatBoard::new(board);
            let mut vct = Vct::default();
            if let Proof::Win(line) = vct.any(&mut position, 5_000, &|| false) {
                if line.len() > 3 {
                    won += 1;
                    assert!(is_sound(&mut position), "{rule}\n{}", position.board());
                }
            }
        }
    }
}

#[test]
#[ignore = "takes minutes; run with --release"]
fn all_labelled_proofs_by_threats_hold_against_every_answer() {
    for record in records("vct.jsonl") {
        let mut position = ThreatBoard::new(board(&record));
        if matches!(Vct::default().any(&mut position, NODES, &|| false), Proof::Win(_)) {
            assert!(is_sound(&mut position), "{}", text(&record["id"]));
        }
    }
    holds_under_every_rule(60);
}

#[test]
#[ignore = "measures; run with --release --nocapture"]
#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn share_of_continuous_threats_within_a_second() {
    let mut times: Vec<Duration> = Vec::new();
    let records = records("vct.jsonl");
    for record in &records {
        let mut position = ThreatBoard::new(board(record));
        let mut vct = Vct::default();
        let start = Instant::now();
        let proof = vct.any(&mut position, u64::MAX, &|| start.elapsed() > Duration::from_secs(1));
        match proof {
            Proof::Win(_) => times.push(start.elapsed()),
            Proof::NoWin => println!("{} is denied", text(&record["id"])),
            Proof::Unknown => println!("{} takes longer", text(&record["id"])),
        }
    }
    times.sort();
    let median = times[times.len() / 2];
    println!("{} of {} proved, median {median:?}, worst {:?}", times.len(), records.len(), times.last().unwrap());
}
