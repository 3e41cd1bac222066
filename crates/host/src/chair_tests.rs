//! Tests of a person's seat: timeouts, absence and rejected replies.

use std::io;
use std::time::Duration;

use casino_stud::cards::Seed;
use casino_stud::strategies::HouseBot;
use casino_stud::stud::{Action, Bounds, Seat};
use casino_stud::table::{Reply, TableEvent, TableSettings};
use casino_stud::tournament::{Event, EventPlan, SharedRecorder, TableGame, TableRecorder};

use crate::{Chair, ChairHandle, ConnectionLimits, EventHost, ReplyRejection, SeatedPlayer};

const THINK: Duration = Duration::from_secs(60);

/// The recorded actions and the number of fouls.
#[derive(Debug, Default)]
struct Inbox {
    acts: Vec<(Seat, Action)>,
    fouls: usize,
}

impl TableRecorder for Inbox {
    fn event(&mut self, _: &TableGame, event: &TableEvent) -> io::Result<()> {
        match event {
            TableEvent::Acted { seat, action } => self.acts.push((*seat, *action)),
            TableEvent::Fouled { .. } => self.fouls += 1,
            _ => {}
        }
        Ok(())
    }
}

const PERSON: Seat = Seat::new(0);

/// Plays this many rounds with a person in the first seat against this house bot, calling `at_question` with each of
/// the person's questions. Returns the person's recorded actions and the number of fouls.
async fn sit(
    bot: &str,
    rounds: u64,
    at_question: impl Fn(&ChairHandle, u64, Bounds),
) -> (Vec<Action>, usize) {
    let seed = Seed::chosen("chairs");
    let mut event =
        Event::new(EventPlan::single_table(), TableSettings::default(), &seed, 2, 400, Some(rounds));
    let chair = Chair::new(THINK);
    let handle = chair.handle();
    let bot = HouseBot::named(bot).unwrap().seated(bot, &seed);
    let players = vec![SeatedPlayer::Person(chair), SeatedPlayer::House(Box::new(bot))];
    let host = EventHost::new(players, ConnectionLimits::default());
    let person = async {
        let (mut changes, mut last) = (handle.changes(), 0);
        loop {
            changes.borrow_and_update();
            let state = handle.snapshot();
            if let Some(asked) = state.asked.filter(|asked| asked.number > last) {
                last = asked.number;
                at_question(&handle, asked.number, asked.bounds);
            } else if state.confirm_by.is_some() {
                handle.go_on();
            }
            changes.changed().await.unwrap();
        }
    };
    let mut heard: SharedRecorder<Inbox> = SharedRecorder::default();
    tokio::select! {
        played = host.play(&mut event, &mut heard, || false) => drop(played.unwrap()),
        () = person => {}
    }
    let Inbox { acts, fouls } = std::mem::take(&mut *heard.lock());
    (acts.into_iter().filter(|(seat, _)| *seat == PERSON).map(|(_, action)| action).collect(), fouls)
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_an_earlier_question_counts_for_no_later_one() {
    let (acts, fouls) = sit("caller", 4, |handle, number, bounds| {
        for other in (0..number).chain([number + 1]) {
            assert_eq!(handle.reply(other, Reply::Fold), Err(ReplyRejection::TooLate), "{other} of {number}");
        }
        assert_eq!(handle.reply(number, Reply::Bet(bounds.to_call)), Ok(()));
        assert_eq!(handle.reply(number, Reply::Fold), Err(ReplyRejection::TooLate), "once is enough");
    })
    .await;
    assert!(acts.len() >= 8 && fouls == 0, "{acts:?}");
    assert!(!acts.contains(&Action::FOLD), "{acts:?}");
}

#[tokio::test(start_paused = true)]
async fn a_silent_person_checks_or_folds() {
    for (bot, stays) in [("caller", true), ("bold", false)] {
        let asked = std::cell::RefCell::new(Vec::new());
        let (acts, fouls) = sit(bot, 12, |_, _, bounds| asked.borrow_mut().push(bounds.to_call)).await;
        let asked = asked.into_inner();
        assert_eq!((acts.len(), fouls), (asked.len(), 0), "{bot}");
        for (to_call, action) in asked.iter().zip(&acts) {
            assert_eq!(*action == Action::FOLD, *to_call > 0, "{bot}: {to_call} to call, {action:?}");
        }
        assert!(acts.iter().any(|action| (*action != Action::FOLD) == stays), "{bot}: {acts:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_illegal_reply_is_rejected_and_the_question_stays() {
    let (acts, fouls) = sit("bold", 8, |handle, number, bounds| {
        let below = bounds.to_call.checked_sub(1);
        for chips in [bounds.most() + 1, bounds.stack + 1].into_iter().chain(below) {
            let said = handle.reply(number, Reply::Bet(chips));
            assert!(matches!(said, Err(ReplyRejection::Illegal(..))), "{chips} of {bounds:?}: {said:?}");
        }
        assert_eq!(handle.reply(number, Reply::Bet(bounds.to_call.min(bounds.stack))), Ok(()));
    })
    .await;
    assert!(acts.len() >= 8 && fouls == 0, "{acts:?}");
}
