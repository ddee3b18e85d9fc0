//! [`Run::find_puzzles`]: positions of quick games with exactly one winning move.
//!
//! ```text
//! seed, number ─► quick game ─► each position: a forced win? its first move the only one? ─► no image of an earlier one
//!              ─► equal shares of the grades ─► file
//! ```

use std::collections::HashSet;
use std::fs;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;

use clap::Args;

use super::openings::symmetry_class;
use super::run::{MOST_GAMES, Run, RunError, number, rule_help};
use super::selfplay::{first_near_centre, random_near};
use crate::board::{Board, Point, Rule};
use crate::files::{Kind, OutputFile};
use crate::position::ThreatBoard;
use crate::protocol::rule_number::parse_rule;
use crate::puzzle::{GRADES, Puzzle, PuzzleFinder, SIZE};
use crate::rng::Rng;
use crate::solver::five_blocks;
use crate::threat::Threat;

/// Maximum number of puzzles of a file.
const MOST_PUZZLES: u64 = 100_000;

/// Random stones with which a game begins. Hand-set.
const RANDOM_STONES: usize = 3;

/// Stones of the positions that are examined. Hand-set: fewer seldom have a win, and more are hard to read.
const STONES: std::ops::RangeInclusive<usize> = 9..=44;

/// Number of random points near stones among which a quick move is chosen, by the threats that it makes or blocks. Set by
/// hand: the games become sharp and miss forced wins.
const DRAWS: usize = 7;

/// Maximum number of puzzles of one game, and the least number of plies between them.
const OF_A_GAME: usize = 2;
const APART: usize = 5;

/// Games between two lines of progress.
const PROGRESS_EVERY: u64 = 100;

const PUZZLES: Kind = Kind { name: "file of puzzles", start: b"# puzzles of " };

/// Configuration of a search for puzzles, also as arguments. It determines the file.
#[derive(Clone, Copy, Debug, Args)]
pub struct PuzzlesConfig {
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    pub rule: Rule,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of puzzles, spread evenly over the grades
    #[arg(long, default_value = "100", value_parser = number::<NonZeroU32>(1..=MOST_PUZZLES))]
    pub count: NonZeroU32,
    /// Maximum number of games to search
    #[arg(long, default_value = "10000", value_parser = number::<NonZeroU64>(1..=MOST_GAMES))]
    pub games: NonZeroU64,
}

impl Run<'_> {
    /// Finds puzzles and writes them to a file, by grade and then by length. A halted run writes the puzzles found so far
    /// unless the file has some already. The first line names rule, seed, games and count; a run with the same values
    /// writes the same file.
    ///
    /// # Errors
    /// When the file cannot be written, or exists and holds something else.
    pub fn find_puzzles(&self, path: &Path, config: &PuzzlesConfig) -> Result<(), RunError> {
        let mut file = OutputFile::create(path, &PUZZLES)?;
        let has_puzzles = fs::read_to_string(path).is_ok_and(|text| text.lines().any(|line| !line.starts_with('#')));
        let mut found = PuzzlePool::new(config.count.get() as usize);
        let mut finder = PuzzleFinder::default();
        let mut games = 0;
        while games < config.games.get() && !found.is_complete() && !self.is_halted() {
            for (puzzle, class) in puzzles_of_game(config, games, &mut finder) {
                found.add(puzzle, class);
            }
            games += 1;
            if games % PROGRESS_EVERY == 0 {
                self.report(format_args!("{}: {} puzzles of {games} games", path.display(), found.counts()));
            }
        }
        let is_done = found.is_complete() || games == config.games.get();
        if has_puzzles && !is_done {
            self.report(format_args!("{}: left as it was", path.display()));
            return Ok(());
        }
        let PuzzlesConfig { rule, seed, count, .. } = config;
        let counts = found.counts();
        let mut text = format!("# puzzles of {rule}, seed {seed}, {games} games, {count} puzzles\n");
        found.chosen().iter().for_each(|puzzle| text += &format!("{puzzle}\n"));
        file.write_whole(text.as_bytes())?;
        self.report(format_args!("{}: {counts} puzzles of {games} games", path.display()));
        Ok(())
    }
}

/// The puzzles found so far, by grade.
struct PuzzlePool {
    wanted: usize,
    seen: HashSet<u64>,
    grades: [Vec<Puzzle>; GRADES.len()],
}

impl PuzzlePool {
    fn new(wanted: usize) -> Self {
        Self { wanted, seen: HashSet::new(), grades: Default::default() }
    }

    /// Adds a puzzle, unless it is the image of an earlier one or its grade can use no more.
    fn add(&mut self, puzzle: Puzzle, class: u64) {
        let grade = &mut self.grades[puzzle.grade()];
        if grade.len() < self.wanted && self.seen.insert(class) {
            grade.push(puzzle);
        }
    }

    /// The equal share of a grade.
    const fn share(&self) -> usize {
        self.wanted.div_ceil(GRADES.len())
    }

    fn is_complete(&self) -> bool {
        self.grades.iter().all(|grade| grade.len() >= self.share())
    }

    /// The numbers of puzzles of the grades, for people.
    fn counts(&self) -> String {
        self.grades.each_ref().map(|grade| grade.len().to_string()).join("+")
    }

    /// Takes puzzles from the grades in turn until the wanted number is reached or every grade is used up. They come by
    /// grade, in each by length.
    fn chosen(&self) -> Vec<&Puzzle> {
        let mut taken = [0; GRADES.len()];
        let mut left = self.wanted;
        loop {
            let before = left;
            for (taken, grade) in taken.iter_mut().zip(&self.grades) {
                if left > 0 && *taken < grade.len() {
                    *taken += 1;
                    left -= 1;
                }
            }
            if left == before {
                break;
            }
        }
        let mut chosen: Vec<_> = self.grades.iter().zip(taken).flat_map(|(grade, taken)| &grade[..taken]).collect();
        // Stable: puzzles of one length keep the order in which they were found.
        chosen.sort_by_key(|puzzle| puzzle.length);
        chosen
    }
}

/// The puzzles of the game with this number, with the classes of their positions.
fn puzzles_of_game(config: &PuzzlesConfig, number: u64, finder: &mut PuzzleFinder) -> Vec<(Puzzle, u64)> {
    let mut rng = Rng::numbered(config.seed, number);
    let mut threats = ThreatBoard::new(Board::new(SIZE, config.rule));
    let mut moves = Vec::new();
    let mut found = Vec::new();
    let mut next = *STONES.start();
    while moves.len() <= *STONES.end() && found.len() < OF_A_GAME {
        if moves.len() >= next {
            if let Some(puzzle) = finder.find(&mut threats, &moves) {
                found.push((puzzle, symmetry_class(threats.board())));
                next = moves.len() + APART;
            }
        }
        let point = match moves.len() {
            0 => Some(first_near_centre(SIZE, &mut rng)),
            stones if stones < RANDOM_STONES => random_near(threats.board(), &mut rng),
            _ => quick_move(&threats, &mut rng),
        };
        let Some(point) = point else { break };
        if threats.board().outcome_of(point, threats.board().turn()).is_some() {
            break;
        }
        threats.play(point);
        moves.push(point);
    }
    found
}

/// A move of a quick game; `None` if the game is decided.
fn quick_move(threats: &ThreatBoard, rng: &mut Rng) -> Option<Point> {
    let mover = threats.board().turn();
    if threats.sets().count(mover, Threat::Five) > 0 {
        return None;
    }
    if threats.sets().count(!mover, Threat::Five) > 0 {
        return threats.allowed(&five_blocks(threats, !mover)).iter().next();
    }
    let draws: Vec<_> = (0..DRAWS).filter_map(|_| random_near(threats.board(), rng)).collect();
    let of = |point, color| Threat::of(threats.patterns(point, color));
    let legal = draws.into_iter().filter(|&point| !threats.is_forbidden(point, mover));
    legal.max_by_key(|&point| (of(point, mover).max(of(point, !mover)), of(point, mover)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::solver::{Budget, Proof, Vcf, Vct};

    /// Whether the side to move is proved to have no forced win, by fresh solvers.
    fn has_no_win(threats: &mut ThreatBoard) -> bool {
        Vcf::default().shortest(threats, Budget::GENEROUS) == Proof::NoWin
            && Vct::default().any(threats, 20_000, &|| false) == Proof::NoWin
    }

    /// Whether an answer to this first move leaves the mover without a forced win, judged on a fresh board.
    fn gives_the_win_away(board: &Board, point: Point, solution: &[Point]) -> bool {
        let mut board = board.clone();
        let mover = board.turn();
        assert!(!board.wins(point, mover), "the position has a five, which a puzzle must not have");
        board.play(point);
        let answers: Vec<_> =
            board.empty_points().iter().filter(|&answer| !board.is_forbidden(answer, !mover)).collect();
        if answers.iter().any(|&answer| board.wins(answer, !mover)) {
            return true;
        }
        let (first, others): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| solution.contains(answer));
        first.into_iter().chain(others).any(|answer| {
            let mut board = board.clone();
            board.play(answer);
            let has_five = board.empty_points().iter().any(|five| board.wins(five, mover));
            !has_five && has_no_win(&mut ThreatBoard::new(board))
        })
    }

    #[test]
    fn every_puzzle_has_one_winning_move_alone() {
        let mut puzzles = 0;
        for rule in [Rule::Freestyle, Rule::Renju] {
            let config = PuzzlesConfig { rule, seed: 5, count: NonZeroU32::MIN, games: NonZeroU64::MIN };
            let mut finder = PuzzleFinder::default();
            for (puzzle, _) in (0..40).flat_map(|number| puzzles_of_game(&config, number, &mut finder)).take(2) {
                puzzles += 1;
                let board = puzzle.board(rule);
                let mut threats = ThreatBoard::new(board.clone());
                let wins = matches!(Vcf::default().shortest(&mut threats, Budget::GENEROUS), Proof::Win(_))
                    || matches!(Vct::default().any(&mut threats, 100_000, &|| false), Proof::Win(_));
                assert!(wins, "{puzzle}");
                for point in board.empty_points().iter().filter(|&point| !board.is_forbidden(point, board.turn())) {
                    let is_first = point == puzzle.solution[0];
                    assert!(is_first || gives_the_win_away(&board, point, &puzzle.solution), "{puzzle}: {point:?}");
                }
            }
        }
        assert!(puzzles > 2, "{puzzles}: too few to test anything");
    }

    #[test]
    fn the_puzzles_are_spread_evenly_over_the_grades() {
        let puzzle = |length: usize| Puzzle { length, ..format!("vcf {length} | h8 | h9").parse().unwrap() };
        let mut found = PuzzlePool::new(7);
        for (class, length) in [2, 2, 2, 2, 3, 3, 3, 4, 9, 7, 9].into_iter().enumerate() {
            found.add(puzzle(length), class as u64);
        }
        found.add(puzzle(5), 0);
        assert_eq!(found.counts(), "4+3+1+0+3");
        assert!(!found.is_complete());
        let lengths: Vec<_> = found.chosen().iter().map(|puzzle| puzzle.length).collect();
        assert_eq!(lengths, [2, 2, 3, 3, 4, 7, 9]);
    }

    #[test]
    fn a_halted_run_replaces_no_puzzles() {
        let path = std::env::temp_dir().join(format!("tengen-puzzles-{}.txt", std::process::id()));
        let config = PuzzlesConfig { rule: Rule::Renju, seed: 1, count: NonZeroU32::MIN, games: NonZeroU64::MIN };
        let run = Run { halt: &AtomicBool::new(true), report: &|_| (), progress: &|_| () };
        run.find_puzzles(&path, &config).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "# puzzles of renju, seed 1, 0 games, 1 puzzles\n");
        let before = "# puzzles of renju, seed 1, 9 games, 1 puzzles\nvcf 2 | h8 | h9\n";
        for (text, is_kept) in
            [("# puzzles of renju, seed 1, 9 games, 1 puzzles\n", false), ("", false), (before, true)]
        {
            fs::write(&path, text).unwrap();
            run.find_puzzles(&path, &config).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap() == text, is_kept, "{text}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_seed_determines_the_puzzles() {
        let config = PuzzlesConfig { rule: Rule::Standard, seed: 3, count: NonZeroU32::MIN, games: NonZeroU64::MIN };
        let games =
            || (0..12).map(|number| puzzles_of_game(&config, number, &mut PuzzleFinder::default())).collect::<Vec<_>>();
        let puzzles = games();
        assert!(puzzles.iter().any(|game| !game.is_empty()), "no puzzle to compare");
        assert_eq!(games(), puzzles);
    }
}
