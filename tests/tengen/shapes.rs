//! Threat sets and the answers to threats, compared with playing them out on the board alone.

use tengen::board::{Board, Color, Point, PointSet, Rule, Size};
use tengen::eval::Classical;
use tengen::notation::parse_comma;
use tengen::position::ThreatBoard;
use tengen::solver::{five_blocks, has_winning_fork, open_four_defences, trap_fours, winning_four};
use tengen::threat::Threat;

use crate::playout::{
    after, every_cluster, fives, is_allowed, leaves_five, lines, makers, stops, threat, winning_fours,
    wins_in_five_plies,
};
use crate::walk::every_walk;

const THREATS: [Threat; 7] = [
    Threat::OpenThree,
    Threat::DoubleThree,
    Threat::Four,
    Threat::FourThree,
    Threat::DoubleFour,
    Threat::OpenFour,
    Threat::Five,
];

/// Asserts that, for either color, every empty point is in the set of the threat it makes and in no other set, and that
/// the sets hold no other points.
fn assert_sets_are_played_out(threats: &ThreatBoard) {
    let mut board = threats.board().clone();
    for color in Color::ALL {
        let mut expected = [PointSet::EMPTY; THREATS.len()];
        for point in board.empty_points().iter() {
            let made = threat(&mut board, point, color);
            assert_eq!(threats.sets().threat(point, color), made, "{board}\n{color} {point:?} {}", board.rule());
            if let Some(index) = THREATS.iter().position(|&threat| threat == made) {
                expected[index].insert(point);
            }
        }
        for (threat, expected) in THREATS.into_iter().zip(expected) {
            assert_eq!(*threats.sets().set(color, threat), expected, "{board}\n{color} {threat:?}");
            assert_eq!(threats.sets().count(color, threat), expected.len(), "{board}\n{color} {threat:?}");
        }
    }
}

#[test]
fn threat_sets_hold_the_points_that_make_these_threats_when_played_out() {
    every_cluster(1, 8, |threats| {
        assert_sets_are_played_out(threats);
        true
    });
    let mut steps = 0;
    every_walk::<Classical>(11, &[()], 90, |walk| {
        steps += 1;
        if steps % 15 == 0 {
            assert_sets_are_played_out(walk.position.threats());
        }
    });
}

/// Blocks of a five are exactly the points after which the attacker cannot win at once. The set is empty if the
/// attacker has no win or one stone is not enough. It includes points that the rule forbids to the defender.
#[test]
fn blocks_of_a_five_are_the_replies_that_leave_none() {
    every_cluster(2, 12, |threats| {
        let mut board = threats.board().clone();
        let attackers = Color::ALL.map(|attacker| {
            let has_five = !fives(&board, attacker).is_empty();
            let expected = if has_five { stops(&mut board, attacker) } else { PointSet::EMPTY };
            assert_eq!(five_blocks(threats, attacker), expected, "{board}\n{attacker} {}", board.rule());
            has_five
        });
        attackers.contains(&true)
    });
}

/// The winning four is the first open four, or else the first double four, that the rule allows: every reply leaves a
/// five. It is absent if no stone wins. The claim ignores that the other side may win first.
#[test]
fn a_winning_four_leaves_a_five_after_every_reply() {
    every_cluster(3, 3, |threats| {
        let mut board = threats.board().clone();
        let colors = Color::ALL.map(|color| {
            // Another test checks these sets.
            let sets = threats.sets();
            if sets.count(color, Threat::OpenFour) + sets.count(color, Threat::DoubleFour) == 0 {
                assert_eq!(winning_four(threats, color), None);
                return false;
            }
            let all = makers(&mut board, color, &[Threat::OpenFour, Threat::DoubleFour]);
            let fours = winning_fours(&mut board, color);
            let expected = fours.iter().min_by_key(|&&four| threat(&mut board, four, color) != Threat::OpenFour);
            assert_eq!(winning_four(threats, color), expected.copied(), "{board}\n{color} {}", board.rule());
            for &four in &fours {
                assert!(leaves_five(&mut board, four, color), "{board}\n{color} {four:?} {}", board.rule());
            }
            // In renju some of black's must be fouls.
            if board.rule() == Rule::Renju { all.len() > fours.len() } else { !fours.is_empty() }
        });
        colors.contains(&true)
    });
}

/// White's fours after which a five of white is forbidden to black.
#[test]
fn a_trap_four_leaves_a_five_that_is_forbidden_to_the_other_side() {
    every_cluster(3, 4, |threats| {
        let mut board = threats.board().clone();
        let counted = Color::ALL.map(|color| {
            if Color::ALL.iter().any(|&color| !fives(&board, color).is_empty()) {
                return false;
            }
            let is_trap = |board: &mut Board, four| {
                // No side had a five, so those after the four lie on its lines.
                let is_blocked = |board: &mut Board| {
                    let mut fives = lines(board, four).into_iter().filter(|&point| board.wins(point, color));
                    fives.any(|five| !is_allowed(board, five, !color))
                };
                board.rule() == Rule::Renju && after(board, four, color, is_blocked)
            };
            let empty = board.empty_points();
            let traps: PointSet = empty.iter().filter(|&four| is_trap(&mut board, four)).collect();
            assert_eq!(trap_fours(threats, color), traps, "{board}\n{color} {}", board.rule());
            // On a small board there are few of them.
            board.rule() != Rule::Renju || board.size().side() < 15 || !traps.is_empty()
        });
        counted.contains(&true)
    });
}

/// If the answer is yes and neither side has a five, a fork wins in five plies against every reply, including fives and
/// fours of the other side. The caller has already blocked any five of the other side.
#[test]
fn a_winning_fork_wins_in_five_plies() {
    every_cluster(4, 2, |threats| {
        let mut board = threats.board().clone();
        let colors = Color::ALL.map(|color| {
            if !has_winning_fork(threats, color) || Color::ALL.iter().any(|&color| !fives(&board, color).is_empty()) {
                return false;
            }
            let forks = makers(&mut board, color, &[Threat::FourThree, Threat::DoubleThree]);
            assert!(!forks.is_empty(), "{board}\n{color} {}", board.rule());
            let is_won = wins_in_five_plies(&mut board, forks[0], color);
            assert!(is_won, "{board}\n{color} {:?} {}", forks[0], board.rule());
            true
        });
        colors.contains(&true)
    });
}

/// The points where a stone of the side to move leaves the other side without an open or double four.
fn naive_defences(board: &mut Board) -> Option<PointSet> {
    let mover = board.turn();
    if winning_fours(board, !mover).is_empty() {
        return None;
    }
    // A stone never creates a way to five for the other side, so only present fours and fives are checked.
    let fours = makers(board, !mover, &[&Threat::FOURS[..], &[Threat::Five]].concat());
    let is_winning = |board: &mut Board, point: Point| {
        board.is_empty(point)
            && matches!(threat(board, point, !mover), Threat::OpenFour | Threat::DoubleFour)
            && is_allowed(board, point, !mover)
    };
    let leaves_none = |board: &mut Board| !fours.iter().any(|&four| is_winning(board, four));
    let points = board.empty_points();
    Some(points.iter().filter(|&point| after(board, point, mover, leaves_none)).collect())
}

/// Defences are exactly the replies after which the attacker has no open or double four that it may play. The
/// defender's own fours, which gain a move, are included only if they achieve that. The set is absent if the attacker
/// has no such four.
#[test]
fn defences_of_an_open_four_are_the_replies_that_leave_none() {
    every_cluster(5, 3, |threats| {
        let mut board = threats.board().clone();
        let attacker = !board.turn();
        let expected = naive_defences(&mut board);
        assert_eq!(open_four_defences(threats), expected, "{board}\n{attacker} {}", board.rule());
        expected.is_some()
    });
}

#[test]
fn a_distant_white_stone_can_turn_a_black_fork_into_a_foul_or_allow_it() {
    for (side, black, white, expected) in [
        // White i9 leaves black only h8, and turns it into a double three.
        (15, "6,7 8,7 9,7 8,6 6,8 5,8 4,8 7,9 7,10", "3,8", "5,7 7,7 10,7 8,8"),
        // White e5 turns the double four g7 into an open four that black may play.
        (9, "2,2 3,3 6,4 2,5 5,5 6,5 7,5 6,7", "", "1,1 6,6"),
    ] {
        let mut board = Board::new(Size::new(side).unwrap(), Rule::Renju);
        for (color, stones) in [(Color::Black, black), (Color::White, white)] {
            stones.split_whitespace().for_each(|point| board.place(parse_comma(point).unwrap(), color));
        }
        board.set_turn(Color::White);
        let expected: PointSet = expected.split_whitespace().map(|point| parse_comma(point).unwrap()).collect();
        let threats: ThreatBoard = ThreatBoard::new(board);
        assert_eq!(open_four_defences(&threats), Some(expected), "{}", threats.board());
    }
}
