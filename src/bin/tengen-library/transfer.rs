//! `import`, `export` and `convert`: between libraries and the files of other programs. `book`: a library for engines.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use tengen::board::Rule;
use tengen::files::{self, OutputFile, write_new};
use tengen::library::book::{BOOK_KIND, BookConfig, CompiledBook, Trust, compile};
use tengen::library::format::csv::{CSV_HEADER, CsvReader, csv_row, decode_csv};
use tengen::library::format::rapfi::{RapfiError, RapfiReader, RapfiRecord, RapfiWriter};
use tengen::library::format::renlib::{RenLibFile, read_renlib, write_renlib};
use tengen::library::format::texts_cut;
use tengen::library::source::{Copies, LibraryKind, MOST_FILE_BYTES, SourceFile, SourceKind, files_in};
use tengen::library::{ExportFormat, ImportConfig, ImportError, export, import_file, learn};
use tengen::notation::{TextEncoding, read_sgf_in, write_sgf};

use crate::args::{BookArgs, ExportArgs, ImportArgs};
use crate::progress::EditBar;
use crate::{known_game, open, report, show};

/// Imports all files in one transaction.
pub(crate) fn import_files(args: &ImportArgs) -> anyhow::Result<()> {
    let library = open(&args.file)?;
    let mut edit = library.edit()?;
    let config = ImportConfig {
        rule: args.rule,
        size: args.size,
        ranks: args.ranks,
        encoding: args.encoding,
        plies: args.plies,
        has_claims: args.claims,
        is_newer: args.newer,
        is_again: args.again,
    };
    let bar = EditBar::of(&mut edit);
    let (mut positions, mut games) = (0, 0);
    let mut copies = Copies::default();
    for source in &args.sources {
        for file in files_in(source)? {
            let file = file?;
            let name = &file.name;
            bar.read(name);
            if copies.is_copy(&file) && file.is_member {
                bar.print(&format!("{name}: skipped, a copy of an earlier file"));
                continue;
            }
            let read = import_file(&mut edit, &file, &config).map_err(|error| named(error, &args.file, name))?;
            let Some(read) = read else {
                bar.print(&format!("{name}: skipped, a file of an unknown form"));
                continue;
            };
            positions += read.positions;
            games += read.games;
            read.notes.iter().for_each(|note| bar.print(&format!("{name}: {note}")));
        }
    }
    show::committed(&args.file, edit, &bar, &[format!("{positions} positions and {games} games read")])
}

/// Adds the new games of records in one transaction.
pub(crate) fn learn_records(file: &Path, records: &[PathBuf], plies: usize) -> anyhow::Result<()> {
    let library = open(file)?;
    let mut edit = library.edit()?;
    let config = ImportConfig { plies, ..ImportConfig::default() };
    let bar = EditBar::of(&mut edit);
    let mut lines = Vec::new();
    for record in records {
        for source in files_in(record)? {
            let SourceFile { name, bytes, .. } = source?;
            bar.read(&name);
            let read = learn(&mut edit, &name, &bytes, &config).map_err(|error| named(error, file, &name))?;
            lines.push(format!("{name}: {} new games", read.games));
        }
    }
    show::committed(file, edit, &bar, &lines)
}

/// The error of an import with the name of the file at fault: the library or the source.
fn named(error: ImportError, library: &Path, source: &str) -> anyhow::Error {
    let name = if matches!(error, ImportError::Library(_)) { library.display().to_string() } else { source.to_owned() };
    anyhow::Error::new(error).context(name)
}

/// Writes the positions of a rule and size to a new file.
pub(crate) fn export_file(args: &ExportArgs) -> anyhow::Result<()> {
    let library = open(&args.file)?;
    let view = library.view()?;
    let format = match args.format {
        Some(format) => format,
        None => format_of(&args.out).context("name a --format")?,
    };
    let file = export(&view, known_game(&view, args.game)?, format, args.encoding)?;
    for note in &file.notes {
        report(note);
    }
    write_new(&args.out, &file.bytes)?;
    report(&format!("{}: {} positions", args.out.display(), file.positions));
    Ok(())
}

/// Compiles a book.
pub(crate) fn compile_book(args: &BookArgs) -> anyhow::Result<()> {
    let library = open(&args.file)?;
    let view = library.view()?;
    let trust = if args.proved { Trust::Proofs } else { Trust::Claims };
    let config = BookConfig { nodes: args.nodes, games: args.games, margin: args.margin, trust };
    let CompiledBook { book, won, playable } = compile(&view, known_game(&view, args.game)?, &config)?;
    OutputFile::create(&args.out, &BOOK_KIND)?.write_whole(&book.to_bytes())?;
    let (path, count) = (args.out.display(), book.len());
    report(&format!("{path}: {count} positions, {won} with a winning move, {playable} others with a playable one"));
    Ok(())
}

/// The format that the ending of a name states.
fn format_of(path: &Path) -> anyhow::Result<ExportFormat> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    ending.parse().with_context(|| path.display().to_string())
}

/// Converts a file without a library, so that its tree, order and orientation stay.
pub(crate) fn convert(
    source: &Path,
    target: &Path,
    from: Option<TextEncoding>,
    to: Option<TextEncoding>,
) -> anyhow::Result<ExitCode> {
    let name = source.display().to_string();
    let bytes = files::read(source, MOST_FILE_BYTES).with_context(|| name.clone())?;
    let kind = SourceKind::detect(&name, &bytes).with_context(|| format!("{name}: a file of an unknown form"))?;
    let format = format_of(target).context("expected a target such as a.lib, a.sgf, a.db or a.csv")?;
    if to.is_some() && format != ExportFormat::Lib {
        bail!("--to is for a .lib: other files have one encoding");
    }
    let mut notes = Vec::new();
    let written = match (kind, format) {
        (SourceKind::Library(LibraryKind::RenLib), ExportFormat::Lib) => {
            let mut file = read_renlib(&bytes, from).with_context(|| name.clone())?;
            file.encoding = to.unwrap_or(file.encoding);
            write_renlib(&file)?
        }
        (SourceKind::Library(LibraryKind::RenLib), ExportFormat::Sgf) => {
            let mut file = read_renlib(&bytes, from).with_context(|| name.clone())?;
            file.tree.info.rule = Rule::Renju.to_string();
            write_sgf([&file.tree]).into_bytes()
        }
        (SourceKind::Sgf, ExportFormat::Sgf) => {
            write_sgf(&read_sgf_in(&bytes, from).with_context(|| name.clone())?).into_bytes()
        }
        (SourceKind::Sgf, ExportFormat::Lib) => {
            let trees = read_sgf_in(&bytes, from).with_context(|| name.clone())?;
            let [tree] =
                <[_; 1]>::try_from(trees).map_err(|trees| anyhow!("{name}: {} games, not one", trees.len()))?;
            write_renlib(&RenLibFile::new(tree, to.unwrap_or(TextEncoding::Utf8)))?
        }
        (SourceKind::Library(LibraryKind::Rapfi), ExportFormat::Db | ExportFormat::Csv) => {
            let mut read = || {
                let encoding = from.map_or_else(|| RapfiReader::encoding_of_texts(&bytes), Ok)?;
                let mut reader = RapfiReader::new(&bytes[..], Some(encoding))?;
                let records = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
                notes.extend(reader.tally().notes());
                Ok::<_, RapfiError>(records)
            };
            write_records(&read().with_context(|| name.clone())?, format, &mut notes)?
        }
        (SourceKind::Library(LibraryKind::Csv), ExportFormat::Db | ExportFormat::Csv) => {
            let read = || {
                let (text, _) = decode_csv(&bytes, from)?;
                CsvReader::new(&text)?.collect::<Result<Vec<_>, _>>()
            };
            write_records(&read().with_context(|| name.clone())?, format, &mut notes)?
        }
        (from, to) => bail!("{from} cannot become .{to} directly: import it and export it"),
    };
    write_new(target, &written)?;
    notes.iter().for_each(|note| report(&format!("{name}: {note}")));
    Ok(ExitCode::SUCCESS)
}

fn write_records(records: &[RapfiRecord], format: ExportFormat, notes: &mut Vec<String>) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if format == ExportFormat::Db {
        let mut writer = RapfiWriter::new();
        records.iter().try_for_each(|record| writer.add(record))?;
        writer.write(&mut bytes)?;
        notes.extend(texts_cut(writer.cut_texts()));
    } else {
        bytes.extend(CSV_HEADER.bytes().chain([b'\n']));
        let mut cut = 0;
        for (index, record) in records.iter().enumerate() {
            let (row, is_cut) = csv_row(index, record)?;
            bytes.extend(row.bytes().chain([b'\n']));
            cut += u64::from(is_cut);
        }
        notes.extend(texts_cut(cut));
    }
    Ok(bytes)
}
