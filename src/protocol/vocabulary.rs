//! The commands of other engines: each is answered by one UNKNOWN line, and its data lines must not be run as commands.
//!
//! The words are those of Yixin-Board and its fork, of Rapfi, AlphaGomoku and SlowRenju.

/// What follows a command on lines of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// Nothing.
    None,
    /// Lines up to DONE.
    List,
    /// A path on the next line, where it does not stand behind the word.
    Path,
    /// A path, and perhaps a second one.
    Paths,
    /// A path or nothing.
    MaybePath,
}

/// The foreign words, upper case, and their data.
const FOREIGN: [(&str, Data); 75] = [
    // Hash tables, models and settings.
    ("YXHASHDUMP", Data::Path),
    ("YXHASHLOAD", Data::Path),
    ("YXSHOWHASHUSAGE", Data::None),
    ("LOADMODEL", Data::Path),
    ("EXPORTMODEL", Data::Path),
    ("RELOADCONFIG", Data::MaybePath),
    ("CLEARHASH", Data::None),
    ("PROTOCOLVERSION", Data::None),
    // Analysis.
    ("SRNBEST", Data::None),
    ("YXBALANCEONE", Data::None),
    ("YXBALANCETWO", Data::None),
    ("BALANCE", Data::None),
    ("YXSEARCHDEFEND", Data::None),
    ("YXPRINTFEATURE", Data::None),
    ("PONDER", Data::None),
    ("BENCH", Data::None),
    ("TRACEBOARD", Data::None),
    ("TRACESEARCH", Data::None),
    ("SHOWFORBID", Data::List),
    ("YXFORBID", Data::None),
    ("YXBLOCK", Data::List),
    ("YXBLOCKUNDO", Data::List),
    ("YXBLOCKRESET", Data::None),
    ("YXBLOCKPATH", Data::List),
    ("YXBLOCKPATHUNDO", Data::List),
    ("YXBLOCKPATHRESET", Data::None),
    // The end of a game.
    ("YXDRAW", Data::None),
    ("YXRESIGN", Data::None),
    ("SUGGEST", Data::None),
    // Openings.
    ("YXSWAP2STEP1", Data::None),
    ("YXSWAP2STEP2", Data::None),
    ("YXSWAP2STEP3", Data::None),
    ("YXSOOSORVSTEP1", Data::None),
    ("YXSOOSORVSTEP2", Data::None),
    ("YXSOOSORVSTEP3", Data::None),
    ("YXSOOSORVSTEP4", Data::None),
    ("YXSOOSORVSTEP5", Data::None),
    ("YXSOOSORVSTEP6", Data::None),
    ("SWAPBOARD", Data::List),
    ("SWAP1STBOARD", Data::List),
    ("SWAP5BOARD", Data::List),
    ("SWAP5STEP1", Data::None),
    ("SWAP5STEP2", Data::None),
    ("SWAP5STEP3", Data::None),
    ("PROBOARD", Data::List),
    ("LONGPROBOARD", Data::List),
    // Databases.
    ("YXSETDATABASE", Data::Path),
    ("YXSAVEDATABASE", Data::None),
    ("YXQUERYDATABASEALL", Data::List),
    ("YXQUERYDATABASEALLT", Data::List),
    ("YXQUERYDATABASEONE", Data::List),
    ("YXQUERYDATABASETEXT", Data::List),
    ("YXEDITLABELDATABASE", Data::List),
    ("YXEDITTVDDATABASE", Data::List),
    ("YXEDITTEXTDATABASE", Data::List),
    ("YXDELETEDATABASEONE", Data::List),
    ("YXDELETEDATABASEALL", Data::List),
    ("YXSETBESTMOVEDATABASE", Data::List),
    ("YXCLEARBESTMOVEDATABASE", Data::List),
    ("YXDBTOPOS", Data::Paths),
    ("YXDBTOTXT", Data::Paths),
    ("YXDBTOTXTALL", Data::Paths),
    ("YXTXTTODB", Data::Paths),
    ("YXDBTOLIB", Data::Paths),
    ("YXLIBTODB", Data::Paths),
    ("YXDBSPLIT", Data::Paths),
    ("YXDBMERGE", Data::Paths),
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

/// The data of a foreign word; `None` where the word is unknown.
pub(super) fn foreign(word: &str) -> Option<Data> {
    FOREIGN.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, data)| *data)
}
