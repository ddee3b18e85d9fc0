//! The output of `explain`.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tengen::board::{Board, Rule, Size};
use tengen::explain::{Explanation, Transcript};
use tengen::notation::{Comma, GameMoves, Letters};
use tengen::picker::{Choice, Limits, PickerName, Question, Reason, Report, SearchControl};
use tengen::player::Answered;
use tengen::protocol::{ReplayTime, Settings};
use tengen::score::Score;
use tengen::weights::{WeightedPosition, Weighting};

/// The board size of the tests.
const LETTERS: Letters = Letters::new(Size::FIFTEEN);

/// Longer than any search in these tests takes.
const SECOND: Duration = Duration::from_secs(1);

/// i8 would make two open threes, so it is forbidden to black.
const FORK: &str = "h8 a15 j8 c15 i7 e15 i6 g15";

const FORK_EXPLAINED: &str = "\
renju, 15x15, weights shapes, picker greedy; black (X) to move

   a b c d e f g h i j k l m n o
15 O . O . O . O . . . . . . . .
14 . . . . . . . . . . . . . . .
13 . . . . . . . . . . . . . . .
12 . . . . . . . . . . . . . . .
11 . . . . . . . . . . . . . . .
10 . . . . . . . . . . . . . . .
 9 . . . . . . . . . . . . . . .
 8 . . . . . . . X ! X . . . . .
 7 . . . . . . . . X . . . . . .
 6 . . . . . . . * X . . . . . .
 5 . . . . . . . . . . . . . . .
 4 . . . . . . . . . . . . . . .
 3 . . . . . . . . . . . . . . .
 2 . . . . . . . . . . . . . . .
 1 . . . . . . . . . . . . . . .

! forbidden to black

* black plays h6 (7,9): the greatest total, 420

  point  x,y           attack      defence        total
* h6     7,9              420            0          420
  j6     9,9              420            0          420
  i9     8,6              390            0          390
  h7     7,8              360            0          360
  j7     9,8              360            0          360
  f15    5,0                0          300          300
  d15    3,0                0          300          300
  g8     6,7              270            0          270
  k8     10,7             270            0          270
  g9     6,6              210            0          210

  line                         if black plays  if white plays
  horizontal     .....*X....   open two        one
  vertical       ...X.*.....   open two        open one
  diagonal       .....*.....   open one        open one
  antidiagonal   .....*XX...   open three      one
";

fn position(moves: &str, rule: Rule, weighting: Weighting) -> WeightedPosition {
    let record = GameMoves::from_letters(moves, LETTERS).unwrap();
    WeightedPosition::new(record.board(rule, None).unwrap(), weighting)
}

#[test]
fn a_position_is_explained_word_for_word() {
    let position = position(FORK, Rule::Renju, Weighting::Shapes);
    let explanation = Explanation::ask(position, PickerName::Greedy, Limits::default(), SECOND).unwrap();
    let text: String = explanation.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect();
    assert_eq!(text, FORK_EXPLAINED, "\n{text}");
}

#[test]
fn colors_add_nothing_but_codes() {
    let position = position(FORK, Rule::Renju, Weighting::Shapes);
    let explanation = Explanation::ask(position, PickerName::Greedy, Limits::default(), SECOND).unwrap();
    let styled = format!("{explanation:#}");
    assert!(styled.contains("\u{1b}["));
    assert_eq!(anstream::adapter::strip_str(&styled).to_string(), explanation.to_string());
}

#[test]
fn the_explained_move_is_the_one_the_picker_plays() {
    for &weighting in Weighting::ALL {
        for rule in Rule::ALL {
            let mut position = position("h8 i7 i8 j8 g8 f8 h7", rule, weighting);
            let choice = PickerName::Greedy.build().pick(&mut position, &Limits::default()).unwrap();
            let explanation = Explanation::ask(position, PickerName::Greedy, Limits::default(), SECOND).unwrap();
            assert_eq!(explanation.choice, choice);
            assert_eq!(explanation.greatest.len(), 10);
            assert_eq!(explanation.greatest[0].point, choice.point);
            assert_eq!(Reason::Weights(explanation.greatest[0].weights), choice.reason);
            let totals: Vec<_> = explanation.greatest.iter().map(|candidate| candidate.weights.total).collect();
            assert!(totals.is_sorted_by(|greater, less| greater >= less), "{totals:?}");
        }
    }
}

#[test]
fn json_holds_the_same_as_the_text() {
    let position = position(FORK, Rule::Renju, Weighting::Decimal);
    let json = Explanation::ask(position, PickerName::Greedy, Limits::default(), SECOND).unwrap().to_json();
    assert_eq!(json["rule"], "renju");
    assert_eq!(json["size"], 15);
    assert_eq!(json["weights"], "decimal");
    assert_eq!(json["turn"], "black");
    assert_eq!(json["black"], serde_json::json!(["7,7", "9,7", "8,8", "8,9"]));
    assert_eq!(json["forbidden"], serde_json::json!(["8,7"]));
    assert_eq!(json["choice"]["reason"], "weights");
    assert_eq!(json["choice"]["total"], json["greatest"][0]["total"]);
    assert_eq!(json["greatest"].as_array().unwrap().len(), 10);
    assert_eq!(json["lines"][0]["direction"], "horizontal");
}

#[test]
fn an_empty_board_is_explained_by_its_centre_and_a_full_one_is_refused() {
    let empty = position("", Rule::Freestyle, Weighting::Runs);
    let explanation = Explanation::ask(empty, PickerName::Greedy, Limits::default(), SECOND).unwrap();
    assert!(explanation.to_string().contains("* black plays h8 (7,7): the centre of a board without stones"));
    assert_eq!(explanation.to_json()["choice"]["reason"], "centre");

    let size = Size::new(Size::MIN).unwrap();
    let mut full = WeightedPosition::new(Board::new(size, Rule::Freestyle), Weighting::Runs);
    size.points().for_each(|point| full.play(point));
    assert!(Explanation::ask(full, PickerName::Greedy, Limits::default(), SECOND).is_none());
}

/// Five plies of search, on any machine.
fn shallow() -> Limits {
    Limits { depth: Some(5), ..Limits::default() }
}

#[test]
fn a_search_is_explained_by_its_score_and_its_line() {
    let position = position("h8 i7 i8 j8", Rule::Freestyle, Weighting::Shapes);
    let explanation = Explanation::ask(position, PickerName::Search, shallow(), SECOND).unwrap();
    let choice = explanation.choice;
    let Reason::Search { score, depth: 5 } = choice.reason else { panic!("{choice:?}") };
    let (text, json) = (explanation.to_string(), explanation.to_json());
    assert!(
        text.contains(&format!(
            "score {score} at depth 5, {} nodes\n\n  pv {}",
            choice.nodes,
            LETTERS.point(choice.point)
        )),
        "{text}"
    );
    assert_eq!(json["choice"]["reason"], "search");
    assert_eq!(json["choice"]["pv"][0], Comma(choice.point).to_string());
    assert_eq!(json["choice"]["score"], score.value());
    assert!(json["choice"]["seldepth"].as_u64() >= Some(1), "{json}");
}

#[test]
fn a_tree_search_is_explained_by_the_visits_of_its_ten_best_moves() {
    let position = position("h8 i7 i8 j8", Rule::Freestyle, Weighting::Shapes);
    let limits = Limits { nodes: Some(400), ..Limits::default() };
    let explanation = Explanation::ask(position, PickerName::Mcts, limits, SECOND).unwrap();
    let (text, json) = (explanation.to_string(), explanation.to_json());
    let moves = json["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[0]["point"]), (10, &json["choice"]["point"]), "{json}");
    let visits: Vec<_> = moves.iter().map(|known| known["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted_by(|one, next| one >= next) && visits.iter().sum::<u64>() <= 400, "{visits:?}");
    for known in moves {
        let [prior, value] = ["prior", "value"].map(|key| known[key].as_f64().unwrap());
        assert!((0.0..=1.0).contains(&prior) && (0.0..=1.0).contains(&value), "{known}");
        let row = format!("{:>13}{prior:>13.4}{value:>13.4}", known["visits"]);
        assert!(text.contains(&row), "{row}\n{text}");
    }
}

#[test]
fn the_weights_beside_the_move_of_a_search_are_said_not_to_have_decided_it() {
    let text = |picker| {
        let position = position("h8 i9", Rule::Freestyle, Weighting::Shapes);
        Explanation::ask(position, picker, shallow(), SECOND).unwrap().to_string()
    };
    let note =
        "\n\n  These weights are the greedy picker's and did not decide the move:\n\n  point  x,y           attack";
    for picker in [PickerName::Search, PickerName::Mcts] {
        assert!(text(picker).contains(note), "{}", text(picker));
    }
    assert!(!text(PickerName::Greedy).contains("did not decide"));
}

#[test]
fn a_proof_is_explained_by_its_line() {
    let position = position("h8 a15 i8 c15 j8 e15 h7 g15", Rule::Freestyle, Weighting::Shapes);
    let explanation = Explanation::ask(position, PickerName::Search, shallow(), SECOND).unwrap();
    let (text, json) = (explanation.to_string(), explanation.to_json());
    assert!(text.contains(": a proof, score +M"), "{text}");
    assert!(text.contains(&format!("\n  pv {}", LETTERS.point(explanation.choice.point))), "{text}");
    assert_eq!((&json["choice"]["reason"], &json["choice"]["depth"]), (&"proof".into(), &0.into()));
    assert_eq!(json["choice"]["pv"][0], Comma(explanation.choice.point).to_string());
}

#[test]
fn a_search_without_time_proves_nothing() {
    let position = position("h8 i7 i8 j8", Rule::Freestyle, Weighting::Shapes);
    let reason = Reason::Search { score: Score::ZERO, depth: 0 };
    let choice = Choice { point: LETTERS.parse("h7").unwrap(), reason, nodes: 3 };
    let explanation =
        Explanation::new(PickerName::Search, Answered { position, answer: choice.into(), info: None }).unwrap();
    assert!(explanation.to_string().contains(": no depth was finished in time"), "{explanation}");
    assert_eq!(explanation.to_json()["choice"]["reason"], "search");
}

#[test]
fn the_picture_shows_the_walls() {
    let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
    for (x, y) in [(7, 7), (6, 6)] {
        board.play(Size::FIFTEEN.point(x, y).unwrap());
    }
    board.wall(Size::FIFTEEN.point(8, 8).unwrap());
    let position = WeightedPosition::new(board, Weighting::Shapes);
    let svg = Explanation::ask(position, PickerName::Greedy, Limits::default(), SECOND).unwrap().to_svg();
    // A square centred on the point, at 42 + 8 · 40 from the border.
    let walls: Vec<_> = svg.lines().filter(|line| line.contains("#5f5b55")).collect();
    assert!(matches!(walls[..], [wall] if wall.starts_with("<rect x=\"344\" y=\"344\" width=\"36\"")), "{walls:?}");
}

/// Stones far apart, so that the first depth of a search has more nodes than the search visits between two clock
/// checks.
fn scattered() -> WeightedPosition {
    let size = Size::new(Size::MAX).unwrap();
    let mut board = Board::new(size, Rule::Freestyle);
    for (x, y) in (0..6).flat_map(|x| (0..6).map(move |y| (3 + 5 * x, 3 + 5 * y))) {
        board.play(size.point(x, y).unwrap());
    }
    WeightedPosition::new(board, Weighting::Shapes)
}

/// The answer of a picker that is stopped before it begins, and its reports.
fn stopped(name: PickerName) -> (Explanation, Vec<Report>) {
    let position = scattered();
    let control = Arc::new(SearchControl::default());
    control.stop();
    let limits = Limits { control, ..Limits::default() };
    let (question, mut reports) = (Question::Move { lines: 1 }, Vec::new());
    let answer = name.build().answer(question, &mut position.clone(), &limits, &mut |report| reports.push(report));
    let answered = Answered { position, answer: answer.unwrap(), info: None };
    (Explanation::new(name, answered).unwrap(), reports)
}

#[test]
fn a_score_is_not_shown_before_a_search_has_found_one() {
    let (explanation, reports) = stopped(PickerName::Mcts);
    assert_eq!((explanation.choice.reason, reports), (Reason::Unfinished, vec![]));
    let json = explanation.to_json();
    assert!(explanation.to_string().contains(": no answer came in time"), "{explanation}");
    assert_eq!((json["choice"]["reason"].as_str(), &json["choice"]["score"]), (Some("unfinished"), &Value::Null));
}

#[test]
fn a_move_of_an_unfinished_first_depth_has_the_score_that_was_found() {
    let (explanation, reports) = stopped(PickerName::Search);
    let Reason::Search { score, depth: 0 } = explanation.choice.reason else { panic!("{:?}", explanation.choice) };
    let Some(Report::Search(info)) = reports.last() else { panic!("{reports:?}") };
    assert_eq!((score == Score::ZERO, info.lines[0].score), (false, score));
    assert!(explanation.to_string().contains(": no depth was finished in time"), "{explanation}");
}

#[test]
fn the_subcommand_asks_the_search() {
    for lines in [
        &["explain", "--picker", "search", "--time", "1000", "h8", "i9"][..],
        &["explain", "--picker", "search", "--file", "-"],
    ] {
        let (text, _) = run(lines, "START 15\nINFO max_depth 3\nBOARD\n7,7,1\n8,8,2\nDONE\n");
        assert!(text.starts_with("freestyle, 15x15, weights shapes, picker search; black (X) to move"), "{text}");
        assert!(text.contains(" at depth ") && text.contains("\n  pv "), "{text}");
    }
}

/// The point explained for these protocol lines, and the last answer of a session that receives the same lines.
fn explained_and_played(lines: &str) -> (String, String) {
    let transcript = Transcript::parse(lines, Size::FIFTEEN, Rule::Freestyle, Settings::default());
    let explanation = transcript.unwrap().explain(ReplayTime::OfLines(SECOND)).unwrap();
    let (output, _) = run(&[], lines);
    (Comma(explanation.choice.point).to_string(), output.lines().last().unwrap().to_owned())
}

#[test]
fn the_last_answer_to_lines_of_the_protocol_is_explained() {
    for lines in [
        "START 20\nBEGIN\nEND\n",
        "START 15\r\nTURN 7,7\r\nTURN 8,8\r\nEND\r\n",
        "start 15\nINFO rule 4\nINFO weights runs\nBEGIN\nTURN 0,0\nTURN 0,1\nTAKEBACK 0,1\nTURN 14,14\n",
        "START 15\nINFO weights decimal\nINFO picker greedy\nBOARD\n7,7,2\n8,8,1\n9,9,3\n7,8,2\nDONE\n",
        "START 9\nBOARD\n4,4,1\n5,5,2\nDONE\nBOARD\nDONE",
    ] {
        let (explained, played) = explained_and_played(lines);
        assert_eq!(explained, played, "{lines}");
    }
}

#[test]
fn a_position_without_a_question_is_asked_for_the_side_to_move() {
    let explain = |lines: &str| {
        let size = Size::new(9).unwrap();
        let transcript = Transcript::parse(
            lines,
            size,
            Rule::Renju,
            Settings { weighting: Weighting::Grades, ..Settings::default() },
        );
        let explanation = transcript.unwrap().explain(ReplayTime::OfLines(SECOND)).unwrap();
        let board = explanation.position().board();
        (board.to_string(), board.turn().to_string(), board.rule())
    };
    let (board, turn, rule) = explain("YXBOARD\n4,4,2\n3,3,1\n5,5,2\nDONE\n");
    assert_eq!((board.matches('X').count(), board.matches('O').count(), turn.as_str()), (2, 1, "white"));
    assert_eq!(rule, Rule::Renju);
    let (board, turn, rule) = explain("INFO rule 1\nTURN 4,4\nTAKEBACK 4,4\n");
    assert_eq!((board.matches('X').count(), board.matches('O').count(), turn.as_str()), (0, 1, "black"));
    assert_eq!(rule, Rule::Standard);
}

#[test]
fn a_move_after_swap2_is_explained() {
    let lines = "SWAP2BOARD\nDONE\nBOARD\n7,7,2\n8,8,1\n9,9,2\nDONE\n";
    let (explained, played) = explained_and_played(&format!("START 15\n{lines}"));
    assert_eq!(explained, played);
}

#[test]
fn an_explanation_changes_no_file() {
    let folder = crate::tune::Folder::new();
    let path = |name: &str| folder.0.join(name).display().to_string();
    let (library, table) = (path("a.library"), path("all.csv"));
    let lines = format!(
        "START 15\nYXSETDATABASE\n{library}\nINFO library_proofs 1\nINFO max_depth 2\nBOARD\n7,7,2\nDONE\n\
         YXEDITTEXTDATABASE \"text\"\n7,7\nDONE\nYXDBTOTXTALL {table}\nYXHASHDUMP {}\n",
        path("tables")
    );
    let (text, _) = run(&["explain", "--picker", "search", "--file", "-"], &lines);
    assert!(text.contains("score"), "{text}");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

/// Explains a question without limits, given 50 ms by the subcommand.
fn explain_without_limit(setting: &str) {
    let lines = format!("START 15\n{setting}BOARD\n7,7,2\n8,8,1\nDONE\n");
    let (text, _) = run(&["explain", "--picker", "search", "--time", "50", "--file", "-"], &lines);
    assert!(text.contains("score"), "{text}");
}

#[test]
fn a_question_without_any_limit_is_explained_in_the_time_of_the_subcommand() {
    // Without the 50 ms this question has no end; without the INFO line the engine takes five seconds.
    explain_without_limit("INFO timeout_turn 2147483647\n");
}

mod clock {
    use super::*;

    #[test]
    #[ignore = "watches the clock"]
    fn the_time_of_the_subcommand_is_shorter_than_that_of_an_engine_without_limits() {
        let is_short = || {
            let began = Instant::now();
            explain_without_limit("");
            began.elapsed() < Duration::from_secs(4)
        };
        assert!((0..3).any(|_| is_short()));
    }
}

/// Runs the binary and returns its stdout and stderr.
pub(crate) fn run(arguments: &[&str], input: &str) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen"));
    command.args(arguments).env_remove("RUST_LOG");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that fails early does not read its input, so the pipe may be closed.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let (out, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.success(), error.is_empty(), "{error}");
    (out, error)
}

#[test]
fn the_subcommand_explains_moves_saved_games_and_lines_alike() {
    let game = "Piskvorky 15x15, 11:0, 1\r\n8,8,0\r\n9,9,1200\r\n10,10,7\r\npbrain-one.zip\r\n-1\r\n";
    let json = |arguments: &[&str], input| -> Value {
        let (text, _) = run(&[&["explain", "--json", "--weights", "runs"], arguments].concat(), input);
        serde_json::from_str(&text).unwrap()
    };
    let third = json(&["h8i7"], "");
    assert_eq!(json(&["h8", "i7", "j6", "--move", "3"], ""), third);
    assert_eq!(json(&["--file", "-", "--move", "3"], game), third);
    assert_eq!(json(&["--file", "-"], "BOARD\n7,7,1\n8,8,2\nDONE\n"), third);
    assert_ne!(json(&["--file", "-"], game), third);
}

#[test]
fn the_subcommand_prints_plain_text_into_a_pipe() {
    let (text, _) = run(&["explain", "--rule", "renju", "--size", "9", "e5", "f6"], "");
    assert!(text.starts_with("renju, 9x9, weights shapes, picker greedy; black (X) to move"), "{text}");
    assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn bad_input_to_explain_is_reported_in_one_line() {
    const FOUL: [&str; 11] = ["--rule", "renju", "5,7", "0,0", "6,7", "14,0", "7,5", "0,14", "7,6", "14,14", "7,7"];
    const ROW: [&str; 10] = ["a1", "a3", "b1", "b3", "c1", "c3", "d1", "d3", "e1", "e3"];
    for (arguments, input, expected) in [
        (&["h8", "h8"] as &[&str], "", "move 2, h8: the point is occupied"),
        (&["h8", "p1"], "", "\"p1\": the point lies outside the board"),
        (&["h8", "--move", "3"], "", "the record has no move 3, its last move is 1"),
        (&ROW, "", "the game is over after move 9: black has a winning row"),
        (&FOUL, "", "the game is over after move 9: black played a forbidden point: 33"),
        (&[&ROW[..], &["--move", "10"]].concat(), "", "the game is over after move 9: black has a winning row"),
        (&["77"], "", "\"77\": expected a point such as h8"),
        (&["7;7"], "", "\"7;7\": expected a point such as h8"),
        (&["7,x"], "", "\"7,x\": expected a point such as 7,7"),
        (&["7,15"], "", "\"7,15\": the point lies outside the board"),
        (
            &["--file", "-"],
            "Piskvorky 15x15, 0:0, 0\n8,x,0\n",
            "stdin: line 2: expected x,y,milliseconds, found \"8,x,0\"",
        ),
        (&["--file", "-", "--size", "20"], "Piskvorky 15x15, 0:0, 0\n", "stdin: the board of the game is 15x15"),
        (&["--file", "-"], "START 15\nHELLO\n", "stdin: line 2: the protocol has no such command: \"HELLO\""),
        (&["--file", "-"], "TURN 7,7\nTURN 7,7\n", "stdin: the engine answers \"ERROR the point is occupied\""),
        (
            &["--file", "-"],
            "BOARD\n7,7,1\n15,0,2\nDONE\n",
            "stdin: line 4: this list has a line that is not a stone on the board",
        ),
        (&["--file", "-"], "BOARD\n7,7,1\n", "stdin: a list is not ended by DONE"),
        (
            &["--file", "-"],
            "BEGIN\nSWAP2BOARD\n7,7\n8,8\n9,9\nDONE\n",
            "stdin: the last question is about an opening, and only moves are explained",
        ),
        (
            &["--file", "-"],
            "SWAP2BOARD\nDONE\n",
            "stdin: the last question is about an opening, and only moves are explained",
        ),
    ] {
        let (text, error) = run(&[&["explain"], arguments].concat(), input);
        assert_eq!((text.as_str(), error), ("", format!("pbrain-tengen: {expected}\n")));
    }
}
