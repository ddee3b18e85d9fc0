use std::num::NonZeroU16;

use proptest::prelude::*;

use super::*;
use crate::board::{Color, POINT_SLOTS, Point, Size};
use crate::notation::{Chance, GameInfo, GameTree, NodeId, NodeScore, Step};

fn read(text: &str) -> GameTree {
    let mut trees = read_sgf(text.as_bytes()).unwrap();
    assert_eq!(trees.len(), 1, "{text}");
    trees.remove(0)
}

fn error(text: &str) -> String {
    read_sgf(text.as_bytes()).unwrap_err().to_string()
}

fn at(letters: &str) -> Point {
    let number = |index: usize| letters.as_bytes()[index] - b'a';
    Point::new(number(0), number(1)).unwrap()
}

fn play(color: Color, letters: &str) -> Step {
    Step::Play(color, at(letters))
}

/// The steps of a tree with the depths of their nodes.
fn steps(tree: &GameTree) -> Vec<(usize, Step)> {
    let depth = |id| std::iter::successors(Some(id), |&id| tree.parent(id)).count() - 1;
    tree.depth_first().map(|id| (depth(id), tree.node(id).step.clone())).collect()
}

#[test]
fn variations_hang_on_the_node_before_them() {
    use Color::{Black, White};
    let tree = read("(;GM[4]SZ[15];B[hh](;W[hg];B[aa])(;W[ig](;B[bb])(;B[cc])))");
    assert_eq!(tree.size(), Size::FIFTEEN);
    assert_eq!(
        steps(&tree),
        [
            (0, Step::Setup(vec![])),
            (1, play(Black, "hh")),
            (2, play(White, "hg")),
            (3, play(Black, "aa")),
            (2, play(White, "ig")),
            (3, play(Black, "bb")),
            (3, play(Black, "cc")),
        ]
    );
}

#[test]
fn letters_count_from_the_top_left_and_an_empty_value_is_a_pass() {
    use Color::{Black, White};
    let tree = read("(;SZ[15];W[aa];W[oa];B[];B[tt];W[ao])");
    let [top_left, top_right, bottom_left] = [(0, 0), (14, 0), (0, 14)].map(|(x, y)| Point::new(x, y).unwrap());
    let expected = [
        Step::Setup(vec![]),
        Step::Play(White, top_left),
        Step::Play(White, top_right),
        Step::Pass(Black),
        Step::Pass(Black),
        Step::Play(White, bottom_left),
    ];
    assert_eq!(steps(&tree).into_iter().map(|(_, step)| step).collect::<Vec<_>>(), expected);
    // A point of a board of 20, the greatest point of one of 32.
    assert_eq!(steps(&read("(;SZ[20];B[tt])"))[1].1, Step::Play(Black, Point::new(19, 19).unwrap()));
    assert_eq!(steps(&read("(;SZ[32];B[FF])"))[1].1, Step::Play(Black, Point::new(31, 31).unwrap()));
}

#[test]
fn the_size_is_that_of_the_file_whatever_game_it_names() {
    let side = |text: &str| read(text).size().side();
    assert_eq!(side("(;GM[1]SZ[15])"), 15);
    assert_eq!(side("(;SZ[ 20 : 20 ])"), 20);
    assert_eq!(["(;GM[1])", "(;GM[4])", "(;)", "(;GM[11]SZ[])"].map(side), [19, 15, 15, 15]);
    for size in ["15:14", "4", "33", "x", "15:"] {
        let expected = format!("byte 5: {size:?} is not a square board of 5 to 32 points a side");
        assert_eq!(error(&format!("(;SZ[{size}])")), expected);
    }
}

#[test]
fn stones_are_set_up_before_the_move_of_their_node() {
    use Color::{Black, White};
    let (aa, ba, ab, bb) = (at("aa"), at("ba"), at("ab"), at("bb"));
    let tree = read("(;AW[cc]SZ[15]AB[bb:aa]W[dd]C[text];AE[aa][cc];AW[aa]B[cc])");
    assert_eq!(
        steps(&tree),
        [
            (
                0,
                Step::Setup(vec![
                    (at("cc"), Some(White)),
                    (aa, Some(Black)),
                    (ba, Some(Black)),
                    (ab, Some(Black)),
                    (bb, Some(Black)),
                ])
            ),
            (1, play(White, "dd")),
            (2, Step::Setup(vec![(aa, None), (at("cc"), None)])),
            (3, Step::Setup(vec![(aa, Some(White))])),
            (4, play(Black, "cc")),
        ]
    );
    let twice = read("(;AW[aa]AB[aa]AE[bb]AB[bb]SZ[15])");
    assert_eq!(steps(&twice), [(0, Step::Setup(vec![(aa, Some(Black)), (bb, Some(Black))]))], "the last one holds");
    let first = tree.main_line().next().unwrap();
    assert_eq!((&*tree.node(first).comment, &*tree.node(NodeId::ROOT).comment), ("text", ""));
}

#[test]
fn a_move_on_a_stone_is_refused_in_every_variation_alike() {
    assert!(read_sgf(b"(;SZ[15];B[aa](;W[bb];B[cc])(;W[cc];B[bb];AE[aa];W[aa]))").is_ok());
    assert_eq!(error("(;SZ[15];B[aa](;W[bb])(;W[aa]))"), "byte 26: the point \"aa\" is occupied");
    assert_eq!(error("(;AB[aa];W[aa])"), "byte 11: the point \"aa\" is occupied");
}

#[test]
fn names_comments_and_labels_are_kept() {
    let tree = read(
        "(;SZ[15]N[Title]C[one\\]\r\ntwo\\\nthree\\\\]LB[hh:A][gg:b\\:c][aa:]TR[hh][ii]MA[cc:cd]\
         ;B[hh]C[a]C[b];W[gg]N[only])",
    );
    let root = tree.node(NodeId::ROOT);
    assert_eq!(&*root.comment, "Title\none]\ntwothree\\");
    let [first, second] = [1, 2].map(|depth| tree.depth_first().nth(depth).unwrap());
    assert_eq!((&*tree.node(first).label, &*tree.node(first).comment), ("A", "a\nb"));
    let marks = [("gg", "b:c"), ("hh", "△"), ("ii", "△"), ("cc", "×"), ("cd", "×")];
    assert_eq!(root.marks, marks.map(|(point, label)| (at(point), Box::from(label))));
    assert_eq!(&*tree.node(second).comment, "only");
}

#[test]
fn scores_are_those_of_sabaki_and_wins_count_the_moves_of_the_winner() {
    let score = |text: &str| read(&format!("(;{text})")).node(NodeId::ROOT).score;
    let chance = |share| Chance::from_share(share).map(NodeScore::Chance);
    assert_eq!(score("SBKV[63.21]"), chance(0.6321));
    assert_eq!(score("SBKV[ 100 ]"), chance(1.0));
    let win = |color, moves| Some(NodeScore::Win(color, NonZeroU16::new(moves)));
    assert_eq!(score("WIN[B+5]SBKV[100]"), win(Color::Black, 5));
    assert_eq!(score("SBKV[0]WIN[W]"), win(Color::White, 0));
    for damaged in ["SBKV[101]", "SBKV[-1]", "SBKV[NaN]", "SBKV[]", "WIN[X]", "WIN[B+0]", "WIN[B+x]", "V[1]"] {
        assert_eq!(score(damaged), None, "{damaged}");
    }
    assert_eq!(score("SBKV[50]WIN[?]"), chance(0.5), "a damaged value leaves the other one");
}

#[test]
fn the_root_tells_of_the_game() {
    let info = read("(;PB[Ann\nX]PW[Bob]RE[B+R]DT[2024-01-02]GN[Game]RU[Renju];B[hh]PB[other])").info;
    let [black, white] = ["Ann X", "Bob"].map(str::to_owned);
    let expected = GameInfo {
        players: [black, white],
        result: "B+R".to_owned(),
        date: "2024-01-02".to_owned(),
        event: "Game".to_owned(),
        rule: "Renju".to_owned(),
    };
    assert_eq!(info, expected);
    assert_eq!(read("(;EV[Cup]GN[Game])").info.event, "Cup");
}

#[test]
fn several_games_stand_in_one_file_with_text_around_them() {
    let trees = read_sgf("\u{feff}From: (me)\n( ;SZ[15];B[aa])\r\n;) x (;SZ[20])(".as_bytes()).unwrap();
    assert_eq!(trees.iter().map(|tree| (tree.size().side(), tree.len())).collect::<Vec<_>>(), [(15, 2), (20, 1)]);
}

#[test]
fn names_of_earlier_versions_have_small_letters() {
    assert_eq!(read("(;GaMe[1]SiZe[15];Black[aa];White[bb]Comment[text])").len(), 3);
}

#[test]
fn the_character_set_is_found_in_spite_of_a_wrong_name() {
    let comment = |bytes: &[u8]| read_sgf(bytes).unwrap()[0].node(NodeId::ROOT).comment.to_string();
    assert_eq!(comment("(;CA[GBK]C[黑])".as_bytes()), "黑");
    assert_eq!(comment(b"(;CA[UTF-8]C[\xBA\xDA])"), "黑");
    assert_eq!(comment(b"(;CA[big5]C[\xA4\xA4])"), "中");
    // The second byte of this character of GBK is a backslash, which escapes nothing.
    assert_eq!(comment(b"(;C[\x81\x5C]AB[aa])"), "乗");
    assert_eq!(comment(b"(;C[caf\xE9.])"), "café.");
    // In GBK the last letter and the bracket would be one character.
    assert_eq!(comment(b"(;C[caf\xE9];B[aa]C[\xE9])"), "café");
    assert_eq!(comment(b"(;C[\x81\x5D]AB[aa])"), "乚");
}

#[test]
fn an_error_names_the_byte_in_the_file() {
    for (text, expected) in [
        ("", "byte 0: expected a game, which begins with \"(;\""),
        ("(B[aa])", "byte 0: expected a game, which begins with \"(;\""),
        ("x(;B[aa]", "byte 1: the game that begins here has no end"),
        ("(;B[aa](;W[bb]", "byte 0: the game that begins here has no end"),
        ("(;B[aa", "byte 3: the value that begins here has no end"),
        ("(;B;W[aa])", "byte 2: the property \"B\" has no value"),
        ("(;B[aa]é)", "byte 7: expected a bracket, a semicolon or a property, found 'é'"),
        ("(;B[aa](B[bb]))", "byte 8: expected a bracket, a semicolon or a property, found 'B'"),
        ("(;B[pa])", "byte 4: \"pa\" is not a point of this board"),
        ("(;LB[a:x])", "byte 5: \"a\" is not a point of this board"),
        ("(;AB[aa:zz])", "byte 5: \"zz\" is not a point of this board"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    let gbk = read_sgf(b"(;C[\xBA\xDA\xBA\xDA];B[zz])").unwrap_err();
    assert_eq!(gbk, SgfError { byte: 12, problem: SgfProblem::Point("zz".to_owned()) });
    assert!(error(&format!("(;B[{}])", "x".repeat(1_000_000))).len() < 200);
}

#[test]
fn a_hundred_thousand_nested_variations_are_read_and_written() {
    let deep = 100_000;
    let tree = read(&format!("(;{}{})", "(;W[])".repeat(3) + &"(;B[]".repeat(deep), ")".repeat(deep)));
    assert_eq!((tree.len(), tree.main_line().count()), (deep + 4, 1));
    let branched = read(&format!("({}{})", ";(;W[])(".repeat(deep) + ";", ")".repeat(deep)));
    assert_eq!(branched.len(), 2 * deep + 1);
    assert_eq!(read(&write_sgf([&branched])), branched);
}

#[test]
fn semicolons_cannot_fill_the_memory() {
    let nodes = |text: &str, count| format!("(;{}{})", "C[0123456789]".repeat(10), text.repeat(count));
    assert!(error(&nodes(";", 300_000)).ends_with("too many nodes"), "{}", error(&nodes(";", 300_000)));
    assert_eq!(read(&nodes(";B[]", 300_000)).len(), 300_001);
}

#[test]
fn rectangles_cannot_fill_the_memory() {
    assert_eq!(error(&format!("(;SZ[32]{})", "AE[aa:FF]".repeat(1000))), "byte 8795: too many rectangles of points");
    assert!(read_sgf(format!("(;SZ[32]{})", "AE[aa:FF]".repeat(900)).as_bytes()).is_ok());
}

#[test]
fn a_tree_is_written_with_escapes_and_a_line_for_each_variation() {
    let mut tree = GameTree::new(Size::FIFTEEN);
    tree.info.players[0] = "A]\nB".to_owned();
    tree.node_mut(NodeId::ROOT).step = Step::Setup(vec![(at("cc"), None), (at("bb"), Some(Color::Black))]);
    tree.node_mut(NodeId::ROOT).comment = "Title\u{8}a\\b]\r\nc:d".into();
    tree.node_mut(NodeId::ROOT).marks = vec![(at("aa"), "x:y\nz".into())];
    let first = tree.add(NodeId::ROOT, play(Color::Black, "hh"));
    tree.node_mut(first).label = "A".into();
    tree.add(NodeId::ROOT, Step::Pass(Color::White));
    tree.add(first, Step::Setup(Vec::new()));
    assert_eq!(
        write_sgf([&tree]),
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[A\\] B]AB[bb]AE[cc]C[Title\na\\\\b\\]\nc\\:d]LB[hh:A][aa:x\\:y z]\n\
         (;B[hh];)\n(;W[]))\n"
    );
}

/// A tree that SGF can hold, from any numbers: one node for each of `nodes`.
fn tree_of(side: u8, info: [String; 6], nodes: Vec<(usize, usize, u8, String, String)>) -> GameTree {
    let size = Size::new(side).unwrap();
    let mut tree = GameTree::new(size);
    let [black, white, result, date, event, rule] = info;
    tree.info = GameInfo { players: [black, white], result, date, event, rule };
    let all: Vec<_> = size.points().collect();
    let mut boards = vec![[None; POINT_SLOTS]];
    let mut ids = vec![NodeId::ROOT];
    for (parent, place, kind, comment, label) in nodes {
        let parent = parent % ids.len();
        let (point, other) = (all[place % all.len()], all[(place + 1) % all.len()]);
        let mut board = boards[parent];
        let color = Color::after(usize::from(kind));
        let id = ids[parent];
        let has_child_there =
            tree.children(id).any(|child| matches!(tree.node(child).step, Step::Play(_, own) if own == point));
        let step = match kind % 8 {
            0 => Step::Pass(color),
            1 => Step::Setup(vec![(point, Some(Color::Black)), (other, Some(Color::White))]),
            2 => Step::Setup(vec![(other, Some(color)), (point, None)]),
            3 => Step::Setup(Vec::new()),
            _ if board[point.index()].is_some() || has_child_there => continue,
            _ => Step::Play(color, point),
        };
        match &step {
            Step::Play(color, point) => board[point.index()] = Some(*color),
            Step::Pass(_) => {}
            Step::Setup(stones) => stones.iter().for_each(|(point, color)| board[point.index()] = *color),
        }
        let child = tree.add(id, step);
        tree.node_mut(child).comment = comment.into();
        tree.node_mut(child).score = match place % 5 {
            0 => None,
            1 => Some(NodeScore::Win(color, None)),
            2 => Some(NodeScore::Win(color, u16::try_from(place).ok().and_then(NonZeroU16::new))),
            _ => Chance::from_share(place as f64 / 2000.0).map(NodeScore::Chance),
        };
        // No child plays on the stone, so that its label stays a mark.
        match tree.node(child).step {
            Step::Play(_, point) => {
                tree.node_mut(child).label = label.clone().into();
                if !label.is_empty() {
                    tree.node_mut(child).marks = vec![(point, label.into())];
                }
            }
            Step::Pass(_) | Step::Setup(_) => {}
        }
        ids.push(child);
        boards.push(board);
    }
    renumbered(&tree)
}

/// The same tree with its nodes numbered depth first, as a reader numbers them.
fn renumbered(tree: &GameTree) -> GameTree {
    let mut copy = GameTree::new(tree.size());
    copy.info = tree.info.clone();
    let mut ids = std::collections::HashMap::from([(NodeId::ROOT, NodeId::ROOT)]);
    for id in tree.depth_first() {
        let node = tree.node(id);
        if let Some(parent) = tree.parent(id) {
            ids.insert(id, copy.add(ids[&parent], node.step.clone()));
        }
        let own = copy.node_mut(ids[&id]);
        (own.comment, own.label, own.marks) = (node.comment.clone(), node.label.clone(), node.marks.clone());
        own.score = node.score;
    }
    copy
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn trees_are_read_as_they_are_written(
        games in prop::collection::vec((
            Size::MIN..=Size::MAX,
            prop::array::uniform6("[\\PC\\\\\\]:]{0,8}"),
            prop::collection::vec((0..40usize, 0..2000usize, any::<u8>(), "[\\PC\\n\\\\\\]:\t]{0,12}", "[\\PC:\\]\\\\]{0,4}"), 0..30),
        ), 1..4)
    ) {
        let trees: Vec<_> = games.into_iter().map(|(side, info, nodes)| tree_of(side, info, nodes)).collect();
        let text = write_sgf(&trees);
        prop_assert_eq!(&read_sgf(text.as_bytes()).unwrap(), &trees, "{}", text);
        // The same through another character set, where it can hold the text.
        let (gbk, _, has_errors) = encoding_rs::GBK.encode(&text);
        if !has_errors && std::str::from_utf8(&gbk).is_err() {
            prop_assert_eq!(read_sgf(&gbk).unwrap(), trees);
        }
    }

    #[test]
    fn damaged_files_never_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = "(;FF[4]GM[4]CA[gbk]SZ[15]AB[aa:bc]N[黑]C[a\\]b](;B[hh]LB[gg:A]TR[ii]\n(;W[gg];B[])(;W[tt]))(;AE[aa]B[aa]))(;)";
        let mut bytes = text.as_bytes().to_vec();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] ^= byte;
        }
        for bytes in [&bytes[..], &bytes[..cut.index(bytes.len())]] {
            if let Err(error) = read_sgf(bytes) {
                prop_assert!(error.byte <= bytes.len());
            }
        }
    }
}

#[test]
fn a_text_with_more_nodes_than_allowed_is_refused() {
    let nodes = |most| read_sgf_text("(;;B[aa](;W[bb])(;W[cc]))(;)", most);
    assert_eq!(nodes(5).unwrap().len(), 2);
    assert_eq!(nodes(4).unwrap_err().problem, SgfProblem::TooManyNodes);
}
