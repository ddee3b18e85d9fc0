//! An [`Explanation`] as text, with or without colors, and as JSON.

use std::fmt;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::{Candidate, Explanation, LISTED};
use crate::board::{Color, Direction, Point, PointSet};
use crate::notation::{Comma, Diagram, Letters};
use crate::picker::{BookReason, MoveStatistics, Reason};
use crate::score::Score;
use crate::weights::Weights;

/// The signs that the diagram adds to those of a board.
const CHOSEN: char = '*';
const FORBIDDEN: char = '!';

/// The styles of the parts of the text. [`PLAIN`](Self::PLAIN) writes no codes.
struct Styles {
    title: Style,
    chosen: Style,
    forbidden: Style,
}

impl Styles {
    const PLAIN: Self = Self { title: Style::new(), chosen: Style::new(), forbidden: Style::new() };

    const COLORS: Self = Self {
        title: Style::new().bold(),
        chosen: AnsiColor::Green.on_default().bold(),
        forbidden: AnsiColor::Red.on_default(),
    };
}

/// A value between the codes that start and end a style.
struct Styled<T>(Style, T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{:#}", self.0, self.1, self.0)
    }
}

/// `{}` shows plain text, `{:#}` the same text with the color codes of terminals (ANSI).
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, if f.alternate() { &Styles::COLORS } else { &Styles::PLAIN })
    }
}

impl Explanation {
    fn write(&self, f: &mut fmt::Formatter<'_>, styles: &Styles) -> fmt::Result {
        let board = self.position.board();
        let (size, side) = (board.size(), board.turn());
        let sign = if side == Color::Black { 'X' } else { 'O' };
        write!(f, "{}, {size}x{size}, weights {}", board.rule(), self.position.weighting())?;
        writeln!(f, ", picker {}; {side} ({sign}) to move", self.picker)?;
        if let Some(opening) = self.opening {
            writeln!(f, "opening {opening}, {}", opening.zh)?;
        }
        writeln!(f)?;
        writeln!(f, "{}", Diagram::new(board, |point| self.mark(point, styles)))?;
        if self.forbidden.is_empty() {
            writeln!(f)?;
        } else {
            writeln!(f, "\n{} forbidden to black\n", Styled(styles.forbidden, FORBIDDEN))?;
        }
        let reason = reason(self.choice.reason);
        let nodes = match self.choice.reason {
            Reason::Search { score, depth } if depth > 0 || score.is_decided() => {
                format!(", {} nodes", self.choice.nodes)
            }
            _ => String::new(),
        };
        let (chosen, comma) = (self.letters().point(self.choice.point), Comma(self.choice.point));
        writeln!(f, "{} {side} plays {chosen} ({comma}): {reason}{nodes}\n", Styled(styles.chosen, CHOSEN))?;
        if let Some(line) = self.search.as_ref().and_then(|search| search.lines.first()) {
            let points = self.letters().moves(&line.points);
            writeln!(f, "  {} {points}\n", Styled(styles.title, "pv"))?;
        }
        self.write_moves(f, styles)?;
        self.write_greatest(f, styles)?;
        self.write_lines(f, styles)
    }

    fn letters(&self) -> Letters {
        Letters::new(self.position.board().size())
    }

    fn mark(&self, point: Point, styles: &Styles) -> Option<Styled<char>> {
        if point == self.choice.point {
            Some(Styled(styles.chosen, CHOSEN))
        } else {
            self.forbidden.contains(point).then_some(Styled(styles.forbidden, FORBIDDEN))
        }
    }

    fn write_greatest(&self, f: &mut fmt::Formatter<'_>, styles: &Styles) -> fmt::Result {
        if matches!(self.choice.reason, Reason::Search { .. } | Reason::Book(_) | Reason::Prior(_) | Reason::Unfinished)
        {
            writeln!(f, "  These weights are the greedy picker's and did not decide the move:\n")?;
        }
        let row = |&Candidate { point, weights: Weights { attack, defence, total } }: &Candidate| {
            (point, format!("{attack:>13}{defence:>13}{total:>13}"))
        };
        self.write_points(f, styles, ["attack", "defence", "total"], self.greatest.iter().map(row))
    }

    /// The moves that a tree search has visited most.
    fn write_moves(&self, f: &mut fmt::Formatter<'_>, styles: &Styles) -> fmt::Result {
        let row = |statistics: &MoveStatistics| {
            let (visits, prior, value) = (statistics.visits, statistics.prior(), statistics.value());
            (statistics.point, format!("{visits:>13}{prior:>13.4}{value:>13.4}"))
        };
        self.write_points(f, styles, ["visits", "prior", "value"], self.tree_moves().iter().map(row))
    }

    /// A list of points with three columns of numbers; nothing if it is empty.
    fn write_points(
        &self,
        f: &mut fmt::Formatter<'_>,
        styles: &Styles,
        [one, two, three]: [&str; 3],
        rows: impl ExactSizeIterator<Item = (Point, String)>,
    ) -> fmt::Result {
        if rows.len() == 0 {
            return Ok(());
        }
        let title = format!("{:<7}{:<7}{one:>13}{two:>13}{three:>13}", "point", "x,y");
        writeln!(f, "  {}", Styled(styles.title, title))?;
        for (point, numbers) in rows {
            let row = format!("{:<7}{:<7}{numbers}", self.letters().point(point).to_string(), Comma(point).to_string());
            match self.mark(point, styles) {
                Some(mark) => writeln!(f, "{mark} {row}")?,
                None => writeln!(f, "  {row}")?,
            }
        }
        writeln!(f)
    }

    /// The ten best moves of a tree search; empty for another search.
    fn tree_moves(&self) -> &[MoveStatistics] {
        let moves = self.search.as_ref().map_or(&[][..], |search| &search.moves);
        &moves[..moves.len().min(LISTED)]
    }

    fn write_lines(&self, f: &mut fmt::Formatter<'_>, styles: &Styles) -> fmt::Result {
        let side = self.position.board().turn();
        let (own, their) = (format!("if {side} plays"), format!("if {} plays", !side));
        let title = format!("{:<29}{own:<16}{their}", "line");
        write!(f, "  {}", Styled(styles.title, title))?;
        for direction in Direction::ALL {
            let line = self.lines[direction];
            write!(f, "\n  {direction:<15}{:<14}{:<16}{}", line.window.to_string(), line.own, line.their)?;
        }
        Ok(())
    }

    /// The explanation for scripts. Points are written as in the protocol, `x,y`.
    pub fn to_json(&self) -> Value {
        let board = self.position.board();
        let names = |points: PointSet| points.iter().map(|point| Comma(point).to_string()).collect::<Vec<_>>();
        let lines = Direction::ALL.map(|direction| {
            let line = self.lines[direction];
            json!({
                "direction": direction.to_string(),
                "window": line.window.to_string(),
                "own": line.own.to_string(),
                "their": line.their.to_string(),
            })
        });
        let moves = self.tree_moves().iter().map(|statistics| {
            let mut value = point_json(statistics.point, None);
            value["visits"] = statistics.visits.into();
            value["prior"] = statistics.prior().into();
            value["value"] = statistics.value().into();
            value
        });
        let moves: Vec<_> = moves.collect();
        json!({
            "rule": board.rule().to_string(),
            "size": board.size().side(),
            "weights": self.position.weighting().to_string(),
            "picker": self.picker.to_string(),
            "turn": board.turn().to_string(),
            "opening": self.opening.map(|opening| json!({ "code": opening.code(), "name": opening.romaji })),
            "black": names(board.stones(Color::Black)),
            "white": names(board.stones(Color::White)),
            "walls": names(board.walls()),
            "forbidden": names(self.forbidden),
            "choice": self.choice_json(),
            "moves": moves,
            "greatest": self.greatest.iter().map(|row| point_json(row.point, Some(row.weights))).collect::<Vec<_>>(),
            "lines": lines,
        })
    }

    /// The move with its reason.
    fn choice_json(&self) -> Value {
        let weights = match self.choice.reason {
            Reason::Weights(weights) => Some(weights),
            _ => None,
        };
        let mut choice = point_json(self.choice.point, weights);
        choice["reason"] = reason_name(self.choice.reason).into();
        if let Reason::Search { score, depth } = self.choice.reason {
            choice["score"] = score.value().into();
            choice["depth"] = depth.into();
        }
        if let Reason::Book(BookReason { score, moves }) = self.choice.reason {
            choice["score"] = score.map(Score::value).into();
            choice["moves"] = moves.into();
        }
        if let Reason::Prior(share) = self.choice.reason {
            choice["prior"] = (f64::from(share) / f64::from(MoveStatistics::ONE)).into();
        }
        if let Some(search) = &self.search {
            let pv = search.lines.first().map_or(&[][..], |line| &line.points);
            choice["seldepth"] = search.seldepth.into();
            choice["pv"] = pv.iter().map(|point| Comma(*point).to_string()).collect::<Vec<_>>().into();
        }
        choice["nodes"] = self.choice.nodes.into();
        choice
    }
}

/// The name of a reason in JSON.
pub const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Centre => "centre",
        Reason::Rule => "rule",
        Reason::Book(_) => "book",
        Reason::Prior(_) => "prior",
        Reason::Unfinished => "unfinished",
        Reason::Weights(_) => "weights",
        Reason::Search { score, depth: 0 } if score.is_decided() => "proof",
        Reason::Search { .. } => "search",
    }
}

/// The reason of a choice in words, without the nodes of a search.
pub(super) fn reason(reason: Reason) -> String {
    match reason {
        Reason::Centre => "the centre of a board without stones".to_owned(),
        Reason::Rule => "a fixed answer".to_owned(),
        Reason::Book(reason) => by_book(reason),
        Reason::Prior(share) => format!("a prior of {:.4}", f64::from(share) / f64::from(MoveStatistics::ONE)),
        Reason::Unfinished => "no answer came in time".to_owned(),
        Reason::Weights(weights) => format!("the greatest total, {}", weights.total),
        Reason::Search { score, depth: 0 } if score.is_decided() => format!("a proof, score {score}"),
        Reason::Search { depth: 0, .. } => "no depth was finished in time".to_owned(),
        Reason::Search { score, depth } => format!("score {score} at depth {depth}"),
    }
}

/// Why a book plays a move, in words.
fn by_book(reason: BookReason) -> String {
    let BookReason { score, moves } = reason;
    if reason.is_win() {
        let plies = reason.plies().map(|plies| format!(" in {plies} plies")).unwrap_or_default();
        return format!("the book: a win{plies}");
    }
    let place = if moves == 1 { "its best move".to_owned() } else { format!("one of {moves} moves near its best") };
    let score = score.map(|score| format!(", score {score}")).unwrap_or_default();
    format!("the book: {place}{score}")
}

/// A point with its weights.
fn point_json(point: Point, weights: Option<Weights>) -> Value {
    let mut value = json!({ "point": Comma(point).to_string(), "x": point.x(), "y": point.y() });
    if let Some(weights) = weights {
        value["attack"] = weights.attack.0.into();
        value["defence"] = weights.defence.0.into();
        value["total"] = weights.total.0.into();
    }
    value
}
