//! A table with players of every kind, driven over the network.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use casino_stud::strategies::Bot;
use casino_stud::stud::{Seat, SeatSet};
use casino_stud::table::{
    Answer, ExitReason, Fault, FoulTally, Notice, Question, Reply, Status, Step, TableEvent,
};
use casino_stud::tournament::{TableGame, TableRecorder};

use super::control::ShownUntil;
use super::deadline::{DeadlineTimer, RemainingLimit};
use super::people_time::{PeopleTime, WaitingPlayers};
use super::{Chair, Connection, ConnectionLimits, Control, ReadMode, StartedProgram};

/// How long a reply may take before held messages are sent on their own. A `status` is sent in one write with the
/// player's next question as long as the others answer within this time, also when a thousand tables share the
/// processor, and still without a noticeable delay.
const MAX_MESSAGE_DELAY: Duration = Duration::from_millis(20);

/// A player with replies faster than this is near, and probably the next one too: if no other table plays, their
/// replies are polled eagerly. With several tables, polling would serve one after the other on a shared processor.
const FAST_REPLY_TIME: Duration = Duration::from_micros(40);

/// A player at the table.
pub enum SeatedPlayer {
    /// A bot in this process.
    House(Box<dyn Bot>),
    /// A program on a socket.
    Remote(Box<Connection>),
    /// A program this process started, on a socket.
    Started(Box<Connection>, Box<StartedProgram>),
    /// A person.
    Person(Chair),
    /// The player has received `done`.
    Gone,
}

impl SeatedPlayer {
    /// Sends the held messages. A full socket takes the rest later; a broken one fails when it is read.
    fn flush(&mut self) {
        if let SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) = self {
            let _ = connection.flush();
        }
    }

    /// Sends `done` in the background, with the reason and the forgiven fouls (R19), once the show has come so far.
    pub(super) fn dismiss(
        &mut self,
        exit_reason: &ExitReason,
        forgiven: FoulTally,
        until: ShownUntil,
        leaving: &Leaving,
    ) {
        let player = std::mem::replace(self, SeatedPlayer::Gone);
        if matches!(player, SeatedPlayer::House(_) | SeatedPlayer::Gone) {
            return;
        }
        let (reason, shown) = (exit_reason.last_word(forgiven), leaving.control.shown(until));
        leaving.tasks.spawn(async move {
            shown.await;
            match player {
                SeatedPlayer::House(_) | SeatedPlayer::Gone => {}
                SeatedPlayer::Person(chair) => chair.done(&reason),
                SeatedPlayer::Remote(connection) => connection.done(&reason).await,
                SeatedPlayer::Started(connection, program) => {
                    connection.done(&reason).await;
                    program.end().await;
                }
            }
        });
    }
}

/// The players who receive `done`, and started programs that are being ended.
#[derive(Clone, Default)]
pub(super) struct Leaving {
    pub(super) tasks: TaskTracker,
    /// The way to the show, for which they wait.
    pub(super) control: Control,
}

/// How many tables play the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TablesPlaying {
    One,
    Several,
}

/// How a table waits for its players.
struct Pace {
    tables_playing: TablesPlaying,
    alarm: DeadlineTimer,
    /// The players with held messages.
    held: SeatSet,
    /// How the next socket is polled.
    look: ReadMode,
    /// The player who answered last: a message after that answer may not have been polled.
    last: Option<Seat>,
    /// Time spent waiting for people in this round.
    people: PeopleTime,
}

/// The players at one table, in seat order, and their pending messages.
pub(super) struct TableHost {
    players: Vec<SeatedPlayer>,
    limits: ConnectionLimits,
    /// Faults that have not been reported: before the first deal the table has no players.
    faults: Vec<(Seat, Fault)>,
    /// Notices held until the round of all tables has been recorded.
    notices: Vec<(Seat, Notice)>,
    /// Whether a player who is out of chips stays, to play again later.
    broke_stay: bool,
    pace: Pace,
    leaving: Leaving,
}

impl TableHost {
    /// These players, in seat order. They receive only questions until [`TableHost::announce`]. Players without chips
    /// may have to stay for a later level.
    pub(super) fn new(
        players: Vec<SeatedPlayer>,
        limits: ConnectionLimits,
        broke_stay: bool,
        leaving: Leaving,
    ) -> TableHost {
        // The table before this one may have left them with messages that the room had not seen.
        let held = (0..players.len()).map(Seat::new).collect();
        TableHost {
            players,
            limits,
            faults: Vec::new(),
            notices: Vec::new(),
            broke_stay,
            pace: Pace {
                tables_playing: TablesPlaying::Several,
                alarm: DeadlineTimer::new(),
                held,
                look: ReadMode::WhenIdle,
                last: None,
                people: PeopleTime::default(),
            },
            leaving,
        }
    }

    /// Plays the next round of the table, if it deals one.
    pub(super) async fn play_round(
        &mut self,
        table: &mut TableGame,
        recorder: &mut dyn TableRecorder,
        tables_playing: TablesPlaying,
    ) -> io::Result<()> {
        if !table.deal() {
            return Ok(());
        }
        if tables_playing != self.pace.tables_playing {
            self.pace.tables_playing = tables_playing;
            self.pace.look =
                if tables_playing == TablesPlaying::One { ReadMode::Now } else { ReadMode::WhenIdle };
        }
        self.pace.people = PeopleTime::default();
        let played = self.round(table, recorder).await;
        self.pace.alarm.forget_task();
        played
    }

    /// Sends the notices of the recorded round.
    pub(super) fn announce(&mut self, table: &TableGame) {
        for (seat, notice) in std::mem::take(&mut self.notices) {
            match notice {
                Notice::Status(status) => {
                    if let Err(fault) = self.notify(seat, &status) {
                        self.faults.push((seat, fault));
                    }
                }
                Notice::Done => {
                    let exit_reason = table.table().exit_reason(seat).expect("who leaves is told why");
                    if !(self.broke_stay && matches!(exit_reason, ExitReason::Busted { .. })) {
                        let until = ShownUntil::round(table.table().round_number());
                        let forgiven = table.forgiven(seat);
                        self.players[seat.index()].dismiss(exit_reason, forgiven, until, &self.leaving);
                    }
                }
            }
        }
        if table.is_over() {
            self.flush_shown(table.table().round_number());
        }
    }

    pub(super) fn has_people(&self) -> bool {
        self.players.iter().any(|player| matches!(player, SeatedPlayer::Person(_)))
    }

    /// Sets the deadlines for people to confirm the end of the round at this moment, by their chairs and by the players
    /// who wait.
    pub(super) fn start_confirmation_deadlines(&self, ended: Instant) {
        for (_, chair) in self.chairs() {
            let time = self.pace.people.confirmation_time(
                chair.think(),
                self.waiting_players(chair),
                chair.is_away(),
            );
            chair.confirm_until(ended + time);
        }
    }

    /// Waits until they have confirmed, or their times are over.
    pub(super) async fn people_have_looked(&mut self, round: u64) {
        self.flush_shown(round);
        let chairs: Vec<&Chair> = self.chairs().map(|(_, chair)| chair).collect();
        for chair in chairs {
            chair.has_looked().await;
        }
    }

    fn chairs(&self) -> impl Iterator<Item = (usize, &Chair)> {
        self.players.iter().enumerate().filter_map(|(seat, player)| match player {
            SeatedPlayer::Person(chair) => Some((seat, chair)),
            _ => None,
        })
    }

    /// The players that wait while this person thinks.
    fn waiting_players(&self, person: &Chair) -> WaitingPlayers {
        let waits = |player: &SeatedPlayer| match player {
            SeatedPlayer::Remote(_) | SeatedPlayer::Started(..) => true,
            SeatedPlayer::Person(chair) => !std::ptr::eq(chair, person),
            SeatedPlayer::House(_) | SeatedPlayer::Gone => false,
        };
        match self.pace.tables_playing {
            TablesPlaying::Several => WaitingPlayers::OtherTables,
            // A room waits too, where people watch play in step with a show.
            TablesPlaying::One if self.leaving.control.has_show() || self.players.iter().any(waits) => {
                WaitingPlayers::TheTable
            }
            TablesPlaying::One => WaitingPlayers::Nobody,
        }
    }

    async fn ask_person(&mut self, seat: Seat, question: &Question<'_>, live: SeatSet) -> Reply {
        let SeatedPlayer::Person(chair) = &self.players[seat.index()] else { return Reply::Fold };
        let in_play = |at: usize| live.into_iter().any(|seat| seat.index() == at);
        let people = self.chairs().filter(|(at, chair)| in_play(*at) && !chair.is_away()).count();
        let waiting_players = self.waiting_players(chair);
        let time = self.pace.people.to_think(chair.think(), waiting_players, chair.is_away(), people);
        let asked = Instant::now();
        let (reply, in_time) = chair.ask(question, time, &mut self.pace.alarm).await;
        self.pace.people.took(asked.elapsed(), in_time);
        reply
    }

    /// Reports this fault of the player before the next step of the table.
    pub(super) fn report(&mut self, seat: Seat, fault: Fault) {
        self.faults.push((seat, fault));
    }

    /// Asks this player again, though it has missed two questions.
    pub(super) fn ask_again(&mut self, seat: Seat) {
        if let SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) =
            &mut self.players[seat.index()]
        {
            connection.ask_again();
        }
    }

    /// The players in seat order.
    pub(super) fn stand_up(self) -> Vec<SeatedPlayer> {
        self.players
    }

    async fn round(&mut self, table: &mut TableGame, recorder: &mut dyn TableRecorder) -> io::Result<()> {
        let mut recorded = 0;
        loop {
            // Before a fault is reported: the table keeps only the last foul of each player.
            self.keep(table, recorder, &mut recorded)?;
            for (seat, fault) in self.faults.drain(..) {
                table.table_mut().report(seat, fault);
            }
            let step = table.table_mut().step();
            self.keep(table, recorder, &mut recorded)?;
            match step {
                Step::Ask(seat) => {
                    // The order itself is recorded between the rounds.
                    let (control, player) = (&self.leaving.control, table.player_at(seat));
                    let answer = match control.removes(player) {
                        Some(reason) => Err(Fault::Removed { reason }),
                        None if control.sets_aside(player) => Ok(Reply::Fold),
                        None => self.ask(seat, table, recorder).await?,
                    };
                    table.table_mut().answer(answer);
                }
                Step::Tell(seat, notice) => self.notices.push((seat, notice)),
                Step::Over => return Ok(()),
            }
        }
    }

    /// Records the events of the table from number `recorded` on.
    fn keep(
        &mut self,
        table: &TableGame,
        recorder: &mut dyn TableRecorder,
        recorded: &mut usize,
    ) -> io::Result<()> {
        for event in &table.table().events()[*recorded..] {
            if *event == TableEvent::Ended {
                // Held messages of players that were not asked in this round must leave now: recording the end of a
                // round may take time.
                self.flush_held();
            }
            recorder.event(table, event)?;
        }
        *recorded = table.table().events().len();
        Ok(())
    }

    async fn ask(
        &mut self,
        seat: Seat,
        table: &TableGame,
        recorder: &mut dyn TableRecorder,
    ) -> io::Result<Answer> {
        let question = table.table().question(seat);
        if let SeatedPlayer::Person(_) = self.players[seat.index()] {
            // Send pending messages before the person thinks.
            self.flush_held();
            return Ok(Ok(self.ask_person(seat, &question, table.table().round().live()).await));
        }
        let (before, rest) = self.players.split_at_mut(seat.index());
        let (asked, after) = rest.split_first_mut().expect("every seat has a player");
        let connection = match asked {
            SeatedPlayer::House(bot) => return Ok(Ok(bot.decide(&question))),
            SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) => connection,
            SeatedPlayer::Person(_) | SeatedPlayer::Gone => return Ok(Err(Fault::HungUp { partial: false })),
        };
        let pace = &mut self.pace;
        let mut asking =
            PendingQuestion { seat, connection, others: [before, after], limits: self.limits, pace };
        if let Some(patience) = asking.connection.patience()
            && let Err(fault) = asking.wait_for_late_replies(patience).await
        {
            return Ok(Err(fault));
        }
        if let Some(fault) = asking.connection.silence(self.limits.reply) {
            return Ok(Err(fault));
        }
        if let Err(fault) = asking.send(&question) {
            return Ok(Err(fault));
        }
        let mut wait = asking.begin_wait();
        let answer = asking.wait(&mut wait).await;
        asking.judge(answer, &wait, table.table().round_number(), recorder)
    }

    /// Sends the held messages if the room has seen how this round ended, which they tell. Otherwise they go out with the next
    /// question, which is only asked then, or with `done`.
    pub(super) fn flush_shown(&mut self, round: u64) {
        if self.leaving.control.has_shown(ShownUntil::round(round)) {
            self.flush_held();
        }
    }

    fn flush_held(&mut self) {
        for seat in std::mem::take(&mut self.pace.held) {
            self.players[seat.index()].flush();
        }
    }

    fn notify(&mut self, seat: Seat, status: &Status) -> Result<(), Fault> {
        match &mut self.players[seat.index()] {
            SeatedPlayer::House(bot) => bot.hear(status),
            SeatedPlayer::Person(chair) => chair.notify(status),
            SeatedPlayer::Remote(connection) | SeatedPlayer::Started(connection, _) => {
                connection.notify(status);
                self.pace.held = self.pace.held.with(seat);
                if connection.has_full_outbox() {
                    return Err(Fault::NotReading);
                }
            }
            SeatedPlayer::Gone => {}
        }
        Ok(())
    }
}

/// The wait for one reply (R17).
struct ReplyWait {
    /// The limit, and the time in which the host was suspended.
    remaining: RemainingLimit,
    sent: Instant,
    /// The time bank when the question was sent.
    bank: Duration,
}

impl ReplyWait {
    fn end(&self) -> Instant {
        self.remaining.deadline + self.bank
    }
}

/// One question to a player at a socket.
struct PendingQuestion<'a> {
    seat: Seat,
    connection: &'a mut Connection,
    /// The players before and after the asked one.
    others: [&'a mut [SeatedPlayer]; 2],
    limits: ConnectionLimits,
    pace: &'a mut Pace,
}

impl PendingQuestion<'_> {
    /// Waits until the late replies have come, or their time is over.
    async fn wait_for_late_replies(&mut self, patience: Duration) -> Result<(), Fault> {
        self.flush_others();
        let come = async {
            self.pace.alarm.within(patience, Instant::now(), pin!(self.connection.late_replies())).await
        };
        // Boxed because it is rare: otherwise the task of each table would reserve room for it.
        Box::pin(come).await.unwrap_or(Ok(()))
    }

    /// Sends the question together with the messages held for this player.
    fn send(&mut self, question: &Question<'_>) -> Result<(), Fault> {
        self.pace.held = self.pace.held.without(self.seat);
        // The runtime polled the sockets when it waited for the last answer, not after it.
        let is_same = self.pace.last.replace(self.seat) == Some(self.seat);
        let look = if is_same { ReadMode::Now } else { self.pace.look };
        self.connection.send_question(question, look)
    }

    fn begin_wait(&mut self) -> ReplyWait {
        let sent = Instant::now();
        let bank = self.connection.time_bank().left(self.limits.time_bank);
        ReplyWait { remaining: RemainingLimit::new(self.limits.reply, sent), sent, bank }
    }

    /// Waits for the reply until its limit and the time bank are over. Messages held for the others are sent during a
    /// long wait.
    async fn wait(&mut self, wait: &mut ReplyWait) -> Option<Answer> {
        let mut look = self.pace.look;
        if !self.pace.held.is_empty() {
            let hold = wait.sent + MAX_MESSAGE_DELAY;
            let answer = self.pace.alarm.by(hold, pin!(self.connection.reply(look))).await;
            if answer.is_some() {
                return answer;
            }
            look = ReadMode::WhenIdle;
            self.flush_others();
        }
        loop {
            let end = wait.end();
            let reply = pin!(self.connection.reply(look));
            let answer = self.pace.alarm.until_next_tick(&mut wait.remaining, end, reply).await;
            look = ReadMode::WhenIdle;
            if answer.is_some() || wait.remaining.alive >= wait.end() {
                return answer;
            }
        }
    }

    /// Records the time of the reply and the use of the time bank, and polls the socket once more if no reply came.
    fn judge(
        self,
        answer: Option<Answer>,
        wait: &ReplyWait,
        round: u64,
        recorder: &mut dyn TableRecorder,
    ) -> io::Result<Answer> {
        let took = wait.sent.elapsed();
        let used = (wait.sent + took).saturating_duration_since(wait.remaining.deadline).min(wait.bank);
        let (most, bank) = (self.limits.time_bank, self.connection.time_bank());
        if !used.is_zero() {
            recorder.time_bank(round, self.seat, bank.take(used, most))?;
        } else if answer.is_some() {
            bank.grow(most);
        }
        let left = bank.left(most);
        let is_next_door = took < FAST_REPLY_TIME && self.pace.tables_playing == TablesPlaying::One;
        self.pace.look = if is_next_door { ReadMode::Now } else { ReadMode::WhenIdle };
        recorder.reply_time(round, self.seat, took, left);
        Ok(answer.unwrap_or_else(|| self.connection.final_read(self.limits.reply, wait.bank)))
    }

    fn flush_others(&mut self) {
        for others in &mut self.others {
            others.iter_mut().for_each(SeatedPlayer::flush);
        }
        self.pace.held = SeatSet::EMPTY;
    }
}
