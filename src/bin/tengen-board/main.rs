//! `tengen-board`: a board in the browser, to play, analyse and replay.
//!
//! Exit status: never 0, since the server runs until it is killed; 1 something failed; 2 wrong usage.

mod args;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use tengen::arena::game;
use tengen::library::Library;
use tengen::web::{Server, ServerConfig, SharedLibrary};

use self::args::Action;

fn main() -> ExitCode {
    tengen::files::survive_size_limit();
    let action = match args::parse(std::env::args_os()) {
        Ok(action) => action,
        Err(error) => error.exit(),
    };
    let outcome = match action {
        Action::Serve(config, library) => serve(config, library.as_deref()),
        Action::Supervise(args) => game::supervise(args.arena, &args.command).map_err(Into::into),
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

/// Opens a library; creates it if there is no such file.
fn open_library(path: &Path) -> anyhow::Result<Library> {
    let opened = if path.exists() {
        Library::open(path)
    } else {
        note(&format!("{}: a new library", path.display()));
        Library::create(path)
    };
    opened.with_context(|| path.display().to_string())
}

fn serve(mut config: ServerConfig, library: Option<&Path>) -> anyhow::Result<()> {
    config.session.supervisor = game::supervisor();
    config.session.library =
        library.map(open_library).transpose()?.map(|library| Arc::new(SharedLibrary::new(library)));
    let server = Server::bind(config)?;
    if server.is_public() {
        note("other machines reach this address: the password and the games cross the network unencrypted");
    }
    let mut stdout = io::stdout();
    writeln!(stdout, "{}", server.link()).and_then(|()| stdout.flush()).context("stdout")?;
    server.run()
}
