//! The files of a session's library, and what searches write into it.

use tengen::board::{Rule, Size};
use tengen::library::{Cursor, ExportFormat, Library, ProofOrigin, export};
use tengen::notation::TextEncoding;

use super::engine::{Engine, Program, SEARCHING, read_move};
use super::library::{NAME, Session, cursor, list};
use crate::arena::held_by;
use crate::library::book::{result, write_book};
use crate::library::faults::run_well;

#[test]
fn a_named_library_opens_with_the_first_command_unless_it_is_switched_off() {
    let mut session = Session::new();
    let report = format!("MESSAGE library {}: 6 positions", session.path());
    session.engine.expect(&format!("YXQUERYDATABASEONE\n{}", list("7,7 8,8")), &report);
    assert_eq!(session.engine.line(), "MESSAGE DATABASE ONE 120 0 0 0 x");
    session.engine.expect_silence("INFO usedatabase 1");
    session.engine.expect_silence("INFO usedatabase 0");
    assert_eq!(session.one("7,7 8,8"), "0 0 0 0");
    session.engine.expect_error(&format!("YXDELETEDATABASEONE\n{}", list("7,7 8,8")));
    session.engine.expect("INFO usedatabase 1", &report);
    assert_eq!(session.one("7,7 8,8"), "120 0 0 0 x");
    session.engine.end();
}

#[test]
fn a_library_is_created_and_the_last_one_stays_after_an_error() {
    let mut session = Session::new().open();
    let folder = session.folder.0.display().to_string();
    session.engine.expect(
        &format!("YXSETDATABASE\n{folder}/new.library"),
        &format!("MESSAGE library {folder}/new.library: 0 positions"),
    );
    session.silent("YXEDITLABELDATABASE 7,7 A", "");
    let (_, database) = (session.folder.write("text.library", "no library"), export_to(&session, ExportFormat::Db));
    for (path, error) in [
        (format!("{folder}/text.library"), "not a library, or a damaged one"),
        (folder.clone(), "not a regular file"),
        (
            format!("{folder}/no folder/a.library"),
            if cfg!(windows) { "The system cannot find" } else { "No such file" },
        ),
        (database, "a Yixin or Rapfi database, not a library: YXDBMERGE adds it to one"),
    ] {
        let answer = session.engine.ask(&format!("YXSETDATABASE\n{path}"));
        assert!(answer.starts_with(&format!("ERROR {path}: {error}")), "{answer}");
    }
    assert_eq!(session.moves(""), ["7 7 -1 0 0 0 0 A"]);
    let mut other = Engine::spawn_with(Program::Greedy, &[]);
    let answer = other.ask(&format!("YXSETDATABASE {folder}/new.library"));
    assert!(answer.ends_with(&held_by(session.engine.id())), "{answer}");
    assert!(answer.starts_with("ERROR "), "{answer}");
    other.end();
    let name = session.folder.0.file_name().unwrap().to_str().unwrap();
    let set = format!("YXSETDATABASE {folder}/../{name}/new.library");
    assert!(session.engine.ask(&set).ends_with(": 2 positions"), "it is open already");
    session.engine.end();
}

/// The contents of the session's library in a file of this format. Returns the path.
fn export_to(session: &Session, format: ExportFormat) -> String {
    let copy = session.folder.0.join("copy.library");
    let library = Library::create(&copy).unwrap();
    let mut edit = library.edit().unwrap();
    edit.add_path(&cursor("7,7 7,6")).unwrap();
    edit.update(&cursor("7,7 7,6"), &mut |_, _| {}).unwrap();
    edit.commit().unwrap();
    let game = (Rule::Renju, Size::FIFTEEN);
    let file = export(&library.view().unwrap(), game, format, TextEncoding::Utf8).unwrap();
    let path = session.folder.0.join(format!("copy.{format}"));
    std::fs::write(&path, file.bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_library_that_does_not_open_is_reported_once() {
    let folder = crate::tune::Folder::new();
    let path = folder.0.join("missing.library");
    let path = path.to_str().unwrap();
    let mut engine = Engine::spawn_with(Program::Greedy, &["--library", path]);
    engine.expect("START 15", "OK");
    let missing = engine.ask("YXQUERYDATABASEONE\nDONE");
    assert!(missing.starts_with(&format!("MESSAGE {path}: ")), "{missing}");
    assert_eq!(engine.line(), "MESSAGE DATABASE ONE 0 0 0 0");
    engine.expect("YXQUERYDATABASEONE\nDONE", "MESSAGE DATABASE ONE 0 0 0 0");
    engine.expect("INFO usedatabase 1", &missing);
    engine.end();
    assert!(!folder.0.join("missing.library").exists());
}

#[test]
fn only_the_fork_reads_lines_of_texts_and_files() {
    let mut session = Session::new().open();
    let path = session.path();
    let set = format!("YXSETDATABASE\n{path}");
    let report = format!("MESSAGE library {path}: 6 positions");
    session.engine.expect(&set, &report);
    session.engine.expect_silence("INFO database_readonly 0");
    for word in ["LOAD START", "LOAD DONE"] {
        let line = if word == "LOAD START" { session.engine.ask(&set) } else { session.engine.line() };
        assert!(line.starts_with(&format!("MESSAGE DATABASE {word}")), "{line}");
    }
    assert_eq!(session.engine.line(), report);
    session.engine.expect("YXSAVEDATABASE", &format!("MESSAGE DATABASE SAVE START {path}"));
    assert_eq!(session.engine.line(), "MESSAGE DATABASE SAVE DONE");
    session.engine.end();
}

#[test]
fn a_library_that_is_read_only_is_not_changed() {
    let mut session = Session::of(Program::Search, &[]).open();
    session
        .engine
        .expect_silence("INFO database_readonly 1\nINFO library_proofs 1\nINFO show_detail 0\nINFO max_node 500");
    let path = session.path();
    for command in [
        "YXEDITTVDDATABASE 1 119 0 0\n7,7\nDONE",
        "YXEDITTEXTDATABASE \"x\"\n7,7\nDONE",
        "YXEDITLABELDATABASE 7,7 A\nDONE",
        "YXDELETEDATABASEONE\n7,7\nDONE",
        "YXDELETEDATABASEALL\n7,7\nDONE",
        &format!("YXDBMERGE\n{path}"),
    ] {
        session.engine.expect(command, "ERROR the library is read-only: INFO database_readonly 0 allows changes");
    }
    session.engine.ask_move("BEGIN");
    assert_eq!(session.library().view().unwrap().len().unwrap(), 6);
    session.engine.end();
}

#[test]
fn files_are_added_and_written() {
    let mut session = Session::new().open();
    let folder = session.folder.0.clone();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let ask = |session: &mut Session, command: &str, name: &str| {
        let path = file(name);
        let answer = session.engine.ask(&format!("{command}\n{path}"));
        answer.strip_prefix(&format!("MESSAGE {path}: ")).unwrap_or(&answer).to_owned()
    };
    let database = export_to(&session, ExportFormat::Db);
    assert_eq!(
        session.engine.ask(&format!("YXDBMERGE\n{database}")),
        format!("MESSAGE {database}: 3 positions read, 0 new")
    );
    assert_eq!(ask(&mut session, "YXDBMERGE", "copy.library"), "3 positions read, 0 new");
    assert_eq!(ask(&mut session, "YXLIBTODB", "opening.lib"), "3 positions read, 1 new");
    assert!(ask(&mut session, "YXLIBTODB", "opening.lib").ends_with("imported before: its games would count twice"));
    assert!(ask(&mut session, "YXDBMERGE", "missing").starts_with("ERROR "));
    assert_eq!(ask(&mut session, "YXDBTOTXT", "all.csv"), "7 positions written");
    assert!(ask(&mut session, "YXDBTOTXT", "all.csv").ends_with("the file exists"));
    session.engine.expect_silence("INFO rule 0");
    assert_eq!(ask(&mut session, "YXDBTOTXT", "none.csv"), "0 positions written");
    assert_eq!(ask(&mut session, "YXDBTOTXTALL", "every.csv"), "7 positions written");
    assert_eq!(std::fs::read(file("every.csv")).unwrap(), std::fs::read(file("all.csv")).unwrap());
    session.engine.expect_silence("INFO rule 4\nYXBOARD\n7,7,1\n7,6,2\nDONE");
    assert_eq!(ask(&mut session, "YXDBSPLIT", "branch.library"), "5 positions written");
    assert_eq!(ask(&mut session, "YXDBSPLIT", "branch.csv"), "5 positions written");
    let written = ask(&mut session, "YXDBTOLIB", "branch.lib");
    assert_eq!(written, "4 positions written; results left out: 2; scores left out: 1");
    assert!(std::fs::read(file("branch.lib")).unwrap().starts_with(b"\xffRenLib\xff"));
    let branch = Library::open(&folder.join("branch.library")).unwrap();
    let view = branch.view().unwrap();
    assert_eq!((view.len().unwrap(), view.check().unwrap().faults), (5, vec![]));
    assert!(view.entry(&cursor("7,7 8,8")).unwrap().is_none());
    assert_eq!(view.known(&cursor("7,7 7,6")).unwrap().unwrap().moves.len(), 4);
    session.engine.end();
}

#[test]
fn what_the_fork_edits_is_what_the_program_of_the_library_shows() {
    let mut session = Session::new().open();
    session.engine.ask("YXEDITTVDDATABASE 7 119 -29990 0\n7,7\n7,6\n8,6\nDONE");
    session.silent("YXEDITTEXTDATABASE \"black\nwins\"", "7,7 7,6 8,6");
    session.silent("YXEDITLABELDATABASE 8,7 no", "7,7 7,6 8,6");
    session.engine.expect_silence("INFO usedatabase 0");
    // 8,6 is i9.
    let known = run_well(&session.folder.0, &["query", NAME, "h8", "h9", "i9"]);
    assert_eq!(known, "white to move: loses in 10 plies (claimed)\n  black\n  wins\n  i8 no\ni8    known\n");
    session.engine.end();
}

#[test]
fn a_search_writes_what_it_finds_only_where_it_is_asked_for() {
    let mut session = Session::of(Program::Search, &[]).open();
    session.engine.expect_silence("INFO show_detail 0\nINFO max_depth 4");
    // Black has an open four, and plays its fifth stone.
    let won = "YXBOARD\n7,7,1\n0,0,2\n7,8,1\n0,1,2\n7,9,1\n0,2,2\n7,10,1\n1,4,2\nDONE\nBEGIN";
    let moves = "7,7 0,0 7,8 0,1 7,9 0,2 7,10 1,4";
    session.engine.ask_move(won);
    session.engine.expect_silence("INFO library_proofs 1");
    assert_eq!(session.one(moves), "0 0 0 0");
    let played = session.engine.ask_move(won);
    assert_eq!(session.one(moves), "108 29999 0 3 l2");
    let after = format!("{moves} {}", tengen::notation::Comma(played));
    assert_eq!(session.one(&after), "119 -30000 0 3 w1");
    session.engine.expect_silence("YXBOARD\n7,7,2\n8,8,1\nDONE");
    session.engine.ask_move("TURN 8,6");
    let library = session.library();
    let view = library.view().unwrap();
    let search = view.entry(&cursor("7,7 8,8 8,6")).unwrap().unwrap().record.search.unwrap();
    assert_eq!((search.depth, search.engine.is_some()), (4, true));
    let record = view.entry(&cursor(moves)).unwrap().unwrap().record;
    assert_eq!(record.proof.map(|proof| proof.origin), Some(ProofOrigin::Proved));
    assert!(view.sources().unwrap().iter().any(|(_, source)| source.name.starts_with("Tengen ")));
    session.engine.end();
}

#[test]
fn a_search_of_some_moves_says_nothing_of_its_position() {
    let folder = crate::tune::Folder::new();
    let book = folder.0.join("a.book");
    // After h8 i7 i9 the book avoids h9.
    write_book(&book, Rule::Renju, &[("h8i7i9h9", result(true, 9))]);
    let by_book = &["--book", book.to_str().unwrap()][..];
    for (arguments, left_out) in [(by_book, ""), (&[], "\nYXBLOCK\n0,0\nDONE"), (&[], "\nINFO level 9")] {
        let mut session = Session::of(Program::Search, arguments).open();
        let settings = "INFO show_detail 0\nINFO max_depth 2\nINFO rule 4\nINFO library_proofs 1";
        session.engine.expect_silence(&format!("{settings}{left_out}"));
        let played = session.engine.ask_move("YXBOARD\n7,7,2\n8,8,1\n8,6,2\nDONE\nBEGIN");
        let library = session.library();
        let view = library.view().unwrap();
        let record = |moves: &str| view.entry(&cursor(moves)).unwrap().unwrap().record;
        assert!(record("7,7 8,8 8,6").search.is_none(), "{arguments:?}");
        let after = record(&format!("7,7 8,8 8,6 {}", tengen::notation::Comma(played)));
        assert!(after.search.is_some_and(|search| search.nodes > 0), "{arguments:?}");
        session.engine.end();
    }
}

#[test]
fn a_search_is_written_into_the_library_under_which_it_began() {
    let mut session = Session::of(Program::Search, &[]).open();
    session.engine.expect_silence("INFO timeout_turn 20000\nINFO library_proofs 1");
    let other = session.folder.0.join("other.tengen");
    let change = format!("YXSETDATABASE\n{}", other.display());
    session.engine.send("YXBOARD\n7,7,2\n8,8,1\n8,6,2\nDONE\nBEGIN");
    // The change ends the search, which must have a result by then.
    let is_result = |line: &str| line.starts_with("MESSAGE depth") && line != SEARCHING;
    while !is_result(&session.engine.line()) {}
    session.engine.send(&change);
    assert!(read_move(&session.engine.answer()).is_some());
    assert!(session.engine.line().ends_with("other.tengen: 0 positions"));
    let library = session.library();
    let search = |library: &Library| {
        let entry = library.view().unwrap().entry(&cursor("7,7 8,8 8,6")).unwrap();
        entry.and_then(|entry| entry.record.search)
    };
    session.engine.end();
    assert!(search(&library).is_some());
    assert!(search(&Library::open(&other).unwrap()).is_none());
}

#[test]
fn a_search_is_written_under_the_rule_that_it_began_with() {
    let mut session = Session::of(Program::Search, &[]).open();
    session.engine.expect_silence("INFO show_detail 0\nINFO timeout_turn 500\nINFO rule 0\nINFO library_proofs 1");
    let during = "INFO rule 4\nYXSHOWFORBID";
    session.engine.expect(&format!("YXBOARD\n7,7,2\n8,8,1\n8,6,2\nDONE\nBEGIN\n{during}"), "FORBID .");
    session.engine.take_move();
    let library = session.library();
    let view = library.view().unwrap();
    let renju = cursor("7,7 8,8 8,6");
    let mut freestyle = Cursor::new(Rule::Freestyle, Size::FIFTEEN);
    renju.stones().iter().for_each(|&(_, point)| freestyle.play(Some(point)));
    let search = |cursor: &Cursor| view.entry(cursor).unwrap().and_then(|entry| entry.record.search);
    assert!(search(&freestyle).is_some() && search(&renju).is_none());
    session.engine.end();
}
