//! The pages of a report: each a file that needs nothing else.

use casino_judge::figures::{Cell, DataTable, Document, Markup, STYLE};
use casino_show::rounds::BoardRow;
use casino_stud::journal::{Occasion, OccasionText};
use casino_stud::stud::grouped;

use super::coach;
use super::data::{PlayerReport, ReportData, ReportedFoul, RoundOutcome, Sum};
use crate::chart::{COLOURED_CURVES, ChartError, Curve, Curves};

const MAX_SHOWN_FOULS: usize = 10;

/// The page of a whole tournament. `cards` are the paths from it to the card of each player, in seat order.
pub fn overview(data: &ReportData, cards: &[String]) -> Result<String, ChartError> {
    let mut page = Document::default();
    let info = &data.info;
    page.header();
    occasion(data, &mut page);
    page.heading(1, "The tournament");
    champions(data, cards, &mut page);
    let hands = match data.deals.len() {
        0 => String::new(),
        hands => format!(" ({hands} over all tables)"),
    };
    page.section();
    page.say(format!(
        "{} players, {} chips each, {} rounds{hands}{}{}.",
        info.players.len(),
        grouped(info.stack),
        grouped(data.last_round),
        if info.rehearsal { ", a rehearsal" } else { "" },
        if data.finished { "" } else { ", not finished" },
    ));
    page.heading(2, "Standings");
    page.table(standings(data, cards));
    let first: Vec<usize> = data.standings.iter().take(COLOURED_CURVES).map(|row| row.seat).collect();
    let race = race(data, &first, true);
    page.section();
    page.heading(2, "Stacks over the rounds");
    page.picture(race.draw()?, race.legend());
    let mut pots = DataTable::default().figures(["chips", "round"]).words(["who took them"]);
    for (chips, round, takers) in &data.pots {
        pots.row([chips.into(), place(data, *round).into(), takers.into()]);
    }
    page.section();
    page.heading(2, "The biggest pots");
    page.table(pots);
    coach::less_luck(data, &mut page, |seat| player(data, cards, seat));
    fouls(data, cards, &mut page);
    latency(data, &mut page);
    if let Some(promise) = &info.promise {
        page.classed("small", format!("SHA-256 of the seed, shown before the first deal: {promise}"));
    }
    if let Some(seed) = &info.seed {
        page.classed("small", format!("The seed: {seed}"));
    }
    Ok(page.page(&format!("{}: the tournament", info.occasion.title()), STYLE))
}

/// Title, place and date.
fn occasion(data: &ReportData, page: &mut Document) {
    let Occasion { title, venue } = &data.info.occasion;
    let said: Vec<&str> = [title, venue].into_iter().flatten().map(OccasionText::as_str).collect();
    if !said.is_empty() {
        page.say(said.join(" · "));
    }
}

/// The winner and the next places, which readers look for first.
fn champions(data: &ReportData, cards: &[String], page: &mut Document) {
    let mut next = Vec::new();
    let placed = data.standings.iter().filter_map(|row| Some((row, row.place?)));
    for (row, place) in placed.take_while(|(_, place)| *place <= 3).take(6) {
        let title = match (place, data.finished) {
            (1, true) => "Champion".to_string(),
            (1, false) => "In the lead".to_string(),
            (_, _) => format!("Place {place}"),
        };
        let name = Markup::strong(player(data, cards, row.seat - 1));
        let words = Markup::aside(title).and(" ").and(name).and(" ").and(Markup::aside(reached(row)));
        match place {
            1 => page.classed("champion", words),
            _ => next.push(vec![words]),
        }
    }
    page.list("podium", next);
}

/// A player's final result: points in formats that have them, otherwise chips.
pub(super) fn reached(row: &BoardRow) -> String {
    match row.points {
        Some(points) => format!("{} points", grouped(points)),
        None => format!("{} chips", grouped(row.chips)),
    }
}

/// The name of a player, which leads to its card.
fn player(data: &ReportData, cards: &[String], seat: usize) -> Markup {
    let name = Markup::name(&data.info.players[seat]);
    let name = match cards.get(seat) {
        Some(card) => Markup::link(card, name),
        None => name,
    };
    if data.info.placing.is_house(seat) { name.and(" ").and(Markup::aside("(house)")) } else { name }
}

fn standings(data: &ReportData, cards: &[String]) -> DataTable {
    let figures = ["points", "chips", "left in round"];
    let mut table = DataTable::default().figures(["place"]).words(["player"]).figures(figures).words(["why"]);
    for row in &data.standings {
        table.row([
            row.place.map_or("–".into(), Cell::from),
            player(data, cards, row.seat - 1).into(),
            Cell::of(row.points),
            row.chips.into(),
            Cell::of(left(data, row)),
            row.why.as_deref().unwrap_or("in until the end").into(),
        ]);
    }
    table
}

fn fouls(data: &ReportData, cards: &[String], page: &mut Document) {
    let count: usize = data.players.iter().map(|player| player.fouls.len()).sum();
    page.section();
    page.heading(2, "Fouls");
    if count == 0 {
        page.say("There was no foul.");
        return;
    }
    let mut table = DataTable::default()
        .words(["player"])
        .figures(["fouls", "the first, in round"])
        .words(["what", "how to fix it"]);
    for (seat, report) in data.players.iter().enumerate() {
        if let Some(first) = report.fouls.first() {
            table.row([
                player(data, cards, seat).into(),
                report.fouls.len().into(),
                place(data, first.round).into(),
                Cell::from(&first.what),
                first.fix.into(),
            ]);
        }
    }
    page.table(table);
}

fn latency(data: &ReportData, page: &mut Document) {
    if data.players.iter().all(|player| player.replies.is_empty()) {
        return;
    }
    let figures = ["replies", "half within", "99 of 100 within", "the longest"];
    let mut table = DataTable::default().words(["player"]).figures(figures);
    for (name, player) in data.info.players.iter().zip(&data.players) {
        if let Some([half, most, longest]) = quantiles(player) {
            let replies = player.replies.len().into();
            table.row([Markup::name(name).into(), replies, half.into(), most.into(), longest.into()]);
        }
    }
    page.section();
    page.heading(2, "Reply times in milliseconds");
    page.table(table);
}

/// The median, the 99th percentile and the longest, in milliseconds.
fn quantiles(player: &PlayerReport) -> Option<[String; 3]> {
    let last = player.replies.len().checked_sub(1)?;
    let ms = |index: usize| format!("{:.2}", player.replies[index] as f64 / 1_000.0);
    Some([ms(last / 2), ms(last * 99 / 100), ms(last)])
}

/// The report card of the player in this seat, counted from 0, as one page that can be sent: it has no links, and nothing of the
/// others but their number.
pub fn card(data: &ReportData, seat: usize) -> Result<String, ChartError> {
    let name = &data.info.players[seat];
    let player = &data.players[seat];
    let mut page = Document::default();
    page.header();
    occasion(data, &mut page);
    page.heading(1, Markup::name(name));
    if let Some(row) = data.standings.iter().find(|row| row.seat == seat + 1) {
        page.classed(
            "place",
            match row.place {
                Some(place) => {
                    let champion = if place == 1 && data.finished { ": champion" } else { "" };
                    format!("Place {place} of {}{champion}", data.info.placing.placed(data.players.len()))
                }
                None => "A house bot, which has no place".to_string(),
            },
        );
        page.say(match (left(data, row), &row.why) {
            (Some(round), Some(why)) => format!("Out in round {round}: {why}."),
            _ => format!("In until the end with {}.", reached(row)),
        });
    }
    page.section();
    page.heading(2, "Chips over the rounds");
    page.picture(race(data, &[seat + 1], false).draw()?, Vec::new());
    if let Some(report) = &player.coach {
        coach::section(report, &mut page, |round| place(data, round));
    }
    page.section();
    page.heading(2, "Profit by situation");
    page.table(outcomes(player));
    page.section();
    page.heading(2, "The costliest rounds");
    let mut table = DataTable::default().figures(["round", "chips"]).words(["how"]);
    for loss in &player.costliest {
        table.row([place(data, loss.round).into(), loss.chips.into(), loss.how.words().into()]);
    }
    page.table(table);
    page.section();
    page.heading(2, "Fouls");
    match player.fouls.len() {
        0 => page.say("None."),
        count if count > MAX_SHOWN_FOULS => page.say(format!("{count}, of which these are the first:")),
        _ => {}
    }
    let foul = |foul: &ReportedFoul| {
        let what = format!("Round {}: {}.", place(data, foul.round), foul.what);
        vec![what.into(), Markup::strong("To fix:").and(format!(" {}", foul.fix))]
    };
    page.list("", player.fouls.iter().take(MAX_SHOWN_FOULS).map(foul).collect());
    if let Some([half, most, longest]) = quantiles(player) {
        page.section();
        page.heading(2, "Reply times");
        page.say(match player.replies.len() {
            1 => format!("The only reply took {half} ms."),
            count => format!(
                "Half of {count} replies took at most {half} ms, 99 of 100 at most {most} ms, the longest {longest} ms."
            ),
        });
    }
    page.classed("small", "Your teacher can show each of these rounds again by its number.");
    Ok(page.page(&format!("{}: {name}", data.info.occasion.title()), STYLE))
}

/// A player's winnings by the way rounds ended for it.
fn outcomes(player: &PlayerReport) -> DataTable {
    let figures = ["rounds", "chips", "chips a round"];
    let mut table = DataTable::default().words(["how the round went"]).figures(figures);
    let mut line = |what: &str, Sum { rounds, chips }: Sum| {
        if rounds > 0 {
            let mean = chips as f64 / rounds as f64;
            table.row([
                what.into(),
                rounds.into(),
                format!("{chips:+}").into(),
                format!("{mean:+.2}").into(),
            ]);
        }
    };
    for outcome in RoundOutcome::ALL {
        line(outcome.words(), player.outcomes[outcome as usize]);
    }
    line("of all these: opened the first street", player.opened);
    line("half pots won for the high spade", player.spades);
    table
}

/// A round by its place among all: its number and, where there are several, its table.
fn place(data: &ReportData, at: u64) -> String {
    match usize::try_from(at).ok().and_then(|at| data.deals.get(at.checked_sub(1)?)) {
        Some((table, round)) => format!("{round} at table {table}"),
        None => at.to_string(),
    }
}

/// The round in which a player left.
fn left(data: &ReportData, row: &BoardRow) -> Option<String> {
    let round = row.left_in_round?;
    Some(data.exits.get(&(row.seat - 1)).map_or(round.to_string(), |at| place(data, *at)))
}

/// The stacks over the rounds: those of these seats, from 1, with their names, and if wanted the others without.
fn race(data: &ReportData, named: &[usize], others: bool) -> Curves<'static> {
    let points = data.race.points();
    let curve = |row: &BoardRow, is_named: bool| {
        let (seat, until) = (row.seat, row.left_in_round.unwrap_or(u64::MAX));
        let within = points.iter().filter(|point| point.round <= until);
        Curve {
            name: is_named.then(|| data.info.players[seat - 1].clone()),
            points: within.map(|point| (point.round as f64, f64::from(point.stacks[seat - 1]))).collect(),
        }
    };
    let in_colour = named.iter().filter_map(|seat| data.standings.iter().find(|row| row.seat == *seat));
    let grey = data.standings.iter().filter(|row| others && !named.contains(&row.seat));
    let curves: Vec<Curve> =
        in_colour.map(|row| curve(row, true)).chain(grey.map(|row| curve(row, false))).collect();
    let stacks = curves.iter().flat_map(|curve| curve.points.iter().map(|(_, stack)| *stack));
    let most = stacks.fold(1.0, f64::max);
    Curves {
        axes: ["round", "chips"],
        across: 0.0..data.last_round.max(1) as f64,
        up: 0.0..most * 1.05,
        curves,
    }
}
