//! A simulated day: hosts that come and go, and the same players with each of them.

use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use casino_day::driven::Room;
use casino_day::session::{LatePlayers, Member};
use casino_host::driven::MemoryListener;
use casino_host::{
    Admission, ConnectionLimits, ControlHandle, EventHost, Guest, LateDoor, Listener, Lobby, Refusal,
    SeatedPlayer,
};
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, PlayerSource, Reader};
use casino_stud::protocol::Login;
use casino_stud::replay::{HouseBots, RebuiltTournament, Replay, verify};
use casino_stud::strategies::HouseBot;
use casino_stud::tournament::{Ending, Entrant, Event, Player as EventPlayer, Recorder, Roster, SecretIds};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::check;
use super::console_user::ConsoleUser;
use super::dice::Dice;
use super::disk::Disk;
use super::page;
use super::player::{Player, stranger};
use super::watch::{CANARY, Watch};
use super::world::{Failure, Kill, World};

#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) journal: Vec<u8>,
    /// The messages of each player, in its order.
    pub(crate) told: Vec<Vec<String>>,
    pub(crate) steps: u64,
    pub(crate) rounds: u64,
    pub(crate) kills: u64,
    pub(crate) hosts: u64,
    pub(crate) disk_calls: u64,
    pub(crate) disk_failed: bool,
    pub(crate) fouls: BTreeMap<String, u64>,
    pub(crate) looked_at: BTreeMap<&'static str, u64>,
    pub(crate) violations: Vec<String>,
}

/// How the life of a host ended.
enum Life {
    Over(io::Result<Ending>),
    Killed,
    Hung,
}

/// Runs a day, and the same one undisturbed if the results must be equal.
pub(crate) fn live(world: &World) -> Outcome {
    let mut outcome = run(world);
    if outcome.violations.is_empty() && world.is_settled() && world.is_disturbed() {
        let other = run(&world.undisturbed());
        check::compare(&mut outcome, &other);
        outcome.steps += other.steps;
        outcome.rounds += other.rounds;
        outcome.violations.extend(other.violations);
    }
    outcome
}

/// Lives through a day.
fn run(world: &World) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without sockets needs nothing of the system");
    runtime.block_on(Day::new(world).live())
}

/// The players, and the door for late entrants.
struct DayPlayers {
    seated: Vec<SeatedPlayer>,
    /// The removals that a host before this one did not come to.
    removals: Vec<(usize, String)>,
    limits: ConnectionLimits,
    door: LateDoor,
}

struct Day<'a> {
    world: &'a World,
    seed: Seed,
    disk: Disk,
    watch: Watch,
    players: Vec<Player>,
    dice: Dice,
}

impl Day<'_> {
    fn new(world: &World) -> Day<'_> {
        let disk = Disk::default();
        disk.set_fault(world.disk);
        let player = |index: usize| Player {
            index,
            github_id: format!("{CANARY}-{index}"),
            from: SocketAddr::from(([10, 0, (index / 250) as u8, (index % 250) as u8], 4_000)),
            villain: world.villain(index),
            rough: world.rough,
            logins: 1 + u32::from(world.relogin),
            reply: Duration::from_millis(world.reply_ms),
            seed: world.seed,
            memory: Arc::default(),
        };
        let players: Vec<Player> = (0..world.programs()).map(player).collect();
        let github_ids = players.iter().map(|player| player.github_id.clone()).collect();
        Day {
            world,
            seed: Seed::chosen(format!("{CANARY} {}", world.seed)),
            watch: Watch::new(disk.clone(), github_ids, &world.buttons),
            disk,
            players,
            dice: Dice::new(world.seed).fork(2),
        }
    }

    async fn live(mut self) -> Outcome {
        let world = self.world;
        let (mut kills, mut hosts) = (0, 0);
        let most = 4 + world.ends.len() + world.buttons.len();
        let is_over = loop {
            if hosts as usize == most {
                self.watch.violation(format!("the tournament is not over after {most} hosts"));
                break false;
            }
            let rebuilt = match self.rebuild() {
                Ok(Some(rebuilt)) if rebuilt.is_finished => break true,
                Ok(rebuilt) => rebuilt,
                Err(error) => {
                    self.watch.violation(format!("the journal of a host cannot be gone on with: {error}"));
                    break false;
                }
            };
            let end = world.ends.get(hosts as usize).copied();
            hosts += 1;
            let life = self.life(rebuilt, hosts, end.map(|end| end.kill)).await;
            self.check_told();
            let power = end.is_some_and(|end| end.power);
            match life {
                Life::Over(Ok(_)) => {}
                Life::Killed => kills += 1,
                Life::Over(Err(_)) if self.disk.was_killed() => kills += 1,
                Life::Over(Err(ref error)) => {
                    let Some(failure) = self.disk.take_failure() else {
                        self.watch.violation(format!("a host gave up: {error}"));
                        break false;
                    };
                    if (error.kind() == io::ErrorKind::StorageFull) != (failure == Failure::NoRoom) {
                        self.watch.violation(format!("{failure:?} of the disk is reported as {error}"));
                    }
                    // The content of a failed disk is unknown.
                    self.disk.lose_power(&mut self.dice);
                }
                Life::Hung => {
                    self.watch.violation("the day does not come to its end".to_string());
                    break false;
                }
            }
            if power && !matches!(life, Life::Over(Ok(_))) {
                self.disk.lose_power(&mut self.dice);
            }
        };
        let seen = self.watch.seen();
        let mut outcome = Outcome {
            journal: self.disk.bytes(),
            told: self.players.iter().map(|player| player.memory().told.clone()).collect(),
            steps: seen.steps,
            rounds: seen.rounds,
            kills,
            hosts,
            disk_calls: self.disk.calls_of_the_day(),
            disk_failed: self.disk.has_failed(),
            looked_at: seen.looked_at.clone(),
            violations: seen.violations.clone(),
            ..Outcome::default()
        };
        if is_over {
            check::whole_day(world, &self.players, &seen, &mut outcome);
        }
        outcome
    }

    /// The tournament on the disk, if it had begun.
    fn rebuild(&self) -> Result<Option<RebuiltTournament>, String> {
        if let Some(start) = self.disk.take_hole() {
            if verify(&self.disk.bytes()[..], |_| {}).is_ok() {
                return Err("lines are missing and nobody notices".to_string());
            }
            // As a person does with the damage that `resume` names.
            self.disk.cut(start);
        }
        let bytes = self.disk.bytes();
        if !bytes.contains(&b'\n') {
            // A host that died before its journal was there has not begun.
            self.disk.clear();
            return Ok(None);
        }
        let lines = Reader::new(&bytes[..]).map_err(|error| error.to_string())?;
        let rebuilt = Replay::new(lines, HouseBots::Recomputed).and_then(Replay::rebuild);
        let rebuilt = rebuilt.map_err(|error| error.to_string())?;
        self.disk.cut(usize::try_from(rebuilt.resume_point().length).expect("a length in memory"));
        Ok(Some(rebuilt))
    }

    /// Checks that all messages of the players are on the disk, whatever else is lost, and that a host leaves a disk
    /// alone that has failed.
    fn check_told(&self) {
        if self.disk.was_used_after_a_failure() {
            self.watch.violation("the disk was used after it had failed".to_string());
        }
        if self.disk.broke_its_word() {
            return;
        }
        if let Err(violation) = check::told_is_recorded(&self.players, &self.disk.claimed()) {
            self.watch.violation(violation);
        }
    }

    /// The life of a host, from its lobby to its end, and of the connections to it.
    async fn life(&self, rebuilt: Option<RebuiltTournament>, number: u64, kill: Option<Kill>) -> Life {
        let world = self.world;
        self.disk.begin(kill);
        let address = SocketAddr::from(([10, 0, 0, 250], 9_000));
        let (connector, listener) = MemoryListener::new(address);
        let mut clients = JoinSet::new();
        let (players, newcomers) = self.players.split_at(world.players);
        let is_back = |player: &Player| {
            let mut players = rebuilt.iter().flat_map(|rebuilt| &rebuilt.header.players);
            players.any(|other| other.github_id == player.github_id)
        };
        for (player, after) in newcomers.iter().zip(&world.newcomers) {
            let called = (!is_back(player)).then(|| self.watch.after(*after));
            let playing = player.clone().live(connector.clone(), number, Duration::ZERO, self.watch.clone());
            clients.spawn(async move {
                let is_called = match called {
                    Some(called) => called.await.is_ok(),
                    None => true,
                };
                if is_called {
                    playing.await;
                }
            });
        }
        for player in players {
            let late = world.latecomer.filter(|(late, _)| *late == player.index).map_or(0, |(_, late)| late);
            let late = Duration::from_millis(late);
            clients.spawn(player.clone().live(connector.clone(), number, late, self.watch.clone()));
        }
        for (at, (after, who)) in world.strangers.iter().enumerate() {
            let (after, players) = (Duration::from_millis(*after), self.players.clone());
            clients.spawn(stranger(*who, after, players, connector.clone(), at, self.watch.clone()));
        }
        drop(connector);
        let life = {
            let mut host = Box::pin(timeout(world.longest(), self.host(listener, rebuilt)));
            let mut turns = 0;
            let life = poll_fn(|context| {
                turns += 1;
                if kill == Some(Kill::AtTurn(turns)) {
                    return Poll::Ready(Life::Killed);
                }
                host.as_mut().poll(context).map(|ended| ended.map_or(Life::Hung, Life::Over))
            });
            let life = life.await;
            // A host that is gone writes nothing more.
            self.disk.cut_off();
            self.watch.end();
            life
        };
        let ended = async { while clients.join_next().await.is_some() {} };
        if timeout(world.longest(), ended).await.is_err() {
            self.watch.violation("a connection outlives its host".to_string());
        }
        life
    }

    async fn host(&self, listener: MemoryListener, rebuilt: Option<RebuiltTournament>) -> io::Result<Ending> {
        let limits = ConnectionLimits {
            reply: Duration::from_millis(self.world.reply_ms),
            relogin: self.world.relogin,
            strangers: 1_024,
            // Players of a simulated day have no time bank: tests of the host cover it.
            time_bank: Duration::ZERO,
            ..ConnectionLimits::default()
        };
        let mut lobby = Lobby::new(Listener::Memory(listener), limits);
        let expected = rebuilt.as_ref().map(expected);
        let wanted = expected.as_ref().map_or(self.world.players, HashMap::len);
        let admit = |login: &Login, _| match &expected {
            Some(expected) if !expected.contains_key(&login.github_id) => {
                Admission::Refused(Refusal::Unwanted("this game goes on without you".to_string()))
            }
            _ => Admission::Welcome,
        };
        let guests = lobby.gather(wanted, admit, |_| {}).await;
        let may_come = self.world.plan.late_entry.is_some();
        let door = if may_come { LateDoor::open() } else { LateDoor::shut() };
        let _closed = lobby.close_but_for(door.clone(), |_, _| Ok(()), |_| {});
        match rebuilt {
            None => {
                let (header, seated) = self.seat(guests);
                let journal =
                    Journal::begin(Box::new(self.disk.clone()), header.clone(), Durability::EveryRound)?;
                let event = header.event().map_err(io::Error::other)?;
                self.play(&header, event, DayPlayers { seated, removals: Vec::new(), limits, door }, journal)
                    .await
            }
            Some(mut rebuilt) => {
                let mut seated: Vec<SeatedPlayer> =
                    rebuilt.header.players.iter().map(|_| SeatedPlayer::Gone).collect();
                for (seat, bot) in rebuilt.house.players.iter_mut().enumerate() {
                    if let Some(bot) = bot.take() {
                        seated[seat] = SeatedPlayer::House(Box::new(bot));
                    }
                }
                let expected = expected.expect("it is known who plays on");
                for guest in guests {
                    seated[expected[&guest.login.github_id]] = SeatedPlayer::Remote(guest.connection);
                }
                let point = rebuilt.resume_point();
                let journal = Journal::go_on(Box::new(self.disk.clone()), &point, Durability::EveryRound)?;
                let day_players = DayPlayers {
                    seated,
                    removals: rebuilt.settings.removals.into_iter().collect(),
                    limits,
                    door,
                };
                self.play(&rebuilt.header, rebuilt.event, day_players, journal).await
            }
        }
    }

    /// Seats all players by the seed, as a day does.
    fn seat(&self, guests: Vec<Guest>) -> (Header, Vec<SeatedPlayer>) {
        let mut coming = Vec::new();
        for (number, name) in self.world.house.iter().enumerate() {
            let github_id = format!("house:{name}-{number}");
            let bot = HouseBot::named(name).expect("there is one").seated(&github_id, &self.seed);
            let entrant = Entrant::new(github_id, format!("{name}-{number}"));
            let player = SeatedPlayer::House(Box::new(bot));
            coming.push((entrant, (PlayerSource::House((*name).to_string()), player)));
        }
        for Guest { login, connection } in guests {
            let entrant = Entrant::new(login.github_id, login.avatar);
            coming.push((entrant, (PlayerSource::Remote, SeatedPlayer::Remote(connection))));
        }
        let (roster, seated) = Roster::seat(coming, &self.seed);
        let (sources, seated): (Vec<_>, Vec<_>) = seated.into_iter().unzip();
        let players = roster.players().iter().cloned().zip(sources);
        let header = Header::new(self.world.terms(), &self.seed, players);
        (header, seated)
    }

    async fn play(
        &self,
        header: &Header,
        mut event: Event,
        day_players: DayPlayers,
        journal: Journal,
    ) -> io::Result<Ending> {
        let one_table = !event.plan().numbers_tables();
        let room = self.world.page.map(|minutes| page::Shown::open(minutes, &self.watch));
        let controls = room.as_ref().map_or_else(ControlHandle::default, |shown| shown.controls());
        let all: Vec<EventPlayer> = header.roster();
        let seat_of = |player: &Player| all.iter().position(|other| other.github_id == player.github_id);
        let console = ConsoleUser::new(controls.clone(), room.as_ref().map(page::Shown::room));
        self.watch.begin(self.players.iter().map(seat_of).collect(), all.len(), one_table, console);
        let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(journal), Box::new(self.watch.clone())];
        if let Some(shown) = &room {
            recorders.push(begin(shown.room(), header, &self.seed, &event));
        }
        let console = room.as_ref().map(|shown| Arc::clone(shown.room().console_state())).unwrap_or_default();
        let late = LatePlayers::default();
        recorders.push(Box::new(late.recorder(Arc::clone(&console))));
        let DayPlayers { seated, removals, limits, door } = day_players;
        removals.iter().for_each(|(player, reason)| controls.remove(*player, reason));
        let host = EventHost::new(seated, limits).under(controls.control());
        let keeper = late.doorkeeper(header, Arc::clone(&console));
        let host = host.letting_in(door, keeper, move |news| console.hear(&news));
        let ending = host.play(&mut event, &mut recorders, || self.watch.is_stopped()).await?;
        if let Some(shown) = room {
            let is_stopped = ending == Ending::Stopped;
            let rows = BoardRow::all(&event.standings());
            shown.end(rows, event.rounds_played(), is_stopped).await;
        }
        Ok(ending)
    }
}

fn begin(room: &Room, header: &Header, seed: &Seed, event: &Event) -> Box<dyn Recorder> {
    let info = TournamentInfo::new(header, seed, 1);
    let member = |player: &EventPlayer| {
        Member::new(&player.github_id, &player.name, PlayerSource::Remote, &SecretIds::default())
    };
    let roster = header.roster();
    let members = roster.iter().map(member);
    room.console_state().begin(1, members.collect(), None);
    let mut publisher = room.begin(info);
    publisher.show_level(event);
    Box::new(publisher)
}

/// The players who have to come back, by their GitHubIds.
fn expected(rebuilt: &RebuiltTournament) -> HashMap<String, usize> {
    let players = &rebuilt.header.players;
    let connects = |seat: &usize| players[*seat].plays == PlayerSource::Remote;
    let playing = rebuilt.returning().into_iter().filter(connects);
    playing.map(|seat| (players[seat].github_id.clone(), seat)).collect()
}
