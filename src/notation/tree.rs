//! [`GameTree`]: moves with their alternatives, comments and labels, as SGF files and RenLib's libraries hold them.

use std::num::NonZeroU16;

use crate::board::{Color, Point, Size};

/// The number of a node in its tree. The root has the number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    /// The place of the node in the order in which the nodes were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The change from the position of a node's parent to its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A stone.
    Play(Color, Point),
    /// A pass of this color.
    Pass(Color),
    /// Stones that are placed or taken off without a turn; the root is such a node. `None` clears a point.
    Setup(Vec<(Point, Option<Color>)>),
}

/// What is known of the position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeScore {
    /// This color wins, with this number of its own moves if it is known.
    Win(Color, Option<NonZeroU16>),
    /// Black's chance.
    Chance(Chance),
}

/// Black's expected share of the points, in hundredths of a per cent: 0 to 10,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(u16);

impl Chance {
    /// The chance of a certain win.
    const CERTAIN: f64 = 10_000.0;

    /// The chance nearest to a share from 0 to 1; `None` for a number outside.
    pub fn from_share(share: f64) -> Option<Self> {
        (0.0..=1.0).contains(&share).then(|| Self((share * Self::CERTAIN).round() as u16))
    }

    /// The share, from 0 to 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / Self::CERTAIN
    }

    /// The share in per cent, with at most two decimals.
    pub fn percent(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// A node of a [`GameTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The change from the parent's position.
    pub step: Step,
    /// The comment as the file holds it. RenLib separates a title from the rest by U+0008.
    pub comment: Box<str>,
    /// The label of this node's own point, which the parent's position shows. Empty if there is none.
    pub label: Box<str>,
    /// Labels of points of this node's position, in the order of the file. Labels of children's points are in the
    /// children.
    pub marks: Vec<(Point, Box<str>)>,
    /// What is known of the position.
    pub score: Option<NodeScore>,
    /// Flags of a node that only RenLib uses.
    pub renlib: RenLibFlags,
    parent: NodeId,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

/// Flags of a node that only RenLib uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenLibFlags {
    /// The result of a search in RenLib.
    pub is_found: bool,
    /// The position to show when the file opens.
    pub is_start: bool,
    /// Bits of the extension without a meaning today.
    pub extension: u32,
}

/// The description of a game in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    /// The players, black and white.
    pub players: [String; 2],
    /// The result as the file writes it, such as `B+R`.
    pub result: String,
    /// The date as the file writes it.
    pub date: String,
    /// The name of the event or of the game.
    pub event: String,
    /// The rule as the file writes it.
    pub rule: String,
}

/// Moves with their alternatives.
///
/// ```
/// use tengen::board::{Color, Size};
/// use tengen::notation::{GameTree, NodeId, Step};
///
/// let mut tree = GameTree::new(Size::FIFTEEN);
/// let first = tree.add(NodeId::ROOT, Step::Play(Color::Black, Size::FIFTEEN.centre()));
/// tree.node_mut(first).comment = "the centre".into();
/// assert_eq!(tree.children(NodeId::ROOT).collect::<Vec<_>>(), [first]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree {
    size: Size,
    /// The description of the game.
    pub info: GameInfo,
    nodes: Vec<TreeNode>,
}

impl GameTree {
    /// The maximum number of nodes of a tree, the root included.
    pub const MOST_NODES: usize = 50_000_000;

    /// A tree that holds its root alone.
    pub fn new(size: Size) -> Self {
        let root = TreeNode::new(Step::Setup(Vec::new()), NodeId::ROOT);
        Self { size, info: GameInfo::default(), nodes: vec![root] }
    }

    /// The tree of a single line. Black begins, and the colors alternate; `None` is a pass.
    ///
    /// # Panics
    /// When the line has [`MOST_NODES`](Self::MOST_NODES) moves or more.
    pub fn from_moves(size: Size, moves: impl IntoIterator<Item = Option<Point>>) -> Self {
        let mut tree = Self::new(size);
        moves.into_iter().enumerate().fold(NodeId::ROOT, |parent, (count, played)| {
            let color = Color::after(count);
            tree.add(parent, played.map_or(Step::Pass(color), |point| Step::Play(color, point)))
        });
        tree
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree holds its root alone.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Whether a node is a leaf without a move, pass, stones, comment, label or marks.
    pub fn is_blank_leaf(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let has_stones = !matches!(&node.step, Step::Setup(stones) if stones.is_empty());
        let has_texts = !node.comment.is_empty() || !node.label.is_empty() || !node.marks.is_empty();
        self.children(id).next().is_none() && !has_stones && !has_texts
    }

    /// Adds a child after its siblings.
    ///
    /// # Panics
    /// When the tree has [`MOST_NODES`](Self::MOST_NODES) already: readers check before.
    pub fn add(&mut self, parent: NodeId, step: Step) -> NodeId {
        assert!(self.nodes.len() < Self::MOST_NODES, "too many nodes");
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(TreeNode::new(step, parent));
        match self.nodes[parent.index()].last_child.replace(id) {
            None => self.nodes[parent.index()].first_child = Some(id),
            Some(last) => self.nodes[last.index()].next_sibling = Some(id),
        }
        id
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.index()]
    }

    /// A node, to change what it holds.
    pub fn node_mut(&mut self, id: NodeId) -> &mut TreeNode {
        &mut self.nodes[id.index()]
    }

    /// The parent of a node; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| self.node(id).parent)
    }

    /// The children of a node in their order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).first_child, |&child| self.node(child).next_sibling)
    }

    /// The next sibling of a node.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling
    }

    /// The first child of the root, its first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(NodeId::ROOT).first_child, |&id| self.node(id).first_child)
    }

    /// The moves of the main line with black first: `None` is a pass. If a color moves twice in succession, the other one
    /// passes between. `None` in place of all if the game does not begin on an empty board, or stones are set up within
    /// the line.
    ///
    /// ```
    /// use tengen::board::Size;
    /// use tengen::notation::GameTree;
    ///
    /// let moves = [Some(Size::FIFTEEN.centre()), None];
    /// assert_eq!(GameTree::from_moves(Size::FIFTEEN, moves).main_moves().as_deref(), Some(&moves[..]));
    /// ```
    pub fn main_moves(&self) -> Option<Vec<Option<Point>>> {
        let mut moves = Vec::new();
        for id in std::iter::once(NodeId::ROOT).chain(self.main_line()) {
            let (color, played) = match &self.node(id).step {
                Step::Play(color, point) => (*color, Some(*point)),
                Step::Pass(color) => (*color, None),
                Step::Setup(stones) if stones.is_empty() => continue,
                Step::Setup(_) => return None,
            };
            if color != Color::after(moves.len()) {
                moves.push(None);
            }
            moves.push(played);
        }
        Some(moves)
    }

    /// The nodes in depth-first order: a node, then the subtrees of its children in their order. Uses no recursion.
    pub fn depth_first(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| {
            let mut node = self.node(id);
            if let Some(child) = node.first_child {
                return Some(child);
            }
            loop {
                if let Some(sibling) = node.next_sibling {
                    return Some(sibling);
                }
                node = match node.parent {
                    NodeId::ROOT => return None,
                    parent => self.node(parent),
                };
            }
        })
    }
}

impl TreeNode {
    fn new(step: Step, parent: NodeId) -> Self {
        Self {
            step,
            comment: Box::default(),
            label: Box::default(),
            marks: Vec::new(),
            score: None,
            renlib: RenLibFlags::default(),
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_visited_depth_first_in_the_order_of_their_siblings() {
        let mut tree = GameTree::new(Size::FIFTEEN);
        let mut add = |parent, x| {
            let point = Size::FIFTEEN.point(x, 0).unwrap();
            tree.add(parent, Step::Play(Color::Black, point))
        };
        let first = add(NodeId::ROOT, 0);
        let second = add(NodeId::ROOT, 1);
        let third = add(first, 2);
        let fourth = add(first, 3);
        let fifth = add(third, 4);
        assert_eq!(tree.depth_first().collect::<Vec<_>>(), [NodeId::ROOT, first, third, fifth, fourth, second]);
        assert_eq!(tree.parent(fifth), Some(third));
        assert_eq!(GameTree::new(Size::TWENTY).depth_first().collect::<Vec<_>>(), [NodeId::ROOT]);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [first, third, fifth]);
    }

    #[test]
    fn moves_of_the_main_line_alternate_and_a_setup_has_none() {
        let [a, b] = [0, 1].map(|x| Size::FIFTEEN.point(x, 0).unwrap());
        let mut tree = GameTree::new(Size::FIFTEEN);
        let first = tree.add(NodeId::ROOT, Step::Play(Color::White, a));
        let text = tree.add(first, Step::Setup(Vec::new()));
        let second = tree.add(text, Step::Play(Color::White, b));
        let third = tree.add(second, Step::Pass(Color::Black));
        assert_eq!(tree.main_moves(), Some(vec![None, Some(a), None, Some(b), None]));
        tree.add(third, Step::Setup(vec![(a, None)]));
        assert_eq!(tree.main_moves(), None);
    }
}
