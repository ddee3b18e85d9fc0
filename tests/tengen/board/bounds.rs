//! Limits on the server memory one page can use, and on the time an idle connection is kept.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::{PATIENCE, Server, game};
use crate::arena::eventually;
use serde_json::json;

/// The maximum memory of a server with one page, in MiB: the program, two search tables and one message.
#[cfg(target_os = "linux")]
const MOST_MEMORY: u64 = 400;

/// Searches of different sizes, rules and pickers, so that each needs a new table.
#[test]
#[cfg(target_os = "linux")]
fn replaced_searches_do_not_pile_up() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let mut last = 0;
    for number in 0..500 {
        let picker = if number % 5 == 0 { "mcts" } else { "search" };
        let rule = ["freestyle", "renju", "standard"][number % 3];
        last = page.begin(
            "think",
            json!({
                "game": { "size": 15 + number % 4, "rule": rule, "moves": "7,7 8,8" },
                "who": { "picker": [picker, "shapes"] },
                "effort": { "time": 3_600_000 },
            }),
        );
        if number % 10 == 0 {
            let searches = server.threads("picker");
            assert!(searches <= 2, "{searches} searches after {number} questions");
        }
    }
    for id in 1..last {
        assert_eq!(page.end(id)["kind"], "given-up");
    }
    // The first report shows that the last search is running. Its answer is the best move so far.
    assert_eq!(page.line().unwrap()["kind"], "info");
    page.begin("stop", json!({}));
    assert_eq!(page.end(last)["kind"], "move");
    let peak = server.peak_memory();
    assert!(peak < MOST_MEMORY, "{peak} MiB");
}

#[test]
#[cfg(target_os = "linux")]
fn replaced_proofs_and_engines_do_not_pile_up() {
    let script = "name=slow cmd=sh -c 'while read -r a; do case $a in START*) echo OK;; END) exit;; esac; done'";
    let (name, command) = script.split_once(' ').unwrap();
    let server = Server::start(&["--engine", name, command, "tolerance=600000", "start=600000"]);
    let mut page = server.open();
    let who = json!({ "engine": "slow" });
    for number in 0..100 {
        if number % 2 == 0 {
            page.begin("prove", json!({ "game": game("freestyle", "7,7 8,8"), "how": "vct" }));
        } else {
            let game = game("freestyle", "7,7");
            page.begin("think", json!({ "game": game, "who": who, "effort": { "time": 3_600_000 } }));
        }
        // A thread that has just ended may still be in the list.
        eventually(&format!("at most two threads after {number} questions"), || {
            server.threads("proof") + server.threads("engine") <= 2
        });
    }
    for id in 1..100 {
        assert!(["given-up", "proof"].contains(&page.end(id)["kind"].as_str().unwrap()), "{id}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn long_messages_wait_in_the_socket_unparsed() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let long =
        format!("{{\"id\":7,\"do\":\"read\",\"text\":[{}0]}}", "0,".repeat(tengen::web::LONGEST_MESSAGE / 2 - 32));
    for _ in 0..20 {
        page.send(&long);
    }
    for _ in 0..20 {
        let answer = page.line().unwrap();
        assert_eq!((&answer["id"], &answer["kind"]), (&json!(7), &json!("error")), "{answer}");
    }
    let peak = server.peak_memory();
    assert!(peak < MOST_MEMORY / 2, "{peak} MiB");
}

#[test]
fn only_a_file_may_be_a_long_message() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let moves = format!("7,7{}", " ".repeat(100_000));
    assert_eq!(page.ask("view", json!({ "game": game("freestyle", &moves) }))["kind"], "error");
    let text = format!("h8 i9{}", "\n".repeat(1_000_000));
    let read = page.ask("read", json!({ "text": text, "size": 15, "rule": "renju" }));
    assert_eq!(read["games"][0]["moves"], "7,7 8,6", "{read}");
}

#[test]
fn requests_that_are_never_finished_are_closed() {
    let server = Server::start(&[]);
    let begun: Vec<_> = ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: "]
        .map(|text| {
            let mut stream = TcpStream::connect(&server.host).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        })
        .into();
    for mut stream in begun {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "the server closes it"),
        }
    }
    assert_eq!(server.open().ask("hello", json!({}))["kind"], "hello");
}

/// Waits for two unanswered pings: 45 s, with little CPU time.
#[test]
fn pages_that_answer_no_ping_lose_their_places() {
    let server = Server::start(&[]);
    let _deaf: Vec<_> = (0..8).map(|_| server.open_soon()).collect();
    let _page = server.open_soon();
}

/// A page that stops reading is closed after a time. `protocol/clock.rs` explains how to run this test.
mod clock {
    use serde_json::json;

    use super::super::Server;

    /// Runs for as long as the server waits for a page to read. All pages must have stopped reading by then.
    #[test]
    #[ignore = "watches the clock"]
    fn pages_that_read_nothing_lose_their_places() {
        let server = Server::start(&[]);
        let said = "x".repeat(3 << 20);
        let line = json!({
            "game": "0-1.0a", "black": "b", "white": "w", "winner": "black", "end": "time", "detail": "late",
            "opening": "h8", "moves": "i9", "times": [3], "said": [{ "ply": 1, "text": said }], "wall": 9,
        });
        // More data than the buffers of a connection hold.
        let text = [line.to_string().as_str(); 5].join("\n");
        let read = json!({ "id": 1, "do": "read", "text": text, "size": 15, "rule": "renju" }).to_string();
        let mut deaf: Vec<_> = (0..8).map(|_| server.open_soon()).collect();
        for page in &mut deaf {
            page.send(&read);
        }
        assert_eq!(server.open().line().unwrap()["kind"], "full");
        let _page = server.open_soon();
    }
}
