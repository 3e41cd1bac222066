//! A decision replayed many times: the hidden cards are dealt from their exact posterior, given the replies of these
//! bots.

use casino_analysis::coach::{AnalysedDecision, NotedRound};
use casino_stud::cards::{Seed, Stream};
use casino_stud::protocol::Command;
use casino_stud::strategies::{HouseBot, Memory};
use casino_stud::table;

use super::engine::{Card, Dice, Game, Reply};
use super::field::{Habits, card};

/// A reply of a round, by the place of its player among those dealt in.
pub(super) struct Made {
    pub(super) seat: usize,
    pub(super) to_call: u32,
    pub(super) reply: Reply,
}

fn reply(reply: table::Reply) -> Reply {
    match reply {
        table::Reply::Fold => None,
        table::Reply::Bet(chips) => Some(chips),
    }
}

/// A round after the deal, and all that was replied in it.
pub(super) fn script(round: &NotedRound) -> (Game, Vec<Made>) {
    let seats: Vec<_> = round.seats().into_iter().collect();
    let stacks: Vec<u32> = seats.iter().map(|seat| round.stack(*seat)).collect();
    let cards = seats.iter().map(|seat| round.cards(*seat).map(card)).collect();
    let rules = round.rules();
    let made = round.replies().map(|made| Made {
        seat: seats.iter().position(|seat| *seat == made.seat).expect("who replies was dealt in"),
        to_call: made.to_call,
        reply: reply(made.reply),
    });
    (Game::new(rules.ante, rules.raise_cap, &stacks, cards), made.collect())
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gain {
    pub(super) mean: f64,
    pub(super) error: f64,
}

/// The table before a decision, with the probability of each hole card of the other players.
pub(super) struct PlayedAgain {
    before: Game,
    seat: usize,
    bots: Vec<Habits>,
    weights: Vec<[f64; 52]>,
    known: [bool; 52],
    replies: [Reply; 2],
}

impl PlayedAgain {
    pub(super) fn new(round: &NotedRound, bots: &[Habits], decision: &AnalysedDecision) -> PlayedAgain {
        let (mut game, made) = script(round);
        let mut weights = vec![[1.0; 52]; bots.len()];
        let mut shown_second = vec![false; bots.len()];
        for made in &made[..decision.turn] {
            assert_eq!(game.next(), Some(made.seat));
            if game.second_street {
                shown_second =
                    shown_second.iter().zip(&game.live).map(|(shown, live)| *shown || *live).collect();
            }
            let mut view = game.view(made.seat);
            for hole in Card::all() {
                view.hole = hole;
                let replies = bots[made.seat].replies(&view);
                let chance =
                    replies.iter().find(|(reply, _)| *reply == made.reply).map_or(0.0, |(_, chance)| *chance);
                weights[made.seat][hole.number()] *= chance;
            }
            game.act(made.reply);
        }
        let seat = made[decision.turn].seat;
        assert_eq!(game.next(), Some(seat));
        assert_eq!(game.view(seat).text(), decision.question);
        if game.second_street {
            shown_second = shown_second.iter().zip(&game.live).map(|(shown, live)| *shown || *live).collect();
        }
        let mut known = [false; 52];
        known[game.cards[seat][0].number()] = true;
        for (other, cards) in game.cards.iter().enumerate() {
            known[cards[1].number()] = true;
            known[cards[2].number()] |= shown_second[other];
        }
        let replies = [decision.best, decision.reply].map(reply);
        let second_is_shown = game.second_street;
        for (other, shown) in shown_second.iter().enumerate() {
            // Cards that were not shown are dealt again with the rest; only the players still in depend on them.
            debug_assert!(!second_is_shown || !game.live[other] || *shown);
        }
        PlayedAgain { before: game, seat, bots: bots.to_vec(), weights, known, replies }
    }

    /// The gain of the better reply, if `odds` continues for the player and if the bot itself does, over this many
    /// deals.
    pub(super) fn gains(&mut self, deals: u32, seed: u64) -> [Gain; 2] {
        let mut dice = Dice(seed);
        let mut sums = [[0.0; 2]; 2];
        for deal in 0..deals {
            let cards = self.deal(&mut dice);
            for (at, sums) in sums.iter_mut().enumerate() {
                let one = |reply| {
                    let stream = Seed::chosen(format!("{seed} {deal}")).stream("odds");
                    self.play(
                        &cards,
                        reply,
                        (at == 0).then_some(stream),
                        Dice(seed ^ (u64::from(deal) << 32)),
                    )
                };
                let more = one(self.replies[0]) - one(self.replies[1]);
                sums[0] += more;
                sums[1] += more * more;
            }
        }
        sums.map(|[sum, squares]| {
            let count = f64::from(deals);
            let mean = sum / count;
            Gain { mean, error: ((squares / count - mean * mean).max(0.0) / count).sqrt() }
        })
    }

    /// Deals cards consistent with the player's view and the actions of the others.
    fn deal(&self, dice: &mut Dice) -> Vec<[Card; 3]> {
        let mut cards = self.before.cards.clone();
        loop {
            let mut taken = self.known;
            let mut is_possible = true;
            for other in (0..cards.len()).filter(|other| *other != self.seat) {
                let weight = |card: &Card| {
                    if self.known[card.number()] { 0.0 } else { self.weights[other][card.number()] }
                };
                let mut left = dice.unit() * Card::all().map(|card| weight(&card)).sum::<f64>();
                let drawn = Card::all().filter(|card| weight(card) > 0.0).find(|card| {
                    left -= weight(card);
                    left < 0.0
                });
                let Some(drawn) = drawn else { return self.before.cards.clone() };
                is_possible &= !std::mem::replace(&mut taken[drawn.number()], true);
                cards[other][0] = drawn;
            }
            if !is_possible {
                continue;
            }
            if !self.before.second_street {
                for cards in &mut cards {
                    cards[2] = loop {
                        let number = dice.below(52);
                        if !std::mem::replace(&mut taken[number], true) {
                            break Card { rank: (number % 13) as u8, suit: (number / 13) as u8 };
                        }
                    };
                }
            }
            return cards;
        }
    }

    /// The chips of the player at the end less those before its reply.
    fn play(&self, cards: &[[Card; 3]], reply: Reply, odds: Option<Stream>, mut dice: Dice) -> f64 {
        let mut game = self.before.clone();
        game.cards = cards.to_vec();
        let before = game.stacks[self.seat];
        game.act(reply);
        let (house, mut memory) = (HouseBot::named("odds").expect("a house bot"), Memory::default());
        let mut stream = odds;
        while game.live[self.seat]
            && let Some(seat) = game.next()
        {
            let view = game.view(seat);
            let answer = match &mut stream {
                Some(stream) if seat == self.seat => {
                    let text = view.text();
                    let Ok(Command::Question(question)) = Command::read(&text, view.cap) else {
                        panic!("{text} is a question")
                    };
                    self::reply(house.decide(&question.as_question(), &mut memory, stream))
                }
                _ => self.bots[seat].reply(&view, &mut dice),
            };
            game.act(answer);
        }
        let takes = if game.live[self.seat] { game.takes(self.seat) } else { 0 };
        f64::from(game.stacks[self.seat] + takes) - f64::from(before)
    }
}
