//! The output of `replay`.

use std::time::Duration;

use tengen::board::{Color, Rule, Size};
use tengen::explain::replay::{Judge, Replay, Walk};
use tengen::notation::{GameMoves, Letters};
use tengen::picker::{Limits, PickerName};
use tengen::weights::Weighting;

use crate::explain::run;

/// Longer than any search in these tests takes.
const SECOND: Duration = Duration::from_secs(1);

#[test]
fn bad_input_to_replay_is_reported_in_one_line() {
    for (arguments, expected) in [
        (&["nofile.psq"] as &[&str], "\"nofile.psq\" is neither a file nor a list of moves such as h8i9j10"),
        (&["7;7"], "\"7;7\" is neither a file nor a list of moves such as h8i9j10"),
        (&["h8p1"], "\"p1\": the point lies outside the board"),
        (&["h8", "nofile.psq"], "\"nofile.psq\": expected a point such as h8"),
        (&["h8h8"], "move 2, h8: the point is occupied"),
        (&["-", "--size", "20"], "the board of the game is 15x15"),
        (&["-", "--id", "0-1.5a"], "stdin: --id is for a record of tengen-arena"),
        (&["h8", "--id", "0-1.5a"], "--id is for a record of tengen-arena"),
    ] {
        let (text, error) = run(&[&["replay"], arguments].concat(), "Piskvorky 15x15, 0:0, 0\n8,8,0\n");
        assert_eq!((text.as_str(), error), ("", format!("pbrain-tengen: {expected}\n")));
    }
}

/// The game that is replayed, judged by a shallow search.
fn replayed(moves: &str, picker: PickerName) -> (Replay, Judge) {
    replayed_on(Size::FIFTEEN, Rule::Freestyle, moves, picker)
}

fn replayed_on(size: Size, rule: Rule, moves: &str, picker: PickerName) -> (Replay, Judge) {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let judge = Judge { picker, weighting: Weighting::default(), limits, time: SECOND };
    let record = GameMoves::from_letters(moves, Letters::new(size)).unwrap();
    (Replay::of(record, rule, &judge).unwrap(), judge)
}

/// White leaves a four unblocked at its last move.
const LOST: &str = "h8 i7 i8 j8 g8 a15 f8 a1 e8";

#[test]
fn a_replay_names_the_opening_the_end_and_the_move_that_lost() {
    let (replay, _) = replayed(LOST, PickerName::Search);
    let text = replay.to_string();
    assert!(text.starts_with("opening 6I Ungetsu (Cloud Moon), 云月\n"), "{text}");
    assert!(text.contains("black has a winning row"), "{text}");
    let turn = replay.turning_point().unwrap();
    assert!(turn.winner == Color::Black && turn.number <= 8, "{text}");
    assert_eq!(text.matches("turned for good").count(), usize::from(turn.number > 0));
    // A naive twin of the turning point: every later score favors black, the one before does not.
    let ahead = |moves| replay.score(moves).is_some_and(|score| score.value() > 30);
    assert!((turn.number..=replay.len()).all(ahead) && (turn.number == 0 || !ahead(turn.number - 1)));
    let (greedy, _) = replayed(LOST, PickerName::Greedy);
    assert_eq!(greedy.score(3), None);
    assert_eq!(replayed("h8 i9 h9 a1", PickerName::Search).0.turning_point(), None, "the game goes on");
}

#[test]
fn a_record_that_ends_with_the_draw_of_a_judge_is_a_draw() {
    // On 6 × 6 a renju game is a draw at 11 stones.
    let moves = "a1 b1 c1 d1 e1 f1 a3 b3 c3 d3 e3";
    let ends = |rule, moves| replayed_on(Size::new(6).unwrap(), rule, moves, PickerName::Greedy).0.to_string();
    assert!(ends(Rule::Renju, moves).contains("draw"), "{}", ends(Rule::Renju, moves));
    for unfinished in [ends(Rule::Renju, &moves[..moves.len() - 3]), ends(Rule::Freestyle, moves)] {
        assert!(unfinished.contains("the record ends before the game is over"), "{unfinished}");
    }
}

#[test]
fn a_walk_moves_forwards_and_backwards_and_undoes_tried_moves() {
    let (replay, judge) = replayed(LOST, PickerName::Greedy);
    let mut walk = Walk::new(&replay, &judge, 0);
    let mut line = |text: &str| walk.line(text).unwrap_or("end".to_owned());
    assert!(line("").contains("move 1 of 9: black h8"));
    assert!(line("n").contains("move 2 of 9: white i7"));
    assert!(line("b").contains("move 1 of 9"));
    assert!(line("5").contains("move 5 of 9: black g8"));
    let tried = line("f8");
    assert!(tried.contains("move 6 of 6: white f8") && tried.contains("tried: 1"), "{tried}");
    assert!(line("f8").contains("f8: the point is occupied"));
    assert!(line("z99").contains("q: quit"));
    assert!(line("t").contains("move 5 of 9: black g8"));
    assert!(line("b").contains("move 4 of 9"));
    assert!(line("99").contains("move 9 of 9: black e8"));
    assert!(line("a14").contains("the game is over here"));
    assert!(line("n").contains("move 9 of 9"));
    assert_eq!(line("q"), "end");
}
