//! The picture of `casino blackjack compare`: how many bankrolls are still alive after each hand.

use std::path::Path;

use plotters::prelude::*;

use casino_sisters::blackjack::Run;

/// Points of a curve: more could not be told apart in the picture.
const POINTS: u32 = 400;

/// Draws the survival curves of both players into an SVG file.
///
/// # Errors
/// A sentence that names the file if it cannot be written.
pub(super) fn survival(file: &Path, hands: u32, simple: &[Run], counting: &[Run]) -> Result<(), String> {
    draw(file, hands, simple, counting).map_err(|error| format!("--plot {}: {error}", file.display()))
}

fn draw(file: &Path, hands: u32, simple: &[Run], counting: &[Run]) -> Result<(), Box<dyn std::error::Error>> {
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (960, 540)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("Bankrolls still alive", ("sans-serif", 24))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(0..hands, 0f64..100f64)?;
        chart.configure_mesh().x_desc("hands played").y_desc("% of bankrolls").draw()?;
        for (name, runs, colour) in
            [("simple", simple, RGBColor(0, 90, 160)), ("counting", counting, RGBColor(200, 80, 0))]
        {
            chart
                .draw_series(LineSeries::new(curve(hands, runs), colour.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(3)));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE)
            .border_style(BLACK)
            .label_font(("sans-serif", 16))
            .draw()?;
        area.present()?;
    }
    std::fs::write(file, picture)?;
    Ok(())
}

/// (hands, percent alive after that many hands) from 0 to `hands`.
fn curve(hands: u32, runs: &[Run]) -> Vec<(u32, f64)> {
    let mut ends: Vec<u32> = runs.iter().filter(|run| run.ruined).map(|run| run.hands).collect();
    ends.sort_unstable();
    let points = POINTS.min(hands);
    (0..=points)
        .map(|point| {
            let after = u32::try_from(u64::from(hands) * u64::from(point) / u64::from(points))
                .expect("a part of the hands is no more than the hands");
            let gone = ends.partition_point(|end| *end <= after);
            (after, 100.0 * (runs.len() - gone) as f64 / runs.len() as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_falls_where_bankrolls_end() {
        let ended = |hands, ruined| Run { hands, won: 0, wagered: 0, ruined };
        let runs = [ended(3, true), ended(10, false), ended(10, true), ended(1, true)];
        let curve = curve(10, &runs);
        assert_eq!(curve.len(), 11);
        assert_eq!(curve[0], (0, 100.0));
        assert_eq!(curve[1], (1, 75.0));
        assert_eq!(curve[2], (2, 75.0));
        assert_eq!(curve[3], (3, 50.0));
        assert_eq!(curve[10], (10, 25.0));
        assert!(super::curve(1_000_000, &runs).len() <= 401);
    }
}
