//! `tengen-board` as a page uses it: HTTP, the WebSocket, and lines of JSON.

mod access;
mod answers;
mod bounds;
mod browser;
mod continuous;
mod engines;
mod library;
mod page;
mod puzzles;
mod report;
mod safety;
mod threats;
mod trees;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

/// The maximum wait for an answer, long enough for busy machines.
const PATIENCE: Duration = Duration::from_secs(200);

/// A server, killed when dropped.
struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    host: String,
}

impl Server {
    fn start(words: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", words)
    }

    /// Starts a server that listens on this address.
    fn start_at(listen: &str, words: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-board"));
        command.args(["--listen", listen]).args(words);
        Self::of(command)
    }

    /// Starts a server and reads its link.
    fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (host, _) = line.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
        let host = host.to_owned();
        Self { child, host }
    }

    /// The response to a request with these lines: headers and body.
    fn http(&self, lines: &[&str]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("{}\r\nConnection: close\r\n\r\n", lines.join("\r\n"));
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A server that refuses the request may close before reading all of it.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Opens a session as a page of this origin does.
    fn try_open(&self, origin: Option<&str>) -> Result<Page, tungstenite::Error> {
        Page::open(&self.host, origin)
    }

    fn open(&self) -> Page {
        self.try_open(Some(&format!("http://{}", self.host))).unwrap()
    }

    /// Opens a session once a place is free. The server notices the end of a connection a moment later.
    fn open_soon(&self) -> Page {
        let start = Instant::now();
        loop {
            let mut page = self.open();
            page.begin("hello", json!({}));
            if page.line().is_some_and(|line| line["kind"] == "hello") {
                return page;
            }
            assert!(start.elapsed() < PATIENCE, "a place becomes free");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The peak memory of the server so far, in MiB.
    #[cfg(target_os = "linux")]
    fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
    }

    /// The number of server threads with this name.
    #[cfg(target_os = "linux")]
    fn threads(&self, name: &str) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
        names.filter(|found| found.trim() == name).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection whose reads go on if the tests are suspended meanwhile: on Linux a read with a time limit ends then.
struct Connection(TcpStream);

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl Write for Connection {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A page with its session.
struct Page {
    socket: WebSocket<Connection>,
    number: u64,
}

impl Page {
    /// Opens a session of the server at this host as a page of this origin does.
    fn open(host: &str, origin: Option<&str>) -> Result<Self, tungstenite::Error> {
        let mut request = format!("ws://{host}/session").into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", HeaderValue::from_str(origin).unwrap());
        }
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        match tungstenite::client(request, Connection(stream)) {
            Ok((socket, _)) => Ok(Self { socket, number: 0 }),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(error),
            Err(tungstenite::HandshakeError::Interrupted(_)) => panic!("the server does not answer"),
        }
    }

    fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next line from the server, or `None` if it has closed the session.
    fn line(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Sends a request and returns its number.
    fn begin(&mut self, what: &str, fields: Value) -> u64 {
        self.number += 1;
        let mut request = fields;
        request["id"] = self.number.into();
        request["do"] = what.into();
        self.send(&request.to_string());
        self.number
    }

    /// The final answer to a request. Reports are skipped.
    fn end(&mut self, id: u64) -> Value {
        loop {
            let line = self.line().expect("an answer");
            if line["id"] == id && line["kind"] != "info" && line["kind"] != "tick" {
                return line;
            }
        }
    }

    fn ask(&mut self, what: &str, fields: Value) -> Value {
        let id = self.begin(what, fields);
        self.end(id)
    }
}

fn game(rule: &str, moves: &str) -> Value {
    json!({ "size": 15, "rule": rule, "moves": moves })
}
