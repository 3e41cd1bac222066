//! The show on the whole terminal: the table step by step, exits, the race, the winners. It draws what the page shows its
//! audience, and nothing else.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;

use console::{Alignment, Color, Style, measure_text_width, pad_str, truncate_str};

use crate::web::{Ceremony, EventTable, ExitView, Page, Phase, ShowMode, Stage, Viewer};
use casino_judge::figures::bar;
use casino_stud::cards::notation::pretty;
use casino_stud::cards::{Card, Suit};
use casino_stud::replay::{BoardRow, ExitKind, SeatView, TableView};
use casino_stud::stud::Chips;

use super::canvas::{Canvas, EVERY};

/// The widest name, in columns.
const NAME: usize = 18;

/// The columns of a hole card and two up cards.
const CARDS: usize = 11;

/// The columns of what a player did last.
const WORD: usize = 12;

/// The widest bar of a stack, in columns.
const BAR: usize = 24;

/// The widest box about an exit or the winners, in columns.
const BOX: usize = 76;

/// The fewest lines of a race: a heading and three players. Where there is less room, the stacks stand beside the seats.
const RACE: usize = 4;

/// The narrowest chart worth drawing, in columns.
const CHART: usize = 8;

/// The steps of a small chart.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws a show until it is told to stop.
pub(super) struct StageThread {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl StageThread {
    /// Draws what this viewer sees on the terminal, from a thread of its own. The last line is always `foot`, if there is
    /// one.
    ///
    /// # Errors
    /// If there can be no such thread.
    pub(super) fn start(mut canvas: Canvas, viewer: Viewer, foot: String) -> io::Result<StageThread> {
        let (stop, stopped) = channel();
        let draw = move || {
            loop {
                let round = viewer.look(|page| page.board.round);
                canvas.draw(round, |width, height, rate| {
                    viewer.look(|page| lines(page, rate, &foot, width, height))
                });
                if stopped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        };
        let thread = casino_system::processes::thread_named("stage", draw)?;
        Ok(StageThread { stop, thread })
    }

    /// Stops, and gives the terminal back.
    pub(super) fn stop(self) {
        // A thread that has ended by itself, which it does in a panic that has been printed, hears nothing.
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

/// The page as lines, none wider or more than fit. `rate` is how many rounds are played in a second.
pub(super) fn lines(page: &Page, rate: f64, foot: &str, width: usize, height: usize) -> Vec<String> {
    let whole = height;
    let height = whole.saturating_sub(usize::from(whole > 5 && !foot.is_empty()));
    let mut lines = vec![head(page, rate, width)];
    let has_race = height >= lines.len() + table_height(page) + RACE + 2;
    match (page.phase, &page.ceremony, &page.exit) {
        (Phase::Lobby, ..) => lines.push("The players take their seats.".to_string()),
        (Phase::Ceremony | Phase::Over, Some(ceremony), _) => {
            lines.push(String::new());
            lines.extend(winners(page, ceremony, width));
        }
        (_, _, Some(exit)) => {
            let before = lines.len();
            lines.push(String::new());
            lines.extend(framed(&exit_words(page, exit), width));
            // The race stays where it is.
            lines.resize_with((before + table_height(page)).max(lines.len()), String::new);
        }
        _ => lines.extend(table(page, width, !has_race)),
    }
    let rows = page.board.rows.len();
    // With room to spare, the parts stand apart.
    if height > lines.len() + rows + 6 {
        lines.push(String::new());
    }
    if page.phase != Phase::Lobby && has_race {
        lines.extend(race(page, width, height.saturating_sub(lines.len() + 2)));
    }
    let room = height.saturating_sub(lines.len());
    if room > 5 {
        lines.push(String::new());
    }
    lines.extend(news(page, height.saturating_sub(lines.len())));
    lines.truncate(height);
    if whole > height {
        lines.resize_with(height, String::new);
        lines.push(Style::new().dim().apply_to(foot).to_string());
    }
    lines.into_iter().map(|line| truncate_str(&line, width, "…").into_owned()).collect()
}

fn name(page: &Page, number: usize) -> &str {
    number.checked_sub(1).and_then(|index| page.info().players.get(index)).map_or("", String::as_str)
}

/// The columns that all names fit into.
fn name_width(page: &Page) -> usize {
    page.info().players.iter().map(|name| measure_text_width(name)).max().unwrap_or(0).clamp(6, NAME)
}

/// What is played, how many are in, and how long the show still takes; how fast it is played where no clock runs.
fn head(page: &Page, rate: f64, width: usize) -> String {
    let mut words = vec![Style::new().bold().apply_to("Casino Day").to_string()];
    let rows = &page.board.rows;
    if let (Some(table), Phase::Playing | Phase::Paused | Phase::Finale) = (page.table.as_ref(), page.phase) {
        words.push(format!("round {}", table.round));
        if let Some(event) = page.event.as_ref() {
            if event.series > 1 {
                words.push(format!("tournament {} of {}", event.tournament, event.series));
            }
            match event.tables.len() {
                1 if event.series > 1 => {}
                1 => words.push("the last table".to_string()),
                tables => words.push(format!("table {} of {tables}", table.table)),
            }
            words.push(format!("ante {}", event.ante));
        }
    }
    if !rows.is_empty() && !matches!(page.phase, Phase::Ceremony | Phase::Over) {
        let inside = rows.iter().filter(|row| row.left_in_round.is_none()).count();
        words.push(format!("{inside} of {} in", rows.len()));
    }
    let left = words.join(" · ");
    let clock = match page.show.seconds_left {
        Some(seconds) => format!("{}:{:02} left", seconds / 60, seconds % 60),
        None if rate > 0.0 => format!("{rate:.0} rounds/s"),
        None => String::new(),
    };
    let gap = width.saturating_sub(measure_text_width(&left) + clock.len());
    format!("{left}{}{clock}", " ".repeat(gap.max(1)))
}

/// How many lines the table takes.
fn table_height(page: &Page) -> usize {
    let others = page.event.as_ref().map_or(0, |event| event.tables.len().saturating_sub(1));
    3 + page.table.as_ref().map_or(0, |table| table.seats.len()) + others
}

/// The table on show: what is going on, every seat, the pot, and the other tables in a line each. Beside each seat are its
/// chances, or its stacks over the rounds.
fn table(page: &Page, width: usize, with_stacks: bool) -> Vec<String> {
    let Some(table) = page.table.as_ref() else { return vec!["The cards are shuffled.".to_string()] };
    let names = name_width(page);
    let head = format!(
        "  {} {:>6} {:>5}  {:<CARDS$}  {:<WORD$} {}",
        pad_str("player", names, Alignment::Left, None),
        "chips",
        "bet",
        "cards",
        "",
        match (with_stacks, &table.result) {
            (true, _) => "stacks over the rounds",
            (false, None) if table.seats.iter().any(|seat| seat.hand_chance.is_some()) => {
                "best hand      high spade"
            }
            (false, _) => "",
        },
    );
    let mut lines = vec![banner(page, table), Style::new().dim().apply_to(head).to_string()];
    lines.extend(
        table.seats.iter().map(|seat| seat_line(page, table, seat, names, with_stacks.then_some(width))),
    );
    lines.push(pot_line(table));
    if let Some(event) = page.event.as_ref() {
        let others = event.tables.iter().filter(|other| other.table != table.table);
        lines.extend(others.map(|other| other_table(page, other)));
    }
    lines.into_iter().map(|line| truncate_str(&line, width, "…").into_owned()).collect()
}

/// What is worth knowing now, in a sentence.
fn banner(page: &Page, table: &TableView) -> String {
    let bold = Style::new().bold();
    if let Some(seconds) = page.show.interrupted {
        return bold.apply_to(format!("It goes on after a pause of {seconds} s")).to_string();
    }
    if let Some(result) = &table.result {
        let style = if table.finale { bold.fg(Color::Yellow) } else { bold };
        let quick = if page.show.mode == ShowMode::Montage { "▸▸ " } else { "" };
        // The first line says which round it is.
        let sentence = result.sentence.split_once(": ").map_or(&*result.sentence, |(_, rest)| rest);
        return format!("{quick}{}", style.apply_to(sentence));
    }
    if let Some(war) = &table.war {
        let who: Vec<&str> = war.seats.iter().map(|number| name(page, *number)).collect();
        let words =
            format!("{} raise {} times: {} become {} chips", who.join(" and "), war.raises, war.from, war.to);
        return bold.fg(Color::Red).apply_to(words).to_string();
    }
    match (&page.show.reason, page.show.mode) {
        (Some(reason), _) => bold.fg(Color::Yellow).apply_to(format!("★ {reason}")).to_string(),
        (None, ShowMode::Montage) => "▸▸ quick rounds".to_string(),
        (None, _) => format!("Street {}", table.street),
    }
}

/// A seat in one line of this width, with its stacks over the rounds at the end; without a width with its chances.
fn seat_line(
    page: &Page,
    table: &TableView,
    seat: &SeatView,
    names: usize,
    with_stacks: Option<usize>,
) -> String {
    let mark = match () {
        () if table.turn == Some(seat.seat) && table.result.is_none() => "▸ ",
        () if table.opener == Some(seat.seat) && table.result.is_none() => "◦ ",
        () if seat.won > 0 => "★ ",
        () => "  ",
    };
    let style = match () {
        () if seat.won > 0 => Style::new().bold().fg(Color::Yellow),
        () if seat.word == "out" => Style::new().fg(Color::Red),
        () if seat.live => Style::new().bold(),
        () => Style::new().dim(),
    };
    let bet = if seat.bet > 0 { seat.bet.to_string() } else { String::new() };
    let shown = cards(seat);
    let shown = if seat.live || seat.won > 0 {
        shown
    } else {
        Style::new().dim().apply_to(console::strip_ansi_codes(&shown)).to_string()
    };
    let mut line = format!(
        "{mark}{} {:>6} {bet:>5}  {}  {} ",
        style.apply_to(pad_str(name(page, seat.seat), names, Alignment::Left, Some("…"))),
        seat.stack,
        pad_str(&shown, CARDS, Alignment::Left, None),
        style.apply_to(pad_str(&seat.word, WORD, Alignment::Left, Some("…"))),
    );
    if let Some(width) = with_stacks {
        let chart = width.saturating_sub(measure_text_width(&line));
        if chart >= CHART {
            line.push_str(&sparkline(page, seat.seat, chart));
        }
    } else if let (Some(hand), Some(spade)) = (seat.hand_chance, seat.spade_chance) {
        line.push_str(&format!(
            "{} {:>3.0} %   ♠ {:>3.0} %",
            padded_bar(hand, 10),
            hand * 100.0,
            spade * 100.0
        ));
    }
    line
}

/// A bar that takes so many columns, whatever its length.
fn padded_bar(part: f64, columns: usize) -> String {
    pad_str(&bar(part, columns), columns, Alignment::Left, None).into_owned()
}

fn pot_line(table: &TableView) -> String {
    format!(
        "  {} {}, of it {} for the high spade in the hole",
        Style::new().bold().apply_to("pot"),
        table.pot,
        table.spade_half
    )
}

/// A table that is not on show, in a line.
fn other_table(page: &Page, table: &EventTable) -> String {
    let mut inside: Vec<(usize, u32)> = table
        .players
        .iter()
        .copied()
        .zip(table.chips.iter().copied())
        .filter(|(_, chips)| *chips > 0)
        .collect();
    inside.sort_by_key(|(number, chips)| (std::cmp::Reverse(*chips), *number));
    let players: Vec<String> =
        inside.iter().map(|(number, chips)| format!("{} {chips}", name(page, *number))).collect();
    Style::new().dim().apply_to(format!("  table {}: {}", table.table, players.join(" · "))).to_string()
}

/// Who is out, how and by whom.
fn exit_words(page: &Page, exit: &ExitView) -> Vec<String> {
    let why = match exit.kind {
        ExitKind::Broke if exit.chips > 0 => {
            format!("out of chips: {} were left before round {}", exit.chips, exit.round)
        }
        ExitKind::Broke => "out of chips".to_string(),
        _ => exit.why.clone(),
    };
    let took: Vec<String> = exit
        .took
        .iter()
        .filter(|taker| taker.seat != exit.seat)
        .map(|taker| format!("{} to {}", taker.chips, name(page, taker.seat)))
        .collect();
    let is_out = format!("✕ {} is out", name(page, exit.seat));
    let mut words = vec![Style::new().bold().fg(Color::Red).apply_to(is_out).to_string()];
    words.extend(match exit.place {
        Some(place) => Some(format!("place {place} of {}", exit.players)),
        None if page.info().placing.is_house(exit.seat - 1) => Some("a house bot".to_string()),
        None => (exit.kind == ExitKind::Broke).then(|| "for this level".to_string()),
    });
    words.push(why);
    if !took.is_empty() {
        words.push(format!("the last pot: {}", took.join(", ")));
    }
    words
}

/// Lines in a box, in the middle of the terminal.
fn framed(words: &[String], width: usize) -> Vec<String> {
    let inside = BOX.min(width).saturating_sub(4);
    let margin = " ".repeat(width.saturating_sub(inside + 4) / 2);
    let edge = "─".repeat(inside + 2);
    let row = |text: &String| format!("{margin}│ {} │", pad_str(text, inside, Alignment::Center, Some("…")));
    let mut lines = vec![format!("{margin}╭{edge}╮")];
    lines.extend(words.iter().map(row));
    lines.push(format!("{margin}╰{edge}╯"));
    lines
}

/// The winners as far as they have been announced, and the awards.
fn winners(page: &Page, ceremony: &Ceremony, width: usize) -> Vec<String> {
    let gold = Style::new().bold().fg(Color::Yellow);
    let of_series = ceremony.tournament.map(|part| format!("tournament {} of {}", part.number, part.of));
    let of_series = of_series.unwrap_or_default();
    let title = match ceremony.stage {
        Stage::Tournament => format!("The winner of {of_series}"),
        Stage::Standings => format!("The standings after {of_series}"),
        Stage::Place(3) => "The third place".to_string(),
        Stage::Place(2) => "The second place".to_string(),
        Stage::Place(_) => "The champion".to_string(),
        Stage::Awards => "The awards".to_string(),
        Stage::Done => "The winners".to_string(),
    };
    let mut words = vec![gold.apply_to(title).to_string(), String::new()];
    // The third is announced first, and the first stands on top.
    for place in 1..=3 {
        let here: Vec<&BoardRow> = ceremony.rows.iter().filter(|row| row.place == Some(place)).collect();
        for row in &here {
            let (style, star) = if place == 1 { (gold.clone(), "★") } else { (Style::new().bold(), " ") };
            let reached = match (row.points, row.left_in_round) {
                (Some(points), _) => format!("{points} points"),
                (None, Some(round)) => format!("out in round {round}"),
                (None, None) => format!("{} chips", row.chips),
            };
            let line = format!("{star} {place}. {}   {reached} {star}", name(page, row.seat));
            words.push(style.apply_to(line).to_string());
        }
        if here.is_empty() {
            words.push(String::new());
        }
    }
    let mut lines = framed(&words, width);
    for award in &ceremony.awards {
        let who: Vec<&str> = award.seats.iter().map(|number| name(page, *number)).collect();
        let title = Style::new().bold().apply_to(award.title);
        lines.push(format!("  {title}: {}", who.join(" and ")));
        lines.push(Style::new().dim().apply_to(format!("      {}", award.text)).to_string());
    }
    lines
}

/// Everybody by place, at most so many: the chips, or the points where they decide, their part of all chips, and the stacks over the rounds.
fn race(page: &Page, width: usize, most: usize) -> Vec<String> {
    if most == 0 {
        return Vec::new();
    }
    let names = name_width(page);
    let rows = &page.board.rows;
    let all = rows.iter().map(|row| u64::from(row.chips)).sum::<u64>().max(1);
    let spare = width.saturating_sub(4 + names + 1 + 7 + 2);
    let bars = (spare / 2).min(BAR);
    let chart = spare.saturating_sub(bars + 2);
    let head = format!(
        "  # {} {:>7}  {} {}",
        pad_str("the race", names, Alignment::Left, None),
        if rows.iter().any(|row| row.points.is_some()) { "points" } else { "chips" },
        " ".repeat(bars),
        "stacks over the rounds"
    );
    let row = |row: &BoardRow| {
        let is_in = row.left_in_round.is_none();
        let share = match row.left_in_round {
            None => padded_bar(f64::from(row.chips) / all as f64, bars),
            Some(round) => {
                pad_str(&format!("out in round {round}"), bars, Alignment::Left, Some("…")).into_owned()
            }
        };
        let style = if is_in { Style::new() } else { Style::new().dim() };
        let line = format!(
            "{:>3} {} {:>7}  ",
            row.place.map_or("–".to_string(), |place| place.to_string()),
            pad_str(name(page, row.seat), names, Alignment::Left, Some("…")),
            match row.points {
                Some(points) => points.to_string(),
                None if is_in => row.chips.to_string(),
                None => String::new(),
            },
        );
        let colour = if is_in { Style::new().fg(Color::Cyan) } else { Style::new().dim() };
        format!("{}{} {}", style.apply_to(line), colour.apply_to(share), sparkline(page, row.seat, chart))
    };
    let mut lines = vec![Style::new().dim().apply_to(head).to_string()];
    lines.extend(rows.iter().take(most.saturating_sub(1)).map(row));
    lines
}

/// A player's stacks over the rounds in so many columns at most.
fn sparkline(page: &Page, number: usize, width: usize) -> String {
    let points = page.race.points();
    let most = points.iter().flat_map(|point| &point.stacks).copied().max().unwrap_or(0);
    let columns = points.len().min(width);
    // The first and the last point are always among them.
    let at = |column: usize| column * points.len().saturating_sub(1) / columns.saturating_sub(1).max(1);
    let stack = |column: usize| points[at(column)].stacks.get(number.wrapping_sub(1));
    (0..columns).map(|column| step(stack(column).copied().unwrap_or(0), most)).collect()
}

/// A step of a small chart that reaches from 0 to `most` chips.
fn step(chips: Chips, most: Chips) -> char {
    match chips {
        0 => ' ',
        chips => STEPS[(u64::from(chips) * 7 / u64::from(most.max(chips))) as usize],
    }
}

/// A player's cards: the hole card covered until it is shown.
fn cards(seat: &SeatView) -> String {
    let hole = seat.hole.map_or_else(|| "▒▒".to_string(), coloured);
    let up = seat.up.iter().map(|card| coloured(*card));
    [hole].into_iter().chain(up).collect::<Vec<_>>().join(" ")
}

/// A card in one of four colours; where there are none, the suits still differ.
fn coloured(card: Card) -> String {
    let style = Style::new().bold();
    let style = match card.suit() {
        Suit::Spades => style,
        Suit::Hearts => style.red(),
        Suit::Diamonds => style.cyan(),
        Suit::Clubs => style.green(),
    };
    style.apply_to(pretty(card)).to_string()
}

/// The latest news, the newest first.
fn news(page: &Page, most: usize) -> Vec<String> {
    let latest = page.news.items().iter().rev().filter(|news| news.kind != "round").take(most);
    let dim = Style::new().dim();
    latest
        .map(|news| match news.kind {
            "exit" | "foul" => format!("✕ {}", news.text),
            _ => dim.apply_to(format!("· {}", news.text)).to_string(),
        })
        .collect()
}
