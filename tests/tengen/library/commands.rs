//! The commands of `tengen-library`.

use super::faults::{run, run_well};
use crate::tune::Folder;

#[test]
fn what_is_edited_is_known_in_every_orientation_and_flows_back() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    run_well(folder, &["edit", "a.library", "--rule", "renju", "h8", "i9", "--win", "11", "--mark", "j10=A"]);
    run_well(folder, &["edit", "a.library", "h8", "--comment", "the centre"]);
    let known = run_well(folder, &["query", "a.library", "h8", "g7"]);
    assert_eq!(known, "black to move: wins in 11 plies (claimed)\n  f6 A\n");
    let moves = run_well(folder, &["query", "a.library", "h8"]);
    assert!(moves.starts_with("white to move: known\n  the centre\n"), "{moves}");
    for name in ["g9", "i9", "g7", "i7"] {
        assert!(moves.contains(&format!("\n{name}    loses in 11 plies (claimed)\n")), "{moves}");
    }
    let json = run_well(folder, &["query", "a.library", "h8", "--json"]);
    assert!(json.starts_with(r#"{"rule":"renju","size":15,"turn":"white","black":"h8","#), "{json}");
    run_well(folder, &["edit", "a.library", "--loss", "12"]);
    run_well(folder, &["edit", "a.library", "h8", "--win"]);
    assert!(run_well(folder, &["query", "a.library"]).starts_with("black to move: loses in 12 plies (claimed)\n"));
    assert_eq!(run_well(folder, &["check", "a.library"]), "3 positions, 0 faults, 0 contradictions between sources\n");
    run_well(folder, &["edit", "a.library", "h8", "--unknown"]);
    run_well(folder, &["edit", "a.library", "h8", "--loss", "20"]);
    let checked = run_well(folder, &["check", "a.library"]);
    assert!(checked.ends_with("3 positions, 0 faults, 1 contradictions between sources\n"), "{checked}");
    assert!(run_well(folder, &["query", "a.library"]).starts_with("black to move: contradictory results\n"));
}

#[test]
fn libraries_are_copied_compared_merged_and_pruned() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    run_well(folder, &["edit", "a.library", "--rule", "standard", "h8", "--comment", "one"]);
    run_well(folder, &["backup", "a.library", "b.library"]);
    assert_eq!(run_well(folder, &["diff", "a.library", "b.library"]), "");
    run_well(folder, &["edit", "b.library", "h8", "h9", "--comment", "two"]);
    let line = r#"{"rule":"standard","size":15,"turn":"black","black":"h8","white":"#;
    let difference = run_well(folder, &["diff", "a.library", "b.library"]);
    assert!(difference.starts_with(&format!("+ {line}")) && difference.lines().count() == 1, "{difference}");
    assert!(run_well(folder, &["diff", "b.library", "a.library"]).starts_with(&format!("- {line}")));
    run_well(folder, &["merge", "a.library", "b.library"]);
    assert_eq!(run_well(folder, &["diff", "a.library", "b.library"]), "");
    assert_eq!(run_well(folder, &["prune", "a.library", "--more-stones-than", "1"]), "1 positions removed\n");
    assert!(run_well(folder, &["info", "a.library"]).starts_with("2 positions\nstandard 15 × 15: 2 positions"));
    assert_eq!(run_well(folder, &["check", "a.library"]), "2 positions, 0 faults, 0 contradictions between sources\n");
}

#[test]
fn an_expansion_does_not_depend_on_its_threads_or_its_interruptions() {
    let folder = Folder::new();
    let folder = &folder.0;
    let expand = |file: &str, searches: &str, threads: &str| {
        let arguments = ["expand", file, "h8", "h9", "--rule", "renju", "--nodes", "100"];
        run_well(folder, &[&arguments[..], &["--searches", searches, "--threads", threads]].concat());
    };
    for (file, threads) in [("a.library", "1"), ("b.library", "3")] {
        run_well(folder, &["create", file]);
        expand(file, "40", threads);
    }
    assert_eq!(run_well(folder, &["diff", "a.library", "b.library"]), "");
    run_well(folder, &["create", "c.library"]);
    // 1 + 2 + 4 + 8 searches, then 16 + 16.
    expand("c.library", "10", "1");
    expand("c.library", "20", "2");
    assert_eq!(run_well(folder, &["diff", "a.library", "c.library"]), "");
    assert!(run_well(folder, &["check", "a.library"]).ends_with("0 faults, 0 contradictions between sources\n"));
}

#[test]
fn wrong_arguments_are_one_error() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    for arguments in [
        &["query", "a.library", "h8"][..],
        &["query", "a.library", "--rule", "renju", "h8", "h8"],
        &["query", "a.library", "--rule", "renju", "p16"],
        &["edit", "a.library", "--rule", "renju", "h8"],
        &["edit", "a.library", "--rule", "renju", "h8", "--mark", "z99=A"],
        &["edit", "a.library", "--rule", "renju", "h8", "--remove"],
        &["edit", "a.library", "--rule", "renju", "h8", "--win", "--loss"],
        &["edit", "a.library", "--rule", "renju", "h8", "--win", "10"],
        &["edit", "a.library", "--rule", "renju", "h8", "--loss", "9"],
        &["edit", "a.library", "--rule", "renju", "h8", "--loss", "0"],
        &["expand", "a.library", "--rule", "renju", "--opening", "14D"],
        &["expand", "a.library", "--rule", "renju", "--hours", "0"],
        &["merge", "a.library", "missing"],
        &["merge", "a.library", "a.library"],
    ] {
        let output = run(folder, arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(error.starts_with("tengen-library: ") || error.starts_with("error: "), "{arguments:?}: {error}");
    }
    assert_eq!(run_well(folder, &["check", "a.library"]), "0 positions, 0 faults, 0 contradictions between sources\n");
}

#[test]
fn an_export_counts_what_its_format_cannot_hold() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    run_well(folder, &["edit", "a.library", "--rule", "renju", "h8", "h9", "--win", "3"]);
    run_well(folder, &["edit", "a.library", "h8", "h9", "h10", "--comment", "one"]);
    let notes = |target: &str| {
        let output = run(folder, &["export", "a.library", "--out", target]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(notes("a.lib"), "results left out: 1\na.lib: 3 positions\n");
    assert_eq!(notes("a.db"), "a.db: 4 positions\n");
    assert_eq!(notes("a.jsonl"), "a.jsonl: 4 positions\n");
}

#[test]
fn an_export_and_a_book_need_positions() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    run_well(folder, &["edit", "a.library", "--rule", "renju", "h8", "h9", "--win", "3"]);
    run_well(folder, &["book", "a.library", "--out", "a.book"]);
    let book = std::fs::read(folder.join("a.book")).unwrap();
    for command in [["book", "a.library", "--out", "a.book"], ["export", "a.library", "--out", "a.db"]] {
        let output = run(folder, &[&command[..], &["--rule", "freestyle"]].concat());
        assert!(!output.status.success());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error, "tengen-library: the library has no positions of freestyle, 15x15\n");
    }
    assert_eq!(std::fs::read(folder.join("a.book")).unwrap(), book);
}

/// A library of RenLib: h8, then h9 with a comment or i9 with a label, both in Chinese as GBK.
const RENLIB: &[u8] = b"\xFFRenLib\xFF\x03\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x78\x00\x68\xC8\xBA\xDA\0\0\x69\x41\0\x01\xBA\xDA\0\0";

#[test]
fn files_of_other_programs_are_imported_and_exported() {
    let folder = Folder::new();
    let folder = &folder.0;
    std::fs::create_dir(folder.join("sources")).unwrap();
    std::fs::write(folder.join("sources/a.lib"), RENLIB).unwrap();
    std::fs::write(folder.join("sources/games.txt"), "# two games\nh8 h9 j10\nh8h9\n").unwrap();
    run_well(folder, &["create", "a.library"]);
    std::fs::copy(folder.join("sources/a.lib"), folder.join("sources/copy.lib")).unwrap();
    let imported = run(folder, &["import", "a.library", "sources", "--rule", "renju"]);
    let notes = String::from_utf8(imported.stderr).unwrap();
    assert!(imported.status.success() && notes.contains("copy.lib: skipped, a copy of an earlier file"), "{notes}");
    let known = run_well(folder, &["query", "a.library", "h8"]);
    let names = ["g9", "h9", "i9", "g8", "i8", "g7", "h7", "i7"].map(|name| format!("{name}    known\n"));
    assert_eq!(known, format!("white to move: known\n  g9 黑\n  i9 黑\n  g7 黑\n  i7 黑\n{}", names.concat()));
    assert!(run_well(folder, &["query", "a.library", "h8", "h9"]).contains("\n  黑\n"));
    for target in ["b.db", "b.csv", "b.jsonl", "b.lib", "b.sgf"] {
        run_well(folder, &["export", "a.library", "--out", target]);
        let library = format!("{target}.library");
        run_well(folder, &["create", &library]);
        run_well(folder, &["import", &library, target]);
        assert_eq!(run_well(folder, &["diff", "a.library", &library]), "", "{target}");
        assert!(!run(folder, &["export", "a.library", "--out", target]).status.success(), "{target} is not replaced");
    }
    assert!(!run(folder, &["import", "a.library", "sources", "--rule", "renju"]).status.success(), "twice");
    run_well(folder, &["convert", "sources/a.lib", "c.lib"]);
    assert_eq!(std::fs::read(folder.join("c.lib")).unwrap(), RENLIB);
    run_well(folder, &["convert", "sources/a.lib", "c.sgf"]);
    run_well(folder, &["convert", "c.sgf", "d.lib", "--to", "gbk"]);
    assert_eq!(std::fs::read(folder.join("d.lib")).unwrap(), RENLIB);
    run_well(folder, &["convert", "sources/a.lib", "utf8.lib", "--to", "utf-8"]);
    assert!(!run(folder, &["convert", "sources/a.lib", "gbk.sgf", "--to", "gbk"]).status.success());
    let refused = String::from_utf8(run(folder, &["convert", "sources/a.lib", "a.txt"]).stderr).unwrap();
    assert!(refused.contains("expected a target such as a.lib") && !refused.contains("--format"), "{refused}");
    // An empty node marks the end of a game. RenLib has none.
    std::fs::write(folder.join("end.sgf"), "(;SZ[15];B[hh](;)(;W[ig]))").unwrap();
    std::fs::write(folder.join("line.sgf"), "(;SZ[15];B[hh];W[ig])").unwrap();
    for name in ["end", "line"] {
        run_well(folder, &["convert", &format!("{name}.sgf"), &format!("{name}.lib")]);
    }
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("end.lib"), bytes("line.lib"));
    // A database of a rule that this program does not know.
    std::fs::write(folder.join("other.db"), b"\x01\0\0\0\x03\0\x03\x0F\x0F\0\0").unwrap();
    let converted = run(folder, &["convert", "other.db", "other.csv"]);
    let notes = String::from_utf8(converted.stderr).unwrap();
    assert!(converted.status.success() && notes.contains("other.db: 1 records skipped: "), "{notes}");
    assert!(std::fs::read(folder.join("utf8.lib")).unwrap().windows(3).any(|bytes| bytes == "黑".as_bytes()));
}

#[test]
fn a_table_is_converted_from_the_named_encoding() {
    let folder = Folder::new();
    let folder = &folder.0;
    let [head, tail] = ["index,key,label,value,depth,bound,text\n0,r-15-15-h8--w,(none),0,0,none,\"", "\"\n"];
    std::fs::write(folder.join("a.csv"), [head.as_bytes(), b"\x8D\x95", tail.as_bytes()].concat()).unwrap();
    run_well(folder, &["convert", "a.csv", "b.csv", "--encoding", "shift-jis"]);
    assert_eq!(std::fs::read_to_string(folder.join("b.csv")).unwrap(), format!("{head}黒{tail}"));
}

#[test]
fn labels_are_results_only_if_they_are_said_to_be() {
    let folder = Folder::new();
    let folder = &folder.0;
    // After h8 h9 a third stone h10 with the label W23.
    let lib = [&RENLIB[..20], &[0x78, 0, 0x68, 0, 0x58, 0x41, 0, 1], b"W23\0"].concat();
    std::fs::write(folder.join("a.lib"), lib).unwrap();
    for (file, claims, expected) in [("a.library", &[][..], "known"), ("b.library", &["--claims"], "wins in 20 plies")]
    {
        run_well(folder, &["create", file]);
        run_well(folder, &[&["import", file, "a.lib"], claims].concat());
        let known = run_well(folder, &["query", file, "h8", "h9"]);
        assert!(known.contains("  h10 W23\n") && known.contains(&format!("\nh10   {expected}")), "{known}");
    }
}

#[test]
fn a_damaged_file_leaves_the_library_as_it_was() {
    let folder = Folder::new();
    let folder = &folder.0;
    std::fs::write(folder.join("good.lib"), RENLIB).unwrap();
    std::fs::write(folder.join("bad.lib"), [RENLIB, &[0x6A, 0x08, b'x', b'x']].concat()).unwrap();
    run_well(folder, &["create", "a.library"]);
    let output = run(folder, &["import", "a.library", "good.lib", "bad.lib"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && error.ends_with("tengen-library: bad.lib: byte 38: the text has no end\n"),
        "{error}"
    );
    assert_eq!(run_well(folder, &["check", "a.library"]), "0 positions, 0 faults, 0 contradictions between sources\n");
}

#[test]
fn the_games_of_a_growing_record_are_learnt_once() {
    let folder = Folder::new();
    let folder = &folder.0;
    let heading = r#"{"format":2,"match":{"rule":"renju","size":"15"}}"#;
    let game = |number: usize, winner: &str| {
        format!(
            r#"{{"game":"0-1.{number}a","black":"a","white":"b","winner":"{winner}","end":"row","detail":"","opening":"7,7","moves":"7,6 8,8","times":[1,1],"said":[],"wall":2}}"#
        )
    };
    let write = |lines: &[String]| std::fs::write(folder.join("record.jsonl"), lines.join("\n") + "\n").unwrap();
    let known = || run_well(folder, &["query", "a.library", "h8"]).lines().next().unwrap().to_owned();
    run_well(folder, &["create", "a.library"]);
    write(&[heading.to_owned(), game(0, "black")]);
    run_well(folder, &["learn", "a.library", "record.jsonl"]);
    assert_eq!(known(), "white to move: 1 games: black won 1, 0 drawn, white won 0");
    // A line without a word before the heading changes nothing.
    write(&[String::new(), heading.to_owned(), game(0, "black"), game(1, "white"), game(2, "draw")]);
    for _ in 0..2 {
        run_well(folder, &["learn", "a.library", "record.jsonl"]);
        run_well(folder, &["import", "a.library", "record.jsonl"]);
        assert_eq!(known(), "white to move: 3 games: black won 1, 1 drawn, white won 1");
    }
    // A rematch has the same heading and other games.
    run_well(folder, &["backup", "a.library", "rematch.library"]);
    std::fs::write(folder.join("rematch.jsonl"), format!("{heading}\n{}\n", game(0, "white"))).unwrap();
    run_well(folder, &["learn", "rematch.library", "rematch.jsonl"]);
    let both = run_well(folder, &["query", "rematch.library", "h8"]);
    assert!(both.starts_with("white to move: 4 games: black won 1, 1 drawn, white won 2\n"), "{both}");
    // The number of games goes with them into another library.
    run_well(folder, &["create", "b.library"]);
    run_well(folder, &["merge", "b.library", "a.library"]);
    run_well(folder, &["learn", "b.library", "record.jsonl"]);
    run_well(folder, &["create", "c.library"]);
    run_well(folder, &["learn", "c.library", "record.jsonl"]);
    assert_eq!(run_well(folder, &["diff", "a.library", "b.library"]), "");
    assert_eq!(run_well(folder, &["diff", "b.library", "c.library"]), "");
    assert!(!run(folder, &["merge", "b.library", "c.library"]).status.success(), "the games would count twice");
    // A game that a program lost by a failure has no result.
    write(&[heading.to_owned(), game(0, "black"), game(1, "white").replace("row", "crash")]);
    run_well(folder, &["create", "d.library"]);
    run_well(folder, &["learn", "d.library", "record.jsonl"]);
    let known = run_well(folder, &["query", "d.library", "h8"]);
    assert!(known.starts_with("white to move: 1 games: black won 1, 0 drawn, white won 0\n"), "{known}");
    write(&[heading.to_owned(), game(0, "black"), r#"{"game":"0-1.1a""#.to_owned()]);
    assert!(!run(folder, &["learn", "c.library", "record.jsonl"]).status.success(), "a whole line is damaged");
}

#[test]
fn a_record_that_is_imported_again_is_the_match_that_is_learnt() {
    let folder = Folder::new();
    let folder = &folder.0;
    let heading = r#"{"format":2,"match":{"rule":"renju","size":"15"}}"#;
    let game = r#"{"game":"0-1.0a","black":"a","white":"b","winner":"black","end":"row","detail":"","opening":"7,7","moves":"7,6 8,8","times":[1,1],"said":[],"wall":2}"#;
    std::fs::write(folder.join("record.jsonl"), format!("{heading}\n{game}\n")).unwrap();
    run_well(folder, &["create", "a.library"]);
    for (command, count) in
        [(&["import", "--again"][..], 1), (&["learn"], 1), (&["import", "--again"], 2), (&["learn"], 2)]
    {
        run_well(folder, &[command, &["a.library", "record.jsonl"]].concat());
        let known = run_well(folder, &["query", "a.library", "h8"]);
        assert!(known.starts_with(&format!("white to move: {count} games: ")), "{command:?}: {known}");
    }
}

#[test]
fn a_part_of_a_library_is_merged_back_unless_it_holds_games() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    std::fs::write(folder.join("tree.sgf"), "(;GM[4]SZ[15]RU[renju];B[hh]C[centre];W[hg])").unwrap();
    run_well(folder, &["import", "a.library", "tree.sgf"]);
    run_well(folder, &["backup", "a.library", "b.library"]);
    run_well(folder, &["edit", "b.library", "h8", "i9", "--comment", "new"]);
    run_well(folder, &["merge", "a.library", "b.library"]);
    assert!(run_well(folder, &["query", "a.library", "h8", "i9"]).contains("\n  new\n"));
    std::fs::write(folder.join("games.txt"), "h8h9h10\n").unwrap();
    run_well(folder, &["import", "a.library", "games.txt", "--rule", "renju"]);
    run_well(folder, &["backup", "a.library", "c.library"]);
    let refused = |library: &str, file: &str| {
        let error = String::from_utf8(run(folder, &["merge", library, "c.library"]).stderr).unwrap();
        assert!(error.contains(&format!("{file}: its games would count twice")), "{error}");
    };
    refused("a.library", "games.txt");
    // The positions of an export have counted results.
    std::fs::write(folder.join("game.sgf"), "(;GM[4]SZ[15]RU[renju]RE[B+];B[hh];W[hg];B[hf])").unwrap();
    run_well(folder, &["import", "a.library", "game.sgf"]);
    run_well(folder, &["export", "a.library", "--out", "all.jsonl"]);
    std::fs::remove_file(folder.join("c.library")).unwrap();
    run_well(folder, &["create", "c.library"]);
    run_well(folder, &["import", "c.library", "all.jsonl"]);
    run_well(folder, &["create", "d.library"]);
    run_well(folder, &["merge", "d.library", "c.library"]);
    refused("d.library", "all.jsonl");
    let output = run(folder, &["import", "a.library", "all.jsonl"]);
    let notes = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && notes.contains(" positions already had games: "), "{notes}");
    // Without its games and its checksum a line of an export is imported again.
    let line = r#"{"rule":"renju","size":15,"turn":"white","black":"h8","white":"","comment":"mended"}"#;
    std::fs::write(folder.join("mended.jsonl"), format!("{line}\n")).unwrap();
    run_well(folder, &["import", "a.library", "mended.jsonl", "--newer"]);
    assert!(run_well(folder, &["query", "a.library", "h8"]).contains("\n  mended\n"));
}

#[test]
fn a_prune_keeps_what_leads_to_others_and_what_followed_from_what_it_removes() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    std::fs::write(folder.join("games.txt"), "h8h9h10\nh8i9\n").unwrap();
    run_well(folder, &["import", "a.library", "games.txt", "--rule", "renju"]);
    run_well(folder, &["edit", "a.library", "h8", "h9", "h10", "--comment", "seen"]);
    assert_eq!(run_well(folder, &["prune", "a.library", "--fewer-games-than", "1"]), "1 positions removed\n");
    assert!(run_well(folder, &["query", "a.library", "h8"]).contains("\nh9    known\n"));
    run_well(folder, &["edit", "a.library", "h8", "h9", "h10", "--loss", "10"]);
    assert_eq!(run_well(folder, &["prune", "a.library", "--more-stones-than", "2"]), "1 positions removed\n");
    assert!(run_well(folder, &["query", "a.library", "h8", "h9"]).contains("wins in 11 plies (claimed)"));
    assert!(run_well(folder, &["check", "a.library"]).ends_with(" 0 faults, 0 contradictions between sources\n"));
    // A different result of its own is a contradiction before and after.
    run_well(folder, &["edit", "a.library", "h8", "h9", "--loss", "4"]);
    run_well(folder, &["edit", "a.library", "h8", "h9", "h10", "--loss", "10"]);
    let check = || run_well(folder, &["check", "a.library"]);
    assert!(check().ends_with(" 0 faults, 1 contradictions between sources\n"));
    assert_eq!(run_well(folder, &["prune", "a.library", "--more-stones-than", "2"]), "1 positions removed\n");
    assert!(check().ends_with(" 0 faults, 1 contradictions between sources\n"));
    let json = run_well(folder, &["query", "a.library", "h8", "--json"]);
    assert!(json.lines().count() > 1 && json.contains("\n{\"move\":\"g8\",\"rule\":\"renju\""), "{json}");
}
