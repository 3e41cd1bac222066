//! The pages of a report: each a file that needs nothing else.

use std::fmt::{self, Write as _};

use html_escape::encode_double_quoted_attribute as escape;
use plotters::prelude::*;

use crate::replay::BoardRow;

use super::data::{PlayerReport, ReportData, RoundOutcome};

/// The chart of a page cannot be drawn.
#[derive(Debug)]
pub struct ChartError(Box<dyn std::error::Error + Send + Sync>);

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

/// The page of a whole tournament. `replay` is the address of its replay, without the part after `#`.
///
/// # Errors
/// If the chart cannot be drawn.
pub fn overview(data: &ReportData, replay: &str) -> Result<String, ChartError> {
    let mut page = head("Casino Day: the tournament");
    let info = &data.info;
    let _ = writeln!(
        page,
        "<h1>The tournament</h1>\n<p>{} players, {} chips each, {} rounds{}{}.</p>",
        info.players.len(),
        info.stack,
        data.rounds,
        if info.rehearsal { ", a rehearsal" } else { "" },
        if data.finished { "" } else { ", not finished" },
    );
    let first: Vec<usize> = data.standings.iter().take(COLOURS.len()).map(|row| row.seat).collect();
    let race = race(data, &first, true).map_err(ChartError)?;
    let _ = writeln!(page, "<h2>Stacks over the rounds</h2>\n{race}");
    page.push_str(
        "<h2>Standings</h2>\n<table><tr><th>place</th><th class=name>player</th><th>chips</th>\
         <th>left in round</th><th class=name>why</th></tr>\n",
    );
    for row in &data.standings {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td class=name>{}</td><td>{}</td><td>{}</td><td class=name>{}</td></tr>",
            row.place,
            escape(&info.players[row.seat - 1]),
            row.chips,
            left(data, replay, row).unwrap_or_default(),
            escape(row.why.as_deref().unwrap_or("in until the end")),
        );
    }
    page.push_str("</table>\n<h2>The biggest pots</h2>\n<table><tr><th>chips</th><th>round</th>");
    page.push_str("<th class=name>who took them</th></tr>\n");
    for (chips, round, takers) in &data.pots {
        let round = link(data, replay, *round);
        let _ =
            writeln!(page, "<tr><td>{chips}</td><td>{round}</td><td class=name>{}</td></tr>", escape(takers));
    }
    page.push_str("</table>\n");
    fouls(data, replay, &mut page);
    latency(data, &mut page);
    if let Some(promise) = &info.promise {
        let _ =
            writeln!(page, "<p class=small>SHA-256 of the seed, shown before the first deal: {promise}</p>");
    }
    if let Some(seed) = &info.seed {
        let _ = writeln!(page, "<p class=small>The seed: {}</p>", escape(seed));
    }
    page.push_str("</body></html>\n");
    Ok(page)
}

fn fouls(data: &ReportData, replay: &str, page: &mut String) {
    let count: usize = data.players.iter().map(|player| player.fouls.len()).sum();
    page.push_str("<h2>Fouls</h2>\n");
    if count == 0 {
        page.push_str("<p>Nobody broke a rule.</p>\n");
        return;
    }
    page.push_str("<table><tr><th class=name>player</th><th>fouls</th><th>the first, in round</th>");
    page.push_str("<th class=name>what</th></tr>\n");
    for (name, player) in data.info.players.iter().zip(&data.players) {
        if let Some((round, what)) = player.fouls.first() {
            let _ = writeln!(
                page,
                "<tr><td class=name>{}</td><td>{}</td><td>{}</td><td class=name>{}</td></tr>",
                escape(name),
                player.fouls.len(),
                link(data, replay, *round),
                escape(what),
            );
        }
    }
    page.push_str("</table>\n");
}

fn latency(data: &ReportData, page: &mut String) {
    if data.players.iter().all(|player| player.replies.is_empty()) {
        return;
    }
    page.push_str(
        "<h2>Reply times in milliseconds</h2>\n<table><tr><th class=name>player</th><th>replies</th>\
         <th>half within</th><th>99 of 100 within</th><th>the longest</th></tr>\n",
    );
    for (name, player) in data.info.players.iter().zip(&data.players) {
        if let Some([half, most, longest]) = quantiles(player) {
            let _ = writeln!(
                page,
                "<tr><td class=name>{}</td><td>{}</td><td>{half}</td><td>{most}</td><td>{longest}</td></tr>",
                escape(name),
                player.replies.len(),
            );
        }
    }
    page.push_str("</table>\n");
}

/// The median, the 99th percentile and the longest, in milliseconds.
fn quantiles(player: &PlayerReport) -> Option<[String; 3]> {
    let last = player.replies.len().checked_sub(1)?;
    let ms = |index: usize| format!("{:.2}", player.replies[index] as f64 / 1_000.0);
    Some([ms(last / 2), ms(last * 99 / 100), ms(last)])
}

/// The report card of the player in this seat, counted from 0. It tells nothing of the others but their number.
///
/// # Errors
/// If the chart cannot be drawn.
pub fn card(data: &ReportData, seat: usize, replay: &str) -> Result<String, ChartError> {
    let name = escape(&data.info.players[seat]);
    let player = &data.players[seat];
    let mut page = head(&format!("Casino Day: {name}"));
    let _ = writeln!(page, "<h1>{name}</h1>");
    if let Some(row) = data.standings.iter().find(|row| row.seat == seat + 1) {
        let _ = write!(page, "<p>Place {} of {}", row.place, data.players.len());
        let _ = match (left(data, replay, row), &row.why) {
            (Some(round), Some(why)) => {
                writeln!(page, ", out in round {round}: {}.</p>", escape(why))
            }
            _ => writeln!(page, ", in until the end with {} chips.</p>", row.chips),
        };
    }
    let stacks = race(data, &[seat + 1], false).map_err(ChartError)?;
    let _ = writeln!(page, "<h2>Chips over the rounds</h2>\n{stacks}");
    outcomes(player, &mut page);
    costliest(data, player, replay, &mut page);
    fouls_of(data, player, replay, &mut page);
    if let Some([half, most, longest]) = quantiles(player) {
        let _ = writeln!(
            page,
            "<h2>Reply times</h2>\n<p>Half of {} replies took at most {half} ms, 99 of 100 at most {most} ms, the \
             longest {longest} ms.</p>",
            player.replies.len()
        );
    }
    let _ = writeln!(
        page,
        "<p class=small>The links show a round while the replay runs: casino replay JOURNAL --web ADDRESS.</p>\n\
         </body></html>"
    );
    Ok(page)
}

/// What the rounds brought a player, by how they ended for it.
fn outcomes(player: &PlayerReport, page: &mut String) {
    page.push_str(
        "<h2>Profit by situation</h2>\n<table><tr><th class=name>how the round went</th><th>rounds</th>\
         <th>chips</th><th>chips a round</th></tr>\n",
    );
    let mut line = |what: &str, sum: &super::data::Sum| {
        if sum.rounds > 0 {
            let _ = writeln!(
                page,
                "<tr><td class=name>{what}</td><td>{}</td><td>{:+}</td><td>{:+.2}</td></tr>",
                sum.rounds,
                sum.chips,
                sum.chips as f64 / sum.rounds as f64,
            );
        }
    };
    for outcome in RoundOutcome::ALL {
        line(outcome.words(), &player.outcomes[outcome as usize]);
    }
    line("of all these: opened the first street", &player.opened);
    line("half pots won for the high spade", &player.spades);
    page.push_str("</table>\n");
}

fn costliest(data: &ReportData, player: &PlayerReport, replay: &str, page: &mut String) {
    page.push_str("<h2>The costliest rounds</h2>\n<table><tr><th>round</th><th>chips</th>");
    page.push_str("<th class=name>how</th></tr>\n");
    for loss in &player.costliest {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=name>{}</td></tr>",
            link(data, replay, loss.round),
            loss.chips,
            loss.how.words(),
        );
    }
    page.push_str("</table>\n");
}

/// The fouls of one player.
fn fouls_of(data: &ReportData, player: &PlayerReport, replay: &str, page: &mut String) {
    page.push_str("<h2>Fouls</h2>\n");
    match player.fouls.len() {
        0 => page.push_str("<p>None.</p>\n"),
        count => {
            let _ = writeln!(page, "<p>{count}; the first ones:</p>\n<ul>");
            for (round, what) in player.fouls.iter().take(10) {
                let _ = writeln!(page, "<li>round {}: {}</li>", link(data, replay, *round), escape(what));
            }
            page.push_str("</ul>\n");
        }
    }
}

fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<style>\n\
         body{{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}}\n\
         table{{border-collapse:collapse;margin:1rem 0}}th,td{{padding:.2rem .7rem;text-align:right;\
         border-bottom:1px solid #ddd}}\n.name{{text-align:left}}\nsvg{{max-width:100%;height:auto}}\
         .small{{color:#555;font-size:.9em;overflow-wrap:anywhere}}\n\
         @media(max-width:45rem){{th,td{{padding:.2rem .25rem;font-size:.8em;overflow-wrap:anywhere}}}}\n</style></head><body>\n"
    )
}

/// A round by its place among all, with its number and, where there are several, its table.
fn link(data: &ReportData, replay: &str, at: u64) -> String {
    let place = match usize::try_from(at).ok().and_then(|at| data.deals.get(at.checked_sub(1)?)) {
        Some((table, round)) => format!("{round} at table {table}"),
        None => at.to_string(),
    };
    format!("<a href=\"{}#round={at}\">{place}</a>", escape(replay))
}

/// The round in which a player left: a link where it is among those played.
fn left(data: &ReportData, replay: &str, row: &BoardRow) -> Option<String> {
    let round = row.left_in_round?;
    Some(data.exits.get(&(row.seat - 1)).map_or(round.to_string(), |at| link(data, replay, *at)))
}

/// Colours that also those tell apart who see few, dark enough on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 130, 95),
    RGBColor(204, 78, 140),
    RGBColor(60, 60, 60),
    RGBColor(150, 110, 0),
    RGBColor(86, 60, 180),
];

/// The stacks over the rounds: those of these seats, from 1, in colour and named, and if wanted the others in grey.
fn race(
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
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d(0..data.rounds.max(1), 0..u64::from(most))?;
        chart
            .configure_mesh()
            .x_desc("round")
            .y_desc("chips")
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 16))
            .light_line_style(WHITE)
            .draw()?;
        let line = |row: &BoardRow| {
            let exit = row.left_in_round.and_then(|_| data.exits.get(&(row.seat - 1)));
            let (seat, until) = (row.seat, exit.copied().unwrap_or(u64::MAX));
            let within = points.iter().filter(move |point| point.round <= until);
            within.map(move |point| (point.round, u64::from(point.stacks[seat - 1]))).collect::<Vec<_>>()
        };
        for row in data.standings.iter().filter(|row| others && !named.contains(&row.seat)) {
            chart.draw_series(LineSeries::new(line(row), RGBColor(195, 195, 195).stroke_width(1)))?;
        }
        for (index, seat) in named.iter().enumerate() {
            let Some(row) = data.standings.iter().find(|row| row.seat == *seat) else { continue };
            let colour = COLOURS[index % COLOURS.len()];
            chart
                .draw_series(LineSeries::new(line(row), colour.stroke_width(3)))?
                .label(name(*seat))
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(4)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font(("sans-serif", 16))
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
        area.present()?;
    }
    let names: Vec<String> = named.iter().map(|seat| name(*seat)).collect();
    let label = format!("Line chart of the stacks over the rounds: {}", names.join(", "));
    Ok(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escape(&label)), 1))
}
