//! The files of the page, part of the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// The path below the root of the server.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub kind: &'static str,
    /// The content.
    pub text: &'static str,
}

/// The files of the folder `page` with these names.
macro_rules! page_files {
    ($($name:literal)*) => { &[$(PageFile::new(concat!("/", $name), include_str!(concat!("page/", $name)))),*] };
}

/// All files of the page. `/index.html` is also served as `/`.
pub const FILES: &[PageFile] = page_files! {
    "index.html"
    "style.css"
    "icon.svg"
    "main.js"
    "actions.js"
    "agreement.js"
    "catalogue.js"
    "channel.js"
    "clocks.js"
    "dialogs.js"
    "dom.js"
    "engines.js"
    "events.js"
    "fairness.js"
    "files.js"
    "format.js"
    "keys.js"
    "library.js"
    "notes.js"
    "opening.js"
    "players.js"
    "points.js"
    "position.js"
    "procedure.js"
    "proofs.js"
    "puzzles.js"
    "recent.js"
    "server.js"
    "sound.js"
    "state/answers.js"
    "state/change.js"
    "state/clocks.js"
    "state/games.js"
    "state/index.js"
    "state/opening.js"
    "state/read.js"
    "state/store.js"
    "storage.js"
    "texts.js"
    "tree.js"
    "verdict.js"
    "words.js"
    "render/analysis.js"
    "render/board.js"
    "render/controls.js"
    "render/evaluation.js"
    "render/fairness.js"
    "render/games.js"
    "render/goban.js"
    "render/graph.js"
    "render/index.js"
    "render/library.js"
    "render/lists.js"
    "render/moves.js"
    "render/openings.js"
    "render/overlays/index.js"
    "render/overlays/library.js"
    "render/overlays/shapes.js"
    "render/overlays/weights.js"
    "render/players.js"
    "render/point.js"
    "render/puzzles.js"
    "render/question.js"
    "render/recent.js"
    "render/review.js"
    "render/table.js"
    "render/why.js"
};

/// The scripts of the report of a match, each after those that it imports. The server does not send them.
pub const REPORT_FILES: &[PageFile] = page_files! {
    "report/parts.js"
    "report/statements.js"
    "report/curve.js"
    "report/replay.js"
    "report/disagreements.js"
    "report.js"
};

/// The page itself.
pub const INDEX: &PageFile = &FILES[0];

impl PageFile {
    const fn new(path: &'static str, text: &'static str) -> Self {
        // The ending is enough: the names are those above.
        let kind = match path.as_bytes() {
            [.., b'h', b't', b'm', b'l'] => "text/html; charset=utf-8",
            [.., b'.', b'c', b's', b's'] => "text/css; charset=utf-8",
            [.., b'.', b's', b'v', b'g'] => "image/svg+xml",
            _ => "text/javascript; charset=utf-8",
        };
        Self { path, kind, text }
    }
}

/// The text of a file of the page.
pub(super) fn text(path: &str) -> &'static str {
    FILES.iter().find(|file| file.path == path).map_or("", |file| file.text)
}
