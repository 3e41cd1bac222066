//! What must come out of a scenario, and what did not.

use serde::Serialize;

use crate::stud::{Chips, Half};

use super::file::{Plays, Scenario};
use super::json::{Mistake, Node, Place, Value};
use super::played::{Played, Spoken, half_word};

/// A text that has only to begin so ends with this.
const AND_SO_ON: char = '…';

/// What must come out. Whatever is not mentioned is not checked.
#[derive(Clone, Debug, Default)]
pub struct Expectations(Vec<(Place, Expected)>);

#[derive(Clone, Debug)]
enum Expected {
    /// All that a player is told.
    Commands { player: usize, texts: Vec<(Place, String)> },
    /// Whose turn it is, in order.
    Turns(Vec<usize>),
    /// All that happens.
    Events(Vec<(Place, String)>),
    /// What somebody takes from a pot: a part of it, or all in all.
    Payout { round: usize, player: usize, half: Option<Half>, chips: Chips },
    /// Nobody else takes anything from this pot.
    PaidOnly { round: usize, players: Vec<usize> },
    /// A stack after a round; after the last if none is named.
    Stack { round: Option<usize>, player: usize, chips: Chips },
    /// A player's fouls in order, and words of each.
    Fouls { player: usize, fouls: Vec<(String, Vec<String>)> },
    /// Nobody else fouls.
    FoulsOnly { players: Vec<usize> },
    /// Words of a player's last word.
    Done { player: usize, words: Vec<String> },
    /// Who comes where, best first, those who share a place together.
    Standings(Vec<Vec<usize>>),
    /// Chips that leave play.
    Forfeited(Chips),
    /// How many rounds are played.
    Rounds(usize),
    /// The name everyone sees.
    Name { player: usize, name: String },
    /// Who sits where.
    Seating(Vec<usize>),
}

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

const FIELDS: [&str; 12] = [
    "commands",
    "turns",
    "events",
    "payouts",
    "stacks",
    "fouls",
    "done",
    "standings",
    "forfeited",
    "rounds",
    "names",
    "seating",
];

impl Expectations {
    pub(super) fn read(node: &Node, names: &[&str]) -> Result<Expectations, Mistake> {
        let reader = Reader { names };
        node.fields(&FIELDS)?;
        let mut expectations = Vec::new();
        for (key, node) in node.entries()? {
            reader.read(key, node, &mut expectations)?;
        }
        if expectations.is_empty() {
            return Err(node.mistake(format!("nothing is expected: give one of {}", FIELDS.join(", "))));
        }
        Ok(Expectations(expectations))
    }
}

struct Reader<'a> {
    names: &'a [&'a str],
}

impl Reader<'_> {
    fn player(&self, name: &str, node: &Node) -> Result<usize, Mistake> {
        self.names.iter().position(|other| *other == name).ok_or_else(|| {
            let name = name.escape_debug();
            node.mistake(format!("nobody is named \"{name}\": there are {}", self.names.join(", ")))
        })
    }

    fn players(&self, node: &Node) -> Result<Vec<usize>, Mistake> {
        node.list()?.iter().map(|node| self.player(node.text()?, node)).collect()
    }

    /// The values of an object whose fields are players.
    fn by_player<'n>(&self, node: &'n Node) -> Result<Vec<(usize, &'n Node)>, Mistake> {
        node.entries()?.iter().map(|(name, node)| Ok((self.player(name, node)?, node))).collect()
    }

    fn read(&self, key: &str, node: &Node, to: &mut Vec<(Place, Expected)>) -> Result<(), Mistake> {
        let here = node.place.clone();
        match key {
            "commands" => {
                for (player, node) in self.by_player(node)? {
                    to.push((node.place.clone(), Expected::Commands { player, texts: texts(node)? }));
                }
            }
            "turns" => to.push((here, Expected::Turns(self.players(node)?))),
            "events" => to.push((here, Expected::Events(texts(node)?))),
            "payouts" => {
                for (round, node) in node.one_or_many().iter().enumerate() {
                    self.payouts(round, node, to)?;
                }
            }
            "stacks" => {
                let each = matches!(node.value, Value::List(_));
                for (round, node) in node.one_or_many().iter().enumerate() {
                    for (player, node) in self.by_player(node)? {
                        let stack =
                            Expected::Stack { round: each.then_some(round), player, chips: chips(node)? };
                        to.push((node.place.clone(), stack));
                    }
                }
            }
            "fouls" => {
                let by_player = self.by_player(node)?;
                let players = by_player.iter().map(|(player, _)| *player).collect();
                to.push((here, Expected::FoulsOnly { players }));
                for (player, node) in by_player {
                    let fouls = node.one_or_many().iter().map(foul).collect::<Result<_, _>>()?;
                    to.push((node.place.clone(), Expected::Fouls { player, fouls }));
                }
            }
            "done" => {
                for (player, node) in self.by_player(node)? {
                    to.push((node.place.clone(), Expected::Done { player, words: words(node)? }));
                }
            }
            "standings" => {
                let shared = |node: &Node| match &node.value {
                    Value::List(_) => self.players(node),
                    _ => Ok(vec![self.player(node.text()?, node)?]),
                };
                to.push((
                    here,
                    Expected::Standings(node.list()?.iter().map(shared).collect::<Result<_, _>>()?),
                ));
            }
            "forfeited" => to.push((here, Expected::Forfeited(chips(node)?))),
            "rounds" => to.push((here, Expected::Rounds(node.number(0, 1_000)? as usize))),
            "names" => {
                for (player, node) in self.by_player(node)? {
                    let name = node.text()?.to_string();
                    to.push((node.place.clone(), Expected::Name { player, name }));
                }
            }
            _ => to.push((here, Expected::Seating(self.players(node)?))),
        }
        Ok(())
    }

    fn payouts(&self, round: usize, node: &Node, to: &mut Vec<(Place, Expected)>) -> Result<(), Mistake> {
        let by_player = self.by_player(node)?;
        let players = by_player.iter().map(|(player, _)| *player).collect();
        to.push((node.place.clone(), Expected::PaidOnly { round, players }));
        for (player, node) in by_player {
            if let Value::Number(_) = node.value {
                let chips = chips(node)?;
                to.push((node.place.clone(), Expected::Payout { round, player, half: None, chips }));
                continue;
            }
            let fields = node.fields(&["whole", "hand", "spade"])?;
            for half in [Half::Whole, Half::Hand, Half::Spade] {
                let chips = fields.maybe(half_word(half)).map_or(Ok(0), chips)?;
                to.push((node.place.clone(), Expected::Payout { round, player, half: Some(half), chips }));
            }
        }
        Ok(())
    }
}

fn chips(node: &Node) -> Result<Chips, Mistake> {
    node.number(0, u64::from(Chips::MAX)).map(|chips| chips as Chips)
}

fn texts(node: &Node) -> Result<Vec<(Place, String)>, Mistake> {
    node.list()?.iter().map(|node| Ok((node.place.clone(), node.text()?.to_string()))).collect()
}

fn words(node: &Node) -> Result<Vec<String>, Mistake> {
    node.one_or_many().iter().map(|node| node.text().map(str::to_string)).collect()
}

fn foul(node: &Node) -> Result<(String, Vec<String>), Mistake> {
    if let Value::Text(kind) = &node.value {
        return Ok((kind.clone(), Vec::new()));
    }
    let fields = node.fields(&["kind", "says"])?;
    Ok((fields.need("kind")?.text()?.to_string(), fields.maybe("says").map_or(Ok(Vec::new()), words)?))
}

impl Scenario {
    /// What came out differently from what the file says; nothing if the scenario passes.
    pub fn check(&self, played: &Played) -> Vec<Finding> {
        let mut findings = Findings { scenario: self, played, found: Vec::new() };
        if played.stuck {
            findings.add(&Place::default(), "the scenario comes to its end", "everybody waits for somebody");
        }
        for (player, question) in &played.unscripted {
            if let Plays::Script { place, .. } = &self.players[*player].plays {
                let name = &self.players[*player].name;
                findings.add(
                    place,
                    format!("a reply of {name} to {question}"),
                    "there is none left: add one",
                );
            }
        }
        for (player, count) in played.left_over.iter().enumerate().filter(|(_, count)| **count > 0) {
            if let Plays::Script { acts, .. } = &self.players[player].plays
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
}

struct Findings<'a> {
    scenario: &'a Scenario,
    played: &'a Played,
    found: Vec<Finding>,
}

fn told(lines: &[Spoken]) -> impl DoubleEndedIterator<Item = &str> {
    lines.iter().filter_map(|line| match line {
        Spoken::Told(text) => Some(text.as_str()),
        Spoken::Said(_) => None,
    })
}

impl Findings<'_> {
    fn add(&mut self, place: &Place, expected: impl Into<String>, got: impl Into<String>) {
        self.found.push(Finding {
            line: place.line,
            field: place.field.clone(),
            expected: expected.into(),
            got: got.into(),
        });
    }

    fn same<T: PartialEq + ToString>(&mut self, place: &Place, expected: T, got: T) {
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
    fn texts<'t>(&mut self, place: &Place, expected: &[(Place, String)], got: impl Iterator<Item = &'t str>) {
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

    fn check(&mut self, place: &Place, expected: &Expected) {
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
