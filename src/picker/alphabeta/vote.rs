//! The vote of the threads on the move.

use super::deepen::Progress;
use crate::board::Point;

/// Chance to win that is added to each vote, so that the thread with the lowest chance has a vote too. Set by hand.
const LEAST_CHANCE: f32 = 0.1;

/// The vote of one thread.
struct Vote {
    thread: usize,
    point: Point,
    weight: f32,
}

/// The place of the thread whose line is played; 0 if no thread found a line.
///
/// A settled score needs no vote: the shortest win is played, else the longest loss. Otherwise each thread that is at
/// least as deep as the first votes for its best move, with more weight the deeper it is and the greater its score.
/// Between moves with equally many votes, and between threads with the same move, the first thread goes first.
pub(super) fn elected(found: &[Progress]) -> usize {
    let score = |&place: &usize| found[place].first().map(|line| line.score);
    // `max_by` returns the last of equals.
    let places = || (0..found.len()).rev();
    if let Some(settled) = places().filter(|&place| found[place].is_settled()).max_by_key(score) {
        return settled;
    }
    let votes = votes(found);
    let total = |point| votes.iter().filter(|vote| vote.point == point).map(|vote| vote.weight).sum::<f32>();
    let most_votes = votes.iter().rev().max_by(|a, b| total(a.point).total_cmp(&total(b.point)));
    most_votes.map_or(0, |vote| vote.thread)
}

fn votes(found: &[Progress]) -> Vec<Vote> {
    let least_depth = found.first().map_or(0, Progress::depth);
    let lines = || {
        let threads = found.iter().enumerate().filter(|(_, found)| found.depth() >= least_depth);
        threads.filter_map(|(thread, found)| Some((thread, found.depth(), found.first()?)))
    };
    let lowest = lines().map(|(.., line)| line.score.win_chance()).fold(1.0, f32::min);
    lines()
        .filter_map(|(thread, depth, line)| {
            let weight = depth as f32 * (line.score.win_chance() - lowest + LEAST_CHANCE);
            Some(Vote { thread, point: *line.points.first()?, weight })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picker::Line;
    use crate::score::Score;

    fn thread(x: u8, score: Score, depth: u32) -> Progress {
        Progress::iteration(Line { score, points: vec![Point::new(x, 7).unwrap()] }, depth)
    }

    #[test]
    fn the_move_with_the_most_votes_is_played() {
        let eval = Score::from_eval;
        assert_eq!(elected(&[thread(1, eval(20), 9)]), 0);
        // Two threads outvote one.
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(20), 9), thread(2, eval(20), 9)]), 1);
        // One that is deeper or sees a greater score outvotes the first; one that is less deep has no vote.
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(20), 10)]), 1);
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(120), 9)]), 1);
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(120), 8)]), 0);
        // The line of the first thread is kept if its move is elected.
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(1, eval(90), 10)]), 0);
        assert_eq!(elected(&[thread(1, eval(20), 9), thread(2, eval(20), 9)]), 0);
    }

    #[test]
    fn a_settled_score_needs_no_vote() {
        let eval = Score::from_eval;
        let long = || thread(1, eval(800), 20);
        assert_eq!(elected(&[long(), long(), thread(2, Score::win_at(9), 3)]), 2);
        assert_eq!(elected(&[thread(1, Score::win_at(9), 9), thread(2, Score::win_at(5), 8)]), 1);
        assert_eq!(elected(&[thread(1, Score::win_at(9), 9), thread(2, Score::win_at(9), 10)]), 0);
        assert_eq!(elected(&[thread(1, Score::loss_at(8), 10), thread(2, eval(-150), 10)]), 0);
        assert_eq!(elected(&[thread(1, eval(-150), 10), thread(2, Score::loss_at(8), 9)]), 1);
        // A loss beyond the depth is not settled.
        assert_eq!(elected(&[thread(1, Score::loss_at(12), 10), thread(2, eval(-150), 10)]), 1);
    }

    #[test]
    fn a_thread_without_a_line_has_no_vote() {
        assert_eq!(elected(&[Progress::default(), thread(2, Score::ZERO, 1)]), 1);
        assert_eq!(elected(&[Progress::default(), Progress::default()]), 0);
    }
}
