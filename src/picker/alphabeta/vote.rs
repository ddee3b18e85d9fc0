//! The vote of the threads on the move.

use super::deepen::Progress;
use crate::board::Point;
use crate::score::Score;

/// Chance to win that is added to each vote, so that the thread with the lowest chance has a vote too. Set by hand.
const LEAST_CHANCE: f32 = 0.1;

/// The vote of one thread.
struct Vote {
    thread: usize,
    point: Point,
    score: Score,
    weight: f32,
}

/// The place of the thread whose line is played; 0 if no thread found a line.
///
/// The shortest win is played. Otherwise each thread votes for its best move, with more weight the deeper its last
/// iteration and the greater its score. Between equal moves, and between threads with the same move, the first thread
/// goes first.
pub(super) fn elected(threads: &[Progress]) -> usize {
    let votes = votes(threads);
    // `max_by` returns the last of equals.
    let shortest_win = votes.iter().rev().filter(|vote| vote.score.is_win()).max_by_key(|vote| vote.score);
    let total = |point| votes.iter().filter(|vote| vote.point == point).map(|vote| vote.weight).sum::<f32>();
    let most_votes = || votes.iter().rev().max_by(|a, b| total(a.point).total_cmp(&total(b.point)));
    shortest_win.or_else(most_votes).map_or(0, |vote| vote.thread)
}

/// The votes of the threads that found a line.
fn votes(threads: &[Progress]) -> Vec<Vote> {
    let lines = || threads.iter().enumerate().filter_map(|(thread, found)| Some((thread, found, found.first()?)));
    let lowest = lines().map(|(.., line)| line.score.win_chance()).fold(1.0, f32::min);
    lines()
        .filter_map(|(thread, found, line)| {
            let weight = found.depth() as f32 * (line.score.win_chance() - lowest + LEAST_CHANCE);
            Some(Vote { thread, point: *line.points.first()?, score: line.score, weight })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picker::Line;

    fn thread(x: u8, score: Score, depth: u32) -> Progress {
        Progress::iteration(Line { score, points: vec![Point::new(x, 7).unwrap()] }, depth)
    }

    #[test]
    fn the_move_with_the_most_votes_is_played() {
        let eval = Score::from_eval;
        assert_eq!(elected(&[thread(1, eval(20), 9)]), 0);
        // Two threads outvote one.
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(20), 8), thread(2, eval(20), 8)]), 1);
        // One that is deeper and sees a greater score outvotes the first; one that is less deep does not.
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(120), 10)]), 1);
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(20), 8)]), 0);
        // The line of the first thread is kept if its move is elected.
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(1, eval(90), 10)]), 0);
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(20), 9)]), 0);
    }

    #[test]
    fn the_shortest_win_is_played() {
        let eval = Score::from_eval;
        let long = || thread(1, eval(800), 20);
        assert_eq!(elected(&[long(), long(), thread(2, Score::win_at(9), 3)]), 2);
        assert_eq!(elected(&[thread(1, Score::win_at(9), 9), thread(2, Score::win_at(5), 8)]), 1);
        assert_eq!(elected(&[thread(1, Score::win_at(9), 9), thread(2, Score::win_at(9), 10)]), 0);
    }

    #[test]
    fn a_thread_without_a_line_has_no_vote() {
        assert_eq!(elected(&[Progress::default(), thread(2, Score::ZERO, 1)]), 1);
        assert_eq!(elected(&[Progress::default(), Progress::default()]), 0);
    }
}
