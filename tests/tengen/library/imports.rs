//! What imports make of files.

use std::path::Path;

use tengen::board::{Color, Rule, Size};
use tengen::library::{Cursor, Edit, GameCounts, ImportConfig, ImportReport, Library, Mark, Record, Stage, import};
use tengen::notation::{Letters, TextEncoding};

use super::faults::{run, run_well};
use super::memory::MemoryStore;
use crate::tune::Folder;

fn library() -> Library {
    Library::in_store(Box::new(MemoryStore::default())).unwrap()
}

fn add(library: &Library, name: &str, bytes: &[u8], config: &ImportConfig) -> ImportReport {
    let mut edit = library.edit().unwrap();
    let report = import(&mut edit, name, bytes, config).unwrap();
    edit.commit().unwrap();
    report
}

fn record(library: &Library, rule: Rule, moves: &str) -> Record {
    let mut cursor = Cursor::new(rule, Size::FIFTEEN);
    let moves = Letters::new(Size::FIFTEEN).parse_moves(moves).unwrap();
    moves.into_iter().for_each(|point| cursor.play(Some(point)));
    library.view().unwrap().known(&cursor).unwrap().unwrap().record
}

const RENJU: ImportConfig = ImportConfig {
    rule: Some(Rule::Renju),
    size: Size::FIFTEEN,
    ranks: tengen::notation::Ranks::Bottom,
    encoding: None,
    plies: 30,
    has_claims: false,
    is_newer: false,
    is_again: false,
};

#[test]
fn a_commented_game_keeps_its_result() {
    let library = library();
    // The main line is h8 i9 j10; white answers h9 in a variation.
    let text = "(;SZ[15]RU[Renju]RE[B+R];B[hh]C[the centre](;W[ig];B[jf])(;W[hg]LB[aa:A]))";
    let report = add(&library, "a.sgf", text.as_bytes(), &RENJU);
    assert_eq!((report.positions, report.games), (4, 1));
    let won = GameCounts::one(Some(Color::Black));
    for (moves, games, comment) in [
        ("", won, ""),
        ("h8", won, "the centre"),
        ("h8 i9", won, ""),
        ("h8 i9 j10", won, ""),
        ("h8 h9", GameCounts::default(), ""),
    ] {
        let known = record(&library, Rule::Renju, moves);
        assert_eq!((known.games, &*known.comment), (games, comment), "{moves}");
    }
    // Without a result it is an analysis.
    assert_eq!(add(&library, "b.sgf", text.replace("RE[B+R]", "").as_bytes(), &RENJU).games, 0);
}

#[test]
fn the_rule_of_a_file_counts_for_more_than_that_of_the_command() {
    let library = library();
    add(&library, "a.sgf", b"(;SZ[15]RU[Freestyle];B[hh])", &RENJU);
    let heading = r#"{"format":2,"match":{"rule":"standard","size":"15"}}"#;
    let game = r#"{"game":"0-1.0a","black":"a","white":"b","winner":"draw","end":"draw","detail":"","opening":"","moves":"7,7","times":[1],"said":[],"wall":2}"#;
    add(&library, "a.jsonl", format!("{heading}\n{game}\n").as_bytes(), &RENJU);
    let games = library.view().unwrap().games().unwrap();
    assert_eq!(games, [(Rule::Freestyle, Size::FIFTEEN), (Rule::Standard, Size::FIFTEEN)]);
}

#[test]
fn a_game_is_known_to_its_thirtieth_ply_with_its_result_in_every_position() {
    let library = library();
    let size = Size::FIFTEEN;
    // Two of a color alternate in each row: no five.
    let points: Vec<_> = size.points().filter(|point| (point.x() / 2 + point.y()) % 2 == 0).take(17).collect();
    let others: Vec<_> = size.points().filter(|point| (point.x() / 2 + point.y()) % 2 == 1).take(17).collect();
    let letters = Letters::new(size);
    let moves: Vec<_> = points.iter().zip(&others).flat_map(|(a, b)| [*a, *b]).collect();
    let names: Vec<_> = moves.iter().map(|&point| letters.point(point).to_string()).collect();
    add(&library, "a.txt", names.concat().as_bytes(), &RENJU);
    assert_eq!(library.view().unwrap().len().unwrap(), 31);
    let sgf: String = (0..)
        .zip(&moves)
        .map(|(ply, point)| {
            let letter = |number: u8| char::from(b'a' + number);
            format!(";{}[{}{}]", ["B", "W"][ply % 2], letter(point.x()), letter(point.y()))
        })
        .collect();
    add(&library, "a.sgf", format!("(;SZ[15]RE[W+]{sgf})").as_bytes(), &RENJU);
    for plies in 0..=30 {
        assert_eq!(record(&library, Rule::Renju, &names[..plies].concat()).games.white, 1, "{plies}");
    }
}

#[test]
fn a_game_counts_once_in_a_position_to_which_passes_lead_back() {
    let library = library();
    add(&library, "a.sgf", b"(;SZ[15]RU[Renju]RE[Draw];B[hh];W[ig];B[];W[];B[jf])", &RENJU);
    for moves in ["", "h8", "h8 i9", "h8 i9 j10"] {
        assert_eq!(record(&library, Rule::Renju, moves).games, GameCounts::one(None), "{moves}");
    }
}

#[test]
fn newer_texts_replace_those_of_the_library_and_not_each_other() {
    let library = library();
    add(&library, "a.sgf", b"(;SZ[15];B[hh];W[ig];B[je]C[old];W[aa]C[alone])", &RENJU);
    let two = b"(;SZ[15](;B[hh];W[ig];B[je]C[one])(;B[je];W[ig];B[hh]C[two]))";
    add(&library, "b.sgf", two, &ImportConfig { is_newer: true, ..RENJU });
    assert_eq!(record(&library, Rule::Renju, "h8 i9 j11").comment, "one\ntwo");
    assert_eq!(record(&library, Rule::Renju, "h8 i9 j11 a15").comment, "alone");
    // A label on another point takes nothing from a comment that comes later.
    let label = b"(;SZ[15](;B[hh];W[ig];B[je]LB[aa:A])(;B[je];W[ig];B[hh]C[three]LB[aa:B][ba:C]))";
    add(&library, "c.sgf", label, &ImportConfig { is_newer: true, ..RENJU });
    let known = record(&library, Rule::Renju, "h8 i9 j11");
    let marks: Vec<_> = known.marks.iter().map(|mark| &*mark.text).collect();
    assert_eq!((&*known.comment, marks), ("three", vec!["A", "C"]));
}

#[test]
fn a_line_of_passes_takes_no_more_memory_than_its_nodes() {
    let library = library();
    let header = b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0";
    let bytes = [&header[..], &[0, 0].repeat(300_000), &[0x78, 0x40]].concat();
    let report = add(&library, "a.lib", &bytes, &RENJU);
    assert_eq!(report.positions, 300_001);
    assert_eq!(library.view().unwrap().len().unwrap(), 3);
}

#[test]
fn variations_set_up_stones_and_take_them_back() {
    let library = library();
    let text = "(;SZ[15];B[aa](;AE[aa]AW[bb];B[cc]C[one])(;W[dd](;AB[dd]C[two])(;B[ee]C[three]))(;W[oo])(;C[four]))";
    add(&library, "a.sgf", text.as_bytes(), &RENJU);
    assert_eq!(record(&library, Rule::Renju, "a15 d12 e11").comment, "three");
    // A node without a move leaves the side to move, which variations before it have changed.
    assert_eq!(record(&library, Rule::Renju, "a15").comment, "four");
    let comments = |stones: &[(Color, &str)], turn| {
        let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
        for &(color, name) in stones {
            cursor.place(color, Letters::new(Size::FIFTEEN).parse(name).unwrap());
        }
        cursor.set_turn(turn);
        library.view().unwrap().entry(&cursor).unwrap().map(|entry| entry.record.comment)
    };
    let one = comments(&[(Color::White, "b14"), (Color::Black, "c13")], Color::White);
    let two = comments(&[(Color::Black, "a15"), (Color::Black, "d12")], Color::White);
    assert_eq!((one.as_deref(), two.as_deref()), (Some("one"), Some("two")));
    // As many black stones as white ones, and white plays next.
    add(&library, "b.sgf", b"(;SZ[15]AB[ee]AW[ff]C[five];C[note];W[gg]C[six])", &RENJU);
    let five = comments(&[(Color::Black, "e11"), (Color::White, "f10")], Color::White);
    assert_eq!(five.as_deref(), Some("five\nnote"));
}

#[test]
fn texts_of_an_old_database_are_read_in_one_encoding() {
    // Two texts in GBK, of which the first is valid UTF-8 as well.
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (key, text) in [(&[2, 15, 15][..], &b"\xD6\xB1"[..]), (&[2, 15, 15, 7, 7], b"\xBA\xDA")] {
        for part in [key, &[&b"\xFF\0\0\0\0"[..], text].concat()] {
            bytes.extend((part.len() as u16).to_le_bytes());
            bytes.extend(part);
        }
    }
    let library = library();
    let report = add(&library, "a.db", &bytes, &RENJU);
    assert_eq!(record(&library, Rule::Renju, "").comment, "直");
    assert_eq!(record(&library, Rule::Renju, "h8").comment, "黑");
    assert_eq!(report.notes, ["texts read as gbk"]);
}

#[test]
fn texts_of_a_table_are_read_in_the_given_encoding() {
    let library = library();
    let table =
        [&b"index,key,label,value,depth,bound,text\n0,r-15-15-h8--w,(none),0,0,none,\""[..], b"\x8D\x95", b"\"\n"];
    let shift_jis = ImportConfig { encoding: Some(TextEncoding::ShiftJis), ..RENJU };
    let report = add(&library, "a.csv", &table.concat(), &shift_jis);
    assert_eq!(record(&library, Rule::Renju, "h8").comment, "黒");
    assert_eq!(report.notes, ["texts read as shift-jis"]);
}

#[test]
fn texts_of_sgf_are_read_in_the_given_encoding_and_blank_labels_are_none() {
    let library = library();
    let shift_jis = ImportConfig { encoding: Some(TextEncoding::ShiftJis), ..RENJU };
    add(&library, "a.sgf", b"(;SZ[15];B[hh]C[\x8D\x95]LB[hg: ];W[ig])", &shift_jis);
    add(&library, "b.sgf", b"(;SZ[15];B[hh]LB[hg:A];W[ig])", &RENJU);
    let known = record(&library, Rule::Renju, "h8");
    assert!(known.comment == "黒" && !known.marks.is_empty(), "{known:?}");
    assert!(known.marks.iter().all(|mark| mark.text == "A"), "{known:?}");
}

#[test]
fn other_files_of_a_folder_are_skipped_and_a_named_one_is_an_error() {
    let folder = Folder::new();
    let folder = &folder.0;
    std::fs::create_dir(folder.join("games")).unwrap();
    std::fs::write(folder.join("games/list.txt"), "h8 h9\n").unwrap();
    std::fs::write(folder.join("games/readme.txt"), "These are games.\n").unwrap();
    run_well(folder, &["create", "a.library"]);
    let output = run(folder, &["import", "a.library", "games", "--rule", "renju"]);
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{report}");
    assert!(report.contains("games/readme.txt: skipped, a file of an unknown form\n"), "{report}");
    assert!(run_well(folder, &["info", "a.library"]).starts_with("3 positions\n"));
    assert!(!run(folder, &["import", "a.library", "games/readme.txt", "--rule", "renju"]).status.success());
}

/// The stages that an import of many games passes.
fn stages(path: &Path) -> Vec<Stage> {
    let library = Library::create(path).unwrap();
    let stages = std::cell::RefCell::new(Vec::new());
    let mut edit: Edit<'_> = library.edit().unwrap();
    edit.watch(|progress| {
        if stages.borrow().last() != Some(&progress.stage) {
            stages.borrow_mut().push(progress.stage);
        }
    });
    let names: Vec<_> =
        Size::FIFTEEN.points().map(|point| Letters::new(Size::FIFTEEN).point(point).to_string()).collect();
    let lines = names.windows(6).map(|names| names.concat() + "\n").collect::<String>();
    import(&mut edit, "a.txt", lines.as_bytes(), &RENJU).unwrap();
    edit.commit().unwrap();
    stages.into_inner()
}

#[test]
fn an_import_reports_its_stages() {
    let folder = Folder::new();
    assert_eq!(stages(&folder.0.join("a.library")), [Stage::Adding, Stage::Linking, Stage::Writing]);
}

#[test]
fn a_comment_is_added_unless_its_lines_are_there() {
    let with = |comment: &str| Record { comment: comment.to_owned(), ..Record::default() };
    for (own, other, expected) in [
        ("black wins", "black", "black wins\nblack"),
        ("one\ntwo\nthree", "two\nthree", "one\ntwo\nthree"),
        ("one\ntwo", "two\none", "one\ntwo\ntwo\none"),
        ("", "one", "one"),
        ("one", "", "one"),
    ] {
        let mut record = with(own);
        record.merge(with(other), false);
        assert_eq!(record.comment, expected);
    }
    let mark = |text: &str| Mark { point: Size::FIFTEEN.centre(), text: text.to_owned() };
    let mut record = Record { marks: vec![mark("A")], ..with("one") };
    record.merge(Record { marks: vec![mark("B")], ..with("two") }, true);
    assert_eq!((&*record.comment, &record.marks[..]), ("two", &[mark("B")][..]));
}
