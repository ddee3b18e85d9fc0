//! The tree search compared with the alpha-beta search, and its self-play.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::sync::atomic::AtomicBool;

use tengen::board::{Board, Rule, Size};
use tengen::notation::parse_comma;
use tengen::picker::{Evaluation, JudgeName, Limits, PickerName, Question, Reason, Report};
use tengen::rng::Rng;
use tengen::score::Score;
use tengen::shard::Shard;
use tengen::tune::{
    Engine, GameSettings, SelfPlayConfig, SelfPlayGame, SelfPlayPicker, Sizes, VisitShares, engine_signature, play,
};
use tengen::weights::{WeightedPosition, Weighting};

/// A picker's score of a position.
fn score(picker: PickerName, board: &Board, limits: &Limits) -> Score {
    let mut position = WeightedPosition::new(board.clone(), Weighting::default());
    let choice = picker.build().pick(&mut position, limits).unwrap();
    assert!(board.is_empty(choice.point));
    match choice.reason {
        Reason::Search { score, .. } => score,
        reason => panic!("{reason:?}"),
    }
}

/// Stones close together that do not end the game.
fn random_board(size: Size, rule: Rule, stones: usize, rng: &mut Rng) -> Option<Board> {
    let mut board = Board::new(size, rule);
    board.play(size.centre());
    for _ in 1..stones {
        let near: Vec<_> = board.near_stones().iter().collect();
        let point = near[rng.below(near.len())];
        if board.outcome_of(point, board.turn()).is_some() {
            return None;
        }
        board.play(point);
    }
    Some(board)
}

#[test]
fn what_the_tree_proves_the_alpha_beta_search_does_not_refute() {
    let mut rng = Rng::new(17);
    let (mut wins, mut losses) = (0, 0);
    for rule in Rule::ALL {
        for _ in 0..24 {
            let size = Size::new([6, 7, 9][rng.below(3)]).unwrap();
            let Some(board) = random_board(size, rule, 9 + rng.below(10), &mut rng) else { continue };
            let name = [JudgeName::Network, JudgeName::Rollout][rng.below(2)];
            let evaluation = Evaluation { name, ..Evaluation::default() };
            let nodes = Some(1500);
            let tree = score(PickerName::Mcts, &board, &Limits { nodes, evaluation, ..Limits::default() });
            if !tree.is_decided() {
                continue;
            }
            // A loss comes no later than the tree says. A win may be found later or not at all.
            let searched = score(PickerName::Search, &board, &Limits { nodes: Some(60_000), ..Limits::default() });
            assert_ne!((tree.is_win(), searched.is_loss()), (true, true), "{rule:?} {tree} {searched}\n{board}");
            assert_ne!((tree.is_loss(), searched.is_win()), (true, true), "{rule:?} {tree} {searched}\n{board}");
            let agrees = tree.is_win() == searched.is_win() && tree.is_loss() == searched.is_loss();
            wins += usize::from(agrees && tree.is_win());
            losses += usize::from(agrees && tree.is_loss());
        }
    }
    assert!(wins > 15 && losses > 5, "{wins} wins, {losses} losses found by both");
}

#[test]
fn a_depth_limit_ends_a_search_without_a_clock() {
    let size = Size::FIFTEEN;
    let mut board = Board::new(size, Rule::Freestyle);
    ["7,7", "8,8", "8,7", "9,7"].iter().for_each(|point| board.play(parse_comma(point).unwrap()));
    let mut position = WeightedPosition::new(board, Weighting::default());
    for (depth, least) in [(1, 1), (4, 4)] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut main_line = 0;
        let mut note = |report| {
            if let Report::Search(info) = report {
                main_line = info.lines[0].points.len();
            }
        };
        let answer = PickerName::Mcts.build().answer(Question::Move { lines: 1 }, &mut position, &limits, &mut note);
        assert!(answer.unwrap().nodes <= u64::from(depth) * 2000 && main_line >= least, "{depth}: {main_line}");
    }
}

const SELF_PLAY: SelfPlayConfig = SelfPlayConfig {
    settings: GameSettings {
        rule: Rule::Freestyle,
        sizes: Sizes::one(Size::FIFTEEN),
        nodes: NonZeroU64::new(40).unwrap(),
        seed: 3,
    },
    games: NonZeroU32::new(3).unwrap(),
    shard: Shard::WHOLE,
    threads: NonZeroUsize::MIN,
};

fn games(picker: SelfPlayPicker, threads: usize) -> Vec<SelfPlayGame> {
    let mut games = Vec::new();
    let config = SelfPlayConfig { threads: NonZeroUsize::new(threads).unwrap(), ..SELF_PLAY };
    let engine = Engine { picker, ..Engine::default() };
    let mut write = |game| {
        games.push(game);
        Ok(())
    };
    play(&config, engine, &[], &AtomicBool::new(false), &mut write).unwrap();
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn games_of_the_tree_search_have_the_visits_of_each_move_and_depend_on_the_seed_alone() {
    let played = games(SelfPlayPicker::Mcts, 1);
    assert_eq!(played, games(SelfPlayPicker::Mcts, 2), "on two threads");
    let mut counted = 0;
    for found in played.iter().flat_map(|game| &game.plies).filter_map(|ply| ply.found) {
        let shares: u32 = found.visits.iter().map(|(_, share)| u32::from(share)).sum();
        if found.visits.is_empty() {
            // A proof needs no playouts. If all other moves are proved lost, the best move has none.
            let is_lost = found.score < Score::from_value(-1000);
            assert!(found.score.is_decided() || is_lost, "{found:?}");
            continue;
        }
        counted += 1;
        // Each share is rounded.
        assert!(shares.abs_diff(VisitShares::ALL.into()) <= 4, "{shares}");
        let is_best = |&(point, _): &(_, u8)| point == found.best;
        assert!(found.score.is_decided() || found.visits.iter().next().filter(is_best).is_some(), "{found:?}");
    }
    assert!(counted > 30, "{counted} plies with visits");
    assert!(played.iter().flat_map(SelfPlayGame::samples).any(|sample| sample.visits.iter().count() > 1));
    let without = games(SelfPlayPicker::Search, 1);
    assert!(without.iter().flat_map(SelfPlayGame::samples).all(|sample| sample.visits.is_empty()));
}

#[test]
fn each_picker_of_self_play_has_a_signature_of_its_own() {
    let signatures = [SelfPlayPicker::Search, SelfPlayPicker::Mcts].map(|picker| {
        let engine = Engine { picker, ..Engine::default() };
        engine_signature(Rule::Freestyle, engine).unwrap()
    });
    assert_ne!(signatures[0], signatures[1]);
    assert_eq!(signatures[0], engine_signature(Rule::Freestyle, Engine::default()).unwrap());
}
