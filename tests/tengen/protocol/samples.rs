//! The transcripts of protocol-samples, replayed through the real binary.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tengen::board::Point;
use tengen::notation::parse_comma;

use super::engine::{Engine, Program, both, read_move};
use super::library::write_library;
use crate::tune::Folder;

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-samples")
}

/// The board state that the lines of a session reveal.
pub(crate) trait Seen {
    /// Applies a sent line to the board state.
    fn note(&mut self, line: &str);
    /// Applies a written line if it is a move. Returns whether it is one.
    fn play(&mut self, answer: &str) -> bool;
    /// Whether the text is a move to an empty place.
    fn is_free(&self, text: &str) -> bool;
}

/// The points taken, and the board size.
#[derive(Default)]
struct SeenPoints {
    taken: BTreeSet<Point>,
    side: u8,
}

/// The beginning of the message that a search prints once if no time was set.
const NO_TIME: &str = "MESSAGE no time is set: ";

/// Stands for a folder with the files of [`write_library`].
const FOLDER: &str = "{folder}";

/// Ends the running search.
const SOON: &str = "INFO timeout_turn 100";

/// The keys that limit a search.
const BOUNDS: [&str; 5] = ["timeout_turn", "timeout_match", "time_left", "max_node", "max_depth"];

/// A session during its replay.
struct Replay {
    engine: Option<Engine>,
    seen: Box<dyn Seen>,
    last: String,
    /// The line sent after the first one, and, if the session sets no time, after the message about that. It affects
    /// only the time of answers.
    limit: Option<&'static str>,
    /// Whether the session sets a time or another limit.
    is_timed: bool,
    /// Whether the engine has reported that no time is set.
    is_told_of_time: bool,
    /// Lines written before the engine ended. Afterwards the engine cannot be asked.
    rest: Option<Vec<String>>,
}

impl Replay {
    fn step(&mut self, line: &str) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        if line == "-- closed" {
            let mut rest = self.engine.take().unwrap().close();
            rest.reverse();
            self.rest = Some(rest);
        } else if line == "-- ends" {
            match (self.engine.take(), &self.rest) {
                (Some(mut engine), _) => engine.finish(),
                (None, rest) => assert_eq!(rest.as_deref(), Some(&[] as &[String])),
            }
        } else if let Some(text) = line.strip_prefix("->") {
            let text = text.strip_prefix(' ').unwrap_or(text).replace("{last}", &self.last);
            self.seen.note(&text);
            self.engine.as_mut().unwrap().send(&text);
            if self.is_timed {
                self.send_limit();
            }
        } else if let Some(text) = line.strip_prefix("=> ") {
            let bytes = unescape(text);
            String::from_utf8_lossy(&bytes).split(['\r', '\n']).for_each(|line| self.seen.note(line));
            self.engine.as_mut().unwrap().send_bytes(&bytes);
            if bytes.ends_with(b"\n") && self.is_timed {
                self.send_limit();
            }
        } else if let Some(pattern) = line.strip_prefix("<- ") {
            let mut answer = self.answer();
            if answer.starts_with(NO_TIME) {
                assert!(!self.is_timed && !self.is_told_of_time, "{answer}");
                self.is_told_of_time = true;
                if self.engine.is_some() {
                    self.engine.as_mut().unwrap().send(SOON);
                    self.send_limit();
                }
                answer = self.answer();
            }
            self.check(pattern, &answer);
        } else {
            panic!("a line of unknown kind");
        }
    }

    /// The next line of the engine.
    fn answer(&mut self) -> String {
        match (&self.engine, &mut self.rest) {
            (Some(engine), _) => engine.line(),
            (None, rest) => rest.as_mut().and_then(Vec::pop).expect("another answer"),
        }
    }

    fn send_limit(&mut self) {
        if let Some(limit) = self.limit.take() {
            self.engine.as_mut().unwrap().send(limit);
        }
    }

    fn check(&mut self, pattern: &str, answer: &str) {
        let (pattern, except) = pattern.split_once(" except ").unwrap_or((pattern, ""));
        assert_ne!(answer, except);
        let fits = pattern.split(" | ").any(|pattern| {
            let mut words = answer.split(' ');
            match pattern {
                "{about}" => answer.starts_with("name=\""),
                "{error}" => answer.starts_with("ERROR "),
                _ => {
                    pattern.split(' ').all(|expected| match (expected, words.next()) {
                        ("{move}", Some(word)) => self.seen.is_free(word),
                        ("{number}", Some(word)) => word.parse::<u32>().is_ok(),
                        (expected, word) => word == Some(expected),
                    }) && words.next().is_none()
                }
            }
        });
        assert!(fits, "expected {pattern}, not {answer}");
        if self.seen.play(answer) {
            self.last = answer.to_owned();
        }
    }
}

impl Seen for SeenPoints {
    fn note(&mut self, line: &str) {
        let upper = line.trim().to_ascii_uppercase();
        let (word, rest) = upper.split_once(' ').unwrap_or((&upper, ""));
        match word {
            "START" | "RECTSTART" => {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                self.side = digits.parse().unwrap_or(self.side);
                self.taken.clear();
            }
            "RESTART" | "BOARD" | "YXBOARD" | "OPENBOARD" => self.taken.clear(),
            "TAKEBACK" => _ = parse_comma(rest).map(|point| self.taken.remove(&point)),
            "TURN" => self.taken.extend(parse_comma(rest)),
            _ => {
                let (point, field) = match upper.match_indices(',').nth(1) {
                    Some((comma, _)) => (&upper[..comma], upper[comma + 1..].trim()),
                    None => (upper.as_str(), "1"),
                };
                // A line with another field places no stone.
                if !["1", "2", "3"].contains(&field) {
                    return;
                }
                self.taken.extend(parse_comma(point));
            }
        }
    }

    fn play(&mut self, answer: &str) -> bool {
        self.taken.extend(read_move(answer));
        read_move(answer).is_some()
    }

    fn is_free(&self, text: &str) -> bool {
        let is_free = |point: Point| point.x() < self.side && point.y() < self.side && !self.taken.contains(&point);
        read_move(text).is_some_and(is_free)
    }
}

/// Bytes of a text in which `\r`, `\n`, `\t`, `\\` and `\xHH` are escapes.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        let (byte, length) = match escape.as_bytes().first() {
            Some(b'r') => (b'\r', 1),
            Some(b'n') => (b'\n', 1),
            Some(b't') => (b'\t', 1),
            Some(b'\\') => (b'\\', 1),
            Some(b'x') => (u8::from_str_radix(&escape[1..3], 16).expect("two digits"), 3),
            other => panic!("no escape: {other:?}"),
        };
        bytes.push(byte);
        rest = &escape[length..];
    }
    bytes.extend(rest.bytes());
    bytes
}

/// Replays a transcript through the binary of a program. Returns whether the engine has reported that no time is set.
pub(crate) fn replay(program: Program, path: &Path, seen: Box<dyn Seen>) -> bool {
    let text = std::fs::read_to_string(path).unwrap();
    // A session that names the folder has a library in it.
    let files = text.contains(FOLDER).then(Folder::new);
    let text = files.iter().fold(text, |text, Folder(path)| {
        write_library(path);
        text.replace(FOLDER, path.to_str().unwrap())
    });
    assert!(text.starts_with("# "), "{}: say why it exists", path.display());
    assert!(text.contains("-- ends"), "{}: it ends", path.display());
    let engine = Some(Engine::bare(program));
    let lower = text.to_lowercase();
    // The cube has no message about time.
    let is_timed = program == Program::Cube || BOUNDS.iter().any(|key| lower.contains(&format!("info {key} ")));
    let (last, limit) = (String::new(), program.limit());
    let mut replay = Replay { engine, seen, last, limit, is_timed, is_told_of_time: false, rest: None };
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{}:{number}: {line}", path.display());
        // Whoever reads a failed replay needs its place first.
        let step = std::panic::AssertUnwindSafe(|| replay.step(line));
        if std::panic::catch_unwind(step).is_err() {
            panic!("{place}");
        }
    }
    replay.is_told_of_time
}

#[test]
fn every_transcript_is_played_as_it_is_written() {
    let (mut count, told) = (0, Mutex::new(BTreeSet::new()));
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            both(|program| {
                if replay(program, &path, Box::<SeenPoints>::default()) {
                    assert_ne!(program, Program::Greedy);
                    told.lock().unwrap().insert(path.clone());
                }
            });
            count += 1;
        }
    }
    assert!(count >= 20, "{count} transcripts");
    let page = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let sentence = format!("{} of the {count} samples are such sessions", told.lock().unwrap().len());
    assert!(page.contains(&sentence), "{sentence}: {told:?}");
}

#[test]
#[cfg(target_os = "linux")] // macOS has an older bash.
fn two_engines_play_to_a_five_under_every_rule() {
    let output = std::process::Command::new("bash")
        .arg(folder().join("self-play.sh"))
        .arg(env!("CARGO_BIN_EXE_pbrain-tengen"))
        .output()
        .unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    assert_eq!(text.matches(" wins ").count(), 6, "{text}");
    assert_eq!(errors, "");
}
