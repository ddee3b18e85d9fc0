//! Facts of positions made by hand. `tests/tengen/reasons` checks those of random ones.

use super::{Fact, ForcedWin, Reasons, Shape, Stopped, WinKind};
use crate::board::{Board, Color, Point, Rule, Size};
use crate::notation::{Moves, parse_comma};

fn points(text: &str) -> Vec<Point> {
    text.parse::<Moves>().unwrap().0
}

/// Black's and white's stones; `turn` is to move.
fn board(rule: Rule, black: &str, white: &str, turn: Color) -> Board {
    let mut board = Board::new(Size::FIFTEEN, rule);
    for (color, stones) in [(Color::Black, black), (Color::White, white)] {
        points(stones).into_iter().for_each(|point| board.place(point, color));
    }
    board.set_turn(turn);
    board
}

fn facts(board: &Board, point: &str) -> Vec<Fact> {
    Reasons::of(board, parse_comma(point).unwrap(), &|| false).facts
}

const FAR: &str = "0,0 0,14 14,0 14,14";

/// Rules under which both colors are equal, without forbidden points.
const PLAIN: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::CaroOverline, Rule::Caro];

#[test]
fn a_five_is_the_only_fact() {
    for rule in Rule::ALL {
        let four = board(rule, "5,7 6,7 7,7 8,7", FAR, Color::Black);
        assert_eq!(facts(&four, "9,7"), [Fact::Five { points: points("5,7 6,7 7,7 8,7 9,7") }], "{rule}");
    }
    let six = |rule| facts(&board(rule, "4,7 5,7 6,7 8,7 9,7", FAR, Color::Black), "7,7");
    assert!(matches!(&six(Rule::Freestyle)[..], [Fact::Five { points }] if points.len() == 6));
    assert!(matches!(&six(Rule::CaroOverline)[..], [Fact::Five { points }] if points.len() == 6));
    assert!(!six(Rule::Standard).iter().any(|fact| matches!(fact, Fact::Five { .. } | Fact::Wins(_))));
    let Fact::Forbidden(foul) = six(Rule::Renju)[0].clone() else { panic!() };
    assert_eq!(foul.to_string(), "6");
}

#[test]
fn an_open_four_wins_by_fours_in_two_moves() {
    for rule in Rule::ALL {
        let found = facts(&board(rule, "6,7 7,7 8,7", FAR, Color::Black), "9,7");
        let Fact::Wins(win) = &found[0] else { panic!("{rule} {found:?}") };
        assert_eq!((win.kind, win.moves(), win.line.len(), win.line[0]), (WinKind::Vcf, 2, 3, points("9,7")[0]));
        let stones = points("6,7 7,7 8,7 9,7");
        assert!(found.contains(&Fact::Makes { shape: Shape::OpenFour, points: stones }), "{rule} {found:?}");
    }
    // White makes a five at once, and after that nothing is won.
    let late = board(Rule::Freestyle, "6,7 7,7 8,7", "1,1 2,1 3,1 4,1", Color::Black);
    let found = facts(&late, "9,7");
    let Fact::Loses(loss) = &found[0] else { panic!("{found:?}") };
    assert_eq!((loss.moves(), loss.line.len(), loss.line[0]), (1, 2, points("9,7")[0]));
}

#[test]
fn a_double_three_wins_by_threats_unless_it_is_forbidden() {
    let stones = "6,7 8,7 7,6 7,8";
    for rule in PLAIN {
        let found = facts(&board(rule, stones, FAR, Color::Black), "7,7");
        let Fact::Wins(ForcedWin { kind: WinKind::Vct, line }) = &found[0] else { panic!("{rule} {found:?}") };
        assert_eq!(line.len(), 5);
        let made = Fact::Makes { shape: Shape::DoubleThree, points: points("7,6 6,7 7,7 8,7 7,8") };
        assert!(found.contains(&made), "{rule} {found:?}");
    }
    let black = facts(&board(Rule::Renju, stones, FAR, Color::Black), "7,7");
    assert!(matches!(&black[..], [Fact::Forbidden(foul)] if foul.to_string() == "33"), "{black:?}");
    let white = facts(&board(Rule::Renju, FAR, stones, Color::White), "7,7");
    assert!(matches!(&white[0], Fact::Wins(win) if win.moves() == 3), "{white:?}");
}

#[test]
fn a_move_elsewhere_loses_to_an_open_three_and_says_no_more() {
    for rule in Rule::ALL {
        let found = facts(&board(rule, FAR, "6,7 7,7 8,7", Color::Black), "1,12");
        let [Fact::Loses(ForcedWin { kind: WinKind::Vcf, line })] = &found[..] else { panic!("{rule} {found:?}") };
        assert_eq!((line.len(), line[0]), (4, points("1,12")[0]));
    }
}

#[test]
fn the_block_of_a_four_is_the_only_move() {
    for rule in PLAIN {
        let four = board(rule, "9,7 0,0 0,14", "5,7 6,7 7,7 8,7", Color::Black);
        let found = facts(&four, "4,7");
        assert_eq!(found.contains(&Fact::Only { refuted: WinKind::Five }), !rule.five_needs_free_end(), "{found:?}");
        let stop = found.iter().find_map(|fact| match fact {
            Fact::Stops { what, points, row, win } => Some((*what, points.clone(), row.clone(), win.moves())),
            _ => None,
        });
        assert_eq!(stop, Some((Stopped::Five, points("4,7"), points("5,7 6,7 7,7 8,7"), 1)), "{rule}");
    }
    // Two points of five: every move loses, and none is the only one.
    let lost = facts(&board(Rule::Freestyle, FAR, "5,7 6,7 7,7 8,7", Color::Black), "4,7");
    assert!(matches!(&lost[..], [Fact::Loses(_)]), "{lost:?}");
}

#[test]
fn a_five_is_stopped_from_beyond_its_end_in_caro_alone() {
    for rule in PLAIN {
        let four = board(rule, "9,7 0,0 0,14", "5,7 6,7 7,7 8,7", Color::Black);
        let found = facts(&four, "3,7");
        let is_stopped = found.iter().any(|fact| matches!(fact, Fact::Stops { what: Stopped::Five, .. }));
        assert_eq!(is_stopped, rule.five_needs_free_end(), "{rule} {found:?}");
    }
}

#[test]
fn an_open_three_is_stopped_at_its_ends_and_not_by_a_four_elsewhere() {
    for rule in Rule::ALL {
        let three = board(rule, "1,1 1,2 1,3 0,14", "6,7 7,7 8,7 1,0", Color::Black);
        let found = facts(&three, "9,7");
        let Some(Fact::Stops { what, points: fours, row, win }) = found.first() else { panic!("{rule} {found:?}") };
        assert_eq!((*what, row, win.moves()), (Stopped::OpenFour, &points("6,7 7,7 8,7"), 2), "{rule}");
        assert_eq!(*fours, points("5,7 9,7"), "{rule}");
        let delayed = facts(&three, "1,4");
        assert!(!delayed.iter().any(|fact| matches!(fact, Fact::Stops { .. })), "{rule} {delayed:?}");
        let [Fact::Threatens { points: fives, win }, ..] = &delayed[..] else { panic!("{rule} {delayed:?}") };
        assert_eq!((&fives[..], win.moves()), (&points("1,5")[..], 1));
    }
}

#[test]
fn the_point_of_a_fork_is_taken() {
    for rule in Rule::ALL {
        let near = "8,8 10,9 5,9 12,6";
        let found = facts(&board(rule, near, "8,7 9,7 7,8 7,9", Color::Black), "7,7");
        let stops = found.iter().find_map(|fact| match fact {
            Fact::Stops { what: Stopped::Fork, points, row, win } => Some((points, row, win)),
            _ => None,
        });
        let Some((fork, row, win)) = stops else { panic!("{rule} {found:?}") };
        assert_eq!((fork, row.len(), win.moves(), win.kind), (&points("7,7"), 0, 3, WinKind::Vct), "{rule}");
    }
    // Black's double three is forbidden in renju, so there is nothing to stop.
    let found = facts(&board(Rule::Renju, "6,7 8,7 7,6 7,8", FAR, Color::White), "7,7");
    let is_fork =
        |fact: &Fact| matches!(fact, Fact::Stops { what: Stopped::Fork, points: fork, .. } if *fork == points("7,7"));
    assert!(!found.iter().any(is_fork), "{found:?}");
}

#[test]
fn an_open_three_threatens_an_open_four() {
    for rule in Rule::ALL {
        let found = facts(&board(rule, "6,7 7,7", FAR, Color::Black), "8,7");
        let [Fact::Threatens { points: fours, win }] = &found[..] else { panic!("{rule} {found:?}") };
        assert_eq!((fours, win.moves(), win.kind), (&points("5,7 9,7"), 2, WinKind::Vcf), "{rule}");
        let quiet = facts(&board(rule, "6,7", FAR, Color::Black), "7,7");
        let made = Fact::Makes { shape: Shape::OpenTwo, points: points("6,7 7,7") };
        assert_eq!(quiet, [made], "{rule}");
    }
}

#[test]
fn a_three_that_may_not_grow_is_not_open() {
    // Black's fourth stone on f8 or j8 would make a double four.
    let black = "6,7 8,7 5,8 5,9 5,10 9,8 9,9 9,10";
    let made = |rule| {
        let of_shape = Reasons::of_shape(&board(rule, black, "5,11 9,11", Color::Black), parse_comma("7,7").unwrap());
        let [Fact::Makes { shape, .. }] = of_shape.facts[..] else { panic!("{of_shape:?}") };
        shape
    };
    assert_eq!((made(Rule::Renju), made(Rule::Freestyle)), (Shape::Three, Shape::OpenThree));
}

#[test]
fn an_occupied_point_has_no_facts_and_a_stopped_search_no_proofs() {
    let three = board(Rule::Freestyle, "6,7 7,7 8,7", FAR, Color::Black);
    assert_eq!(facts(&three, "7,7"), []);
    let fork = board(Rule::Freestyle, "6,7 8,7 7,6 7,8", FAR, Color::Black);
    let stopped = Reasons::of(&fork, parse_comma("7,7").unwrap(), &|| true);
    assert!(matches!(&stopped.facts[..], [Fact::Makes { shape: Shape::DoubleThree, .. }]), "{stopped:?}");
}

#[test]
fn a_renju_game_near_its_end_has_no_forced_win() {
    // Stones without a row, up to three before renju's draw at 200. Freestyle has no such draw.
    let wins_under = |rule| {
        let mut board = Board::new(Size::FIFTEEN, rule);
        let room = "6,7 7,7 8,7 9,7 5,7 10,7 4,7 11,7 3,7";
        let kept = points(room);
        for point in Size::FIFTEEN.points().filter(|point| !kept.contains(point)).take(195) {
            let color = if (point.x() / 2 + point.y()) % 2 == 0 { Color::Black } else { Color::White };
            board.place(point, color);
        }
        points("6,7 7,7 8,7").into_iter().for_each(|point| board.place(point, Color::White));
        board.set_turn(Color::White);
        assert_eq!(board.stone_count(), 198);
        facts(&board, "9,7").iter().any(|fact| matches!(fact, Fact::Wins(_)))
    };
    assert!(!wins_under(Rule::Renju));
    assert!(wins_under(Rule::Freestyle), "the stones win without the draw");
}
