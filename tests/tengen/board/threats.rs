//! The threat of the side not to move, and the points that prevent it.

use serde_json::{Value, json};

use super::{Page, Server, game};

/// The report and the answer of a request.
fn threats(page: &mut Page, game: &Value) -> [Value; 2] {
    let id = page.begin("threats", json!({ "game": game }));
    [page.line().unwrap(), page.line().unwrap()].map(|line| {
        assert_eq!(line["id"], id, "{line}");
        line
    })
}

#[test]
fn a_threat_is_reported_before_the_points_that_hold() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let [info, found] = threats(&mut page, &game("freestyle", "7,7 0,0 8,7 7,14 9,7"));
    assert_eq!((&info["kind"], &found["kind"]), (&json!("info"), &json!("threats")));
    for line in [&info, &found] {
        assert_eq!((&line["side"], &line["result"], &line["how"]), (&json!("black"), &json!("win"), &json!("vcf")));
        assert!(["6,7", "10,7"].contains(&line["moves"][0].as_str().unwrap()), "{line}");
    }
    assert_eq!((&found["holds"], &found["open"]), (&json!(["6,7", "10,7"]), &json!([])));
    assert!(found["time"].is_u64(), "{found}");
    let [info, found] = threats(&mut page, &game("freestyle", "7,7 6,7 8,7 0,0 9,7 0,14 10,7"));
    assert_eq!((&info["how"], &info["moves"]), (&json!("five"), &json!(["11,7"])));
    assert_eq!(found["holds"], json!(["11,7"]));
    let [info, found] = threats(&mut page, &game("renju", "7,7 8,8"));
    assert_eq!((&info["result"], &info["how"], &info["moves"]), (&json!("none"), &Value::Null, &json!([])));
    assert_eq!((&found["holds"], &found["open"], &found["side"]), (&json!([]), &json!([]), &json!("white")));
}

#[test]
fn a_game_that_is_over_has_no_threats() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let row = "0,0 1,0 0,1 1,1 0,2 1,2 0,3 1,3 0,4";
    assert_eq!(page.ask("threats", json!({ "game": game("standard", row) }))["error"], "the game is over");
}

#[test]
fn the_threats_of_a_continuous_game_read_walls_as_edges() {
    let server = Server::start(&[]);
    let mut page = server.open();
    // Row 0: five walls, then three black stones.
    let row = "0,0 0,8 1,0 2,11 2,0 4,14 3,0 14,8 4,0 14,12 6,0 12,14 7,0 9,10 8,0";
    let mut game = game("freestyle", row);
    game["continuous"] = true.into();
    let [info, found] = threats(&mut page, &game);
    assert_eq!((&info["side"], &info["how"]), (&json!("black"), &json!("vcf")));
    // Between the wall at 4,0 and the point 10,0, only 9,0 makes an open four.
    assert_eq!(found["holds"], json!(["5,0", "9,0", "10,0"]), "{found}");
}

/// A threat in a middle game with many threes, where hundreds of points need a search.
const LONG: &str = "7,7 7,8 9,7 9,8 5,5 6,10 10,5 10,10 4,9 3,5 11,3 12,6 6,3";

#[test]
fn a_stop_ends_the_search_for_threats_with_what_is_known() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let id = page.begin("threats", json!({ "game": game("freestyle", LONG) }));
    assert_eq!(page.line().unwrap()["kind"], "info", "the search of the points begins after the report");
    page.begin("stop", json!({}));
    let found = page.end(id);
    assert_eq!(found["kind"], "threats");
    assert!(!found["open"].as_array().unwrap().is_empty(), "{found}");
    assert!(found["time"].as_u64().unwrap() < 5_000, "{found}");
    let first = page.begin("threats", json!({ "game": game("freestyle", LONG) }));
    let second = page.begin("threats", json!({ "game": game("renju", "7,7 8,8") }));
    assert!(["given-up", "threats"].contains(&page.end(first)["kind"].as_str().unwrap()));
    assert_eq!(page.end(second)["kind"], "threats");
}
