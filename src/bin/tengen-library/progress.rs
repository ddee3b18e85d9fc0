//! Progress bars. They are drawn only on a terminal.

use std::time::Duration;

use indicatif::{FormattedDuration, ProgressBar, ProgressStyle};
use tengen::expansion::Progress;
use tengen::library::{Edit, EditProgress, Stage};

/// The template of a bar without an end.
const COUNTER: &str = "{elapsed_precise} {pos} positions {msg}";

/// The template of a bar with an end.
const BAR: &str = "{elapsed_precise} {bar:30} {pos}/{len} positions {msg}";

/// The bar of a change: what is read, then the stages of the commit.
#[derive(Clone)]
pub(crate) struct EditBar(ProgressBar);

impl EditBar {
    /// The bar of an edit.
    pub(crate) fn of(edit: &mut Edit<'_>) -> Self {
        let bar = Self(styled(ProgressBar::no_length(), COUNTER));
        let shown = bar.clone();
        edit.watch(move |progress| shown.show(progress));
        bar
    }

    /// Names the file that is read.
    pub(crate) fn read(&self, name: &str) {
        self.0.set_message(format!("up to {name}"));
    }

    fn show(&self, progress: EditProgress) {
        let EditProgress { stage, done, total } = progress;
        let name = match stage {
            Stage::Adding => None,
            Stage::Linking => Some("linked"),
            Stage::Flowing => Some("with their results"),
            Stage::Writing => Some("written"),
        };
        let bar = styled(self.0.clone(), if name.is_some() { BAR } else { COUNTER });
        name.into_iter().for_each(|name| bar.set_message(name));
        bar.set_length(total);
        bar.set_position(done);
    }

    /// Prints a line above the bar.
    pub(crate) fn print(&self, line: &str) {
        self.0.suspend(|| crate::report(line));
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}

/// The bar of an expansion, to its time or to its number of searches.
pub(crate) struct SearchBar {
    bar: ProgressBar,
    time: Option<Duration>,
}

impl SearchBar {
    pub(crate) fn new(time: Option<Duration>, searches: Option<u64>) -> Self {
        let (bar, template) = match (time, searches) {
            (Some(time), _) => (ProgressBar::new(time.as_secs()), "{bar:30} {msg}"),
            (None, Some(count)) => (ProgressBar::new(count), "{bar:30} {pos}/{len}, {eta} left, {msg}"),
            (None, None) => (ProgressBar::no_length(), "{elapsed_precise} {msg}"),
        };
        Self { bar: styled(bar, template), time }
    }

    /// Shows the progress after a batch.
    pub(crate) fn show(&self, progress: &Progress) {
        let &Progress { searches, added, root, time, .. } = progress;
        let score = root.map_or("-".to_owned(), |score| score.value().to_string());
        let left = self.time.map(|all| format!("{} left, ", FormattedDuration(all.saturating_sub(time))));
        self.bar.set_position(if self.time.is_some() { time.as_secs() } else { searches });
        let left = left.unwrap_or_default();
        self.bar.set_message(format!("{left}{searches} searches, {added} new positions, score {score}"));
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar with a template. The templates are valid; the default style would do as well.
fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}
