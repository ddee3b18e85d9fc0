//! Threatened wins and the points that prevent them, compared with fresh solvers after every point.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tengen::board::{Board, Color, Point, PointSet, Rule, Size};
use tengen::notation::parse_comma;
use tengen::position::ThreatBoard;
use tengen::solver::{Budget, Defences, Proof, ThreatSolver, ThreatenedWin, Vcf, Vct, WinKind};

use crate::data::{board, records};
use crate::playout::{every_cluster, fives, is_allowed};

fn points(names: &str) -> PointSet {
    names.split_whitespace().map(|name| parse_comma(name).unwrap()).collect()
}

fn game(rule: Rule, moves: &str) -> Board {
    let mut board = Board::new(Size::FIFTEEN, rule);
    moves.split_whitespace().for_each(|name| board.play(parse_comma(name).unwrap()));
    board
}

/// The simplest win of the side to move by fresh solvers; `None` if a proof takes more nodes.
fn win_of(board: &Board, nodes: u64) -> Option<Option<WinKind>> {
    if !fives(board, board.turn()).is_empty() {
        return Some(Some(WinKind::Five));
    }
    let mut threats = ThreatBoard::new(board.clone());
    match Vcf::default().shortest(&mut threats, Budget { nodes, ..Budget::GENEROUS }) {
        Proof::Win(_) => return Some(Some(WinKind::Vcf)),
        Proof::NoWin => {}
        Proof::Unknown => return None,
    }
    match Vct::default().any(&mut threats, nodes, &|| false) {
        Proof::Win(_) => Some(Some(WinKind::Vct)),
        Proof::NoWin => Some(None),
        Proof::Unknown => None,
    }
}

/// Whether a legal point of the side to move holds; `None` if a proof takes more nodes.
fn holds(board: &Board, point: Point, nodes: u64) -> Option<bool> {
    if board.wins(point, board.turn()) {
        return Some(true);
    }
    let mut after = board.clone();
    after.play(point);
    win_of(&after, nodes).map(|win| win.is_none())
}

/// The threat with its points, searched until `must_stop` was asked this many times.
fn find(board: &Board, most: usize) -> (ThreatenedWin, Defences) {
    let asked = std::cell::Cell::new(0);
    let must_stop = || {
        asked.set(asked.get() + 1);
        asked.get() > most
    };
    let (mut solver, mut threats) = (ThreatSolver::default(), ThreatBoard::new(board.clone()));
    let found = solver.threatened(&mut threats, &must_stop);
    let points = match &found {
        ThreatenedWin::Win { line, .. } => solver.defences(&mut threats, line, &must_stop),
        ThreatenedWin::Nothing | ThreatenedWin::Unknown => Defences::default(),
    };
    assert!(threats.board() == board && threats.is_consistent(), "{board}");
    (found, points)
}

/// The number of nodes of a proof of the twin. A fresh solver needs fewer for nearly all random positions.
const NODES: u64 = 30_000;

/// Compares a threat and its points with the twin. Returns the number of points that both decide, `None` if the twin
/// does not decide the threat.
fn compare(board: &Board, kind: Option<WinKind>, points: &Defences) -> Option<usize> {
    let mut passed = board.clone();
    passed.set_turn(!board.turn());
    assert_eq!(kind, win_of(&passed, NODES)?, "{board}\n{}", board.rule());
    let mut decided = 0;
    for point in board.empty_points().iter().filter(|_| kind.is_some()) {
        if !is_allowed(board, point, board.turn()) {
            assert!(!points.points.contains(point) && !points.undecided.contains(point), "{board}\n{point:?}");
        } else if let Some(expected) = holds(board, point, NODES).filter(|_| !points.undecided.contains(point)) {
            let found = points.points.contains(point);
            assert_eq!(found, expected, "{board}\n{} {point:?} against {kind:?}", board.rule());
            decided += 1;
        }
    }
    Some(decided)
}

/// The threat of a game, its line and the points that hold. The twin must agree, and all points must be decided.
fn decided(rule: Rule, moves: &str) -> (WinKind, Vec<Point>, PointSet) {
    let board = game(rule, moves);
    let (found, points) = find(&board, usize::MAX);
    let ThreatenedWin::Win { kind, line } = found else { panic!("{found:?}\n{board}") };
    assert!(points.undecided.is_empty(), "{board}");
    assert!(compare(&board, Some(kind), &points).is_some(), "{board}");
    (kind, line, points.points)
}

#[test]
fn only_the_point_of_five_holds_against_a_four() {
    let (kind, line, holding) = decided(Rule::Freestyle, "7,7 6,7 8,7 0,0 9,7 0,14 10,7");
    assert_eq!((kind, holding), (WinKind::Five, points("11,7")));
    assert_eq!(line, [parse_comma("11,7").unwrap()]);
    // White has a four of its own: the five at either end wins.
    let (_, _, holding) = decided(Rule::Freestyle, "7,7 6,7 8,7 0,1 9,7 0,2 14,14 0,3 14,12 0,4 10,7");
    assert_eq!(holding, points("11,7 0,0 0,5"));
    let (_, _, holding) = decided(Rule::Freestyle, "7,7 0,0 8,7 0,14 9,7 14,0 10,7");
    assert_eq!(holding, PointSet::EMPTY, "an open four");
}

#[test]
fn the_ends_and_gaps_of_a_three_hold() {
    let threes = [
        ("7,7 0,0 8,7 7,14 9,7", "6,7 10,7"),
        ("7,7 0,0 9,7 7,14 10,7", "6,7 8,7 11,7"),
        // The white stone two points beyond the three leaves a third defence at the other end.
        ("7,7 0,0 8,7 11,7 9,7", "5,7 6,7 10,7"),
    ];
    for rule in [Rule::Freestyle, Rule::Renju] {
        for (moves, expected) in threes {
            let (kind, line, holding) = decided(rule, moves);
            assert_eq!((kind, line.len(), holding), (WinKind::Vcf, 1, points(expected)), "{rule} {moves}");
        }
    }
    // A white three answers with a four, which black must block.
    let (_, _, holding) = decided(Rule::Freestyle, "7,7 0,1 8,7 0,2 1,14 0,3 9,7");
    assert_eq!(holding, points("6,7 10,7 0,0 0,4 0,5"));
}

#[test]
fn the_points_of_a_four_three_hold() {
    // The four of row 7 and the three of column 6 meet at 6,7.
    let (kind, line, holding) = decided(Rule::Freestyle, "3,7 2,7 4,7 5,8 5,7 4,8 6,9 14,0 6,10");
    assert_eq!((kind, &line[..]), (WinKind::Vcf, &["6,7", "7,7", "6,8"].map(|name| parse_comma(name).unwrap())[..]));
    assert_eq!(holding, points("6,7 6,8"));
}

#[test]
fn the_points_against_a_double_three_hold() {
    // The threes of row 7 and column 8 meet at 8,7.
    let moves = "5,7 5,8 6,7 6,8 8,10 9,9 8,9 4,9 14,14";
    let fork = parse_comma("8,7").unwrap();
    let (kind, line, holding) = decided(Rule::Freestyle, moves);
    assert_eq!((kind, line[0], holding), (WinKind::Vct, fork, points("4,7 7,7 8,7 9,7 7,8")));
    // Black may not make it in renju.
    let mut threats = ThreatBoard::new(game(Rule::Renju, moves));
    assert!(threats.is_forbidden(fork, Color::Black));
    let found = ThreatSolver::default().threatened(&mut threats, &|| false);
    assert!(matches!(&found, ThreatenedWin::Win { kind: WinKind::Vct, line } if line[0] != fork), "{found:?}");
}

#[test]
fn a_forbidden_point_never_holds() {
    // White's four can be blocked only at 7,7, where black would make a double three.
    let moves = "6,7 3,3 8,7 4,4 7,6 5,5 7,8 6,6 0,14 2,2";
    let mut board = game(Rule::Renju, moves);
    board.set_turn(Color::Black);
    let block = parse_comma("7,7").unwrap();
    let (found, points) = find(&board, usize::MAX);
    assert!(matches!(found, ThreatenedWin::Win { kind: WinKind::Five, .. }), "{found:?}");
    assert!(board.foul(block).is_some());
    assert_eq!(points, Defences::default(), "{board}");
}

#[test]
fn nothing_is_threatened_by_a_few_stones() {
    for moves in ["", "7,7", "7,7 8,8 9,9"] {
        let (found, points) = find(&game(Rule::Renju, moves), usize::MAX);
        assert_eq!((found, points), (ThreatenedWin::Nothing, Defences::default()), "{moves}");
    }
}

#[test]
fn a_stop_leaves_the_other_points_undecided() {
    let board = game(Rule::Freestyle, "7,7 0,0 8,7 0,14 9,5 14,0 9,6");
    assert_eq!(find(&board, 0).0, ThreatenedWin::Unknown);
    let all = find(&board, usize::MAX).1;
    let (mut solver, mut threats) = (ThreatSolver::default(), ThreatBoard::new(board.clone()));
    let ThreatenedWin::Win { line, .. } = solver.threatened(&mut threats, &|| false) else { panic!("a win") };
    let none = solver.defences(&mut threats, &line, &|| true);
    assert_eq!(none, Defences { points: PointSet::EMPTY, undecided: board.empty_points() });
    let mut undecided = 0;
    for most in [10, 300, 1000, 3000] {
        let asked = std::cell::Cell::new(0);
        let must_stop = || asked.replace(asked.get() + 1) >= most;
        let some = solver.defences(&mut threats, &line, &must_stop);
        assert_eq!(some.points.union(&all.points), all.points, "{most}");
        assert_eq!(some.points.union(&some.undecided).intersection(&all.points), all.points, "{most}");
        undecided += some.undecided.len();
    }
    assert!(undecided > 0);
}

#[test]
#[ignore = "measures; run with --release --nocapture"]
#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn time_of_the_points_against_continuous_fours() {
    let mut times: Vec<(Duration, usize)> = Vec::new();
    for record in records("vcf.jsonl").iter().filter(|record| record["expect"]["vcf"] == true).step_by(4) {
        let mut board = board(record);
        board.set_turn(!board.turn());
        let (mut solver, mut threats) = (ThreatSolver::default(), ThreatBoard::new(board));
        let start = Instant::now();
        let must_stop = || start.elapsed() > Duration::from_secs(10);
        if let ThreatenedWin::Win { line, .. } = solver.threatened(&mut threats, &must_stop) {
            let undecided = solver.defences(&mut threats, &line, &must_stop).undecided.len();
            times.push((start.elapsed(), undecided));
        }
    }
    times.sort();
    let undecided = times.iter().filter(|(_, undecided)| *undecided > 0).count();
    println!("{} threats, median {:?}, {undecided} with undecided points", times.len(), times[times.len() / 2].0);
}

#[test]
fn the_points_that_hold_are_those_of_fresh_solvers() {
    let mut kinds = BTreeMap::new();
    let mut decided = 0;
    every_cluster(21, 2, |threats| {
        let board = threats.board();
        let (found, points) = find(board, 60_000);
        let kind = match found {
            ThreatenedWin::Win { kind, .. } => Some(kind),
            ThreatenedWin::Nothing => None,
            ThreatenedWin::Unknown => return false,
        };
        let count = compare(board, kind, &points);
        decided += count.unwrap_or(0);
        // Fives are common, and few points are open after them.
        let is_deep = count.is_some() && matches!(kind, Some(WinKind::Vcf | WinKind::Vct));
        *kinds.entry(kind.map(|kind| kind.to_string())).or_insert(0) += 1;
        is_deep
    });
    assert!(kinds.len() == 4 && decided > 3000, "{kinds:?} {decided}");
}
