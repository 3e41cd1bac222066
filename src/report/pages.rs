//! The pages of a report: each a file that needs nothing else.

use std::fmt::Write as _;

use html_escape::encode_double_quoted_attribute as escape;

use crate::figures::{Cell, Table};
use casino_stud::replay::BoardRow;

use super::chart::{COLOURS, ChartError, race};
use super::coach;
use super::data::{PlayerReport, ReportData, RoundOutcome};

/// How many fouls a card shows.
const SHOWN: usize = 10;

/// The style of all pages, on a screen and on paper.
const STYLE: &str = include_str!("page.css");

/// Where the pages of a report are, and the replay they lead to.
#[derive(Clone, Debug)]
pub struct ReportLinks {
    /// The address of the replay, without the part after `#`.
    pub replay: String,
    /// The page of the tournament, as seen from a card.
    pub overview: String,
    /// The card of each player in seat order, as seen from the page of the tournament.
    pub cards: Vec<String>,
}

/// The page of a whole tournament.
///
/// # Errors
/// If the chart cannot be drawn.
pub fn overview(data: &ReportData, links: &ReportLinks) -> Result<String, ChartError> {
    let mut page = head("Casino Day: the tournament");
    let (info, replay) = (&data.info, links.replay.as_str());
    champions(data, links, &mut page);
    let hands = match data.deals.len() {
        0 => String::new(),
        hands => format!(" ({hands} over all tables)"),
    };
    let _ = writeln!(
        page,
        "<p>{} players, {} chips each, {} rounds{hands}{}{}.</p>",
        info.players.len(),
        info.stack,
        data.last_round,
        if info.rehearsal { ", a rehearsal" } else { "" },
        if data.finished { "" } else { ", not finished" },
    );
    standings(data, links, &mut page);
    let first: Vec<usize> = data.standings.iter().take(COLOURS.len()).map(|row| row.seat).collect();
    let race = race(data, &first, true).map_err(ChartError)?;
    let _ = writeln!(page, "<h2>Stacks over the rounds</h2>\n<figure>{race}");
    legend(data, &first, &mut page);
    let mut pots = Table::default().figures(["chips", "round"]).words(["who took them"]);
    for (chips, round, takers) in &data.pots {
        pots.row([chips.into(), Cell::markup(link(data, replay, *round)), takers.into()]);
    }
    let _ = write!(page, "</figure>\n<h2>The biggest pots</h2>\n{}", pots.html());
    coach::marks(data, &mut page, |seat| player(data, links, seat));
    fouls(data, links, &mut page);
    latency(data, &mut page);
    if let Some(promise) = &info.promise {
        let _ =
            writeln!(page, "<p class=small>SHA-256 of the seed, shown before the first deal: {promise}</p>");
    }
    if let Some(seed) = &info.seed {
        let _ = writeln!(page, "<p class=small>The seed: {}</p>", escape(seed));
    }
    page.push_str("</main></body></html>\n");
    Ok(page)
}

/// Who won, and who came next: what everybody looks for first.
fn champions(data: &ReportData, links: &ReportLinks, page: &mut String) {
    page.push_str("<header>\n<h1>The tournament</h1>\n<ol class=podium>\n");
    for row in data.standings.iter().take_while(|row| row.place <= 3).take(6) {
        let title = match (row.place, data.finished) {
            (1, true) => "Champion".to_string(),
            (1, false) => "In the lead".to_string(),
            (place, _) => format!("Place {place}"),
        };
        let _ = writeln!(
            page,
            "<li class=place-{}><span>{title}</span> <strong>{}</strong> <span>{}</span></li>",
            row.place,
            player(data, links, row.seat - 1),
            reached(row),
        );
    }
    page.push_str("</ol>\n</header>\n<main>\n");
}

fn legend(data: &ReportData, named: &[usize], page: &mut String) {
    page.push_str("<figcaption><ul class=legend>\n");
    for (seat, colour) in named.iter().zip(COLOURS) {
        let name = escape(&data.info.players[seat - 1]);
        let (red, green, blue) = (colour.0, colour.1, colour.2);
        let _ = writeln!(
            page,
            "<li><i style=\"background:rgb({red} {green} {blue})\"></i><bdi>{name}</bdi></li>"
        );
    }
    if data.info.players.len() > named.len() {
        page.push_str("<li><i class=others></i>everybody else</li>\n");
    }
    page.push_str("</ul></figcaption>\n");
}

/// What a player ended with: points where they decide, otherwise chips.
fn reached(row: &BoardRow) -> String {
    match row.points {
        Some(points) => format!("{points} points"),
        None => format!("{} chips", row.chips),
    }
}

/// The name of a player, which leads to its card.
fn player(data: &ReportData, links: &ReportLinks, seat: usize) -> String {
    let name = escape(&data.info.players[seat]);
    match links.cards.get(seat) {
        Some(card) => format!("<a href=\"{}\"><bdi>{name}</bdi></a>", escape(card)),
        None => format!("<bdi>{name}</bdi>"),
    }
}

fn standings(data: &ReportData, links: &ReportLinks, page: &mut String) {
    let has_points = data.standings.iter().any(|row| row.points.is_some());
    let points = has_points.then_some("points");
    let table = Table::default().figures(["place"]).words(["player"]).figures(points);
    let mut table = table.figures(["chips", "left in round"]).words(["why"]);
    for row in &data.standings {
        let points = has_points.then(|| row.points.map_or_else(|| "".into(), Cell::from));
        let first = [row.place.into(), Cell::markup(player(data, links, row.seat - 1))];
        let rest = [
            row.chips.into(),
            Cell::markup(left(data, &links.replay, row).unwrap_or_default()),
            row.why.as_deref().unwrap_or("in until the end").into(),
        ];
        table.row(first.into_iter().chain(points).chain(rest));
    }
    let _ = write!(page, "<h2>Standings</h2>\n{}", table.html());
}

fn fouls(data: &ReportData, links: &ReportLinks, page: &mut String) {
    let count: usize = data.players.iter().map(|player| player.fouls.len()).sum();
    page.push_str("<h2>Fouls</h2>\n");
    if count == 0 {
        page.push_str("<p>Nobody broke a rule.</p>\n");
        return;
    }
    let mut table = Table::default()
        .words(["player"])
        .figures(["fouls", "the first, in round"])
        .words(["what", "how to fix it"]);
    for (seat, report) in data.players.iter().enumerate() {
        if let Some(first) = report.fouls.first() {
            table.row([
                Cell::markup(player(data, links, seat)),
                report.fouls.len().into(),
                Cell::markup(link(data, &links.replay, first.round)),
                Cell::from(&first.what),
                first.fix.into(),
            ]);
        }
    }
    page.push_str(&table.html());
}

fn latency(data: &ReportData, page: &mut String) {
    if data.players.iter().all(|player| player.replies.is_empty()) {
        return;
    }
    let mut table = Table::default().words(["player"]).figures([
        "replies",
        "half within",
        "99 of 100 within",
        "the longest",
    ]);
    for (name, player) in data.info.players.iter().zip(&data.players) {
        if let Some([half, most, longest]) = quantiles(player) {
            table.row([
                Cell::markup(format!("<bdi>{}</bdi>", escape(name))),
                player.replies.len().into(),
                half.into(),
                most.into(),
                longest.into(),
            ]);
        }
    }
    let _ = write!(page, "<h2>Reply times in milliseconds</h2>\n{}", table.html());
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
pub fn card(data: &ReportData, seat: usize, links: &ReportLinks) -> Result<String, ChartError> {
    let name = escape(&data.info.players[seat]);
    let (player, replay) = (&data.players[seat], links.replay.as_str());
    let mut page = head(&format!("Casino Day: {name}"));
    let _ = writeln!(
        page,
        "<header>\n<nav><a href=\"{}\">The tournament</a></nav>\n<h1><bdi>{name}</bdi></h1>",
        escape(&links.overview)
    );
    if let Some(row) = data.standings.iter().find(|row| row.seat == seat + 1) {
        let champion = if row.place == 1 && data.finished { ": champion" } else { "" };
        let _ =
            write!(page, "<p class=place>Place {} of {}{champion}</p>\n<p>", row.place, data.players.len());
        let _ = match (left(data, replay, row), &row.why) {
            (Some(round), Some(why)) => writeln!(page, "Out in round {round}: {}.</p>", escape(why)),
            _ => writeln!(page, "In until the end with {}.</p>", reached(row)),
        };
    }
    page.push_str("</header>\n<main>\n");
    let stacks = race(data, &[seat + 1], false).map_err(ChartError)?;
    let _ = writeln!(page, "<h2>Chips over the rounds</h2>\n<figure>{stacks}</figure>");
    if let Some(report) = &player.coach {
        coach::section(report, &mut page, |round| link(data, replay, round));
    }
    outcomes(player, &mut page);
    costliest(data, player, replay, &mut page);
    fouls_of(data, player, replay, &mut page);
    if let (1, Some([took, ..])) = (player.replies.len(), quantiles(player)) {
        let _ = writeln!(page, "<h2>Reply times</h2>\n<p>The only reply took {took} ms.</p>");
    } else if let Some([half, most, longest]) = quantiles(player) {
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
         </main></body></html>"
    );
    Ok(page)
}

/// What the rounds brought a player, by how they ended for it.
fn outcomes(player: &PlayerReport, page: &mut String) {
    let mut table =
        Table::default().words(["how the round went"]).figures(["rounds", "chips", "chips a round"]);
    let mut line = |what: &str, sum: &super::data::Sum| {
        if sum.rounds > 0 {
            let mean = sum.chips as f64 / sum.rounds as f64;
            table.row([
                what.into(),
                sum.rounds.into(),
                format!("{:+}", sum.chips).into(),
                format!("{mean:+.2}").into(),
            ]);
        }
    };
    for outcome in RoundOutcome::ALL {
        line(outcome.words(), &player.outcomes[outcome as usize]);
    }
    line("of all these: opened the first street", &player.opened);
    line("half pots won for the high spade", &player.spades);
    let _ = write!(page, "<h2>Profit by situation</h2>\n{}", table.html());
}

fn costliest(data: &ReportData, player: &PlayerReport, replay: &str, page: &mut String) {
    let mut table = Table::default().figures(["round", "chips"]).words(["how"]);
    for loss in &player.costliest {
        table.row([Cell::markup(link(data, replay, loss.round)), loss.chips.into(), loss.how.words().into()]);
    }
    let _ = write!(page, "<h2>The costliest rounds</h2>\n{}", table.html());
}

fn fouls_of(data: &ReportData, player: &PlayerReport, replay: &str, page: &mut String) {
    page.push_str("<h2>Fouls</h2>\n");
    match player.fouls.len() {
        0 => page.push_str("<p>None.</p>\n"),
        count => {
            if count > SHOWN {
                let _ = writeln!(page, "<p>{count}, of which these are the first:</p>");
            }
            page.push_str("<ul class=fouls>\n");
            for foul in player.fouls.iter().take(SHOWN) {
                let round = link(data, replay, foul.round);
                let (what, fix) = (escape(&foul.what), escape(foul.fix));
                let _ = writeln!(page, "<li>Round {round}: {what}.<br><strong>To fix:</strong> {fix}</li>");
            }
            page.push_str("</ul>\n");
        }
    }
}

fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<style>\n{STYLE}</style></head><body>\n"
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
