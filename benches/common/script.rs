//! What a table says to whom in its first rounds: the frames of a bare ping-pong.

use bytes::BytesMut;
use casino_day::cards::Seed;
use casino_day::protocol::{write_question, write_status};
use casino_day::table::{Notice, Reply, Step, Table, TableSettings};

/// The frames in order, each with its seat, if everybody calls: a status leaves in one write with the same bot's next
/// question.
pub(crate) fn frames(seats: usize, stack: u32, rounds: u64) -> Vec<(usize, BytesMut)> {
    let mut shuffler = Seed::chosen("bench").shuffler(1);
    let mut table = Table::new(TableSettings::default(), &vec![stack; seats]);
    let mut waiting: Vec<BytesMut> = vec![BytesMut::new(); seats];
    let mut frames = Vec::new();
    for round in 1..=rounds {
        let deck = shuffler.deck(round, table.cards_needed());
        table.deal(round, deck);
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    let question = table.question(seat);
                    let mut frame = std::mem::take(&mut waiting[seat.index()]);
                    write_question(&question, &mut frame);
                    frames.push((seat.index(), frame));
                    table.answer(Ok(Reply::Bet(question.bounds.to_call)));
                }
                Step::Tell(seat, Notice::Status(status)) => write_status(&status, &mut waiting[seat.index()]),
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
    }
    frames
}
