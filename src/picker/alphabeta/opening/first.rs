//! The three stones that open a game: the most even of some openings, each turned or mirrored.

use std::ops::RangeInclusive;

use super::fifths::{compare, depth_limit};
use super::{Study, answered, distance, score_of, with_reason};
use crate::board::{Point, Size, Symmetry};
use crate::eval::Evaluator;
use crate::opening::{self, NamedOpening, Stones, ThreeStones, three_stones};
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

/// Number of searches that share the nodes: about two for each candidate.
const LOOKS: u64 = 2 * CANDIDATES as u64;

/// An opening with the choice of the side to move after it.
type Candidate = (Stones, Option<Choice>);

/// Some of the openings in random order, each turned.
fn some<T>(mut openings: Vec<T>, rng: &mut Rng, turned: impl Fn(&T, &mut Rng) -> Stones) -> Vec<Stones> {
    rng.shuffle(&mut openings);
    openings.truncate(CANDIDATES);
    openings.iter().map(|opening| turned(opening, rng)).collect()
}

/// Some of the 26 named openings.
fn named(size: Size, rng: &mut Rng) -> Vec<Stones> {
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

impl<E: Evaluator> Study<'_, E> {
    /// Opens a game. The candidates and their symmetries depend only on the number of openings chosen before.
    pub(super) fn open(&mut self, opening: ThreeStones) -> Option<Answer> {
        let (rule, size) = (self.root.board().rule(), self.root.board().size());
        let mut rng = Rng::new(SEED.wrapping_add(self.picker.openings));
        self.picker.openings += 1;
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
                self.nearest(some(three_stones::listed(rule, size), &mut rng, turned))
            }
            ThreeStones::Named(None) => self.nearest(named(size, &mut rng)),
            ThreeStones::Named(Some(fifths)) => {
                let Judged { stones, score, .. } = self.judge_fifths(&named(size, &mut rng), fifths..=fifths)?;
                Some(answered(opening::ProcedureAnswer::Stones(stones), score))
            }
            ThreeStones::Announced { most } => {
                let Judged { stones, number, score } = self.judge_fifths(&named(size, &mut rng), 1..=most)?;
                Some(answered(opening::ProcedureAnswer::Announce(stones, number), score))
            }
        }
    }

    /// The opening that is most even with one of these numbers of fifth moves. Every opening is judged after white's
    /// best fourth stone, then the most even ones again after the likely fourth stone that is worst for black. White
    /// will find that stone, so without the second search black is overrated.
    fn judge_fifths(&mut self, candidates: &[Stones], numbers: RangeInclusive<u8>) -> Option<Judged> {
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
        let shallow = Limits { depth: Some(depth_limit(self.limits, FIRST_FIFTHS_DEPTH)), ..self.limits.clone() };
        let first = compare(candidates, &shallow, |stones, look| {
            self.opened(stones, look, |study| study.after_best_fourth(most))
        });
        let first = nearest_first(first);
        let finalists: Vec<_> = first.iter().map(|judged| judged.stones).take(FINALISTS).collect();
        let second = compare(&finalists, self.limits, |stones, look| {
            self.opened(stones, look, |study| study.after_worst_fourth(most))
        });
        nearest_first(second).into_iter().chain(first).next()
    }

    /// Studies the position after the three stones of an opening.
    fn opened<T>(&mut self, stones: &Stones, limits: &Limits, study: impl FnOnce(&mut Study<'_, E>) -> T) -> T {
        let (rule, size) = (self.root.board().rule(), self.root.board().size());
        let mut root = Position::new(opening::board(size, rule, stones.iter()), self.root.config());
        study(&mut Study { picker: self.picker, root: &mut root, limits })
    }

    /// The three stones of the most even opening.
    fn nearest(&mut self, openings: Vec<Stones>) -> Option<Answer> {
        let mut candidates: Vec<Candidate> = openings.into_iter().map(|stones| (stones, None)).collect();
        let nodes = self.limits.nodes.map(|nodes| (nodes / LOOKS).max(1));
        let mut depth = FIRST_DEPTH;
        while candidates.len() > 1 {
            let look = Limits { depth: Some(depth_limit(self.limits, depth)), nodes, ..self.limits.clone() };
            let judged = self.judge(&candidates, &look);
            let is_whole = judged.len() == candidates.len();
            // Scores of different depths do not compare.
            if is_whole || depth == FIRST_DEPTH && !judged.is_empty() {
                candidates = judged;
            }
            if !is_whole || self.limits.control.is_half_spent() {
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
    fn judge(&mut self, candidates: &[Candidate], limits: &Limits) -> Vec<Candidate> {
        let mut judged = Vec::new();
        for &(stones, _) in candidates {
            let choice = self.opened(&stones, limits, |study| study.picker.search(study.root, 0, limits, &mut |_| {}));
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
}
