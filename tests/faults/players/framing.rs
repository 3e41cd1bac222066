//! Frames that are split, joined, doubled or cut off.

use super::*;

/// Several replies to one question: the first counts, and the next question is never sent.
#[test]
fn a_second_reply_is_unexpected_however_it_arrives() {
    let stray = |heard: &Inbox, _: &Asked| {
        let reason = heard.reason();
        for words in ["sent \"fold\" without a question", "exactly one reply for each question"] {
            assert!(reason.contains(words), "{reason}");
        }
        assert!(!reason.contains("Allowed was"), "it had not been asked: {reason}");
        // The last message before `done` was the question it answered twice, or a status.
        assert_eq!(heard.count("bet"), 1, "{:?}", heard.commands);
    };
    let one_segment = async |wire: &mut Wire, asked: &Asked| {
        let mut both = frame(&format!("bet:{}", asked.to_call));
        both.extend(frame("fold"));
        wire.send(&both).await;
    };
    among_others("unsolicited message", 1, |_| true, one_segment, stray);
    let two_segments = async |wire: &mut Wire, asked: &Asked| {
        wire.say(&format!("bet:{}", asked.to_call)).await;
        wire.say("fold").await;
    };
    among_others("unsolicited message", 1, |_| true, two_segments, stray);
    let flood = async |wire: &mut Wire, asked: &Asked| {
        let mut many = frame(&format!("bet:{}", asked.to_call));
        for _ in 0..20_000 {
            many.extend(frame("fold"));
        }
        wire.send(&many).await;
    };
    among_others("unsolicited message", 1, |_| true, flood, stray);
    // Ejected before the next question, in the second round: after a fold a player is not asked again.
    let after_a_fold = async |wire: &mut Wire, _: &Asked| {
        wire.say("fold").await;
        wire.say("fold").await;
    };
    among_others(
        "unsolicited message",
        2,
        |_| true,
        after_a_fold,
        |heard, _| {
            assert_eq!(heard.count("status:"), 1);
            assert_eq!(heard.count("bet"), 1, "{:?}", heard.commands);
            assert!(heard.reason().contains("sent \"fold\" without a question"));
        },
    );
}

/// Some programs answer every message. Their answer to a `status` comes when the next question is on its way and counts
/// as the reply to that; the reply itself is then unexpected.
#[test]
fn a_program_that_answers_every_message() {
    let answers_everything = |with: &'static str| {
        async move |wire: &mut Wire, asked: &Asked| {
            wire.say(&format!("bet:{}", asked.to_call)).await;
            while let Some(command) = wire.next().await {
                match Asked::read(&command) {
                    Some(asked) => wire.say(&format!("bet:{}", asked.to_call)).await,
                    None => wire.say(with).await,
                }
            }
        }
    };
    among_others(
        "unreadable reply",
        2,
        |_| true,
        answers_everything("ok"),
        |heard, _| {
            for words in ["answered \"ok\", which is no reply", "Only a question wants one."] {
                assert!(heard.reason().contains(words), "{}", heard.reason());
            }
        },
    );
    among_others(
        "unsolicited message",
        3,
        |_| true,
        answers_everything("fold"),
        |heard, _| {
            for words in ["sent \"bet:", "without a question", "A program that answers every message"] {
                assert!(heard.reason().contains(words), "{}", heard.reason());
            }
        },
    );
}

#[test]
fn half_a_message_before_the_question_is_unexpected() {
    let half = async |wire: &mut Wire, _: &Asked| {
        wire.say("fold").await;
        wire.send(&[0, 4, b'f']).await;
    };
    among_others(
        "unsolicited message",
        2,
        |_| true,
        half,
        |heard, _| {
            assert!(heard.reason().contains("sent an unsolicited message"), "{}", heard.reason());
        },
    );
}

#[test]
fn a_reset_at_any_step_costs_only_its_player() {
    let closed = "connection closed";
    // On the first question, before and in the middle of the reply, and after it.
    for sent in [vec![], vec![0, 5, b'b'], frame("fold")] {
        let round = if sent == frame("fold") { 2 } else { 1 };
        among_others(
            closed,
            round,
            |_| true,
            async move |wire, _| {
                wire.send(&sent).await;
                settle().await;
                wire.reset();
            },
            |_, _| {},
        );
    }
}
