//! [`GameSource`]: games by their index, in memory or, as a [`GameStore`], on disk.

use super::error::GameFileError;
use super::game::SelfPlayGame;
use super::reader::{GameReader, Games, Place};

/// Games that are read by their index.
pub trait GameSource {
    /// Number of games.
    fn count(&self) -> usize;

    /// Reads a game.
    ///
    /// # Errors
    /// When its file cannot be read, or is damaged there.
    ///
    /// # Panics
    /// When the index is not below [`count`](Self::count).
    fn game(&mut self, index: usize) -> Result<SelfPlayGame, GameFileError>;

    /// The seed of a game's run, and the number of the game in it. They stay the same when files of other runs are added.
    ///
    /// # Panics
    /// When the index is not below [`count`](Self::count).
    fn run_and_number(&self, index: usize) -> (u64, u32);
}

/// Games of one run in memory.
impl GameSource for Vec<SelfPlayGame> {
    fn count(&self) -> usize {
        self.len()
    }

    fn game(&mut self, index: usize) -> Result<SelfPlayGame, GameFileError> {
        Ok(self[index].clone())
    }

    fn run_and_number(&self, index: usize) -> (u64, u32) {
        (0, self[index].number)
    }
}

/// The games of some files in the order of [`Games`]. Each is read when it is asked for: memory holds 16 bytes a game.
#[derive(Debug)]
pub struct GameStore {
    files: Vec<GameReader>,
    places: Vec<Place>,
}

impl GameStore {
    /// Finds the games.
    ///
    /// # Errors
    /// When two files of one run hold the same game.
    pub fn new(mut games: Games) -> Result<Self, GameFileError> {
        let mut places = std::iter::from_fn(|| games.next_place()).collect::<Result<Vec<_>, _>>()?;
        places.shrink_to_fit();
        Ok(Self { files: games.into_files(), places })
    }

    /// The files.
    pub fn files(&self) -> &[GameReader] {
        &self.files
    }
}

impl GameSource for GameStore {
    fn count(&self) -> usize {
        self.places.len()
    }

    fn game(&mut self, index: usize) -> Result<SelfPlayGame, GameFileError> {
        let Place { file, offset, .. } = self.places[index];
        self.files[file as usize].read_at(offset)
    }

    fn run_and_number(&self, index: usize) -> (u64, u32) {
        let Place { file, number, .. } = self.places[index];
        (self.files[file as usize].header.settings.seed, number)
    }
}
