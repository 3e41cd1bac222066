//! The messages of a bare dealer in its first rounds: frames of the same kinds and lengths as the real ones, made
//! without any code of the measured program. No chips are counted and no rules decide the winner.

use bytes::{BufMut, BytesMut};

const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS: [char; 4] = ['C', 'D', 'H', 'S'];

/// The frames of `rounds` rounds in order, round by round, each with its seat, if every bot calls: a status is sent in
/// one write with the same bot's next question.
pub(crate) fn frames(seats: usize, stack: u32, rounds: usize) -> Vec<Vec<(usize, BytesMut)>> {
    let mut cards: Vec<String> =
        RANKS.iter().flat_map(|rank| SUITS.iter().map(move |suit| format!(":{rank}{suit}"))).collect();
    let mut dice = 88_172_645_463_325_252_u64;
    let mut below = move |limit: usize| {
        // Marsaglia's xorshift: any numbers will do.
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice % limit as u64) as usize
    };
    let mut waiting = vec![BytesMut::new(); seats];
    let mut script = Vec::new();
    for round in 0..rounds {
        for at in (1..cards.len()).rev() {
            cards.swap(at, below(at + 1));
        }
        let mut frames = Vec::new();
        for street in 1..=2 {
            let opener = below(seats);
            for turn in 0..seats {
                let seat = (opener + turn) % seats;
                let ups = |seat: usize| (1..=street).map(move |up| up * seats + seat);
                let own: String = ups(seat).map(|card| cards[card].as_str()).collect();
                let board: String = (0..seats).flat_map(ups).map(|card| cards[card].as_str()).collect();
                let (stack, pot, hole) = (stack - round as u32, seats, &cards[seat]);
                let mut frame = std::mem::take(&mut waiting[seat]);
                put(&mut frame, &format!("bet{street}:{stack}:{pot}:0{hole}{own}:up{board}"));
                frames.push((seat, frame));
            }
        }
        let winner = below(seats);
        for (seat, frame) in waiting.iter_mut().enumerate() {
            let outcome = if seat == winner { "win" } else { "lose" };
            put(frame, &format!("status:{outcome}{}{}{}", cards[0], cards[seats], cards[2 * seats]));
        }
        script.push(frames);
    }
    script
}

fn put(to: &mut BytesMut, text: &str) {
    to.put_u16(text.len() as u16);
    to.put_slice(text.as_bytes());
}
