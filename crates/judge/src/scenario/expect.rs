//! The expectations of a scenario.

use serde::Deserialize;

use casino_stud::stud::{Chips, Half};

use super::json::{Either, Entries, FileError, OneOrMany, Whole};

/// The expectations of a scenario, each with its field. Anything not mentioned is not checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Expectations(pub(super) Vec<(String, Expected)>);

#[derive(Clone, Debug)]
pub(super) enum Expected {
    Commands {
        player: usize,
        texts: Vec<(String, String)>,
    },
    /// The players in the order of their turns.
    Turns(Vec<usize>),
    Events(Vec<(String, String)>),
    /// A player's winnings from a pot, of one part of it or in all.
    Payout {
        round: usize,
        player: usize,
        half: Option<Half>,
        chips: Chips,
    },
    /// No player but these takes anything from this pot.
    PaidOnly {
        round: usize,
        players: Vec<usize>,
    },
    /// A stack after a round; after the last if none is named.
    Stack {
        round: Option<usize>,
        player: usize,
        chips: Chips,
    },
    /// A player's fouls in order, and words of each.
    Fouls {
        player: usize,
        fouls: Vec<(String, Vec<String>)>,
    },
    FoulsOnly {
        players: Vec<usize>,
    },
    /// Words that have to be in a player's `done`.
    Done {
        player: usize,
        words: Vec<String>,
    },
    /// The players in order of their places, best first; tied players together.
    Standings(Vec<Vec<usize>>),
    Forfeited(Chips),
    Rounds(usize),
    Name {
        player: usize,
        name: String,
    },
    Seating(Vec<usize>),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ExpectFile {
    commands: Entries<Vec<String>>,
    turns: Option<Vec<String>>,
    events: Option<Vec<String>>,
    payouts: OneOrMany<Entries<Either<ChipAmount, Halves>>>,
    stacks: OneOrMany<Entries<ChipAmount>>,
    fouls: Option<Entries<OneOrMany<Either<String, FoulFile>>>>,
    done: Entries<OneOrMany<String>>,
    standings: Option<Vec<OneOrMany<String>>>,
    forfeited: Option<ChipAmount>,
    rounds: Option<Whole<0, 1_000>>,
    names: Entries<String>,
    seating: Option<Vec<String>>,
}

type ChipAmount = Whole<0, { Chips::MAX }>;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Halves {
    whole: ChipAmount,
    hand: ChipAmount,
    spade: ChipAmount,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FoulFile {
    kind: String,
    #[serde(default)]
    says: OneOrMany<String>,
}

impl Expectations {
    pub(super) fn new(file: ExpectFile, names: &[&str]) -> Result<Expectations, FileError> {
        let mut reader = ExpectReader { names, read: Vec::new() };
        reader.read_all(file)?;
        if reader.read.is_empty() {
            let fields = "commands, turns, events, payouts, stacks, fouls, done, standings, forfeited, rounds, names, \
                          seating";
            return Err(FileError::of("expect", format!("nothing is expected: give one of {fields}")));
        }
        Ok(Expectations(reader.read))
    }
}

struct ExpectReader<'a> {
    names: &'a [&'a str],
    read: Vec<(String, Expected)>,
}

impl ExpectReader<'_> {
    fn add(&mut self, field: &str, expected: Expected) {
        self.read.push((field.to_string(), expected));
    }

    fn player(&self, name: &str, field: &str) -> Result<usize, FileError> {
        self.names.iter().position(|other| *other == name).ok_or_else(|| {
            let message = format!("there is no player \"{name}\": there are {}", self.names.join(", "));
            FileError::of(field, message)
        })
    }

    fn players(&self, names: &[String], field: &str) -> Result<Vec<usize>, FileError> {
        let player = |(index, name): (usize, &String)| self.player(name, &format!("{field}[{index}]"));
        names.iter().enumerate().map(player).collect()
    }

    /// The values of an object whose fields are players, each with its field.
    fn by_player<T>(&self, entries: Entries<T>, field: &str) -> Result<Vec<(usize, String, T)>, FileError> {
        let entry = |(name, value): (String, T)| {
            let field = format!("{field}.{name}");
            Ok((self.player(&name, &field)?, field, value))
        };
        entries.0.into_iter().map(entry).collect()
    }

    fn texts(texts: Vec<String>, field: &str) -> Vec<(String, String)> {
        let text = |(index, text)| (format!("{field}[{index}]"), text);
        texts.into_iter().enumerate().map(text).collect()
    }

    fn read_all(&mut self, file: ExpectFile) -> Result<(), FileError> {
        for (player, field, texts) in self.by_player(file.commands, "expect.commands")? {
            let texts = Self::texts(texts, &field);
            self.add(&field, Expected::Commands { player, texts });
        }
        if let Some(names) = file.turns {
            self.add("expect.turns", Expected::Turns(self.players(&names, "expect.turns")?));
        }
        if let Some(texts) = file.events {
            self.add("expect.events", Expected::Events(Self::texts(texts, "expect.events")));
        }
        let is_list = file.payouts.is_list;
        for (round, payouts) in file.payouts.values.into_iter().enumerate() {
            let field =
                if is_list { format!("expect.payouts[{round}]") } else { "expect.payouts".to_string() };
            self.read_payouts(round, payouts, &field)?;
        }
        let is_list = file.stacks.is_list;
        for (round, stacks) in file.stacks.values.into_iter().enumerate() {
            let field = if is_list { format!("expect.stacks[{round}]") } else { "expect.stacks".to_string() };
            for (player, field, Whole(chips)) in self.by_player(stacks, &field)? {
                self.add(&field, Expected::Stack { round: is_list.then_some(round), player, chips });
            }
        }
        if let Some(fouls) = file.fouls {
            let fouls = self.by_player(fouls, "expect.fouls")?;
            let players = fouls.iter().map(|(player, ..)| *player).collect();
            self.add("expect.fouls", Expected::FoulsOnly { players });
            for (player, field, fouls) in fouls {
                let fouls = fouls.values.into_iter().map(|foul| match foul {
                    Either::Short(kind) => (kind, Vec::new()),
                    Either::Long(FoulFile { kind, says }) => (kind, says.values),
                });
                self.add(&field, Expected::Fouls { player, fouls: fouls.collect() });
            }
        }
        for (player, field, words) in self.by_player(file.done, "expect.done")? {
            self.add(&field, Expected::Done { player, words: words.values });
        }
        if let Some(shared) = file.standings {
            let mut places = Vec::new();
            for (index, names) in shared.into_iter().enumerate() {
                let field = format!("expect.standings[{index}]");
                places.push(
                    names
                        .each(&field)
                        .map(|(field, name)| self.player(name, &field))
                        .collect::<Result<_, _>>()?,
                );
            }
            self.add("expect.standings", Expected::Standings(places));
        }
        if let Some(Whole(chips)) = file.forfeited {
            self.add("expect.forfeited", Expected::Forfeited(chips));
        }
        if let Some(Whole(rounds)) = file.rounds {
            self.add("expect.rounds", Expected::Rounds(rounds as usize));
        }
        for (player, field, name) in self.by_player(file.names, "expect.names")? {
            self.add(&field, Expected::Name { player, name });
        }
        if let Some(names) = file.seating {
            self.add("expect.seating", Expected::Seating(self.players(&names, "expect.seating")?));
        }
        Ok(())
    }

    fn read_payouts(
        &mut self,
        round: usize,
        payouts: Entries<Either<ChipAmount, Halves>>,
        field: &str,
    ) -> Result<(), FileError> {
        let payouts = self.by_player(payouts, field)?;
        let players = payouts.iter().map(|(player, ..)| *player).collect();
        self.add(field, Expected::PaidOnly { round, players });
        for (player, field, paid) in payouts {
            let halves = match paid {
                Either::Short(Whole(chips)) => vec![(None, chips)],
                Either::Long(Halves { whole, hand, spade }) => vec![
                    (Some(Half::Whole), whole.0),
                    (Some(Half::Hand), hand.0),
                    (Some(Half::Spade), spade.0),
                ],
            };
            for (half, chips) in halves {
                self.add(&field, Expected::Payout { round, player, half, chips });
            }
        }
        Ok(())
    }
}

pub(super) fn half_word(half: Half) -> &'static str {
    match half {
        Half::Whole => "whole",
        Half::Hand => "hand",
        Half::Spade => "spade",
    }
}
