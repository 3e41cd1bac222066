//! An event with players of every kind, driven over the network.

use std::io;
use std::net::IpAddr;

use tokio::task::JoinSet;
use tokio::time::Instant;

use casino_stud::protocol::Login;
use casino_stud::table::{ExitReason, Fault};
use casino_stud::tournament::{
    ConsoleAction, Ending, EntryError, Event, LateEntry, Newcomer, Recorder, Reseating, TableGame,
    TableRecorder,
};

use super::control::ShownUntil;
use super::late_door::LateAdmission;
use super::refusal::{LobbyNews, Refusal};
use super::table_host::{Leaving, SeatedPlayer, TableHost, TablesPlaying};
use super::{ConnectionLimits, Control, Guest, LateDoor, ReadMode};

const STOPPED_REASON: &str = "the people in charge ended it early";
const RESTARTED_REASON: &str = "the same cards are dealt from other seats";

/// The players of an event, in the event's order, at any tables.
///
/// Tables play hand for hand: all deal a round at the same time, each in its own task with its sockets. When the last
/// one has finished, the round is recorded for all of them at once and announced. So the record has one order, and the
/// host waits for the disk once a round rather than once a table. A table that plays alone needs no task.
#[derive(Default)]
pub struct EventHost {
    players: Vec<SeatedPlayer>,
    limits: ConnectionLimits,
    control: Control,
    /// Whether a round has been dealt since this host began.
    has_dealt: bool,
    /// Players to be removed, with reasons: they sit at no table that deals until the next level.
    removals: Vec<(usize, String)>,
    /// Whether the teacher has ended the event.
    is_ended: bool,
    /// The door for late entry, if it is allowed.
    doorkeeper: Option<LateAdmission>,
    /// The guests who sit down before the next round.
    entering: Vec<Guest>,
    leaving: Leaving,
}

/// A table in play, boxed because it takes some kilobytes and moves between tasks.
struct HostedTable {
    table: TableGame,
    host: TableHost,
    recorder: Box<dyn TableRecorder>,
}

impl EventHost {
    /// These players, in the order of the event.
    pub fn new(players: Vec<SeatedPlayer>, limits: ConnectionLimits) -> EventHost {
        EventHost { players, limits, ..EventHost::default() }
    }

    /// The same host, under this control.
    #[must_use]
    pub fn under(self, control: Control) -> EventHost {
        let leaving = Leaving { control: control.clone(), ..self.leaving };
        EventHost { control, leaving, ..self }
    }

    /// The same host with late entry through this door, as long as the event allows it. `newcomer` identifies a guest
    /// by its login and address, or refuses it; `news` receives each waiting guest that is refused.
    #[must_use]
    pub fn letting_in(
        self,
        door: LateDoor,
        newcomer: impl FnMut(&Login, IpAddr) -> Result<Newcomer, Refusal> + Send + 'static,
        news: impl FnMut(LobbyNews) + Send + 'static,
    ) -> EventHost {
        let doorkeeper = Some(LateAdmission { door, newcomer: Box::new(newcomer), news: Box::new(news) });
        EventHost { doorkeeper, ..self }
    }

    /// Plays the event to its end, or to the end of the round in which `stop` first returns true, and sends `done` to
    /// all players. The number of runtime threads affects only the duration.
    pub async fn play<R: Recorder>(
        mut self,
        event: &mut Event,
        recorder: &mut R,
        stop: impl Fn() -> bool,
    ) -> io::Result<Ending> {
        let ending = self.play_levels(event, recorder, &stop, u64::MAX).await?;
        self.shut_door(EntryError::NothingDue);
        match ending {
            Ending::Played => recorder.over(event)?,
            Ending::Stopped => recorder.pause()?,
        }
        recorder.commit()?;
        if ending == Ending::Played {
            self.control.note_over();
            for (player, exit_reason) in event.take_leaving().into_iter().chain(event.exit_reasons()) {
                self.dismiss(player, &exit_reason, event, ShownUntil::END);
            }
        } else {
            self.control.release();
        }
        for player in 0..self.players.len() {
            // After a stop, dismiss the players still in the event; after the end they have all left already.
            let exit_reason = ExitReason::Stopped { why: STOPPED_REASON.to_string() };
            self.dismiss(player, &exit_reason, event, ShownUntil::END);
        }
        self.leaving.tasks.close();
        self.leaving.tasks.wait().await;
        Ok(ending)
    }

    /// Plays the levels up to the one that ends with this round or later, and keeps the players.
    pub async fn play_levels<R: Recorder>(
        &mut self,
        event: &mut Event,
        recorder: &mut R,
        stop: &impl Fn() -> bool,
        last_round: u64,
    ) -> io::Result<Ending> {
        let mut ending = Ending::Played;
        while ending == Ending::Played {
            // A resumed event may be in the middle of a level.
            if event.due().is_none() {
                if event.rounds_played() >= last_round || !event.next_level() {
                    break;
                }
                recorder.level(event)?;
                for (player, exit_reason) in event.take_leaving() {
                    self.dismiss(player, &exit_reason, event, ShownUntil::level_after(event.rounds_played()));
                }
            }
            let (reseating, late_entry) = (event.reseating(), event.late_entry());
            let mut tables = self.sit_down(event, recorder);
            let played = self.play_tables(&mut tables, (reseating, late_entry), recorder, stop).await;
            *event.tables_mut() = self.stand_up(tables);
            ending = played?;
            if self.is_ended {
                event.end_now(self.removals.iter().map(|(player, reason)| (*player, reason.as_str())));
            }
            self.let_in(event, recorder)?;
        }
        Ok(ending)
    }

    /// Sends `done` to a player between two levels, and gives its place to this one.
    pub fn replace(&mut self, player: usize, with: SeatedPlayer, event: &Event) {
        let exit_reason = ExitReason::Stopped { why: RESTARTED_REASON.to_string() };
        self.dismiss(player, &exit_reason, event, ShownUntil::END);
        self.players[player] = with;
    }

    fn dismiss(&mut self, player: usize, exit_reason: &ExitReason, event: &Event, until: ShownUntil) {
        self.players[player].dismiss(exit_reason, event.forgiven(player), until, &self.leaving);
    }

    /// Seats the players at their tables of the level.
    fn sit_down<R: Recorder>(&mut self, event: &mut Event, recorder: &mut R) -> Vec<Box<HostedTable>> {
        let broke_stay = event.returns(&ExitReason::Busted { chips: 0, ante: 0 });
        let tables = std::mem::take(event.tables_mut());
        // No `collect`: it would reuse the allocation of the tables, which is far larger than the boxes need.
        let mut hosted = Vec::with_capacity(tables.len());
        for table in tables {
            let sit = |player: &usize| std::mem::replace(&mut self.players[*player], SeatedPlayer::Gone);
            let players = table.players().iter().map(sit).collect();
            let host = TableHost::new(players, self.limits, broke_stay, self.leaving.clone());
            let recorder = recorder.for_table(&table);
            hosted.push(Box::new(HostedTable { table, host, recorder }));
        }
        hosted
    }

    fn stand_up(&mut self, hosted: Vec<Box<HostedTable>>) -> Vec<TableGame> {
        let mut tables = Vec::with_capacity(hosted.len());
        for hosted in hosted {
            let HostedTable { table, host, .. } = *hosted;
            let players = host.stand_up();
            for (index, player) in table.players().iter().zip(players) {
                if let Some(place) = self.players.get_mut(*index) {
                    *place = player;
                }
            }
            tables.push(table);
        }
        tables
    }

    /// Plays the tables of a level, round by round, until it is over or the tables have to be balanced.
    async fn play_tables<R: Recorder>(
        &mut self,
        tables: &mut Vec<Box<HostedTable>>,
        (reseating, late_entry): (Option<Reseating>, Option<LateEntry>),
        recorder: &mut R,
        stop: &impl Fn() -> bool,
    ) -> io::Result<Ending> {
        loop {
            if reseating.is_some_and(|reseating| reseating.is_due(tables.iter().map(|hosted| &hosted.table)))
            {
                return Ok(Ending::Played);
            }
            let playing = tables.iter().filter(|hosted| !hosted.table.is_over());
            let Some(round) = playing.map(|hosted| hosted.table.next_round()).min() else {
                return Ok(Ending::Played);
            };
            self.rest(tables, round, recorder, stop).await?;
            if self.has_dealt && stop() {
                return Ok(Ending::Stopped);
            }
            if self.is_ended {
                return Ok(Ending::Played);
            }
            if late_entry.is_some_and(|rule| self.has_newcomers(rule, tables)) {
                return Ok(Ending::Played);
            }
            self.carry_out_removals(tables);
            play_hands(tables, round).await?;
            self.has_dealt = true;
            tables.iter_mut().for_each(|hosted| hosted.recorder.hand_over());
            recorder.commit()?;
            for hosted in &mut *tables {
                hosted.host.announce(&hosted.table);
            }
            self.control.round_is_over();
            people_have_looked(tables).await;
            if stop() && tables.iter().any(|hosted| !hosted.table.is_over()) {
                return Ok(Ending::Stopped);
            }
        }
    }

    /// Takes as many waiting guests as may sit down before the next round of these tables. Returns whether there are
    /// any.
    fn has_newcomers(&mut self, rule: LateEntry, tables: &[Box<HostedTable>]) -> bool {
        let Some(keeper) = &self.doorkeeper else { return false };
        for (guest, why) in keeper.door.take_restless(ReadMode::Now) {
            self.send_away(guest, why);
        }
        let Some(keeper) = &self.doorkeeper else { return false };
        match rule.free_seats(tables.iter().map(|hosted| &hosted.table)) {
            Ok(free) => self.entering = keeper.door.take(free),
            Err(EntryError::InRound | EntryError::NothingDue) => {}
            Err(why @ EntryError::Full { .. }) => {
                let guests = keeper.door.take(usize::MAX);
                guests.into_iter().for_each(|guest| self.send_away(guest, Refusal::TooLate(why)));
            }
            Err(why) => self.shut_door(why),
        }
        !self.entering.is_empty()
    }

    /// Seats the guests who enter before the next round.
    fn let_in<R: Recorder>(&mut self, event: &mut Event, recorder: &mut R) -> io::Result<()> {
        for guest in std::mem::take(&mut self.entering) {
            let from = guest.connection.peer().ip();
            let keeper = self.doorkeeper.as_mut().expect("who comes in came through a door");
            let newcomer = (keeper.newcomer)(&guest.login, from);
            let entered = newcomer.and_then(|newcomer| match event.enter() {
                Ok(_) => Ok(newcomer),
                Err(why) => Err(Refusal::TooLate(why)),
            });
            match entered {
                Ok(newcomer) => {
                    recorder.entry(event, &newcomer)?;
                    self.players.push(SeatedPlayer::Remote(guest.connection));
                }
                Err(why) => self.send_away(guest, why),
            }
        }
        Ok(())
    }

    fn shut_door(&mut self, why: EntryError) {
        let guests = self.doorkeeper.as_ref().map(|keeper| keeper.door.shut_for(why));
        guests.into_iter().flatten().for_each(|guest| self.send_away(guest, Refusal::TooLate(why)));
    }

    fn send_away(&mut self, guest: Guest, why: Refusal) {
        let peer = guest.connection.peer();
        self.leaving.tasks.spawn(guest.connection.done(&why.last_word()));
        if let Some(keeper) = &mut self.doorkeeper {
            (keeper.news)(LobbyNews::Refused { peer, login: Some(guest.login), why });
        }
    }

    /// Removes players from the tables that are about to deal. A player between levels sits at none of them; its removal stays
    /// pending until the next level.
    fn carry_out_removals(&mut self, tables: &mut [Box<HostedTable>]) {
        self.removals.retain(|(player, reason)| {
            let mut playing = tables.iter_mut().filter(|hosted| !hosted.table.is_over());
            let at = playing.find_map(|hosted| {
                let seat = hosted.table.seat_of(*player)?;
                hosted.table.table().seated().contains(seat).then_some((seat, hosted))
            });
            let Some((seat, hosted)) = at else { return true };
            hosted.host.report(seat, Fault::Removed { reason: reason.clone() });
            false
        });
    }

    /// Takes the teacher's orders and waits during a pause, before this round.
    async fn rest<R: Recorder>(
        &mut self,
        tables: &mut [Box<HostedTable>],
        round: u64,
        recorder: &mut R,
        stop: &impl Fn() -> bool,
    ) -> io::Result<()> {
        loop {
            for order in self.control.orders() {
                recorder.console(&order)?;
                match order {
                    ConsoleAction::Remove { player, reason } => {
                        self.removals.push((player.get() - 1, reason));
                    }
                    ConsoleAction::AskAgain { player } => {
                        for hosted in &mut *tables {
                            if let Some(seat) = hosted.table.seat_of(player.get() - 1) {
                                hosted.host.ask_again(seat);
                            }
                        }
                    }
                    ConsoleAction::EndNow => self.is_ended = true,
                    _ => {}
                }
            }
            let is_over = tables.iter().all(|hosted| hosted.table.is_over());
            if stop() || is_over || self.is_ended || !self.control.must_wait() {
                return Ok(());
            }
            for hosted in &mut *tables {
                // Send pending messages before the dealer pauses.
                hosted.host.flush_shown(round - 1);
            }
            recorder.flush()?;
            self.control.wait().await;
        }
    }
}

/// Waits until the people at all tables have confirmed the end of the round, which is now.
async fn people_have_looked(tables: &mut [Box<HostedTable>]) {
    let mut theirs: Vec<_> = tables.iter_mut().filter(|hosted| hosted.host.has_people()).collect();
    if theirs.is_empty() {
        return;
    }
    let ended = Instant::now();
    theirs.iter().for_each(|hosted| hosted.host.start_confirmation_deadlines(ended));
    for hosted in &mut theirs {
        let round = hosted.table.table().round_number();
        hosted.host.people_have_looked(round).await;
    }
}

/// Plays this round at all tables that have not played it, several of them concurrently in separate tasks.
async fn play_hands(tables: &mut Vec<Box<HostedTable>>, round: u64) -> io::Result<()> {
    let plays = |hosted: &HostedTable| !hosted.table.is_over() && hosted.table.next_round() == round;
    let mut playing = tables.iter_mut().filter(|hosted| plays(hosted));
    if let (Some(hosted), None) = (playing.next(), playing.next()) {
        hosted.play_round(TablesPlaying::One).await?;
        // Other tasks of this thread get a turn, even if only house bots are left.
        tokio::task::yield_now().await;
        return Ok(());
    }
    let mut tasks = JoinSet::new();
    let mut done: Vec<Option<Box<HostedTable>>> = Vec::with_capacity(tables.len());
    for (index, mut hosted) in tables.drain(..).enumerate() {
        if !plays(&hosted) {
            done.push(Some(hosted));
            continue;
        }
        done.push(None);
        tasks.spawn(async move {
            let played = hosted.play_round(TablesPlaying::Several).await;
            (index, hosted, played)
        });
    }
    let mut outcome = Ok(());
    while let Some(task) = tasks.join_next().await {
        match task {
            Ok((index, hosted, played)) => {
                outcome = outcome.and(played);
                done[index] = Some(hosted);
            }
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
    tables.extend(done.into_iter().flatten());
    outcome
}

impl HostedTable {
    async fn play_round(&mut self, tables_playing: TablesPlaying) -> io::Result<()> {
        self.host.play_round(&mut self.table, &mut *self.recorder, tables_playing).await
    }
}
