//! [`Position`]: the board, its threat cache and the sums of the weighting in use, moved only together.

use std::slice;

use arrayvec::ArrayVec;

use crate::board::{Board, Color, PlayError, Point, PointSet, Rule, Size};
use crate::eval::Survey;
use crate::threat::{CHANGES, Change, Changes, PatternChange, PatternPair, Step, ThreatCache};
use crate::weights::{Sums, Weight, Weighting, Weights};

/// A board with everything that is derived from it.
///
/// ```text
/// play, undo ──► Board          the truth
///            ──► ThreatCache    the forty windows that see the stone
///            ──► Sums           the same windows, in the weights of a weighting: what a greedy picker carries
///            ──► Survey         the same points, as threats and worth: what a searcher carries
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    threats: ThreatCache,
    sums: Option<Sums>,
    survey: Option<Survey>,
}

impl Position {
    /// An empty board without a weighting; black is to move.
    pub fn new(size: Size, rule: Rule) -> Self {
        Self::from_board(Board::new(size, rule))
    }

    /// The position of a board, without a weighting.
    pub fn from_board(board: Board) -> Self {
        let threats = ThreatCache::new(&board);
        Self { board, threats, sums: None, survey: None }
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What each point would make.
    pub const fn threats(&self) -> &ThreatCache {
        &self.threats
    }

    /// The weighting in use.
    pub fn weighting(&self) -> Option<Weighting> {
        self.sums.as_ref().map(Sums::weighting)
    }

    /// Changes the weighting, or goes on without one. The sums are made from scratch.
    pub fn set_weighting(&mut self, weighting: Option<Weighting>) {
        if self.weighting() != weighting {
            self.sums = weighting.map(|weighting| Sums::new(weighting, &self.board, &self.threats));
        }
    }

    /// The same board with a survey and without a weighting, as a searcher carries it.
    pub fn surveyed(&self) -> Self {
        let (board, threats) = (self.board.clone(), self.threats.clone());
        let survey = Some(Survey::new(&board, &threats));
        Self { board, threats, sums: None, survey }
    }

    /// The survey, where the position carries one.
    #[inline]
    pub const fn survey(&self) -> Option<&Survey> {
        self.survey.as_ref()
    }

    /// Does some work that plays and takes back until the position is again as it was, and never asks for the
    /// evaluation: half the cost of a stone.
    pub fn without_evaluation<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        // Such work may call for more of its kind.
        let was_paused = self.survey.as_mut().is_some_and(|survey| survey.pause(true));
        let done = work(self);
        if let Some(survey) = &mut self.survey {
            survey.pause(was_paused);
        }
        done
    }

    /// Changes the rule; the stones stay. The cache is made from scratch.
    pub fn set_rule(&mut self, rule: Rule) {
        if self.board.rule() != rule {
            self.board.set_rule(rule);
            self.threats = ThreatCache::new(&self.board);
            if let Some(survey) = &mut self.survey {
                *survey = Survey::new(&self.board, &self.threats);
            }
        }
    }

    /// Gives the turn to a side.
    pub fn set_turn(&mut self, color: Color) {
        self.board.set_turn(color);
    }

    /// Puts a stone of the side to move on an empty point and gives the turn to the other side.
    ///
    /// Cost: some hundreds of nanoseconds on any board size.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty; [`Board::check_empty`] tells.
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board.turn());
    }

    /// Puts a stone of a given color on an empty point and gives the turn to the other color.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty.
    pub fn place(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.follow(point, color);
    }

    /// Takes back a stone, not necessarily the last, and gives the turn to its color.
    ///
    /// # Errors
    /// When no stone stands there; the position is then unchanged.
    pub fn undo(&mut self, point: Point) -> Result<Color, PlayError> {
        let color = self.board.undo(point)?;
        let Self { board, threats, sums, survey } = self;
        if let (None, Some(survey)) = (&sums, survey.as_mut()) {
            if survey.step_back(point, threats) {
                threats.lift(point, color);
                return Ok(color);
            }
        }
        let mut changes = Changes::new();
        threats.stone(point, color, Step::Undo, |change| changes.push(change));
        if let Some(sums) = sums {
            sums.follow(&changes);
            sums.free(point);
        }
        if let Some(survey) = survey {
            survey.forget_steps();
            changes.iter().for_each(|change| survey.follow(&[change.patterns()], board));
            survey.free(point, threats);
        }
        Ok(color)
    }

    /// Turns a point into a wall, with the stone on it if there is one. Who is to move does not change.
    pub fn wall(&mut self, point: Point) {
        let was_empty = self.board.is_empty(point);
        self.board.wall(point);
        let Self { board, threats, sums, survey } = self;
        if let Some(survey) = survey {
            survey.forget_steps();
        }
        if was_empty {
            if let Some(sums) = sums {
                sums.take(point);
            }
            if let Some(survey) = survey {
                survey.take(point, threats);
            }
        }
        threats.wall(board, point, |change| {
            if let Some(sums) = sums {
                sums.follow(slice::from_ref(&change));
            }
            if let Some(survey) = survey {
                survey.follow(&[change.patterns()], board);
            }
        });
    }

    /// Follows a new stone. Who rides along is asked once a stone, not once a window.
    fn follow(&mut self, point: Point, color: Color) {
        let Self { board, threats, sums, survey } = self;
        // Short loops one after another take half the time of one long one.
        if let Some(sums) = sums {
            let mut changes = Changes::new();
            threats.stone(point, color, Step::Play, |change| changes.push(change));
            sums.take(point);
            sums.follow(&changes);
            if let Some(survey) = survey {
                let seen: ArrayVec<_, CHANGES> = changes.iter().map(Change::patterns).collect();
                survey.step(point, &seen, board, threats);
            }
        } else if let Some(survey) = survey {
            // Which windows change their patterns is beyond a branch predictor.
            const SLOTS: usize = CHANGES.next_power_of_two();
            let nothing =
                PatternChange { point, is_sharp: false, old: PatternPair::default(), new: PatternPair::default() };
            let mut seen = [nothing; SLOTS];
            let mut count = 0;
            threats.stone(point, color, Step::Play, |change| {
                seen[count % SLOTS] = change.patterns();
                count += usize::from(change.old_patterns != change.new_patterns);
            });
            survey.step(point, &seen[..count], board, threats);
        } else {
            threats.stone(point, color, Step::Play, |_| {});
        }
    }

    /// Whether the rule forbids an empty point to a color. Decided on the board, and only where the patterns of the
    /// point leave it open.
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.threats.may_be_forbidden(&self.board, point, color) && self.board.is_forbidden(point, color)
    }

    /// Those of the points that the rule allows to the side to move.
    pub fn allowed(&self, points: &PointSet) -> PointSet {
        let mover = self.board.turn();
        if !self.board.rule().forbids(mover) {
            return *points;
        }
        points.iter().filter(|&point| !self.is_forbidden(point, mover)).collect()
    }

    /// The weights of an empty point for the side to move; `None` without a weighting or where the point is not empty.
    pub fn weights(&self, point: Point) -> Option<Weights> {
        self.weights_for(point, self.board.turn())
    }

    /// [`weights`](Self::weights) for either side.
    pub fn weights_for(&self, point: Point, side: Color) -> Option<Weights> {
        let sums = self.sums.as_ref()?;
        let mut weights = sums.weights(point, side)?;
        let Weight(malus) = sums.weighting().forbidden();
        if malus != 0 && self.is_forbidden(point, side) {
            weights.attack.0 += malus;
            weights.total.0 += malus;
        }
        Some(weights)
    }

    /// The point that the weighting in use plays for the side to move: the centre of an empty board, else the greatest
    /// total, ties to the point nearest the middle. A forbidden point only where nothing else is left. `None` on a
    /// full board or without a weighting.
    pub fn greatest(&self) -> Option<Point> {
        let sums = self.sums.as_ref()?;
        let side = self.board.turn();
        let centre = self.board.size().centre();
        if self.board.stone_count() == 0 && self.board.is_empty(centre) {
            return Some(centre);
        }
        let greatest = sums.greatest(side)?;
        if !self.is_forbidden(greatest, side) {
            return Some(greatest);
        }
        let allowed = |point: &Point| !self.is_forbidden(*point, side);
        sums.ranking(side).into_iter().find(allowed).or(Some(greatest))
    }

    /// The empty points in the order in which the weighting in use prefers them for the side to move, forbidden points
    /// last. Empty without a weighting.
    pub fn ranking(&self) -> Vec<Point> {
        let side = self.board.turn();
        let ranking = self.sums.as_ref().map(|sums| sums.ranking(side)).unwrap_or_default();
        let (forbidden, mut allowed): (Vec<_>, Vec<_>) =
            ranking.into_iter().partition(|&point| self.is_forbidden(point, side));
        allowed.extend(forbidden);
        allowed
    }

    /// Whether everything derived is what the board says; slow, for tests and debug builds.
    pub fn is_consistent(&self) -> bool {
        self.threats.agrees_with(&self.board)
            && self.sums.as_ref().is_none_or(|sums| sums.agrees_with(&self.board, &self.threats))
            && self.survey.as_ref().is_none_or(|survey| *survey == Survey::new(&self.board, &self.threats))
    }
}
