//! [`AlphaBeta`]: alpha-beta search with threats from the cache and proofs at root and leaves.
//!
//! ```text
//! answer ─┬─► a move          proofs at the root: VCF, VCT
//!         │                   then iterations 1, 2, 3 … of PVS on each thread, sharing the table; the first thread reports
//!         │                   multi-PV: the best moves after the first
//!         │                   the vote of the threads on the move
//!         ├─► analysis.rs     each root move searched on its own: excluded points, defences, balance
//!         └─► opening/        the questions of opening procedures
//! ```

mod analysis;
mod deepen;
mod extensions;
mod history;
mod move_loop;
mod moves;
mod multi_pv;
mod node;
mod opening;
mod pruning;
mod reductions;
mod search;
mod table;
mod vote;

use std::io::{self, Write};
use std::iter;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use self::deepen::{Progress, deepen};
use self::history::History;
use self::search::{Searcher, Shared, has_fixed_depth};
use self::table::Table;
use super::book::{self, Advice};
use super::{
    Answer, Choice, Evaluation, Greedy, Limits, Line, Picker, Question, Report, TableError, TableInput, tactics, time,
};
use crate::board::{Rule, Size};
use crate::eval::{Classical, Evaluator, Network};
use crate::position::Position;
use crate::solver::{Proof, Vcf, Vct};
use crate::threat::Threat;
use crate::weights::WeightedPosition;

/// The alpha-beta search.
#[derive(Default)]
pub struct AlphaBeta {
    table: Option<Arc<Table>>,
    workers: Vec<Worker>,
    /// The kind of positions that the table and the workers hold.
    variant: Option<Variant>,
    /// The number of openings chosen so far. It seeds the next choice, and `clear` keeps it.
    openings: u64,
}

/// The kind of positions in a table. A key holds neither rule nor size, and scores of different evaluations cannot be
/// compared.
type Variant = (Rule, Size, Evaluation);

/// The state that one thread keeps from search to search.
#[derive(Default)]
struct Worker {
    history: History,
    vcf: Vcf,
    vct: Vct,
}

impl Picker for AlphaBeta {
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
        let found = match limits.evaluation.networks(position.board().rule()) {
            Some(networks) => self.answer_with(question, position.with::<Network>(networks), limits, report),
            None => self.answer_with(question, position.with::<Classical>(()), limits, report),
        };
        match question {
            // The weights answer if there was no time for a score.
            Question::Opening(_) => found.or_else(|| Greedy.answer(question, position, limits, &mut |_| {})),
            Question::Move { .. } | Question::Defend | Question::Balance(_) => found,
        }
    }

    fn preload(&self, position: &WeightedPosition, evaluation: Evaluation) {
        // Building the accumulator fills its lazy tables; the position is not needed.
        match evaluation.networks(position.board().rule()) {
            Some(networks) => drop(position.with::<Network>(networks)),
            None => drop(position.with::<Classical>(())),
        }
    }

    fn clear(&mut self) {
        self.table = None;
        self.workers.clear();
    }

    fn table_usage(&self) -> Option<usize> {
        Some(self.table.as_ref()?.usage())
    }

    fn dump_table(&self, output: &mut dyn Write) -> io::Result<Option<u64>> {
        match (&self.table, self.variant) {
            (Some(table), Some(variant)) => table.dump(variant, output).map(Some),
            _ => Ok(None),
        }
    }

    fn load_table(
        &mut self,
        rule: Rule,
        size: Size,
        limits: &Limits,
        input: &mut dyn TableInput,
    ) -> Option<Result<u64, TableError>> {
        // The input is checked before it replaces a table.
        let variant = (rule, size, limits.evaluation);
        let count = match table::check(variant, limits.table_bytes(), input) {
            Ok(count) => count,
            Err(error) => return Some(Err(error)),
        };
        let table = self.prepare_variant(variant, limits);
        Some(table.load(count, input).map(|()| count))
    }
}

impl AlphaBeta {
    /// Maximum depth of a search in plies.
    pub(super) const MAX_DEPTH: u32 = 64;

    /// Answers a question about a position that carries its evaluator.
    fn answer_with<E: Evaluator>(
        &mut self,
        question: Question,
        mut root: Position<E>,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        match question {
            Question::Move { lines } if limits.left_out.is_empty() => {
                self.search(&root, lines, limits, report).map(Answer::from)
            }
            Question::Move { .. } | Question::Defend | Question::Balance(_) => {
                analysis::answer(self, question, &root, limits, report)
            }
            Question::Opening(question) => opening::answer(self, question, &mut root, limits, report),
        }
    }

    /// Searches a position with this number of lines in the reports; `None` on a full board.
    fn search<E: Evaluator>(
        &mut self,
        root: &Position<E>,
        lines: usize,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Choice> {
        if root.board().is_full() {
            return None;
        }
        if let Some(choice) = tactics::first_move(root.board(), lines, limits, report) {
            return Some(choice);
        }
        let table = self.prepare(root, limits);
        let proof = self.prove_fours(root, limits).or_else(|| self.prove_threats(root, limits));
        let shared = Shared::new(table, limits, lines, Advice::of(root.board(), limits));
        if let Some(proof) = proof.as_ref().filter(|_| lines <= 1) {
            report(proof.report(&shared));
            return proof.choice(root, proof.nodes);
        }
        let found = self.search_threads(root, &shared, proof.as_ref().and_then(Progress::first), report)?;
        // The shared count lags behind each thread's own.
        found.choice(root, shared.nodes.load(Ordering::Relaxed).max(found.nodes))
    }

    /// Searches on every worker, and returns the progress of the thread that the vote elects, or of the first if there is
    /// no vote.
    fn search_threads<E: Evaluator>(
        &mut self,
        root: &Position<E>,
        shared: &Shared,
        proof: Option<&Line>,
        report: &mut dyn FnMut(Report),
    ) -> Option<Progress> {
        let (first, helpers) = self.workers.split_first_mut()?;
        let mut found = std::thread::scope(|scope| {
            let mut handles = Vec::new();
            for (number, worker) in (1..).zip(helpers) {
                let root = root.clone();
                let search = move || {
                    let mut searcher = Searcher::new(root, shared, &mut worker.history, &mut worker.vcf);
                    deepen(&mut searcher, number, None, &mut |_| {})
                };
                // If the system refuses a thread, the others search.
                let Ok(handle) = std::thread::Builder::new().spawn_scoped(scope, search) else { break };
                handles.push(handle);
            }
            let mut searcher = Searcher::new(root.clone(), shared, &mut first.history, &mut first.vcf);
            let first = deepen(&mut searcher, 0, proof, report);
            shared.over.store(true, Ordering::Relaxed);
            let helped = handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
            iter::once(first).chain(helped).collect::<Vec<_>>()
        });
        let place = if shared.has_vote() { vote::elected(&found) } else { 0 };
        let found = found.swap_remove(place);
        // The last report holds the choice.
        if let Some(point) = found.point().filter(|_| place > 0) {
            shared.limits.control.set_best(point);
            report(found.report(shared));
        }
        Some(found)
    }

    /// Prepares table and workers for a search: new ones for another rule, size or evaluation, and a new table for
    /// another amount of memory.
    fn prepare<E: Evaluator>(&mut self, root: &Position<E>, limits: &Limits) -> Arc<Table> {
        self.prepare_variant((root.board().rule(), root.board().size(), limits.evaluation), limits)
    }

    fn prepare_variant(&mut self, variant: Variant, limits: &Limits) -> Arc<Table> {
        if self.variant.replace(variant) != Some(variant) {
            self.clear();
        }
        let bytes = limits.table_bytes();
        // Free the old table first. Memory may not hold two tables.
        let old = self.table.take().filter(|table| table.asked() == bytes);
        let table = old.unwrap_or_else(|| Arc::new(Table::new(bytes)));
        table.new_generation();
        self.table = Some(Arc::clone(&table));
        self.workers.resize_with(limits.threads.max(1), Worker::default);
        self.workers.iter_mut().for_each(|worker| worker.history.decay());
        table
    }

    /// A win by continuous fours from the root, unless the side to move can make a five, which the search plays at
    /// once.
    fn prove_fours<E: Evaluator>(&mut self, root: &Position<E>, limits: &Limits) -> Option<Progress> {
        let mover = root.board().turn();
        if root.threats().sets().count(mover, Threat::Five) > 0 {
            return None;
        }
        let vcf = &mut self.workers.first_mut()?.vcf;
        let line = tactics::prove_root(root.threats(), limits, vcf)?;
        Some(Progress::proof(line, vcf.nodes()))
    }

    /// A win by continuous threats from the root, sought with a share of the time and of the nodes.
    fn prove_threats<E: Evaluator>(&mut self, root: &Position<E>, limits: &Limits) -> Option<Progress> {
        let (worker, control) = (self.workers.first_mut()?, &limits.control);
        let end = control.end_of_part(time::VCT_PARTS).filter(|_| !has_fixed_depth(limits));
        let must_stop = || control.must_stop() || end.is_some_and(|end| control.elapsed() >= end);
        let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes / u64::from(time::VCT_PARTS));
        let most = if end.is_some() { u64::MAX } else { tactics::TIMELESS_VCT_NODES };
        match worker.vct.any(&mut root.threats().clone(), nodes.min(most), &must_stop) {
            // A line without a move is a five: the search finds it.
            Proof::Win(line) if !line.is_empty() => {
                let line = tactics::proved_threats(root.threats(), line, limits, &mut worker.vcf);
                Some(Progress::proof(line, worker.vct.nodes()))
            }
            Proof::Win(_) | Proof::NoWin | Proof::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::{Board, Color, Point};
    use crate::notation::parse_comma;
    use crate::picker::{Deadlines, Decision, JudgeName, Reason, SearchControl};
    use crate::platform::Instant;
    use crate::score::Score;
    use crate::weights::Weighting;

    fn position(board: Board) -> WeightedPosition {
        WeightedPosition::new(board, Weighting::default())
    }

    #[test]
    fn a_table_that_the_system_has_cut_is_kept() {
        let mut picker = AlphaBeta::default();
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        board.play(Size::FIFTEEN.centre());
        let mut table = || {
            let limits = Limits { depth: Some(1), memory: Some(1 << 50), ..Limits::default() };
            picker.pick(&mut position(board.clone()), &limits);
            picker.table.clone().unwrap()
        };
        assert!(Arc::ptr_eq(&table(), &table()));
    }

    #[test]
    fn searches_that_are_compared_reach_their_depth_under_the_clock_of_a_game() {
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        ["7,7", "6,6", "8,4"].iter().for_each(|point| board.play(parse_comma(point).unwrap()));
        let seconds = |count| Some(Duration::from_secs(count));
        let clock = Arc::new(SearchControl::since(Instant::now() - Duration::from_secs(90)));
        clock.set_deadlines(Deadlines { soft: seconds(100), hard: seconds(400) });
        // How early the best move is stable depends on the evaluation, and that of the networks changes.
        let evaluation = Evaluation { name: JudgeName::Classical, ..Evaluation::default() };
        let depth = |control: &Arc<SearchControl>| {
            let limits = Limits { depth: Some(6), control: Arc::clone(control), evaluation, ..Limits::default() };
            let choice = AlphaBeta::default().pick(&mut position(board.clone()), &limits).unwrap();
            choice.reason.searched().unwrap().1
        };
        let compared = Arc::new(SearchControl::comparison(Arc::clone(&clock)));
        assert!(depth(&clock) < 6, "a stable move saves time");
        assert_eq!(depth(&compared), 6);
    }

    #[test]
    fn a_long_search_reports_soon() {
        // A proof of continuous threats takes more than a minute here.
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        ["7,7", "7,6", "6,5", "6,6", "8,6", "7,5", "8,4", "9,5"]
            .iter()
            .for_each(|point| board.play(parse_comma(point).unwrap()));
        let control = Arc::new(SearchControl::default());
        control.set_deadlines(Deadlines::within(Duration::from_secs(3600)));
        let limits = Limits { control: Arc::clone(&control), ..Limits::default() };
        let mut first = None;
        AlphaBeta::default().answer(Question::Move { lines: 1 }, &mut position(board), &limits, &mut |_| {
            first.get_or_insert(control.elapsed());
            control.stop();
        });
        assert!(first.unwrap() < Duration::from_secs(10), "{first:?}");
    }

    #[test]
    fn the_last_report_holds_the_move_of_an_unfinished_iteration_and_of_a_vote() {
        let mut picker = AlphaBeta::default();
        let moves = ["7,7", "6,6", "8,4", "9,7", "6,8", "5,5", "4,4", "8,8", "7,9"];
        let searches = [(1, 1000), (1, 1500), (1, 2000), (1, 3000), (1, 4000), (4, 4000)];
        for (count, (threads, nodes)) in (2..moves.len()).flat_map(|count| searches.map(|search| (count, search))) {
            let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
            moves[..count].iter().for_each(|point| board.play(parse_comma(point).unwrap()));
            let limits = Limits { nodes: Some(nodes), threads, ..Limits::default() };
            let mut last = None;
            let question = Question::Move { lines: count % 2 };
            let answer =
                picker.answer(question, &mut position(board.clone()), &limits, &mut |report| last = Some(report));
            let Some(Report::Search(info)) = last else { panic!("no report") };
            let Some(Decision::Move(point)) = answer.map(|answer| answer.decision) else { panic!("no move") };
            assert_eq!(info.lines[0].points[0], point, "{board}");
            assert!(board.is_empty(point));
            // What several threads finish depends on their speed.
            assert!(threads > 1 || info.lines[0].points.len() > 1, "{board}");
        }
    }

    #[test]
    fn black_plays_near_the_stones_if_every_answer_to_an_open_four_is_forbidden() {
        let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
        let mut place = |x, y, color| {
            board.set_turn(color);
            board.play(Point::new(x, y).unwrap());
        };
        // White's three has these answers, each of which would make a row of six.
        for x in [4, 8, 9] {
            [4, 5, 6, 8, 9].iter().for_each(|&y| place(x, y, Color::Black));
            [3, 10].iter().for_each(|&y| place(x, y, Color::White));
        }
        place(3, 7, Color::Black);
        [5, 6, 7].iter().for_each(|&x| place(x, 7, Color::White));
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let choice = AlphaBeta::default().pick(&mut position(board.clone()), &limits).unwrap();
        assert!(tactics::near(&board).contains(choice.point), "{choice:?}");
        assert!(!board.is_forbidden(choice.point, Color::Black));
    }

    #[test]
    fn black_plays_near_the_stones_if_the_block_of_a_five_is_forbidden() {
        let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
        // At 8,7 black would make two fours.
        let moves = "3,7 4,7 8,4 5,7 8,5 6,7 8,6 7,7 5,4 0,14 6,5 14,14 7,6 14,0";
        moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        let choice = AlphaBeta::default().pick(&mut position(board.clone()), &Limits::default()).unwrap();
        assert!(matches!(choice.reason, Reason::Search { score, .. } if score == Score::loss_at(2)), "{choice:?}");
        assert!(tactics::near(&board).contains(choice.point) && !board.is_forbidden(choice.point, Color::Black));
    }

    #[test]
    fn the_five_of_a_win_by_threats_comes_after_its_last_fours() {
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        // The fork at 7,7 makes three open threes, which no stone meets: a four follows, then the five.
        let moves = "6,7 8,9 8,7 6,9 7,9 0,0 7,10 0,14";
        moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let choice = AlphaBeta::default().pick(&mut position(board), &limits).unwrap();
        assert!(matches!(choice.reason, Reason::Search { score, .. } if score == Score::win_at(5)), "{choice:?}");
    }

    #[test]
    fn nothing_is_carried_over_from_games_on_other_boards() {
        let mut veteran = AlphaBeta::default();
        let limits = || Limits { depth: Some(4), ..Limits::default() };
        for (rule, side) in [(Rule::Freestyle, 15), (Rule::Freestyle, 20), (Rule::Standard, 20), (Rule::Freestyle, 15)]
        {
            let mut board = Board::new(Size::new(side).unwrap(), rule);
            ["11,7", "13,7", "12,8", "10,9", "14,6", "11,6"]
                .iter()
                .for_each(|point| board.play(parse_comma(point).unwrap()));
            let mut position = position(board);
            let new = AlphaBeta::default().pick(&mut position, &limits());
            assert_eq!(veteran.pick(&mut position, &limits()), new, "{rule:?} {side}");
        }
    }
}
