//! The files of the page, part of the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// The path below the root of the server.
    pub path: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// The file.
    pub text: &'static str,
}

/// The drawing of a board, shared by the page and the reports.
pub(super) const BOARD: &str = include_str!("page/board.js");

/// The colors and sizes of both.
pub(super) const STYLE: &str = include_str!("page/style.css");

/// The texts of both, in English and Chinese.
pub(super) const TEXTS: &str = include_str!("page/texts.js");

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files; the first is the page itself.
pub const FILES: [PageFile; 11] = [
    PageFile { path: "/", kind: "text/html; charset=utf-8", text: include_str!("page/index.html") },
    PageFile { path: "/style.css", kind: "text/css; charset=utf-8", text: STYLE },
    PageFile { path: "/texts.js", kind: SCRIPT, text: TEXTS },
    PageFile { path: "/board.js", kind: SCRIPT, text: BOARD },
    PageFile { path: "/tree.js", kind: SCRIPT, text: include_str!("page/tree.js") },
    PageFile { path: "/kept.js", kind: SCRIPT, text: include_str!("page/kept.js") },
    PageFile { path: "/link.js", kind: SCRIPT, text: include_str!("page/link.js") },
    PageFile { path: "/views.js", kind: SCRIPT, text: include_str!("page/views.js") },
    PageFile { path: "/play.js", kind: SCRIPT, text: include_str!("page/play.js") },
    PageFile { path: "/app.js", kind: SCRIPT, text: include_str!("page/app.js") },
    PageFile { path: "/icon.svg", kind: "image/svg+xml", text: include_str!("page/icon.svg") },
];
