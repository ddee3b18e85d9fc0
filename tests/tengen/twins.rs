//! Seeded random play with undo, compared with the naive twins after every step.

use tengen::board::{Board, ByDirection, Color, Direction, Occupant, Outcome, PlayError, Point, Rule, Size};
use tengen::eval::Classical;
use tengen::notation::{Comma, parse_comma};
use tengen::position::{Accumulator, Position};
use tengen::threat::{LineWindow, PatternPair, ThreatCache, WindowChange};
use tengen::weights::{Weight, WeightAccumulator, WeightedPosition, Weighting};

use crate::naive::{self, Grid};
use crate::walk::{Walk, every_walk};

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
        // The same stones played in another order give the same board, including its key.
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

/// The patterns and windows of the empty points, read from the board.
fn from_scratch(board: &Board) -> Vec<(Point, PatternPair, ByDirection<LineWindow>)> {
    let cache = ThreatCache::new(board);
    board.empty_points().iter().map(|point| (point, cache.pattern_pair(point), cache.windows(point))).collect()
}

/// A delta holds exactly the differences between the positions before and after the stone.
#[test]
fn a_delta_holds_exactly_what_differs() {
    every_walk::<Classical>(12, &[()], 60, |walk| {
        let Some(point) = walk.near() else { return };
        let position = &mut walk.position;
        let (color, before) = (position.board().turn(), from_scratch(position.board()));
        position.play(point);
        let after = from_scratch(position.board());
        let (mut windows, mut patterns) = (Vec::new(), Vec::new());
        for &(point, new, new_windows) in &after {
            let &(_, old, old_windows) = before.iter().find(|(other, ..)| *other == point).unwrap();
            for direction in Direction::ALL {
                let (old, new) = (old_windows[direction], new_windows[direction]);
                if old != new {
                    windows.push(WindowChange { point, direction, old, new });
                }
            }
            if old != new {
                patterns.push((point, old, new));
            }
            assert_eq!(position.threats().pattern_pair(point), new, "{}\n{point:?}", position.board());
        }
        let delta = position.threats().cache().last().unwrap();
        assert_eq!((delta.point, delta.color), (point, color));
        let mut found = delta.windows.to_vec();
        found.sort_by_key(|change| change.point);
        windows.sort_by_key(|change| change.point);
        assert_eq!(found, windows, "{}\n{point:?}", position.board());
        let number = position.threats().cache().depth() - 1;
        let changes = position.threats().sets().changes(number);
        let mut found: Vec<_> = changes.iter().map(|change| (change.point, change.old, change.new)).collect();
        found.sort_by_key(|change| change.0);
        patterns.sort_by_key(|change| change.0);
        assert_eq!(found, patterns, "{}\n{point:?}", position.board());
        assert_eq!(position.threats().clone().cache().depth(), 0);
        assert_eq!(position.undo(), Some(point));
        for (point, pair, _) in before {
            assert_eq!(position.threats().pattern_pair(point), pair, "{}\n{point:?}", position.board());
        }
    });
}

#[test]
fn undo_returns_through_the_positions_of_the_game() {
    every_walk::<Classical>(13, &[()], 50, |walk| {
        if walk.rng.below(25) > 0 {
            return;
        }
        let mut position = walk.position.clone();
        let mut boards = Vec::new();
        while let (Some(point), true) = (walk.near_on(position.board()), boards.len() < 24) {
            boards.push(position.board().clone());
            position.play(point);
        }
        while let Some(board) = boards.pop() {
            let taken = position.undo().unwrap();
            assert_eq!((position.board(), board.is_empty(taken)), (&board, true));
            assert!(position.is_consistent(), "{board}");
        }
        assert_eq!(position.undo(), None);
        assert_eq!(position.board(), walk.position.board());
    });
}

/// Asserts that nothing can be undone, that trying it changes nothing, and that everything equals a fresh computation.
fn assert_is_fresh<A: Accumulator>(mut position: Position<A>, expected: &Board) {
    for _ in 0..2 {
        assert_eq!(position.board(), expected);
        assert!(position.is_consistent(), "{expected}");
        assert_eq!(position.undo(), None, "{expected}");
    }
}

/// Nothing can be undone after the removal of an older stone, a new wall, a change of rule, or cloning. After removal
/// of the last stone the others can still be undone.
fn history_begins_anew<A: Accumulator>(walk: &mut Walk<A>) {
    let near = walk.near();
    let game = || {
        let mut position = walk.position.clone();
        let played: Vec<Point> = position.board().empty_points().iter().take(3).collect();
        played.iter().for_each(|&point| position.play(point));
        (position, played)
    };
    let (mut position, played) = game();
    let &[first, second, third] = played.as_slice() else { return };
    let (color, mover) = (walk.position.board().turn(), position.board().turn());
    assert_is_fresh(position.clone(), position.board());
    let mut threats = position.threats().clone();
    assert_eq!(threats.undo(), None);
    assert!(threats.is_consistent() && threats.board() == position.board());

    let mut expected = position.board().clone();
    expected.try_remove(first).unwrap();
    assert_eq!(position.try_remove(first), Ok(color));
    assert_is_fresh(position.clone(), &expected);
    assert_eq!(position.try_remove(first), Err(PlayError::Vacant));
    assert_is_fresh(position, &expected);

    let (mut position, _) = game();
    assert_eq!(position.try_remove(third), Ok(color));
    assert_eq!(position.try_remove(third), Err(PlayError::Vacant));
    assert_eq!((position.undo(), position.undo()), (Some(second), Some(first)));
    assert_is_fresh(position, walk.position.board());

    for walled in [first, third].into_iter().chain(near) {
        let (mut position, _) = game();
        let mut expected = position.board().clone();
        expected.wall(walled);
        position.wall(walled);
        assert_eq!(position.board().turn(), mover);
        assert_is_fresh(position, &expected);
    }

    let (mut position, _) = game();
    let rule = position.board().rule();
    position.set_rule(rule);
    assert_eq!(position.undo(), Some(third), "the same rule changes nothing");
    for rule in Rule::ALL.into_iter().filter(|&other| other != rule) {
        let (mut position, _) = game();
        let mut expected = position.board().clone();
        expected.set_rule(rule);
        position.set_rule(rule);
        assert_is_fresh(position, &expected);
    }
}

#[test]
fn only_stones_played_since_can_be_undone() {
    fn some<A: Accumulator>(walk: &mut Walk<A>) {
        if walk.rng.below(10) == 0 {
            history_begins_anew(walk);
        }
    }
    every_walk::<Classical>(14, &[()], 40, some);
    every_walk::<WeightAccumulator>(14, Weighting::ALL, 15, some);
    every_walk::<()>(14, &[()], 20, |walk| {
        some(walk);
        assert_is_fresh(walk.position.with::<Classical>(()), walk.position.board());
    });
}

#[test]
fn a_solver_borrows_the_threats_without_the_evaluation() {
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
                    "{board}\n{color} {point:?}"
                );
            }
            let foul = if board.rule() == Rule::Renju { walk.grid.foul(x, y) } else { None };
            assert_eq!(board.foul(point), foul, "{board}\n{point:?}");
            assert_eq!(board.is_forbidden(point, Color::Black), foul.is_some(), "{board}\n{point:?}");
            assert_eq!(
                walk.position.is_forbidden(point, Color::Black),
                foul.is_some(),
                "{board}\n{point:?} by patterns"
            );
            let expected = match foul {
                _ if walk.grid.wins(x, y, 'X') => Some(Outcome::Row { winner: Color::Black }),
                Some(foul) => Some(Outcome::Foul { loser: Color::Black, foul }),
                None => (board.empty_points().len() == 1).then_some(Outcome::Draw),
            };
            assert_eq!(board.outcome_of(point, Color::Black), expected, "{board}\n{point:?}");
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
        assert!(walk.position.is_consistent());
        let (board, threats) = (walk.position.board(), walk.position.threats());
        // The naive classifier is slow, so it checks some points of some positions.
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
                    assert_eq!(pattern, naive, "{board}\n{color} {point:?} {direction} {window}");
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
                assert_eq!(found, expected, "{board}\n{weighting} {side} {point:?}");
            }
        }
        let side = naive::sign(board.turn());
        assert_eq!(
            walk.position.greatest().map(naive::xy),
            naive::greatest(weighting, &walk.grid, side),
            "{board}\n{weighting}"
        );
        assert_eq!(walk.position.ranking().first().copied(), walk.position.greatest());
        assert!(walk.position.is_consistent());
    });
}

/// `grades` also prefers an own five to a block of the other side's. `windows` sums the combinations through a point,
/// so if both sides have a five the greater sum decides; if only the own side has one, it is played.
#[test]
fn weightings_by_the_greater_side_do_not_overlook_an_own_five() {
    let weightings: Vec<_> = Weighting::ALL.iter().copied().filter(|&one| naive::is_greater_of_both(one)).collect();
    assert_eq!(weightings, [Weighting::Windows, Weighting::Grades]);
    let (mut own_alone, mut of_both) = ([0; 2], [0; 2]);
    every_walk::<WeightAccumulator>(6, &weightings, 600, |walk| {
        let (weighting, board) = (walk.position.weighting(), walk.position.board());
        let has_five = |color| board.empty_points().iter().any(|point| board.wins(point, color));
        // The weightings do not know which rows the other rules leave out.
        if board.rule() != Rule::Freestyle || !has_five(board.turn()) {
            return;
        }
        let is_grades = weighting == Weighting::Grades;
        let is_of_both = has_five(!board.turn());
        let count = if is_of_both { &mut of_both } else { &mut own_alone };
        count[usize::from(is_grades)] += 1;
        if is_grades || !is_of_both {
            let chosen = walk.position.greatest().unwrap();
            assert!(board.wins(chosen, board.turn()), "{board}\n{weighting} {}", Comma(chosen));
        }
    });
    assert!(own_alone.into_iter().chain(of_both).all(|count| count > 100), "{own_alone:?} {of_both:?}");
}

#[test]
fn a_point_off_the_board_has_no_weights() {
    let position = WeightedPosition::new(Board::new(Size::FIFTEEN, Rule::Freestyle), Weighting::default());
    assert_eq!(position.weights(parse_comma("19,19").unwrap()), None);
    assert!(position.weights(parse_comma("7,7").unwrap()).is_some());
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
        let position = WeightedPosition::new(board, Weighting::Windows);
        // Every open combination adds one to each of its five points.
        let points = position.board().size().points();
        let sum: i64 = points.map(|point| position.weights(point).unwrap().attack.0).sum();
        assert_eq!(sum, 5 * combinations);
    }
}
