//! The library in the words of Yixin-Board and Rapfi.

use std::path::{Path, PathBuf};

use tengen::board::{Point, Rule, Size};
use tengen::library::{Bound, Cursor, Library, Mark, Proof, ProofOrigin, Record, SearchNote};
use tengen::notation::parse_comma;

use super::engine::{Engine, Program, both};
use crate::tune::Folder;

/// A library in a folder. All its positions are of renju on 15 × 15.
pub(crate) const NAME: &str = "renju.library";

fn point(text: &str) -> Point {
    parse_comma(text).unwrap()
}

/// The position after moves such as `7,7 7,6`.
pub(super) fn cursor(moves: &str) -> Cursor {
    let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
    moves.split_whitespace().for_each(|played| cursor.play(Some(point(played))));
    cursor
}

/// Writes a library, and `opening.lib` with other positions.
pub(crate) fn write_library(folder: &Path) -> PathBuf {
    let path = folder.join(NAME);
    let library = Library::create(&path).unwrap();
    let mut edit = library.edit().unwrap();
    let root = cursor("7,7 7,6");
    edit.add_path(&root).unwrap();
    edit.update(&root, &mut |record, _| record.comment = "line \"q\" one\nC:\\two".to_owned()).unwrap();
    for (at, text) in [("0,3", "Zz1"), ("8,8", "直指黑")] {
        edit.set_mark(&root, &Mark { point: point(at), text: text.to_owned() }).unwrap();
    }
    let lost = Proof { is_win: false, plies: Some(10), origin: ProofOrigin::Claimed };
    let search = SearchNote { score: 120, depth: 12, bound: Bound::Exact, nodes: 0, engine: None };
    for (moves, record) in [
        ("7,7 7,6 0,1", Record { proof: Some(lost), ..Record::default() }),
        ("7,7 7,6 0,2", Record { search: Some(search), ..Record::default() }),
        ("7,7 8,8", Record { label: Some('x'), ..Record::default() }),
    ] {
        edit.merge(&cursor(moves), record, false).unwrap();
    }
    edit.commit().unwrap();
    std::fs::write(folder.join("opening.lib"), b"\x78\x00\x69\x08A\x00\x7b\x40").unwrap();
    path
}

pub(super) fn list(moves: &str) -> String {
    let lines: String = moves.split_whitespace().map(|played| format!("{played}\n")).collect();
    format!("{lines}DONE")
}

/// An engine with a library, after START, with renju's rule.
pub(super) struct Session {
    pub(super) engine: Engine,
    pub(super) folder: Folder,
}

impl Session {
    pub(super) fn new() -> Self {
        Self::of(Program::Greedy, &[])
    }

    pub(super) fn of(program: Program, arguments: &[&str]) -> Self {
        let folder = Folder::new();
        let path = write_library(&folder.0);
        let arguments = [&["--library", path.to_str().unwrap()], arguments].concat();
        let mut engine = Engine::spawn_with(program, &arguments);
        engine.expect("INFO rule 4\nSTART 15", "OK");
        Self { engine, folder }
    }

    pub(super) fn path(&self) -> String {
        self.folder.0.join(NAME).to_str().unwrap().to_owned()
    }

    /// Opens the library, which is reported.
    pub(super) fn open(mut self) -> Self {
        let report = self.engine.ask("INFO usedatabase 1");
        assert_eq!(report, format!("MESSAGE library {}: 6 positions", self.path()));
        self
    }

    /// The lines that answer a command up to `DATABASE DONE`, without their beginning.
    pub(super) fn lines(&mut self, command: &str) -> Vec<String> {
        let mut line = self.engine.ask(command);
        while line != "MESSAGE DATABASE REFRESH" {
            assert!(line.ends_with(" positions removed"), "{line}");
            line = self.engine.line();
        }
        let lines = std::iter::from_fn(|| Some(self.engine.line()).filter(|line| line != "MESSAGE DATABASE DONE"));
        lines.map(|line| line.strip_prefix("MESSAGE DATABASE ").unwrap().to_owned()).collect()
    }

    pub(super) fn moves(&mut self, moves: &str) -> Vec<String> {
        self.lines(&format!("YXQUERYDATABASEALL\n{}", list(moves)))
    }

    pub(super) fn one(&mut self, moves: &str) -> String {
        let line = self.engine.ask(&format!("YXQUERYDATABASEONE\n{}", list(moves)));
        line.strip_prefix("MESSAGE DATABASE ONE ").unwrap().to_owned()
    }

    /// Sends a command and moves that are not answered.
    pub(super) fn silent(&mut self, command: &str, moves: &str) {
        self.engine.expect_silence(&format!("{command}\n{}", list(moves)));
    }

    /// Closes the engine's library and opens it here.
    pub(super) fn library(&mut self) -> Library {
        self.engine.expect_silence("INFO usedatabase 0");
        Library::open(&self.folder.0.join(NAME)).unwrap()
    }
}

#[test]
fn moves_labels_and_numbers_are_those_that_rapfi_answers() {
    let mut session = Session::new().open();
    let expected = [
        "0 1 7811377 -29990 0 3 0",
        "14 1 7811377 -29990 0 3 0",
        "0 2 3355941 120 12 3 0",
        "14 2 3355941 120 12 3 0",
        "0 3 -1 0 0 0 0 Zz1",
        "14 3 -1 0 0 0 0 Zz1",
        "6 8 -1 0 0 0 0 直指",
        "8 8 -1 0 0 0 0 直指",
    ];
    assert_eq!(session.moves("7,7 7,6"), expected);
    let known = ["7 6", "6 7", "8 7", "7 8"].map(|point| format!("{point} 7090482 29989 0 3 1"));
    let marked = ["6 6", "8 6", "6 8", "8 8"].map(|point| format!("{point} 120 0 0 0 0"));
    let mut all = session.moves("7,7");
    all.sort();
    let mut both = [known, marked].concat();
    both.sort();
    assert_eq!(all, both);
    assert_eq!(session.one("7,7 7,6 0,1"), "119 -29990 0 3 w11");
    assert_eq!(session.one("7,7 8,8"), "120 0 0 0 x");
    assert_eq!(session.one(""), "-1 0 0 0 ", "known, without a label");
    assert_eq!(session.one("7,7 9,9"), "0 0 0 0");
    assert_eq!(session.one("7,7 -1,-1 7,6"), "0 0 0 0", "two black stones");
    let text = session.engine.ask(&format!("YXQUERYDATABASETEXT\n{}", list("7,7 6,7")));
    assert_eq!(text, r#"MESSAGE DATABASE TEXT "line \"q\" one"#, "the mirror image");
    assert_eq!(session.engine.line(), r#"C:\\two""#);
    session.engine.end();
}

#[test]
fn the_numbers_of_a_position_are_changed_as_in_rapfi() {
    let mut session = Session::new().open();
    let mut edit = |numbers: &str, moves: &str| {
        let line = session.engine.ask(&format!("YXEDITTVDDATABASE {numbers}\n{}", list(moves)));
        line.strip_prefix("MESSAGE DATABASE ONE ").unwrap().to_owned()
    };
    assert_eq!(edit("7 119 -29990 0", "7,7 7,8 0,1"), "119 -29990 0 3 w11");
    assert_eq!(edit("6 -1 120 12", "7,7 7,8 0,2"), "-1 120 12 3 35%");
    assert_eq!(edit("1 87 0 0", "0,0 14,14"), "119 0 0 0 w*");
    assert_eq!(edit("1 -1 0 0", "0,0 14,14"), "-1 0 0 0 ");
    assert_eq!(edit("2 -1 -80 0", "0,0 14,14"), "-1 -80 0 0 ");
    assert_eq!(edit("4 -1 0 9", "0,0 14,14"), "-1 -80 9 3 59%");
    assert_eq!(edit("1 33 0 0", "0,0 14,14"), "33 -80 9 3 !");
    let library = session.library();
    let entry = library.view().unwrap().entry(&cursor("0,0 14,14")).unwrap().unwrap();
    assert_eq!(entry.record.search.map(|search| (search.score, search.depth)), Some((-80, 9)));
    // The way to the position has become known.
    let known = library.view().unwrap().known(&cursor("")).unwrap().unwrap();
    assert!(known.moves.iter().any(|known| known.played == Some(point("0,0"))));
    assert_eq!(library.view().unwrap().check().unwrap().faults, []);
    session.engine.end();
}

#[test]
fn comments_and_labels_are_changed() {
    let mut session = Session::new().open();
    session.silent("YXEDITTEXTDATABASE \"one  \n\n  END\n\\\"two\\\" \\\\ \"", "9,9");
    session.silent("YXEDITTEXTDATABASE \"\"", "1,1");
    session.silent("YXEDITLABELDATABASE 3,3 ABCDEFGH ", "9,9");
    session.silent("YXEDITLABELDATABASE 4 , 4 B", "9,9");
    session.silent("YXEDITLABELDATABASE 4,4 ", "9,9");
    session.silent("YXEDITLABELDATABASE 5,5", "2,2");
    assert_eq!(session.moves("9,9"), ["3 3 -1 0 0 0 0 ABCDEF", "4 4 -1 0 0 0 0"]);
    assert_eq!(session.one("1,1"), "0 0 0 0", "nothing was removed");
    assert_eq!(session.one("2,2"), "0 0 0 0");
    assert_eq!(session.one("9,9 3,3"), "-1 0 0 0 ");
    for (command, moves) in [
        ("YXEDITLABELDATABASE 9,9 A", "9,9"),
        ("YXEDITLABELDATABASE 15,9 A", "9,9"),
        ("YXEDITLABELDATABASE A", "9,9"),
        ("YXEDITTEXTDATABASE \"x\"", "9,9 9,9"),
        ("YXEDITTEXTDATABASE \"x\"", "9,9 x"),
        ("YXEDITTVDDATABASE 1 2", "9,9"),
    ] {
        session.engine.expect_error(&format!("{command}\n{}", list(moves)));
    }
    let library = session.library();
    let view = library.view().unwrap();
    let record = view.known(&cursor("9,9")).unwrap().unwrap().record;
    assert_eq!(record.comment, "one  \n\n  END\n\"two\" \\");
    assert_eq!(record.marks, [Mark { point: point("3,3"), text: "ABCDEFGH".to_owned() }]);
    session.engine.end();
}

#[test]
fn positions_are_removed_with_what_follows_them() {
    let mut session = Session::new().open();
    session.silent("YXEDITLABELDATABASE 7,6 A", "7,7");
    session.silent("YXDELETEDATABASEONE", "7,7 7,8");
    assert_eq!(session.one("7,7 7,6"), "0 0 0 0");
    assert!(session.moves("7,7").iter().all(|line| line.ends_with(" 120 0 0 0 0")), "the label is gone too");
    assert_eq!(session.moves("7,7 7,6").len(), 4, "the positions behind it are there");
    assert_eq!(session.lines(&format!("YXDELETEDATABASEALL w\n{}", list("7,7 7,6"))).len(), 2);
    assert_eq!(session.lines("YXDELETEDATABASEALL nonwlrecursive\nDONE"), [] as [&str; 0]);
    assert_eq!(session.one("7,7 7,6 0,2"), "-1 120 12 3 35%", "no known position leads to it");
    session.engine.expect_error("YXDELETEDATABASEALL all\nDONE");
    assert_eq!(session.library().view().unwrap().check().unwrap().faults, []);
    session.engine.end();
}

#[test]
fn a_position_stays_while_another_one_leads_to_it() {
    let mut session = Session::new().open();
    for moves in ["7,7 7,6 8,8", "8,8 7,6 7,7", "7,7 7,6 8,8 9,9"] {
        session.engine.ask(&format!("YXEDITTVDDATABASE 0 0 0 0\n{}", list(moves)));
    }
    session.lines(&format!("YXDELETEDATABASEALL\n{}", list("7,7")));
    assert_eq!(session.one("7,7 7,6"), "0 0 0 0");
    assert_eq!(session.one("7,7 7,6 8,8"), "-1 0 0 0 ", "8,8 7,6 leads to it");
    assert_eq!(session.one("7,7 7,6 8,8 9,9"), "-1 0 0 0 ");
    session.lines("YXDELETEDATABASEALL\nDONE");
    assert_eq!(session.one("7,7 7,6 8,8"), "0 0 0 0");
    assert_eq!(session.library().view().unwrap().len().unwrap(), 1);
    session.engine.end();
}

#[test]
fn a_question_changes_neither_the_board_nor_the_library() {
    both(|program| {
        let mut session = Session::of(program, &[]).open();
        session.engine.expect_silence("YXBOARD\n0,0,2\nDONE\nINFO max_node 100\nINFO show_detail 0");
        session.moves("7,7 7,6 3,3");
        session.one("1,1");
        session.engine.expect_error("TURN 0,0");
        session.engine.ask_move("TURN 7,7");
        assert_eq!(session.library().view().unwrap().len().unwrap(), 6);
        session.engine.end();
    });
}
