//! The three stones that open a game: the most even of some openings, each turned or mirrored.

use std::ops::RangeInclusive;

use super::fifths::{after_best_fourth, after_worst_fourth, compare, depth_limit};
use super::{answered, distance, score_of, with_reason};
use crate::board::{Point, Symmetry};
use crate::eval::Evaluator;
use crate::opening::{self, NamedOpening, Stones, ThreeStones, three_stones};
use crate::picker::alphabeta::AlphaBeta;
use crate::picker::{Answer, Choice, Decision, Limits, Reason};
use crate::position::Position;
use crate::rng::Rng;
use crate::score::Score;

/// Seed of the choice of candidates and of their symmetries.
const SEED: u64 = 0x5445_4E47_454E_0003;

/// Number of openings searched, at first shallowly; the better half is searched again two plies deeper, and so on. Set by
/// hand.
const CANDIDATES: usize = 12;

/// Depth of the first search.
const FIRST_DEPTH: u32 = 4;

/// Number of openings searched again with each of white's likely fourth stones, if fifth moves decide. Set by hand.
const FINALISTS: usize = 3;

/// Depth of the first search if fifth moves decide.
const FIRST_FIFTHS_DEPTH: u32 = 2;

/// The search of one opening takes one part in this number of the nodes: there are some two for each candidate.
const LOOKS: u64 = 2 * CANDIDATES as u64;

/// An opening with the choice of the side to move after it.
type Candidate = (Stones, Option<Choice>);

/// Opens a game. The candidates and their symmetries depend only on the number of openings chosen before.
pub(super) fn open<E: Evaluator>(
    picker: &mut AlphaBeta,
    opening: ThreeStones,
    root: &Position<E>,
    limits: &Limits,
) -> Option<Answer> {
    let (rule, size) = (root.board().rule(), root.board().size());
    let mut rng = Rng::new(SEED.wrapping_add(picker.openings));
    picker.openings += 1;
    match opening {
        ThreeStones::Any => {
            let turned = |stones: &Stones, rng: &mut Rng| {
                let symmetry = Symmetry::all().nth(rng.below(8));
                // On a board of even side a turned point may be off by one; it is still on the board.
                stones
                    .iter()
                    .map(|stone: Point| symmetry.map_or(stone, |symmetry| symmetry.apply(stone, size)))
                    .collect()
            };
            nearest(picker, some(three_stones::listed(rule, size), &mut rng, turned), root, limits)
        }
        ThreeStones::Named(None) => nearest(picker, named(root, &mut rng), root, limits),
        ThreeStones::Named(Some(fifths)) => {
            let Judged { stones, score, .. } =
                judge_fifths(picker, &named(root, &mut rng), fifths..=fifths, root, limits)?;
            Some(answered(opening::ProcedureAnswer::Stones(stones), score))
        }
        ThreeStones::Announced { most } => {
            let Judged { stones, number, score } =
                judge_fifths(picker, &named(root, &mut rng), 1..=most, root, limits)?;
            Some(answered(opening::ProcedureAnswer::Announce(stones, number), score))
        }
    }
}

/// Some of the openings in random order, each turned.
fn some<T>(mut openings: Vec<T>, rng: &mut Rng, turned: impl Fn(&T, &mut Rng) -> Stones) -> Vec<Stones> {
    rng.shuffle(&mut openings);
    openings.truncate(CANDIDATES);
    openings.iter().map(|opening| turned(opening, rng)).collect()
}

/// Some of the 26 named openings.
fn named<E: Evaluator>(root: &Position<E>, rng: &mut Rng) -> Vec<Stones> {
    let size = root.board().size();
    let turned =
        |opening: &&NamedOpening, rng: &mut Rng| opening.images(size).nth(rng.below(8)).into_iter().flatten().collect();
    some(NamedOpening::all().iter().collect(), rng, turned)
}

/// An opening with its most even number of fifth moves and their worth to black.
struct Judged {
    stones: Stones,
    number: u8,
    score: Score,
}

/// The opening that is most even with one of these numbers of fifth moves: first each with white's best stone, then the
/// best of them with the likely fourth stone that is worst for black. White will look for it: without the second search
/// black is overrated.
fn judge_fifths<E: Evaluator>(
    picker: &mut AlphaBeta,
    candidates: &[Stones],
    numbers: RangeInclusive<u8>,
    root: &Position<E>,
    limits: &Limits,
) -> Option<Judged> {
    let most = *numbers.end();
    let nearest_first = |judged: Vec<(Stones, Vec<Score>)>| {
        let nearest = |(stones, scores): (Stones, Vec<Score>)| {
            let judged = numbers.clone().filter_map(|number| {
                let score = *scores.get(usize::from(number) - 1)?;
                Some(Judged { stones, number, score })
            });
            judged.min_by_key(|judged| distance(judged.score))
        };
        let mut judged: Vec<_> = judged.into_iter().filter_map(nearest).collect();
        judged.sort_by_key(|judged| distance(judged.score));
        judged
    };
    let shallow = Limits { depth: Some(depth_limit(limits, FIRST_FIFTHS_DEPTH)), ..limits.clone() };
    let first =
        compare(candidates, &shallow, |stones, look| after_best_fourth(picker, &mut after(root, stones), most, look));
    let first = nearest_first(first);
    let finalists: Vec<_> = first.iter().map(|judged| judged.stones).take(FINALISTS).collect();
    let second =
        compare(&finalists, limits, |stones, look| after_worst_fourth(picker, &mut after(root, stones), most, look));
    nearest_first(second).into_iter().chain(first).next()
}

fn after<E: Evaluator>(root: &Position<E>, stones: &Stones) -> Position<E> {
    let (rule, size) = (root.board().rule(), root.board().size());
    Position::new(opening::board(size, rule, stones.iter()), root.config())
}

/// The three stones of the most even opening.
fn nearest<E: Evaluator>(
    picker: &mut AlphaBeta,
    openings: Vec<Stones>,
    root: &Position<E>,
    limits: &Limits,
) -> Option<Answer> {
    let mut candidates: Vec<Candidate> = openings.into_iter().map(|stones| (stones, None)).collect();
    let nodes = limits.nodes.map(|nodes| (nodes / LOOKS).max(1));
    let mut depth = FIRST_DEPTH;
    while candidates.len() > 1 {
        let look = Limits { depth: Some(depth_limit(limits, depth)), nodes, ..limits.clone() };
        let judged = judge(picker, root, &candidates, &look);
        let is_whole = judged.len() == candidates.len();
        if !judged.is_empty() {
            candidates = judged;
        }
        if !is_whole || limits.control.is_half_spent() {
            break;
        }
        candidates.truncate(candidates.len().div_ceil(2));
        depth += 2;
    }
    let (stones, choice) = candidates.into_iter().next()?;
    let answer = opening::ProcedureAnswer::Stones(stones);
    Some(match choice {
        Some(choice) => with_reason(answer, &choice),
        None => Answer { decision: Decision::Opening(answer), reason: Reason::Rule, nodes: 0 },
    })
}

/// The openings for which there was time, the most even first.
fn judge<E: Evaluator>(
    picker: &mut AlphaBeta,
    root: &Position<E>,
    candidates: &[Candidate],
    limits: &Limits,
) -> Vec<Candidate> {
    let mut judged = Vec::new();
    for &(stones, _) in candidates {
        let choice = picker.search(&after(root, &stones), 0, limits, &mut |_| {});
        if limits.control.must_stop() {
            break;
        }
        if let Some(score) = choice.as_ref().and_then(score_of) {
            judged.push((distance(score), (stones, choice)));
        }
    }
    // The sort is stable: the first of equals stays the first.
    judged.sort_by_key(|&(distance, _)| distance);
    judged.into_iter().map(|(_, candidate)| candidate).collect()
}
