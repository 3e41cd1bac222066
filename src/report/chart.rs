//! The chart of a page: the stacks over the rounds.

use std::fmt;

use html_escape::encode_double_quoted_attribute as escape;
use plotters::prelude::*;

use casino_stud::replay::BoardRow;

use super::data::ReportData;

/// The chart of a page cannot be drawn.
#[derive(Debug)]
pub struct ChartError(pub(super) Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ChartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.0.as_ref())
    }
}

/// Colours that also those tell apart who see few, dark enough on white.
pub(super) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 130, 95),
    RGBColor(204, 78, 140),
    RGBColor(60, 60, 60),
    RGBColor(150, 110, 0),
    RGBColor(86, 60, 180),
];

/// The stacks over the rounds: those of these seats, from 1, in colour and named, and if wanted the others in grey.
pub(super) fn race(
    data: &ReportData,
    named: &[usize],
    others: bool,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let points = data.race.points();
    let drawn = |seat: usize| others || named.contains(&(seat + 1));
    let stacks = points.iter().flat_map(|point| point.stacks.iter().enumerate());
    let most = stacks.filter(|(seat, _)| drawn(*seat)).map(|(_, stack)| *stack).max().unwrap_or(1).max(1);
    let name = |seat: usize| data.info.players[seat - 1].clone();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (960, 480)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(10)
            .margin_right(36)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(0..data.last_round.max(1), 0..(u64::from(most) * 21 / 20).max(1))?;
        chart
            .configure_mesh()
            .x_desc("round")
            .y_desc("chips")
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 16))
            .light_line_style(WHITE)
            .draw()?;
        let line = |row: &BoardRow| {
            let (seat, until) = (row.seat, row.left_in_round.unwrap_or(u64::MAX));
            let within = points.iter().filter(move |point| point.round <= until);
            within.map(move |point| (point.round, u64::from(point.stacks[seat - 1]))).collect::<Vec<_>>()
        };
        for row in data.standings.iter().filter(|row| others && !named.contains(&row.seat)) {
            chart.draw_series(LineSeries::new(line(row), RGBColor(195, 195, 195).stroke_width(1)))?;
        }
        for (index, seat) in named.iter().enumerate() {
            let Some(row) = data.standings.iter().find(|row| row.seat == *seat) else { continue };
            let colour = COLOURS[index % COLOURS.len()];
            chart.draw_series(LineSeries::new(line(row), colour.stroke_width(3)))?;
        }
        area.present()?;
    }
    let names: Vec<String> = named.iter().map(|seat| name(*seat)).collect();
    let label = format!("Line chart of the stacks over the rounds: {}", names.join(", "));
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escape(&label)), 1))
}
