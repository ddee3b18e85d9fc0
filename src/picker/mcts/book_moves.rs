//! The moves of a book at the root of a tree.

use super::tree::{NodeId, Tree};
use crate::board::Point;

/// Gives these root moves the greatest prior, so that playouts try them first. Priors still sum to 1.
pub(super) fn prefer(tree: &Tree, points: &[Point]) {
    let children = tree.children_of(NodeId::ROOT);
    let greatest = children.clone().map(|child| tree.prior(child)).fold(0.0, f32::max);
    let mut sum = 0.0;
    for child in children.clone() {
        if points.contains(&tree.point(child)) {
            tree.set_prior(child, greatest);
        }
        sum += tree.prior(child);
    }
    if !points.is_empty() && sum > 0.0 {
        children.for_each(|child| tree.set_prior(child, tree.prior(child) / sum));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Expansion;
    use super::*;

    #[test]
    fn the_moves_of_a_book_have_the_greatest_prior() {
        let tree = Tree::new(0);
        let edges = [0.5, 0.3, 0.15, 0.05].into_iter().enumerate();
        let edges: Vec<_> = edges.filter_map(|(index, prior)| Some((Point::from_index(index)?, prior))).collect();
        assert!(tree.claim(NodeId::ROOT, Expansion::Leaf) && tree.publish(NodeId::ROOT, &edges, Expansion::Complete));
        let priors = || tree.children_of(NodeId::ROOT).map(|child| tree.prior(child)).collect::<Vec<_>>();
        prefer(&tree, &[]);
        assert_eq!(priors(), [0.5, 0.3, 0.15, 0.05]);
        for _ in 0..2 {
            prefer(&tree, &[edges[2].0, Point::from_index(9).unwrap()]);
            let expected = [0.5, 0.3, 0.5, 0.05].map(|prior: f32| prior / 1.35);
            assert!(std::iter::zip(priors(), expected).all(|(prior, expected)| (prior - expected).abs() < 1e-6));
        }
    }
}
