//! The search and the proofs of the cube.

use std::sync::Arc;

use tengen::board::Color;
use tengen::cube::solve::{Bounds, CheckError, Solver, Verdict};
use tengen::cube::terminal::replay;
use tengen::cube::{Analysis, Board, Gravity, Paint, PickerName, Position, Reason, Scores};
use tengen::picker::{Limits, SearchControl};
use tengen::rng::Rng;
use tengen::score::Score;

/// A position after this many random moves without a four in a row.
fn random(gravity: Gravity, stones: usize, rng: &mut Rng) -> Board {
    loop {
        let mut board = Board::new(gravity);
        while board.moves().len() < stones && board.outcome().is_none() {
            let cells: Vec<_> = board.position().playable().collect();
            board.play(cells[rng.below(cells.len())]);
        }
        if board.outcome().is_none() {
            return board;
        }
    }
}

fn solver(position: &Position, evaluations: u64) -> Solver {
    let bounds = Bounds { table_bytes: 1 << 20, evaluations, ..Bounds::of(position.gravity()) };
    Solver::new(position, bounds, Arc::default())
}

#[test]
fn a_proved_win_holds_against_every_defence() {
    let mut rng = Rng::new(80);
    let mut proved = [0; 2];
    for gravity in [Gravity::On, Gravity::Off] {
        for _ in 0..60 {
            let board = random(gravity, 14, &mut rng);
            let mut solver = solver(board.position(), 300);
            if solver.prove(&mut |_| {}) == Verdict::Proved {
                let checked = solver.check(&mut |_| {});
                assert!(checked.is_ok(), "{gravity} {:?}: {checked:?}", board.moves());
                assert!(board.position().playable().contains(solver.winning_move().unwrap()));
                proved[usize::from(gravity == Gravity::Off)] += 1;
            }
        }
    }
    assert!(proved.iter().all(|&count| count > 10), "{proved:?}");
}

#[test]
fn an_unproved_position_is_not_checked() {
    let mut solver = solver(&Position::new(Gravity::On), 1);
    assert_eq!(solver.prove(&mut |_| {}), Verdict::Open);
    assert_eq!(solver.check(&mut |_| {}), Err(CheckError::NotProved));
    assert_eq!(solver.winning_move(), None);
}

#[test]
fn a_proof_does_not_depend_on_the_size_of_its_table() {
    /// Number of positions in a table of 4 KiB.
    const ROOM: u64 = 128;
    let mut rng = Rng::new(1992);
    let board = loop {
        let board = random(Gravity::Off, 11, &mut rng);
        let mut solver = solver(board.position(), 1_000);
        if solver.prove(&mut |_| {}) == Verdict::Proved && solver.progress().evaluated > ROOM {
            break board;
        }
    };
    let bounds = Bounds { table_bytes: 4 << 10, evaluations: 500_000, ..Bounds::DEFAULT };
    let control = Arc::new(SearchControl::default());
    let mut solver = Solver::new(board.position(), bounds, Arc::clone(&control));
    assert_eq!(solver.prove(&mut |_| {}), Verdict::Proved);
    assert!(solver.progress().table_lost > 0);
    // Results dropped from the table are proved again, also after the time of the proof.
    control.stop();
    assert!(solver.check(&mut |_| {}).is_ok());
}

/// Plays games of the search against the greedy picker from random two-stone starts, with colors swapped. Returns the
/// number of games won.
fn games_won(gravity: Gravity, games: usize, limits: &dyn Fn() -> Limits) -> (usize, usize, usize) {
    let [mut search, mut greedy] = [PickerName::Search, PickerName::Greedy].map(PickerName::build);
    let mut rng = Rng::new(7);
    let mut results = [0; 3];
    let mut start = random(gravity, 2, &mut rng);
    for game in 0..games {
        if game % 2 == 0 {
            start = random(gravity, 2, &mut rng);
        }
        search.clear();
        let color = Color::ALL[game % 2];
        let mut board = start.clone();
        let result = loop {
            if let Some(outcome) = board.outcome() {
                break outcome;
            }
            let asked = if board.position().turn() == color { &mut search } else { &mut greedy };
            let answer = asked.answer(board.position(), &limits(), Scores::Best, &mut |_| {}).unwrap();
            assert!(board.position().playable().contains(answer.cell));
            board.play(answer.cell);
        };
        results[match result.winner() {
            Some(winner) if winner == color => 0,
            None => 1,
            Some(_) => 2,
        }] += 1;
    }
    (results[0], results[1], results[2])
}

#[test]
fn the_search_wins_against_the_weights() {
    let limits = || Limits { nodes: Some(2_000), ..Limits::default() };
    let (won, drawn, lost) = games_won(Gravity::On, 10, &limits);
    assert!(won >= 8, "{won} won, {drawn} drawn, {lost} lost");
}

/// The match in docs/cube.md. Without gravity the search still loses games with white; in theory the first player wins.
#[test]
#[ignore = "takes half a minute and more"]
fn two_hundred_games_against_the_weights() {
    for (gravity, least) in [(Gravity::On, 190), (Gravity::Off, 170)] {
        let limits = || Limits { nodes: Some(4_000), ..Limits::default() };
        let (won, drawn, lost) = games_won(gravity, 200, &limits);
        println!("gravity {gravity}: {won} won, {drawn} drawn, {lost} lost");
        assert!(won >= least, "gravity {gravity}: {won} won, {drawn} drawn, {lost} lost");
    }
}

#[test]
fn a_search_with_a_node_limit_is_deterministic() {
    let board = random(Gravity::On, 6, &mut Rng::new(5));
    let answer = || {
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        PickerName::Search.build().answer(board.position(), &limits, Scores::Best, &mut |_| {})
    };
    assert!(answer().is_some());
    assert_eq!(answer(), answer());
}

#[test]
fn an_analysis_scores_every_move_and_chooses_the_best() {
    for name in [PickerName::Greedy, PickerName::Search] {
        let board = random(Gravity::On, 4, &mut Rng::new(6));
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let answer = name.build().answer(board.position(), &limits, Scores::All, &mut |_| {}).unwrap();
        assert_eq!(answer.moves.len(), board.position().playable().len(), "{name}");
        assert_eq!(answer.moves[0].0, answer.cell);
        assert!(answer.moves.iter().all(|(_, score)| score.is_some()), "{name}: {:?}", answer.moves);
        assert!(answer.moves.is_sorted_by(|one, next| one.1 >= next.1), "{name}: {:?}", answer.moves);
    }
}

#[test]
fn an_analysis_finds_the_own_four_before_the_block() {
    let moves = ["0,0", "1,0", "0,0", "1,0", "0,0", "1,0"].map(str::to_owned);
    let board = replay(Gravity::On, &moves).unwrap();
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let answer = PickerName::Search.build().answer(board.position(), &limits, Scores::All, &mut |_| {}).unwrap();
    let four = board.position().landing(Gravity::On.parse_move("0,0").unwrap()).unwrap();
    assert_eq!((answer.cell, answer.moves[0]), (four, (four, Some(Score::win_at(1)))));
}

#[test]
fn a_move_not_searched_in_time_has_no_score() {
    let board = random(Gravity::Off, 9, &mut Rng::new(3));
    // One node is fewer than the number of moves at the first depth.
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let answer = PickerName::Search.build().answer(board.position(), &limits, Scores::All, &mut |_| {}).unwrap();
    assert!(board.position().playable().contains(answer.cell));
    assert_eq!(answer.reason, Reason::Unfinished);
    assert!(answer.moves.iter().all(|(_, score)| score.is_none()), "{:?}", answer.moves);
    let analysis = Analysis::ask(&board, PickerName::Search, &limits).unwrap();
    let (text, json) = (analysis.text(Paint::Plain), analysis.to_json());
    assert!(text.contains(": no answer came in time\n") && text.ends_with(" -"), "{text}");
    assert_eq!((json["reason"].as_str(), json["depth"].is_null()), (Some("unfinished"), true));
    for found in json["moves"].as_array().unwrap() {
        assert!(found["score"].is_null() && found["plies"].is_null(), "{found}");
    }
}
