//! Playing a recorded round again, line by line.

use std::io::BufRead;

use crate::journal::{Content, JournalLine, RecordedLine, Replied, write_event};
use crate::protocol::read_reply;
use crate::strategies::Bot;
use crate::stud::{Chips, Seat, SeatSet, Turn};
use crate::table::{Answer, Fault, Notice, Reply, Step, TableEvent};

use super::mismatch::{compare, differs};
use super::{Observer, Replay, ReplayError, Segment};

/// Why a journal is refused in which a host of an earlier version let an ejected player repeat its foul.
const REPEATED_FOUL: &str = "this bet is legal here: an earlier version of Casino Day dealt the round again after a crash, and \
    recorded the foul of its first deal once more; verify the journal with the version that wrote it";

/// The lines of a round and how many of them have been matched.
pub(super) struct RoundLines {
    #[expect(clippy::vec_box, reason = "lines are handed on without being copied")]
    entries: Vec<Box<RecordedLine>>,
    at: usize,
    /// How many of the table's events those are.
    matched: usize,
    /// Whether the end of the round has been matched.
    ended: bool,
}

impl RoundLines {
    fn next(&self) -> Option<&RecordedLine> {
        self.entries.get(self.at).map(|entry| &**entry)
    }

    /// The reply of the player in this seat, if that comes next and is written as the dealer writes it.
    fn reply_of(&self, asked: Seat) -> Option<Reply> {
        match self.next()?.content {
            Content::Reply { seat, reply } if seat == asked.index() + 1 => Some(reply),
            _ => None,
        }
    }

    /// The seat and the fault of a player who had not been asked, if that comes next.
    fn unasked(&self) -> Option<(usize, &Fault)> {
        match self.next()?.read()? {
            JournalLine::Foul { seat, asked: false, did: Replied::Fault(fault), .. } => Some((*seat, fault)),
            _ => None,
        }
    }

    /// The seat of the player who answers next, from 1.
    fn answers_next(&self) -> Option<usize> {
        let mut rest = self.entries[self.at..].iter().skip_while(|entry| {
            matches!(entry.read(), Some(JournalLine::Foul { asked: false, .. } | JournalLine::Left { .. }))
        });
        match &rest.next()?.content {
            Content::Reply { seat, .. } => Some(*seat),
            Content::Read(line) => match **line {
                JournalLine::Reply { seat, .. } | JournalLine::Foul { seat, asked: true, .. } => Some(seat),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<R: BufRead> Replay<R> {
    /// Plays a round at a table, which begins with the next line and has been read to its end.
    pub(super) fn round(&mut self, observer: &mut impl Observer) -> Result<Segment, ReplayError> {
        let mut entries: Vec<_> = self.lines.take().into_iter().collect();
        while let Some(entry) = self.lines.take_of_table() {
            let players = self.event.tables()[self.table].players();
            let uses_bank = self.banks.apply(&entry, players);
            let uses_bank = uses_bank.map_err(|why| differs(Some(&entry), None, &why))?;
            if !uses_bank && !self.note(&entry) {
                entries.push(entry);
            }
        }
        let mut round = RoundLines { entries, at: 0, matched: 0, ended: false };
        self.play(&mut round, observer)?;
        self.lines.reuse(round.entries.into_iter());
        Ok(Segment::Round { round: self.tournament().table().round_number() })
    }

    fn play(&mut self, round: &mut RoundLines, observer: &mut impl Observer) -> Result<(), ReplayError> {
        if !self.table_mut().deal() {
            return Err(self.out_of_place(round.next()));
        }
        loop {
            self.matches(round, observer)?;
            self.reports(round, observer, false)?;
            let step = self.table_mut().table_mut().step();
            self.matches(round, observer)?;
            match step {
                Step::Ask(seat) => {
                    self.reports(round, observer, true)?;
                    if self.tournament().table().round().live() == SeatSet::only(seat) {
                        // Everyone else has left meanwhile: its answer does not count and is not recorded.
                        self.table_mut().table_mut().answer(Ok(Reply::Fold));
                        continue;
                    }
                    if let Some(reply) = round.reply_of(seat) {
                        self.ask_house_bot(seat, reply, round)?;
                        observer.answered(self.tournament(), seat, &Ok(reply));
                        self.table_mut().table_mut().answer(Ok(reply));
                        continue;
                    }
                    let answer = self.answer(seat, round)?;
                    observer.answered(self.tournament(), seat, &answer);
                    self.table_mut().table_mut().answer(answer);
                }
                Step::Tell(seat, notice) => self.notify(seat, &notice, observer),
                Step::Over => match round.next() {
                    None => return Ok(()),
                    Some(_) if round.unasked().is_some() => {}
                    Some(entry) => {
                        return Err(differs(Some(entry), None, "the round is over before this line"));
                    }
                },
            }
        }
    }

    fn notify(&mut self, seat: Seat, notice: &Notice, observer: &mut impl Observer) {
        let player = self.tournament().player_at(seat);
        if let (Some(bot), Notice::Status(status)) = (self.house.at(player), notice) {
            bot.hear(status);
        }
        observer.notice(self.tournament(), seat, notice);
    }

    /// Compares the events of the table with the lines.
    fn matches(&mut self, round: &mut RoundLines, observer: &mut impl Observer) -> Result<(), ReplayError> {
        while let Some(&event) = self.tournament().table().events().get(round.matched) {
            self.computed.clear();
            write_event(&self.event.tables()[self.table], &event, &mut self.computed);
            let Some(entry) = round.next() else {
                let computed = std::mem::take(&mut self.computed);
                return Err(self.missing(Some(&computed), "a line is missing here"));
            };
            compare(entry, &self.computed)?;
            round.ended |= event == TableEvent::Ended;
            round.at += 1;
            round.matched += 1;
            observer.event(self.tournament(), &event);
        }
        Ok(())
    }

    /// Reports the recorded faults of those who had not been asked, as far as they come next.
    fn reports(
        &mut self,
        round: &mut RoundLines,
        observer: &mut impl Observer,
        asked: bool,
    ) -> Result<(), ReplayError> {
        while let Some((number, fault)) = round.unasked() {
            let table = self.tournament().table();
            let seat = match self.seat(number) {
                Some(seat) if table.seated().contains(seat) => seat,
                _ => return Err(differs(round.next(), None, &format!("seat {number} is empty"))),
            };
            let waits = match table.round().turn() {
                // Was the fault reported while a player was asked, or before? While, if the same player answers next.
                Turn::Ask(next) if !round.ended && !asked => round.answers_next() == Some(next.index() + 1),
                _ => false,
            };
            if waits {
                return Ok(());
            }
            let fault = fault.clone();
            self.table_mut().table_mut().report(seat, fault);
            self.matches(round, observer)?;
        }
        Ok(())
    }

    /// The recorded answer of the player who is asked.
    fn answer(&mut self, seat: Seat, round: &RoundLines) -> Result<Answer, ReplayError> {
        let asked = seat.index() + 1;
        let Some(entry) = round.next() else {
            return Err(self.missing(None, &format!("the answer of seat {asked} is missing here")));
        };
        let answer = match entry.read() {
            Some(JournalLine::Reply { seat, reply }) if *seat == asked => {
                match read_reply(reply.as_bytes()) {
                    Ok(reply) => Ok(reply),
                    Err(_) => return Err(differs(Some(entry), None, "this is no reply")),
                }
            }
            Some(JournalLine::Foul { seat: fouled, asked: true, did, .. }) if *fouled == asked => match did {
                Replied::Illegal { bet } if self.repeats_legal_bet(seat, *bet) => {
                    return Err(differs(Some(entry), None, REPEATED_FOUL));
                }
                Replied::Illegal { bet } => Ok(Reply::Bet(*bet)),
                Replied::Fault(fault) => Err(fault.clone()),
            },
            _ => {
                let why = format!("seat {asked} is asked here, and its answer has to come next");
                return Err(differs(Some(entry), None, &why));
            }
        };
        if let Ok(reply) = answer {
            self.ask_house_bot(seat, reply, round)?;
        }
        Ok(answer)
    }

    /// Whether this bet is legal and may be recorded as a foul because the player repeats it in a round that is dealt again.
    fn repeats_legal_bet(&self, seat: Seat, bet: Chips) -> bool {
        let bounds = self.tournament().table().question(seat).bounds;
        !self.lines.skipped().is_empty() && bounds.bet(bet).is_ok()
    }

    /// A house bot in this seat has to answer the next question.
    fn ask_house_bot(&mut self, seat: Seat, recorded: Reply, round: &RoundLines) -> Result<(), ReplayError> {
        let player = self.tournament().player_at(seat);
        let Some(bot) = self.house.at(player) else { return Ok(()) };
        let again = bot.decide(&self.event.tables()[self.table].table().question(seat));
        if again == recorded {
            return Ok(());
        }
        let computed = JournalLine::Reply { seat: seat.index() + 1, reply: again.to_string() };
        let name = &self.players[player].name;
        let why = format!("the house bot {name} answers {again} with the dice of this seed, not {recorded}");
        Err(differs(round.next(), Some(&computed.bytes()), &why))
    }

    fn seat(&self, number: usize) -> Option<Seat> {
        (1..=self.tournament().players().len()).contains(&number).then(|| Seat::new(number - 1))
    }
}
