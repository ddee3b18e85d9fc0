//! [`Vcf`]: victory by continuous fours (冲四胜, 四追い).

use super::Proof;
use super::defence::stops;
use super::salt;
use crate::board::{Color, Direction, Point};
use crate::eval::Survey;
use crate::position::Position;
use crate::threat::{Pattern, Threat};

/// What a proof may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Positions with the attacker to move that may be looked at.
    pub nodes: u64,
    /// Fours that the attacker may play, the deciding one included.
    pub fours: u8,
}

impl Budget {
    /// Enough for any position that people have made: seconds at the worst.
    pub const GENEROUS: Self = Self { nodes: 4_000_000, fours: 60 };
}

/// A solver of continuous fours, with a memory of the positions where it found nothing.
///
/// ```text
/// attacker   plays a four, or the four that decides: an open four, a double four,
///            or one whose only answer is forbidden to the defender
/// defender   must answer on the point of five, in caro perhaps beyond it; if that makes a four of its own,
///            the attacker's next four must stand where it stops that
/// ```
pub struct Vcf {
    memory: Box<[Memory]>,
    /// Keeps apart what the memory knows by all stages and by some, and of other rules and sizes.
    salt: u64,
    nodes: u64,
    budget: u64,
    /// The stages of a search: all of [`STAGES`], or the first of them.
    stages: &'static [Stage],
}

/// Fours that are tried one after another.
struct Stage {
    threat: Threat,
    /// The least and the greatest that a simple four makes of the lines beside its own.
    beside: [Pattern; 2],
}

/// What decides comes first, then the fours that lead on to the most.
const STAGES: [Stage; 6] = [
    Stage { threat: Threat::OpenFour, beside: ANY },
    Stage { threat: Threat::DoubleFour, beside: ANY },
    Stage { threat: Threat::FourThree, beside: ANY },
    Stage { threat: Threat::Four, beside: [Pattern::Three, Pattern::Five] },
    Stage { threat: Threat::Four, beside: [Pattern::OpenTwo, Pattern::OpenTwo] },
    Stage { threat: Threat::Four, beside: [Pattern::Dead, Pattern::Two] },
];

const ANY: [Pattern; 2] = [Pattern::Dead, Pattern::Five];

/// A position where no win was found within some fours.
#[derive(Clone, Copy, Default)]
struct Memory {
    key: u64,
    fours: u8,
}

/// Slots of the memory: 256 KB, which stay in the second-level cache.
const MEMORY: usize = 1 << 14;

/// Stands for any number of fours: the position was searched to its end.
const EXHAUSTED: u8 = u8::MAX;

enum Answer {
    Win,
    /// No win within the fours allowed; `exhausted` when more would not help.
    No {
        exhausted: bool,
    },
    OutOfBudget,
}

impl Default for Vcf {
    fn default() -> Self {
        Self {
            memory: vec![Memory::default(); MEMORY].into_boxed_slice(),
            salt: 0,
            nodes: 0,
            budget: 0,
            stages: &STAGES,
        }
    }
}

impl Vcf {
    /// The shortest win of the side to move, by the number of fours. The position must be surveyed, and comes back as
    /// it was.
    pub fn shortest(&mut self, position: &mut Position, budget: Budget) -> Proof {
        self.begin(position, budget, &STAGES);
        for fours in 1..=budget.fours {
            let mut line = Vec::new();
            match position.without_evaluation(|position| self.attack(position, fours, &mut line)) {
                Answer::Win => return win(line),
                Answer::No { exhausted: true } => return Proof::NoWin,
                Answer::No { exhausted: false } => {}
                Answer::OutOfBudget => return Proof::OutOfBudget,
            }
        }
        Proof::OutOfBudget
    }

    /// Any win of the side to move, the first that a depth-first search meets: cheaper than the shortest. Simple fours
    /// that make no open two beside are left out, as one in sixty of them leads to a win; where there are fours and
    /// none is found to win, the answer is therefore `OutOfBudget`.
    pub fn any(&mut self, position: &mut Position, budget: Budget) -> Proof {
        self.begin(position, budget, &STAGES[..STAGES.len() - 1]);
        let mut line = Vec::new();
        match position.without_evaluation(|position| self.attack(position, budget.fours, &mut line)) {
            Answer::Win => win(line),
            Answer::No { exhausted: true } => Proof::NoWin,
            Answer::No { exhausted: false } | Answer::OutOfBudget => Proof::OutOfBudget,
        }
    }

    /// Whether the side to move has fours that could lead on: one that makes a three beside it, or fours in more than
    /// one line. Where not, there is hardly ever a win by fours, and [`any`](Self::any) need not be asked.
    pub fn is_promising(position: &Position) -> bool {
        let Some(census) = position.survey().map(Survey::census) else { return false };
        let mover = position.board().turn();
        let [decided, plain] = [&Threat::FOURS[..3], &Threat::FOURS[3..]]
            .map(|threats| threats.iter().map(|&threat| census.count(mover, threat)).sum::<usize>());
        // A line of three can be made a four on two points; more points are more lines.
        decided > 0
            || plain > 2
            || plain > 0
                && census.set(mover, Threat::Four).iter().any(|point| {
                    let patterns = position.threats().patterns(point, mover);
                    patterns.count(Pattern::Three) + patterns.count(Pattern::OpenThree) > 0
                })
    }

    /// The positions that the last proof looked at.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    fn begin(&mut self, position: &Position, budget: Budget, stages: &'static [Stage]) {
        self.salt = salt(position.board(), stages.len());
        self.nodes = 0;
        self.budget = budget.nodes;
        self.stages = stages;
    }

    /// Looks for a win of the side to move within some fours; on a win, `line` holds it backwards.
    fn attack(&mut self, position: &mut Position, fours: u8, line: &mut Vec<Point>) -> Answer {
        const QUIET: Answer = Answer::No { exhausted: true };
        let attacker = position.board().turn();
        let defender = !attacker;
        let Some(survey) = position.survey() else { return QUIET };
        let census = survey.census();
        if census.count(attacker, Threat::Five) > 0 {
            return Answer::Win;
        }
        let must_stop = (census.count(defender, Threat::Five) > 0).then(|| stops(position, defender));
        if Threat::FOURS.iter().all(|&threat| census.count(attacker, threat) == 0) {
            return QUIET;
        }
        if fours == 0 {
            return Answer::No { exhausted: false };
        }
        self.nodes += 1;
        if self.nodes > self.budget {
            return Answer::OutOfBudget;
        }
        let key = position.board().key().bits() ^ self.salt;
        let known = self.memory[key as usize % MEMORY];
        if known.key == key && known.fours >= fours {
            return Answer::No { exhausted: known.fours == EXHAUSTED };
        }
        let mut exhausted = self.stages.len() == STAGES.len();
        for &Stage { threat, beside: [least, most] } in self.stages {
            let Some(census) = position.survey().map(Survey::census) else { return QUIET };
            if census.count(attacker, threat) == 0 {
                continue;
            }
            let points = *census.set(attacker, threat);
            for point in points.iter() {
                if threat == Threat::Four && !(least..=most).contains(&beside(position, point, attacker)) {
                    continue;
                }
                if must_stop.is_some_and(|stops| !stops.contains(point)) || position.is_forbidden(point, attacker) {
                    continue;
                }
                if matches!(threat, Threat::OpenFour | Threat::DoubleFour) {
                    line.push(point);
                    return Answer::Win;
                }
                // The last four allowed must decide, which a simple one does only by a forbidden answer.
                if fours == 1 && !position.board().rule().forbids(defender) {
                    exhausted = false;
                    continue;
                }
                match self.four(position, point, attacker, fours, line) {
                    Answer::Win => return Answer::Win,
                    Answer::No { exhausted: child } => exhausted &= child,
                    Answer::OutOfBudget => return Answer::OutOfBudget,
                }
            }
        }
        self.memory[key as usize % MEMORY] = Memory { key, fours: if exhausted { EXHAUSTED } else { fours } };
        Answer::No { exhausted }
    }

    /// Plays a simple four and its answer, and goes on.
    fn four(
        &mut self,
        position: &mut Position,
        four: Point,
        attacker: Color,
        fours: u8,
        line: &mut Vec<Point>,
    ) -> Answer {
        position.play(four);
        let stops = stops(position, attacker);
        let mut longest = Vec::new();
        let mut answer = Answer::Win;
        for stop in stops.iter() {
            if position.is_forbidden(stop, !attacker) {
                continue;
            }
            let mut branch = Vec::new();
            position.play(stop);
            answer = self.attack(position, fours - 1, &mut branch);
            take_back(position, stop);
            if !matches!(answer, Answer::Win) {
                break;
            }
            branch.push(stop);
            if branch.len() > longest.len() {
                longest = branch;
            }
        }
        take_back(position, four);
        if matches!(answer, Answer::Win) {
            line.append(&mut longest);
            line.push(four);
        }
        answer
    }
}

/// The greatest of the lines beside the four that a point makes.
fn beside(position: &Position, four: Point, attacker: Color) -> Pattern {
    let patterns = position.threats().patterns(four, attacker);
    let lines = Direction::ALL.into_iter().map(|direction| patterns.get(direction));
    lines.filter(|&pattern| pattern < Pattern::Four).max().unwrap_or(Pattern::Dead)
}

pub(super) fn take_back(position: &mut Position, point: Point) {
    let taken = position.undo(point);
    debug_assert!(taken.is_ok(), "{point:?} was played");
}

fn win(mut line: Vec<Point>) -> Proof {
    line.reverse();
    Proof::Win(line)
}
