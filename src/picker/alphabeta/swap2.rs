//! Swap2 by the search: the score of the stones decides.
//!
//! ```text
//! no stone       three stones of a built-in opening: of some, the nearest to even
//! three stones   near even: two more that keep it so; else the better color
//! five stones    the better color
//! ```

use std::sync::Arc;

use super::AlphaBeta;
use crate::board::{Point, Symmetry};
use crate::eval::Evaluator;
use crate::opening::swap2;
use crate::picker::{Answer, Choice, Decision, Limits, Reason, Report, SearchControl};
use crate::position::Position;
use crate::rng::Rng;
use crate::score::Score;

/// Seed of the openings: which are looked at, and how they are turned.
const SEED: u64 = 0x5445_4E47_454E_0003;

/// How many openings are looked at, at first by a shallow search; the better half of them again, two plies deeper.
const CANDIDATES: usize = 12;

/// The depth of the first look.
const FIRST_DEPTH: u32 = 4;

/// A look at one opening may take this part of the nodes that are allowed: there are some two for each candidate.
const LOOKS: u64 = 2 * CANDIDATES as u64;

/// Three stones whose score is no farther from 0 are what the other side has aimed at, and may have looked into for
/// long; two more stones lead away from that. To have the first move of a game is worth some 350.
const EVEN: i32 = 30;

/// The share of the time for a color, in per cent; the rest is for two more stones.
const COLOR_TIME: u32 = 60;

/// How many answers to the first of two stones are compared.
const REPLIES: usize = 8;

/// Answers the question that the stones pose; `None` where there was no time for a score, and on a full board.
pub(super) fn answer<E: Evaluator>(
    picker: &mut AlphaBeta,
    root: &mut Position<E>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Answer> {
    match swap2::Question::of(root.board().stone_count()) {
        Some(swap2::Question::Open) => open(picker, root, limits),
        Some(swap2::Question::Choose) => {
            let control = Arc::new(SearchControl::part(Arc::clone(&limits.control), COLOR_TIME));
            let choice = picker.search(root, 0, &Limits { control, ..limits.clone() }, report)?;
            let is_even = score_of(&choice).is_some_and(|score| score.value().abs() <= EVEN);
            let stones =
                if is_even && !limits.control.must_stop() { offer(picker, root, choice.point, limits) } else { None };
            stones.map_or_else(|| color(&choice), |stones| Some(with_reason(swap2::Answer::Offer(stones), &choice)))
        }
        Some(swap2::Question::Decide) => color(&picker.search(root, 0, limits, report)?),
        None => picker.search(root, 0, limits, report).map(|choice| play(&choice)),
    }
}

/// An answer for the reason of this choice.
fn with_reason(answer: swap2::Answer, choice: &Choice) -> Answer {
    Answer { decision: Decision::Swap2(answer), reason: choice.reason, nodes: choice.nodes }
}

/// The choice, as a move of white.
fn play(choice: &Choice) -> Answer {
    with_reason(swap2::Answer::Play(choice.point), choice)
}

/// The score for the side to move; `None` where there was no time for one.
fn score_of(choice: &Choice) -> Option<Score> {
    match choice.reason {
        Reason::Search { score, depth } if depth > 0 || score.is_decided() => Some(score),
        _ => None,
    }
}

/// The better color: that of the side to move, white, with its best stone, or black.
fn color(choice: &Choice) -> Option<Answer> {
    let score = score_of(choice)?;
    Some(if score < Score::ZERO { with_reason(swap2::Answer::TakeBlack, choice) } else { play(choice) })
}

/// An opening, with the choice of a search for the side that moves next.
type Candidate = ([Point; 3], Option<Choice>);

/// The three stones of the opening that is nearest to even. Which openings are looked at, and how each is turned,
/// depends on how many questions there were before, and on nothing else.
fn open<E: Evaluator>(picker: &mut AlphaBeta, root: &Position<E>, limits: &Limits) -> Option<Answer> {
    let mut candidates: Vec<Candidate> =
        turned_openings(picker, root).into_iter().map(|stones| (stones, None)).collect();
    let nodes = limits.nodes.map(|nodes| (nodes / LOOKS).max(1));
    let mut depth = FIRST_DEPTH;
    while candidates.len() > 1 {
        let depth_limit = limits.depth.map_or(depth, |deepest| deepest.min(depth));
        let look = Limits { depth: Some(depth_limit), nodes, ..limits.clone() };
        let judged = judge(picker, root, &candidates, &look);
        let is_whole = judged.len() == candidates.len();
        if !judged.is_empty() {
            candidates = judged;
        }
        let control = &limits.control;
        if !is_whole || control.soft().is_some_and(|soft| control.elapsed() >= soft / 2) {
            break;
        }
        candidates.truncate(candidates.len().div_ceil(2));
        depth += 2;
    }
    let (stones, choice) = candidates.into_iter().next()?;
    let answer = swap2::Answer::Open(stones);
    Some(match choice {
        Some(choice) => with_reason(answer, &choice),
        None => Answer { decision: Decision::Swap2(answer), reason: Reason::Rule, nodes: 0 },
    })
}

/// Some of the built-in openings, each turned or mirrored.
fn turned_openings<E: Evaluator>(picker: &mut AlphaBeta, root: &Position<E>) -> Vec<[Point; 3]> {
    let (rule, size) = (root.board().rule(), root.board().size());
    let mut rng = Rng::new(SEED.wrapping_add(picker.openings));
    picker.openings += 1;
    let mut openings = swap2::openings(rule, size);
    rng.shuffle(&mut openings);
    openings.truncate(CANDIDATES);
    for stones in &mut openings {
        let turned = Symmetry::all().nth(rng.below(8)).map(|symmetry| stones.map(|stone| symmetry.apply(stone, size)));
        // On an even board a turned point may differ by one from the centre's; it is on the board all the same.
        *stones = turned.unwrap_or(*stones);
    }
    openings
}

/// The openings for which there was time, the nearest to even first.
fn judge<E: Evaluator>(
    picker: &mut AlphaBeta,
    root: &Position<E>,
    candidates: &[Candidate],
    limits: &Limits,
) -> Vec<Candidate> {
    let (rule, size) = (root.board().rule(), root.board().size());
    let mut judged = Vec::new();
    for &(stones, _) in candidates {
        let position = Position::<E>::new(swap2::board(size, rule, &stones), root.config());
        let choice = picker.search(&position, 0, limits, &mut |_| {});
        if limits.control.must_stop() {
            break;
        }
        if let Some(score) = choice.as_ref().and_then(score_of) {
            judged.push((score.value().abs(), (stones, choice)));
        }
    }
    // The sort is stable: the first of equals stays the first.
    judged.sort_by_key(|&(distance, _)| distance);
    judged.into_iter().map(|(_, candidate)| candidate).collect()
}

/// White's best stone, and of black's answers the one after which the board is nearest to even; `None` where none is
/// near even.
fn offer<E: Evaluator>(
    picker: &mut AlphaBeta,
    root: &mut Position<E>,
    white: Point,
    limits: &Limits,
) -> Option<[Point; 2]> {
    let mut replies = Vec::new();
    root.play(white);
    picker.search(root, REPLIES, limits, &mut |report| {
        if let Report::Search(info) = report {
            replies = info.lines;
        }
    });
    root.undo();
    let distance = |score: Score| score.value().abs();
    let nearest = replies.iter().min_by_key(|line| distance(line.score)).filter(|line| distance(line.score) <= EVEN)?;
    Some([white, *nearest.points.first()?])
}
