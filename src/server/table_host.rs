//! A table with players of every kind, driven over the network.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::strategies::Bot;
use crate::stud::{Seat, SeatSet};
use crate::table::{Answer, ExitReason, Fault, Notice, Status, Step, TableEvent};
use crate::tournament::{Ending, Recorder, TableGame};

use super::control::Order;
use super::deadline::DeadlineTimer;
use super::{Connection, ConnectionLimits, Control, ReadMode, StartedProgram};

/// How long a reply may take before whatever is held leaves by itself. A `status` waits for the player's next
/// question, to leave in one write with it, as long as the others answer at once: also where a thousand tables
/// share the processor, and still sooner than anybody notices.
const HOLD: Duration = Duration::from_millis(20);

/// A player who answers within this is next door, and the next one too: their replies are waited for eagerly.
const AT_ONCE: Duration = Duration::from_micros(40);

/// Why a tournament is stopped before its end.
pub(super) const STOPPED: &str = "the people in charge ended it early";

/// Somebody at the table.
pub enum SeatedPlayer {
    /// A bot in this process.
    House(Box<dyn Bot>),
    /// A program on a socket.
    Remote(Connection),
    /// A program this process started, on a socket.
    Started(Connection, Box<StartedProgram>),
    /// Nobody: it was told `done`.
    Gone,
}

impl SeatedPlayer {
    /// Sends what is held for it. A socket that is full takes the rest later; one that is broken shows when it
    /// is read.
    fn flush(&mut self) {
        if let SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) = self {
            let _ = connection.flush();
        }
    }

    /// Says the last word to it, without anybody waiting for that.
    pub(super) fn dismiss(&mut self, exit_reason: &ExitReason, leaving: &mut JoinSet<()>) {
        let reason = exit_reason.to_string();
        match std::mem::replace(self, SeatedPlayer::Gone) {
            SeatedPlayer::House(_) | SeatedPlayer::Gone => {}
            SeatedPlayer::Remote(connection) => {
                leaving.spawn(async move { connection.done(&reason).await });
            }
            SeatedPlayer::Started(connection, program) => {
                leaving.spawn(async move {
                    connection.done(&reason).await;
                    program.end().await;
                });
            }
        }
    }
}

/// The words of a round that wait for the other tables.
#[derive(Debug)]
struct Together {
    words: Vec<(Seat, Notice)>,
    /// Whether who is out of chips stays, to play again later.
    broke_stay: bool,
}

/// The players of a tournament in seat order.
pub struct TableHost {
    players: Vec<SeatedPlayer>,
    limits: ConnectionLimits,
    control: Control,
    /// Faults of players that have not been reported: before the first deal nobody is at the table.
    faults: Vec<(Seat, Fault)>,
    /// What is said at a table of an event only when the round has been recorded with those of all other tables.
    together: Option<Together>,
    alarm: DeadlineTimer,
    /// Who has been told something that has not been sent.
    held: SeatSet,
    /// How the next socket is looked at.
    look: ReadMode,
    /// Who answered last: a message after that answer may not have been looked for.
    last: Option<Seat>,
    /// Those who are being told `done`, and started programs that are being ended.
    leaving: JoinSet<()>,
}

impl TableHost {
    /// These players, in seat order.
    pub fn new(players: Vec<SeatedPlayer>, limits: ConnectionLimits) -> TableHost {
        TableHost {
            players,
            limits,
            control: Control::default(),
            faults: Vec::new(),
            together: None,
            alarm: DeadlineTimer::new(),
            held: SeatSet::EMPTY,
            look: ReadMode::Now,
            last: None,
            leaving: JoinSet::new(),
        }
    }

    /// The same seats, with a dealer who does what the people at the helm want.
    #[must_use]
    pub fn under(self, control: Control) -> TableHost {
        TableHost { control, ..self }
    }

    /// The same seats at a table of an event: nothing but questions is said until [`TableHost::announce`]. Who is out of
    /// chips may have to stay for a later level.
    #[must_use]
    pub(super) fn in_event(self, broke_stay: bool) -> TableHost {
        TableHost { together: Some(Together { words: Vec::new(), broke_stay }), ..self }
    }

    /// Plays the next round of a table of an event.
    ///
    /// # Errors
    /// The record's.
    ///
    /// # Panics
    /// If the table deals no more.
    pub(super) async fn hand<R: Recorder>(
        &mut self,
        table: &mut TableGame,
        record: &mut R,
    ) -> io::Result<()> {
        assert!(table.deal(), "only a table that plays on has a next round");
        self.round(table, record, 0).await
    }

    /// Says what the round that has been recorded made to say.
    pub(super) fn announce(&mut self, table: &TableGame) {
        let Some(together) = &mut self.together else { return };
        let broke_stay = together.broke_stay;
        for (seat, notice) in std::mem::take(&mut together.words) {
            match notice {
                Notice::Status(status) => {
                    if let Err(fault) = self.tell(seat, &status) {
                        self.faults.push((seat, fault));
                    }
                }
                Notice::Done => {
                    let exit_reason = table.table().exit_reason(seat).expect("who leaves is told why");
                    if !(broke_stay && matches!(exit_reason, ExitReason::Broke { .. })) {
                        self.dismiss(seat, exit_reason);
                    }
                }
            }
        }
        if table.is_over() {
            self.flush_held();
        }
    }

    /// This player is sent out as soon as it is dealt in again.
    pub(super) fn report(&mut self, seat: Seat, fault: Fault) {
        self.faults.push((seat, fault));
    }

    /// Everyone stands up: the players in seat order, and those who are being told `done`.
    pub(super) fn stand_up(self) -> (Vec<SeatedPlayer>, JoinSet<()>) {
        (self.players, self.leaving)
    }

    /// Plays the tournament to its end, or to the end of the round in which `stop` first says so, and says
    /// `done` to everyone.
    ///
    /// # Errors
    /// The record's. Then nothing more is announced, and the connections are dropped.
    pub async fn play<R: Recorder>(
        mut self,
        tournament: &mut TableGame,
        record: &mut R,
        stop: impl Fn() -> bool,
    ) -> io::Result<Ending> {
        let mut ending = Ending::Played;
        let mut dealt = false;
        loop {
            self.rest(tournament, record, dealt, &stop).await?;
            if dealt && stop() && !tournament.is_over() {
                ending = Ending::Stopped;
                break;
            }
            if !tournament.deal() {
                break;
            }
            dealt = true;
            self.round(tournament, record, 0).await?;
            self.control.round_is_over();
            // Everyone else on this thread gets a turn, also while only house bots are left.
            tokio::task::yield_now().await;
        }
        match ending {
            Ending::Played => record.over(tournament)?,
            Ending::Stopped => record.pause()?,
        }
        record.commit()?;
        for (seat, exit_reason) in tournament.exit_reasons() {
            let exit_reason = match ending {
                Ending::Played => exit_reason,
                Ending::Stopped => ExitReason::Stopped { why: STOPPED.to_string() },
            };
            self.dismiss(seat, &exit_reason);
        }
        while self.leaving.join_next().await.is_some() {}
        Ok(ending)
    }

    /// Does what the people at the helm have ordered, and waits as long as they want.
    async fn rest<R: Recorder>(
        &mut self,
        tournament: &mut TableGame,
        record: &mut R,
        dealt: bool,
        stop: &impl Fn() -> bool,
    ) -> io::Result<()> {
        loop {
            let kept = tournament.table().events().len();
            self.obey(record)?;
            if dealt && self.remove(tournament) {
                self.round(tournament, record, kept).await?;
            }
            if stop() || tournament.is_over() || !self.control.wants_rest() {
                return Ok(());
            }
            // Nobody waits for words already said while the dealer rests.
            self.flush_held();
            record.resting(tournament);
            record.before_waiting()?;
            self.control.rested().await;
        }
    }

    /// Writes down what the people at the helm did, and keeps whom they want to be removed.
    fn obey<R: Recorder>(&mut self, record: &mut R) -> io::Result<()> {
        for order in self.control.orders() {
            record.console(&order.to_string())?;
            if let Order::Remove { player, reason } = order {
                self.faults.push((Seat::new(player), Fault::Removed { reason }));
            }
        }
        Ok(())
    }

    /// Sends out who is to be removed. True if anybody was at the table.
    fn remove(&mut self, tournament: &mut TableGame) -> bool {
        let mut removed = false;
        for (seat, fault) in self.faults.drain(..) {
            removed |= tournament.table().seated().contains(seat);
            tournament.table_mut().report(seat, fault);
        }
        removed
    }

    /// Drives the round to its end. The first `kept` events of the table have been recorded already.
    async fn round<R: Recorder>(
        &mut self,
        tournament: &mut TableGame,
        record: &mut R,
        mut kept: usize,
    ) -> io::Result<()> {
        loop {
            // Before anybody is sent out: of each player the table keeps only the last foul.
            self.keep(tournament, record, &mut kept)?;
            self.obey(record)?;
            self.remove(tournament);
            let step = tournament.table_mut().step();
            self.keep(tournament, record, &mut kept)?;
            match step {
                Step::Ask(seat) => {
                    let answer = self.ask(seat, tournament, record).await?;
                    tournament.table_mut().answer(answer);
                }
                Step::Tell(seat, notice) if self.together.is_some() => {
                    self.together.iter_mut().for_each(|together| together.words.push((seat, notice)));
                }
                Step::Tell(seat, Notice::Status(status)) => {
                    record.commit()?;
                    if self.tell(seat, &status).is_err() {
                        tournament.table_mut().report(seat, Fault::Deaf);
                    }
                }
                Step::Tell(seat, Notice::Done) => {
                    record.commit()?;
                    let exit_reason = tournament.table().exit_reason(seat).expect("who leaves is told why");
                    self.dismiss(seat, exit_reason);
                }
                Step::Over => return Ok(()),
            }
        }
    }

    /// Records what has happened since the first `kept` events of the table.
    fn keep<R: Recorder>(
        &mut self,
        tournament: &TableGame,
        record: &mut R,
        kept: &mut usize,
    ) -> io::Result<()> {
        for event in &tournament.table().events()[*kept..] {
            if *event == TableEvent::Ended {
                // Not asked all round: what is held is of the round before, and who records the end of a
                // round may take time to show it.
                self.flush_held();
            }
            record.event(tournament, event)?;
        }
        *kept = tournament.table().events().len();
        Ok(())
    }

    async fn ask<R: Recorder>(
        &mut self,
        seat: Seat,
        tournament: &TableGame,
        record: &mut R,
    ) -> io::Result<Answer> {
        let question = tournament.table().question(seat);
        let limit = self.limits.reply;
        let (before, rest) = self.players.split_at_mut(seat.index());
        let (asked, after) = rest.split_first_mut().expect("every seat has a player");
        let connection = match asked {
            SeatedPlayer::House(bot) => return Ok(Ok(bot.decide(&question))),
            SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) => connection,
            SeatedPlayer::Gone => return Ok(Err(Fault::HungUp { partial: false })),
        };
        record.before_waiting()?;
        record.waiting_for(seat);
        self.held = self.held.without(seat);
        // The runtime looked for messages of everybody when it waited for the last answer, not after it.
        let look = if self.last.replace(seat) == Some(seat) { ReadMode::Now } else { self.look };
        if let Err(fault) = connection.send_question(&question, look) {
            return Ok(Err(fault));
        }
        let sent = Instant::now();
        let answer = {
            let mut reply = pin!(connection.reply(self.look));
            let mut answer = None;
            if !self.held.is_empty() {
                answer = self.alarm.by(sent + HOLD, reply.as_mut()).await;
                if answer.is_none() {
                    before.iter_mut().chain(after).for_each(SeatedPlayer::flush);
                    self.held = SeatSet::EMPTY;
                }
            }
            match answer {
                Some(answer) => Some(answer),
                None => self.alarm.within(limit, sent, reply).await,
            }
        };
        let took = sent.elapsed();
        self.look = if took < AT_ONCE { ReadMode::Now } else { ReadMode::WhenIdle };
        record.reply_time(tournament.table().round_number(), seat, took);
        Ok(answer.unwrap_or_else(|| Err(connection.too_late(limit))))
    }

    pub(super) fn flush_held(&mut self) {
        for seat in std::mem::take(&mut self.held) {
            self.players[seat.index()].flush();
        }
    }

    fn tell(&mut self, seat: Seat, status: &Status) -> Result<(), Fault> {
        match &mut self.players[seat.index()] {
            SeatedPlayer::House(bot) => bot.hear(status),
            SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) => {
                connection.tell(status);
                self.held = self.held.with(seat);
                if connection.is_deaf() {
                    return Err(Fault::Deaf);
                }
            }
            SeatedPlayer::Gone => {}
        }
        Ok(())
    }

    fn dismiss(&mut self, seat: Seat, exit_reason: &ExitReason) {
        self.players[seat.index()].dismiss(exit_reason, &mut self.leaving);
    }
}
