//! An [`Explanation`] as a picture: the board with the weights of its points, as SVG.

use std::fmt::Write;

use super::Explanation;
use crate::board::{Board, Color, Point, Size};
use crate::notation::Letters;
use crate::weights::{Weight, Weights};

/// The distance of neighbouring points, in units of the picture.
const CELL: i32 = 40;

/// The distance from the border to the first point, with room for the labels.
const EDGE: i32 = 42;

/// The distance from the last point to the border.
const BORDER: i32 = 24;

/// The height of the line of text below the board.
const CAPTION: i32 = 34;

/// The greatest number of digits of a weight for which a point has room.
const SIGNS: usize = 4;

/// The place of a point in the picture.
fn place(point: Point) -> (i32, i32) {
    (EDGE + CELL * i32::from(point.x()), EDGE + CELL * i32::from(point.y()))
}

/// A weight in at most five characters: `12k` for 12,400.
fn short(Weight(weight): Weight) -> String {
    let text = weight.to_string();
    if text.trim_start_matches('-').len() <= SIGNS {
        return text;
    }
    let unit = [(1_000_000_000_000, 'T'), (1_000_000_000, 'G'), (1_000_000, 'M'), (1_000, 'k')];
    let found = unit.into_iter().find(|(size, _)| weight.unsigned_abs() >= *size);
    found.map_or(text, |(size, sign)| format!("{}{sign}", weight / size as i64))
}

impl Explanation {
    /// The position as an SVG picture: the stones and the walls, the total of each empty point that has one, black's
    /// forbidden points, a ring round the chosen point, and a caption. The picture needs neither a font nor another file.
    pub fn to_svg(&self) -> String {
        let board = self.position().board();
        let size = board.size();
        let side = EDGE + BORDER + CELL * (i32::from(size.side()) - 1);
        let mut svg = String::new();
        let written = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {height}\" font-family=\"sans-serif\" \
             text-anchor=\"middle\" role=\"img\">\n<title>{caption}</title>\n\
             <defs><radialGradient id=\"b\" cx=\"36%\" cy=\"32%\" r=\"72%\"><stop offset=\"0\" stop-color=\"#6a6762\"/>\
             <stop offset=\"1\" stop-color=\"#141312\"/></radialGradient><radialGradient id=\"w\" cx=\"36%\" cy=\"32%\" \
             r=\"72%\"><stop offset=\"0\" stop-color=\"#fff\"/><stop offset=\"1\" stop-color=\"#d9d3c6\"/></radialGradient></defs>\n\
             <rect width=\"{side}\" height=\"{height}\" rx=\"14\" fill=\"#e6be7f\"/>\n",
            height = side + CAPTION,
            caption = self.caption(),
        )
        .and_then(|()| write_grid(&mut svg, size))
        .and_then(|()| self.write_weights(&mut svg))
        .and_then(|()| write_stones(&mut svg, board))
        .and_then(|()| self.write_marks(&mut svg))
        .and_then(|()| {
            let (x, y) = (side / 2, side + CAPTION / 3);
            let caption = self.caption();
            write!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"17\" font-weight=\"600\" fill=\"#33240e\">{caption}</text>\n</svg>\n")
        });
        // Writing to a string cannot fail.
        debug_assert!(written.is_ok());
        svg
    }

    /// The caption: the move and the weighting.
    fn caption(&self) -> String {
        let board = self.position().board();
        let (rule, side, weighting) = (board.rule(), board.turn(), self.position().weighting());
        let chosen = Letters::new(board.size()).point(self.choice.point);
        format!("{rule}: {side} plays {chosen}; totals of the weights {weighting}")
    }

    fn write_weights(&self, svg: &mut String) -> std::fmt::Result {
        let position = self.position();
        let total = |point| Some((point, position.weights(point).map(|Weights { total, .. }| total)?));
        let totals: Vec<_> = position.board().empty_points().iter().filter_map(total).collect();
        let greatest = totals.iter().map(|(_, total)| total.0).max().unwrap_or(0).max(1) as f64;
        for (point, total) in totals.into_iter().filter(|(_, total)| total.0 != 0) {
            let share = (total.0.max(0) as f64).ln_1p() / greatest.ln_1p();
            let opacity = 0.12 + 0.83 * share * share;
            let ((x, y), text) = (place(point), short(total));
            let color = if opacity > 0.55 { "#fff" } else { "#1d1608" };
            let font = if text.len() > 3 { 11 } else { 13 };
            writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"36\" height=\"36\" rx=\"8\" fill=\"#0b7a52\" fill-opacity=\"{opacity:.2}\"/>\
                 <text x=\"{x}\" y=\"{}\" font-size=\"{font}\" font-weight=\"600\" fill=\"{color}\">{text}</text>",
                x - 18,
                y - 18,
                y + 5,
            )?;
        }
        Ok(())
    }

    fn write_marks(&self, svg: &mut String) -> std::fmt::Result {
        for point in self.forbidden.iter() {
            let (x, y) = place(point);
            let (x, y) = (x - 8, y - 8);
            writeln!(svg, "<path d=\"M{x} {y}l16 16m0-16l-16 16\" stroke=\"#b3261e\" stroke-width=\"3\"/>")?;
        }
        let (x, y) = place(self.choice.point);
        writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"19\" fill=\"none\" stroke=\"#1550b8\" stroke-width=\"3.5\"/>")
    }
}

/// The lines and the labels of the points.
fn write_grid(svg: &mut String, size: Size) -> std::fmt::Result {
    let end = EDGE + CELL * (i32::from(size.side()) - 1);
    svg.push_str("<path stroke=\"#6d4c1c\" fill=\"none\" d=\"");
    for number in 0..i32::from(size.side()) {
        let at = EDGE + CELL * number;
        write!(svg, "M{EDGE} {at}H{end}M{at} {EDGE}V{end}")?;
    }
    svg.push_str("\"/>\n<g font-size=\"13\" font-weight=\"600\" fill=\"#5b4420\">");
    let letters = Letters::new(size);
    for number in 0..size.side() {
        let (at, file, rank) = (EDGE + CELL * i32::from(number), letters.file(number), letters.rank(number));
        write!(svg, "<text x=\"{at}\" y=\"18\">{file}</text><text x=\"14\" y=\"{}\">{rank}</text>", at + 5)?;
    }
    svg.push_str("</g>\n");
    Ok(())
}

/// The stones, and the walls as squares.
fn write_stones(svg: &mut String, board: &Board) -> std::fmt::Result {
    for (x, y) in board.walls().iter().map(place) {
        let (x, y) = (x - 18, y - 18);
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"36\" height=\"36\" rx=\"5\" fill=\"#5f5b55\" stroke=\"#3b3834\"/>"
        )?;
    }
    for (color, fill) in [(Color::Black, 'b'), (Color::White, 'w')] {
        for (x, y) in board.stones(color).iter().map(place) {
            writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"17.5\" fill=\"url(#{fill})\" stroke=\"#3b352b\"/>")?;
        }
    }
    Ok(())
}
