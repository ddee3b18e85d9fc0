//! [`import`]: the contents of a file into an [`Edit`], whatever its format.

use serde_json::Value;
use strum::Display;
use thiserror::Error;

use super::format::TextEncoding;
use super::format::csv::{CSV_HEADER, CsvError, CsvReader};
use super::format::rapfi::{RapfiError, RapfiReader, RapfiTally};
use super::format::renlib::{RenLibError, read_renlib};
use super::import::{import_game, import_tree};
use super::{Edit, JsonError, JsonPosition, LibraryError, Move, Source, SourceId};
use crate::board::{Board, Color, Outcome, Rule, Size};
use crate::fnv::Fnv1a;
use crate::notation::record::{RecordLine, RecordReader, Winner};
use crate::notation::sgf::{SgfError, read_sgf};
use crate::notation::{
    GameMoves, GameMovesError, Letters, OpeningSyntaxError, Ranks, SavedGame, Step, TreeNode, opening_lines,
    parse_opening,
};

/// How files are read.
#[derive(Clone, Copy, Debug)]
pub struct ImportConfig {
    /// The rule of files that do not state one; RenLib's libraries are of renju without it.
    pub rule: Option<Rule>,
    /// The size of the board of lists of moves.
    pub size: Size,
    /// The rank 1 of lists of moves.
    pub ranks: Ranks,
    /// The code page of texts; `None` to decide for each file.
    pub encoding: Option<TextEncoding>,
    /// Plies up to which the positions of a game are added.
    pub plies: usize,
    /// Whether comments and labels replace those that are there.
    pub is_newer: bool,
    /// Whether a file is imported that was imported before. Its games then count twice.
    pub is_again: bool,
}

impl Default for ImportConfig {
    fn default() -> Self {
        Self {
            rule: None,
            size: Size::FIFTEEN,
            ranks: Ranks::Bottom,
            encoding: None,
            plies: 30,
            is_newer: false,
            is_again: false,
        }
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
pub enum SourceFormat {
    /// RenLib's `.lib`.
    #[strum(to_string = "RenLib library")]
    RenLib,
    /// Yixin's and Rapfi's `.db`.
    #[strum(to_string = "Rapfi database")]
    Rapfi,
    /// The table of Rapfi's `dbtotxt`.
    #[strum(to_string = "Rapfi table")]
    Csv,
    /// Games and trees in SGF.
    #[strum(to_string = "SGF")]
    Sgf,
    /// Positions as lines of JSON.
    #[strum(to_string = "positions in JSON")]
    Json,
    /// The record of a match.
    #[strum(to_string = "record of a match")]
    Record,
    /// A saved game of Piskvork.
    #[strum(to_string = "game of Piskvork")]
    Psq,
    /// A list of games, one a line.
    #[strum(to_string = "list of games")]
    List,
}

impl SourceFormat {
    /// The format of a file, by its first bytes, then by the ending of its name.
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let is_named = |expected: &str| ending.as_deref() == Some(expected);
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]);
        let start = start.trim_start_matches('\u{feff}').trim_start();
        match () {
            () if bytes.starts_with(b"\xFFRenLib\xFF") || is_named("lib") => Self::RenLib,
            () if bytes.starts_with(&[0x04, 0x22, 0x4D, 0x18]) || is_named("db") => Self::Rapfi,
            () if start.starts_with(CSV_HEADER) => Self::Csv,
            () if start.starts_with('(') || is_named("sgf") => Self::Sgf,
            () if start.starts_with("{\"rule\"") => Self::Json,
            () if start.starts_with('{') => Self::Record,
            () if GameMoves::is_psq(start) => Self::Psq,
            () => Self::List,
        }
    }
}

/// What an import has read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Positions of a library or a database, passes and texts without a move included.
    pub positions: u64,
    /// Games.
    pub games: u64,
    /// Facts that a person should know, each a line.
    pub notes: Vec<String>,
}

/// Error returned when a file cannot be imported. Nothing of it is in the library, if the edit is dropped.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The library cannot be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A library of RenLib is damaged.
    #[error(transparent)]
    RenLib(#[from] RenLibError),
    /// A database of Rapfi is damaged.
    #[error(transparent)]
    Rapfi(#[from] RapfiError),
    /// A file of SGF is damaged, or cannot be played.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// A table of Rapfi has a wrong line.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// A line is not a position in JSON.
    #[error("line {0}: {1}")]
    Json(usize, #[source] JsonError),
    /// A line is not a game of a match.
    #[error("line {0}: {1}")]
    Record(usize, #[source] serde_json::Error),
    /// A saved game cannot be read or played.
    #[error(transparent)]
    Game(#[from] GameMovesError),
    /// A game of a match cannot be played.
    #[error("line {0}: {1}")]
    GameLine(usize, #[source] GameMovesError),
    /// A line of a list is not a game.
    #[error("line {0}: {1}")]
    Line(usize, #[source] OpeningSyntaxError),
    /// The file is not text.
    #[error("byte {0}: not text in UTF-8")]
    Text(usize),
    /// The file does not state its rule.
    #[error("the file does not state its rule: name one")]
    NoRule,
    /// The file was imported before.
    #[error("imported before: its games would count twice")]
    Twice,
}

/// Adds what a file holds. The name of the file decides only what its contents do not.
///
/// # Errors
/// When the file is damaged, cannot be played, or was imported before. The edit must then be dropped.
pub fn import(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: &[u8],
    config: &ImportConfig,
) -> Result<ImportReport, ImportError> {
    let checksum = Fnv1a::of(bytes);
    if !config.is_again && edit.has_imported(checksum)? {
        return Err(ImportError::Twice);
    }
    let source = edit.add_source(&Source { name: name.to_owned(), checksum: Some(checksum) })?;
    let mut import = Import { edit, config, source, report: ImportReport::default() };
    match SourceFormat::of(name, bytes) {
        SourceFormat::RenLib => import.renlib(bytes)?,
        SourceFormat::Rapfi => import.rapfi(bytes)?,
        SourceFormat::Csv => import.csv(text(bytes)?)?,
        SourceFormat::Sgf => import.sgf(bytes)?,
        SourceFormat::Json => import.json(text(bytes)?)?,
        SourceFormat::Record => import.record(bytes)?,
        SourceFormat::Psq => import.psq(&String::from_utf8_lossy(bytes))?,
        SourceFormat::List => import.list(text(bytes)?)?,
    }
    Ok(import.report)
}

fn text(bytes: &[u8]) -> Result<&str, ImportError> {
    std::str::from_utf8(bytes).map_err(|error| ImportError::Text(error.valid_up_to()))
}

/// An import of one file.
struct Import<'e, 'a> {
    edit: &'e mut Edit<'a>,
    config: &'e ImportConfig,
    source: SourceId,
    report: ImportReport,
}

impl Import<'_, '_> {
    fn note(&mut self, count: u64, what: impl std::fmt::Display) {
        if count > 0 {
            self.report.notes.push(format!("{count} {what}"));
        }
    }

    fn rule(&self) -> Result<Rule, ImportError> {
        self.config.rule.ok_or(ImportError::NoRule)
    }

    fn renlib(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let file = read_renlib(bytes, self.config.encoding)?;
        let rule = self.config.rule.unwrap_or(Rule::Renju);
        let nodes = import_tree(self.edit, &file.tree, rule, self.config.is_newer, Some(self.source))?;
        let texts: usize = file.tree.depth_first().map(|id| file.tree.node(id).marks.len()).sum();
        self.report.positions += (nodes + texts) as u64;
        self.report.notes.push(format!("texts read as {}", file.encoding));
        self.note(file.open_branches as u64, "branches end early: the file holds a part of a library");
        Ok(())
    }

    fn rapfi(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let mut reader = RapfiReader::new(bytes, self.config.encoding)?;
        for record in reader.by_ref() {
            let record = record?;
            let known = super::Record { source: Some(self.source), ..record.to_record() };
            self.edit.merge(&record.cursor(), known, self.config.is_newer)?;
        }
        let RapfiTally { records, skipped, texts_with_nuls, undecodable_texts, dropped_marks, .. } = reader.tally();
        self.report.positions += records;
        for (reason, count) in skipped {
            self.note(*count, format_args!("records skipped: {reason}"));
        }
        self.note(*texts_with_nuls, "texts with zero bytes, which were removed");
        self.note(*undecodable_texts, "texts with bytes that are no characters");
        self.note(*dropped_marks, "labels without a point, which were left out");
        Ok(())
    }

    fn csv(&mut self, text: &str) -> Result<(), ImportError> {
        for record in CsvReader::new(text)? {
            let record = record?;
            let known = super::Record { source: Some(self.source), ..record.to_record() };
            self.edit.merge(&record.cursor(), known, self.config.is_newer)?;
            self.report.positions += 1;
        }
        Ok(())
    }

    /// Adds the trees of a file. A line without a comment or a label is a game, of which the first plies are added.
    fn sgf(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        for tree in read_sgf(bytes)? {
            let rule = self.config.rule.or(tree.info.known_rule()).ok_or(ImportError::NoRule)?;
            let is_plain = tree.depth_first().all(|id| is_plain(tree.node(id)));
            let has_one_line = tree.main_line().count() + 1 == tree.len();
            match tree.main_moves().filter(|_| is_plain && has_one_line) {
                Some(moves) => self.game((rule, tree.size()), &moves, tree.info.winner())?,
                None => {
                    import_tree(self.edit, &tree, rule, self.config.is_newer, Some(self.source))?;
                    self.report.positions += tree.len() as u64 - 1;
                }
            }
        }
        Ok(())
    }

    fn json(&mut self, text: &str) -> Result<(), ImportError> {
        for (number, line) in opening_lines(text) {
            let parsed = JsonPosition::read(line).and_then(JsonPosition::parse);
            let (cursor, record) = parsed.map_err(|error| ImportError::Json(number, error))?;
            let record = super::Record { source: Some(self.source), ..record };
            self.edit.merge(&cursor, record, self.config.is_newer)?;
            self.report.positions += 1;
        }
        Ok(())
    }

    fn record(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let mut reader = RecordReader::default();
        let (mut rule, mut size) = (self.config.rule, self.config.size);
        let mut rest = bytes;
        let mut number = 0;
        while !rest.is_empty() {
            number += 1;
            let end = rest.iter().position(|&byte| byte == b'\n');
            let (line, after) = end.map_or((rest, &[][..]), |end| (&rest[..end], &rest[end + 1..]));
            rest = after;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let game = match reader.read::<Value>(line) {
                Ok(RecordLine::Game(game)) => game,
                Ok(RecordLine::Match(heading)) => {
                    let field = |name: &str| heading.get(name).and_then(Value::as_str).map(str::to_owned);
                    rule = field("rule").and_then(|rule| rule.parse().ok()).or(rule);
                    let number = heading.get("size").and_then(Value::as_u64);
                    let named = field("size").and_then(|size| size.parse().ok());
                    size = number.and_then(|side| Size::new(u8::try_from(side).ok()?)).or(named).unwrap_or(size);
                    continue;
                }
                // A killed match may leave a part of its last line.
                Err(_) if end.is_none() => {
                    self.note(1, "unfinished game at the end");
                    continue;
                }
                Err(error) => return Err(ImportError::Record(number, error)),
            };
            let moves: Vec<_> = game.opening.0.iter().chain(&game.moves.0).copied().map(Some).collect();
            let winner = match game.winner {
                Winner::Black => Some(Color::Black),
                Winner::White => Some(Color::White),
                Winner::Draw => None,
            };
            let rule = rule.ok_or(ImportError::NoRule)?;
            self.game((rule, size), &moves, Some(winner)).map_err(|error| match error {
                ImportError::Game(error) => ImportError::GameLine(number, error),
                error => error,
            })?;
        }
        Ok(())
    }

    fn psq(&mut self, text: &str) -> Result<(), ImportError> {
        let GameMoves { size, moves } = SavedGame::read(text)?.record;
        let moves: Vec<_> = moves.into_iter().map(Some).collect();
        self.game((self.rule()?, size), &moves, None)
    }

    fn list(&mut self, text: &str) -> Result<(), ImportError> {
        let letters = Letters::new(self.config.size).counted_from(self.config.ranks);
        let rule = self.rule()?;
        for (number, line) in opening_lines(text) {
            let moves = parse_opening(line, letters).map_err(|error| ImportError::Line(number, error))?;
            let moves: Vec<_> = moves.into_iter().map(Some).collect();
            self.game((rule, letters.size()), &moves, None)?;
        }
        Ok(())
    }

    /// Adds a game. Without a winner its last move may show one.
    fn game(
        &mut self,
        (rule, size): (Rule, Size),
        moves: &[Move],
        winner: Option<Option<Color>>,
    ) -> Result<(), ImportError> {
        let mut board = Board::new(size, rule);
        let mut last = None;
        for (number, &played) in (1..).zip(moves) {
            let Some(point) = played else {
                board.set_turn(!board.turn());
                continue;
            };
            board.check_empty(point).map_err(|error| GameMovesError::Play(number, size, point, error))?;
            last = board.outcome_of(point, board.turn());
            board.play(point);
        }
        let winner = winner.or_else(|| last.map(Outcome::winner));
        import_game(self.edit, (rule, size), moves, winner, self.config.plies, Some(self.source))?;
        self.report.games += 1;
        Ok(())
    }
}

/// Whether a node says nothing but its move, or that the board is empty.
fn is_plain(node: &TreeNode) -> bool {
    let is_move = match &node.step {
        Step::Play(..) | Step::Pass(_) => true,
        Step::Setup(stones) => stones.is_empty(),
    };
    is_move && node.comment.is_empty() && node.label.is_empty() && node.marks.is_empty()
}
