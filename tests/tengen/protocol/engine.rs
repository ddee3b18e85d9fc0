//! [`Engine`]: the engine under test, and the scripted pickers of the tests.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tengen::board::{Board, Color, Point, Rule, Size};
use tengen::notation::{Comma, Letters, Ranks, parse_comma};
use tengen::picker::{Answer, Choice, Greedy, Limits, Line, Picker, PickerName, Question, Reason, Report, SearchInfo};
use tengen::protocol::{self, Settings, Setup};
use tengen::weights::WeightedPosition;

/// Longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Longer than [`PATIENCE`]: a test that waits for all of it fails.
const FOR_EVER: Duration = Duration::from_secs(600);

/// The report of a scripted picker.
pub(super) const SEARCHING: &str = "MESSAGE depth 0-0 ev 0 n 0 n/ms 0 tm 0 pv";

/// The engines that ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Greedy,
    Search,
    /// The searching engine with the tree search.
    Mcts,
    Cube,
}

impl Program {
    /// The binary.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Greedy => env!("CARGO_BIN_EXE_pbrain-tengen"),
            Self::Search | Self::Mcts => env!("CARGO_BIN_EXE_pbrain-tengen-search"),
            Self::Cube => env!("CARGO_BIN_EXE_tengen-cube"),
        }
    }

    /// The arguments that select its picker.
    fn arguments(self) -> &'static [&'static str] {
        if self == Self::Mcts { &["--picker", "mcts"] } else { &[] }
    }

    /// The setting that ends a search after some milliseconds, for tests in which any move will do.
    pub(crate) fn limit(self) -> Option<&'static str> {
        match self {
            Self::Greedy => None,
            Self::Search | Self::Cube => Some("INFO max_node 500"),
            Self::Mcts => Some("INFO max_node 60"),
        }
    }

    /// The number of repetitions. A searching engine takes longer and does a tenth.
    pub(super) fn times(self, often: usize) -> usize {
        if self == Self::Greedy { often } else { often.div_ceil(10) }
    }
}

/// Runs a case for both engines of the flat board, and for the searching one with each of its pickers.
pub(super) fn both(case: impl Fn(Program)) {
    for program in [Program::Greedy, Program::Search, Program::Mcts] {
        // Printed so that a failure names the engine.
        let run = std::panic::AssertUnwindSafe(|| case(program));
        assert!(std::panic::catch_unwind(run).is_ok(), "{program:?}");
    }
}

/// An engine under test. [`end`](Self::end) and [`close`](Self::close) end it and assert that the test has read
/// everything the engine wrote.
pub(super) struct Engine {
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
    host: Host,
}

enum Host {
    /// A process, and the text it writes to stderr.
    Process(Child, Option<JoinHandle<String>>),
    /// A thread of this process.
    Thread(Option<JoinHandle<io::Result<()>>>),
}

impl Engine {
    /// The real binary with a small node limit. The reports of its searches are filtered out.
    pub(super) fn spawn(program: Program) -> Self {
        let mut engine = Self::bare(program);
        program.limit().into_iter().for_each(|limit| engine.send(limit));
        engine
    }

    /// The real binary without any setting. The reports of its searches are filtered out.
    pub(super) fn bare(program: Program) -> Self {
        Self::start(Self::command(program, &[]), |line| !is_report(line))
    }

    /// The real binary with arguments. The test reads every line it writes.
    pub(super) fn spawn_with(program: Program, arguments: &[&str]) -> Self {
        Self::start(Self::command(program, arguments), |_| true)
    }

    fn command(program: Program, arguments: &[&str]) -> Command {
        let mut command = Command::new(program.path());
        command.args(program.arguments()).args(arguments).env_remove("RUST_LOG");
        command
    }

    /// A separate process with a scripted picker: this test binary, started as an engine.
    pub(super) fn spawn_picker(behaviour: Behaviour) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "protocol::engine::be_an_engine", "--ignored", "--nocapture", "--quiet"]);
        command.env(BEHAVIOUR, behaviour.name());
        let engine = Self::start(command, |_| true);
        while engine.line() != "running 1 test" {}
        engine
    }

    fn start(mut command: Command, is_read: fn(&str) -> bool) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8(line).expect("output is ASCII");
                if is_read(&line) && sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut errors = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        let input = child.stdin.take().unwrap();
        Self { input: Some(Box::new(input)), lines, host: Host::Process(child, Some(errors)) }
    }

    /// The protocol in this process, with a scripted picker.
    pub(super) fn inside(behaviour: Behaviour) -> Self {
        let (input, bytes) = mpsc::channel();
        let (output, lines) = mpsc::channel();
        let run = move || protocol::run(BytesIn { bytes, rest: Vec::new() }, LinesOut(output), behaviour.setup());
        let host = Host::Thread(Some(thread::spawn(run)));
        Self { input: Some(Box::new(BytesOut(input))), lines, host }
    }

    /// The id of the process.
    pub(super) fn id(&self) -> u32 {
        match &self.host {
            Host::Process(child, _) => child.id(),
            Host::Thread(_) => std::process::id(),
        }
    }

    /// Sends a signal to the process.
    pub(super) fn send_signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.id().to_string()]).status().unwrap().success());
    }

    /// Sends bytes unchanged.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    /// Sends lines. The last line may lack its end.
    pub(super) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// The next line of output.
    pub(super) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine writes a line")
    }

    /// The next line of output, if it comes within this time.
    pub(super) fn line_within(&self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// Sends lines and returns one line of output.
    pub(super) fn ask(&mut self, lines: &str) -> String {
        self.send(lines);
        self.line()
    }

    /// Sends lines and asserts that this line answers them.
    pub(super) fn expect(&mut self, lines: &str, answer: &str) {
        assert_eq!(self.ask(lines), answer, "the answer to {lines}");
    }

    /// Sends lines and asserts that one ERROR line answers them.
    pub(super) fn expect_error(&mut self, lines: &str) {
        let answer = self.ask(lines);
        assert!(answer.starts_with("ERROR "), "the answer to {lines}: {answer}");
    }

    /// Sends lines and returns the move that answers them.
    pub(super) fn ask_move(&mut self, lines: &str) -> Point {
        let answer = self.ask(lines);
        read_move(&answer).unwrap_or_else(|| panic!("the answer to {lines}: {answer}"))
    }

    /// The next line of output, which must be a move.
    pub(super) fn take_move(&self) -> Point {
        let line = self.line();
        read_move(&line).unwrap_or_else(|| panic!("a move, not {line}"))
    }

    /// The next line of output that is not a message.
    pub(super) fn answer(&self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with("MESSAGE ") {
                return line;
            }
        }
    }

    /// Sends lines and asserts that they are not answered: the next output answers the ABOUT that follows them.
    pub(super) fn expect_silence(&mut self, lines: &str) {
        let answer = self.ask(&format!("{lines}\nABOUT"));
        assert!(answer.starts_with("name="), "the answer to {lines}: {answer}");
    }

    /// Sends END and waits for the end of the process. Returns the time it took.
    pub(super) fn end(mut self) -> Duration {
        let sent = Instant::now();
        self.send("END");
        self.finish();
        sent.elapsed()
    }

    /// Closes the input and waits for the end of the process. Returns the output written meanwhile.
    pub(super) fn close(mut self) -> Vec<String> {
        self.input = None;
        self.finish_with_rest()
    }

    /// Waits for the end and asserts that nothing more was written.
    pub(super) fn finish(&mut self) {
        let rest = self.finish_with_rest();
        assert_eq!(rest, [""; 0], "output that no command asked for");
    }

    fn finish_with_rest(&mut self) -> Vec<String> {
        let status = self.wait();
        if let Some(status) = status {
            assert_eq!(status.code(), Some(0), "{status}");
        }
        if let Host::Process(_, errors) = &mut self.host {
            assert_eq!(errors.take().unwrap().join().unwrap(), "", "stderr stays empty");
        }
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push(line);
        }
        rest
    }

    /// Waits for the end. Returns the exit status if the engine is a process.
    pub(super) fn wait(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + PATIENCE;
        match &mut self.host {
            Host::Process(child, _) => loop {
                if let Some(status) = child.try_wait().unwrap() {
                    return Some(status);
                }
                assert!(Instant::now() < deadline, "the engine ends");
                thread::sleep(Duration::from_millis(1));
            },
            Host::Thread(thread) => {
                let thread = thread.take().expect("it ends once");
                while !thread.is_finished() {
                    assert!(Instant::now() < deadline, "the engine ends");
                    thread::sleep(Duration::from_millis(1));
                }
                thread.join().expect("the protocol does not panic").unwrap();
                None
            }
        }
    }

    /// The peak memory of the process, in bytes.
    #[cfg(target_os = "linux")]
    pub(super) fn peak_memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Host::Process(child, _) = &mut self.host {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Whether a line is a search report: a depth, one of the best moves, or the drawing commands for a board.
fn is_report(line: &str) -> bool {
    ["MESSAGE depth ", "MESSAGE rank ", "MESSAGE REALTIME "].into_iter().any(|head| line.starts_with(head))
}

/// Parses a move as the strictest manager does: digits, a comma, digits, and nothing else.
pub(super) fn read_move(line: &str) -> Option<Point> {
    let (x, y) = line.split_once(',')?;
    let is_number = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(x) && is_number(y) { parse_comma(line).ok() } else { None }
}

/// The stones of a record such as `h8h9i8`: black first, in turn, ranks from the top as the Gomocup judge counts them.
pub(super) fn record(text: &str) -> Vec<Point> {
    Letters::new(Size::new(Size::MAX).unwrap()).counted_from(Ranks::Top).parse_moves(text).unwrap()
}

/// A record as a BOARD command with the engine to move: the last stone is the opponent's.
pub(super) fn board_of(record: &[Point]) -> String {
    let owner = |index: usize| if (record.len() - index) % 2 == 1 { 2 } else { 1 };
    let line = |(index, point): (usize, &Point)| format!("{},{}\n", Comma(*point), owner(index));
    format!("BOARD\n{}DONE", record.iter().enumerate().map(line).collect::<String>())
}

/// The board after a record.
pub(super) fn played(record: &[Point], size: Size, rule: Rule) -> Board {
    let mut board = Board::new(size, rule);
    record.iter().for_each(|&point| board.play(point));
    board
}

/// The stones of a board as a BOARD command, one color being the engine's. Black stones come first.
pub(super) fn board_lines(board: &Board, engine: Color) -> String {
    let lines = |color| {
        let field = if color == engine { 1 } else { 2 };
        board.stones(color).iter().map(move |point| format!("{},{field}\n", Comma(point))).collect::<String>()
    };
    format!("BOARD\n{}{}DONE", lines(Color::Black), lines(Color::White))
}

/// The behaviour of a scripted picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// Searches until it is stopped or its soft deadline has passed.
    Patient,
    /// Reports (0,0) as its best point and ignores stop and deadlines.
    Hang,
    /// Panics.
    Panic,
    /// Returns a point that is taken or off the board.
    Illegal,
    /// Returns without a point.
    Nothing,
    /// Is instant, and panics.
    PanicAtOnce,
}

impl Behaviour {
    const ALL: [Self; 6] = [Self::Patient, Self::Hang, Self::Panic, Self::Illegal, Self::Nothing, Self::PanicAtOnce];

    fn name(self) -> String {
        format!("{self:?}")
    }

    /// A session with such a picker in place of the search.
    pub(super) fn setup(self) -> Setup {
        let picker = move |name| match name {
            PickerName::Search => Box::new(TestPicker(self)) as Box<dyn Picker>,
            name => name.build(),
        };
        let settings = Settings { picker: PickerName::Search, ..Settings::default() };
        Setup { pickers: Rc::new(picker), ..Setup::new(settings, Instant::now()) }
    }
}

struct TestPicker(Behaviour);

impl Picker for TestPicker {
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        let greedy = |position: &mut WeightedPosition| Greedy.answer(question, position, limits, &mut |_| {});
        let choice = |point| Some(Choice { point, reason: Reason::Centre, nodes: 1 }.into());
        let control = &limits.control;
        match self.0 {
            Behaviour::Patient => {
                report(Report::Search(SearchInfo { lines: vec![Line::default()], ..SearchInfo::default() }));
                while !control.must_stop() && control.soft().is_none_or(|soft| control.elapsed() < soft) {
                    thread::sleep(Duration::from_micros(200));
                }
                greedy(position)
            }
            Behaviour::Hang => {
                control.set_best(Point::new(0, 0)?);
                report(Report::Search(SearchInfo { lines: vec![Line::default()], ..SearchInfo::default() }));
                thread::sleep(FOR_EVER);
                greedy(position)
            }
            Behaviour::Panic | Behaviour::PanicAtOnce => panic!("a picker of the tests"),
            Behaviour::Illegal => choice(position.board().stones(Color::Black).iter().next().or(Point::new(31, 31))?),
            Behaviour::Nothing => None,
        }
    }

    fn is_instant(&self) -> bool {
        self.0 == Behaviour::PanicAtOnce
    }
}

/// The environment variable that turns this test binary into an engine.
const BEHAVIOUR: &str = "TENGEN_TEST_PICKER";

/// The process of [`Engine::spawn_picker`] rather than a test. It does nothing unless its variable is set.
#[test]
#[ignore = "an engine for other tests"]
fn be_an_engine() {
    let Ok(name) = std::env::var(BEHAVIOUR) else { return };
    let behaviour = Behaviour::ALL.into_iter().find(|behaviour| behaviour.name() == name).unwrap();
    protocol::run(io::stdin(), io::stdout(), behaviour.setup()).unwrap();
    std::process::exit(0);
}

/// Bytes received through a channel. A closed channel is the end of the input.
struct BytesIn {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for BytesIn {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.bytes.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct BytesOut(Sender<Vec<u8>>);

impl Write for BytesOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Accepts lines and asserts that each line is written in one call.
struct LinesOut(Sender<String>);

impl Write for LinesOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).unwrap();
        let line = text.strip_suffix('\n').expect("a write is a line");
        assert!(!line.contains(['\n', '\r']), "a write is one line: {line:?}");
        self.0.send(line.into()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
