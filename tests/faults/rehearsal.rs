//! Rehearsals, where a foul costs the hand and not the game (R19).

use std::time::Duration;

use casino_stud::journal::JournalLine;
use casino_stud::table::OnFoul;

use super::common::{Asked, EventHost, Game, Inbox, Played, Wire, frame, on_a_held_clock, pass};

const MS: Duration = Duration::from_millis(1);

/// Two players in a rehearsal; `act` is the behavior of the second.
fn rehearsal(rounds: u64, act: impl AsyncFnOnce(&mut Wire) + 'static, check: impl FnOnce(&Played, &Inbox)) {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds, ..Game::rehearsal() }).await;
        assert_eq!(hall.game.conduct.on_foul, OnFoul::Fold);
        let other = hall.caller("ada");
        let player = hall.player("mallory", act);
        let played = hall.play(2).await;
        other.await.expect("the other plays on").assert_played_on(played.rounds);
        check(&played, &player.await.expect("it comes to its end"));
    });
}

/// How long a player has to be silent until it is asked again: the limit of a reply, and as long again for the late
/// reply.
const TWICE: Duration = Duration::from_millis(2_001);

const FIRST_STREET: fn(&Asked) -> bool = |asked| asked.text.starts_with("bet1");

/// Checks that these were the only fouls: `times` replies too late.
fn assert_late(played: &Played, times: usize) {
    let fouls = played.fouls();
    assert_eq!(fouls.len(), times, "{fouls:?}");
    assert!(fouls.iter().all(|(_, why)| why.contains("gave no answer within 1000 ms")), "{fouls:?}");
}

/// Whether a reply was accepted for any question.
fn counted(played: &Played, text: &str) -> bool {
    let is_it = |line: &JournalLine| matches!(line, JournalLine::Reply { reply, .. } if reply == text);
    played.lines.iter().any(is_it)
}

/// A late reply never counts as the reply to the next question, even if both come together.
#[test]
fn a_late_reply_in_a_rehearsal_is_thrown_away() {
    rehearsal(
        4,
        async |wire| {
            // Comes before the next question, ...
            wire.call_until(FIRST_STREET).await.expect("asked in the first round");
            pass(1_001 * MS).await;
            wire.say("bet:10").await;
            let asked = wire.call_until(FIRST_STREET).await.expect("asked in the second round");
            wire.say(&format!("bet:{}", asked.to_call)).await;
            // ... or together with the reply to that.
            wire.call_until(FIRST_STREET).await.expect("asked in the third round");
            pass(TWICE).await;
            let asked = wire.call_until(FIRST_STREET).await.expect("asked in the fourth round");
            let mut both = frame("bet:7");
            both.extend(frame(&format!("bet:{}", asked.to_call)));
            wire.send(&both).await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            assert_late(played, 2);
            assert!(!counted(played, "bet:10") && !counted(played, "bet:7"), "no stale reply counted");
            heard.assert_played_on(4);
        },
    );
}

/// Skips one question and answers all later ones at once: that is one foul, and only the first of the later ones takes
/// its whole time.
#[test]
fn one_skipped_question_in_a_rehearsal_is_one_foul() {
    rehearsal(
        8,
        async |wire| {
            wire.call_until(FIRST_STREET).await.expect("asked in the first round");
            pass(TWICE).await;
            let asked = wire.call_until(FIRST_STREET).await.expect("asked in the second round");
            wire.say(&format!("bet:{}", asked.to_call)).await;
            pass(990 * MS).await;
            assert!(wire.is_quiet().await, "it might be the reply to the first question");
            pass(11 * MS).await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            assert_late(played, 1);
            heard.assert_played_on(8);
            let forgiven =
                "In this rehearsal your program was forgiven 1 foul: no reply in time, in round 1.";
            assert!(heard.reason().ends_with(forgiven), "{}", heard.reason());
        },
    );
}

/// Takes one and a half seconds for every reply: each is too late, and none is accepted for another question.
#[test]
fn constant_lateness_in_a_rehearsal_is_reported() {
    rehearsal(
        6,
        async |wire| {
            while wire.call_until(|_| true).await.is_some() {
                pass(1_500 * MS).await;
                wire.say("bet:9").await;
            }
        },
        |played, heard| {
            assert_late(played, 6);
            let forgiven = "forgiven 6 fouls: no reply in time, first in round 1.";
            assert!(heard.reason().ends_with(forgiven), "{}", heard.reason());
            assert!(!counted(played, "bet:9"));
            heard.assert_played_on(6);
        },
    );
}

/// Thinks for two and a half seconds once, and then answers both questions, in order.
#[test]
fn a_player_catches_up_after_a_missed_question() {
    rehearsal(
        8,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked in the first round");
            pass(TWICE).await;
            let asked = wire.call_until(|_| true).await.expect("asked in the second round");
            pass(500 * MS).await;
            for reply in ["bet:7".to_string(), format!("bet:{}", asked.to_call)] {
                wire.say(&reply).await;
            }
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            assert_late(played, 1);
            assert!(!counted(played, "bet:7"));
            heard.assert_played_on(8);
        },
    );
}

/// Misses two questions, and is not asked again without a word of its own: the other player does not wait.
#[test]
fn two_missed_questions_set_a_program_aside() {
    rehearsal(
        8,
        async |wire| {
            for _ in 0..2 {
                wire.call_until(|_| true).await.expect("asked");
                pass(TWICE).await;
            }
            assert!(wire.call_until(|_| true).await.is_none(), "no question comes any more");
        },
        |played, heard| {
            assert_late(played, 8);
            heard.assert_played_on(8);
        },
    );
}

/// Writes each reply twice: the second one is unexpected. It costs the next hand, whose question is not asked, and
/// after that the program is asked again.
#[test]
fn double_replies_in_a_rehearsal_are_reported_each_time() {
    rehearsal(
        6,
        async |wire| {
            while let Some(asked) = wire.call_until(|_| true).await {
                for _ in 0..2 {
                    wire.say(&format!("bet:{}", asked.to_call)).await;
                }
            }
        },
        |played, heard| {
            let fouls = played.fouls();
            assert!((3..=6).contains(&fouls.len()), "{fouls:?}");
            assert!(fouls.iter().all(|(_, why)| why.contains("without a question")), "{fouls:?}");
            heard.assert_played_on(6);
        },
    );
}

/// The deadline of a question is absolute, even while late replies to earlier ones come in. The last one that has come
/// by then counts as the reply.
#[test]
fn stale_replies_do_not_move_the_deadline() {
    rehearsal(
        5,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked");
            pass(TWICE).await;
            wire.call_until(|_| true).await.expect("asked");
            pass(450 * MS).await;
            wire.say("bet:0").await;
            // The question came up to two milliseconds before it was read.
            pass(547 * MS).await;
            assert!(wire.is_quiet().await);
            pass(4 * MS).await;
            assert!(!wire.is_quiet().await, "a second after the question, whatever came in between");
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            assert_late(played, 1);
            heard.assert_played_on(5);
        },
    );
}

/// A frame begun before the deadline and finished after it is the late reply, whole, also when it is finished after the
/// next question.
#[test]
fn a_reply_across_the_deadline_in_a_rehearsal_is_late() {
    rehearsal(
        3,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked");
            wire.send(&frame("bet:3")[..4]).await;
            pass(TWICE).await;
            wire.call_until(|_| true).await.expect("asked");
            wire.send(&frame("bet:3")[4..]).await;
            wire.say("bet:0").await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            let fouls = played.fouls();
            assert_eq!(fouls.len(), 1, "{fouls:?}");
            assert!(fouls[0].1.contains("only a part of a message"), "{fouls:?}");
            assert!(!counted(played, "bet:3"), "it was begun before the question");
            heard.assert_played_on(3);
        },
    );
}

/// One stray message is one foul, also when it comes in two pieces with a question between them.
#[test]
fn an_unexpected_message_in_a_rehearsal_costs_one_hand() {
    rehearsal(
        4,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked");
            wire.say("fold").await;
            wire.send(&frame("fold")[..3]).await;
            // The second round is folded without a question.
            while wire.heard.count("status:") < 2 {
                wire.next().await.expect("rounds end");
            }
            wire.send(&frame("fold")[3..]).await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            let fouls = played.fouls();
            assert_eq!(fouls.len(), 1, "{fouls:?}");
            assert!(fouls[0].1.contains("sent an unsolicited message"), "{fouls:?}");
            heard.assert_played_on(4);
        },
    );
}

/// A program that once discarded a question answers the later ones all the same, each with the correct reply: it has
/// committed one foul. Only its separate replies distinguish it from one that is always late.
#[test]
fn a_program_one_message_behind_in_a_rehearsal_plays_on() {
    rehearsal(
        5,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked");
            pass(TWICE).await;
            while let Some(asked) = wire.call_until(|_| true).await {
                wire.say(&format!("bet:{}", asked.to_call)).await;
                pass(1_001 * MS).await;
            }
        },
        |played, heard| {
            assert_late(played, 1);
            heard.assert_played_on(5);
        },
    );
}

/// A program that answers a question only after reading the next message never answers in time. Its late replies are
/// discarded, and its later messages stay correct.
#[test]
fn late_answers_in_a_rehearsal_match_no_wrong_question() {
    rehearsal(
        5,
        async |wire| {
            let mut reply_outstanding = false;
            while let Some(command) = wire.next().await {
                if std::mem::take(&mut reply_outstanding) {
                    wire.say("bet:9").await;
                }
                if Asked::read(&command).is_some() {
                    reply_outstanding = true;
                    pass(1_001 * MS).await;
                }
            }
        },
        |played, heard| {
            assert_late(played, 5);
            assert!(played.fouls().iter().all(|(_, why)| why.contains("waits for another message")));
            assert!(!counted(played, "bet:9"));
            heard.assert_played_on(5);
        },
    );
}
