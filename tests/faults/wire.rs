//! The messages of players: content and time; and a player that does not read them.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;

use super::common::{Asked, End, EventHost, Game, LIMIT, Wire, frame, on_a_held_clock, pass, settle};

const MS: Duration = Duration::from_millis(1);

/// R15: `done`, then the end of the connection; further bytes of the player do not destroy its last message.
#[test]
fn a_player_that_writes_after_done_still_reads_it() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 1, ..Game::default() }).await;
        let other = hall.caller("ada");
        let player = hall.player("mallory", async |wire| {
            let asked = wire.call_until(|asked| asked.text.starts_with("bet2")).await.expect("asked");
            wire.say(&format!("bet:{}", asked.to_call)).await;
            // The dealer sends `done` now, and this player continues without reading.
            settle().await;
            for _ in 0..200 {
                wire.say("bet:10").await;
                settle().await;
            }
            // Had the dealer closed its socket, all this would have been answered by a reset.
            while wire.next().await.is_some() {}
            wire.stream().shutdown().await.expect("not reset");
        });
        hall.play(2).await;
        other.await.expect("it plays").assert_played_on(1);
        player.await.expect("it plays").assert_played_on(1);
    });
}

/// The dealer's drain is limited: a player that neither disconnects nor stops writing is cut off a second later.
#[test]
fn a_player_that_stays_after_done_is_cut_off() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 1, ..Game::default() }).await;
        let other = hall.caller("ada");
        let player = hall.player("mallory", async |wire| {
            wire.call_until(|_| false).await;
            assert_eq!(wire.heard.end, Some(End::Closed));
            for _ in 0..10 {
                wire.say("bet:10").await;
                pass(99 * MS).await;
            }
            // The game's end has waited for this.
            pass(20 * MS).await;
        });
        hall.play(2).await;
        other.await.expect("it plays").assert_played_on(1);
        player.await.expect("it plays").assert_played_on(1);
    });
}

/// The number of segments that the other side has not acknowledged.
#[cfg(target_os = "linux")]
fn unacknowledged(stream: &tokio::net::TcpStream) -> u32 {
    use nix::{getsockopt_impl, libc, sockopt_impl, sys::socket::getsockopt};

    /// The words of Linux's `tcp_info` up to `tcpi_unacked`.
    type TcpInfo = [u32; 7];
    sockopt_impl!(
        /// The state of a TCP connection.
        GetTcpInfo,
        GetOnly,
        libc::IPPROTO_TCP,
        libc::TCP_INFO,
        TcpInfo
    );
    getsockopt(stream, GetTcpInfo).expect("Linux knows the state")[6]
}

/// A player whose system holds the text back until the length has been acknowledged (Nagle's algorithm) does not wait
/// for that: the dealer acknowledges half a message at once.
#[cfg(target_os = "linux")]
#[test]
fn half_a_message_is_acknowledged_at_once() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 40, ..Game::default() }).await;
        let player = hall.player("mallory", async |wire| {
            wire.stream().set_nodelay(false).expect("a socket");
            while let Some(asked) = wire.call_until(|_| true).await {
                let reply = frame(&format!("bet:{}", asked.to_call));
                wire.send(&reply[..2]).await;
                settle().await;
                assert_eq!(unacknowledged(wire.stream()), 0);
                wire.send(&reply[2..]).await;
            }
        });
        let others = [hall.caller("ada"), hall.caller("bob")];
        let played = hall.play(3).await;
        assert_eq!(played.fouls(), []);
        for player in others.into_iter().chain([player]) {
            player.await.expect("it plays").assert_played_on(40);
        }
    });
}

/// A seat's `status` and its next question leave in one write unless that delays another player.
#[test]
fn status_and_the_next_question_come_in_one_piece() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 20, ..Game::default() }).await;
        let (tell, told) = tokio::sync::oneshot::channel();
        let watcher = hall.player("ada", async |wire| {
            let (mut together, mut alone) = (0, 0);
            while wire.heard.end.is_none() {
                wire.read_once().await;
                let mut commands = Vec::new();
                while let Some(command) = wire.next_arrived() {
                    commands.push(command);
                }
                let status = commands.iter().any(|command| command.starts_with("status:"));
                if let Some(asked) = commands.last().and_then(|command| Asked::read(command)) {
                    together += u32::from(status);
                    wire.say(&format!("bet:{}", asked.to_call)).await;
                } else if commands.last().is_some_and(|command| command.starts_with("status:")) {
                    alone += 1;
                }
            }
            tell.send((together, alone)).expect("the test listens");
        });
        let others = [hall.caller("bob"), hall.caller("cyd")];
        hall.play(3).await;
        // After all rounds but the last one, whose status comes with `done`.
        assert_eq!(told.await.expect("it counted"), (19, 0));
        watcher.await.expect("it plays").assert_played_on(20);
        for other in others {
            other.await.expect("it plays").assert_played_on(20);
        }
    });
}

/// A `status` held for its player's next question is sent while another player thinks.
#[test]
fn a_status_leaves_while_another_player_thinks() {
    on_a_held_clock(async {
        let hall = EventHost::open(Game { rounds: 3, ..Game::default() }).await;
        // The number of players with the status of the first round, and whether a player has thought in the second.
        let heard = Rc::new(Cell::new(0));
        let thought = Rc::new(Cell::new(false));
        let players = ["ada", "bob", "cyd"].map(|id| {
            let (heard, thought) = (Rc::clone(&heard), Rc::clone(&thought));
            hall.player(id, async move |wire| {
                while let Some(command) = wire.next().await {
                    let first_round = wire.heard.count("status:") == 1;
                    if first_round && command.starts_with("status:") {
                        heard.set(heard.get() + 1);
                    }
                    let Some(asked) = Asked::read(&command) else { continue };
                    if first_round && !thought.replace(true) {
                        pass(MS).await;
                        assert_eq!(heard.get(), 1, "the others' is held for their questions");
                        pass(20 * MS).await;
                        assert_eq!(heard.get(), 3, "and no longer than twenty milliseconds");
                    }
                    wire.say(&format!("bet:{}", asked.to_call)).await;
                }
            })
        });
        let played = hall.play(3).await;
        assert_eq!(played.fouls(), []);
        assert!(thought.get());
        for player in players {
            player.await.expect("it plays").assert_played_on(3);
        }
    });
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
        let (address, over) = (hall.address, Rc::clone(&hall.over));
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
