//! The built-in puzzles as the page gets them.

use serde_json::json;
use tengen::board::{Board, Rule, Size};
use tengen::notation::Moves;

use super::Server;

#[test]
fn puzzles_are_open_games_with_a_solution_that_can_be_played() {
    let server = Server::start(&[]);
    let mut page = server.open();
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let answer = page.ask("puzzles", json!({ "rule": rule.to_string() }));
        assert_eq!((&answer["kind"], &answer["size"]), (&json!("puzzles"), &json!(15)));
        let puzzles = answer["puzzles"].as_array().unwrap();
        assert!(!puzzles.is_empty());
        for puzzle in puzzles {
            let mut board = Board::new(Size::FIFTEEN, rule);
            for part in ["moves", "solution"] {
                let Moves(moves) = puzzle[part].as_str().unwrap().parse().unwrap();
                for point in moves {
                    assert_eq!(board.outcome_of(point, board.turn()), None, "{puzzle}");
                    board.try_play(point).unwrap();
                }
            }
        }
    }
    assert_eq!(page.ask("puzzles", json!({ "rule": "caro" }))["puzzles"], json!([]));
    assert_eq!(page.ask("puzzles", json!({ "rule": "chess" }))["kind"], "error");
}
