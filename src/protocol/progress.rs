//! [`Detail`] and [`Pace`]: what is told of a running think, and how often.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::reply::{Message, Reply};
use crate::board::Point;
use crate::eval::classical::SCALE;
use crate::picker::{Line, Report, SearchInfo};
use crate::score::Score;

/// How much is told of a running think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// 0: nothing.
    Silent,
    /// 1, and where nothing is said: a MESSAGE for people.
    #[default]
    Text,
    /// 2: lines for Yixin-Board, which draws from them.
    Machine,
    /// 3: both.
    Both,
}

impl Detail {
    /// Decodes `INFO show_detail`; `None` for a number that means nothing.
    pub fn from_show_detail(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Silent),
            1 => Some(Self::Text),
            2 => Some(Self::Machine),
            3 => Some(Self::Both),
            _ => None,
        }
    }

    /// The lines that tell of some progress.
    pub(super) fn replies(self, report: &Report) -> Vec<Reply> {
        let texts = report.texts().into_iter().map(|text| Reply::Message(Message::Progress(text)));
        let texts = texts.filter(|_| matches!(self, Self::Text | Self::Both));
        let machine = match report {
            Report::Search(info) if matches!(self, Self::Machine | Self::Both) => machine(info),
            _ => Vec::new(),
        };
        texts.chain(machine).collect()
    }
}

/// What Yixin-Board reads: the best point, and a block of INFO lines about each move.
fn machine(info: &SearchInfo) -> Vec<Reply> {
    let mut replies = Vec::new();
    if let Some(best) = info.lines.first().and_then(|line| line.points.first()) {
        replies.push(Reply::Message(Message::Refresh));
        replies.push(Reply::Message(Message::Best(*best)));
    }
    for (number, Line { score, points }) in info.lines.iter().enumerate() {
        let mut detail = |key: &str, value: String| replies.push(Reply::Detail(format!("{key} {value}")));
        detail("PV", number.to_string());
        detail("NUMPV", info.lines.len().to_string());
        detail("DEPTH", info.depth.to_string());
        detail("SELDEPTH", info.seldepth.to_string());
        detail("NODES", info.nodes.to_string());
        detail("SPEED", info.nps().to_string());
        detail("EVAL", score.to_string());
        detail("WINRATE", format!("{:.4}", win_rate(*score)));
        detail("BESTLINE", commas(points));
        detail("PV", "DONE".to_owned());
    }
    replies
}

/// The share of games that a side with this score wins, by the curve to which the evaluation is fitted.
fn win_rate(score: Score) -> f32 {
    match score {
        _ if score.is_win() => 1.0,
        _ if score.is_loss() => 0.0,
        _ => 1.0 / (1.0 + (-(score.value() as f32) / SCALE).exp()),
    }
}

fn commas(points: &[Point]) -> String {
    points.iter().map(|point| point.comma().to_string()).collect::<Vec<_>>().join(" ")
}

/// MESSAGE lines in any second at the most: people read them, and they fill no pipe.
const LINES_PER_SECOND: usize = 20;

/// So many INFO lines, those about one move, count as one more.
const DETAILS: usize = 10;

/// Keeps what is told below so many lines a second, from think to think.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// When each of the lines of the last second was told.
    told: VecDeque<Instant>,
}

/// Whether more is to come of the same think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// More may come: one line is left for the last.
    Running,
    /// It is the last.
    Last,
}

impl Pace {
    /// Whether these replies may be told now; if so, they are counted. More than fit into a second are told where
    /// nothing else was.
    pub(super) fn admits(&mut self, replies: &[Reply], turn: Turn, now: Instant) -> bool {
        let messages = replies.iter().filter(|reply| matches!(reply, Reply::Message(_))).count();
        let lines = messages + (replies.len() - messages) / DETAILS;
        while self.told.front().is_some_and(|&told| now.saturating_duration_since(told) >= Duration::from_secs(1)) {
            self.told.pop_front();
        }
        let spare = if turn == Turn::Running { 1 } else { 0 };
        let fits = self.told.is_empty() || self.told.len() + lines + spare <= LINES_PER_SECOND;
        if fits {
            self.told.extend(std::iter::repeat_n(now, lines));
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(count: usize) -> Vec<Reply> {
        vec![Reply::Message(Message::Refresh); count]
    }

    #[test]
    fn no_second_has_more_lines_than_it_may() {
        let mut pace = Pace::default();
        let start = Instant::now();
        let times: Vec<_> = (0..3000).map(|ms| start + Duration::from_millis(ms)).collect();
        let told: Vec<_> = times.into_iter().filter(|&now| pace.admits(&messages(1), Turn::Running, now)).collect();
        for (index, &first) in told.iter().enumerate() {
            let within = told[index..].iter().filter(|&&now| now - first < Duration::from_secs(1)).count();
            assert!(within < LINES_PER_SECOND, "{within}: one is left for the last");
        }
        assert!(told.len() > 2 * (LINES_PER_SECOND - 1), "{}", told.len());
        let last = start + Duration::from_secs(3);
        let last = [last, last + Duration::from_secs(1)];
        assert!(last.into_iter().any(|last| pace.admits(&messages(1), Turn::Last, last)));
    }

    #[test]
    fn more_than_fit_into_a_second_are_told_alone() {
        let mut pace = Pace::default();
        let now = Instant::now();
        assert!(pace.admits(&messages(50), Turn::Running, now));
        assert!(!pace.admits(&messages(1), Turn::Last, now));
        assert!(pace.admits(&messages(50), Turn::Last, now + Duration::from_secs(1)));
    }

    #[test]
    fn every_detail_tells_its_lines() {
        let points: Vec<Point> = ["h8", "i10"].map(|point| point.parse().unwrap()).into();
        let lines = vec![Line { score: Score::win_at(7), points }];
        let report = Report::Search(SearchInfo { depth: 3, seldepth: 7, nodes: 12, lines, ..SearchInfo::default() });
        let told = |number| {
            let replies = Detail::from_show_detail(number).unwrap().replies(&report);
            replies.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(told(0), [""; 0]);
        assert_eq!(told(1), ["MESSAGE depth 3-7 ev +M7 n 12 nps 12000000 tm 0 hash 0 pv h8 i10"]);
        let machine = told(2);
        assert_eq!(machine[..3], ["MESSAGE REALTIME REFRESH", "MESSAGE REALTIME BEST 7,7", "INFO PV 0"]);
        for line in ["INFO NUMPV 1", "INFO DEPTH 3", "INFO EVAL +M7", "INFO WINRATE 1.0000", "INFO BESTLINE 7,7 8,9"] {
            assert!(machine.contains(&line.to_owned()), "{line}: {machine:?}");
        }
        assert_eq!(machine.last().unwrap(), "INFO PV DONE");
        assert_eq!(told(3), [told(1), machine].concat());
        assert_eq!((Detail::from_show_detail(-1), Detail::from_show_detail(4)), (None, None));
    }
}
