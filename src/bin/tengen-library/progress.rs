//! Progress bars. They are drawn only on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// The bar of a number of searches, or a spinner if it is not known.
pub(crate) fn searches(count: Option<u64>) -> ProgressBar {
    let bar = count.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let template = match count {
        Some(_) => "{elapsed_precise} {bar:30} {pos}/{len} searches, {msg}",
        None => "{elapsed_precise} {pos} searches, {msg}",
    };
    // The templates above are valid; the default style would do as well.
    ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}
