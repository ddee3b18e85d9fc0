//! What answers a threat of four.

use crate::board::{Color, Direction, Point, PointSet, Rule};
use crate::eval::Survey;
use crate::position::Position;
use crate::threat::{Cell, Pattern, PatternTable, REACH, Threat};

/// The points where a stone of the side to move leaves the other side no open four and no double four, or `None` where
/// the other side threatens neither. Exact: the patterns of every threatening point are looked up anew with the stone
/// in its window. An own four gains a move and may answer too; it is not among these points.
///
/// The position must be surveyed. Cost: about a hundred look-ups for each threatening point.
pub fn defences(position: &Position) -> Option<PointSet> {
    let census = position.survey()?.census();
    let attacker = !position.board().turn();
    let mut answers: Option<PointSet> = None;
    for threat in [Threat::OpenFour, Threat::DoubleFour] {
        if census.count(attacker, threat) == 0 {
            continue;
        }
        for point in census.set(attacker, threat).iter() {
            if position.is_forbidden(point, attacker) {
                continue;
            }
            let refutations = refutations(position, point, attacker, Threat::DoubleFour);
            answers = Some(answers.map_or(refutations, |answers| answers.intersection(&refutations)));
        }
    }
    answers
}

/// The points where a stone of the other side leaves this color no five, where it has one: the one point of five, and
/// in caro an end of the row too. None where one stone is not enough. Points forbidden to the other side are among them.
///
/// The position must be surveyed. Cost: a look at the census; in caro some tens of look-ups for each five.
pub fn stops(position: &Position, attacker: Color) -> PointSet {
    let Some(census) = position.survey().map(Survey::census) else { return PointSet::EMPTY };
    let fives = census.set(attacker, Threat::Five);
    if !matches!(position.board().rule(), Rule::Caro | Rule::CaroOverline) {
        return if census.count(attacker, Threat::Five) == 1 { *fives } else { PointSet::EMPTY };
    }
    let all = fives.iter().map(|five| refutations(position, five, attacker, Threat::Five));
    all.reduce(|stops, more| stops.intersection(&more)).unwrap_or(PointSet::EMPTY)
}

/// The points where a stone of the other side leaves a point less than this threat.
pub(super) fn refutations(position: &Position, threat: Point, attacker: Color, least: Threat) -> PointSet {
    let (board, threats) = (position.board(), position.threats());
    let table = PatternTable::of(board.rule());
    let blocker = match attacker {
        Color::Black => Cell::Opponent,
        Color::White => Cell::Own,
    };
    let mut points = PointSet::EMPTY;
    points.insert(threat);
    for direction in Direction::ALL {
        let patterns = threats.patterns(threat, attacker);
        if patterns.get(direction) < Pattern::Four {
            continue;
        }
        let window = threats.window(threat, direction);
        for distance in (-(REACH as i8)..=REACH as i8).filter(|&distance| distance != 0) {
            if window.cell(distance) != Cell::Empty {
                continue;
            }
            let made = table.get(window.with(distance, blocker))[attacker];
            if Threat::of(patterns.with(direction, made)) < least {
                points.extend(threat.step(direction, distance, board.size()));
            }
        }
    }
    points
}

/// The first point where this color makes a threat that no single stone answers: an open four or a double four that
/// the rule allows.
pub fn unanswerable(position: &Position, color: Color) -> Option<Point> {
    let census = position.survey()?.census();
    let allowed = |point: &Point| !position.is_forbidden(*point, color);
    [Threat::OpenFour, Threat::DoubleFour].into_iter().find_map(|threat| {
        if census.count(color, threat) == 0 { None } else { census.set(color, threat).iter().find(allowed) }
    })
}

/// Whether this color, being to move, wins in five plies by a four with an open three or by two open threes: where the
/// other side can make no four and no rule forbids points to this color, one stone cannot answer both.
pub fn decides(position: &Position, mover: Color) -> bool {
    let Some(census) = position.survey().map(Survey::census) else { return false };
    let forks = census.count(mover, Threat::FourThree) + census.count(mover, Threat::DoubleThree);
    forks > 0
        && !position.board().rule().forbids(mover)
        && Threat::FOURS.iter().all(|&threat| census.count(!mover, threat) == 0)
}
