//! [`Printer`]: which reports of a search are written, and when.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::detail::Detail;
use super::reply::Reply;
use crate::picker::{Question, Report};

/// The most MESSAGE lines in any second: people read them, and they must not fill the manager's pipe.
const LINES_PER_SECOND: usize = 20;

/// The number of INFO lines about one move, which count as one line.
const INFO_LINES_PER_MOVE: usize = 10;

/// Chooses the reports that are written: those that the limit of lines a second admits, and the last one of each
/// question.
#[derive(Debug, Default)]
pub(super) struct Printer {
    pace: Pace,
    /// The last report, where it was not written.
    unwritten: Option<Report>,
}

impl Printer {
    /// The lines of a report that are written now; empty where the limit of the second is reached.
    pub(super) fn report(&mut self, report: Report, detail: Detail, now: Instant) -> Vec<Reply> {
        let replies = detail.replies(&report);
        if detail != Detail::Silent && self.pace.admits(&replies, Stage::Interim, now) {
            self.unwritten = None;
            return replies;
        }
        self.unwritten = Some(report);
        Vec::new()
    }

    /// Keeps a report for [`finish`](Self::finish): of a question that is answered at once only the last one counts.
    pub(super) fn defer(&mut self, report: Report) {
        self.unwritten = Some(report);
    }

    /// The lines of the last report of a question, where they were not written. Best moves that the question asks for
    /// are written whatever the detail and the pace are.
    pub(super) fn finish(&mut self, question: Question, detail: Detail, now: Instant) -> Vec<Reply> {
        let Some(report) = self.unwritten.take() else { return Vec::new() };
        let is_asked_for = matches!(question, Question::Move { lines: 1.. });
        let detail = match detail {
            Detail::Silent if is_asked_for => Detail::Text,
            Detail::Silent => return Vec::new(),
            detail => detail,
        };
        let mut replies = detail.replies(&report);
        if replies.is_empty() && is_asked_for {
            replies = Detail::Text.replies(&report);
        }
        if self.pace.admits(&replies, Stage::Final, now) || is_asked_for { replies } else { Vec::new() }
    }
}

/// Keeps the lines of any second below their limit, across questions.
#[derive(Debug, Default)]
struct Pace {
    /// When each line of the last second was written.
    written: VecDeque<Instant>,
}

/// The place of a report among those of its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// More may follow, and one line of the second is left for the last one.
    Interim,
    /// It is the last one.
    Final,
}

impl Pace {
    /// Whether these replies may be written now; if so, they are counted. More than fit into a second are admitted
    /// where nothing else was written in it.
    fn admits(&mut self, replies: &[Reply], stage: Stage, now: Instant) -> bool {
        let messages = replies.iter().filter(|reply| matches!(reply, Reply::Message(_))).count();
        let lines = messages + (replies.len() - messages) / INFO_LINES_PER_MOVE;
        let is_old = |written: &Instant| now.saturating_duration_since(*written) >= Duration::from_secs(1);
        while self.written.front().is_some_and(is_old) {
            self.written.pop_front();
        }
        let reserved = if stage == Stage::Interim { 1 } else { 0 };
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
    use crate::picker::{Line, SearchInfo};
    use crate::protocol::Message;

    fn messages(count: usize) -> Vec<Reply> {
        vec![Reply::Message(Message::Refresh); count]
    }

    /// A report of this depth, which is one MESSAGE.
    fn report(depth: u32) -> Report {
        Report::Search(SearchInfo { depth, lines: vec![Line::default()], ..SearchInfo::default() })
    }

    #[test]
    fn no_second_has_more_lines_than_it_may() {
        let mut pace = Pace::default();
        let start = Instant::now();
        let times: Vec<_> = (0..3000).map(|ms| start + Duration::from_millis(ms)).collect();
        let written: Vec<_> = times.into_iter().filter(|&now| pace.admits(&messages(1), Stage::Interim, now)).collect();
        for (index, &first) in written.iter().enumerate() {
            let within = written[index..].iter().filter(|&&now| now - first < Duration::from_secs(1)).count();
            assert!(within < LINES_PER_SECOND, "{within}: one is left for the last");
        }
        assert!(written.len() > 2 * (LINES_PER_SECOND - 1), "{}", written.len());
        let last = start + Duration::from_secs(3);
        let last = [last, last + Duration::from_secs(1)];
        assert!(last.into_iter().any(|last| pace.admits(&messages(1), Stage::Final, last)));
    }

    #[test]
    fn more_lines_than_fit_into_a_second_are_written_alone() {
        let mut pace = Pace::default();
        let now = Instant::now();
        assert!(pace.admits(&messages(50), Stage::Interim, now));
        assert!(!pace.admits(&messages(1), Stage::Final, now));
        assert!(pace.admits(&messages(50), Stage::Final, now + Duration::from_secs(1)));
    }

    #[test]
    fn the_last_report_of_a_question_is_written_and_the_others_up_to_the_limit_of_the_second() {
        let mut printer = Printer::default();
        let now = Instant::now();
        let written: usize = (1..100).map(|depth| printer.report(report(depth), Detail::Text, now).len()).sum();
        assert_eq!(written, LINES_PER_SECOND - 1);
        let last = printer.finish(Question::MOVE, Detail::Text, now);
        assert_eq!(last, Detail::Text.replies(&report(99)));
        assert_eq!(printer.finish(Question::MOVE, Detail::Text, now), [], "it is written once");
        // The second is full, but the best moves were asked for.
        printer.defer(report(100));
        assert_eq!(printer.finish(Question::MOVE, Detail::Text, now), []);
        for detail in [Detail::Text, Detail::Silent] {
            printer.defer(report(101));
            let asked = printer.finish(Question::Move { lines: 1 }, detail, now);
            assert_eq!(asked, Detail::Text.replies(&report(101)), "{detail:?}");
        }
        assert_eq!(printer.report(report(1), Detail::Silent, now + Duration::from_secs(2)), []);
    }
}
