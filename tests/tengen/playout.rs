//! Threats found by playing them out: stones are played for one ply or three, and only rules of the board are used
//! ([`Board::is_empty`], [`Board::row`], [`Board::wins`], [`Board::foul`]), neither windows nor patterns.
//!
//! ```text
//! way      an empty point where one more stone wins with a row through the stone in question
//! stop     a reply after which no way is left
//! four     a stone with a way                      open, double four   one without a stop
//! three    a line where one more own stone makes an open four
//! ```
//!
//! Slow and obvious. It shares only the names of the threats with `threat`.

use tengen::board::{Board, Color, Direction, Occupant, Point, PointSet, Rule, Size};
use tengen::position::ThreatBoard;
use tengen::rng::Rng;
use tengen::threat::Threat;

/// Calls a function on the board with one more stone, which is removed afterwards.
pub fn after<T>(board: &mut Board, point: Point, color: Color, ask: impl FnOnce(&mut Board) -> T) -> T {
    let turn = board.turn();
    board.place(point, color);
    let answer = ask(board);
    board.try_remove(point).unwrap();
    board.set_turn(turn);
    answer
}

/// The empty points of a line, at any distance.
fn line(board: &Board, point: Point, direction: Direction) -> Vec<Point> {
    let side = board.size().side() as i8;
    let points = (-side..=side).filter_map(|distance| point.step(direction, distance, board.size()));
    points.filter(|&point| board.is_empty(point)).collect()
}

/// The empty points of the four lines through a stone. A stone elsewhere is neither in a row with it nor at an end of
/// one.
pub fn lines(board: &Board, point: Point) -> Vec<Point> {
    Direction::ALL.into_iter().flat_map(|direction| line(board, point, direction)).collect()
}

/// Whether one more stone of the color on `way` wins along a direction with a row through `stone`.
fn is_way(board: &mut Board, stone: Point, color: Color, direction: Direction, way: Point) -> bool {
    after(board, way, color, |board| {
        let (length, blocked_ends) = board.row(stone, color, direction);
        board.rule().row(color).wins(length, blocked_ends)
    })
}

/// The ways of a stone along a line.
fn ways(board: &mut Board, stone: Point, color: Color, direction: Direction) -> Vec<Point> {
    let points = line(board, stone, direction);
    points.into_iter().filter(|&point| is_way(board, stone, color, direction, point)).collect()
}

/// Whether one stone of the other side removes all of these ways.
fn is_stopped(board: &mut Board, stone: Point, color: Color, ways: &[(Direction, Point)]) -> bool {
    let leaves_way = |board: &mut Board| {
        let mut ways = ways.iter();
        ways.any(|&(direction, way)| board.is_empty(way) && is_way(board, stone, color, direction, way))
    };
    lines(board, stone).into_iter().any(|stop| after(board, stop, !color, |board| !leaves_way(board)))
}

/// Whether the stone's row along a line is an unbroken four that no single stone stops.
fn is_open_four(board: &mut Board, stone: Point, color: Color, direction: Direction) -> bool {
    if board.row(stone, color, direction).0 != 4 {
        return false;
    }
    let ways: Vec<_> = ways(board, stone, color, direction).into_iter().map(|way| (direction, way)).collect();
    !ways.is_empty() && !is_stopped(board, stone, color, &ways)
}

/// The threat that a stone of the color makes on an empty point.
///
/// A four depends on the whole board: whether a row through the stone can become a five, and whether one reply stops
/// it. Open fours and threes depend on the line alone, as in [`Pattern`](tengen::threat::Pattern): a four on each of
/// two lines is a double four, and a three has no four on its line.
///
/// Three things are ignored, so a threat may be weaker or stronger than it seems: points that the rule forbids, to the
/// stone or to the stone that would turn a three into an open four; a five elsewhere, of either side; fours of the
/// other side.
pub fn threat(board: &mut Board, point: Point, color: Color) -> Threat {
    if board.wins(point, color) {
        return Threat::Five;
    }
    after(board, point, color, |board| {
        let mut all = Vec::new();
        let (mut has_open_four, mut threes) = (false, 0);
        for direction in Direction::ALL {
            let ways = ways(board, point, color, direction);
            if ways.is_empty() {
                let mut line = line(board, point, direction).into_iter();
                let makes_open_four =
                    |next| after(board, next, color, |board| is_open_four(board, point, color, direction));
                threes += usize::from(line.any(makes_open_four));
            } else {
                has_open_four |= is_open_four(board, point, color, direction);
            }
            all.extend(ways.into_iter().map(|way| (direction, way)));
        }
        match threes {
            _ if has_open_four => Threat::OpenFour,
            _ if !all.is_empty() && !is_stopped(board, point, color, &all) => Threat::DoubleFour,
            0 if all.is_empty() => Threat::Nothing,
            1 if all.is_empty() => Threat::OpenThree,
            _ if all.is_empty() => Threat::DoubleThree,
            0 => Threat::Four,
            _ => Threat::FourThree,
        }
    })
}

/// The empty points where the color makes one of these threats.
pub fn makers(board: &mut Board, color: Color, threats: &[Threat]) -> Vec<Point> {
    let points = board.empty_points();
    points.iter().filter(|&point| threats.contains(&threat(board, point, color))).collect()
}

/// The empty points where the color wins at once.
pub fn fives(board: &Board, color: Color) -> Vec<Point> {
    board.empty_points().iter().filter(|&point| board.wins(point, color)).collect()
}

/// Whether the rule allows the color to play on an empty point.
pub fn is_allowed(board: &Board, point: Point, color: Color) -> bool {
    color == Color::White || board.foul(point).is_none()
}

/// The open and double fours that the rule allows the color.
pub fn winning_fours(board: &mut Board, color: Color) -> Vec<Point> {
    let fours = makers(board, color, &[Threat::OpenFour, Threat::DoubleFour]);
    fours.into_iter().filter(|&point| is_allowed(board, point, color)).collect()
}

/// The points where a stone of the other side leaves the color without a five.
pub fn stops(board: &mut Board, color: Color) -> PointSet {
    let fives = fives(board, color);
    let points = board.empty_points();
    points.iter().filter(|&point| after(board, point, !color, |board| !is_left(board, &fives, color))).collect()
}

/// Whether the color still wins on one of these points, after a stone of the other side, which creates no new ones.
fn is_left(board: &Board, fives: &[Point], color: Color) -> bool {
    fives.iter().any(|&five| board.is_empty(five) && board.wins(five, color))
}

/// Whether the color still has a five, in the third ply, after every reply to its stone.
pub fn leaves_five(board: &mut Board, point: Point, color: Color) -> bool {
    after(board, point, color, |board| {
        let fives = fives(board, color);
        let replies = board.empty_points();
        replies.iter().all(|reply| after(board, reply, !color, |board| is_left(board, &fives, color)))
    })
}

/// Whether a stone of the color leaves the other side without a five, and the color with one after every reply.
fn wins_in_three_plies(board: &mut Board, point: Point, color: Color) -> bool {
    leaves_five(board, point, color) && after(board, point, color, |board| fives(board, !color).is_empty())
}

/// Whether a stone of the color, followed after every reply by a second one on a line with it, leads to a five by the
/// fifth ply. The other side may play points that the rule forbids to it.
pub fn wins_in_five_plies(board: &mut Board, point: Point, color: Color) -> bool {
    after(board, point, color, |board| {
        let replies = board.empty_points();
        replies.iter().all(|reply| {
            !board.wins(reply, !color)
                && after(board, reply, !color, |board| {
                    !fives(board, color).is_empty()
                        || lines(board, point).into_iter().any(|next| wins_in_three_plies(board, next, color))
                })
        })
    })
}

/// Fifteen, twenty, and one odd size.
const SIZES: [u8; 3] = [15, 20, 9];

/// Number of clusters tried for each one wanted.
const TRIES: usize = 2000;

/// Generates clustered stones under every rule and on every size until `check` has returned true for `wanted` of each.
pub fn every_cluster(seed: u64, wanted: usize, mut check: impl FnMut(&ThreatBoard) -> bool) {
    for rule in Rule::ALL {
        for size in SIZES {
            let mut rng = Rng::new(seed << 16 | (rule.index() as u64) << 8 | u64::from(size));
            let mut found = 0;
            for _ in 0..wanted * TRIES {
                found += usize::from(check(&cluster(Size::new(size).unwrap(), rule, &mut rng)));
                if found == wanted {
                    break;
                }
            }
            assert_eq!(found, wanted, "{rule} {size}");
        }
    }
}

/// Random stones of both colors, most of them on a line with another, some removed again, with an occasional wall. No
/// stone wins. Either side is to move.
fn cluster(size: Size, rule: Rule, rng: &mut Rng) -> ThreatBoard {
    let mut board = Board::new(size, rule);
    let anywhere: Vec<Point> = size.points().collect();
    for _ in 0..rng.below(3) * rng.below(4) {
        board.wall(anywhere[rng.below(anywhere.len())]);
    }
    let mut threats = ThreatBoard::new(board);
    for _ in 0..8 + rng.below(32) {
        let board = threats.board();
        let stones: Vec<Point> = board.stones(Color::Black).union(&board.stones(Color::White)).iter().collect();
        if !stones.is_empty() && rng.below(8) == 0 {
            threats.undo();
            continue;
        }
        let mut color = Color::ALL[rng.below(2)];
        let mut point = Some(anywhere[rng.below(anywhere.len())]);
        if !stones.is_empty() && rng.below(8) > 0 {
            let from = stones[rng.below(stones.len())];
            color = stone(&threats, from).unwrap();
            color = if rng.below(4) > 0 { color } else { !color };
            point = from.step(Direction::ALL[rng.below(4)], rng.below(9) as i8 - 4, size);
        }
        if let Some(point) = point.filter(|&point| threats.board().is_empty(point)) {
            if !threats.board().wins(point, color) {
                threats.place(point, color);
            }
        }
    }
    threats.set_turn(Color::ALL[rng.below(2)]);
    threats
}

fn stone(threats: &ThreatBoard, point: Point) -> Option<Color> {
    if let Occupant::Stone(color) = threats.board().at(point) { Some(color) } else { None }
}
