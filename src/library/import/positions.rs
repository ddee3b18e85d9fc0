//! Trees and games, position by position, into an [`Edit`].

use std::collections::BTreeSet;

use super::ImportConfig;
use crate::board::{Color, Point, Rule, Size};
use crate::library::format::LabelClaim;
use crate::library::format::renlib::TITLE_END;
use crate::library::{
    Address, Bound, Cursor, Edit, GameCounts, LibraryError, Mark, PositionKey, Proof, ProofOrigin, Record, SearchNote,
    SourceId,
};
use crate::notation::{GameTree, NodeId, Step, TreeNode};

/// The comment of a file with lines that end with U+000A, and without blanks at its ends.
fn comment(text: &str) -> String {
    text.replace("\r\n", "\n").replace([TITLE_END, '\r'], "\n").trim().to_owned()
}

/// Adds all positions of a tree, with their comments and labels. Returns the number of nodes without the root. `written`
/// holds the comments and marks of this file: if newer texts replace older ones, these are kept.
///
/// # Errors
/// When the library cannot be read or written.
pub(super) fn import_tree(
    edit: &mut Edit<'_>,
    tree: &GameTree,
    rule: Rule,
    config: &ImportConfig,
    source: Option<SourceId>,
    written: &mut Written,
) -> Result<usize, LibraryError> {
    let mut cursor = Cursor::new(rule, tree.size());
    let mut path: Vec<(NodeId, Undo)> = Vec::new();
    for id in tree.depth_first() {
        while path.last().is_some_and(|(last, _)| Some(*last) != tree.parent(id)) {
            path.pop().into_iter().for_each(|(_, undo)| undo.undo(&mut cursor));
        }
        match tree.node(id).step {
            Step::Play(color, point) if color == cursor.turn() => edit.add_move(&cursor, Some(point)),
            Step::Pass(color) if color == cursor.turn() => edit.add_move(&cursor, None),
            _ => {}
        }
        path.push((id, Undo::take_step(&mut cursor, tree, id)));
        let mut record = node_record(tree, id, source);
        if let Some(claim) = LabelClaim::of(&tree.node(id).label).filter(|_| config.has_claims) {
            add_claim(&mut record, claim, cursor.stones().len());
        }
        let others = if config.is_newer { written.take_further(&cursor, &mut record) } else { None };
        edit.merge(&cursor, record, config.is_newer)?;
        if let Some(others) = others {
            edit.merge(&cursor, others, false)?;
        }
    }
    Ok(tree.len() - 1)
}

/// The comments and marks that an import has written: a position, and the stored point of a mark.
#[derive(Default)]
pub(super) struct Written(BTreeSet<(PositionKey, Option<Point>)>);

impl Written {
    /// Removes from a record the texts whose places already have a text of this file, and returns them. Notes the places of
    /// the rest.
    fn take_further(&mut self, cursor: &Cursor, record: &mut Record) -> Option<Record> {
        let address = cursor.address();
        let mut further = Record::default();
        if !record.comment.is_empty() && !self.0.insert((address.key(), None)) {
            further.comment = std::mem::take(&mut record.comment);
        }
        let is_further = |mark: &Mark| !self.0.insert((address.key(), Some(address.store(mark.point))));
        (further.marks, record.marks) = std::mem::take(&mut record.marks).into_iter().partition(is_further);
        (!further.is_empty()).then_some(further)
    }
}

/// Adds what a label says of a position with this number of stones.
fn add_claim(record: &mut Record, claim: LabelClaim, count: usize) {
    // The label is for the side that has moved, the record for the side to move.
    let claimed = |is_win, stones: Option<u16>| {
        let plies = stones.and_then(|stones| usize::from(stones).checked_sub(count));
        let plies = plies.and_then(|plies| u16::try_from(plies).ok());
        Some(Proof { is_win, plies, origin: ProofOrigin::Claimed })
    };
    match claim {
        LabelClaim::Win { stones } => record.proof = claimed(false, stones),
        LabelClaim::Loss { stones } => record.proof = claimed(true, stones),
        LabelClaim::Score(score) => {
            let bound = Bound::Exact;
            record.search = Some(SearchNote { score: score.into(), depth: 0, bound, nodes: 0, engine: None });
        }
    }
}

/// The change that takes back the step of a node.
struct Undo {
    /// The side to move before the step.
    turn: Color,
    /// The points that the step has changed, with what stood there.
    changes: Vec<(Point, Option<Color>)>,
}

impl Undo {
    /// Changes a position as a node says. Readers of trees check that the points of moves are empty.
    fn take_step(cursor: &mut Cursor, tree: &GameTree, id: NodeId) -> Self {
        let (turn, step) = (cursor.turn(), &tree.node(id).step);
        let one;
        let (stones, next): (&[_], _) = match step {
            Step::Play(color, point) => {
                one = [(*point, Some(*color))];
                (&one, Some(!*color))
            }
            Step::Pass(color) => (&[], Some(!*color)),
            Step::Setup(stones) => (stones, None),
        };
        let changes = stones.iter().map(|&(point, color)| (point, set(cursor, point, color))).collect();
        let count = |color| cursor.stones().iter().filter(|(other, _)| *other == color).count();
        let by_count = || if count(Color::Black) > count(Color::White) { Color::White } else { Color::Black };
        let after_setup = || if stones.is_empty() { turn } else { next_mover(tree, id).unwrap_or_else(by_count) };
        cursor.set_turn(next.unwrap_or_else(after_setup));
        Self { turn, changes }
    }

    fn undo(self, cursor: &mut Cursor) {
        for (point, color) in self.changes.into_iter().rev() {
            set(cursor, point, color);
        }
        cursor.set_turn(self.turn);
    }
}

/// The side that plays or passes after a node, first of all its variations. Nodes without a move may stand between.
fn next_mover(tree: &GameTree, mut id: NodeId) -> Option<Color> {
    loop {
        let mover = tree.children(id).find_map(|child| match tree.node(child).step {
            Step::Play(color, _) | Step::Pass(color) => Some(color),
            Step::Setup(_) => None,
        });
        if mover.is_some() {
            return mover;
        }
        id = tree
            .children(id)
            .find(|&child| matches!(&tree.node(child).step, Step::Setup(stones) if stones.is_empty()))?;
    }
}

/// Sets what stands on a point. Returns what stood there.
fn set(cursor: &mut Cursor, point: Point, color: Option<Color>) -> Option<Color> {
    let before = cursor.take(point);
    if let Some(color) = color {
        cursor.place(color, point);
    }
    before
}

/// The record of a node's position: its comment, its labels, and those of its children's points.
fn node_record(tree: &GameTree, id: NodeId, source: Option<SourceId>) -> Record {
    let node = tree.node(id);
    let on_child = |child: &TreeNode| match child.step {
        Step::Play(_, point) => Some((point, child.label.clone())),
        _ => None,
    };
    let labels = tree.children(id).filter_map(|child| on_child(tree.node(child)));
    let marks = node.marks.iter().cloned().chain(labels);
    let marks = marks.map(|(point, text)| Mark { point, text: text.trim().to_owned() });
    // An empty label would keep others out.
    let marks = marks.filter(|mark| !mark.text.is_empty());
    Record { comment: comment(&node.comment), marks: marks.collect(), source, ..Record::default() }
}

/// Adds the positions of a game up to a ply, each with the result of the game. The winner is `None` if it is unknown, and
/// `Some(None)` for a draw.
///
/// # Errors
/// When the library cannot be read or written.
pub fn import_game(
    edit: &mut Edit<'_>,
    (rule, size): (Rule, Size),
    moves: &[Option<Point>],
    winner: Option<Option<Color>>,
    plies: usize,
    source: Option<SourceId>,
) -> Result<(), LibraryError> {
    let mut cursor = Cursor::new(rule, size);
    let games = winner.map_or_else(GameCounts::default, GameCounts::one);
    // Two passes lead back to a position, which counts the game once.
    let mut seen = BTreeSet::new();
    let change = &mut |record: &mut Record, address: &Address| {
        if seen.insert(address.key()) {
            record.games.add(games);
        }
        record.source = record.source.or(source);
    };
    edit.update(&cursor, change)?;
    for &played in moves.iter().take(plies) {
        edit.add_move(&cursor, played);
        cursor.play(played);
        edit.update(&cursor, change)?;
    }
    Ok(())
}
