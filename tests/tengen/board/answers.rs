//! The server's answers compared with the library's.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tengen::board::{Board, Rule, Size};
use tengen::notation::{Comma, parse_comma};
use tengen::weights::{WeightedPosition, Weighting};

use super::{Server, game};

const MOVES: &str = "7,7 8,8 8,7 9,7 6,7";

fn board(moves: &str) -> Board {
    let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
    moves.split_whitespace().for_each(|name| board.play(parse_comma(name).unwrap()));
    board
}

#[test]
fn the_weights_of_a_view_are_those_of_every_weighting() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for &weighting in Weighting::ALL {
        let view = page.ask("view", json!({ "game": game("renju", MOVES), "weights": weighting.name() }));
        let position = WeightedPosition::new(board(MOVES), weighting);
        let rows = view["weights"]["points"].as_array().unwrap();
        assert_eq!(rows.len(), 220);
        for row in rows {
            let weights = position.weights(parse_comma(row[0].as_str().unwrap()).unwrap()).unwrap();
            assert_eq!(json!([row[1], row[2], row[3]]), json!([weights.attack.0, weights.defence.0, weights.total.0]));
        }
        assert_eq!(view["weights"]["best"], Comma(position.greatest().unwrap()).to_string());
    }
}

#[test]
fn forbidden_points_and_the_end_of_a_game_are_reported() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let three = "6,7 0,0 8,7 0,2 7,6 0,4 7,8 0,6";
    let view = page.ask("view", json!({ "game": game("renju", three) }));
    assert_eq!(view["forbidden"], json!([["7,7", "33"]]));
    let foul = page.ask("view", json!({ "game": game("renju", &format!("{three} 7,7")) }));
    assert_eq!((&foul["outcome"]["winner"], &foul["outcome"]["end"]), (&json!("white"), &json!("foul")));
    let row = "0,0 1,0 0,1 1,1 0,2 1,2 0,3 1,3 0,4";
    let won = page.ask("view", json!({ "game": game("standard", row) }));
    assert_eq!(won["row"], json!(["0,0", "0,1", "0,2", "0,3", "0,4"]));
    assert_eq!(page.ask("view", json!({ "game": game("standard", &format!("{row} 2,4")) }))["kind"], "error");
    let think =
        json!({ "game": game("standard", row), "who": { "picker": ["greedy", "shapes"] }, "effort": { "time": 1 } });
    assert_eq!(page.ask("think", think)["kind"], "error");
}

#[test]
fn a_point_has_its_lines_its_weights_and_its_rank() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let point = page.ask("point", json!({ "game": game("renju", MOVES), "point": "5,7" }));
    assert_eq!(point["weights"].as_array().unwrap().len(), Weighting::ALL.len());
    assert_eq!((&point["weights"][0]["name"], &point["weights"][0]["rank"]), (&json!("shapes"), &json!(1)));
    assert_eq!(
        point["lines"][0]["cells"],
        json!(["0,7", "1,7", "2,7", "3,7", "4,7", "5,7", "6,7", "7,7", "8,7", "9,7", "10,7"])
    );
    assert_eq!(point["their"], "four");
}

#[test]
fn a_forbidden_point_has_the_rows_of_its_foul() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let three = "6,7 0,0 8,7 0,2 7,6 0,4 7,8 0,6";
    let mut foul =
        |point: &str| page.ask("point", json!({ "game": game("renju", three), "point": point }))["foul"].take();
    let row = json!({ "kind": "three", "stones": ["6,7", "7,7", "8,7"], "makes": ["5,7", "9,7"] });
    let column = json!({ "kind": "three", "stones": ["7,6", "7,7", "7,8"], "makes": ["7,5", "7,9"] });
    assert_eq!(foul("7,7"), json!([row, column]));
    assert_eq!(foul("9,9"), json!([]));
    let fours = "0,0 9,14 1,0 11,14 3,0 13,14 2,4 14,13 2,3 14,11 2,2 14,9";
    let foul = page.ask("point", json!({ "game": game("renju", fours), "point": "2,0" }))["foul"].take();
    let kinds: Vec<_> = foul.as_array().unwrap().iter().map(|part| (&part["kind"], &part["makes"])).collect();
    assert_eq!(kinds, [(&json!("four"), &json!(["4,0"])), (&json!("four"), &json!(["2,1"]))], "{foul}");
}

#[test]
fn a_greedy_answer_has_the_words_of_explain() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let fields =
        json!({ "game": game("renju", MOVES), "who": { "picker": ["greedy", "shapes"] }, "effort": { "time": 1 } });
    let answer = page.ask("think", fields);
    assert_eq!((&answer["kind"], &answer["point"]), (&json!("move"), &json!("5,7")));
    assert_eq!(answer["why"]["choice"]["reason"], "weights");
    assert!(answer["text"].as_str().unwrap().contains("* white plays f8 (5,7): the greatest total"), "{answer}");
}

#[test]
fn a_running_search_ticks() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for picker in ["search", "mcts"] {
        let who = json!({ "picker": [picker, "shapes"] });
        let fields = json!({ "game": game("freestyle", "7,7 8,8"), "who": who, "effort": { "time": 3_600_000 } });
        let id = page.begin("think", fields);
        let ticks: Vec<Value> = std::iter::from_fn(|| page.line())
            .filter(|line| line["id"] == json!(id) && line["kind"] == "tick")
            .take(3)
            .map(|line| line["nodes"].clone())
            .collect();
        let nodes: Vec<_> = ticks.iter().map(|nodes| nodes.as_u64().unwrap()).collect();
        assert!(nodes[2] > 0 && nodes.is_sorted(), "{picker}: {nodes:?}");
        page.begin("stop", json!({}));
        page.end(id);
    }
}

#[test]
fn a_win_by_fours_counts_the_moves_of_the_winner() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut wins_in = |moves: &str, how: &str| {
        let proof = page.ask("prove", json!({ "game": game("freestyle", moves), "how": how }));
        assert_eq!(proof["result"], "win", "{proof}");
        proof["wins_in"].clone()
    };
    // An open three wins with the open four and the five, four in a row with the five.
    let three = "7,7 0,0 8,7 0,2 9,7 0,4";
    assert_eq!(wins_in(three, "vcf"), json!(2));
    assert_eq!(wins_in(&format!("{three} 10,7 0,6"), "vcf"), json!(1));
    assert_eq!(wins_in(three, "vct"), Value::Null);
}

#[test]
fn a_search_reports_its_lines_and_ends_at_stop() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for picker in ["search", "mcts", "search"] {
        let who = json!({ "picker": [picker, "shapes"] });
        let game = game("freestyle", "7,7 8,8");
        let effort = json!({ "time": 3_600_000, "lines": 2 });
        let id = page.begin("think", json!({ "game": game, "who": who, "effort": effort }));
        let info = page.line().unwrap();
        assert_eq!((&info["id"], &info["kind"]), (&json!(id), &json!("info")));
        assert_eq!(page.ask("view", json!({ "game": game }))["kind"], "view", "the session answers while it searches");
        page.begin("stop", json!({}));
        let answer = page.end(id);
        assert_eq!(
            (&answer["kind"], answer["info"]["lines"].as_array().unwrap().len()),
            (&json!("move"), 2),
            "{picker}"
        );
    }
}

#[test]
fn a_new_search_ends_the_running_one_and_gets_its_own_answer() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let who = json!({ "picker": ["search", "shapes"] });
    let long = json!({ "game": game("freestyle", "7,7"), "who": who, "effort": { "time": 3_600_000 } });
    let id = page.begin("think", long);
    let proof = page.begin("prove", json!({ "game": game("freestyle", "7,7 0,0 8,7 0,1 9,7 0,2"), "how": "vct" }));
    assert_eq!(page.end(id)["kind"], "given-up");
    let found = page.end(proof);
    assert_eq!((&found["kind"], &found["result"], &found["side"]), (&json!("proof"), &json!("win"), &json!("black")));
    let nodes = json!({ "game": game("freestyle", "7,7"), "who": who, "effort": { "nodes": 2000 } });
    assert_eq!(page.ask("think", nodes)["kind"], "move");
}

#[test]
fn why_returns_the_facts_about_a_move() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut why =
        |moves: &str, point: &str| page.ask("why", json!({ "game": game("freestyle", moves), "point": point }));
    let three = "7,7 0,0 8,7 0,2 9,7";
    let stop = why(three, "10,7");
    assert_eq!((&stop["kind"], &stop["point"], &stop["turn"]), (&json!("why"), &json!("10,7"), &json!("white")));
    let fact = &stop["facts"][0];
    assert_eq!((&fact["fact"], &fact["what"], &fact["how"]), (&json!("stops"), &json!("open four"), &json!("vcf")));
    assert_eq!((&fact["row"], &fact["points"]), (&json!(["7,7", "8,7", "9,7"]), &json!(["6,7", "10,7"])));
    assert_eq!((&fact["moves"], fact["line"].as_array().unwrap().len()), (&json!(2), 3));
    let loses = why(three, "0,4");
    assert_eq!((&loses["facts"][0]["fact"], &loses["facts"][0]["line"][0]), (&json!("loses"), &json!("0,4")));
    let wins = why(&format!("{three} 0,4"), "10,7");
    assert_eq!(
        (&wins["facts"][0]["fact"], &wins["facts"][0]["moves"], &wins["facts"][1]["shape"]),
        (&json!("wins"), &json!(2), &json!("open four"))
    );
    let four = format!("{three} 0,4 10,7 6,7");
    assert_eq!(why(&four, "11,7")["facts"][0]["fact"], "five");
    // A point that is taken, one off the board, and a game that is over.
    for (moves, point) in [(three, "8,7"), (three, "15,0"), (&format!("{four} 11,7"), "1,1")] {
        let refused = why(moves, point);
        assert_eq!(refused["kind"], "error", "{refused}");
    }
    let mut continuous = game("freestyle", &four);
    continuous["continuous"] = true.into();
    let mut ask = |point: &str| page.ask("why", json!({ "game": continuous, "point": point }))["facts"].clone();
    assert_eq!(ask("11,7"), json!([]));
    assert_eq!(ask("8,6")[0]["fact"], "makes");
}

#[test]
fn a_proof_may_be_for_the_other_side_and_names_a_five_on_the_board() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let four = game("freestyle", "7,7 0,0 8,7 0,1 9,7 0,2 10,7");
    let found = page.ask("prove", json!({ "game": four, "how": "vcf", "side": "black" }));
    assert_eq!(found["result"], "win");
    assert_eq!(found["moves"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(page.ask("prove", json!({ "game": four, "how": "vcf" }))["result"], "none");
}

#[test]
fn an_opening_is_settled_by_the_answers_of_both_sides() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let opening =
        |answers: &[String]| json!({ "size": 15, "rule": "renju", "procedure": "soosorv-8", "answers": answers });
    let (who, effort) = (json!({ "picker": ["greedy", "shapes"] }), json!({ "time": 10 }));
    let mut answers = Vec::new();
    let agreed = loop {
        let state = page.ask("opening", json!({ "opening": opening(&answers) }));
        assert_eq!(state["kind"], "opening", "{state}");
        if state["asked"].is_null() {
            break state;
        }
        let given = page.ask("negotiate", json!({ "opening": opening(&answers), "who": who, "effort": effort }));
        answers.push(given["answer"].as_str().unwrap_or_else(|| panic!("{given}")).to_owned());
        assert!(answers.len() < 10);
    };
    assert_eq!(agreed["stones"].as_array().unwrap().len(), 5);
    assert!(agreed["black"] == "opener" || agreed["black"] == "other");
    let asked = page.ask("negotiate", json!({ "opening": opening(&answers), "who": who, "effort": effort }));
    assert_eq!(asked["kind"], "error");
    let swapped = json!({ "size": 15, "rule": "renju", "procedure": "swap", "answers": ["7,7 8,8 9,9", "swap"] });
    assert_eq!(page.ask("opening", json!({ "opening": swapped }))["black"], "other");
    for bad in [&["7,7 7,7 7,8"][..], &["swap"], &["7,7 8,8 x"], &["0,0 1,1 2,2"]] {
        let bad: Vec<_> = bad.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(page.ask("opening", json!({ "opening": opening(&bad) }))["kind"], "error", "{bad:?}");
    }
}

#[test]
fn games_are_read_in_every_form_and_written_back() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut read = |text: &str| page.ask("read", json!({ "text": text, "size": 15, "rule": "renju" }));
    let psq = "Piskvorky 20x20, 11:11, 0\n8,8,5\n9,9,103\none\ntwo\n0\n";
    let of_psq = read(psq)["games"][0].clone();
    let kept: BTreeMap<_, Value> = of_psq.as_object().unwrap().clone().into_iter().collect();
    assert_eq!(kept["moves"], "7,7 8,8");
    assert_eq!(
        (&kept["size"], &kept["times"], &kept["players"]),
        (&json!(20), &json!([5, 103]), &json!(["one", "two"]))
    );
    let mut result = |code: &str| {
        let game = read(&psq.replace("two\n0\n", &format!("two\n{code}\n")))["games"][0].clone();
        (game["winner"].clone(), game["end"].clone())
    };
    assert_eq!(result("0"), (Value::Null, Value::Null));
    assert_eq!(result("15"), (json!("white"), json!("time")));
    assert_eq!(result("-1\n1,Freestyle_1"), (json!("black"), json!("claimed")));
    assert_eq!(read("h8i9 j10")["games"][0]["moves"], "7,7 8,6 9,5");
    let line = r#"{"game":"0-1.0a","black":"b","white":"w","winner":"black","end":"time","detail":"late","opening":"7,7","moves":"8,8 9,9","times":[3,4],"said":[{"ply":1,"text":"MESSAGE ev 30"}],"wall":9}"#;
    let games = read(&format!("{line}\n\n{line}\n"))["games"].clone();
    assert_eq!((games.as_array().unwrap().len(), &games[1]["moves"]), (2, &json!("7,7 8,8 9,9")));
    assert_eq!((&games[0]["times"], &games[0]["said"][0]["ply"]), (&json!([0, 3, 4]), &json!(1)));
    let error = read(&format!("{line}\n{{\"x\":1}}\n"))["error"].clone();
    assert!(error.as_str().unwrap().starts_with("line 2: "), "{error}");
    let cut = read(&format!("{line}\n{}", &line[..40]))["games"].clone();
    assert_eq!(cut.as_array().unwrap().len(), 1, "a last line that a kill has cut is left out");
    assert_eq!(read("\u{feff}\n")["error"], "the file is empty");
    let write = json!({
        "game": { "size": 20, "rule": "renju", "moves": "7,7 8,8" }, "times": [5, 103], "players": ["one\n7,7", "two"],
    });
    let written = page.ask("psq", write)["text"].as_str().unwrap().to_owned();
    let expected = psq.replace("one", "one 7,7").replace("\n0\n", "\n-1\n");
    assert_eq!(written, expected, "a name is one line, and the game is not played out");
    // Piskvork would call this a draw.
    let small = json!({ "game": { "size": 5, "rule": "renju", "moves": "" }, "times": [], "players": ["", ""] });
    let text = page.ask("psq", small)["text"].clone();
    let again = page.ask("read", json!({ "text": text, "size": 15, "rule": "renju" }))["games"][0].clone();
    assert_eq!(again["winner"], Value::Null);
}

#[test]
fn the_openings_are_the_26_with_their_fifth_moves() {
    let server = Server::start(&[]);
    let answer = server.open().ask("openings", json!({}));
    let openings = answer["openings"].as_array().unwrap();
    assert_eq!(openings.len(), 26);
    let flower = openings.iter().find(|opening| opening["code"] == "4D").unwrap();
    assert_eq!((&flower["zh"], &flower["moves"]), (&json!("花月"), &json!(["7,7", "7,6", "8,6"])));
    assert_eq!((&flower["fifths"]["even"], &flower["fifths"]["white_better"]), (&json!([6, 8]), &json!([9, null])));
}

#[test]
fn a_page_chooses_threads_and_memory_within_the_limits() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let hello = page.ask("hello", json!({}));
    let [threads, memory] = ["threads", "memory"].map(|key| hello["limits"][key].as_u64().unwrap());
    assert!(hello["usual"]["threads"].as_u64().unwrap() <= threads);
    assert!(hello["usual"]["memory"].as_u64().unwrap() <= memory);
    let mut think = |threads: u64, memory: u64| {
        let effort = json!({ "nodes": 500, "threads": threads, "memory": memory });
        let who = json!({ "picker": ["search", "shapes"] });
        let answer = page.ask("think", json!({ "game": game("freestyle", MOVES), "who": who, "effort": effort }));
        answer["kind"].as_str().unwrap().to_owned()
    };
    assert_eq!(think(threads, 1), "move");
    assert_eq!(think(threads + 1, 1), "error");
    assert_eq!(think(1, memory + 1), "error");
}
