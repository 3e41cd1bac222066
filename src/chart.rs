//! Charts as pictures in SVG: curves, and figures with their intervals.

use std::ops::Range;

use casino_judge::figures::{Words, markup};
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
pub(crate) const COLOURED: usize = COLOURS.len();

/// Why a chart cannot be drawn.
pub(crate) type ChartError = Box<dyn std::error::Error + Send + Sync>;

/// A curve. Those without a name are grey, and all the same.
pub(crate) struct Curve {
    pub(crate) name: Option<String>,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Curves over a common axis.
pub(crate) struct Curves<'a> {
    /// What the axes show.
    pub(crate) axes: [&'a str; 2],
    pub(crate) across: Range<f64>,
    pub(crate) up: Range<f64>,
    pub(crate) curves: Vec<Curve>,
    /// The title of a picture that stands alone, which also names its curves.
    pub(crate) title: Option<&'a str>,
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
            if let Some(title) = self.title {
                builder.caption(title, ("sans-serif", 24));
            }
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
            for (curve, name, colour) in self.named() {
                chart
                    .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(3)))?
                    .label(name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(3)));
            }
            if self.title.is_some() {
                let mut labels = chart.configure_series_labels();
                labels.background_style(WHITE).border_style(BLACK).label_font(("sans-serif", 16)).draw()?;
            }
            area.present()?;
        }
        let names: Vec<&str> = self.named().map(|(_, name, _)| name).collect();
        Ok(told(&svg, &format!("Line chart, {} by {}: {}", self.axes[1], self.axes[0], names.join(", "))))
    }

    /// The colours of the curves that have names, as CSS has them, and those names.
    pub(crate) fn legend(&self) -> Vec<(String, Words)> {
        let entry = |(_, name, colour): (_, &str, RGBColor)| {
            (format!("rgb({} {} {})", colour.0, colour.1, colour.2), Words::name(name))
        };
        let others = self.curves.iter().any(|curve| curve.name.is_none());
        let grey = (format!("rgb({} {} {})", GREY.0, GREY.1, GREY.2), Words::from("everybody else"));
        self.named().map(entry).chain(others.then_some(grey)).collect()
    }

    fn named(&self) -> impl Iterator<Item = (&Curve, &str, RGBColor)> {
        let named = self.curves.iter().filter_map(|curve| Some((curve, curve.name.as_deref()?)));
        named.zip(COLOURS.into_iter().cycle()).map(|((curve, name), colour)| (curve, name, colour))
    }
}

/// A line of [`intervals`].
pub(crate) struct Interval<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: f64,
    /// The ends of the interval; without them there is only a point.
    pub(crate) ends: Option<(f64, f64)>,
}

/// Figures with their intervals, one below the other, and what they are.
pub(crate) fn intervals(what: &str, lines: &[Interval<'_>]) -> Result<String, ChartError> {
    let reach = |line: &Interval<'_>| line.ends.unwrap_or((line.value, line.value));
    let low = lines.iter().map(|line| reach(line).0).fold(0.0, f64::min);
    let high = lines.iter().map(|line| reach(line).1).fold(0.0, f64::max);
    let margin = ((high - low) * 0.05).max(1e-6);
    let top = lines.len() as f64 - 0.5;
    let mut svg = String::new();
    {
        let size = (960, 70 + 26 * u32::try_from(lines.len())?);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(150)
            .build_cartesian_2d(low - margin..high + margin, -0.5..top)?;
        chart.configure_mesh().max_light_lines(0).disable_y_mesh().y_labels(0).x_desc(what).draw()?;
        chart.draw_series([PathElement::new([(0.0, -0.5), (0.0, top)], GREY)])?;
        for (rank, (line, colour)) in lines.iter().zip(COLOURS.into_iter().cycle()).enumerate() {
            let height = (lines.len() - 1 - rank) as f64;
            let (low_end, high_end) = reach(line);
            let whiskers = [(low_end, height), (high_end, height)];
            chart.draw_series([PathElement::new(whiskers, colour.stroke_width(3))])?;
            chart.draw_series([Circle::new((line.value, height), 5, colour.filled())])?;
            let (x, y) = chart.backend_coord(&(low - margin, height));
            let style = ("sans-serif", 14).into_text_style(&area);
            area.draw_text(line.name, &style, (x - 145, y - 7))?;
        }
        area.present()?;
    }
    Ok(told(&svg, what))
}

/// The picture with words for those who do not see it.
fn told(svg: &str, words: &str) -> String {
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", markup(words)), 1)
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
        let chart = Curves { axes: ["round", "chips"], across: 0.0..5.0, up: 0.0..3.0, curves, title: None };
        let legend: Vec<(String, String)> =
            chart.legend().into_iter().map(|(colour, words)| (colour, words.text(false))).collect();
        let entry = |colour: &str, name: &str| (colour.to_string(), name.to_string());
        assert_eq!(
            legend,
            [
                entry("rgb(0 114 178)", "<a>"),
                entry("rgb(213 94 0)", "b"),
                entry("rgb(195 195 195)", "everybody else")
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
