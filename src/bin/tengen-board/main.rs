//! `tengen-board`: a board in the browser, to play, look and replay.
//!
//! Exit status: 0 never, as the server runs until it is ended; 1 something failed; 2 wrong usage.

mod access;
mod args;
mod server;
mod talk;

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use tengen::arena::game;
use tengen::web::Config;
use tokio::net::TcpListener;

use self::access::Access;
use self::args::{Action, Listen, Parsed};

/// The port unless another is asked for; the page keeps its game under its address.
const PORT: u16 = 7315;

fn main() -> ExitCode {
    tengen::files::survive_size_limit();
    let parsed = match args::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => error.exit(),
    };
    let outcome = match parsed {
        Action::Serve(parsed) => serve(parsed),
        Action::Supervise(board, command) => game::supervise(board, &command).map_err(Into::into),
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
    let Parsed { listen, password, engines, threads } = parsed;
    let config = Config { engines, supervisor: game::supervisor(), threads };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = bind(listen.as_ref()).await?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            note("other machines reach this address: the password and the games cross the network unencrypted");
        }
        let access = Access::new(address, listen.as_ref(), password);
        writeln!(io::stdout(), "http://{address}/{}", access.query())
            .and_then(|()| io::stdout().flush())
            .context("stdout")?;
        match server::run(listener, access, Arc::new(config)).await {}
    })
}

/// Listens on the first of these addresses that can be had; without any on the usual port of loopback, or a free one
/// where that is taken.
async fn bind(listen: Option<&Listen>) -> anyhow::Result<TcpListener> {
    match listen {
        Some(Listen { name, addresses }) => TcpListener::bind(&addresses[..]).await.with_context(|| name.clone()),
        None => match TcpListener::bind((Ipv4Addr::LOCALHOST, PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no port of loopback is free"),
        },
    }
}
