//! [`Report`]: the progress of a running picker.

use std::time::Duration;

use super::BookReason;
use crate::board::Point;
use crate::score::Score;
use crate::weights::Weights;

/// The progress of a running picker; each report replaces the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The points with the greatest weights, the greatest total first.
    Weights(Vec<(Point, Weights)>),
    /// A search has finished an iteration.
    Search(SearchInfo),
    /// A move is played from a book.
    Book {
        /// The move.
        point: Point,
        /// Why the book plays it.
        reason: BookReason,
    },
}

/// A finished iteration of a search, or a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth in plies; for a tree search the mean depth of its playouts, rounded up. 0 for a proof, and for a look
    /// without a search.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Nodes of all threads since the search began; for a tree search, playouts.
    pub nodes: u64,
    /// The time since the question was read.
    pub time: Duration,
    /// Share of the table with entries of this search, in thousandths; for a tree search the used share of the tree.
    pub hashfull: usize,
    /// The best moves, the best first: as many as the question asks for, at least one.
    pub lines: Vec<Line>,
    /// The root moves of a tree search, the best first; empty for alpha-beta.
    pub moves: Vec<MoveStatistics>,
}

/// Statistics of a tree search about a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStatistics {
    /// The move.
    pub point: Point,
    /// The playouts that began with it.
    pub visits: u32,
    /// The prior of the move, in [`ONE`](Self::ONE)ths.
    pub prior: u32,
    /// The mover's chance to win with it, in [`ONE`](Self::ONE)ths.
    pub value: u32,
}

impl MoveStatistics {
    /// A prior or a chance of 1.
    pub const ONE: u32 = 10_000;

    /// The prior, 0 to 1.
    pub fn prior(&self) -> f64 {
        f64::from(self.prior) / f64::from(Self::ONE)
    }

    /// The chance to win, 0 to 1.
    pub fn value(&self) -> f64 {
        f64::from(self.value) / f64::from(Self::ONE)
    }
}

/// A principal variation with its score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The score for the side to move.
    pub score: Score,
    /// The moves of both sides in turn.
    pub points: Vec<Point>,
}

impl Line {
    /// Most moves of a line that is read from a table or a tree.
    pub(super) const LONGEST: usize = 32;
}

impl SearchInfo {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        /// Seconds. A clock that has not ticked yet shows less.
        const SHORTEST: f64 = 1e-6;
        (self.nodes as f64 / self.time.as_secs_f64().max(SHORTEST)) as u64
    }
}

/// Names a point in the notation of the reader.
pub type PointLabel<'a> = &'a dyn Fn(Point) -> String;

impl Report {
    /// One text for each move, the best first, with its rank if there are several.
    ///
    /// A search writes the form of Yixin and Rapfi, which other programs parse: whole numbers, nodes for each millisecond,
    /// and the time in milliseconds.
    ///
    /// ```text
    /// depth 12-21 multipv 1 ev 35 n 1700 n/ms 2 tm 850 pv 7,7 8,8
    /// ```
    ///
    /// A tree search adds the chance to win with the move, and visits: of the three best moves, or of this move if
    /// several lines are asked for.
    ///
    /// ```text
    /// depth 6-14 ev 35 n 1700 n/ms 2 tm 850 value 0.543 visits h8 812 i10 455 g7 120 pv 7,7 8,8
    /// ```
    ///
    /// A book has the number of moves from which this one was drawn. The score is left out if it, or the length of a win,
    /// is unknown.
    ///
    /// ```text
    /// book ev 35 moves 3 pv 7,7
    /// ```
    pub fn texts(&self, label: PointLabel<'_>) -> Vec<String> {
        match self {
            Self::Weights(points) => {
                let text = |(rank, (point, Weights { attack, defence, total })): (usize, &(Point, Weights))| {
                    format!("rank {rank} total {total} attack {attack} defence {defence} pv {}", label(*point))
                };
                (1..).zip(points).map(text).collect()
            }
            Self::Search(depth) => (1..).zip(&depth.lines).map(|(rank, line)| depth.text(rank, line, label)).collect(),
            Self::Book { point, reason } => {
                let BookReason { score, moves } = reason;
                let known = score.filter(|score| !score.is_win() || reason.plies().is_some());
                let score = known.map(|score| format!(" ev {score}")).unwrap_or_default();
                vec![format!("book{score} moves {moves} pv {}", label(*point))]
            }
        }
    }
}

impl SearchInfo {
    fn text(&self, rank: usize, line: &Line, label: PointLabel<'_>) -> String {
        let Self { depth, seldepth, nodes, time, lines, .. } = self;
        let rank = if lines.len() > 1 { format!(" multipv {rank}") } else { String::new() };
        format!(
            "depth {depth}-{seldepth}{rank} ev {} n {nodes} n/ms {} tm {}{} pv{}",
            line.score,
            self.nps() / MILLISECONDS,
            time.as_millis(),
            self.statistics(line, label),
            line.text(label),
        )
    }

    /// The part of a text that only a tree search has; empty if it has not visited the move.
    fn statistics(&self, line: &Line, label: PointLabel<'_>) -> String {
        /// Moves whose visits are in the text of a single line.
        const LISTED: usize = 3;
        let place = self.moves.iter().position(|known| line.points.first() == Some(&known.point));
        let Some(place) = place else { return String::new() };
        let listed = if self.lines.len() > 1 { &self.moves[place..=place] } else { &self.moves };
        let visits = listed.iter().take(LISTED).map(|known| format!(" {} {}", label(known.point), known.visits));
        format!(" value {:.3} visits{}", self.moves[place].value(), visits.collect::<String>())
    }
}

/// Milliseconds in a second.
const MILLISECONDS: u64 = 1000;

impl Line {
    /// The points, each after a blank.
    pub fn text(&self, label: PointLabel<'_>) -> String {
        self.points.iter().flat_map(|&point| [" ".to_owned(), label(point)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Comma, parse_comma};
    use crate::weights::Weight;

    fn line(score: Score, points: &str) -> Line {
        Line { score, points: points.split(' ').map(|point| parse_comma(point).unwrap()).collect() }
    }

    #[test]
    fn a_depth_is_one_line_and_more_moves_are_a_line_each_with_their_ranks() {
        let time = Duration::from_millis(850);
        let lines = vec![line(Score::from_eval(35), "7,7 8,8")];
        let one = SearchInfo { depth: 12, seldepth: 21, nodes: 1700, time, hashfull: 3, lines, moves: Vec::new() };
        let text = "depth 12-21 ev 35 n 1700 n/ms 2 tm 850 pv 7,7 8,8";
        assert_eq!(Report::Search(one.clone()).texts(&|point| Comma(point).to_string()), [text]);
        let two = SearchInfo { lines: vec![one.lines[0].clone(), line(Score::loss_at(4), "0,0")], ..one };
        let texts = Report::Search(two).texts(&|point| Comma(point).to_string());
        assert!(texts[0].starts_with("depth 12-21 multipv 1 ev 35 ") && texts[0].ends_with(" pv 7,7 8,8"), "{texts:?}");
        assert!(texts[1].starts_with("depth 12-21 multipv 2 ev -M4 ") && texts[1].ends_with(" pv 0,0"), "{texts:?}");
    }

    #[test]
    fn the_points_of_a_weighting_have_their_weights() {
        let weights = Weights { attack: Weight(1), defence: Weight(2), total: Weight(3) };
        let texts =
            Report::Weights(vec![(parse_comma("7,7").unwrap(), weights)]).texts(&|point| Comma(point).to_string());
        assert_eq!(texts, ["rank 1 total 3 attack 1 defence 2 pv 7,7"]);
    }
}
