//! What is written is read again: random records through a database and through a table.

use std::io::Write;

use proptest::prelude::*;
use proptest::test_runner::Config;

use super::*;
use crate::board::{ByColor, Color, Point, Rule, Size, Symmetry};
use crate::library::format::csv::{CSV_HEADER, CsvReader, csv_row};
use crate::library::{Cursor, Proof, ProofOrigin, Record, SearchNote};
use crate::rng::Rng;

const RULES: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

/// A position of random moves and passes. On the smallest boards many are symmetric.
fn position(rng: &mut Rng) -> Cursor {
    let size = Size::new([5, 6, 7, 15, 20][rng.below(5)]).unwrap();
    let mut cursor = Cursor::new(RULES[rng.below(3)], size);
    for _ in 0..rng.below(8) {
        let point = size.points().nth(rng.below(size.area())).unwrap();
        let mirrored = Symmetry::all().nth(rng.below(8)).unwrap().apply(point, size);
        for point in [point, mirrored] {
            if rng.below(8) == 0 {
                cursor.play(None);
            } else if cursor.is_empty(point) {
                cursor.play(Some(point));
            }
        }
    }
    cursor
}

fn record(rng: &mut Rng, comment: &str, labels: &[String]) -> RapfiRecord {
    let cursor = position(rng);
    let point = |rng: &mut Rng| cursor.size().points().nth(rng.below(cursor.size().area())).unwrap();
    let mut marks: Vec<_> = labels.iter().map(|text| Mark { point: point(rng), text: text.clone() }).collect();
    marks.sort_by_key(|mark| mark.point);
    marks.dedup_by_key(|mark| mark.point);
    RapfiRecord {
        label: RapfiLabel::from_byte([0, 255, b'w', b'l', b'd', b'x', b'!', b',', b'"'][rng.below(9)]),
        value: rng.next_u64() as i16,
        depth: rng.next_u64() as i16 >> 2,
        bound: [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact][rng.below(4)],
        comment: comment.to_owned(),
        marks,
        ..RapfiRecord::from_record(&cursor, &Record::default())
    }
}

/// A record with its marks on stored points, to be compared with one in another orientation.
fn stored(record: &RapfiRecord) -> (Stones, RapfiRecord) {
    let cursor = record.cursor();
    let address = cursor.address();
    let mut stored = record.clone();
    stored.marks.iter_mut().for_each(|mark| mark.point = address.store(mark.point));
    stored.marks.sort_by_key(|mark| mark.point);
    stored.marks.dedup_by_key(|mark| mark.point);
    stored.comment = stored.comment.replace('\0', "").replace('\u{8}', "\n");
    let stones = cursor.stored_stones(&address);
    stored.stones = stones.clone();
    (stones, stored)
}

fn image(record: &RapfiRecord, symmetry: Symmetry) -> RapfiRecord {
    let mut image = record.clone();
    let size = record.stones.size;
    image.stones.points.0.iter_mut().flatten().for_each(|point| *point = symmetry.apply(*point, size));
    image.stones.points.0.iter_mut().for_each(|points| points.sort_unstable());
    image.marks.iter_mut().for_each(|mark| mark.point = symmetry.apply(mark.point, size));
    image
}

fn written(records: &[RapfiRecord]) -> Vec<u8> {
    let mut writer = RapfiWriter::new();
    for record in records {
        let _ = writer.add(record);
    }
    let mut file = Vec::new();
    writer.write(&mut file).unwrap();
    file
}

fn read(file: &[u8]) -> Vec<RapfiRecord> {
    RapfiReader::new(file, None).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Some records that can be written, each of another position.
fn records(seed: u64, comment: &str, labels: &[String]) -> Vec<RapfiRecord> {
    let mut rng = Rng::new(seed);
    let mut keys = std::collections::BTreeSet::new();
    let records = (0..12).map(|_| record(&mut rng, comment, labels));
    records
        .filter(|record| Canonical::of(&record.stones).to_bytes().is_ok() && keys.insert(record.cursor().key()))
        .collect()
}

proptest! {
    #![proptest_config(Config { cases: 200, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_database_is_read_as_it_was_written(
        seed in any::<u64>(),
        comment in "(?s)(@BTXT@)?[\\PC\\x00\\x08\r\n]{0,20}",
        labels in proptest::collection::vec("[!-~ß直]{1,4}", 0..6),
    ) {
        let records = records(seed, &comment, &labels);
        let file = written(&records);
        let again = read(&file);
        prop_assert_eq!(again.len(), records.len());
        for record in &records {
            let twin = again.iter().find(|other| other.cursor().key() == record.cursor().key()).unwrap();
            prop_assert_eq!(stored(record), stored(twin));
            // The file has the least image: its labels are on the points that a second writing gives them.
            prop_assert_eq!(&written(std::slice::from_ref(twin)), &written(std::slice::from_ref(record)));
        }
        prop_assert_eq!(written(&again), file);
    }

    #[test]
    fn a_table_is_read_as_it_was_written(
        seed in any::<u64>(),
        comment in "(?s)(@BTXT@)?[\\PC\\x00\\x08\r\n\t]{0,20}",
        labels in proptest::collection::vec("[!-~ß直]{1,4}", 0..6),
    ) {
        let mut rng = Rng::new(seed);
        let record = record(&mut rng, &comment, &labels);
        let text = format!("{CSV_HEADER}\n{}\n", csv_row(7, &record).unwrap().0);
        let again = CsvReader::new(&text).unwrap().next().unwrap();
        prop_assert_eq!(again.map(|again| stored(&again)), Ok(stored(&record)));
    }

    #[test]
    fn all_images_of_a_record_give_the_same_file(
        seed in any::<u64>(),
        labels in proptest::collection::vec("[!-~]{1,4}", 0..2),
    ) {
        let record = record(&mut Rng::new(seed), "text", &labels[..labels.len().min(1)]);
        let files: Vec<_> = Symmetry::all().map(|symmetry| written(&[image(&record, symmetry)])).collect();
        prop_assert!(files.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn any_stones_come_back_or_are_refused(black in 0_usize..6, white in 0_usize..6, is_white in any::<bool>()) {
        let size = Size::FIFTEEN;
        let points: Vec<Point> = size.points().step_by(7).collect();
        let turn = if is_white { Color::White } else { Color::Black };
        let of = ByColor([points[..black].to_vec(), points[black..black + white].to_vec()]);
        let stones = Stones { rule: Rule::Renju, size, turn, points: of };
        let cursor = Cursor::from_stones(&stones);
        let record = RapfiRecord::from_record(&cursor, &Record::default());
        let mut writer = RapfiWriter::new();
        let result = writer.add(&record);
        let is_ordinary = black == white || turn == Color::White && black == white + 1;
        let surplus = black as i32 - white as i32;
        let is_one_pass = (0..=1).contains(&surplus) || turn == Color::White && surplus == 2;
        prop_assert_eq!(result.is_ok(), is_ordinary || is_one_pass);
        prop_assert_eq!(writer.left_out().get(&Unwritable::Surplus), result.is_err().then_some(&1));
        if result.is_ok() {
            prop_assert_eq!(read(&written(&[record]))[0].cursor().key(), cursor.key());
        }
    }

    #[test]
    fn a_record_of_a_library_comes_back(
        seed in any::<u64>(),
        win in any::<Option<bool>>(),
        plies in proptest::option::of(0_u16..=500),
        score in -20_000_i32..=20_000,
        depth in 0_u16..=8_191,
        has_search in any::<bool>(),
        comment in "[a-z\n]{0,8}",
        label in proptest::option::of("[!-k]"),
    ) {
        let cursor = position(&mut Rng::new(seed));
        let proof = win.map(|is_win| Proof { is_win, plies, origin: ProofOrigin::Claimed });
        // A mate value takes the place of a search, and a result that of a label.
        let has_search = has_search && proof.is_none_or(|proof| proof.plies.is_none());
        let search = SearchNote { score, depth, bound: Bound::Lower, nodes: 0, engine: None };
        let label = label.and_then(|text| text.chars().next()).filter(|_| proof.is_none());
        let marks = vec![Mark { point: cursor.size().centre(), text: "A".to_owned() }];
        let record = Record { proof, search: has_search.then_some(search), label, comment, marks, ..Record::default() };
        prop_assert_eq!(RapfiRecord::from_record(&cursor, &record).to_record(), record);
    }
}

#[test]
fn a_database_with_flipped_bits_gives_records_or_an_error() {
    let labels = ["A".to_owned(), "直".to_owned()];
    let records: Vec<_> = (0..8).flat_map(|seed| records(seed, "a comment that repeats a comment", &labels)).collect();
    let raw = written(&records);
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(&raw).unwrap();
    let compressed = encoder.finish().unwrap();
    let mut rng = Rng::new(5);
    let mut errors = 0;
    for file in [raw, compressed] {
        for _ in 0..200 {
            let mut flipped = file.clone();
            let place = if rng.below(2) == 0 { rng.below(40) } else { rng.below(flipped.len()) };
            flipped[place] ^= 1 << rng.below(8);
            let Ok(reader) = RapfiReader::with_limit(&flipped[..], None, 1 << 20) else {
                errors += 1;
                continue;
            };
            for record in reader {
                match record {
                    Ok(record) => {
                        let known = record.to_record();
                        let _ = RapfiRecord::from_record(&record.cursor(), &known);
                        let _ = written(&[record]);
                    }
                    Err(_) => errors += 1,
                }
            }
        }
    }
    assert!(errors > 100, "{errors}");
}
