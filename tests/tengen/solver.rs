//! The solvers compared with labelled proofs.

use tengen::board::{Board, Color, Point, Rule, Size};
use tengen::notation::parse_comma;
use tengen::position::ThreatBoard;
use tengen::solver::{Budget, Proof, Vcf, Vct};

use crate::data::{board, letters, points, records, text};
use crate::playout::{every_cluster, fives, is_allowed, stops, winning_fours};

/// Whether the line wins: every move of the attacker is allowed and threatens a five, every reply is the only one, and
/// the last move has no answer.
fn wins_by_fours(board: &Board, line: &[Point]) -> bool {
    let attacker = board.turn();
    let mut board = board.clone();
    let five_points = |board: &Board, color: Color| -> Vec<Point> {
        board.empty_points().iter().filter(|&point| board.wins(point, color)).collect()
    };
    for (ply, &point) in line.iter().enumerate() {
        let mover = board.turn();
        if board.check_empty(point).is_err() || board.is_forbidden(point, mover) {
            return false;
        }
        if mover != attacker && five_points(&board, attacker) != [point] {
            return false;
        }
        // A defender who can make a five does so instead of answering.
        if mover == attacker && five_points(&board, !attacker).iter().any(|&five| five != point) {
            return false;
        }
        assert_eq!(board.outcome_of(point, mover), None, "ply {ply}");
        board.play(point);
    }
    let fives = five_points(&board, attacker);
    let stopped = |&five: &Point| fives.iter().all(|&other| other == five) && !board.is_forbidden(five, !attacker);
    !fives.is_empty() && !fives.iter().any(stopped)
}

#[test]
fn the_shortest_continuous_fours_are_found_if_any_exist() {
    let mut solver = Vcf::default();
    for record in records("vcf.jsonl") {
        let (id, expect) = (text(&record["id"]), &record["expect"]);
        let mut position = ThreatBoard::new(board(&record));
        match solver.shortest(&mut position, Budget::GENEROUS) {
            Proof::Win(line) => {
                assert_eq!(expect["vcf"].as_bool(), Some(true), "{id}");
                assert_eq!(expect["fours"].as_u64(), Some(line.len() as u64 / 2 + 1), "{id} {line:?}");
                assert!(wins_by_fours(position.board(), &line), "{id} {line:?}");
                assert!(
                    expect["first_moves"].get(letters(&record).point(line[0]).to_string().to_uppercase()).is_some(),
                    "{id} {line:?}"
                );
            }
            Proof::NoWin => assert_eq!(expect["vcf"].as_bool(), Some(false), "{id}"),
            Proof::Unknown => panic!("{id} after {} nodes", solver.nodes()),
        }
        assert!(position.is_consistent(), "{id}");
    }
}

/// Whether the solver, called again after each reply that leaves no five, continues with fours that the rule allows
/// until the defender has no reply. A five of the defender is blocked on the way.
fn fours_hold(vcf: &mut Vcf, threats: &mut ThreatBoard) -> bool {
    let attacker = threats.board().turn();
    if !fives(threats.board(), attacker).is_empty() {
        return true;
    }
    let Proof::Win(line) = vcf.shortest(threats, Budget::GENEROUS) else { return false };
    let Some(&four) = line.first() else { return false };
    if !threats.board().is_empty(four) || threats.board().outcome_of(four, attacker).is_some() {
        return false;
    }
    threats.play(four);
    let mut board = threats.board().clone();
    let is_four = !fives(&board, attacker).is_empty() && fives(&board, !attacker).is_empty();
    let replies = stops(&mut board, attacker);
    let holds = is_four
        && replies.iter().filter(|&reply| is_allowed(&board, reply, !attacker)).all(|reply| {
            threats.play(reply);
            let holds = fours_hold(vcf, threats);
            threats.undo();
            holds
        });
    threats.undo();
    holds
}

#[test]
fn proofs_by_fours_hold_under_every_rule() {
    let mut vcf = Vcf::default();
    every_cluster(7, 12, |threats| {
        let proof = vcf.shortest(&mut threats.clone(), Budget { nodes: 200, fours: 12 });
        let is_long = matches!(proof, Proof::Win(line) if line.len() > 1);
        let holds = !is_long || fours_hold(&mut vcf, &mut threats.clone());
        assert!(holds, "{}\n{}", threats.board(), threats.board().rule());
        is_long
    });
}

/// Holds when the budget runs out and when the search is stopped: the stones played before can still be undone, and no
/// others. If an open or double four is available, it is the proof.
#[test]
fn solvers_leave_the_position_as_it_was() {
    let mut vcf = Vcf::default();
    let mut vct = Vct::default();
    every_cluster(6, 4, |threats| {
        let mut threats = threats.clone();
        threats.board().empty_points().iter().step_by(9).take(4).for_each(|point| threats.play(point));
        let (board, mover, depth) = (threats.board().clone(), threats.board().turn(), threats.cache().depth());
        let is_unchanged = |threats: &ThreatBoard| {
            threats.board() == &board && threats.cache().depth() == depth && threats.is_consistent()
        };
        let proof = vcf.shortest(&mut threats, Budget { nodes: 2_000, fours: 12 });
        assert!(is_unchanged(&threats), "{board}");
        vcf.any(&mut threats, Budget { nodes: 3, fours: 12 });
        assert!(is_unchanged(&threats), "{board}");
        vct.any(&mut threats, 60, &|| false);
        assert!(is_unchanged(&threats), "{board}");
        vct.any(&mut threats, 60, &|| true);
        assert!(is_unchanged(&threats), "{board}");

        let must_block = !fives(&board, !mover).is_empty();
        let length = if !fives(&board, mover).is_empty() {
            Some(0)
        } else if !must_block && !winning_fours(&mut board.clone(), mover).is_empty() {
            Some(1)
        } else {
            None
        };
        let found = if let Proof::Win(line) = &proof { Some(line.len()) } else { None };
        assert!(length.is_none() || found == length, "{board}\n{} {proof:?}", board.rule());
        threats.sets().has_four(mover)
    });
}

#[test]
fn a_solver_keeps_proofs_of_different_sizes_apart() {
    let stones = "11,7 10,7 12,7 0,0 13,7 2,0 14,4 4,0 14,5 6,0 14,6 14,3";
    let mut solver = Vcf::default();
    // The row of l8 has room for a five only on the wide board.
    for (side, wins) in [(15, false), (20, true), (15, false)] {
        let mut board = Board::new(Size::new(side).unwrap(), Rule::Freestyle);
        stones.split(' ').for_each(|point| board.play(parse_comma(point).unwrap()));
        let proof = solver.shortest(&mut ThreatBoard::new(board), Budget::GENEROUS);
        assert_eq!(matches!(proof, Proof::Win(_)), wins, "{side}: {proof:?}");
        assert_ne!(proof, Proof::Unknown);
    }
}

#[test]
fn the_labelled_lines_win_by_the_naive_referee() {
    for record in records("vcf.jsonl").iter().filter(|record| record["expect"]["vcf"] == true) {
        assert!(wins_by_fours(&board(record), &points(record, &record["expect"]["line"])), "{}", text(&record["id"]));
    }
}

#[test]
#[ignore = "measures; run with --release --nocapture"]
#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn time_of_continuous_fours() {
    let mut solver = Vcf::default();
    let mut times: Vec<(f64, u64, String)> = records("vcf.jsonl")
        .iter()
        .map(|record| {
            let mut position = ThreatBoard::new(board(record));
            let start = std::time::Instant::now();
            solver.shortest(&mut position, Budget::GENEROUS);
            (start.elapsed().as_secs_f64() * 1e6, solver.nodes(), text(&record["id"]).to_owned())
        })
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = &times[times.len() / 2];
    println!("median {:.0} us, worst {:?}", median.0, times.last().unwrap());
}
