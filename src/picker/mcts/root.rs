//! [`RootMoves`]: the moves of the root, and what is proved there before the first playout.

use super::judge::Judge;
use super::playout::{edges, prove};
use super::tree::{Expansion, NodeId, Tree};
use super::verdict::{Outlook, Verdict};
use crate::board::{Point, PointSet};
use crate::picker::book::Advice;
use crate::picker::tactics::{self, FIVE, Tactics};
use crate::picker::{Limits, Line};
use crate::position::{Position, ThreatBoard};
use crate::score::Score;
use crate::solver::Vcf;
use crate::threat::Threat;

/// The moves of the root, and a proof found there before the first playout.
pub(super) struct RootMoves {
    /// The allowed moves.
    points: PointSet,
    expansion: Expansion,
    /// A proved win, or a block of one of several fives.
    pub(super) proved: Option<Line>,
}

impl RootMoves {
    /// Finds proofs at the root and the allowed moves; `None` on a full board.
    pub(super) fn of<J: Judge>(
        root: &Position<J>,
        lines: usize,
        limits: &Limits,
        advice: &Advice,
        vcf: &mut Vcf,
    ) -> Option<Self> {
        let threats = root.threats();
        let may_choose = |point: &Point| !limits.left_out.contains(*point);
        let proved = root_proof(threats, limits, vcf).filter(|line| line.points.first().is_some_and(may_choose));
        let choosable = |points: PointSet| advice.keep(points.iter().filter(may_choose).collect());
        let empty = threats.board().empty_points();
        let allowed = choosable(threats.allowed(&empty));
        let forced = match Outlook::of(threats) {
            // Multi-PV searches every move, not only the forced ones.
            Outlook::Forced(points) if lines <= 1 => choosable(points),
            _ => PointSet::EMPTY,
        };
        let near = choosable(threats.allowed(&tactics::near(threats.board())));
        let (mut points, expansion) = if !forced.is_empty() {
            (forced, Expansion::Complete)
        } else if !near.is_empty() {
            (near, Expansion::Likely)
        } else if !allowed.is_empty() {
            (allowed, Expansion::Complete)
        } else {
            (choosable(empty), Expansion::Complete)
        };
        if points.is_empty() {
            return None;
        }
        match proved.as_ref().and_then(|line| Some((*line.points.first()?, line.score))) {
            // Every move loses; this one blocks a five.
            Some((block, score)) if score.is_loss() && lines <= 1 => points = PointSet::from_iter([block]),
            Some((point, _)) => points.insert(point),
            None => {}
        }
        let is_every_move = !limits.left_out.is_empty() || points == allowed;
        let expansion = if is_every_move { Expansion::Complete } else { expansion };
        Some(Self { points, expansion, proved })
    }
}

/// Root proof before the first playout: a five, a VCF win, or a loss to fives that no legal move blocks. For a loss the
/// line is a move that blocks one five.
fn root_proof(threats: &ThreatBoard, limits: &Limits, vcf: &mut Vcf) -> Option<Line> {
    let score = match Tactics::of(threats) {
        Tactics::Won(FIVE) => Score::win_at(FIVE),
        Tactics::Lost(plies) => Score::loss_at(plies),
        Tactics::Won(_) | Tactics::Block(_) | Tactics::Undecided => return tactics::prove_root(threats, limits, vcf),
    };
    Some(Line { score, points: vec![tactics::urgent_move(threats)?] })
}

/// Expands the root with the allowed moves and stores the root proof. Moves already in a reused tree keep their
/// statistics.
pub(super) fn expand_root<J: Judge>(tree: &mut Tree, root: &Position<J>, moves: &RootMoves, is_multi_pv: bool) {
    let node = NodeId::ROOT;
    let mut root_edges = Vec::new();
    edges(&mut root_edges, &mut root.clone(), &moves.points);
    let expansion = tree.expansion(node);
    let children: PointSet = tree.children_of(node).map(|child| tree.point(child)).collect();
    let is_expanded = children == moves.points && expansion == moves.expansion;
    // The previous search may have proved this node from a different set of moves, so the verdict is recomputed.
    tree.set_verdict(node, Verdict::Open);
    if !is_expanded && (!tree.claim(node, expansion) || !tree.publish(node, &root_edges, moves.expansion)) {
        // The tree is full: clear it. An empty tree always has room for the root and its moves.
        tree.clear();
        let is_expanded = tree.claim(node, Expansion::Leaf) && tree.publish(node, &root_edges, moves.expansion);
        debug_assert!(is_expanded, "an empty tree has room for the moves of its root");
    }
    let proved = moves.proved.as_ref().and_then(|line| Some((tree.child(node, *line.points.first()?)?, line.score)));
    if let Some((child, score)) = proved {
        let plies = score.plies().unwrap_or(1).saturating_sub(1) as u16;
        tree.set_verdict(child, if score.is_win() { Verdict::Lost(plies) } else { Verdict::Won(plies) });
        if score.is_loss() && !is_multi_pv {
            tree.set_verdict(node, Verdict::Lost(plies + 1));
        }
    }
    // The threats of a position after a five do not show that the game is over, so the moves that make a five are
    // marked here.
    let fives = root.threats().sets().set(root.board().turn(), Threat::Five);
    for child in tree.children_of(node).filter(|&child| fives.contains(tree.point(child))) {
        tree.set_verdict(child, Verdict::Lost(0));
    }
    prove(tree, node);
}

#[cfg(test)]
mod tests {
    use super::super::Mcts;
    use super::super::tests::{board, playouts, weighted};
    use super::*;
    use crate::board::Rule;
    use crate::notation::parse_comma;
    use crate::picker::{JudgeName, Picker, Question, Reason, Report};

    #[test]
    fn every_five_of_the_root_wins_also_where_the_other_side_has_a_four() {
        let mut position = weighted(board(15, Rule::Standard, "7,7 7,8 8,7 8,8 9,7 9,8 10,7 10,8"));
        let fives = ["6,7", "11,7"].map(|name| parse_comma(name).unwrap());
        let limits = playouts(200, JudgeName::Classical);
        let mut lines = Vec::new();
        Mcts::default().answer(Question::Move { lines: 2 }, &mut position, &limits, &mut |report| {
            if let Report::Search(info) = report {
                lines = info.lines;
            }
        });
        let first = |line: &Line| (line.points[0], line.score);
        assert_eq!(lines.iter().map(first).collect::<Vec<_>>(), fives.map(|five| (five, Score::win_at(FIVE))));
        let limits = Limits { left_out: PointSet::from_iter([fives[0]]), ..limits };
        let choice = Mcts::default().pick(&mut position, &limits).unwrap();
        assert_eq!(choice.point, fives[1]);
        assert!(matches!(choice.reason, Reason::Search { score, .. } if score == Score::win_at(FIVE)), "{choice:?}");
    }
}
