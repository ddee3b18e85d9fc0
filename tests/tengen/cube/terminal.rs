//! The game on a terminal, and the subcommands.

use std::process::{Command, Output};
use std::time::Duration;

use tengen::cube::terminal::TerminalGame;
use tengen::cube::{Gravity, Paint, PickerName};

fn game(gravity: Gravity) -> TerminalGame {
    TerminalGame::new(gravity, PickerName::Greedy.build(), Duration::from_millis(50), Paint::Plain)
}

fn stones(text: &str) -> (usize, usize) {
    // The text of the answer contains both letters, so the board is read from its first level.
    let picture = text.split_once("  level 0").map_or("", |(_, picture)| picture);
    (picture.matches('X').count(), picture.matches('O').count())
}

#[test]
fn a_person_plays_takes_back_changes_sides_and_leaves() {
    for (gravity, first, second) in [(Gravity::On, "1,1", "1,2"), (Gravity::Off, "1,1,1", "1,2,1")] {
        let mut game = game(gravity);
        assert!(
            game.opening().contains(&format!("such as {}", if gravity == Gravity::On { "1,2 " } else { "1,2,3 " }))
        );
        assert_eq!(game.prompt(), "your move (X)> ");
        assert_eq!(stones(&game.handle(first)), (1, 1));
        assert_eq!(stones(&game.handle(second)), (2, 2));
        assert_eq!(stones(&game.handle("undo")), (1, 1));
        assert!(game.handle("hint").contains(": "));
        // The engine is black now, and moves.
        assert_eq!(stones(&game.handle("swap")), (2, 1));
        assert_eq!(game.prompt(), "your move (O)> ");
        assert_eq!(stones(&game.handle("new")), (1, 0), "the person still has white");
        assert!(game.handle("undo").starts_with("You have no move"));
        assert!(!game.is_over());
        game.handle("quit");
        assert!(game.is_over());
    }
}

#[test]
fn bad_input_is_answered_and_changes_nothing() {
    let mut game = game(Gravity::On);
    for text in ["x", "1", "1,2,3", "4,4", "-1,0", "1;2"] {
        let answer = game.handle(text);
        assert!(answer.starts_with("expected ") || answer.starts_with("the cell "), "{text}: {answer}");
    }
    assert_eq!(game.handle("  "), "");
    let mut answer = String::new();
    for _ in 0..4 {
        answer = game.handle("0,0");
    }
    assert!(answer.contains("No stone fits"), "{answer}");
}

#[test]
fn a_finished_game_says_so_until_a_new_one_begins() {
    let mut game = game(Gravity::Off);
    // The greedy picker stops a single three, but not two.
    let mut text = String::new();
    for cell in ["0,0,0", "3,3,3", "0,0,3", "3,0,0", "3,0,3", "0,3,0", "0,3,3", "3,3,0", "1,0,0", "2,0,0", "1,1,1"] {
        text += &game.handle(cell);
        if text.contains("Four in a line") {
            assert!(game.prompt().starts_with("new"));
            assert!(game.handle("1,1,2").contains("Four in a line") && game.handle("hint").contains("Four in a line"));
            assert_eq!(stones(&game.handle("new")), (0, 0));
            return;
        }
    }
    // Nobody has won, so the game goes on.
    assert_eq!(game.prompt(), "your move (X)> ");
}

fn run(arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_tengen-cube")).args(arguments).env_remove("RUST_LOG").output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn an_analysis_lists_every_column_with_its_score() {
    let output = run("analyse --picker greedy 0,0 3,3");
    assert!(output.status.success() && output.stderr.is_empty());
    let text = text(&output);
    assert!(text.starts_with("gravity on, picker greedy; black (X) to move\n"), "{text}");
    assert_eq!(text.lines().skip_while(|line| !line.starts_with("move ")).count(), 17);
    let json = run("analyse --gravity off --picker greedy --json 0,0,0 3,3,3");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["moves"].as_array().unwrap().len(), 62);
    assert_eq!((json["turn"].as_str(), json["black"][0].as_str()), (Some("black"), Some("0,0,0")));
    assert_eq!(json["moves"][0]["move"], json["choice"]);
}

#[test]
fn a_position_is_proved_and_checked_by_the_command() {
    // Two lines of two stones that meet in a corner.
    let moves = "1,0,0 3,3,3 2,0,0 2,3,1 0,1,0 1,2,3 0,2,0 3,1,2";
    let output = run(&format!("solve --gravity off --memory 1 {moves}"));
    let text = text(&output);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("proved: black wins with ") && text.contains("checked: "), "{text}");
    let open = run("solve --gravity on --seconds 1 --memory 1");
    assert!(String::from_utf8_lossy(&open.stdout).contains("open: "), "{open:?}");
}

#[test]
fn bad_arguments_print_one_error() {
    for arguments in [
        "analyse 9,9",
        "analyse 0,0,0",
        "analyse --gravity off 0,0",
        "analyse 0,0 0,0 0,0 0,0 0,0",
        "analyse 0,0 1,0 0,0 1,0 0,0 1,0 0,0 1,0",
        "solve --gravity sideways",
        "solve --memory 0",
        "analyse --time 0",
        "analyse --picker oracle",
        "solve --picker greedy",
        "--time 100 solve",
        "--time 100",
        "play",
    ] {
        let output = run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments}: {output:?}");
        assert!(errors.starts_with("tengen-cube: ") || errors.starts_with("error: "), "{arguments}: {errors}");
    }
}
