//! A table with players of every kind, driven over the network.

use std::io;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::strategies::Bot;
use crate::stud::{Seat, SeatSet};
use crate::table::{Answer, Farewell, Fault, Notice, Status, Step};
use crate::tournament::{Freezeout, Record};

use super::control::Order;
use super::{Connection, Control, Limits, Program};

/// How long a `status` waits for the player's next question, to leave in one write with it, once the dealer
/// has to wait for somebody: longer than a program on the same machine takes to answer, shorter than anybody
/// notices.
const HOLD: Duration = Duration::from_millis(2);

/// Somebody at the table.
pub enum Player {
    /// A bot in this process.
    House(Box<dyn Bot>),
    /// A program on a socket.
    Remote(Connection),
    /// A program this process started, on a socket.
    Started(Connection, Program),
    /// Nobody: it was told `done`.
    Gone,
}

impl Player {
    fn connection(&mut self) -> Option<&mut Connection> {
        match self {
            Player::Remote(connection) | Player::Started(connection, _) => Some(connection),
            Player::House(_) | Player::Gone => None,
        }
    }
}

/// The players of a tournament in seat order.
pub struct Seats {
    players: Vec<Player>,
    limits: Limits,
    control: Control,
    /// Who has been told something that has not been sent.
    held: SeatSet,
    /// Those who are being told `done`, and started programs that are being ended.
    leaving: JoinSet<()>,
}

/// How a tournament came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Played,
    /// It was stopped after a round.
    Stopped,
}

impl Seats {
    /// These players, in seat order.
    pub fn new(players: Vec<Player>, limits: Limits) -> Seats {
        Seats {
            players,
            limits,
            control: Control::default(),
            held: SeatSet::EMPTY,
            leaving: JoinSet::new(),
        }
    }

    /// The same seats, with a dealer who does what the people at the helm want.
    pub fn under(self, control: Control) -> Seats {
        Seats { control, ..self }
    }

    /// Plays the tournament to its end, or to the end of the round in which `stop` first says so, and says
    /// `done` to everyone.
    ///
    /// # Errors
    /// The record's. Then nothing more is announced, and the connections are dropped.
    pub async fn play<R: Record>(
        mut self,
        tournament: &mut Freezeout,
        record: &mut R,
        stop: impl Fn() -> bool,
    ) -> io::Result<Ending> {
        let mut ending = Ending::Played;
        loop {
            self.rest(tournament, record, &stop).await?;
            if stop() {
                ending = Ending::Stopped;
                break;
            }
            if !tournament.deal() {
                break;
            }
            self.round(tournament, record, 0).await?;
            self.control.round_is_over();
            // Everyone else on this thread gets a turn, also while only house bots are left.
            tokio::task::yield_now().await;
        }
        if ending == Ending::Played {
            record.over(tournament)?;
        }
        record.commit()?;
        for (seat, farewell) in tournament.farewells() {
            let farewell = match ending {
                Ending::Played => farewell,
                Ending::Stopped => {
                    Farewell::Stopped { why: "the people in charge ended it early".to_string() }
                }
            };
            self.dismiss(seat, &farewell);
        }
        while self.leaving.join_next().await.is_some() {}
        Ok(ending)
    }

    /// Does what the people at the helm have ordered, and waits as long as they want.
    async fn rest<R: Record>(
        &mut self,
        tournament: &mut Freezeout,
        record: &mut R,
        stop: &impl Fn() -> bool,
    ) -> io::Result<()> {
        loop {
            let kept = tournament.table().events().len();
            if self.obey(tournament, record)? {
                self.round(tournament, record, kept).await?;
            }
            if stop() || !self.control.wants_rest() {
                return Ok(());
            }
            // Nobody waits for words already said while the dealer rests.
            self.players.iter_mut().filter_map(Player::connection).for_each(Connection::flush);
            self.held = SeatSet::EMPTY;
            record.resting(tournament);
            record.before_waiting()?;
            self.control.rested().await;
        }
    }

    /// Writes down what the people at the helm did and sends out whom they removed. True if anybody was.
    fn obey<R: Record>(&mut self, tournament: &mut Freezeout, record: &mut R) -> io::Result<bool> {
        let mut removed = false;
        for order in self.control.orders() {
            record.console(&order.to_string())?;
            if let Order::Remove { seat, reason } = order
                && tournament.table().seated().contains(seat)
            {
                tournament.table_mut().report(seat, Fault::Removed { reason });
                removed = true;
            }
        }
        Ok(removed)
    }

    /// Drives the round to its end. The first `kept` events of the table have been recorded already.
    async fn round<R: Record>(
        &mut self,
        tournament: &mut Freezeout,
        record: &mut R,
        mut kept: usize,
    ) -> io::Result<()> {
        loop {
            self.obey(tournament, record)?;
            let step = tournament.table_mut().step();
            for event in &tournament.table().events()[kept..] {
                record.event(tournament, event)?;
            }
            kept = tournament.table().events().len();
            match step {
                Step::Ask(seat) => {
                    let answer = self.ask(seat, tournament, record).await?;
                    tournament.table_mut().answer(answer);
                }
                Step::Tell(seat, Notice::Status(status)) => {
                    record.commit()?;
                    if self.tell(seat, &status).is_err() {
                        tournament.table_mut().report(seat, Fault::Deaf);
                    }
                }
                Step::Tell(seat, Notice::Done) => {
                    record.commit()?;
                    let farewell = tournament.table().farewell(seat).expect("who leaves is told why");
                    self.dismiss(seat, farewell);
                }
                Step::Over => return Ok(()),
            }
        }
    }

    async fn ask<R: Record>(
        &mut self,
        seat: Seat,
        tournament: &Freezeout,
        record: &mut R,
    ) -> io::Result<Answer> {
        let question = tournament.table().question(seat);
        let limit = self.limits.reply;
        let (before, rest) = self.players.split_at_mut(seat.index());
        let (asked, after) = rest.split_first_mut().expect("every seat has a player");
        let connection = match asked {
            Player::House(bot) => return Ok(Ok(bot.decide(&question))),
            Player::Remote(connection) | Player::Started(connection, _) => connection,
            Player::Gone => return Ok(Err(Fault::HungUp { partial: false })),
        };
        record.before_waiting()?;
        record.waiting_for(seat);
        self.held = self.held.without(seat);
        let start = Instant::now();
        let answer = async {
            connection.send_question(&question, limit).await?;
            if self.held.is_empty() {
                return connection.reply(limit).await;
            }
            let reply = connection.reply(limit);
            tokio::pin!(reply);
            if let Ok(answer) = tokio::time::timeout(HOLD, &mut reply).await {
                return answer;
            }
            before.iter_mut().chain(after).filter_map(Player::connection).for_each(Connection::flush);
            self.held = SeatSet::EMPTY;
            reply.await
        };
        let answer = answer.await;
        record.reply_time(tournament.table().round_number(), seat, start.elapsed());
        Ok(answer)
    }

    fn tell(&mut self, seat: Seat, status: &Status) -> Result<(), Fault> {
        match &mut self.players[seat.index()] {
            Player::House(bot) => bot.hear(status),
            Player::Remote(connection) | Player::Started(connection, _) => {
                connection.tell(status);
                self.held = self.held.with(seat);
                if connection.is_deaf() {
                    return Err(Fault::Deaf);
                }
            }
            Player::Gone => {}
        }
        Ok(())
    }

    fn dismiss(&mut self, seat: Seat, farewell: &Farewell) {
        let reason = farewell.to_string();
        match std::mem::replace(&mut self.players[seat.index()], Player::Gone) {
            Player::House(_) | Player::Gone => {}
            Player::Remote(connection) => {
                self.leaving.spawn(async move { connection.done(&reason).await });
            }
            Player::Started(connection, program) => {
                self.leaving.spawn(async move {
                    connection.done(&reason).await;
                    program.end().await;
                });
            }
        }
    }
}
