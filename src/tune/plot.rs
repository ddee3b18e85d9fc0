//! [`learning_curves`]: the losses of a training as a picture. [`elo_curves`]: the Elo of runs that learn by playing.

use plotters::prelude::*;

use super::loss::Loss;
use super::network::CurvePoint;

/// Width and height of the picture.
const SIZE: (u32, u32) = (960, 420);

/// Draws the losses of a training over its batches as SVG, with a panel for each loss. It shows the losses on fitted
/// samples, and after each round those on held-out samples.
pub fn learning_curves(curve: &[CurvePoint]) -> String {
    let mut svg = String::new();
    // Writing to memory does not fail.
    let _ = draw(&mut svg, curve);
    svg
}

type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

fn draw(svg: &mut String, curve: &[CurvePoint]) -> Drawn {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let panels = area.split_evenly((1, Loss::ALL.len()));
    for (panel, loss) in panels.iter().zip(Loss::ALL) {
        let fitted: Vec<_> = curve.iter().map(|point| (point.batches as f32, point.fitted[loss])).collect();
        let held_out: Vec<_> =
            curve.iter().filter_map(|point| Some((point.batches as f32, point.held_out?[loss]))).collect();
        let losses = || fitted.iter().chain(&held_out).map(|&(_, loss)| loss).filter(|loss| loss.is_finite());
        // The axis needs a range even if there are no losses.
        let first = losses().next().unwrap_or_default();
        let (least, greatest) = (losses().fold(first, f32::min), losses().fold(first, f32::max));
        let margin = 0.05 * (greatest - least).max(0.001);
        let batches = curve.last().map_or(1.0, |point| point.batches as f32);
        let mut chart = ChartBuilder::on(panel)
            .caption(format!("loss: {loss}, nats"), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..batches, least - margin..greatest + margin)?;
        chart.configure_mesh().x_desc("batches").light_line_style(TRANSPARENT).draw()?;
        chart.draw_series(LineSeries::new(fitted, &BLUE))?.label("fitted").legend(|at| key(at, BLUE));
        chart
            .draw_series(LineSeries::new(held_out, RED.stroke_width(2)).point_size(3))?
            .label("held out")
            .legend(|at| key(at, RED));
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    }
    area.present()
}

/// The Elo of a run over its work.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RunCurve {
    /// The name in the legend.
    pub(super) name: String,
    /// The measurements.
    pub(super) points: Vec<EloPoint>,
}

/// A measurement of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EloPoint {
    /// Games so far.
    pub(super) games: u64,
    /// CPU minutes so far.
    pub(super) cpu_minutes: f64,
    /// Elo above random moves.
    pub(super) elo: f64,
}

/// The name of an axis, its number of a measurement, and where it begins at the latest.
type Axis = (&'static str, fn(&EloPoint) -> f64, f64);

/// The width of the picture of Elo and the height of its panels; the legend takes a line for each run.
const ELO_SIZE: (u32, u32) = (960, 400);

/// Height of a line of its legend.
const LEGEND_LINE: u32 = 20;

/// Draws the Elo of runs as SVG: in the left panel over the games, in the right one over the CPU minutes. The
/// horizontal axes are logarithmic, because runs of hours learn most in their first minutes; a random network is at the
/// left end.
pub(super) fn elo_curves(runs: &[RunCurve]) -> String {
    let mut svg = String::new();
    // Writing to memory does not fail.
    let _ = draw_elo(&mut svg, runs);
    svg
}

fn draw_elo(svg: &mut String, runs: &[RunCurve]) -> Drawn {
    let (width, height) = ELO_SIZE;
    let area =
        SVGBackend::with_string(svg, (width, height + LEGEND_LINE * (runs.len() as u32 + 1))).into_drawing_area();
    area.fill(&WHITE)?;
    let (panels, legend) = area.split_vertically(height);
    let panels = panels.split_evenly((1, 2));
    let elo = || runs.iter().flat_map(|run| &run.points).map(|point| point.elo).filter(|elo| elo.is_finite());
    let (least, greatest) = (elo().fold(0.0, f64::min), elo().fold(100.0, f64::max));
    let margin = 0.05 * (greatest - least);
    let axes: [Axis; 2] =
        [("games", |point| point.games as f64, 1000.0), ("CPU minutes", |point| point.cpu_minutes, 0.1)];
    for (panel, (name, of, begin)) in panels.iter().zip(axes) {
        let numbers = || runs.iter().flat_map(|run| &run.points).map(of).filter(|&number| number > 0.0);
        let (begin, end) = (numbers().fold(begin, f64::min), numbers().fold(10.0 * begin, f64::max));
        let mut chart = ChartBuilder::on(panel)
            .caption(format!("Elo above random moves, over {name}"), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d((begin..end).log_scale(), least - margin..greatest + margin)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(name).x_label_formatter(&f64::to_string).y_label_formatter(&|elo| format!("{elo:.0}"));
        mesh.light_line_style(TRANSPARENT).draw()?;
        for (number, run) in runs.iter().enumerate() {
            let points = run.points.iter().map(|point| (of(point).max(begin), point.elo));
            chart.draw_series(LineSeries::new(points, color_of(number).stroke_width(2)))?;
        }
    }
    for (number, run) in runs.iter().enumerate() {
        let y = (number as u32 * LEGEND_LINE) as i32;
        legend.draw(&PathElement::new([(24, y + 8), (48, y + 8)], color_of(number).stroke_width(2)))?;
        legend.draw(&Text::new(run.name.clone(), (56, y), ("sans-serif", 15)))?;
    }
    area.present()
}

/// The color of a run.
fn color_of(number: usize) -> PaletteColor<Palette99> {
    Palette99::pick(number)
}

/// The line beside a name in the legend.
fn key((x, y): (i32, i32), color: RGBColor) -> PathElement<(i32, i32)> {
    PathElement::new([(x, y), (x + 18, y)], color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::loss::Losses;

    #[test]
    fn the_curves_of_any_training_are_drawn() {
        let loss = |chance| Losses([chance, 2.0 * chance]);
        let point = |batches, held_out| CurvePoint { batches, fitted: loss(1.0 / batches as f32), held_out };
        let curve: Vec<_> = (1..20).map(|part| point(10 * part, (part % 5 == 0).then(|| loss(0.3)))).collect();
        let svg = learning_curves(&curve);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("held out").count(), 2);
        assert!(learning_curves(&curve[..1]).contains("fitted"));
        assert!(learning_curves(&[]).starts_with("<svg"));
    }

    #[test]
    fn the_elo_of_any_runs_is_drawn_with_a_line_for_each_in_the_legend() {
        let point = |&(games, cpu_minutes, elo): &(u64, f64, f64)| EloPoint { games, cpu_minutes, elo };
        let run = |name: &str, points: &[(u64, f64, f64)]| RunCurve {
            name: name.into(),
            points: points.iter().map(point).collect(),
        };
        let runs = [
            run("one", &[(0, 0.0, -3.0), (5_000, 1.0, 400.0)]),
            run("other", &[]),
            run("third", &[(1, 0.1, f64::NAN)]),
        ];
        let svg = elo_curves(&runs);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(["one", "other", "third", "CPU minutes", "games"].iter().all(|text| svg.contains(text)));
        assert!(svg.contains("\n1000\n") && !svg.contains("\n2000\n"), "the axis of the games is logarithmic");
        assert!(elo_curves(&[]).starts_with("<svg"));
    }
}
