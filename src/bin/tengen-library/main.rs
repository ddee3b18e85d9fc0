//! tengen-library: what is known of positions, for a person on a terminal and a script. Arguments, then one call.
//!
//! Exit status: 0 finished; 1 something failed, or a check found faults; 2 wrong usage; 130 interrupted by Ctrl-C or
//! SIGTERM.

mod args;
mod progress;
mod show;
mod transfer;

use std::io::{Write, stderr};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Parser;
use tengen::board::{Rule, Size};
use tengen::cli::output::print;
use tengen::expansion::{ExpansionConfig, Progress, expand};
use tengen::library::{Cursor, Library, Mark, Proof, ProofOrigin, Source, View, diff, merge, prune};
use tengen::notation::Letters;
use tengen::opening::NamedOpening;
use tengen::platform;
use tengen::text::Short;
use tengen::tune::evaluation;

use self::args::{ChangeArgs, Cli, ExpandArgs, GameArgs, Place, Task};
use self::progress::{EditBar, SearchBar};

/// The exit status after Ctrl-C or SIGTERM.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    tengen::files::survive_size_limit();
    // A damaged page makes the database panic. The error that follows says so in one line.
    std::panic::set_hook(Box::new(|_| {}));
    run(Cli::parse().task).unwrap_or_else(|error| {
        report(&format!("tengen-library: {}", Short(format_args!("{error:#}"))));
        ExitCode::FAILURE
    })
}

fn run(task: Task) -> anyhow::Result<ExitCode> {
    match task {
        Task::Create { file } => drop(Library::create(&file).with_context(|| file.display().to_string())?),
        Task::Info { file } => show::info(&open(&file)?).with_context(|| file.display().to_string())?,
        Task::Import(args) => transfer::import_files(&args)?,
        Task::Learn { file, records, plies } => transfer::learn_records(&file, &records, plies)?,
        Task::Export(args) => transfer::export_file(&args)?,
        Task::Book(args) => transfer::compile_book(&args)?,
        Task::Convert { source, target, encoding, to } => return transfer::convert(&source, &target, encoding, to),
        Task::Query { place, json } => query(&place, json)?,
        Task::Edit { place, change } => edit(&place, &change)?,
        Task::Merge { file, others, newer, again } => {
            let library = open(&file)?;
            let others = others.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
            let mut edit = library.edit()?;
            let bar = EditBar::of(&mut edit);
            let mut lines = Vec::new();
            for other in &others {
                let name = other.path().unwrap_or(&file).display().to_string();
                bar.read(&name);
                let count = merge(&mut edit, &other.view()?, newer, again).with_context(|| name.clone())?;
                lines.push(format!("{name}: {count} positions"));
            }
            show::committed(&file, edit, &bar, &lines)?;
        }
        Task::Diff { file, other } => {
            let (first, second) = (open(&file)?, open(&other)?);
            let mut printed = Ok(());
            let compared = diff(&first.view()?, &second.view()?, &mut |difference| {
                if printed.is_ok() {
                    printed = show::difference(&difference);
                }
            });
            compared.with_context(|| format!("{} or {}", file.display(), other.display()))?;
            printed?;
        }
        Task::Prune { file, more_stones_than, fewer_games_than } => {
            let library = open(&file)?;
            let view = library.view()?;
            let mut edit = library.edit()?;
            let bar = EditBar::of(&mut edit);
            let which = Task::prune(more_stones_than, fewer_games_than);
            let pruned = prune(&mut edit, &view, which).and_then(|removed| edit.commit().map(|_| removed));
            let removed = pruned.with_context(|| file.display().to_string())?;
            bar.end();
            print(&format_args!("{removed} positions removed"))?;
        }
        Task::Expand(args) => return grow(&args),
        Task::Check { file } => return check(&file),
        Task::Backup { file, target } => {
            open(&file)?.back_up(&target).with_context(|| target.display().to_string())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn open(path: &Path) -> anyhow::Result<Library> {
    Library::open(path).with_context(|| path.display().to_string())
}

/// The rule and size that the arguments name, or the only ones of the library.
fn game(view: &View<'_>, args: GameArgs) -> anyhow::Result<(Rule, Size)> {
    let games = view.games()?;
    let fits = |&&(rule, size): &&(Rule, Size)| {
        args.rule.is_none_or(|named| named == rule) && args.size.is_none_or(|named| named == size)
    };
    let found: Vec<_> = games.iter().filter(fits).collect();
    match (found[..].as_ref(), args.rule, args.size) {
        ([one], ..) => Ok(**one),
        (_, Some(rule), size) => Ok((rule, size.unwrap_or(Size::FIFTEEN))),
        ([], None, _) => bail!("the library has no such positions: name a --rule"),
        _ => bail!("the library has positions of several rules or sizes: name a --rule and a --size"),
    }
}

/// The same for an export or a book: an error if the library has no such positions.
fn known_game(view: &View<'_>, args: GameArgs) -> anyhow::Result<(Rule, Size)> {
    let (rule, size) = game(view, args)?;
    if !view.games()?.contains(&(rule, size)) {
        bail!("the library has no positions of {rule}, {size}x{size}");
    }
    Ok((rule, size))
}

/// The position that the arguments name.
fn cursor(place: &Place, view: &View<'_>) -> anyhow::Result<Cursor> {
    let (rule, size) = game(view, place.game)?;
    let mut cursor = Cursor::new(rule, size);
    for point in place.moves(size)? {
        if !cursor.is_empty(point) {
            bail!("{}: the point is occupied", Letters::new(size).point(point));
        }
        cursor.play(Some(point));
    }
    Ok(cursor)
}

fn query(place: &Place, json: bool) -> anyhow::Result<()> {
    let library = open(&place.file)?;
    let view = library.view()?;
    let cursor = cursor(place, &view)?;
    show::position(&view, &cursor, json)
}

fn edit(place: &Place, change: &ChangeArgs) -> anyhow::Result<()> {
    let library = open(&place.file)?;
    let cursor = cursor(place, &library.view()?)?;
    let mut edit = library.edit()?;
    let bar = EditBar::of(&mut edit);
    if change.remove {
        if !edit.remove(&cursor)? {
            bail!("the position is not known");
        }
        return show::committed(&place.file, edit, &bar, &[]);
    }
    let letters = Letters::new(cursor.size());
    let marks = change.marks.iter().map(|text| {
        let (point, label) = text.split_once('=').unwrap_or((text, ""));
        let point = letters.parse(point).with_context(|| format!("--mark {text}"))?;
        Ok(Mark { point, text: label.to_owned() })
    });
    let marks = marks.collect::<anyhow::Result<Vec<_>>>()?;
    let claim = |is_win, plies| Proof { is_win, plies, origin: ProofOrigin::Claimed };
    let proof = match (change.win, change.loss) {
        (Some(plies), _) => Some(claim(true, plies)),
        (None, Some(plies)) => Some(claim(false, plies)),
        (None, None) => None,
    };
    // The last stone is the winner's.
    match proof {
        Some(Proof { is_win: true, plies: Some(plies), .. }) if plies % 2 == 0 => {
            bail!("--win {plies}: expected an odd number")
        }
        Some(Proof { is_win: false, plies: Some(plies), .. }) if plies % 2 == 1 || plies == 0 => {
            bail!("--loss {plies}: expected an even number above 0")
        }
        _ => {}
    }
    // The positions on the way become known too, so that the moves lead to this one.
    edit.add_path(&cursor)?;
    edit.update(&cursor, &mut |record, _| {
        if proof.is_some() || change.unknown {
            (record.proof, record.is_disputed) = (proof, false);
        }
        if let Some(comment) = &change.comment {
            record.comment.clone_from(comment);
        }
    })?;
    for mark in &marks {
        edit.set_mark(&cursor, mark)?;
    }
    show::committed(&place.file, edit, &bar, &[])
}

/// Expands a library until the arguments or a signal end it.
fn grow(args: &ExpandArgs) -> anyhow::Result<ExitCode> {
    let library = open(&args.place.file)?;
    let mut root = cursor(&args.place, &library.view()?)?;
    if let Some(code) = &args.opening {
        let opening = NamedOpening::all().iter().find(|opening| opening.code().eq_ignore_ascii_case(code));
        let opening = opening.with_context(|| format!("--opening {code}: expected a code such as 4D"))?;
        opening.stones(root.size()).into_iter().for_each(|stone| root.play(Some(stone)));
    }
    let mut edit = library.edit()?;
    let name = || args.place.file.display().to_string();
    edit.add_path(&root).and_then(|()| edit.commit()).with_context(name)?;
    let config = ExpansionConfig {
        nodes: args.nodes,
        plies: args.plies,
        threads: args.threads.get(),
        time: args.hours,
        searches: args.searches,
        evaluation: evaluation(args.network.as_deref(), root.rule())?,
        engine: Source::own().name,
        root,
    };
    let halt = halt_on_interrupt()?;
    let bar = SearchBar::new(args.hours, args.searches);
    let done = expand(&library, &config, &halt, &mut |progress| bar.show(&progress)).with_context(name)?;
    bar.end();
    let Progress { searches, added, contradictions, time, .. } = done;
    report(&format!("{searches} searches, {added} new positions in {:.0} s", time.as_secs_f64()));
    show::contradictions(contradictions);
    Ok(if halt.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// A flag that the first Ctrl-C or SIGTERM sets. The second one ends the process, and loses what is not committed.
fn halt_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let halt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&halt);
    platform::on_interrupt(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        report("stopping after the searches in progress; the same command goes on");
    })
    .context("the system refuses a thread that waits for Ctrl-C")?;
    Ok(halt)
}

fn check(file: &Path) -> anyhow::Result<ExitCode> {
    let mut library = open(file)?;
    let checked = library.check_pages().and_then(|()| library.view()?.check());
    let checked = checked.with_context(|| file.display().to_string())?;
    for (position, fault) in &checked.faults {
        print(&format_args!("{position}: {fault}"))?;
    }
    let damaged = checked.faults.iter().filter(|(_, fault)| fault.is_damage()).count();
    let contradictions = checked.faults.len() - damaged;
    print(&format_args!(
        "{} positions, {damaged} faults, {contradictions} contradictions between sources",
        checked.positions
    ))?;
    Ok(if damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes a line to stderr. A closed stderr is ignored.
fn report(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}
