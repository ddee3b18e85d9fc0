//! What a page without a server lacks: engines, which are processes, and a library, which is a file. The types are those
//! of `guests` and `library`, but have no values.

/// Engines.
pub mod guests {
    use std::convert::Infallible;
    use std::path::PathBuf;

    use serde_json::Value;

    use crate::opening::Negotiation;
    use crate::web::Failure;
    use crate::web::message::{Effort, GameText};
    use crate::web::session::Ticket;

    /// An engine.
    #[derive(Clone, Debug)]
    pub struct EngineSpec {
        /// Its name.
        pub name: String,
        never: Infallible,
    }

    /// The result of a job: the kind of the answer to the page, and its fields.
    pub(in crate::web) type JobResult = Result<(&'static str, Value), Infallible>;

    /// A question to an engine.
    #[expect(dead_code, reason = "nothing reads it")]
    pub(in crate::web) enum Task {
        Move(GameText),
        Opening(Box<Negotiation>, bool),
    }

    /// A question with the limits of its answer and the receiver.
    #[expect(dead_code, reason = "nothing reads it")]
    pub(in crate::web) struct Asked {
        pub(in crate::web) task: Task,
        pub(in crate::web) effort: Effort,
        pub(in crate::web) tell: Box<dyn FnOnce(JobResult) + Send>,
    }

    /// The engines of a session.
    #[derive(Default)]
    pub(in crate::web) struct Engines {}

    impl Engines {
        pub(in crate::web) fn ask(&self, spec: &EngineSpec, _: Option<&PathBuf>, _: Asked) -> Result<(), Failure> {
            match spec.never {}
        }

        pub(in crate::web) fn halt(&self, _: &str, _: Ticket) {}
    }
}

/// A library.
pub mod library {
    use std::convert::Infallible;

    use serde_json::Value;

    use crate::library::{Cursor, ExportFormat};
    use crate::picker::Answer;
    use crate::web::Failure;
    use crate::web::message::{FileToImport, GameText, LibraryChange};

    /// Maximum size in bytes of a file that a page imports.
    pub(in crate::web) const MOST_FILE: usize = 0;

    /// A library.
    #[derive(Debug)]
    pub struct SharedLibrary(Infallible);

    impl SharedLibrary {
        pub(in crate::web) fn name(&self) -> String {
            match self.0 {}
        }

        pub(in crate::web) fn known(&self, _: &GameText) -> Value {
            match self.0 {}
        }

        pub(in crate::web) fn edit(&self, _: &GameText, _: &LibraryChange) -> Result<Value, Failure> {
            match self.0 {}
        }

        pub(in crate::web) fn keep(&self, _: &Cursor, _: &Answer) -> Result<bool, Failure> {
            match self.0 {}
        }

        pub(in crate::web) fn undo(&self) -> Result<Value, Failure> {
            match self.0 {}
        }

        pub(in crate::web) fn import(&self, _: &FileToImport) -> Result<Value, Failure> {
            match self.0 {}
        }

        pub(in crate::web) fn export(&self, _: &GameText, _: ExportFormat) -> Result<Value, Failure> {
            match self.0 {}
        }
    }

    /// The position of a game that a library can hold.
    ///
    /// # Errors
    /// Always.
    pub(in crate::web) fn checked_cursor(_: &GameText) -> Result<Cursor, Failure> {
        Err(Failure::NoLibrary)
    }
}
