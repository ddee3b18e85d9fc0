//! [`Features`]: a position as the network reads it.

use crate::board::{Color, Point, PointSet};
use crate::eval::classical::Combination;
use crate::eval::network::{codebook, head};
use crate::position::ThreatBoard;
use crate::threat::LineWindow;
use crate::tune::sample::combinations;

/// The row of a window without a stone. It is always 0.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The rows of one point: four windows as the mover sees them, then four as the other side sees them.
pub(super) type PointRows = [[u32; 4]; 2];

/// A candidate move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The index of its point among [`Features::points`].
    pub(super) point: u16,
    /// The combinations of the mover and of the other side there.
    pub(super) combinations: [Combination; 2],
}

/// A position as numbers of rows.
#[derive(Clone, Debug)]
pub(in crate::tune) struct Features {
    pub(super) mover: Color,
    /// The rows of each point whose windows show a stone, and of each candidate.
    pub(super) points: Vec<PointRows>,
    /// The candidate moves, in the order of the set that they were given as.
    pub(super) candidates: Vec<Candidate>,
    /// The rows of the threats on the board, one bit each.
    pub(super) threats: u32,
}

impl Features {
    /// The features of a position with these candidate moves, which are empty points.
    pub(in crate::tune) fn of(threats: &ThreatBoard, moves: &PointSet) -> Self {
        let mover = threats.board().turn();
        let mut rows_of_threats = 0;
        head::each_threat_row(threats.sets(), mover, |row| rows_of_threats |= 1 << row);
        let empty = threats.board().empty_points();
        let (mut points, mut candidates) = (Vec::with_capacity(empty.len()), Vec::with_capacity(moves.len()));
        for point in empty.iter() {
            let rows = point_rows(threats, point, mover);
            let is_candidate = moves.contains(point);
            if is_candidate {
                candidates.push(Candidate { point: points.len() as u16, combinations: combinations(threats, point) });
            }
            if is_candidate || rows.as_flattened().iter().any(|&row| row != NO_ROW) {
                points.push(rows);
            }
        }
        Self { mover, points, candidates, threats: rows_of_threats }
    }

    /// The number of candidate moves.
    #[cfg(test)]
    pub(in crate::tune) fn move_count(&self) -> usize {
        self.candidates.len()
    }
}

/// The rows of a point, the mover's view first.
fn point_rows(threats: &ThreatBoard, point: Point, mover: Color) -> PointRows {
    let windows = threats.cache().windows(point);
    let rule = threats.board().rule();
    [mover, !mover].map(|color| {
        windows.0.map(|window| {
            if codebook::is_stoneless(window) {
                return NO_ROW;
            }
            let seen: LineWindow = if color == Color::Black { window } else { window.swapped() };
            (rule.table_of(color) * codebook::FOLDED_WINDOWS + codebook::folded(seen)) as u32
        })
    })
}
