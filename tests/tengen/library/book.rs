//! Books against a naive reading of their library, and what each picker makes of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use tengen::board::{Board, Color, Point, Rule, Size, Symmetry};
use tengen::library::book::{Book, BookConfig, BookMove, CompiledBook, MoveKind, Trust, compile};
use tengen::library::{Bound, Cursor, Entry, GameCounts, Library, PositionKey, Proof, ProofOrigin, Record, SearchNote};
use tengen::notation::Letters;
use tengen::picker::{Answer, BookInPlay, BookReason, BookRole, Choice, Limits, PickerName, Question, Reason, Report};
use tengen::rng::Rng;
use tengen::score::Score;
use tengen::weights::{WeightedPosition, Weighting};

use super::memory::MemoryStore;
use super::twin::{after, image, random_board, random_record};

/// Nodes, games and a margin that random libraries reach often, but not always.
const CONFIG: BookConfig = BookConfig { nodes: 2, games: 1, margin: 20.0, trust: Trust::Claims };

/// The records of all positions of a library.
struct Records(BTreeMap<PositionKey, Record>);

impl Records {
    fn of(library: &Library, game: (Rule, Size)) -> Self {
        let mut records = BTreeMap::new();
        let visit = &mut |key, entry: Entry| {
            records.insert(key, entry.record);
            ControlFlow::Continue(())
        };
        library.view().unwrap().scan(game.0, game.1, visit).unwrap();
        Self(records)
    }

    fn record(&self, board: &Board) -> Option<&Record> {
        self.0.get(&Cursor::from_board(board).key())
    }
}

/// The results of positions by proofs alone, by trying every point.
fn proved(records: &Records, board: &Board) -> Option<Proof> {
    let record = records.record(board)?;
    let known = record.settled()?;
    let row = record.derived.filter(|proof| proof.plies == Some(0));
    if let Some(proof) = record.proof.filter(|proof| proof.origin == ProofOrigin::Proved).or(row) {
        return Some(proof);
    }
    let results = legal_moves(board).map(|point| proved(records, &after(board, point)));
    let results: Vec<Option<Proof>> = results.collect();
    let plus = |plies: Option<u16>| plies.map(|plies| plies + 1);
    let derived = |is_win, plies| Proof { is_win, plies, origin: ProofOrigin::Derived };
    let wins = results.iter().flatten().filter(|proof| !proof.is_win);
    if let Some(shortest) = wins.min_by_key(|proof| proof.plies.unwrap_or(u16::MAX)) {
        return Some(derived(true, plus(shortest.plies)));
    }
    let losses: Vec<_> = results.iter().flatten().filter(|proof| proof.is_win).collect();
    let is_lost = !known.is_win && !losses.is_empty() && losses.len() == results.len();
    let longest = || losses.iter().map(|proof| proof.plies).collect::<Option<Vec<_>>>()?.into_iter().max();
    is_lost.then(|| derived(false, plus(longest())))
}

fn legal_moves(board: &Board) -> impl Iterator<Item = Point> {
    let turn = board.turn();
    board.empty_points().iter().filter(move |&point| !board.is_forbidden(point, turn))
}

/// The known positions after a position, with itself, once each.
fn reach(records: &Records, board: &Board, seen: &mut BTreeMap<PositionKey, u64>) {
    let Some(record) = records.record(board) else { return };
    let key = Cursor::from_board(board).key();
    if seen.insert(key, record.search.map_or(0, |search| search.nodes)).is_none() {
        legal_moves(board).for_each(|point| reach(records, &after(board, point), seen));
    }
}

/// The moves of a position by a naive reading, with their points.
fn expected(records: &Records, board: &Board, config: &BookConfig) -> BTreeMap<Point, (MoveKind, Option<Score>)> {
    let mut moves = BTreeMap::new();
    let mut chances = Vec::new();
    for point in legal_moves(board) {
        let child = after(board, point);
        let Some(record) = records.record(&child) else { continue };
        let result = match config.trust {
            Trust::Claims => record.settled(),
            Trust::Proofs => proved(records, &child),
        };
        if let Some(Proof { is_win, plies, .. }) = result {
            let plies = plies.map_or(Score::MOST_PLIES, |plies| u32::from(plies) + 1);
            let (kind, score) = match is_win {
                true => (MoveKind::Loses, Score::loss_at(plies)),
                false => (MoveKind::Wins, Score::win_at(plies)),
            };
            moves.insert(point, (kind, Some(score)));
            continue;
        }
        let score = record.undecided_score().map(|score| -score);
        let mut seen = BTreeMap::new();
        reach(records, &child, &mut seen);
        let is_searched = score.is_some() && seen.values().sum::<u64>() >= config.nodes;
        let has_games = record.games.total() >= config.games;
        let chance = match score {
            Some(score) if is_searched || !has_games => Some(score.win_chance()),
            _ if has_games => record.games.share(board.turn()),
            _ => None,
        };
        moves.insert(point, (MoveKind::Hint, score));
        chances.extend(chance.map(|chance| (point, chance, is_searched || has_games)));
    }
    let best = chances.iter().map(|&(_, chance, _)| chance).fold(0.0, f32::max);
    for (point, chance, is_known_well) in chances {
        if is_known_well && chance >= best - config.margin / 100.0 {
            moves.get_mut(&point).unwrap().0 = MoveKind::Playable;
        }
    }
    moves
}

fn in_memory() -> Library {
    Library::in_store(Box::new(MemoryStore::default())).unwrap()
}

fn compiled(library: &Library, game: (Rule, Size), config: &BookConfig) -> CompiledBook {
    compile(&library.view().unwrap(), game, config).unwrap()
}

/// A library of random positions, and their boards. Most positions continue another one, so that many moves are known.
fn random_library(rng: &mut Rng, rule: Rule) -> (Library, Vec<Board>) {
    let library = in_memory();
    let mut edit = library.edit().unwrap();
    let mut boards: Vec<Board> = Vec::new();
    for _ in 0..60 {
        let mut board = random_board(rng, rule);
        if rng.below(4) > 0 && !boards.is_empty() {
            board = boards[rng.below(boards.len())].clone();
            let point = board.size().points().nth(rng.below(board.size().area())).unwrap();
            if board.is_empty(point) {
                board.play(point);
            }
        }
        let board = image(&board, Symmetry::all().nth(rng.below(8)).unwrap());
        edit.merge(&Cursor::from_board(&board), random_record(rng, &board), false).unwrap();
        boards.push(board);
    }
    edit.commit().unwrap();
    (library, boards)
}

#[test]
fn a_book_says_what_a_naive_reading_says_in_every_orientation() {
    let mut rng = Rng::new(1);
    let (mut kinds, mut differing) = (BTreeMap::new(), 0);
    for seed in 0..12 {
        let rule = Rule::ALL[seed % Rule::ALL.len()];
        let (library, boards) = random_library(&mut rng, rule);
        for size in [5, 6].map(|side| Size::new(side).unwrap()) {
            let records = Records::of(&library, (rule, size));
            let read = |config: &BookConfig| {
                let bytes = compiled(&library, (rule, size), config).book.to_bytes();
                Book::from_bytes(&bytes).unwrap()
            };
            let proofs = BookConfig { trust: Trust::Proofs, ..CONFIG };
            let books = [CONFIG, proofs].map(|config| (config, read(&config)));
            differing += usize::from(books[0].1 != books[1].1);
            for (config, book) in books {
                for board in boards.iter().filter(|board| board.size() == size) {
                    for symmetry in Symmetry::all() {
                        compare(&book, &records, &image(board, symmetry), &config);
                    }
                    let moves = expected(&records, board, &config);
                    moves.values().for_each(|(kind, _)| *kinds.entry(*kind).or_insert(0) += 1);
                }
            }
        }
    }
    assert!(kinds.len() == 4 && kinds.values().all(|&count| count > 50) && differing > 10, "{kinds:?} {differing}");
}

fn compare(book: &Book, records: &Records, board: &Board, config: &BookConfig) {
    let moves = book.look_up(board);
    assert!(moves.is_sorted_by_key(|known| known.kind), "{moves:?}");
    let decided = |kind| moves.iter().filter(move |known| known.kind == kind).map(|known| known.score.unwrap());
    for kind in [MoveKind::Wins, MoveKind::Loses] {
        assert!(decided(kind).is_sorted_by(|one, next| one >= next), "{moves:?}");
    }
    let points = |known: &BookMove| known.points.iter().map(|&point| (point, (known.kind, known.score))).collect();
    let listed: Vec<Vec<_>> = moves.iter().map(points).collect();
    assert_eq!(listed.into_iter().flatten().collect::<BTreeMap<_, _>>(), expected(records, board, config), "{board}");
}

/// The board after moves such as `h8i9`.
fn board(rule: Rule, moves: &str) -> Board {
    let mut board = Board::new(Size::FIFTEEN, rule);
    Letters::new(Size::FIFTEEN).parse_moves(moves).unwrap().into_iter().for_each(|point| board.play(point));
    board
}

/// A record that says that the side to move wins, or loses, in this number of plies.
pub(crate) fn result(is_win: bool, plies: u16) -> Record {
    let proof = Proof { is_win, plies: Some(plies), origin: ProofOrigin::Claimed };
    Record { proof: Some(proof), ..Record::default() }
}

/// A record of a search with many nodes.
pub(crate) fn searched(score: i32) -> Record {
    let note = SearchNote { score, depth: 20, bound: Bound::Exact, nodes: 100_000_000, engine: None };
    Record { search: Some(note), ..Record::default() }
}

/// A book of positions, which their moves name, and of those on the way.
pub(crate) fn book(rule: Rule, positions: &[(&str, Record)]) -> Book {
    let library = in_memory();
    let mut edit = library.edit().unwrap();
    for (moves, record) in positions {
        let mut cursor = Cursor::new(rule, Size::FIFTEEN);
        for point in Letters::new(Size::FIFTEEN).parse_moves(moves).unwrap() {
            edit.merge(&cursor, Record::default(), false).unwrap();
            cursor.play(Some(point));
        }
        edit.merge(&cursor, record.clone(), false).unwrap();
    }
    edit.commit().unwrap();
    compiled(&library, (rule, Size::FIFTEEN), &BookConfig::default()).book
}

/// Writes such a book to a file.
pub(crate) fn write_book(path: &Path, rule: Rule, positions: &[(&str, Record)]) {
    std::fs::write(path, book(rule, positions).to_bytes()).unwrap();
}

/// A book beside a picker, and limits of work.
fn limits(book: &Arc<Book>, game: u64) -> Limits {
    let book = Some(BookInPlay { book: Arc::clone(book), seed: 1, game, role: BookRole::Answers });
    Limits { nodes: Some(300), book, ..Limits::default() }
}

fn ask(name: PickerName, board: &Board, limits: &Limits) -> (Choice, Vec<Report>) {
    let mut position = WeightedPosition::new(board.clone(), Weighting::default());
    let mut reports = Vec::new();
    let answer = name.build().answer(Question::MOVE, &mut position, limits, &mut |report| reports.push(report));
    (answer.as_ref().and_then(Answer::choice).unwrap(), reports)
}

fn name(point: Point) -> String {
    Letters::new(Size::FIFTEEN).point(point).to_string()
}

#[test]
fn the_shortest_win_is_played_at_once() {
    let book = book(
        Rule::Renju,
        &[
            ("h8h9g7g6", result(false, 8)),
            ("h8h9g7a1", result(false, 4)),
            ("h8h9g7b1", searched(-900)),
            ("h8h9g7c1", result(true, 4)),
        ],
    );
    let (book, board) = (Arc::new(book), board(Rule::Renju, "h8h9g7"));
    for picker in PickerName::ALL {
        let (choice, reports) = ask(picker, &board, &limits(&book, 0));
        let reason = BookReason { score: Some(Score::win_at(5)), moves: 1 };
        assert_eq!((name(choice.point).as_str(), choice.reason), ("a1", Reason::Book(reason)), "{picker}");
        assert_eq!(reports, [Report::Book { point: choice.point, reason }], "{picker}");
        let mut other = limits(&book, 0);
        other.left_out.insert(choice.point);
        assert_eq!(name(ask(picker, &board, &other).0.point), "g6", "{picker}: a1 is left out");
        let analysis = Limits { book: other.book.map(|book| BookInPlay { role: BookRole::Orders, ..book }), ..other };
        assert!(!matches!(ask(picker, &board, &analysis).0.reason, Reason::Book(_)), "{picker}");
    }
}

#[test]
fn a_point_that_is_forbidden_to_black_is_never_played() {
    // A stone on h8 makes a double three.
    let moves = "g8a1i8a3h7a5h9a7";
    let after = format!("{moves}h8");
    let book = Arc::new(book(Rule::Renju, &[(&after, result(false, 4)), (&format!("{moves}o1"), searched(0))]));
    let board = board(Rule::Renju, moves);
    let point = Letters::new(Size::FIFTEEN).parse("h8").unwrap();
    assert!(board.is_forbidden(point, Color::Black));
    for picker in PickerName::ALL {
        assert_eq!(name(ask(picker, &board, &limits(&book, 0)).0.point), "o1", "{picker}");
    }
}

#[test]
fn a_tree_without_the_moves_that_a_book_avoids_is_not_kept() {
    let board = board(Rule::Freestyle, "h8i9");
    let plain = Limits { nodes: Some(300), ..Limits::default() };
    let (usual, reports) = ask(PickerName::Mcts, &board, &plain);
    let lost = format!("h8i9{}", name(usual.point));
    let book = Arc::new(book(Rule::Freestyle, &[(&lost, result(true, 9))]));
    let mut picker = PickerName::Mcts.build();
    let mut position = WeightedPosition::new(board, Weighting::default());
    picker.answer(Question::MOVE, &mut position, &limits(&book, 0), &mut |_| {});
    let mut again = Vec::new();
    let answer = picker.answer(Question::MOVE, &mut position, &plain, &mut |report| again.push(report));
    assert_eq!(answer.as_ref().and_then(Answer::choice).unwrap(), usual);
    assert_eq!(again.len(), reports.len(), "the tree was cleared");
}

#[test]
fn moves_that_lose_are_avoided_until_all_do() {
    let moves = "h8i9";
    for picker in PickerName::ALL {
        let board = board(Rule::Freestyle, moves);
        let mut lost: Vec<(String, Record)> = Vec::new();
        for round in 0..6 {
            let positions: Vec<_> = lost.iter().map(|(moves, record)| (moves.as_str(), record.clone())).collect();
            let limits = limits(&Arc::new(book(Rule::Freestyle, &positions)), 0);
            let point = ask(picker, &board, &limits).0.point;
            let after = format!("{moves}{}", name(point));
            assert!(lost.iter().all(|(moves, _)| *moves != after), "{picker}, round {round}: {after} again");
            lost.push((after, result(true, 9)));
        }
        let all: Vec<_> = legal_moves(&board).map(|point| format!("{moves}{}", name(point))).collect();
        let all: Vec<_> = all.iter().map(|moves| (moves.as_str(), result(true, 9))).collect();
        let choice = ask(picker, &board, &limits(&Arc::new(book(Rule::Freestyle, &all)), 0)).0;
        assert!(!matches!(choice.reason, Reason::Book(_)), "{picker}");
    }
}

#[test]
fn a_block_that_loses_is_played_rather_than_a_move_that_loses_at_once() {
    // White has four in a row with one end open.
    let moves = "i8h8a1h7a3h6a5h5";
    let board = board(Rule::Freestyle, moves);
    let after = format!("{moves}h9");
    let lost = [(after.as_str(), result(true, 9)), ("i8h8a1h7a3h6a5h5h4", result(true, 9))];
    let book = Arc::new(book(Rule::Freestyle, &lost));
    for picker in [PickerName::Search, PickerName::Mcts] {
        let point = name(ask(picker, &board, &limits(&book, 0)).0.point);
        assert!(["h9", "h4"].contains(&point.as_str()), "{picker}: {point}");
    }
}

#[test]
fn near_equal_moves_are_drawn_equally_often_and_again_in_the_same_game() {
    let book = book(
        Rule::Standard,
        &[
            ("h8h9g7", searched(-20)),
            ("h8h9g6", searched(-18)),
            ("h8h9f6", searched(-17)),
            // A chance that is 2.5 per cent less.
            ("h8h9f5", searched(0)),
            (
                "h8h9e5",
                Record { search: Some(SearchNote { nodes: 5, ..searched(-19).search.unwrap() }), ..Record::default() },
            ),
        ],
    );
    let (book, board) = (Arc::new(book), board(Rule::Standard, "h8h9"));
    let mut counts = BTreeMap::new();
    for game in 0..600 {
        let draw = |picker| ask(picker, &board, &limits(&book, game)).0;
        let choice = draw(PickerName::Greedy);
        assert_eq!(draw(PickerName::Greedy), choice);
        let Reason::Book(BookReason { score: Some(_), moves: 3 }) = choice.reason else { panic!("{choice:?}") };
        *counts.entry(name(choice.point)).or_insert(0_u32) += 1;
    }
    // Each move has an image in the axis of the two stones: 100 draws each, give or take four standard deviations.
    assert_eq!(counts.len(), 6, "{counts:?}");
    assert!(counts.values().all(|count| (64..=136).contains(count)), "{counts:?}");
    for picker in [PickerName::Search, PickerName::Mcts] {
        assert_eq!(ask(picker, &board, &limits(&book, 7)).0, ask(PickerName::Greedy, &board, &limits(&book, 7)).0);
    }
}

#[test]
fn games_speak_for_moves_without_a_score_and_a_better_score_asks_for_a_search() {
    let games = |black, white| Record { games: GameCounts { black, drawn: 0, white }, ..Record::default() };
    let known = [("h8h9h7", games(40, 20)), ("h8h9h6", games(10, 45)), ("h8h9h5", games(5, 0))];
    let board = board(Rule::Renju, "h8h9");
    let played = Arc::new(book(Rule::Renju, &known));
    let choice = ask(PickerName::Search, &board, &limits(&played, 0)).0;
    assert_eq!(choice.reason, Reason::Book(BookReason { score: None, moves: 1 }));
    assert_eq!(name(choice.point), "h7");
    // A chance of 99 % after a search of few nodes.
    let mut better = searched(-900);
    better.search.as_mut().unwrap().nodes = 100;
    let unclear = Arc::new(book(Rule::Renju, &[&known[..], &[("h8h9h4", better)]].concat()));
    assert!(!matches!(ask(PickerName::Search, &board, &limits(&unclear, 0)).0.reason, Reason::Book(_)));
}

#[test]
fn nodes_of_a_position_that_is_reached_in_two_ways_count_once() {
    let with_nodes = |nodes| {
        let note = SearchNote { nodes, ..searched(-10).search.unwrap() };
        Record { search: Some(note), ..Record::default() }
    };
    // Both orders of white's moves lead to the same position.
    let kind = |nodes| {
        let [one, other] = [with_nodes(nodes), Record::default()];
        let known = [("h8h9g7", with_nodes(10)), ("h8h9g7a1b1c1", one), ("h8h9g7c1b1a1", other)];
        let book = book(Rule::Renju, &known);
        book.look_up(&board(Rule::Renju, "h8h9")).first().unwrap().kind
    };
    assert_eq!((kind(12_000_000), kind(20_000_000)), (MoveKind::Hint, MoveKind::Playable));
}

#[test]
fn a_book_is_silent_on_other_boards() {
    let book = book(Rule::Renju, &[("h8h9h7", result(false, 4))]);
    let known = board(Rule::Renju, "h8h9");
    assert_eq!(book.look_up(&known).len(), 1);
    assert!(book.look_up(&board(Rule::Freestyle, "h8h9")).is_empty());
    assert!(book.look_up(&board(Rule::Renju, "h8h9h10")).is_empty());
    let mut walled = known;
    walled.wall(Size::FIFTEEN.point(0, 0).unwrap());
    assert!(book.look_up(&walled).is_empty(), "walls");
}
