//! Opening procedures: reads the answers of a message and writes the state of the opening.

use serde_json::{Value, json};

use super::Failure;
use super::game::names;
use super::message::OpeningText;
use crate::opening::{Item, Negotiation, ProcedureQuestion, Seat, Step};

/// The state of an opening after the answers of a message.
pub(super) fn read(opening: &OpeningText) -> Result<Negotiation, Failure> {
    let mut items = Vec::new();
    for word in opening.answers.iter().flat_map(|answer| answer.split_whitespace()) {
        items.push(Item::parse(word).ok_or_else(|| Failure::Word(word.to_owned()))?);
    }
    Negotiation::read(opening.procedure, opening.size, opening.rule, &items).map_err(Failure::Opening)
}

/// The state of an opening as JSON: its stones, and who is asked what.
pub(super) fn state(negotiation: &Negotiation) -> Value {
    let stones = names(negotiation.stones().iter().copied());
    let player = |player| if player == Seat::Opener { "opener" } else { "other" };
    let answers: Vec<_> = negotiation.answers().iter().map(ToString::to_string).collect();
    let (black, asked) = match negotiation.step() {
        Step::Agreed { black } => (Some(player(black)), None),
        Step::Ask(who, question) => {
            let (most, fewest) = question.counts();
            let counts: Vec<_> = fewest.into_iter().chain([most]).filter(|&count| count > 0).collect();
            let asked = json!({
                "player": player(who),
                "text": question.to_string(),
                "counts": counts,
                "offer": matches!(question, ProcedureQuestion::Offer(_) | ProcedureQuestion::FifthOrOffer(..)),
                "swap": question.allows_swap(),
                "keep": matches!(question, ProcedureQuestion::Swap(_)),
                "announce": question.most_fifths(),
                "offered": match question {
                    ProcedureQuestion::Pick(offered) => names(offered.iter()),
                    _ => Vec::new(),
                },
                "allowed": question.square().map(|square| names(square.empty_points(negotiation.board()).iter())),
            });
            (None, Some(asked))
        }
    };
    json!({ "stones": stones, "answers": answers, "turn": negotiation.board().turn().to_string(),
            "black": black, "asked": asked })
}
