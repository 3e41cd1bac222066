//! A player's memory of the round in play: questions do not contain the actions so far.

use crate::cards::Card;
use crate::stud::{Chips, Street};
use crate::table::{Question, Reply};

use super::tree::NodeAction;

/// A house bot's memory of the round in play. A new round is recognized by its cards and chips and clears it, so
/// nothing is carried from round to round.
#[derive(Clone, Debug, Default)]
pub(in crate::strategies) struct Recall {
    round: Option<RecalledRound>,
}

/// A round between two that was followed from its beginning.
#[derive(Clone, Debug)]
pub(super) struct RecalledRound {
    hole: Card,
    /// The first up cards: one's own and the other's.
    pub(super) ups: [Card; 2],
    pub(super) ante: Chips,
    /// The actions on the first street.
    pub(super) first: Vec<NodeAction>,
    /// The chips each player had paid before the second street, and the actions on it, once it has begun.
    pub(super) second: Option<(Chips, Vec<NodeAction>)>,
    /// The pot without the amount to call that is expected at this player's next question; `None` before its first
    /// reply.
    expected: Option<Chips>,
}

impl Recall {
    /// Takes in a question, and tells the round it belongs to, if it was dealt to two and has been followed from its beginning.
    pub(super) fn asked(&mut self, question: &Question<'_>) -> Option<&RecalledRound> {
        if question.players_shown() != 2 {
            self.round = None;
            return None;
        }
        let (bounds, first) = (&question.bounds, question.street == Street::First);
        let other = *question.others().next()?.first()?;
        let even = question.pot.checked_sub(bounds.to_call)?;
        let goes_on = self.round.take().filter(|round| {
            let same = round.hole == question.hole && round.ups == [question.up[0], other];
            let street =
                if first { round.second.is_none() && !round.is_closed(bounds.to_call) } else { true };
            same && street && round.expected == Some(even)
        });
        let begins = || RecalledRound {
            hole: question.hole,
            ups: [question.up[0], other],
            ante: even / 2,
            first: Vec::new(),
            second: None,
            expected: None,
        };
        let mut round = goes_on.or_else(|| first.then(begins))?;
        round.record_opponent_action(question, even);
        self.round = Some(round);
        self.round.as_ref()
    }

    /// Remembers the reply to the question that was taken in last.
    pub(in crate::strategies) fn replied(&mut self, question: &Question<'_>, reply: Reply) {
        let Some(round) = &mut self.round else { return };
        let Reply::Bet(chips) = reply else {
            self.round = None;
            return;
        };
        let more = chips.saturating_sub(question.bounds.to_call);
        round.now().push(if more > 0 { NodeAction::Raise(more) } else { NodeAction::Call });
        round.expected = Some(question.pot - question.bounds.to_call + 2 * chips);
    }
}

impl RecalledRound {
    fn now(&mut self) -> &mut Vec<NodeAction> {
        match &mut self.second {
            Some((_, acts)) => acts,
            None => &mut self.first,
        }
    }

    /// Whether the first street cannot go on after this player's last action with so much to call.
    fn is_closed(&self, to_call: Chips) -> bool {
        match self.first[..] {
            [.., NodeAction::Raise(_)] | [NodeAction::Call] => to_call == 0,
            _ => true,
        }
    }

    /// Adds the opponent's action since then, derived from the chips: between two players, the amount to call is the
    /// last raise.
    fn record_opponent_action(&mut self, question: &Question<'_>, even: Chips) {
        let to_call = question.bounds.to_call;
        if question.street == Street::Second && self.second.is_none() {
            // A street ends when a raise is called, or when both check.
            if let [.., NodeAction::Raise(_)] | [NodeAction::Call] = self.first[..] {
                self.first.push(NodeAction::Call);
            }
            self.second = Some((even / 2, Vec::new()));
        }
        let acts = self.now();
        if to_call > 0 {
            acts.push(NodeAction::Raise(to_call));
        } else if acts.is_empty() && question.up.iter().max() < question.others().flatten().max() {
            // The other opened the street (R6), and did not bet.
            acts.push(NodeAction::Call);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Seed, Stream};
    use crate::table::{Step, Table, TableSettings};

    /// The actions of each player in a round, by street, as a spectator sees them.
    #[derive(Default)]
    struct VisibleActions {
        streets: [Vec<NodeAction>; 2],
    }

    fn any(question: &Question<'_>, rng: &mut Stream) -> Reply {
        let bounds = &question.bounds;
        match rng.below(8) {
            0 if bounds.to_call > 0 => Reply::Fold,
            1..=4 => bounds.call().into(),
            _ => bounds.raise(rng.below(bounds.max_raise().map_or(1, |most| most + 1))).into(),
        }
    }

    /// Two players with random actions: each always knows the other's actions.
    #[test]
    fn opponent_actions_follow_from_the_chips() {
        let mut rng = Seed::chosen("recall").stream("test");
        let mut shuffler = Seed::chosen("recall").shuffler(1);
        let mut recalls = [Recall::default(), Recall::default()];
        let mut settings = TableSettings::default();
        settings.rules.ante = 3;
        let mut table = Table::new(settings, &[500; 2]);
        let (mut asked, mut raised) = (0, 0);
        for round in 1..=600 {
            let cards = table.cards_needed();
            table.restart(500);
            table.deal(round, shuffler.deck(round, cards));
            let mut seen = VisibleActions::default();
            loop {
                match table.step() {
                    Step::Ask(seat) => {
                        let question = table.question(seat);
                        let recall = &mut recalls[seat.index()];
                        let known = recall.asked(&question).unwrap();
                        let second = known.second.as_ref().map(|(_, acts)| acts.clone()).unwrap_or_default();
                        assert_eq!(
                            (&known.first, &second),
                            (&seen.streets[0], &seen.streets[1]),
                            "{question:?}"
                        );
                        assert_eq!(known.ante, 3);
                        let reply = any(&question, &mut rng);
                        recall.replied(&question, reply);
                        asked += 1;
                        if let Reply::Bet(chips) = reply {
                            let more = chips - question.bounds.to_call;
                            raised += u32::from(more > 0);
                            let act = if more > 0 { NodeAction::Raise(more) } else { NodeAction::Call };
                            seen.streets[question.street as usize].push(act);
                        }
                        table.answer(Ok(reply));
                    }
                    Step::Tell(..) => {}
                    Step::Over => break,
                }
            }
        }
        assert!(asked > 2_000 && raised > 600, "{asked} {raised}");
    }
}
