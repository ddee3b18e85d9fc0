//! [`Importer`]: reads each format into an [`Edit`].

use super::positions::{Written, import_game, import_tree};
use super::{ImportConfig, ImportError, ImportReport};
use crate::board::Rule;
use crate::fnv::Fnv1a;
use crate::library::format::csv::{CsvReader, decode_csv};
use crate::library::format::rapfi::RapfiReader;
use crate::library::format::renlib::{NEWEST_VERSION, read_renlib};
use crate::library::source::{Game, GameDefaults, LibraryKind, SourceKind, read_games};
use crate::library::{Edit, JsonPosition, Record, Source, SourceId};
use crate::notation::{Step, TextEncoding, TreeNode, opening_lines, read_sgf_in};

/// An import of one file.
pub(super) struct Importer<'e, 'a> {
    pub(super) edit: &'e mut Edit<'a>,
    config: &'e ImportConfig,
    /// The file.
    file: Source,
    source: SourceId,
    /// The number of its first games that are left out, because they are in the library.
    known: u64,
    /// The greatest number of games of a position, in a file of positions.
    counted: u64,
    written: Written,
    report: ImportReport,
}

impl<'e, 'a> Importer<'e, 'a> {
    /// Begins the import of a file, unless it was imported before.
    pub(super) fn new(
        edit: &'e mut Edit<'a>,
        name: &str,
        bytes: &[u8],
        config: &'e ImportConfig,
    ) -> Result<Self, ImportError> {
        let checksum = Fnv1a::of(bytes);
        if !config.is_again && edit.has_imported(checksum)? {
            return Err(ImportError::Twice);
        }
        Self::of_source(edit, Source { name: name.to_owned(), checksum: Some(checksum) }, 0, config)
    }

    /// Begins the import of a file of which the library holds this number of games.
    pub(super) fn of_source(
        edit: &'e mut Edit<'a>,
        file: Source,
        known: u64,
        config: &'e ImportConfig,
    ) -> Result<Self, ImportError> {
        let source = edit.add_source(&file)?;
        Ok(Self {
            edit,
            config,
            file,
            source,
            known,
            counted: 0,
            written: Written::default(),
            report: ImportReport::default(),
        })
    }

    /// Ends the import: the library keeps the number of games of the file.
    pub(super) fn finish(self) -> Result<ImportReport, ImportError> {
        self.edit.count_games(&self.file, self.known + self.report.games.max(self.counted))?;
        Ok(self.report)
    }

    /// Adds the positions of a library.
    pub(super) fn library(&mut self, kind: LibraryKind, bytes: &[u8]) -> Result<(), ImportError> {
        match kind {
            LibraryKind::RenLib => self.renlib(bytes),
            LibraryKind::Rapfi => self.rapfi(bytes),
            LibraryKind::Csv => self.csv(bytes),
        }
    }

    fn note(&mut self, count: u64, what: impl std::fmt::Display) {
        if count > 0 {
            self.report.notes.push(format!("{count} {what}"));
        }
    }

    fn renlib(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let file = read_renlib(bytes, self.config.encoding)?;
        let rule = self.config.rule.unwrap_or(Rule::Renju);
        let nodes = import_tree(self.edit, &file.tree, rule, self.config, Some(self.source), &mut self.written)?;
        let texts: usize = file.tree.depth_first().map(|id| file.tree.node(id).marks.len()).sum();
        self.report.positions += (nodes + texts) as u64;
        self.report.notes.push(format!("texts read as {}", file.encoding));
        if let Some((major, minor)) = file.version.filter(|&version| version > NEWEST_VERSION) {
            self.note(1, format_args!("header of RenLib {major}.{minor}, which is newer than 3.4"));
        }
        self.note(file.open_branches.len() as u64, "branches end early: the file holds a part of a library");
        Ok(())
    }

    fn rapfi(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let encoding = match self.config.encoding {
            Some(encoding) => encoding,
            None => RapfiReader::encoding_of_texts(bytes)?,
        };
        let mut reader = RapfiReader::new(bytes, Some(encoding))?;
        for record in reader.by_ref() {
            let record = record?;
            let known = Record { source: Some(self.source), ..record.to_record() };
            self.edit.merge(&record.cursor(), known, self.config.is_newer)?;
        }
        self.report.positions += reader.tally().records;
        self.report.notes.extend(reader.tally().notes());
        self.note_encoding(encoding);
        Ok(())
    }

    fn csv(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let (text, encoding) = decode_csv(bytes, self.config.encoding)?;
        for record in CsvReader::new(&text)? {
            let record = record?;
            let known = Record { source: Some(self.source), ..record.to_record() };
            self.edit.merge(&record.cursor(), known, self.config.is_newer)?;
            self.report.positions += 1;
        }
        self.note_encoding(encoding);
        Ok(())
    }

    /// Notes the encoding of the file's texts, unless it is UTF-8.
    fn note_encoding(&mut self, encoding: TextEncoding) {
        if encoding != TextEncoding::Utf8 {
            self.report.notes.push(format!("texts read as {encoding}"));
        }
    }

    /// Adds the trees of a file. A line without a comment or a label is a game, of which the first plies are added. A tree
    /// with more and a result is both: all of it is added, and the result along the first plies of its main line.
    pub(super) fn sgf(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        for tree in read_sgf_in(bytes, self.config.encoding)? {
            let rule = tree.info.known_rule().or(self.config.rule).ok_or(ImportError::NoRule)?;
            let is_plain = tree.depth_first().all(|id| is_plain(tree.node(id)));
            let has_one_line = tree.main_line().count() + 1 == tree.len();
            let is_bare = is_plain && has_one_line;
            if !is_bare {
                import_tree(self.edit, &tree, rule, self.config, Some(self.source), &mut self.written)?;
                self.report.positions += tree.len() as u64 - 1;
            }
            // A tree with a result is a commented game.
            if let Some(game) = Game::of_main_line(&tree, rule)?.filter(|_| is_bare || tree.info.winner().is_some()) {
                self.game(rule, &game)?;
            }
        }
        Ok(())
    }

    pub(super) fn json(&mut self, text: &str) -> Result<(), ImportError> {
        let mut added_to = 0;
        for (number, line) in opening_lines(text) {
            let parsed = JsonPosition::read(line).and_then(JsonPosition::parse);
            let (cursor, record) = parsed.map_err(|error| ImportError::Json(number, error))?;
            let record = Record { source: Some(self.source), ..record };
            if record.games.total() > 0 {
                self.counted = self.counted.max(record.games.total());
                let known = self.edit.entry(&cursor)?;
                added_to += u64::from(known.is_some_and(|known| known.record.games.total() > 0));
            }
            self.edit.merge(&cursor, record, self.config.is_newer)?;
            self.report.positions += 1;
        }
        self.note(
            added_to,
            "positions already had games: those of the file were added, even if they are the same games",
        );
        Ok(())
    }

    /// Adds the games of a file that the library does not hold.
    pub(super) fn games(&mut self, kind: SourceKind, bytes: &[u8]) -> Result<(), ImportError> {
        let ImportConfig { rule, size, ranks, .. } = *self.config;
        // A game that states its rule is of that rule.
        let defaults = GameDefaults { size, rule: rule.unwrap_or_default(), ranks };
        let known = usize::try_from(self.known).unwrap_or(usize::MAX);
        for game in read_games(kind, bytes, defaults)?.iter().skip(known) {
            self.game(game.rule.or(rule).ok_or(ImportError::NoRule)?, game)?;
        }
        Ok(())
    }

    fn game(&mut self, rule: Rule, game: &Game) -> Result<(), ImportError> {
        let Game { size, moves, winner, .. } = game;
        import_game(self.edit, (rule, *size), moves, *winner, self.config.plies, Some(self.source))?;
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
