//! The page of a rating, with its charts: one file that needs nothing else.

use std::fmt::Write as _;

use plotters::prelude::*;

use casino_stud::rating::{BlockTally, Estimate, RatingReport};
use html_escape::encode_double_quoted_attribute as escape;

use crate::figures::{Cell, Table};

use super::words::{TOO_FEW, better, headline, places, rounded, settled, share, too_few, worth};

/// Colours that people with the common kinds of colour blindness can tell apart (Okabe and Ito's, without
/// yellow), again and again if there are more bots.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];

/// Points of a curve: more could not be told apart in the picture.
const POINTS: usize = 300;

/// The page.
///
/// # Errors
/// If a chart cannot be drawn.
pub(super) fn page(report: &RatingReport, tally: &BlockTally) -> Result<String, String> {
    let intervals = intervals(report).map_err(|error| error.to_string())?;
    let course = course(report, tally).map_err(|error| error.to_string())?;
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rating</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<style>\n\
         body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}\n\
         table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .7rem;text-align:right;\
         border-bottom:1px solid #ddd}\nth:first-child,td:first-child,.name{text-align:left}\n\
         svg{max-width:100%;height:auto}.small{color:#666;font-size:.9em}\n</style></head><body>\n<h1>Rating</h1>\n",
    );
    let _ = writeln!(page, "<p>{}.</p>", escape(&headline(report)));
    for sentence in [worth(report), too_few(report), settled(report)].into_iter().flatten() {
        let _ = writeln!(page, "<p>{}</p>", escape(&sentence));
    }
    standings(report, &mut page);
    let _ = writeln!(page, "<h2>Chips per round</h2>\n{intervals}");
    let _ = writeln!(page, "<h2>How the averages settled</h2>\n{course}");
    neighbours(report, &mut page);
    pairs(report, &mut page);
    fouls(report, &mut page);
    page.push_str("</body></html>\n");
    Ok(page)
}

fn standings(report: &RatingReport, page: &mut String) {
    let mut table = Table::default().figures(["place", "in doubt"]).words(["bot"]).figures([
        "chips per round",
        "95%",
        "rating",
        "freeze-outs won",
        "mean place",
        "fouls",
    ]);
    for verdict in &report.standings {
        let chips = verdict.chips_per_round;
        let none = || (String::new(), String::new(), String::new());
        let (rating, won, place) = verdict.rating.map_or_else(none, |rating| {
            (
                format!("{:.1} ± {:.1}", rating.value, rating.uncertainty),
                format!("{:.1} % of {}", 100.0 * rating.win_share, rating.tournaments),
                format!("{:.2} ± {:.2}", rating.mean_place, rating.mean_place_error),
            )
        });
        table.row([
            verdict.place.into(),
            places(verdict.best_place, verdict.worst_place).into(),
            Cell::from(&verdict.name),
            format!("{:+.3}", chips.value).into(),
            ends(&chips).into(),
            rating.into(),
            won.into(),
            place.into(),
            verdict.fouls.count().into(),
        ]);
    }
    page.push_str(&table.plain_html());
}

/// The ends of an interval, if there is one.
fn ends(estimate: &Estimate) -> String {
    estimate.interval().map_or(TOO_FEW.to_string(), |(low, high)| format!("{low:+.3} to {high:+.3}"))
}

fn neighbours(report: &RatingReport, page: &mut String) {
    let mut table = Table::default().figures(["better"]).words(["worse"]).figures([
        "probability",
        "difference",
        "95%",
        "rounds to tell apart",
        "with plain deals",
    ]);
    for pair in report.neighbours() {
        let (rounds, plain) = pair.separation.map_or((String::new(), String::new()), |separation| {
            (rounded(separation.rounds), rounded(separation.plain_rounds))
        });
        table.row([
            Cell::from(&pair.first),
            Cell::from(&pair.second),
            // It is above a half, and so there is no `<` in it.
            Cell::markup(share(pair.first_is_better)),
            format!("{:+.3}", pair.difference.value).into(),
            ends(&pair.difference).into(),
            rounds.into(),
            plain.into(),
        ]);
    }
    let _ = write!(page, "<h2>Neighbours</h2>\n{}", table.plain_html());
}

fn pairs(report: &RatingReport, page: &mut String) {
    const MOST: usize = 40;
    if report.standings.len() > MOST {
        page.push_str(
            "<p class=small>There are too many pairs to show them all; they are in the JSON result.</p>\n",
        );
        return;
    }
    page.push_str(
        "<h2>All pairs</h2>\n<p class=small>The probability that the bot on the left is better.</p>\n",
    );
    let names = report.standings.iter().map(|other| &other.name);
    let mut table = Table::default().figures([""]).figures(names);
    for one in &report.standings {
        let cells = report.standings.iter().map(|other| match better(report, &one.name, &other.name) {
            None => Cell::from(""),
            Some(chance) => {
                let (hue, strength) = if chance >= 0.5 { (205, chance) } else { (25, 1.0 - chance) };
                let light = 100.0 - 45.0 * (2.0 * strength - 1.0);
                Cell::from(share(chance)).on(format!("hsl({hue} 70% {light:.0}%)"))
            }
        });
        table.row([Cell::heading(&one.name)].into_iter().chain(cells));
    }
    page.push_str(&table.plain_html());
}

fn fouls(report: &RatingReport, page: &mut String) {
    for verdict in report.standings.iter().filter(|verdict| verdict.fouls.count() > 0) {
        let kinds: Vec<String> =
            verdict.fouls.kinds.iter().map(|(kind, count)| format!("{kind} {count} times")).collect();
        let first = verdict.fouls.first.as_deref().unwrap_or_default();
        let _ = writeln!(
            page,
            "<p>Fouls of {}: {}. The first: it {}</p>",
            escape(&verdict.name),
            escape(&kinds.join(", ")),
            escape(first)
        );
    }
}

type Drawn = Result<String, Box<dyn std::error::Error>>;

/// The standings with their intervals, one line a bot.
fn intervals(report: &RatingReport) -> Drawn {
    let bots = report.standings.len();
    // A bot without an interval is a point.
    let reach = |chips: Estimate| chips.interval().unwrap_or((chips.value, chips.value));
    let reaches = || report.standings.iter().map(|verdict| reach(verdict.chips_per_round));
    let low = reaches().map(|(low, _)| low).fold(0.0, f64::min);
    let high = reaches().map(|(_, high)| high).fold(0.0, f64::max);
    let margin = ((high - low) * 0.05).max(1e-6);
    let mut picture = String::new();
    {
        let size = (900, 70 + 26 * u32::try_from(bots)?);
        let area = SVGBackend::with_string(&mut picture, size).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(150)
            .build_cartesian_2d(low - margin..high + margin, -0.5..bots as f64 - 0.5)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .disable_y_mesh()
            .y_labels(0)
            .x_desc("chips per round, with the 95% interval")
            .draw()?;
        let zero = [(0.0, -0.5), (0.0, bots as f64 - 0.5)];
        chart.draw_series([PathElement::new(zero, RGBColor(150, 150, 150))])?;
        for (rank, verdict) in report.standings.iter().enumerate() {
            let chips = verdict.chips_per_round;
            let height = (bots - 1 - rank) as f64;
            let colour = COLOURS[rank % COLOURS.len()];
            let (low_end, high_end) = reach(chips);
            let whiskers = [(low_end, height), (high_end, height)];
            chart.draw_series([PathElement::new(whiskers, colour.stroke_width(3))])?;
            chart.draw_series([Circle::new((chips.value, height), 5, colour.filled())])?;
            let (x, y) = chart.backend_coord(&(low - margin, height));
            let style = ("sans-serif", 14).into_text_style(&area);
            area.draw_text(&verdict.name, &style, (x - 145, y - 7))?;
        }
        area.present()?;
    }
    Ok(picture)
}

/// How the averages moved as more and more rounds were played.
fn course(report: &RatingReport, tally: &BlockTally) -> Drawn {
    let seats = report.plan.seats() as f64;
    let bots = report.plan.bot_count();
    let mut curves: Vec<Vec<(f64, f64)>> = vec![Vec::new(); bots];
    let mut sums = vec![0; bots];
    let mut blocks = 0;
    let every = tally.batches().count().div_ceil(POINTS);
    for (index, (chips, more)) in tally.batches().enumerate() {
        blocks += more;
        for (bot, curve) in curves.iter_mut().enumerate() {
            sums[bot] += chips[bot];
            if (index + 1) % every == 0 || blocks == tally.blocks() {
                let rounds = (blocks * report.plan.rounds_per_block()) as f64;
                curve.push((rounds, sums[bot] as f64 / (blocks as f64 * seats)));
            }
        }
    }
    // The beginning swings too wildly to set the scale.
    let calm = |curve: &Vec<(f64, f64)>| curve[curve.len() / 10..].to_vec();
    let heights = || curves.iter().flat_map(calm).map(|(_, chips)| chips);
    let (low, high) = (heights().fold(0.0, f64::min), heights().fold(0.0, f64::max));
    let margin = ((high - low) * 0.08).max(1e-6);
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, (900, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(70)
            // Room for the names to the right of the curves.
            .build_cartesian_2d(0.0..report.rounds as f64 * 1.18, low - margin..high + margin)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("rounds played")
            .y_desc("chips per round so far")
            .x_label_formatter(&|rounds| format!("{rounds:.0}"))
            .draw()?;
        for (rank, verdict) in report.standings.iter().enumerate() {
            let bot = report.plan.bots().iter().position(|bot| bot.name == verdict.name);
            let curve = bot.map(|bot| curves[bot].clone()).unwrap_or_default();
            let colour = COLOURS[rank % COLOURS.len()];
            chart
                .draw_series(LineSeries::new(curve, colour.stroke_width(2)))?
                .label(&verdict.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(3)));
        }
        if bots <= 17 {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperRight)
                .background_style(WHITE.mix(0.8))
                .label_font(("sans-serif", 13))
                .draw()?;
        }
        area.present()?;
    }
    Ok(picture)
}
