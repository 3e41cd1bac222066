//! What the room may see of a round, one beat after the other.

use crate::cards::Card;
use crate::stud::{Chips, Half, Seat, SeatSet, Street, Strength};
use crate::table::{TableEvent, exit_in_public, foul_in_public};
use crate::tournament::TableGame;

/// Something the room is shown at one moment. There is no hole card in it before the round is over, and then
/// only those that won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DisplayStep {
    /// Everyone antes and gets its cards; the first up cards are seen.
    Dealt {
        /// The table, from 1.
        table: u32,
        /// The round, from 1.
        round: u64,
        /// The pot: the antes.
        pot: Chips,
        /// Who is dealt in.
        seats: Vec<DealtIn>,
    },
    /// A street is opened. On the second one those still in show another card.
    Opened {
        /// Which street.
        street: Street,
        /// Who acts first.
        opener: Seat,
        /// The cards turned up.
        up: Vec<(Seat, Card)>,
    },
    /// The dealer waits for this player.
    Turn(Seat),
    /// A player adds chips: none is a check.
    Bet(Seat, Chips),
    /// A player folds.
    Fold(Seat),
    /// A player without chips stays in unasked.
    Pass(Seat),
    /// A player who cannot call is folded unasked.
    ForcedFold(Seat),
    /// A player breaks a rule and is out of the hand.
    Foul(Seat, String),
    /// A player leaves the tournament.
    Left(Seat, String),
    /// The pot is paid out.
    Paid(Payment),
    /// Nothing for a while: the room looks at the result.
    Rest,
}

/// Somebody who is dealt in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DealtIn {
    /// Where at the table.
    pub seat: Seat,
    /// Which player of the tournament, from 0.
    pub player: usize,
    /// The stack after the ante.
    pub stack: Chips,
    /// The first up card.
    pub up: Card,
}

/// Who got the pot, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Payment {
    /// Who got what for which half.
    pub payouts: Vec<(Seat, Half, Chips)>,
    /// Whose hand is shown.
    pub shown: Seat,
    /// The hand, hole card first; two cards if the second was never turned up.
    pub hand: Vec<Card>,
    /// The hand in words.
    pub words: String,
    /// The spade that won half of the pot.
    pub spade: Option<(Seat, Card)>,
}

/// Makes beats of a table's events. One for each round.
#[derive(Clone, Debug)]
pub(super) struct DisplaySteps {
    live: SeatSet,
    payouts: Vec<(Seat, Half, Chips)>,
    /// Those who leave because they are broke: said after the pot is paid.
    leaving: Vec<DisplayStep>,
    settled: bool,
    over: bool,
}

impl DisplaySteps {
    /// For the round that is just being dealt.
    pub(super) fn new() -> DisplaySteps {
        DisplaySteps {
            live: SeatSet::EMPTY,
            payouts: Vec::new(),
            leaving: Vec::new(),
            settled: false,
            over: false,
        }
    }

    /// The whole round that is just over, or as much of one as has been played.
    pub(super) fn of_round(tournament: &TableGame) -> Vec<DisplayStep> {
        let mut beats = DisplaySteps::new();
        let mut all = Vec::new();
        for event in tournament.table().events() {
            beats.push(tournament, event, |beat| all.push(beat));
        }
        all
    }

    /// Whether the round is over and nothing more will come.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Gives the beats of an event.
    pub(super) fn push(
        &mut self,
        tournament: &TableGame,
        event: &TableEvent,
        mut show: impl FnMut(DisplayStep),
    ) {
        if self.over {
            return;
        }
        let table = tournament.table();
        let round = table.round();
        match *event {
            TableEvent::Dealt { seats } => {
                self.live = seats;
                let ante = round.rules().ante;
                let seen = |seat: Seat| DealtIn {
                    seat,
                    player: tournament.player_at(seat),
                    stack: tournament.began_with()[seat.index()] - ante,
                    up: round.up(seat)[0],
                };
                show(DisplayStep::Dealt {
                    table: tournament.number(),
                    round: table.round_number(),
                    pot: ante * seats.len() as Chips,
                    seats: seats.into_iter().map(seen).collect(),
                });
            }
            TableEvent::Opened { street, opener } => {
                let up = match street {
                    Street::First => Vec::new(),
                    Street::Second => self.live.into_iter().map(|seat| (seat, round.up(seat)[1])).collect(),
                };
                show(DisplayStep::Opened { street, opener, up });
            }
            TableEvent::Acted { seat, action } => match action.chips() {
                Some(chips) => show(DisplayStep::Bet(seat, chips)),
                None => {
                    self.live = self.live.without(seat);
                    show(DisplayStep::Fold(seat));
                }
            },
            TableEvent::Passed { seat } => show(DisplayStep::Pass(seat)),
            TableEvent::ForcedFold { seat } => {
                self.live = self.live.without(seat);
                show(DisplayStep::ForcedFold(seat));
            }
            TableEvent::Fouled { seat } => {
                self.live = self.live.without(seat);
                let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                show(DisplayStep::Foul(seat, foul_in_public(foul)));
            }
            TableEvent::Won { seat, half, chips } => {
                self.settled = true;
                self.payouts.push((seat, half, chips));
            }
            TableEvent::Left { seat, .. } => {
                let why = table.exit_reason(seat).expect("who leaves is told why");
                let beat = DisplayStep::Left(seat, exit_in_public(why));
                if self.settled { self.leaving.push(beat) } else { show(beat) }
            }
            TableEvent::Ended => {
                self.over = true;
                show(DisplayStep::Paid(self.payment(tournament)));
                self.leaving.drain(..).for_each(&mut show);
                show(DisplayStep::Rest);
            }
        }
    }

    /// The round is over: the hands that won may be seen.
    fn payment(&mut self, tournament: &TableGame) -> Payment {
        let table = tournament.table();
        let round = table.round();
        let hand: Vec<Card> = table.shown().into_iter().flatten().collect();
        let shown = round.dealt().into_iter().find(|seat| Some(&round.hole(*seat)) == hand.first());
        let words = match hand[..] {
            [a, b, c] if self.live.len() > 1 => Strength::of([a, b, c]).to_string(),
            _ => "everyone else folded".to_string(),
        };
        let spade = self.payouts.iter().find(|(_, half, _)| *half == Half::Spade);
        Payment {
            shown: shown.expect("the hand shown is somebody's"),
            words,
            spade: spade.map(|(seat, ..)| (*seat, round.hole(*seat))),
            payouts: std::mem::take(&mut self.payouts),
            hand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use crate::strategies::{Bot, HOUSE};
    use crate::table::TableSettings;
    use crate::tournament::{Event, EventBots, Recorder, play};
    use std::io;

    /// Every round's beats as the room gets them, each checked when it comes.
    struct Checker {
        beats: DisplaySteps,
        rounds: usize,
    }

    impl Recorder for Checker {
        fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
            if matches!(event, TableEvent::Dealt { .. }) {
                self.beats = DisplaySteps::new();
                self.rounds += 1;
            }
            let round = tournament.table().round();
            let mut shown = Vec::new();
            self.beats.push(tournament, event, |beat| shown.push(beat));
            for beat in &shown {
                let seen: Vec<Card> = match beat {
                    DisplayStep::Dealt { seats, .. } => seats.iter().map(|dealt| dealt.up).collect(),
                    DisplayStep::Opened { up, .. } => up.iter().map(|(_, card)| *card).collect(),
                    _ => continue,
                };
                let holes: Vec<Card> = round.dealt().into_iter().map(|seat| round.hole(seat)).collect();
                assert!(seen.iter().all(|card| !holes.contains(card)), "{beat:?}");
            }
            if *event == TableEvent::Ended {
                assert!(self.beats.is_over());
                assert_eq!(DisplaySteps::of_round(tournament).last(), Some(&DisplayStep::Rest));
                let pot: Chips = DisplaySteps::of_round(tournament)
                    .iter()
                    .filter_map(|beat| match beat {
                        DisplayStep::Paid(payment) => {
                            Some(payment.payouts.iter().map(|p| p.2).sum::<Chips>())
                        }
                        _ => None,
                    })
                    .sum();
                let bets: Chips = DisplaySteps::of_round(tournament)
                    .iter()
                    .map(|beat| match beat {
                        DisplayStep::Dealt { pot, .. } => *pot,
                        DisplayStep::Bet(_, chips) => *chips,
                        _ => 0,
                    })
                    .sum();
                assert_eq!(pot, bets);
            }
            Ok(())
        }

        fn commit(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_beats_of_a_whole_tournament_add_up_and_show_no_hole_card_of_a_round_in_play() {
        let seed = Seed::chosen("beats");
        let game = TableGame::new(TableSettings::default(), &seed, HOUSE.len(), 200, 300);
        let bots: Vec<Box<dyn Bot>> =
            HOUSE.iter().map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) }).collect();
        let mut checker = Checker { beats: DisplaySteps::new(), rounds: 0 };
        play(&mut Event::from(game), &mut EventBots::new(bots), &mut checker).unwrap();
        assert!(checker.rounds > 20, "{}", checker.rounds);
    }
}
