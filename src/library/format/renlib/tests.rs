use super::read::MOST_WAITING;
use super::*;
use crate::board::{Color, Point, Size};
use crate::notation::{Letters, NodeId, RenLibFlags, Step};
use crate::rng::Rng;

/// The lines of a tree: each leaf's moves, with passes as `--`.
fn lines(tree: &GameTree) -> Vec<String> {
    let letters = Letters::new(tree.size());
    let leaves = tree.depth_first().filter(|&id| tree.children(id).next().is_none());
    let line = |leaf| {
        let path = std::iter::successors(Some(leaf), |&id| tree.parent(id));
        let mut names: Vec<_> = path
            .filter_map(|id| match tree.node(id).step {
                Step::Play(_, point) => Some(letters.point(point).to_string()),
                Step::Pass(_) => Some("--".to_owned()),
                Step::Setup(_) => None,
            })
            .collect();
        names.reverse();
        names.join(" ")
    };
    leaves.map(line).collect()
}

fn header(minor: u8) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([3, minor]);
    bytes.resize(HEADER_BYTES, 0xFF);
    bytes
}

fn with_header(minor: u8, records: &[u8]) -> Vec<u8> {
    [&header(minor), records].concat()
}

/// Reads bytes and writes them again.
fn there_and_back(bytes: &[u8]) -> RenLibFile {
    let file = read_renlib(bytes, None).unwrap();
    assert_eq!(write_renlib(&file).unwrap(), bytes);
    file
}

#[test]
fn moves_and_their_alternatives_are_read_and_written() {
    let records = [0x78, 0x00, 0x68, 0xC0, 0x77, 0xC0, 0x79, 0x80, 0x7A, 0x00, 0x7B, 0x40, 0x88, 0x40];
    let file = there_and_back(&with_header(0, &records));
    assert_eq!(lines(&file.tree), ["h8 h9", "h8 g8", "h8 i8 j8 k8", "h8 h7"]);
    assert_eq!((file.version, file.has_root_record, file.open_branches.len()), (Some((3, 0)), false, 0));
}

#[test]
fn a_root_record_and_a_pass_with_a_comment_are_read_and_written() {
    let records = [&[0, 0, 0x78, 0, 0x69, 0, 0, 8][..], b"\x08Pass\0", &[0x7B, 0x40]].concat();
    let file = there_and_back(&with_header(4, &records));
    assert_eq!(lines(&file.tree), ["h8 i9 -- k8"]);
    let pass = file.tree.depth_first().nth(3).unwrap();
    assert_eq!(&*file.tree.node(pass).comment, "\u{8}Pass");
    assert!(file.has_root_record);
}

#[test]
fn a_label_on_an_empty_point_belongs_to_the_position_before() {
    let records = [0x78, 0, 0x68, 0xC3, 0, 1, b'D', 0, 0x69, 0x40];
    let file = there_and_back(&with_header(0, &records));
    assert_eq!(lines(&file.tree), ["h8 i9"]);
    let h8 = file.tree.depth_first().nth(1).unwrap();
    assert_eq!(file.tree.node(h8).marks, [(Point::new(7, 6).unwrap(), "D".into())]);
}

#[test]
fn a_comment_without_a_move_is_added_to_that_of_the_position_before() {
    let records = [&[0x78, 8][..], b"one\0", &[0x68, 0x4B, 0, 1], b"two\0D\0"].concat();
    let file = read_renlib(&with_header(0, &records), None).unwrap();
    let h8 = file.tree.depth_first().nth(1).unwrap();
    assert_eq!(&*file.tree.node(h8).comment, "one\r\ntwo");
}

#[test]
fn records_without_a_move_do_not_exhaust_memory() {
    let read = |records: Vec<u8>| read_renlib(&with_header(0, &records), None);
    let many = 1_000_000;
    let siblings = [&[0x78, 0][..], &[0x68, 0x82].repeat(many)].concat();
    assert_eq!(read(siblings), Err(RenLibError::TooLarge(22 + 2 * MOST_WAITING)));
    let comments = [&[0x78, 8, b'a', 0][..], &[0x68, 0x0A, b'b', 0].repeat(many)].concat();
    let file = read(comments).unwrap();
    let h8 = file.tree.depth_first().nth(1).unwrap();
    assert_eq!(file.tree.node(h8).comment.len(), 1 + 3 * many);
}

#[test]
fn a_later_minor_version_is_read() {
    let file = read_renlib(&with_header(9, &[0x78, 0x40]), None).unwrap();
    assert_eq!((lines(&file.tree), file.version), (vec!["h8".to_owned()], Some((3, 9))));
}

#[test]
fn a_label_on_a_move_follows_its_comment_in_the_encoding_of_the_file() {
    let records = [&[0x78, 0, 0x68, 0x49, 0, 1][..], b"abc\0", b"\xBA\xDA\0\0"].concat();
    let file = there_and_back(&with_header(0, &records));
    assert_eq!(file.encoding, TextEncoding::Gbk);
    let h9 = file.tree.depth_first().nth(2).unwrap();
    assert_eq!((&*file.tree.node(h9).label, &*file.tree.node(h9).comment), ("黑", "abc"));
    assert_eq!(
        read_renlib(&with_header(0, &records), Some(TextEncoding::Utf8)),
        Err(RenLibError::Encoding(30, TextEncoding::Utf8))
    );
}

#[test]
fn an_old_file_has_no_header_and_seven_bits_a_character() {
    // "hi" on h8, its last byte marked; then h9.
    let file = read_renlib(&[0x78, 0x20, b'h', b'i' | 0x80, 0x68, 0x40], None).unwrap();
    assert_eq!((lines(&file.tree), file.version), (vec!["h8 h9".to_owned()], None));
    assert_eq!(&*file.tree.node(file.tree.depth_first().nth(1).unwrap()).comment, "hi");
    let file = read_renlib(&[0x78, 0x60, b'}', b'{', b'|' | 0x80, 0], None).unwrap();
    assert_eq!(&*file.tree.node(file.tree.depth_first().nth(1).unwrap()).comment, "åäö");
}

#[test]
fn a_saved_branch_ends_early() {
    // The path to the branch keeps the bits of siblings that are not in the file, and the last move is not a leaf.
    let file = there_and_back(&with_header(0, &[0x78, 0, 0x68, 0x80, 0x77, 0]));
    assert_eq!((lines(&file.tree), file.open_branches.len()), (vec!["h8 h9 g8".to_owned()], 1));
    let file = there_and_back(&with_header(0, &[0x78, 0]));
    assert_eq!(lines(&file.tree), ["h8"]);
    // The last record may be a label without a move, or the root.
    there_and_back(&with_header(0, &[0x78, 0, 0x68, 0x03, 0, 1, b'D', 0]));
    there_and_back(&with_header(4, &[0, 0]));
}

#[test]
fn damaged_files_are_refused_at_the_byte() {
    let error = |records: &[u8]| read_renlib(&with_header(0, records), None).unwrap_err();
    assert_eq!(error(&[0x78, 0, 0x10, 0x40]), RenLibError::Point(22, 0x10));
    assert_eq!(error(&[0x78, 0, 0xF1, 0x40]), RenLibError::Point(22, 0xF1));
    assert_eq!(error(&[0x78, 0, 0x78, 0x40]), RenLibError::Occupied(22));
    assert_eq!(error(&[0x78, 8, b'a', b'b']), RenLibError::Text(22));
    assert_eq!(error(&[0x78, 1]), RenLibError::End(22));
    assert_eq!(read_renlib(&[], None), Err(RenLibError::NotALibrary));
    assert_eq!(read_renlib(b"(;GM[4]SZ[15])", None), Err(RenLibError::NotALibrary));
    assert_eq!(read_renlib(&[&MAGIC[..], &[4, 0], &[0xFF; 10]].concat(), None), Err(RenLibError::Version(4, 0)));
    assert_eq!(read_renlib(&header(0)[..12], None), Err(RenLibError::End(12)));
}

/// A random tree with sorted siblings, as RenLib writes them.
fn random_tree(rng: &mut Rng) -> GameTree {
    const TEXTS: [&str; 6] = ["a", "ab", "one\u{8}two\r\nthree", "直指", "\u{8}x", "ü"];
    let mut tree = GameTree::new(Size::FIFTEEN);
    let mut nodes = vec![(NodeId::ROOT, 0, Vec::new())];
    for _ in 0..rng.below(60) {
        let (parent, plies, stones) = nodes.swap_remove(rng.below(nodes.len()));
        let mut codes: Vec<_> = (0..1 + rng.below(4)).map(|_| rng.below(225)).collect();
        codes.sort_unstable();
        codes.dedup();
        for code in codes {
            let point = Size::FIFTEEN.point((code % 15) as u8, (code / 15) as u8).unwrap();
            if stones.contains(&point) {
                continue;
            }
            if rng.below(6) == 0 {
                tree.node_mut(parent).marks.push((point, TEXTS[rng.below(2)].into()));
                continue;
            }
            let child = tree.add(parent, Step::Play(Color::after(plies), point));
            let node = tree.node_mut(child);
            if rng.below(3) == 0 {
                node.comment = TEXTS[rng.below(TEXTS.len())].into();
            }
            if rng.below(4) == 0 {
                node.label = TEXTS[rng.below(2)].into();
            }
            let (is_found, is_start) = (rng.below(5) == 0, rng.below(9) == 0);
            node.renlib = RenLibFlags { is_found, is_start, extension: [0, 0x0200][rng.below(9) / 8] };
            nodes.push((child, plies + 1, [&stones[..], &[point]].concat()));
        }
        if nodes.is_empty() {
            break;
        }
    }
    tree
}

#[test]
fn the_lines_of_a_comment_from_elsewhere_are_written_as_renlib_reads_them() {
    let written = |comment: &str| {
        let mut tree = GameTree::new(Size::FIFTEEN);
        let first = tree.add(NodeId::ROOT, Step::Play(Color::Black, Size::FIFTEEN.centre()));
        tree.node_mut(first).comment = comment.into();
        let read = there_and_back(&write_renlib(&RenLibFile::new(tree, TextEncoding::Utf8)).unwrap());
        read.tree.node(read.tree.depth_first().nth(1).unwrap()).comment.to_string()
    };
    assert_eq!(written("one\ntwo\n\nthree"), "one\u{8}two\r\n\r\nthree");
    for own in ["one", "one\u{8}two\r\nthree", "one\r\ntwo"] {
        assert_eq!(written(own), own);
    }
}

#[test]
fn a_tree_is_read_as_it_was_written() {
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let tree = random_tree(&mut rng);
        let file = RenLibFile::new(tree, TextEncoding::Utf8);
        let bytes = write_renlib(&file).unwrap();
        if bytes.len() > HEADER_BYTES {
            let read = there_and_back(&bytes);
            let nodes = |tree: &GameTree| tree.depth_first().map(|id| tree.node(id).clone()).collect::<Vec<_>>().len();
            assert_eq!(nodes(&read.tree), nodes(&file.tree));
            assert_eq!(lines(&read.tree), lines(&file.tree));
            let texts = |tree: &GameTree| {
                let texts = tree.depth_first().map(|id| {
                    let node = tree.node(id);
                    (node.comment.clone(), node.label.clone(), node.marks.clone(), node.renlib)
                });
                texts.collect::<Vec<_>>()
            };
            assert_eq!(texts(&read.tree), texts(&file.tree));
        }
    }
}

#[test]
fn flipped_bits_are_an_error_or_another_tree() {
    let mut rng = Rng::new(2);
    let bytes = write_renlib(&RenLibFile::new(random_tree(&mut rng), TextEncoding::Utf8)).unwrap();
    for _ in 0..2_000 {
        let mut flipped = bytes.clone();
        let place = rng.below(bytes.len());
        flipped[place] ^= 1 << rng.below(8);
        if let Ok(file) = read_renlib(&flipped, None) {
            assert!(file.tree.len() <= bytes.len());
            let _ = write_renlib(&file);
        }
    }
}

#[test]
fn half_a_million_moves_and_the_deepest_line_need_no_recursion() {
    let mut tree = GameTree::new(Size::FIFTEEN);
    let mut node = NodeId::ROOT;
    for (ply, point) in Size::FIFTEEN.points().enumerate() {
        node = tree.add(node, Step::Play(Color::after(ply), point));
    }
    let first = tree.children(NodeId::ROOT).next().unwrap();
    let points: Vec<_> = Size::FIFTEEN.points().skip(2).collect();
    'grow: for &second in &points {
        let second_id = tree.add(first, Step::Play(Color::White, second));
        for &third in points.iter().filter(|&&third| third != second) {
            let third_id = tree.add(second_id, Step::Play(Color::Black, third));
            for &fourth in points.iter().filter(|&&fourth| fourth != second && fourth != third).take(12) {
                tree.add(third_id, Step::Play(Color::White, fourth));
            }
            if tree.len() > 500_000 {
                break 'grow;
            }
        }
    }
    let bytes = write_renlib(&RenLibFile::new(tree, TextEncoding::Utf8)).unwrap();
    assert_eq!(read_renlib(&bytes, None).unwrap().tree.len() - 1, (bytes.len() - HEADER_BYTES - 2) / 2);
}

#[test]
fn what_a_library_of_renlib_cannot_hold_is_refused() {
    let write = |tree| write_renlib(&RenLibFile::new(tree, TextEncoding::Windows1252));
    let mut tree = GameTree::new(Size::FIFTEEN);
    tree.add(NodeId::ROOT, Step::Play(Color::White, Size::FIFTEEN.centre()));
    assert_eq!(write(tree), Err(RenLibError::Turns));
    let mut tree = GameTree::new(Size::FIFTEEN);
    tree.node_mut(NodeId::ROOT).step = Step::Setup(vec![(Size::FIFTEEN.centre(), Some(Color::Black))]);
    assert_eq!(write(tree), Err(RenLibError::Turns));
    assert_eq!(write(GameTree::new(Size::TWENTY)), Err(RenLibError::Size(20)));
    let mut tree = GameTree::new(Size::FIFTEEN);
    let first = tree.add(NodeId::ROOT, Step::Play(Color::Black, Size::FIFTEEN.centre()));
    tree.node_mut(first).comment = "直".into();
    assert_eq!(write(tree), Err(RenLibError::Unwritable("直".to_owned(), TextEncoding::Windows1252)));
}

#[test]
fn a_label_after_the_end_of_a_cut_file_is_an_error() {
    // The comment takes three bytes of its two units, and the extension announces a label.
    let bytes = with_header(4, b"\x78\x09\x00\x01ab\0");
    let offset = bytes.len() + 1;
    assert_eq!(read_renlib(&bytes, None).unwrap_err(), RenLibError::Text(offset));
}
