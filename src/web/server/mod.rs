//! [`Server`]: the files of the page over HTTP, and a session for each page behind a WebSocket.

mod access;
mod talk;

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;
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
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

use self::access::Access;
use self::talk::{MOST_SESSIONS, talk};
use super::message::LONGEST_MESSAGE;
use super::page_files;
use super::session::SessionConfig;

/// The port without `--listen`. Browsers keep the game of a page under its address.
pub const PORT: u16 = 7315;

/// Minimum length of a password.
const LEAST_PASSWORD: usize = 8;

/// Maximum number of connections at a time, fewer than the files that a process may have open.
const MOST_CONNECTIONS: usize = 512;

/// The time for the header of a request, counted from the connection or the previous request.
const HEADER_TIME: Duration = Duration::from_secs(10);

/// The time of a connection for all its requests. Sessions may last longer.
const CONNECTION_TIME: Duration = Duration::from_secs(60);

/// The pause after a connection that could not be accepted because files or memory are short.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The path of the WebSocket.
const SESSION: &str = "/session";

/// Headers of every answer: the page loads nothing from elsewhere, and no other page may frame it.
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

/// The address or name, and the port, on which a server listens.
#[derive(Clone, Debug)]
pub struct ListenAddress {
    /// The address or name as given, without the port.
    pub name: String,
    /// Its addresses, IPv4 first. The server uses the first one that is free.
    addresses: Vec<SocketAddr>,
}

impl ListenAddress {
    /// Whether other machines can reach it.
    pub fn is_public(&self) -> bool {
        self.addresses.iter().any(|address| !address.ip().is_loopback())
    }
}

/// Reads `ADDRESS:PORT` or `NAME:PORT`.
impl FromStr for ListenAddress {
    type Err = ListenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, _) = text.rsplit_once(':').ok_or(ListenError::Form)?;
        let mut addresses: Vec<_> = text.to_socket_addrs()?.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        Ok(Self { name: name.to_owned(), addresses })
    }
}

/// Error returned when an address to listen on fails to parse.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The text has no port.
    #[error("expected ADDRESS:PORT, such as localhost:8000")]
    Form,
    /// The system does not know the address.
    #[error(transparent)]
    Resolve(#[from] io::Error),
}

/// A password, which is part of a link.
#[derive(Clone, Debug)]
pub struct Password(String);

impl FromStr for Password {
    type Err = PasswordError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = text.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_.~".contains(sign));
        if is_plain && text.len() >= LEAST_PASSWORD { Ok(Self(text.to_owned())) } else { Err(PasswordError) }
    }
}

/// Error returned when a password is too short or cannot be part of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected at least {LEAST_PASSWORD} letters, digits, and - _ . ~")]
pub struct PasswordError;

/// How to serve.
#[derive(Debug, Default)]
pub struct ServerConfig {
    /// Where to listen; `None` is [`PORT`] of loopback, or a free port if that is taken.
    pub listen: Option<ListenAddress>,
    /// The password that every browser needs.
    pub password: Option<Password>,
    /// State that the sessions share.
    pub session: SessionConfig,
}

/// Error returned when a server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The server cannot listen on any address of this name.
    #[error("{name}: {error}")]
    Address {
        /// The address as given.
        name: String,
        /// The reason.
        error: io::Error,
    },
    /// The system refuses a port or a runtime.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    access: Access,
    session: SessionConfig,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the address is taken, or the system refuses a runtime.
    pub fn bind(config: ServerConfig) -> Result<Self, ServerError> {
        let ServerConfig { listen, password, session } = config;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(bind(listen.as_ref()))?;
        let address = listener.local_addr()?;
        let access = Access::new(address, listen.as_ref(), password);
        Ok(Self { runtime, listener, address, access, session })
    }

    /// The link to the page, with the password.
    pub fn link(&self) -> String {
        format!("http://{}/{}", self.address, self.access.query())
    }

    /// Whether other machines can reach the server.
    pub fn is_public(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// Serves pages until the process ends.
    pub fn run(self) -> ! {
        let Self { runtime, listener, access, session, .. } = self;
        runtime.block_on(accept(&listener, access, session, &Arc::new(Semaphore::new(MOST_SESSIONS))))
    }

    /// Serves pages until none has been open for this time.
    pub fn run_while_open(self, patience: Duration) {
        let Self { runtime, listener, access, session, .. } = self;
        let places = Arc::new(Semaphore::new(MOST_SESSIONS));
        runtime.block_on(async {
            tokio::select! {
                () = until_left(&places, patience) => {}
                _ = accept(&listener, access, session, &places) => {}
            }
        });
    }
}

/// The link to a board of this machine at [`PORT`], if one answers there.
pub fn running_board() -> Option<String> {
    const PATIENCE: Duration = Duration::from_secs(1);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
    let mut stream = std::net::TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).and_then(|()| stream.set_write_timeout(Some(PATIENCE))).ok()?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
    let mut head = String::new();
    // The title stands in the first lines of the page.
    stream.take(4 << 10).read_to_string(&mut head).ok()?;
    head.contains("<title>Tengen</title>").then(|| format!("http://{address}/"))
}

/// Waits until no session has been open for this time.
async fn until_left(places: &Semaphore, patience: Duration) {
    const INTERVAL: Duration = Duration::from_millis(500);
    let mut left = Instant::now();
    while left.elapsed() < patience {
        sleep(INTERVAL.min(patience)).await;
        if places.available_permits() < MOST_SESSIONS {
            left = Instant::now();
        }
    }
}

/// Listens on the first of the addresses that is free.
async fn bind(listen: Option<&ListenAddress>) -> Result<TcpListener, ServerError> {
    let Some(ListenAddress { name, addresses }) = listen else {
        let usual = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT)).await;
        return Ok(match usual {
            Ok(listener) => listener,
            Err(_) => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?,
        });
    };
    let bound = TcpListener::bind(&addresses[..]).await;
    bound.map_err(|error| ServerError::Address { name: name.clone(), error })
}

/// State that all requests share.
struct Shared {
    session: Arc<SessionConfig>,
    access: Arc<Access>,
    /// A permit for each session.
    places: Arc<Semaphore>,
}

/// Accepts and serves connections. Each session holds a permit of `places`.
async fn accept(listener: &TcpListener, access: Access, session: SessionConfig, places: &Arc<Semaphore>) -> ! {
    let access = Arc::new(access);
    let places = Arc::clone(places);
    let server = Arc::new(Shared { session: Arc::new(session), access: Arc::clone(&access), places });
    let mut router = Router::new().route(SESSION, get(open_session));
    for (path, file) in page_files::FILES.iter().map(|file| (file.path, file)).chain([("/", page_files::INDEX)]) {
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

/// Answers the requests of a connection until it ends, exceeds its time or becomes a session.
async fn serve(stream: TcpStream, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    // Errors are the other side's: it closed the connection or was late.
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
async fn open_session(
    State(server): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response<Body> {
    if !server.access.is_origin(&headers) {
        return (StatusCode::FORBIDDEN, "a session is for a page of this server\n").into_response();
    }
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    upgrade.on_upgrade(move |socket| {
        let place = Arc::clone(&server.places).try_acquire_owned().ok();
        talk(place, Arc::clone(&server.session), socket)
    })
}
