//! Ratings of many engines at once: maximum likelihood in the model of Bradley and Terry.
//!
//! A draw is half a win for each. The strengths are found by the MM algorithm (Hunter, "MM algorithms for generalized
//! Bradley–Terry models", Annals of Statistics 32, 2004). The intervals are those of the robust ("sandwich") estimator with
//! each pair of games as one sample, so that lopsided openings and draws do not widen or narrow them (White, "Maximum
//! likelihood estimation of misspecified models", Econometrica 50, 1982).

use super::results::Pairings;
use super::{ELO_PER_LOGIT, NORMAL_95};

/// The rating of an engine. The mean of all ratings is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// All ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The ratings by the engines' numbers.
    pub ratings: Vec<Rating>,
    /// Whether one drawn game was added to each pairing, because a strength would be infinite without it.
    pub prior: bool,
}

/// The strengths are final when ln(strength) changes by less than this in a round. Far below the printed precision.
const CONVERGED: f64 = 1e-10;

/// The greatest number of rounds. Some hundreds are usual.
const ROUNDS: usize = 100_000;

/// Squared surprises of a pairing below this sum are rounding errors of level pairs.
const LEVEL: f64 = 1e-9;

/// Rates engines by their pairings.
pub fn rate(engines: usize, pairings: &Pairings) -> Ratings {
    let prior = !connected(engines, pairings);
    let added = if prior { 1.0 } else { 0.0 };
    let mut points = vec![0.0; engines];
    let mut games = vec![vec![0.0; engines]; engines];
    for (&(first, second), pairing) in pairings {
        let (won, count) = pairing.totals();
        points[first] += won + added / 2.0;
        points[second] += count - won + added / 2.0;
        games[first][second] += count + added;
        games[second][first] += count + added;
    }
    let logits = strengths(&points, &games);
    let errors = errors(&logits, &games, (!prior).then_some(pairings));
    let ratings =
        logits.iter().zip(errors).map(|(logit, error)| Rating { elo: ELO_PER_LOGIT * logit, error }).collect();
    Ratings { ratings, prior }
}

/// Whether every engine has taken points from every other, directly or through others. Only then does the likelihood
/// have a maximum.
fn connected(engines: usize, pairings: &Pairings) -> bool {
    let mut beats = vec![Vec::new(); engines];
    let mut beaten = vec![Vec::new(); engines];
    for (&(first, second), pairing) in pairings {
        let (won, count) = pairing.totals();
        let wins = [(first, second, won > 0.0), (second, first, won < count)];
        for (winner, loser, _) in wins.into_iter().filter(|win| win.2) {
            beats[winner].push(loser);
            beaten[loser].push(winner);
        }
    }
    let reaches_all = |edges: &[Vec<usize>]| {
        let mut seen = vec![false; engines];
        let mut open = vec![0];
        while let Some(engine) = open.pop() {
            if !std::mem::replace(&mut seen[engine], true) {
                open.extend(&edges[engine]);
            }
        }
        seen.iter().all(|&seen| seen)
    };
    engines > 0 && reaches_all(&beats) && reaches_all(&beaten)
}

/// ln of the strengths, shifted to the mean 0. Engines without games stay at 0.
fn strengths(points: &[f64], games: &[Vec<f64>]) -> Vec<f64> {
    let engines = points.len();
    let mut strength = vec![1.0; engines];
    for _ in 0..ROUNDS {
        let mut moved: f64 = 0.0;
        for engine in 0..engines {
            let expected: f64 = (0..engines).map(|o| games[engine][o] / (strength[engine] + strength[o])).sum();
            if expected > 0.0 {
                let new: f64 = points[engine] / expected;
                moved = moved.max((new / strength[engine]).ln().abs());
                strength[engine] = new;
            }
        }
        if moved < CONVERGED {
            break;
        }
    }
    let logits: Vec<f64> = strength.iter().map(|strength| strength.ln()).collect();
    let mean = logits.iter().sum::<f64>() / engines as f64;
    logits.iter().map(|logit| logit - mean).collect()
}

/// Half widths in Elo points, from M · B · M. M is the inverse of the likelihood's curvature on strengths whose sum is 0, and
/// B the sum over the samples of their squared surprise. If games were added, the surprise is near 0 and would make the
/// intervals too narrow; B is then the curvature, which the model expects of independent games. If all pairs of two
/// engines are level, their share of B is also that of the curvature.
fn errors(logits: &[f64], games: &[Vec<f64>], pairings: Option<&Pairings>) -> Vec<f64> {
    let engines = logits.len();
    let expected = |a: usize, b: usize| 1.0 / (1.0 + (logits[b] - logits[a]).exp());
    let mut curvature = vec![vec![1.0 / engines as f64; engines]; engines];
    let mut surprise = vec![vec![0.0; engines]; engines];
    let spread = |matrix: &mut [Vec<f64>], a: usize, b: usize, value: f64| {
        for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            matrix[row][column] += sign * value;
        }
    };
    for (a, row) in games.iter().enumerate() {
        for (b, count) in row.iter().enumerate().skip(a + 1) {
            let p = expected(a, b);
            spread(&mut curvature, a, b, count * p * (1.0 - p));
            if pairings.is_none() {
                spread(&mut surprise, a, b, count * p * (1.0 - p));
            }
        }
    }
    for (&(first, second), pairing) in pairings.into_iter().flatten() {
        let p = expected(first, second);
        let squares: f64 = pairing.samples.iter().map(|(won, count)| (won - count * p).powi(2)).sum();
        let (_, count) = pairing.totals();
        spread(&mut surprise, first, second, if squares > LEVEL { squares } else { count * p * (1.0 - p) });
    }
    let Some(inverse) = invert(curvature) else { return vec![f64::INFINITY; engines] };
    let variance = |engine: usize| -> f64 {
        let row = &inverse[engine];
        let half = |column: usize| -> f64 { (0..engines).map(|k| row[k] * surprise[k][column]).sum() };
        (0..engines).map(|column| half(column) * row[column]).sum()
    };
    (0..engines).map(|engine| NORMAL_95 * ELO_PER_LOGIT * variance(engine).max(0.0).sqrt()).collect()
}

/// The inverse by Gauss and Jordan with pivots; `None` for a singular matrix (engines that never met).
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (number, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| if column == number { 1.0 } else { 0.0 }));
    }
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        let divisor = matrix[column][column];
        matrix[column].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(number, _)| *number != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(matrix.into_iter().map(|mut row| row.split_off(size)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::pentanomial::Pentanomial;
    use super::super::results::Pairing;
    use super::*;

    /// A meeting of pairs, given by the counts of 0, ½, 1, 1½ and 2 points.
    fn meeting(first: usize, second: usize, counts: [usize; 5]) -> ((usize, usize), Pairing) {
        let samples = counts.iter().enumerate().flat_map(|(kind, &count)| vec![(kind as f64 / 2.0, 2.0); count]);
        ((first, second), Pairing { samples: samples.collect(), ..Pairing::default() })
    }

    #[test]
    fn two_engines_are_rated_as_their_pairs_say() {
        let counts = [5, 20, 40, 25, 10];
        let ratings = rate(2, &[meeting(0, 1, counts)].into());
        let estimate = Pentanomial { counts: counts.map(|count| count as u64) }.estimate().unwrap();
        let difference = ratings.ratings[0].elo - ratings.ratings[1].elo;
        assert!((difference - estimate.elo).abs() < 1e-6, "{ratings:?}");
        // Each engine's own interval is half as wide as that of the difference.
        let width = estimate.high - estimate.low;
        assert!((ratings.ratings[0].error / (width / 4.0) - 1.0).abs() < 0.01, "{ratings:?} {estimate:?}");
        assert!(!ratings.prior);
    }

    #[test]
    fn level_pairs_alone_leave_the_interval_of_independent_games() {
        let ratings = rate(2, &[meeting(0, 1, [0, 0, 10, 0, 0])].into());
        let expected = NORMAL_95 * ELO_PER_LOGIT / (4.0 * 20.0 * 0.25_f64).sqrt();
        assert!((ratings.ratings[0].error - expected).abs() < 1e-6, "{ratings:?}");
        assert!(!ratings.prior);
    }

    #[test]
    fn three_engines_that_follow_the_model_get_their_strengths() {
        // 3 : 1 and 3 : 1, so 9 : 1 at a distance of twice 190.85.
        let meetings =
            [meeting(0, 1, [0, 0, 50, 0, 50]), meeting(1, 2, [0, 0, 50, 0, 50]), meeting(0, 2, [0, 0, 20, 0, 80])];
        let ratings = rate(3, &meetings.into());
        let elo: Vec<_> = ratings.ratings.iter().map(|rating| rating.elo.round()).collect();
        assert_eq!(elo, [191.0, 0.0, -191.0]);
        assert!(ratings.ratings.iter().all(|rating| rating.error > 10.0 && rating.error < 60.0), "{ratings:?}");
    }

    #[test]
    fn an_engine_that_always_loses_gets_a_finite_rating() {
        let ratings = rate(3, &[meeting(0, 1, [10, 0, 10, 0, 10]), meeting(0, 2, [0, 0, 0, 0, 10])].into());
        assert!(ratings.prior && ratings.ratings.iter().all(|rating| rating.elo.is_finite()), "{ratings:?}");
        assert!(ratings.ratings[2].elo < -200.0);
    }
}
