//! The results of a tree: order, scores and statistics of the root moves, and the principal variation.

use super::playout::Shared;
use super::tree::{NodeId, Tree};
use super::verdict::Verdict;
use crate::board::Point;
use crate::picker::{Line, MoveStatistics, Report, SearchInfo};
use crate::score::Score;
use std::cmp::Reverse;
use std::sync::atomic::Ordering;

/// Unit of the statistics.
const PARTS: f32 = MoveStatistics::ONE as f32;

/// The order of the moves of a node, the greatest first: wins, the shortest first; open moves by visits; losses, the longest
/// first.
type Rank = (i32, u32, u64, Reverse<NodeId>);

fn rank(tree: &Tree, child: NodeId) -> Rank {
    let decided = match tree.verdict(child) {
        Verdict::Lost(plies) => 1 << 16 | i32::from(u16::MAX - plies),
        Verdict::Open | Verdict::Drawn => 0,
        Verdict::Won(plies) => -(1 << 16) + i32::from(plies),
    };
    (decided, tree.visits(child).0, tree.sum(child), Reverse(child))
}

/// The root moves, the best first.
pub(super) fn ranking(tree: &Tree) -> Vec<NodeId> {
    let mut children: Vec<_> = tree.children_of(NodeId::ROOT).collect();
    // Other threads change the ranks during the sort. Each rank is read once to keep the order total.
    children.sort_by_cached_key(|&child| Reverse(rank(tree, child)));
    children
}

/// The best move of a node that was visited or is decided.
fn best(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let known = tree.children_of(node).filter(|&child| tree.visits(child).0 > 0 || tree.verdict(child).is_decided());
    known.max_by_key(|&child| rank(tree, child))
}

/// The best root move. If no move was visited, the one with the greatest prior. `None` without a move.
pub(super) fn choice(tree: &Tree) -> Option<Point> {
    tree.children_of(NodeId::ROOT).max_by_key(|&child| rank(tree, child)).map(|child| tree.point(child))
}

/// The score of a root move for its side. A move that was not visited has the score of the position. `None` before the
/// first playout, unless the move is proved.
pub(super) fn score(tree: &Tree, child: NodeId) -> Option<Score> {
    match tree.verdict(child) {
        Verdict::Lost(plies) => Some(Score::win_at(u32::from(plies) + 1)),
        Verdict::Won(plies) => Some(Score::loss_at(u32::from(plies) + 1)),
        Verdict::Drawn => Some(Score::ZERO),
        Verdict::Open => value(tree, child).map(Score::from_chance),
    }
}

/// The chance to win with a root move; `None` if neither the move nor the position was visited.
fn value(tree: &Tree, child: NodeId) -> Option<f32> {
    let proved = match tree.verdict(child) {
        Verdict::Lost(_) => Some(1.0),
        Verdict::Won(_) => Some(0.0),
        Verdict::Drawn => Some(0.5),
        Verdict::Open => None,
    };
    let of_position = || tree.mean(NodeId::ROOT).map(|mean| 1.0 - mean);
    proved.or_else(|| tree.mean(child)).or_else(of_position)
}

/// The line that begins with a root move, as long as its moves were visited.
fn line(tree: &Tree, first: NodeId) -> Vec<Point> {
    let moves = std::iter::successors(Some(first), |&node| best(tree, node));
    moves.take(Line::LONGEST).map(|node| tree.point(node)).collect()
}

/// The length of the principal variation in plies.
pub(super) fn depth(tree: &Tree) -> u32 {
    best(tree, NodeId::ROOT).map_or(0, |first| line(tree, first).len() as u32)
}

/// The report of a search with this number of lines, at least one. A line that was proved before the search replaces that
/// of the tree. `None` if no move has a score yet.
pub(super) fn report(shared: &Shared<'_>, lines: usize, proved: Option<&Line>) -> Option<Report> {
    let tree = shared.tree;
    let ranking = ranking(tree);
    let playouts = shared.playouts.load(Ordering::Relaxed);
    let plies = shared.plies.load(Ordering::Relaxed);
    let line = |&child: &NodeId| {
        let proved = proved.filter(|line| line.points.first() == Some(&tree.point(child)));
        proved.cloned().or_else(|| Some(Line { score: score(tree, child)?, points: line(tree, child) }))
    };
    let lines: Vec<_> = ranking.iter().take(lines.max(1)).filter_map(line).collect();
    let is_found = !lines.is_empty();
    is_found.then(|| {
        Report::Search(SearchInfo {
            depth: plies.div_ceil(playouts.max(1)) as u32,
            seldepth: shared.deepest.load(Ordering::Relaxed).max(proved.map_or(0, |line| line.points.len() as u32)),
            nodes: playouts,
            time: shared.limits.control.elapsed(),
            hashfull: tree.usage(),
            lines,
            moves: ranking.iter().filter_map(|&child| statistics(tree, child)).collect(),
        })
    })
}

fn statistics(tree: &Tree, child: NodeId) -> Option<MoveStatistics> {
    Some(MoveStatistics {
        point: tree.point(child),
        visits: tree.visits(child).0,
        prior: (tree.prior(child) * PARTS).round() as u32,
        value: (value(tree, child)? * PARTS).round() as u32,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::tree::{Expansion, ONE};
    use super::*;

    #[test]
    fn moves_are_ranked_while_other_threads_visit_them() {
        let tree = Tree::new(0);
        let edges: Vec<_> = (0..400).filter_map(Point::from_index).map(|point| (point, 0.5)).collect();
        assert!(tree.claim(NodeId::ROOT, Expansion::Leaf) && tree.publish(NodeId::ROOT, &edges, Expansion::Complete));
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let children: Vec<_> = tree.children_of(NodeId::ROOT).collect();
                let mut rng = crate::rng::Rng::new(3);
                while !is_over.load(Ordering::Relaxed) {
                    let child = children[rng.below(children.len())];
                    tree.enter(child);
                    tree.leave(child, ONE / 2);
                }
            });
            let is_whole = std::panic::catch_unwind(|| (0..3000).all(|_| ranking(&tree).len() == edges.len()));
            is_over.store(true, Ordering::Relaxed);
            assert!(is_whole.is_ok_and(|is_whole| is_whole));
        });
    }
}
