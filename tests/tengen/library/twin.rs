//! A library against a naive one under random play: a list of boards, compared stone by stone in all eight images, with
//! moves and results found by trying every point.

use std::cmp::Reverse;

use tengen::board::{Board, Color, Point, Rule, Size, Symmetry};
use tengen::library::{Bound, Cursor, GameCounts, Library, Mark, Proof, ProofOrigin, Record, SearchNote, Undo};
use tengen::rng::Rng;
use tengen::score::Score;

use super::memory::MemoryStore;
use crate::tune::Folder;

/// A position and what is known of it, in the orientation in which it was first seen.
#[derive(Clone)]
struct NaiveEntry {
    board: Board,
    record: Record,
}

#[derive(Clone, Default)]
struct NaiveLibrary(Vec<NaiveEntry>);

pub(super) fn image(board: &Board, symmetry: Symmetry) -> Board {
    let mut image = Board::new(board.size(), board.rule());
    for color in Color::ALL {
        board.stones(color).iter().for_each(|point| image.place(symmetry.apply(point, board.size()), color));
    }
    image.set_turn(board.turn());
    image
}

/// The symmetries that map one board to the other.
fn symmetries(from: &Board, to: &Board) -> Vec<Symmetry> {
    if from.stone_count() != to.stone_count() || from.size() != to.size() {
        return Vec::new();
    }
    Symmetry::all().filter(|&symmetry| image(from, symmetry) == *to).collect()
}

impl NaiveLibrary {
    fn find(&self, board: &Board) -> Option<(&NaiveEntry, Vec<Symmetry>)> {
        self.0.iter().find_map(|entry| {
            let found = symmetries(&entry.board, board);
            (!found.is_empty()).then_some((entry, found))
        })
    }

    fn merge(&mut self, board: &Board, mut record: Record) {
        let found = self.0.iter().position(|entry| !symmetries(&entry.board, board).is_empty());
        let place = found.unwrap_or_else(|| {
            self.0.push(NaiveEntry { board: board.clone(), record: Record::default() });
            self.0.len() - 1
        });
        let own = &mut self.0[place];
        // A mark stands for all images of its point: here the least of them.
        let back = symmetries(board, &own.board);
        for mark in &mut record.marks {
            mark.point = back.iter().map(|symmetry| symmetry.apply(mark.point, board.size())).min().unwrap();
        }
        own.record.merge(record, false);
    }

    fn remove(&mut self, board: &Board) -> bool {
        let before = self.0.len();
        self.0.retain(|entry| symmetries(&entry.board, board).is_empty());
        self.0.len() < before
    }

    /// The marks of an entry on a board, on every image of their points.
    fn marks(entry: &NaiveEntry, found: &[Symmetry], size: Size) -> Vec<Mark> {
        let images = |mark: &Mark| {
            let points = found.iter().map(|symmetry| symmetry.apply(mark.point, size));
            let text = mark.text.clone();
            points.map(|point| Mark { point, text: text.clone() }).collect::<Vec<_>>()
        };
        let mut marks: Vec<_> = entry.record.marks.iter().flat_map(images).collect();
        marks.sort();
        marks.dedup();
        marks
    }

    /// The result and score of a position, by trying every point.
    fn follow(&self, board: &Board) -> (Option<Proof>, Option<i32>) {
        // What follows from a claim is a claim.
        let follows = |proof: Proof| Proof {
            is_win: !proof.is_win,
            plies: proof.plies.map(|plies| plies + 1),
            origin: proof.origin.min(ProofOrigin::Derived),
        };
        let size = board.size();
        let mover = !board.turn();
        if board.stones(mover).iter().any(|point| board.wins(point, mover)) {
            return (Some(Proof { is_win: false, plies: Some(0), origin: ProofOrigin::Derived }), None);
        }
        let (mut wins, mut losses, mut scores, mut searched, mut legal) = (vec![], vec![], vec![], vec![], 0);
        for point in size.points().filter(|&point| board.is_empty(point)) {
            let is_five = board.wins(point, board.turn());
            if !is_five && board.is_forbidden(point, board.turn()) {
                continue;
            }
            legal += 1;
            let Some(record) = self.record(&after(board, point)) else { continue };
            match record.settled() {
                Some(proof) if proof.is_win => losses.push(follows(proof)),
                Some(proof) => wins.push(follows(proof)),
                None => {
                    scores.extend(record.score().map(|score| Score::from_eval(-score.value()).value()));
                    searched.extend(record.search.map(|search| -search.score));
                }
            }
        }
        if let Some(best) = wins.into_iter().max_by_key(|win| (win.origin, Reverse(win.plies.unwrap_or(u16::MAX)))) {
            return (Some(best), None);
        }
        if !losses.is_empty() && losses.len() == legal {
            let plies = losses.iter().map(|loss| loss.plies).collect::<Option<Vec<_>>>();
            let plies = plies.and_then(|plies| plies.into_iter().max());
            let origin = losses.iter().map(|loss| loss.origin).min().unwrap();
            return (Some(Proof { is_win: false, plies, origin }), None);
        }
        if losses.len() + scores.len() > 0 {
            let own = self.find(board).and_then(|(entry, _)| entry.record.search);
            let own = own.filter(|own| own.bound != Bound::Upper && losses.len() + scores.len() < legal);
            scores.extend(own.map(|own| searched.into_iter().fold(own.score, i32::min) - Score::EVEN));
        }
        (None, scores.into_iter().max())
    }

    /// The record of a position with what follows from the known moves.
    fn record(&self, board: &Board) -> Option<Record> {
        let (entry, _) = self.find(board)?;
        let (derived, backed_up) = self.follow(board);
        Some(Record { derived, backed_up, ..entry.record.clone() })
    }
}

pub(super) fn after(board: &Board, point: Point) -> Board {
    let mut after = board.clone();
    after.play(point);
    after
}

/// A random board of few stones near a corner and the centre, so that many positions are images or meet again.
pub(super) fn random_board(rng: &mut Rng, rule: Rule) -> Board {
    let size = Size::new(5 + rng.below(2) as u8).unwrap();
    let mut board = Board::new(size, rule);
    for _ in 0..rng.below(12) {
        let side = usize::from(size.side());
        let near = if rng.below(3) == 0 { side } else { 3 };
        let point = size.point(rng.below(near) as u8, rng.below(near) as u8).unwrap();
        if board.is_empty(point) {
            board.play(point);
        }
    }
    board
}

pub(super) fn random_record(rng: &mut Rng, board: &Board) -> Record {
    let point = board.size().points().nth(rng.below(board.size().area())).unwrap();
    let mut record = Record::default();
    match rng.below(6) {
        0 => {
            let plies = (rng.below(2) == 0).then(|| rng.below(9) as u16);
            let origin = [ProofOrigin::Claimed, ProofOrigin::Proved][rng.below(2)];
            record.proof = Some(Proof { is_win: rng.below(2) == 0, plies, origin });
        }
        1 => {
            let score = rng.below(600) as i32 - 300;
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper, Bound::None][rng.below(4)];
            record.search = Some(SearchNote { score, depth: rng.below(20) as u16, bound, nodes: 1, engine: None });
        }
        2 => record.games = GameCounts::one([None, Some(Color::Black), Some(Color::White)][rng.below(3)]),
        3 => record.comment = format!("comment {}", rng.below(4)),
        4 => record.marks = vec![Mark { point, text: format!("m{}", rng.below(3)) }],
        _ => {}
    }
    record
}

fn compare(library: &Library, naive: &NaiveLibrary, boards: &[Board]) {
    let view = library.view().unwrap();
    assert_eq!(view.len().unwrap(), naive.0.len() as u64);
    for board in boards {
        let known = view.known(&Cursor::from_board(board)).unwrap();
        let expected = naive.find(board).map(|(entry, found)| (naive.record(board).unwrap(), entry, found));
        match (known, expected) {
            (None, None) => {}
            (Some(known), Some((record, entry, found))) => {
                let marks = NaiveLibrary::marks(entry, &found, board.size());
                assert_eq!(known.record, Record { marks, ..record });
                let moves = board.size().points().filter(|&point| board.is_empty(point));
                let moves = moves.filter_map(|point| Some((point, naive.record(&after(board, point))?)));
                let moves: Vec<_> = moves.map(|(point, record)| (Some(point), record)).collect();
                let listed = known.moves.iter().filter(|known| known.played.is_some());
                let mut listed: Vec<_> = listed.map(|known| (known.played, known.record.clone())).collect();
                listed.sort_by_key(|(point, _)| *point);
                let mut moves: Vec<_> = moves
                    .into_iter()
                    .map(|(point, record)| (point, Record { comment: String::new(), marks: Vec::new(), ..record }))
                    .collect();
                moves.sort_by_key(|(point, _)| *point);
                assert_eq!(listed, moves);
            }
            (known, expected) => panic!("{known:?}, naive {:?}", expected.map(|(record, ..)| record)),
        }
    }
}

/// Random edits of a library and of its twin, compared after each commit.
fn play_at_random(library: &Library, rule: Rule, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut naive = NaiveLibrary::default();
    let mut boards = Vec::new();
    // The changes that can be undone, each with the twin before it.
    let mut history = Vec::new();
    for _ in 0..12 {
        let before = naive.clone();
        let mut undo = Undo::default();
        let mut edit = library.edit_for_undo(&mut undo).unwrap();
        for _ in 0..1 + rng.below(6) {
            let mut board = random_board(&mut rng, rule);
            if rng.below(2) == 0 {
                // Continue from a board that is known.
                board = boards.get(rng.below(boards.len() + 1)).cloned().unwrap_or(board);
                let point = board.size().points().nth(rng.below(board.size().area())).unwrap();
                if board.is_empty(point) {
                    board.play(point);
                }
            }
            let board = image(&board, Symmetry::all().nth(rng.below(8)).unwrap());
            if rng.below(8) == 0 {
                assert_eq!(edit.remove(&Cursor::from_board(&board)).unwrap(), naive.remove(&board));
            } else {
                let record = random_record(&mut rng, &board);
                edit.merge(&Cursor::from_board(&board), record.clone(), false).unwrap();
                naive.merge(&board, record);
            }
            boards.push(board);
        }
        if rng.below(5) == 0 {
            // What is not committed is lost.
            drop(edit);
            naive = before;
        } else {
            edit.commit().unwrap();
            history.push((undo, before));
        }
        if rng.below(4) == 0 {
            for _ in 0..rng.below(history.len() + 1) {
                let (undo, before) = history.pop().unwrap();
                library.undo(&undo).unwrap();
                naive = before;
            }
        }
        let extra = boards.iter().filter(|board| board.stone_count() > 0).map(|board| {
            let symmetry = Symmetry::all().nth(rng.below(8)).unwrap();
            image(board, symmetry)
        });
        let asked: Vec<_> = boards.iter().cloned().chain(extra.collect::<Vec<_>>()).collect();
        let known: Vec<_> =
            asked.into_iter().filter(|board| naive.find(board).is_some() || rng.below(2) == 0).collect();
        compare(library, &naive, &known);
    }
}

#[test]
fn a_library_knows_what_a_naive_one_knows() {
    let folder = Folder::new();
    for seed in 0..5 {
        let rule = Rule::ALL[seed as usize % Rule::ALL.len()];
        let library = Library::create(&folder.0.join(format!("{seed}.library"))).unwrap();
        play_at_random(&library, rule, seed);
    }
    for seed in 5..20 {
        let library = Library::in_store(Box::new(MemoryStore::default())).unwrap();
        play_at_random(&library, Rule::ALL[seed as usize % Rule::ALL.len()], seed);
    }
}
