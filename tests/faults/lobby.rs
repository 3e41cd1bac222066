//! Faults of guests in the lobby. No admitted player is disturbed by them. `scenarios/R16` has those of strangers.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use casino_host::{ConnectionLimits, LobbyNews, Refusal};
use tokio::task::JoinHandle;

use super::common::{End, EventHost, Game, Inbox, Wire, on_a_held_clock, pass, settle};

/// A player that gives these answers to its logins and calls every question.
fn caller(address: SocketAddr, logins: &'static [&'static str]) -> JoinHandle<Inbox> {
    tokio::task::spawn_local(async move {
        let mut wire = Wire::connect(address).await;
        for login in logins {
            wire.log_in(login).await;
        }
        wire.call_until(|_| false).await;
        wire.listen().await
    })
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
                let other = caller(address, &["bob:Bob"]);
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
    on_a_held_clock(async {
        let mut hall = EventHost::open(Game::default()).await;
        let (address, news) = (hall.address, Rc::clone(&hall.news));
        let restless = tokio::task::spawn_local(async move {
            let mut wire = Wire::connect(address).await;
            wire.log_in("mallory:Mal").await;
            settle().await;
            wire.say("mallory:Mal").await;
            // The lobby checks its guests a few times a second.
            pass(Duration::from_millis(200)).await;
            let heard = wire.listen().await;
            let has_left = |piece: &LobbyNews| matches!(piece, LobbyNews::Left { .. });
            while !news.borrow().iter().any(has_left) {
                tokio::task::yield_now().await;
            }
            let others = [caller(address, &["ada:Ada"]), caller(address, &["bob:Bob"])];
            (heard, others)
        });
        let guests = hall.gather(2).await;
        let played = hall.play_with(guests).await;
        assert_eq!(played.fouls(), []);
        let (heard, others) = restless.await.expect("it is sent away");
        let reason = heard.reason();
        for words in ["sent \"mallory:Mal\" without a question", "while it waited for the game to begin"] {
            assert!(reason.contains(words), "{reason}");
        }
        for other in others {
            other.await.expect("it plays").assert_played_on(3);
        }
    });
}

/// R16: asked twice, and the same answer both times.
#[test]
fn a_second_login_must_be_the_first() {
    let limits = ConnectionLimits { relogin: true, ..Game::default().limits };
    on_a_held_clock(async {
        let mut hall = EventHost::open(Game { limits, ..Game::default() }).await;
        let changed = caller(hall.address, &["eve:Eve", "eve:Mallory"]);
        let steady =
            [caller(hall.address, &["ada:Ada", "ada:Ada"]), caller(hall.address, &["bob:Bob", "bob:Bob"])];
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
        let bob = async move |wire: &mut Wire| {
            let asked = wire.call_until(|_| true).await.expect("it is asked");
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
        };
        let players = [caller(address, &["ada:Ada"]), hall.player("bob", bob)];
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
