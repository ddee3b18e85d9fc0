//! Progress bars. They are drawn only on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// The counter of files that are read.
pub(crate) fn files() -> ProgressBar {
    styled(ProgressBar::no_length(), "{elapsed_precise} {pos} files, {msg}")
}

/// The bar of a number of searches, or a spinner if it is not known.
pub(crate) fn searches(count: Option<u64>) -> ProgressBar {
    let bar = count.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let template = match count {
        Some(_) => "{elapsed_precise} {bar:30} {pos}/{len} searches, {msg}",
        None => "{elapsed_precise} {pos} searches, {msg}",
    };
    styled(bar, template)
}

/// A bar with a template. The templates are valid; the default style would do as well.
fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}
