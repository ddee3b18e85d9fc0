//! The server: the files of the page, and a session for each page behind a WebSocket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::header::{HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tengen::web::{Config, LONGEST_MESSAGE, page};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::access::{self, Access};
use crate::talk::{MOST_SESSIONS, talk};

/// The most connections at a time, fewer than the files that a process may have open.
const MOST_CONNECTIONS: usize = 512;

/// The time for the header of a request, from the connection or from the request before.
const HEADER_TIME: Duration = Duration::from_secs(10);

/// The time of a connection for all its requests. That of a session lasts longer.
const CONNECTION_TIME: Duration = Duration::from_secs(60);

/// The pause after a connection that could not be accepted, for want of files or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

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
    access: Arc<Access>,
    /// A permit for each session.
    places: Arc<Semaphore>,
}

/// Serves pages for ever.
pub(crate) async fn run(listener: TcpListener, access: Access, config: Arc<Config>) -> Infallible {
    let access = Arc::new(access);
    let places = Arc::new(Semaphore::new(MOST_SESSIONS));
    let server = Arc::new(Server { config, access: Arc::clone(&access), places });
    let mut router = Router::new().route(SESSION, get(session));
    for (path, file) in page::FILES.iter().map(|file| (file.path, file)).chain([("/", page::INDEX)]) {
        router = router.route(path, get(move || async move { ([(CONTENT_TYPE, file.kind)], file.text) }));
    }
    let guarded = router.layer(middleware::from_fn_with_state(access, access::guard));
    let router = guarded.layer(middleware::from_fn(add_headers)).with_state(server);
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let permit = Arc::clone(&connections).acquire_owned().await;
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    serve(stream, router).await;
                    drop(permit);
                });
            }
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Answers the requests of a connection until it ends, is late or turns into a session.
async fn serve(stream: TcpStream, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    // Its errors are those of the other side: a connection that was closed or late.
    let _ = timeout(CONNECTION_TIME, connection).await;
}

/// Adds the headers of every answer.
async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Opens a session for a page of this server.
async fn session(State(server): State<Arc<Server>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response<Body> {
    if !server.access.is_origin(&headers) {
        return (StatusCode::FORBIDDEN, "a session is for a page of this server\n").into_response();
    }
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    upgrade.on_upgrade(move |socket| {
        let place = Arc::clone(&server.places).try_acquire_owned().ok();
        talk(place, Arc::clone(&server.config), socket)
    })
}
