//! Faults of players at a table, over real sockets: each costs only the player at fault, with a reason that names the
//! reply, the legal range and the remedy.

mod framing;
mod rehearsal;
mod waiting;

use std::time::Duration;

use super::common::{
    Asked, End, EventHost, Game, Inbox, LIMIT, Played, Wire, frame, on_a_held_clock, pass, settle,
};
use casino_stud::cards::Seed;
use casino_stud::table::OnFoul;
use tokio::net::TcpSocket;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

/// A faulty player between two players who keep the rules, for three rounds. Checks the invariants of every fault: the
/// others play on to the end, and the final table shows the faulty player's last message.
fn among_others(
    how: &'static str,
    round: u64,
    wanted: impl FnMut(&Asked) -> bool + 'static,
    act: impl AsyncFnOnce(&mut Wire, &Asked) + 'static,
    check: impl FnOnce(&Inbox, &Asked),
) {
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    on_a_held_clock(async {
        let hall = EventHost::open(Game::default()).await;
        let others = [hall.caller("ada"), hall.bettor("bob")];
        let villain = hall.villain("mallory", wanted, async move |wire, asked| {
            tell.send(asked.clone()).expect("the test listens");
            act(wire, asked).await;
        });
        let played = hall.play(3).await;
        assert_eq!(played.rounds, 3);
        for other in others {
            other.await.expect("the others play on").assert_played_on(3);
        }
        let heard = villain.await.expect("the villain comes to its end");
        let asked = told.recv().await.expect("the villain did it");
        played.assert_out("mallory", how, round, &heard);
        for id in ["ada", "bob"] {
            played.assert_kept(id);
        }
        if heard.end != Some(End::Gone) {
            assert_eq!(heard.end, Some(End::Closed), "{:?}", heard.commands);
        }
        check(&heard, &asked);
    });
}

/// The same for a reply that is always a fault.
fn bad_reply(reply: Vec<u8>, how: &'static str, words: &[&str]) {
    among_others(
        how,
        1,
        |_| true,
        async move |wire, _| wire.send(&reply).await,
        |heard, asked| {
            for words in words {
                assert!(heard.reason().contains(words), "{words}: {}", heard.reason());
            }
            assert!(heard.reason().contains(&asked.allowed()), "{}", heard.reason());
        },
    );
}

#[test]
fn an_unreadable_reply_is_shown_escaped_with_its_error() {
    let remedy = "A reply is \"fold\" or \"bet:\" and a whole number, like \"bet:12\".";
    for (sent, shown, words) in [
        ("bet:-5", "\"bet:-5\"", "an amount has no sign"),
        ("bet:+5", "\"bet:+5\"", "an amount has no sign"),
        ("bet: 5", "\"bet: 5\"", "there is white space in it"),
        ("bet:5 ", "\"bet:5 \"", "there is white space in it"),
        ("bet:5\r\n", r#""bet:5\r\n""#, "there is white space in it"),
        ("bet:05", "\"bet:05\"", "no leading zero"),
        ("bet:5.0", "\"bet:5.0\"", "a whole number"),
        ("bet:99999999999999999999", "\"bet:99999999999999999999\"", "larger than"),
        ("BET:5", "\"BET:5\"", "in small letters"),
        ("FOLD", "\"FOLD\"", "in small letters"),
        ("", "\"\"", "an empty text"),
        ("bet:", "\"bet:\"", "which is no reply"),
        ("bet:٥", r#""bet:\u{665}""#, "String.format(Locale.ROOT"),
        ("bet:५", r#""bet:\u{96b}""#, "String.format(Locale.ROOT"),
        ("bet:５", r#""bet:\u{ff15}""#, "String.format(Locale.ROOT"),
        ("bet:5\u{1b}[2J", r#""bet:5\u{1b}[2J""#, "nothing after it"),
        ("mallory:Mal", "\"mallory:Mal\"", "which is no reply"),
        // R15: no reason sent with `done` names a command.
        ("status", r#""\x73tatus""#, "which is no reply"),
    ] {
        bad_reply(frame(sent), "unreadable reply", &[shown, words, remedy]);
    }
}

#[test]
fn bytes_that_are_no_frame() {
    let remedy = "Write replies with writeUTF: two bytes of length, high byte first";
    // Refused at the header, without waiting for any of the 65,535 bytes.
    bad_reply(
        vec![0xFF, 0xFF],
        "unreadable frame",
        &["65535 bytes long", "no reply has more than 1024", remedy],
    );
    bad_reply(vec![4, 1], "unreadable frame", &["1025 bytes long", remedy]);
    // The text without its length: as a length its first letters are 25,189.
    bad_reply(b"bet:5".to_vec(), "unreadable frame", &["25189 bytes long", remedy]);
    // Little-endian.
    bad_reply(b"\x05\x00bet:0".to_vec(), "unreadable frame", &["1280 bytes long", "high byte first"]);
    for payload in [&b"\xF0\x9F\x98\x80"[..], b"bet:\xFF", b"fol\xC3"] {
        let mut bytes = (payload.len() as u16).to_be_bytes().to_vec();
        bytes.extend(payload);
        bad_reply(bytes, "unreadable frame", &["readUTF would not accept", remedy]);
    }
    bad_reply(vec![0, 0], "unreadable reply", &["an empty text"]);
}

#[test]
fn a_frame_cut_off_by_the_end_of_the_connection() {
    for cut in [1, 2, 3, 6] {
        among_others(
            "connection closed",
            1,
            |_| true,
            async move |wire, _| {
                wire.send(&frame("bet:0")[..cut]).await;
                tokio::io::AsyncWriteExt::shutdown(wire.stream()).await.expect("half is closed");
            },
            |heard, asked| {
                for words in [
                    "closed its connection in the middle of a message",
                    "It ended, or closed the connection itself",
                ] {
                    assert!(heard.reason().contains(words), "{}", heard.reason());
                }
                assert!(heard.reason().contains(&asked.allowed()), "{}", heard.reason());
            },
        );
    }
}

/// The first amount from `chips(asked)` on, sent where something is to call.
fn amount(how: Option<&'static str>, game: Game, chips: fn(&Asked) -> u32, words: &'static [&'static str]) {
    on_a_held_clock(async {
        let hall = EventHost::open(game).await;
        let others = [hall.bettor("ada"), hall.bettor("bob")];
        let player = hall.villain(
            "mallory",
            |asked| asked.to_call > 0 && asked.stack > asked.to_call,
            async move |wire, asked| {
                wire.say(&format!("bet:{}", chips(asked))).await;
                // If that was legal it continues legally.
                wire.call_until(|_| false).await;
            },
        );
        let played = hall.play(3).await;
        for other in others {
            other.await.expect("the others play on").assert_played_on(3);
        }
        let heard = player.await.expect("it comes to its end");
        let Some(how) = how else {
            played.assert_kept("mallory");
            return heard.assert_played_on(3);
        };
        let asked = heard.commands.iter().filter_map(|command| Asked::read(command)).next_back();
        let asked = asked.expect("it was asked");
        let round = heard.count("status:") as u64 + 1;
        played.assert_out("mallory", how, round, &heard);
        let sent = format!("answered \"bet:{}\"", chips(&asked));
        for words in words.iter().copied().chain([sent.as_str(), &asked.allowed()]) {
            assert!(heard.reason().contains(words), "{words}: {}", heard.reason());
        }
    });
}

const COVERS: &str = "Bet at least the amount to call";

const CUT: &str = "Limit the amount to the amount to call and the largest raise.";

#[test]
fn only_amounts_beyond_the_limits_are_fouls() {
    // With this seed all players have chips left after three rounds.
    let poor = || Game { stack: 12, rounds: 3, seed: Seed::chosen("disk h"), ..Game::default() };
    let illegal = Some("illegal bet");
    amount(illegal, Game::default(), |asked| asked.to_call - 1, &["less than the", COVERS]);
    amount(
        illegal,
        Game::default(),
        |_| 0,
        &["less than the", "A bet of 0 is possible only if the amount to"],
    );
    amount(illegal, Game::default(), |asked| asked.to_call + 11, &["more than 10 over the", CUT]);
    amount(
        illegal,
        poor(),
        |asked| asked.stack + 1,
        &["more than the 11 chips in its stack", "first number"],
    );
    amount(illegal, Game::default(), |_| u32::MAX, &["more than 10 over the"]);
    amount(None, Game::default(), |asked| asked.to_call, &[]);
    amount(None, Game::default(), |asked| asked.to_call + 10, &[]);
}

#[test]
fn byte_by_byte_has_one_deadline_that_no_byte_moves() {
    among_others(
        "no reply in time",
        1,
        |_| true,
        async |wire, _| {
            let asked = Instant::now();
            let reply = frame("bet:0");
            for byte in &reply[..6] {
                pass(150 * MS).await;
                wire.send(&[*byte]).await;
            }
            pass(99 * MS).await;
            assert_eq!(asked.elapsed(), 999 * MS);
            assert!(wire.is_quiet().await, "the second is not over yet");
            pass(2 * MS).await;
            assert!(!wire.is_quiet().await, "the second is over");
            wire.send(&reply[6..]).await;
        },
        |heard, asked| {
            for words in ["only a part of a message within 1000 ms", "one writeUTF and then flush"] {
                assert!(heard.reason().contains(words), "{}", heard.reason());
            }
            assert!(heard.reason().contains(&asked.allowed()), "{}", heard.reason());
        },
    );
}

#[test]
fn silence_is_late_one_second_after_the_question() {
    among_others(
        "no reply in time",
        1,
        |_| true,
        async |wire, _| {
            pass(999 * MS).await;
            assert!(wire.is_quiet().await);
            pass(2 * MS).await;
            assert!(!wire.is_quiet().await);
        },
        |heard, asked| {
            let why = "gave no answer within 1000 ms";
            for words in [why, "does not flush", "waits for another message after its last bet"] {
                assert!(heard.reason().contains(words), "{}", heard.reason());
            }
            assert!(heard.reason().contains(&asked.allowed()), "{}", heard.reason());
        },
    );
}

/// R17: each takes almost its whole second, every time, in a row.
#[test]
fn one_players_time_is_not_anothers() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game::default()).await;
        let slow = ["ada", "bob", "cyd"].map(|id| {
            hall.player(id, async |wire| {
                while let Some(asked) = wire.call_until(|_| true).await {
                    pass(998 * MS).await;
                    wire.say(&format!("bet:{}", asked.to_call)).await;
                }
            })
        });
        let begun = Instant::now();
        let played = hall.play(3).await;
        assert!(begun.elapsed() >= 18 * 998 * MS);
        assert_eq!(played.fouls(), []);
        for player in slow {
            player.await.expect("it plays").assert_played_on(3);
        }
    });
}

#[test]
fn a_disconnect_at_any_step_stops_no_other_player() {
    // After the status of the first round, the first question of the second street, and `done`.
    for (last, round) in [("status:", Some(2)), ("bet2:", Some(1)), ("done:", None)] {
        for leave in [Wire::reset, Wire::hang_up] {
            on_a_held_clock(async {
                let hall = EventHost::open(Game::default()).await;
                let others = [hall.caller("ada"), hall.bettor("bob")];
                let gone = hall.player("mallory", async move |wire| {
                    loop {
                        let command = wire.next().await.expect("it comes");
                        if command.starts_with(last) {
                            return leave(wire);
                        }
                        if let Some(asked) = Asked::read(&command) {
                            wire.say(&format!("bet:{}", asked.to_call)).await;
                        }
                    }
                });
                let played = hall.play(3).await;
                for other in others {
                    other.await.expect("the others play on").assert_played_on(3);
                }
                let heard = gone.await.expect("it is gone");
                match round {
                    Some(round) => played.assert_out("mallory", "connection closed", round, &heard),
                    None => played.assert_kept("mallory"),
                }
            });
        }
    }
}

/// All but one disconnect in the same round: the last one in has won.
#[test]
fn a_table_that_empties_ends() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 50, ..Game::default() }).await;
        let last = hall.caller("ada");
        let gone = ["bob", "cyd", "dee"].map(|id| hall.villain(id, |_| true, async |wire, _| wire.reset()));
        let played = hall.play(4).await;
        assert!(played.rounds <= 3, "{}", played.rounds);
        let heard = last.await.expect("it plays");
        heard.assert_played_on(played.rounds);
        assert!(heard.reason().starts_with("You won the tournament with"), "{}", heard.reason());
        for player in gone {
            player.await.expect("it is gone");
        }
        assert_eq!(played.standing("ada").place, Some(1));
    });
}
