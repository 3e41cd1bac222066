//! Weng and Lin's Bayesian rating of games for many players (2011), with the full pairs of their Bradley-Terry model. Of its
//! functions only those are used that are the same on every machine.

use libm::{exp, sqrt};

/// How much the strength shown in one game varies, as a standard deviation.
const BETA: f64 = 25.0 / 6.0;

/// The least part of its variance that a game leaves of a player's uncertainty.
const MIN_VARIANCE_FACTOR: f64 = 0.000_001;

/// The belief about a player's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    pub(super) mean: f64,
    /// The standard deviation.
    pub(super) uncertainty: f64,
}

impl Skill {
    /// Nothing is known of the player.
    pub(super) const UNKNOWN: Skill = Skill { mean: 25.0, uncertainty: 25.0 / 3.0 };

    fn squared_uncertainty(self) -> f64 {
        self.uncertainty * self.uncertainty
    }
}

/// The beliefs about the players after a game with these places; places may be shared.
pub(super) fn after_game(players: &[(Skill, usize)]) -> Vec<Skill> {
    let after = |number: usize| {
        let (own, place) = players[number];
        let (mut towards, mut learned) = (0.0, 0.0);
        for (_, (other, other_place)) in players.iter().enumerate().filter(|(other, _)| *other != number) {
            let spread = sqrt(own.squared_uncertainty() + other.squared_uncertainty() + 2.0 * BETA * BETA);
            let expected = 1.0 / (1.0 + exp((other.mean - own.mean) / spread));
            let scored = match place.cmp(other_place) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            let part = own.squared_uncertainty() / spread;
            towards += part * (scored - expected);
            learned += own.uncertainty / spread * part / spread * expected * (1.0 - expected);
        }
        Skill {
            mean: own.mean + towards,
            uncertainty: own.uncertainty * sqrt((1.0 - learned).max(MIN_VARIANCE_FACTOR)),
        }
    };
    (0..players.len()).map(after).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skillratings::MultiTeamOutcome;
    use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(1.0)
    }

    proptest! {
        #[test]
        fn weng_lin_matches_the_reference_implementation(
            players in prop::collection::vec((0.0..50.0f64, 0.1..9.0f64, 1..9usize), 2..18),
        ) {
            let before: Vec<[WengLinRating; 1]> =
                players.iter().map(|(rating, uncertainty, _)| [WengLinRating { rating: *rating, uncertainty: *uncertainty }]).collect();
            let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
                .iter()
                .zip(&players)
                .map(|(team, (_, _, place))| (&team[..], MultiTeamOutcome::new(*place)))
                .collect();
            let expected = weng_lin_multi_team(&teams, &WengLinConfig::new());
            let ours: Vec<(Skill, usize)> =
                players.iter().map(|(mean, uncertainty, place)| (Skill { mean: *mean, uncertainty: *uncertainty }, *place)).collect();
            for (after, expected) in after_game(&ours).iter().zip(expected) {
                prop_assert!(near(after.mean, expected[0].rating), "{after:?} {expected:?}");
                prop_assert!(near(after.uncertainty, expected[0].uncertainty), "{after:?} {expected:?}");
            }
        }
    }

    #[test]
    fn winners_gain_and_ties_between_equals_change_nothing() {
        let of = |places: [usize; 2]| after_game(&places.map(|place| (Skill::UNKNOWN, place)));
        let won = of([1, 2]);
        assert!(won[0].mean > 25.0 && near(won[0].mean - 25.0, 25.0 - won[1].mean), "{won:?}");
        assert!(
            of([1, 1])
                .iter()
                .all(|skill| skill.mean == 25.0 && skill.uncertainty < Skill::UNKNOWN.uncertainty)
        );
    }
}
