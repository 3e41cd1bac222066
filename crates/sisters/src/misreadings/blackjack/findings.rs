//! What a look at the games finds, and how the findings of all looks are put together.

use std::collections::{BTreeMap, BTreeSet};

use crate::misreadings::evidence::{Flaw, OutputPlace, Reading, ReadingTally, Theme};

/// What one look finds. It does not depend on what others find.
#[derive(Debug, Default)]
pub(super) struct TranscriptFindings {
    /// The number of a game, and the part of it with a difference.
    wrong: Vec<(usize, usize)>,
    /// What is wrong with a rule, from all observations of it.
    of_rules: Vec<Flaw>,
    /// Differences that need no explanation, by their name: a sentence, how many, where first.
    plain: BTreeMap<&'static str, (&'static str, usize, OutputPlace)>,
}

impl TranscriptFindings {
    /// Notes a difference in a part of a game: 0 is the opening shuffle, then the hands, then the end.
    pub(super) fn differs(&mut self, at: OutputPlace, part: usize) {
        self.wrong.push((at.game, part));
    }

    /// Notes a difference that needs no explanation but its sentence.
    pub(super) fn plain(&mut self, code: &'static str, says: &'static str, at: OutputPlace, part: usize) {
        self.differs(at, part);
        self.plain.entry(code).or_insert((says, 0, at)).1 += 1;
    }

    pub(super) fn found(&mut self, flaw: Option<Flaw>) {
        self.of_rules.extend(flaw);
    }

    /// Adds the explanation to what was found wrong with the rule.
    pub(super) fn explain(&mut self, more: &str) {
        self.of_rules.iter_mut().for_each(|flaw| flaw.says += more);
    }
}

/// Observations of one rule, and the parts in which it was not followed.
pub(super) struct ObservedRule {
    pub(super) tally: ReadingTally,
    pub(super) findings: TranscriptFindings,
}

impl ObservedRule {
    /// Nothing is observed yet for so many readings.
    pub(super) fn new(readings: usize) -> ObservedRule {
        ObservedRule { tally: ReadingTally::new(readings), findings: TranscriptFindings::default() }
    }

    /// As [`ReadingTally::see`], in a part of a game.
    pub(super) fn see(
        &mut self,
        at: OutputPlace,
        part: usize,
        right: bool,
        explains: impl Fn(usize) -> bool,
    ) -> bool {
        if !right {
            self.findings.differs(at, part);
        }
        self.tally.see(at, right, explains)
    }

    /// What was found, with the flaw of the rule if it was not followed.
    pub(super) fn conclude(mut self, theme: Theme, readings: &[Reading]) -> TranscriptFindings {
        self.findings.found(self.tally.flaw(theme, readings));
        self.findings
    }
}

/// The findings of all looks together: for each game the parts with a difference, and the flaws. A flaw that shows
/// earlier comes first. Of those that show at the same place, flaws of rules come first, in the order of the looks, and
/// then plain ones, by their names.
pub(super) fn together(games: usize, looks: Vec<TranscriptFindings>) -> (Vec<BTreeSet<usize>>, Vec<Flaw>) {
    let mut wrong = vec![BTreeSet::new(); games];
    let (mut flaws, mut plain) = (Vec::new(), Vec::new());
    for look in looks {
        for (game, part) in look.wrong {
            wrong[game].insert(part);
        }
        flaws.extend(look.of_rules);
        plain.extend(look.plain);
    }
    plain.sort_by_key(|(code, _)| *code);
    flaws.extend(plain.into_iter().map(|(code, (says, times, first))| {
        let times = if times == 1 { "once".into() } else { format!("{times} times") };
        Flaw { codes: vec![code.to_string()], says: format!("{says} Seen {times}."), first }
    }));
    flaws.sort_by_key(|flaw| flaw.first);
    (wrong, flaws)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_flaws_depends_on_where_they_show_and_then_on_their_kind() {
        let place = |line| OutputPlace { game: 0, line };
        let flaw =
            |code: &str, line| Flaw { codes: vec![code.into()], says: "Wrong.".into(), first: place(line) };
        let (mut one, mut other) = (TranscriptFindings::default(), TranscriptFindings::default());
        one.plain("b-plain", "Plain.", place(4), 2);
        one.plain("late", "Plain.", place(9), 3);
        one.plain("late", "Plain.", place(10), 3);
        one.found(Some(flaw("rule", 4)));
        other.plain("a-plain", "Plain.", place(4), 2);
        other.found(Some(flaw("other-rule", 4)));
        other.found(Some(flaw("early", 1)));
        let (wrong, flaws) = together(1, vec![one, other]);
        assert_eq!(wrong, [BTreeSet::from([2, 3])]);
        let codes: Vec<&str> = flaws.iter().map(|flaw| flaw.codes[0].as_str()).collect();
        assert_eq!(codes, ["early", "rule", "other-rule", "a-plain", "b-plain", "late"]);
        assert_eq!(flaws[5].says, "Plain. Seen 2 times.");
    }
}
