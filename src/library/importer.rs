//! [`Importer`]: reads each format into an [`Edit`].

use serde_json::Value;

use super::format::csv::CsvReader;
use super::format::rapfi::{RapfiReader, RapfiTally};
use super::format::renlib::read_renlib;
use super::import::{import_game, import_tree};
use super::source::{ImportConfig, ImportError, ImportReport};
use super::{Edit, JsonPosition, Move, Record, SourceId};
use crate::board::{Board, Color, Outcome, Rule, Size};
use crate::notation::record::{RecordLine, RecordReader, Winner};
use crate::notation::sgf::read_sgf;
use crate::notation::{GameMoves, GameMovesError, Letters, SavedGame, Step, TreeNode, opening_lines, parse_opening};

/// An import of one file.
pub(super) struct Importer<'e, 'a> {
    pub(super) edit: &'e mut Edit<'a>,
    pub(super) config: &'e ImportConfig,
    pub(super) source: SourceId,
    pub(super) report: ImportReport,
}

impl Importer<'_, '_> {
    fn note(&mut self, count: u64, what: impl std::fmt::Display) {
        if count > 0 {
            self.report.notes.push(format!("{count} {what}"));
        }
    }

    fn rule(&self) -> Result<Rule, ImportError> {
        self.config.rule.ok_or(ImportError::NoRule)
    }

    pub(super) fn renlib(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let file = read_renlib(bytes, self.config.encoding)?;
        let rule = self.config.rule.unwrap_or(Rule::Renju);
        let nodes = import_tree(self.edit, &file.tree, rule, self.config.is_newer, Some(self.source))?;
        let texts: usize = file.tree.depth_first().map(|id| file.tree.node(id).marks.len()).sum();
        self.report.positions += (nodes + texts) as u64;
        self.report.notes.push(format!("texts read as {}", file.encoding));
        self.note(file.open_branches as u64, "branches end early: the file holds a part of a library");
        Ok(())
    }

    pub(super) fn rapfi(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let mut reader = RapfiReader::new(bytes, self.config.encoding)?;
        for record in reader.by_ref() {
            let record = record?;
            let known = Record { source: Some(self.source), ..record.to_record() };
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

    pub(super) fn csv(&mut self, text: &str) -> Result<(), ImportError> {
        for record in CsvReader::new(text)? {
            let record = record?;
            let known = Record { source: Some(self.source), ..record.to_record() };
            self.edit.merge(&record.cursor(), known, self.config.is_newer)?;
            self.report.positions += 1;
        }
        Ok(())
    }

    /// Adds the trees of a file. A line without a comment or a label is a game, of which the first plies are added.
    pub(super) fn sgf(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
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

    pub(super) fn json(&mut self, text: &str) -> Result<(), ImportError> {
        for (number, line) in opening_lines(text) {
            let parsed = JsonPosition::read(line).and_then(JsonPosition::parse);
            let (cursor, record) = parsed.map_err(|error| ImportError::Json(number, error))?;
            let record = Record { source: Some(self.source), ..record };
            self.edit.merge(&cursor, record, self.config.is_newer)?;
            self.report.positions += 1;
        }
        Ok(())
    }

    /// Adds the games of a record after this number of games.
    pub(super) fn record(&mut self, bytes: &[u8], mut known: u64) -> Result<(), ImportError> {
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
            if known > 0 {
                known -= 1;
                continue;
            }
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

    pub(super) fn psq(&mut self, text: &str) -> Result<(), ImportError> {
        let GameMoves { size, moves } = SavedGame::read(text)?.record;
        let moves: Vec<_> = moves.into_iter().map(Some).collect();
        self.game((self.rule()?, size), &moves, None)
    }

    pub(super) fn list(&mut self, text: &str) -> Result<(), ImportError> {
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
