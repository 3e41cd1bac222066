//! Recognises what is wrong with a reply whose frame is right.

use crate::check::evidence::AskedQuestion;
use crate::protocol::{Login, read_reply};
use crate::stud::{Chips, IllegalBet};

use super::Cause;

/// The fault of a text that is no reply.
pub(super) fn wording(sent: &str) -> Cause {
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
    } else if ["check", "call", "raise", "pass", "allin", "all-in"].iter().any(|word| small.starts_with(word))
    {
        Cause::OtherWord
    } else if small.starts_with("fold") || (small.starts_with("bet:") && small.matches(':').count() > 1) {
        Cause::ExtraFields
    } else if Login::read(sent.as_bytes()).is_ok() && !small.starts_with("bet") {
        Cause::NameForReply
    } else {
        Cause::NoReply
    }
}

/// The fault of an amount that is not allowed.
pub(super) fn amount(chips: Chips, problem: IllegalBet, question: &AskedQuestion) -> Cause {
    let added = chips.checked_sub(question.put_in).filter(|_| question.put_in > 0);
    let is_total = added.is_some_and(|added| question.bounds.bet(added).is_ok());
    match problem {
        IllegalBet::AboveStack | IllegalBet::AboveCap if is_total => Cause::Total,
        IllegalBet::AboveStack => Cause::OverStack,
        // A bet above the stack is a fault of the stack first, whatever else is wrong with it.
        IllegalBet::AboveCap if chips > question.bounds.stack => Cause::OverStack,
        IllegalBet::AboveCap => Cause::OverCap,
        IllegalBet::BelowCall if chips == 0 => Cause::ZeroFacing,
        IllegalBet::BelowCall => Cause::UnderCall,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnosis::tests::{found, framed, question};
    use crate::check::{CheckStep, Evidence, diagnose};
    use crate::server::ProgramOutputs;

    #[test]
    fn texts_that_are_no_reply_are_recognised() {
        for (sent, cause) in [
            ("", Cause::EmptyReply),
            ("bet:5\n", Cause::NewLine),
            ("bet: 5", Cause::WhiteSpace),
            (" fold", Cause::WhiteSpace),
            ("bet:٥", Cause::OtherDigits),
            ("bet:५", Cause::OtherDigits),
            ("BET:5", Cause::Capitals),
            ("Fold", Cause::Capitals),
            ("bet:-5", Cause::Negative),
            ("bet:+5", Cause::Sign),
            ("bet:05", Cause::LeadingZero),
            ("bet:5.0", Cause::Decimal),
            ("bet:5,5", Cause::Decimal),
            ("bet:5:KS", Cause::ExtraFields),
            ("fold:0", Cause::ExtraFields),
            ("5", Cause::BareNumber),
            ("bet 5", Cause::Separator),
            ("bet=5", Cause::Separator),
            ("bet5", Cause::Separator),
            ("call", Cause::OtherWord),
            ("raise:5", Cause::OtherWord),
            ("bet1:500:5:0:KS:10D:up:10D", Cause::Echo),
            ("StephenCurry:Steph", Cause::NameForReply),
            ("hello", Cause::NoReply),
            ("bet:99999999999999999999", Cause::NoReply),
            ("bet:", Cause::NoReply),
        ] {
            let raw = framed(sent);
            let evidence = Evidence::Reply { sent: sent.to_string(), raw, question: question(5, 500, 0) };
            assert_eq!(found(&evidence, CheckStep::Bet1), cause, "{sent:?}");
        }
    }

    #[test]
    fn amounts_tell_what_was_forgotten() {
        for (chips, (to_call, stack, put_in), cause) in [
            (35, (10, 400, 20), Cause::Total),
            (30, (10, 400, 20), Cause::Total),
            (45, (10, 400, 20), Cause::OverCap),
            (21, (10, 400, 0), Cause::OverCap),
            (20, (10, 15, 0), Cause::OverStack),
            (40, (10, 15, 0), Cause::OverStack),
            (0, (10, 400, 0), Cause::ZeroFacing),
            (3, (10, 400, 0), Cause::UnderCall),
        ] {
            let question = question(to_call, stack, put_in);
            let problem = question.bounds.bet(chips).unwrap_err();
            let evidence = Evidence::Amount { chips, problem, question };
            assert_eq!(found(&evidence, CheckStep::AskedAgain), cause, "{evidence:?}");
            let allowed =
                diagnose(&evidence, CheckStep::AskedAgain, &ProgramOutputs::default()).allowed.unwrap();
            assert!(allowed.contains("in the stack"), "{allowed}");
        }
    }
}
