use std::path::PathBuf;

use super::cost::Frontier;
use super::*;
use crate::board::{Rule, Size};
use crate::library::Cursor;
use crate::rng::Rng;

/// A file that is removed with the value.
struct File(PathBuf);

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A result as a search could give it: a move that is not known, with a score.
fn random_result(rng: &mut Rng, candidate: &Candidate) -> Found {
    let board = candidate.cursor.board();
    let is_open = |point: &Point| !candidate.known.contains(*point) && !board.is_forbidden(*point, board.turn());
    let open: Vec<_> = board.empty_points().iter().filter(is_open).collect();
    let score = match rng.below(60) {
        0 => Score::win_at(1 + 2 * rng.below(9) as u32),
        1 => Score::loss_at(2 + 2 * rng.below(9) as u32),
        _ => Score::from_eval(rng.below(1_000) as i32 - 500),
    };
    let scored = (rng.below(10) > 0).then_some((score, rng.below(20) as u32));
    Found { point: open[rng.below(open.len())], scored, nodes: 1 }
}

/// Grows a library by random results. Returns the number of new positions.
fn grow(library: &Library, rng: &mut Rng) -> u64 {
    let mut root = Cursor::new(Rule::Renju, Size::new(7).unwrap());
    for _ in 0..rng.below(4) {
        let point = root.size().points().nth(rng.below(root.size().area())).filter(|&point| root.is_empty(point));
        point.into_iter().for_each(|point| root.play(Some(point)));
    }
    let mut edit = library.edit().unwrap();
    let engine = edit.add_source(&Source { name: "x".to_owned(), checksum: None }).unwrap();
    edit.update(&root, &mut |_, _| {}).unwrap();
    edit.commit().unwrap();
    let mut frontier = Frontier::new(root.key(), 6);
    let mut progress = Progress { searches: 0, added: 0, contradictions: 0, root: None, time: Duration::ZERO };
    for _ in 0..30 {
        let candidates = frontier.cheapest(&library.view().unwrap(), 4).unwrap();
        let fresh = Frontier::new(root.key(), 6).cheapest(&library.view().unwrap(), 4).unwrap();
        assert_eq!(candidates, fresh);
        let found: Vec<_> = candidates.iter().map(|candidate| Some(random_result(rng, candidate))).collect();
        commit(library, &candidates, &found, engine, &mut frontier, &mut progress).unwrap();
    }
    progress.added
}

#[test]
fn a_frontier_in_memory_is_that_of_the_library() {
    let file = File(std::env::temp_dir().join(format!("tengen-expansion-{}.library", std::process::id())));
    let _ = std::fs::remove_file(&file.0);
    let library = Library::create(&file.0).unwrap();
    let mut rng = Rng::new(1);
    let added: u64 = (0..6).map(|_| grow(&library, &mut rng)).sum();
    assert!(added > 100, "{added}");
    assert!(library.view().unwrap().check().unwrap().faults.iter().all(|(_, fault)| !fault.is_damage()));
}
