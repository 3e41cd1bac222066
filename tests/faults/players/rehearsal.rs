//! Rehearsals, where a foul costs the hand and not the game (R19).

use super::*;

/// Two players in a rehearsal; `act` is what the second does.
fn rehearsal(rounds: u64, act: impl AsyncFnOnce(&mut Wire) + 'static, check: impl FnOnce(&Played, &Heard)) {
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

/// R19: each kind of foul folds the hand and is reported, and the player plays the next.
#[test]
fn a_rehearsal_folds_the_hand_and_keeps_the_player() {
    let replies = ["bet:-5", "", "bet:11", "bet:99999", "FOLD"];
    rehearsal(
        replies.len() as u64,
        async move |wire| {
            for reply in replies {
                wire.call_until(|_| true).await.expect("it is asked again");
                wire.say(reply).await;
            }
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            assert_eq!(played.fouls().len(), 5, "{:?}", played.fouls());
            assert_eq!(heard.count("bet"), 5, "asked once in each round");
            heard.assert_played_on(5);
        },
    );
}

/// A reply that comes too late is not taken for the reply to the next question.
#[test]
fn a_late_reply_in_a_rehearsal_is_thrown_away() {
    rehearsal(
        4,
        async |wire| {
            let first_street = |asked: &Asked| asked.text.starts_with("bet1");
            // Comes when the next question is on its way, ...
            wire.call_until(first_street).await.expect("asked in the first round");
            pass(1_001 * MS).await;
            wire.say("bet:10").await;
            let asked = wire.call_until(first_street).await.expect("asked in the second round");
            wire.say(&format!("bet:{}", asked.to_call)).await;
            // ... or together with the reply to that.
            wire.call_until(first_street).await.expect("asked in the third round");
            pass(1_001 * MS).await;
            let asked = wire.call_until(first_street).await.expect("asked in the fourth round");
            let mut both = frame("bet:7");
            both.extend(frame(&format!("bet:{}", asked.to_call)));
            wire.send(&both).await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            let fouls = played.fouls();
            assert_eq!(fouls.len(), 2, "{fouls:?}");
            assert!(fouls.iter().all(|(_, why)| why.contains("gave no answer within 1000 ms")), "{fouls:?}");
            let stale = |line: &casino_day::journal::JournalLine| matches!(line, casino_day::journal::JournalLine::Reply { reply, .. } if reply == "bet:10" || reply == "bet:7");
            assert!(!played.lines.iter().any(stale), "no stale reply counted");
            heard.assert_played_on(4);
        },
    );
}

/// The deadline of a question is absolute also while late replies to earlier ones come in.
#[test]
fn stale_replies_do_not_move_the_deadline() {
    rehearsal(
        5,
        async |wire| {
            for _ in 0..2 {
                wire.call_until(|_| true).await.expect("asked");
                pass(1_001 * MS).await;
            }
            wire.call_until(|_| true).await.expect("asked");
            for _ in 0..2 {
                pass(450 * MS).await;
                wire.say("bet:0").await;
            }
            // The question came up to two milliseconds before it was read.
            pass(97 * MS).await;
            assert!(wire.is_quiet().await);
            pass(4 * MS).await;
            assert!(!wire.is_quiet().await, "a second after the question, whatever came in between");
            wire.say("bet:0").await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            assert_eq!(played.fouls().len(), 3, "{:?}", played.fouls());
            heard.assert_played_on(5);
        },
    );
}

/// A frame begun before the deadline and finished after it is the late reply, whole.
#[test]
fn a_reply_that_straddles_the_deadline_in_a_rehearsal_is_late_and_leaves_no_crumbs() {
    rehearsal(
        3,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked");
            wire.send(&frame("bet:3")[..4]).await;
            pass(1_001 * MS).await;
            wire.call_until(|_| true).await.expect("asked");
            wire.send(&frame("bet:3")[4..]).await;
            wire.say("bet:0").await;
            wire.call_until(|_| false).await;
        },
        |played, heard| {
            let fouls = played.fouls();
            assert_eq!(fouls.len(), 1, "{fouls:?}");
            assert!(fouls[0].1.contains("only a part of a message"), "{fouls:?}");
            heard.assert_played_on(3);
        },
    );
}

/// One stray message is one foul, also when it comes in two pieces with a question between them.
#[test]
fn a_stray_message_in_a_rehearsal_costs_one_hand_however_it_is_split() {
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
            assert!(fouls[0].1.contains("sent a message nobody asked for"), "{fouls:?}");
            heard.assert_played_on(4);
        },
    );
}

/// A program that once threw a question away answers every later one as if it were the one before. Its replies
/// never count for the wrong question, and it is told each time.
#[test]
fn a_program_one_message_behind_in_a_rehearsal_never_answers_the_wrong_question() {
    rehearsal(
        5,
        async |wire| {
            wire.call_until(|_| true).await.expect("asked");
            pass(1_001 * MS).await;
            while wire.call_until(|_| true).await.is_some() {
                wire.say("bet:9").await;
                pass(1_001 * MS).await;
            }
        },
        |played, heard| {
            assert_eq!(played.fouls().len(), 5, "{:?}", played.fouls());
            assert!(played.fouls().iter().all(|(_, why)| why.contains("threw it away")));
            heard.assert_played_on(5);
        },
    );
}
