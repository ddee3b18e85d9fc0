//! The player with scripted pickers. No test waits for a deadline: the time is an argument of `poll`.

mod abandoned;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};

use super::guard::{HARD_GRACE, STOP_GRACE};
use super::*;
use crate::board::Point;
use crate::notation::parse_comma;
use crate::opening::{ProcedureAnswer, ProcedureQuestion, ThreeStones};
use crate::picker::{Choice, Decision, Evaluation, Greedy, Reason};

/// Longer than any event takes, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The behaviour of a scripted picker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Reports a depth and answers this point.
    Answer(&'static str),
    /// Gives the same answer, from [`Picker::is_instant`] on.
    Instant(&'static str),
    /// Answers a question of an opening procedure.
    Opening(ProcedureAnswer),
    Nothing,
    /// Plays a stone on the board and panics.
    Panic,
    /// Does the same and reports itself as instant.
    InstantPanic,
    /// Reports h8 as its best point and ignores stop and deadlines until released.
    Hang,
    /// Searches until it is stopped or its hard deadline has passed.
    Obey,
}

struct Scripted {
    /// Number of pickers built before this one; its answers report it as their node count.
    number: u64,
    script: Script,
    scene: Arc<Scene>,
}

/// The state shared by the pickers of one player.
#[derive(Default)]
struct Scene {
    /// Ends every [`Script::Hang`].
    released: AtomicBool,
    cleared: AtomicBool,
    /// Size and rule of the last preload.
    preloaded: std::sync::Mutex<Option<(Size, Rule)>>,
}

impl Picker for Scripted {
    fn answer(
        &mut self,
        _: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        let choice = |name| Some(Choice { point: point(name), reason: Reason::Centre, nodes: self.number }.into());
        match self.script {
            Script::Answer(name) | Script::Instant(name) => {
                report(Report::Search(SearchInfo::default()));
                choice(name)
            }
            Script::Opening(answer) => {
                Some(Answer { decision: Decision::Opening(answer), reason: Reason::Rule, nodes: self.number })
            }
            Script::Nothing => None,
            Script::Panic | Script::InstantPanic => {
                position.play(position.greatest().unwrap());
                panic!("a picker of the tests")
            }
            Script::Hang => {
                limits.control.set_best(point("7,7"));
                report(Report::Search(SearchInfo::default()));
                while !self.scene.released.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                choice("0,0")
            }
            Script::Obey => {
                while !limits.control.must_stop() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                choice("0,0")
            }
        }
    }

    fn is_instant(&self) -> bool {
        matches!(self.script, Script::Instant(_) | Script::InstantPanic)
    }

    fn preload(&self, position: &WeightedPosition, _: Evaluation) {
        *self.scene.preloaded.lock().unwrap() = Some((position.board().size(), position.board().rule()));
    }

    fn clear(&mut self) {
        self.scene.cleared.store(true, Ordering::Relaxed);
    }
}

fn point(name: &str) -> Point {
    parse_comma(name).unwrap()
}

/// A player, its pickers' events, and the pickers' shared state. The n-th picker follows the n-th script; the last
/// script serves all later pickers.
struct Stage {
    player: Player,
    events: Receiver<Event>,
    scene: Arc<Scene>,
}

impl Stage {
    fn new(scripts: &[Script], make: impl FnOnce(PickerSource, EventSink) -> Player) -> Self {
        let (sender, events) = mpsc::channel();
        let scene = Arc::<Scene>::default();
        let player = make(source(scripts, &scene), Arc::new(move |event| _ = sender.send(event)));
        Self { player, events, scene }
    }

    fn threaded(scripts: &[Script]) -> Self {
        Self::new(scripts, Player::threaded)
    }

    fn inline(scripts: &[Script]) -> Self {
        Self::new(scripts, |source, _| Player::inline(source, Duration::from_millis(20)))
    }

    fn ask(&mut self, deadlines: Deadlines) -> Update {
        self.ask_about(Question::MOVE, &["7,8"], deadlines)
    }

    fn ask_about(&mut self, question: Question, stones: &[&str], deadlines: Deadlines) -> Update {
        let position = position(stones);
        self.player.ask(Request { question, position, limits: Limits::default(), deadlines }, &mut |_| {})
    }

    /// The update from the next event.
    fn next(&mut self) -> Update {
        let event = self.events.recv_timeout(PATIENCE).expect("the picker reports");
        self.player.handle(event)
    }

    /// Asks a question with time and returns its answer.
    fn answer(&mut self) -> Answer {
        let mut update = self.ask(Deadlines::NONE);
        loop {
            match update {
                Update::Answer(answer) => return answer.expect("the board has empty points"),
                Update::Unchanged | Update::Report(_) => update = self.next(),
            }
        }
    }

    /// Asks a picker that hangs and waits until it has reported its best point.
    fn hang(&mut self, deadlines: Deadlines) -> Instant {
        let before = Instant::now();
        assert_eq!(self.ask(deadlines), Update::Unchanged);
        assert!(matches!(self.next(), Update::Report(_)));
        before
    }

    fn release(&self) {
        self.scene.released.store(true, Ordering::Relaxed);
    }
}

/// A thread that hangs must end with its test.
impl Drop for Stage {
    fn drop(&mut self) {
        self.release();
    }
}

fn source(scripts: &[Script], scene: &Arc<Scene>) -> PickerSource {
    let (scripts, scene) = (scripts.to_vec(), Arc::clone(scene));
    let mut number = 0;
    Box::new(move || {
        let script = *scripts.get(number).or(scripts.last()).unwrap();
        number += 1;
        Box::new(Scripted { number: number as u64 - 1, script, scene: Arc::clone(&scene) })
    })
}

fn position(stones: &[&str]) -> WeightedPosition {
    let mut position = WeightedPosition::new(Board::new(Size::FIFTEEN, Rule::Freestyle), Weighting::Shapes);
    stones.iter().for_each(|name| position.play(point(name)));
    position
}

/// The greedy picker's answer for the stones.
fn greedy(question: Question, stones: &[&str]) -> Answer {
    Greedy.answer(question, &mut position(stones), &Limits::default(), &mut |_| {}).unwrap()
}

fn played(update: &Update) -> Point {
    let Update::Answer(Some(answer)) = update else { panic!("no answer: {update:?}") };
    answer.choice().expect("a move").point
}

fn refuse(_: &str, _: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    Err(io::ErrorKind::WouldBlock.into())
}

const MINUTE: Deadlines = Deadlines::within(Duration::from_secs(60));

#[test]
fn a_picker_on_a_thread_reports_and_answers() {
    let mut stage = Stage::threaded(&[Script::Answer("2,2")]);
    assert_eq!(stage.ask(Deadlines::NONE), Update::Unchanged);
    assert!(stage.player.is_busy() && !stage.player.is_bounded());
    assert!(matches!(stage.next(), Update::Report(_)));
    assert_eq!(played(&stage.next()), point("2,2"));
    assert!(!stage.player.is_busy() && stage.player.is_bounded());
}

#[test]
fn the_same_picker_answers_every_question() {
    let mut stage = Stage::threaded(&[Script::Answer("2,2")]);
    assert_eq!([stage.answer().nodes, stage.answer().nodes], [0, 0]);
    assert!(!stage.scene.cleared.load(Ordering::Relaxed));
    stage.player.clear();
    assert_eq!(stage.answer().nodes, 0);
    assert!(stage.scene.cleared.load(Ordering::Relaxed));
}

#[test]
fn an_instant_picker_needs_no_thread() {
    let mut stage = Stage::threaded(&[Script::Instant("2,2")]);
    stage.player.spawn = refuse;
    for deadlines in [Deadlines::NONE, MINUTE, Deadlines::within(Duration::ZERO)] {
        assert_eq!(played(&stage.ask(deadlines)), point("2,2"));
    }
}

#[test]
fn without_time_the_greedy_picker_answers_and_the_picker_is_kept() {
    let mut stage = Stage::threaded(&[Script::Answer("2,2")]);
    stage.player.spawn = refuse;
    let update = stage.ask(Deadlines::within(Duration::ZERO));
    assert_eq!(update, Update::Answer(Some(greedy(Question::MOVE, &["7,8"]))));
    stage.player.spawn = platform::spawn;
    assert_eq!(stage.answer().nodes, 0);
}

#[test]
fn without_time_a_five_is_blocked_although_the_weights_prefer_a_six() {
    let mut board = Board::new(Size::FIFTEEN, Rule::Standard);
    let moves = "3,0 3,2 4,0 4,2 6,0 5,2 7,0 6,2 8,0 12,12";
    moves.split(' ').for_each(|name| board.play(point(name)));
    let mut position = WeightedPosition::new(board, Weighting::Shapes);
    let six = Greedy.answer(Question::MOVE, &mut position, &Limits::default(), &mut |_| {});
    assert_eq!(played(&Update::Answer(six)), point("5,0"));
    let mut stage = Stage::threaded(&[Script::Answer("12,12")]);
    let deadlines = Deadlines::within(Duration::ZERO);
    let request = Request { question: Question::MOVE, position, limits: Limits::default(), deadlines };
    let block = played(&stage.player.ask(request, &mut |_| {}));
    assert!([point("2,2"), point("7,2")].contains(&block), "{block:?}");
}

#[test]
fn a_thread_that_the_system_refuses_costs_the_answer_and_not_the_game() {
    let mut stage = Stage::threaded(&[Script::Answer("2,2")]);
    stage.player.spawn = refuse;
    assert_eq!(stage.ask(MINUTE), Update::Answer(Some(greedy(Question::MOVE, &["7,8"]))));
    assert!(!stage.player.is_busy());
    stage.player.preload(Size::FIFTEEN, Rule::Renju, Weighting::Shapes, Evaluation::default());
    stage.player.spawn = platform::spawn;
    assert_eq!(stage.answer().choice().unwrap().point, point("2,2"));
}

#[test]
fn the_greedy_picker_answers_for_a_picker_that_fails() {
    let expected = greedy(Question::MOVE, &["7,8"]);
    for script in [Script::Panic, Script::Nothing, Script::Answer("7,8"), Script::Answer("14,15")] {
        assert_eq!(Stage::threaded(&[script]).answer(), expected);
        assert_eq!(Stage::inline(&[script]).answer(), expected);
    }
    assert_eq!(Stage::threaded(&[Script::InstantPanic]).answer(), expected);
}

#[test]
fn a_picker_that_has_panicked_is_not_asked_again() {
    for make in [Stage::threaded, Stage::inline] {
        let mut stage = make(&[Script::Panic, Script::Answer("2,2")]);
        stage.answer();
        assert_eq!(stage.answer().nodes, 1);
    }
}

#[test]
fn a_panic_leaves_no_stone_in_the_position_that_is_explained() {
    let mut stage = Stage::inline(&[Script::Panic]);
    stage.answer();
    let answered = stage.player.take_answered().unwrap();
    assert_eq!(answered.position.board().stone_count(), 1);
    assert!(stage.player.take_answered().is_none(), "the answer can be taken only once");
}

#[test]
fn a_picker_that_misses_its_hard_deadline_is_abandoned_with_its_best_point() {
    for (milliseconds, grace) in [(60_000, HARD_GRACE), (10_000, HARD_GRACE)] {
        let mut stage = Stage::threaded(&[Script::Hang]);
        let hard = Duration::from_millis(milliseconds);
        let before = stage.hang(Deadlines::within(hard));
        let wake_at = stage.player.wake_at().unwrap();
        assert!(wake_at >= before + hard + grace && wake_at < Instant::now() + hard + grace);
        assert_eq!(stage.player.poll(wake_at - Duration::from_millis(1)), Update::Unchanged);
        assert_eq!(played(&stage.player.poll(wake_at)), point("7,7"));
        assert_eq!(stage.player.wake_at(), None);
        assert_eq!(stage.player.poll(wake_at), Update::Unchanged);
    }
}

#[test]
fn the_grace_of_a_short_deadline_is_half_of_it() {
    let limits = Limits::default();
    let hard = Duration::from_millis(20);
    let guard = Guard::new(&limits, Deadlines::within(hard), limits.control.epoch());
    assert_eq!(guard.abandon_at(), Some(limits.control.epoch() + hard + hard / 2));
}

#[test]
fn a_picker_that_ignores_a_stop_is_abandoned_whatever_comes_after_the_stop() {
    let mut stage = Stage::threaded(&[Script::Hang]);
    stage.hang(Deadlines::NONE);
    assert_eq!(stage.player.wake_at(), None);
    let stopped = Instant::now();
    stage.player.stop(stopped);
    assert_eq!(stage.player.wake_at(), Some(stopped + STOP_GRACE));
    stage.player.stop(stopped + STOP_GRACE / 2);
    stage.player.set_deadlines(MINUTE, stopped + STOP_GRACE / 2);
    stage.player.set_deadlines(Deadlines::NONE, stopped + STOP_GRACE / 2);
    assert_eq!(stage.player.wake_at(), Some(stopped + STOP_GRACE));
    assert_eq!(played(&stage.player.poll(stopped + STOP_GRACE)), point("7,7"));
}

#[test]
fn a_stop_shortly_before_the_hard_deadline_does_not_extend_it() {
    let mut stage = Stage::threaded(&[Script::Hang]);
    stage.hang(MINUTE);
    let due = stage.player.wake_at().unwrap();
    stage.player.stop(due - STOP_GRACE / 2);
    assert_eq!(stage.player.wake_at(), Some(due));
}

#[test]
fn deadlines_can_be_moved_while_a_picker_runs() {
    let mut stage = Stage::threaded(&[Script::Hang]);
    stage.hang(MINUTE);
    let (due, now) = (stage.player.wake_at().unwrap(), Instant::now());
    stage.player.set_deadlines(Deadlines::within(Duration::from_secs(90)), now);
    assert_eq!(stage.player.wake_at(), Some(due + Duration::from_secs(30)));
    stage.player.set_deadlines(Deadlines::NONE, now);
    assert_eq!((stage.player.wake_at(), stage.player.is_bounded()), (None, false));
    // A deadline already passed acts as a stop.
    stage.player.set_deadlines(Deadlines::within(Duration::ZERO), now);
    assert_eq!((stage.player.wake_at(), stage.player.is_bounded()), (Some(now + STOP_GRACE), true));
}

#[test]
fn a_picker_that_obeys_answers_after_a_stop_and_at_its_deadline() {
    let mut stage = Stage::threaded(&[Script::Obey]);
    stage.ask(Deadlines::NONE);
    stage.player.stop(Instant::now());
    assert_eq!(played(&stage.next()), point("0,0"));
    stage.ask(Deadlines::within(Duration::from_millis(1)));
    assert_eq!(played(&stage.next()), point("0,0"));
}

#[test]
fn a_picker_that_returns_after_its_source_was_replaced_answers_and_is_dropped() {
    let mut stage = Stage::threaded(&[Script::Obey]);
    stage.ask(Deadlines::NONE);
    stage.player.set_source(source(&[Script::Answer("2,2")], &stage.scene));
    stage.player.stop(Instant::now());
    assert_eq!(played(&stage.next()), point("0,0"));
    assert_eq!(stage.answer().choice().unwrap().point, point("2,2"));
}

#[test]
fn a_new_question_drops_the_running_one_even_if_answered_at_once() {
    for deadlines in [Deadlines::within(Duration::ZERO), MINUTE] {
        let mut stage = Stage::threaded(&[Script::Obey]);
        assert_eq!(stage.ask(Deadlines::NONE), Update::Unchanged);
        let second = stage.ask(deadlines);
        assert_eq!(stage.player.is_busy(), second == Update::Unchanged);
        assert_eq!(stage.next(), Update::Unchanged, "the stopped picker's answer is dropped");
    }
}

/// The Swap2 question about these stones.
fn swap2(stones: &[&str]) -> Question {
    let color = if stones.len() == 3 { ProcedureQuestion::Choose } else { ProcedureQuestion::Decide };
    Question::Opening(if stones.is_empty() { ProcedureQuestion::Open(ThreeStones::Any) } else { color })
}

#[test]
fn the_weights_answer_swap2_if_the_picker_breaks_its_rules() {
    let three = ["7,7", "8,8", "9,7"];
    let five = ["7,7", "8,8", "9,7", "0,0", "7,8"];
    let stones = |points: &[&str]| ProcedureAnswer::Stones(points.iter().map(|name| point(name)).collect());
    let open = stones(&["0,0", "1,1", "2,2"]);
    let offer = |points: [&str; 2]| stones(&points);
    for (answer, stones, is_legal) in [
        (open, &[][..], true),
        (open, &three, false),
        (ProcedureAnswer::Swap, &[], false),
        (ProcedureAnswer::Swap, &three, true),
        (ProcedureAnswer::Swap, &five, true),
        (offer(["0,1", "1,1"]), &three, true),
        (offer(["0,1", "0,1"]), &three, false),
        (offer(["0,1", "7,7"]), &three, false),
        (offer(["0,1", "1,1"]), &five, false),
        (ProcedureAnswer::stone(point("0,1")), &[], false),
        (ProcedureAnswer::stone(point("0,1")), &five, true),
        (ProcedureAnswer::stone(point("7,7")), &five, false),
    ] {
        let mut stage = Stage::inline(&[Script::Opening(answer)]);
        let Update::Answer(Some(given)) = stage.ask_about(swap2(stones), stones, Deadlines::NONE) else {
            panic!("an answer")
        };
        let expected = if is_legal { Decision::Opening(answer) } else { greedy(swap2(stones), stones).decision };
        assert_eq!(given.decision, expected, "{answer:?} to {stones:?}");
    }
}

#[test]
fn swap2_is_never_answered_by_the_best_point_so_far() {
    for stones in [&[][..], &["0,0", "8,8", "9,7"]] {
        let mut stage = Stage::threaded(&[Script::Hang]);
        assert_eq!(stage.ask_about(swap2(stones), stones, MINUTE), Update::Unchanged);
        stage.next();
        let due = stage.player.wake_at().unwrap();
        assert_eq!(stage.player.poll(due), Update::Answer(Some(greedy(swap2(stones), stones))));
    }
}

#[test]
fn a_move_does_not_answer_swap2_nor_a_swap_a_move() {
    let mut stage = Stage::inline(&[Script::Answer("0,0")]);
    let update = stage.ask_about(swap2(&[]), &[], Deadlines::NONE);
    assert_eq!(update, Update::Answer(Some(greedy(swap2(&[]), &[]))));
    let mut stage = Stage::inline(&[Script::Opening(ProcedureAnswer::stone(point("0,0")))]);
    assert_eq!(stage.answer(), greedy(Question::MOVE, &["7,8"]));
}

#[test]
fn an_inline_question_without_any_limit_ends() {
    let mut stage = Stage::inline(&[Script::Obey]);
    assert_eq!(stage.answer().choice().unwrap().point, point("0,0"));
    assert!(stage.player.take_answered().is_some());
}

#[test]
fn a_full_board_has_no_answer() {
    for mut stage in [Stage::inline(&[Script::Nothing]), Stage::threaded(&[Script::Nothing])] {
        let mut position =
            WeightedPosition::new(Board::new(Size::new(Size::MIN).unwrap(), Rule::Freestyle), Weighting::Shapes);
        position.board().size().points().for_each(|point| position.play(point));
        let (limits, deadlines) = (Limits::default(), Deadlines::NONE);
        let request = Request { question: Question::MOVE, position, limits, deadlines };
        let update = match stage.player.ask(request, &mut |_| {}) {
            Update::Unchanged => stage.next(),
            update => update,
        };
        assert_eq!(update, Update::Answer(None));
    }
}

#[test]
fn a_preload_asks_the_pickers_in_use_for_their_tables() {
    let mut stage = Stage::threaded(&[Script::Instant("2,2")]);
    stage.player.spawn = |_, work| {
        work();
        Ok(())
    };
    stage.player.preload(Size::TWENTY, Rule::Caro, Weighting::Runs, Evaluation::default());
    assert_eq!(*stage.scene.preloaded.lock().unwrap(), Some((Size::TWENTY, Rule::Caro)));
}
