//! Compares the outcome of a scenario with the expectations of its file, and the two ways of playing it with each
//! other.

use casino_stud::stud::{Chips, Half};

use super::expect::{Expected, half_word};
use super::file::{Scenario, SeatController};
use super::run::{PlayedFoul, PlayedRound, ScenarioRun, TranscriptLine};

/// An expected text with this ending only has to match the beginning of the actual text.
const PREFIX_MARK: char = '…';

/// A difference between an expectation and the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// The field of the file the expectation stands in.
    pub field: String,
    /// The expected value, as text.
    pub expected: String,
    /// The actual outcome, as text.
    pub got: String,
}

impl Scenario {
    /// The differences from the file's expectations; empty if the scenario passes.
    pub fn check(&self, run: &ScenarioRun) -> Vec<Unexpected> {
        let mut findings = ScenarioFindings { scenario: self, run, found: Vec::new() };
        findings.check_course();
        for (visitor, transcript) in self.visitors.iter().zip(&run.visitors) {
            let last = commands(transcript).last().unwrap_or_default();
            findings.check_done(&visitor.refused, last);
        }
        for (field, expected) in &self.expect.0 {
            findings.check(field, expected);
        }
        findings.found
    }

    /// The differences between two ways of playing this scenario, which must be none.
    pub fn compare(&self, in_memory: &ScenarioRun, over_tcp: &ScenarioRun) -> Vec<Unexpected> {
        let mut findings = Vec::new();
        let mut differ = |field: String, one: String, other: String| {
            let expected = format!("over TCP the same as in memory: {one}");
            findings.push(Unexpected { field, expected, got: other });
        };
        let nothing_more = || "nothing more".to_string();
        let line = |line: Option<&TranscriptLine>| match line {
            Some(TranscriptLine::ToPlayer(text)) => format!("told {text}"),
            Some(TranscriptLine::FromPlayer(text)) => format!("said {text}"),
            None => nothing_more(),
        };
        let mut same = true;
        let players = self.players.iter().map(|player| player.name.clone());
        let visitors = (1..=self.visitors.len()).map(|number| format!("visitor {number}"));
        let one = in_memory.transcripts.iter().chain(&in_memory.visitors);
        let other = over_tcp.transcripts.iter().chain(&over_tcp.visitors);
        for (name, (one, other)) in players.chain(visitors).zip(one.zip(other)) {
            if let Some(at) = first_difference(one, other) {
                same = false;
                let field = format!("transcript of {name}, line {}", at + 1);
                differ(field, line(one.get(at)), line(other.get(at)));
            }
        }
        let (one, other) = (&in_memory.events, &over_tcp.events);
        if let Some(at) = first_difference(one, other) {
            same = false;
            let event = |events: &[String]| events.get(at).cloned().unwrap_or_else(nothing_more);
            differ(format!("event {}", at + 1), event(one), event(other));
        }
        if over_tcp.stuck {
            differ(
                "the clock".to_string(),
                "it comes to its end".into(),
                "everybody waits for somebody".into(),
            );
        } else if same && in_memory != over_tcp {
            differ("the outcome".to_string(), format!("{in_memory:?}"), format!("{over_tcp:?}"));
        }
        findings
    }
}

fn first_difference<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))
}

fn commands(transcript: &[TranscriptLine]) -> impl DoubleEndedIterator<Item = &str> {
    transcript.iter().filter_map(|line| match line {
        TranscriptLine::ToPlayer(text) => Some(text.as_str()),
        TranscriptLine::FromPlayer(_) => None,
    })
}

struct ScenarioFindings<'a> {
    scenario: &'a Scenario,
    run: &'a ScenarioRun,
    found: Vec<Unexpected>,
}

impl ScenarioFindings<'_> {
    fn add(&mut self, field: &str, expected: impl Into<String>, got: impl Into<String>) {
        self.found.push(Unexpected { field: field.to_string(), expected: expected.into(), got: got.into() });
    }

    fn same<T: PartialEq + ToString>(&mut self, field: &str, expected: T, got: T) {
        if expected != got {
            self.add(field, expected.to_string(), got.to_string());
        }
    }

    fn name(&self, player: usize) -> &str {
        &self.scenario.players[player].name
    }

    fn names(&self, players: &[usize]) -> String {
        players.iter().map(|player| self.name(*player)).collect::<Vec<_>>().join(", ")
    }

    /// Whether the scenario could be played to its end, with the right number of replies and cards.
    fn check_course(&mut self) {
        let (scenario, run) = (self.scenario, self.run);
        if run.stuck {
            self.add("", "the scenario comes to its end", "everybody waits for somebody");
        }
        for (player, question) in &run.unscripted {
            if let SeatController::Script { field, .. } = &scenario.players[*player].plays {
                let expected = format!("a reply of {} to {question}", self.name(*player));
                self.add(field, expected, "there is none left: add one");
            }
        }
        for (player, count) in run.left_over.iter().enumerate().filter(|(_, count)| **count > 0) {
            if let SeatController::Script { script, .. } = &scenario.players[player].plays
                && let Some(entry) = script.get(script.len() - count)
            {
                let expected = format!("{} does this", self.name(player));
                self.add(&entry.field, expected, "it is never asked for: take it out");
            }
        }
        for card in &scenario.cards {
            let round = usize::try_from(card.round - 1).ok().and_then(|at| run.rounds.get(at));
            if !round.is_some_and(|round| round.dealt_in.contains(&card.player)) {
                let name = self.name(card.player);
                let expected = format!("{name} is dealt {} in round {}", card.card, card.round);
                self.add(&card.field, expected, "there is no such round, or the player has left");
            }
        }
    }

    fn check(&mut self, field: &str, expected: &Expected) {
        let run = self.run;
        match expected {
            Expected::Commands { player, texts } => {
                self.check_texts(field, texts, commands(&run.transcripts[*player]));
            }
            Expected::Events(texts) => {
                self.check_texts(field, texts, run.events.iter().map(String::as_str));
            }
            Expected::Turns(players) => self.same(field, self.names(players), self.names(&run.turns)),
            Expected::Payout { round, player, half, chips } => {
                self.check_payout(field, run.rounds.get(*round), *player, *half, *chips);
            }
            Expected::PaidOnly { round, players } => self.check_paid_only(field, *round, players),
            Expected::Stack { round, player, chips } => {
                let after = match round {
                    Some(round) => run.rounds.get(*round),
                    None => run.rounds.last(),
                };
                match after {
                    Some(after) => self.same(field, *chips, after.stacks[*player]),
                    None => self.add(field, chips.to_string(), "the round is not played"),
                }
            }
            Expected::Fouls { player, fouls } => self.check_fouls(field, *player, fouls),
            Expected::FoulsOnly { players } => {
                for foul in run.fouls.iter().filter(|foul| !players.contains(&foul.player)) {
                    let name = self.name(foul.player);
                    self.add(field, format!("no foul of {name}"), format!("{}: {}", foul.kind, foul.why));
                }
            }
            Expected::Done { player, words } => {
                let last = commands(&run.transcripts[*player]).next_back().unwrap_or("nothing at all");
                let words: Vec<_> = words.iter().map(|words| (field.to_string(), words.clone())).collect();
                self.check_done(&words, last);
            }
            Expected::Standings(places) => self.check_standings(field, places),
            Expected::Forfeited(chips) => self.same(field, *chips, run.forfeited),
            Expected::Rounds(rounds) => self.same(field, *rounds, run.rounds.len()),
            Expected::Name { player, name } => {
                self.same(field, name.as_str(), run.names[*player].as_str());
            }
            Expected::Seating(players) => self.same(field, self.names(players), self.names(&run.seating)),
        }
    }

    /// Compares texts one by one, then reports the first that is missing or too many.
    fn check_texts<'t>(
        &mut self,
        field: &str,
        expected: &[(String, String)],
        got: impl Iterator<Item = &'t str>,
    ) {
        let got: Vec<&str> = got.collect();
        for ((field, expected), got) in expected.iter().zip(&got) {
            let same = match expected.strip_suffix(PREFIX_MARK) {
                Some(start) => got.starts_with(start),
                None => expected == got,
            };
            if !same {
                self.add(field, expected, *got);
            }
        }
        if let Some((field, missing)) = expected.get(got.len()) {
            self.add(field, missing, "nothing more");
        }
        if let Some(more) = got.get(expected.len()) {
            self.add(field, "nothing more", *more);
        }
    }

    /// Checks the words of the last message, which must be a `done`.
    fn check_done(&mut self, words: &[(String, String)], last: &str) {
        for (field, words) in words {
            if !(last.starts_with("done:") && last.contains(words.as_str())) {
                self.add(field, words, last);
            }
        }
    }

    fn check_payout(
        &mut self,
        field: &str,
        round: Option<&PlayedRound>,
        player: usize,
        half: Option<Half>,
        chips: Chips,
    ) {
        let payouts = round.map_or(&[][..], |round| &round.payouts);
        let counts = |part: Half| half.is_none_or(|half| half == part);
        let got: Chips = payouts
            .iter()
            .filter(|(winner, part, _)| *winner == player && counts(*part))
            .map(|(.., chips)| chips)
            .sum();
        let part = half.map_or(String::new(), |half| format!(" ({})", half_word(half)));
        self.same(field, format!("{chips}{part}"), format!("{got}{part}"));
    }

    fn check_paid_only(&mut self, field: &str, round: usize, players: &[usize]) {
        let Some(played) = self.run.rounds.get(round) else {
            return self.add(field, format!("payouts of round {}", round + 1), "the round is not played");
        };
        for (player, half, chips) in &played.payouts {
            if !players.contains(player) {
                let got = format!("{} takes {chips} ({})", self.name(*player), half_word(*half));
                self.add(field, format!("nothing for {}", self.name(*player)), got);
            }
        }
    }

    fn check_fouls(&mut self, field: &str, player: usize, expected: &[(String, Vec<String>)]) {
        let got: Vec<&PlayedFoul> = self.run.fouls.iter().filter(|foul| foul.player == player).collect();
        let kinds =
            |kinds: Vec<&str>| if kinds.is_empty() { "no foul".to_string() } else { kinds.join(", ") };
        self.same(
            field,
            kinds(expected.iter().map(|(kind, _)| kind.as_str()).collect()),
            kinds(got.iter().map(|foul| foul.kind).collect()),
        );
        for ((_, words), got) in expected.iter().zip(got) {
            for words in words.iter().filter(|words| !got.why.contains(words.as_str())) {
                self.add(field, words, &got.why);
            }
        }
    }

    fn check_standings(&mut self, field: &str, expected: &[Vec<usize>]) {
        let mut got: Vec<Vec<usize>> = Vec::new();
        for shared in self.run.standings.chunk_by(|(one, _), (other, _)| one == other) {
            got.push(shared.iter().map(|(_, player)| *player).collect());
        }
        let in_words = |places: &[Vec<usize>]| {
            let shared = |players: &Vec<usize>| {
                let mut players = players.clone();
                players.sort_unstable();
                self.names(&players).replace(", ", " and ")
            };
            places.iter().map(shared).collect::<Vec<_>>().join(", ")
        };
        let (expected, got) = (in_words(expected), in_words(&got));
        self.same(field, expected, got);
    }
}
