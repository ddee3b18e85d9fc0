//! [`Edit::add_search`]: adds what a search has found.

use super::position::Cursor;
use super::record::{Record, SourceId};
use super::{Edit, LibraryError};
use crate::board::Point;
use crate::score::Score;

/// What a search has found of a position: a score or a proof, and its best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub point: Point,
    /// The score for the side to move.
    pub score: Score,
    /// The depth in plies; 0 for a proof.
    pub depth: u32,
    /// Number of nodes.
    pub nodes: u64,
    /// Whether every legal move was searched, so that the score is that of the position.
    pub is_whole: bool,
}

impl Edit<'_> {
    /// Adds what a search has found: the best move with its score or proof, and if every move was searched, the same for the
    /// position. The nodes count once, for the position if every move was searched. Returns the position after the move.
    ///
    /// # Errors
    /// Those of [`update`](Self::update).
    pub fn add_search(&mut self, root: &Cursor, found: SearchResult, engine: SourceId) -> Result<Cursor, LibraryError> {
        let SearchResult { point, score, depth, nodes, is_whole } = found;
        let mut after = root.clone();
        after.play(Some(point));
        let (own, nodes) = match is_whole {
            true => (Record::of_search(score, depth, nodes, engine), 0),
            false => (Record::default(), nodes),
        };
        self.add_found(root, &own)?;
        self.add_found(&after, &Record::of_best_move(score, depth, nodes, engine))?;
        Ok(after)
    }

    /// Adds the result or the score of a search. The deeper of two scores stays, with the nodes of both.
    fn add_found(&mut self, cursor: &Cursor, found: &Record) -> Result<(), LibraryError> {
        self.update(cursor, &mut |record, _| {
            let nodes = [record.search, found.search].into_iter().flatten().map(|search| search.nodes);
            let nodes = nodes.fold(0, u64::saturating_add);
            record.merge(found.clone(), false);
            if let Some(search) = &mut record.search {
                search.nodes = nodes;
            }
        })
    }
}
