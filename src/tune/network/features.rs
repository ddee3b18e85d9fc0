//! [`Features`]: what the network reads of a sample.

use crate::board::{Board, Color, Point, Rule, Size};
use crate::eval::classical::Combination;
use crate::eval::network::{codebook, head};
use crate::eval::{Classical, Evaluator};
use crate::position::Position;
use crate::score::Score;
use crate::threat::LineWindow;
use crate::tune::model::move_loss;
use crate::tune::{ResultShare, Sample, VisitShares};

/// The number of a row that is always 0: that of a window without a stone.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The rows of one point: four windows as the mover sees them, four as the other side does.
pub(super) type PointRows = [[u32; 4]; 2];

/// A move among which a search chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The index of its point among [`Features::points`].
    pub(super) point: u16,
    /// The combinations of the mover and of the other side there.
    pub(super) kinds: [u16; 2],
}

/// A sample as numbers of rows.
#[derive(Clone, Debug)]
pub(super) struct Features {
    pub(super) mover: Color,
    /// The points whose windows show a stone, and the candidates.
    pub(super) points: Vec<PointRows>,
    pub(super) candidates: Vec<Candidate>,
    /// The index of the best candidate.
    pub(super) best: usize,
    /// The candidates that are to be learnt as moves, each with its share of 1: those that a tree search has visited, else
    /// the best.
    pub(super) targets: Vec<(usize, f32)>,
    /// The rows of threats that are on the board, a bit each.
    pub(super) threats: u32,
    /// The logit of the classical evaluation.
    pub(super) classical: f32,
    /// The chance to win of the mover that is to be learnt, 0 to 1.
    pub(super) label: f32,
    /// The weight of that label in the loss.
    pub(super) weight: f32,
}

/// The weight of a label that a proof has given: the search asks the evaluation seldom where it finds one. Hand-set.
const PROOF_WEIGHT: f32 = 0.25;

/// Makes features of samples; one game after another, so that each position is some stones from the last.
pub(super) struct Extractor {
    rule: Rule,
    /// The position of `moves`.
    position: Option<Position<Classical>>,
    moves: Vec<Point>,
}

impl Extractor {
    pub(super) fn new(rule: Rule) -> Self {
        Self { rule, position: None, moves: Vec::new() }
    }

    /// The features of a sample; `None` where it is no position of the rule, or its best move no candidate.
    pub(super) fn features(&mut self, sample: &Sample, share: ResultShare) -> Option<Features> {
        let mut position = self.replay(sample.size, &sample.moves)?;
        let weight = if (0.001..0.999).contains(&sample.chance) { 1.0 } else { PROOF_WEIGHT };
        let label = sample.label(share);
        let features = Features::of(&mut position, sample.best, &sample.visits, label, weight);
        self.position = Some(position);
        features
    }

    /// The position after these moves; `None` where they cannot be played.
    fn replay(&mut self, size: Size, moves: &[Point]) -> Option<Position<Classical>> {
        let same = self.position.take().filter(|position| position.board().size() == size);
        let mut position = same.unwrap_or_else(|| {
            self.moves.clear();
            Position::new(Board::new(size, self.rule), ())
        });
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        while self.moves.len() > common {
            position.undo();
            self.moves.pop();
        }
        for &point in &moves[common..] {
            position.board().check_empty(point).ok()?;
            position.play(point);
            self.moves.push(point);
        }
        Some(position)
    }
}

impl Features {
    /// The features of a position; `None` where the best move is no candidate.
    pub(super) fn of(
        position: &mut Position<Classical>,
        best: Point,
        visits: &VisitShares,
        label: f32,
        weight: f32,
    ) -> Option<Self> {
        let mover = position.board().turn();
        let (evaluation, sets) = position.follow_beside_sets();
        let classical = evaluation.score(sets, mover).value() as f32 / Score::CHANCE_SCALE;
        let mut threats = 0;
        head::each_threat_row(sets, mover, |row| threats |= 1 << row);
        let near = position.board().near_stones();
        let (mut points, mut candidates, mut best_index) = (Vec::new(), Vec::new(), None);
        let mut targets = Vec::new();
        for point in position.board().empty_points().iter() {
            let rows = point_rows(position, point, mover);
            let is_candidate = near.contains(point) && !position.is_forbidden(point, mover);
            if is_candidate {
                let kind = |color| Combination::of(position.threats().patterns(point, color)).index() as u16;
                if point == best {
                    best_index = Some(candidates.len());
                }
                let share = visits.iter().find(|&(visited, _)| visited == point);
                targets.extend(share.map(|(_, share)| (candidates.len(), f32::from(share))));
                candidates.push(Candidate { point: points.len() as u16, kinds: [kind(mover), kind(!mover)] });
            }
            if is_candidate || rows.as_flattened().iter().any(|&row| row != NO_ROW) {
                points.push(rows);
            }
        }
        let best = best_index?;
        let sum: f32 = targets.iter().map(|(_, share)| share).sum();
        if targets.is_empty() {
            targets.push((best, 1.0));
        } else {
            targets.iter_mut().for_each(|(_, share)| *share /= sum);
        }
        Some(Self { mover, points, candidates, best, targets, threats, classical, label, weight })
    }

    /// The share of a candidate in the target of the moves.
    pub(super) fn target(&self, number: usize) -> f32 {
        self.targets.iter().find(|&&(target, _)| target == number).map_or(0.0, |&(_, share)| share)
    }

    /// The cross entropy of the target and these chances of the candidates.
    pub(super) fn move_loss(&self, chances: &[f32]) -> f32 {
        self.targets.iter().map(|&(number, share)| share * move_loss(chances[number])).sum()
    }
}

/// The rows of a point, the mover's view first.
fn point_rows(position: &Position<Classical>, point: Point, mover: Color) -> PointRows {
    let windows = position.threats().cache().windows(point);
    let is_split = position.board().rule().colors_differ();
    [mover, !mover].map(|color| {
        windows.0.map(|window| {
            if codebook::is_stoneless(window) {
                return NO_ROW;
            }
            let seen: LineWindow = if color == Color::Black { window } else { window.swapped() };
            let view = if is_split { color.index() } else { 0 };
            (view * codebook::FOLDED_WINDOWS + codebook::folded(seen)) as u32
        })
    })
}
