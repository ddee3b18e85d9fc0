//! [`write_renlib`]: a tree to the bytes of a `.lib` file, by RenLib's rules.

use std::borrow::Cow;

use super::{HEADER_BYTES, LABEL_BIT, MAGIC, RenLibError, RenLibFile, SIDE, TITLE_END, flag};
use crate::board::{Color, Point, Size};
use crate::notation::{GameTree, NodeId, RenLibFlags, Step, TextEncoding, TreeNode};

/// Whether RenLib would write version 3.0 without a record for the root: all first moves are h8, no player passes, and the
/// root carries nothing.
pub(super) fn fits_version_3_0(tree: &GameTree) -> bool {
    let root = tree.node(NodeId::ROOT);
    let is_bare = root.comment.is_empty() && root.marks.is_empty() && root.renlib == RenLibFlags::default();
    let is_centre = |id: NodeId| matches!(tree.node(id).step, Step::Play(_, point) if point == Size::FIFTEEN.centre());
    let has_pass = tree.depth_first().any(|id| matches!(tree.node(id).step, Step::Pass(_)));
    is_bare && !has_pass && tree.children(NodeId::ROOT).all(is_centre)
}

/// The bytes of a library of RenLib. A file that was written by RenLib's rules comes out as it was read.
///
/// # Errors
/// When the board is larger than 15 × 15, stones were placed without moves, the colors do not alternate, or a text has no
/// bytes in the encoding.
pub fn write_renlib(file: &RenLibFile) -> Result<Vec<u8>, RenLibError> {
    let RenLibFile { tree, version, has_root_record, encoding, open_branches, has_open_end } = file;
    if tree.size().side() > SIDE {
        return Err(RenLibError::Size(tree.size().side()));
    }
    if matches!(&tree.node(NodeId::ROOT).step, Step::Setup(stones) if !stones.is_empty()) {
        return Err(RenLibError::Turns);
    }
    let mut bytes = Vec::new();
    if let Some((major, minor)) = version {
        bytes.extend_from_slice(MAGIC);
        bytes.extend([*major, *minor]);
        bytes.resize(HEADER_BYTES, 0xFF);
    }
    // Nodes and labels without a move that are still to be written, the next one last, with the number of moves to them.
    let mut open: Vec<(Item<'_>, usize, bool)> = Vec::new();
    if *has_root_record {
        let root = tree.node(NodeId::ROOT);
        let is_leaf = tree.is_empty() && root.marks.is_empty() && !has_open_end;
        let leaf = if is_leaf { flag::LEAF } else { 0 };
        write_record(&mut bytes, 0, leaf, root, &root.label, *encoding)?;
    }
    push_items(&mut open, tree, NodeId::ROOT, 0);
    while let Some((item, plies, has_sibling)) = open.pop() {
        let is_end = open.is_empty() && *has_open_end;
        let sibling = if has_sibling { flag::SIBLING } else { 0 };
        match item {
            Item::Mark(point, text) => {
                let leaf = if is_end { 0 } else { flag::LEAF };
                write_texts(&mut bytes, code(point), flag::NO_MOVE | leaf | sibling, 0, "", text, *encoding)?;
            }
            Item::Node(id) => {
                let node = tree.node(id);
                let point = match node.step {
                    Step::Play(color, point) if color == Color::after(plies) => code(point),
                    Step::Pass(color) if color == Color::after(plies) => 0,
                    Step::Play(..) | Step::Pass(_) | Step::Setup(_) => return Err(RenLibError::Turns),
                };
                let is_leaf = moves_after(tree, id).next().is_none() && node.marks.is_empty();
                let leaf = if is_leaf && !is_end { flag::LEAF } else { 0 };
                let is_open = open_branches.binary_search(&id).is_ok();
                let sibling = if is_open { flag::SIBLING } else { sibling };
                write_record(&mut bytes, point, leaf | sibling, node, &node.label, *encoding)?;
                push_items(&mut open, tree, id, plies + 1);
            }
        }
    }
    Ok(bytes)
}

/// A child, or a label on an empty point, which RenLib stores as a child without a move.
#[derive(Clone, Copy)]
enum Item<'a> {
    Node(NodeId),
    Mark(Point, &'a str),
}

/// The children of a node without those that say nothing, such as the end of a game in SGF.
fn moves_after(tree: &GameTree, id: NodeId) -> impl Iterator<Item = NodeId> {
    tree.children(id).filter(|&child| !tree.is_blank_leaf(child))
}

/// Pushes the children and the labels of a node, the first one last. If the children are sorted by point, the labels
/// are sorted among them, as RenLib does.
fn push_items<'a>(open: &mut Vec<(Item<'a>, usize, bool)>, tree: &'a GameTree, id: NodeId, plies: usize) {
    let place = |item: &Item<'_>| match item {
        Item::Node(id) => match tree.node(*id).step {
            Step::Play(_, point) => code(point),
            Step::Pass(_) | Step::Setup(_) => 0,
        },
        Item::Mark(point, _) => code(*point),
    };
    let mut items: Vec<_> = moves_after(tree, id).map(Item::Node).collect();
    let is_sorted = items.is_sorted_by_key(place);
    items.extend(tree.node(id).marks.iter().map(|(point, text)| Item::Mark(*point, text)));
    if is_sorted {
        items.sort_by_key(place);
    }
    let last = items.len();
    open.extend(items.into_iter().enumerate().rev().map(|(index, item)| (item, plies, index + 1 < last)));
}

/// The byte of a point.
const fn code(point: Point) -> u8 {
    point.y() << 4 | (point.x() + 1)
}

fn write_record(
    bytes: &mut Vec<u8>,
    point: u8,
    flags: u8,
    node: &TreeNode,
    label: &str,
    encoding: TextEncoding,
) -> Result<(), RenLibError> {
    let RenLibFlags { is_found, is_start, extension } = node.renlib;
    let found = if is_found { flag::FOUND } else { 0 };
    let start = if is_start { flag::START } else { 0 };
    let comment = with_title(&node.comment);
    write_texts(bytes, point, flags | found | start, extension as u16, &comment, label, encoding)
}

/// A comment as RenLib reads it. Where it comes from a library or another format, its lines end with LF alone.
fn with_title(comment: &str) -> Cow<'_, str> {
    match comment.split_once('\n') {
        Some((title, rest)) if !comment.contains([TITLE_END, '\r']) => {
            Cow::Owned(format!("{title}{TITLE_END}{}", rest.replace('\n', "\r\n")))
        }
        _ => Cow::Borrowed(comment),
    }
}

fn write_texts(
    bytes: &mut Vec<u8>,
    point: u8,
    flags: u8,
    extension: u16,
    comment: &str,
    label: &str,
    encoding: TextEncoding,
) -> Result<(), RenLibError> {
    let extension = if label.is_empty() { extension } else { extension | LABEL_BIT };
    let has_comment = if comment.is_empty() { 0 } else { flag::COMMENT };
    let is_extended = if extension == 0 { 0 } else { flag::EXTENSION };
    bytes.extend([point, flags | has_comment | is_extended]);
    if extension != 0 {
        bytes.extend(extension.to_be_bytes());
    }
    for text in [comment, label].into_iter().filter(|text| !text.is_empty()) {
        let unwritable = || RenLibError::Unwritable(text.chars().take(20).collect(), encoding);
        let encoded = encoding.encode(text).filter(|encoded| !encoded.contains(&0)).ok_or_else(unwritable)?;
        bytes.extend_from_slice(&encoded);
        // At least one zero, and whole units.
        bytes.extend(if encoded.len() % 2 == 0 { &[0, 0][..] } else { &[0] });
    }
    Ok(())
}
