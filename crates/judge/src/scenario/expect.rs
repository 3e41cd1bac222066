//! What is expected of a scenario.

use casino_stud::stud::{Chips, Half};

use super::json::{FileError, Location, Node, Value};

/// What is expected of a scenario, in the order of its file. What is not mentioned is not checked.
#[derive(Clone, Debug, Default)]
pub struct Expectations(pub(super) Vec<(Location, Expected)>);

#[derive(Clone, Debug)]
pub(super) enum Expected {
    Commands {
        player: usize,
        texts: Vec<(Location, String)>,
    },
    /// The players in the order of their turns.
    Turns(Vec<usize>),
    Events(Vec<(Location, String)>),
    /// What a player takes from a pot: of one part of it, or in all.
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
    /// The players in order of their places, best first; those who share a place together.
    Standings(Vec<Vec<usize>>),
    Forfeited(Chips),
    Rounds(usize),
    Name {
        player: usize,
        name: String,
    },
    Seating(Vec<usize>),
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
    pub(super) fn read(node: &Node, names: &[&str]) -> Result<Expectations, FileError> {
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
    fn player(&self, name: &str, node: &Node) -> Result<usize, FileError> {
        self.names.iter().position(|other| *other == name).ok_or_else(|| {
            let name = name.escape_debug();
            node.mistake(format!("nobody is named \"{name}\": there are {}", self.names.join(", ")))
        })
    }

    fn players(&self, node: &Node) -> Result<Vec<usize>, FileError> {
        node.list()?.iter().map(|node| self.player(node.text()?, node)).collect()
    }

    /// The values of an object whose fields are players.
    fn by_player<'n>(&self, node: &'n Node) -> Result<Vec<(usize, &'n Node)>, FileError> {
        node.entries()?.iter().map(|(name, node)| Ok((self.player(name, node)?, node))).collect()
    }

    fn read(&self, key: &str, node: &Node, to: &mut Vec<(Location, Expected)>) -> Result<(), FileError> {
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

    fn payouts(
        &self,
        round: usize,
        node: &Node,
        to: &mut Vec<(Location, Expected)>,
    ) -> Result<(), FileError> {
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

fn chips(node: &Node) -> Result<Chips, FileError> {
    node.chips(0, Chips::MAX)
}

fn texts(node: &Node) -> Result<Vec<(Location, String)>, FileError> {
    node.list()?.iter().map(|node| Ok((node.place.clone(), node.text()?.to_string()))).collect()
}

fn words(node: &Node) -> Result<Vec<String>, FileError> {
    node.one_or_many().iter().map(|node| node.text().map(str::to_string)).collect()
}

fn foul(node: &Node) -> Result<(String, Vec<String>), FileError> {
    if let Value::Text(kind) = &node.value {
        return Ok((kind.clone(), Vec::new()));
    }
    let fields = node.fields(&["kind", "says"])?;
    Ok((fields.need("kind")?.text()?.to_string(), fields.maybe("says").map_or(Ok(Vec::new()), words)?))
}

/// The word for a part of the pot.
pub(super) fn half_word(half: Half) -> &'static str {
    match half {
        Half::Whole => "whole",
        Half::Hand => "hand",
        Half::Spade => "spade",
    }
}
