//! Asks the program a question and reads its reply.

use std::time::{Duration, Instant};

use bytes::BytesMut;

use casino_stud::protocol::{modified_utf8, read_reply, write_question};
use casino_stud::stud::Chips;
use casino_stud::table::{Fault, Question, Reply};

use super::evidence::{AskedQuestion, Evidence, LastMessage};
use super::wire::{Delivery, Wire};

impl Wire {
    /// Asks a question. `put_in` is what the program has put in on the street before and on this one, in chips.
    pub(super) fn ask(&mut self, question: &Question<'_>, put_in: [Chips; 2]) -> Result<Reply, Evidence> {
        if self.delivery != Delivery::Joined {
            self.deliver();
        }
        self.expect_silence(Duration::ZERO)?;
        if let Some(evidence) = self.pending.take() {
            return Err(evidence);
        }
        if self.socket.closed {
            return Err(self.closed_by(None));
        }
        let [put_in_before, put_in] = put_in;
        let asked = AskedQuestion { bounds: question.bounds, put_in, put_in_before };
        let mut frame = BytesMut::new();
        write_question(question, &mut frame);
        let text = casino_stud::protocol::question_text(question);
        if self.delivery == Delivery::Split {
            self.send_in_pieces(&frame, &text);
        } else {
            let mut bytes = self.take_held();
            bytes.extend_from_slice(&frame);
            self.send(&bytes, &text);
        }
        let sent = Instant::now();
        let payload = self.answer(&frame, self.pace.reply, Some(&asked))?;
        self.last_message = LastMessage::Question;
        self.replies.times.push(sent.elapsed());
        let reply = self.reply(&payload, &asked)?;
        self.replies.add(reply);
        Ok(reply)
    }

    fn reply(&mut self, payload: &[u8], asked: &AskedQuestion) -> Result<Reply, Evidence> {
        let reply = match read_reply(payload) {
            Ok(reply) => reply,
            Err(Fault::Frame(fault)) => return Err(Evidence::Frame { fault, raw: self.socket.raw.clone() }),
            Err(_) => {
                self.socket.listen(self.pace.quiet / 2);
                let sent = modified_utf8::decode(payload).unwrap_or_default();
                let is_name = self.replies.name.as_ref() == Some(&sent);
                return Err(Evidence::Reply {
                    sent,
                    raw: self.socket.raw.clone(),
                    question: Box::new(asked.clone()),
                    is_name,
                });
            }
        };
        if let Reply::Bet(chips) = reply
            && let Err(problem) = asked.bounds.bet(chips)
        {
            let question = Box::new(asked.clone());
            return Err(Evidence::Amount { chips, problem, question, says_totals: None });
        }
        Ok(reply)
    }

    pub(super) fn closed_by(&mut self, question: Option<&AskedQuestion>) -> Evidence {
        self.log.remark("the program closed its connection".to_string());
        Evidence::Closed {
            partial: self.socket.inbox.to_vec(),
            left: None,
            question: question.cloned().map(Box::new),
            after: self.last_message,
        }
    }
}
