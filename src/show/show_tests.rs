//! Whole shows with real dealers on a clock that jumps to the next thing to do.

use casino_host::JournalFile;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::Instant;

use casino_host::driven::MemoryListener;
use casino_host::{ClosedLobby, ConnectionLimits, EventHost, LateDoor, Listener, Lobby, SeatedPlayer};
use casino_show::rounds::TournamentInfo;
use casino_show::state::{Page, Phase, ShowMode};
use casino_stud::cards::{Card, Seed};
use casino_stud::journal::{Durability, Header, Journal, PlayerSource, Terms};
use casino_stud::protocol::Login;
use casino_stud::replay::{PublicEvent, PublicRound};
use casino_stud::strategies::{Bot, HOUSE, HouseBot};
use casino_stud::stud::{Chips, Seat};
use casino_stud::table::{TableEvent, TableSettings};
use casino_stud::tournament::{
    ConsoleAction, Decks, Entrant, Event, EventPlan, Format, Newcomer, NoRecorder, Player, Recorder, Roster,
    SharedRecorder, Slot, TableGame, TableRecorder,
};

use super::hub::Hub;
use super::messages::{PageMessage, Requests, open_show};
use super::presenter::Presenter;
use super::publisher::EventPublisher;
use super::shown_players_tests::{
    Divergence, Dones, ListeningBot, Statuses, TurningBot, answer, slow_player,
};
use super::supervisor::supervise;
use crate::session::{ConsoleState, Replies};

/// A tournament that is to be shown.
#[derive(Clone, Debug)]
pub(super) struct ShownDay {
    pub(super) seed: String,
    pub(super) minutes: u32,
    pub(super) players: usize,
    pub(super) stack: Chips,
    pub(super) rounds: u64,
    pub(super) plan: EventPlan,
    /// How long the players think before each reply, one after the other and then again from the first: those who do are
    /// programs on connections.
    pub(super) thinks: Vec<Duration>,
    /// How long it takes the show to get its turn: how much the machine has to do.
    pub(super) busy: Duration,
    /// The house bots that play, one after the other and then again from the first.
    pub(super) bots: Vec<&'static HouseBot>,
    /// Whether the messages of the page are read.
    pub(super) is_watched: bool,
    pub(super) panics_after: u64,
    pub(super) journal: Option<PathBuf>,
    /// A player that leaves its bot's strategy, and the round in which it does.
    pub(super) turn: Option<Divergence>,
    /// Cards that are dealt otherwise than the seed has it, where there is one table: in this round, to this seat.
    pub(super) placed: Vec<(u64, Seat, Slot, Card)>,
    /// When the teacher wants another length of the show, and how many minutes.
    pub(super) then: Option<(Duration, u32)>,
    /// The time at which a late entrant connects, where the plan accepts one.
    pub(super) late: Option<Duration>,
    /// When the teacher ends the tournament.
    pub(super) ends: Option<Duration>,
    /// When each program received `done`.
    pub(super) dones: Dones,
    /// When each program received each `status`.
    pub(super) statuses: Statuses,
}

impl ShownDay {
    pub(super) fn new(seed: &str, minutes: u32, players: usize) -> ShownDay {
        ShownDay {
            seed: seed.to_string(),
            minutes,
            players,
            stack: 500,
            rounds: 1_000,
            plan: EventPlan::single_table(),
            thinks: vec![Duration::ZERO],
            busy: Duration::ZERO,
            bots: HOUSE.iter().collect(),
            is_watched: false,
            panics_after: 0,
            journal: None,
            turn: None,
            placed: Vec::new(),
            then: None,
            late: None,
            ends: None,
            dones: Dones::default(),
            statuses: Statuses::default(),
        }
    }

    pub(super) fn at_tables(self, seats: usize) -> ShownDay {
        let plan = EventPlan {
            format: Format::default(),
            seats,
            level_rounds: Some(100),
            antes: Vec::new(),
            series: 1,
            late_entry: None,
        };
        ShownDay { plan, ..self }
    }

    pub(super) fn event(&self, seed: &Seed) -> Event {
        let settings = TableSettings::default();
        let mut event =
            Event::new(self.plan.clone(), settings, seed, self.players, self.stack, Some(self.rounds));
        if self.placed.is_empty() {
            return event;
        }
        assert!(event.next_level() && event.tables().len() == 1, "cards are placed at one table");
        let mut decks = Decks::shuffled(seed, 1);
        self.placed
            .iter()
            .for_each(|(round, seat, slot, card)| decks.place(*round, *seat, *slot, *card).unwrap());
        let (players, stacks) = ((0..self.players).collect(), vec![self.stack; self.players]);
        event.tables_mut()[0] = TableGame::at_table(settings, decks, 1, players, &stacks, 1..=self.rounds);
        event
    }

    fn seats(&self, seed: &Seed) -> Vec<SeatedPlayer> {
        let seat = |player: usize| {
            let bot = TurningBot::of(self, player, seed);
            match self.thinks[player % self.thinks.len()] {
                Duration::ZERO => SeatedPlayer::House(Box::new(bot)),
                thinks => {
                    let (bot, statuses) = (Box::new(bot) as Box<dyn Bot>, Arc::clone(&self.statuses));
                    slow_player(Box::new(ListeningBot { bot, player, statuses }), thinks, player, &self.dones)
                }
            }
        };
        (0..self.players).map(seat).collect()
    }

    /// The same host with late entry to this day's event, through the door of a lobby that is open as long as the
    /// returned value lives.
    pub(super) fn let_in(&self, host: EventHost, event: &Event) -> (EventHost, Option<ClosedLobby>) {
        let Some(after) = self.late.filter(|_| event.players() == self.players) else { return (host, None) };
        let (connector, listener) = MemoryListener::new(([10, 0, 0, 1], 9_000).into());
        let door = LateDoor::open();
        let lobby = Lobby::new(Listener::Memory(listener), ConnectionLimits::default());
        let lobby = lobby.close_but_for(door.clone(), |_, _| Ok(()), |_| {});
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let socket = connector.connect(([10, 0, 0, 2], 1).into(), 1 << 16).unwrap();
            let bot = HouseBot::named("folder").unwrap().seated("late", &Seed::chosen("late"));
            answer(socket, Box::new(bot), Duration::from_millis(20)).await;
        });
        let newcomer = |login: &Login, from| {
            let entrant = Entrant::new(&login.github_id, &login.avatar);
            Ok(Newcomer::among(&[], &entrant, from))
        };
        (host.letting_in(door, newcomer, |_| {}), Some(lobby))
    }

    /// The time of play without viewers: the replies alone.
    pub(super) async fn replies_alone(&self) -> Duration {
        let seed = Seed::chosen(&self.seed);
        let host = EventHost::new(self.seats(&seed), ConnectionLimits::default());
        let began = Instant::now();
        host.play(&mut self.event(&seed), &mut NoRecorder, || false).await.unwrap();
        began.elapsed()
    }
}

/// All cards of a round, hole card first.
type AllDealtCards = Vec<(Seat, [Card; 3])>;

/// The true course of a day.
#[derive(Default)]
pub(super) struct Truth {
    /// The chips of players after each round they were dealt in.
    chips: BTreeMap<u64, BTreeMap<usize, Chips>>,
    /// The public events of each round, by number and table.
    pub(super) events: BTreeMap<(u64, u32), Vec<PublicEvent>>,
    /// All cards of each round, hole card first.
    pub(super) cards: BTreeMap<(u64, u32), AllDealtCards>,
    /// How many decisions each player has made.
    pub(super) decisions: BTreeMap<usize, u64>,
    /// When each round was dealt first.
    pub(super) dealt: BTreeMap<u64, Instant>,
}

impl TableRecorder for Truth {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.dealt.entry(game.table().round_number()).or_insert_with(Instant::now);
        match event {
            TableEvent::Acted { seat, .. } => *self.decisions.entry(game.player_at(*seat)).or_default() += 1,
            TableEvent::Ended => {
                let table = game.table();
                let round = self.chips.entry(table.round_number()).or_default();
                round.extend(game.players().iter().copied().zip(table.stacks().iter().copied()));
                let key = (table.round_number(), game.number());
                self.events.insert(key, PublicRound::events(game));
                let dealt = table.round();
                let cards = |seat: Seat| (seat, [dealt.hole(seat), dealt.up(seat)[0], dealt.up(seat)[1]]);
                self.cards.insert(key, dealt.dealt().into_iter().map(cards).collect());
            }
            _ => {}
        }
        Ok(())
    }
}

impl Truth {
    pub(super) fn after(&self, round: u64, players: usize, stack: Chips) -> Vec<Chips> {
        let mut chips = vec![stack; players];
        for stacks in self.chips.range(..=round).map(|(_, stacks)| stacks) {
            stacks.iter().for_each(|(player, stack)| chips[*player] = *stack);
        }
        chips
    }
}

pub(super) struct ShownTournament {
    pub(super) began: Instant,
    /// How long it took, from the beginning to the winners.
    pub(super) took: Duration,
    /// Every message of the page, the snapshot first, and when it was sent.
    pub(super) messages: Vec<(Duration, Value)>,
    pub(super) page: Value,
    pub(super) truth: SharedRecorder<Truth>,
    pub(super) rounds: u64,
    /// The notices of the teacher.
    pub(super) notices: Vec<String>,
    pub(super) looks: Looks,
}

impl ShownDay {
    fn info(&self) -> TournamentInfo {
        TournamentInfo {
            number: 1,
            players: (1..=self.players).map(|player| format!("P{player}")).collect(),
            stack: self.stack,
            rounds: Some(self.rounds),
            ..Default::default()
        }
    }

    /// The recorder of the truth, and the journal of a day that has one.
    fn recorders(&self, seed: &Seed, truth: &SharedRecorder<Truth>) -> Vec<Box<dyn Recorder>> {
        let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(truth.clone())];
        if let Some(path) = &self.journal {
            recorders.push(Box::new(journal(self, seed, path, Durability::AtTheEnd)));
        }
        recorders
    }
}

/// Shows a whole day on a clock that does not run but jumps.
pub(super) async fn show(day: &ShownDay) -> ShownTournament {
    let (hub, console_state, requests): (Arc<Hub>, Arc<ConsoleState>, Arc<Requests>) = Default::default();
    console_state.controls().set(|settings| settings.minutes = Some(day.minutes));
    requests.panics_after.store(day.panics_after, std::sync::atomic::Ordering::Relaxed);
    let (messages, received) = unbounded_channel();
    let presenter = Presenter::new(Arc::clone(&hub), Arc::clone(&console_state), Arc::clone(&requests));
    let seed = Seed::chosen(&day.seed);
    let mut event = day.event(&seed);
    let replies = Arc::new(Replies::new(day.players));
    console_state.begin(1, Vec::new(), None);
    open_show(&console_state, &requests);
    if day.minutes == 0 {
        // Without a show to wait for, the dealer would finish at once.
        console_state.controls().set(|settings| settings.pace = Duration::from_millis(400));
    }
    messages.send(PageMessage::Begin(day.info())).unwrap();
    let truth: SharedRecorder<Truth> = SharedRecorder::default();
    let mut recorders = day.recorders(&seed, &truth);
    let players = day.info().players;
    let mut publisher = EventPublisher::new(messages.clone(), Arc::clone(&requests), replies, players);
    publisher.show_level(&event);
    recorders.push(Box::new(publisher));
    let host = EventHost::new(day.seats(&seed), ConnectionLimits::default())
        .under(console_state.controls().control());
    let (host, _lobby) = day.let_in(host, &event);
    let began = Instant::now();
    let dealer = async {
        host.play(&mut event, &mut recorders, || false).await.unwrap();
        requests.show_is_over().await;
        let took = began.elapsed();
        messages.send(PageMessage::Close).unwrap();
        took
    };
    let heard = Mutex::new(Vec::new());
    let watcher = listen(Arc::clone(&hub), began, &heard);
    let shown = on_a_busy_machine(supervise(presenter, received), day.busy);
    let both = async { tokio::join!(dealer, shown, teach(day, &console_state)).0 };
    let looks = Mutex::new(Looks::default());
    let both = async {
        tokio::select! {
            biased;
            took = both => took,
            () = look_at(&hub, &looks) => unreachable!("it goes on for ever"),
        }
    };
    let took = if day.is_watched {
        tokio::select! {
            biased;
            () = watcher => unreachable!("the stream does not end"),
            took = both => took,
        }
    } else {
        both.await
    };
    let page = serde_json::from_str(&hub.snapshot()).unwrap();
    let rounds = event.rounds_played();
    let notices = console_state.state().notices.sentences();
    let messages = std::mem::take(&mut *heard.lock().unwrap());
    let looks = looks.into_inner().unwrap();
    ShownTournament { began, took, messages, page, truth, rounds, notices, looks }
}

/// The notes of a viewer that looks at the page ten times a second during play.
#[derive(Default)]
pub(super) struct Looks {
    /// The seconds that were left by the clock.
    pub(super) clock: Vec<u64>,
    /// How often each round was on show step by step.
    pub(super) on_show: BTreeMap<u64, u32>,
}

async fn look_at(hub: &Hub, looks: &Mutex<Looks>) {
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let Looks { clock, on_show } = &mut *looks.lock().unwrap();
        hub.look(|page| {
            if page.phase != Phase::Playing {
                return;
            }
            clock.extend(page.show.seconds_left);
            if let (ShowMode::Detail, None, Some(table)) = (page.show.mode, &page.exit, &page.table) {
                *on_show.entry(table.round).or_insert(0) += 1;
            }
        });
    }
}

/// Wakes the waiting task.
#[derive(Default)]
struct Woken(Notify);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}

/// Runs a future as on a busy machine, where a woken task runs only after this delay.
async fn on_a_busy_machine<T>(work: impl Future<Output = T>, turn: Duration) -> T {
    let mut work = pin!(work);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            return done;
        }
        woken.0.notified().await;
        if !turn.is_zero() {
            tokio::time::sleep(turn).await;
        }
    }
}

/// The teacher sets another length of the show on the way, or ends the tournament, if the day has that.
async fn teach(day: &ShownDay, console_state: &ConsoleState) {
    if let Some((after, minutes)) = day.then {
        tokio::time::sleep(after).await;
        console_state.done(ConsoleAction::Minutes(minutes));
    }
    if let Some(after) = day.ends {
        tokio::time::sleep(after).await;
        console_state.end_now().unwrap();
    }
}

/// Shows an event of many tables on a clock that jumps: how long that took, and the page after each of its changes.
pub(crate) fn pages_of_a_show(
    mut event: Event,
    names: Vec<String>,
    bots: Vec<Box<dyn Bot>>,
    stack: Chips,
    minutes: u32,
) -> (Duration, Vec<Page>) {
    let (hub, console_state, requests): (Arc<Hub>, Arc<ConsoleState>, Arc<Requests>) = Default::default();
    console_state.controls().set(|settings| settings.minutes = Some(minutes));
    let (messages, received) = unbounded_channel();
    let presenter = Presenter::new(Arc::clone(&hub), Arc::clone(&console_state), Arc::clone(&requests));
    let replies = Arc::new(Replies::new(names.len()));
    console_state.begin(1, Vec::new(), None);
    open_show(&console_state, &requests);
    let players = names.clone();
    let info = TournamentInfo { number: 1, players: names, stack, rounds: Some(1_000), ..Default::default() };
    messages.send(PageMessage::Begin(info)).unwrap();
    let mut recorder = EventPublisher::new(messages.clone(), Arc::clone(&requests), replies, players);
    let seats = bots.into_iter().map(SeatedPlayer::House).collect();
    let host = EventHost::new(seats, ConnectionLimits::default()).under(console_state.controls().control());
    let pages = Mutex::new(Vec::new());
    let watcher = async {
        let mut stream = pin!(Arc::clone(&hub).watch());
        while stream.next().await.is_some() {
            pages.lock().unwrap().push(hub.look(Page::clone));
        }
    };
    let took = jumping(async {
        let began = Instant::now();
        let dealer = async {
            host.play(&mut event, &mut recorder, || false).await.unwrap();
            requests.show_is_over().await;
            let took = began.elapsed();
            // Viewers see the end too.
            tokio::time::sleep(Duration::from_millis(1)).await;
            messages.send(PageMessage::Close).unwrap();
            took
        };
        tokio::select! {
            biased;
            () = watcher => unreachable!("the stream does not end"),
            took = async { tokio::join!(dealer, supervise(presenter, received)).0 } => took,
        }
    });
    (took, pages.into_inner().unwrap())
}

/// Keeps every message of the page.
async fn listen(hub: Arc<Hub>, began: Instant, heard: &Mutex<Vec<(Duration, Value)>>) {
    let mut stream = pin!(hub.watch());
    while let Some(frame) = stream.next().await {
        let frame = String::from_utf8(frame.unwrap().to_vec()).unwrap();
        if let Some(data) = frame.lines().find_map(|line| line.strip_prefix("data: ")) {
            heard.lock().unwrap().push((began.elapsed(), serde_json::from_str(data).unwrap()));
        }
    }
}

pub(super) fn journal(
    day: &ShownDay,
    seed: &Seed,
    path: &std::path::Path,
    durability: Durability,
) -> Journal {
    let _ = std::fs::remove_file(path);
    let terms = Terms { plan: day.plan.clone(), ..Terms::single_table(day.stack, day.rounds) };
    let entrants: Vec<Entrant> = (1..=day.players).map(|id| Entrant::new(format!("id-{id}"), "")).collect();
    let roster = Roster::new(&entrants, seed);
    // The names that the page has been given.
    let player = |(number, player): (usize, &Player)| Player { name: format!("P{number}"), ..player.clone() };
    let players = (1..).zip(roster.players()).map(|named| (player(named), PlayerSource::Remote));
    let header = Header::new(terms, seed, players);
    JournalFile::create(path, header, durability).unwrap().journal
}

pub(super) fn jumping<T>(work: impl Future<Output = T>) -> T {
    casino_show::state::leave_chances_out();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(work)
}

/// Puts changed rows of the standings at their indices, and gives all rows their places.
fn change_rows(board: &mut Value, change: &Value) {
    let changed: Vec<(usize, Value)> = serde_json::from_value(change["rows"].clone()).unwrap();
    let rows = board["rows"].as_array_mut().unwrap();
    rows.retain(|row| changed.iter().all(|(_, new)| new["seat"] != row["seat"]));
    changed.into_iter().for_each(|(at, row)| rows.insert(at, row));
    let (mut placed, mut last) = (0, Value::Null);
    for (row, mark) in rows.iter_mut().zip(change["places"].as_str().unwrap().chars()) {
        placed += u64::from(mark != '-');
        last = if mark == '+' { placed.into() } else { last };
        row["place"] = if mark == '-' { Value::Null } else { last.clone() };
    }
    (board["round"], board["rate"]) = (change["round"].clone(), change["rate"].clone());
}

/// Applies a message as the page's script does.
pub(super) fn apply(page: &mut serde_json::Map<String, Value>, message: &Value) {
    for (key, value) in message.as_object().unwrap() {
        match key.as_str() {
            "race_tail" => {
                let points = page["race"]["points"].as_array_mut().unwrap();
                points.truncate(value["from"].as_u64().unwrap() as usize);
                points.extend(value["points"].as_array().unwrap().clone());
            }
            "board_rows" => change_rows(&mut page["board"], value),
            _ => drop(page.insert(key.clone(), value.clone())),
        }
    }
}

/// Follows the page message by message, and checks that nothing on it is newer than the round on show.
fn check_nothing_is_newer(day: &ShownDay, shown: &ShownTournament) {
    let mut page = serde_json::Map::new();
    let mut boards = BTreeSet::new();
    for (_, message) in &shown.messages {
        apply(&mut page, message);
        if page["phase"] == "over" || page["table"].is_null() {
            continue;
        }
        let round = page["table"]["round"].as_u64().unwrap();
        let is_over = !page["table"]["result"].is_null();
        let newest = if is_over { round } else { round - 1 };
        let board = page["board"]["round"].as_u64().unwrap();
        assert!(board <= newest, "the board knows round {board}, and round {round} is shown: {message}");
        if page["phase"] == "finale" || page["phase"] == "ceremony" {
            assert!(board < shown.rounds, "the board is held back");
        }
        let truth = shown.truth.lock().after(board, day.players, day.stack);
        for row in page["board"]["rows"].as_array().unwrap() {
            let seat = row["seat"].as_u64().unwrap() as usize;
            assert_eq!(row["chips"].as_u64().unwrap(), u64::from(truth[seat - 1]), "P{seat} after {board}");
            assert!(row["left_in_round"].as_u64().is_none_or(|left| left <= newest));
        }
        boards.insert(board);
        let race = page["race"]["points"].as_array().unwrap();
        assert!(race.iter().all(|point| point["round"].as_u64().unwrap() <= newest), "{message}");
        for table in page["hall"]["tables"].as_array().into_iter().flatten() {
            assert!(table["round"].as_u64().unwrap() <= newest, "{table}");
        }
        for news in message["added_news"].as_array().into_iter().flatten() {
            let text = news["text"].as_str().unwrap();
            let told = text.split("ound ").skip(1).filter_map(|rest| {
                rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<u64>().ok()
            });
            assert!(told.into_iter().all(|told| told <= round), "{text} while round {round} is shown");
        }
        if let Some(exit) = page.get("exit").filter(|exit| !exit.is_null()) {
            assert!(exit["round"].as_u64().unwrap() <= newest, "{exit}");
        }
    }
    assert!(boards.len() > 3, "rounds were shown: {boards:?}");
}

#[test]
fn nothing_on_the_page_is_newer_than_the_round_on_show() {
    for (minutes, day) in [
        (1, ShownDay::new("newer", 1, 6)),
        (2, ShownDay::new("newer", 2, 9).at_tables(4)),
        (0, ShownDay::new("free", 0, 6)),
    ] {
        let day = ShownDay { is_watched: true, rounds: 150, stack: 150, minutes, ..day };
        let shown = jumping(show(&day));
        assert_eq!(shown.page["phase"], "over");
        check_nothing_is_newer(&day, &shown);
    }
}

#[test]
fn last_table_players_are_shown_before_its_first_round() {
    let mut day = ShownDay::new("last table", 2, 9).at_tables(4);
    // The ante grows, so that few are left before long.
    (day.plan.level_rounds, day.plan.antes) = (Some(25), vec![1, 2, 4, 8, 16, 32, 64, 128]);
    let shown = jumping(show(&ShownDay { is_watched: true, stack: 100, ..day }));
    let (mut page, mut moments) = (serde_json::Map::new(), 0);
    for message in &shown.messages {
        let was_shown = page.get("show").is_some_and(|show| show["mode"] == "last_table");
        page.extend(message.1.as_object().unwrap().clone());
        if page["show"]["mode"] == "last_table" && !was_shown {
            moments += 1;
            let tables = page["hall"]["tables"].as_array().unwrap();
            assert_eq!(tables.len(), 1);
            let first = page["hall"]["first_round"].as_u64().unwrap();
            assert!(page["board"]["round"].as_u64().unwrap() < first, "its first round has been played");
        }
    }
    assert_eq!(moments, 1);
}

#[test]
fn leaving_a_level_gives_no_place_if_all_play_again() {
    for (format, has_places) in [("swiss", false), ("freezeout", true)] {
        let day = ShownDay { is_watched: true, stack: 40, rounds: 80, ..ShownDay::new("a level", 1, 8) };
        let mut day = day.at_tables(4);
        day.plan.format = Format::named(format).unwrap();
        day.plan.level_rounds = Some(20);
        let shown = jumping(show(&day));
        let exits = shown.messages.iter().filter_map(|(_, message)| message.get("exit"));
        let exits: Vec<&Value> = exits.filter(|exit| !exit.is_null()).collect();
        assert!(!exits.is_empty(), "{format}");
        assert!(exits.iter().all(|exit| exit["place"].is_null() != has_places), "{format}: {exits:?}");
    }
}

#[test]
fn an_ended_tournament_has_its_ceremony_with_the_places_so_far() {
    for (seats, ends, format) in [(6, 20, "single-table"), (3, 31, "freezeout"), (3, 40, "swiss")] {
        let mut day = ShownDay {
            is_watched: true,
            ends: Some(Duration::from_secs(ends)),
            ..ShownDay::new("ended", 9, 6)
        };
        if seats < 6 {
            day = day.at_tables(seats);
            day.plan.format = Format::named(format).unwrap();
        }
        let shown = jumping(show(&day));
        assert!(
            shown.took > Duration::from_secs(ends) && shown.took < Duration::from_secs(ends + 130),
            "{format}"
        );
        assert!(shown.rounds < 200 && shown.notices.is_empty(), "{:?}", shown.notices);
        let stages = shown.messages.iter().filter(|(_, message)| message["ceremony"].is_object()).count();
        assert!(stages > 1 && shown.page["phase"] == "over", "{format}: {stages} stages");
        let truth = shown.truth.lock().after(shown.rounds, 6, 500);
        for row in shown.page["board"]["rows"].as_array().unwrap() {
            let seat = row["seat"].as_u64().unwrap() as usize;
            assert!(!row["place"].is_null());
            assert_eq!(row["chips"], truth[seat - 1], "{format}: {row}");
        }
    }
}

#[test]
fn a_crashed_show_is_restarted_and_play_continues() {
    let path = std::env::temp_dir().join(format!("casino-falls-{}.jsonl", std::process::id()));
    for (journal, late) in [(None, 1), (Some(path.clone()), 1), (Some(path.clone()), 8_000)] {
        for day in [ShownDay::new("falls", 1, 5), ShownDay::new("falls", 1, 7).at_tables(4)] {
            let mut day = ShownDay { panics_after: 3, rounds: 60, journal: journal.clone(), ..day };
            // A late entrant is in when the show falls, or waits to be shown.
            (day.plan.late_entry, day.late) = (Some(50), Some(Duration::from_millis(late)));
            let shown = jumping(show(&day));
            assert_eq!((shown.page["phase"].as_str(), shown.notices.len()), (Some("over"), 1));
            assert!(shown.took < Duration::from_secs(80), "{:?}", shown.took);
            let players = shown.page["programme"]["players"].as_array().unwrap();
            assert_eq!((players.len(), &players[day.players]), (day.players + 1, &"Late".into()));
            let truth = shown.truth.lock().after(shown.rounds, players.len(), day.stack);
            for row in shown.page["board"]["rows"].as_array().unwrap() {
                let seat = row["seat"].as_u64().unwrap() as usize;
                assert_eq!(row["chips"].as_u64().unwrap(), u64::from(truth[seat - 1]));
            }
        }
    }
    let _ = std::fs::remove_file(path);
}

/// The memory of this process, in MiB.
fn memory() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: f64 = pages.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4_096.0 / (1024.0 * 1024.0)
}

#[test]
#[ignore = "alone: takes a minute or two: make long-show"]
fn eight_hours_of_two_hundred_players_stay_whole_and_small() {
    let day = ShownDay { rounds: 4_000, ..ShownDay::new("a long day", 480, 200).at_tables(8) };
    let samples = Mutex::new(Vec::new());
    let shown = jumping(async {
        let sampler = async {
            loop {
                tokio::time::sleep(Duration::from_secs(1_800)).await;
                samples.lock().unwrap().push(memory());
            }
        };
        tokio::select! {
            shown = show(&day) => shown,
            () = sampler => unreachable!("it goes on for ever"),
        }
    });
    let samples = samples.into_inner().unwrap();
    let points = shown.page["race"]["points"].as_array().unwrap();
    let rounds: Vec<u64> = points.iter().map(|point| point["round"].as_u64().unwrap()).collect();
    let stride = shown.page["race"]["stride"].as_u64().unwrap();
    eprintln!("{} rounds in {:?}; MiB each half hour: {samples:.1?}", shown.rounds, shown.took);
    eprintln!("{} points, one each {stride} rounds: {rounds:?}", rounds.len());
    let day_long = Duration::from_secs(480 * 60);
    assert!(shown.took > day_long.mul_f64(0.9) && shown.took < day_long.mul_f64(1.1), "{:?}", shown.took);
    assert_eq!(rounds[0], 0, "the first point is round 0");
    let (_, even) = rounds.split_last().unwrap();
    assert!(even.windows(2).all(|pair| pair[1] - pair[0] == stride), "{rounds:?}");
    assert!(
        samples.len() > 12 && samples[samples.len() - 1] < samples[2] + 8.0,
        "memory is flat: {samples:?}"
    );
    assert!(shown.notices.is_empty(), "nothing fell: {:?}", shown.notices);
}
