//! Awards at the end of a tournament, besides the victory.

use std::time::Duration;

use serde::Serialize;

use casino_stud::cards::Card;
use casino_stud::replay::{PublicDeal, PublicEvent, RoundEnd};
use casino_stud::stud::{Chips, MAX_SEATS, Seat, Strength, grouped};
use casino_stud::tournament::Placing;

const MIN_REPLIES_FOR_FASTEST: u64 = 20;

/// The part of the starting stack with which surviving counts as surviving on little.
const SHORT_STACK_DIVISOR: Chips = 10;

/// An award and its winners.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Award {
    /// The reason for the award.
    pub title: &'static str,
    /// The numbers of the players who get it, from 1.
    pub seats: Vec<usize>,
    /// The winners' achievement, in a sentence.
    pub text: String,
}

/// The largest pot of some kind so far.
#[derive(Clone, Debug)]
struct BestPot {
    chips: Chips,
    table: u32,
    round: u64,
    players: Vec<usize>,
}

/// The deal of the round being read, and its events so far.
#[derive(Clone, Debug, Default)]
struct RoundSeen {
    deal: Option<PublicDeal>,
    /// The up cards of everyone dealt in, by seat.
    up: [[Option<Card>; 2]; MAX_SEATS],
    folded: Vec<Seat>,
    fouls: Vec<Seat>,
    is_paid: bool,
}

/// Collects the data for the awards from every round of a tournament.
#[derive(Clone, Debug)]
pub struct Awards {
    stack: Chips,
    placing: Placing,
    biggest: Option<BestPot>,
    bluff: Option<BestPot>,
    /// The rounds each player was dealt in with little.
    on_little: Vec<u64>,
    /// The fouls of each player that were forgiven.
    forgiven: Vec<u64>,
    /// Whether rounds were played that this has not seen.
    has_gaps: bool,
    /// Whether there is another table than the first.
    has_tables: bool,
    seen: RoundSeen,
}

impl Awards {
    /// The awards of a tournament of that many players with a starting stack of `stack` chips: for ranked players.
    pub fn new(players: usize, stack: Chips, placing: Placing) -> Awards {
        Awards {
            stack,
            placing,
            biggest: None,
            bluff: None,
            on_little: vec![0; players],
            forgiven: vec![0; players],
            has_gaps: false,
            has_tables: false,
            seen: RoundSeen::default(),
        }
    }

    /// A player comes in late, after all others.
    pub fn enter(&mut self) {
        self.placing.enter(self.on_little.len());
        self.on_little.push(0);
        self.forgiven.push(0);
    }

    /// Notes that rounds were played that are not read. Prizes that compare all rounds are not given then.
    pub fn miss(&mut self) {
        self.has_gaps = true;
    }

    /// Reads a complete round.
    pub fn read(&mut self, events: &[PublicEvent]) {
        self.seen = RoundSeen::default();
        for event in events {
            match event {
                PublicEvent::Dealt(deal) => self.deal(deal),
                PublicEvent::Opened { up, .. } => {
                    up.iter().for_each(|(seat, card)| self.seen.up[seat.index()][1] = Some(*card));
                }
                PublicEvent::Fold { seat, .. } => self.seen.folded.push(*seat),
                PublicEvent::Foul { seat, .. } => self.count_foul(*seat),
                PublicEvent::Won { .. } => self.seen.is_paid = true,
                // A foul that ejected a player was not forgiven. Busted players leave after the pot is paid.
                PublicEvent::Left { seat, .. } if !self.seen.is_paid => self.uncount_foul(*seat),
                PublicEvent::Ended(end) => self.end(end),
                _ => {}
            }
        }
    }

    fn deal(&mut self, deal: &PublicDeal) {
        for dealt in &deal.seats {
            self.seen.up[dealt.seat.index()][0] = Some(dealt.up);
            if dealt.stack <= self.stack / SHORT_STACK_DIVISOR
                && self.placing.has_place(dealt.player)
                && let Some(rounds) = self.on_little.get_mut(dealt.player)
            {
                *rounds += 1;
            }
        }
        self.has_tables |= deal.table > 1;
        self.seen.deal = Some(deal.clone());
    }

    fn player(&self, seat: Seat) -> Option<usize> {
        let deal = self.seen.deal.as_ref()?;
        deal.seats.iter().find(|dealt| dealt.seat == seat).map(|dealt| dealt.player)
    }

    fn forgiven(&mut self, seat: Seat) -> Option<&mut u64> {
        let player = self.player(seat).filter(|player| self.placing.has_place(*player))?;
        self.forgiven.get_mut(player)
    }

    fn count_foul(&mut self, seat: Seat) {
        self.seen.fouls.push(seat);
        if let Some(count) = self.forgiven(seat) {
            *count += 1;
        }
    }

    fn uncount_foul(&mut self, seat: Seat) {
        if self.seen.fouls.contains(&seat)
            && let Some(count) = self.forgiven(seat)
        {
            *count -= 1;
        }
    }

    fn end(&mut self, end: &RoundEnd) {
        let Some((table, round)) = self.seen.deal.as_ref().map(|deal| (deal.table, deal.round)) else {
            return;
        };
        let mut players: Vec<usize> =
            end.payouts.iter().filter_map(|(seat, ..)| self.player(*seat)).collect();
        players.dedup();
        players.retain(|player| self.placing.has_place(*player));
        if players.is_empty() {
            return;
        }
        let pot = BestPot { chips: end.pot(), table, round, players };
        if self.is_bluff(end) && self.bluff.as_ref().is_none_or(|best| pot.chips > best.chips) {
            self.bluff = Some(pot.clone());
        }
        if self.biggest.as_ref().is_none_or(|best| pot.chips > best.chips) {
            self.biggest = Some(pot);
        }
    }

    /// Whether the pot went to a player whose hand was worse than the visible cards of a player who folded.
    fn is_bluff(&self, end: &RoundEnd) -> bool {
        let [hole, first, second] = end.hand[..] else { return false };
        if end.is_showdown {
            return false;
        }
        let won = Strength::of([hole, first, second]);
        self.seen.folded.iter().any(|seat| match self.seen.up[seat.index()] {
            [Some(one), Some(other)] => {
                let hidden = Card::ALL.into_iter().filter(|card| *card != one && *card != other);
                hidden.map(|card| Strength::of([card, one, other])).min().is_some_and(|least| least > won)
            }
            _ => false,
        })
    }

    /// The prizes, in the order in which they are given. `names` are those of all players, in their order;
    /// `reply_times` the number of replies of each player and how long they took on average.
    pub fn given(&self, names: &[String], reply_times: &[(u64, Duration)]) -> Vec<Award> {
        let mut given = Vec::new();
        if !self.has_gaps {
            let place = |pot: &BestPot| match self.has_tables {
                true => format!("in round {} at table {}", pot.round, pot.table),
                false => format!("in round {}", pot.round),
            };
            let chips = |pot: &BestPot| grouped(pot.chips);
            given.extend(self.biggest.as_ref().map(|pot| {
                let text = format!("{} won {} chips {}.", all(&pot.players, names), chips(pot), place(pot));
                award("Biggest pot", &pot.players, text)
            }));
            given.extend(self.bluff.as_ref().map(|pot| {
                let who = all(&pot.players, names);
                let text = format!(
                    "{who} won {} chips {} with a hand that the cards face up already beat.",
                    chips(pot),
                    place(pot)
                );
                award("Best bluff", &pot.players, text)
            }));
            given.extend(top_players(&self.on_little).map(|(players, rounds)| {
                let text = format!(
                    "{} stayed in for {} rounds on {} chips or fewer.",
                    all(&players, names),
                    grouped(rounds),
                    grouped(self.stack / SHORT_STACK_DIVISOR)
                );
                award("Survivor", &players, text)
            }));
            given.extend(top_players(&self.forgiven).map(|(players, fouls)| {
                let times = if fouls == 1 { "once".to_string() } else { format!("{fouls} times") };
                let text = format!("{} was forgiven {times}.", all(&players, names));
                award("Most fouls forgiven", &players, text)
            }));
        }
        let times = reply_times.iter().enumerate().filter(|(player, (replies, _))| {
            *replies >= MIN_REPLIES_FOR_FASTEST && self.placing.has_place(*player)
        });
        given.extend(times.min_by_key(|(_, (_, mean))| *mean).map(|(player, (_, mean))| {
            let name = all(&[player], names);
            award("Fastest bot", &[player], format!("{name} answered in {} on average.", duration(*mean)))
        }));
        given
    }
}

fn award(title: &'static str, players: &[usize], text: String) -> Award {
    Award { title, seats: players.iter().map(|player| player + 1).collect(), text }
}

/// The players with the highest count, unless it is 0 or too many share it.
fn top_players(counts: &[u64]) -> Option<(Vec<usize>, u64)> {
    let most = counts.iter().copied().max().filter(|most| *most > 0)?;
    let players: Vec<usize> =
        counts.iter().enumerate().filter(|(_, count)| **count == most).map(|(player, _)| player).collect();
    (players.len() <= 3).then_some((players, most))
}

fn all(players: &[usize], names: &[String]) -> String {
    let names: Vec<&str> =
        players.iter().filter_map(|player| names.get(*player)).map(String::as_str).collect();
    names.join(" and ")
}

fn duration(time: Duration) -> String {
    match time.as_micros() {
        micros @ 0..1_000 => format!("{micros} µs"),
        micros @ 1_000..100_000 => format!("{:.1} ms", micros as f64 / 1_000.0),
        micros => format!("{} ms", micros / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::replay::{DealtSeat, PublicExit};
    use casino_stud::stud::{Half, Street};
    use casino_stud::table::ExitReason;

    fn cards(text: &str) -> Vec<Card> {
        text.split(' ').map(|card| card.parse().unwrap()).collect()
    }

    fn deal(round: u64, stacks: &[Chips], up: &str) -> PublicEvent {
        let up = cards(up);
        let seat = |(index, stack): (usize, &Chips)| DealtSeat {
            seat: Seat::new(index),
            player: index,
            stack: *stack,
            up: up[index],
        };
        let seats = stacks.iter().enumerate().map(seat).collect();
        PublicEvent::Dealt(PublicDeal { table: 2, round, ante: 1, seats })
    }

    fn second_street(up: &str) -> PublicEvent {
        let up = cards(up).into_iter().enumerate().map(|(index, card)| (Seat::new(index), card)).collect();
        PublicEvent::Opened { street: Street::Second, opener: Seat::new(0), up, pot: 0 }
    }

    fn fold(seat: usize) -> PublicEvent {
        PublicEvent::Fold { seat: Seat::new(seat), to_call: 1 }
    }

    fn foul(seat: usize) -> PublicEvent {
        PublicEvent::Foul { seat: Seat::new(seat), was_in: true, why: "bet too much".to_string() }
    }

    fn end(hand: &str, is_showdown: bool, payouts: &[(usize, Half, Chips)]) -> PublicEvent {
        let payouts: Vec<_> =
            payouts.iter().map(|(seat, half, chips)| (Seat::new(*seat), *half, *chips)).collect();
        let shown = payouts[0].0;
        PublicEvent::Ended(RoundEnd {
            payouts,
            shown,
            hand: cards(hand),
            strength: None,
            is_showdown,
            spade: None,
        })
    }

    fn given(awards: &Awards, title: &str) -> Option<String> {
        let names = ["Ada", "Bo", "Cy", "Di", "Ed"].map(String::from);
        let times = [(19, 1), (40, 500), (50, 1_500), (60, 250_000)];
        let times = times.map(|(replies, micros)| (replies, Duration::from_micros(micros)));
        awards.given(&names, &times).into_iter().find(|award| award.title == title).map(|award| award.text)
    }

    #[test]
    fn awards_follow_from_the_rounds_played() {
        let mut awards = Awards::new(5, 500, Placing::default());
        // Ada has nothing, and Bo shows a pair and folds.
        awards.read(&[
            deal(7, &[500, 500, 50], "2S KS 9C"),
            second_street("4H KD 9D"),
            fold(1),
            fold(2),
            end("6C 2S 4H", false, &[(0, Half::Whole, 90)]),
        ]);
        // The same with a pair of aces is no bluff, and a showdown never is.
        let folds = [deal(8, &[500, 500, 50], "AS KS 9C"), second_street("AH KD 9D"), fold(1), fold(2)];
        awards.read(&[&folds[..], &[end("6C AS AH", false, &[(0, Half::Whole, 95)])]].concat());
        awards.read(
            &[&folds[..], &[end("6C 2S 4H", true, &[(1, Half::Hand, 7_523), (2, Half::Spade, 7_523)])]]
                .concat(),
        );
        assert_eq!(
            given(&awards, "Best bluff").unwrap(),
            "Ada won 90 chips in round 7 at table 2 with a hand that the cards face up already beat."
        );
        assert_eq!(
            given(&awards, "Biggest pot").unwrap(),
            "Bo and Cy won 15,046 chips in round 8 at table 2."
        );
        assert_eq!(given(&awards, "Survivor").unwrap(), "Cy stayed in for 3 rounds on 50 chips or fewer.");
        assert_eq!(given(&awards, "Fastest bot").unwrap(), "Bo answered in 500 µs on average.");
        assert_eq!(given(&awards, "Most fouls forgiven"), None);
    }

    #[test]
    fn a_foul_that_costs_the_game_was_not_forgiven() {
        let mut awards = Awards::new(5, 500, Placing::default());
        let exit = PublicExit::new(1, 1, 500, &ExitReason::Stopped { why: "for this test".to_string() });
        awards.read(&[
            deal(1, &[500, 500, 500], "2S KS 9C"),
            foul(1),
            PublicEvent::Left { seat: Seat::new(1), forfeited: 500, exit },
            foul(2),
            end("2C 2S 4H", false, &[(0, Half::Whole, 3)]),
        ]);
        assert_eq!(given(&awards, "Most fouls forgiven").unwrap(), "Cy was forgiven once.");
    }

    #[test]
    fn house_bots_among_players_neither_win_nor_affect_awards() {
        let mut awards = Awards::new(5, 500, Placing::new([false, true, false, false, false], false));
        let folds = [deal(8, &[500, 50, 500], "AS KS 9C"), second_street("AH KD 9D"), fold(0), foul(1)];
        awards.read(&[&folds[..], &[end("6C 2S 4H", true, &[(1, Half::Whole, 500)])]].concat());
        assert_eq!(given(&awards, "Biggest pot"), None);
        assert_eq!(given(&awards, "Survivor"), None);
        assert_eq!(given(&awards, "Most fouls forgiven"), None);
        assert_eq!(given(&awards, "Fastest bot").unwrap(), "Cy answered in 1.5 ms on average.");
        awards.read(
            &[&folds[..], &[end("6C 2S 4H", true, &[(1, Half::Hand, 60), (2, Half::Spade, 60)])]].concat(),
        );
        assert_eq!(given(&awards, "Biggest pot").unwrap(), "Cy won 120 chips in round 8 at table 2.");
    }

    #[test]
    fn the_only_table_needs_no_number() {
        let mut awards = Awards::new(5, 500, Placing::default());
        let PublicEvent::Dealt(deal) = deal(1, &[500, 500], "2S KS") else { panic!("a deal") };
        let first = PublicEvent::Dealt(PublicDeal { table: 1, ..deal });
        awards.read(&[first, fold(1), end("2C 2S 4H", false, &[(0, Half::Whole, 3)])]);
        assert_eq!(given(&awards, "Biggest pot").unwrap(), "Ada won 3 chips in round 1.");
    }

    #[test]
    fn no_pot_award_without_every_round() {
        let mut awards = Awards::new(5, 500, Placing::default());
        awards.read(&[
            deal(1, &[500, 500], "2S KS"),
            fold(1),
            end("2C 2S 4H", false, &[(0, Half::Whole, 3)]),
        ]);
        awards.miss();
        assert_eq!(given(&awards, "Biggest pot"), None);
        assert!(given(&awards, "Fastest bot").is_some());
        assert_eq!(duration(Duration::from_micros(2_340)), "2.3 ms");
        assert_eq!(duration(Duration::from_millis(140)), "140 ms");
    }
}
