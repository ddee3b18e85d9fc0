//! Damaged sources of every form: flipped bits, cut files and random bytes. Each import ends with one error, or with a
//! library that is whole and in which no damaged result looks proved.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor as Bytes, Write};

use tengen::board::{Point, Rule, Size};
use tengen::library::source::files_in;
use tengen::library::{
    Bound, Cursor, Entry, ExportFormat, ImportConfig, Library, Mark, PositionKey, Proof, ProofOrigin, SearchNote,
    export, import,
};
use tengen::notation::{Letters, TextEncoding};
use tengen::rng::Rng;
use tengen::text::Short;

use super::entries;
use crate::library::games::{random_game, random_list};
use crate::library::memory::MemoryStore;
use crate::tune::Folder;

const RULE: Rule = Rule::Renju;
const SIZE: Size = Size::FIFTEEN;

/// The most characters of an error.
const LONGEST_ERROR: usize = 400;

/// A library of random lines with everything that a record holds.
fn library(rng: &mut Rng, lines: usize, plies: usize) -> Library {
    let library = Library::in_store(Box::new(MemoryStore::default())).unwrap();
    let mut edit = library.edit().unwrap();
    let search = SearchNote { score: 7, depth: 9, bound: Bound::Exact, nodes: 5, engine: None };
    for number in 0..lines {
        let mut cursor = Cursor::new(RULE, SIZE);
        for point in random_game(rng, plies) {
            edit.update(&cursor, &mut |_, _| {}).unwrap();
            cursor.play(Some(point));
        }
        let origin = [ProofOrigin::Claimed, ProofOrigin::Proved][number / 3 % 2];
        edit.update(&cursor, &mut |record, _| {
            record.comment = format!("line {number}: \"直\"\nno more");
            match number % 3 {
                0 => record.proof = Some(Proof { is_win: number % 2 == 0, plies: Some(number as u16), origin }),
                1 => record.search = Some(search),
                _ => record.label = Some('!'),
            }
        })
        .unwrap();
        edit.set_mark(&cursor, &Mark { point: SIZE.points().next().unwrap(), text: "A".to_owned() }).unwrap();
    }
    edit.commit().unwrap();
    library
}

/// Files of every form, the first with the entries of a library and the others with games.
fn samples(rng: &mut Rng, lines: usize, plies: usize) -> Vec<(&'static str, Vec<u8>)> {
    let library = library(rng, lines, plies);
    let view = library.view().unwrap();
    let exported = |format| export(&view, (RULE, SIZE), format, TextEncoding::Utf8).unwrap().bytes;
    let game = random_game(rng, plies);
    let saved = |first: u8| {
        let line = |point: &Point| format!("{},{},10\n", point.x() + first, point.y() + first);
        game.iter().map(line).collect::<String>()
    };
    let comma = |point: &Point| format!("{},{}", point.x(), point.y());
    let moves = |points: &[Point]| points.iter().map(comma).collect::<Vec<_>>().join(" ");
    let numbered = |(number, pair): (usize, &[Point])| {
        let names: Vec<_> = pair.iter().map(|&point| Letters::new(SIZE).point(point).to_string()).collect();
        format!("{}. {}\n", number + 1, names.join(" "))
    };
    let record = format!(
        "{{\"format\":2,\"match\":{{\"rule\":\"renju\",\"size\":\"15\"}}}}\n{{\"game\":\"0-1.0a\",\"black\":\"a\",\"white\":\"b\",\
         \"winner\":\"black\",\"end\":\"row\",\"detail\":\"\",\"opening\":\"{}\",\"moves\":\"{}\",\"times\":[1],\"said\":[],\"wall\":2}}\n",
        moves(&game[..1]),
        moves(&game[1..]),
    );
    let database = exported(ExportFormat::Db);
    let mut compressed = lz4_flex::frame::FrameEncoder::new(Vec::new());
    compressed.write_all(&database).unwrap();
    let psq = format!("Piskvorky 15x15, 11:11, 0\n{}a\nb\n-1\n1,Renju_1\n", saved(1)).into_bytes();
    let mut archive = zip::ZipWriter::new(Bytes::new(Vec::new()));
    for (name, bytes) in [("a.psq", &psq), ("a.lib", &exported(ExportFormat::Lib))] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    let pos = game.iter().map(|point| 15 * point.y() + point.x());
    vec![
        ("a.jsonl", exported(ExportFormat::Jsonl)),
        ("a.lib", exported(ExportFormat::Lib)),
        ("raw.db", database),
        ("lz4.db", compressed.finish().unwrap()),
        ("a.csv", exported(ExportFormat::Csv)),
        ("a.sgf", exported(ExportFormat::Sgf)),
        ("a.psq", psq),
        ("a.rec", format!("a\nb\n{}-1\n", saved(0)).into_bytes()),
        ("a.pos", std::iter::once(game.len() as u8).chain(pos).collect()),
        ("record.jsonl", record.into_bytes()),
        ("list.txt", random_list(rng, lines, plies).into_bytes()),
        ("numbered.txt", game.chunks(2).enumerate().map(numbered).collect::<String>().into_bytes()),
        ("a.zip", archive.finish().unwrap().into_inner()),
    ]
}

/// Imports a file as the program does.
fn imported(folder: &Folder, name: &str, bytes: &[u8]) -> Result<BTreeMap<PositionKey, Entry>, String> {
    let path = folder.0.join(name);
    fs::write(&path, bytes).unwrap();
    let library = Library::in_store(Box::new(MemoryStore::default())).unwrap();
    let mut edit = library.edit().unwrap();
    let config = ImportConfig { rule: Some(RULE), has_claims: true, ..ImportConfig::default() };
    for file in files_in(&path).map_err(|error| error.to_string())? {
        let file = file.map_err(|error| error.to_string())?;
        import(&mut edit, &file.name, &file.bytes, &config).map_err(|error| error.to_string())?;
    }
    edit.commit().map_err(|error| error.to_string())?;
    let checked = library.view().unwrap().check().unwrap();
    assert!(!checked.faults.iter().any(|(_, fault)| fault.is_damage()), "{name}: {checked:?}");
    entries(&library)
}

/// Imports a damaged file, and compares what it says is proved with the undamaged one. Returns whether it is refused.
fn is_refused(
    folder: &Folder,
    (name, bytes): (&str, &[u8]),
    expected: &BTreeMap<PositionKey, Entry>,
    damage: &str,
) -> bool {
    let proved = |entry: &Entry| entry.record.proof.filter(|proof| proof.origin == ProofOrigin::Proved);
    match imported(folder, name, bytes) {
        Err(error) => {
            let shown = Short(&error).to_string();
            assert!(!shown.is_empty() && !shown.contains(char::is_control), "{name}, {damage}: {shown}");
            assert!(shown.chars().count() < LONGEST_ERROR, "{name}, {damage}: {shown}");
            true
        }
        Ok(found) => {
            for (key, entry) in found.iter().filter(|(_, entry)| proved(entry).is_some()) {
                let before = expected.get(key).and_then(proved);
                assert_eq!(proved(entry), before, "{name}, {damage}: {entry:?}");
            }
            false
        }
    }
}

#[test]
fn a_flipped_bit_of_a_source_is_named_or_harmless() {
    let folder = Folder::new();
    let mut rng = Rng::new(5);
    for (name, bytes) in samples(&mut rng, 12, 5) {
        let expected = imported(&folder, name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Half of the flips are in lines that say what is proved, if there are any.
        let mut proved = Vec::new();
        let mut start = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if line.windows(6).any(|word| word == b"proved") {
                proved.extend(start..start + line.len());
            }
            start += line.len();
        }
        let mut refused = 0;
        for flip in 0..200 {
            let mut flipped = bytes.clone();
            let is_within = flip % 2 == 0 && !proved.is_empty();
            let place = if is_within { proved[rng.below(proved.len())] } else { rng.below(bytes.len()) };
            let bit = rng.below(8);
            flipped[place] ^= 1 << bit;
            let damage = format!("bit {bit} of byte {place}");
            refused += usize::from(is_refused(&folder, (name, &flipped), &expected, &damage));
        }
        println!("{name}: {refused} of 200 flips refused");
        assert!(refused > 10, "{name}: {refused} of 200 flips refused");
    }
}

#[test]
fn a_source_cut_at_any_byte_is_named_or_harmless() {
    let folder = Folder::new();
    for (name, bytes) in samples(&mut Rng::new(6), 2, 3) {
        let expected = imported(&folder, name, &bytes).unwrap();
        for length in 0..bytes.len() {
            is_refused(&folder, (name, &bytes[..length]), &expected, &format!("cut after {length} bytes"));
        }
    }
}

#[test]
fn random_bytes_are_no_source() {
    let folder = Folder::new();
    let mut rng = Rng::new(7);
    let nothing = BTreeMap::new();
    for (name, bytes) in samples(&mut rng, 2, 3) {
        for round in 0..60 {
            // Half of them begin like a file of the form.
            let mut random: Vec<_> = bytes[..bytes.len().min(round % 2 * 28)].to_vec();
            random.extend((0..rng.below(300)).map(|_| rng.below(256) as u8));
            is_refused(&folder, (name, &random), &nothing, &format!("random bytes {random:02x?}"));
        }
    }
}
