//! [`AlphaBeta`]: iterative deepening on the threats that the cache knows, with proofs at the leaves.
//!
//! ```text
//! pick ─► proofs at the root   continuous fours, continuous threats
//!      └► depth 1, 2, 3 …   one PVS a thread, the table shared; the first thread speaks
//!            best: the moves after the best, where more are asked for
//!            node: five? block? open four? fork? ─► table ─► leaf (above beta | continuous fours | evaluation)
//!                  ─► reverse futility, razoring ─► what answers a threat, or all near moves, in order
//!                  ─► late moves reduced or left out
//! ```

mod best;
mod margins;
mod moves;
mod search;
mod swap2;
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::moves::History;
use self::search::{Searcher, Shared};
use self::table::Table;
use super::{Choice, Depth, Limits, Line, Picker, Reason, Report, Signal};
use crate::board::{Point, Rule, Size};
use crate::opening::swap2::Answer;
use crate::position::Position;
use crate::score::Score;
use crate::solver::{Proof, Vcf, Vct};
use crate::threat::Threat;

/// Bytes of the table where nothing else is said.
const DEFAULT_TABLE: usize = 64 << 20;

/// The searching picker.
#[derive(Default)]
pub struct AlphaBeta {
    table: Option<Arc<Table>>,
    workers: Vec<Worker>,
    /// Of which positions these know: a key says nothing of rule and size.
    kind: Option<(Rule, Size)>,
    /// The questions for an opening that were answered.
    openings: u64,
}

/// What one thread keeps from pick to pick.
#[derive(Default)]
struct Worker {
    history: History,
    vcf: Vcf,
    vct: Vct,
}

impl Picker for AlphaBeta {
    fn pick(&mut self, position: &mut Position, limits: &Limits, report: &mut dyn FnMut(Report)) -> Option<Choice> {
        let board = position.board();
        if board.is_full() {
            return None;
        }
        if board.stone_count() == 0 && board.is_empty(board.size().centre()) {
            let point = board.size().centre();
            if limits.lines > 0 {
                let lines = vec![Line { score: Score::ZERO, points: vec![point] }];
                report(Report::Search(Depth { lines, ..Depth::default() }));
            }
            return Some(Choice { point, reason: Reason::Centre, nodes: 0 });
        }
        let root = position.surveyed();
        let table = self.prepare(&root, limits);
        let proof = self.proved(&root, limits).or_else(|| self.forced(&root, limits));
        let shared = Shared { table, limits: limits.clone(), over: AtomicBool::new(false), nodes: AtomicU64::new(0) };
        if let Some(proved) = proof.as_ref().filter(|_| limits.lines <= 1) {
            report(proved.report(&shared));
            return proved.choice(&root, proved.nodes);
        }
        let proof = proof.as_ref().and_then(|proved| proved.lines.first());
        let (first, helpers) = self.workers.split_first_mut()?;
        let found = std::thread::scope(|scope| {
            for (number, worker) in helpers.iter_mut().enumerate() {
                let (root, shared) = (root.clone(), &shared);
                scope.spawn(move || {
                    let mut searcher = Searcher::new(root, shared, &mut worker.history, &mut worker.vcf);
                    deepen(&mut searcher, number + 1, None, &mut |_| {});
                });
            }
            let mut searcher = Searcher::new(root.clone(), &shared, &mut first.history, &mut first.vcf);
            let found = deepen(&mut searcher, 0, proof, report);
            shared.over.store(true, Ordering::Relaxed);
            found
        });
        found.choice(&root, shared.nodes.load(Ordering::Relaxed).max(found.nodes))
    }

    fn answer_swap2(
        &mut self,
        position: &mut Position,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        swap2::answer(self, position, limits, report)
    }

    fn clear(&mut self) {
        self.table = None;
        self.workers.clear();
    }
}

impl AlphaBeta {
    /// The table and the workers that the limits ask for; new ones for another rule or size.
    fn prepare(&mut self, root: &Position, limits: &Limits) -> Arc<Table> {
        let kind = Some((root.board().rule(), root.board().size()));
        if std::mem::replace(&mut self.kind, kind) != kind {
            self.clear();
        }
        let bytes = limits.memory.unwrap_or(DEFAULT_TABLE);
        // The old table goes before there is a new one: both need not fit.
        let old = self.table.take().filter(|table| table.asked() == bytes);
        let table = old.unwrap_or_else(|| Arc::new(Table::new(bytes)));
        table.grow_old();
        self.table = Some(Arc::clone(&table));
        self.workers.resize_with(limits.threads.max(1), Worker::default);
        self.workers.iter_mut().for_each(|worker| worker.history.fade());
        table
    }

    /// A win by continuous fours from the root, where nothing more urgent is on the board.
    fn proved(&mut self, root: &Position, limits: &Limits) -> Option<Found> {
        let survey = root.survey()?;
        let mover = root.board().turn();
        if survey.census().count(mover, Threat::Five) > 0 {
            return None;
        }
        let vcf = &mut self.workers.first_mut()?.vcf;
        match vcf.shortest(&mut root.clone(), margins::root_fours(limits.signal.hard(), limits.nodes)) {
            Proof::Win(line) => {
                let score = Score::win_at(line.len() as u32 + 2);
                Some(Found { lines: vec![Line { score, points: line }], nodes: vcf.nodes(), ..Found::default() })
            }
            Proof::NoWin | Proof::OutOfBudget => None,
        }
    }

    /// A win by continuous threats from the root, sought for a small share of the time and of the nodes.
    fn forced(&mut self, root: &Position, limits: &Limits) -> Option<Found> {
        let (vct, signal) = (&mut self.workers.first_mut()?.vct, &limits.signal);
        let is_fixed = limits.depth.is_some_and(|depth| depth < margins::DEEPEST);
        let time = signal.soft().or(signal.hard()).filter(|_| !is_fixed);
        let share = time.map(|time| signal.elapsed() + time / margins::THREATS_SHARE);
        let must_end = || signal.must_end() || share.is_some_and(|end| signal.elapsed() >= end);
        let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes / u64::from(margins::THREATS_SHARE));
        let most = if share.is_some() { u64::MAX } else { margins::TIMELESS_THREATS };
        let proof = vct.any(&mut root.clone(), nodes.min(most), &must_end);
        let Proof::Win(line) = proof else { return None };
        // Of a five at once the search speaks.
        line.first()?;
        let score = Score::win_at(line.len() as u32 + 2);
        Some(Found { lines: vec![Line { score, points: line }], nodes: vct.nodes(), ..Found::default() })
    }
}

/// What a search came to.
#[derive(Default)]
struct Found {
    /// The best moves that were asked for, the best first.
    lines: Vec<Line>,
    depth: u32,
    selective: u32,
    nodes: u64,
}

impl Found {
    fn point(&self) -> Option<Point> {
        self.lines.first()?.points.first().copied()
    }

    fn score(&self) -> Score {
        self.lines.first().map_or(Score::ZERO, |line| line.score)
    }

    /// Puts this move before the others, as an unfinished depth has found it.
    fn prefer(&mut self, line: Line) {
        let count = self.lines.len().max(1);
        self.lines.retain(|other| other.points.first() != line.points.first());
        self.lines.insert(0, line);
        self.lines.truncate(count);
    }

    fn report(&self, shared: &Shared) -> Report {
        Report::Search(Depth {
            depth: self.depth,
            selective: self.selective.max(self.lines.first().map_or(0, |line| line.points.len() as u32)),
            nodes: shared.nodes.load(Ordering::Relaxed).max(self.nodes),
            time: shared.limits.signal.elapsed(),
            permille_full: shared.table.permille_full(),
            lines: self.lines.clone(),
        })
    }

    fn choice(&self, root: &Position, nodes: u64) -> Option<Choice> {
        let point = self.point().filter(|&point| root.board().is_empty(point)).or_else(|| any_move(root))?;
        Some(Choice { point, reason: Reason::Search { score: self.score(), depth: self.depth }, nodes })
    }
}

/// Searches deeper and deeper until the clock, a limit or a decided score ends it. Every other helper begins a depth
/// later, so that not all threads are at the same depth. A proved move is searched no more.
fn deepen(searcher: &mut Searcher, number: usize, proof: Option<&Line>, report: &mut dyn FnMut(Report)) -> Found {
    let shared = searcher.shared;
    let limits = &shared.limits;
    let deepest = limits.depth.unwrap_or(margins::DEEPEST).clamp(1, margins::DEEPEST);
    let mut found = Found { lines: proof.cloned().into_iter().collect(), ..Found::default() };
    let mut before = Score::ZERO;
    let mut is_told = false;
    for depth in (1 + number as u32 % 2)..=deepest {
        searcher.best = None;
        if number == 0 {
            shared.table.grow();
        }
        let first = match proof {
            Some(line) => line.clone(),
            None => {
                let score = searcher.root(depth as i32, before);
                found.nodes = searcher.nodes;
                if searcher.stopped {
                    // A move that has proved better than the first of an unfinished depth is better than the last
                    // depth's.
                    if let Some(point) = searcher.best.filter(|&point| found.point() != Some(point)) {
                        found.prefer(Line { score: found.score(), points: vec![point] });
                        is_told = false;
                    }
                    break;
                }
                before = score;
                let points = searcher.best.or(found.point()).map(|point| searcher.line(point));
                Line { score, points: points.unwrap_or_default() }
            }
        };
        let is_steady = found.point() == first.points.first().copied();
        let lines = match number {
            0 => best::lines(searcher, depth as i32, &first, &found.lines),
            _ => Some(vec![first.clone()]),
        };
        found.nodes = searcher.nodes;
        let Some(lines) = lines else {
            found.prefer(first);
            is_told = false;
            break;
        };
        found = Found { lines, depth, selective: searcher.selective_depth, nodes: searcher.nodes };
        if number == 0 {
            found.point().iter().for_each(|&point| limits.signal.set_best(point));
            report(found.report(shared));
            is_told = true;
        }
        if found.lines.iter().all(|line| is_settled(line.score, depth)) || is_spent(&limits.signal, is_steady) {
            break;
        }
    }
    // Who asked for the best moves is told of the choice among them, also where it comes from an unfinished depth.
    if number == 0 && limits.lines > 0 && !is_told {
        report(found.report(shared));
    }
    found
}

/// Whether a deeper search cannot change the score: a win is a win, a loss may still be put off while the search has not
/// reached its end.
fn is_settled(score: Score, depth: u32) -> bool {
    score.is_win() || score.is_loss() && score.plies().is_some_and(|plies| plies <= depth)
}

/// Whether a deeper search shall not be begun. Time that is only this move's is used up; time that later moves need
/// is saved where the move has not changed.
fn is_spent(signal: &Signal, is_steady: bool) -> bool {
    let (Some(soft), elapsed) = (signal.soft(), signal.elapsed()) else { return false };
    let is_shared = signal.hard() != Some(soft);
    elapsed >= if is_shared && is_steady { margins::steady(soft) } else { soft }
}

/// The first empty point that is allowed, else the first empty one.
fn any_move(root: &Position) -> Option<Point> {
    let mover = root.board().turn();
    let mut points = root.board().empty_points().iter();
    let first = root.board().empty_points().iter().next();
    points.find(|&point| !root.is_forbidden(point, mover)).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_table_that_the_system_has_cut_is_kept() {
        let mut picker = AlphaBeta::default();
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        board.play(Size::FIFTEEN.centre());
        let mut table = || {
            let limits = Limits { depth: Some(1), memory: Some(1 << 50), ..Limits::default() };
            picker.pick(&mut Position::from_board(board.clone()), &limits, &mut |_| {});
            picker.table.clone().unwrap()
        };
        assert!(Arc::ptr_eq(&table(), &table()));
    }

    #[test]
    fn a_picker_knows_nothing_of_games_on_other_boards() {
        let mut veteran = AlphaBeta::default();
        let limits = || Limits { depth: Some(4), ..Limits::default() };
        for (rule, side) in [(Rule::Freestyle, 15), (Rule::Freestyle, 20), (Rule::Standard, 20), (Rule::Freestyle, 15)]
        {
            let mut board = Board::new(Size::new(side).unwrap(), rule);
            ["l8", "n8", "m9", "k10", "o7", "l7"].iter().for_each(|point| board.play(point.parse().unwrap()));
            let mut position = Position::from_board(board);
            let new = AlphaBeta::default().pick(&mut position, &limits(), &mut |_| {});
            assert_eq!(veteran.pick(&mut position, &limits(), &mut |_| {}), new, "{rule:?} {side}");
        }
    }
}
