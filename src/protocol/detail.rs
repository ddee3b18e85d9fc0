//! [`Detail`]: the output lines of a search report.

use strum::FromRepr;

use super::coordinates::Labels;
use super::reply::{Message, Reply, commas};
use crate::picker::{Line, Report, SearchInfo};
use crate::protocol::rule_number::Dialect;
use crate::score::Score;

/// Detail of the search output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromRepr)]
#[repr(u8)]
pub enum Detail {
    /// 0: nothing.
    Silent,
    /// 1, the default: a MESSAGE for each move. After YXSHOWINFO also the lines that Yixin-Board draws.
    #[default]
    Text,
    /// 2: lines for programs, and the lines that Yixin-Board draws.
    Machine,
    /// 3: both.
    Both,
}

impl Detail {
    /// Decodes `INFO show_detail`; `None` for a number other than 0 to 3.
    pub(crate) fn from_show_detail(number: i64) -> Option<Self> {
        u8::try_from(number).ok().and_then(Self::from_repr)
    }
}

/// Format of the search reports for one manager.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) detail: Detail,
    pub(super) labels: Labels,
}

impl View {
    /// The same view with at least [`Detail::Text`], for a command that asks for the best moves.
    pub(super) fn with_text(self) -> Self {
        match self.detail {
            Detail::Silent => Self { detail: Detail::Text, ..self },
            Detail::Text | Detail::Machine | Detail::Both => self,
        }
    }

    /// Whether a person reads the lines as they arrive. Otherwise a program reads them.
    pub(super) fn is_shown(self) -> bool {
        self.labels.dialect == Dialect::Yixin
    }

    fn has_text(self) -> bool {
        matches!(self.detail, Detail::Text | Detail::Both)
    }

    /// Whether the manager's board shows the progress. Yixin-Board asks for text only but expects both.
    pub(super) fn is_drawn(self) -> bool {
        match self.detail {
            Detail::Silent => false,
            Detail::Text => self.labels.dialect == Dialect::Yixin,
            Detail::Machine | Detail::Both => true,
        }
    }

    /// The lines of a report. The weights of a greedy picker are written as text only.
    pub(super) fn replies(self, report: &Report) -> Vec<Reply> {
        let mut replies = if self.has_text() { self.texts(report) } else { Vec::new() };
        if let Report::Search(info) = report {
            if self.is_drawn() {
                replies.extend(self.drawn(info));
            }
            if matches!(self.detail, Detail::Machine | Detail::Both) {
                replies.extend(details(info));
            }
        }
        replies
    }

    /// One text line per move.
    pub(super) fn texts(self, report: &Report) -> Vec<Reply> {
        let texts = report.texts(&|point| self.labels.label(point));
        texts.into_iter().map(|text| Reply::Message(Message::Progress(text))).collect()
    }

    /// The lines that Yixin-Board draws: the best point, its score and its line.
    fn drawn(self, info: &SearchInfo) -> Vec<Reply> {
        let Some((line, best)) = info.lines.first().and_then(|line| Some((line, *line.points.first()?))) else {
            return Vec::new();
        };
        let text = line.text(&|point| self.labels.label(point)).trim_start().to_owned();
        let messages = [Message::Refresh, Message::Best(best), Message::Line(text), Message::Value(line.score)];
        messages.map(Reply::Message).into()
    }
}

/// The lines for programs: one block of INFO lines per move.
fn details(info: &SearchInfo) -> Vec<Reply> {
    let mut replies = Vec::new();
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
        detail("BESTLINE", commas(points.iter().copied()));
        detail("PV", "DONE".to_owned());
    }
    replies
}

/// Expected win rate for a score, 0 to 1, from the curve to which the evaluation is fitted.
fn win_rate(score: Score) -> f32 {
    match score {
        _ if score.is_win() => 1.0,
        _ if score.is_loss() => 0.0,
        _ => score.win_chance(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::board::Size;
    use crate::notation::parse_comma;
    use crate::protocol::Coordinates;

    fn lines(detail: i64, dialect: Dialect) -> Vec<String> {
        let points: Vec<Point> = ["7,7", "8,9"].map(|point| parse_comma(point).unwrap()).into();
        let best = vec![Line { score: Score::win_at(7), points }];
        let report =
            Report::Search(SearchInfo { depth: 3, seldepth: 7, nodes: 12, lines: best, ..SearchInfo::default() });
        let labels = Labels { coordinates: Coordinates::Letters, dialect, size: Size::FIFTEEN };
        let view = View { detail: Detail::from_show_detail(detail).unwrap(), labels };
        view.replies(&report).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_detail_has_its_lines() {
        let gomocup = |detail| lines(detail, Dialect::Gomocup);
        assert_eq!(gomocup(0), [""; 0]);
        assert_eq!(gomocup(1), ["MESSAGE depth 3-7 ev +M7 n 12 n/ms 12000 tm 0 pv h8 i6"]);
        let machine = gomocup(2);
        assert_eq!(
            machine[..5],
            [
                "MESSAGE REALTIME REFRESH",
                "MESSAGE REALTIME BEST 7,7",
                "MESSAGE REALTIME PV h8 i6",
                "MESSAGE REALTIME VAL 31993",
                "INFO PV 0"
            ]
        );
        for line in ["INFO NUMPV 1", "INFO DEPTH 3", "INFO EVAL +M7", "INFO WINRATE 1.0000", "INFO BESTLINE 7,7 8,9"] {
            assert!(machine.contains(&line.to_owned()), "{line}: {machine:?}");
        }
        assert_eq!(machine.last().unwrap(), "INFO PV DONE");
        assert_eq!(gomocup(3), [gomocup(1), machine].concat());
        assert_eq!((Detail::from_show_detail(-1), Detail::from_show_detail(4)), (None, None));
    }

    #[test]
    fn yixin_board_asks_for_text_and_draws_too() {
        assert_eq!(lines(0, Dialect::Yixin), [""; 0]);
        assert_eq!(
            lines(1, Dialect::Yixin),
            [
                "MESSAGE depth 3-7 ev +M7 n 12 n/ms 12000 tm 0 pv H8 J7",
                "MESSAGE REALTIME REFRESH",
                "MESSAGE REALTIME BEST 7,7",
                "MESSAGE REALTIME PV H8 J7",
                "MESSAGE REALTIME VAL 31993"
            ]
        );
    }
}
