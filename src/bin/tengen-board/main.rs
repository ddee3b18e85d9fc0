//! `tengen-board`: a board in the browser, to play, look and replay.
//!
//! Exit status: 0 never, as the server runs until it is ended; 1 something failed; 2 wrong usage.

mod args;
mod server;

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use tengen::web::Config;
use tokio::net::TcpListener;

use self::args::{Action, Parsed};

/// The port unless another is asked for; the page keeps its game under its address.
const PORT: u16 = 7315;

fn main() -> ExitCode {
    let parsed = match args::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => error.exit(),
    };
    let outcome = match parsed {
        Action::Serve(parsed) => serve(parsed),
        Action::Supervise(arena, command) => supervise(arena, &command),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes a line to the error output, which may be closed.
fn note(message: &str) {
    let _ = writeln!(io::stderr(), "tengen-board: {message}");
}

fn serve(parsed: Parsed) -> anyhow::Result<()> {
    let Parsed { listen, engines, threads } = parsed;
    let config = Config { engines, supervisor: supervisor(), threads };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = bind(listen).await?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            note(&format!(
                "{address} is no loopback address: whoever reaches it plays with the engines of this machine"
            ));
        }
        writeln!(io::stdout(), "http://{address}/").and_then(|()| io::stdout().flush()).context("stdout")?;
        server::run(listener, address, Arc::new(config)).await.context("the server ended")
    })
}

/// Listens on this address; without one on the usual port of loopback, or a free one where that is taken.
async fn bind(listen: Option<SocketAddr>) -> anyhow::Result<TcpListener> {
    let loopback = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match listen {
        Some(address) => TcpListener::bind(address).await.with_context(|| address.to_string()),
        None => match TcpListener::bind(loopback(PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => TcpListener::bind(loopback(0)).await.context("no port of loopback is free"),
        },
    }
}

/// The program above each engine: this one, also where its file has been replaced since.
#[cfg(target_os = "linux")]
fn supervisor() -> Option<PathBuf> {
    tengen::arena::game::supervisor::adopt_orphans();
    Some("/proc/self/exe".into())
}

/// Other systems have no parent for the orphans of a process.
#[cfg(not(target_os = "linux"))]
fn supervisor() -> Option<PathBuf> {
    None
}

/// Runs an engine below this process.
#[cfg(target_os = "linux")]
fn supervise(board: u32, command: &[std::ffi::OsString]) -> anyhow::Result<()> {
    Ok(tengen::arena::game::supervisor::supervise(board, command)?)
}

/// The board asks for no supervisor on other systems.
#[cfg(not(target_os = "linux"))]
fn supervise(_: u32, _: &[std::ffi::OsString]) -> anyhow::Result<()> {
    anyhow::bail!("this system has no supervisors")
}
