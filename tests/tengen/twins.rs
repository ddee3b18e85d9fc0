//! Seeded random play with undo, compared with the naive twins after every step.

use tengen::board::{Board, Color, Direction, Occupant, Outcome, Rule, Size};
use tengen::eval::Classical;
use tengen::threat::LineWindow;
use tengen::weights::{Weight, WeightAccumulator, WeightedPosition, Weighting};

use crate::naive::{self, Grid};
use crate::walk::every_walk;

#[test]
fn the_board_is_the_grid() {
    every_walk::<()>(1, &[()], 400, |walk| {
        let board = walk.position.board();
        assert_eq!(Grid::of(board), walk.grid);
        let count = |sign| walk.grid.signs.iter().filter(|&&other| other == sign).count();
        assert_eq!(board.stones(Color::Black).len(), count('X'));
        assert_eq!(board.stones(Color::White).len(), count('O'));
        assert_eq!(board.empty_points().len(), count('.'));
        assert_eq!(board.stone_count(), count('X') + count('O'));
        // The same stones put down in another order make the same board, its key included.
        let mut again = Board::new(board.size(), board.rule());
        for point in board.size().points() {
            match board.at(point) {
                Occupant::Empty => {}
                Occupant::Wall => again.wall(point),
                Occupant::Stone(color) => again.place(point, color),
            }
        }
        again.set_turn(board.turn());
        assert_eq!(&again, board);
    });
}

#[test]
fn accumulators_and_threat_sets_move_with_the_stones() {
    every_walk::<Classical>(9, &[()], 150, |walk| assert!(walk.position.is_consistent(), "{}", walk.position.board()));
    every_walk::<WeightAccumulator>(9, Weighting::ALL, 40, |walk| assert!(walk.position.is_consistent()));
    every_walk::<()>(9, &[()], 100, |walk| assert!(walk.position.is_consistent()));
}

#[test]
fn a_solver_is_lent_the_threats_without_the_evaluation() {
    every_walk::<Classical>(10, &[()], 60, |walk| {
        let mut points: Vec<_> = (0..6).filter_map(|_| walk.near()).collect();
        points.sort_unstable();
        points.dedup();
        walk.position.solve(|threats| {
            for &point in &points {
                threats.play(point);
                assert!(threats.is_consistent(), "{}", threats.board());
            }
            for _ in &points {
                threats.undo();
                assert!(threats.is_consistent(), "{}", threats.board());
            }
        });
        assert!(walk.position.is_consistent());
    });
}

#[test]
fn wins_and_fouls_are_those_of_the_rule_book() {
    every_walk::<()>(2, &[()], 120, |walk| {
        let board = walk.position.board();
        for point in board.empty_points().iter() {
            let (x, y) = naive::xy(point);
            for color in Color::ALL {
                assert_eq!(
                    board.wins(point, color),
                    walk.grid.wins(x, y, naive::sign(color)),
                    "{board}\n{color} {point}"
                );
            }
            let foul = if board.rule() == Rule::Renju { walk.grid.foul(x, y) } else { None };
            assert_eq!(board.foul(point), foul, "{board}\n{point}");
            assert_eq!(board.is_forbidden(point, Color::Black), foul.is_some(), "{board}\n{point}");
            assert_eq!(walk.position.is_forbidden(point, Color::Black), foul.is_some(), "{board}\n{point} by patterns");
            let expected = match foul {
                _ if walk.grid.wins(x, y, 'X') => Some(Outcome::Row { winner: Color::Black }),
                Some(foul) => Some(Outcome::Foul { loser: Color::Black, foul }),
                None => (board.empty_points().len() == 1).then_some(Outcome::Draw),
            };
            assert_eq!(board.outcome_of(point, Color::Black), expected, "{board}\n{point}");
        }
    });
}

#[test]
fn a_winning_row_holds_exactly_the_stones_that_win() {
    every_walk::<()>(3, &[()], 300, |walk| {
        let board = walk.position.board();
        for color in Color::ALL {
            for point in board.stones(color).iter() {
                let row = board.winning_row(point, color);
                assert_eq!(row.is_empty(), !board.wins(point, color));
                assert!(row.is_empty() || row.contains(point) && row.len() >= 5);
                assert!(row.iter().all(|point| board.at(point) == Occupant::Stone(color)));
            }
        }
    });
}

#[test]
fn windows_and_patterns_move_with_the_stones() {
    let mut patterns = naive::Patterns::default();
    every_walk::<()>(4, &[()], 150, |walk| {
        let (board, threats) = (walk.position.board(), walk.position.threats());
        assert!(walk.position.is_consistent());
        // The naive classifier is slow: it looks at some points of some positions.
        if walk.rng.below(8) > 0 {
            return;
        }
        let from = walk.rng.below(12);
        for point in board.empty_points().iter().skip(from).step_by(12) {
            let (x, y) = naive::xy(point);
            for direction in Direction::ALL {
                let window = LineWindow::read(board, point, direction, Color::Black);
                assert_eq!(threats.cache().window(point, direction), window);
                assert_eq!(window.swapped(), LineWindow::read(board, point, direction, Color::White));
                for color in Color::ALL {
                    let pattern = threats.patterns(point, color).get(direction);
                    let naive = patterns.of(&walk.grid, x, y, naive::axis(direction), naive::sign(color));
                    assert_eq!(pattern, naive, "{board}\n{color} {point} {direction} {window}");
                }
            }
        }
    });
}

#[test]
fn weights_and_the_greatest_point_are_those_of_the_documents() {
    every_walk::<WeightAccumulator>(5, Weighting::ALL, 60, |walk| {
        let board = walk.position.board();
        let weighting = walk.position.weighting();
        for side in Color::ALL {
            for point in board.size().points() {
                let (x, y) = naive::xy(point);
                let weights = walk.position.weights_for(point, side);
                let expected =
                    board.is_empty(point).then(|| naive::weights(weighting, &walk.grid, x, y, naive::sign(side)));
                let found = weights.map(|weights| {
                    let Weight(attack) = weights.attack;
                    (attack, weights.defence.0, weights.total.0)
                });
                assert_eq!(found, expected, "{board}\n{weighting} {side} {point}");
            }
        }
        let side = naive::sign(board.turn());
        assert_eq!(
            walk.position.greatest().map(naive::xy),
            naive::greatest(weighting, &walk.grid, side),
            "{board}\n{weighting}"
        );
        if board.stone_count() > 0 {
            assert_eq!(walk.position.ranking().first().copied(), walk.position.greatest());
        }
        assert!(walk.position.is_consistent());
    });
}

#[test]
fn a_full_board_leaves_nothing_to_pick() {
    let board = Board::new(Size::new(5).unwrap(), Rule::Renju);
    let mut position = WeightedPosition::new(board, Weighting::default());
    while let Some(point) = position.greatest() {
        position.play(point);
    }
    assert!(position.board().is_full());
    assert!(position.ranking().is_empty());
}

#[test]
fn boards_hold_the_winning_combinations_that_the_document_counts() {
    for (size, combinations) in [(10, 192), (15, 572), (20, 1152)] {
        let board = Board::new(Size::new(size).unwrap(), Rule::Freestyle);
        let position = WeightedPosition::new(board, Weighting::WINDOWS);
        // Every open combination adds one to each of its five points.
        let points = position.board().size().points();
        let sum: i64 = points.map(|point| position.weights(point).unwrap().attack.0).sum();
        assert_eq!(sum, 5 * combinations);
    }
}
