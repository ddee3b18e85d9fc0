//! [`Printer`]: chooses the search reports to write, and the time of each.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::detail::View;
use super::reply::Reply;
use crate::picker::{Question, Report};

/// Maximum number of text lines in any second if a person reads them. A program receives every report: there is at most
/// one per depth.
const LINES_PER_SECOND: usize = 4;

/// Chooses the reports to write: the reports within the limit of lines per second, and the last report of each
/// question.
#[derive(Debug, Default)]
pub(super) struct Printer {
    pace: Pace,
    /// The last report if it was not written.
    unwritten: Option<Report>,
}

impl Printer {
    /// The lines of a report to write now. Empty if the limit of this second is reached.
    pub(super) fn report(&mut self, report: Report, view: View, now: Instant) -> Vec<Reply> {
        let replies = view.replies(&report);
        if !replies.is_empty() && self.pace.admits(&report, view, 1, now) {
            self.unwritten = None;
            return replies;
        }
        self.unwritten = Some(report);
        Vec::new()
    }

    /// Keeps a report for [`finish`](Self::finish). If a question is answered at once, only its last report is written.
    pub(super) fn defer(&mut self, report: Report) {
        self.unwritten = Some(report);
    }

    /// The lines of a question's last report if they were not written yet. If the question asks for best moves, they
    /// are written at any detail and pace.
    pub(super) fn finish(&mut self, question: Question, view: View, now: Instant) -> Vec<Reply> {
        let Some(report) = self.unwritten.take() else { return Vec::new() };
        let is_asked_for = question.asks_for_lines();
        let view = if is_asked_for { view.with_text() } else { view };
        let mut replies = view.replies(&report);
        if replies.is_empty() && is_asked_for {
            replies = view.texts(&report);
        }
        if self.pace.admits(&report, view, 0, now) || is_asked_for { replies } else { Vec::new() }
    }
}

/// Limits the number of lines in any second, across questions.
#[derive(Debug, Default)]
struct Pace {
    /// The time of each line written in the last second.
    written: VecDeque<Instant>,
}

impl Pace {
    /// Whether this report may be written now while `reserved` lines of the second stay free. If so, its text lines are
    /// counted. A report with more lines than the limit is admitted if nothing else was written in the second.
    fn admits(&mut self, report: &Report, view: View, reserved: usize, now: Instant) -> bool {
        if !view.is_shown() {
            return true;
        }
        let lines = match report {
            Report::Weights(points) => points.len(),
            Report::Search(info) => info.lines.len(),
            Report::Book { .. } => 1,
        };
        let is_old = |written: &Instant| now.saturating_duration_since(*written) >= Duration::from_secs(1);
        while self.written.front().is_some_and(is_old) {
            self.written.pop_front();
        }
        let fits = self.written.is_empty() || self.written.len() + lines + reserved <= LINES_PER_SECOND;
        if fits {
            self.written.extend(std::iter::repeat_n(now, lines));
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::notation::parse_comma;
    use crate::picker::{Line, SearchInfo};
    use crate::protocol::coordinates::Labels;
    use crate::protocol::rule_number::Dialect;
    use crate::protocol::{Coordinates, Detail};

    fn view(detail: Detail, dialect: Dialect) -> View {
        View { detail, labels: Labels { coordinates: Coordinates::Letters, dialect, size: Size::FIFTEEN } }
    }

    /// A report of this depth with this number of lines of text.
    fn report(depth: u32, lines: usize) -> Report {
        let point = parse_comma("7,7").unwrap();
        let line = Line { points: vec![point], ..Line::default() };
        Report::Search(SearchInfo { depth, lines: vec![line; lines], ..SearchInfo::default() })
    }

    #[test]
    fn no_second_has_more_lines_than_a_person_reads() {
        let mut pace = Pace::default();
        let yixin = view(Detail::Text, Dialect::Yixin);
        let start = Instant::now();
        let times: Vec<_> = (0..3000).map(|ms| start + Duration::from_millis(ms)).collect();
        let written: Vec<_> = times.into_iter().filter(|&now| pace.admits(&report(1, 1), yixin, 1, now)).collect();
        for (index, &first) in written.iter().enumerate() {
            let within = written[index..].iter().filter(|&&now| now - first < Duration::from_secs(1)).count();
            assert!(within < LINES_PER_SECOND, "{within}: one is left for the last");
        }
        assert!(written.len() > 2 * (LINES_PER_SECOND - 1), "{}", written.len());
        let last = start + Duration::from_secs(3);
        let last = [last, last + Duration::from_secs(1)];
        assert!(last.into_iter().any(|last| pace.admits(&report(1, 1), yixin, 0, last)));
    }

    #[test]
    fn more_lines_than_fit_into_a_second_are_written_alone() {
        let mut pace = Pace::default();
        let yixin = view(Detail::Text, Dialect::Yixin);
        let now = Instant::now();
        assert!(pace.admits(&report(1, 50), yixin, 1, now));
        assert!(!pace.admits(&report(1, 1), yixin, 0, now));
        assert!(pace.admits(&report(1, 50), yixin, 1, now + Duration::from_secs(1)));
    }

    #[test]
    fn the_last_report_of_a_question_is_written_and_the_others_up_to_the_limit_of_the_second() {
        let mut printer = Printer::default();
        let now = Instant::now();
        let yixin = view(Detail::Text, Dialect::Yixin);
        let written = (1..100).filter(|&depth| !printer.report(report(depth, 1), yixin, now).is_empty()).count();
        assert_eq!(written, LINES_PER_SECOND - 1);
        let last = printer.finish(Question::MOVE, yixin, now);
        assert_eq!(last, yixin.replies(&report(99, 1)));
        assert_eq!(printer.finish(Question::MOVE, yixin, now), [], "it is written once");
        // The second is full, but the best moves were asked for.
        printer.defer(report(100, 1));
        assert_eq!(printer.finish(Question::MOVE, yixin, now), []);
        for detail in [Detail::Text, Detail::Silent] {
            printer.defer(report(101, 1));
            let asked = printer.finish(Question::Move { lines: 1 }, view(detail, Dialect::Yixin), now);
            assert_eq!(asked, yixin.replies(&report(101, 1)), "{detail:?}");
        }
        let silent = view(Detail::Silent, Dialect::Yixin);
        assert_eq!(printer.report(report(1, 1), silent, now + Duration::from_secs(2)), []);
    }

    #[test]
    fn a_program_is_given_every_report() {
        let mut printer = Printer::default();
        let now = Instant::now();
        let gomocup = view(Detail::Text, Dialect::Gomocup);
        assert!((1..100).all(|depth| printer.report(report(depth, 1), gomocup, now).len() == 1));
    }
}
