//! Line charts in SVG.

use std::ops::Range;

use casino_judge::figures::{Markup, markup};
use plotters::prelude::*;

/// Colours that people with the common kinds of colour blindness can tell apart, dark enough on white; again and again if there
/// are more curves.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 130, 95),
    RGBColor(204, 78, 140),
    RGBColor(60, 60, 60),
    RGBColor(150, 110, 0),
    RGBColor(86, 60, 180),
];

/// The colour of curves without names.
const GREY: RGBColor = RGBColor(195, 195, 195);

/// How many curves have a colour of their own.
pub(crate) const COLOURED_CURVES: usize = COLOURS.len();

/// Why a chart cannot be drawn.
pub(crate) type ChartError = Box<dyn std::error::Error + Send + Sync>;

/// A curve. Those without a name are grey, and all the same.
pub(crate) struct Curve {
    pub(crate) name: Option<String>,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Curves over a common axis.
pub(crate) struct Curves<'a> {
    /// The labels of the axes.
    pub(crate) axes: [&'a str; 2],
    pub(crate) across: Range<f64>,
    pub(crate) up: Range<f64>,
    pub(crate) curves: Vec<Curve>,
}

impl Curves<'_> {
    /// The picture.
    pub(crate) fn draw(&self) -> Result<String, ChartError> {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (960, 480)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut builder = ChartBuilder::on(&area);
            builder.margin(10).margin_right(36).x_label_area_size(44).y_label_area_size(72);
            let mut chart = builder.build_cartesian_2d(self.across.clone(), self.up.clone())?;
            let digits = (1.0 - (self.up.end - self.up.start).log10()).ceil().max(0.0) as usize;
            let [across, up] = self.axes;
            chart
                .configure_mesh()
                .x_desc(across)
                .y_desc(up)
                .x_label_formatter(&|x| format!("{x:.0}"))
                .y_label_formatter(&|y| format!("{y:.digits$}"))
                .label_style(("sans-serif", 15))
                .axis_desc_style(("sans-serif", 16))
                .max_light_lines(0)
                .draw()?;
            for curve in self.curves.iter().filter(|curve| curve.name.is_none()) {
                chart.draw_series(LineSeries::new(curve.points.iter().copied(), GREY.stroke_width(1)))?;
            }
            for (curve, _, colour) in self.named() {
                chart.draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(3)))?;
            }
            area.present()?;
        }
        let names: Vec<&str> = self.named().map(|(_, name, _)| name).collect();
        let words = format!("Line chart, {} by {}: {}", self.axes[1], self.axes[0], names.join(", "));
        // The words are for people who do not see the picture.
        Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", markup(&words)), 1))
    }

    /// The colours of the curves that have names, as CSS has them, and those names.
    pub(crate) fn legend(&self) -> Vec<(String, Markup)> {
        let entry = |(_, name, colour): (_, &str, RGBColor)| {
            (format!("rgb({} {} {})", colour.0, colour.1, colour.2), Markup::name(name))
        };
        let others = self.curves.iter().any(|curve| curve.name.is_none());
        let grey = (format!("rgb({} {} {})", GREY.0, GREY.1, GREY.2), Markup::from("all others"));
        self.named().map(entry).chain(others.then_some(grey)).collect()
    }

    fn named(&self) -> impl Iterator<Item = (&Curve, &str, RGBColor)> {
        let named = self.curves.iter().filter_map(|curve| Some((curve, curve.name.as_deref()?)));
        named.zip(COLOURS.into_iter().cycle()).map(|((curve, name), colour)| (curve, name, colour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_without_names_are_grey_and_one_entry_of_the_legend() {
        let curve = |name: Option<&str>| Curve {
            name: name.map(str::to_string),
            points: vec![(0.0, 1.0), (5.0, 2.0)],
        };
        let curves = vec![curve(Some("<a>")), curve(None), curve(Some("b")), curve(None)];
        let chart = Curves { axes: ["round", "chips"], across: 0.0..5.0, up: 0.0..3.0, curves };
        let legend: Vec<(String, String)> =
            chart.legend().into_iter().map(|(colour, words)| (colour, words.text(false))).collect();
        let entry = |colour: &str, name: &str| (colour.to_string(), name.to_string());
        assert_eq!(
            legend,
            [
                entry("rgb(0 114 178)", "<a>"),
                entry("rgb(213 94 0)", "b"),
                entry("rgb(195 195 195)", "all others")
            ]
        );
        let svg = chart.draw().unwrap();
        assert!(
            svg.starts_with("<svg role=\"img\" aria-label=\"Line chart, chips by round: &lt;a&gt;, b\" "),
            "{svg}"
        );
        assert_eq!(svg.matches("#C3C3C3").count(), 2, "{svg}");
    }
}
