//! Writes the manual pages and the completions of all programs into a folder: `cargo run --example manuals FOLDER`.
//!
//! ```text
//! FOLDER/man/tengen-arena.1, tengen-arena-match.1, …      a page for each program and each subcommand
//! FOLDER/completions/bash, fish, powershell, zsh          a file for each program
//! ```
//!
//! An example to Cargo, so that no program carries the generators. The arguments are those of the programs: of the library,
//! or the file `args.rs` of a program.

use std::path::PathBuf;
use std::{env, fs, io};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use tengen::arena::config::args as arena;
use tengen::cli::{self, Program};

// Each file also has the code that reads the arguments, which the programs call.
#[allow(dead_code)]
#[path = "../src/bin/tengen-board/args.rs"]
mod board;
#[allow(dead_code)]
#[path = "../src/bin/tengen-cube/args.rs"]
mod cube;
#[allow(dead_code)]
#[path = "../src/bin/tengen-library/args.rs"]
mod library;
#[allow(dead_code)]
#[path = "../src/bin/tengen-tune/args.rs"]
mod tune;

/// The name of each program with its arguments.
fn programs() -> [(&'static str, Command); 7] {
    [
        ("pbrain-tengen", cli::command(&Program::GREEDY)),
        ("pbrain-tengen-search", cli::command(&Program::SEARCH)),
        ("tengen-arena", arena::command()),
        ("tengen-board", board::Cli::command()),
        ("tengen-cube", cube::Cli::command()),
        ("tengen-library", library::Cli::command()),
        ("tengen-tune", tune::Cli::command()),
    ]
}

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: manuals FOLDER"))?);
    let pages = folder.join("man");
    fs::create_dir_all(&pages)?;
    for (name, command) in programs() {
        let mut command = command.name(name).bin_name(name).disable_help_subcommand(true);
        for shell in [Shell::Bash, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let folder = folder.join("completions").join(shell.to_string());
            fs::create_dir_all(&folder)?;
            clap_complete::generate_to(shell, &mut command, name, folder)?;
        }
        clap_mangen::generate_to(command, &pages)?;
    }
    Ok(())
}
