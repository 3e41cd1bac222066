//! A recorded tournament on a page: any round, any step of it.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::OnceLock;
use std::time::Duration;

use serde::Serialize;

use casino_analysis::coach::{Notebook, NotedRound};
use casino_show::plan::{RecordedScene, ReplayShot, programme};
use casino_show::rounds::{
    Awards, BoardRow, DisplayStep, DisplaySteps, Drama, RaiseWar, TableView, TournamentInfo,
};
use casino_show::state::{Ceremony, FinishedTournament, Page, Part, TableRound, pause_after, time_of};
use casino_stud::cards::{Card, Seed};
use casino_stud::replay::{PublicEvent, PublicExit, Replay, ReplayError, RoundEnd, names};
use casino_stud::stud::{Chips, Seat, grouped};
use casino_stud::tournament::{Race, Standings};

use super::recorded::RecordedParts;
use super::replay_coach::{CoachCache, CoachSummary, ShownDecision};
use crate::session::ShowMinutes;

/// The part of the time that the ceremony takes, and how long at most.
const CEREMONY_PART: f64 = 0.12;
const LONGEST_CEREMONY: Duration = Duration::from_secs(30);
const POTS: usize = 10;

/// How many pages are kept at most, so that any round is near one.
const MAX_PAGES: usize = 256;

/// A recorded tournament, round by round. The rounds of an event of many tables are in the order of its journal.
#[derive(Debug)]
pub struct ReplayPage {
    info: TournamentInfo,
    /// The levels and rounds, in the order of the journal.
    parts: Vec<Part>,
    rounds: Vec<ReplayRound>,
    /// The pages before some of the parts, by their places, beginning with the first one.
    pages: Vec<(usize, Page)>,
    awards: Awards,
    /// Everyone who left, with the place of the round among those on the page, from 1.
    exits: Vec<(u64, PublicExit)>,
    /// The final table of a tournament that is finished.
    standings: Option<Vec<BoardRow>>,
    /// The last tournament of a series that is finished.
    finished: Option<Box<FinishedTournament>>,
    /// In how many minutes it plays itself, if it does so at once.
    minutes: Option<u32>,
    /// The hidden hole cards that may be revealed after the tournament.
    revealed: RevealedSecrets,
    /// The coach of a finished tournament, once it has the habits of all players.
    coach: OnceLock<CoachCache>,
}

/// The players with revealed secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RevealedSecrets {
    All,
    /// Those of the player of this number, from 0.
    Of(usize),
    Nothing,
}

/// A stored round: its place among the parts, its display steps and the hole cards.
#[derive(Debug)]
struct ReplayRound {
    part: usize,
    table: u32,
    round: u64,
    steps: Vec<DisplayStep>,
    /// The hole cards by the players' numbers, from 1.
    holes: BTreeMap<usize, Card>,
    pot: Chips,
    scene: RecordedScene,
}

/// All that does not belong to one round.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ReplayIndex"))]
pub(crate) struct Index<'a> {
    #[serde(rename = "programme")]
    #[cfg_attr(test, ts(type = "TournamentInfo"))]
    info: &'a TournamentInfo,
    pub(crate) rounds: usize,
    /// Table and number of each round, where there are several tables.
    deals: Option<Vec<(u32, u64)>>,
    finished: bool,
    /// Whether hole cards can be shown that were not.
    holes: bool,
    minutes: Option<u32>,
}

/// The most interesting rounds. They reveal later results, so they are sent on request only.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Jumps {
    exits: Vec<Jump>,
    pots: Vec<Jump>,
}
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReplayCeremony<'a> {
    #[cfg_attr(test, ts(type = "Ceremony[]"))]
    stages: Vec<Ceremony>,
    #[cfg_attr(test, ts(type = "BoardRow[]"))]
    podium: &'a [BoardRow],
}
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReplayProgramme {
    #[cfg_attr(test, ts(type = "ReplayShot[]"))]
    shots: Vec<ReplayShot>,
    /// How long each stage of the ceremony is shown, in milliseconds.
    ceremony_ms: u64,
}

/// A round worth looking at, by its place on the page, from 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Jump {
    pub(crate) round: u64,
    pub(crate) text: String,
}

/// A round for the page, without any later result.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ShownRound {
    round: u64,
    #[cfg_attr(test, ts(type = "TableView[]"))]
    frames: Vec<TableView>,
    /// How long each of the frames is looked at, at the usual pace, in milliseconds.
    pauses: Vec<u64>,
    /// The standings at its deal,
    #[cfg_attr(test, ts(type = "BoardRow[]"))]
    before: Vec<BoardRow>,
    /// and stands after it.
    #[cfg_attr(test, ts(type = "BoardRow[]"))]
    board: Vec<BoardRow>,
    /// The stacks over the rounds before it.
    #[cfg_attr(test, ts(type = "Race"))]
    race: Race,
    /// The hole cards by seat, of a finished tournament only.
    #[cfg_attr(test, ts(type = "Record<number, CardCode> | null"))]
    holes: Option<BTreeMap<usize, Card>>,
}

impl ShownRound {
    /// The same with an empty race.
    pub(crate) fn without_race(self) -> ShownRound {
        ShownRound { race: Race::default(), ..self }
    }
}

/// Whether the coach will have a summary, and the summary once it is complete.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CoachAnswer<'a> {
    comes: bool,
    summary: Option<CoachSummary<'a>>,
}

impl ReplayPage {
    /// The page of a journal with this seed, with all its finished rounds, and these rounds for the coach.
    pub fn of(
        journal: Replay<impl BufRead>,
        seed: &Seed,
    ) -> Result<(ReplayPage, Vec<NotedRound>), ReplayError> {
        let header = journal.header();
        let info = TournamentInfo { players: names(header), ..TournamentInfo::new(header, seed, 1) };
        let began_with = journal.event().players();
        let (mut page, mut rounds) = (ReplayPage::new(info, began_with), Vec::new());
        let mut recorded = RecordedParts::new(journal, Notebook::default(), 1, true);
        while let Some(parts) = recorded.next()? {
            parts.into_iter().for_each(|part| page.add(part));
            rounds.extend(recorded.observers.1.take());
        }
        page.keep_pages();
        let journal = recorded.replay;
        if journal.is_finished() {
            page.finish(&journal.event().standings(), seed.text());
        }
        Ok((page, rounds))
    }

    fn new(info: TournamentInfo, began_with: usize) -> ReplayPage {
        let awards = Awards::new(info.players.len(), info.stack, info.placing.clone());
        let players = info.players.iter().take(began_with).cloned().collect();
        let first = Page::at_table(TournamentInfo { players, ..info.clone() });
        ReplayPage {
            info,
            parts: Vec::new(),
            rounds: Vec::new(),
            pages: vec![(0, first)],
            awards,
            exits: Vec::new(),
            standings: None,
            finished: None,
            minutes: None,
            revealed: RevealedSecrets::All,
            coach: OnceLock::new(),
        }
    }

    /// Adds a part, in the order of the journal.
    fn add(&mut self, part: Part) {
        match part {
            Part::Level(_) => self.parts.push(part),
            Part::Round(round) => self.add_round(round),
            Part::Over(finished) => self.finished = finished,
        }
    }

    fn add_round(&mut self, round: TableRound) {
        let at = self.rounds.len() as u64 + 1;
        for event in &round.events {
            if let PublicEvent::Left { exit, .. } = event {
                self.exits.push((at, exit.clone()));
            }
        }
        self.awards.read(&round.events);
        let steps = RaiseWar::shorten(DisplaySteps::of_round(round.events.iter().cloned()));
        let scene = RecordedScene {
            round: round.round,
            table: round.table,
            takes: time_of(&steps),
            dealt: round.dealt(),
            score: Drama::of(&round.events, 0).score,
            exits: round.events.iter().filter(|event| matches!(event, PublicEvent::Left { .. })).count(),
        };
        let holes = round.holes.iter().flat_map(|holes| &holes.0);
        let hole = |(seat, card): &(Seat, Card)| Some((round.after.chips.get(seat.index())?.0 + 1, *card));
        self.rounds.push(ReplayRound {
            part: self.parts.len(),
            table: round.table,
            round: round.round,
            scene,
            steps,
            holes: holes.filter_map(hole).collect(),
            pot: RoundEnd::of(&round.events).map_or(0, RoundEnd::pot),
        });
        self.parts.push(Part::Round(TableRound { holes: None, ..round }));
    }

    /// Keeps pages at even distances.
    fn keep_pages(&mut self) {
        let distance = self.parts.len().div_ceil(MAX_PAGES).max(1);
        let (_, mut page) = self.pages[0].clone();
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0 && at % distance == 0 {
                self.pages.push((at, page.clone()));
            }
            page.advance(part);
        }
    }

    /// The page before a part of this place.
    fn page(&self, part: usize) -> Page {
        let near = self.pages.partition_point(|(at, _)| *at <= part) - 1;
        let (at, mut page) = self.pages[near].clone();
        self.parts[at..part].iter().for_each(|part| page.advance(part));
        page
    }

    /// The tournament is finished: hole cards and the seed are no secret any more.
    fn finish(&mut self, standings: &Standings, seed: &str) {
        self.standings = Some(BoardRow::all(standings));
        self.info.seed = Some(seed.to_string());
    }

    fn name(&self, player: usize) -> String {
        self.info.players.get(player).cloned().unwrap_or_default()
    }

    fn has_tables(&self) -> bool {
        self.rounds.iter().any(|round| round.table != 1)
    }

    pub(crate) fn index(&self) -> Index<'_> {
        let places = || self.rounds.iter().map(|round| (round.table, round.round)).collect();
        Index {
            info: &self.info,
            rounds: self.rounds.len(),
            deals: self.has_tables().then(places),
            finished: self.standings.is_some(),
            holes: self.reveals_holes(),
            minutes: self.minutes,
        }
    }

    pub(crate) fn jumps(&self) -> Jumps {
        let has_tables = self.has_tables();
        let place = |round: &ReplayRound| match has_tables {
            true => format!("round {} at table {}", round.round, round.table),
            false => format!("round {}", round.round),
        };
        let exit = |(at, exit): &(u64, PublicExit)| Jump {
            round: *at,
            text: format!("{} is out in round {}: {}", self.name(exit.player), exit.round, exit.why),
        };
        let mut pots: Vec<(u64, &ReplayRound)> = (1..).zip(&self.rounds).collect();
        pots.sort_by_key(|(at, round)| (std::cmp::Reverse(round.pot), *at));
        let pot = |(at, round): &(u64, &ReplayRound)| Jump {
            round: *at,
            text: format!("{} chips in {}", grouped(round.pot), place(round)),
        };
        Jumps {
            exits: self.exits.iter().map(exit).collect(),
            pots: pots.iter().take(POTS).map(pot).collect(),
        }
    }

    /// The ceremony of a tournament that is finished. The times of the replies are not in its journal.
    pub(crate) fn ceremony(&self) -> Option<ReplayCeremony<'_>> {
        let podium = self.standings.as_deref()?;
        let awards = self.awards.given(&self.info.players, &[]);
        Some(ReplayCeremony { stages: Ceremony::stages(podium, &awards, self.finished.as_deref()), podium })
    }

    /// The stacks over all rounds of the page.
    pub(crate) fn whole_race(&self) -> Race {
        self.page(self.parts.len()).race
    }

    pub(crate) fn round(&self, round: u64) -> Option<ShownRound> {
        let recorded = self.rounds.get(usize::try_from(round.checked_sub(1)?).ok()?)?;
        Some(self.shown(round, recorded, &mut self.page(recorded.part)))
    }

    /// All rounds, in order.
    pub(crate) fn all_rounds(&self) -> impl Iterator<Item = ShownRound> {
        let (mut at, mut page) = (0, self.page(0));
        (1..).zip(&self.rounds).map(move |(number, recorded)| {
            self.parts[at..recorded.part].iter().for_each(|part| page.advance(part));
            at = recorded.part + 1;
            self.shown(number, recorded, &mut page)
        })
    }

    /// A round, from the page before it, which moves to its end.
    fn shown(&self, number: u64, recorded: &ReplayRound, page: &mut Page) -> ShownRound {
        let part = &self.parts[recorded.part];
        let (before, race) = (page.board.rows.clone(), page.race.clone());
        let (mut frames, mut pauses): (Vec<TableView>, Vec<u64>) = (Vec::new(), Vec::new());
        for step in recorded.steps.iter().filter(|step| !matches!(step, DisplayStep::Rest)) {
            let Part::Round(round) = part else { break };
            let Some(table) = page.step(round, step, false) else { continue };
            pauses.push(pause_after(step, table.seats.len()).as_millis() as u64);
            frames.push(table.clone());
        }
        page.advance(part);
        let holes = self.reveals_holes().then(|| self.revealed_holes(&recorded.holes));
        let board = page.board.rows.clone();
        ShownRound { round: number, frames, pauses, before, board, race, holes }
    }

    /// The same page, which begins to play itself in so many minutes.
    #[must_use]
    pub fn playing_itself(self, minutes: Option<ShowMinutes>) -> ReplayPage {
        ReplayPage { minutes: minutes.map(ShowMinutes::get), ..self }
    }

    /// The same page without secrets: hidden hole cards, the coach's judgements, and the seed, from which all cards
    /// follow.
    #[must_use]
    pub fn keeping_secrets(self) -> ReplayPage {
        let info = TournamentInfo { seed: None, ..self.info };
        ReplayPage { info, revealed: RevealedSecrets::Nothing, coach: OnceLock::new(), ..self }
    }

    /// The same page for this player, from 0: with its own hole cards and the judgements of its own decisions, and
    /// otherwise without secrets.
    #[must_use]
    pub fn for_player(self, player: usize) -> ReplayPage {
        let info = TournamentInfo { seed: None, ..self.info };
        ReplayPage { info, revealed: RevealedSecrets::Of(player), ..self }
    }

    /// Has the coach look at these rounds of a tournament that is over, which are all of the page.
    pub fn coached(&self, rounds: Vec<NotedRound>) {
        self.coach.get_or_init(|| CoachCache::new(&self.info.players, rounds)).analyse_all_rounds();
    }
    pub fn is_finished(&self) -> bool {
        self.standings.is_some()
    }

    /// Whether hole cards can be shown that were not.
    fn reveals_holes(&self) -> bool {
        self.standings.is_some() && self.revealed != RevealedSecrets::Nothing
    }

    /// The hole cards of a round that can be shown.
    fn revealed_holes(&self, holes: &BTreeMap<usize, Card>) -> BTreeMap<usize, Card> {
        let is_revealed = |seat: usize| match self.revealed {
            RevealedSecrets::All => true,
            RevealedSecrets::Of(player) => seat == player + 1,
            RevealedSecrets::Nothing => false,
        };
        holes.iter().filter(|(seat, _)| is_revealed(**seat)).map(|(seat, card)| (*seat, *card)).collect()
    }

    /// The only player whose decisions the coach judges, if it does not judge all.
    fn only(&self) -> Option<usize> {
        if let RevealedSecrets::Of(player) = self.revealed { Some(player) } else { None }
    }

    /// The show of the tournament in so many minutes, and the time of its ceremony.
    pub(crate) fn programme(&self, minutes: ShowMinutes) -> ReplayProgramme {
        let scenes: Vec<RecordedScene> = self.rounds.iter().map(|round| round.scene).collect();
        let total = minutes.length().unwrap_or(Duration::from_secs(60));
        let stages = self.ceremony().map_or(0, |ceremony| ceremony.stages.len()) as u32;
        let ceremony =
            if stages > 0 { total.mul_f64(CEREMONY_PART).min(LONGEST_CEREMONY) } else { Duration::ZERO };
        ReplayProgramme {
            shots: programme(&scenes, total.saturating_sub(ceremony)),
            ceremony_ms: (ceremony / stages.max(1)).as_millis() as u64,
        }
    }

    /// The coach's judgements of a round, once the coach is ready; `None` if there is no such round.
    pub(crate) fn decisions(&self, round: u64) -> Option<Option<Vec<ShownDecision>>> {
        let at = usize::try_from(round.checked_sub(1)?).ok()?;
        let steps = &self.rounds.get(at)?.steps;
        Some(self.coach.get().map(|coach| coach.round(at, steps, self.only())))
    }

    pub(crate) fn coach(&self) -> CoachAnswer<'_> {
        let place = |table, round| {
            let at = self.rounds.iter().position(|other| (other.table, other.round) == (table, round))?;
            Some(at as u64 + 1)
        };
        CoachAnswer {
            comes: self.reveals_holes(),
            summary: self.coach.get().and_then(|coach| coach.summary(place, self.only())),
        }
    }
}
