//! The coach's judgements of a recorded tournament, as the page shows them.

use std::num::NonZero;
use std::sync::OnceLock;

use serde::Serialize;

use casino_analysis::coach::{
    Addressee, AnalysedDecision, Analysis, Coach, Judgement, NotedRound, PlayerAnalysis,
};
use casino_show::rounds::DisplayStep;
use casino_stud::replay::PublicEvent;
use casino_stud::table::Reply;

use super::replay_page::Jump;

/// How many of the dearest decisions of all can be jumped to.
const DEAREST: usize = 20;

/// The coach of a recorded tournament that is over, with its rounds in the order of the page.
#[derive(Debug)]
pub(crate) struct CoachCache {
    coach: Coach,
    rounds: Vec<NotedRound>,
    notes: OnceLock<CoachNotes>,
}

#[derive(Debug)]
struct CoachNotes {
    players: Vec<CoachedPlayer>,
    dearest: Vec<AnalysedDecision>,
}
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CoachSummary<'a> {
    players: Vec<&'a CoachedPlayer>,
    dearest: Vec<Jump>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CoachedPlayer {
    #[serde(skip)]
    player: usize,
    name: String,
    /// The chips won a round less the luck of the cards, and half of the 95 % interval of that.
    less_luck: f64,
    half_interval: f64,
    given_away: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ShownDecision {
    /// The step of the round in which it is seen, from 0.
    frame: usize,
    name: String,
    did: String,
    better: Option<String>,
    is: &'static str,
    /// The chips that the best reply would have earned more.
    cost: f64,
    sentence: Option<String>,
}

impl CoachCache {
    /// A coach that has the habits of all players from these rounds.
    pub(crate) fn new(names: &[String], rounds: Vec<NotedRound>) -> CoachCache {
        CoachCache { coach: Coach::new(names.to_vec(), &rounds), rounds, notes: OnceLock::new() }
    }

    /// Looks at all rounds, which takes a while.
    pub(crate) fn analyse_all_rounds(&self) {
        let one = NonZero::<usize>::MIN;
        let analysis = self.coach.analyse_all(&self.rounds, one, |_, _| ());
        self.notes.get_or_init(|| CoachNotes::new(analysis));
    }

    /// All that does not belong to one round, once everything has been looked at. `place` tells where a round of this table
    /// and number is on the page. Of `only` this player, from 0, if one is named.
    pub(crate) fn summary(
        &self,
        place: impl Fn(u32, u64) -> Option<u64>,
        only: Option<usize>,
    ) -> Option<CoachSummary<'_>> {
        let is_revealed = |player: usize| only.is_none_or(|only| only == player);
        let CoachNotes { players, dearest } = self.notes.get()?;
        let jump = |decision: &AnalysedDecision| {
            let round = place(decision.table, decision.round)?;
            let AnalysedDecision { name, cost, round: number, .. } = decision;
            let did = words(decision.reply, decision);
            let text = format!("{cost:.0} chips: {name} {did} in round {number}");
            Some(Jump { round, text })
        };
        let dearest =
            dearest.iter().filter(|decision| is_revealed(decision.player)).filter_map(jump).collect();
        Some(CoachSummary {
            players: players.iter().filter(|one| is_revealed(one.player)).collect(),
            dearest,
        })
    }

    /// The decisions of the round at this place among those of the page, from 0, which is shown in these steps. Those of `only` this
    /// player, from 0, if one is named.
    pub(crate) fn round(&self, at: usize, steps: &[DisplayStep], only: Option<usize>) -> Vec<ShownDecision> {
        let frames = frames_of_turns(steps);
        let decisions = self.rounds.get(at).map_or(Vec::new(), |round| self.coach.analyse(round));
        let shown = |decision: AnalysedDecision| {
            Some(ShownDecision {
                frame: *frames.get(decision.turn)?,
                did: words(decision.reply, &decision),
                better: decision.judgement.is_mistake().then(|| words(decision.best, &decision)),
                is: match decision.judgement {
                    Judgement::Sound => "sound",
                    Judgement::Mistake => "mistake",
                    Judgement::Repeated { .. } => "repeated",
                    Judgement::ProvenMistake(_) => "proven",
                },
                cost: decision.cost,
                sentence: decision.sentence(Addressee::Everybody),
                name: decision.name,
            })
        };
        let is_revealed = |decision: &AnalysedDecision| only.is_none_or(|only| only == decision.player);
        decisions.into_iter().filter(is_revealed).filter_map(shown).collect()
    }
}

impl CoachNotes {
    fn new(analysis: Analysis) -> CoachNotes {
        let played = analysis.players.iter().filter(|player| player.decisions > 0);
        let of_player = |player: &PlayerAnalysis| CoachedPlayer {
            player: player.player,
            name: player.name.clone(),
            less_luck: player.less_luck.chips,
            half_interval: player.less_luck.half_interval(),
            given_away: player.given_away_in_words(),
        };
        let mut players: Vec<CoachedPlayer> = played.map(of_player).collect();
        players.sort_by(|one, other| other.less_luck.total_cmp(&one.less_luck));
        let mistakes = analysis.decisions.into_iter().filter(|decision| decision.judgement.is_mistake());
        let mut dearest: Vec<AnalysedDecision> = mistakes.collect();
        dearest.sort_by(|one, other| other.cost.total_cmp(&one.cost));
        dearest.truncate(DEAREST);
        CoachNotes { players, dearest }
    }
}

/// The step, from 0, in which each of the bets and folds of a round is seen. A rest is no step of the page.
fn frames_of_turns(steps: &[DisplayStep]) -> Vec<usize> {
    let (mut frames, mut frame) = (Vec::new(), 0);
    for step in steps {
        let turns = match step {
            DisplayStep::Event(PublicEvent::Dealt(_)) => {
                frame = 0;
                continue;
            }
            DisplayStep::Event(PublicEvent::Bet { .. } | PublicEvent::Fold { .. }) => 1,
            DisplayStep::Event(_) => 0,
            DisplayStep::War(war) => war.bets.len(),
            DisplayStep::Rest => continue,
        };
        frame += 1;
        frames.extend(std::iter::repeat_n(frame, turns));
    }
    frames
}

/// A reply as the table's page words it.
fn words(reply: Reply, decision: &AnalysedDecision) -> String {
    match (reply, decision.to_call) {
        (Reply::Fold, _) => "folds".to_string(),
        (Reply::Bet(0), _) => "checks".to_string(),
        (Reply::Bet(chips), to_call) if chips == to_call => format!("calls {chips}"),
        (Reply::Bet(chips), 0) => format!("bets {chips}"),
        (Reply::Bet(chips), to_call) => format!("raises {}", chips.saturating_sub(to_call)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_show::rounds::{DisplaySteps, RaiseWar};
    use casino_stud::cards::Seed;
    use casino_stud::replay::PublicRound;
    use casino_stud::strategies::{Bot, HOUSE};
    use casino_stud::table::{Step, TableEvent, TableSettings};
    use casino_stud::tournament::TableGame;

    /// Every decision is marked at the step that shows its player doing just that, or in a war of raises.
    #[test]
    fn decisions_are_marked_where_they_are_seen() {
        let seed = Seed::chosen("where they are seen");
        let mut wars = 0;
        let mut game = TableGame::new(TableSettings::default(), &seed, 6, 300, 40);
        let names = ["caller", "raiser", "odds", "reader", "raiser", "random"];
        let house = names.map(|name| HOUSE.iter().find(|bot| bot.name == name).unwrap());
        let mut bots: Vec<_> =
            (0..).zip(house).map(|(seat, bot)| bot.player(seed.stream(&format!("{seat}")))).collect();
        while game.deal() {
            while let Some(seat) = asked(&mut game) {
                let reply = bots[game.player_at(seat)].decide(&game.table().question(seat));
                game.table_mut().answer(Ok(reply));
            }
            let acted: Vec<usize> = game
                .table()
                .events()
                .iter()
                .filter_map(|event| match event {
                    TableEvent::Acted { seat, .. } => Some(seat.index()),
                    _ => None,
                })
                .collect();
            let steps = RaiseWar::shorten(DisplaySteps::of_round(PublicRound::events(&game)));
            let frames = frames_of_turns(&steps);
            assert_eq!(frames.len(), acted.len());
            let shown: Vec<&DisplayStep> =
                steps.iter().filter(|step| !matches!(step, DisplayStep::Rest)).collect();
            for (seat, frame) in acted.iter().zip(&frames) {
                match shown[*frame] {
                    DisplayStep::Event(
                        PublicEvent::Bet { seat: at, .. } | PublicEvent::Fold { seat: at, .. },
                    ) => assert_eq!(at.index(), *seat),
                    DisplayStep::War(war) => {
                        wars += 1;
                        let is_in = |bet: &PublicEvent| matches!(bet, PublicEvent::Bet { seat: at, .. } if at.index() == *seat);
                        assert!(war.bets.iter().any(is_in));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        assert!(wars > 0, "two who always raise do so for long");
    }

    fn asked(game: &mut TableGame) -> Option<casino_stud::stud::Seat> {
        loop {
            match game.table_mut().step() {
                Step::Ask(seat) => return Some(seat),
                Step::Tell(..) => {}
                Step::Over => return None,
            }
        }
    }
}
