//! One round at a time at a pace people can follow, while play runs on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::replay::{BoardRow, DisplayStep, PublicDeal, PublicEvent, TableView, TournamentInfo, rank};
use crate::stud::Chips;
use crate::tournament::Point;

use super::console_state::ConsoleState;
use super::hub::Hub;
use super::messages::{PageMessage, Requests, TableMessage, TableTally};
use super::page::{Board, EventTable, EventView, Page, Phase};

/// How often a tally is wished for.
const TICK: Duration = Duration::from_millis(200);

/// Over how long the rounds per second are counted.
const RATE_OVER: Duration = Duration::from_secs(3);

/// How much slower the last round is shown.
const FINALE: f64 = 1.8;

/// How long the table that is to be shown may take to deal a round.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many beats may wait before the show hurries.
const FEW: usize = 30;

/// Where the day is shown.
pub(super) struct Presenter {
    hub: Arc<Hub>,
    console_state: Arc<ConsoleState>,
    wishes: Arc<Requests>,
    beats: VecDeque<DisplayStep>,
    /// When the next beat may be shown.
    next: Instant,
    /// The last tally, held back until the last round has been shown.
    finale: Option<TableTally>,
    /// The end, held back as well.
    end: Option<(Vec<BoardRow>, u64, bool)>,
    seed: Option<String>,
    /// Rounds played at moments just past.
    rounds: VecDeque<(Instant, u64)>,
    /// Who left, with what it began its last round with: what those are placed by who leave in the same round.
    began_with: BTreeMap<usize, Chips>,
    /// Rounds of all tables: those of the levels that are over, and each table's in the one in play.
    rounds_before: u64,
    /// Since when a round is waited for.
    waiting_since: Instant,
    /// Tallies that have not been shown.
    tallies: Vec<TableTally>,
}

impl Presenter {
    pub(super) fn new(hub: Arc<Hub>, console_state: Arc<ConsoleState>, wishes: Arc<Requests>) -> Presenter {
        Presenter {
            hub,
            console_state,
            wishes,
            beats: VecDeque::new(),
            next: Instant::now(),
            finale: None,
            end: None,
            seed: None,
            rounds: VecDeque::new(),
            began_with: BTreeMap::new(),
            rounds_before: 0,
            waiting_since: Instant::now(),
            tallies: Vec::new(),
        }
    }

    /// Shows what comes until there is nothing to come.
    pub(super) async fn run(mut self, mut news: UnboundedReceiver<PageMessage>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                heard = news.recv() => match heard {
                    Some(PageMessage::Close) | None => return,
                    Some(news) => self.hear(news),
                },
                () = tokio::time::sleep_until(self.next), if !self.beats.is_empty() => self.show_next(),
                _ = tick.tick() => self.tick(),
            }
        }
    }

    fn tick(&mut self) {
        self.show_tallies();
        self.wishes.tally.fetch_add(1, Ordering::Relaxed);
        if self.waiting_since.elapsed() > PATIENCE {
            // The table that was to be shown does not deal: any other will do.
            self.wishes.rather_want(0);
        }
        let paused = self.console_state.is_paused();
        self.hub.change(|page| match page.phase() {
            Phase::Playing if paused => page.enter(Phase::Paused),
            Phase::Paused if !paused => page.enter(Phase::Playing),
            _ => {}
        });
    }

    fn hear(&mut self, news: PageMessage) {
        match news {
            PageMessage::Lobby(lobby) => self.hub.change(|page| {
                page.enter(Phase::Lobby);
                page.show_lobby(lobby);
            }),
            PageMessage::Begin(programme) => self.begin(programme),
            PageMessage::Level { hall, rows, rounds } => self.level(hall, rows, rounds),
            PageMessage::Dealer(TableMessage::DisplayStep(beat)) => self.beats.push_back(beat),
            PageMessage::Dealer(TableMessage::Tally(tally)) => {
                self.tallies.push(tally);
                // Those of many tables are shown together, a few times a second.
                if self.hub.change(|page| page.hall().is_none()) {
                    self.show_tallies();
                }
            }
            PageMessage::Dealer(TableMessage::Over(tally, last_round)) => self.finale(tally, last_round),
            PageMessage::End { rows, rounds, stopped } => {
                self.end = Some((rows, rounds, stopped));
                if self.finale.is_none() {
                    self.close();
                }
            }
            PageMessage::Featured => self.wish_rather(self.next_table()),
            PageMessage::Reveal(seed) => {
                self.seed = Some(seed);
                if self.hub.change(|page| page.phase()) == Phase::Over {
                    self.reveal();
                }
            }
            PageMessage::Say(sentence) => self.hub.change(|page| page.add_news("day", sentence)),
            PageMessage::Close => {}
        }
    }

    fn begin(&mut self, programme: TournamentInfo) {
        self.beats.clear();
        self.rounds.clear();
        self.began_with.clear();
        self.tallies.clear();
        self.rounds_before = 0;
        (self.finale, self.end, self.seed) = (None, None, None);
        self.rounds.push_back((Instant::now(), 0));
        self.wish(0);
        self.hub.change(|page| {
            let players = programme.players.len();
            page.add_news("day", format!("Tournament {} begins with {players} players.", programme.number));
            if let Some(promise) = &programme.promise {
                page.add_news("day", format!("The shuffle is promised: SHA-256 {promise}."));
            }
            page.begin(programme);
        });
    }

    /// Wishes for the next round at this table, or at any if it is 0.
    fn wish(&mut self, table: u32) {
        self.waiting_since = Instant::now();
        self.wishes.want_round(table);
    }

    /// Wishes for a round at this table instead, unless one is on its way: then the next wish follows when it has been
    /// shown.
    fn wish_rather(&mut self, table: u32) {
        if self.wishes.rather_want(table) {
            self.waiting_since = Instant::now();
        }
    }

    fn level(&mut self, hall: EventView, rows: Vec<BoardRow>, rounds: u64) {
        self.show_tallies();
        let tables = hall.tables.len();
        if let Some(before) = self.hub.change(|page| page.hall().cloned()) {
            self.rounds_before += played(&before);
        }
        self.hub.change(|page| {
            // House bots that everybody meets sit at many tables.
            let seated: BTreeSet<&usize> = hall.tables.iter().flat_map(|table| &table.players).collect();
            let seated = seated.len();
            let sentence = match tables {
                1 => format!("Level {}: {seated} players at the last table.", hall.level),
                _ => format!("Level {}: {seated} players at {tables} tables.", hall.level),
            };
            page.add_news("day", sentence);
            let mut stacks = vec![0; page.programme().players.len()];
            for row in &rows {
                if let Some(stack) = stacks.get_mut(row.seat - 1) {
                    *stack = row.chips;
                }
            }
            page.add_points(vec![Point { round: rounds, stacks }]);
            let board = page.board();
            let known = |row: &BoardRow| {
                let told = board.rows.iter().find(|old| old.seat == row.seat)?;
                told.why.clone()
            };
            // Who is out by the rule of the event is news; who left its table has been in the news.
            let out = |row: &&BoardRow| row.why.is_some() && known(row).is_none();
            let news: Vec<String> = rows.iter().filter(out).map(|row| page.exit(row)).collect();
            news.into_iter().for_each(|sentence| page.add_news("exit", sentence));
            page.show_board(Board { round: rounds, rate: page.board().rate, rows });
            page.show_hall(hall);
        });
        // The last round of the level before may still be shown.
        self.wish_rather(self.next_table());
    }

    /// Which table to show next: the one that was chosen, or one where somebody is short of chips and which was not
    /// shown just now.
    fn next_table(&self) -> u32 {
        let chosen = self.console_state.featured();
        self.hub.change(|page| {
            let Some(hall) = page.hall() else { return 0 };
            let open = || hall.tables.iter().filter(|table| !table.done && table.playing > 1);
            if open().any(|table| table.table == chosen) {
                return chosen;
            }
            let shortest = |table: &&EventTable| {
                let others = hall.featured == Some(table.table) && open().count() > 1;
                let stacks = || table.chips.iter().filter(|chips| **chips > 0).map(|chips| u64::from(*chips));
                // In parts of a thousand of what everyone at the table has on average.
                let average = (stacks().sum::<u64>() / (stacks().count().max(1) as u64)).max(1);
                (others, stacks().min().unwrap_or(0) * 1_000 / average, table.table)
            };
            open().min_by_key(shortest).map_or(0, |table| table.table)
        })
    }

    /// Shows the tallies that have come since the last time.
    fn show_tallies(&mut self) {
        let tallies = std::mem::take(&mut self.tallies);
        if tallies.is_empty() {
            return;
        }
        tallies.iter().for_each(|tally| self.heard(tally));
        let Presenter { hub, began_with, rounds, rounds_before, .. } = self;
        hub.change(|page| {
            tallies.into_iter().for_each(|tally| show_tally(page, tally, began_with));
            let now = Instant::now();
            let played = *rounds_before + page.hall().map_or(page.board().round, played);
            rounds.push_back((now, played));
            while rounds.len() > 2 && now - rounds[1].0 > RATE_OVER {
                rounds.pop_front();
            }
            let rate = match rounds.front() {
                Some((then, round)) if now > *then => (played - round) as f64 / (now - *then).as_secs_f64(),
                _ => 0.0,
            };
            // One decimal of a slow rate, whole numbers of a fast one: nobody reads more.
            let rate = if rate < 10.0 { (rate * 10.0).round() / 10.0 } else { rate.round() };
            let board = Board { rate, ..page.board().clone() };
            page.show_board(board);
        });
    }

    fn heard(&self, tally: &TableTally) {
        let players = tally.chips.iter().map(|(player, _)| *player);
        self.console_state.heard(players.zip(tally.last_replies.iter().cloned()));
    }

    /// The tournament is decided. Its last round is shown before anything else is told of the end.
    fn finale(&mut self, tally: TableTally, last_round: Vec<DisplayStep>) {
        self.show_tallies();
        let last = tally.round;
        let showing = self.hub.change(|page| {
            page.enter(Phase::Finale);
            let table = page.table_mut();
            table
                .filter(|(table, _)| table.round == last && table.result.is_none())
                .map(|(table, _)| table.finale = true)
        });
        self.heard(&tally);
        self.finale = Some(tally);
        let on_its_way = self
            .beats
            .iter()
            .any(|beat| matches!(beat, DisplayStep::Event(PublicEvent::Dealt(deal)) if deal.round == last));
        if showing.is_none() && !on_its_way {
            self.beats = last_round.into();
        }
        if self.beats.is_empty() {
            self.close();
        }
    }

    /// Everything has been shown: the final table, the podium, the seed.
    fn close(&mut self) {
        self.show_tallies();
        if let Some(tally) = self.finale.take() {
            let began_with = &mut self.began_with;
            self.hub.change(|page| show_tally(page, tally, began_with));
        }
        let Some((rows, rounds, stopped)) = self.end.take() else {
            // The last word of the tournament follows at once.
            return;
        };
        self.beats.clear();
        self.hub.change(|page| {
            page.show_board(Board { round: rounds, rate: 0.0, rows: rows.clone() });
            let winners: Vec<&str> = rows
                .iter()
                .filter(|row| row.place == 1)
                .filter_map(|row| page.programme().players.get(row.seat - 1))
                .map(String::as_str)
                .collect();
            let winners = winners.join(" and ");
            let sentence = if stopped {
                format!("The tournament was stopped after {rounds} rounds; {winners} led.")
            } else {
                format!("After {rounds} rounds {winners} won the tournament.")
            };
            page.add_news("day", sentence);
            page.show_podium(rows);
            page.enter(Phase::Over);
        });
        self.reveal();
    }

    fn reveal(&mut self) {
        if let Some(seed) = self.seed.take() {
            self.hub.change(|page| {
                page.reveal(&seed);
                page.add_news("day", format!("The seed was {seed}."));
            });
        }
    }

    fn show_next(&mut self) {
        let Some(beat) = self.beats.pop_front() else { return };
        let finale = self.finale.is_some();
        let players = self.hub.change(|page| show_step(page, &beat, finale));
        let slower = if finale { FINALE } else { 1.0 };
        // Two players who raise each other two hundred times are not watched one by one.
        let waiting = self.beats.len().saturating_sub(1);
        let faster = self.console_state.tempo() * (waiting.max(FEW) as f64 / FEW as f64);
        self.next = Instant::now() + pause_after(&beat, players).mul_f64(slower / faster);
        if beat == DisplayStep::Rest {
            if finale {
                self.close();
            } else {
                self.wish(self.next_table());
            }
        }
    }
}

/// How long people look at a step before the next.
fn pause_after(step: &DisplayStep, players: usize) -> Duration {
    let DisplayStep::Event(event) = step else { return Duration::ZERO };
    Duration::from_millis(match event {
        PublicEvent::Dealt(_) => 1_200,
        PublicEvent::Opened { .. } => 900,
        PublicEvent::Won { .. } => 0,
        // A full table takes longer than two players, but not as many times as it has seats.
        PublicEvent::Bet { .. }
        | PublicEvent::Fold { .. }
        | PublicEvent::StaysIn(_)
        | PublicEvent::ForcedFold(_) => 6_000 / (players as u64 + 5),
        PublicEvent::Foul { .. } | PublicEvent::Left { .. } => 1_200,
        PublicEvent::Ended(_) => 4_000,
    })
}

/// Shows a step and returns how many players the table has.
fn show_step(page: &mut Page, step: &DisplayStep, finale: bool) -> usize {
    if let DisplayStep::Event(PublicEvent::Dealt(deal)) = step {
        show_deal(page, deal, finale);
    }
    let Some((table, names)) = page.table_mut() else { return 0 };
    match step {
        DisplayStep::Event(event) => table.show(event, names),
        DisplayStep::Turn(seat) => table.wait_for(*seat),
        DisplayStep::Rest => {}
    }
    let (number, players) = (table.table, table.seats.len());
    if let (DisplayStep::Event(PublicEvent::Ended(_)), Some(result)) = (step, &table.result) {
        let sentence = result.sentence.clone();
        let several = page.hall_mut().is_some_and(|hall| {
            if let Some(table) = hall.tables.iter_mut().find(|table| table.table == number) {
                table.last = Some(sentence.clone());
            }
            hall.tables.len() > 1
        });
        let sentence = if several { format!("Table {number}. {sentence}") } else { sentence };
        page.add_news("round", sentence);
    }
    players
}

fn show_deal(page: &mut Page, deal: &PublicDeal, finale: bool) {
    page.show_table(TableView::dealt(deal, finale));
    if page.hall().is_some_and(|hall| hall.featured != Some(deal.table))
        && let Some(hall) = page.hall_mut()
    {
        hall.featured = Some(deal.table);
    }
}

fn show_tally(page: &mut Page, tally: TableTally, began_with: &mut BTreeMap<usize, Chips>) {
    let Board { round, rate, mut rows } = page.board().clone();
    let told = tally.fouls.len() as u64;
    for (player, chips) in &tally.chips {
        if let Some(row) = rows.iter_mut().find(|row| row.seat == player + 1) {
            row.chips = *chips;
        }
    }
    let mut news = Vec::new();
    for gone in tally.exits {
        if let Some(row) = rows.iter_mut().find(|row| row.seat == gone.player + 1) {
            row.left_in_round = Some(gone.round);
            row.why = Some(gone.why);
            began_with.insert(gone.player, gone.began_with);
            news.push(page.exit(row));
        }
    }
    news.into_iter().for_each(|sentence| page.add_news("exit", sentence));
    rank(&mut rows, began_with);
    for (player, round, why) in tally.fouls {
        let name = page.programme().players.get(player).cloned().unwrap_or_default();
        page.add_news("foul", format!("Foul in round {round}: {name} {why}."));
    }
    if tally.foul_count > told {
        page.add_news("foul", format!("There were {} more fouls.", tally.foul_count - told));
    }
    let mut last = tally.round;
    let is_event = page.hall().is_some();
    if let Some(hall) = page.hall_mut() {
        if let Some(table) = hall.tables.iter_mut().find(|table| table.table == tally.table) {
            table.round = tally.round;
            table.done = tally.done;
            table.chips = tally.chips.iter().map(|(_, chips)| *chips).collect();
            table.playing = table.chips.iter().filter(|chips| **chips > 0).count();
        }
        last = last.max(round);
    }
    if is_event {
        let mut stacks = vec![0; page.programme().players.len()];
        for row in &rows {
            if let Some(stack) = stacks.get_mut(row.seat - 1) {
                *stack = row.chips;
            }
        }
        page.add_points(vec![Point { round: last, stacks }]);
    } else {
        page.add_points(tally.points);
    }
    page.show_board(Board { round: last, rate, rows });
}

/// The rounds played at all tables of a level.
fn played(hall: &EventView) -> u64 {
    hall.tables.iter().map(|table| (table.round + 1).saturating_sub(hall.first_round)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use crate::replay::{DisplaySteps, PublicRound};
    use crate::strategies::{Bot, HouseBot};
    use crate::table::{Step, TableSettings};
    use crate::tournament::TableGame;

    /// The beats of a round among house bots.
    fn a_round() -> Vec<DisplayStep> {
        let seed = Seed::chosen("stage");
        let mut tournament = TableGame::new(TableSettings::default(), &seed, 4, 500, 10);
        let mut bot = HouseBot::named("caller").unwrap().player(seed.stream("caller"));
        tournament.deal();
        loop {
            match tournament.table_mut().step() {
                Step::Ask(seat) => {
                    let reply = bot.decide(&tournament.table().question(seat));
                    tournament.table_mut().answer(Ok(reply));
                }
                Step::Tell(..) => {}
                Step::Over => return DisplaySteps::of_round(PublicRound::events(&tournament)),
            }
        }
    }

    /// Two tables, at the beginning of a level.
    fn level() -> PageMessage {
        let table = |number: u32| EventTable {
            table: number,
            round: 0,
            playing: 2,
            players: vec![2 * number as usize - 1, 2 * number as usize],
            chips: vec![500, 500],
            last: None,
            done: false,
        };
        let (tables, featured) = (vec![table(1), table(2)], None);
        let hall =
            EventView { level: 2, tournament: 1, first_round: 11, last_round: 20, ante: 1, tables, featured };
        PageMessage::Level { hall, rows: Vec::new(), rounds: 10 }
    }

    #[test]
    fn a_level_that_begins_while_a_round_is_shown_asks_for_no_second_one() {
        let wishes = Arc::new(Requests::default());
        let mut stage = Presenter::new(Arc::default(), Arc::default(), Arc::clone(&wishes));
        let players = ["Ada", "Bo", "Cy", "Di"].map(String::from).into();
        stage.hear(PageMessage::Begin(TournamentInfo { number: 1, players, ..TournamentInfo::default() }));
        assert!(wishes.take_round(1), "the first round that is dealt is shown");
        for beat in a_round() {
            stage.hear(PageMessage::Dealer(TableMessage::DisplayStep(beat)));
            stage.hear(PageMessage::Featured);
        }
        stage.hear(level());
        while !stage.beats.is_empty() {
            assert!(!wishes.waits_for_round(), "a second round would be mixed with the first");
            stage.show_next();
        }
        assert!(wishes.waits_for_round());
        stage.hear(level());
        assert!(wishes.take_round(1) || wishes.take_round(2));
        assert!(!wishes.take_round(1) && !wishes.take_round(2));
    }
}
