//! [`Command`]: the table of commands. It does not depend on the game, the clock or I/O.
//!
//! A new command is a variant of [`Command`] with its spellings, a row of [`Word::traits`], an arm in `syntax.rs` and
//! an arm in `session/commands.rs`; the compiler asks for each of them. A test asks for its row in `docs/protocol.md`.

use strum::{EnumDiscriminants, EnumIter, EnumMessage, EnumString, IntoEnumIterator};

use super::database::DeleteFilter;
use super::list::{MoveList, OpeningList, PointList, StoneList};
use super::refused::{CommandError, RefusedCommand};
use super::settings::Info;
use crate::board::{Color, Point, Size};
use crate::library::format::rapfi::RapfiChange;
use crate::weights::Weighting;

/// A command of the manager. Its word in the protocol is a `Word`, in upper or lower case; the data of the variant are
/// the arguments.
#[derive(Clone, Debug, PartialEq, EnumDiscriminants)]
#[strum_discriminants(name(Word), vis(pub(super)), doc = "The word of a command, without its arguments.")]
#[strum_discriminants(derive(EnumString, EnumIter, EnumMessage), strum(ascii_case_insensitive))]
pub enum Command {
    /// `START n`, `RECTSTART n,n`: a new board.
    #[strum_discriminants(strum(serialize = "START", serialize = "RECTSTART"))]
    Start(Size),
    /// `RESTART`: the same board, empty.
    #[strum_discriminants(strum(serialize = "RESTART"))]
    Restart,
    /// `BEGIN`: the engine moves.
    #[strum_discriminants(strum(serialize = "BEGIN"))]
    Begin,
    /// `TURN x,y`: the opponent's stone; the engine moves.
    #[strum_discriminants(strum(serialize = "TURN"))]
    Turn(Point),
    /// `PLAY x,y`: plays the engine's stone at a point that the manager chose.
    #[strum_discriminants(strum(serialize = "PLAY"))]
    Play(Point),
    /// `TAKEBACK x,y`: removes a stone.
    #[strum_discriminants(strum(serialize = "TAKEBACK"))]
    Takeback(Point),
    /// `BOARD … DONE`: a whole position; the engine moves.
    #[strum_discriminants(strum(serialize = "BOARD"))]
    Board(StoneList),
    /// `YXBOARD … DONE`: sets a whole position; not answered.
    #[strum_discriminants(strum(serialize = "YXBOARD"))]
    YxBoard(StoneList),
    /// `SWAP2BOARD … DONE`: a question of Swap2.
    #[strum_discriminants(strum(serialize = "SWAP2BOARD"))]
    Swap2Board(PointList),
    /// `OPENBOARD procedure … DONE`, an extension: a question of an opening procedure about the answers so far.
    #[strum_discriminants(strum(serialize = "OPENBOARD"))]
    OpenBoard(OpeningList),
    /// `YXNBEST n`: the engine moves and reports its n best moves.
    #[strum_discriminants(strum(serialize = "YXNBEST"))]
    NBest(usize),
    /// `YXSEARCHDEFEND`: the engine moves and reports every move that does not lose.
    #[strum_discriminants(strum(serialize = "YXSEARCHDEFEND"))]
    SearchDefend,
    /// `YXBALANCEONE n`: the move after which the score is nearest to n.
    #[strum_discriminants(strum(serialize = "YXBALANCEONE"))]
    BalanceOne(i32),
    /// `YXBALANCETWO n`: the same for two stones.
    #[strum_discriminants(strum(serialize = "YXBALANCETWO"))]
    BalanceTwo(i32),
    /// `YXSWAP2STEP1` to `3`: a question of Swap2 about the stones on the board, answered by messages.
    #[strum_discriminants(strum(serialize = "YXSWAP2STEP1", serialize = "YXSWAP2STEP2", serialize = "YXSWAP2STEP3"))]
    Swap2Step(u8),
    /// `YXSOOSORVSTEP1` to `6`: a question of Soosõrv's rule with eight fifth moves, answered by messages.
    #[strum_discriminants(strum(
        serialize = "YXSOOSORVSTEP1",
        serialize = "YXSOOSORVSTEP2",
        serialize = "YXSOOSORVSTEP3"
    ))]
    #[strum_discriminants(strum(
        serialize = "YXSOOSORVSTEP4",
        serialize = "YXSOOSORVSTEP5",
        serialize = "YXSOOSORVSTEP6"
    ))]
    SoosorvStep(SoosorvStep, PointList),
    /// `YXBLOCK … DONE`: points that the engine must not play.
    #[strum_discriminants(strum(serialize = "YXBLOCK"))]
    Block(PointList),
    /// `YXBLOCKUNDO … DONE`: points that it may play again.
    #[strum_discriminants(strum(serialize = "YXBLOCKUNDO"))]
    BlockUndo(PointList),
    /// `YXBLOCKRESET`: the engine may play all points of YXBLOCK again.
    #[strum_discriminants(strum(serialize = "YXBLOCKRESET"))]
    BlockReset,
    /// `YXFORBID add x y side`, `YXFORBID del x y side`: forbids a point to the engine in one color, or allows it
    /// again.
    #[strum_discriminants(strum(serialize = "YXFORBID"))]
    Forbid(Forbid, Point, Color),
    /// `INFO key value`: a setting.
    #[strum_discriminants(strum(serialize = "INFO"))]
    Info(Info),
    /// `YXBLOCKPATHRESET`: does nothing, because the engine never blocks move sequences. `INFO` with an unknown key or
    /// value also becomes this command.
    #[strum_discriminants(strum(serialize = "YXBLOCKPATHRESET"))]
    Ignored,
    /// `ABOUT`: name, version and author of the engine.
    #[strum_discriminants(strum(serialize = "ABOUT"))]
    About,
    /// `STOP`, `YXSTOP`: the search ends with its move.
    #[strum_discriminants(strum(serialize = "STOP", serialize = "YXSTOP"))]
    Stop,
    /// `END`: the process ends.
    #[strum_discriminants(strum(serialize = "END"))]
    End,
    /// `YXSHOWINFO`: the greatest number of threads and the largest table; switches to Yixin's dialect.
    #[strum_discriminants(strum(serialize = "YXSHOWINFO"))]
    ShowInfo,
    /// `YXSHOWFORBID`: black's forbidden points.
    #[strum_discriminants(strum(serialize = "YXSHOWFORBID"))]
    ShowForbid,
    /// `YXHASHCLEAR`: clears the tables of the search.
    #[strum_discriminants(strum(serialize = "YXHASHCLEAR"))]
    HashClear,
    /// `YXSHOWHASHUSAGE`: how full the table of the search is.
    #[strum_discriminants(strum(serialize = "YXSHOWHASHUSAGE"))]
    HashUsage,
    /// `YXHASHDUMP` and a path: writes the table of the search to a file.
    #[strum_discriminants(strum(serialize = "YXHASHDUMP"))]
    HashDump(String),
    /// `YXHASHLOAD` and a path: reads the table of the search from a file.
    #[strum_discriminants(strum(serialize = "YXHASHLOAD"))]
    HashLoad(String),
    /// `YXQUERYDATABASEALL … DONE`: the moves and labels that the library knows of a position.
    #[strum_discriminants(strum(serialize = "YXQUERYDATABASEALL"))]
    DatabaseMoves(MoveList),
    /// `YXQUERYDATABASEALLT … DONE`: the same, and the comment on the position.
    #[strum_discriminants(strum(serialize = "YXQUERYDATABASEALLT"))]
    DatabasePosition(MoveList),
    /// `YXQUERYDATABASEONE … DONE`: the numbers of a position.
    #[strum_discriminants(strum(serialize = "YXQUERYDATABASEONE"))]
    DatabaseRecord(MoveList),
    /// `YXQUERYDATABASETEXT … DONE`: the comment on a position.
    #[strum_discriminants(strum(serialize = "YXQUERYDATABASETEXT"))]
    DatabaseComment(MoveList),
    /// `YXEDITTVDDATABASE mask label value depth … DONE`: changes numbers of a position.
    #[strum_discriminants(strum(serialize = "YXEDITTVDDATABASE"))]
    DatabaseEditNumbers(RapfiChange, MoveList),
    /// `YXEDITTEXTDATABASE "text" … DONE`: sets the comment on a position.
    #[strum_discriminants(strum(serialize = "YXEDITTEXTDATABASE"))]
    DatabaseEditComment(String, MoveList),
    /// `YXEDITLABELDATABASE x,y text … DONE`: sets the label on a point of a position, or removes it.
    #[strum_discriminants(strum(serialize = "YXEDITLABELDATABASE"))]
    DatabaseEditLabel(Point, String, MoveList),
    /// `YXDELETEDATABASEONE … DONE`: removes a position.
    #[strum_discriminants(strum(serialize = "YXDELETEDATABASEONE"))]
    DatabaseDelete(MoveList),
    /// `YXDELETEDATABASEALL [filter] … DONE`: removes the positions after a position.
    #[strum_discriminants(strum(serialize = "YXDELETEDATABASEALL"))]
    DatabaseDeleteAll(DeleteFilter, MoveList),
    /// `YXSETDATABASE` and a path: opens or creates a library.
    #[strum_discriminants(strum(serialize = "YXSETDATABASE"))]
    DatabaseOpen(String),
    /// `YXSAVEDATABASE`: answered at once, because every change is in the file already.
    #[strum_discriminants(strum(serialize = "YXSAVEDATABASE"))]
    DatabaseSave,
    /// `YXDBMERGE`, `YXLIBTODB` and a path: adds what a file holds.
    #[strum_discriminants(strum(serialize = "YXDBMERGE", serialize = "YXLIBTODB"))]
    DatabaseMerge(String),
    /// `YXDBSPLIT` and a path: writes the branch of the game's position to a file.
    #[strum_discriminants(strum(serialize = "YXDBSPLIT"))]
    DatabaseSplit(String),
    /// `YXDBTOLIB` and a path: writes that branch as a library of RenLib.
    #[strum_discriminants(strum(serialize = "YXDBTOLIB"))]
    DatabaseToLib(String),
    /// `YXDBTOTXT` and a path: writes the positions of the game's rule and size as a table.
    #[strum_discriminants(strum(serialize = "YXDBTOTXT"))]
    DatabaseToTable(String),
    /// `YXDBTOTXTALL` and a path: writes all positions as a table.
    #[strum_discriminants(strum(serialize = "YXDBTOTXTALL"))]
    DatabaseToFullTable(String),
    /// `YXDRAW`: offers a draw.
    #[strum_discriminants(strum(serialize = "YXDRAW"))]
    Draw,
    /// `YXRESIGN`: the opponent resigns.
    #[strum_discriminants(strum(serialize = "YXRESIGN"))]
    Resign,
    /// `WEIGHTS [NAME]`, an extension: the weights of every empty point.
    #[strum_discriminants(strum(serialize = "WEIGHTS"))]
    Weights(Option<Weighting>),
    /// A known command with an invalid argument.
    #[strum_discriminants(strum(disabled))]
    Refused(RefusedCommand),
    /// A command of another engine.
    #[strum_discriminants(strum(disabled))]
    Foreign,
    /// An unknown command.
    #[strum_discriminants(strum(disabled))]
    Unknown,
}

/// A row of the table of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    pub(super) arguments: Arguments,
    pub(super) search: DuringSearch,
    pub(super) pondering: DuringPondering,
    pub(super) uses: Use,
}

/// Text after the word on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    /// Arguments, perhaps optional ones.
    Read,
    /// Nothing. The parser receives no text that stands there.
    Skipped,
}

/// When a command is carried out while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuringSearch {
    /// The search ends with its move first: the command changes the game, or its reply must follow the move.
    AfterMove,
    /// At once: the search does not read what the command changes, or the command is for it (`INFO`, `STOP`, `END`).
    AtOnce,
}

/// Effect of a command on pondering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DuringPondering {
    /// The search ends.
    Ends,
    /// The search goes on. Yixin-Board sends such commands after each move.
    GoesOn,
}

/// What a command uses besides the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Asks the picker a question.
    Asks,
    /// Reads or writes the tables now. `YXHASHCLEAR` does not: the picker forgets before its next use.
    Tables,
    /// Reads or writes the library.
    Library,
    /// Neither the picker nor the library.
    Nothing,
}

impl Word {
    /// The table.
    #[rustfmt::skip]
    const fn traits(self) -> Traits {
        use Arguments::{Read, Skipped};
        use DuringPondering::{Ends, GoesOn};
        use DuringSearch::{AfterMove, AtOnce};
        use Use::{Asks, Library, Nothing, Tables};
        let (arguments, search, pondering, uses) = match self {
            //                          arguments  in a search  pondering  uses
            Self::Start             => (Read,      AfterMove,   Ends,      Nothing),
            Self::Restart           => (Skipped,   AfterMove,   Ends,      Nothing),
            Self::Begin             => (Skipped,   AfterMove,   Ends,      Asks),
            Self::Turn              => (Read,      AfterMove,   Ends,      Asks),
            Self::Play              => (Read,      AfterMove,   Ends,      Nothing),
            Self::Takeback          => (Read,      AfterMove,   Ends,      Nothing),
            Self::Board             => (Skipped,   AfterMove,   Ends,      Asks),
            Self::YxBoard           => (Skipped,   AfterMove,   Ends,      Nothing),
            Self::Swap2Board        => (Skipped,   AfterMove,   Ends,      Asks),
            Self::OpenBoard         => (Read,      AfterMove,   Ends,      Asks),
            Self::NBest             => (Read,      AfterMove,   Ends,      Asks),
            Self::SearchDefend      => (Skipped,   AfterMove,   Ends,      Asks),
            Self::BalanceOne        => (Read,      AfterMove,   Ends,      Asks),
            Self::BalanceTwo        => (Read,      AfterMove,   Ends,      Asks),
            Self::Swap2Step         => (Skipped,   AfterMove,   Ends,      Asks),
            Self::SoosorvStep       => (Read,      AfterMove,   Ends,      Asks),
            Self::Block             => (Skipped,   AtOnce,      Ends,      Nothing),
            Self::BlockUndo         => (Skipped,   AtOnce,      Ends,      Nothing),
            Self::BlockReset        => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::Forbid            => (Read,      AtOnce,      Ends,      Nothing),
            Self::Info              => (Read,      AtOnce,      Ends,      Nothing),
            Self::Ignored           => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::About             => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::Stop              => (Skipped,   AtOnce,      Ends,      Nothing),
            Self::End               => (Skipped,   AtOnce,      Ends,      Nothing),
            Self::ShowInfo          => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::ShowForbid        => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::HashClear         => (Skipped,   AtOnce,      Ends,      Nothing),
            Self::HashUsage         => (Skipped,   AtOnce,      Ends,      Tables),
            Self::HashDump          => (Read,      AfterMove,   Ends,      Tables),
            Self::HashLoad          => (Read,      AfterMove,   Ends,      Tables),
            Self::DatabaseMoves     => (Skipped,   AtOnce,      GoesOn,    Library),
            Self::DatabasePosition  => (Skipped,   AtOnce,      GoesOn,    Library),
            Self::DatabaseRecord    => (Skipped,   AtOnce,      GoesOn,    Library),
            Self::DatabaseComment   => (Skipped,   AtOnce,      GoesOn,    Library),
            Self::DatabaseEditNumbers => (Read,    AtOnce,      GoesOn,    Library),
            Self::DatabaseEditComment => (Read,    AtOnce,      GoesOn,    Library),
            Self::DatabaseEditLabel => (Read,      AtOnce,      GoesOn,    Library),
            Self::DatabaseDelete    => (Skipped,   AtOnce,      GoesOn,    Library),
            Self::DatabaseDeleteAll => (Read,      AfterMove,   Ends,      Library),
            Self::DatabaseOpen      => (Read,      AfterMove,   Ends,      Library),
            Self::DatabaseSave      => (Skipped,   AtOnce,      GoesOn,    Library),
            Self::DatabaseMerge     => (Read,      AfterMove,   Ends,      Library),
            Self::DatabaseSplit     => (Read,      AfterMove,   Ends,      Library),
            Self::DatabaseToLib     => (Read,      AfterMove,   Ends,      Library),
            Self::DatabaseToTable   => (Read,      AfterMove,   Ends,      Library),
            Self::DatabaseToFullTable => (Read,    AfterMove,   Ends,      Library),
            Self::Draw              => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::Resign            => (Skipped,   AtOnce,      Ends,      Nothing),
            Self::Weights           => (Read,      AtOnce,      GoesOn,    Nothing),
            Self::Refused           => (Skipped,   AfterMove,   Ends,      Nothing),
            Self::Foreign           => (Skipped,   AtOnce,      GoesOn,    Nothing),
            Self::Unknown           => (Skipped,   AtOnce,      GoesOn,    Nothing),
        };
        Traits { arguments, search, pondering, uses }
    }

    /// Whether arguments may follow the word on its line.
    pub(super) fn has_arguments(self) -> bool {
        self.traits().arguments == Arguments::Read
    }

    /// The spellings of the word.
    pub(super) fn spellings(self) -> &'static [&'static str] {
        self.get_serializations()
    }
}

impl Command {
    /// The words of all commands, in every spelling.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Word::iter().flat_map(Word::spellings).copied()
    }

    /// A command with this word whose argument is invalid.
    pub(super) fn refused(word: Word, error: impl Into<CommandError>) -> Self {
        Self::Refused(RefusedCommand::new(word, error.into()))
    }

    /// The row of the command in the table. A refused command ends a search or pondering only if its word does.
    pub(super) fn traits(&self) -> Traits {
        let traits = Word::from(self).traits();
        let Self::Refused(refused) = self else { return traits };
        let Traits { search, pondering, .. } = refused.word().traits();
        Traits { search, pondering, ..traits }
    }

    /// Whether the command asks a question about a position.
    pub fn asks(&self) -> bool {
        self.traits().uses == Use::Asks
    }

    /// Whether the command changes the position without a question about it.
    pub(crate) const fn changes_the_position(&self) -> bool {
        matches!(self, Self::Start(_) | Self::Restart | Self::Play(_) | Self::Takeback(_) | Self::YxBoard(_))
    }

    /// Whether the command is about the tables or the library, not about a game.
    pub(crate) fn is_about_files(&self) -> bool {
        matches!(self.traits().uses, Use::Tables | Use::Library)
    }
}

/// A step of Yixin-Board's Soosõrv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoosorvStep {
    /// Its number, 1 to 6.
    pub step: u8,
    /// The number of fifth moves, sent with the fourth and the fifth step.
    pub fifths: Option<u8>,
}

/// The action of YXFORBID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(ascii_case_insensitive)]
pub enum Forbid {
    /// Forbids the point.
    Add,
    /// Allows it again.
    #[strum(serialize = "del")]
    Delete,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::foreign;
    use super::*;

    /// The page of the protocol.
    const PAGE: &str = include_str!("../../docs/protocol.md");

    /// The words in upper case between backticks in a text.
    fn words(text: &str) -> BTreeSet<String> {
        let quoted = text.split('`').skip(1).step_by(2).filter_map(|code| code.split_whitespace().next());
        let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        quoted.filter(is_word).map(str::to_owned).collect()
    }

    /// The spellings of the words whose row meets a condition.
    fn spellings(is_meant: impl Fn(Traits) -> bool) -> BTreeSet<String> {
        let meant = Word::iter().filter(|word| is_meant(word.traits()));
        meant.flat_map(Word::spellings).map(|&spelling| spelling.to_owned()).collect()
    }

    /// The first cells of the tables of a section of the page.
    fn first_cells(heading: &str) -> String {
        let (_, section) = PAGE.split_once(&format!("\n{heading}\n")).expect(heading);
        let section = section.split("\n## ").next().unwrap();
        section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).collect()
    }

    #[test]
    fn every_spelling_is_in_upper_case_and_read_as_its_own_command() {
        for word in Word::iter() {
            let is_spelled = !matches!(word, Word::Refused | Word::Foreign | Word::Unknown);
            assert_eq!(!word.spellings().is_empty(), is_spelled, "{word:?}");
            for spelling in word.spellings() {
                let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
                assert!(spelling.bytes().all(is_upper), "{spelling}");
                for spelled in [spelling.to_string(), spelling.to_ascii_lowercase()] {
                    assert_eq!(spelled.parse(), Ok(word), "{spelled}");
                }
                assert!(*spelling != "DONE" && foreign::data(spelling).is_none(), "{spelling} has two meanings");
            }
        }
    }

    #[test]
    fn no_spelling_of_a_command_with_several_is_lost() {
        let several: Vec<_> = Word::iter().map(Word::spellings).filter(|spellings| spellings.len() > 1).collect();
        let expected: [&[&str]; 5] = [
            &["START", "RECTSTART"],
            &["YXSWAP2STEP1", "YXSWAP2STEP2", "YXSWAP2STEP3"],
            &[
                "YXSOOSORVSTEP1",
                "YXSOOSORVSTEP2",
                "YXSOOSORVSTEP3",
                "YXSOOSORVSTEP4",
                "YXSOOSORVSTEP5",
                "YXSOOSORVSTEP6",
            ],
            &["STOP", "YXSTOP"],
            &["YXDBMERGE", "YXLIBTODB"],
        ];
        assert_eq!(several, expected);
    }

    #[test]
    fn the_page_lists_every_command_and_no_other() {
        let known: BTreeSet<_> = Command::words().chain(["DONE"]).map(str::to_owned).collect();
        assert_eq!(words(&first_cells("## Commands")), known);
    }

    #[test]
    fn the_page_tells_what_each_command_does_to_a_search() {
        // The words of a section from a phrase to the end of its paragraph.
        let list = |heading: &str, phrase: &str| {
            let (_, section) = PAGE.split_once(&format!("\n{heading}\n")).expect(heading);
            let (_, rest) = section.split_once(phrase).expect(phrase);
            words(rest.split("\n\n").next().unwrap())
        };
        let waiting = list(
            "## While a search runs",
            "These commands end the search at once, and are carried out after its move:",
        );
        assert_eq!(waiting, spellings(|traits| traits.search == DuringSearch::AfterMove));
        let harmless = list("### The opponent's time", "These do not end it:");
        assert_eq!(harmless, spellings(|traits| traits.pondering == DuringPondering::GoesOn));
    }
}
