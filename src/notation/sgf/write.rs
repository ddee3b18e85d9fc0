//! [`write_sgf`]: trees as games in SGF.

use super::read::pair;
use crate::board::{Color, Point};
use crate::notation::{GameTree, NodeId, NodeScore, Step};

/// Writes games in SGF, FF\[4\], UTF-8. See the [module](super) for what reading does not give back.
pub fn write_sgf<'a>(trees: impl IntoIterator<Item = &'a GameTree>) -> String {
    let mut text = String::new();
    for tree in trees {
        write_game(&mut text, tree);
    }
    text
}

/// A part of a game that is left to write.
enum Rest {
    Node(NodeId),
    /// A node that begins a variation.
    Variation(NodeId),
    Close,
}

fn write_game(text: &mut String, tree: &GameTree) {
    text.push('(');
    let mut rest = vec![Rest::Close, Rest::Node(NodeId::ROOT)];
    let mut children = Vec::new();
    while let Some(next) = rest.pop() {
        let id = match next {
            Rest::Close => {
                text.push(')');
                continue;
            }
            Rest::Variation(id) => {
                text.push_str("\n(");
                id
            }
            Rest::Node(id) => id,
        };
        write_node(text, tree, id);
        children.extend(tree.children(id));
        match children[..] {
            [child] => rest.push(Rest::Node(child)),
            _ => rest.extend(children.iter().rev().flat_map(|&child| [Rest::Close, Rest::Variation(child)])),
        }
        children.clear();
    }
    text.push('\n');
}

fn write_node(text: &mut String, tree: &GameTree, id: NodeId) {
    text.push(';');
    let node = tree.node(id);
    if id == NodeId::ROOT {
        write_root(text, tree);
    }
    match &node.step {
        Step::Play(color, point) => write_value(text, mover(*color), &pair(*point)),
        Step::Pass(color) => write_value(text, mover(*color), ""),
        Step::Setup(stones) => {
            for (name, color) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
                let stones = stones.iter().filter(|(_, own)| *own == color);
                write_list(text, name, stones.map(|(point, _)| pair(*point)));
            }
        }
    }
    if !node.comment.is_empty() {
        let comment = node.comment.replace("\r\n", "\n").replace(['\u{8}', '\r'], "\n");
        write_value(text, "C", &escaped(&comment));
    }
    match node.score {
        Some(NodeScore::Win(winner, moves)) => {
            let share = if winner == Color::Black { "100" } else { "0" };
            write_value(text, "SBKV", share);
            let moves = moves.map_or_else(String::new, |moves| format!("+{moves}"));
            write_value(text, "WIN", &format!("{}{moves}", mover(winner)));
        }
        Some(NodeScore::Chance(chance)) => write_value(text, "SBKV", &chance.percent().to_string()),
        None => {}
    }
    let labels = tree.children(id).filter_map(|child| match tree.node(child).step {
        Step::Play(_, point) => Some((point, &*tree.node(child).label)),
        Step::Pass(_) | Step::Setup(_) => None,
    });
    let marks = node.marks.iter().map(|(point, label)| (*point, &**label));
    let labels = labels.chain(marks).filter(|(_, label)| !label.is_empty());
    write_list(text, "LB", labels.map(|(point, label): (Point, &str)| format!("{}:{}", pair(point), one_line(label))));
}

fn write_root(text: &mut String, tree: &GameTree) {
    text.push_str("FF[4]GM[4]CA[UTF-8]");
    write_value(text, "SZ", &tree.size().to_string());
    let info = &tree.info;
    let [black, white] = &info.players;
    for (name, value) in [
        ("PB", black),
        ("PW", white),
        ("RE", &info.result),
        ("DT", &info.date),
        ("EV", &info.event),
        ("RU", &info.rule),
    ] {
        if !value.is_empty() {
            write_value(text, name, &one_line(value));
        }
    }
}

const fn mover(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

fn write_value(text: &mut String, name: &str, value: &str) {
    text.extend([name, "[", value, "]"]);
}

/// Writes a property with several values, nothing if there are none.
fn write_list(text: &mut String, name: &str, values: impl Iterator<Item = String>) {
    for (index, value) in values.enumerate() {
        write_value(text, if index == 0 { name } else { "" }, &value);
    }
}

fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for sign in value.chars() {
        if matches!(sign, '\\' | ']' | ':') {
            text.push('\\');
        }
        text.push(sign);
    }
    text
}

fn one_line(value: &str) -> String {
    escaped(&value.replace(char::is_control, " "))
}
