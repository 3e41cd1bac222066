//! A person in the place of a bot that has played: it is asked each question again, and then told what the bot replied, what
//! the coach thinks of that, and what came of it.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::Path;

use casino_host::open_replay;
use casino_stud::coach::{Addressee, AnalysedDecision, Coach, NotedRound, ReplyKind};
use casino_stud::protocol::Command;
use casino_stud::rating::HALF_INTERVAL_IN_WORDS;
use casino_stud::replay::{house_bots, names};
use casino_stud::stud::Bounds;
use casino_stud::table::{Question, Reply};

use crate::cli::analyse::finished_rounds;
use crate::cli::{Failure, Output};
use crate::web::words;

/// How well a person agrees with a bot and with the coach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Agreement {
    asked: usize,
    /// How often the person replied just the same.
    same: usize,
    /// How often it folded, stayed or raised as the bot did, by whatever it raised.
    alike: usize,
    /// How often it folded, stayed or raised as the coach would.
    with_coach: usize,
    /// How often the bot did the one where the person did the other, by street.
    apart: BTreeMap<(u8, ReplyKind, ReplyKind), usize>,
}

impl Agreement {
    fn count(&mut self, decision: &AnalysedDecision, mine: Reply) {
        let kind = ReplyKind::of(mine, decision.to_call);
        let [its, best] = decision.kinds();
        self.asked += 1;
        self.same += usize::from(mine == decision.reply);
        self.alike += usize::from(kind == its);
        self.with_coach += usize::from(kind == best);
        if kind != its {
            *self.apart.entry((decision.street, its, kind)).or_default() += 1;
        }
    }

    fn sentences(&self, name: &str) -> Vec<String> {
        let Agreement { asked, same, alike, with_coach, .. } = *self;
        if asked == 0 {
            return vec!["You answered no question.".to_string()];
        }
        let percent = |count: usize| (200 * count + asked) / (2 * asked);
        let mut sentences = vec![
            format!(
                "You did what {name} did in {alike} of {asked} questions ({} %), in {same} of them to the chip.",
                percent(alike)
            ),
            format!(
                "You did what the coach would do in {with_coach} of {asked} ({} %).",
                percent(with_coach)
            ),
        ];
        let most = self.apart.iter().max_by_key(|(_, count)| **count);
        sentences.push(match most {
            None => format!("You and {name} are of one mind."),
            Some(((street, its, mine), count)) => {
                let times = if *count == 1 { "once".to_string() } else { format!("{count} times") };
                format!(
                    "You differ most on street {street}: where {name} {}, you {}: {times}.",
                    did(*its),
                    did(*mine)
                )
            }
        });
        sentences
    }
}

fn did(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::Fold => "folded",
        ReplyKind::Call => "stayed",
        ReplyKind::Raise => "raised",
    }
}

/// A reply in words, where it takes so much to call.
fn in_words(reply: Reply, to_call: u32) -> String {
    match (ReplyKind::of(reply, to_call), reply) {
        (ReplyKind::Raise, Reply::Bet(chips)) => format!("raised by {}", chips - to_call),
        (kind, _) => did(kind).to_string(),
    }
}

/// What a person typed, as a reply; `None` if it is none.
fn read(typed: &str, bounds: &Bounds) -> Option<Reply> {
    let reply = match typed {
        "f" => Reply::Fold,
        "c" => Reply::Bet(bounds.to_call),
        "0" => Reply::Bet(bounds.to_call.checked_add(bounds.raise_cap)?),
        _ => Reply::Bet(bounds.to_call.checked_add(typed.parse().ok().filter(|by| *by > 0)?)?),
    };
    reply.legalise(bounds).is_ok().then_some(reply)
}

/// Asks a person what this player of a journal was asked.
///
/// # Errors
/// If the journal cannot be used, nobody of that name plays in it, or nothing can be read or printed.
pub(super) fn play(journal: &Path, name: &str) -> Result<(), Failure> {
    let unusable = |why: &dyn std::fmt::Display| Failure::Usage(format!("{}: {why}", journal.display()));
    let opened = open_replay(journal).map_err(|error| unusable(&error))?;
    let (names, bots) = (names(opened.header()), house_bots(opened.header()));
    let player = names.iter().position(|other| other == name).ok_or_else(|| {
        unusable(&format!(
            "nobody named \"{}\" plays in it; there are {}",
            name.escape_debug(),
            names.join(", ")
        ))
    })?;
    let rounds = finished_rounds(opened, journal)?;
    let coach = Coach::new(names, &rounds).asking(&bots);
    let mut output = Output::stdout();
    output.line(format_args!(
        "You sit in its place. Type f to fold, c to stay, a number to raise by so much or q to stop, and then Enter.\n\
         Its reply is shown after yours. {HALF_INTERVAL_IN_WORDS}",
    ))?;
    let agreement = ask_all(&coach, &rounds, player, name, &mut io::stdin().lock(), &mut output)?;
    output.line("")?;
    for sentence in agreement.sentences(name) {
        output.line(sentence)?;
    }
    output.flush()
}

fn ask_all(
    coach: &Coach,
    rounds: &[NotedRound],
    player: usize,
    name: &str,
    keyboard: &mut impl BufRead,
    output: &mut Output,
) -> Result<Agreement, Failure> {
    let mut agreement = Agreement::default();
    for round in rounds {
        let its_seat = round.seats().into_iter().find(|seat| round.player_at(*seat) == player);
        let Some(seat) = its_seat else { continue };
        let mut was_asked = false;
        for decision in coach.analyse(round).iter().filter(|decision| decision.player == player) {
            let Ok(Command::Question(question)) = Command::read(&decision.question, round.rules().raise_cap)
            else {
                continue;
            };
            let question = question.as_question();
            output.line(format_args!("\nRound {}, street {}.", round.round, decision.street))?;
            output.line(others(&question))?;
            output.line(words::your_turn(None, &question))?;
            let Some(mine) = ask(&question, keyboard, output)? else { return Ok(agreement) };
            agreement.count(decision, mine);
            was_asked = true;
            output.line(format_args!("{name} {}.", in_words(decision.reply, decision.to_call)))?;
            output.line(match decision.sentence(Addressee::Everybody) {
                Some(sentence) => format!("The coach: {sentence}"),
                None => "The coach has nothing against it.".to_string(),
            })?;
        }
        if was_asked {
            let came = match round.gain(seat) {
                0 => "neither won nor lost".to_string(),
                chips if chips > 0 => format!("won {chips}"),
                chips => format!("lost {}", chips.unsigned_abs()),
            };
            output.line(format_args!("So {name} {came} in round {}.", round.round))?;
        }
    }
    Ok(agreement)
}

fn others(question: &Question<'_>) -> String {
    let shown: Vec<String> = question.others().map(|up| words::cards(up.iter().copied())).collect();
    format!("The others show {}.", shown.join(", "))
}

/// Asks until the answer is legal; `None` if the person stops.
fn ask(
    question: &Question<'_>,
    keyboard: &mut impl BufRead,
    output: &mut Output,
) -> Result<Option<Reply>, Failure> {
    loop {
        output.line(words::choices(&question.bounds))?;
        output.flush()?;
        let mut typed = String::new();
        if keyboard.read_line(&mut typed).map_err(Failure::broke)? == 0 {
            return Ok(None);
        }
        let typed = typed.trim().to_ascii_lowercase();
        if typed == "q" {
            return Ok(None);
        }
        if let Some(reply) = read(&typed, &question.bounds) {
            return Ok(Some(reply));
        }
        output.line(format_args!(
            "That is not possible: \"{}\". Type one of these and Enter, or q to stop:",
            typed.escape_debug()
        ))?;
    }
}

#[cfg(test)]
mod tests {
    use casino_stud::coach::Judgement;

    use super::*;

    fn decision(street: u8, to_call: u32, reply: Reply, best: Reply) -> AnalysedDecision {
        AnalysedDecision {
            table: 1,
            round: 1,
            turn: 0,
            player: 0,
            name: "mine".to_string(),
            street,
            question: String::new(),
            cards: Vec::new(),
            others: 1,
            pot: 10,
            to_call,
            stack: 100,
            reply,
            best,
            cost: 0.0,
            standard_error: 0.0,
            repeated: Vec::new(),
            judgement: Judgement::Sound,
        }
    }

    #[test]
    fn agreement_counts_the_same_reply_the_same_kind_and_the_coach() {
        let mut agreement = Agreement::default();
        let raise = decision(1, 2, Reply::Bet(7), Reply::Bet(7));
        agreement.count(&raise, Reply::Bet(7));
        agreement.count(&raise, Reply::Bet(12));
        agreement.count(&raise, Reply::Bet(2));
        let bad_call = decision(2, 5, Reply::Bet(5), Reply::Fold);
        agreement.count(&bad_call, Reply::Fold);
        agreement.count(&bad_call, Reply::Fold);
        assert_eq!((agreement.asked, agreement.same, agreement.alike, agreement.with_coach), (5, 1, 2, 4));
        assert_eq!(
            agreement.sentences("mine"),
            [
                "You did what mine did in 2 of 5 questions (40 %), in 1 of them to the chip.",
                "You did what the coach would do in 4 of 5 (80 %).",
                "You differ most on street 2: where mine stayed, you folded: 2 times.",
            ]
        );
        assert_eq!(Agreement::default().sentences("mine"), ["You answered no question."]);
    }

    #[test]
    fn what_is_typed_is_a_legal_reply_or_none() {
        let bounds = Bounds { to_call: 5, raise_cap: 10, stack: 12 };
        let typed = |text| read(text, &bounds);
        assert_eq!(
            (typed("f"), typed("c"), typed("7")),
            (Some(Reply::Fold), Some(Reply::Bet(5)), Some(Reply::Bet(12)))
        );
        assert_eq!(read("0", &Bounds { stack: 15, ..bounds }), Some(Reply::Bet(15)));
        for bad in ["8", "0", "-1", "x", "", "99999999999", "4294967295"] {
            assert_eq!(typed(bad), None, "{bad}");
        }
        assert_eq!(in_words(Reply::Bet(12), 5), "raised by 7");
    }
}
