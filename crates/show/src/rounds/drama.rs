//! The drama of a round, by which a director chooses. `docs/web.md` has the rule in words.

use casino_stud::replay::{PublicDeal, PublicEvent, RoundEnd};
use casino_stud::stud::{Chips, MAX_SEATS, Seat, Street};

/// The most points a pot earns: it does so if it holds all chips of the table.
const MAX_POT_POINTS: u64 = 400;
const EXIT_POINTS: u32 = 600;
const FOUL_POINTS: u32 = 250;
/// The points of a new leader of the whole tournament.
const NEW_LEADER_POINTS: u32 = 200;
/// The points of a showdown lost by the player whose open cards were the best.
const REVERSAL_POINTS: u32 = 120;
/// The points of a showdown in which two players share the pot.
const SPLIT_POINTS: u32 = 30;

/// The drama of a round, including its end. It selects rounds; the text on a round is a
/// [`headline`](super::headline()), which must not know the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drama {
    /// The points of everything in it: some hundreds for a round that should be seen.
    pub score: u32,
}

/// One player's cards and actions in a round.
#[derive(Clone, Copy, Debug, Default)]
struct PlayerInRound {
    player: usize,
    stack: Chips,
    put_in: Chips,
    won: Chips,
    is_in: bool,
    is_out: bool,
}

impl PlayerInRound {
    fn chips_after(&self) -> Chips {
        if self.is_out { 0 } else { self.stack - self.put_in + self.won }
    }
}

/// A round, player by player.
#[derive(Default)]
struct RoundTally {
    parts: [Option<PlayerInRound>; MAX_SEATS],
    /// The player who opened the second street: the one whose open cards were the best (R6).
    best_shown: Option<Seat>,
    fouls: Vec<usize>,
    exits: Vec<usize>,
}

impl RoundTally {
    fn deal(&mut self, deal: &PublicDeal) {
        for dealt in &deal.seats {
            let (player, stack) = (dealt.player, dealt.stack);
            let part =
                PlayerInRound { player, stack, put_in: deal.ante, is_in: true, ..PlayerInRound::default() };
            self.parts[dealt.seat.index()] = Some(part);
        }
    }

    fn change(&mut self, seat: Seat, change: impl FnOnce(&mut PlayerInRound)) {
        if let Some(part) = &mut self.parts[seat.index()] {
            change(part);
        }
    }

    fn note(&mut self, event: &PublicEvent) {
        match event {
            PublicEvent::Dealt(deal) => self.deal(deal),
            PublicEvent::Opened { street: Street::Second, opener, .. } => self.best_shown = Some(*opener),
            PublicEvent::Bet { seat, chips, .. } => self.change(*seat, |part| part.put_in += chips),
            PublicEvent::Fold { seat, .. } | PublicEvent::ForcedFold(seat) => {
                self.change(*seat, |part| part.is_in = false);
            }
            PublicEvent::Foul { seat, .. } => {
                self.change(*seat, |part| part.is_in = false);
                self.fouls.extend(self.player(*seat));
            }
            PublicEvent::Won { seat, chips, .. } => self.change(*seat, |part| part.won += chips),
            PublicEvent::Left { seat, .. } => {
                self.change(*seat, |part| part.is_out = true);
                self.exits.extend(self.player(*seat));
            }
            PublicEvent::Opened { .. } | PublicEvent::StaysIn(_) | PublicEvent::Ended(_) => {}
        }
    }

    fn player(&self, seat: Seat) -> Option<usize> {
        self.parts[seat.index()].map(|part| part.player)
    }

    fn parts(&self) -> impl Iterator<Item = &PlayerInRound> {
        self.parts.iter().flatten()
    }

    /// The chip leader at this table, if it is a single player with more than any player elsewhere.
    fn leader(&self, chips: impl Fn(&PlayerInRound) -> Chips, best_elsewhere: Chips) -> Option<usize> {
        let most = self.parts().map(&chips).max().filter(|most| *most > best_elsewhere)?;
        let mut leaders = self.parts().filter(|part| chips(part) == most);
        leaders.next().map(|part| part.player).filter(|_| leaders.next().is_none())
    }
}

impl Drama {
    /// The points of a player who goes to a showdown with everything it has.
    pub const ALL_IN_POINTS: u32 = 350;

    /// The drama of a complete round at a table, while the leader of the other tables has `best_elsewhere` chips; 0
    /// without other tables.
    pub fn of(events: &[PublicEvent], best_elsewhere: Chips) -> Drama {
        let mut tally = RoundTally::default();
        events.iter().for_each(|event| tally.note(event));
        let end = RoundEnd::of(events);
        let mut score = pot_points(&tally, end);
        if let Some(end) = end.filter(|end| end.is_showdown) {
            score += showdown_points(&tally, end);
        }
        let before = tally.leader(|part| part.stack, best_elsewhere);
        let after = tally.leader(PlayerInRound::chips_after, best_elsewhere);
        if after.is_some() && before != after {
            score += NEW_LEADER_POINTS;
        }
        if tally.fouls.iter().any(|player| !tally.exits.contains(player)) {
            score += FOUL_POINTS;
        }
        let exits = tally.exits.len() as u32;
        if exits > 0 {
            score += EXIT_POINTS + 50 * (exits - 1);
        }
        Drama { score }
    }
}

fn pot_points(tally: &RoundTally, end: Option<&RoundEnd>) -> u32 {
    let pot = u64::from(end.map_or(0, RoundEnd::pot));
    let all: u64 = tally.parts().map(|part| u64::from(part.stack)).sum();
    (pot * MAX_POT_POINTS / all.max(1)).min(MAX_POT_POINTS) as u32
}

fn showdown_points(tally: &RoundTally, end: &RoundEnd) -> u32 {
    let mut points = if end.payouts.len() > 1 { SPLIT_POINTS } else { 0 };
    if tally.parts().any(|part| part.is_in && part.put_in == part.stack) {
        points += Drama::ALL_IN_POINTS;
    }
    let loser = tally.best_shown.and_then(|seat| tally.parts[seat.index()].as_ref());
    if loser.is_some_and(|part| part.is_in && part.won == 0) {
        points += REVERSAL_POINTS;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Card;
    use casino_stud::replay::{DealtSeat, PublicExit};
    use casino_stud::stud::Half;
    use casino_stud::table::ExitReason;

    fn deal(stacks: &[Chips]) -> PublicEvent {
        let seat = |(index, stack): (usize, &Chips)| DealtSeat {
            seat: Seat::new(index),
            player: index + 10,
            stack: *stack,
            up: Card::ALL[index],
        };
        let seats = stacks.iter().enumerate().map(seat).collect();
        PublicEvent::Dealt(PublicDeal { table: 1, round: 1, ante: 1, seats })
    }

    fn bet(seat: usize, chips: Chips) -> PublicEvent {
        PublicEvent::Bet { seat: Seat::new(seat), to_call: 0, chips, put_in: chips, pot: 0 }
    }

    /// The round ends: these seats take chips for these halves.
    fn end(is_showdown: bool, payouts: &[(usize, Half, Chips)]) -> Vec<PublicEvent> {
        let seat = |index: &usize| Seat::new(*index);
        let won = payouts.iter().map(|(index, half, chips)| PublicEvent::Won {
            seat: seat(index),
            half: *half,
            chips: *chips,
        });
        let mut events: Vec<PublicEvent> = won.collect();
        events.push(PublicEvent::Ended(RoundEnd {
            payouts: payouts.iter().map(|(index, half, chips)| (seat(index), *half, *chips)).collect(),
            shown: seat(&payouts[0].0),
            hand: Vec::new(),
            strength: None,
            is_showdown,
            spade: None,
        }));
        events
    }

    #[test]
    fn a_round_of_antes_is_quiet() {
        let mut events = vec![deal(&[500, 500, 400]), PublicEvent::Fold { seat: Seat::new(1), to_call: 0 }];
        events.extend(end(false, &[(0, Half::Whole, 3)]));
        // The first two were level before: one of them leads now, but a player elsewhere has more.
        assert_eq!(Drama::of(&events, 900).score, 0);
        assert_eq!(Drama::of(&events, 0).score, NEW_LEADER_POINTS);
    }

    #[test]
    fn last_chips_lost_at_a_showdown_score_as_an_exit() {
        let mut events = vec![deal(&[100, 50, 400]), bet(0, 60), bet(1, 49), bet(2, 60)];
        events.push(PublicEvent::Opened {
            street: Street::Second,
            opener: Seat::new(0),
            up: Vec::new(),
            pot: 0,
        });
        events.extend(end(true, &[(2, Half::Whole, 172)]));
        let drama = Drama::of(&events, 0);
        // 172 of 550 chips, all in, and the best open cards lost.
        assert_eq!(drama.score, 125 + Drama::ALL_IN_POINTS + REVERSAL_POINTS);
        let exit = PublicExit::new(11, 1, 50, &ExitReason::Busted { chips: 0, ante: 1 });
        events.push(PublicEvent::Left { seat: Seat::new(1), forfeited: 0, exit });
        let drama = Drama::of(&events, 0);
        assert_eq!(drama.score, 125 + Drama::ALL_IN_POINTS + REVERSAL_POINTS + EXIT_POINTS);
    }

    #[test]
    fn a_forgiven_foul_and_a_shared_pot() {
        let mut events = vec![deal(&[500, 500, 500, 600])];
        for seat in [0, 1] {
            let why = "did not answer within 1000 ms".to_string();
            events.push(PublicEvent::Foul { seat: Seat::new(seat), was_in: true, why });
        }
        events.extend(end(true, &[(2, Half::Hand, 2), (3, Half::Spade, 2)]));
        assert_eq!(Drama::of(&events, 0).score, FOUL_POINTS + SPLIT_POINTS);
    }
}
