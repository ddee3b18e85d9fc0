//! Games of the engine against itself, and the samples drawn from them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Sample;
use crate::board::{Board, Color, Point, Rule, Size};
use crate::eval::classical::SCALE;
use crate::picker::{AlphaBeta, Limits, Picker, Reason};
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::score::Score;
use crate::threat::Threat;
use crate::weights::{WeightedPosition, Weighting};

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Games to play.
    pub games: u64,
    /// Nodes of search for each move.
    pub nodes: u64,
    /// Where the random numbers begin; game k depends on the seed and k alone.
    pub seed: u64,
    /// Threads to play on.
    pub threads: usize,
}

/// Most stones of a random opening.
const OPENING_STONES: usize = 9;

/// Plays the games and returns their samples, in the order of the games.
pub fn play(plan: &Plan, progress: &(dyn Fn(u64) + Sync)) -> Vec<Sample> {
    let next = AtomicU64::new(0);
    let worker = || {
        let mut picker = AlphaBeta::default();
        let mut games = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                return games;
            }
            games.push((number, game(plan, number, &mut picker)));
            progress(number);
        }
    };
    let mut games: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    games.sort_by_key(|&(number, _)| number);
    games.into_iter().flat_map(|(_, samples)| samples).collect()
}

fn game(plan: &Plan, number: u64, picker: &mut AlphaBeta) -> Vec<Sample> {
    let mut rng = Rng::new(plan.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    picker.clear();
    let (mut position, mut moves) = opening(plan, &mut rng);
    let mut samples = Vec::new();
    let mut strays = Vec::new();
    let winner = loop {
        let mover = position.board().turn();
        let Some((best, score)) = pick(picker, &mut position, plan.nodes) else { break None };
        if is_calm(&position) {
            samples.push((
                mover,
                Sample { size: plan.size, moves: moves.clone(), best, chance: chance(score), result: None },
            ));
        }
        if rng.below(2) == 0 {
            strays.extend(stray(plan, &position, &moves, picker, &mut rng));
        }
        let outcome = position.board().outcome_of(best, mover);
        position.play(best);
        moves.push(best);
        if let Some(outcome) = outcome {
            break outcome.winner();
        }
    };
    let result = |mover| winner.map_or(0.5, |winner| if winner == mover { 1.0 } else { 0.0 });
    let played = samples.into_iter().map(|(mover, sample)| Sample { result: Some(result(mover)), ..sample });
    played.chain(strays).collect()
}

/// A position one random move off the game, labelled by a smaller search: what search trees are full of.
fn stray(
    plan: &Plan,
    position: &WeightedPosition,
    moves: &[Point],
    picker: &mut AlphaBeta,
    rng: &mut Rng,
) -> Option<Sample> {
    let mut position = position.clone();
    let point = random_near(position.board(), rng)?;
    if position.board().outcome_of(point, position.board().turn()).is_some() {
        return None;
    }
    position.play(point);
    if !is_calm(&position) {
        return None;
    }
    let (best, score) = pick(picker, &mut position, plan.nodes / 2)?;
    let moves = moves.iter().copied().chain([point]).collect();
    Some(Sample { size: plan.size, moves, best, chance: chance(score), result: None })
}

/// Random stones near each other that leave the game open.
fn opening(plan: &Plan, rng: &mut Rng) -> (WeightedPosition, Vec<Point>) {
    loop {
        let mut board = Board::new(plan.size, plan.rule);
        let mut moves = Vec::new();
        let reach = 2 + rng.below(usize::from(plan.size.side()) / 2 - 2) as i8;
        let mut offset = || rng.below(2 * reach as usize + 1) as i8 - reach;
        let (dx, dy) = (offset(), offset());
        let centre = plan.size.centre();
        let first = plan.size.point((centre.x() as i8 + dx) as u8, (centre.y() as i8 + dy) as u8).unwrap_or(centre);
        board.play(first);
        moves.push(first);
        for _ in 0..rng.below(OPENING_STONES) {
            let Some(point) = random_near(&board, rng) else { break };
            if board.outcome_of(point, board.turn()).is_none() {
                board.play(point);
                moves.push(point);
            }
        }
        let mut position = WeightedPosition::new(board, Weighting::default());
        let decided = pick(&mut AlphaBeta::default(), &mut position, plan.nodes);
        if decided.is_some_and(|(_, score)| !score.is_decided()) {
            return (position, moves);
        }
    }
}

fn random_near(board: &Board, rng: &mut Rng) -> Option<Point> {
    let stones = board.stones(Color::Black).union(&board.stones(Color::White));
    let near: Vec<_> = stones.neighbourhood().intersection(&board.empty_points()).iter().collect();
    if near.is_empty() { None } else { Some(near[rng.below(near.len())]) }
}

fn pick(picker: &mut AlphaBeta, position: &mut WeightedPosition, nodes: u64) -> Option<(Point, Score)> {
    /// Bytes of the table: some thousands of nodes need no more.
    const TABLE: usize = 1 << 20;

    let limits = Limits { nodes: Some(nodes), memory: Some(TABLE), ..Limits::default() };
    let choice = picker.pick(position, &limits)?;
    let score = match choice.reason {
        Reason::Search { score, .. } => score,
        Reason::Centre | Reason::Rule | Reason::Unfinished | Reason::Weights(_) => Score::ZERO,
    };
    Some((choice.point, score))
}

/// Whether an evaluation would be asked here: no five and no open four of the mover, no five of the other.
fn is_calm(position: &WeightedPosition) -> bool {
    let mover = position.board().turn();
    let threats: ThreatBoard = ThreatBoard::new(position.board().clone());
    let count = |color, threat| threats.sets().count(color, threat);
    count(mover, Threat::Five) == 0
        && count(!mover, Threat::Five) == 0
        && count(mover, Threat::OpenFour) == 0
        && count(mover, Threat::DoubleFour) == 0
}

fn chance(score: Score) -> f32 {
    1.0 / (1.0 + (-(score.value() as f32) / SCALE).exp())
}
