//! Libraries with flipped bits. A flip is named or harmless: it never ends in a panic, and never changes a result.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tengen::board::{Rule, Size};
use tengen::library::{Cursor, Entry, Library, PositionKey, Proof, ProofOrigin};
use tengen::rng::Rng;

use super::entries;
use crate::library::games::random_game;
use crate::tune::Folder;

/// Bytes of the header of a database.
const HEADER_BYTES: usize = 320;

/// A library with comments, results and what follows from them.
fn sample(path: &Path) -> BTreeMap<PositionKey, Entry> {
    let library = Library::create(path).unwrap();
    let mut edit = library.edit().unwrap();
    let mut rng = Rng::new(1);
    for number in 0..200 {
        let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
        let plies = 1 + rng.below(8);
        for point in random_game(&mut rng, plies) {
            cursor.play(Some(point));
            edit.update(&cursor, &mut |record, _| record.comment = format!("position {number}")).unwrap();
        }
        let proof = Proof { is_win: false, plies: Some(20), origin: ProofOrigin::Proved };
        edit.update(&cursor, &mut |record, _| record.proof = Some(proof)).unwrap();
    }
    edit.commit().unwrap();
    entries(&library).unwrap()
}

/// Reads all entries and checks the file, as the program does.
fn read(path: &Path, positions: usize) -> Result<BTreeMap<PositionKey, Entry>, String> {
    let mut library = Library::open(path).map_err(|error| error.to_string())?;
    let found = entries(&library)?;
    let checked = library.check_pages().map_err(|error| error.to_string());
    if found.len() < positions { checked.map(|()| found) } else { Ok(found) }
}

/// Edits a position. Returns the entries after that.
fn edit(path: &Path) -> Result<BTreeMap<PositionKey, Entry>, String> {
    let library = Library::open(path).map_err(|error| error.to_string())?;
    let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
    cursor.play(Some(Size::FIFTEEN.centre()));
    let mut edit = library.edit().map_err(|error| error.to_string())?;
    edit.update(&cursor, &mut |record, _| record.comment.clear()).map_err(|error| error.to_string())?;
    edit.commit().map_err(|error| error.to_string())?;
    entries(&library)
}

/// Whether a position of a damaged library has another result than it had. An unknown one is no other one.
fn has_other_result(expected: &Entry, found: &Entry) -> bool {
    let results = expected.record.settled().zip(found.record.settled());
    results.map_or(found.record.settled().is_some(), |(before, after)| before.is_win != after.is_win)
}

#[test]
fn a_flipped_bit_is_named_or_harmless() {
    let folder = Folder::new();
    let path = folder.0.join("a.library");
    let expected = sample(&path);
    assert!(expected.values().filter(|entry| entry.record.derived.is_some()).count() > 50);
    let bytes = fs::read(&path).unwrap();
    // Most of the file of a small library is empty or no longer used: two thirds of the flips are in its header, and in and
    // after comments.
    let texts = bytes.windows(9).enumerate().filter(|(_, text)| text == b"position ").map(|(place, _)| place);
    let used: Vec<_> = texts.flat_map(|place| place - 40..place + 60).collect();
    let mut rng = Rng::new(2);
    let mut named = 0;
    for flip in 0..200 {
        let mut flipped = bytes.clone();
        let place = match flip % 3 {
            0 => used[rng.below(used.len())],
            1 => rng.below(HEADER_BYTES),
            _ => rng.below(bytes.len()),
        };
        flipped[place] ^= 1 << rng.below(8);
        let what = format!("bit flipped in byte {place}");
        fs::write(&path, &flipped).unwrap();
        // A panic of the library itself would end the test.
        let found = catch_unwind(AssertUnwindSafe(|| read(&path, expected.len())));
        match found.unwrap_or_else(|_| panic!("{what}: a panic")) {
            Err(_) => named += 1,
            Ok(found) => assert!(found == expected, "{what}"),
        }
        fs::write(&path, &flipped).unwrap();
        let edited = catch_unwind(AssertUnwindSafe(|| edit(&path)));
        for (key, entry) in edited.unwrap_or_else(|_| panic!("{what}: a panic")).into_iter().flatten() {
            let before = expected.get(&key).unwrap_or_else(|| panic!("{what}: a new position"));
            assert!(!has_other_result(before, &entry), "{what}: {before:?} became {entry:?}");
        }
    }
    assert!(named > 10, "{named} of 200");
}

#[test]
fn a_cut_library_is_named_or_harmless() {
    let folder = Folder::new();
    let path = folder.0.join("a.library");
    let expected = sample(&path);
    let bytes = fs::read(&path).unwrap();
    let mut rng = Rng::new(4);
    for cut in 0..40 {
        let length = if cut < 10 { cut * 100 } else { rng.below(bytes.len()) };
        fs::write(&path, &bytes[..length]).unwrap();
        let found = catch_unwind(AssertUnwindSafe(|| read(&path, expected.len())));
        if let Ok(found) = found.unwrap_or_else(|_| panic!("cut after {length} bytes: a panic")) {
            assert!(found == expected, "cut after {length} bytes");
        }
    }
}
