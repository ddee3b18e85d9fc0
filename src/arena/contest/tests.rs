//! A match before its first game and after its last. The games themselves are played in `tests/tengen/arena.rs`.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::arena::config::sample;
use crate::arena::schedule::{knockout, known_games};
use crate::arena::stats::openings::rows;
use crate::arena::stats::results::Results;
use crate::board::{Rule, Size};
use crate::notation::Moves;
use crate::notation::record::{GameEnd, GameId, GameRecord, Leg, Winner};
use crate::opening::Procedure;

/// A temporary folder for one test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tengen-contest-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn described(config: &MatchConfig) -> Option<(MatchConfig, Vec<Opening>)> {
    Some((config.clone(), vec![Opening::new()]))
}

fn resumed(path: &Path) -> MatchFiles {
    MatchFiles { resume: Some(path.to_owned()), ..MatchFiles::default() }
}

fn prepare(config: &MatchConfig, files: &MatchFiles) -> Result<Contest, String> {
    Contest::prepare(config.format, described(config), files).map_err(|error| error.to_string())
}

/// A game between engines 0 and 1 that black or white won with these moves.
fn game(opening: usize, leg: Leg, winner: Winner, end: GameEnd) -> GameRecord {
    let (black, white) = if leg == Leg::Straight { ("0", "1") } else { ("1", "0") };
    GameRecord {
        game: GameId { first: 0, second: 1, opening, leg },
        black: black.to_owned(),
        white: white.to_owned(),
        winner,
        end,
        detail: String::new(),
        opening: Moves::default(),
        negotiation: Vec::new(),
        moves: Moves(Size::FIFTEEN.points().skip(opening).take(5).collect()),
        times: vec![0; 5],
        said: Vec::new(),
        wall: 0,
    }
}

/// A match in which engine 0 has won every game of the given number of openings.
fn won(config: MatchConfig, openings: usize, end: GameEnd) -> MatchRecord {
    let legs = [(Leg::Straight, Winner::Black), (Leg::Reversed, Winner::White)];
    let games = (0..openings).flat_map(|opening| legs.map(|(leg, winner)| game(opening, leg, winner, end)));
    MatchRecord { config, games: games.map(|game| (game.game, game)).collect() }
}

#[test]
fn a_record_is_started_once_and_resumed_with_its_games() {
    let folder = Folder::new();
    let path = folder.0.join("record.jsonl");
    let config = sample::config(Format::Match, 2);
    let mut contest = prepare(&config, &resumed(&path)).unwrap();
    contest.journal.write(&game(0, Leg::Straight, Winner::Black, GameEnd::Row), &config).unwrap();
    drop(contest);
    // A kill can leave part of a line.
    let torn = fs::read_to_string(&path).unwrap() + r#"{"game":"0-1.1a","#;
    fs::write(&path, torn).unwrap();
    let again = Contest::prepare(Format::Match, None, &resumed(&path)).unwrap();
    assert_eq!((again.played().config.clone(), again.played().games.len()), (config.clone(), 1));
    assert_eq!(again.report().missing, Some(3));
    assert!(fs::read_to_string(&path).unwrap().ends_with('\n'));
    drop(again);
    let fresh = MatchFiles { record: Some(path.clone()), ..MatchFiles::default() };
    let refused = format!("{} exists; --resume continues it", path.display());
    assert_eq!(prepare(&config, &fresh).unwrap_err(), refused);
    // A match whose engines did not start leaves a record without games.
    fs::write(&path, "").unwrap();
    for config in [MatchConfig { games: 6, ..config.clone() }, config] {
        prepare(&config, &fresh).unwrap();
        assert_eq!(crate::arena::journal::read(&path).unwrap().config, config);
    }
    for text in ["a letter to my aunt", "a letter\nto my aunt\n"] {
        fs::write(&path, text).unwrap();
        assert_eq!(prepare(&sample::config(Format::Match, 2), &fresh).unwrap_err(), refused);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_record_cut_at_any_byte_resumes_to_the_same_table() {
    let folder = Folder::new();
    let path = folder.0.join("record.jsonl");
    let mut config = sample::config(Format::Match, 2);
    config.engines[0].name = "größe 五".to_owned();
    let played = won(config.clone(), 2, GameEnd::Row);
    let games: Vec<_> = played
        .games
        .values()
        .map(|game| GameRecord { detail: "→ “ñ”".to_owned(), ..rename(game, &config.engines[0].name) })
        .collect();
    let finish = |mut contest: Contest| {
        for game in &games {
            if !contest.played.games.contains_key(&game.game) {
                contest.journal.write(game, &config).unwrap();
                contest.played.games.insert(game.game, game.clone());
            }
        }
        contest.report().to_string()
    };
    let whole = finish(prepare(&config, &resumed(&path)).unwrap());
    let bytes = fs::read(&path).unwrap();
    let heading = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let last = bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap();
    for cut in (0..=heading).chain(last..bytes.len()) {
        fs::write(&path, &bytes[..cut]).unwrap();
        assert_eq!(crate::arena::journal::read(&path).is_ok(), cut > heading, "{cut}");
        assert_eq!(finish(prepare(&config, &resumed(&path)).unwrap()), whole, "{cut}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{cut}");
    }
    // A file with any other first line is not overwritten.
    fs::write(&path, "a letter to my aunt").unwrap();
    assert!(prepare(&config, &resumed(&path)).unwrap_err().contains("no match yet"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "a letter to my aunt");
}

/// The game with engine 0 renamed.
fn rename(game: &GameRecord, name: &str) -> GameRecord {
    let renamed = |old: &String| if old == "0" { name.to_owned() } else { old.clone() };
    GameRecord { black: renamed(&game.black), white: renamed(&game.white), ..game.clone() }
}

#[test]
fn a_table_of_no_games_mentions_no_added_draw() {
    let none = MatchRecord::new(sample::config(Format::Match, 2));
    let report = MatchReport::new(std::slice::from_ref(&none), &[none.config.shard]);
    assert_eq!((report.games, report.notes), (0, Vec::new()));
}

#[test]
fn a_record_of_another_match_is_refused_with_what_differs() {
    let folder = Folder::new();
    let path = folder.0.join("record.jsonl");
    let config = sample::config(Format::Match, 2);
    prepare(&config, &resumed(&path)).unwrap();
    let mut other = MatchConfig { games: 6, transform: true, ..config.clone() };
    other.game.rule = Rule::Caro;
    let error = prepare(&other, &resumed(&path)).unwrap_err();
    assert!(error.ends_with("the record is of another match: games, rule, transform differ"), "{error}");
    let error = Contest::prepare(Format::Gauntlet, None, &resumed(&path)).unwrap_err();
    assert!(matches!(error, ContestError::OtherFormat(_)), "{error}");
    let error = Contest::prepare(Format::Match, None, &resumed(&folder.0.join("none"))).unwrap_err();
    assert!(matches!(error, ContestError::Journal(JournalError::File(..))), "{error}");
    assert!(matches!(Contest::prepare(Format::Match, None, &MatchFiles::default()), Err(ContestError::NoMatch)));
}

#[test]
fn openings_changed_since_the_start_of_the_match_are_refused() {
    let folder = Folder::new();
    let (path, list) = (folder.0.join("record.jsonl"), folder.0.join("openings.txt"));
    fs::write(&list, "h8\ni9\n").unwrap();
    let name = list.to_str().unwrap();
    let (openings, _) = load_openings(name, Rule::Freestyle, Letters::new(Size::FIFTEEN)).unwrap();
    let config = MatchConfig { openings, ..sample::config(Format::Match, 2) };
    prepare(&config, &resumed(&path)).unwrap();
    assert!(Contest::prepare(Format::Match, None, &resumed(&path)).is_ok());
    fs::write(&list, "h8\ni10\n").unwrap();
    let error = Contest::prepare(Format::Match, None, &resumed(&path)).unwrap_err();
    assert!(matches!(error, ContestError::OpeningsChanged(_, changed) if changed == name));
}

#[test]
fn the_sprt_stops_a_match_as_soon_as_it_is_decided() {
    let sprt = "elo0=0 elo1=50".parse().ok();
    let config = MatchConfig { games: 400, sprt, ..sample::config(Format::Match, 2) };
    assert!(!is_decided(&won(config.clone(), 1, GameEnd::Row)));
    assert!(is_decided(&won(config.clone(), 100, GameEnd::Row)));
    // Other shards may hold the pairs before those of this one.
    let shard = "1/2".parse().unwrap();
    assert!(!is_decided(&won(MatchConfig { shard, ..config.clone() }, 100, GameEnd::Row)));
    assert!(!is_decided(&won(MatchConfig { sprt: None, ..config }, 100, GameEnd::Row)));
}

#[test]
fn a_decided_match_is_not_played_on() {
    let folder = Folder::new();
    let path = folder.0.join("record.jsonl");
    // The engines do not exist.
    let config = MatchConfig { games: 400, sprt: "elo0=0 elo1=50".parse().ok(), ..sample::config(Format::Match, 2) };
    let mut contest = prepare(&config, &resumed(&path)).unwrap();
    contest.played = won(config, 100, GameEnd::Row);
    let options = RunOptions { jobs: 1, transcripts: None, supervisor: None, halt: Arc::default() };
    contest.play(&options, |_, _| panic!("a game was played")).unwrap();
}

#[test]
fn pairs_of_other_engines_and_forfeits_repeat_nothing() {
    let config = MatchConfig { games: 40, ..sample::config(Format::Match, 2) };
    let games = |played: &MatchRecord| Results::gather(std::slice::from_ref(played), usize::MAX).games();
    let alike = |mut played: MatchRecord| {
        let Some(moves) = played.games.values().next().map(|game| game.moves.clone()) else { unreachable!() };
        played.games.values_mut().for_each(|game| game.moves = moves.clone());
        played
    };
    assert_eq!(games(&alike(won(config.clone(), 20, GameEnd::Row))), 2);
    assert_eq!(games(&alike(won(config.clone(), 20, GameEnd::Crash))), 40);
    // The second half of the games is of a third engine, which always plays white.
    let mut gauntlet = alike(won(config, 2, GameEnd::Row));
    gauntlet.config = MatchConfig { games: 4, ..sample::config(Format::Gauntlet, 3) };
    for game in gauntlet.games.values_mut() {
        (game.black, game.white) = ("0".to_owned(), if game.game.opening == 0 { "1" } else { "2" }.to_owned());
    }
    assert_eq!(games(&gauntlet), 4);
}

#[test]
fn a_bracket_counts_repeated_pairs_once() {
    let config = MatchConfig { games: 4, ..sample::config(Format::Knockout, 2) };
    let points = |end| {
        let mut played = won(config.clone(), 2, end);
        let Some(moves) = played.games.values().next().map(|game| game.moves.clone()) else { unreachable!() };
        played.games.values_mut().for_each(|game| game.moves = moves.clone());
        knockout::bracket(2, 4, &known_games(&played)).rounds[0][0].points
    };
    assert_eq!((points(GameEnd::Row), points(GameEnd::Crash)), ((4, 0), (8, 0)));
}

#[test]
fn the_same_games_under_two_rules_are_no_repeats() {
    let config = MatchConfig { games: 4, ..sample::config(Format::Match, 2) };
    let played = won(config, 2, GameEnd::Row);
    let mut other = played.clone();
    let games = |other: &MatchRecord| Results::gather(&[played.clone(), other.clone()], usize::MAX).games();
    assert_eq!(games(&other), 4);
    other.config.game.rule = Rule::Caro;
    assert_eq!(games(&other), 8);
}

#[test]
fn games_that_no_engine_opened_do_not_count_for_the_side_that_opened() {
    let plain = won(MatchConfig { games: 4, ..sample::config(Format::Match, 2) }, 2, GameEnd::Row);
    let mut swap2 = plain.clone();
    swap2.config.game.procedure = Procedure::Swap2;
    swap2.config.game.rule = Rule::Caro;
    let report = |matches: &[MatchRecord]| MatchReport::new(matches, &[Shard::WHOLE]);
    let (alone, both) = (report(std::slice::from_ref(&swap2)), report(&[swap2, plain.clone()]));
    assert!(alone.opener_share.is_some());
    assert_eq!((&both.openings, both.opener_share), (&alone.openings, alone.opener_share));
    let without = report(&[plain]);
    assert_eq!((without.openings, without.opener_share), (Vec::new(), None));
}

#[test]
fn games_of_repeated_pairs_do_not_count_for_the_openings() {
    let config = MatchConfig { games: 40, ..sample::config(Format::Match, 2) };
    let mut played = won(config, 20, GameEnd::Row);
    let Some(moves) = played.games.values().next().map(|game| game.moves.clone()) else { unreachable!() };
    played.games.values_mut().for_each(|game| game.moves = moves.clone());
    let rows = rows(&[played], usize::MAX, |_| true);
    assert_eq!(rows.iter().map(|row| (row.games, row.black.games())).collect::<Vec<_>>(), [(2, 2)]);
}

#[test]
fn a_conclusion_names_the_first_condition_that_holds() {
    let sprt = "elo0=0 elo1=50".parse().ok();
    let plain = MatchConfig { games: 400, ..sample::config(Format::Match, 2) };
    let tested = MatchConfig { sprt, ..plain.clone() };
    let conclude = |played: &MatchRecord, is_interrupted, forfeits| {
        let report = MatchReport::new(std::slice::from_ref(played), &[played.config.shard]);
        Conclusion::of(&report, &played.config, is_interrupted, forfeits)
    };
    let crashed = won(plain.clone(), 2, GameEnd::Crash);
    assert_eq!(conclude(&crashed, false, Forfeits::Count), Conclusion::Finished);
    assert_eq!(conclude(&crashed, false, Forfeits::Fail), Conclusion::Forfeits);
    assert_eq!(conclude(&crashed, true, Forfeits::Fail), Conclusion::Interrupted);
    assert_eq!(conclude(&won(plain, 2, GameEnd::Row), false, Forfeits::Fail), Conclusion::Finished);
    assert_eq!(conclude(&won(tested.clone(), 1, GameEnd::Row), false, Forfeits::Count), Conclusion::Undecided);
    assert_eq!(conclude(&won(tested.clone(), 100, GameEnd::Row), false, Forfeits::Count), Conclusion::Finished);
    let shard = MatchConfig { shard: "1/2".parse().unwrap(), ..tested.clone() };
    assert_eq!(conclude(&won(shard, 100, GameEnd::Row), false, Forfeits::Count), Conclusion::Finished);
    let swapped = MatchConfig { engines: tested.engines.iter().rev().cloned().collect(), ..tested };
    assert_eq!(conclude(&won(swapped, 100, GameEnd::Row), false, Forfeits::Count), Conclusion::H0);
}
