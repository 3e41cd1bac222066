//! An event of many tables, as pure as its tables: from the seed and the results of a level follows the next.

mod plan;
mod play;
mod seating;

use crate::cards::Seed;
use crate::stud::{Chips, Rules, Seat};
use crate::table::{ExitReason, TableSettings};

pub use plan::{EventPlan, Format, MAX_PLAYERS};
pub use play::{EventBots, EventRecorder, MakeOpponent, play_event};
use seating::spread;

use super::{Decks, Exit, Standings, TableGame};

/// A part of an event in which every table plays by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// From 1, through all tournaments of a series.
    pub number: u64,
    /// Which tournament of the series it belongs to, from 1.
    pub tournament: u32,
    /// The number of its first round, from 1.
    pub first_round: u64,
    /// The most rounds at each of its tables.
    pub rounds: u64,
    /// The ante in chips.
    pub ante: Chips,
}

impl Level {
    /// The number of the last round that can be played in it.
    pub fn last_round(&self) -> u64 {
        self.first_round + self.rounds - 1
    }
}

/// What came of a table in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// The table's number, from 1.
    pub table: u32,
    /// Who sat there, seat by seat, from 0.
    pub players: Vec<usize>,
    /// The chips they began with.
    pub began_with: Vec<Chips>,
    /// The chips they ended with.
    pub ended_with: Vec<Chips>,
}

/// Where a player of an event stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Form {
    chips: Chips,
    /// How it left the tournament in play.
    exit: Option<Exit>,
    /// Whether it plays in no further tournament either: it broke a rule.
    gone: bool,
    /// The chips it won or lost in the levels that are over, where each begins anew.
    net: i64,
    /// Two for a match won in a round robin, one for a draw.
    match_points: i64,
    /// From the tournaments of a series that are over.
    points: i64,
}

/// An event of many tables. Who plays it asks for the next level, plays the tables in any order, and asks again.
///
/// Players are numbered from 0 in the order the seed draws (R2). In a gauntlet the house bots come after them: the
/// first has the number of the players, and each sits at many tables at once.
#[derive(Clone, Debug)]
pub struct Event {
    plan: EventPlan,
    conduct: TableSettings,
    seed: Seed,
    stack: Chips,
    round_limit: u64,
    forms: Vec<Form>,
    level: Option<Level>,
    /// Which tournament of the series is in play, from 1.
    tournament: u32,
    /// The levels of the tournament in play that have begun.
    levels: usize,
    /// The rounds before the tournament in play.
    rounds_before: u64,
    tables: Vec<TableGame>,
    /// The chips everyone sat down with at the tables of the level.
    sat_down_with: Vec<Vec<Chips>>,
    /// The players at each table as the last level left them, or the matches of a bracket.
    seating: Vec<Vec<usize>>,
    pods: Vec<Vec<usize>>,
    /// Who is out by the event's rule and not by its table's, and has not been told.
    leaving: Vec<(usize, ExitReason)>,
    /// Chips that left play in levels that are over.
    forfeited: u64,
    /// The last round that was played.
    rounds_played: u64,
    history: Vec<(Level, Vec<TableResult>)>,
    over: bool,
}

impl Event {
    /// An event before its first level: this many players with `stack` chips each, and at most `round_limit` rounds
    /// in each tournament.
    ///
    /// # Panics
    /// If the plan cannot be played, there are fewer than two players (one for a gauntlet), or all stacks together
    /// are 2^31 chips or more.
    pub fn new(
        plan: EventPlan,
        conduct: TableSettings,
        seed: &Seed,
        players: usize,
        stack: Chips,
        round_limit: u64,
    ) -> Event {
        assert_eq!(plan.check(), Ok(()), "a plan is checked before it is played");
        assert!(players >= if plan.format == Format::Gauntlet { 1 } else { 2 }, "somebody has to play");
        assert!(u64::from(stack) * (players as u64) < 1 << 31, "all chips stay below 2^31");
        let mut event = Event {
            plan,
            conduct,
            seed: seed.clone(),
            stack,
            round_limit,
            forms: vec![Form::default(); players],
            level: None,
            tournament: 0,
            levels: 0,
            rounds_before: 0,
            tables: Vec::new(),
            sat_down_with: Vec::new(),
            seating: Vec::new(),
            pods: Vec::new(),
            leaving: Vec::new(),
            forfeited: 0,
            rounds_played: 0,
            history: Vec::new(),
            over: false,
        };
        event.begin_tournament();
        event
    }

    /// The plan.
    pub fn plan(&self) -> &EventPlan {
        &self.plan
    }

    /// How many players there are, the house bots of a gauntlet not among them.
    pub fn players(&self) -> usize {
        self.forms.len()
    }

    /// The level in play; `None` before the first.
    pub fn level(&self) -> Option<&Level> {
        self.level.as_ref()
    }

    /// The tables of the level in play.
    pub fn tables(&self) -> &[TableGame] {
        &self.tables
    }

    /// The tables of the level in play, for whoever drives them: in any order, one by one or all at once.
    pub fn tables_mut(&mut self) -> &mut Vec<TableGame> {
        &mut self.tables
    }

    /// The table that deals next in the order of the record: the lowest round, then the lowest number. `None` if the
    /// level is over.
    pub fn due(&self) -> Option<usize> {
        let playing = (0..self.tables.len()).filter(|table| !self.tables[*table].is_over());
        playing.min_by_key(|table| self.tables[*table].next_round())
    }

    /// The round that is dealt next; the one after the last if the level is over.
    pub fn next_round(&self) -> u64 {
        self.due().map_or(self.rounds_played() + 1, |table| self.tables[table].next_round())
    }

    /// The last round that was dealt at any table; 0 before the first.
    pub fn rounds_played(&self) -> u64 {
        self.tables
            .iter()
            .map(|table| table.table().round_number())
            .max()
            .unwrap_or(0)
            .max(self.rounds_played)
    }

    /// Whether all levels have been played.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The levels that are over, and what came of each of their tables.
    pub fn history(&self) -> &[(Level, Vec<TableResult>)] {
        &self.history
    }

    /// Ends the level whose tables have been played, and seats the next one. False if the event is over.
    ///
    /// # Panics
    /// If a table is still being played.
    pub fn next_level(&mut self) -> bool {
        if self.over {
            return false;
        }
        assert!(self.due().is_none(), "a level ends with its last table");
        if self.level.is_some() && !self.tables.is_empty() {
            self.close_level();
        }
        loop {
            if let Some(tables) = self.seat() {
                self.begin_level(tables);
                return true;
            }
            if self.plan.series > 1 {
                self.score();
            }
            if self.tournament >= self.plan.series {
                self.over = true;
                return false;
            }
            self.begin_tournament();
        }
    }

    fn begin_tournament(&mut self) {
        for form in self.forms.iter_mut().filter(|form| !form.gone) {
            let points = form.points;
            *form = Form { chips: self.stack, points, ..Form::default() };
        }
        self.tournament += 1;
        self.levels = 0;
        self.seating.clear();
        self.pods.clear();
        self.rounds_before = self.level.map_or(0, |level| level.last_round());
    }

    /// The rounds of the tournament in play that its levels have used up.
    fn rounds_used(&self) -> u64 {
        self.level.map_or(0, |level| level.last_round()) - self.rounds_before
    }

    /// The number the next level gets.
    fn next_number(&self) -> u64 {
        self.level.map_or(1, |level| level.number + 1)
    }

    fn is_first(&self) -> bool {
        self.levels == 0
    }

    fn alive(&self) -> Vec<usize> {
        (0..self.forms.len()).filter(|player| self.forms[*player].exit.is_none()).collect()
    }

    /// These players in the order the seed draws for the next level: for the very first that is their own (R2).
    fn drawn(&self, mut players: Vec<usize>) -> Vec<usize> {
        if self.next_number() > 1 {
            self.draw().shuffle(&mut players);
        }
        players
    }

    fn draw(&self) -> crate::cards::Stream {
        self.seed.stream(&format!("level {}", self.next_number()))
    }

    /// Who sits at which table in the next level of the tournament; `None` if it is over.
    fn seat(&mut self) -> Option<Vec<Vec<usize>>> {
        if self.rounds_used() >= self.round_limit {
            return None;
        }
        let first = self.is_first();
        let seats = self.plan.seats;
        match self.plan.format {
            Format::Freezeout => {
                if !self.send_out_who_cannot_pay() {
                    return None;
                }
                let alive = self.alive();
                if alive.len() < 2 {
                    return None;
                }
                if first {
                    return Some(spread(&self.drawn(alive), seats));
                }
                let mut tables = std::mem::take(&mut self.seating);
                tables.iter_mut().for_each(|table| table.retain(|player| self.forms[*player].exit.is_none()));
                Some(seating::balance(tables, seats, &mut self.draw()))
            }
            Format::Rounds => {
                let alive = self.alive();
                (alive.len() > 1).then(|| spread(&self.drawn(alive), seats))
            }
            Format::Shootout => {
                let alive = self.alive();
                let goes_on = alive.len() > 1 && (first || self.seating.len() > 1);
                goes_on.then(|| spread(&self.drawn(alive), seats))
            }
            Format::Knockout if first => Some(seating::bracket(&self.drawn(self.alive()))),
            Format::Knockout if self.seating.len() < 2 || self.alive().len() < 2 => None,
            Format::Knockout => Some(self.seating.chunks(2).map(<[_]>::concat).collect()),
            Format::RoundRobin => {
                if first {
                    self.pods = spread(&self.drawn(self.alive()), seats);
                }
                self.round_robin()
            }
            Format::Gauntlet if self.levels < self.plan.against.len() => {
                let house = self.forms.len() + self.levels;
                let tables: Vec<Vec<usize>> =
                    self.alive().into_iter().map(|player| vec![player, house]).collect();
                (!tables.is_empty()).then_some(tables)
            }
            Format::Gauntlet => None,
        }
    }

    /// In every pod the matches of the next level. Whose opponent has left sits alone and has won.
    fn round_robin(&self) -> Option<Vec<Vec<usize>>> {
        let mut tables = Vec::new();
        for pod in &self.pods {
            for (one, other) in seating::pairs(pod.len(), self.levels) {
                let here = |player: &usize| self.forms[*player].exit.is_none();
                let players: Vec<usize> = [pod[one], pod[other]].into_iter().filter(here).collect();
                if !players.is_empty() {
                    tables.push(players);
                }
            }
        }
        (!tables.is_empty()).then_some(tables)
    }

    /// The next level may cost more than somebody has: then it is out, as if it could not pay the next ante (R5).
    /// False if nobody could pay: then nobody is sent out, and the tournament is over.
    fn send_out_who_cannot_pay(&mut self) -> bool {
        let ante = self.plan.ante(self.levels, self.conduct.rules.ante);
        let alive = self.alive();
        if alive.iter().all(|player| self.forms[*player].chips < ante) {
            return false;
        }
        for player in alive {
            let chips = self.forms[player].chips;
            if chips < ante {
                self.forfeited += u64::from(chips);
                self.send_out(player, ExitReason::Broke { chips, ante });
            }
        }
        true
    }

    fn send_out(&mut self, player: usize, why: ExitReason) {
        let round = self.level.map_or(0, |level| level.last_round());
        let form = &mut self.forms[player];
        form.exit = Some(Exit { round, began_with: form.chips, why: why.clone() });
        form.chips = 0;
        if !self.returns(&why) {
            self.leaving.push((player, why));
        }
    }

    fn begin_level(&mut self, seating: Vec<Vec<usize>>) {
        let first_round = self.level.map_or(0, |level| level.last_round()) + 1;
        let level = Level {
            number: self.next_number(),
            tournament: self.tournament,
            first_round,
            rounds: self.plan.level_rounds.min(self.round_limit - self.rounds_used()),
            ante: self.plan.ante(self.levels, self.conduct.rules.ante),
        };
        let conduct =
            TableSettings { rules: Rules { ante: level.ante, ..self.conduct.rules }, ..self.conduct };
        let restacks = self.plan.format.restacks();
        self.tables.clear();
        self.sat_down_with.clear();
        for (players, number) in seating.iter().zip(1u32..) {
            if players.is_empty() {
                continue;
            }
            let stack = |player: &usize| match self.forms.get(*player) {
                Some(form) if !restacks => form.chips,
                _ => self.stack,
            };
            let stacks: Vec<Chips> = players.iter().map(stack).collect();
            // Everyone in a gauntlet gets the same cards.
            let deck = if self.plan.format == Format::Gauntlet { 1 } else { number };
            let decks = Decks::shuffled(&self.seed, deck);
            let rounds = level.first_round..=level.last_round();
            self.tables.push(TableGame::at_table(conduct, decks, number, players.clone(), &stacks, rounds));
            self.sat_down_with.push(stacks);
        }
        self.seating = seating;
        self.level = Some(level);
        self.levels += 1;
    }

    /// Everyone's form with what has happened at the tables so far.
    fn forms_now(&self) -> Vec<Form> {
        let mut forms = self.forms.clone();
        for table in &self.tables {
            for (seat, &player) in table.players().iter().enumerate() {
                let Some(form) = forms.get_mut(player) else { continue };
                form.chips = table.table().stacks()[seat];
                match table.exit_of(Seat::new(seat)) {
                    Some(Exit { why: ExitReason::Broke { .. }, .. }) if self.plan.format.forgives() => {}
                    Some(exit) => {
                        form.gone = !matches!(exit.why, ExitReason::Broke { .. });
                        form.exit = Some(exit);
                    }
                    None => {}
                }
            }
        }
        forms
    }

    fn close_level(&mut self) {
        self.rounds_played = self.rounds_played();
        let now = self.forms_now();
        let before = std::mem::replace(&mut self.forms, now);
        let level = self.level.expect("a level is closed that was begun");
        let tables = std::mem::take(&mut self.tables);
        self.forfeited += tables.iter().map(|table| u64::from(table.table().forfeited())).sum::<u64>();
        match self.plan.format {
            Format::Freezeout => {}
            Format::Rounds | Format::Gauntlet => self.count_chips(&before, &tables),
            Format::Shootout | Format::Knockout => self.send_on_winners(&tables),
            Format::RoundRobin => {
                self.count_chips(&before, &tables);
                self.count_matches(&before, &tables);
            }
        }
        let results = tables.iter().zip(std::mem::take(&mut self.sat_down_with));
        let results = results.map(|(table, began_with)| TableResult {
            table: table.number(),
            players: table.players().to_vec(),
            began_with,
            ended_with: table.table().stacks().to_vec(),
        });
        self.history.push((level, results.collect()));
    }

    /// What everyone has won or lost. Who is not there any more loses its stack in every level.
    fn count_chips(&mut self, before: &[Form], tables: &[TableGame]) {
        let stack = i64::from(self.stack);
        for table in tables {
            for (&player, &chips) in table.players().iter().zip(table.table().stacks()) {
                if let Some(form) = self.forms.get_mut(player) {
                    form.net += i64::from(chips) - stack;
                }
            }
        }
        for (form, before) in self.forms.iter_mut().zip(before) {
            if before.exit.is_some() {
                form.net -= stack;
            }
        }
    }

    /// Two points for the winner of each match, or one each.
    fn count_matches(&mut self, before: &[Form], tables: &[TableGame]) {
        for table in tables {
            let here = |seat: &usize| self.forms[table.players()[*seat]].exit.is_none();
            let seats: Vec<usize> = (0..table.players().len()).filter(here).collect();
            debug_assert!(table.players().iter().all(|player| before[*player].exit.is_none()));
            let stacks = table.table().stacks();
            match seats[..] {
                [alone] => self.forms[table.players()[alone]].match_points += 2,
                [one, other] if stacks[one] == stacks[other] => {
                    seats.iter().for_each(|seat| self.forms[table.players()[*seat]].match_points += 1);
                }
                [one, other] => {
                    let winner = if stacks[one] > stacks[other] { one } else { other };
                    self.forms[table.players()[winner]].match_points += 2;
                }
                _ => {}
            }
        }
    }

    /// At each table whoever has most chips goes on, the first seat of those who have as many.
    fn send_on_winners(&mut self, tables: &[TableGame]) {
        for table in tables {
            let stacks = table.table().stacks();
            let in_play = table.table().seated().into_iter().map(Seat::index);
            let winner = in_play.min_by_key(|seat| std::cmp::Reverse(stacks[*seat]));
            let matched = &mut self.seating[table.number() as usize - 1];
            matched.retain(|player| Some(*player) == winner.map(|seat| table.players()[seat]));
            for (seat, &player) in table.players().iter().enumerate() {
                if Some(seat) != winner && self.forms[player].exit.is_none() {
                    let chips = stacks[seat];
                    self.send_out(player, ExitReason::Eliminated { chips });
                }
            }
        }
    }

    /// Gives the points of the tournament that is over.
    fn score(&mut self) {
        let standings = self.tournament_standings(&self.forms);
        let places = standings.places();
        for standing in places {
            // Who was not there to play it has no points from it.
            let before = self.rounds_before;
            if self.forms[standing.player]
                .exit
                .as_ref()
                .is_some_and(|exit| exit.round <= before && before > 0)
            {
                continue;
            }
            let points = match self.plan.points.is_empty() {
                true => places.iter().filter(|other| other.place > standing.place).count() as u32,
                false => self.plan.points.get(standing.place - 1).copied().unwrap_or(0),
            };
            self.forms[standing.player].points += i64::from(points);
        }
    }

    fn tournament_standings(&self, forms: &[Form]) -> Standings {
        let chips_and_exits = forms.iter().map(|form| (form.chips, form.exit.clone()));
        match self.plan.format {
            Format::Freezeout | Format::Shootout | Format::Knockout => Standings::new(chips_and_exits),
            Format::Rounds | Format::Gauntlet => {
                Standings::by_points(chips_and_exits, forms.iter().map(|form| (form.net, 0)))
            }
            Format::RoundRobin => {
                Standings::by_points(chips_and_exits, forms.iter().map(|form| (form.match_points, form.net)))
            }
        }
    }

    /// Who stands where now. What counts is said in `docs/tournaments.md` for each format; in a series it is the
    /// points of the tournaments that are over.
    pub fn standings(&self) -> Standings {
        let forms = self.forms_now();
        if self.plan.series == 1 {
            return self.tournament_standings(&forms);
        }
        let chips_and_exits = forms.iter().map(|form| (form.chips, form.exit.clone()));
        Standings::by_points(chips_and_exits, forms.iter().map(|form| (form.points, 0)))
    }

    /// The chips that left play.
    pub fn forfeited(&self) -> u64 {
        self.forfeited + self.tables.iter().map(|table| u64::from(table.table().forfeited())).sum::<u64>()
    }

    /// Whether a player who leaves its table with these words plays again in this event, and is not told them.
    pub fn returns(&self, why: &ExitReason) -> bool {
        let beaten = matches!(why, ExitReason::Broke { .. } | ExitReason::Eliminated { .. });
        beaten && (self.plan.format.forgives() || self.tournament < self.plan.series)
    }

    /// Who is out by the rule of the event since [`Event::take_leaving`], and the last word to each.
    pub fn leaving(&self) -> &[(usize, ExitReason)] {
        &self.leaving
    }

    /// The same, for whoever tells them.
    pub fn take_leaving(&mut self) -> Vec<(usize, ExitReason)> {
        std::mem::take(&mut self.leaving)
    }

    /// Who is still needed: everyone who plays, waits for the next level, or comes back in the next tournament.
    pub fn playing_on(&self) -> Vec<usize> {
        let thrown_out = |player: usize| {
            let at = self.tables.iter().find_map(|table| table.seat_of(player).map(|seat| (table, seat)));
            at.is_some_and(|(table, seat)| {
                table.table().seated().contains(seat) && !table.playing_on().contains(seat)
            })
        };
        let forms = self.forms_now();
        let needed = |player: &usize| {
            let form = &forms[*player];
            form.exit.as_ref().is_none_or(|exit| !form.gone && self.returns(&exit.why))
                && !thrown_out(*player)
        };
        (0..forms.len()).filter(needed).collect()
    }

    /// The last words to those who are still there when the event is over.
    pub fn exit_reasons(&self) -> Vec<(usize, ExitReason)> {
        let standings = self.standings();
        let players = self.players();
        let exit_reason = |standing: &super::Standing| {
            let form = &self.forms[standing.player];
            let stays = form.exit.as_ref().is_none_or(|exit| !form.gone && self.returns(&exit.why));
            let champion = standing.points.is_none() && self.alive().len() == 1;
            let why = match champion {
                true => ExitReason::Champion { chips: standing.chips },
                false => ExitReason::EventOver { place: standing.place, players },
            };
            stays.then_some((standing.player, why))
        };
        standings.places().iter().filter_map(exit_reason).collect()
    }
}

#[cfg(test)]
mod tests;
