//! Defences against threats, and threats without a defence.

use crate::board::{Color, Direction, Point, PointSet};
use crate::position::ThreatBoard;
use crate::threat::{Cell, Pattern, PatternTable, REACH, Threat};

/// The points where a stone of the side to move leaves the other side no open four and no double four that the rule
/// allows; `None` if the other side threatens neither. Exact: the patterns of every threatening point are looked up again
/// with the stone in its window. An own four gains a move; it may be an answer without being in the set.
///
/// Cost: about a hundred look-ups for each threatening point, and under renju some microseconds if such a point may be
/// forbidden to black.
pub fn open_four_defences(threats: &ThreatBoard) -> Option<PointSet> {
    let attacker = !threats.board().turn();
    winning_four(threats, attacker)?;
    let sets = threats.sets();
    let fours = [Threat::OpenFour, Threat::DoubleFour].into_iter().filter(|&four| sets.count(attacker, four) > 0);
    let mut answers = threats.board().empty_points();
    // Fours that the rule may forbid, with their refutations.
    let mut doubtful = Vec::new();
    for point in fours.flat_map(|four| sets.set(attacker, four).iter()) {
        let refutations = refutations(threats, point, attacker, Threat::DoubleFour);
        if threats.may_be_forbidden(point, attacker) {
            doubtful.push((point, refutations));
        } else {
            answers = answers.intersection(&refutations);
        }
    }
    Some(if doubtful.is_empty() { answers } else { with_fouls(threats, &answers, &doubtful) })
}

/// The answers after which each of these fours is refuted or forbidden. A distant stone can make a four forbidden, or
/// allowed.
fn with_fouls(threats: &ThreatBoard, answers: &PointSet, fours: &[(Point, PointSet)]) -> PointSet {
    let mut board = threats.board().clone();
    let defender = board.turn();
    let is_answer = |&answer: &Point| {
        board.place(answer, defender);
        let mut fours = fours.iter();
        let is_met =
            fours.all(|(four, refutations)| refutations.contains(answer) || board.is_forbidden(*four, !defender));
        board.remove(answer, defender);
        is_met
    };
    answers.iter().filter(is_answer).collect()
}

/// The blocks of this color's fives: the points where a stone of the other side leaves it no five. These are the one point
/// of five, and in caro also the ends of the row. Empty if one stone is not enough. Points forbidden to the other side are
/// included.
///
/// Cost: a read of the threat sets; in caro some tens of look-ups for each five.
pub fn five_blocks(threats: &ThreatBoard, attacker: Color) -> PointSet {
    let fives = threats.sets().set(attacker, Threat::Five);
    if !threats.board().rule().five_needs_free_end() {
        return if threats.sets().count(attacker, Threat::Five) == 1 { *fives } else { PointSet::EMPTY };
    }
    let all = fives.iter().map(|five| refutations(threats, five, attacker, Threat::Five));
    all.reduce(|blocks, more| blocks.intersection(&more)).unwrap_or(PointSet::EMPTY)
}

/// The points where a stone of the other side weakens the threat at `threat` to less than `least`, that point included.
pub(super) fn refutations(threats: &ThreatBoard, threat: Point, attacker: Color, least: Threat) -> PointSet {
    let table = PatternTable::of(threats.board().rule());
    let blocker = Cell::of(!attacker);
    let patterns = threats.patterns(threat, attacker);
    let mut points = PointSet::EMPTY;
    points.insert(threat);
    for direction in Direction::ALL {
        if patterns.get(direction) < Pattern::Four {
            continue;
        }
        let window = threats.cache().window(threat, direction);
        for distance in (-(REACH as i8)..=REACH as i8).filter(|&distance| distance != 0) {
            if window.cell(distance) != Cell::Empty {
                continue;
            }
            let made = table.get(window.with(distance, blocker))[attacker];
            if Threat::of(patterns.with(direction, made)) < least {
                points.extend(threat.step(direction, distance, threats.board().size()));
            }
        }
    }
    points
}

/// The first point of a winning four: an open four or a double four that the rule allows to this color. No single stone
/// meets it.
pub fn winning_four(threats: &ThreatBoard, color: Color) -> Option<Point> {
    let allowed = |point: &Point| !threats.is_forbidden(*point, color);
    let (sets, rule) = (threats.sets(), threats.board().rule());
    // A double four makes no five, so it is always a foul of a color that has fouls.
    let fours = [Threat::OpenFour, Threat::DoubleFour];
    let may_win = |&four: &Threat| sets.count(color, four) > 0 && !(four == Threat::DoubleFour && rule.forbids(color));
    fours.into_iter().filter(may_win).find_map(|four| sets.set(color, four).iter().find(allowed))
}

/// The points where this color makes a four whose block is forbidden to the other side. The caller has checked that the
/// other side has no five, or that the four blocks it. Empty under a rule that forbids the other side nothing.
///
/// Cost: under renju for white, a look-up for each of its fours, and some microseconds for each block that may be forbidden.
#[inline]
pub fn trap_fours(threats: &ThreatBoard, attacker: Color) -> PointSet {
    if threats.board().rule().forbids(!attacker) && threats.sets().has_four(attacker) {
        fours_with_forbidden_block(threats, attacker)
    } else {
        PointSet::EMPTY
    }
}

fn fours_with_forbidden_block(threats: &ThreatBoard, attacker: Color) -> PointSet {
    let table = PatternTable::of(threats.board().rule());
    let own = Cell::of(attacker);
    let mut traps = PointSet::EMPTY;
    // The two points that turn a three into a four are each other's blocks. The four changes the patterns of its block only
    // along their common line, where it weakens the defender: a block that cannot be a foul before the four is none after it.
    for block in fours(threats, attacker).iter().filter(|&block| threats.may_be_forbidden(block, !attacker)) {
        for direction in Direction::ALL {
            if threats.patterns(block, attacker).get(direction) < Pattern::Four {
                continue;
            }
            let window = threats.cache().window(block, direction);
            for distance in (-(REACH as i8)..=REACH as i8).filter(|&distance| distance != 0) {
                if window.cell(distance) != Cell::Empty
                    || table.get(window.with(distance, own))[attacker] != Pattern::Five
                {
                    continue;
                }
                let Some(four) = block.step(direction, distance, threats.board().size()) else { continue };
                let mut board = threats.board().clone();
                board.place(four, attacker);
                if board.is_forbidden(block, !attacker) {
                    traps.insert(four);
                }
            }
        }
    }
    traps
}

/// The points where this color makes a four.
pub fn fours(threats: &ThreatBoard, color: Color) -> PointSet {
    let sets = threats.sets();
    let made = Threat::FOURS.into_iter().filter(|&four| sets.count(color, four) > 0);
    made.fold(PointSet::EMPTY, |points, four| points.union(sets.set(color, four)))
}

/// Whether this color, which is to move, has a winning fork: a four with an open three, or two open threes, while the
/// other side cannot make a four and the rule forbids this color no points. One stone cannot meet both threats, so the
/// five comes in five plies. The caller has checked that the other side has no five.
pub fn has_winning_fork(threats: &ThreatBoard, mover: Color) -> bool {
    let sets = threats.sets();
    let forks = sets.count(mover, Threat::FourThree) + sets.count(mover, Threat::DoubleThree);
    forks > 0 && !threats.board().rule().forbids(mover) && !sets.has_four(!mover)
}
