//! Recognizes faults of a reply whose frame is correct.

use crate::check::evidence::AskedQuestion;
use casino_stud::protocol::read_reply;
use casino_stud::stud::{Chips, IllegalBet};

use super::Cause;

/// First words of replies in Blackjack, Cribbage and games of tricks, which this one does not have.
const OTHER_GAMES: [&str; 9] =
    ["play", "hit", "stand", "draw", "discard", "double", "surrender", "peg", "split"];

pub(super) fn wording(sent: &str, is_name: bool) -> Cause {
    if let Some(cause) = wrapped(sent) {
        return cause;
    }
    let small = sent.to_lowercase();
    let amount = sent.strip_prefix("bet:").unwrap_or(sent);
    let number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let reads = |text: &str| read_reply(text.as_bytes()).is_ok();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if sent.is_empty() {
        Cause::EmptyReply
    } else if sent.chars().any(|c| !c.is_ascii() && c.is_numeric()) {
        Cause::OtherDigits
    } else if sent.ends_with('\n') {
        Cause::NewLine
    } else if sent.split_whitespace().count() == 2 && small.starts_with("bet ") {
        Cause::Separator
    } else if sent.contains(char::is_whitespace) && reads(&sent.split_whitespace().collect::<String>()) {
        Cause::WhiteSpace
    } else if sent != small && reads(&small) {
        Cause::Capitals
    } else if ["bet1:", "bet2:"].iter().any(|street| small.strip_prefix(street).is_some_and(digits)) {
        Cause::StreetInReply
    } else if small.starts_with("bet1") || small.starts_with("bet2") || small == "login" {
        Cause::Echo
    } else if amount.starts_with('-') && number(amount) {
        Cause::Negative
    } else if amount.starts_with('+') && number(&amount[1..]) {
        Cause::Sign
    } else if sent.starts_with("bet:") && digits(amount) && amount.starts_with('0') {
        Cause::LeadingZero
    } else if digits(sent) {
        Cause::BareNumber
    } else if sent.starts_with("bet:")
        && (number(amount) || number(&amount.replace(',', ".")))
        && !digits(amount)
    {
        Cause::Decimal
    } else if small.starts_with("bet")
        && small[3..].trim_start_matches(['=', ',', ';', '-']).parse::<Chips>().is_ok()
    {
        Cause::Separator
    } else if OTHER_GAMES.iter().any(|word| small.split(':').next() == Some(word)) {
        Cause::OtherGame
    } else if ["check", "call", "raise", "pass", "allin", "all-in"].iter().any(|word| small.starts_with(word))
    {
        Cause::OtherWord
    } else if small.starts_with("fold:") || (small.starts_with("bet:") && small.matches(':').count() > 1) {
        Cause::ExtraFields
    } else if is_name {
        Cause::NameForReply
    } else if sent.match_indices(':').any(|(at, _)| reads(&sent[at + 1..])) {
        Cause::ExtraFields
    } else {
        Cause::NoReply
    }
}

/// The fault of a reply that has something around it or between its letters.
fn wrapped(sent: &str) -> Option<Cause> {
    let reads = |text: &str| read_reply(text.as_bytes()).is_ok();
    let around = |c: char| "\"'`<>()[]{}".contains(c);
    let bare: String =
        sent.strip_prefix('b').filter(|rest| rest.starts_with(['\'', '"'])).unwrap_or(sent).into();
    if sent.contains('\0') {
        let text = sent.trim_matches('\0');
        let cause = if text.contains('\0') { Cause::WideText } else { Cause::ZeroByte };
        return reads(&sent.replace('\0', "")).then_some(cause);
    }
    if ["null", "none", "undefined", "bet:null", "bet:none", "bet:undefined", "bet:nan"]
        .contains(&sent.to_lowercase().as_str())
    {
        return Some(Cause::NullReply);
    }
    (sent.contains(around) && reads(&bare.replace(around, ""))).then_some(Cause::Quoted)
}

/// The fault of an illegal amount, and a possible other one: only other copies distinguish a total from chance.
pub(super) fn amount(
    chips: Chips,
    problem: IllegalBet,
    question: &AskedQuestion,
    says_totals: Option<bool>,
) -> (Cause, Option<Cause>) {
    let plain = plain_amount(chips, problem, question);
    let bounds = &question.bounds;
    let may_be_total = problem != IllegalBet::BelowCall
        && amounts_without_previous_bets(chips, question).any(|added| bounds.bet(added).is_ok());
    match says_totals {
        Some(true) if may_be_total => (Cause::Total, None),
        // To the chip: its earlier bets prove it.
        None if may_be_total && is_total(chips, question) => (Cause::Total, Some(plain)),
        None if may_be_total => (plain, Some(Cause::Total)),
        _ => (plain, None),
    }
}

/// Whether an illegal amount equals, to the chip, the chips already put in plus a call or plus the largest raise.
pub(in crate::check) fn is_total(chips: Chips, question: &AskedQuestion) -> bool {
    let bounds = &question.bounds;
    amounts_without_previous_bets(chips, question)
        .any(|added| [bounds.to_call, bounds.most()].contains(&added))
}

/// The chips the amount would add if it were a total, of this street or of the round, or counted on from the last amount
/// as if that had been one.
fn amounts_without_previous_bets(chips: Chips, question: &AskedQuestion) -> impl Iterator<Item = Chips> {
    let round = question.put_in.saturating_add(question.put_in_before);
    let had = [question.put_in, round, question.last_bet].into_iter().filter(|had| *had > 0);
    had.filter_map(move |had| chips.checked_sub(had))
}

/// Whether an amount is the call of the first street, repeated where the second begins. One that is the cap may be a constant.
fn is_stale(chips: Chips, question: &AskedQuestion) -> bool {
    let begins_second = question.put_in == 0 && question.put_in_before > 0;
    begins_second && chips > 0 && chips == question.last_call && chips != question.bounds.raise_cap
}

fn plain_amount(chips: Chips, problem: IllegalBet, question: &AskedQuestion) -> Cause {
    match problem {
        _ if question.bounds.stack < question.bounds.to_call => Cause::CannotCall,
        IllegalBet::AboveStack => Cause::OverStack,
        // A bet above the stack is reported as such, even if it breaks other limits too.
        IllegalBet::AboveCap if chips > question.bounds.stack => Cause::OverStack,
        _ if is_stale(chips, question) => Cause::StaleAmount,
        IllegalBet::AboveCap => Cause::OverCap,
        IllegalBet::BelowCall if chips == 0 => Cause::ZeroFacing,
        IllegalBet::BelowCall => Cause::UnderCall,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckStep;
    use crate::check::diagnosis::diagnose;
    use crate::check::diagnosis::tests::{cause_of, question};
    use crate::check::evidence::Evidence;
    use casino_host::ProgramOutputs;

    #[test]
    fn texts_that_are_no_reply_are_recognised() {
        for (sent, cause) in [
            ("bet:५", Cause::OtherDigits),
            ("bet:5,5", Cause::Decimal),
            ("bet5", Cause::Separator),
            ("raise:5", Cause::OtherWord),
            ("hit", Cause::OtherGame),
            ("StephenCurry:Steph", Cause::NameForReply),
            ("fold:0", Cause::ExtraFields),
            ("bet:[5]", Cause::Quoted),
            ("\"fold\"", Cause::Quoted),
            ("null", Cause::NullReply),
            ("bet:", Cause::NoReply),
        ] {
            let raw = [&(sent.len() as u16).to_be_bytes()[..], sent.as_bytes()].concat();
            let is_name = cause == Cause::NameForReply;
            let question = Box::new(question(5, 500, 0));
            let evidence = Evidence::Reply { sent: sent.to_string(), raw, question, is_name };
            assert_eq!(cause_of(&evidence, CheckStep::Bet1), cause, "{sent:?}");
        }
    }

    #[test]
    fn amounts_are_diagnosed_by_the_broken_rule() {
        for (chips, (to_call, stack, put_in), cause) in [
            (40, (10, 400, 20), Cause::Total),
            (30, (10, 400, 20), Cause::Total),
            (35, (10, 400, 20), Cause::OverCap),
            (9, (10, 9, 0), Cause::CannotCall),
            (10, (10, 9, 0), Cause::CannotCall),
            (45, (10, 400, 20), Cause::OverCap),
            (21, (10, 400, 0), Cause::OverCap),
            (20, (10, 15, 0), Cause::OverStack),
            (40, (10, 15, 0), Cause::OverStack),
            (0, (10, 400, 0), Cause::ZeroFacing),
            (3, (10, 400, 0), Cause::UnderCall),
        ] {
            let question = Box::new(question(to_call, stack, put_in));
            let problem = question.bounds.bet(chips).unwrap_err();
            let may_be_total = cause == Cause::Total || chips == 35;
            for (says_totals, expected) in [
                (Some(true), if may_be_total { Cause::Total } else { cause }),
                (Some(false), if may_be_total { Cause::OverCap } else { cause }),
                (None, if chips == 35 { Cause::OverCap } else { cause }),
            ] {
                let evidence = Evidence::Amount { chips, problem, question: question.clone(), says_totals };
                let found = diagnose(&evidence, CheckStep::AskedAgain, &ProgramOutputs::default());
                assert_eq!(found.cause, expected, "{evidence:?}");
                assert!(found.allowed.is_some_and(|allowed| !allowed.is_empty()));
                let also: Vec<Cause> = found.or.iter().map(|possible| possible.cause).collect();
                let other = if chips == 35 { Cause::Total } else { Cause::OverCap };
                let untried = says_totals.is_none() && may_be_total;
                assert_eq!(also, if untried { vec![other] } else { vec![] }, "{evidence:?}");
            }
        }
    }

    /// It bet 10, then 30 as its total, of which 20 were to call, and 50 with 20 to call again: the chips put in are 40.
    #[test]
    fn an_amount_counted_on_from_the_last_one_is_a_total() {
        let asked = AskedQuestion { last_bet: 30, ..question(20, 459, 40) };
        assert!(is_total(50, &asked) && is_total(60, &asked));
        assert!(!is_total(50, &question(20, 459, 40)) && !is_total(55, &asked));
        let (chips, problem) = (50, IllegalBet::AboveCap);
        let question = Box::new(asked);
        let evidence = Evidence::Amount { chips, problem, question, says_totals: Some(true) };
        assert_eq!(cause_of(&evidence, CheckStep::AskedAgain), Cause::Total);
    }

    #[test]
    fn the_call_of_an_earlier_question_is_stale() {
        for (chips, to_call) in [(5, 7), (20, 2)] {
            let asked = AskedQuestion { last_call: chips, put_in_before: chips, ..question(to_call, 400, 0) };
            let problem = asked.bounds.bet(chips).unwrap_err();
            let evidence =
                Evidence::Amount { chips, problem, question: Box::new(asked), says_totals: Some(false) };
            assert_eq!(cause_of(&evidence, CheckStep::Bet2), Cause::StaleAmount);
        }
    }

    #[test]
    fn the_cap_that_is_named_is_that_of_the_rules_in_play() {
        let mut question = question(10, 400, 0);
        question.bounds.raise_cap = 4;
        let evidence = Evidence::Amount {
            chips: 21,
            problem: IllegalBet::AboveCap,
            question: Box::new(question),
            says_totals: None,
        };
        let found = diagnose(&evidence, CheckStep::AskedAgain, &ProgramOutputs::default());
        assert_eq!(found.what, "Your program raises by more than 4.");
        assert_eq!(found.fix, "A bet may be at most 4 over the amount to call. Cut every amount to that.");
    }
}
