//! Replies around the deadline, to the nanosecond, on a clock of ours (R17).

use std::net::SocketAddr;
use std::time::Duration;

use casino_host::driven::MemorySocket;
use casino_host::{Connection, Socket};
use casino_stud::cards::Seed;
use casino_stud::table::{Fault, Reply, Step, Table, TableSettings};
use tokio::time::{Instant, advance, sleep};

use super::dice::Dice;

const LIMIT: Duration = Duration::from_secs(1);
const MS: Duration = Duration::from_millis(1);

/// The numbers of judged replies, and the wrongly judged ones.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) in_time: u64,
    pub(crate) late: u64,
    pub(crate) wrong: Vec<String>,
}

/// Judges this many replies whose last byte comes up to a millisecond before or after the deadline.
pub(crate) fn judge(count: u64, seed: u64) -> Judged {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without sockets needs nothing of the system");
    runtime.block_on(async {
        let mut table = Table::new(TableSettings::default(), &[500; 3]);
        table.deal(1, Seed::chosen("deadlines").shuffler(1).deck(1, table.cards_needed()));
        let Step::Ask(seat) = table.step() else { panic!("somebody opens") };
        let question = table.question(seat);
        let (mut dice, mut judged) = (Dice::new(seed), Judged::default());
        // Timers fire at whole milliseconds of the runtime's life.
        let born = Instant::now();
        for _ in 0..count {
            let odd = Duration::from_nanos(u64::from(born.elapsed().subsec_nanos()) % 1_000_000);
            if !odd.is_zero() {
                advance(MS - odd).await;
            }
            // Never exactly at the deadline, where the result is undefined.
            let (is_late, off) = (dice.once_in(2), Duration::from_nanos(dice.within(1, 1_000_000)));
            let cut = dice.below(7) as usize;
            let (near, far) = MemorySocket::pair(1_024);
            let peer = SocketAddr::from(([10, 0, 0, 1], 1));
            let mut connection = Connection::new(Socket::Memory(near), peer).expect("a fresh socket");
            let asked = Instant::now();
            let player = async {
                let frame = b"\0\x05bet:0";
                far.try_write(&frame[..cut]).expect("it fits");
                if is_late {
                    sleep(LIMIT).await;
                    advance(off).await;
                } else {
                    sleep(LIMIT - MS).await;
                    advance(MS - off).await;
                }
                // A late reply may find the connection closed.
                let _ = far.try_write(&frame[cut..]);
            };
            let host = async {
                let answer = connection.ask(&question, LIMIT).await;
                (answer, asked.elapsed())
            };
            let ((answer, took), ()) = tokio::join!(host, player);
            let late = Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: cut > 0 };
            let is_right = match is_late {
                false => answer == Ok(Reply::Bet(0)) && took < LIMIT,
                // The clock may have advanced before this is read.
                true => answer == Err(late) && (LIMIT..=LIMIT + off).contains(&took),
            };
            if !is_right {
                let side = if is_late { "after" } else { "before" };
                judged.wrong.push(format!("{off:?} {side} the deadline: {answer:?} after {took:?}"));
            }
            *(if is_late { &mut judged.late } else { &mut judged.in_time }) += 1;
        }
        judged
    })
}
