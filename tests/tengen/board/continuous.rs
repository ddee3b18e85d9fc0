//! Continuous games: their walls, their fives, and the commands that engines get for them.

use std::fs;

use serde_json::{Value, json};

use super::{Page, Server, game};

/// Black has completed a five in column a, and white is to move.
const FIVE: &str = "0,0 1,0 0,1 1,1 0,2 1,2 0,3 1,3 0,4";

fn continuous(rule: &str, moves: &str) -> Value {
    let mut game = game(rule, moves);
    game["continuous"] = true.into();
    game
}

fn view(page: &mut Page, rule: &str, moves: &str) -> Value {
    page.ask("view", json!({ "game": continuous(rule, moves), "weights": "shapes", "shapes": true }))
}

#[test]
fn a_game_goes_on_after_a_five_whose_stones_become_walls() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let five = view(&mut page, "freestyle", FIVE);
    let walls = json!(["0,0", "0,1", "0,2", "0,3", "0,4"]);
    assert_eq!(five["scored"], json!([{ "ply": 9, "winner": "black", "walls": walls }]));
    assert_eq!((&five["outcome"], &five["turn"], &five["row"]), (&Value::Null, &json!("white"), &walls));
    assert_eq!(five["weights"]["points"].as_array().unwrap().len(), 225 - 9, "a wall has no weights");
    // A wall counts for neither side: black's next stone in the column makes no overline, white's fifth stone a five.
    let both = view(&mut page, "freestyle", &format!("{FIVE} 7,7 0,5 1,4 2,8"));
    assert_eq!(both["scored"].as_array().unwrap().len(), 2);
    assert_eq!((&both["scored"][1]["winner"], &both["scored"][1]["ply"]), (&json!("white"), &json!(12)));
    assert_eq!(both["row"], json!([]), "the last stone made no five");
    let on_wall = page.ask("view", json!({ "game": continuous("freestyle", &format!("{FIVE} 0,2")) }));
    assert_eq!(on_wall["kind"], "error");
    let ended = page.ask("view", json!({ "game": game("freestyle", &format!("{FIVE} 7,7")) }));
    assert_eq!(ended["kind"], "error", "another game is over after a five");
    assert_eq!(page.ask("view", json!({ "game": game("freestyle", FIVE) }))["scored"], Value::Null);
}

#[test]
fn a_foul_counts_for_white_and_its_stone_is_a_wall() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let three = "6,7 0,0 8,7 0,2 7,6 0,4 7,8 0,6";
    assert_eq!(view(&mut page, "renju", three)["forbidden"], json!([["7,7", "33"]]));
    let foul = view(&mut page, "renju", &format!("{three} 7,7"));
    assert_eq!(foul["scored"], json!([{ "ply": 9, "winner": "white", "walls": ["7,7"] }]));
    assert_eq!((&foul["outcome"], &foul["row"]), (&Value::Null, &json!([])));
    assert_eq!(
        view(&mut page, "renju", &format!("{three} 7,7 1,0"))["forbidden"],
        json!([]),
        "the wall parts the threes"
    );
}

#[test]
fn the_side_with_more_fives_wins_when_the_board_is_full() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut end = |moves: &str| {
        let game = json!({ "size": 5, "rule": "freestyle", "continuous": true, "moves": moves });
        page.ask("view", json!({ "game": game }))["outcome"].clone()
    };
    let columns = |one: u8, two: u8| (0..5).map(|y| format!("{one},{y} {two},{y} ")).collect::<String>();
    let drawn = columns(0, 1) + &columns(2, 3) + "4,0 4,1 4,2 4,3";
    assert_eq!(end(&drawn), Value::Null);
    assert_eq!(
        end(&format!("{drawn} 4,4")),
        json!({ "winner": null, "end": "draw", "text": "fives: black 2, white 2" })
    );
    // White leaves column d, and black plays its last point.
    let won = columns(0, 1) + "2,0 3,0 2,1 3,1 2,2 3,2 2,3 4,0 2,4 3,3 3,4 4,1 4,2 4,3 4,4";
    assert_eq!(end(&won), json!({ "winner": "black", "end": "fives", "text": "fives: black 2, white 1" }));
}

#[test]
fn a_point_and_its_proofs_read_walls_as_edges() {
    let server = Server::start(&[]);
    let mut page = server.open();
    // Row 1: five walls, then four black stones, which can become five at one end only.
    let row = "0,0 0,8 1,0 2,8 2,0 4,8 3,0 6,8 4,0 8,8 5,0 0,10 6,0 2,10 7,0 4,10 8,0 6,10";
    let point = page.ask("point", json!({ "game": continuous("freestyle", row), "point": "9,0" }));
    assert_eq!(point["own"], "five");
    assert_eq!(
        point["lines"][0]["cells"],
        json!(["5,0", "6,0", "7,0", "8,0", "9,0", "10,0", "11,0", "12,0", "13,0", "14,0"])
    );
    let refused = page.ask("point", json!({ "game": continuous("freestyle", row), "point": "2,0" }));
    assert_eq!(refused["kind"], "error");
    for how in ["vcf", "vct"] {
        let mut proof = |moves: &str| page.ask("prove", json!({ "game": continuous("freestyle", moves), "how": how }));
        assert_eq!(proof(row)["moves"], json!(["9,0"]), "{how}");
        // Three in a row on the four points between the walls and a white stone leave no room for a five.
        let closed = "0,0 0,8 1,0 2,8 2,0 4,8 3,0 6,8 4,0 8,8 6,0 9,0 7,0 0,10 8,0 2,10";
        let found = proof(closed);
        assert_eq!((&found["kind"], &found["result"]), (&json!("proof"), &json!("none")), "{how}: {found}");
        let open = closed.replace("9,0", "11,0");
        assert_eq!(proof(&open)["result"], "win", "{how}");
    }
}

#[test]
fn every_player_of_the_library_moves_beside_walls() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for who in [["search", "shapes"], ["mcts", "shapes"], ["greedy", "runs"]] {
        // White completes the column that holds its four stones.
        let fields = json!({
            "game": continuous("freestyle", FIVE), "who": { "picker": who }, "effort": { "time": 60_000, "nodes": 500 },
        });
        let answer = page.ask("think", fields);
        assert_eq!((&answer["kind"], &answer["point"]), (&json!("move"), &json!("1,4")), "{who:?}");
    }
}

/// The value of `--engine` for Tengen over the protocol, with a log of the lines it receives. `filter` reads them
/// first.
#[cfg(unix)]
fn logged(name: &str, log: &std::path::Path, filter: &str) -> [String; 2] {
    let engine = env!("CARGO_BIN_EXE_pbrain-tengen");
    [format!("name={name}"), format!("cmd=sh -c 'tee -a {} | {filter} | {engine}'", log.display())]
}

#[test]
#[cfg(unix)]
fn an_engine_receives_the_rule_and_the_walls() {
    let folder = std::env::temp_dir().join(format!("tengen-continuous-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let log = folder.join("sent");
    let words = logged("tengen", &log, "cat");
    let yixin = ["name=yixin", "cmd=true", "dialect=yixin"];
    let server = Server::start(
        &["--engine", &words[0], &words[1], "tolerance=60000", "--engine"].into_iter().chain(yixin).collect::<Vec<_>>(),
    );
    let mut page = server.open();
    let mut think = |name: &str, rule: &str, moves: &str| {
        let game = continuous(rule, moves);
        page.ask("think", json!({ "game": game, "who": { "engine": name }, "effort": { "time": 50 } }))
    };
    let mut moves = "0,0 1,0 0,1 1,1 0,2 1,2 0,3 1,3".to_owned();
    assert_eq!(think("tengen", "renju", &moves)["point"], "0,4", "a five is worth making");
    moves += " 0,4 1,4";
    let answer = think("tengen", "renju", &moves);
    assert_eq!(answer["kind"], "move", "{answer}");
    // No five since the last move, so the engine continues its game.
    moves = format!("{moves} {} 14,14", answer["point"].as_str().unwrap());
    assert_eq!(think("tengen", "renju", &moves)["kind"], "move");
    let sent = fs::read_to_string(&log).unwrap().replace("\r\n", "\n");
    let _ = fs::remove_dir_all(folder);
    assert!(sent.contains("INFO rule 6\n"), "{sent}");
    assert!(sent.contains("BOARD\n0,0,1\n1,0,2\n"), "{sent}");
    let walls = (0..5).map(|y| format!("0,{y},3\n1,{y},3\n")).collect::<String>();
    assert!(sent.contains(&format!("BOARD\n{walls}DONE\n")), "{sent}");
    assert_eq!((sent.matches("BOARD").count(), sent.matches("TURN 14,14\n").count()), (2, 1), "{sent}");
    // The stones of the five block the engine until it starts from an empty board.
    assert_eq!((sent.matches("START 15\n").count(), sent.matches("RESTART\n").count()), (1, 1), "{sent}");
    assert!(sent.find("RESTART\n").unwrap() < sent.find(&format!("BOARD\n{walls}")).unwrap(), "{sent}");
    let refused = think("yixin", "renju", &moves);
    assert_eq!((&refused["kind"], &refused["engine"]), (&json!("failed"), &json!("yixin")));
    assert!(refused["error"].as_str().unwrap().contains("no words for a continuous game"), "{refused}");
}

#[test]
#[cfg(unix)]
fn an_engine_without_restart_gets_a_new_process_for_other_stones() {
    let folder = std::env::temp_dir().join(format!("tengen-no-restart-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let log = folder.join("sent");
    let words = logged("stubborn", &log, "sed -u s/^RESTART/NONSENSE/");
    let server = Server::start(&["--engine", &words[0], &words[1], "tolerance=60000", "start=60000"]);
    let mut page = server.open();
    for moves in ["7,7 7,8 8,7 8,8", "7,7 7,8 9,7 9,8", ""] {
        let game = json!({ "size": 15, "rule": "freestyle", "moves": moves });
        let answer =
            page.ask("think", json!({ "game": game, "who": { "engine": "stubborn" }, "effort": { "time": 50 } }));
        assert_eq!(answer["kind"], "move", "{moves}: {answer}");
    }
    let sent = fs::read_to_string(&log).unwrap().replace("\r\n", "\n");
    let _ = fs::remove_dir_all(folder);
    let count = |line: &str| sent.lines().filter(|sent| *sent == line).count();
    assert_eq!(["START 15", "RESTART", "BOARD", "BEGIN"].map(count), [3, 2, 2, 1], "{sent}");
}

#[test]
fn a_list_of_moves_is_read_as_a_continuous_game_if_the_request_says_so() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let moves = format!("{FIVE} 7,7");
    let mut read = |text: &str, continuous: bool| {
        page.ask("read", json!({ "text": text, "size": 15, "rule": "freestyle", "continuous": continuous }))
    };
    let games = read(&moves, true);
    assert_eq!((&games["games"][0]["moves"], &games["games"][0]["continuous"]), (&json!(moves), &json!(true)));
    assert_eq!(read(&moves, false)["error"], "move 10: the game is over before it");
    let write = json!({ "game": continuous("freestyle", &moves), "players": ["one", "two"] });
    let psq = page.ask("psq", write)["text"].as_str().unwrap().to_owned();
    let read = json!({ "text": psq, "size": 15, "rule": "freestyle", "continuous": true });
    assert_eq!(page.ask("read", read)["games"][0]["moves"], moves);
}
