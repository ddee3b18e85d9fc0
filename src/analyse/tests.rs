use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::queue::QueryPosition;
use super::*;
use crate::board::{Color, Rule, Size};
use crate::eval::Networks;
use crate::eval::network::Weights;
use crate::library::source::SourceFile;
use crate::picker::Evaluation;
use crate::rng::Rng;

/// The answers to these lines, in the order in which they were written.
fn answers(workers: usize, lines: &[&str]) -> Vec<Value> {
    let mut output = Vec::new();
    analyst(workers).run(Cursor::new(lines.join("\n").into_bytes()), &mut output, || false).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn analyst(workers: usize) -> Analyst {
    Analyst {
        picker: PickerName::Search,
        weighting: Weighting::Shapes,
        limits: Limits { memory: Some(1 << 20), ..Limits::default() },
        time: None,
        workers: NonZeroUsize::new(workers).unwrap(),
    }
}

#[test]
fn a_query_is_answered_for_each_of_its_turns() {
    let lines = [r#"{"id":"a","rule":"renju","moves":"h8i9g9","turns":"all","nodes":300,"lines":2,"forbidden":true}"#];
    let mut found = answers(2, &lines);
    found.sort_by_key(|answer| answer["turn"].as_u64());
    let turns: Vec<_> = found.iter().map(|answer| answer["turn"].as_u64().unwrap()).collect();
    assert_eq!(turns, [0, 1, 2, 3]);
    assert_eq!((&found[0]["move"], &found[0]["reason"]), (&"h8".into(), &"centre".into()));
    let last = &found[3];
    assert_eq!((&last["side"], &last["is_final"]), (&"white".into(), &true.into()));
    assert_eq!(last["candidates"].as_array().unwrap().len(), 2);
    assert_eq!(last["candidates"][0]["move"], last["move"]);
    assert_eq!(last["candidates"][0]["line"][0], last["move"]);
    assert!(last["forbidden"].as_array().unwrap().is_empty() && last["nodes"].as_u64().unwrap() > 0, "{last}");
}

/// Twin: one worker, one query a run.
#[test]
fn answers_with_a_limit_of_nodes_depend_on_the_query_alone() {
    let lines: Vec<String> = (0..6)
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let mut moves = Vec::new();
            while moves.len() < 5 {
                let name = format!("{}{}", char::from(b'f' + rng.below(5) as u8), 6 + rng.below(5));
                if !moves.contains(&name) {
                    moves.push(name);
                }
            }
            let moves = moves.join(" ");
            format!(r#"{{"id":"{seed}","moves":"{moves}","nodes":400,"priority":{},"weights":true}}"#, seed % 3)
        })
        .collect();
    let without_time = |mut value: Value| {
        value.as_object_mut().unwrap().remove("time");
        value
    };
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut together: Vec<_> = answers(3, &lines).into_iter().map(without_time).collect();
    together.sort_by_key(|answer| answer["id"].as_str().map(str::to_owned));
    let alone: Vec<_> = lines.iter().flat_map(|line| answers(1, &[line])).map(without_time).collect();
    assert_eq!(together, alone);
}

#[test]
fn the_queue_gives_the_greatest_priority_first_then_the_first_one_asked() {
    let queue = Queue::default();
    for (id, priority) in [("a", 0), ("b", 5), ("c", -1), ("d", 5)] {
        let mut query = Query::new(id.to_owned(), Rule::Freestyle, Size::FIFTEEN, Vec::new());
        query.priority = priority;
        queue.add(query);
    }
    queue.close();
    let order: Vec<_> = std::iter::from_fn(|| queue.next()).map(|(job, _)| job.query.id.clone()).collect();
    assert_eq!(order, ["b", "d", "a", "c"]);
}

#[test]
fn an_id_is_free_again_once_all_its_positions_are_answered_or_cancelled() {
    let queue = Queue::default();
    let query = |id: &str| {
        let mut query = Query::new(id.to_owned(), Rule::Freestyle, Size::FIFTEEN, vec![Size::FIFTEEN.centre()]);
        query.turns = Turns::All;
        query
    };
    queue.add(query("a"));
    queue.add(query("b"));
    let (first, _) = queue.next().unwrap();
    assert_eq!((first.turn, first.board.stones(Color::Black).len()), (0, 0));
    assert!(!queue.finish(&first));
    let (second, control) = queue.next().unwrap();
    assert!(queue.has("a") && queue.has("b") && !queue.has("c"));
    assert_eq!((queue.cancel(Some("a"), &BTreeSet::from([1])).1, control.stopped()), (1, true));
    assert!(queue.finish(&second) && !queue.has("a"));
    assert_eq!((queue.cancel(Some("b"), &BTreeSet::from([1])).0.len(), queue.has("b")), (1, true));
    assert_eq!((queue.cancel(None, &BTreeSet::new()).0.len(), queue.has("b")), (1, false));
    // A board takes 3 KB.
    assert!(size_of::<QueryPosition>() <= 16);
}

/// An input that gives its lines one by one, each when the output has this many lines.
struct Paced {
    lines: Vec<(usize, &'static str)>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Read for Paced {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some((awaited, line)) = (!self.lines.is_empty()).then(|| self.lines.remove(0)) else { return Ok(0) };
        while self.written.lock().unwrap().iter().filter(|&&byte| byte == b'\n').count() < awaited {
            thread::sleep(Duration::from_millis(2));
        }
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// An output that the input can look at.
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_cancelled_query_ends_at_once_and_keeps_what_it_found() {
    let written = Arc::<Mutex<Vec<u8>>>::default();
    let lines = vec![
        (0, "{\"id\":\"long\",\"moves\":\"h8i9\",\"time\":60000,\"report_every\":1}\n"),
        (1, "{\"id\":\"next\",\"moves\":\"h8\",\"time\":60000}\n"),
        (1, "{\"id\":\"c\",\"action\":\"cancel\",\"query\":\"next\"}\n"),
        (3, "{\"id\":\"d\",\"action\":\"cancel\"}\n"),
    ];
    let input = Paced { lines, written: Arc::clone(&written) };
    let started = Instant::now();
    analyst(1).run(input, &mut Shared(Arc::clone(&written)), || false).unwrap();
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    let text = String::from_utf8(written.lock().unwrap().clone()).unwrap();
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&all[0]["id"], &all[0]["is_final"]), (&"long".into(), &false.into()), "{text}");
    let of = |id: &str| all.iter().rfind(|value| value["id"] == id).unwrap();
    assert_eq!((&of("next")["cancelled"], of("next").get("move")), (&true.into(), None));
    assert_eq!((&of("long")["cancelled"], &of("long")["is_final"]), (&true.into(), &true.into()));
    assert!(of("long")["candidates"].is_array(), "{text}");
    assert_eq!((&of("c")["positions"], &of("d")["positions"]), (&1.into(), &1.into()));
}

#[test]
fn a_wrong_field_is_named_and_the_next_line_is_answered() {
    let wrong = [
        ("{", None),
        ("[1]", None),
        (r#"{"moves":"h8"}"#, Some("id")),
        (r#"{"id":1}"#, Some("id")),
        (r#"{"id":"a","rule":"chess"}"#, Some("rule")),
        (r#"{"id":"a","size":4}"#, Some("size")),
        (r#"{"id":"a","size":33}"#, Some("size")),
        (r#"{"id":"a","moves":"h8 h8"}"#, Some("moves")),
        (r#"{"id":"a","moves":["h8",9]}"#, Some("moves")),
        (r#"{"id":"a","moves":"p1"}"#, Some("moves")),
        (r#"{"id":"a","turns":[1]}"#, Some("turns")),
        (r#"{"id":"a","turns":[]}"#, Some("turns")),
        (r#"{"id":"a","turns":"some"}"#, Some("turns")),
        (r#"{"id":"a","nodes":0}"#, Some("nodes")),
        (r#"{"id":"a","depth":-1}"#, Some("depth")),
        (r#"{"id":"a","time":"1"}"#, Some("time")),
        (r#"{"id":"a","lines":1000}"#, Some("lines")),
        (r#"{"id":"a","priority":0.5}"#, Some("priority")),
        (r#"{"id":"a","weights":1}"#, Some("weights")),
        (r#"{"id":"a","proof":"vcx"}"#, Some("proof")),
        (r#"{"id":"a","action":"sleep"}"#, Some("action")),
        (r#"{"id":"a","action":"cancel","turns":[]}"#, Some("turns")),
        (r#"{"id":"a","visits":4}"#, None),
    ];
    for (line, field) in wrong {
        let found = answers(1, &[line, r#"{"id":"v","action":"version"}"#]);
        assert_eq!(found[0]["field"].as_str(), field, "{line}: {}", found[0]);
        assert!(found[0]["error"].as_str().is_some_and(|text| !text.is_empty()), "{line}");
        assert_eq!(found[1]["version"], env!("CARGO_PKG_VERSION"), "{line}");
    }
    let all_left_out: Vec<_> = (1..=5).flat_map(|rank| ('a'..='e').map(move |file| format!("{file}{rank}"))).collect();
    let line = format!(r#"{{"id":"a","size":5,"left_out":"{}"}}"#, all_left_out.join(" "));
    assert_eq!(answers(1, &[&line])[0]["field"], "left_out");
    // One point was empty before the last of 25 moves: it must not be left out there, and may be on the full board.
    let moves = all_left_out.join(" ");
    let full = |turns: &str| format!(r#"{{"id":"a","size":5,"moves":"{moves}","left_out":"e5","turns":{turns}}}"#);
    assert_eq!(answers(1, &[&full("[24]")])[0]["field"], "left_out");
    assert_eq!(answers(1, &[&full("[25]")])[0]["field"], Value::Null);
}

#[test]
fn two_queries_of_one_id_are_not_in_flight_together() {
    let found = answers(1, &[r#"{"id":"a","moves":"h8","time":100}"#, r#"{"id":"a","moves":"h8"}"#]);
    assert_eq!((&found[0]["field"], &found[1]["is_final"]), (&"id".into(), &true.into()), "{found:?}");
}

#[test]
fn a_finished_game_and_a_proof_are_told() {
    let five = r#"{"id":"a","moves":"a1 b9 c1 d9 e1 f9 b1 h9 d1"}"#;
    let over = &answers(1, &[five])[0];
    assert_eq!((&over["over"]["winner"], over.get("move")), (&"black".into(), None), "{over}");
    let four = r#"{"id":"a","moves":"h8 a1 i8 a3 j8 a5","proof":"vcf","nodes":1000}"#;
    let proof = &answers(1, &[four])[0]["proof"];
    assert_eq!((&proof["result"], &proof["wins_in"]), (&"win".into(), &2.into()), "{proof}");
    let none = &answers(1, &[r#"{"id":"a","moves":"h8 i9","proof":"vct","nodes":100}"#])[0]["proof"];
    assert_eq!(none["kind"], "vct");
}

#[test]
fn random_lines_are_each_answered_with_one_error_or_as_a_query() {
    let mut rng = Rng::new(7);
    let words =
        ["{", "}", "\"id\"", ":", ",", "\"a\"", "1", "null", "[", "]", "\"moves\"", "\"h8\"", "-1e9", "\"depth\"", "é"];
    for _ in 0..300 {
        let line: String = (0..rng.below(14)).map(|_| words[rng.below(words.len())]).collect();
        let line = if line.is_empty() { "{}".to_owned() } else { line };
        assert_eq!(answers(1, &[&line, r#"{"id":"v","action":"version"}"#]).len(), 2, "{line}");
    }
}

#[test]
fn games_of_all_formats_become_queries() {
    let like = Query { turns: Turns::All, ..Query::new(String::new(), Rule::Renju, Size::FIFTEEN, Vec::new()) };
    let read = |text: &str| {
        let file = SourceFile { name: "f".to_owned(), bytes: text.as_bytes().to_vec(), is_member: false };
        queries_of(&file, &like)
    };
    let ids = |text: &str| {
        let of = |query: Query| (query.id, query.rule, query.size.side(), query.moves.len());
        read(text).unwrap().into_iter().map(of).collect::<Vec<_>>()
    };
    let of = |id: &str, rule, side, moves| (id.to_owned(), rule, side, moves);
    assert_eq!(ids("h8i9\n# a comment\nh8 i9 j10\n"), [of("f#1", Rule::Renju, 15, 2), of("f#2", Rule::Renju, 15, 3)]);
    assert_eq!(ids("(;GM[4]SZ[15]RU[freestyle];B[hh];W[ii])"), [of("f", Rule::Freestyle, 15, 2)]);
    assert_eq!(ids("Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,0\na.exe\nb.exe\n-1\n"), [of("f", Rule::Renju, 20, 2)]);
    for (text, part) in [
        ("", "expected games"),
        ("h8 h8", "line 1: move 2"),
        ("h8 zz", "expected games"),
        ("h8 i9\nh8 zz", "line 2"),
        ("h8 -- i9", "game 1: expected moves"),
        ("(;GM[4]SZ[15]AB[hh];W[ii])", "game 1: expected moves"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn a_rule_without_the_given_network_is_an_error() {
    let mut networks = Networks::none();
    networks.insert(Weights::from_bytes(&Networks::built_in().file(Rule::Renju).unwrap()).unwrap());
    let mut analyst = analyst(1);
    analyst.limits.evaluation = Evaluation { available: Box::leak(Box::new(networks)), ..Evaluation::default() };
    let lines = b"{\"id\":\"a\",\"nodes\":50}\n{\"id\":\"b\",\"rule\":\"renju\",\"nodes\":50}\n";
    let mut output = Vec::new();
    analyst.run(Cursor::new(lines), &mut output, || false).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains(r#""error":"--network was given without a network for freestyle","field":"rule","id":"a""#));
    assert!(text.contains(r#""id":"b""#) && text.lines().count() == 2, "{text}");
}

#[test]
fn a_depth_that_no_search_reaches_is_no_limit() {
    let (found_tx, found_rx) = mpsc::channel();
    // A search without any limit would not end.
    thread::spawn(move || found_tx.send(answers(1, &[r#"{"id":"a","moves":"h8i9","depth":100}"#])));
    let found = found_rx.recv_timeout(Duration::from_secs(60)).expect("the search ends");
    assert!(found[0]["move"].is_string(), "{found:?}");
}

#[test]
fn a_depth_that_no_search_reaches_leaves_the_limits_of_the_arguments() {
    let mut analyst = analyst(1);
    analyst.limits.nodes = Some(300);
    let mut output = Vec::new();
    analyst.run(Cursor::new(br#"{"id":"a","moves":"h8i9","depth":64}"#), &mut output, || false).unwrap();
    let answer: Value = serde_json::from_slice(&output).unwrap();
    assert!(answer["nodes"].as_u64().unwrap() < 2_000, "{answer}");
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_answered() {
    let long = format!(r#"{{"id":"a","moves":"{}"}}"#, " ".repeat(LONGEST_LINE as usize));
    let found = answers(1, &[&long, r#"{"id":"v","action":"version"}"#]);
    assert!(found.len() == 2 && found[1]["id"] == "v", "{found:?}");
    assert_eq!(found[0]["error"], "expected a line of at most 1048576 bytes");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let found = answers(1, &["\u{feff}{\"id\":\"a\",\"moves\":\"h8\",\"nodes\":50}"]);
    assert!(found[0]["move"].is_string(), "{found:?}");
}

#[test]
fn answers_about_games_come_in_the_order_of_their_positions() {
    let query = |id: &str, moves| Query {
        turns: Turns::All,
        nodes: Some(200),
        ..Query::new(id.to_owned(), Rule::Freestyle, Size::FIFTEEN, moves)
    };
    let moves = crate::notation::Letters::new(Size::FIFTEEN).parse_moves("h8 i9 g9 i7").unwrap();
    let queries = vec![query("b", moves[..2].to_vec()), query("a", moves)];
    let mut order = Vec::new();
    let write = &mut |value: &Value, done: usize, all: usize| {
        order.push((value["id"].as_str().unwrap().to_owned(), value["turn"].as_u64().unwrap()));
        assert_eq!((done, all), (order.len(), 8));
        Ok(())
    };
    analyst(3).answer_all(queries, write).unwrap();
    let expected = (0..3).map(|turn| ("b".to_owned(), turn)).chain((0..5).map(|turn| ("a".to_owned(), turn)));
    assert!(order.iter().cloned().eq(expected), "{order:?}");
}

#[test]
fn an_output_without_a_reader_ends_the_searches_left_after_the_input() {
    let line = "{\"id\":\"a\",\"moves\":\"h8\",\"time\":600000}\n";
    let started = Instant::now();
    let mut output = Vec::new();
    analyst(1).run(Cursor::new(line), &mut output, || true).unwrap();
    assert!(output.is_empty() && started.elapsed() < Duration::from_secs(30));
}

#[test]
fn an_output_that_fails_ends_the_run() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let line = "{\"id\":\"a\",\"moves\":\"h8\",\"time\":60000}\n{\"id\":\"v\",\"action\":\"version\"}\n";
    let started = Instant::now();
    let error = analyst(1).run(Cursor::new(line), &mut Broken, || false).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    assert!(started.elapsed() < Duration::from_secs(30));
}
