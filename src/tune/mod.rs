//! FITTING: the weights of the evaluation from games of the engine against itself.
//!
//! Owns self-play, the files of its games, the samples drawn from them and the regression. Uses the player and the
//! evaluation's combinations. Must never be used by the engine: it makes the files that `eval` reads.
//!
//! ```text
//! random opening ─► player against itself ─► file of games ─► samples: stones, best move, chance to win, result
//!                ─► counts of combinations ─► regression (Adam) ─► weight files ─► src/eval/weights, by hand
//!
//! positions of games ─► moves of short searches ─► long searches of both ─► regret: what the short search costs
//! ```

mod adam;
mod features;
mod fit;
mod game;
mod generations;
mod gradient;
mod model;
mod network;
mod opening;
mod plot;
mod record;
mod regret;
mod sample;
mod selfplay;
mod sizes;
mod weight_files;

pub use fit::{Fit, FitConfig, FitError, Loss, MIN_SAMPLES, ResultShare, ResultShareError, RoundReport, fit};
pub use game::GameError;
pub use generations::{Generations, LogError, NextStep, Step};
pub use network::{
    Checkpoint, CheckpointError, CurvePoint, HeldOut, LearningRate, LearningRateError, Quality, RoundEnd, TrainConfig,
    TrainError, TrainReport, train,
};
pub use plot::{CURVES_KIND, learning_curves};
pub use record::{
    Damage, EngineSignature, Found, GameFileError, GameReader, GameRecord, GameSettings, GameWriter, Games, Header,
    OpeningKind, Ply, Stray, Summary, VisitShares, read_games,
};
pub use regret::{Comparison, JudgedFile, JudgedFileError, Regret, RegretConfig, TestPosition, judge};
pub use sample::Sample;
pub use selfplay::{
    Engine, MOST_THREADS, SelfPlayConfig, SelfPlayError, SelfPlayPicker, SelfPlayPickerError, engine_signature, play,
};
pub use sizes::{Sizes, SizesError};
pub use weight_files::WeightFile;
