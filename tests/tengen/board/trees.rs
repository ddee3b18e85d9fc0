//! Trees in SGF, pasted texts and links, as the page sends them.

use serde_json::{Value, json};

use super::Server;

fn text(text: &str) -> Value {
    json!({ "text": text, "size": 15, "rule": "renju" })
}

#[test]
fn a_tree_is_written_as_sgf_and_read_back() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let nodes = json!([
        { "comment": "开局", "marks": [["8,8", "A"]] },
        { "parent": 0, "move": "7,7", "verdict": { "result": null, "chance": 0.5123 } },
        { "parent": 1, "move": "8,6" },
        { "parent": 0, "move": "6,6", "comment": "one\ntwo" },
    ]);
    let tree = json!({
        "size": 15, "rule": "standard", "nodes": nodes, "players": ["Ann", "Bob"],
        "result": "W+R", "date": "2026-11-25",
    });
    let written = page.ask("sgf", tree.clone());
    assert_eq!(written["kind"], "file");
    let file = written["text"].as_str().unwrap();
    let games = page.ask("read", text(file))["games"].take();
    let game = &games[0];
    assert_eq!(game["tree"]["nodes"], nodes);
    assert_eq!((&game["rule"], &game["moves"]), (&json!("standard"), &json!("7,7 8,6")));
    assert_eq!((&game["winner"], &game["end"]), (&json!("white"), &json!("resigned")));
    let several = page.ask("read", text(&format!("{file}\n{file}")))["games"].take();
    assert_eq!(several.as_array().map(Vec::len), Some(2));
    let mut damaged = tree;
    damaged["nodes"][3]["parent"] = 3.into();
    let error = page.ask("sgf", damaged)["error"].take();
    assert!(error.as_str().unwrap().starts_with("node 3 of the tree: "), "{error}");
}

#[test]
fn a_tree_of_ten_thousand_positions_is_written_and_read() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut nodes = vec![json!({})];
    for first in 0..225 {
        let parent = nodes.len();
        nodes.push(json!({ "parent": 0, "move": format!("{},{}", first % 15, first / 15) }));
        for second in (0..225).filter(|&second| second != first).take(43) {
            nodes.push(json!({ "parent": parent, "move": format!("{},{}", second % 15, second / 15) }));
        }
    }
    let tree = |nodes: &[Value]| json!({ "size": 15, "rule": "renju", "nodes": nodes, "players": ["", ""] });
    let file = page.ask("sgf", tree(&nodes))["text"].take();
    let read = page.ask("read", text(file.as_str().unwrap()));
    assert_eq!(read["games"][0]["tree"]["nodes"], json!(nodes));
    nodes.resize(10_001, json!({ "parent": 0, "move": "7,7" }));
    assert_eq!(page.ask("sgf", tree(&nodes))["kind"], "error");
}

#[test]
fn a_refused_text_has_the_place_of_its_first_bad_word() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for (refused, word) in [
        ("h8 i9 foo", "foo"),
        ("\u{feff}h8 i99", "i99"),
        ("😀 h8", "😀"),
        ("h8；黑棋", "黑棋"),
        ("h8 i9 h8 j10", "h8"),
        ("0,0 1,0 0,1 1,1 0,2 1,2 0,3 1,3 0,4 1,4", "1,4"),
        ("http://x/#/renju/99/h8", "99"),
        ("(;SZ[15]C[黑];B[zz])", "zz"),
    ] {
        let answer = page.ask("read", text(refused));
        assert_eq!(answer["kind"], "error", "{refused}");
        let [start, end] = [0, 1].map(|side| answer["at"][side].as_u64().unwrap() as usize);
        let units: Vec<_> = refused.encode_utf16().collect();
        assert_eq!(String::from_utf16(&units[start..end]).unwrap(), word, "{refused}: {answer}");
        let again = refused.rfind(word).unwrap();
        assert_eq!(start, refused[..again].encode_utf16().count(), "{refused}: the word that was played last");
    }
    assert_eq!(page.ask("read", text(" "))["at"], Value::Null);
}

#[test]
fn a_link_states_rule_and_size() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut game = |link: &str| page.ask("read", text(link))["games"][0].take();
    let ours = game("http://127.0.0.1:7315/?password=correct-horse#/standard/13/g7h8");
    assert_eq!((&ours["size"], &ours["rule"], &ours["moves"]), (&json!(13), &json!("standard"), &json!("6,6 7,5")));
    let continuous = game("http://127.0.0.1:7315/#/freestyle-continuous/15/h8");
    assert_eq!(continuous["continuous"], true);
    let theirs = game("https://gomocalc.com/#/h8i9");
    assert_eq!((&theirs["rule"], &theirs["moves"]), (&json!("renju"), &json!("7,7 8,6")));
}
