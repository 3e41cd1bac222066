//! The steps in which a round is displayed, in the order in which people understand it.

use casino_stud::replay::PublicEvent;

use super::RaiseWar;

/// The content of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DisplayStep {
    /// An event of the round. The pot is shown paid as a whole, so that no [`PublicEvent::Won`] is among them.
    Event(PublicEvent),
    /// Many raises in a row, which pass as one.
    War(RaiseWar),
    /// A pause to look at the result.
    Rest,
}

/// Puts the public events of one round into the order in which they are shown: those who leave because they are broke
/// do so after the pot is paid.
#[derive(Clone, Debug, Default)]
pub enum DisplaySteps {
    /// The pot is not paid yet.
    #[default]
    Playing,
    /// The pot is being paid: these exits are shown after it.
    Paying(Vec<PublicEvent>),
    /// The round is over, and later steps are not shown.
    Over,
}

impl DisplaySteps {
    /// The steps of the round, or of as much of one as has been played.
    pub fn of_round(events: impl IntoIterator<Item = PublicEvent>) -> Vec<DisplayStep> {
        let mut steps = DisplaySteps::default();
        let mut all = Vec::new();
        for event in events {
            steps.push(event, |step| all.push(step));
        }
        all
    }

    /// Gives the steps that this event brings.
    pub fn push(&mut self, event: PublicEvent, mut show: impl FnMut(DisplayStep)) {
        match (&mut *self, event) {
            (DisplaySteps::Over, _) | (DisplaySteps::Paying(_), PublicEvent::Won { .. }) => {}
            (DisplaySteps::Playing, PublicEvent::Won { .. }) => *self = DisplaySteps::Paying(Vec::new()),
            (DisplaySteps::Paying(leaving), exit @ PublicEvent::Left { .. }) => leaving.push(exit),
            (_, end @ PublicEvent::Ended(_)) => {
                show(DisplayStep::Event(end));
                if let DisplaySteps::Paying(leaving) = std::mem::replace(self, DisplaySteps::Over) {
                    leaving.into_iter().map(DisplayStep::Event).for_each(&mut show);
                }
                show(DisplayStep::Rest);
            }
            (_, event) => show(DisplayStep::Event(event)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::{Card, Seed};
    use casino_stud::replay::PublicRound;
    use casino_stud::strategies::{Bot, HOUSE};
    use casino_stud::stud::Chips;
    use casino_stud::table::{TableEvent, TableSettings};
    use casino_stud::tournament::{
        Event, EventBots, EventPlan, SharedRecorder, TableGame, TableRecorder, play,
    };
    use std::io;

    /// Checks the steps of every round as they come.
    struct Checker {
        round: PublicRound,
        steps: DisplaySteps,
        rounds: usize,
    }

    impl TableRecorder for Checker {
        fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
            if matches!(event, TableEvent::Dealt { .. }) {
                self.steps = DisplaySteps::default();
                self.rounds += 1;
            }
            let round = game.table().round();
            let mut shown = Vec::new();
            self.steps.push(self.round.push(game, event), |step| shown.push(step));
            for step in &shown {
                let DisplayStep::Event(event) = step else { continue };
                let seen: Vec<Card> = match event {
                    PublicEvent::Dealt(deal) => deal.seats.iter().map(|dealt| dealt.up).collect(),
                    PublicEvent::Opened { up, .. } => up.iter().map(|(_, card)| *card).collect(),
                    _ => continue,
                };
                let holes: Vec<Card> = round.dealt().into_iter().map(|seat| round.hole(seat)).collect();
                assert!(seen.iter().all(|card| !holes.contains(card)), "{event:?}");
            }
            if *event == TableEvent::Ended {
                assert!(matches!(self.steps, DisplaySteps::Over));
                let steps = DisplaySteps::of_round(PublicRound::events(game));
                assert_eq!(steps.last(), Some(&DisplayStep::Rest));
                let (mut bets, mut paid): (Chips, Chips) = (0, 0);
                for step in &steps {
                    match step {
                        DisplayStep::Event(PublicEvent::Dealt(deal)) => bets += deal.pot(),
                        DisplayStep::Event(PublicEvent::Bet { chips, .. }) => bets += chips,
                        DisplayStep::Event(PublicEvent::Ended(end)) => paid += end.pot(),
                        _ => {}
                    }
                }
                assert_eq!(paid, bets);
            }
            Ok(())
        }
    }

    #[test]
    fn display_steps_add_up_and_hide_hole_cards_during_play() {
        let seed = Seed::chosen("beats");
        let (plan, settings) = (EventPlan::single_table(), TableSettings::default());
        let mut event = Event::new(plan, settings, &seed, HOUSE.len(), 200, Some(300));
        let bots: Vec<Box<dyn Bot>> =
            HOUSE.iter().map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) }).collect();
        let checker = Checker { round: PublicRound::default(), steps: DisplaySteps::default(), rounds: 0 };
        let mut checker = SharedRecorder::new(checker);
        play(&mut event, &mut EventBots::new(bots), &mut checker).unwrap();
        let rounds = checker.lock().rounds;
        assert!(rounds > 20, "{rounds}");
    }
}
