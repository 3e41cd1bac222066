//! A scenario played with nothing but the table: no socket, no clock.
//!
//! A script's bytes go through a model of a connection that is written down here a second time on purpose: what
//! the server makes of the same bytes on a real socket has to be the same, and a test holds the two together.

use std::collections::VecDeque;
use std::convert::Infallible;

use bytes::BytesMut;
use tokio_util::codec::Decoder;

use crate::protocol::{
    FrameCodec, FrameError, done_text, question_text, read_reply, read_stray, status_text,
};
use crate::server::{ConnectionLimits, Refusal, read_login};
use crate::strategies::{Bot, HouseBot};
use crate::stud::Seat;
use crate::table::{Answer, ExitReason, Fault, Question, Status};
use crate::tournament::{Event, Recorder, TableGame};

use super::file::{Scenario, SeatController};
use super::run::{Notes, ScenarioRun, Spoken};
use super::script::{Act, Does, ScriptedMessage};
use super::scripted_table::{Participants, play_round};

impl Scenario {
    /// Plays it in this process.
    pub fn play(&self) -> ScenarioRun {
        let mut notes = Notes::new(self);
        let mut game = notes.tournament(self);
        let limits = ConnectionLimits::default();
        notes.played.visitors =
            self.visitors.iter().map(|visitor| self.visit(&visitor.act, &limits)).collect();
        let players = notes.played.seating.iter().map(|player| self.sit(*player, &limits)).collect();
        let mut table = ScenarioTable { players, notes, events_noted: 0 };
        while game.deal() {
            table.events_noted = 0;
            let Ok(()) = play_round(&mut game, &mut table);
        }
        table.notes.finish(&game);
        for (player, exit_reason) in Event::from(game).exit_reasons() {
            table.players[player].dismissed(&exit_reason.to_string());
        }
        let ScenarioTable { players, notes, .. } = table;
        let mut played = notes.played;
        for (player, sitting) in played.seating.clone().into_iter().zip(players) {
            if let Sitting::Scripted(line) = sitting {
                played.lines[player] = line.spoken;
                played.left_over[player] = line.acts.len();
                played.unscripted.extend(line.unscripted.into_iter().map(|question| (player, question)));
            }
        }
        played.unscripted.sort_by_key(|(player, _)| *player);
        played
    }

    fn sit(&self, player: usize, limits: &ConnectionLimits) -> Sitting<'_> {
        match &self.players[player].plays {
            SeatController::House(bot) => Sitting::House(self.house_bot(bot, player)),
            SeatController::Script { login, acts, .. } => {
                let mut line = Line::new(acts, limits.reply.as_millis() as u64);
                for _ in 0..=usize::from(self.settings.relogin) {
                    line.told("login".to_string());
                    line.said(&format!("{}:{}", login.github_id, login.avatar));
                }
                line.speak_unasked();
                Sitting::Scripted(line)
            }
        }
    }

    /// A house bot at its place.
    pub(super) fn house_bot(&self, bot: &HouseBot, player: usize) -> Box<dyn Bot> {
        Box::new(bot.seated(&self.players[player].entrant().github_id, &self.settings.seed))
    }

    /// Why this login would not be let in although it is well-formed: who has a seat is known beforehand.
    pub(super) fn no_seat(&self, github_id: &str) -> Option<String> {
        let has_seat = self.players.iter().any(|player| player.entrant().github_id == github_id);
        (!has_seat).then(|| "this scenario has no seat for it".to_string())
    }

    fn visit(&self, act: &Act, limits: &ConnectionLimits) -> Vec<Spoken> {
        let mut line = Line::new(std::slice::from_ref(act), limits.login.as_millis() as u64);
        line.speak_unasked();
        line.told("login".to_string());
        line.act();
        let refused = match read_login(line.frame()) {
            Err(why) => why,
            Ok(login) => self.no_seat(&login.github_id).map_or(Refusal::Inside, Refusal::Unwanted),
        };
        line.catch_up();
        line.told(done_text(&refused.last_word()));
        line.spoken
    }
}

/// The players of a scenario at its table, and the notes of what happens there.
struct ScenarioTable<'s> {
    players: Vec<Sitting<'s>>,
    notes: Notes,
    /// How many events of the round have been noted.
    events_noted: usize,
}

impl Participants for ScenarioTable<'_> {
    type Stop = Infallible;

    fn after_step(&mut self, game: &TableGame) {
        let events = game.table().events();
        for event in &events[self.events_noted..] {
            self.notes.event(game, event).expect("notes in memory are always kept");
        }
        self.events_noted = events.len();
    }

    fn answer(&mut self, game: &TableGame, seat: Seat) -> Result<Answer, Infallible> {
        let question = game.table().question(seat);
        Ok(match &mut self.players[seat.index()] {
            Sitting::House(bot) => Ok(bot.decide(&question)),
            Sitting::Scripted(line) => line.answer(&question),
        })
    }

    fn status(&mut self, seat: Seat, status: &Status) -> Result<(), Fault> {
        match &mut self.players[seat.index()] {
            Sitting::House(bot) => bot.hear(status),
            Sitting::Scripted(line) => line.told(status_text(status)),
        }
        Ok(())
    }

    fn done(&mut self, seat: Seat, reason: &ExitReason) {
        self.players[seat.index()].dismissed(&reason.to_string());
    }
}

enum Sitting<'s> {
    House(Box<dyn Bot>),
    Scripted(Line<'s>),
}

impl Sitting<'_> {
    fn dismissed(&mut self, reason: &str) {
        if let Sitting::Scripted(line) = self {
            line.told(done_text(reason));
        }
    }
}

/// A scripted player and its end of a connection that takes no time.
struct Line<'s> {
    acts: VecDeque<&'s Act>,
    limit_ms: u64,
    codec: FrameCodec,
    /// What has been sent and not been read.
    inbox: BytesMut,
    /// What is sent only when the time is over.
    afterwards: Vec<u8>,
    /// Replies that came too late and have not been read.
    owed: u32,
    gone: bool,
    spoken: Vec<Spoken>,
    unscripted: Vec<String>,
}

impl<'s> Line<'s> {
    fn new(acts: &'s [Act], limit_ms: u64) -> Line<'s> {
        Line {
            acts: acts.iter().collect(),
            limit_ms,
            codec: FrameCodec::default(),
            inbox: BytesMut::new(),
            afterwards: Vec::new(),
            owed: 0,
            gone: false,
            spoken: Vec::new(),
            unscripted: Vec::new(),
        }
    }

    fn told(&mut self, text: String) {
        if !self.gone {
            self.spoken.push(Spoken::Told(text));
        }
    }

    fn said(&mut self, text: &str) {
        self.spoken.push(Spoken::Said(text.to_string()));
    }

    fn answer(&mut self, question: &Question<'_>) -> Answer {
        self.expect_silence()?;
        self.told(question_text(question));
        if self.acts.is_empty() {
            self.unscripted.push(question_text(question));
            self.said("fold");
            return read_reply(b"fold");
        }
        self.act();
        let answer = self.reply();
        self.catch_up();
        self.speak_unasked();
        answer
    }

    /// Does the next thing in the script.
    fn act(&mut self) {
        let Some(Act { does, .. }) = self.acts.pop_front() else { return };
        match does {
            Does::Answer(message) | Does::Unasked(message) => self.send(message),
            Does::Late(message) => {
                let in_time = if message.split { message.bytes.len() - 1 } else { 0 };
                self.inbox.extend_from_slice(&message.bytes[..in_time]);
                self.afterwards = message.bytes[in_time..].to_vec();
                self.said(&message.said);
            }
            Does::Silence => self.said("(silence)"),
            Does::Leave(leave) => {
                self.said(&leave.said());
                self.gone = true;
            }
        }
    }

    fn send(&mut self, message: &ScriptedMessage) {
        self.inbox.extend_from_slice(&message.bytes);
        self.said(&message.said);
        if let Some(leave) = message.then {
            self.said(&leave.said());
            self.gone = true;
        }
    }

    /// What is said before the next question is said as early as can be.
    fn speak_unasked(&mut self) {
        while !self.gone && self.acts.front().is_some_and(|act| act.is_unasked()) {
            self.act();
        }
    }

    /// The time is over.
    fn catch_up(&mut self) {
        let late = std::mem::take(&mut self.afterwards);
        self.inbox.extend_from_slice(&late);
    }

    fn decode(&mut self) -> Result<Option<bytes::Bytes>, Fault> {
        self.codec.decode(&mut self.inbox).map_err(|error| match error {
            FrameError::Fault(fault) => Fault::Frame(fault),
            FrameError::Io(_) => unreachable!("there is no input or output here"),
        })
    }

    fn hung_up(&self) -> Fault {
        Fault::HungUp { partial: !self.inbox.is_empty() }
    }

    fn expect_silence(&mut self) -> Result<(), Fault> {
        if self.gone {
            return Err(self.hung_up());
        }
        while !self.inbox.is_empty() {
            match self.decode()? {
                Some(_) if self.owed > 0 => self.owed -= 1,
                Some(stray) => return Err(read_stray(&stray)),
                None if self.owed > 0 => break,
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
            None if self.gone => Err(self.hung_up()),
            None => Err(Fault::Late { limit_ms: self.limit_ms, partial: !self.inbox.is_empty() }),
        }
    }

    fn reply(&mut self) -> Answer {
        loop {
            match self.frame() {
                Ok(_) if self.owed > 0 => self.owed -= 1,
                Ok(payload) => return read_reply(&payload),
                Err(fault) => {
                    if matches!(fault, Fault::Late { .. }) {
                        self.owed += 1;
                    }
                    return Err(fault);
                }
            }
        }
    }
}
