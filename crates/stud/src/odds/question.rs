//! Fast chances from a player's visible cards, for bots asked a million times a second.

use crate::cards::{CardSet, Stream};
use crate::stud::{MAX_SEATS, Seat};
use crate::table::Question;

use super::PublicHand;
use super::dealer::StubDealer;
use super::spades::none_above;

/// The cards that the player does not see: all but its own hole card and the board.
pub(crate) fn unseen(question: &Question<'_>) -> CardSet {
    question.board.iter().copied().chain([question.hole]).collect::<CardSet>().others()
}

/// The probability, from 0 to 1, that the player's hole card is the highest spade in the hole if all stay in. It is
/// exact, with the other hole cards drawn from the unseen cards, and 0 if the hole card is no spade.
pub fn chance_of_high_spade(question: &Question<'_>) -> f64 {
    if !question.hole.is_spade() {
        return 0.0;
    }
    none_above(Some(question.hole), unseen(question), question.players_shown() - 1)
}

/// The average share of the pot, from 0 to 1, if all stay in. It counts both halves, over `samples` random deals of the
/// unseen cards. [`Situation`](super::Situation) computes it exactly.
pub fn equity(question: &Question<'_>, samples: u32, rng: &mut Stream) -> f64 {
    let ups = question.street.up_cards();
    let me = question.board.chunks(ups).position(|up| up == question.up).unwrap_or(0);
    let players = question.board.chunks(ups).take(MAX_SEATS).enumerate();
    let known = players.map(|(player, up)| PublicHand {
        hole: (player == me).then_some(question.hole),
        ..PublicHand::shown(up)
    });
    let mut dealer = StubDealer::new(known.collect(), unseen(question));
    let mut total = 0.0;
    for _ in 0..samples {
        let winners = dealer.deal(rng);
        total += winners.share(Seat::new(me));
    }
    total / f64::from(samples.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, Seed};
    use crate::protocol::Command;

    fn asked<T>(text: &str, look: impl FnOnce(&Question<'_>) -> T) -> T {
        let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
        look(&question.as_question())
    }

    fn close(value: f64, wanted: f64) {
        assert!((value - wanted).abs() < 1e-12, "{value} is not {wanted}");
    }

    #[test]
    fn the_chance_of_the_high_spade_is_exact() {
        close(asked("bet1:9:2:0:AS:2D:up:2D:3C", chance_of_high_spade), 1.0);
        close(asked("bet1:9:2:0:AH:2D:up:2D:3C", chance_of_high_spade), 0.0);
        // 49 unseen cards, one of them the only higher spade, one other player.
        close(asked("bet1:9:2:0:KS:2D:up:2D:3C", chance_of_high_spade), 48.0 / 49.0);
        // Two others.
        close(asked("bet1:9:2:0:KS:2D:up:2D:3C:4C", chance_of_high_spade), 47.0 / 48.0 * 46.0 / 47.0);
        // The ace is on the board.
        close(asked("bet1:9:2:0:KS:2D:up:2D:AS", chance_of_high_spade), 1.0);
    }

    #[test]
    fn a_sure_winner_has_all_the_equity_and_a_sure_loser_none() {
        let mut rng = Seed::chosen("equity").stream("test");
        let mut equity_of = |text: &str| asked(text, |question| equity(question, 400, &mut rng));
        close(equity_of("bet2:9:2:0:AS:AD:AH:up:AD:AH:2C:3C"), 1.0);
        close(equity_of("bet2:9:2:0:2H:3D:4D:up:3D:4D:AS:AC"), 0.0);
        // Trips take the hand half for sure and the spade half unless a spade is the other's hole card.
        let trips = equity_of("bet2:9:2:0:AH:AD:AC:up:AD:AC:2C:3C");
        assert!((0.80..0.95).contains(&trips), "{trips}");
        let even: f64 = equity_of("bet1:9:2:0:7H:7D:up:7D:7C");
        assert!((0.5..0.95).contains(&even), "{even}");
    }

    #[test]
    fn equity_works_for_every_number_of_players() {
        let mut rng = Seed::chosen("all").stream("test");
        for players in 2..=17 {
            let board: Vec<String> = Card::ALL[..players].iter().map(|card| card.to_string()).collect();
            let text = format!("bet1:9:2:0:AS:{}:up:{}", board[0], board.join(":"));
            assert!((0.0..=1.0).contains(&asked(&text, |question| equity(question, 20, &mut rng))));
        }
    }
}
