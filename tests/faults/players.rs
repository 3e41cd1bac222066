//! What goes wrong with players at a table, over real sockets: each fault costs the one who commits it, in
//! words that say what was sent, what was allowed and what to fix, and nobody else notices.

use std::time::Duration;

use super::common::{
    Asked, End, EventHost, Game, Heard, LIMIT, Played, Wire, frame, on_a_held_clock, pass, settle,
};
use casino_day::table::OnFoul;
use tokio::net::TcpSocket;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

/// A villain between two players who keep to the rules, for three rounds. Checks what must be true whatever the
/// fault: the others play on to the end, and the final table says what the villain was told.
fn among_others(
    how: &'static str,
    round: u64,
    wanted: impl FnMut(&Asked) -> bool + 'static,
    act: impl AsyncFnOnce(&mut Wire, &Asked) + 'static,
    check: impl FnOnce(&Heard, &Asked),
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

/// The same for a reply that is a fault by itself.
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
fn a_reply_that_cannot_be_read_is_shown_escaped_with_what_is_wrong_with_it() {
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
        // R15: no last word names a command.
        ("status", r#""\x73tatus""#, "which is no reply"),
    ] {
        bad_reply(frame(sent), "unreadable reply", &[shown, words, remedy]);
    }
}

#[test]
fn bytes_that_are_no_frame() {
    let remedy = "Write replies with writeUTF: two bytes of length, high byte first";
    // Refused at the header: nothing of the 65,535 bytes is waited for.
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
                for words in ["closed its connection in the middle of a message", "Perhaps it crashed"] {
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
                // If that was legal it goes on by the rules.
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

const ADDS_NOW: &str = "The amount is what the player adds now, not its total for the round.";

#[test]
fn amounts_beyond_the_limits_are_fouls_and_the_limits_themselves_are_not() {
    let poor = || Game { stack: 12, rounds: 3, ..Game::default() };
    let illegal = Some("illegal bet");
    amount(illegal, Game::default(), |asked| asked.to_call - 1, &["less than the", ADDS_NOW]);
    amount(
        illegal,
        Game::default(),
        |_| 0,
        &["less than the", "A bet of 0 is possible only when nothing is"],
    );
    amount(illegal, Game::default(), |asked| asked.to_call + 11, &["more than 10 over the", ADDS_NOW]);
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
fn a_whole_stack_may_be_bet() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { stack: 12, rounds: 1, ..Game::default() }).await;
        let other = hall.bettor("ada");
        let player = hall.villain(
            "mallory",
            |asked| asked.stack <= asked.to_call + 10,
            async |wire, asked| {
                wire.say(&format!("bet:{}", asked.stack)).await;
                wire.call_until(|_| false).await;
            },
        );
        let played = hall.play(2).await;
        played.assert_kept("mallory");
        assert!(played.lines.iter().any(|line| matches!(
            line,
            casino_day::journal::JournalLine::Reply { reply, .. } if reply == "bet:11" || reply == "bet:6"
        )));
        player.await.expect("it plays").assert_played_on(1);
        other.await.expect("it plays").assert_played_on(1);
    });
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
fn silence_has_one_second_from_the_moment_the_question_is_handed_over() {
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
            for words in [why, "does not flush", "read a message after its last bet, threw it away"] {
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
fn a_frame_may_be_split_anywhere() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 8, ..Game::default() }).await;
        let others = [hall.caller("ada"), hall.bettor("bob")];
        let splitter = hall.player("cyd", async |wire| {
            let mut cut = 0;
            while let Some(asked) = wire.call_until(|_| true).await {
                let reply = frame(&format!("bet:{}", asked.to_call));
                cut = cut % (reply.len() - 1) + 1;
                wire.send(&reply[..cut]).await;
                pass(MS).await;
                wire.send(&reply[cut..]).await;
            }
            assert!(cut > 0);
        });
        let crumbler = hall.player("dee", async |wire| {
            while let Some(asked) = wire.call_until(|_| true).await {
                for byte in frame(&format!("bet:{}", asked.to_call)) {
                    wire.send(&[byte]).await;
                    settle().await;
                }
            }
        });
        let played = hall.play(4).await;
        assert_eq!(played.fouls(), []);
        let heard = splitter.await.expect("it plays");
        heard.assert_played_on(8);
        assert!(heard.count("bet") >= 16, "every split was tried");
        crumbler.await.expect("it plays").assert_played_on(8);
        for other in others {
            other.await.expect("the others play on").assert_played_on(8);
        }
    });
}

/// Several replies to one question: the first counts, and the next question is never sent.
#[test]
fn a_second_reply_is_one_nobody_asked_for_however_it_comes() {
    let stray = |heard: &Heard, _: &Asked| {
        let reason = heard.reason();
        for words in ["sent \"fold\" when nobody had asked", "exactly one reply for each question"] {
            assert!(reason.contains(words), "{reason}");
        }
        assert!(!reason.contains("Allowed was"), "it had not been asked: {reason}");
        // The last thing before the last word was the question it answered twice, or how the round ended.
        assert_eq!(heard.count("bet"), 1, "{:?}", heard.commands);
    };
    let one_segment = async |wire: &mut Wire, asked: &Asked| {
        let mut both = frame(&format!("bet:{}", asked.to_call));
        both.extend(frame("fold"));
        wire.send(&both).await;
    };
    among_others("reply nobody asked for", 1, |_| true, one_segment, stray);
    let two_segments = async |wire: &mut Wire, asked: &Asked| {
        wire.say(&format!("bet:{}", asked.to_call)).await;
        wire.say("fold").await;
    };
    among_others("reply nobody asked for", 1, |_| true, two_segments, stray);
    let flood = async |wire: &mut Wire, asked: &Asked| {
        let mut many = frame(&format!("bet:{}", asked.to_call));
        for _ in 0..20_000 {
            many.extend(frame("fold"));
        }
        wire.send(&many).await;
    };
    among_others("reply nobody asked for", 1, |_| true, flood, stray);
    // Out before the next question, which is asked in the second round: after a fold nobody is asked again.
    let after_a_fold = async |wire: &mut Wire, _: &Asked| {
        wire.say("fold").await;
        wire.say("fold").await;
    };
    among_others(
        "reply nobody asked for",
        2,
        |_| true,
        after_a_fold,
        |heard, _| {
            assert_eq!(heard.count("status:"), 1);
            assert_eq!(heard.count("bet"), 1, "{:?}", heard.commands);
            assert!(heard.reason().contains("sent \"fold\" when nobody had asked"));
        },
    );
}

/// Some programs answer every message. Their answer to a `status` comes when the next question is on its way
/// and is taken for the reply to that; the reply itself is then one that nobody asked for.
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
        "reply nobody asked for",
        3,
        |_| true,
        answers_everything("fold"),
        |heard, _| {
            for words in ["sent \"bet:", "when nobody had asked", "A program that answers every message"] {
                assert!(heard.reason().contains(words), "{}", heard.reason());
            }
        },
    );
}

#[test]
fn half_a_message_waiting_before_the_question_is_one_nobody_asked_for() {
    let half = async |wire: &mut Wire, _: &Asked| {
        wire.say("fold").await;
        wire.send(&[0, 4, b'f']).await;
    };
    among_others(
        "reply nobody asked for",
        2,
        |_| true,
        half,
        |heard, _| {
            assert!(heard.reason().contains("sent a message nobody asked for"), "{}", heard.reason());
        },
    );
}

#[test]
fn a_reset_costs_one_player_at_whatever_step() {
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

#[test]
fn a_player_that_is_gone_at_any_step_stops_nobody() {
    // After how the first round ended, the first question of the second street, and the last word.
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

/// Everybody but one hangs up in the same round: the last one in has won.
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
        assert_eq!(played.standing("ada").place, 1);
    });
}

/// A socket that holds little, so that it is soon full.
async fn narrow_hall(game: Game) -> EventHost {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_send_buffer_size(2048).expect("small");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    EventHost::at(socket.listen(64).expect("it listens"), game)
}

/// Calls, and lets the limit pass whenever everybody waits for somebody else. Says how often that was.
async fn patient(wire: &mut Wire) -> u32 {
    let mut waits = 0;
    loop {
        while wire.is_quiet().await {
            pass(LIMIT + MS).await;
            waits += 1;
        }
        match wire.next().await {
            Some(command) if command.starts_with("done:") => return waits,
            Some(command) => {
                if let Some(asked) = Asked::read(&command) {
                    wire.say(&format!("bet:{}", asked.to_call)).await;
                }
            }
            None => panic!("a last word comes"),
        }
    }
}

/// In a rehearsal, where nobody is thrown out for being late: a player that does not read at all is out once
/// its socket is full, and nobody has waited for that.
#[test]
fn a_player_that_does_not_read_is_out_when_its_socket_is_full_and_nobody_waits() {
    on_a_held_clock(async {
        let hall = narrow_hall(Game { rounds: 100_000, stack: 100_000, ..Game::rehearsal() }).await;
        let (address, over) = (hall.address, std::rc::Rc::clone(&hall.over));
        let deaf = tokio::task::spawn_local(async move {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.set_recv_buffer_size(2048).expect("small");
            let mut wire = Wire::over(socket.connect(address).await.expect("the host listens"));
            wire.log_in("mallory:Mal").await;
            over.notified().await;
            // The last word does not fit either: the dealer gives up.
            settle().await;
            pass(1_001 * MS).await;
            wire.hang_up()
        });
        let (tell, told) = tokio::sync::oneshot::channel();
        let other = hall.player("ada", async |wire| {
            tell.send(patient(wire).await).expect("the test listens");
        });
        let played = hall.play(2).await;
        let waits = told.await.expect("it counted") as usize;
        deaf.await.expect("it is gone");
        let standing = played.standing("mallory");
        assert_eq!(standing.how.as_deref(), Some("does not read"));
        assert!(standing.why.as_deref().is_some_and(|why| why.contains("Read every message")));
        let late = played.fouls().iter().filter(|(_, why)| why.contains("gave no answer within")).count();
        assert_eq!(played.fouls().len(), late + 1, "late again and again, and then deaf");
        assert_eq!(waits, late, "nobody waited for the socket");
        assert!(late > 3 && late < 5_000, "{late}");
        let heard = other.await.expect("it plays");
        heard.assert_played_on(played.rounds);
        assert!(heard.reason().starts_with("You won"), "{}", heard.reason());
    });
}

/// The whole process stood still for an hour: nobody is late for that.
#[test]
fn the_hosts_own_stall_is_nobodys_fault() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game::default()).await;
        let others = [hall.caller("ada"), hall.bettor("bob")];
        let asked_at_the_wrong_moment = hall.player("cyd", async |wire| {
            while let Some(asked) = wire.call_until(|_| true).await {
                pass(Duration::from_secs(3_600)).await;
                assert!(wire.is_quiet().await, "it is still waited for");
                // The second begins again.
                pass(900 * MS).await;
                wire.say(&format!("bet:{}", asked.to_call)).await;
            }
        });
        let played = hall.play(3).await;
        assert_eq!(played.fouls(), []);
        asked_at_the_wrong_moment.await.expect("it plays").assert_played_on(3);
        for other in others {
            other.await.expect("it plays").assert_played_on(3);
        }
    });
    // Who then stays silent for another whole second is late.
    among_others(
        "no reply in time",
        1,
        |_| true,
        async |wire, _| {
            pass(Duration::from_secs(3_600)).await;
            pass(1_001 * MS).await;
            assert!(!wire.is_quiet().await);
        },
        |_, _| {},
    );
}

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
            pass(99 * MS).await;
            assert!(wire.is_quiet().await);
            pass(2 * MS).await;
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

/// The villains of the field, one of each, at a full table.
#[test]
fn seventeen_seats_with_one_villain_of_each_kind() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 12, ..Game::default() }).await;
        let ids = ["ada", "bob", "cyd", "dee", "eve", "fay", "gus", "hal", "ivy", "joe"];
        let others = ids.map(|id| hall.caller(id));
        let third = || {
            let mut question = 0;
            move |_: &Asked| {
                question += 1;
                question == 3
            }
        };
        let crasher = hall.villain("crasher", third(), async |wire, _| wire.hang_up());
        let silent = hall.villain("silent", third(), async |_, _| pass(1_001 * MS).await);
        let slow = hall.villain("slow", third(), async |wire, asked| {
            pass(1_020 * MS).await;
            wire.say(&format!("bet:{}", asked.to_call)).await;
        });
        let flooding = hall.villain("flooding", third(), async |wire, asked| {
            let reply = frame(&format!("bet:{}", asked.to_call));
            wire.send(&reply.repeat(5_000)).await;
        });
        let half_frame = hall.villain("half-frame", third(), async |wire, _| {
            wire.send(&frame("bet:10")[..5]).await;
            pass(1_001 * MS).await;
        });
        let over_bettor = hall.villain("over-bettor", third(), async |wire, asked| {
            wire.say(&format!("bet:{}", asked.stack + 1)).await;
        });
        let behind = hall.player("behind", async |wire| {
            while let Some(asked) = wire.call_until(|_| true).await {
                wire.say(&format!("bet:{}", asked.to_call)).await;
                // Reads a message after its bet and throws it away, and is silent when it was a question.
                let thrown_away = wire.next().await.unwrap_or_default();
                if Asked::read(&thrown_away).is_some() {
                    pass(1_001 * MS).await;
                }
            }
        });
        let played = hall.play(17).await;
        assert_eq!(played.rounds, 12);
        for (id, other) in ids.iter().zip(others) {
            other.await.expect("the others play on").assert_played_on(12);
            played.assert_kept(id);
        }
        for (id, villain, how, words) in [
            ("crasher", crasher, "connection closed", "Perhaps it crashed"),
            ("silent", silent, "no reply in time", "gave no answer within 1000 ms"),
            ("slow", slow, "no reply in time", "Either it takes too long"),
            ("flooding", flooding, "reply nobody asked for", "exactly one reply for each question"),
            ("half-frame", half_frame, "no reply in time", "only a part of a message"),
            ("over-bettor", over_bettor, "illegal bet", "chips in its stack"),
            ("behind", behind, "no reply in time", "read a message after its last bet, threw it away"),
        ] {
            let heard = villain.await.expect("a villain comes to its end");
            let standing = played.standing(id);
            let why = standing.why.as_deref().unwrap_or_default();
            if id == "over-bettor" {
                assert!(why.contains("more than"), "{why}");
            } else {
                assert!(why.contains(words), "{id}: {why}");
            }
            let round = standing.left_in_round.expect("it is out");
            assert!(round <= 3, "{id} left in round {round}");
            played.assert_out(id, how, round, &heard);
            if id != "crasher" {
                assert_eq!(heard.end, Some(End::Closed), "{id}");
            }
        }
    });
}
