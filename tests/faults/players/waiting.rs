//! Players that do not read, and a suspended host.

use super::*;

async fn stand_still(time: Duration) {
    tokio::time::advance(time).await;
    crate::faults::common::settle().await;
}

/// A socket that holds little, so that it is soon full.
async fn narrow_hall(game: Game) -> EventHost {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_send_buffer_size(2048).expect("small");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    EventHost::at(socket.listen(64).expect("it listens"), game)
}

/// Calls, and lets the limit pass whenever all wait for another player. Returns how often that was.
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

/// In a rehearsal, where late replies do not eject: a player that does not read at all is ejected once its socket is
/// full, and the others have not waited for that.
#[test]
fn a_full_socket_ejects_its_player_without_a_wait() {
    on_a_held_clock(async {
        let hall = narrow_hall(Game { rounds: 100_000, stack: 100_000, ..Game::rehearsal() }).await;
        let (address, over) = (hall.address, std::rc::Rc::clone(&hall.over));
        let deaf = tokio::task::spawn_local(async move {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.set_recv_buffer_size(2048).expect("small");
            let mut wire = Wire::over(socket.connect(address).await.expect("the host listens"));
            wire.log_in("mallory:Mal").await;
            over.notified().await;
            // `done` does not fit either: the dealer gives up.
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
        // On a busy machine the other one may be late too: its clock is held, its socket is real.
        let fouls = played.fouls();
        let deaf =
            fouls.iter().find(|(_, why)| why.contains("does not read")).expect("it is deaf in the end").0;
        let late_ones = || fouls.iter().filter(|(_, why)| why.contains("gave no answer within"));
        let late = late_ones().filter(|(seat, _)| *seat == deaf).count();
        let of_it = fouls.iter().filter(|(seat, _)| *seat == deaf).count();
        assert_eq!(of_it, late + 1, "late again and again, and then deaf: {fouls:?}");
        // For each late reply the limit, and at most as long again before the next question.
        let most = 2 * late_ones().count();
        assert!((late..=most).contains(&waits), "nobody waited for the socket: {waits} for {late}");
        assert!(late > 0 && late < 5_000, "{late}");
        let heard = other.await.expect("it plays");
        heard.assert_played_on(played.rounds);
        assert!(heard.reason().starts_with("You won"), "{}", heard.reason());
    });
}

/// The whole process was suspended for an hour: no reply counts as late.
#[test]
fn a_suspended_host_makes_no_reply_late() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game::default()).await;
        let others = [hall.caller("ada"), hall.bettor("bob")];
        let asked_at_the_wrong_moment = hall.player("cyd", async |wire| {
            while let Some(asked) = wire.call_until(|_| true).await {
                stand_still(Duration::from_secs(3_600)).await;
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
    // Another whole second of silence is late.
    among_others(
        "no reply in time",
        1,
        |_| true,
        async |wire, _| {
            stand_still(Duration::from_secs(3_600)).await;
            pass(1_001 * MS).await;
            assert!(!wire.is_quiet().await);
        },
        |_, _| {},
    );
}
