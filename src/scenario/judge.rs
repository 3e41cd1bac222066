//! What came out of a scenario differently.

use serde::Serialize;

use crate::stud::{Chips, Half};

use super::expect::{Expected, half_word};
use super::file::{Scenario, SeatController};
use super::json::Location;
use super::run::{ScenarioRun, Spoken};

/// A text that has only to begin so ends with this.
const AND_SO_ON: char = '…';

/// Something that came out differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The line of the file the expectation stands on, from 1.
    pub line: usize,
    /// The field it stands in.
    pub field: String,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl Scenario {
    /// What came out differently from what the file says; nothing if the scenario passes.
    pub fn check(&self, played: &ScenarioRun) -> Vec<Finding> {
        let mut findings = Findings { scenario: self, played, found: Vec::new() };
        if played.stuck {
            findings.add(
                &Location::default(),
                "the scenario comes to its end",
                "everybody waits for somebody",
            );
        }
        for (player, question) in &played.unscripted {
            if let SeatController::Script { place, .. } = &self.players[*player].plays {
                let name = &self.players[*player].name;
                findings.add(
                    place,
                    format!("a reply of {name} to {question}"),
                    "there is none left: add one",
                );
            }
        }
        for (player, count) in played.left_over.iter().enumerate().filter(|(_, count)| **count > 0) {
            if let SeatController::Script { acts, .. } = &self.players[player].plays
                && let Some(act) = acts.get(acts.len() - count)
            {
                let name = &self.players[player].name;
                findings.add(&act.place, format!("{name} does this"), "it is never asked for: take it out");
            }
        }
        for card in &self.cards {
            let round = usize::try_from(card.round - 1).ok().and_then(|at| played.rounds.get(at));
            if !round.is_some_and(|round| round.dealt_in.contains(&card.player)) {
                let name = &self.players[card.player].name;
                let expected = format!("{name} is dealt {} in round {}", card.card, card.round);
                findings.add(&card.place, expected, "there is no such round, or the player has left");
            }
        }
        for (visitor, lines) in self.visitors.iter().zip(&played.visitors) {
            let last = told(lines).last().unwrap_or_default();
            for (place, words) in &visitor.refused {
                if !(last.starts_with("done:") && last.contains(words.as_str())) {
                    findings.add(place, words, last);
                }
            }
        }
        for (place, expected) in &self.expect.0 {
            findings.check(place, expected);
        }
        findings.found
    }

    /// What differs between two ways of playing this scenario, which must be nothing.
    pub fn compare(&self, in_process: &ScenarioRun, over_tcp: &ScenarioRun) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut same = true;
        let mut differ = |field: String, one: String, other: String| {
            let expected = format!("over TCP the same as in process: {one}");
            findings.push(Finding { line: 1, field, expected, got: other });
        };
        let spoken = |lines: &[Spoken], at: usize| match lines.get(at) {
            Some(Spoken::Told(text)) => format!("told {text}"),
            Some(Spoken::Said(text)) => format!("said {text}"),
            None => "nothing more".to_string(),
        };
        let players = self.players.iter().map(|player| player.name.clone());
        let visitors = (1..=self.visitors.len()).map(|number| format!("visitor {number}"));
        let one = in_process.lines.iter().chain(&in_process.visitors);
        let other = over_tcp.lines.iter().chain(&over_tcp.visitors);
        for (name, (one, other)) in players.chain(visitors).zip(one.zip(other)) {
            let most = one.len().max(other.len());
            if let Some(at) = (0..most).find(|at| one.get(*at) != other.get(*at)) {
                same = false;
                differ(format!("transcript of {name}, line {}", at + 1), spoken(one, at), spoken(other, at));
            }
        }
        let most = in_process.events.len().max(over_tcp.events.len());
        let event = |events: &[String], at: usize| {
            events.get(at).map_or_else(|| "nothing more".to_string(), String::clone)
        };
        if let Some(at) = (0..most).find(|at| in_process.events.get(*at) != over_tcp.events.get(*at)) {
            same = false;
            differ(format!("event {}", at + 1), event(&in_process.events, at), event(&over_tcp.events, at));
        }
        if over_tcp.stuck {
            differ(
                "the clock".to_string(),
                "it comes to its end".into(),
                "everybody waits for somebody".into(),
            );
        } else if same && in_process != over_tcp {
            differ("the outcome".to_string(), format!("{in_process:?}"), format!("{over_tcp:?}"));
        }
        findings
    }
}

struct Findings<'a> {
    scenario: &'a Scenario,
    played: &'a ScenarioRun,
    found: Vec<Finding>,
}

fn told(lines: &[Spoken]) -> impl DoubleEndedIterator<Item = &str> {
    lines.iter().filter_map(|line| match line {
        Spoken::Told(text) => Some(text.as_str()),
        Spoken::Said(_) => None,
    })
}

impl Findings<'_> {
    fn add(&mut self, place: &Location, expected: impl Into<String>, got: impl Into<String>) {
        self.found.push(Finding {
            line: place.line,
            field: place.field.clone(),
            expected: expected.into(),
            got: got.into(),
        });
    }

    fn same<T: PartialEq + ToString>(&mut self, place: &Location, expected: T, got: T) {
        if expected != got {
            self.add(place, expected.to_string(), got.to_string());
        }
    }

    fn name(&self, player: usize) -> &str {
        &self.scenario.players[player].name
    }

    fn names(&self, players: &[usize]) -> String {
        players.iter().map(|player| self.name(*player)).collect::<Vec<_>>().join(", ")
    }

    /// Texts one by one, and then what is missing or too many.
    fn texts<'t>(
        &mut self,
        place: &Location,
        expected: &[(Location, String)],
        got: impl Iterator<Item = &'t str>,
    ) {
        let got: Vec<&str> = got.collect();
        for ((place, expected), got) in expected.iter().zip(&got) {
            let same = match expected.strip_suffix(AND_SO_ON) {
                Some(start) => got.starts_with(start),
                None => expected == got,
            };
            if !same {
                self.add(place, expected, *got);
            }
        }
        if let Some((place, missing)) = expected.get(got.len()) {
            self.add(place, missing, "nothing more");
        }
        if let Some(more) = got.get(expected.len()) {
            self.add(place, "nothing more", *more);
        }
    }

    fn check(&mut self, place: &Location, expected: &Expected) {
        let played = self.played;
        match expected {
            Expected::Commands { player, texts } => self.texts(place, texts, told(&played.lines[*player])),
            Expected::Events(texts) => self.texts(place, texts, played.events.iter().map(String::as_str)),
            Expected::Turns(players) => {
                self.same(place, self.names(players), self.names(&played.turns));
            }
            Expected::Payout { round, player, half, chips } => {
                let wanted = |(winner, part, _): &&(usize, Half, Chips)| {
                    winner == player && half.is_none_or(|half| half == *part)
                };
                let payouts = played.rounds.get(*round).map_or(&[][..], |round| &round.payouts);
                let got: Chips = payouts.iter().filter(wanted).map(|(.., chips)| chips).sum();
                let part = half.map_or(String::new(), |half| format!(" ({})", half_word(half)));
                self.same(place, format!("{chips}{part}"), format!("{got}{part}"));
            }
            Expected::PaidOnly { round, players } => {
                let Some(payouts) = played.rounds.get(*round) else {
                    let round = round + 1;
                    return self.add(place, format!("payouts of round {round}"), "the round is not played");
                };
                for (player, half, chips) in &payouts.payouts {
                    if !players.contains(player) {
                        let got = format!("{} takes {chips} ({})", self.name(*player), half_word(*half));
                        self.add(place, format!("nothing for {}", self.name(*player)), got);
                    }
                }
            }
            Expected::Stack { round, player, chips } => {
                let after = match round {
                    Some(round) => played.rounds.get(*round),
                    None => played.rounds.last(),
                };
                match after {
                    Some(after) => self.same(place, *chips, after.stacks[*player]),
                    None => self.add(place, chips.to_string(), "the round is not played"),
                }
            }
            Expected::Fouls { player, fouls } => {
                let got: Vec<_> = played.fouls.iter().filter(|foul| foul.player == *player).collect();
                let kinds = |kinds: Vec<&str>| {
                    if kinds.is_empty() { "no foul".to_string() } else { kinds.join(", ") }
                };
                self.same(
                    place,
                    kinds(fouls.iter().map(|(kind, _)| kind.as_str()).collect()),
                    kinds(got.iter().map(|foul| foul.kind).collect()),
                );
                for ((_, words), got) in fouls.iter().zip(got) {
                    for words in words.iter().filter(|words| !got.why.contains(words.as_str())) {
                        self.add(place, words, &got.why);
                    }
                }
            }
            Expected::FoulsOnly { players } => {
                for foul in played.fouls.iter().filter(|foul| !players.contains(&foul.player)) {
                    let name = self.name(foul.player);
                    self.add(place, format!("no foul of {name}"), format!("{}: {}", foul.kind, foul.why));
                }
            }
            Expected::Done { player, words } => {
                let last = told(&played.lines[*player]).next_back().unwrap_or("nothing at all");
                for words in words {
                    if !(last.starts_with("done:") && last.contains(words.as_str())) {
                        self.add(place, words, last);
                    }
                }
            }
            Expected::Standings(places) => {
                let mut got: Vec<Vec<usize>> = Vec::new();
                let mut last = 0;
                for (place, player) in &played.standings {
                    match got.last_mut() {
                        Some(shared) if *place == last => shared.push(*player),
                        _ => got.push(vec![*player]),
                    }
                    last = *place;
                }
                let say = |places: &[Vec<usize>]| {
                    let shared = |players: &Vec<usize>| {
                        let mut players = players.clone();
                        players.sort_unstable();
                        self.names(&players).replace(", ", " and ")
                    };
                    places.iter().map(shared).collect::<Vec<_>>().join(", ")
                };
                let (expected, got) = (say(places), say(&got));
                self.same(place, expected, got);
            }
            Expected::Forfeited(chips) => self.same(place, *chips, played.forfeited),
            Expected::Rounds(rounds) => self.same(place, *rounds, played.rounds.len()),
            Expected::Name { player, name } => {
                self.same(place, name.as_str(), played.names[*player].as_str());
            }
            Expected::Seating(players) => self.same(place, self.names(players), self.names(&played.seating)),
        }
    }
}
