//! The rule behind a line that differs, so that a student knows where to read again.

use crate::blackjack::{BlackjackHand, BlackjackLine};
use casino_stud::cards::Card;

/// The rule that the line at `at` follows from, given what came instead of it, if anything did.
pub(super) fn of(events: &[BlackjackLine], at: usize, got: Option<&str>) -> String {
    let Some(expected) = events.get(at) else {
        return "Nothing comes after the closing line.".into();
    };
    let Some(got) = got else {
        return "The output ends too early.".into();
    };
    if got.ends_with('\r') {
        return "The line ends with a carriage return; a line feed alone ends a line.".into();
    }
    let line = expected.to_string();
    if got.trim() == line || got.eq_ignore_ascii_case(&line) {
        return "Only spaces or capitals differ: the text has to be exact.".into();
    }
    let before = at.checked_sub(1).map(|at| events[at]);
    let hand = HandInPlay::at(events, at);
    let got_is = |start: &str| got.starts_with(start);
    if got_is("Shuffling") {
        return "The deck is shuffled here only with strictly fewer than 20 cards left, and only at the \
                beginning of a hand, after the line of the hand."
            .into();
    }
    if got_is("Dealer's hole card") {
        return "The hole card stays hidden if the player busts or is dealt a natural 21.".into();
    }
    match *expected {
        BlackjackLine::Shuffling if at == 0 => "The shuffle comes before anything else.".into(),
        BlackjackLine::Shuffling => "With strictly fewer than 20 cards left the deck is shuffled at the beginning of a \
                             hand, after the line of the hand."
            .into(),
        BlackjackLine::Cut(_) => "A shuffle takes seven cuts, each announced, from the course's generator, which is never \
                          begun anew."
            .into(),
        BlackjackLine::Hand { .. } | BlackjackLine::Over { .. } => money(before),
        BlackjackLine::Bet(_) => "The counting player doubles the minimum at a count of +2 or more if the bankroll is 10 or \
                          more. It counts every card turned up, the hole card only when it is, and begins at 0 after \
                          each shuffle; the simple player never doubles."
            .into(),
        BlackjackLine::PlayerDealt(_) if got_is("Player's total") => {
            format!("The player draws here: {}.", hand.player())
        }
        BlackjackLine::PlayerTotal(_) if got_is("Player dealt natural") => {
            "A natural 21 is an ace and a card worth ten as the first two cards.".into()
        }
        BlackjackLine::PlayerTotal(_) if got_is("Player dealt") => {
            format!("The player stands here: {}.", hand.player())
        }
        BlackjackLine::PlayerTotal(_) => {
            format!("An ace counts 11 unless the hand would be over 21: {}.", hand.player())
        }
        BlackjackLine::PlayerDealt(_) | BlackjackLine::DealerDealt(_) if got.contains(" dealt ") => dealt(before, events, at),
        BlackjackLine::PlayerDealt(_) => format!("The player is dealt a card here: {}.", hand.player()),
        BlackjackLine::DealerDealt(_) => format!("The dealer draws below 17: {}.", hand.dealer()),
        BlackjackLine::DealerTotal(_) => {
            format!("The dealer stands on 17 or more, hard or soft: {}.", hand.dealer())
        }
        BlackjackLine::Natural => "An ace and a card worth ten as the first two cards are a natural 21: one line says so, \
                           and neither a total nor the hole card is shown."
            .into(),
        BlackjackLine::PlayerBusts => "Over 21 the player busts, which is said after the total.".into(),
        BlackjackLine::HoleCard(_) => "If the player has not busted, the dealer's hole card, the fourth card dealt, is \
                               shown after the player's total."
            .into(),
        BlackjackLine::DealerBusts | BlackjackLine::DealerWins | BlackjackLine::PlayerWins | BlackjackLine::Push => {
            "The dealer over 21 busts; else the higher total wins and equal totals push. A dealer's 21 of two cards \
             is nothing special."
                .into()
        }
    }
}

/// What the hand before did to the bankroll.
fn money(before: Option<BlackjackLine>) -> String {
    let rule = match before {
        Some(BlackjackLine::Natural) => {
            "A natural 21 wins three halves of the wager, rounded down, whatever the dealer holds: 5 win 7."
        }
        Some(BlackjackLine::PlayerBusts) => {
            "A player who busts loses the wager at once; the hole card is not shown and the dealer does not play."
        }
        Some(BlackjackLine::Push) => "A push leaves the bankroll as it is.",
        Some(BlackjackLine::DealerWins) => "The player has lost the wager.",
        Some(BlackjackLine::DealerBusts | BlackjackLine::PlayerWins) => "The player has won the wager.",
        _ => "",
    };
    format!(
        "{rule} The game goes on while the bankroll is 5 or more and hands are left; hands are numbered from 1, and the \
         closing line counts the hands played."
    )
    .trim_start()
    .into()
}

/// Why a card is wrong: because of the shuffle, or because of the number of cards dealt before.
fn dealt(before: Option<BlackjackLine>, events: &[BlackjackLine], at: usize) -> String {
    let cut = events[..at].iter().rposition(|event| matches!(event, BlackjackLine::Cut(_)));
    // Between the last cut and the first card stand the bet and, at the very first, the line of the hand.
    let first = matches!(before, Some(BlackjackLine::Bet(_))) && cut.is_some_and(|cut| at - cut <= 3);
    if first {
        "This is the first card after a shuffle. The deck begins spades, hearts, clubs, diamonds, two to ace; dealt \
         cards go back in the order dealt; each cut puts the first card of the right part first, then the first of \
         the left."
            .into()
    } else {
        "Another card comes next: the four first cards go player, dealer, player, dealer, and a hidden hole card has \
         been dealt too."
            .into()
    }
}

/// The cards of the hand in play up to a line.
#[derive(Default)]
struct HandInPlay {
    player: BlackjackHand,
    dealer: BlackjackHand,
    up: Option<Card>,
}

impl HandInPlay {
    fn at(events: &[BlackjackLine], at: usize) -> HandInPlay {
        let begin =
            events[..at].iter().rposition(|event| matches!(event, BlackjackLine::Hand { .. })).unwrap_or(at);
        let mut hand = HandInPlay::default();
        for event in &events[begin..at] {
            match *event {
                BlackjackLine::PlayerDealt(card) => hand.player.add(card),
                BlackjackLine::DealerDealt(card) | BlackjackLine::HoleCard(card) => {
                    hand.up.get_or_insert(card);
                    hand.dealer.add(card);
                }
                _ => {}
            }
        }
        hand
    }

    fn player(&self) -> String {
        let up = self.up.map_or("nothing", |card| card.rank().word());
        format!("{} against the dealer's {up}", worth(&self.player))
    }

    fn dealer(&self) -> String {
        format!("the dealer has {}", worth(&self.dealer))
    }
}

fn worth(hand: &BlackjackHand) -> String {
    let value = hand.value();
    format!("{} {}", if value.soft { "soft" } else { "hard" }, value.count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    #[test]
    fn the_hand_in_play_is_part_of_the_lesson() {
        let events = [
            BlackjackLine::Hand { number: 1, bankroll: 100 },
            BlackjackLine::Bet(5),
            BlackjackLine::PlayerDealt(card("AS")),
            BlackjackLine::DealerDealt(card("9H")),
            BlackjackLine::PlayerDealt(card("7S")),
            BlackjackLine::PlayerDealt(card("2S")),
        ];
        let lesson = of(&events, 5, Some("Player's total is 18"));
        assert_eq!(lesson, "The player draws here: soft 18 against the dealer's Nine.");
        let lesson = of(&events, 2, Some("Player dealt Two of Clubs"));
        assert!(lesson.contains("Another card"), "{lesson}");
        assert!(of(&events, 1, Some("Player bets 5 ")).contains("exact"));
        assert!(of(&events, 1, Some("player bets 5")).contains("exact"));
        assert!(of(&events, 6, Some("more")).contains("Nothing"));
        assert!(of(&events, 1, None).contains("too early"));
    }

    #[test]
    fn money_names_the_hand_before() {
        let events = [BlackjackLine::Natural, BlackjackLine::Hand { number: 2, bankroll: 107 }];
        assert!(of(&events, 1, Some("Hand 2 bankroll 108")).contains("5 win 7"));
        let events = [BlackjackLine::PlayerBusts, BlackjackLine::Hand { number: 2, bankroll: 95 }];
        assert!(of(&events, 1, Some("Dealer's hole card is Two of Clubs")).contains("hidden"));
    }
}
