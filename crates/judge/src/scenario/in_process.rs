//! Plays a scenario in this process, without sockets and without a clock.
//!
//! A script's bytes go through a model of a connection that is written down here a second time on purpose: what
//! the server makes of the same bytes on a real socket has to be the same, and a test holds the two together.

use std::collections::VecDeque;
use std::convert::Infallible;

use bytes::BytesMut;

use casino_host::{ConnectionLimits, Refusal, read_login};
use casino_stud::protocol::{
    FrameCodec, FrameError, done_text, question_text, read_reply, read_stray, status_text,
};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::Seat;
use casino_stud::table::{Answer, Fault, Notice, Participants, Question, play_round};
use casino_stud::tournament::{Event, Recorder, TableGame};

use super::file::{Scenario, SeatController};
use super::run::{RunRecorder, ScenarioRun, TranscriptLine};
use super::script::{ScriptAction, ScriptEntry, ScriptedMessage};

impl Scenario {
    /// Plays the scenario in this process.
    pub fn play(&self) -> ScenarioRun {
        let mut recorder = RunRecorder::new(self);
        let mut game = recorder.game(self);
        let limits = ConnectionLimits::default();
        recorder.run.visitors =
            self.visitors.iter().map(|visitor| self.play_visitor(&visitor.entry, &limits)).collect();
        let players = recorder.run.seating.iter().map(|player| self.seat_player(*player, &limits)).collect();
        let mut table = ScenarioTable { players, recorder, events_recorded: 0 };
        while game.deal() {
            table.events_recorded = 0;
            let Ok(()) = play_round(&mut game, &mut table);
        }
        table.recorder.finish(&game);
        let event = Event::from(game);
        for (player, exit_reason) in event.exit_reasons() {
            table.players[player].record_done(&exit_reason.last_word(event.forgiven(player)));
        }
        let ScenarioTable { players, recorder, .. } = table;
        let mut run = recorder.run;
        for (player, seat) in run.seating.clone().into_iter().zip(players) {
            if let ScenarioSeat::Scripted(connection) = seat {
                run.transcripts[player] = connection.transcript;
                run.left_over[player] = connection.script.len();
                run.unscripted.extend(connection.unscripted.into_iter().map(|question| (player, question)));
            }
        }
        run.unscripted.sort_by_key(|(player, _)| *player);
        run
    }

    fn seat_player(&self, player: usize, limits: &ConnectionLimits) -> ScenarioSeat<'_> {
        match &self.players[player].plays {
            SeatController::House(bot) => ScenarioSeat::House(self.house_bot(bot, player)),
            SeatController::Script { login, script, .. } => {
                let mut connection = ScriptedConnection::new(script, limits.reply.as_millis() as u64);
                for _ in 0..=usize::from(self.settings.relogin) {
                    connection.record_received("login".to_string());
                    connection.record_sent(&format!("{}:{}", login.github_id, login.avatar));
                }
                connection.send_unasked();
                ScenarioSeat::Scripted(connection)
            }
        }
    }

    pub(super) fn house_bot(&self, bot: &HouseBot, player: usize) -> Box<dyn Bot> {
        Box::new(bot.seated(&self.players[player].entrant().github_id, &self.settings.seed))
    }

    /// Why the lobby refuses a well-formed login; `None` for the players of the scenario.
    pub(super) fn refusal_without_seat(&self, github_id: &str) -> Option<String> {
        let has_seat = self.players.iter().any(|player| player.entrant().github_id == github_id);
        (!has_seat).then(|| "this scenario has no seat for it".to_string())
    }

    fn play_visitor(&self, entry: &ScriptEntry, limits: &ConnectionLimits) -> Vec<TranscriptLine> {
        let mut connection =
            ScriptedConnection::new(std::slice::from_ref(entry), limits.login.as_millis() as u64);
        connection.send_unasked();
        connection.record_received("login".to_string());
        connection.play_next();
        let refused = match read_login(connection.frame()) {
            Err(why) => why,
            Ok(login) => {
                self.refusal_without_seat(&login.github_id).map_or(Refusal::Inside, Refusal::Unwanted)
            }
        };
        connection.pass_limit();
        connection.record_received(done_text(&refused.last_word()));
        connection.transcript
    }
}

/// The players of a scenario at its table and the recorder of what happens there.
struct ScenarioTable<'s> {
    players: Vec<ScenarioSeat<'s>>,
    recorder: RunRecorder,
    /// How many events of the round have been recorded.
    events_recorded: usize,
}

impl Participants<TableGame> for ScenarioTable<'_> {
    type Stop = Infallible;

    fn after_step(&mut self, game: &TableGame) -> Result<(), Infallible> {
        let events = game.table().events();
        for event in &events[self.events_recorded..] {
            self.recorder.event(game, event).expect("a recorder in memory does not fail");
        }
        self.events_recorded = events.len();
        Ok(())
    }

    fn answer(&mut self, game: &TableGame, seat: Seat) -> Result<Answer, Infallible> {
        let question = game.table().question(seat);
        Ok(match &mut self.players[seat.index()] {
            ScenarioSeat::House(bot) => Ok(bot.decide(&question)),
            ScenarioSeat::Scripted(connection) => connection.answer(&question),
        })
    }

    fn tell(
        &mut self,
        game: &TableGame,
        seat: Seat,
        notice: &Notice,
    ) -> Result<Result<(), Fault>, Infallible> {
        let player = &mut self.players[seat.index()];
        match (player, notice) {
            (ScenarioSeat::House(bot), Notice::Status(status)) => bot.hear(status),
            (ScenarioSeat::Scripted(connection), Notice::Status(status)) => {
                connection.record_received(status_text(status));
            }
            (player, Notice::Done) => {
                let reason = game.table().exit_reason(seat).expect("a player who is told done has a reason");
                player.record_done(&reason.last_word(game.forgiven(seat)));
            }
        }
        Ok(Ok(()))
    }
}

enum ScenarioSeat<'s> {
    House(Box<dyn Bot>),
    Scripted(ScriptedConnection<'s>),
}

impl ScenarioSeat<'_> {
    fn record_done(&mut self, last_word: &str) {
        if let ScenarioSeat::Scripted(connection) = self {
            connection.record_received(done_text(last_word));
        }
    }
}

/// A scripted player and a model of its connection that takes no time.
struct ScriptedConnection<'s> {
    script: VecDeque<&'s ScriptEntry>,
    limit_ms: u64,
    codec: FrameCodec,
    /// Bytes that were sent and have not been read by the dealer.
    inbox: BytesMut,
    /// Bytes that are sent only after the limit.
    after_limit: Vec<u8>,
    /// The number of replies that came too late and have not been read.
    late_replies: u32,
    disconnected: bool,
    transcript: Vec<TranscriptLine>,
    unscripted: Vec<String>,
}

impl<'s> ScriptedConnection<'s> {
    fn new(script: &'s [ScriptEntry], limit_ms: u64) -> ScriptedConnection<'s> {
        ScriptedConnection {
            script: script.iter().collect(),
            limit_ms,
            codec: FrameCodec::default(),
            inbox: BytesMut::new(),
            after_limit: Vec::new(),
            late_replies: 0,
            disconnected: false,
            transcript: Vec::new(),
            unscripted: Vec::new(),
        }
    }

    fn record_received(&mut self, text: String) {
        if !self.disconnected {
            self.transcript.push(TranscriptLine::ToPlayer(text));
        }
    }

    fn record_sent(&mut self, text: &str) {
        self.transcript.push(TranscriptLine::FromPlayer(text.to_string()));
    }

    fn answer(&mut self, question: &Question<'_>) -> Answer {
        self.expect_silence()?;
        self.record_received(question_text(question));
        if self.script.is_empty() {
            self.unscripted.push(question_text(question));
            self.record_sent("fold");
            return read_reply(b"fold");
        }
        self.play_next();
        let answer = self.reply();
        self.pass_limit();
        self.send_unasked();
        answer
    }

    /// Does what the next entry of the script says.
    fn play_next(&mut self) {
        let Some(ScriptEntry { action, .. }) = self.script.pop_front() else { return };
        match action {
            ScriptAction::Answer(message) | ScriptAction::Unasked(message) => self.send(message),
            ScriptAction::Late(message) => {
                let (in_time, late) = message.split_at_limit();
                self.inbox.extend_from_slice(in_time);
                self.after_limit = late.to_vec();
                self.record_sent(&message.shown);
            }
            ScriptAction::Silence => self.record_sent("(silence)"),
            ScriptAction::Disconnect(disconnect) => {
                self.record_sent(&disconnect.shown());
                self.disconnected = true;
            }
        }
    }

    fn send(&mut self, message: &ScriptedMessage) {
        self.inbox.extend_from_slice(&message.bytes);
        self.record_sent(&message.shown);
        if let Some(disconnect) = message.then {
            self.record_sent(&disconnect.shown());
            self.disconnected = true;
        }
    }

    /// Sends the unasked messages that come next in the script.
    fn send_unasked(&mut self) {
        while !self.disconnected && self.script.front().is_some_and(|entry| entry.is_unasked()) {
            self.play_next();
        }
    }

    /// Sends what was to be sent after the limit.
    fn pass_limit(&mut self) {
        let late = std::mem::take(&mut self.after_limit);
        self.inbox.extend_from_slice(&late);
    }

    fn decode(&mut self) -> Result<Option<bytes::Bytes>, Fault> {
        self.codec.decode(&mut self.inbox).map_err(|error| match error {
            FrameError::Fault(fault) => Fault::Frame(fault),
            // A codec without a stream has no such error.
            FrameError::Io(_) => Fault::HungUp { partial: false },
        })
    }

    fn hung_up(&self) -> Fault {
        Fault::HungUp { partial: !self.inbox.is_empty() }
    }

    fn expect_silence(&mut self) -> Result<(), Fault> {
        if self.disconnected {
            return Err(self.hung_up());
        }
        while !self.inbox.is_empty() {
            match self.decode()? {
                Some(_) if self.late_replies > 0 => self.late_replies -= 1,
                Some(stray) => return Err(read_stray(&stray)),
                None if self.late_replies > 0 => break,
                None => {
                    self.inbox.clear();
                    return Err(Fault::Stray { sent: String::new() });
                }
            }
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<bytes::Bytes, Fault> {
        match self.decode()? {
            Some(frame) => Ok(frame),
            None if self.disconnected => Err(self.hung_up()),
            None => Err(Fault::Late { limit_ms: self.limit_ms, partial: !self.inbox.is_empty() }),
        }
    }

    fn reply(&mut self) -> Answer {
        loop {
            match self.frame() {
                Ok(_) if self.late_replies > 0 => self.late_replies -= 1,
                Ok(payload) => return read_reply(&payload),
                Err(fault) => {
                    if matches!(fault, Fault::Late { .. }) {
                        self.late_replies += 1;
                    }
                    return Err(fault);
                }
            }
        }
    }
}
