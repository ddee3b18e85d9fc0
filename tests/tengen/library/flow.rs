//! What flows back, in cases that random play seldom meets.

use tengen::board::{Point, Rule, Size};
use tengen::library::{
    Bound, Cursor, Library, Proof, ProofOrigin, Prune, Record, SearchNote, SearchResult, Source, import_game, prune,
};
use tengen::notation::Letters;
use tengen::score::Score;

use super::memory::MemoryStore;
use crate::tune::Folder;

fn library() -> Library {
    Library::in_store(Box::new(MemoryStore::default())).unwrap()
}

fn point(name: &str) -> Point {
    Letters::new(Size::FIFTEEN).parse(name).unwrap()
}

fn position(rule: Rule, moves: &str) -> Cursor {
    let mut cursor = Cursor::new(rule, Size::FIFTEEN);
    moves.split_whitespace().for_each(|name| cursor.play(Some(point(name))));
    cursor
}

fn merge(library: &Library, cursor: &Cursor, record: Record) {
    let mut edit = library.edit().unwrap();
    edit.merge(cursor, record, false).unwrap();
    edit.commit().unwrap();
}

fn record(library: &Library, cursor: &Cursor) -> Record {
    library.view().unwrap().entry(cursor).unwrap().unwrap().record
}

fn searched(score: i32, depth: u16) -> Record {
    let search = Some(SearchNote { score, depth, bound: Bound::Exact, nodes: 1, engine: None });
    Record { search, ..Record::default() }
}

#[test]
fn a_forbidden_move_is_no_win_whatever_is_known_after_it() {
    // H8 makes two open threes: forbidden to black.
    let before = "g8 a1 i8 a3 h9 a5 h7 a7";
    let lost = Proof { is_win: false, plies: Some(4), origin: ProofOrigin::Claimed };
    for (rule, is_win) in [(Rule::Renju, false), (Rule::Freestyle, true)] {
        let library = library();
        let black = position(rule, before);
        merge(&library, &black, Record::default());
        let mut after = black.clone();
        after.play(Some(point("h8")));
        merge(&library, &after, Record { proof: Some(lost), ..Record::default() });
        assert_eq!(record(&library, &black).settled().map(|proof| proof.is_win), is_win.then_some(true), "{rule}");
        merge(&library, &after, searched(-500, 3));
        assert_eq!(record(&library, &black).backed_up, None, "{rule}");
    }
}

#[test]
fn the_nodes_of_all_searches_of_a_position_count_once() {
    let library = library();
    let root = position(Rule::Freestyle, "h8 i9");
    let mut edit = library.edit().unwrap();
    let engine = edit.add_source(&Source::own()).unwrap();
    let found = |name, depth, is_whole| SearchResult {
        point: point(name),
        score: Score::from_eval(20),
        depth,
        nodes: 100,
        is_whole,
    };
    // A search without some moves counts for the position after its move, which is then searched less deeply.
    let after = edit.add_search(&root, found("j9", 13, false), engine).unwrap();
    edit.add_search(&after, found("j10", 11, true), engine).unwrap();
    edit.add_search(&root, found("j9", 9, true), engine).unwrap();
    edit.commit().unwrap();
    let nodes = |cursor| record(&library, cursor).search.map(|search| (search.depth, search.nodes));
    assert_eq!((nodes(&root), nodes(&after)), (Some((9, 100)), Some((12, 200))));
}

#[test]
fn what_follows_from_a_claim_is_a_claim_and_a_proof_counts_for_more() {
    let library = library();
    let root = position(Rule::Freestyle, "h8");
    merge(&library, &root, Record::default());
    let lost = |plies, origin| Record {
        proof: Some(Proof { is_win: false, plies: Some(plies), origin }),
        ..Record::default()
    };
    let won = |plies, origin| Some(Proof { is_win: true, plies: Some(plies), origin });
    merge(&library, &position(Rule::Freestyle, "h8 h9"), lost(4, ProofOrigin::Claimed));
    assert_eq!(record(&library, &root).derived, won(5, ProofOrigin::Claimed));
    merge(&library, &position(Rule::Freestyle, "h8 i9"), lost(8, ProofOrigin::Proved));
    assert_eq!(record(&library, &root).derived, won(9, ProofOrigin::Derived));
}

#[test]
fn a_row_of_five_ends_a_game_in_which_the_other_side_passes() {
    let library = library();
    let mut cursor = Cursor::new(Rule::Freestyle, Size::FIFTEEN);
    let mut edit = library.edit().unwrap();
    for (ply, name) in ["a1", "b1", "c1", "d1", "e1"].into_iter().enumerate() {
        if ply > 0 {
            cursor.play(None);
        }
        cursor.play(Some(point(name)));
    }
    edit.add_path(&cursor).unwrap();
    edit.update(&cursor, &mut |_, _| {}).unwrap();
    edit.commit().unwrap();
    assert_eq!(record(&library, &cursor).derived.and_then(|proof| proof.plies), Some(0));
    cursor.undo();
    assert_eq!(record(&library, &cursor).derived.map(|proof| (proof.is_win, proof.plies)), Some((true, Some(1))));
    assert_eq!(library.view().unwrap().check().unwrap().faults, []);
}

#[test]
fn a_position_does_not_keep_the_score_of_a_move_that_is_refuted() {
    let library = library();
    let (root, first, second) =
        (position(Rule::Renju, "h8"), position(Rule::Renju, "h8 h9"), position(Rule::Renju, "h8 i9"));
    let score = |cursor: &Cursor| record(&library, cursor).score().map(Score::value);
    merge(&library, &root, searched(200, 5));
    merge(&library, &first, searched(-200, 4));
    assert_eq!(score(&root), Some(200));
    // A deeper search refutes the move. Others may be nearly as good as it was, less the penalty of 30.
    merge(&library, &first, searched(500, 9));
    assert_eq!(score(&root), Some(-500));
    merge(&library, &second, searched(50, 4));
    assert_eq!(score(&root), Some(-50));
}

#[test]
fn other_moves_count_as_the_search_that_found_the_last_one() {
    let library = library();
    let root = position(Rule::Renju, "h8");
    let [first, reply, second] = ["h8 h9", "h8 h9 h10", "h8 i9"].map(|moves| position(Rule::Renju, moves));
    let score = || record(&library, &root).score().map(Score::value);
    merge(&library, &root, searched(200, 5));
    merge(&library, &first, searched(-200, 4));
    // The reply refutes the first move. The others are worth at most 200.
    merge(&library, &reply, searched(-500, 4));
    assert_eq!(score(), Some(170));
    merge(&library, &second, searched(50, 4));
    assert_eq!(score(), Some(-50));
    let lost = Proof { is_win: true, plies: None, origin: ProofOrigin::Proved };
    for cursor in [&first, &second] {
        merge(&library, cursor, Record { proof: Some(lost), ..Record::default() });
    }
    assert_eq!(record(&library, &root).backed_up, Some(170));
}

#[test]
fn a_game_that_reaches_a_known_loss_carries_it_back_in_small_and_large_libraries() {
    // How the known moves of new positions are found depends on the size of the library.
    for others in [0, 220] {
        let library = library();
        let lost = Proof { is_win: false, plies: Some(10), origin: ProofOrigin::Claimed };
        merge(&library, &position(Rule::Renju, "h8 i9 j10"), Record { proof: Some(lost), ..Record::default() });
        let mut edit = library.edit().unwrap();
        for point in Size::FIFTEEN.points().filter(|&other| other != point("b13")).take(others) {
            let mut cursor = position(Rule::Renju, "b13");
            cursor.play(Some(point));
            edit.update(&cursor, &mut |_, _| {}).unwrap();
        }
        edit.commit().unwrap();
        let moves = ["j10", "i9", "h8"].map(|name| Some(point(name)));
        let mut edit = library.edit().unwrap();
        import_game(&mut edit, (Rule::Renju, Size::FIFTEEN), &moves, None, 30, None).unwrap();
        edit.commit().unwrap();
        let derived = record(&library, &position(Rule::Renju, "j10 i9")).derived;
        assert_eq!(derived, Some(Proof { is_win: true, plies: Some(11), origin: ProofOrigin::Claimed }), "{others}");
        assert_eq!(library.view().unwrap().check().unwrap().faults, []);
    }
}

#[test]
fn a_prune_keeps_the_scores_that_followed_from_what_it_removes() {
    let library = library();
    let (before, after) = (position(Rule::Renju, "h8"), position(Rule::Renju, "h8 h9"));
    merge(&library, &before, searched(200, 5));
    merge(&library, &after, searched(-500, 9));
    assert_eq!(record(&library, &before).score(), Some(Score::from_eval(500)));
    let (view, mut edit) = (library.view().unwrap(), library.edit().unwrap());
    let condition = Prune { more_stones_than: Some(1), ..Prune::default() };
    assert_eq!(prune(&mut edit, &view, condition).unwrap(), 1);
    edit.commit().unwrap();
    let kept = record(&library, &before);
    assert_eq!((kept.score(), kept.search.map(|search| search.depth)), (Some(Score::from_eval(500)), Some(5)));
}

#[test]
fn a_split_keeps_what_follows_from_moves_beside_the_branch() {
    let (library, folder) = (library(), Folder::new());
    let (before, branch) = (position(Rule::Renju, "h8"), position(Rule::Renju, "h8 i9"));
    let lost = Some(Proof { is_win: false, plies: Some(4), origin: ProofOrigin::Claimed });
    merge(&library, &before, searched(100, 3));
    merge(&library, &position(Rule::Renju, "h8 h9"), Record { proof: lost, ..Record::default() });
    merge(&library, &branch, searched(400, 9));
    let known = record(&library, &before).settled();
    assert_eq!(known.map(|proof| (proof.is_win, proof.plies)), Some((true, Some(5))));
    let path = folder.0.join("branch.library");
    // A split or a copy that was killed has left its part.
    std::fs::write(folder.0.join("branch.library.part"), "x").unwrap();
    assert_eq!(library.split(&path, &branch).unwrap(), 2);
    assert_eq!(folder.names(), ["branch.library"]);
    assert_eq!(record(&Library::open(&path).unwrap(), &before).settled(), known);
    assert!(library.split(&path, &branch).is_err(), "a file is not replaced");
    let part = folder.0.join("copy.library.part");
    std::fs::copy(&path, &part).unwrap();
    let open = Library::open(&part).unwrap();
    assert!(open.back_up(&folder.0.join("copy.library")).is_err(), "the library itself is no part");
    assert!(part.exists());
}
