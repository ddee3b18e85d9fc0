//! Random play with undo near existing stones, so that rows arise.

use tengen::board::{Board, Occupant, Point, Rule, Size};
use tengen::position::{Accumulator, Position};
use tengen::rng::Rng;

use crate::naive::{self, Grid};

/// Fifteen, twenty, and one odd size.
const SIZES: [u8; 3] = [15, 20, 9];

/// A position and its grid, moved together.
pub struct Walk<A: Accumulator> {
    pub position: Position<A>,
    pub grid: Grid,
    /// The stones in playing order.
    stones: Vec<Point>,
    pub rng: Rng,
}

impl<A: Accumulator> Walk<A> {
    fn new(size: u8, rule: Rule, config: A::Config, seed: u64) -> Self {
        let position = Position::new(Board::new(Size::new(size).unwrap(), rule), config);
        Self { position, grid: Grid::new(size, rule), stones: Vec::new(), rng: Rng::new(seed) }
    }

    /// Plays a stone of the side to move, undoes the last stone, removes any stone, or rarely builds a wall.
    fn step(&mut self) {
        let choice = self.rng.below(100);
        let is_crowded = self.stones.len() * 3 > self.position.board().size().area() * 2;
        if !self.stones.is_empty() && (choice < 30 || is_crowded) {
            let last = self.stones.len() - 1;
            let point = self.stones.remove(if choice < 20 { last } else { self.rng.below(last + 1) });
            let Occupant::Stone(color) = self.position.board().at(point) else { panic!("no stone on {point:?}") };
            assert_eq!(self.position.try_remove(point), Ok(color));
            assert_eq!(self.position.board().turn(), color);
            self.put(point, '.');
        } else if let Some(point) = self.near() {
            if choice == 99 {
                self.position.wall(point);
                self.put(point, '#');
            } else {
                let color = self.position.board().turn();
                self.position.play(point);
                self.put(point, naive::sign(color));
                self.stones.push(point);
            }
        }
    }

    fn put(&mut self, point: Point, sign: char) {
        let (x, y) = naive::xy(point);
        self.grid.put(x, y, sign);
    }

    /// An empty point at most three steps from the last stone.
    pub fn near(&mut self) -> Option<Point> {
        let board = self.position.board().clone();
        self.near_on(&board)
    }

    /// A point that is empty on this board and at most three steps from the last stone of the walk.
    pub fn near_on(&mut self, board: &Board) -> Option<Point> {
        let size = board.size();
        let from = self.stones.last().copied().unwrap_or(size.centre());
        let near = |point: &Point| point.distance(from) <= 3 && board.is_empty(*point);
        let points: Vec<_> = size.points().filter(near).collect();
        if points.is_empty() { board.empty_points().iter().next() } else { Some(points[self.rng.below(points.len())]) }
    }
}

/// Walks under every rule, on every size and with every configuration. Calls `check` after each step.
pub fn every_walk<A: Accumulator>(seed: u64, configs: &[A::Config], steps: usize, mut check: impl FnMut(&mut Walk<A>)) {
    for rule in Rule::ALL {
        for size in SIZES {
            for &config in configs {
                let mut walk = Walk::new(size, rule, config, seed + u64::from(size));
                for _ in 0..steps {
                    walk.step();
                    check(&mut walk);
                }
            }
        }
    }
}
