//! [`read_renlib`]: bytes of a `.lib` file to its tree.

use std::collections::HashMap;

use super::{HEADER_BYTES, LABEL_BIT, MAGIC, NEWEST_VERSION, RenLibError, RenLibFile, SIDE, flag};
use crate::board::{Color, Point, PointSet, Size};
use crate::notation::{GameTree, NodeId, RenLibFlags, Step, TextEncoding};

/// The characters that seven-bit comments of old files use for Swedish letters.
const SWEDISH: [(u8, char); 6] = [(b'}', 'å'), (b'{', 'ä'), (b'|', 'ö'), (b']', 'Å'), (b'[', 'Ä'), (b'\\', 'Ö')];

/// Maximum number of announced siblings that are not read yet. A real tree has at most one at each ply, and a few records
/// without a move.
pub(super) const MOST_WAITING: usize = 100_000;

/// A record as the file holds it.
struct FileRecord<'a> {
    offset: usize,
    point: u8,
    flags: u8,
    /// Bits of the extension without the one that announces the label.
    extension: u16,
    comment: Option<FileText<'a>>,
    label: Option<FileText<'a>>,
}

/// A text with the place of its first byte.
#[derive(Clone, Copy)]
struct FileText<'a> {
    offset: usize,
    bytes: &'a [u8],
    /// Seven bits a character; the last byte has the eighth bit set.
    is_old: bool,
}

/// Reads a library of RenLib. Without an encoding the first of UTF-8, GBK and Windows-1252 is taken that fits all texts.
///
/// # Errors
/// When the file is damaged, or a text does not fit the named encoding.
pub fn read_renlib(bytes: &[u8], encoding: Option<TextEncoding>) -> Result<RenLibFile, RenLibError> {
    let (version, start) = read_header(bytes)?;
    let reader = Reader { bytes, next: start };
    let encoding = encoding.map_or_else(|| encoding_of_texts(reader.clone()), Ok)?;
    build(reader, version, encoding)
}

fn encoding_of_texts(mut reader: Reader<'_>) -> Result<TextEncoding, RenLibError> {
    let mut texts = Vec::new();
    while let Some(record) = reader.record()? {
        let new = [record.comment, record.label].into_iter().flatten().filter(|text| !text.is_old);
        texts.extend(new.map(|text| text.bytes));
    }
    Ok(TextEncoding::of_texts(&texts))
}

/// The version, and the offset of the first record.
fn read_header(bytes: &[u8]) -> Result<(Option<(u8, u8)>, usize), RenLibError> {
    if bytes.starts_with(MAGIC) {
        let header = bytes.first_chunk::<HEADER_BYTES>().ok_or(RenLibError::End(bytes.len()))?;
        let (major, minor) = (header[8], header[9]);
        // A later minor version would add bits, which are kept.
        if major > NEWEST_VERSION.0 {
            return Err(RenLibError::Version(major, minor));
        }
        return Ok((Some((major, minor)), HEADER_BYTES));
    }
    // Without a header the first move is the centre.
    if bytes.first() == Some(&CENTRE) && bytes.len() >= 2 { Ok((None, 0)) } else { Err(RenLibError::NotALibrary) }
}

/// The byte of h8.
const CENTRE: u8 = 0x78;

#[derive(Clone)]
struct Reader<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl<'a> Reader<'a> {
    /// The next record; `None` at the end. A last odd byte is ignored, as RenLib does.
    fn record(&mut self) -> Result<Option<FileRecord<'a>>, RenLibError> {
        let offset = self.next;
        let Some([point, flags]) = self.unit() else { return Ok(None) };
        let extension = match flags & flag::EXTENSION {
            0 => 0,
            _ => self.unit().map(u16::from_be_bytes).ok_or(RenLibError::End(self.next))?,
        };
        let comment = match flags {
            _ if flags & flag::OLD_COMMENT != 0 => Some(self.text(true)?),
            _ if flags & flag::COMMENT != 0 => Some(self.text(false)?),
            _ => None,
        };
        let label = if extension & LABEL_BIT == 0 { None } else { Some(self.text(false)?) };
        Ok(Some(FileRecord { offset, point, flags, extension: extension & !LABEL_BIT, comment, label }))
    }

    fn unit(&mut self) -> Option<[u8; 2]> {
        let unit = self.bytes.get(self.next..)?.first_chunk::<2>()?;
        self.next += 2;
        Some(*unit)
    }

    /// A text up to its last byte, and the rest of its last unit.
    fn text(&mut self, is_old: bool) -> Result<FileText<'a>, RenLibError> {
        let offset = self.next;
        // The unit of the text before may reach beyond the end of a cut file.
        let rest = self.bytes.get(offset..).unwrap_or_default();
        let is_last = |&byte: &u8| if is_old { byte & 0x80 != 0 } else { byte == 0 };
        let end = rest.iter().position(is_last).ok_or(RenLibError::Text(offset))?;
        self.next = offset + (end + 2) / 2 * 2;
        // The last byte of an old comment belongs to it.
        Ok(FileText { offset, bytes: &rest[..if is_old { end + 1 } else { end }], is_old })
    }
}

/// A node whose children are being read: its number, its stones, and the number of moves to it.
#[derive(Clone)]
struct Ancestor {
    id: NodeId,
    stones: PointSet,
    plies: usize,
}

fn build(mut reader: Reader<'_>, version: Option<(u8, u8)>, encoding: TextEncoding) -> Result<RenLibFile, RenLibError> {
    let mut tree = GameTree::new(Size::FIFTEEN);
    let mut current = Ancestor { id: NodeId::ROOT, stones: PointSet::EMPTY, plies: 0 };
    // The parents of announced siblings, each with the move before the sibling.
    let mut stack: Vec<(Ancestor, Option<NodeId>)> = Vec::new();
    // The comments of records without a move follow that of their parent.
    let mut further_comments: HashMap<NodeId, String> = HashMap::new();
    let (mut has_root_record, mut has_open_end, mut is_first) = (false, false, true);
    while let Some(record) = reader.record()? {
        let is_root = std::mem::take(&mut is_first) && record.point == 0;
        has_root_record |= is_root;
        has_open_end = record.flags & flag::LEAF == 0;
        let text = |text: Option<FileText<'_>>| text.map_or(Ok(Box::default()), |text| decode(text, encoding));
        let (comment, label) = (text(record.comment)?, text(record.label)?);
        let parent = current.clone();
        if !is_root {
            if tree.len() == GameTree::MOST_NODES {
                return Err(RenLibError::TooLarge(record.offset));
            }
            if record.flags & flag::NO_MOVE == 0 {
                current = add_move(&mut tree, &parent, &record)?;
            } else if let Some(point) = read_point(&record)? {
                // The node has no move. Its children and its comment belong to its parent.
                tree.node_mut(parent.id).marks.push((point, label.clone()));
            }
        }
        let node = tree.node_mut(current.id);
        if record.flags & flag::NO_MOVE == 0 {
            node.label = if is_root { Box::default() } else { label };
        }
        if node.comment.is_empty() {
            node.comment = comment;
        } else if !comment.is_empty() {
            let further = further_comments.entry(current.id).or_default();
            further.push_str("\r\n");
            further.push_str(&comment);
        }
        node.renlib = RenLibFlags {
            is_found: record.flags & flag::FOUND != 0 || node.renlib.is_found,
            is_start: record.flags & flag::START != 0 || node.renlib.is_start,
            extension: u32::from(record.extension) | node.renlib.extension,
        };
        if is_root {
            // Some programs set the bit of a sibling on the root.
            continue;
        }
        if record.flags & flag::SIBLING != 0 {
            if stack.len() == MOST_WAITING {
                return Err(RenLibError::TooLarge(record.offset));
            }
            let own = (current.id != parent.id).then_some(current.id);
            stack.push((parent, own));
        }
        if record.flags & flag::LEAF != 0 {
            current = stack.pop().map_or(current, |(parent, _)| parent);
        }
    }
    for (id, further) in further_comments {
        let node = tree.node_mut(id);
        node.comment = format!("{}{further}", node.comment).into();
    }
    let open_branches = stack.into_iter().filter_map(|(_, own)| own).collect();
    Ok(RenLibFile { tree, version, has_root_record, encoding, open_branches, has_open_end })
}

/// Adds the move or the pass of a record.
fn add_move(tree: &mut GameTree, parent: &Ancestor, record: &FileRecord<'_>) -> Result<Ancestor, RenLibError> {
    let color = Color::after(parent.plies);
    let mut stones = parent.stones;
    let step = match read_point(record)? {
        None => Step::Pass(color),
        Some(point) if stones.contains(point) => return Err(RenLibError::Occupied(record.offset)),
        Some(point) => {
            stones.insert(point);
            Step::Play(color, point)
        }
    };
    Ok(Ancestor { id: tree.add(parent.id, step), stones, plies: parent.plies + 1 })
}

/// The point of a record; `None` for a pass.
fn read_point(record: &FileRecord<'_>) -> Result<Option<Point>, RenLibError> {
    let error = RenLibError::Point(record.offset, record.point);
    match (record.point & 0x0F, record.point >> 4) {
        (0, 0) => Ok(None),
        (0, _) | (_, SIDE) => Err(error),
        (x, y) => Point::new(x - 1, y).ok_or(error).map(Some),
    }
}

fn decode(text: FileText<'_>, encoding: TextEncoding) -> Result<Box<str>, RenLibError> {
    if text.is_old {
        let letter = |byte: &u8| {
            let byte = byte & 0x7F;
            SWEDISH.iter().find(|(sign, _)| *sign == byte).map_or(char::from(byte), |(_, letter)| *letter)
        };
        return Ok(text.bytes.iter().map(letter).collect::<String>().into());
    }
    let decoded = encoding.decode(text.bytes).ok_or(RenLibError::Encoding(text.offset, encoding))?;
    Ok(decoded.into())
}
