//! The commands of other engines. Each is answered with one UNKNOWN line, and its data lines must not run as commands.
//!
//! The table lists the words of Yixin-Board and its fork, Rapfi, AlphaGomoku and SlowRenju.

/// The data lines after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// No data.
    None,
    /// Lines, ended by DONE.
    List,
    /// A path, after the word or on the next line.
    Path,
    /// One or two paths.
    Paths,
    /// An optional path.
    MaybePath,
}

/// The foreign words, upper case, and their data.
const FOREIGN: [(&str, Data); 36] = [
    // Hash tables, models and settings.
    ("LOADMODEL", Data::Path),
    ("EXPORTMODEL", Data::Path),
    ("RELOADCONFIG", Data::MaybePath),
    ("CLEARHASH", Data::None),
    ("PROTOCOLVERSION", Data::None),
    // Analysis.
    ("SRNBEST", Data::None),
    ("BALANCE", Data::None),
    ("YXPRINTFEATURE", Data::None),
    ("PONDER", Data::None),
    ("BENCH", Data::None),
    ("TRACEBOARD", Data::None),
    ("TRACESEARCH", Data::None),
    ("SHOWFORBID", Data::List),
    ("YXBLOCKPATH", Data::List),
    ("YXBLOCKPATHUNDO", Data::List),
    ("SUGGEST", Data::None),
    // Openings.
    ("SWAPBOARD", Data::List),
    ("SWAP1STBOARD", Data::List),
    ("SWAP5BOARD", Data::List),
    ("SWAP5STEP1", Data::None),
    ("SWAP5STEP2", Data::None),
    ("SWAP5STEP3", Data::None),
    ("PROBOARD", Data::List),
    ("LONGPROBOARD", Data::List),
    // Databases.
    ("YXSETBESTMOVEDATABASE", Data::List),
    ("YXCLEARBESTMOVEDATABASE", Data::List),
    ("YXDBTOPOS", Data::Paths),
    ("YXTXTTODB", Data::Paths),
    ("YXDBCHECK", Data::None),
    ("YXDBFIX", Data::None),
    // AlphaGomoku's steps of the renju openings.
    ("RIF", Data::None),
    ("SOOSYRV", Data::None),
    ("TARAGUCHI", Data::None),
    ("SAKATA", Data::None),
    ("TARANNIKOV", Data::None),
    ("LIANHUAN", Data::None),
];

/// The data of a foreign word. `None` if the word is unknown.
pub(super) fn data(word: &str) -> Option<Data> {
    FOREIGN.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, data)| *data)
}
