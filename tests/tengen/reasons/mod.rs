//! The facts of `explain::reasons` on positions of near-random play, labelled proofs and clusters: checked by replay, by
//! naive play of every answer, and by new solvers with larger budgets.

mod referee;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tengen::board::{Board, Color, Outcome, Point, Rule, Size};
use tengen::explain::reasons::{Fact, ForcedWin, Reasons, Shape, Stopped};
use tengen::position::ThreatBoard;
use tengen::rng::Rng;
use tengen::solver::{Proof, Vcf, Vct, WinKind};
use tengen::threat::Threat;
use tengen::weights::{WeightedPosition, Weighting};

use self::referee::{ANY, FOURS, Referee, THREATS, fives, has_no_win, is_line_sound, passed, played};
use crate::data::{board, points, records};
use crate::playout::{every_cluster, is_allowed, threat, winning_fours};

/// Node budgets of one naive check, its solvers included: in the usual tests, there for the long proofs of labelled wins,
/// and in the thorough tests. A check beyond its budget is left open.
const FEW: u64 = 20_000;
const LABELLED: u64 = 100_000;
const MANY: u64 = 200_000;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    True,
    /// The win is confirmed, but the new solvers choose other moves and need more moves to win.
    Longer,
    /// The check exceeded its budget.
    Open,
    False,
}

fn truth(is_true: bool) -> Truth {
    if is_true { Truth::True } else { Truth::False }
}

/// Combines two checks: of a win within the stated number of moves, and of any win.
fn win_truth(bounded: impl FnOnce() -> Option<bool>, any: impl FnOnce() -> Option<bool>) -> Truth {
    match bounded() {
        Some(true) => Truth::True,
        _ => match any() {
            Some(true) => Truth::Longer,
            Some(false) => Truth::False,
            None => Truth::Open,
        },
    }
}

/// Whether the side to move wins as the fact says.
fn holds(board: &Board, win: &ForcedWin, line: &[Point], work: u64) -> Truth {
    let is_sound = is_line_sound(board, board.turn(), line) && line.len() == 2 * win.moves() - 1;
    let mut threats = ThreatBoard::new(board.clone());
    let is_by_fours = || match Vcf::default().shortest(&mut threats.clone(), FOURS) {
        Proof::Win(fours) if fours.is_empty() => win.moves() == 1,
        Proof::Win(fours) => fours.len() / 2 + 2 == win.moves(),
        Proof::NoWin | Proof::Unknown => false,
    };
    if !is_sound || win.kind == WinKind::Vcf && !is_by_fours() {
        return Truth::False;
    }
    let mut other = threats.clone();
    let bounded = || Referee::new(work).wins(&mut threats, win.moves());
    win_truth(bounded, || Referee::new(work).wins(&mut other, ANY))
}

fn is_stop_true(board: &Board, point: Point, fact: (&Stopped, &[Point], &[Point], &ForcedWin), work: u64) -> Truth {
    let (what, points, row, win) = fact;
    let other = !board.turn();
    let mut next = played(board, point);
    let by_stones = row.iter().all(|&stone| board.stones(other).contains(stone))
        && row.is_sorted_by_key(|stone| (stone.x(), stone.y()));
    let is_stopped = match what {
        Stopped::Five => {
            points.iter().all(|&five| board.wins(five, other)) && fives(&next, other).is_empty() && row.len() >= 4
        }
        Stopped::OpenFour => {
            let fours = winning_fours(&mut board.clone(), other);
            points.iter().all(|four| fours.contains(four))
                && winning_fours(&mut next, other).is_empty()
                && row.len() == 3
        }
        Stopped::Fork => row.is_empty() && threat(&mut board.clone(), points[0], other) >= Threat::DoubleThree,
        Stopped::Vcf | Stopped::Vct => row.is_empty(),
    };
    let is_gone = match what {
        Stopped::Five | Stopped::OpenFour => {
            Some(!matches!(Vcf::default().shortest(&mut ThreatBoard::new(next.clone()), FOURS), Proof::Win(_)))
        }
        Stopped::Fork | Stopped::Vcf | Stopped::Vct => has_no_win(&next),
    };
    if !is_stopped || is_gone == Some(false) || !by_stones || !points.contains(&win.line[0]) {
        return Truth::False;
    }
    match holds(&passed(board), win, &win.line, work) {
        Truth::True if is_gone.is_none() => Truth::Open,
        truth => truth,
    }
}

fn is_only_true(board: &Board, point: Point, refuted: WinKind, work: u64) -> Truth {
    let (mut vcf, mut vct) = (Vcf::default(), Vct::default());
    let (mut greatest, mut left) = (WinKind::Five, work);
    let others = board.empty_points();
    for other in others.iter().filter(|&other| other != point && is_allowed(board, other, board.turn())) {
        if board.outcome_of(other, board.turn()).is_some() {
            return Truth::False;
        }
        let mut threats = ThreatBoard::new(played(board, other));
        if !fives(threats.board(), !board.turn()).is_empty() {
            continue;
        }
        if let Proof::Win(_) = vcf.shortest(&mut threats, FOURS) {
            greatest = greatest.max(WinKind::Vcf);
            continue;
        }
        let proof = vct.any(&mut threats, THREATS.min(left), &|| false);
        left = left.saturating_sub(vct.nodes());
        match proof {
            Proof::Win(_) => greatest = WinKind::Vct,
            Proof::NoWin => return Truth::False,
            Proof::Unknown => return Truth::Open,
        }
    }
    truth(greatest == refuted)
}

fn is_shape_true(board: &Board, point: Point, shape: Shape, stones: &[Point]) -> bool {
    let mover = board.turn();
    let naive = threat(&mut board.clone(), point, mover);
    let of_shape = match shape {
        Shape::Two | Shape::OpenTwo | Shape::Three => Threat::Nothing,
        Shape::OpenThree => Threat::OpenThree,
        Shape::DoubleThree => Threat::DoubleThree,
        Shape::Four => Threat::Four,
        Shape::FourThree => Threat::FourThree,
        Shape::DoubleFour => Threat::DoubleFour,
        Shape::OpenFour => Threat::OpenFour,
    };
    let next = played(board, point);
    let on_lines = stones.iter().all(|&stone| {
        let (dx, dy) = (stone.x().abs_diff(point.x()), stone.y().abs_diff(point.y()));
        next.stones(mover).contains(stone) && (dx == 0 || dy == 0 || dx == dy)
    });
    // The rule may forbid the stone that would make the four.
    let has_three = shape == Shape::OpenThree || shape == Shape::DoubleThree || shape == Shape::FourThree;
    let grows = !has_three || {
        let mut next = next.clone();
        next.set_turn(mover);
        !winning_fours(&mut next, mover).is_empty()
    };
    let is_naive = if board.rule().forbids(mover) { of_shape <= naive } else { of_shape == naive };
    on_lines && stones.contains(&point) && stones.is_sorted() && is_naive && grows
}

/// Whether a fact is true.
fn is_true(board: &Board, point: Point, fact: &Fact, work: u64) -> Truth {
    let mover = board.turn();
    match fact {
        Fact::Forbidden(foul) => truth(mover == Color::Black && board.foul(point) == Some(*foul)),
        Fact::Five { points } => {
            let next = played(board, point);
            let own = points.iter().all(|&stone| next.stones(mover).contains(stone));
            truth(own && points.len() >= 5 && board.outcome_of(point, mover) == Some(Outcome::Row { winner: mover }))
        }
        Fact::Wins(win) => {
            let starts = win.line.first() == Some(&point) && win.line.len() == 2 * win.moves() - 1;
            let fours = win.kind != WinKind::Vcf || !fives(&played(board, point), mover).is_empty();
            if !starts || !fours || !is_line_sound(&played(board, point), mover, &win.line[1..]) {
                return Truth::False;
            }
            let wins = |moves| Referee::new(work).wins_after(&mut ThreatBoard::new(board.clone()), point, moves);
            win_truth(|| wins(win.moves()), || wins(ANY))
        }
        Fact::Loses(win) => {
            assert_eq!(win.line.first(), Some(&point));
            holds(&played(board, point), win, &win.line[1..], work)
        }
        Fact::Only { refuted } => is_only_true(board, point, *refuted, work),
        Fact::Stops { what, points, row, win } => is_stop_true(board, point, (what, points, row, win), work),
        Fact::Threatens { points, win } => {
            let next = passed(&played(board, point));
            let at_once = match win.moves() {
                1 => fives(&next, mover),
                2 => winning_fours(&mut next.clone(), mover),
                _ => points.clone(),
            };
            let are_listed = !points.is_empty() && points.len() <= 4;
            // A single point that must block a five is the first of its line.
            let are_true = points.iter().all(|point| at_once.contains(point)) || *points == [win.line[0]];
            if are_listed && are_true { holds(&next, win, &win.line, work) } else { Truth::False }
        }
        Fact::Makes { shape, points } => truth(is_shape_true(board, point, *shape, points)),
    }
}

/// The number of facts of each kind, and of those whose check was given up.
#[derive(Default)]
struct Counts {
    positions: usize,
    facts: BTreeMap<String, usize>,
    /// The facts that are not true.
    wrong: Vec<String>,
    longer: usize,
    open: usize,
    /// The positions of one naive check.
    work: u64,
    slowest: Duration,
    total: Duration,
}

impl Counts {
    fn new(work: u64) -> Self {
        Self { work, ..Self::default() }
    }

    fn judge(&mut self, board: &Board, point: Point) {
        let start = Instant::now();
        let facts = Reasons::of(board, point, &|| false).facts;
        let time = start.elapsed();
        (self.slowest, self.total) = (self.slowest.max(time), self.total + time);
        self.positions += 1;
        assert!(facts.len() <= 3, "{facts:?}");
        for fact in &facts {
            let name = match fact {
                Fact::Forbidden(_) => "forbidden".to_owned(),
                Fact::Five { .. } => "five".to_owned(),
                Fact::Wins(win) => format!("wins by {}", win.kind),
                Fact::Loses(win) => format!("loses to {}", win.kind),
                Fact::Only { refuted } => format!("only, {refuted}"),
                Fact::Stops { what, .. } => format!("stops {what}"),
                Fact::Threatens { win, .. } => format!("threatens {}", win.kind),
                Fact::Makes { shape, .. } => format!("makes {shape}"),
            };
            *self.facts.entry(name).or_default() += 1;
            match is_true(board, point, fact, self.work) {
                Truth::True => {}
                Truth::Longer => self.longer += 1,
                Truth::Open => self.open += 1,
                Truth::False => {
                    self.wrong.push(format!("{board}\n{} {} {point:?}: {fact:?}", board.rule(), board.turn()));
                }
            }
        }
    }
}

/// A position of near-random play and a move. A half, three quarters or all of the moves are among the best three of a
/// weighting.
fn near_random(rule: Rule, rng: &mut Rng) -> Option<(Board, Point)> {
    let size = Size::new([15, 15, 15, 9, 20][rng.below(5)])?;
    let mut position = WeightedPosition::new(Board::new(size, rule), Weighting::default());
    let (stones, quarters) = (3 + rng.below(28), 2 + rng.below(3));
    for number in 0.. {
        let near: Vec<Point> = position.board().near_stones().iter().collect();
        let point = if rng.below(4) < quarters || near.is_empty() {
            *position.ranking().get(rng.below(3))?
        } else {
            near[rng.below(near.len())]
        };
        if number == stones {
            return Some((position.board().clone(), point));
        }
        if position.board().outcome_of(point, position.board().turn()).is_some() {
            return None;
        }
        position.play(point);
    }
    None
}

#[allow(clippy::print_stdout, reason = "progress is printed")]
fn judge_near_random(rule: Rule, positions: usize, work: u64) -> Counts {
    let mut rng = Rng::new(0x77 + rule.index() as u64);
    let mut counts = Counts::new(work);
    while counts.positions < positions {
        if let Some((board, point)) = near_random(rule, &mut rng) {
            counts.judge(&board, point);
            if counts.positions % 100 == 0 && counts.positions < positions {
                println!("{rule}: {} positions, {} facts wrong", counts.positions, counts.wrong.len());
            }
        }
    }
    report(&rule.to_string(), &counts);
    counts
}

#[test]
fn facts_of_near_random_play_are_true() {
    for rule in Rule::ALL {
        let counts = judge_near_random(rule, 12, FEW);
        assert!(counts.facts.len() > 4, "{rule}: {:?}", counts.facts);
    }
}

/// `cargo test --release --test tengen reasons:: -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_positions_a_rule_have_no_false_fact() {
    std::thread::scope(|scope| {
        for rule in Rule::ALL {
            scope.spawn(move || judge_near_random(rule, 1000, FEW));
        }
    });
}

#[allow(clippy::print_stdout, reason = "counts are printed")]
fn report(name: &str, counts: &Counts) {
    let Counts { positions, facts, longer, open, slowest, total, .. } = counts;
    let mean = *total / *positions as u32;
    println!("{name}: {positions} positions, mean {mean:.1?}, slowest {slowest:.1?}, {longer} longer, {open} open");
    facts.iter().for_each(|(fact, count)| println!("  {count:5} {fact}"));
    // Without this bound a check that decides nothing would pass.
    let all: usize = facts.values().sum();
    assert!(2 * (longer + open) < all, "{name}: {longer} longer and {open} open of {all} facts");
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
}

/// The first moves of labelled wins, and the moves of the other side that may meet them.
fn judge_labelled(file: &str, step: usize, work: u64) -> Counts {
    let mut counts = Counts::new(work);
    for record in records(file).iter().step_by(step) {
        let board = board(record);
        let line = points(record, &record["expect"]["line"]);
        if let [first, second, ..] = line[..] {
            counts.judge(&board, first);
            counts.judge(&passed(&board), first);
            counts.judge(&passed(&board), second);
        }
    }
    counts
}

#[test]
fn facts_about_labelled_wins_are_true() {
    for (file, step) in [("vcf.jsonl", 160), ("vct.jsonl", 80)] {
        let counts = judge_labelled(file, step, LABELLED);
        report(file, &counts);
        assert!(counts.facts.keys().any(|name| name.starts_with("wins")), "{file}: {:?}", counts.facts);
    }
}

/// `cargo test --release --test tengen reasons:: -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn all_labelled_wins_have_no_false_fact() {
    for file in ["vcf.jsonl", "vct.jsonl"] {
        report(file, &judge_labelled(file, 1, MANY));
    }
}

#[test]
fn facts_of_clusters_with_walls_are_true() {
    let mut counts = Counts::new(FEW);
    let mut rng = Rng::new(4);
    every_cluster(9, 2, |threats| {
        let near: Vec<Point> = threats.board().near_stones().iter().collect();
        let Some(&point) = near.get(rng.below(near.len().max(1))) else { return false };
        counts.judge(threats.board(), point);
        true
    });
    report("clusters", &counts);
    assert_eq!(counts.positions, 30);
}
