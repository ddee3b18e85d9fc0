//! Game files are read as they were written, a file cut by a kill is read up to its last whole game, and damage is
//! reported.

use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroU64;
use std::ops::Add;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::board::{Color, Point, Rule, Size};
use crate::notation::parse_comma;
use crate::rng::Rng;
use crate::score::Score;
use crate::shard::Shard;

/// A temporary file name for one test; the file is removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tengen-{}-{}.games", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(name))
    }

    /// A file that holds these games.
    fn with(games: &[SelfPlayGame]) -> Self {
        Self::with_header(&header(), games)
    }

    fn with_header(header: &Header, games: &[SelfPlayGame]) -> Self {
        let scratch = Self::new();
        let mut writer = GameWriter::create(&scratch.0, header).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
        scratch
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }

    fn read(&self) -> Result<Vec<SelfPlayGame>, GameFileError> {
        GameReader::open(&self.0)?.collect()
    }

    fn resume(&self) -> Result<GameWriter, GameFileError> {
        GameWriter::resume(&self.0, &header())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn header() -> Header {
    let (sizes, nodes) = ("5,15,32".parse().unwrap(), NonZeroU64::new(300).unwrap());
    let settings = GameSettings { rule: Rule::Standard, sizes, nodes, seed: u64::MAX - 7 };
    Header { settings, shard: Shard { index: 1, count: 3 }, engine: EngineSignature(0xDEAD_BEEF) }
}

/// Any of the given values.
fn one<T: Copy>(items: &[T], rng: &mut Rng) -> T {
    items[rng.below(items.len())]
}

/// A game of any form that the format can store.
fn random_game(number: u32, rng: &mut Rng) -> SelfPlayGame {
    let size = Size::new(one(&[5, 15, 32], rng)).unwrap();
    let mut empty: Vec<_> = size.points().collect();
    rng.shuffle(&mut empty);
    let score = |rng: &mut Rng| Score::from_value(rng.below(64_001) as i32 - 32_000);
    let count = rng.below(empty.len().min(60));
    let plies = (0..count).map(|_| {
        let point = empty.pop().unwrap();
        let best = if rng.below(4) == 0 { one(&empty, rng) } else { point };
        let visits = |rng: &mut Rng| {
            let count = rng.below(2) * rng.below(empty.len().min(10));
            VisitShares::of(empty[..count].iter().map(|&point| (point, 1 + rng.below(100) as u32)))
        };
        let found = (rng.below(3) > 0).then(|| Found {
            best,
            score: score(rng),
            visits: visits(rng),
            is_quiet: rng.below(2) == 0,
        });
        let stray = (rng.below(3) == 0).then(|| Stray {
            point,
            best: one(&empty, rng),
            score: score(rng),
            visits: visits(rng),
        });
        Ply { point, found, stray }
    });
    let plies: Vec<_> = plies.collect();
    let winner = one(&[None, Some(Color::Black), Some(Color::White)], rng);
    let opening_plies = rng.below(plies.len() + 1) as u16;
    SelfPlayGame { number, size, winner, opening: one(&OpeningKind::ALL, rng), opening_plies, plies }
}

/// Games for the shard in [`header`].
fn random_games(count: u32, seed: u64) -> Vec<SelfPlayGame> {
    let mut rng = Rng::new(seed);
    (0..count).map(|index| random_game(3 * index + 1, &mut rng)).collect()
}

fn points(names: &str) -> Vec<Point> {
    names.split(' ').map(|name| parse_comma(name).unwrap()).collect()
}

/// Three stones: one from the opening, one with every field, one with the fewest.
fn short_game() -> SelfPlayGame {
    let &[a1, b1, c1, a2, b2] = &points("0,0 1,0 2,0 0,1 1,1")[..] else { unreachable!() };
    let visits = VisitShares::of([(b2, 60), (c1, 40)].into_iter());
    let found = Found { best: c1, score: Score::from_value(-2), visits, is_quiet: true };
    let visits_behind = VisitShares::of([(b2, 7)].into_iter());
    let stray = Some(Stray { point: a2, best: b2, score: Score::from_value(258), visits: visits_behind });
    let plies = vec![
        Ply { point: a1, found: None, stray: None },
        Ply { point: b1, found: Some(found), stray },
        Ply { point: c1, found: Some(Found { is_quiet: false, visits: VisitShares::default(), ..found }), stray: None },
    ];
    let size = Size::new(5).unwrap();
    SelfPlayGame { number: 4, size, winner: Some(Color::White), opening: OpeningKind::Edge, opening_plies: 1, plies }
}

#[test]
fn a_file_has_the_bytes_that_the_page_draws() {
    let file = Scratch::with(&[short_game()]);
    let mut expected = b"tengames\x02\x00".to_vec();
    // Length 65 and its complement; standard, 300 nodes, a seed, the second shard of three, the engine.
    expected.extend([65, 0, !65, 255, 1, 44, 1, 0, 0, 0, 0, 0, 0, 248, 255, 255, 255, 255, 255, 255, 255]);
    expected.extend([1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xEF, 0xBE, 0xAD, 0xDE]);
    // Board sizes 5, 15 and 32.
    expected.extend((5..=32).map(|side| u8::from([5, 15, 32].contains(&side))));
    expected.extend(block::checksum(&expected[14..]).to_le_bytes());
    let game = expected.len() + 4;
    expected.extend([38, 0, !38, 255, 4, 0, 0, 0, 5, 1, 1, 1, 0]);
    expected.extend([0, 0]);
    // b1, searched, quiet, another best, stray, visits of both; −2; c1; b2 60 %, c1 40 %; a2, b2, 258; b2 alone.
    expected.extend([1, 0b1111_1100, 254, 255, 2, 0, 2, 33, 0, 153, 2, 0, 102, 32, 0, 33, 0, 2, 1, 1, 33, 0, 255]);
    expected.extend([2, 0b0000_0100, 254, 255]);
    expected.extend(block::checksum(&expected[game..]).to_le_bytes());
    assert_eq!(file.bytes(), expected);
}

#[test]
fn games_are_read_as_they_were_written_and_in_the_order_of_their_numbers() {
    let games = random_games(300, 1);
    let mut shuffled = games.clone();
    Rng::new(2).shuffle(&mut shuffled);
    let file = Scratch::with(&shuffled);
    assert_eq!(file.read().unwrap(), games);
    let reader = GameReader::open(&file.0).unwrap();
    assert_eq!((reader.header, reader.tail(), reader.count()), (header(), 0, 300));
}

#[test]
fn the_samples_of_a_game_are_its_quiet_positions_and_strays() {
    let samples: Vec<_> = short_game().samples().map(|sample| sample.to_string()).collect();
    assert_eq!(samples, ["5 a5 c5 0.498 1", "5 a5a4 b4 0.784 -"]);
    let drawn = SelfPlayGame { winner: None, ..short_game() };
    assert_eq!(drawn.samples().next().unwrap().result, Some(0.5));
    let lost = SelfPlayGame { winner: Some(Color::Black), ..short_game() };
    assert_eq!(lost.samples().next().unwrap().result, Some(0.0));
}

#[test]
fn a_file_that_is_cut_anywhere_is_read_up_to_its_last_whole_game() {
    let games = random_games(4, 3);
    let lengths: Vec<_> = (0..=games.len()).map(|count| Scratch::with(&games[..count]).bytes().len()).collect();
    let file = Scratch::with(&games);
    let bytes = file.bytes();
    for cut in 0..=bytes.len() {
        fs::write(&file.0, &bytes[..cut]).unwrap();
        let Some(whole) = lengths.iter().rposition(|&length| length <= cut) else {
            assert!(matches!(file.read(), Err(GameFileError::NoGames(_))), "cut at {cut}");
            continue;
        };
        assert_eq!(file.read().unwrap(), games[..whole], "cut at {cut}");
        assert_eq!(GameReader::open(&file.0).unwrap().tail(), (cut - lengths[whole]) as u64);
    }
}

#[test]
fn a_file_cut_anywhere_is_continued_as_if_it_were_whole() {
    let games = random_games(3, 4);
    let file = Scratch::with(&games);
    let bytes = file.bytes();
    for cut in 0..=bytes.len() {
        fs::write(&file.0, &bytes[..cut]).unwrap();
        let mut writer = file.resume().unwrap();
        let missing = games.iter().filter(|game| !writer.recorded().contains(&game.number)).cloned();
        missing.collect::<Vec<_>>().iter().for_each(|game| writer.write(game).unwrap());
        drop(writer);
        assert_eq!(file.bytes(), bytes, "cut at {cut}");
    }
}

#[test]
fn every_changed_byte_is_detected_and_the_file_is_left_alone() {
    let file = Scratch::with(&random_games(2, 5));
    let bytes = file.bytes();
    for at in 0..bytes.len() {
        for bits in [1, 0x80, 0xFF] {
            let mut changed = bytes.clone();
            changed[at] ^= bits;
            fs::write(&file.0, &changed).unwrap();
            let errors = [file.read().map(drop), file.resume().map(drop)].map(Result::unwrap_err);
            for error in errors {
                let is_named = match at {
                    0..8 => matches!(error, GameFileError::NoGames(_)),
                    8..10 => matches!(error, GameFileError::Version(..)),
                    _ => matches!(error, GameFileError::Damaged(_, byte, Damage::Length | Damage::Checksum)
                        if (byte..byte + 700).contains(&(at as u64))),
                };
                assert!(is_named, "byte {at}: {error}");
            }
            assert_eq!(file.bytes(), changed);
        }
    }
}

#[test]
fn a_complete_record_that_is_not_a_valid_game_is_damage() {
    let damage = |games: &[SelfPlayGame]| match Scratch::with(games).read() {
        Err(GameFileError::Damaged(_, byte, damage)) => (byte, damage),
        other => panic!("{other:?}"),
    };
    let start = Scratch::with(&[]).bytes().len() as u64;
    let game = short_game();
    let other_size = SelfPlayGame { size: Size::new(6).unwrap(), ..game.clone() };
    let other_shard = SelfPlayGame { number: 5, ..game.clone() };
    let long_opening = SelfPlayGame { opening_plies: 4, ..game.clone() };
    let mut taken = game.clone();
    taken.plies[2].point = game.plies[0].point;
    let mut off_board = game.clone();
    off_board.plies[2].point = parse_comma("5,0").unwrap();
    let mut stray_on_stone = game.clone();
    stray_on_stone.plies[1].stray.as_mut().unwrap().point = game.plies[0].point;
    let mut best_on_stray = game.clone();
    best_on_stray.plies[1].stray.as_mut().unwrap().best = game.plies[1].stray.unwrap().point;
    for wrong in [other_size, other_shard, long_opening, taken, off_board, stray_on_stone, best_on_stray] {
        assert_eq!(damage(&[wrong]), (start, Damage::Game));
    }
    let (_, twice) = damage(&[game.clone(), game]);
    assert_eq!(twice, Damage::Number(4));
}

#[test]
fn an_existing_file_is_neither_emptied_nor_taken_for_another() {
    let file = Scratch::with(&[]);
    let bytes = file.bytes();
    assert!(matches!(GameWriter::create(&file.0, &header()), Err(GameFileError::Exists(_))));
    let settings = header().settings;
    let with = |settings| Header { settings, ..header() };
    let others = [
        ("rule", with(GameSettings { rule: Rule::Renju, ..settings })),
        ("size", with(GameSettings { sizes: "15".parse().unwrap(), ..settings })),
        ("nodes", with(GameSettings { nodes: NonZeroU64::MIN, ..settings })),
        ("seed", with(GameSettings { seed: 1, ..settings })),
        ("shard", Header { shard: Shard::WHOLE, ..header() }),
        ("engine", Header { engine: EngineSignature(1), ..header() }),
    ];
    for (expected, other) in others {
        let error = GameWriter::resume(&file.0, &other).unwrap_err();
        assert!(matches!(error, GameFileError::Setting { name, .. } if name == expected), "{error}");
    }
    assert_eq!(file.bytes(), bytes);
    fs::write(&file.0, "something else").unwrap();
    assert!(matches!(file.resume(), Err(GameFileError::NoGames(_))));
    assert_eq!(file.bytes(), b"something else");
}

#[test]
fn a_file_has_one_writer_at_a_time() {
    let file = Scratch::new();
    let writer = GameWriter::create(&file.0, &header()).unwrap();
    let errors = [file.resume(), GameWriter::create(&file.0, &header())].map(Result::unwrap_err);
    assert!(
        errors
            .iter()
            .all(|error| matches!(error, GameFileError::File(_, error) if error.kind() == ErrorKind::ResourceBusy)),
        "{errors:?}"
    );
    drop(writer);
    assert!(file.resume().is_ok());
}

#[test]
fn several_files_are_read_in_the_order_of_the_numbers() {
    let (games, rule) = (random_games(40, 6), header().settings.rule);
    let part = |index| games.iter().skip(index).step_by(2).cloned().collect::<Vec<_>>();
    let (a, b) = (Scratch::with(&part(0)), Scratch::with(&part(1)));
    for paths in [[&a.0, &b.0], [&b.0, &a.0]] {
        let read: Result<Vec<_>, _> = read_games(&paths, rule).unwrap().collect();
        assert_eq!(read.unwrap(), games);
    }
    assert!(matches!(read_games(&[&a.0, &b.0], Rule::Renju), Err(GameFileError::Rule { .. })));
    let mut twice = read_games(&[&a.0, &a.0], rule).unwrap();
    assert_eq!(twice.next().unwrap().unwrap(), games[0]);
    assert!(matches!(twice.next(), Some(Err(GameFileError::Repeated(_, _, 1)))));
    assert!(twice.next().is_none());
    // Another run may stand between them.
    let of_seed_77 = Header { settings: GameSettings { seed: 77, ..header().settings }, ..header() };
    let other = Scratch::with_header(&of_seed_77, &games);
    let mut apart = read_games(&[&a.0, &other.0, &a.0], rule).unwrap();
    assert!(apart.by_ref().take(2).all(|game| game.is_ok()));
    assert!(matches!(apart.next(), Some(Err(GameFileError::Repeated(_, _, 1)))));
}

#[test]
fn a_store_returns_games_by_their_index_in_any_order() {
    let (games, rule) = (random_games(400, 6), header().settings.rule);
    let part = |index| games.iter().skip(index).step_by(2).cloned().collect::<Vec<_>>();
    let (a, b) = (Scratch::with(&part(0)), Scratch::with(&part(1)));
    let mut store = GameStore::new(read_games(&[&b.0, &a.0], rule).unwrap()).unwrap();
    let mut memory = games.clone();
    assert_eq!((store.count(), memory.count()), (400, 400));
    let mut rng = Rng::new(8);
    for _ in 0..200 {
        let index = rng.below(400);
        assert_eq!(store.game(index).unwrap(), games[index]);
        assert_eq!(memory.game(index).unwrap(), games[index]);
    }
    // A game is known by its run and number, whichever files are read with its own.
    let alone = GameStore::new(read_games(&[&a.0], rule).unwrap()).unwrap();
    for index in 0..200 {
        assert_eq!(alone.run_and_number(index), store.run_and_number(2 * index));
    }
    let twice = GameStore::new(read_games(&[&a.0, &a.0], rule).unwrap());
    assert!(matches!(twice, Err(GameFileError::Repeated(_, _, 1))));
    // A file that changes while it is used, far from the bytes that were read last.
    assert_eq!(store.game(0).unwrap(), games[0]);
    let mut bytes = a.bytes();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&a.0, bytes).unwrap();
    let errors = (0..400).filter(|&index| matches!(store.game(index), Err(GameFileError::Damaged(..))));
    assert_eq!(errors.count(), 1);
}

#[test]
fn a_summary_counts_games_and_samples() {
    let drawn = SelfPlayGame { winner: None, opening: OpeningKind::List, ..short_game() };
    let summary = [&short_game(), &drawn, &drawn].into_iter().map(Summary::of).fold(Summary::default(), Add::add);
    let expected = Summary { results: [0, 1, 2], openings: [0, 1, 2], plies: 9, positions: 3, strays: 3 };
    assert_eq!((summary, summary.games()), (expected, 3));
    let text = "3 games: black won 0, white 1, drawn 2; 3.0 plies a game\n\
                6 samples: 3 positions, 3 strays; openings: random 0.0 %, edge 33.3 %, list 66.7 %";
    assert_eq!(summary.to_string(), text);
    let games = random_games(100, 7);
    let summary = games.iter().map(Summary::of).fold(Summary::default(), Add::add);
    assert_eq!((summary.positions + summary.strays) as usize, games.iter().flat_map(SelfPlayGame::samples).count());
}
