//! TACTICS: results that follow from the threats alone, and the budgets of the proof searches. Both alpha-beta and MCTS
//! use this module. A five, a winning four and a winning fork are moves here: points where the next stone makes one. A four
//! whose block is forbidden to the other side wins too.
//!
//! ```text
//! own five ─► won in 1    other five ─► block it, or lost in 2    own winning four ─► won in 3    winning fork ─► won in 5
//! otherwise, if the other side threatens an open four ─► answer it or play an own four, or lost in 4
//! ```

use super::{Choice, Limits, Line, Reason, Report, SearchInfo};
use crate::board::{Board, Color, Direction, Point, PointSet};
use crate::position::{Accumulator, Position, ThreatBoard};
use crate::score::Score;
use crate::solver::{
    Budget, Proof, Vcf, five_blocks, fours, has_winning_fork, open_four_defences, trap_fours, winning_four,
    with_last_fours,
};
use crate::threat::{Threat, ThreatSets};

/// Plies to an own five.
pub(super) const FIVE: u32 = 1;

/// Plies to a five of the other side that is not blocked.
pub(super) const UNBLOCKED_FIVE: u32 = 2;

/// Plies to the five after an own winning four.
pub(super) const WINNING_FOUR: u32 = 3;

/// Plies to the five of the other side after its winning four.
pub(super) const UNANSWERED_FOUR: u32 = 4;

/// Plies to the five after an own winning fork.
pub(super) const WINNING_FORK: u32 = 5;

/// Budget of the search for continuous fours at a leaf. 24 nodes: +38 [-20, +99] against 12 and +49 [-15, +116] against
/// 48, 100 games each; further sizes in `docs/lab/search.md`.
const LEAF_VCF: Budget = Budget { nodes: 24, fours: 12 };

/// Maximum number of fours of a proof at the root. Set by hand.
const ROOT_FOURS: u8 = 40;

/// Maximum number of nodes of the search for continuous fours at the root, some hundredths of a second. Set by hand.
const ROOT_VCF_NODES: u64 = 20_000;

/// Root VCF nodes per millisecond of the move's time: at a few microseconds a node, a few per cent of it. Below 2.5 s a
/// move this allows fewer nodes than [`ROOT_VCF_NODES`]. Set by hand.
const ROOT_VCF_NODES_PER_MS: u128 = 8;

/// VCT node budget at the root without a clock and at fixed depth, where the clock must not change the result. It takes
/// a few milliseconds. Set by hand.
pub(super) const TIMELESS_VCT_NODES: u64 = 4000;

/// The result that the fives, winning fours and winning forks of a position force for the side to move.
pub(super) enum Tactics {
    /// Won, with the five after this number of plies.
    Won(u32),
    /// Lost, with the five of the other side after this number of plies.
    Lost(u32),
    /// The other side can make a five: only these moves block it.
    Block(PointSet),
    /// Undecided. The opponent may still threaten an open four: see [`open_four_answers`].
    Undecided,
}

impl Tactics {
    /// Reads the threat sets. Cost: in caro, finding the blocks takes a few dozen look-ups.
    #[inline]
    pub(super) fn of(threats: &ThreatBoard) -> Self {
        let mover = threats.board().turn();
        if threats.sets().count(mover, Threat::Five) > 0 {
            return Self::Won(FIVE);
        }
        if threats.sets().count(!mover, Threat::Five) > 0 {
            let blocks = threats.allowed(&five_blocks(threats, !mover));
            return if blocks.is_empty() { Self::Lost(UNBLOCKED_FIVE) } else { Self::Block(blocks) };
        }
        if decisive_four(threats, mover).is_some() {
            Self::Won(WINNING_FOUR)
        } else if has_winning_fork(threats, mover) {
            Self::Won(WINNING_FORK)
        } else {
            Self::Undecided
        }
    }
}

/// The moves that make an own five. Without an own five, the moves that stop all fives of the other side; if no move does,
/// those that stop one of them. Empty if neither side can make a five.
pub(super) fn five_moves(threats: &ThreatBoard) -> PointSet {
    let mover = threats.board().turn();
    if threats.sets().count(mover, Threat::Five) > 0 {
        return *threats.sets().set(mover, Threat::Five);
    }
    let blocks = five_blocks(threats, !mover);
    threats.allowed(if blocks.is_empty() { threats.sets().set(!mover, Threat::Five) } else { &blocks })
}

/// Whether the side to move has one move that does not lose at once: the block of a five.
pub(super) fn is_only_move(threats: &ThreatBoard) -> bool {
    matches!(Tactics::of(threats), Tactics::Block(blocks) if blocks.len() == 1)
}

/// The answers to a threatened open four or double four: the defences, and every own four, which gains a move. `None`
/// if the opponent threatens neither. The answers may include forbidden points. The caller has checked that neither
/// side can make a five.
///
/// Cost: [`open_four_defences`].
#[inline]
pub(super) fn open_four_answers(threats: &ThreatBoard) -> Option<PointSet> {
    let defences = open_four_defences(threats)?;
    Some(defences.union(&fours(threats, threats.board().turn())))
}

/// The move of a root that [`Tactics`] has decided: an own five, else a block of one of the other side's fives, else an
/// own four that wins. `None` for a winning fork, because its test does not find the point, and if every block is
/// forbidden.
pub(crate) fn urgent_move(threats: &ThreatBoard) -> Option<Point> {
    let (board, sets) = (threats.board(), threats.sets());
    let mover = board.turn();
    // Some renju referees call a move a foul if it makes both a five and an overline. Prefer any other five.
    let is_overline = |point: &Point| Direction::ALL.iter().any(|&direction| board.row(*point, mover, direction).0 > 5);
    let is_doubtful = |point: &Point| board.rule().forbids(mover) && is_overline(point);
    if sets.count(mover, Threat::Five) > 0 {
        sets.set(mover, Threat::Five).iter().min_by_key(is_doubtful)
    } else if sets.count(!mover, Threat::Five) > 0 {
        sets.set(!mover, Threat::Five).iter().find(|point| !threats.is_forbidden(*point, mover))
    } else {
        decisive_four(threats, mover)
    }
}

/// A four of the side to move after which it makes a five whatever the other side plays: a winning four, or one whose block
/// is forbidden.
#[inline]
fn decisive_four(threats: &ThreatBoard, mover: Color) -> Option<Point> {
    winning_four(threats, mover).or_else(|| trap_fours(threats, mover).iter().next())
}

/// Whether the other side would win by a four whose block is forbidden, if the side to move passed.
pub(super) fn is_trap_threatened(threats: &ThreatBoard) -> bool {
    !trap_fours(threats, !threats.board().turn()).is_empty()
}

/// The empty points near the stones: the 5 × 5 square around each stone, and the points three steps away on its lines.
/// On an empty board the centre. If no such point is empty, every empty point.
pub(super) fn near(board: &Board) -> PointSet {
    if board.stone_count() == 0 {
        let centre = PointSet::from_iter([board.size().centre()]).intersection(&board.empty_points());
        return if centre.is_empty() { board.empty_points() } else { centre };
    }
    let near = board.near_stones();
    if near.is_empty() { board.empty_points() } else { near }
}

/// Chooses the centre of an empty board if it is allowed. Sends a report if `lines` is above 0.
pub(super) fn first_move(
    board: &Board,
    lines: usize,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Choice> {
    let point = board.size().centre();
    if board.stone_count() > 0 || !board.is_empty(point) || limits.left_out.contains(point) {
        return None;
    }
    if lines > 0 {
        let lines = vec![Line { score: Score::ZERO, points: vec![point] }];
        report(Report::Search(SearchInfo { lines, ..SearchInfo::default() }));
    }
    Some(Choice { point, reason: Reason::Centre, nodes: 0 })
}

/// Runs VCF at a leaf with the leaf budget. Returns `None` if a win is too unlikely to search for.
#[inline]
pub(super) fn prove_leaf<A: Accumulator<Sets = ThreatSets>>(
    position: &mut Position<A>,
    vcf: &mut Vcf,
) -> Option<Proof> {
    Vcf::is_promising(position.threats()).then(|| position.solve(|threats| vcf.any(threats, LEAF_VCF)))
}

/// The shortest win by continuous fours from the root. The time and node limits of the move set the budget.
pub(super) fn prove_root(threats: &ThreatBoard, limits: &Limits, vcf: &mut Vcf) -> Option<Line> {
    match vcf.shortest(&mut threats.clone(), root_budget(limits)) {
        Proof::Win(line) => Some(Line { score: Score::win_at(proof_plies(&line)), points: line }),
        Proof::NoWin | Proof::Unknown => None,
    }
}

/// A win by continuous threats that was proved from the root, completed with its last fours, and its score. If the last
/// fours are not found, the score counts them as a single four, and the win may take longer.
pub(super) fn proved_threats(threats: &ThreatBoard, line: Vec<Point>, limits: &Limits, vcf: &mut Vcf) -> Line {
    let (moves, points) = with_last_fours(&mut threats.clone(), line.clone(), vcf, root_budget(limits))
        .unwrap_or_else(|| (line.len().div_ceil(2) + 2, line));
    Line { score: Score::win_at(2 * moves as u32 - 1), points }
}

fn root_budget(limits: &Limits) -> Budget {
    let time = limits.control.earlier_deadline();
    let by_time = time.and_then(|time| u64::try_from(time.as_millis() * ROOT_VCF_NODES_PER_MS).ok());
    let nodes = [by_time, limits.nodes].into_iter().flatten().fold(ROOT_VCF_NODES, u64::min);
    Budget { nodes, fours: ROOT_FOURS }
}

/// Plies to the five. The line ends with the deciding move, and the five comes two plies later.
pub(super) const fn proof_plies(line: &[Point]) -> u32 {
    line.len() as u32 + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rule, Size};
    use crate::notation::parse_comma;

    #[test]
    fn a_move_is_the_only_one_if_it_blocks_the_only_five() {
        let is_only = |moves: &str| {
            let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
            moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
            is_only_move(&ThreatBoard::new(board))
        };
        assert!(is_only("7,7 6,7 8,7 6,9 9,7 6,11 10,7"));
        assert!(!is_only("7,7 6,1 8,7 6,9 9,7 6,11 10,7"), "an open four");
        assert!(!is_only("7,7 6,7 8,7 6,9 9,7"), "a three");
        assert!(!is_only("7,7 6,7 8,7 6,9 9,7 6,11 10,7 11,7"), "a blocked four");
    }

    #[test]
    fn one_of_two_fives_is_blocked_although_the_other_stays() {
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        "5,7 0,0 6,7 14,0 7,7 0,14 8,7".split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        let ends = ["4,7", "9,7"].map(|name| parse_comma(name).unwrap());
        assert_eq!(five_moves(&ThreatBoard::new(board)), PointSet::from_iter(ends));
    }

    #[test]
    fn a_four_whose_block_is_forbidden_wins() {
        // Black's block at 8,7 would make two fours.
        let moves = "3,7 4,7 8,4 5,7 8,5 6,7 8,6 0,14 5,4 14,14 6,5 14,0 7,6";
        for (rule, wins) in [(Rule::Renju, true), (Rule::Standard, false)] {
            let mut board = Board::new(Size::FIFTEEN, rule);
            moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
            let mut threats = ThreatBoard::new(board);
            assert_eq!(matches!(Tactics::of(&threats), Tactics::Won(WINNING_FOUR)), wins);
            assert_eq!(urgent_move(&threats), wins.then(|| parse_comma("7,7").unwrap()));
            assert!(!is_trap_threatened(&threats));
            threats.set_turn(Color::Black);
            assert_eq!(is_trap_threatened(&threats), wins);
        }
    }
}
