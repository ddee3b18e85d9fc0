//! [`talk`]: carries lines between a page and its session. The times and limits here bound how long a page can occupy a
//! place or memory, whatever it does or fails to do.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::web::message::LONGEST_MESSAGE;
use crate::web::session::{Session, SessionConfig};

/// Maximum number of sessions at a time.
pub(super) const MOST_SESSIONS: usize = 8;

/// Maximum number of lines that wait for a page. A page with more is treated as closed.
const LINES_KEPT: usize = 1024;

/// Maximum number of bytes of messages that a session has received and not yet handled: one message of the greatest
/// length, or several short ones. The next message stays in the socket until there is room.
const ROOM: usize = LONGEST_MESSAGE;

/// The room that a short message takes: its answer is longer than itself.
const LEAST_ROOM: usize = ROOM / 32;

/// The time in which a page must take a line.
const WRITE_TIME: Duration = Duration::from_secs(15);

/// The interval of pings. The browser answers them without the page.
const PING: Duration = Duration::from_secs(15);

/// A page that sends nothing for this time, not even an answer to a ping, is treated as closed.
const SILENCE: Duration = Duration::from_secs(40);

/// Carries lines between a page and its session until one of them ends. Without a place it sends the reason.
pub(super) async fn talk(place: Option<OwnedSemaphorePermit>, config: Arc<SessionConfig>, mut socket: WebSocket) {
    let Some(_place) = place else {
        return refuse(&mut socket, "full", &format!("{MOST_SESSIONS} boards are open already")).await;
    };
    let (lines, mut outbox) = mpsc::channel(LINES_KEPT);
    let sink = Arc::new(move |line| lines.try_send(line).is_ok());
    let session = match Session::start(config, sink) {
        Ok(session) => session,
        Err(error) => return refuse(&mut socket, "error", &error.to_string()).await,
    };
    let room = Arc::new(Semaphore::new(ROOM));
    let mut waiting: Option<String> = None;
    let mut received = Instant::now();
    let mut pings = interval(PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // Lines for the page go first. The server reads nothing from a page that does not read.
        tokio::select! {
            biased;
            line = outbox.recv() => match line {
                Some(line) => if !send(&mut socket, Message::text(line)).await { return },
                None => return,
            },
            permit = acquire(&room, waiting.as_deref()), if waiting.is_some() => {
                session.line(waiting.take().unwrap_or_default(), permit);
            }
            message = socket.recv(), if waiting.is_none() => {
                received = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => waiting = Some(text.to_string()),
                    // The library answers pings.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_))) => waiting = Some(String::new()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            },
            _ = pings.tick() => {
                if received.elapsed() > SILENCE || !send(&mut socket, Message::Ping(Vec::new().into())).await {
                    return;
                }
            }
        }
    }
}

/// Waits for the room of a message.
async fn acquire(room: &Arc<Semaphore>, message: Option<&str>) -> Option<OwnedSemaphorePermit> {
    let bytes = message.map_or(0, str::len).clamp(LEAST_ROOM, ROOM);
    Arc::clone(room).acquire_many_owned(u32::try_from(bytes).ok()?).await.ok()
}

/// Sends a message. Returns whether the page took it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    timeout(WRITE_TIME, socket.send(message)).await.is_ok_and(|sent| sent.is_ok())
}

/// Sends the reason for the refusal and closes the socket. Errors are ignored: the page may have left.
async fn refuse(socket: &mut WebSocket, kind: &str, error: &str) {
    let line = serde_json::json!({ "id": null, "kind": kind, "error": error });
    if send(socket, Message::text(line.to_string())).await {
        send(socket, Message::Close(None)).await;
    }
}
