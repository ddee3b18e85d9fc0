//! Details of a position for the page: weights and shapes of all points, and everything about one point.

use serde_json::{Value, json};

use super::Failure;
use super::game::{Played, names};
use crate::board::{Color, Direction, FoulPart, Point, PointSet};
use crate::notation::Comma;
use crate::threat::{Pattern, Patterns, Threat};
use crate::weights::{WeightedPosition, Weighting, Weights};

/// The weights of the empty points for the side to move: `[point, attack, defence, total]`.
pub(super) fn weights(played: &Played, weighting: Weighting) -> Value {
    let position = WeightedPosition::new(played.board.clone(), weighting);
    let row = |point| {
        let Weights { attack, defence, total } = position.weights(point)?;
        Some(json!([point_name(point), attack.0, defence.0, total.0]))
    };
    let rows: Vec<_> = played.board.empty_points().iter().filter_map(row).collect();
    let best = position.greatest().map(point_name);
    json!({ "name": weighting.name(), "title": weighting.title(), "points": rows, "best": best })
}

/// The shapes that black and white would make at the empty points: `[point, black's, white's]`. Points where neither
/// makes a two are left out.
pub(super) fn shapes(played: &Played) -> Value {
    let position = WeightedPosition::new(played.board.clone(), Weighting::default());
    let row = |point| {
        let [black, white] = Color::ALL.map(|color| made(position.threats().patterns(point, color)));
        (!black.is_empty() || !white.is_empty()).then(|| json!([point_name(point), black, white]))
    };
    played.board.empty_points().iter().filter_map(row).collect()
}

/// One point: its weights in every weighting, and its four lines.
pub(super) fn point(played: &Played, point: Point) -> Result<Value, Failure> {
    let board = &played.board;
    if board.check_empty(point).is_err() {
        return Err(Failure::Point(point));
    }
    let position = WeightedPosition::new(board.clone(), Weighting::default());
    let side = board.turn();
    let line = |direction: Direction| {
        let pattern = |color| position.threats().patterns(point, color).get(direction).to_string();
        let window = position.threats().cache().window(point, direction);
        let reach = window.reach();
        let at = |distance: i8| point.step(direction, distance, board.size()).map(point_name);
        let cells: Vec<_> = (-(reach.0 as i8)..=reach.1 as i8).filter_map(at).collect();
        json!({
            "direction": direction.to_string(),
            "window": window.to_string(),
            "cells": cells,
            "own": pattern(side),
            "their": pattern(!side),
        })
    };
    let weights = |&weighting: &Weighting| {
        let mut position = position.clone();
        position.set_weighting(weighting);
        let Weights { attack, defence, total } = position.weights(point)?;
        let rank = 1 + position.ranking().iter().position(|&other| other == point)?;
        Some(json!({
            "name": weighting.name(), "attack": attack.0, "defence": defence.0, "total": total.0, "rank": rank,
        }))
    };
    Ok(json!({
        "point": point_name(point),
        "turn": side.to_string(),
        "forbidden": board.foul(point).map(|foul| foul.to_string()),
        "foul": board.foul_parts(point).iter().map(foul_part).collect::<Vec<_>>(),
        "own": made(position.threats().patterns(point, side)),
        "their": made(position.threats().patterns(point, !side)),
        "lines": Direction::ALL.map(line),
        "weights": Weighting::ALL.iter().filter_map(weights).collect::<Vec<_>>(),
    }))
}

/// A row of a foul: its stones, and the points that make an open four of a three or a five of a four.
fn foul_part(part: &FoulPart) -> Value {
    let (kind, stones, makes) = match part {
        FoulPart::Three { stones, extensions } => ("three", stones, *extensions),
        FoulPart::Four { stones, fives } => ("four", stones, *fives),
        FoulPart::Overline { stones } => ("overline", stones, PointSet::EMPTY),
    };
    json!({ "kind": kind, "stones": names(stones.iter()), "makes": names(makes.iter()) })
}

/// The shapes that a stone can make on its four lines, the weakest first.
pub(super) const SHAPES: [&str; 10] = [
    "two",
    "open two",
    "three",
    "open three",
    "double three",
    "four",
    "four-three",
    "double four",
    "open four",
    "five",
];

/// The greatest shape that a stone makes of its four lines; empty if that is less than a two.
fn made(patterns: Patterns) -> &'static str {
    let place = match Threat::of(patterns) {
        Threat::Five => 9,
        Threat::OpenFour => 8,
        Threat::DoubleFour => 7,
        Threat::FourThree => 6,
        Threat::Four => 5,
        Threat::DoubleThree => 4,
        Threat::OpenThree => 3,
        Threat::Nothing => match Direction::ALL.map(|direction| patterns.get(direction)).into_iter().max() {
            Some(Pattern::Three) => 2,
            Some(Pattern::OpenTwo) => 1,
            Some(Pattern::Two) => 0,
            _ => return "",
        },
    };
    SHAPES[place]
}

fn point_name(point: Point) -> String {
    Comma(point).to_string()
}
