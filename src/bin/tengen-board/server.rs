//! The server: the files of the page, and a session for each page behind a WebSocket.
//!
//! Whoever asks by another name than that of this server is refused, so that a page of the web whose name was made to
//! mean this machine (DNS rebinding) reads nothing; a session also needs a page of this server as its origin.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY};
use axum::http::header::{HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tengen::web::{Config, LONGEST_MESSAGE, Session, page};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// The most sessions at a time.
const MOST_SESSIONS: usize = 8;

/// Lines for a page that has not read them yet. One that reads none any more has gone.
const LINES_KEPT: usize = 1024;

/// The port that a browser leaves out of an address.
const HTTP_PORT: u16 = 80;

/// Where a session is opened.
const SESSION: &str = "/session";

/// What every answer of the server carries: the page loads nothing from elsewhere, and nobody frames it.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

struct Server {
    config: Arc<Config>,
    /// The names by which a browser may ask for this server, with the port.
    hosts: Vec<String>,
    sessions: AtomicUsize,
}

/// Serves pages until the listener fails.
///
/// # Errors
/// When the listener does.
pub(crate) async fn run(listener: TcpListener, address: SocketAddr, config: Arc<Config>) -> std::io::Result<()> {
    let server = Arc::new(Server { config, hosts: hosts(address), sessions: AtomicUsize::new(0) });
    let mut router = Router::new().route(SESSION, get(session));
    for file in page::FILES {
        router = router.route(file.path, get(move || async move { ([(CONTENT_TYPE, file.kind)], file.text) }));
    }
    let router = router.layer(middleware::from_fn_with_state(Arc::clone(&server), guard)).with_state(server);
    axum::serve(listener, router).await
}

/// The names of an address: its own, and `localhost` where it is one of loopback.
fn hosts(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut hosts = vec![address.to_string()];
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
    }
    if port == HTTP_PORT {
        // A browser leaves out the usual port.
        let bare: Vec<_> = hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_owned)).collect();
        hosts.extend(bare);
    }
    hosts
}

impl Server {
    /// Whether a request names this server. Where it listens on every address, any address is its name, and no word is.
    fn is_host(&self, host: &str) -> bool {
        let is_address = || host.parse::<SocketAddr>().is_ok();
        let is_open = || self.hosts.first().is_some_and(|own| own.starts_with("0.0.0.0:") || own.starts_with("[::]:"));
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) || is_open() && is_address()
    }

    /// Whether the page that asks is of this server.
    fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }
}

/// The only text of a header; `None` where it is missing or stands twice.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Refuses who asks by another name, and adds the headers of every answer.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let is_own = single(request.headers(), HOST).is_some_and(|host| server.is_host(host));
    let mut response = if is_own {
        next.run(request).await
    } else {
        (StatusCode::MISDIRECTED_REQUEST, "this server has another name\n").into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Opens a session for a page of this server.
async fn session(State(server): State<Arc<Server>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response<Body> {
    if !single(&headers, ORIGIN).is_some_and(|origin| server.is_origin(origin)) {
        return (StatusCode::FORBIDDEN, "a session is for a page of this server\n").into_response();
    }
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    upgrade.on_upgrade(move |socket| talk(server, socket))
}

/// Counts a session until it is dropped.
struct Place(Arc<Server>);

impl Place {
    /// `None` where all places are taken.
    fn take(server: Arc<Server>) -> Option<Self> {
        let next = |taken| (taken < MOST_SESSIONS).then_some(taken + 1);
        let taken = server.sessions.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        taken.is_ok().then_some(Self(server))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.sessions.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Carries lines between a page and its session until one of them ends.
async fn talk(server: Arc<Server>, mut socket: WebSocket) {
    let Some(place) = Place::take(server) else {
        refuse(&mut socket, "full", &format!("{MOST_SESSIONS} boards are open already")).await;
        return;
    };
    let (lines, mut outbox) = mpsc::channel(LINES_KEPT);
    let sink = Arc::new(move |line| lines.try_send(line).is_ok());
    let session = match Session::start(Arc::clone(&place.0.config), sink) {
        Ok(session) => session,
        Err(error) => {
            refuse(&mut socket, "error", &error.to_string()).await;
            return;
        }
    };
    loop {
        tokio::select! {
            line = outbox.recv() => match line {
                Some(line) => if socket.send(Message::text(line)).await.is_err() { return },
                None => return,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => session.line(text.to_string()),
                // The library answers what keeps a connection alive.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => session.line(String::new()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
        }
    }
}

/// Says why there is no session, and closes. A page that has gone needs no answer.
async fn refuse(socket: &mut WebSocket, kind: &str, error: &str) {
    let line = serde_json::json!({ "id": null, "kind": kind, "error": error });
    let _ = socket.send(Message::text(line.to_string())).await;
    let _ = socket.send(Message::Close(None)).await;
}
