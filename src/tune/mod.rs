//! FITTING: games of the engine against itself, and what is learnt from them.
//!
//! Owns self-play, the files of its games, the samples drawn from them, the losses, both trainings, the generations of
//! networks, and the regret of short searches. Uses the player, both evaluations and the records of the arena. Must never be
//! used by the engine, which only reads the files that are made here.
//!
//! ```text
//! selfplay      random opening ─► player against itself ─► record: a file of games
//! sample        games ─► stones, best move, chance to win, result
//! classical     samples ─► counts of combinations ─► Adam ─► weight files ─► src/eval/weights, by hand
//! network       samples ─► rows of windows ─► Adam ─► integers ─► network file ─► src/eval/networks, by hand
//! generations   best network ─► games ─► training ─► match ─► best network
//! reinforce     games of a network against itself ─► Adam ─► network file
//! openings      random stones ─► searches and a pair of games ─► near-even openings for matches and training
//! regret        positions of games ─► moves of short searches ─► long searches of both ─► cost of the short search
//! ```

mod adam;
mod classical;
mod generations;
mod loss;
mod network;
mod openings;
mod plot;
mod puzzles;
mod record;
mod regret;
mod reinforce;
mod run;
mod sample;
mod selfplay;

pub use classical::{Fit, FitConfig, MIN_SAMPLES, RoundReport, WeightFile, fit};
pub use generations::{Generations, GenerationsConfig, LogError, MOST_GENERATIONS, NextStep, StartName, StepDone};
pub use loss::{Loss, Losses};
pub use network::{
    Checkpoint, CheckpointError, CurvePoint, HeldOut, Quality, RoundEnd, TrainConfig, TrainError, TrainFiles,
    TrainReport, TrainingGames, train,
};
pub use openings::{ChanceRange, ChanceRangeError, Numbers, OpeningsConfig, OpeningsError};
pub use plot::learning_curves;
pub use puzzles::PuzzlesConfig;
pub use record::{
    Damage, EngineSignature, Found, GameFileError, GameReader, GameSettings, GameSource, GameStore, GameWriter, Games,
    Header, OpeningKind, Ply, SelfPlayGame, Stray, Summary, VisitShares, read_games,
};
pub use regret::{
    Comparison, JudgedFile, Regret, RegretConfig, RegretError, RegretTable, TestPosition, judge, test_positions,
};
pub use reinforce::{AlgorithmName, ReinforceConfig, ReinforceExtent, ReinforceFiles};
pub use run::{MOST_GAMES, MOST_NODES, MOST_ROUNDS, Run, RunError, evaluation, number};
pub use sample::Sample;
pub use selfplay::{
    Engine, GameError, MOST_THREADS, SelfPlayConfig, SelfPlayError, SelfPlayPicker, Sizes, SizesError,
    engine_signature, play,
};
