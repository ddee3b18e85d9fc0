//! Facts about a move.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::game::names;
use super::proof::ProofClock;
use crate::board::{Board, Point};
use crate::explain::reasons::{Fact, ForcedWin, Reasons};
use crate::notation::Comma;

/// Maximum time of the proofs. Most take some milliseconds.
const LONGEST: Duration = Duration::from_secs(2);

/// Looks for the facts about a move.
pub(super) fn seek(board: &Board, point: Point, clock: &ProofClock) -> Value {
    let reasons = Reasons::of(board, point, &|| clock.must_stop(LONGEST));
    answer(board, point, &reasons, clock)
}

/// The answer for a continuous game: a five does not win there, so the answer holds only the shape.
pub(super) fn of_continuous(board: &Board, point: Point) -> Value {
    let clock = ProofClock::start(Arc::default());
    answer(board, point, &Reasons::of_shape(board, point), &clock)
}

fn answer(board: &Board, point: Point, reasons: &Reasons, clock: &ProofClock) -> Value {
    json!({
        "point": Comma(point).to_string(),
        "turn": board.turn().to_string(),
        "facts": reasons.facts.iter().map(fact).collect::<Vec<_>>(),
        "time": clock.time(),
    })
}

/// A fact for the page. Points are `x,y`; kinds of wins and shapes are words.
fn fact(fact: &Fact) -> Value {
    let named = |points: &[Point]| names(points.iter().copied());
    let forced = |mut value: Value, win: &ForcedWin| {
        value["how"] = win.kind.to_string().into();
        value["moves"] = win.moves().into();
        value["line"] = named(&win.line).into();
        value
    };
    match fact {
        Fact::Forbidden(foul) => json!({ "fact": "forbidden", "foul": foul.to_string() }),
        Fact::Five { points } => json!({ "fact": "five", "points": named(points) }),
        Fact::Wins(win) => forced(json!({ "fact": "wins" }), win),
        Fact::Loses(win) => forced(json!({ "fact": "loses" }), win),
        Fact::Only { refuted } => json!({ "fact": "only", "refuted": refuted.to_string() }),
        Fact::Stops { what, points, row, win } => forced(
            json!({ "fact": "stops", "what": what.to_string(), "points": named(points), "row": named(row) }),
            win,
        ),
        Fact::Threatens { points, win } => forced(json!({ "fact": "threatens", "points": named(points) }), win),
        Fact::Makes { shape, points } => {
            json!({ "fact": "makes", "shape": shape.to_string(), "points": named(points) })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::reasons::Shape;
    use crate::web::details::SHAPES;

    #[test]
    fn shapes_have_the_names_of_the_other_answers() {
        use Shape::{DoubleFour, DoubleThree, Four, FourThree, OpenFour, OpenThree, OpenTwo, Three, Two};
        for shape in [Two, OpenTwo, Three, OpenThree, DoubleThree, Four, FourThree, DoubleFour, OpenFour] {
            assert!(SHAPES.contains(&shape.to_string().as_str()), "{shape}");
        }
    }
}
