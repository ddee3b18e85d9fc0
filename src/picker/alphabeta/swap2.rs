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
use crate::opening::swap2::{self, Answer};
use crate::picker::{Choice, Limits, Picker, Reason, Report, Signal};
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

/// Answers the question that lies in the stones.
pub(super) fn answer(
    picker: &mut AlphaBeta,
    position: &mut Position,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Answer> {
    match position.board().stone_count() {
        0 => open(picker, position, limits).map(Answer::Open),
        3 => {
            let signal = Arc::new(Signal::part(Arc::clone(&limits.signal), COLOR_TIME));
            let choice = picker.pick(position, &Limits { signal, ..limits.clone() }, report)?;
            let is_even = score_of(&choice).is_some_and(|score| score.value().abs() <= EVEN);
            let offer =
                if is_even && !limits.signal.must_end() { offer(picker, position, choice.point, limits) } else { None };
            offer.map(Answer::Offer).or_else(|| color(position, &choice))
        }
        5 => {
            let choice = picker.pick(position, limits, report)?;
            color(position, &choice)
        }
        _ => picker.pick(position, limits, report).map(|choice| Answer::Play(choice.point)),
    }
}

/// The score for the side to move; `None` where there was no time for one.
fn score_of(choice: &Choice) -> Option<Score> {
    match choice.reason {
        Reason::Search { score, depth } if depth > 0 || score.is_decided() => Some(score),
        _ => None,
    }
}

/// The better color: that of the side to move, white, with its best stone, or black.
fn color(position: &Position, choice: &Choice) -> Option<Answer> {
    match score_of(choice) {
        Some(score) if score < Score::ZERO => Some(Answer::TakeBlack),
        Some(_) => Some(Answer::Play(choice.point)),
        None => swap2::answer(position),
    }
}

/// The three stones of the opening that is nearest to even. Which openings are looked at, and how each is turned,
/// depends on how many questions there were before, and on nothing else.
fn open(picker: &mut AlphaBeta, position: &Position, limits: &Limits) -> Option<[Point; 3]> {
    let (rule, size) = (position.board().rule(), position.board().size());
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
    let nodes = limits.nodes.map(|nodes| (nodes / LOOKS).max(1));
    let mut depth = FIRST_DEPTH;
    while openings.len() > 1 {
        let looked = Limits {
            depth: Some(limits.depth.map_or(depth, |deepest| deepest.min(depth))),
            nodes,
            lines: 0,
            ..limits.clone()
        };
        let mut judged = Vec::new();
        for stones in &openings {
            let choice = picker.pick(&mut swap2::position(size, rule, stones), &looked, &mut |_| {});
            if limits.signal.must_end() {
                break;
            }
            judged.extend(choice.as_ref().and_then(score_of).map(|score| (score.value().abs(), *stones)));
        }
        // The sort is stable: the first of equals stays the first.
        judged.sort_by_key(|&(distance, _)| distance);
        let is_whole = judged.len() == openings.len();
        if !judged.is_empty() {
            openings = judged.into_iter().map(|(_, stones)| stones).collect();
        }
        if !is_whole || limits.signal.soft().is_some_and(|soft| limits.signal.elapsed() >= soft / 2) {
            break;
        }
        openings.truncate(openings.len().div_ceil(2));
        depth += 2;
    }
    openings.first().copied()
}

/// White's best stone, and of black's answers the one after which the board is nearest to even; `None` where none is
/// near even.
fn offer(picker: &mut AlphaBeta, position: &mut Position, white: Point, limits: &Limits) -> Option<[Point; 2]> {
    let mut replies = Vec::new();
    position.play(white);
    picker.pick(position, &Limits { lines: REPLIES, ..limits.clone() }, &mut |report| {
        if let Report::Search(depth) = report {
            replies = depth.lines;
        }
    });
    position.undo(white).ok()?;
    let distance = |score: Score| score.value().abs();
    let nearest = replies.iter().min_by_key(|line| distance(line.score)).filter(|line| distance(line.score) <= EVEN)?;
    Some([white, *nearest.points.first()?])
}
