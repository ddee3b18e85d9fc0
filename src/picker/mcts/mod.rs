//! [`Mcts`]: Monte Carlo tree search. Playouts grow one tree, and an evaluation or a rollout judges its leaves.
//!
//! ```text
//! answer ─► proofs at the root   a five, a winning four, continuous fours
//!        └► reuse the subtree of the last search if it contains this position, else a new tree
//!           └► playouts of each thread: select ─► expand ─► judge ─► back up
//!        └► the move with the most visits, or a proved win
//!
//! openings, defences and even positions ─► alpha-beta, because they compare exact scores
//! ```

mod book_moves;
mod found;
mod judge;
mod noise;
mod parameters;
mod playout;
mod rollout;
mod root;
#[cfg(test)]
mod tests;
mod tree;
mod verdict;

use std::sync::atomic::Ordering;

use self::judge::Judge;
use self::playout::{Shared, Worker};
use self::rollout::{Policy, Rollout};
use self::root::{RootMoves, expand_root};
use self::tree::{NodeId, Tree};
use super::book::{self, Advice};
use super::tactics;
use super::{AlphaBeta, Answer, Choice, Evaluation, JudgeName, Limits, Line, Picker, Question, Reason, Report, time};
use crate::board::{Board, Color, Point};
use crate::eval::{Classical, Network};
use crate::position::Position;
use crate::rng::Rng;
use crate::solver::Vcf;
use crate::weights::{WeightedPosition, Weighting};

/// Seed of the random numbers. With one thread a question always gets the same answer.
const SEED: u64 = 0x5445_4E47_454E_0004;

/// Playouts before the first report; each later report comes after twice as many.
const FIRST_REPORT: u64 = 64;

/// The tree search.
#[derive(Default)]
pub struct Mcts {
    tree: Option<Tree>,
    /// Root position of the kept tree. `None` if the tree must not be reused.
    kept: Option<Kept>,
    /// One solver for each thread.
    solvers: Vec<Vcf>,
    /// Answers the questions that compare exact scores.
    alphabeta: AlphaBeta,
    /// Whether root priors get noise and every move gets a new tree.
    is_self_play: bool,
}

/// The position at the root of a tree.
struct Kept {
    board: Board,
    variant: Variant,
}

/// The source of the values in the tree: the evaluation and, for rollouts, the weighting.
type Variant = (Evaluation, Option<Weighting>);

impl Mcts {
    /// The search for self-play: noise in the root priors, and a new tree for every move.
    pub fn for_self_play() -> Self {
        Self { is_self_play: true, ..Self::default() }
    }
}

impl Picker for Mcts {
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        if let Some(answer) = book::answer(question, position.board(), limits, report) {
            return Some(answer);
        }
        let lines = match question {
            Question::Move { lines } => lines,
            Question::Opening(_) | Question::Defend | Question::Balance(_) => {
                // Tree and table share the memory, so only one of them is kept.
                (self.tree, self.kept) = (None, None);
                return self.alphabeta.answer(question, position, limits, report);
            }
        };
        self.alphabeta.clear();
        let (rule, weighting) = (position.board().rule(), position.weighting());
        let policy = match limits.evaluation.name {
            JudgeName::Rollout => Some(Policy::Drawn),
            JudgeName::GreedyRollout => Some(Policy::Greedy),
            JudgeName::Classical | JudgeName::Network => None,
        };
        let choice = match (policy, limits.evaluation.networks(rule)) {
            (Some(policy), _) => {
                let root = position.with::<Rollout>((weighting, policy));
                self.search(&root, Some(weighting), lines, limits, report)
            }
            (None, Some(networks)) => self.search(&position.with::<Network>(networks), None, lines, limits, report),
            (None, None) => self.search(&position.with::<Classical>(()), None, lines, limits, report),
        };
        choice.map(Answer::from)
    }

    fn preload(&self, position: &WeightedPosition, evaluation: Evaluation) {
        self.alphabeta.preload(position, evaluation);
    }

    fn clear(&mut self) {
        (self.tree, self.kept) = (None, None);
        self.solvers.clear();
        self.alphabeta.clear();
    }

    fn table_usage(&self) -> Option<usize> {
        Some(self.tree.as_ref()?.usage())
    }
}

impl Mcts {
    /// Searches a position with this number of lines in the reports; `None` on a full board.
    fn search<J: Judge>(
        &mut self,
        root: &Position<J>,
        weighting: Option<Weighting>,
        lines: usize,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Choice> {
        let board = root.board();
        if let Some(choice) = tactics::first_move(board, lines, limits, report) {
            return Some(choice);
        }
        self.solvers.resize_with(limits.threads.max(1), Vcf::default);
        let advice = Advice::of(board, limits);
        let root_moves = RootMoves::of(root, lines, limits, &advice, self.solvers.first_mut()?)?;
        let rng = Rng::new(SEED ^ board.key().bits());
        let is_whole = limits.left_out.is_empty() && !advice.avoids_moves();
        // A search that was stopped before it began, such as pondering, leaves the tree to the next one.
        let is_stopped = limits.control.must_stop();
        let variant = (limits.evaluation, weighting);
        let mut tree = if is_stopped { Tree::new(0) } else { self.reuse_tree(root, variant, limits, is_whole) };
        expand_root(&mut tree, root, &root_moves, lines > 1);
        book_moves::prefer(&tree, &advice.first);
        found::choice(&tree).iter().for_each(|&point| limits.control.set_best(point));
        if self.is_self_play {
            noise::add(&tree, &mut Rng::numbered(limits.seed, board.key().bits()));
        }
        let shared = Shared::new(&tree, limits, lines > 1);
        let mut reporter = Reporter {
            lines,
            proved: root_moves.proved.as_ref(),
            is_only_move: tactics::is_only_move(root.threats()),
            report,
            next_report: FIRST_REPORT,
            reported_move: None,
            reported_playouts: None,
        };
        self.run(root, &shared, &rng, &mut reporter);
        let choice = choose(&shared, root_moves.proved.as_ref());
        if !is_stopped {
            let is_reusable = is_whole && !self.is_self_play;
            self.kept = is_reusable.then(|| Kept { board: board.clone(), variant });
            self.tree = Some(tree);
        }
        choice
    }

    /// The tree of this position: the subtree of the last search if its moves led here, else an empty tree. `is_whole` says
    /// that no move is left out.
    fn reuse_tree<J: Judge>(&mut self, root: &Position<J>, variant: Variant, limits: &Limits, is_whole: bool) -> Tree {
        let bytes = limits.table_bytes();
        // Free the old tree first. Memory may not hold two trees.
        let old = self.tree.take().filter(|tree| tree.asked() == bytes);
        let kept = self.kept.take().filter(|kept| kept.variant == variant && is_whole);
        let mut tree = old.unwrap_or_else(|| Tree::new(bytes));
        let moves = kept.and_then(|kept| moves_between(&kept.board, root.board()));
        let node =
            moves.and_then(|moves| moves.into_iter().try_fold(NodeId::ROOT, |node, point| tree.child(node, point)));
        match node {
            Some(node) => {
                let control = &limits.control;
                let end = control.end_of_part(time::REROOT_PARTS);
                tree.reroot(node, || !control.must_stop() && end.is_none_or(|end| control.elapsed() <= end));
            }
            None => tree.clear(),
        }
        tree
    }

    /// Makes playouts on every thread; the first thread reports.
    fn run<J: Judge>(&mut self, root: &Position<J>, shared: &Shared<'_>, rng: &Rng, reporter: &mut Reporter<'_, '_>) {
        let Some((first, helpers)) = self.solvers.split_first_mut() else { return };
        std::thread::scope(|scope| {
            for (number, solver) in (1..).zip(helpers) {
                let (root, rng) = (root.clone(), Rng::new(rng.clone().next_u64() ^ number));
                let work = move || Worker::new(root, shared, solver, rng).run(|_| false);
                // If the system refuses a thread, the others search.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            let mut worker = Worker::new(root.clone(), shared, first, rng.clone());
            worker.run(|shared| reporter.check(shared));
            shared.over.store(true, Ordering::Relaxed);
        });
        reporter.finish(shared);
    }
}

/// Reports the progress of a search, and ends it by the clock or the depth.
struct Reporter<'a, 'r> {
    lines: usize,
    proved: Option<&'a Line>,
    /// Whether only one move blocks a five.
    is_only_move: bool,
    report: &'r mut dyn FnMut(Report),
    /// The number of playouts at which the next report is due.
    next_report: u64,
    /// The best move at the last report.
    reported_move: Option<Point>,
    /// The number of playouts at the last report.
    reported_playouts: Option<u64>,
}

impl Reporter<'_, '_> {
    /// Checks the tree after a playout. Returns whether the search is over.
    fn check(&mut self, shared: &Shared<'_>) -> bool {
        /// Playouts between two checks of the depth and the soft deadline.
        const CHECK_EVERY: u64 = 16;
        let playouts = shared.playouts.load(Ordering::Relaxed);
        if playouts % CHECK_EVERY > 0 {
            return false;
        }
        let best = found::choice(shared.tree);
        let is_steady = best.is_some() && best == self.reported_move;
        best.iter().for_each(|&point| shared.limits.control.set_best(point));
        if playouts >= self.next_report {
            (self.next_report, self.reported_move) = (playouts * 2, best);
            self.send_report(shared);
        }
        let has_reached_depth = shared.limits.depth.is_some_and(|depth| found::depth(shared.tree) >= depth);
        let per_cent = match (self.is_only_move, is_steady) {
            (true, _) => time::ONLY_MOVE_PER_CENT,
            (false, true) => time::STEADY_TREE_PER_CENT,
            (false, false) => 100,
        };
        has_reached_depth || shared.limits.control.is_spent(per_cent)
    }

    fn send_report(&mut self, shared: &Shared<'_>) {
        let playouts = shared.playouts.load(Ordering::Relaxed);
        if self.reported_playouts.replace(playouts) != Some(playouts) {
            found::report(shared, self.lines, self.proved).into_iter().for_each(|report| (self.report)(report));
        }
    }

    /// Sets the best move and sends the last report.
    fn finish(&mut self, shared: &Shared<'_>) {
        found::choice(shared.tree).iter().for_each(|&point| shared.limits.control.set_best(point));
        self.send_report(shared);
    }
}

/// The choice at the end of a search.
fn choose(shared: &Shared<'_>, proved: Option<&Line>) -> Option<Choice> {
    let tree = shared.tree;
    let child = *found::ranking(tree).first()?;
    let (point, nodes) = (tree.point(child), shared.playouts.load(Ordering::Relaxed));
    let line = proved.filter(|line| line.points.first() == Some(&point));
    let depth = match line {
        Some(_) => 0,
        None if nodes == 0 => 0,
        None => (shared.plies.load(Ordering::Relaxed).div_ceil(nodes) as u32).max(1),
    };
    let score = line.map(|line| line.score).or_else(|| found::score(tree, child));
    let reason = score.map_or(Reason::Unfinished, |score| Reason::Search { score, depth });
    Some(Choice { point, reason, nodes })
}

/// The moves from one position to another: none, one, or one of each side. `None` if the second position is not
/// reachable this way.
fn moves_between(from: &Board, to: &Board) -> Option<Vec<Point>> {
    if (from.rule(), from.size()) != (to.rule(), to.size()) {
        return None;
    }
    let mover = from.turn();
    let new = |color: Color| {
        let (old, new) = (from.stones(color), to.stones(color));
        let is_kept = old.intersection(&new) == old;
        is_kept.then(|| new.iter().filter(|&point| !old.contains(point)).collect::<Vec<_>>())
    };
    let (own, other) = (new(mover)?, new(!mover)?);
    let moves = match (own.as_slice(), other.as_slice()) {
        ([], []) => Vec::new(),
        (&[first], []) => vec![first],
        (&[first], &[second]) => vec![first, second],
        _ => return None,
    };
    let empty = moves.iter().fold(from.empty_points(), |mut empty, &point| {
        empty.remove(point);
        empty
    });
    let turn = if moves.len() % 2 == 0 { mover } else { !mover };
    (empty == to.empty_points() && turn == to.turn()).then_some(moves)
}
