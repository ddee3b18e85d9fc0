//! Tests of the trees of the page.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Vec<Value> {
    of_sgf(text, Rule::Renju, false).unwrap()
}

fn write(fields: Value) -> Result<String, Failure> {
    let write = serde_json::from_value(fields).unwrap();
    to_sgf(&write).map(|file| file["text"].as_str().unwrap().to_owned())
}

fn tree(size: u8, rule: &str, nodes: &Value) -> Value {
    json!({ "size": size, "rule": rule, "nodes": nodes, "players": ["Ann", "黑"], "result": "" })
}

#[test]
fn a_tree_is_written_and_read() {
    let nodes = json!([
        { "comment": "开局", "marks": [["8,6", "好"], ["7,7", "A"]] },
        { "parent": 0, "move": "7,7", "verdict": { "result": null, "chance": 0.6321 } },
        { "parent": 1, "move": "8,6", "comment": "a]\\:\n\nb" },
        { "parent": 1, "move": "8,7", "verdict": { "result": { "winner": "black", "moves": 5 }, "chance": null } },
        { "parent": 3, "move": "0,0",
          "verdict": { "result": { "winner": "white", "moves": null }, "chance": null } },
    ]);
    let mut fields = tree(15, "renju", &nodes);
    fields["result"] = "B+T".into();
    fields["date"] = "2026-11-25".into();
    fields["event"] = "杯".into();
    let text = write(fields).unwrap();
    assert_eq!(
        text,
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[Ann]PW[黑]RE[B+T]DT[2026-11-25]EV[杯]RU[renju]C[开局]LB[ig:好][hh:A]\
         ;B[hh]SBKV[63.21]\n(;W[ig]C[a\\]\\\\\\:\n\nb])\n(;W[ih]SBKV[100]WIN[B+5];B[aa]SBKV[0]WIN[W]))\n"
    );
    let games = read(&text);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0]["tree"]["nodes"], nodes);
    assert_eq!(games[0]["moves"], "7,7 8,6");
    assert_eq!(games[0]["players"], json!(["Ann", "黑"]));
    assert_eq!((&games[0]["date"], &games[0]["name"]), (&json!("2026-11-25"), &json!("杯")));
    assert_eq!((&games[0]["winner"], &games[0]["end"]), (&json!("black"), &json!("time")));
    assert_eq!((&games[0]["rule"], &games[0]["left_out"]), (&json!("renju"), &json!(0)));
}

#[test]
fn a_game_ends_before_moves_that_were_taken_back() {
    let nodes = json!([{}, { "parent": 0, "move": "7,7" }, { "parent": 1, "move": "8,8" }]);
    let mut fields = tree(15, "freestyle", &nodes);
    fields["result"] = "B+T".into();
    fields["end"] = 1.into();
    let text = write(fields).unwrap();
    assert!(text.contains(";B[hh]\n(;)\n(;W[ii])"), "{text}");
    let mut fields = tree(15, "freestyle", &nodes);
    fields["end"] = 3.into();
    assert_eq!(write(fields).unwrap_err(), Failure::Node(3));
    let game = read(&text).remove(0);
    assert_eq!((&game["tree"]["nodes"], &game["moves"]), (&nodes, &json!("7,7")));
    assert_eq!((&game["winner"], &game["end"]), (&json!("black"), &json!("time")));
    // A five that was taken back before the players agreed on a draw.
    let stones = "B[aa];W[ao];B[ba];W[bo];B[ca];W[co];B[da];W[do]";
    for (rest, winner, count) in [("(;)(;B[ea])", "draw", 8), (";B[ea]", "black", 9)] {
        let game = read(&format!("(;SZ[15]RU[freestyle]RE[Draw];{stones}{rest})")).remove(0);
        assert_eq!(game["winner"], winner);
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), count);
    }
}

#[test]
fn a_tree_that_breaks_the_rules_is_refused() {
    let refused = |nodes: Value| write(tree(15, "freestyle", &nodes)).unwrap_err();
    for (node, nodes) in [
        (0, json!([{ "parent": 0 }])),
        (0, json!([{ "move": "7,7" }])),
        (1, json!([{}, { "parent": 1, "move": "7,7" }])),
        (1, json!([{}, { "parent": 0 }])),
        (1, json!([{}, {}])),
        (1, json!([{}, { "parent": 0, "move": "15,0" }])),
        (2, json!([{}, { "parent": 0, "move": "7,7" }, { "parent": 1, "move": "7,7" }])),
        (0, json!([{ "marks": [["15,0", "A"]] }])),
    ] {
        assert_eq!(refused(nodes.clone()), Failure::Node(node), "{nodes}");
    }
}

#[test]
fn what_the_page_cannot_show_is_left_out_and_counted() {
    let nodes = |text: &str| {
        let game = read(text).remove(0);
        (game["tree"]["nodes"].clone(), game["left_out"].as_u64().unwrap())
    };
    let one = json!({ "parent": 0, "move": "7,7" });
    for (rest, count) in [("W[]", 1), ("W[];B[aa];W[bb]", 3), ("B[aa]", 1), ("AB[aa];W[bb]", 2)] {
        assert_eq!(nodes(&format!("(;SZ[15];B[hh];{rest})")), (json!([{}, one]), count), "{rest}");
    }
    assert_eq!(nodes("(;SZ[15];W[hh](;B[aa]))"), (json!([{}]), 2));
    // A text alone belongs to the position, and two variations with the same move are one.
    let same = json!({ "parent": 0, "move": "7,7", "comment": "a\nb\nc" });
    let after = [json!({ "parent": 1, "move": "0,0" }), json!({ "parent": 1, "move": "1,1" })];
    let expected = json!([{}, same, after[0], after[1]]);
    assert_eq!(nodes("(;SZ[15](;B[hh]C[a];C[b];W[aa])(;B[hh]C[c];W[bb]))"), (expected, 0));
    assert!(of_sgf("(;SZ[15]AB[aa];W[bb])", Rule::Renju, false).is_err());
}

#[test]
fn rule_and_result_are_those_of_the_file() {
    let rule = |text: &str| {
        let game = read(&format!("(;SZ[15]{text};B[hh])")).remove(0);
        (game["rule"].as_str().unwrap().to_owned(), game["continuous"].as_bool().unwrap())
    };
    assert_eq!(rule("RU[Freestyle continuous]"), ("freestyle".to_owned(), true));
    assert_eq!(rule("RU[caro_overline]"), ("caro_overline".to_owned(), false));
    assert_eq!(rule("RU[some other]"), ("renju".to_owned(), false));
    for (text, expected) in [
        ("B+T", Some(("black", "time"))),
        ("w+time", Some(("white", "time"))),
        ("W+R", Some(("white", "resigned"))),
        ("B+", Some(("black", "claimed"))),
        ("Draw", Some(("draw", "agreed"))),
        ("?", None),
        ("", None),
    ] {
        assert_eq!(result_of(text), expected.map(|(winner, end)| (winner.to_owned(), end.to_owned())), "{text}");
    }
    let won = read("(;SZ[15]RE[W+R];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae];W[oo])").remove(0);
    assert_eq!((&won["winner"], &won["end"], &won["left_out"]), (&json!("black"), &json!("row"), &json!(1)));
}

/// Whether every stone on the way to a node can be played: each path is played on a board of its own.
fn is_shown(tree: &GameTree, rule: Rule, id: NodeId) -> bool {
    let mut path: Vec<_> = std::iter::successors(Some(id), |&id| tree.parent(id)).collect();
    path.reverse();
    let mut board = Board::new(tree.size(), rule);
    let mut is_over = false;
    path[1..].iter().all(|&id| {
        let Step::Play(color, point) = tree.node(id).step else { return false };
        let is_legal = !is_over && color == board.turn() && board.is_empty(point);
        if is_legal {
            is_over = board.outcome_of(point, color).is_some();
            board.play(point);
            is_over |= DrawRule::gomocup(rule, tree.size()).is_draw(board.stone_count());
        }
        is_legal
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_nodes_of_a_page_are_those_whose_paths_can_be_played(
        side in 5..8u8,
        rule in prop::sample::select(&Rule::ALL[..]),
        nodes in prop::collection::vec((0..6usize, 0..2000usize, 0..40u8), 0..120),
    ) {
        let size = Size::new(side).unwrap();
        let all: Vec<_> = size.points().collect();
        let mut tree = GameTree::new(size);
        let mut ids = vec![NodeId::ROOT];
        for (back, place, kind) in nodes {
            // Most nodes continue a line, so that games come to their end.
            let parent = ids[ids.len() - 1 - back.saturating_sub(3).min(ids.len() - 1)];
            let depth = std::iter::successors(Some(parent), |&id| tree.parent(id)).count() - 1;
            let color = if kind == 0 { Color::after(depth + 1) } else { Color::after(depth) };
            let step = Step::Play(color, all[place % all.len()]);
            // Two children with the same move would become one.
            if tree.children(parent).all(|child| tree.node(child).step != step) {
                ids.push(tree.add(parent, step));
            }
        }
        let page = PageTree::of(&tree, rule, false).unwrap();
        let expected: Vec<_> = tree.depth_first().filter(|&id| is_shown(&tree, rule, id)).collect();
        prop_assert_eq!(page.left_out, tree.len() - expected.len());
        prop_assert_eq!(page.nodes.len(), expected.len());
        for (node, &id) in page.nodes.iter().zip(&expected) {
            let place = tree.parent(id).map(|parent| expected.iter().position(|&other| other == parent).unwrap());
            prop_assert_eq!(node.parent, place);
        }
    }

    #[test]
    fn any_tree_comes_back_as_it_was_written(
        nodes in prop::collection::vec(
            (0..4usize, 0..400usize, "[a-c黑白棋\\n\\]\\\\: ]{0,8}", "[A-Z黑:\\]]{0,3}", 0..=12_000u16), 1..60),
    ) {
        let all: Vec<_> = Size::TWENTY.points().map(|point| Comma(point).to_string()).collect();
        let mut list: Vec<Value> = vec![json!({})];
        let mut path = vec![0];
        for (back, place, comment, label, score) in nodes {
            path.truncate(path.len().saturating_sub(back.saturating_sub(1)).max(1));
            let on_path = |list: &[Value], name: &str| path.iter().any(|&at: &usize| list[at]["move"] == name);
            let parent = path[path.len() - 1];
            let is_twin = |node: &Value| node["parent"] == parent && node["move"] == all[place].as_str();
            if on_path(&list, &all[place]) || list.iter().any(is_twin) {
                continue;
            }
            let mut node = json!({ "parent": parent, "move": all[place] });
            if !comment.is_empty() {
                node["comment"] = comment.into();
            }
            if !label.is_empty() {
                node["marks"] = json!([[all[place], label], [all[399], "x"]]);
                if place == 399 {
                    node["marks"] = json!([[all[399], label]]);
                }
            }
            match score {
                0..=10_000 => {
                    let share = f64::from(score) / 10_000.0;
                    node["verdict"] = json!({ "result": null, "chance": share });
                }
                10_001..11_000 => {
                    let result = json!({ "winner": "white", "moves": score - 10_000 });
                    node["verdict"] = json!({ "result": result, "chance": null });
                }
                _ => {}
            }
            path.push(list.len());
            list.push(node);
        }
        // Without five in a row: a continuous game never ends.
        let mut fields = tree(20, "freestyle", &list.into());
        fields["continuous"] = true.into();
        let nodes = fields["nodes"].clone();
        let text = write(fields).unwrap();
        let game = read(&text).remove(0);
        prop_assert_eq!(&game["tree"]["nodes"], &nodes, "{}", text);
        prop_assert_eq!(&game["continuous"], &json!(true));
    }
}
