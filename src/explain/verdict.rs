//! Verdicts on positions as JSON: a result or a chance. Both name colors, so that a verdict reads the same whoever is to
//! move.
//!
//! ```text
//! { "result": { "winner": "black", "moves": 5 }, "chance": null }    black wins with its fifth move from here
//! { "result": null, "chance": 0.63 }                                 black has 63 %
//! ```

use serde_json::{Value, json};

use crate::board::Color;
use crate::score::Score;

/// The verdict that a search gives to a position with this side to move.
pub fn of_score(score: Score, turn: Color) -> Value {
    match score.plies() {
        Some(plies) => of_result(if score.is_win() { turn } else { !turn }, Some(plies)),
        None => json!({ "result": null, "chance": black_chance(score, turn) }),
    }
}

/// The verdict on a decided position; `plies` to the five, if they are known.
pub fn of_result(winner: Color, plies: Option<u32>) -> Value {
    json!({ "result": result(winner, plies), "chance": null })
}

/// A result with the number of moves that the winner makes: the protocol counts plies, people count moves. A score of
/// [`Score::MOST_PLIES`] to the five is one of unknown length.
pub fn result(winner: Color, plies: Option<u32>) -> Value {
    let known = plies.filter(|&plies| plies < Score::MOST_PLIES);
    json!({ "winner": winner.to_string(), "moves": known.map(|plies| plies.div_ceil(2)) })
}

/// Black's chance, 0 to 1, from a score for this side.
pub fn black_chance(score: Score, turn: Color) -> f32 {
    match turn {
        Color::Black => score.win_chance(),
        Color::White => 1.0 - score.win_chance(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_name_the_winner_and_count_its_moves() {
        let decided = |score, turn| of_score(score, turn)["result"].clone();
        let wins = |winner: &str, moves: u32| json!({ "winner": winner, "moves": moves });
        assert_eq!(decided(Score::win_at(1), Color::White), wins("white", 1), "a five at once");
        assert_eq!(decided(Score::win_at(7), Color::Black), wins("black", 4));
        assert_eq!(decided(Score::loss_at(6), Color::Black), wins("white", 3), "only the moves of the winner count");
        assert_eq!(decided(Score::from_eval(40), Color::Black), Value::Null);
        let unknown = json!({ "winner": "black", "moves": null });
        assert_eq!(decided(Score::win_at(Score::MOST_PLIES), Color::Black), unknown);
    }

    #[test]
    fn chances_are_those_of_black() {
        let score = Score::from_eval(200);
        let [black, white] = Color::ALL.map(|turn| of_score(score, turn)["chance"].as_f64().unwrap());
        assert!((black - 0.731).abs() < 0.001 && (black + white - 1.0).abs() < 1e-6, "{black} {white}");
        assert_eq!(
            of_result(Color::Black, None),
            json!({
                "result": { "winner": "black", "moves": null }, "chance": null,
            })
        );
    }
}
