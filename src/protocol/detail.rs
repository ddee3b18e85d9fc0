//! [`Detail`]: the lines that a report of a search is written as.

use super::reply::{Message, Reply};
use crate::board::Point;
use crate::picker::{Line, Report, SearchInfo};
use crate::score::Score;

/// How much of a search is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// 0: nothing.
    Silent,
    /// 1, the default: a MESSAGE for people.
    #[default]
    Text,
    /// 2: lines for Yixin-Board, which draws from them.
    Machine,
    /// 3: both.
    Both,
}

impl Detail {
    /// Decodes `INFO show_detail`; `None` for a number other than 0 to 3.
    pub fn from_show_detail(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Silent),
            1 => Some(Self::Text),
            2 => Some(Self::Machine),
            3 => Some(Self::Both),
            _ => None,
        }
    }

    /// The lines of a report. Of the weights of a greedy picker there are no lines for programs.
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

/// The lines for Yixin-Board: the best point, and a block of INFO lines for each move.
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

/// The share of games that a side with this score wins, 0 to 1, by the curve to which the evaluation is fitted.
fn win_rate(score: Score) -> f32 {
    match score {
        _ if score.is_win() => 1.0,
        _ if score.is_loss() => 0.0,
        _ => score.win_chance(),
    }
}

fn commas(points: &[Point]) -> String {
    points.iter().map(|point| point.comma().to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_detail_has_its_lines() {
        let points: Vec<Point> = ["h8", "i10"].map(|point| point.parse().unwrap()).into();
        let best = vec![Line { score: Score::win_at(7), points }];
        let report =
            Report::Search(SearchInfo { depth: 3, seldepth: 7, nodes: 12, lines: best, ..SearchInfo::default() });
        let lines = |number| {
            let replies = Detail::from_show_detail(number).unwrap().replies(&report);
            replies.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(lines(0), [""; 0]);
        assert_eq!(lines(1), ["MESSAGE depth 3-7 ev +M7 n 12 nps 12000000 tm 0 hash 0 pv h8 i10"]);
        let machine = lines(2);
        assert_eq!(machine[..3], ["MESSAGE REALTIME REFRESH", "MESSAGE REALTIME BEST 7,7", "INFO PV 0"]);
        for line in ["INFO NUMPV 1", "INFO DEPTH 3", "INFO EVAL +M7", "INFO WINRATE 1.0000", "INFO BESTLINE 7,7 8,9"] {
            assert!(machine.contains(&line.to_owned()), "{line}: {machine:?}");
        }
        assert_eq!(machine.last().unwrap(), "INFO PV DONE");
        assert_eq!(lines(3), [lines(1), machine].concat());
        assert_eq!((Detail::from_show_detail(-1), Detail::from_show_detail(4)), (None, None));
    }
}
