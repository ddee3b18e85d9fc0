//! The moves of both sides in a chain of threats.

use crate::board::{Color, Direction, Point, PointSet, Rule};
use crate::eval::Survey;
use crate::position::Position;
use crate::solver::defence::{refutations, stops};
use crate::solver::unanswerable;
use crate::solver::vcf::take_back;
use crate::threat::{Cell, Pattern, PatternTable, REACH, Threat};

/// The points where a stone of the side to move may be a threat: fours, and threes that may become an open four, the
/// most promising first. Where the other side has a four, only what stops it.
pub(super) fn attacks(position: &Position) -> Vec<Point> {
    const THREATS: [Threat; 6] =
        [Threat::FourThree, Threat::DoubleThree, Threat::OpenThree, Threat::Four, Threat::DoubleFour, Threat::OpenFour];
    let Some(census) = position.survey().map(Survey::census) else { return Vec::new() };
    let attacker = position.board().turn();
    let is_allowed = |point: &Point| !position.is_forbidden(*point, attacker);
    if census.count(!attacker, Threat::Five) > 0 {
        return stops(position, !attacker).iter().filter(is_allowed).collect();
    }
    let made = THREATS.into_iter().filter(|&threat| census.count(attacker, threat) > 0);
    made.flat_map(|threat| census.set(attacker, threat).iter()).filter(is_allowed).collect()
}

/// What a proof by this attack is thought to cost: fours leave one answer and threes three, and a stone that is of use
/// in other lines too leads on. The least sum of the times to prove the labelled positions.
pub(super) fn cost(position: &Position, point: Point) -> u32 {
    const IDLE: usize = 3;
    let patterns = position.threats().patterns(point, position.board().turn());
    let answers = match Threat::of(patterns) {
        Threat::FourThree | Threat::DoubleThree => 1,
        Threat::OpenThree => 3,
        _ => 2,
    };
    let count = |pattern| patterns.count(pattern);
    let use_elsewhere = 2 * (count(Pattern::Three) + count(Pattern::OpenTwo)) + count(Pattern::Two);
    answers + IDLE.saturating_sub(use_elsewhere) as u32
}

/// The points where a stone makes no three and no four, and may yet make continuous fours possible: two lines that
/// lead to fours meet there.
pub(super) fn preparations(position: &Position) -> PointSet {
    let (board, threats) = (position.board(), position.threats());
    let attacker = board.turn();
    let may_prepare = |point: &Point| {
        let patterns = threats.patterns(*point, attacker);
        let threes = patterns.count(Pattern::Three);
        Threat::of(patterns) == Threat::Nothing && threes >= 1 && threes + patterns.count(Pattern::OpenTwo) >= 2
    };
    let near = board.stones(attacker).neighbourhood().intersection(&board.empty_points());
    position.allowed(&near.iter().filter(may_prepare).collect())
}

/// The points where the side to move has a four.
pub(super) fn fours(position: &Position) -> PointSet {
    let Some(census) = position.survey().map(Survey::census) else { return PointSet::EMPTY };
    let mover = position.board().turn();
    let made = Threat::FOURS.into_iter().filter(|&threat| census.count(mover, threat) > 0);
    made.fold(PointSet::EMPTY, |points, threat| points.union(census.set(mover, threat)))
}

/// Every point that may meet the open and double fours that the other side threatens, apart from own fours; `None`
/// where it threatens none.
pub(super) fn meets_three(position: &Position) -> Option<PointSet> {
    let board = position.board();
    let attacker = !board.turn();
    unanswerable(position, attacker)?;
    let census = position.survey()?.census();
    // A white stone can make a black fork a foul from afar: such a threat narrows nothing down.
    let is_lasting = |point: &Point| !position.threats().may_be_forbidden(board, *point, attacker);
    let threats = [Threat::OpenFour, Threat::DoubleFour].map(|threat| *census.set(attacker, threat));
    let lasting = threats.iter().flat_map(PointSet::iter).filter(is_lasting);
    let meets = lasting.map(|point| refutations(position, point, attacker, Threat::DoubleFour));
    Some(meets.reduce(|all, more| all.intersection(&more)).unwrap_or_else(|| board.empty_points()))
}

/// Every point that may meet the continuous fours by which the other side would win if the mover passed, apart from
/// own fours.
pub(super) fn meets_fours(position: &mut Position, line: &[Point]) -> PointSet {
    let defender = position.board().turn();
    let attacker = !defender;
    let table = PatternTable::of(position.board().rule());
    let own = match defender {
        Color::Black => Cell::Own,
        Color::White => Cell::Opponent,
    };
    // In caro one line is not all that a four can lead to.
    let mut anything = matches!(position.board().rule(), Rule::Caro | Rule::CaroOverline);
    let mut points = PointSet::EMPTY;
    position.set_turn(attacker);
    for (ply, &point) in line.iter().enumerate() {
        let threat = Threat::of(position.threats().patterns(point, position.board().turn()));
        if ply % 2 == 0 {
            let is_last = ply + 1 == line.len();
            // A last four that is simple wins by a foul, which stones anywhere can undo.
            anything |= position.threats().may_be_forbidden(position.board(), point, attacker)
                || is_last && threat < Threat::DoubleFour;
            let least = if is_last { Threat::DoubleFour } else { Threat::Four };
            points = points.union(&refutations(position, point, attacker, least));
        } else {
            points.insert(point);
            for direction in Direction::ALL {
                let window = position.threats().window(point, direction);
                for distance in (-(REACH as i8)..=REACH as i8).filter(|&distance| distance != 0) {
                    if window.cell(distance) == Cell::Empty
                        && table.get(window.with(distance, own))[defender] >= Pattern::Four
                    {
                        points.extend(point.step(direction, distance, position.board().size()));
                    }
                }
            }
        }
        position.play(point);
    }
    for &point in line.iter().rev() {
        take_back(position, point);
    }
    position.set_turn(defender);
    if anything { position.board().empty_points() } else { points }
}
