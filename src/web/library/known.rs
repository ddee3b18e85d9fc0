//! What a library knows of a position, as JSON. Results and chances name colors, whoever is to move.

use serde_json::{Value, json};

use crate::board::Color;
use crate::explain::verdict;
use crate::library::{Cursor, LibraryError, Mark, Proof, ProofOrigin, Record, View};
use crate::notation::Comma;

/// What is known of a position and of its moves.
pub(super) fn known(view: &View<'_>, cursor: &Cursor) -> Result<Value, LibraryError> {
    let found = view.known(cursor)?;
    let turn = cursor.turn();
    let source = found.as_ref().and_then(|found| found.record.source);
    let source = source.map(|id| view.source(id)).transpose()?.flatten();
    let position = found.as_ref().map(|found| {
        let record = &found.record;
        let mut value = summary(record, turn);
        let mark = |mark: &Mark| json!([Comma(mark.point).to_string(), mark.text]);
        value["comment"] = record.comment.clone().into();
        value["marks"] = record.marks.iter().map(mark).collect();
        value["claim"] = record.proof.filter(|proof| proof.origin == ProofOrigin::Claimed).map(of(turn)).into();
        value["source"] = source.map(|source| source.name).into();
        value
    });
    let moves = found.iter().flat_map(|found| &found.moves).map(|known| {
        let mut value = summary(&known.record, !turn);
        value["point"] = known.played.map(|point| Comma(point).to_string()).into();
        value
    });
    Ok(json!({ "positions": view.len()?, "position": position, "moves": moves.collect::<Vec<_>>() }))
}

/// The result, the chance of black, the depth of the search that gave it, and the games.
fn summary(record: &Record, turn: Color) -> Value {
    let settled = record.settled();
    let searched = record.search.filter(|_| settled.is_none() && record.backed_up.is_none());
    let games = record.games;
    json!({
        "result": settled.map(of(turn)),
        "contradictory": record.is_contradictory(),
        "chance": record.score().filter(|_| settled.is_none()).map(|score| verdict::black_chance(score, turn)),
        "depth": searched.map(|search| search.depth),
        "games": (games.total() > 0).then_some([games.black, games.drawn, games.white]),
        "label": record.label,
    })
}

/// A result with its winner and the number of moves that the winner makes.
fn of(turn: Color) -> impl Fn(Proof) -> Value {
    move |proof| {
        let mut value = verdict::result(if proof.is_win { turn } else { !turn }, proof.plies.map(u32::from));
        value["origin"] = proof.origin.to_string().into();
        value
    }
}
