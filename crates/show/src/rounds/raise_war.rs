//! Long runs of raises, shown as one.

use casino_stud::replay::PublicEvent;
use casino_stud::stud::{Chips, Seat};

use super::DisplayStep;

/// Number of successive raises that are summed up instead of being shown one by one.
const MIN_RAISE_WAR_RAISES: usize = 6;

/// A run of raises on one street, and the calls between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaiseWar {
    /// The bets, in their order. Each is a [`PublicEvent::Bet`], and the last one is a raise.
    pub bets: Vec<PublicEvent>,
    /// How many of them are raises.
    pub raises: usize,
    /// The pot before the first of them, in chips.
    pub from: Chips,
    /// The pot after the last of them, in chips.
    pub to: Chips,
    /// Everyone who raised, in the order of the first raises.
    pub seats: Vec<Seat>,
}

impl RaiseWar {
    /// Makes one step of each run of at least six raises. The bet that opened the run and the calls that end it
    /// stay steps of their own; everything else stays as it is.
    pub fn shorten(steps: Vec<DisplayStep>) -> Vec<DisplayStep> {
        let mut shortened = Vec::with_capacity(steps.len());
        let mut run: Vec<DisplayStep> = Vec::new();
        for step in steps {
            if matches!(&step, DisplayStep::Event(PublicEvent::Bet { chips, .. }) if *chips > 0) {
                run.push(step);
                continue;
            }
            flush(&mut run, &mut shortened);
            shortened.push(step);
        }
        flush(&mut run, &mut shortened);
        shortened
    }
}

/// If this step is a raise: the player, and the pot before it.
fn raise(step: &DisplayStep) -> Option<(Seat, Chips)> {
    match step {
        DisplayStep::Event(PublicEvent::Bet { seat, to_call, chips, pot, .. }) if chips > to_call => {
            Some((*seat, pot - chips))
        }
        _ => None,
    }
}

/// Moves a run to the steps, shortened if it is long.
fn flush(run: &mut Vec<DisplayStep>, steps: &mut Vec<DisplayStep>) {
    let is_raise = |step: &DisplayStep| raise(step).is_some();
    let raises = run.iter().filter(|step| is_raise(step)).count();
    let second = run.iter().enumerate().filter(|(_, step)| is_raise(step)).nth(1).map(|(at, _)| at);
    let last = run.iter().rposition(is_raise);
    let (Some(second), Some(last)) = (second, last) else {
        steps.append(run);
        return;
    };
    if raises < MIN_RAISE_WAR_RAISES {
        steps.append(run);
        return;
    }
    let rest = run.split_off(last + 1);
    let war = run.split_off(second);
    steps.append(run);
    let mut seats: Vec<Seat> = Vec::new();
    for (seat, _) in war.iter().filter_map(raise) {
        if !seats.contains(&seat) {
            seats.push(seat);
        }
    }
    let from = war.first().and_then(raise).map_or(0, |(_, pot)| pot);
    let bet = |step: DisplayStep| match step {
        DisplayStep::Event(event @ PublicEvent::Bet { .. }) => Some(event),
        _ => None,
    };
    let bets: Vec<PublicEvent> = war.into_iter().filter_map(bet).collect();
    let to = match bets.last() {
        Some(PublicEvent::Bet { pot, .. }) => *pot,
        _ => from,
    };
    steps.push(DisplayStep::War(RaiseWar { bets, raises: raises - 1, from, to, seats }));
    steps.extend(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bet that takes the pot to `pot`.
    fn bet(seat: usize, to_call: Chips, chips: Chips, pot: Chips) -> DisplayStep {
        DisplayStep::Event(PublicEvent::Bet { seat: Seat::new(seat), to_call, chips, put_in: 0, pot })
    }

    /// Two players who raise each other this often.
    fn raises(count: usize) -> Vec<DisplayStep> {
        (0..count).map(|index| bet(index % 2, 10, 20, 22 + 20 * index as Chips)).collect()
    }

    #[test]
    fn a_long_raise_war_is_shown_as_one_step() {
        let mut steps = raises(40);
        steps.push(bet(0, 10, 10, 812));
        steps.push(DisplayStep::Rest);
        let short = RaiseWar::shorten(steps);
        let [first, DisplayStep::War(war), call, DisplayStep::Rest] = &short[..] else {
            panic!("{short:?}");
        };
        assert_eq!(first, &bet(0, 10, 20, 22));
        assert_eq!((war.raises, war.from, war.to), (39, 22, 802));
        assert_eq!(war.seats, [Seat::new(1), Seat::new(0)]);
        assert_eq!(war.bets.len(), 39);
        assert_eq!(call, &bet(0, 10, 10, 812));
    }

    #[test]
    fn calls_continue_a_raise_war_and_a_check_ends_it() {
        let mut steps = vec![bet(0, 0, 10, 13)];
        for index in 0..6 {
            steps.push(bet(1, 10, 20, 33 + 30 * index));
            steps.push(bet(2, 10, 10, 43 + 30 * index));
        }
        steps.push(bet(0, 0, 0, 193));
        let short = RaiseWar::shorten(steps.clone());
        let [_, DisplayStep::War(war), call, check] = &short[..] else { panic!("{short:?}") };
        assert_eq!((war.raises, war.bets.len(), war.from, war.to), (6, 11, 13, 183));
        assert_eq!((call, check), (&steps[12], &steps[13]));
    }

    #[test]
    fn a_short_exchange_stays_as_it_is() {
        let steps = raises(MIN_RAISE_WAR_RAISES - 1);
        assert_eq!(RaiseWar::shorten(steps.clone()), steps);
        assert_eq!(RaiseWar::shorten(Vec::new()), Vec::new());
    }
}
