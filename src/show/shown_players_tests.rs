//! Players of a day that is shown in a test: bots that change, and programs that think before they answer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::BytesMut;
use tokio::time::Instant;

use casino_host::driven::MemorySocket;
use casino_host::{Connection, SeatedPlayer, Socket};
use casino_stud::cards::Seed;
use casino_stud::protocol::Command;
use casino_stud::strategies::Bot;
use casino_stud::stud::Chips;
use casino_stud::table::{Question, Reply, Status};

use super::show_tests::ShownDay;

/// The most chips of a raise: the players behind connections are asked with the usual rules.
const RAISE_CAP: Chips = 10;

/// A player whose bot is left alone for so many decisions and then decides by dice, fouls among its replies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divergence {
    pub(super) player: usize,
    pub(super) after: u64,
    pub(super) dice: u64,
}

/// A bot that is left alone until its turn.
pub(super) struct TurningBot {
    bot: Box<dyn Bot>,
    decisions: u64,
    turn: Option<Divergence>,
}

impl TurningBot {
    pub(super) fn of(day: &ShownDay, player: usize, seed: &Seed) -> TurningBot {
        let bot = day.bots[player % day.bots.len()].seated(&format!("P{}", player + 1), seed);
        TurningBot { bot: Box::new(bot), decisions: 0, turn: day.turn.filter(|turn| turn.player == player) }
    }
}

impl Bot for TurningBot {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        let reply = self.bot.decide(question);
        self.decisions += 1;
        let Some(turn) = self.turn.filter(|turn| self.decisions > turn.after) else { return reply };
        let bounds = question.bounds;
        match (turn.dice.wrapping_mul(self.decisions + 17) >> 5) % 5 {
            0 => Reply::Fold,
            1 => Reply::Bet(bounds.to_call),
            2 => Reply::Bet(1 << 20),
            3 => Reply::Bet(bounds.most()),
            _ => match reply {
                Reply::Fold => Reply::Bet(bounds.to_call),
                Reply::Bet(_) => Reply::Fold,
            },
        }
    }

    fn hear(&mut self, status: &Status) {
        self.bot.hear(status);
    }
}

/// When each program received `done`, by its number from 0.
pub(super) type Dones = Arc<Mutex<BTreeMap<usize, Instant>>>;

/// When each program received each `status`, in order, by its number from 0.
pub(super) type Statuses = Arc<Mutex<BTreeMap<usize, Vec<Instant>>>>;

/// A bot that notes when it hears how a round ended.
pub(super) struct ListeningBot {
    pub(super) bot: Box<dyn Bot>,
    pub(super) player: usize,
    pub(super) statuses: Statuses,
}

impl Bot for ListeningBot {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        self.bot.decide(question)
    }

    fn hear(&mut self, status: &Status) {
        self.statuses.lock().unwrap().entry(self.player).or_default().push(Instant::now());
        self.bot.hear(status);
    }
}

/// A bot behind a connection, which thinks for so long before each reply.
pub(super) fn slow_player(bot: Box<dyn Bot>, thinks: Duration, player: usize, dones: &Dones) -> SeatedPlayer {
    let (here, there) = MemorySocket::pair(1 << 16);
    let dones = Arc::clone(dones);
    tokio::spawn(async move {
        answer(there, bot, thinks).await;
        dones.lock().unwrap().insert(player, Instant::now());
    });
    let peer = SocketAddr::from(([127, 0, 0, 1], 1));
    SeatedPlayer::Remote(Box::new(Connection::new(Socket::Memory(here), peer).unwrap()))
}

/// Answers everything on this socket, until there is no more to answer.
pub(super) async fn answer(socket: MemorySocket, mut bot: Box<dyn Bot>, thinks: Duration) {
    let mut inbox = BytesMut::new();
    loop {
        let length = inbox.first_chunk::<2>().map(|length| usize::from(u16::from_be_bytes(*length)));
        let Some(length) = length.filter(|length| inbox.len() >= 2 + length) else {
            match socket.read(&mut inbox).await {
                Ok(1..) => continue,
                _ => return,
            }
        };
        let text = String::from_utf8(inbox.split_to(2 + length)[2..].to_vec()).unwrap();
        let reply = match Command::read(&text, RAISE_CAP).unwrap() {
            Command::Question(question) => {
                tokio::time::sleep(thinks).await;
                bot.decide(&question.as_question()).to_string()
            }
            Command::Status(status) => {
                bot.hear(&status);
                continue;
            }
            Command::Login => "id-late:Late".to_string(),
            Command::Done(_) => return,
        };
        let frame = [&(reply.len() as u16).to_be_bytes(), reply.as_bytes()].concat();
        assert_eq!(socket.try_write(&frame).unwrap(), frame.len());
    }
}
