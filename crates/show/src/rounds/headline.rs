//! Headlines of a round while it is shown, derived only from the part shown so far.

use casino_stud::replay::PublicDeal;
use casino_stud::stud::Chips;

use super::TableView;

/// A stack of at most so many antes is short,
const SHORT_STACK_ANTES: Chips = 10;
/// if the others have at least so many times as much on average.
const SHORT_STACK_RATIO: u64 = 5;

/// A pot is big from this part of the table's chips on.
const BIG_POT_DIVISOR: Chips = 4;

const MAX_NAMED_PLAYERS: usize = 3;

/// A few words on an unfinished round, from its deal and the visible table; later events are not accessible here.
/// `names` are those of all players by number. `None` if there is nothing to say.
pub fn headline(deal: &PublicDeal, table: &TableView, names: &[String]) -> Option<String> {
    let in_play = || table.seats.iter().filter(|seat| seat.live);
    let all_in: Vec<usize> = in_play().filter(|seat| seat.stack == 0).map(|seat| seat.seat).collect();
    if let Some(who) = listed(&all_in, names) {
        return Some(format!("{who} {} all in", if all_in.len() > 1 { "are" } else { "is" }));
    }
    let all: Chips = deal.seats.iter().map(|dealt| dealt.stack).sum();
    if table.pot > deal.pot() && table.pot >= all.div_ceil(BIG_POT_DIVISOR) {
        return Some("A big pot".to_string());
    }
    let is_short = |stack: Chips| {
        let others = deal.seats.len() as u64 - 1;
        stack <= SHORT_STACK_ANTES * deal.ante
            && u64::from(all - stack) >= SHORT_STACK_RATIO * u64::from(stack) * others
    };
    let is_in = |player: usize| in_play().any(|seat| seat.seat == player + 1);
    let short = deal.seats.iter().filter(|dealt| is_short(dealt.stack) && is_in(dealt.player));
    let short: Vec<usize> = short.map(|dealt| dealt.player + 1).collect();
    if let Some(who) = listed(&short, names) {
        return Some(format!("{who} {} a short stack", if short.len() > 1 { "have" } else { "has" }));
    }
    match deal.seats[..] {
        [one, other] => listed(&[one.player + 1], names)
            .zip(listed(&[other.player + 1], names))
            .map(|(one, other)| format!("{one} against {other}")),
        _ => None,
    }
}

/// The names of the players of these numbers; `None` if they are none or too many to be named.
fn listed(players: &[usize], names: &[String]) -> Option<String> {
    let who: Vec<&str> =
        players.iter().filter_map(|number| names.get(number - 1)).map(String::as_str).collect();
    match who[..] {
        [] => None,
        [one] => Some(one.to_string()),
        [ref others @ .., last] if who.len() <= MAX_NAMED_PLAYERS => {
            Some(format!("{} and {last}", others.join(", ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Card;
    use casino_stud::replay::{DealtSeat, PublicEvent};
    use casino_stud::stud::Seat;

    fn deal(stacks: &[Chips]) -> PublicDeal {
        let seat = |(index, stack): (usize, &Chips)| DealtSeat {
            seat: Seat::new(index),
            player: index,
            stack: *stack,
            up: Card::ALL[index],
        };
        let seats = stacks.iter().enumerate().map(seat).collect();
        PublicDeal { table: 1, round: 1, ante: 2, seats }
    }

    fn names() -> Vec<String> {
        ["Ada", "Bo", "Cy", "Di"].map(String::from).to_vec()
    }

    /// The headlines after the deal and after each of these bets.
    fn headlines(stacks: &[Chips], bets: &[(usize, Chips)]) -> Vec<Option<String>> {
        let (deal, names) = (deal(stacks), names());
        let mut table = TableView::dealt(&deal, false);
        let mut headlines = vec![headline(&deal, &table, &names)];
        let mut pot = deal.pot();
        for (seat, chips) in bets {
            pot += chips;
            let event =
                PublicEvent::Bet { seat: Seat::new(*seat), to_call: 0, chips: *chips, put_in: *chips, pot };
            table.show(&event, &names);
            headlines.push(headline(&deal, &table, &names));
        }
        headlines
    }

    fn texts(texts: &[Option<&str>]) -> Vec<Option<String>> {
        texts.iter().map(|text| text.map(String::from)).collect()
    }

    #[test]
    fn words_follow_the_steps_and_never_run_ahead_of_them() {
        let quiet = headlines(&[500, 500, 500], &[(0, 10), (1, 100), (2, 300), (0, 488)]);
        assert_eq!(quiet, texts(&[None, None, None, Some("A big pot"), Some("Ada is all in")]));
        let both = headlines(&[500, 100, 100], &[(1, 98), (2, 98)]);
        assert_eq!(both[2].as_deref(), Some("Bo and Cy are all in"));
    }

    #[test]
    fn a_stack_is_short_against_the_ante_and_against_the_others() {
        assert_eq!(headlines(&[20, 100, 100], &[])[0].as_deref(), Some("Ada has a short stack"));
        assert_eq!(headlines(&[21, 200, 200], &[])[0], None, "more than ten antes");
        assert_eq!(headlines(&[20, 99, 100], &[])[0], None, "less than five times as much on average");
        assert_eq!(headlines(&[5, 5, 400], &[])[0].as_deref(), Some("Ada and Bo have a short stack"));
        assert_eq!(headlines(&[300, 400], &[])[0].as_deref(), Some("Ada against Bo"));
    }
}
