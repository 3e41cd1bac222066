//! How steps of a round and tallies of tables change the page.

use std::collections::BTreeMap;
use std::time::Duration;

use casino_stud::replay::{ExitKind, PublicEvent, PublicExit, RoundEnd};
use casino_stud::stud::{Chips, Seat};
use casino_stud::tournament::HoleCards;

use super::table_chances::with_chances;
use super::{
    ExitView, FinishedTournament, FollowedRound, HallView, LevelView, Page, Scoreboard, TableRound,
    TableTally, Taker,
};
use crate::rounds::{BoardRow, DisplayStep, ExitRank, TableView, headline, rank};
use crate::timing::for_action;

/// How long people look at a step before the next.
pub fn pause_after(step: &DisplayStep, players: usize) -> Duration {
    let event = match step {
        DisplayStep::Event(event) => event,
        DisplayStep::War(_) => return Duration::from_secs(3),
        DisplayStep::Rest => return Duration::ZERO,
    };
    Duration::from_millis(match event {
        PublicEvent::Bet { .. }
        | PublicEvent::Fold { .. }
        | PublicEvent::StaysIn(_)
        | PublicEvent::ForcedFold(_) => return for_action(players),
        PublicEvent::Dealt(_) => 1_200,
        PublicEvent::Opened { .. } => 900,
        PublicEvent::Won { .. } => 0,
        PublicEvent::Foul { .. } | PublicEvent::Left { .. } => 1_200,
        PublicEvent::Ended(_) => 4_000,
    })
}

/// How long a round is shown at the usual pace.
pub fn time_of(steps: &[DisplayStep]) -> Duration {
    let players = match steps.first() {
        Some(DisplayStep::Event(PublicEvent::Dealt(deal))) => deal.seats.len(),
        _ => 0,
    };
    steps.iter().map(|step| pause_after(step, players)).sum()
}

fn dealt(page: &Page, round: &TableRound, finale: bool) -> Option<TableView> {
    let Some(PublicEvent::Dealt(deal)) = round.events.first() else { return None };
    let mut table = TableView::dealt(deal, finale);
    table.hides_holes = page.programme.holes == HoleCards::Never;
    if let (HoleCards::Tv, Some(holes)) = (page.programme.holes, &round.holes) {
        for (seat, card) in &holes.0 {
            table.show_hole(*seat, *card);
        }
    }
    Some(table)
}

fn final_view(page: &Page, round: &TableRound) -> Option<TableView> {
    let mut table = dealt(page, round, false)?;
    round.events.iter().for_each(|event| table.show(event, &page.info().players));
    Some(table)
}

/// Shows a step of a round, says why it is worth watching as far as it has come, and returns how many players the table
/// has.
pub fn show_step(page: &mut Page, round: &TableRound, step: &DisplayStep, finale: bool) -> usize {
    change_by_step(page, round, step, finale, with_chances)
}

/// The same; `with_chances` makes the change of the table, and computes the chances after it.
pub(super) fn change_by_step(
    page: &mut Page,
    round: &TableRound,
    step: &DisplayStep,
    finale: bool,
    with_chances: impl FnOnce(&mut TableView, &mut dyn FnMut(&mut TableView)),
) -> usize {
    if let DisplayStep::Event(PublicEvent::Dealt(_)) = step {
        show_deal(page, round, finale);
    }
    let (Some(table), names) = (&mut page.table, &page.programme.info.players) else { return 0 };
    with_chances(table, &mut |table| match step {
        DisplayStep::Event(event) => table.show(event, names),
        DisplayStep::War(war) => table.show_war(war, names),
        DisplayStep::Rest => {}
    });
    let (number, players) = (table.table, table.seats.len());
    show_headline(page, round);
    let Some(table) = &page.table else { return players };
    if let (DisplayStep::Event(PublicEvent::Ended(_)), Some(result)) = (step, &table.result) {
        let sentence = result.sentence.clone();
        page.news
            .add("round", if page.has_tables() { format!("Table {number}. {sentence}") } else { sentence });
    }
    players
}

/// Shows the deal of a round.
pub fn show_deal(page: &mut Page, round: &TableRound, finale: bool) {
    if let Some(table) = dealt(page, round, finale) {
        page.table = Some(table);
        feature(page, round.table);
        show_headline(page, round);
    }
}

/// The headline of the round on show, until it has ended.
fn show_headline(page: &mut Page, round: &TableRound) {
    if let (Some(table), Some(PublicEvent::Dealt(deal))) = (&page.table, round.events.first())
        && table.result.is_none()
    {
        page.show.headline = headline(deal, table, &page.programme.info.players);
    }
}

/// Shows the end of a round.
pub fn show_end(page: &mut Page, round: &TableRound) {
    let Some(table) = final_view(page, round) else { return };
    page.table = Some(table);
    feature(page, round.table);
}

fn feature(page: &mut Page, table: u32) {
    if let Some(hall) = &mut page.hall {
        hall.featured = Some(table);
    }
}

/// What the news of a tournament have told, so that nothing is told twice.
#[derive(Clone, Debug, Default)]
pub(super) struct ToldNews {
    /// How many fouls each player was forgiven, and in which round the last one.
    fouls: BTreeMap<usize, (u64, u64)>,
    /// The tie-break of players who leave in the same round.
    exits: BTreeMap<usize, ExitRank>,
    /// The tables and the ante of the last level in the news.
    level: Option<(usize, Chips)>,
    /// The last tournament of a series in the news.
    tournament: Option<u32>,
}

impl Page {
    /// Shows the state of tables and their events since their last tallies.
    pub fn show_tallies<'a>(&mut self, tallies: impl IntoIterator<Item = &'a TableTally> + Clone) {
        let mut place_of: Vec<Option<usize>> = vec![None; self.info().players.len() + 1];
        for (index, row) in self.board.rows.iter().enumerate() {
            if let Some(place) = place_of.get_mut(row.seat) {
                *place = Some(index);
            }
        }
        let (board, mut gone_rows) = (&mut self.board, Vec::new());
        for tally in tallies.clone() {
            let row = |player: usize| place_of.get(player + 1).copied().flatten();
            for (player, chips) in &tally.chips {
                if let Some(index) = row(*player) {
                    board.rows[index].chips = *chips;
                }
            }
            for gone in &tally.exits {
                // A rebuilt page may receive an exit twice.
                let is_told = |index: &usize| board.rows[*index].left_in_round == Some(gone.round);
                if let Some(index) = row(gone.player).filter(|index| !is_told(index)) {
                    board.rows[index].left_in_round = Some(gone.round);
                    board.rows[index].why = Some(gone.why.clone());
                    let rank = ExitRank { after_round: false, began_with: gone.began_with };
                    self.told.exits.insert(gone.player, rank);
                    gone_rows.push((board.rows[index].clone(), gone.kind));
                }
            }
            board.round = board.round.max(tally.round);
        }
        rank(&mut board.rows, &self.told.exits);
        let forgives = self.hall.as_ref().is_some_and(|hall| hall.forgives);
        for (row, kind) in gone_rows {
            let sentence = match forgives && kind == ExitKind::Busted {
                true => self.level_exit_sentence(&row),
                false => self.exit_sentence(&row),
            };
            self.news.add("exit", sentence);
        }
        for tally in tallies {
            self.add_foul_news(tally);
            self.show_at_table(tally);
        }
    }

    /// Tells the first foul of each player, and later ones only when they have become many.
    fn add_foul_news(&mut self, tally: &TableTally) {
        for (player, round, why) in &tally.fouls {
            let (count, last) = self.told.fouls.entry(*player).or_default();
            if *last >= *round {
                continue;
            }
            (*count, *last) = (*count + 1, *round);
            let name = self.programme.info.players.get(*player).cloned().unwrap_or_default();
            match *count {
                1 => self.news.add("foul", format!("Foul in round {round}: {name} {why}.")),
                5 | 20 | 100 => {
                    self.news.add(
                        "foul",
                        format!("{name} has been forgiven {count} fouls; the latest: {name} {why}."),
                    );
                }
                _ => {}
            }
        }
    }

    /// Shows a level and reports it in the news.
    pub fn show_level(&mut self, level: LevelView) {
        let LevelView { hall, rows, exits, rounds, players, finished, .. } = level;
        self.told.exits.extend(exits);
        if let Some(finished) = finished {
            let FinishedTournament { part, winners } = *finished;
            let names = &self.programme.info.players;
            let names: Vec<&str> =
                winners.iter().filter_map(|row| names.get(row.seat - 1)).map(String::as_str).collect();
            let sentence = format!("{} won tournament {} of {}.", names.join(" and "), part.number, part.of);
            self.news.add("day", sentence);
        }
        for name in players.into_iter().skip(self.info().players.len()) {
            self.news.add("day", format!("{name} comes in late, for round {}.", rounds + 1));
            self.enter(name);
        }
        if let Some(hall) = &hall {
            self.add_level_news(hall);
        }
        let known =
            |row: &BoardRow| self.board.rows.iter().any(|old| old.seat == row.seat && old.why.is_some());
        // Those who are out by the rule of the event are news; those who left their table have been in the news.
        let out: Vec<&BoardRow> = rows.iter().filter(|row| row.why.is_some() && !known(row)).collect();
        let news = match out[..] {
            [] => Vec::new(),
            [first, _, _, _, ..] => {
                let why = first.why.clone().unwrap_or_default();
                vec![format!("{} players are out after round {rounds}: {why}.", out.len())]
            }
            _ => out.iter().map(|row| self.exit_sentence(row)).collect(),
        };
        news.into_iter().for_each(|sentence| self.news.add("exit", sentence));
        self.board = Scoreboard { round: rounds, rate: self.board.rate, rows };
        self.add_board_to_race(rounds);
        self.hall = hall;
        // What made the last round worth watching says nothing about the next one.
        self.show.headline = None;
    }

    /// Tells of a level, unless it changes nothing to be seen.
    fn add_level_news(&mut self, hall: &HallView) {
        let tables = hall.tables.len();
        if hall.series > 1 && self.told.tournament.replace(hall.tournament) != Some(hall.tournament) {
            let HallView { tournament, series, .. } = hall;
            self.news.add("level", format!("Tournament {tournament} of {series} begins."));
        }
        if self.told.level.replace((tables, hall.ante)) == Some((tables, hall.ante)) {
            return;
        }
        if hall.series > 1 && tables == 1 {
            return;
        }
        let seated: usize = hall.tables.iter().map(|table| table.players.len()).sum();
        let level = hall.level;
        let sentence = match tables {
            1 => format!("Level {level}: {seated} players at the last table."),
            _ => format!("Level {level}: {seated} players at {tables} tables."),
        };
        self.news.add("level", sentence);
    }

    /// Shows how a table of an event stands.
    fn show_at_table(&mut self, tally: &TableTally) {
        if let Some(hall) = &mut self.hall
            && let Some(table) = hall.tables.iter_mut().find(|table| table.table == tally.table)
        {
            table.round = table.round.max(tally.round);
            table.done = tally.done;
            table.chips = tally.chips.iter().map(|(_, chips)| *chips).collect();
            table.playing = table.chips.iter().filter(|chips| **chips > 0).count();
        }
    }
}

/// The players who left in this round at this table.
pub fn exits(page: &Page, round: &TableRound) -> Vec<ExitView> {
    let took = takers(round);
    // In a series the board has the places of the day. Where all play again in the next level, to leave gives no place.
    let in_series = page.hall.as_ref().is_some_and(|hall| hall.series > 1);
    let forgives = page.hall.as_ref().is_some_and(|hall| hall.forgives);
    let exit = |gone: &PublicExit| {
        let row = page.board.rows.iter().find(|row| row.seat == gone.player + 1)?;
        Some(ExitView {
            seat: gone.player + 1,
            place: match row.place {
                Some(_) if forgives => None,
                Some(_) if in_series => Some(place_in_tournament(page, round, gone)),
                place => place,
            },
            players: page.placed(),
            round: gone.round,
            why: gone.why.clone(),
            kind: gone.kind,
            chips: gone.began_with,
            took: took.iter().copied().filter(|taker| taker.seat != gone.player + 1).collect(),
            others: Vec::new(),
        })
    };
    round.after.exits.iter().filter_map(exit).collect()
}

/// The place in its tournament of a series of a player who leaves in this round: after those who are in, and after those
/// who leave with it and began the round with more chips.
fn place_in_tournament(page: &Page, round: &TableRound, gone: &PublicExit) -> usize {
    let has_place = |seat: usize| page.info().placing.has_place(seat - 1);
    let inside = |row: &&BoardRow| row.left_in_round.is_none() && has_place(row.seat);
    let before = |other: &&PublicExit| {
        other.round == gone.round && other.began_with > gone.began_with && has_place(other.player + 1)
    };
    let inside = page.board.rows.iter().filter(inside).count();
    inside + round.after.exits.iter().filter(before).count() + 1
}

/// The player in this seat in this round, from 0.
fn player_at(round: &TableRound, seat: Seat) -> Option<usize> {
    round.after.chips.get(seat.index()).map(|(player, _)| *player)
}

/// The winners of the pot and their chips.
fn takers(round: &TableRound) -> Vec<Taker> {
    let mut takers: Vec<Taker> = Vec::new();
    let payouts = RoundEnd::of(&round.events).map_or(&[][..], |end| &end.payouts);
    for (seat, _, chips) in payouts {
        let Some(player) = player_at(round, *seat) else { continue };
        match takers.iter_mut().find(|taker| taker.seat == player + 1) {
            Some(taker) => taker.chips += chips,
            None => takers.push(Taker { seat: player + 1, chips: *chips }),
        }
    }
    takers
}

/// Notes a round that has been shown for those who follow its players.
pub fn follow(page: &mut Page, round: &TableRound) {
    let Some(PublicEvent::Dealt(deal)) = round.events.first() else { return };
    let took = takers(round);
    for dealt in &deal.seats {
        let seat = dealt.seat;
        let chips = round.after.chips.get(seat.index()).map_or(0, |(_, chips)| *chips);
        let won = took.iter().find(|taker| taker.seat == dealt.player + 1).map(|taker| taker.chips);
        let last = round.events.iter().rev().find_map(|event| match event {
            PublicEvent::Foul { seat: by, why, .. } if *by == seat => Some(why.clone()),
            PublicEvent::Fold { seat: by, .. } if *by == seat => Some("folded".to_string()),
            PublicEvent::ForcedFold(by) if *by == seat => Some("could not call".to_string()),
            _ => None,
        });
        let text = match (won, last) {
            (Some(won), _) => format!("won {won} from the pot"),
            (None, Some(last)) => last,
            (None, None) => "lost at the showdown".to_string(),
        };
        let change = i64::from(chips) - i64::from(dealt.stack);
        page.followed.push(dealt.player, FollowedRound { round: round.round, change, chips, text });
    }
}

/// How many players are in.
pub fn players_in(page: &Page) -> usize {
    page.board.rows.iter().filter(|row| row.left_in_round.is_none()).count()
}

#[cfg(test)]
mod tests {
    use crate::rounds::TournamentInfo;
    use casino_stud::cards::Seed;
    use casino_stud::table::TableSettings;
    use casino_stud::tournament::{Event, EventPlan, Placing};

    use super::*;
    use crate::state::News;
    use crate::state::level_view;

    #[test]
    fn late_entrants_get_a_name_a_row_and_a_news_entry() {
        let plan = EventPlan { late_entry: Some(5), ..EventPlan::single_table() };
        let mut event = Event::new(plan, TableSettings::default(), &Seed::chosen("late"), 2, 50, Some(9));
        event.next_level();
        let mut page = Page::default();
        let info = TournamentInfo {
            players: ["Ada", "bold"].map(str::to_string).to_vec(),
            stack: 50,
            placing: Placing::new([false, true], false),
            ..TournamentInfo::default()
        };
        page.begin(info);
        let places = |page: &Page| page.board.rows.iter().filter_map(|row| row.place).collect::<Vec<_>>();
        assert_eq!((places(&page), page.placed()), (vec![1], 1), "the house bot has none");
        let mut event = event.placed_by(page.info().placing.clone());
        event.enter().expect("there is a seat");
        event.next_level();
        let players = ["Ada", "bold", "Eve"].map(str::to_string).to_vec();
        let level = level_view(&event, players).expect("a level has begun");
        page.show_level(level);
        assert_eq!(page.info().players, ["Ada", "bold", "Eve"]);
        assert_eq!((places(&page), page.placed()), (vec![1, 1], 2));
        assert_eq!(
            page.player_page(3).map(|player| (player.name, player.chips)),
            Some(("Eve".to_string(), 50))
        );
        assert_eq!(page.race.points().last().map(|point| point.stacks.clone()), Some(vec![50; 3]));
        assert!(
            News::default()
                .follow(&page.news)
                .iter()
                .any(|news| news.text == "Eve comes in late, for round 1.")
        );
    }
}
