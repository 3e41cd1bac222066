//! Faults in the lobby: logins, names, strangers, crowds. No admitted player is disturbed by them.

use std::rc::Rc;
use std::time::Duration;

use casino_host::{Admission, ConnectionLimits, LobbyNews, Refusal};
use casino_stud::protocol::Login;

use super::common::{End, EventHost, Game, Inbox, Wire, frame, on_a_held_clock, pass, settle};

const MS: Duration = Duration::from_millis(1);

/// A stranger that does this, and then listens to the end.
fn stranger(hall: &EventHost, act: impl AsyncFnOnce(&mut Wire) + 'static) -> tokio::task::JoinHandle<Inbox> {
    let address = hall.address;
    tokio::task::spawn_local(async move {
        let mut wire = Wire::connect(address).await;
        act(&mut wire).await;
        wire.listen().await
    })
}

/// One player is in and two come later; in between, a stranger does this and is sent away. Checks that the three play,
/// and returns the stranger's messages.
fn before_the_game(
    game: Game,
    act: impl AsyncFnOnce(&mut Wire) + 'static,
    check: impl FnOnce(Inbox, Vec<LobbyNews>),
) {
    on_a_held_clock(async {
        let mut hall = EventHost::open(game).await;
        let stranger = stranger(&hall, act);
        let first = hall.caller("ada");
        let (address, news) = (hall.address, Rc::clone(&hall.news));
        let later = tokio::task::spawn_local(async move {
            let heard = stranger.await.expect("the stranger comes to its end");
            // The lobby reports it once it has noticed the end of the connection.
            let sent_away =
                |piece: &LobbyNews| matches!(piece, LobbyNews::Refused { .. } | LobbyNews::Left { .. });
            while !news.borrow().iter().any(sent_away) {
                tokio::task::yield_now().await;
            }
            let players = ["bob", "cyd"].map(|id| {
                tokio::task::spawn_local(async move {
                    let mut wire = Wire::connect(address).await;
                    wire.log_in(&format!("{id}:The {id}")).await;
                    wire.call_until(|_| false).await;
                    wire.listen().await.assert_played_on(3);
                })
            });
            for player in players {
                player.await.expect("it plays");
            }
            heard
        });
        let guests = hall.gather(3).await;
        let news = hall.news.borrow().clone();
        let played = hall.play_with(guests).await;
        assert_eq!(played.fouls(), []);
        first.await.expect("it plays").assert_played_on(3);
        check(later.await.expect("they play"), news);
    });
}

fn refusals(news: &[LobbyNews]) -> Vec<&Refusal> {
    let refused = |piece: &'_ LobbyNews| matches!(piece, LobbyNews::Refused { .. });
    news.iter()
        .filter(|piece| refused(piece))
        .map(|piece| match piece {
            LobbyNews::Refused { why, .. } => why,
            _ => unreachable!("only refusals are left"),
        })
        .collect()
}

#[test]
fn a_login_that_cannot_be_used_is_refused_with_the_reason() {
    let long = "x".repeat(65);
    for (reply, words) in [
        ("mallory", "there is no colon in it"),
        ("", "there is no colon in it"),
        ("a:b:c", "more than one colon"),
        (":Mal", "one of the two names is empty"),
        ("mallory:", "one of the two names is empty"),
        ("mallory: \u{3000}", "one of the two names is empty"),
        (":", "one of the two names is empty"),
        (&format!("{long}:Mal"), "no name may have more than 64 characters"),
        (&format!("mallory:{long}"), "no name may have more than 64 characters"),
    ] {
        let reply = reply.to_string();
        before_the_game(
            Game::default(),
            async move |wire| wire.log_in(&reply).await,
            |heard, news| {
                let reason = heard.reason();
                assert!(reason.starts_with("You are not in the game: your program said it was "), "{reason}");
                assert!(reason.contains(words), "{reason}");
                let remedy = "answer your GitHubId, one colon and your avatar's name";
                assert!(reason.contains(remedy) || words.contains("64 characters"), "{reason}");
                assert_eq!(heard.end, Some(End::Closed));
                let public = refusals(&news)[0].in_public();
                assert!(public.contains(words) && !public.contains("mallory"), "{public}");
            },
        );
    }
}

#[test]
fn invalid_login_replies_are_refused() {
    let cases: [(Vec<u8>, &str); 7] = [
        (vec![0xFF, 0xFF], "65535 bytes long"),
        (vec![0, 3, b'a', b':', 0xFF], "readUTF would not accept its bytes"),
        (b"GET / HTTP/1.1\r\nHost: casino\r\n\r\n".to_vec(), "18245 bytes long"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), "5635 bytes long"),
        (b"SSH-2.0-OpenSSH_9.2\r\n".to_vec(), "21331 bytes long"),
        (b"\x03\x00\x00\x13\x0e\xe0".to_vec(), "gave no answer"),
        (b"mallory:Mal\n".to_vec(), "28001 bytes long"),
    ];
    for (sent, words) in cases {
        before_the_game(
            Game::default(),
            async move |wire| {
                wire.next().await;
                wire.send(&sent).await;
                if wire.is_quiet().await {
                    pass(10_001 * MS).await;
                }
            },
            |heard, news| {
                // A remote desktop's hello is the beginning of a message of 768 bytes that never comes.
                let words = words.replace("gave no answer", "sent only a part of a message within 10000 ms");
                assert!(heard.reason().contains(&words), "{words}: {}", heard.reason());
                assert_eq!(heard.end, Some(End::Closed));
                assert_eq!(refusals(&news).len(), 1);
            },
        );
    }
}

#[test]
fn a_stranger_that_hangs_up_at_any_step_is_forgotten() {
    for sent in [vec![], vec![0], frame("mallory:Mal")[..5].to_vec()] {
        for leave in [Wire::reset, Wire::hang_up] {
            for after_login in [false, true] {
                let sent = sent.clone();
                before_the_game(
                    Game::default(),
                    async move |wire| {
                        if after_login {
                            wire.next().await;
                        }
                        wire.send(&sent).await;
                        leave(wire);
                    },
                    |_, news| {
                        assert!(matches!(refusals(&news)[..], [Refusal::NoLogin(_)]), "{news:?}");
                    },
                );
            }
        }
    }
}

#[test]
fn a_duplicate_github_id_is_refused() {
    on_a_held_clock(async {
        let mut hall = EventHost::open(Game::default()).await;
        let first = hall.caller("ada");
        let address = hall.address;
        let second = tokio::task::spawn_local(async move {
            settle().await;
            let mut twin = Wire::connect(address).await;
            twin.log_in("ada:Another").await;
            let twin = twin.listen().await;
            let mut wire = Wire::connect(address).await;
            wire.log_in("bob:Bob").await;
            wire.call_until(|_| false).await;
            (twin, wire.listen().await)
        });
        let guests = hall.gather(2).await;
        let played = hall.play_with(guests).await;
        first.await.expect("it plays").assert_played_on(3);
        let (twin, second) = second.await.expect("it plays");
        second.assert_played_on(3);
        assert_eq!(
            twin.reason(),
            "You are not in the game: a player with this GitHubId has already connected."
        );
        assert_eq!(twin.end, Some(End::Closed));
        assert_eq!(played.standing("ada").name, "The ada");
    });
}

/// A player that disconnects in the lobby may come back at once, and its place is not counted in between.
#[test]
fn a_guest_may_leave_and_come_back() {
    for leave in [Wire::reset, Wire::hang_up] {
        on_a_held_clock(async {
            let mut hall = EventHost::open(Game::default()).await;
            let address = hall.address;
            let back = tokio::task::spawn_local(async move {
                let mut wire = Wire::connect(address).await;
                wire.log_in("ada:First").await;
                settle().await;
                // Both have arrived at the lobby's next check.
                leave(&mut wire);
                let mut again = Wire::connect(address).await;
                again.log_in("ada:Second").await;
                settle().await;
                let mut other = Wire::connect(address).await;
                other.log_in("bob:Bob").await;
                let other = tokio::task::spawn_local(async move {
                    other.call_until(|_| false).await;
                    other.listen().await
                });
                again.call_until(|_| false).await;
                (again.listen().await, other.await.expect("it plays"))
            });
            let guests = hall.gather(2).await;
            let names: Vec<String> = guests.iter().map(|guest| guest.login.avatar.clone()).collect();
            assert_eq!(names, ["Second", "Bob"]);
            let news = hall.news.borrow().clone();
            assert!(
                matches!(
                    &news[..],
                    [
                        LobbyNews::Entered(_),
                        LobbyNews::Left { why: Refusal::Restless(_), .. },
                        LobbyNews::Entered(_),
                        LobbyNews::Entered(_)
                    ]
                ),
                "{news:?}"
            );
            hall.play_with(guests).await;
            let (ada, bob) = back.await.expect("they play");
            ada.assert_played_on(3);
            bob.assert_played_on(3);
        });
    }
}

#[test]
fn a_guest_that_writes_while_waiting_is_sent_away() {
    before_the_game(
        Game::default(),
        async |wire| {
            wire.log_in("mallory:Mal").await;
            settle().await;
            wire.say("mallory:Mal").await;
            // The lobby checks its guests a few times a second.
            pass(Duration::from_millis(200)).await;
        },
        |heard, news| {
            let reason = heard.reason();
            for words in ["sent \"mallory:Mal\" without a question", "while it waited for the game to begin"]
            {
                assert!(reason.contains(words), "{reason}");
            }
            let left = news.iter().find_map(|piece| match piece {
                LobbyNews::Left { why, .. } => Some(why.in_public()),
                _ => None,
            });
            let public = left.expect("it left");
            assert!(!public.contains("mallory"), "that may be a GitHubId: {public}");
        },
    );
}

#[test]
fn the_host_may_refuse_a_login_in_its_own_words() {
    on_a_held_clock(async {
        let mut hall = EventHost::open(Game::default()).await;
        let refused = stranger(&hall, async |wire| wire.log_in("eve:Eve").await);
        let other = hall.caller("ada");
        let not_listed = |login: &Login, _| match login.github_id.as_str() {
            "eve" => Admission::Refused(Refusal::Unwanted("you are not on the list".to_string())),
            _ => Admission::Welcome,
        };
        let guests = hall.lobby.gather(1, not_listed, |_| {}).await;
        assert_eq!(guests[0].login.github_id, "ada");
        drop(guests);
        assert_eq!(
            refused.await.expect("it is told").reason(),
            "You are not in the game: you are not on the list."
        );
        assert_eq!(other.await.expect("it is let go").end, Some(End::Closed));
    });
}

/// R16: asked twice, and the same answer both times.
#[test]
fn a_second_login_must_be_the_first() {
    let asking_twice =
        || Game { limits: ConnectionLimits { relogin: true, ..Game::default().limits }, ..Game::default() };
    on_a_held_clock(async {
        let mut hall = EventHost::open(asking_twice()).await;
        let address = hall.address;
        let twice = |replies: [&'static str; 2]| {
            tokio::task::spawn_local(async move {
                let mut wire = Wire::connect(address).await;
                for reply in replies {
                    wire.log_in(reply).await;
                }
                wire.call_until(|_| false).await;
                wire.listen().await
            })
        };
        let changed = twice(["eve:Eve", "eve:Mallory"]);
        let steady = [twice(["ada:Ada", "ada:Ada"]), twice(["bob:Bob", "bob:Bob"])];
        let guests = hall.gather(2).await;
        hall.play_with(guests).await;
        assert_eq!(
            changed.await.expect("it is told").reason(),
            "You are not in the game: the second answer to the same question was another one."
        );
        for player in steady {
            let heard = player.await.expect("it plays");
            assert_eq!((heard.count("login"), heard.count("status:")), (2, 3));
            assert_eq!(heard.end, Some(End::Closed));
        }
    });
}

#[test]
fn a_late_client_is_refused_at_once() {
    on_a_held_clock(async {
        let mut hall = EventHost::open(Game { rounds: 10, ..Game::default() }).await;
        let address = hall.address;
        // Has connected in time and logs in too late.
        let (at_the_door, opened) = tokio::sync::oneshot::channel();
        let slow = tokio::task::spawn_local(async move {
            let mut wire = Wire::connect(address).await;
            assert_eq!(wire.next().await.as_deref(), Some("login"));
            opened.await.expect("the game begins");
            wire.say("eve:Eve").await;
            wire.listen().await
        });
        settle().await;
        let players = [hall.caller("ada"), hall.villain("bob", |_| true, async move |wire, asked| {
            at_the_door.send(()).expect("it waits");
            let mut late = Wire::connect(address).await;
            let told = late.next().await.expect("at once, without a login");
            assert_eq!(
                told,
                "done:You are not in the game: the game has begun without you; come in time for the next one."
            );
            assert_eq!(late.listen().await.end, Some(End::Closed));
            wire.say(&format!("bet:{}", asked.to_call)).await;
            wire.call_until(|_| false).await;
        })];
        let guests = hall.gather(2).await;
        let played = hall.play_with(guests).await;
        assert_eq!(played.fouls(), []);
        for player in players {
            player.await.expect("it plays").assert_played_on(10);
        }
        assert_eq!(
            slow.await.expect("it is told").reason(),
            "You are not in the game: all places are taken."
        );
    });
}

#[test]
fn a_silent_client_is_refused_at_the_login_deadline() {
    on_a_held_clock(async {
        let limits = ConnectionLimits { strangers: 3, strangers_per_address: 3, ..Game::default().limits };
        let mut hall = EventHost::open(Game { limits, ..Game::default() }).await;
        let address = hall.address;
        let silent = tokio::task::spawn_local(async move {
            let mut wires = Vec::new();
            for _ in 0..3 {
                let mut wire = Wire::connect(address).await;
                assert_eq!(wire.next().await.as_deref(), Some("login"));
                wires.push(wire);
            }
            pass(limits.login - MS).await;
            for wire in &mut wires {
                assert!(wire.is_quiet().await);
            }
            pass(2 * MS).await;
            let mut heard = Vec::new();
            for wire in wires {
                heard.push(wire.listen().await);
            }
            settle().await;
            let players = ["ada", "bob"].map(|id| {
                tokio::task::spawn_local(async move {
                    let mut wire = Wire::connect(address).await;
                    wire.log_in(&format!("{id}:{id}")).await;
                    wire.call_until(|_| false).await;
                    wire.listen().await.assert_played_on(3);
                })
            });
            for player in players {
                player.await.expect("it plays");
            }
            heard
        });
        let guests = hall.gather(2).await;
        hall.play_with(guests).await;
        for heard in silent.await.expect("they listened") {
            assert!(heard.reason().contains("gave no answer within 10000 ms"), "{}", heard.reason());
            assert_eq!(heard.end, Some(End::Closed));
        }
    });
}
