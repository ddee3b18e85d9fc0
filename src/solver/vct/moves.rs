//! The moves of both sides in a chain of threats.

use crate::board::{Direction, Point, PointSet};
use crate::position::ThreatBoard;
use crate::solver::defence::{five_blocks, refutations, winning_four};
use crate::threat::{Cell, Pattern, PatternTable, REACH, Threat};

/// The threats of the side to move, the most promising first: fours, and threes that may become an open four. If the other
/// side has a five, only its blocks.
pub(super) fn attacks(threats: &ThreatBoard) -> Vec<Point> {
    const THREATS: [Threat; 6] =
        [Threat::FourThree, Threat::DoubleThree, Threat::OpenThree, Threat::Four, Threat::DoubleFour, Threat::OpenFour];
    let sets = threats.sets();
    let attacker = threats.board().turn();
    let is_allowed = |point: &Point| !threats.is_forbidden(*point, attacker);
    if sets.count(!attacker, Threat::Five) > 0 {
        return five_blocks(threats, !attacker).iter().filter(is_allowed).collect();
    }
    let made = THREATS.into_iter().filter(|&threat| sets.count(attacker, threat) > 0);
    made.flat_map(|threat| sets.set(attacker, threat).iter()).filter(is_allowed).collect()
}

/// The estimated cost of a proof by this attack: 1 for a four-three or a double three, 3 for an open three, 2 for any
/// other four; plus 3, less the use of the stone on other lines. Set by the time to prove the labelled positions.
pub(super) fn cost(threats: &ThreatBoard, point: Point) -> u32 {
    const IDLE: usize = 3;
    let patterns = threats.patterns(point, threats.board().turn());
    let answers = match Threat::of(patterns) {
        Threat::FourThree | Threat::DoubleThree => 1,
        Threat::OpenThree => 3,
        _ => 2,
    };
    let count = |pattern| patterns.count(pattern);
    let use_elsewhere = 2 * (count(Pattern::Three) + count(Pattern::OpenTwo)) + count(Pattern::Two);
    answers + IDLE.saturating_sub(use_elsewhere) as u32
}

/// The preparations of continuous fours: points that make neither a three nor a four, where two lines that lead to fours
/// meet.
pub(super) fn preparations(threats: &ThreatBoard) -> PointSet {
    let board = threats.board();
    let attacker = board.turn();
    let may_prepare = |point: &Point| {
        let patterns = threats.patterns(*point, attacker);
        let threes = patterns.count(Pattern::Three);
        Threat::of(patterns) == Threat::Nothing && threes >= 1 && threes + patterns.count(Pattern::OpenTwo) >= 2
    };
    let near = board.stones(attacker).neighbourhood().intersection(&board.empty_points());
    threats.allowed(&near.iter().filter(may_prepare).collect())
}

/// Every point that may meet the open and double fours of the other side, without own fours; `None` if it has none.
pub(super) fn meets_three(threats: &ThreatBoard) -> Option<PointSet> {
    let board = threats.board();
    let attacker = !board.turn();
    winning_four(threats, attacker)?;
    let sets = threats.sets();
    // A distant white stone can make a black four forbidden: such a threat rules out no answer.
    let is_lasting = |point: &Point| !threats.may_be_forbidden(*point, attacker);
    let winning = [Threat::OpenFour, Threat::DoubleFour].map(|threat| *sets.set(attacker, threat));
    let lasting = winning.iter().flat_map(PointSet::iter).filter(is_lasting);
    let meets = lasting.map(|point| refutations(threats, point, attacker, Threat::DoubleFour));
    Some(meets.reduce(|all, more| all.intersection(&more)).unwrap_or_else(|| board.empty_points()))
}

/// Every point that may meet the continuous fours by which the other side would win if the mover passed, without own
/// fours.
pub(super) fn meets_fours(threats: &mut ThreatBoard, line: &[Point]) -> PointSet {
    let defender = threats.board().turn();
    let attacker = !defender;
    let table = PatternTable::of(threats.board().rule());
    let own = Cell::of(defender);
    // In caro a four has several answers. The line shows one of them.
    let mut anything = threats.board().rule().five_needs_free_end();
    let mut points = PointSet::EMPTY;
    threats.set_turn(attacker);
    for (ply, &point) in line.iter().enumerate() {
        let threat = Threat::of(threats.patterns(point, threats.board().turn()));
        if ply % 2 == 0 {
            let is_last = ply + 1 == line.len();
            // A simple last four wins by a forbidden answer, which a stone anywhere can make allowed.
            anything |= threats.may_be_forbidden(point, attacker) || is_last && threat < Threat::DoubleFour;
            let least = if is_last { Threat::DoubleFour } else { Threat::Four };
            points = points.union(&refutations(threats, point, attacker, least));
        } else {
            points.insert(point);
            for direction in Direction::ALL {
                let window = threats.cache().window(point, direction);
                for distance in (-(REACH as i8)..=REACH as i8).filter(|&distance| distance != 0) {
                    if window.cell(distance) == Cell::Empty
                        && table.get(window.with(distance, own))[defender] >= Pattern::Four
                    {
                        points.extend(point.step(direction, distance, threats.board().size()));
                    }
                }
            }
        }
        threats.play(point);
    }
    for _ in line {
        threats.undo();
    }
    threats.set_turn(defender);
    if anything { threats.board().empty_points() } else { points }
}
