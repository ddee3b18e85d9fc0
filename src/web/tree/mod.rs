//! Trees of games between the page and SGF: [`of_sgf`] reads a file, [`to_sgf`] writes one.
//!
//! ```text
//! [ {},                                                                       the empty board
//!   { "parent": 0, "move": "7,7", "comment": "…", "marks": [["8,8", "A"]] },
//!   { "parent": 1, "move": "8,6", "verdict": { "result": null, "chance": 0.63 } } ]
//! ```
//!
//! A game may end before moves that were taken back or variations. In SGF an empty node, the first one after its last
//! position, says so: other programs show that position at the end of the main line.
//!
//! A node comes after its parent. Black plays first and the colors alternate, so a file may hold nodes that the page
//! cannot show: stones that are set up, passes, a color that moves twice, moves after the end of the game. They are
//! left out with all that follows them, and counted.

mod stated;

use std::collections::HashMap;
use std::num::NonZeroU16;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use self::stated::{CONTINUOUS, result_of, rule_of};
use super::Failure;
use super::message::{point, size};
use crate::board::{Board, Color, DrawRule, Outcome, Point, Rule, Size};
use crate::notation::record::GameEnd;
use crate::notation::{Chance, Comma, GameTree, NodeId, NodeScore, SgfProblem, Step, read_sgf_text, write_sgf};
use crate::text::as_text;

/// Maximum number of nodes of a tree on the page: its browser can still save such a tree with each move.
pub(super) const MOST_NODES: usize = 10_000;

/// Maximum number of nodes in all trees of a file.
const MOST_NODES_OF_FILE: usize = 200_000;

/// A tree to write as SGF.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeToWrite {
    /// The number and the word of the request, which were read before.
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "do")]
    _what: IgnoredAny,
    #[serde(deserialize_with = "size")]
    size: Size,
    #[serde(deserialize_with = "as_text::deserialize")]
    rule: Rule,
    #[serde(default)]
    continuous: bool,
    nodes: Vec<NodeText>,
    /// The place of the last position of the game, if moves follow it: moves that were taken back, or variations.
    end: Option<usize>,
    /// The names of black and white.
    players: [String; 2],
    /// The result as SGF writes it, such as `B+T`; empty if there is none.
    #[serde(default)]
    result: String,
    /// The date as SGF writes it.
    #[serde(default)]
    date: String,
    /// The name of the event; empty if there is none.
    #[serde(default)]
    event: String,
}

/// A node of the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeText {
    /// The place of the parent in the list; missing for the first node.
    parent: Option<usize>,
    #[serde(default, rename = "move")]
    played: Option<PointText>,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    marks: Vec<(PointText, String)>,
    verdict: Option<VerdictText>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct PointText(#[serde(deserialize_with = "point")] Point);

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VerdictText {
    result: Option<ResultText>,
    chance: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultText {
    #[serde(deserialize_with = "as_text::deserialize")]
    winner: Color,
    moves: Option<NonZeroU16>,
}

/// Plays the nodes of a tree in depth-first order.
struct Walk {
    board: Board,
    draws: DrawRule,
    /// Whether the game continues after a five.
    continuous: bool,
    /// The stones on the way to the current node, each with its node and whether the game is over after it.
    line: Vec<(NodeId, Point, bool)>,
}

impl Walk {
    fn new(size: Size, rule: Rule, continuous: bool) -> Self {
        Self { board: Board::new(size, rule), draws: DrawRule::gomocup(rule, size), continuous, line: Vec::new() }
    }

    /// Removes stones until `parent` is the last node of the line.
    fn return_to(&mut self, parent: NodeId) {
        while let Some(&(node, point, _)) = self.line.last() {
            if node == parent {
                return;
            }
            self.line.pop();
            self.board.remove(point, !self.board.turn());
        }
    }

    /// Plays a child of `parent`. `None` if that is impossible, else the outcome of the game if it is over.
    fn play(&mut self, parent: NodeId, node: NodeId, color: Color, point: Point) -> Option<Option<Outcome>> {
        self.return_to(parent);
        let is_over = self.line.last().is_some_and(|&(_, _, is_over)| is_over);
        if is_over || color != self.board.turn() || self.board.check_empty(point).is_err() {
            return None;
        }
        let outcome = if self.continuous { None } else { self.draws.outcome_of(&self.board, point) };
        self.board.play(point);
        self.line.push((node, point, outcome.is_some()));
        Some(outcome)
    }
}

/// A node in the form of the page.
#[derive(Clone, Debug, Default, PartialEq)]
struct PageNode {
    parent: Option<usize>,
    played: Option<Point>,
    comment: String,
    marks: Vec<(Point, String)>,
    score: Option<NodeScore>,
    children: Vec<usize>,
    /// The outcome if the stone of the node ended the game.
    outcome: Option<Outcome>,
    /// The game ended here, although moves follow.
    is_end: bool,
}

impl PageNode {
    /// Adds what a node of a file says of this position.
    fn add(&mut self, tree: &GameTree, id: NodeId) {
        let node = tree.node(id);
        if !self.comment.is_empty() && !node.comment.is_empty() {
            self.comment.push('\n');
        }
        // RenLib's title ends with a control character.
        self.comment.push_str(&node.comment.replace('\u{8}', "\n"));
        let labels = tree.children(id).filter_map(|child| match tree.node(child).step {
            Step::Play(_, point) => Some((point, &*tree.node(child).label)),
            Step::Pass(_) | Step::Setup(_) => None,
        });
        let marks = node.marks.iter().map(|(point, label)| (*point, &**label));
        for (point, label) in labels.chain(marks) {
            if !label.is_empty() && self.marks.iter().all(|(other, _)| *other != point) {
                self.marks.push((point, label.to_owned()));
            }
        }
        self.marks.sort_by_key(|(point, _)| (point.y(), point.x()));
        self.score = node.score.or(self.score);
    }

    fn to_json(&self) -> Value {
        let mut fields = json!({});
        if let Some(parent) = self.parent {
            fields["parent"] = parent.into();
        }
        if let Some(point) = self.played {
            fields["move"] = Comma(point).to_string().into();
        }
        if !self.comment.is_empty() {
            fields["comment"] = self.comment.as_str().into();
        }
        if !self.marks.is_empty() {
            fields["marks"] = self.marks.iter().map(|(point, text)| json!([Comma(*point).to_string(), text])).collect();
        }
        if let Some(score) = self.score {
            fields["verdict"] = match score {
                NodeScore::Win(winner, moves) => {
                    json!({ "result": { "winner": winner.to_string(), "moves": moves }, "chance": null })
                }
                NodeScore::Chance(chance) => json!({ "result": null, "chance": chance.share() }),
            };
        }
        fields
    }
}

/// A tree in the form of the page.
struct PageTree {
    nodes: Vec<PageNode>,
    /// The number of nodes of the file that the page cannot show.
    left_out: usize,
}

impl PageTree {
    /// # Errors
    /// When the game begins with stones on the board, or the tree has too many nodes.
    fn of(tree: &GameTree, rule: Rule, continuous: bool) -> Result<Self, Failure> {
        // The page's own files may have one more node, which marks the end of the game.
        if tree.len() > MOST_NODES + 1 {
            return Err(Failure::File("has a tree of more than 10,000 positions: import it into a library"));
        }
        if !matches!(&tree.node(NodeId::ROOT).step, Step::Setup(stones) if stones.is_empty()) {
            return Err(Failure::File(
                "begins with stones on the board: the page shows only games from an empty board",
            ));
        }
        let mut walk = Walk::new(tree.size(), rule, continuous);
        let mut nodes: Vec<PageNode> = Vec::new();
        let mut left_out = 0;
        // For each node of the file the place of its node on the page, and the first node of the file with its stone.
        let mut places: Vec<Option<(usize, NodeId)>> = vec![None; tree.len()];
        let mut at = HashMap::new();
        for id in tree.depth_first() {
            let Some(parent) = tree.parent(id) else {
                nodes.push(PageNode::default());
                nodes[0].add(tree, id);
                places[id.index()] = Some((0, id));
                continue;
            };
            let place = match (places[parent.index()], &tree.node(id).step) {
                (Some(same), Step::Setup(stones)) if stones.is_empty() => {
                    let is_first = nodes[same.0].children.is_empty();
                    nodes[same.0].is_end |= is_first && tree.is_blank_leaf(id);
                    Some(same)
                }
                (Some((parent, of_parent)), &Step::Play(color, point)) => {
                    let first = at.get(&(parent, point)).copied();
                    let node = first.map_or(id, |(_, node)| node);
                    walk.play(of_parent, node, color, point).map(|outcome| {
                        first.unwrap_or_else(|| {
                            let own = nodes.len();
                            nodes.push(PageNode {
                                parent: Some(parent),
                                played: Some(point),
                                outcome,
                                ..Default::default()
                            });
                            nodes[parent].children.push(own);
                            at.insert((parent, point), (own, id));
                            (own, id)
                        })
                    })
                }
                _ => None,
            };
            match place {
                Some((own, _)) => nodes[own].add(tree, id),
                None => left_out += 1,
            }
            places[id.index()] = place;
        }
        Ok(Self { nodes, left_out })
    }

    /// The game: the first line of the tree, to its end.
    fn main_line(&self) -> impl Iterator<Item = &PageNode> {
        std::iter::successors(self.nodes.first(), |node| {
            node.children.first().filter(|_| !node.is_end).map(|&child| &self.nodes[child])
        })
    }
}

/// The games of a file in SGF, in the form of the page. Rule and `continuous` apply to games that do not state them.
///
/// # Errors
/// When the text is not SGF, a game begins with stones on the board, or there are too many nodes.
pub(super) fn of_sgf(text: &str, rule: Rule, continuous: bool) -> Result<Vec<Value>, Failure> {
    let trees = read_sgf_text(text, MOST_NODES_OF_FILE).map_err(|error| {
        if error.problem == SgfProblem::TooManyNodes {
            return Failure::File("has more than 200,000 positions: import it into a library");
        }
        // The value or the sign at the place.
        let rest = text.get(error.byte..).unwrap_or_default();
        let length = rest.find([']', ';', '(', ')', '\n']).unwrap_or(rest.len()).max(1);
        Failure::Place(error.byte..error.byte + length, Box::new(Failure::Sgf(error)))
    })?;
    trees.iter().map(|tree| game(tree, rule, continuous)).collect()
}

fn game(tree: &GameTree, rule: Rule, continuous: bool) -> Result<Value, Failure> {
    let (rule, continuous) = rule_of(&tree.info.rule).unwrap_or((rule, continuous));
    let page = PageTree::of(tree, rule, continuous)?;
    let moves: Vec<_> = page.main_line().filter_map(|node| node.played).collect();
    let outcome = page.main_line().last().and_then(|node| node.outcome);
    let (winner, end) = match outcome {
        Some(outcome) => {
            let winner = outcome.winner().map_or_else(|| "draw".to_owned(), |winner| winner.to_string());
            (winner, GameEnd::from(outcome).to_string())
        }
        None => result_of(&tree.info.result).unwrap_or_default(),
    };
    Ok(json!({
        "size": tree.size().side(),
        "rule": rule.to_string(),
        "continuous": continuous,
        "moves": super::game::names(moves).join(" "),
        "players": tree.info.players,
        "name": tree.info.event,
        "date": tree.info.date,
        "winner": Some(winner).filter(|winner| !winner.is_empty()),
        "end": Some(end).filter(|end| !end.is_empty()),
        "tree": { "nodes": page.nodes.iter().map(PageNode::to_json).collect::<Vec<_>>() },
        "left_out": page.left_out,
    }))
}

/// A tree of the page as SGF.
///
/// # Errors
/// When a node does not come after its parent, a move cannot be played, or the tree has too many nodes.
pub(super) fn to_sgf(write: &TreeToWrite) -> Result<Value, Failure> {
    let TreeToWrite { size, rule, continuous, nodes, .. } = write;
    if nodes.len() > MOST_NODES {
        return Err(Failure::Node(MOST_NODES));
    }
    if let Some(end) = write.end.filter(|&end| end >= nodes.len()) {
        return Err(Failure::Node(end));
    }
    let mut tree = GameTree::new(*size);
    tree.info.players.clone_from(&write.players);
    tree.info.result.clone_from(&write.result);
    tree.info.date.clone_from(&write.date);
    tree.info.event.clone_from(&write.event);
    tree.info.rule = if *continuous { format!("{rule} {CONTINUOUS}") } else { rule.to_string() };
    let mut ids = Vec::with_capacity(nodes.len());
    let mut depths = Vec::with_capacity(nodes.len());
    for (place, node) in nodes.iter().enumerate() {
        let (id, depth) = match (node.parent, node.played) {
            (None, None) if place == 0 => (NodeId::ROOT, 0),
            (Some(parent), Some(PointText(point))) if parent < place => {
                (tree.add(ids[parent], Step::Play(Color::after(depths[parent]), point)), depths[parent] + 1)
            }
            _ => return Err(Failure::Node(place)),
        };
        ids.push(id);
        depths.push(depth);
        if write.end == Some(place) {
            tree.add(id, Step::Setup(Vec::new()));
        }
        let own = tree.node_mut(id);
        own.comment = node.comment.as_str().into();
        if node.marks.iter().any(|(PointText(point), _)| !size.contains(*point)) {
            return Err(Failure::Node(place));
        }
        own.marks = node.marks.iter().map(|(PointText(point), text)| (*point, text.as_str().into())).collect();
        own.score = node.verdict.and_then(|VerdictText { result, chance }| match result {
            Some(ResultText { winner, moves }) => Some(NodeScore::Win(winner, moves)),
            None => Chance::from_share(chance?).map(NodeScore::Chance),
        });
    }
    let mut walk = Walk::new(*size, *rule, *continuous);
    for id in tree.depth_first() {
        if let (Some(parent), Step::Play(color, point)) = (tree.parent(id), &tree.node(id).step) {
            let place = || ids.iter().position(|&own| own == id).unwrap_or_default();
            walk.play(parent, id, *color, *point).ok_or_else(|| Failure::Node(place()))?;
        }
    }
    Ok(json!({ "text": write_sgf([&tree]) }))
}

#[cfg(test)]
mod tests;
