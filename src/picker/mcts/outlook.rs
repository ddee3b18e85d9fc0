//! [`Outlook`]: what the threats of a position decide, before anything is judged.

use super::verdict::Verdict;
use crate::board::PointSet;
use crate::position::ThreatBoard;
use crate::solver::{five_blocks, has_winning_fork, open_four_defences, winning_four};
use crate::threat::Threat;

/// What the threats of a position decide for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// How the game ends.
    Decided(Verdict),
    /// One of these moves must be played: every other one loses.
    Forced(PointSet),
    /// Nothing.
    Open,
}

impl Outlook {
    /// Reads the threats: a look at the sets, and where the other side threatens an open four the search for what answers
    /// it. The distances are those of the search: a five is one ply, an open four three.
    pub(super) fn of(threats: &ThreatBoard) -> Self {
        let (board, sets) = (threats.board(), threats.sets());
        let mover = board.turn();
        if board.is_full() {
            return Self::Decided(Verdict::Drawn);
        }
        if sets.count(mover, Threat::Five) > 0 {
            return Self::Decided(Verdict::Won(1));
        }
        if sets.count(!mover, Threat::Five) > 0 {
            let blocks = threats.allowed(&five_blocks(threats, !mover));
            return if blocks.is_empty() { Self::Decided(Verdict::Lost(2)) } else { Self::Forced(blocks) };
        }
        if winning_four(threats, mover).is_some() {
            return Self::Decided(Verdict::Won(3));
        }
        if has_winning_fork(threats, mover) {
            return Self::Decided(Verdict::Won(5));
        }
        let Some(defences) = open_four_defences(threats) else { return Self::Open };
        // An own four gains a move.
        let fours = Threat::FOURS.into_iter().filter(|&four| sets.count(mover, four) > 0);
        let answers = fours.fold(defences, |points, four| points.union(sets.set(mover, four)));
        let answers = threats.allowed(&answers);
        if answers.is_empty() { Self::Decided(Verdict::Lost(4)) } else { Self::Forced(answers) }
    }
}
