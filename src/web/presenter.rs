//! One round at a time at a pace people can follow, while play runs on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::replay::{BoardRow, DisplayStep, PublicEvent, TournamentInfo};
use crate::stud::Chips;
use crate::tournament::Point;

use super::console_state::ConsoleState;
use super::hub::Hub;
use super::messages::{PageMessage, Requests, TableMessage, TableTally};
use super::page::{Board, EventTable, EventView, Phase};
use super::page_changes::{pause_after, played, show_step, show_tally, stacks_of};

/// How often a tally is asked for.
const TICK: Duration = Duration::from_millis(200);

/// Over how long the rounds per second are counted.
const RATE_OVER: Duration = Duration::from_secs(3);

/// How much slower the last round is shown.
const FINALE: f64 = 1.8;

/// How long the table that is to be shown may take to deal a round.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many steps may wait before the show hurries.
const FEW: usize = 30;

/// The end of a tournament that is decided, while its last round is being shown.
struct Finale {
    /// The last tally of the table.
    tally: TableTally,
    /// The result, once it has come.
    result: Option<FinalResult>,
}

/// The result of a tournament.
struct FinalResult {
    /// The rows of the final table.
    rows: Vec<BoardRow>,
    /// How many rounds were played.
    rounds: u64,
    /// Whether the tournament was stopped before its end.
    stopped: bool,
}

/// Shows the rounds and results of a day on the page.
pub(super) struct Presenter {
    hub: Arc<Hub>,
    console_state: Arc<ConsoleState>,
    requests: Arc<Requests>,
    steps: VecDeque<DisplayStep>,
    /// When the next step may be shown.
    next: Instant,
    /// What is held back until the last round has been shown.
    finale: Option<Finale>,
    seed: Option<String>,
    /// Rounds played at moments just past.
    rounds: VecDeque<(Instant, u64)>,
    /// The stacks with which those who left began their last round: they place those who leave in the same round.
    began_with: BTreeMap<usize, Chips>,
    /// Rounds of all tables: those of the levels that are over, and each table's in the one in play.
    rounds_before: u64,
    /// When a round was asked for.
    waiting_since: Instant,
    /// Tallies that have not been shown.
    tallies: Vec<TableTally>,
}

impl Presenter {
    pub(super) fn new(hub: Arc<Hub>, console_state: Arc<ConsoleState>, requests: Arc<Requests>) -> Presenter {
        Presenter {
            hub,
            console_state,
            requests,
            steps: VecDeque::new(),
            next: Instant::now(),
            finale: None,
            seed: None,
            rounds: VecDeque::new(),
            began_with: BTreeMap::new(),
            rounds_before: 0,
            waiting_since: Instant::now(),
            tallies: Vec::new(),
        }
    }

    /// Shows what comes until there is nothing to come.
    pub(super) async fn run(mut self, mut messages: UnboundedReceiver<PageMessage>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(PageMessage::Close) | None => return,
                    Some(message) => self.receive(message),
                },
                () = tokio::time::sleep_until(self.next), if !self.steps.is_empty() => self.show_next(),
                _ = tick.tick() => self.tick(),
            }
        }
    }

    fn tick(&mut self) {
        self.show_tallies();
        self.requests.tally.fetch_add(1, Ordering::Relaxed);
        if self.waiting_since.elapsed() > PATIENCE {
            // The table that was to be shown does not deal: any other will do.
            self.requests.want_instead(0);
        }
        let paused = self.console_state.is_paused();
        self.hub.change(|page| match page.phase() {
            Phase::Playing if paused => page.enter(Phase::Paused),
            Phase::Paused if !paused => page.enter(Phase::Playing),
            _ => {}
        });
    }

    fn receive(&mut self, message: PageMessage) {
        match message {
            PageMessage::Lobby(lobby) => self.hub.change(|page| {
                page.enter(Phase::Lobby);
                page.show_lobby(lobby);
            }),
            PageMessage::Begin(info) => self.begin(info),
            PageMessage::Level { event, rows, rounds } => self.level(event, rows, rounds),
            PageMessage::Dealer(TableMessage::DisplayStep(step)) => self.steps.push_back(step),
            PageMessage::Dealer(TableMessage::Tally(tally)) => {
                self.tallies.push(tally);
                // Those of many tables are shown together, a few times a second.
                if self.hub.change(|page| page.event().is_none()) {
                    self.show_tallies();
                }
            }
            PageMessage::Dealer(TableMessage::Over(tally, last_round)) => self.finale(tally, last_round),
            PageMessage::End { rows, rounds, stopped } => {
                let result = FinalResult { rows, rounds, stopped };
                match &mut self.finale {
                    Some(finale) => finale.result = Some(result),
                    None => self.show_result(result),
                }
            }
            PageMessage::Featured => self.request_instead(self.next_table()),
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

    fn begin(&mut self, info: TournamentInfo) {
        self.steps.clear();
        self.rounds.clear();
        self.began_with.clear();
        self.tallies.clear();
        self.rounds_before = 0;
        (self.finale, self.seed) = (None, None);
        self.rounds.push_back((Instant::now(), 0));
        self.request(0);
        self.hub.change(|page| {
            let players = info.players.len();
            page.add_news("day", format!("Tournament {} begins with {players} players.", info.number));
            if let Some(promise) = &info.promise {
                page.add_news("day", format!("The shuffle is promised: SHA-256 {promise}."));
            }
            page.begin(info);
        });
    }

    /// Asks for the next round at this table, or at any if it is 0.
    fn request(&mut self, table: u32) {
        self.waiting_since = Instant::now();
        self.requests.want_round(table);
    }

    /// Asks for a round at this table instead, unless one is on its way: then the next request follows when it has been
    /// shown.
    fn request_instead(&mut self, table: u32) {
        if self.requests.want_instead(table) {
            self.waiting_since = Instant::now();
        }
    }

    fn level(&mut self, event: EventView, rows: Vec<BoardRow>, rounds: u64) {
        self.show_tallies();
        let tables = event.tables.len();
        if let Some(before) = self.hub.change(|page| page.event().cloned()) {
            self.rounds_before += played(&before);
        }
        self.hub.change(|page| {
            // House bots that everybody meets sit at many tables.
            let seated: BTreeSet<&usize> = event.tables.iter().flat_map(|table| &table.players).collect();
            let seated = seated.len();
            let sentence = match tables {
                1 => format!("Level {}: {seated} players at the last table.", event.level),
                _ => format!("Level {}: {seated} players at {tables} tables.", event.level),
            };
            page.add_news("day", sentence);
            let stacks = stacks_of(&rows, page.info().players.len());
            page.add_points(vec![Point { round: rounds, stacks }]);
            let board = page.board();
            let known = |row: &BoardRow| {
                let told = board.rows.iter().find(|old| old.seat == row.seat)?;
                told.why.clone()
            };
            // Those who are out by the rule of the event are news; those who left their table have been in the news.
            let out = |row: &&BoardRow| row.why.is_some() && known(row).is_none();
            let news: Vec<String> = rows.iter().filter(out).map(|row| page.exit(row)).collect();
            news.into_iter().for_each(|sentence| page.add_news("exit", sentence));
            page.show_board(Board { round: rounds, rate: page.board().rate, rows });
            page.show_event(event);
        });
        // The last round of the level before may still be shown.
        self.request_instead(self.next_table());
    }

    /// Which table to show next: the one that was chosen, or one where somebody is short of chips and which was not
    /// shown just now.
    fn next_table(&self) -> u32 {
        let chosen = self.console_state.featured();
        self.hub.change(|page| {
            let Some(event) = page.event() else { return 0 };
            let open = || event.tables.iter().filter(|table| !table.done && table.playing > 1);
            if open().any(|table| table.table == chosen) {
                return chosen;
            }
            let shortest = |table: &&EventTable| {
                let others = event.featured == Some(table.table) && open().count() > 1;
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
            let played = *rounds_before + page.event().map_or(page.board().round, played);
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
        self.finale = Some(Finale { tally, result: None });
        let on_its_way = self
            .steps
            .iter()
            .any(|step| matches!(step, DisplayStep::Event(PublicEvent::Dealt(deal)) if deal.round == last));
        if showing.is_none() && !on_its_way {
            self.steps = last_round.into();
        }
        if self.steps.is_empty() {
            self.end_finale();
        }
    }

    /// The last round has been shown: what was held back follows. A result that has not come yet comes at once.
    fn end_finale(&mut self) {
        self.show_tallies();
        let Some(Finale { tally, result }) = self.finale.take() else { return };
        let began_with = &mut self.began_with;
        self.hub.change(|page| show_tally(page, tally, began_with));
        if let Some(result) = result {
            self.show_result(result);
        }
    }

    /// Shows the final table, the winners and, if it may be seen, the seed.
    fn show_result(&mut self, result: FinalResult) {
        self.show_tallies();
        self.steps.clear();
        let FinalResult { rows, rounds, stopped } = result;
        self.hub.change(|page| {
            page.show_board(Board { round: rounds, rate: 0.0, rows: rows.clone() });
            let winners: Vec<&str> = rows
                .iter()
                .filter(|row| row.place == 1)
                .filter_map(|row| page.info().players.get(row.seat - 1))
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
        let Some(step) = self.steps.pop_front() else { return };
        let finale = self.finale.is_some();
        let players = self.hub.change(|page| show_step(page, &step, finale));
        let slower = if finale { FINALE } else { 1.0 };
        // Two players who raise each other two hundred times are not watched one by one.
        let waiting = self.steps.len().saturating_sub(1);
        let faster = self.console_state.tempo() * (waiting.max(FEW) as f64 / FEW as f64);
        self.next = Instant::now() + pause_after(&step, players).mul_f64(slower / faster);
        if step == DisplayStep::Rest {
            if finale {
                self.end_finale();
            } else {
                self.request(self.next_table());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use crate::replay::{DisplaySteps, PublicRound};
    use crate::strategies::{Bot, HouseBot};
    use crate::table::{Step, TableSettings};
    use crate::tournament::TableGame;

    /// The steps of a round among house bots.
    fn a_round() -> Vec<DisplayStep> {
        let seed = Seed::chosen("presenter");
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
        let event =
            EventView { level: 2, tournament: 1, first_round: 11, last_round: 20, ante: 1, tables, featured };
        PageMessage::Level { event, rows: Vec::new(), rounds: 10 }
    }

    #[test]
    fn a_level_that_begins_while_a_round_is_shown_asks_for_no_second_one() {
        let requests = Arc::new(Requests::default());
        let mut presenter = Presenter::new(Arc::default(), Arc::default(), Arc::clone(&requests));
        let players = ["Ada", "Bo", "Cy", "Di"].map(String::from).into();
        presenter.receive(PageMessage::Begin(TournamentInfo {
            number: 1,
            players,
            ..TournamentInfo::default()
        }));
        assert!(requests.take_round(1), "the first round that is dealt is shown");
        for step in a_round() {
            presenter.receive(PageMessage::Dealer(TableMessage::DisplayStep(step)));
            presenter.receive(PageMessage::Featured);
        }
        presenter.receive(level());
        while !presenter.steps.is_empty() {
            assert!(!requests.waits_for_round(), "a second round would be mixed with the first");
            presenter.show_next();
        }
        assert!(requests.waits_for_round());
        presenter.receive(level());
        assert!(requests.take_round(1) || requests.take_round(2));
        assert!(!requests.take_round(1) && !requests.take_round(2));
    }
}
