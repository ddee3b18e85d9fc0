//! Random changes of a library by the words of Yixin-Board, compared with a naive library: a list of boards.

use std::collections::{BTreeMap, BTreeSet};

use tengen::board::{Board, Point, Rule, Size, Symmetry};
use tengen::library::Library;
use tengen::notation::Comma;
use tengen::rng::Rng;

use super::engine::{Engine, Program};
use super::library::list;
use crate::tune::Folder;

/// A board and what is known of it, in the orientation in which it was first seen.
struct Entry {
    board: Board,
    label: Option<char>,
    comment: String,
    marks: Vec<(Point, String)>,
}

#[derive(Default)]
struct NaiveLibrary(Vec<Entry>);

/// The symmetries that map one board to the other.
fn symmetries(from: &Board, to: &Board) -> Vec<Symmetry> {
    let is_image = |symmetry: &Symmetry| {
        from.turn() == to.turn()
            && from.size().points().all(|point| from.at(point) == to.at(symmetry.apply(point, from.size())))
    };
    Symmetry::all().filter(is_image).collect()
}

fn after(board: &Board, point: Point) -> Board {
    let mut after = board.clone();
    after.play(point);
    after
}

/// The boards before the last stone, whichever that was.
fn before(board: &Board) -> Vec<Board> {
    let remove = |point| {
        let mut before = board.clone();
        before.remove(point, !board.turn());
        before.set_turn(!board.turn());
        before
    };
    board.stones(!board.turn()).iter().map(remove).collect()
}

fn empty(size: Size) -> Board {
    Board::new(size, Rule::Freestyle)
}

fn play(size: Size, moves: &[Point]) -> Board {
    let mut board = empty(size);
    moves.iter().for_each(|&point| board.play(point));
    board
}

impl NaiveLibrary {
    fn place(&self, board: &Board) -> Option<usize> {
        self.0.iter().position(|entry| !symmetries(&entry.board, board).is_empty())
    }

    fn add(&mut self, board: &Board) -> &mut Entry {
        let place = self.place(board).unwrap_or_else(|| {
            self.0.push(Entry { board: board.clone(), label: None, comment: String::new(), marks: Vec::new() });
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    fn add_line(&mut self, size: Size, moves: &[Point]) {
        for end in 0..=moves.len() {
            self.add(&play(size, &moves[..end]));
        }
    }

    fn mark(&mut self, board: &Board, point: Point, text: &str) {
        let Some(place) = self.place(board) else { return };
        let entry = &mut self.0[place];
        let found = symmetries(&entry.board, board);
        let size = board.size();
        entry.marks.retain(|(marked, _)| found.iter().all(|symmetry| symmetry.apply(*marked, size) != point));
        if !text.is_empty() {
            let stored = found[0].inverse().apply(point, size);
            entry.marks.push((stored, text.to_owned()));
        }
    }

    fn remove(&mut self, board: &Board) {
        for parent in before(board) {
            let point = board.stones(!board.turn()).iter().find(|&point| parent.is_empty(point)).unwrap();
            self.mark(&parent, point, "");
        }
        if let Some(place) = self.place(board) {
            self.0.remove(place);
        }
    }

    /// Removes the moves of a board that the filter chooses, then all that nothing known leads to.
    fn remove_below(&mut self, board: &Board, removes: fn(&Entry) -> bool) {
        let mut open: Vec<(Board, bool)> = vec![(board.clone(), false)];
        while let Some((parent, is_removed)) = open.pop() {
            let points: Vec<Point> = parent.empty_points().iter().collect();
            for after in points.into_iter().map(|point| after(&parent, point)) {
                let Some(place) = self.place(&after) else { continue };
                let is_other = |board: &Board| is_removed || symmetries(board, &parent).is_empty();
                let is_needed = before(&after).iter().any(|board| is_other(board) && self.place(board).is_some());
                if !is_needed && (is_removed || removes(&self.0[place])) {
                    self.remove(&after);
                    open.push((after, true));
                }
            }
        }
    }

    /// The lines of YXQUERYDATABASEALL.
    fn moves(&self, board: &Board) -> Vec<String> {
        let mut lines: BTreeMap<Point, (i32, u8, String)> = BTreeMap::new();
        for point in board.empty_points().iter() {
            if let Some(place) = self.place(&after(board, point)) {
                let Entry { label, comment, .. } = &self.0[place];
                let tag = label.map_or(-1, |label| label as i32);
                lines.insert(point, (tag, u8::from(!comment.is_empty()), String::new()));
            }
        }
        if let Some(entry) = self.place(board).map(|place| &self.0[place]) {
            for symmetry in symmetries(&entry.board, board) {
                for (point, text) in &entry.marks {
                    let point = symmetry.apply(*point, board.size());
                    lines.entry(point).or_insert((-1, 0, String::new())).2 = format!(" {text}");
                }
            }
        }
        let line = |(point, (tag, comment, text)): (Point, (i32, u8, String))| {
            format!("{} {} {tag} 0 0 0 {comment}{text}", point.x(), point.y())
        };
        lines.into_iter().map(line).collect()
    }
}

/// The answer to a command up to a line that ends it.
fn ask(engine: &mut Engine, command: &str, end: &str) -> Vec<String> {
    engine.send(command);
    let mut lines = vec![engine.line()];
    while !lines.last().unwrap().ends_with(end) {
        lines.push(engine.line());
    }
    lines
}

fn play_at_random(engine: &mut Engine, size: Size, seed: u64, steps: usize) -> NaiveLibrary {
    let mut rng = Rng::new(seed);
    let mut naive = NaiveLibrary::default();
    for _ in 0..steps {
        let mut moves: Vec<Point> = Vec::new();
        for _ in 0..rng.below(4) {
            let point = size.points().nth(rng.below(size.area())).unwrap();
            if !moves.contains(&point) {
                moves.push(point);
            }
        }
        let board = play(size, &moves);
        let text = list(&moves.iter().map(|&point| Comma(point).to_string()).collect::<Vec<_>>().join(" "));
        let free = board.empty_points().iter().nth(rng.below(board.empty_points().len())).unwrap();
        match rng.below(12) {
            0..=2 => {
                let label = ['d', 'x', '!'][rng.below(3)];
                engine.ask(&format!("YXEDITTVDDATABASE 1 {} 0 0\n{text}", u32::from(label)));
                naive.add_line(size, &moves);
                naive.add(&board).label = Some(label);
            }
            3..=4 => {
                let comment = ["", "a", "two\nlines", "\"q\" \\"][rng.below(4)];
                let quoted = comment.replace('\\', "\\\\").replace('"', "\\\"");
                engine.expect_silence(&format!("YXEDITTEXTDATABASE \"{quoted}\"\n{text}"));
                if !comment.is_empty() || naive.place(&board).is_some() {
                    naive.add_line(size, &moves);
                    naive.add(&board).comment = comment.to_owned();
                }
            }
            5..=7 => {
                let label = ["", "A", "long", "B"][rng.below(4)];
                engine.expect_silence(&format!("YXEDITLABELDATABASE {} {label}\n{text}", Comma(free)));
                if !label.is_empty() {
                    moves.push(free);
                    naive.add_line(size, &moves);
                }
                naive.mark(&board, free, label);
            }
            8 => {
                engine.expect_silence(&format!("YXDELETEDATABASEONE\n{text}"));
                naive.remove(&board);
            }
            9 => {
                let (word, removes): (_, fn(&Entry) -> bool) =
                    if rng.below(2) == 0 { ("", |_| true) } else { ("wld", |entry| entry.label == Some('d')) };
                ask(engine, &format!("YXDELETEDATABASEALL {word}\n{text}"), "DATABASE DONE");
                naive.remove_below(&board, removes);
            }
            _ => {}
        }
        let symmetry = Symmetry::all().nth(rng.below(8)).unwrap();
        let moves: Vec<_> = moves.iter().map(|&point| symmetry.apply(point, size)).collect();
        compare(engine, &naive, size, &moves[..rng.below(moves.len() + 1)]);
        compare(engine, &naive, size, &moves);
    }
    naive
}

fn compare(engine: &mut Engine, naive: &NaiveLibrary, size: Size, moves: &[Point]) {
    let board = play(size, moves);
    let text = list(&moves.iter().map(|&point| Comma(point).to_string()).collect::<Vec<_>>().join(" "));
    let lines = ask(engine, &format!("YXQUERYDATABASEALL\n{text}"), "DATABASE DONE");
    let lines: Vec<_> = lines[1..lines.len() - 1].iter().map(|line| &line["MESSAGE DATABASE ".len()..]).collect();
    assert_eq!(lines, naive.moves(&board), "{moves:?}");
    let entry = naive.place(&board).map(|place| &naive.0[place]);
    let code = |entry: &Entry| entry.label.map_or("-1 0 0 0 ".to_owned(), |c| format!("{} 0 0 0 {c}", u32::from(c)));
    let one = engine.ask(&format!("YXQUERYDATABASEONE\n{text}"));
    assert_eq!(one["MESSAGE DATABASE ONE ".len()..], entry.map_or("0 0 0 0".to_owned(), code), "{moves:?}");
    let comment = entry.map_or("", |entry| &entry.comment).replace('\\', "\\\\").replace('"', "\\\"");
    let expected = format!("MESSAGE DATABASE TEXT \"{comment}\"");
    engine.send(&format!("YXQUERYDATABASETEXT\n{text}"));
    for line in expected.split('\n') {
        assert_eq!(engine.line(), line, "{moves:?}");
    }
}

#[test]
fn a_board_sees_what_a_naive_library_knows() {
    let folder = Folder::new();
    for (seed, side) in [(1, 5), (2, 5), (3, 6)] {
        let size = Size::new(side).unwrap();
        let path = folder.0.join(format!("{seed}.library"));
        let mut engine = Engine::spawn_with(Program::Greedy, &[]);
        engine.expect(&format!("START {side}"), "OK");
        engine.ask(&format!("YXSETDATABASE\n{}", path.display()));
        let naive = play_at_random(&mut engine, size, seed, 150);
        engine.end();
        let library = Library::open(&path).unwrap();
        let view = library.view().unwrap();
        assert_eq!(view.len().unwrap(), naive.0.len() as u64);
        assert_eq!(view.check().unwrap().faults, []);
        let comments: BTreeSet<_> = naive.0.iter().map(|entry| entry.comment.as_str()).collect();
        assert!(naive.0.len() > 10 && comments.len() > 2, "{} positions", naive.0.len());
    }
}
