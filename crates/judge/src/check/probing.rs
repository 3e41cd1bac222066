//! Probes a silent program for the reason of its silence, which shows in the message that ends it rather than in a
//! time.

use std::time::Instant;

use super::evidence::{LoginForm, SilenceProbe};
use super::exchange::ExchangeLine;
use super::wire::{DealerTimes, Probing, Wire};

/// How often a message is sent at once, so that short answers to all of them fill the usual buffers of 8 KiB twice.
const PROBE_REPEATS: usize = 3_000;

/// At least this many bytes of answers at once have been buffered; a late reply alone is shorter.
const MIN_BUFFERED_BYTES: usize = 1_000;

impl Wire {
    /// Sends the message once more, then many times, then `done`: the reaction shows why the program is silent.
    pub(super) fn probe(&mut self, frame: &[u8], sent: Instant, is_login: bool) -> SilenceProbe {
        let mut probe = SilenceProbe::default();
        if self.probing == Probing::Nothing {
            return probe;
        }
        let DealerTimes { reply, quiet, .. } = self.pace;
        self.log.add(ExchangeLine::Note("the same message once more".to_string()));
        self.socket.write(frame);
        if self.frame(reply).is_ok() {
            // A program that has only been slow answers both, the second after the same time again.
            let took = sent.elapsed();
            let wait = if self.probing == Probing::Repeat { quiet } else { took + quiet };
            let slow = self.frame(wait).is_ok();
            (probe.late, probe.answered_repeat) = (slow.then_some(took), !slow);
            probe.answers_every_second = !slow && self.answers_every_second(frame);
            return probe;
        }
        if self.socket.closed {
            return probe;
        }
        // A slow program only needs time and no further message.
        if self.frame(2 * reply).is_ok() {
            probe.late = Some(sent.elapsed());
            return probe;
        }
        if self.socket.closed {
            return probe;
        }
        if let Some(bulk) = self.flood(frame) {
            probe.came_in_bulk = bulk;
            probe.answers_later_messages = bulk && self.answers_later_messages(frame);
            return probe;
        }
        self.send_done("The check of this step is over.");
        if self.frame(reply).is_ok() {
            // Buffered replies come all at once; slow replies come one by one.
            let took = sent.elapsed();
            let all_at_once = self.frame(quiet).is_ok();
            // A slow program still has replies to send and takes as long again; any other has answered `done` itself.
            let slow = !all_at_once && self.frame(took).is_ok();
            (probe.spoke_at_end, probe.late) = (all_at_once, slow.then_some(took));
            probe.answered_done = !all_at_once && !slow;
        } else if is_login && !self.socket.closed {
            self.log.add(ExchangeLine::Note("a line break".to_string()));
            self.socket.write(b"\n");
            self.socket.listen(reply);
            probe.reads_lines = !self.socket.raw.is_empty();
            self.note_unread();
        } else {
            probe.closed_at_done = self.socket.closed;
        }
        probe
    }

    /// Whether the program answers every second message: it throws one away after each reply.
    fn answers_every_second(&mut self, frame: &[u8]) -> bool {
        if self.probing == Probing::Repeat {
            return true;
        }
        self.log.add(ExchangeLine::Note("the same message twice more".to_string()));
        self.socket.write(frame);
        if self.frame(self.pace.reply).is_ok() || self.socket.closed {
            return false;
        }
        self.socket.write(frame);
        self.frame(self.pace.reply).is_ok()
    }

    /// Sends a message until the answers fill a buffer. Returns whether they came in bulk; `None` without any.
    fn flood(&mut self, frame: &[u8]) -> Option<bool> {
        self.log.add(ExchangeLine::Note(format!("the same message {PROBE_REPEATS} times at once")));
        self.socket.write(&frame.repeat(PROBE_REPEATS));
        self.socket.listen_for_some(self.pace.reply);
        if self.socket.raw.is_empty() {
            return None;
        }
        self.socket.listen(self.pace.quiet / 2);
        Some(self.socket.raw.len() >= MIN_BUFFERED_BYTES)
    }

    /// Whether a program whose answers came in bulk also answers single messages: it kept nothing back.
    fn answers_later_messages(&mut self, frame: &[u8]) -> bool {
        while self.frame(self.pace.quiet).is_ok() {}
        self.log.add(ExchangeLine::Note("the same message twice more, alone".to_string()));
        (0..2).all(|_| {
            self.socket.write(frame);
            self.frame(self.pace.quiet).is_ok()
        })
    }

    /// Sends a `login` that is written otherwise. Whether anything comes as an answer.
    pub(super) fn answers_form(&mut self, form: LoginForm) -> bool {
        self.log.add(ExchangeLine::Note(format!("a login {}", form.in_words())));
        self.socket.write(form.bytes());
        self.socket.listen_for_some(self.pace.reply);
        if self.socket.raw.is_empty() || form != LoginForm::LongLength {
            return !self.socket.raw.is_empty();
        }
        // Half of a four-byte length gets no answer; a program that answers takes the two bytes for an empty message.
        self.socket.write(b"\0\0");
        self.socket.listen(self.pace.quiet);
        self.socket.raw.is_empty()
    }
}
