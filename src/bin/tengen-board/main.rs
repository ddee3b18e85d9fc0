//! `tengen-board`: a board in the browser, to play, analyse and replay.
//!
//! Exit status: 0 with `--open`, after the last page was closed; 1 something failed; 2 wrong usage. Otherwise the server
//! runs until it is killed.

mod args;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tengen::arena::game;
use tengen::files;
use tengen::library::Library;
use tengen::web::{Server, SharedLibrary, running_board};

use self::args::{Action, Serving};

/// The time after the last page of `--open` was closed: a page that is loaded again, or a browser that starts again, finds
/// the server and its games.
const PATIENCE: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    files::survive_size_limit();
    let action = match args::parse(std::env::args_os()) {
        Ok(action) => action,
        Err(error) => error.exit(),
    };
    let outcome = match action {
        Action::Serve(serving) => serve(*serving),
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

fn serve(Serving { mut config, library, open, shares }: Serving) -> anyhow::Result<()> {
    if let Some(link) = shares.then(running_board).flatten() {
        return open_page(&link);
    }
    config.session.supervisor = game::supervisor();
    let library = library.map(|path| open_library(&files::find(Path::new(""), &path))).transpose()?;
    config.session.library = library.map(|library| Arc::new(SharedLibrary::new(library)));
    let server = Server::bind(config)?;
    if server.is_public() {
        note("other machines reach this address: the password and the games cross the network unencrypted");
    }
    let mut stdout = io::stdout();
    writeln!(stdout, "{}", server.link()).and_then(|()| stdout.flush()).context("stdout")?;
    if !open {
        server.run();
    }
    if let Err(error) = open_page(&server.link()) {
        // The printed link can still be opened by hand.
        note(&format!("{error:#}"));
    }
    server.run_while_open(PATIENCE);
    Ok(())
}

/// Opens a page in the browser of the user.
fn open_page(link: &str) -> anyhow::Result<()> {
    open::that_detached(link).with_context(|| format!("no browser opens {link}"))
}
