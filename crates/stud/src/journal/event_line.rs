//! Hand-written serialization of a round's lines: there are dozens per round, and with a serializer play takes twice as
//! long.

use crate::cards::{Card, Notation};
use crate::stud::{Half, Seat, SeatSet, Street};
use crate::table::{Foul, TableEvent};
use crate::tournament::TableGame;

use super::line::stacks_at_the_end;
use super::{JournalLine, Replied};

/// Appends the line of an event that has just happened, as [`JournalLine::write`] would.
pub fn write_event(game: &TableGame, event: &TableEvent, to: &mut Vec<u8>) {
    match *event {
        TableEvent::Acted { seat, action } => {
            seat_line(b"{\"type\":\"reply\",\"seat\":", seat, to);
            to.extend_from_slice(b",\"reply\":\"");
            match action.chips() {
                None => to.extend_from_slice(b"fold"),
                Some(chips) => {
                    to.extend_from_slice(b"bet:");
                    number(u64::from(chips), to);
                }
            }
            to.extend_from_slice(b"\"}\n");
        }
        TableEvent::Passed { seat } => {
            seat_line(b"{\"type\":\"pass\",\"seat\":", seat, to);
            to.extend_from_slice(b"}\n");
        }
        TableEvent::ForcedFold { seat } => {
            seat_line(b"{\"type\":\"forced_fold\",\"seat\":", seat, to);
            to.extend_from_slice(b"}\n");
        }
        TableEvent::Opened { street, opener } => {
            to.extend_from_slice(match street {
                Street::First => b"{\"type\":\"street\",\"street\":1",
                Street::Second => b"{\"type\":\"street\",\"street\":2",
            });
            seat_line(b",\"opener\":", opener, to);
            to.extend_from_slice(b"}\n");
        }
        TableEvent::Won { seat, half, chips } => {
            seat_line(b"{\"type\":\"won\",\"seat\":", seat, to);
            to.extend_from_slice(match half {
                Half::Whole => b",\"half\":\"whole\"",
                Half::Hand => b",\"half\":\"hand\"",
                Half::Spade => b",\"half\":\"spade\"",
            });
            to.extend_from_slice(b",\"chips\":");
            number(u64::from(chips), to);
            to.extend_from_slice(b"}\n");
        }
        TableEvent::Dealt { seats } => deal(game, seats, to),
        TableEvent::Ended => {
            to.extend_from_slice(b"{\"type\":\"end\",\"round\":");
            number(game.table().round_number(), to);
            to.extend_from_slice(b",\"stacks\":");
            list(stacks_at_the_end(game.table()), |chips, to| number(u64::from(chips), to), to);
            to.extend_from_slice(b"}\n");
        }
        // They hold a player's message or a sentence: rare, and in need of escaping, so a serializer writes them.
        TableEvent::Fouled { seat } => {
            let foul = game.table().foul_of(seat).expect("a foul was kept when it happened");
            let did = match foul {
                Foul::Illegal { chips, .. } => Replied::Illegal { bet: *chips },
                Foul::Fault { fault, .. } => Replied::Fault(fault.clone()),
            };
            let (asked, why) = (foul.allowed().is_some(), foul.to_string());
            JournalLine::Foul { seat: seat.index() + 1, asked, did, why }.write(to);
        }
        TableEvent::Left { seat, forfeited } => {
            let why = game.table().exit_reason(seat).expect("who leaves is told why").to_string();
            JournalLine::Left { seat: seat.index() + 1, forfeited, why }.write(to);
        }
    }
}

fn deal(game: &TableGame, seats: SeatSet, to: &mut Vec<u8>) {
    let round = game.table().round();
    to.extend_from_slice(b"{\"type\":\"deal\",\"table\":");
    number(u64::from(game.number()), to);
    to.extend_from_slice(b",\"round\":");
    number(game.table().round_number(), to);
    to.extend_from_slice(b",\"seats\":");
    list(seats, |seat, to| number(seat.index() as u64 + 1, to), to);
    to.extend_from_slice(b",\"hole\":");
    list(seats, |seat, to| card(round.hole(seat), to), to);
    to.extend_from_slice(b",\"up\":");
    list(seats, |seat, to| card(round.up(seat)[0], to), to);
    to.extend_from_slice(b",\"second\":");
    list(seats, |seat, to| card(round.up(seat)[1], to), to);
    to.extend_from_slice(b"}\n");
}

fn seat_line(begin: &[u8], seat: Seat, to: &mut Vec<u8>) {
    to.extend_from_slice(begin);
    number(seat.index() as u64 + 1, to);
}

fn list<T>(items: impl IntoIterator<Item = T>, write: impl Fn(T, &mut Vec<u8>), to: &mut Vec<u8>) {
    to.push(b'[');
    let begin = to.len();
    for item in items {
        if to.len() > begin {
            to.push(b',');
        }
        write(item, to);
    }
    to.push(b']');
}

fn card(card: Card, to: &mut Vec<u8>) {
    to.push(b'"');
    to.extend_from_slice(Notation::Wire.card_str(card).as_bytes());
    to.push(b'"');
}

fn number(number: u64, to: &mut Vec<u8>) {
    to.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cards::Seed;
    use crate::table::{Fault, Reply, Step, TableSettings};

    fn by_hand(game: &TableGame, event: &TableEvent) -> String {
        // Existing content must stay.
        let mut line = b"[".to_vec();
        write_event(game, event, &mut line);
        String::from_utf8(line).unwrap().strip_prefix('[').unwrap().to_string()
    }

    /// The line as the serializer writes it.
    fn serialized(line: &str) -> String {
        let line: JournalLine = serde_json::from_str(line).unwrap();
        String::from_utf8(line.bytes()).unwrap()
    }

    proptest! {
        /// Whole games, with folds, bets of all sizes, illegal bets and faults with text that has to be escaped.
        #[test]
        fn the_lines_are_those_of_the_serializer(
            seats in 2..=17_usize,
            stack in prop_oneof![1..40_u32, Just(10_000_000)],
            choices in proptest::collection::vec((0..20_u32, 0..12_u32), 200),
        ) {
            let seed = Seed::chosen("lines");
            let mut game = TableGame::new(TableSettings::default(), &seed, seats, stack, 12);
            let (mut choices, mut kinds) = (choices.into_iter().cycle(), std::collections::HashSet::new());
            while game.deal() {
                let mut seen = 0;
                loop {
                    let step = game.table_mut().step();
                    for event in &game.table().events()[seen..] {
                        let line = by_hand(&game, event);
                        prop_assert_eq!(&line, &serialized(&line));
                        kinds.insert(std::mem::discriminant(event));
                    }
                    seen = game.table().events().len();
                    match step {
                        Step::Ask(seat) => {
                            let bounds = game.table().question(seat).bounds;
                            let (choice, more) = choices.next().unwrap();
                            game.table_mut().answer(match choice {
                                0 => Err(Fault::Malformed { sent: "\"ü\u{7f}\\".to_string() }),
                                1 => Ok(Reply::Bet(bounds.to_call + 11)),
                                2..=4 => Ok(Reply::Fold),
                                _ => Ok(Reply::Bet((bounds.to_call + more).min(bounds.most()))),
                            });
                        }
                        Step::Tell(..) => {}
                        Step::Over => break,
                    }
                }
            }
            prop_assert!(kinds.len() >= 4 || stack == 1, "deal, street, won and end at the least");
        }
    }
}
