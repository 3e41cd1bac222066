//! Reading a journal ahead of its replay, a whole round at a time. A round that is not recorded to its end at all tables was
//! announced to nobody: it never happened, and nobody sees its lines.

use std::collections::VecDeque;
use std::io::BufRead;
use std::ops::Range;

use crate::journal::{Digest, JournalLine, ReadError, Reader, RecordedLine, Replied, Tail};
use crate::table::OnFoul;

/// The lines of a journal that count and have not been played.
#[derive(Debug)]
pub(super) struct LinesAhead<R> {
    reader: Reader<R>,
    lines: VecDeque<Box<RecordedLine>>,
    /// Up to the line of this number, rounds have been read to their end and lines are in the digest.
    read_to: u64,
    digest: Digest,
    /// Why nothing can be read after these lines.
    unreadable: Option<ReadError>,
    tail: Tail,
    /// The numbers of the lines that do not count.
    skipped: Vec<Range<u64>>,
    on_foul: OnFoul,
}

impl<R: BufRead> LinesAhead<R> {
    /// The lines after the header.
    pub(super) fn new(reader: Reader<R>) -> LinesAhead<R> {
        LinesAhead {
            lines: VecDeque::new(),
            read_to: reader.lines(),
            digest: reader.header_digest().clone(),
            unreadable: None,
            tail: Tail::Whole,
            skipped: Vec::new(),
            on_foul: reader.header().terms.conduct.on_foul,
            reader,
        }
    }

    /// The end of the journal, once everything has been read.
    pub(super) fn tail(&self) -> Tail {
        self.tail
    }

    /// The numbers of the lines that do not count, as far as they have been read.
    pub(super) fn skipped(&self) -> &[Range<u64>] {
        &self.skipped
    }

    /// The SHA-256 of all lines before the next one that does not belong to a round.
    pub(super) fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The number of the next line, and its offset.
    pub(super) fn position(&self) -> (u64, u64) {
        match (self.lines.front(), self.tail) {
            (Some(next), _) => (next.number, next.offset),
            (None, Tail::Torn { line, at, .. }) => (line, at),
            (None, Tail::Whole) => (self.reader.lines() + 1, self.reader.offset()),
        }
    }

    /// The error after the last line, if there is one.
    pub(super) fn take_error(&mut self) -> Option<ReadError> {
        self.unreadable.take()
    }

    /// Whether the next line belongs to a round that has been read to its end.
    pub(super) fn has_round(&self) -> bool {
        self.lines.front().is_some_and(|next| next.number <= self.read_to)
    }

    /// Returns the line that is played next, which stays here.
    pub(super) fn peek(&mut self) -> Option<&RecordedLine> {
        if self.lines.is_empty() {
            self.read();
        }
        self.lines.front().map(|next| &**next)
    }

    /// Takes the next line.
    pub(super) fn take(&mut self) -> Option<Box<RecordedLine>> {
        self.peek()?;
        let line = self.lines.pop_front()?;
        self.add_to_digest(&line);
        Some(line)
    }

    /// Takes the next line if it belongs to the round at the same table.
    pub(super) fn take_of_table(&mut self) -> Option<Box<RecordedLine>> {
        self.lines.front().filter(|next| !next.begins_part())?;
        self.lines.pop_front()
    }

    /// Takes lines back that are not needed any more.
    pub(super) fn reuse(&mut self, lines: impl Iterator<Item = Box<RecordedLine>>) {
        self.reader.reuse(lines);
    }

    /// Reads this round, which begins with the next line, at the tables that play it. If the journal ends before the round
    /// does, its lines are skipped.
    pub(super) fn read_round(&mut self, round: u64, tables: &[u32]) {
        let mut deals = tables.iter().map(|table| Some((*table, round)));
        let (mut part, mut is_dealt) = (0, self.lines[0].deal() == deals.next().flatten());
        let mut has_ended = false;
        // A line that does not follow ends the round: it is refused when it is played.
        while is_dealt && self.read() {
            let last = self.lines.len() - 1;
            let line = &self.lines[last];
            if !line.begins_part() {
                has_ended |= line.ends_round();
                continue;
            }
            if matches!(line.read(), Some(JournalLine::Resumed { .. })) {
                // Earlier versions left the lines of a table in the journal that did not come to the end of the round.
                let from = if has_ended { last - usize::from(self.lacks_exit(last - 1)) } else { part };
                return self.skip(from, last);
            }
            if !has_ended || !line.begins_round() {
                return self.judged(last);
            }
            let Some(deal) = deals.next() else { return self.judged(last) };
            (part, has_ended, is_dealt) = (last, false, line.deal() == deal);
        }
        let end = self.lines.len();
        if !is_dealt || self.unreadable.is_some() || self.is_damaged() {
            return self.judged(end);
        }
        if !has_ended || deals.next().is_some() || self.lacks_exit(end - 1) {
            self.cut(round);
        } else {
            self.judged(end);
        }
    }

    /// Reads another line. Returns whether there is one.
    fn read(&mut self) -> bool {
        match self.reader.recorded() {
            Some(Ok(line)) => {
                self.lines.push_back(line);
                return true;
            }
            Some(Err(error)) => self.unreadable = Some(error),
            None if self.tail == Tail::Whole => self.tail = self.reader.tail(),
            None => {}
        }
        false
    }

    /// Whether this line is a foul that costs the game, and the exit that it causes is not the next line.
    fn lacks_exit(&self, at: usize) -> bool {
        let Some(JournalLine::Foul { did, .. }) = self.lines[at].read() else { return false };
        let is_final = matches!(did, Replied::Fault(fault) if fault.is_final());
        is_final || self.on_foul == OnFoul::Eject
    }

    /// Finds a line of the round that cannot be read. Frequent lines are not parsed before.
    fn is_damaged(&mut self) -> bool {
        let damage = self.lines.iter().find_map(|line| line.line().err());
        self.unreadable = damage;
        self.unreadable.is_some()
    }

    /// The lines before this one have been read and count.
    fn judged(&mut self, end: usize) {
        for line in self.lines.iter().take(end) {
            self.digest.add(&line.bytes);
            self.read_to = line.number;
        }
    }

    fn add_to_digest(&mut self, line: &RecordedLine) {
        if line.number > self.read_to {
            self.digest.add(&line.bytes);
            self.read_to = line.number;
        }
    }

    /// Skips these lines, which stay in the journal.
    fn skip(&mut self, from: usize, to: usize) {
        self.judged(to);
        if from < to {
            self.skipped.push(self.lines[from].number..self.lines[to].number);
        }
        let skipped: Vec<_> = self.lines.drain(from..to).collect();
        self.reuse(skipped.into_iter());
    }

    /// The journal ends in this round, so its lines do not count.
    fn cut(&mut self, round: u64) {
        let (line, at) = self.position();
        let end = match self.reader.tail() {
            Tail::Torn { at, bytes, .. } => at + bytes,
            Tail::Whole => self.reader.offset(),
        };
        self.tail = Tail::Torn { at, line, bytes: end - at, round: Some(round) };
        self.skipped.push(line..u64::MAX);
        self.lines.clear();
    }
}
