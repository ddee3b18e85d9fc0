//! Times of a stone, a decision, a forbidden-point test, a new session, and look-ups in a library and a book on the flat
//! board, and of a stone in the cube. `cargo bench` runs all groups, `cargo bench -- decision` one of them. Every time is
//! per operation.
#![allow(missing_docs, reason = "criterion's macro makes a public function without a word")]

use std::hint::black_box;
use std::io::{self, Cursor, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use criterion::{Bencher, BenchmarkId, Criterion, criterion_group, criterion_main};
use tengen::board::{Board, Color, Point, Rule, Size};
use tengen::cube::{self, Gravity};
use tengen::eval::Classical;
use tengen::library::book::{Book, BookConfig, compile};
use tengen::library::{self, Library, import_game};
use tengen::notation::{GameMoves, Letters};
use tengen::picker::{Limits, PickerName};
use tengen::position::{Accumulator, Position};
use tengen::protocol::{self, Settings, Setup};
use tengen::rng::Rng;
use tengen::weights::{WeightAccumulator, WeightedPosition, Weighting};

#[path = "../tests/tengen/library/games.rs"]
#[allow(dead_code, reason = "tests use all of it")]
mod games;
#[path = "../tests/tengen/naive.rs"]
mod naive;

use games::random_game;

/// A game that the weighting `shapes` played against itself on 15 × 15. On a larger board it is played in the middle.
const GAME: &str = "h7 i8 h8 i7 h9 h6 h10 h11 i9 j8 k9 j9 g5 j10 j11 j7 j6 i10 k8 g12 f13 k10 l11 l10 m10 i5 i6 g7 f8 j4 \
    k3 g9 g8 f9 e8 d8 j5 k4 d9 i4 h4 l4 m4 i3 i2 l6 k5 l5 l7 l3 l2 k6 f7 g6 e6 d5 c10 b11 e9 e7 e12 d11 \
    e10 e11 c11 d10 c9 c8 c12 c13 b9 a9 d12 b12 g11 f12 g13 e13 j13 k12 i13 h13 h12 f10";

/// The measured stages of the game, as ranges of moves.
const STAGES: [(&str, Range<usize>); 2] = [("opening", 4..24), ("middle game", 60..80)];

const SIZES: [Size; 2] = [Size::FIFTEEN, Size::TWENTY];

/// Random games in the book, of this number of plies: some 50,000 positions.
const BOOK_GAMES: usize = 2_000;
const BOOK_PLIES: usize = 30;

/// Number of stones of a random cube game that are played and undone.
const CUBE_STONES: usize = 20;

fn game(size: Size) -> Vec<Point> {
    let shift = (size.side() - Size::FIFTEEN.side()) / 2;
    let moved = |point: &Point| size.point(point.x() + shift, point.y() + shift).unwrap();
    GameMoves::from_letters(GAME, Letters::new(Size::FIFTEEN)).unwrap().moves.iter().map(moved).collect()
}

/// The position after the first moves of the game.
fn position<A: Accumulator>(size: Size, config: A::Config, moves: usize) -> Position<A> {
    let record = GameMoves { size, moves: game(size)[..moves].to_vec() };
    Position::new(record.board(Rule::Freestyle, None).unwrap(), config)
}

/// Measures rounds of this many units each. Only `timed` runs on the clock, `reset` does not.
fn rounds<T>(bencher: &mut Bencher, units: usize, state: &mut T, timed: impl Fn(&mut T), reset: impl Fn(&mut T)) {
    bencher.iter_custom(|iterations| {
        let rounds = iterations.div_ceil(units as u64);
        let mut time = Duration::ZERO;
        for _ in 0..rounds {
            let start = Instant::now();
            timed(state);
            time += start.elapsed();
            reset(state);
        }
        time.mul_f64(iterations as f64 / (rounds * units as u64) as f64)
    });
}

/// One stone played and undone: with windows alone, with the greedy picker's weights, with a solver's threat sets, and
/// with a search's evaluation.
fn stone(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stone");
    for size in SIZES {
        for (stage, moves) in STAGES {
            let stones = &game(size)[moves.clone()];
            let name = |carried: &str| BenchmarkId::new(format!("{carried}, {stage}"), size);
            group.bench_function(name("windows"), |bencher| {
                there_and_back::<()>(bencher, size, (), moves.start, stones);
            });
            group.bench_function(name("shapes"), |bencher| {
                there_and_back::<WeightAccumulator>(bencher, size, Weighting::Shapes, moves.start, stones);
            });
            group.bench_function(name("evaluation"), |bencher| {
                there_and_back::<Classical>(bencher, size, (), moves.start, stones);
            });
            group.bench_function(name("threat sets"), |bencher| {
                let mut position = position::<Classical>(size, (), moves.start);
                let solve = |position: &mut Position<Classical>| {
                    position.solve(|threats| {
                        stones.iter().for_each(|&point| threats.play(black_box(point)));
                        stones.iter().for_each(|_| assert!(threats.undo().is_some()));
                    });
                };
                rounds(bencher, stones.len(), &mut position, solve, |_| {});
            });
        }
    }
    group.finish();
}

fn there_and_back<A: Accumulator>(
    bencher: &mut Bencher,
    size: Size,
    config: A::Config,
    before: usize,
    stones: &[Point],
) {
    let there_and_back = |position: &mut Position<A>| {
        for &point in stones {
            position.play(black_box(point));
            // A lazy accumulator is updated when it is read.
            black_box(position.follow());
        }
        stones.iter().for_each(|_| assert!(position.undo().is_some()));
    };
    rounds(bencher, stones.len(), &mut position::<A>(size, config, before), there_and_back, |_| {});
}

/// One decision as in a game: play the opponent's stone, pick the best point, play our stone. Undoing the stones for
/// the next round is not timed.
fn decision(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decision");
    for size in SIZES {
        let game = game(size);
        for (stage, moves) in STAGES {
            for &weighting in Weighting::ALL {
                let mut position = position::<WeightAccumulator>(size, weighting, moves.start);
                let stones = &game[moves.clone()];
                group.bench_function(BenchmarkId::new(format!("{weighting}, {stage}"), size), |bencher| {
                    let decide = |position: &mut WeightedPosition| {
                        let mut picker = PickerName::Greedy.build();
                        let limits = Limits::default();
                        for pair in stones.chunks_exact(2) {
                            position.play(pair[0]);
                            black_box(picker.pick(position, &limits));
                            position.play(pair[1]);
                        }
                    };
                    let reset = |position: &mut WeightedPosition| {
                        stones.iter().for_each(|_| assert!(position.undo().is_some()));
                    };
                    rounds(bencher, stones.len() / 2, &mut position, decide, reset);
                });
            }
        }
    }
    group.finish();
}

/// The same decision by the naive twin: every weight of every empty point from scratch, then the maximum.
fn rescan(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rescan");
    group.sample_size(10);
    for size in SIZES {
        for (stage, moves) in STAGES {
            for &weighting in Weighting::ALL {
                let grid = naive::Grid::of(position::<()>(size, (), moves.start + 1).board());
                group.bench_function(BenchmarkId::new(format!("{weighting}, {stage}"), size), |bencher| {
                    bencher.iter(|| naive::greatest(weighting, black_box(&grid), 'O'));
                });
            }
        }
    }
    group.finish();
}

/// The table of a weighting, which the first position with that weighting fills.
fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tables");
    for weighting in Weighting::ALL {
        group.bench_function(weighting.name(), |bencher| bencher.iter(|| weighting.fill_table()));
    }
    group.finish();
}

/// Tests whether a point is forbidden to black: on the board alone, and in a position, whose patterns answer for most
/// points.
fn forbidden(criterion: &mut Criterion) {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/forbidden.jsonl")).unwrap();
    let mut positions: Vec<_> = text.lines().step_by(20).map(forbidden_position).collect();
    let points = positions.iter().map(|position| position.board().empty_points().len()).sum();
    let mut group = criterion.benchmark_group("forbidden");
    group.bench_function("on the board", |bencher| {
        let all = |positions: &mut Vec<Position<()>>| {
            for board in positions.iter().map(Position::board) {
                board.empty_points().iter().for_each(|point| _ = black_box(board.is_forbidden(point, Color::Black)));
            }
        };
        rounds(bencher, points, &mut positions, all, |_| {});
    });
    group.bench_function("in a position", |bencher| {
        let all = |positions: &mut Vec<Position<()>>| {
            for position in positions.iter() {
                let empty = position.board().empty_points();
                empty.iter().for_each(|point| _ = black_box(position.is_forbidden(point, Color::Black)));
            }
        };
        rounds(bencher, points, &mut positions, all, |_| {});
    });
    group.finish();
}

/// A position from the labelled forbidden points.
fn forbidden_position(line: &str) -> Position<()> {
    let record: serde_json::Value = serde_json::from_str(line).unwrap();
    let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
    for color in Color::ALL {
        for point in record[color.to_string()].as_array().unwrap() {
            board.place(Letters::new(board.size()).parse(point.as_str().unwrap()).unwrap(), color);
        }
    }
    Position::new(board, ())
}

/// A look-up in a book: of a known position, with its moves in the orientation of the board, and of an unknown one.
fn book(criterion: &mut Criterion) {
    let mut rng = Rng::new(6);
    let games: Vec<Vec<Point>> = (0..BOOK_GAMES).map(|_| random_game(&mut rng, BOOK_PLIES)).collect();
    let book = book_of(&games);
    let board = |moves: &[Point]| {
        let record = GameMoves { size: Size::FIFTEEN, moves: moves.to_vec() };
        record.board(Rule::Freestyle, None).unwrap()
    };
    let known: Vec<_> = games.iter().take(100).map(|moves| board(&moves[..1 + rng.below(BOOK_PLIES - 1)])).collect();
    let other: Vec<_> = (0..100).map(|_| board(&random_game(&mut rng, BOOK_PLIES)[..BOOK_PLIES / 2])).collect();
    assert!(known.iter().all(|board| !book.look_up(board).is_empty()));
    let mut group = criterion.benchmark_group("book");
    for (name, mut boards) in [("a known position", known), ("an unknown position", other)] {
        group.bench_function(name, |bencher| {
            let look_up = |boards: &mut Vec<Board>| boards.iter().for_each(|board| _ = black_box(book.look_up(board)));
            rounds(bencher, boards.len(), &mut boards, look_up, |_| {});
        });
    }
    group.finish();
}

/// The book of some games.
fn book_of(games: &[Vec<Point>]) -> Book {
    let file = LibraryFile::of(games);
    compile(&file.library.view().unwrap(), LIBRARY_GAME, &BookConfig::default()).unwrap().book
}

/// The rule and size of the libraries.
const LIBRARY_GAME: (Rule, Size) = (Rule::Freestyle, Size::FIFTEEN);

/// A library of drawn games in a file, which is removed with the value.
struct LibraryFile {
    library: Library,
    path: PathBuf,
}

impl LibraryFile {
    fn of(games: &[Vec<Point>]) -> Self {
        let path = std::env::temp_dir().join(format!("tengen-speed-{}.library", std::process::id()));
        let library = Library::create(&path).unwrap();
        let mut edit = library.edit().unwrap();
        for game in games {
            let moves: Vec<_> = game.iter().copied().map(Some).collect();
            import_game(&mut edit, LIBRARY_GAME, &moves, Some(None), moves.len(), None).unwrap();
        }
        edit.commit().unwrap();
        Self { library, path }
    }
}

impl Drop for LibraryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// From START to OK: a new session with its reader thread, in this process.
fn start(criterion: &mut Criterion) {
    criterion.bench_function("start/20", |bencher| {
        bencher.iter_custom(|iterations| {
            let session = |_| {
                let started = Instant::now();
                let mut answered = FirstWrite(None);
                let setup = Setup::new(Settings::default(), started);
                protocol::run(Cursor::new("START 20\n"), &mut answered, setup).unwrap();
                answered.0.unwrap() - started
            };
            (0..iterations).map(session).sum()
        });
    });
}

/// Records the time of the first write.
struct FirstWrite(Option<Instant>);

impl Write for FirstWrite {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert_eq!(bytes, b"OK\n");
        self.0.get_or_insert_with(Instant::now);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stone in the cube, played and undone: on the board alone, and with the weights. The games are random.
fn cube(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cube");
    for gravity in [Gravity::On, Gravity::Off] {
        let (mut rng, mut board) = (Rng::new(4), cube::Board::new(gravity));
        while board.moves().len() < CUBE_STONES && board.outcome().is_none() {
            let cells: Vec<_> = board.position().playable().collect();
            board.play(cells[rng.below(cells.len())]);
        }
        let cells = board.moves().to_vec();
        let mut state = (cube::Board::new(gravity), cube::Weights::new(cube::Board::new(gravity).position()));
        group.bench_function(BenchmarkId::new("board", gravity), |bencher| {
            let there_and_back = |(board, _): &mut (cube::Board, cube::Weights)| {
                cells.iter().for_each(|&cell| board.play(black_box(cell)));
                cells.iter().for_each(|_| assert!(board.undo().is_some()));
            };
            rounds(bencher, cells.len(), &mut state, there_and_back, |_| {});
        });
        group.bench_function(BenchmarkId::new("weights", gravity), |bencher| {
            let there_and_back = |(_, weights): &mut (cube::Board, cube::Weights)| {
                let colors = Color::ALL.into_iter().cycle();
                std::iter::zip(&cells, colors.clone()).for_each(|(&cell, color)| weights.add(black_box(cell), color));
                std::iter::zip(&cells, colors).for_each(|(&cell, color)| weights.remove(black_box(cell), color));
            };
            rounds(bencher, cells.len(), &mut state, there_and_back, |_| {});
        });
    }
    group.finish();
}

/// All known moves of a position of a library of games.
fn library(criterion: &mut Criterion) {
    let mut rng = Rng::new(1);
    let games: Vec<_> = (0..2_000).map(|_| random_game(&mut rng, 30)).collect();
    let file = LibraryFile::of(&games);
    let view = file.library.view().unwrap();
    let cursors = games.iter().map(|moves| {
        let mut cursor = library::Cursor::new(LIBRARY_GAME.0, LIBRARY_GAME.1);
        moves.iter().take(1 + rng.below(12)).for_each(|&played| cursor.play(Some(played)));
        cursor
    });
    let mut cursors = cursors.collect::<Vec<_>>().into_iter().cycle();
    let mut group = criterion.benchmark_group("library");
    group.bench_function("moves of a position", |bencher| {
        bencher.iter(|| view.known(&cursors.next().unwrap()).unwrap());
    });
    group.finish();
}

criterion_group!(benches, stone, decision, rescan, tables, forbidden, library, book, start, cube);
criterion_main!(benches);
