//! The arguments of `tengen-library`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use tengen::board::{Point, Rule, Size};
use tengen::library::book::BookConfig;
use tengen::library::{ExportFormat, ImportConfig, Prune};
use tengen::notation::{Letters, Ranks, TextEncoding};
use tengen::protocol::rule_number::parse_rule;
use tengen::tune::{MOST_NODES, MOST_THREADS, number};

/// Keeps what is known of positions: proofs, scores, results of games, comments and labels, in one file.
#[derive(Debug, Parser)]
#[command(name = "tengen-library", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Creates an empty library
    Create {
        /// The new file
        file: PathBuf,
    },
    /// Prints the number of positions of each rule and size, and the sources
    Info {
        /// The library
        file: PathBuf,
    },
    /// Adds the positions of files, all or none: RenLib's .lib, Rapfi's .db and its table, SGF, records of matches,
    /// games of Piskvork, lists of moves and lines of JSON, alone, in folders and in zip archives
    Import(ImportArgs),
    /// Adds the new games of records of tengen-arena; repeat it while a match goes on
    Learn {
        /// The library
        file: PathBuf,
        /// The records
        #[arg(required = true)]
        records: Vec<PathBuf>,
        /// Plies up to which the positions of a game are added
        #[arg(long, default_value_t = ImportConfig::PLIES)]
        plies: usize,
    },
    /// Writes the positions of a rule and size to a new file: .lib, .sgf, .db, .csv or .jsonl
    Export(ExportArgs),
    /// Compiles the positions of a rule and size into a book, from which engines play: pbrain-tengen-search --book FILE
    Book(BookArgs),
    /// Converts a file without a library, which keeps its tree and its order: .lib and .sgf to .lib and .sgf, .db and .csv
    /// to .db and .csv
    Convert {
        /// The file to read
        source: PathBuf,
        /// The new file
        target: PathBuf,
        /// The code page of the texts that are read; without it, decided by the texts
        #[arg(long)]
        encoding: Option<TextEncoding>,
        /// The code page of the texts that are written; without it, the same
        #[arg(long, value_name = "ENCODING")]
        to: Option<TextEncoding>,
    },
    /// Prints what is known of a position and of its moves
    Query {
        #[command(flatten)]
        place: Place,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Changes what is known of a position. It is added with the positions before it if they are unknown
    Edit {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Adds all that other libraries know
    Merge {
        /// The library that is changed
        file: PathBuf,
        /// The libraries to add
        #[arg(required = true)]
        others: Vec<PathBuf>,
        /// Let comments, labels and marks of the others replace those that are there
        #[arg(long)]
        newer: bool,
        /// Add them even if the libraries have imported the same file, whose games then count twice
        #[arg(long)]
        again: bool,
    },
    /// Prints the positions of which two libraries know different things, as lines of JSON after - and +
    Diff {
        /// The first library
        file: PathBuf,
        /// The second library
        other: PathBuf,
    },
    /// Removes positions that meet any of the conditions
    Prune {
        /// The library
        file: PathBuf,
        /// Positions with more stones than this
        #[arg(long, value_name = "STONES")]
        more_stones_than: Option<usize>,
        /// Positions with fewer games than this of which nothing else is known
        #[arg(long, value_name = "GAMES")]
        fewer_games_than: Option<u64>,
    },
    /// Grows the library by searches from a position, the most interesting moves first. It can be stopped at any time and
    /// started again
    Expand(ExpandArgs),
    /// Checks every page and every position, and lists contradictions between sources
    Check {
        /// The library
        file: PathBuf,
    },
    /// Copies a library to a new file
    Backup {
        /// The library
        file: PathBuf,
        /// The new file
        target: PathBuf,
    },
}

/// A position of a library.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The library
    pub(crate) file: PathBuf,
    /// The moves to the position, such as h8 i9; none for the empty board
    moves: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

impl Place {
    /// The moves on a board of this size.
    pub(crate) fn moves(&self, size: Size) -> anyhow::Result<Vec<Point>> {
        Ok(Letters::new(size).parse_moves(&self.moves.join(" "))?)
    }
}

/// A rule and a size.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct GameArgs {
    /// The rule; without it, the only one of the library
    #[arg(long, value_parser = parse_rule)]
    pub(crate) rule: Option<Rule>,
    /// The board size; without it, the only one of this rule in the library, else 15
    #[arg(long)]
    pub(crate) size: Option<Size>,
}

/// An import.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The library
    pub(crate) file: PathBuf,
    /// The files, folders and archives to read
    #[arg(required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// The rule of files that do not state one; without it RenLib's libraries are of renju
    #[arg(long, value_parser = parse_rule)]
    pub(crate) rule: Option<Rule>,
    /// The board size of lists of moves
    #[arg(long, default_value_t = Size::FIFTEEN)]
    pub(crate) size: Size,
    /// The row of rank 1 in lists of moves: bottom or top
    #[arg(long, default_value_t)]
    pub(crate) ranks: Ranks,
    /// The code page of texts; without it, decided for each file
    #[arg(long)]
    pub(crate) encoding: Option<TextEncoding>,
    /// Plies up to which the positions of a game are added
    #[arg(long, default_value_t = ImportConfig::PLIES)]
    pub(crate) plies: usize,
    /// Read labels of moves such as W23, L24, v120 and m120 as results and scores, as Rapfi does
    #[arg(long)]
    pub(crate) claims: bool,
    /// Let comments, labels and marks of the files replace those that are there
    #[arg(long)]
    pub(crate) newer: bool,
    /// Import files again that were imported before; their games then count twice
    #[arg(long)]
    pub(crate) again: bool,
}

/// An export.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The library
    pub(crate) file: PathBuf,
    /// The new file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The format; without it, by the ending of the name
    #[arg(long)]
    pub(crate) format: Option<ExportFormat>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The code page of texts in a .lib
    #[arg(long, default_value_t = TextEncoding::Utf8)]
    pub(crate) encoding: TextEncoding,
}

/// A compiled book.
#[derive(Debug, Args)]
pub(crate) struct BookArgs {
    /// The library
    pub(crate) file: PathBuf,
    /// The book; one that exists is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Nodes of searches after a move by which it may be played without a search
    #[arg(long, default_value_t = BookConfig::default().nodes)]
    pub(crate) nodes: u64,
    /// Games through a move by which it may be played without a search
    #[arg(long, default_value_t = BookConfig::default().games)]
    pub(crate) games: u64,
    /// The greatest distance of such a move to the best chance to win, in percentage points
    #[arg(long, value_name = "PERCENT", default_value_t = BookConfig::default().margin, value_parser = per_cent)]
    pub(crate) margin: f32,
    /// Leave out results that are claimed, and what follows from them
    #[arg(long)]
    pub(crate) proved: bool,
}

/// Reads a number from 0 to 100.
fn per_cent(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// An expansion.
#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The position is this opening of the 26, such as 4D, instead of moves
    #[arg(long, value_name = "CODE", conflicts_with = "moves")]
    pub(crate) opening: Option<String>,
    /// Nodes of each search
    #[arg(long, default_value = "50000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub(crate) nodes: NonZeroU64,
    /// Hours after which no search begins; without it until nothing is left
    #[arg(long, value_parser = hours)]
    pub(crate) hours: Option<Duration>,
    /// Searches after which no batch of at most 16 begins
    #[arg(long)]
    pub(crate) searches: Option<u64>,
    /// Plies after the position that are searched at most
    #[arg(long, default_value_t = 30)]
    pub(crate) plies: usize,
    /// Threads to search on; their number does not change the library
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub(crate) threads: NonZeroUsize,
    /// A network file to search with; without it the built-in one
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
}

/// Reads a positive number of hours, at most a year.
fn hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse::<f64>().ok().filter(|hours| *hours > 0.0 && *hours <= 8_760.0);
    let hours = hours.ok_or("expected a positive number of hours, at most 8760")?;
    Ok(Duration::from_secs_f64(hours * 3_600.0))
}

/// Changes of a record.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ChangeArgs {
    /// The comment; an empty text removes it
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment: Option<String>,
    /// The label of a point; without a text it is removed
    #[arg(long = "mark", value_name = "POINT=TEXT")]
    pub(crate) marks: Vec<String>,
    /// The side to move wins, in this number of plies if it is given
    #[arg(long, value_name = "PLIES", num_args = 0..=1, conflicts_with_all = ["loss", "unknown", "remove"])]
    pub(crate) win: Option<Option<u16>>,
    /// The side to move loses, in this number of plies if it is given
    #[arg(long, value_name = "PLIES", num_args = 0..=1, conflicts_with_all = ["unknown", "remove"])]
    pub(crate) loss: Option<Option<u16>>,
    /// Take back what a person, a file or a search says of the result; this ends a contradiction between them
    #[arg(long, conflicts_with = "remove")]
    pub(crate) unknown: bool,
    /// Remove the position
    #[arg(long, conflicts_with_all = ["comment", "marks"])]
    pub(crate) remove: bool,
}

impl Task {
    /// The conditions of [`Task::Prune`].
    pub(crate) fn prune(more_stones_than: Option<usize>, fewer_games_than: Option<u64>) -> Prune {
        Prune { more_stones_than, fewer_games_than }
    }
}
