//! Checks all records and messages while they are made, and presses the teacher's buttons.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use casino_stud::cards::{Card, Notation};
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Newcomer, Recorder, TableGame, TableRecorder};
use tokio::sync::oneshot;

use super::console_user::{ConsoleUser, Order};
use super::disk::Disk;
use super::world::Button;

/// Every secret of a simulated day has this in it: GitHubIds and the seed.
pub(crate) const CANARY: &str = "canary";

pub(crate) const REMOVED: &str = "it plays music";

static CARDS: LazyLock<HashMap<Vec<u8>, u64>> = LazyLock::new(|| {
    let text = |card: &Card| Notation::Wire.write(*card).into_bytes();
    Card::ALL.iter().map(|card| (text(card), bit(*card))).collect()
});

fn bit(card: Card) -> u64 {
    1 << card.index()
}

/// The cards of the round that is dealt to a player.
#[derive(Clone, Copy, Debug, Default)]
struct Dealt {
    own_hole: u64,
    other_holes: u64,
    /// Those that nobody may see before the second street.
    second: u64,
    all: u64,
}

struct Inside {
    disk: Disk,
    has_one_table: bool,
    /// The GitHubIds of the connecting players.
    github_ids: Vec<String>,
    /// The players of the event, by connecting player.
    seats: Vec<Option<usize>>,
    dealt: Vec<Dealt>,
    buttons: VecDeque<(u64, Button)>,
    /// Late entrants, each waiting for a number of recorded table events.
    newcomers: Vec<(u64, oneshot::Sender<()>)>,
    user: ConsoleUser,
    removed: Vec<usize>,
    steps: u64,
    rounds: u64,
    /// The number of successful checks by kind.
    looked_at: BTreeMap<&'static str, u64>,
    violations: Vec<String>,
}

/// A look at a whole day, shared by everything that is part of it.
#[derive(Clone)]
pub(crate) struct Watch {
    inside: Arc<Mutex<Inside>>,
    stop: Arc<AtomicBool>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) steps: u64,
    pub(crate) rounds: u64,
    pub(crate) removed: Vec<usize>,
    pub(crate) looked_at: BTreeMap<&'static str, u64>,
    pub(crate) violations: Vec<String>,
}

impl Watch {
    pub(crate) fn new(disk: Disk, github_ids: Vec<String>, buttons: &[(u64, Button)]) -> Watch {
        let mut buttons = buttons.to_vec();
        buttons.sort_by_key(|(after, _)| *after);
        let inside = Inside {
            disk,
            has_one_table: false,
            seats: vec![None; github_ids.len()],
            github_ids,
            dealt: Vec::new(),
            buttons: buttons.into(),
            newcomers: Vec::new(),
            user: ConsoleUser::default(),
            removed: Vec::new(),
            steps: 0,
            rounds: 0,
            looked_at: BTreeMap::new(),
            violations: Vec::new(),
        };
        Watch { inside: Arc::new(Mutex::new(inside)), stop: Arc::default() }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect("nobody panics while it looks")
    }

    /// A host begins to deal, with this seating and the teacher's controls.
    pub(crate) fn begin(
        &self,
        seats: Vec<Option<usize>>,
        all: usize,
        has_one_table: bool,
        user: ConsoleUser,
    ) {
        self.stop.store(false, Ordering::Relaxed);
        let mut inside = self.inside();
        inside.dealt = vec![Dealt::default(); all];
        (inside.seats, inside.has_one_table, inside.user) = (seats, has_one_table, user);
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Completes at the first event after this number; with an error if the host dies before.
    pub(crate) fn after(&self, events: u64) -> oneshot::Receiver<()> {
        let (call, called) = oneshot::channel();
        self.inside().newcomers.push((events, call));
        called
    }

    /// A host is gone, and its tournament wakes no late entrant any more.
    pub(crate) fn end(&self) {
        self.inside().newcomers.clear();
    }

    pub(crate) fn violation(&self, what: String) {
        self.inside().violations.push(what);
    }

    pub(crate) fn seen(&self) -> Seen {
        let inside = self.inside();
        Seen {
            steps: inside.steps,
            rounds: inside.rounds,
            removed: inside.removed.clone(),
            looked_at: inside.looked_at.clone(),
            violations: inside.violations.clone(),
        }
    }

    /// Checks that a frame to a player or a stranger has no secret.
    pub(crate) fn sent(&self, player: Option<usize>, payload: &[u8]) {
        let mut inside = self.inside();
        *inside.looked_at.entry("frames without a secret").or_default() += 1;
        if payload.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()) {
            let text = String::from_utf8_lossy(payload);
            inside.violations.push(format!(
                "{} is told a secret: {text}",
                player.map_or("a stranger".to_string(), |player| format!("player {player}"))
            ));
        }
    }

    /// Checks a question: it shows the player's own hole card and no other.
    pub(crate) fn asked(&self, player: usize, payload: &[u8]) {
        let mut inside = self.inside();
        let Some(seat) = inside.seats[player] else {
            return inside.violations.push(format!("player {player} is asked and has no seat"));
        };
        let mut fields = payload.split(|byte| *byte == b':').skip(4);
        let cards = |field: &[u8]| CARDS.get(field).copied().unwrap_or_default();
        let own = fields.next().map(cards).unwrap_or_default();
        let shown = fields.map(cards).fold(0, |shown, card| shown | card);
        let dealt = inside.dealt[seat];
        *inside.looked_at.entry("questions without others' hole cards").or_default() += 1;
        let text = String::from_utf8_lossy(payload);
        if own != dealt.own_hole || (own | shown) & dealt.other_holes != 0 {
            inside.violations.push(format!("player {player} is shown other hole cards than its own: {text}"));
        }
        let is_early = payload.starts_with(b"bet1") && shown & dealt.second != 0;
        if is_early || shown & !dealt.all != 0 {
            inside.violations.push(format!("player {player} is shown a card that is not dealt yet: {text}"));
        }
    }

    /// Checks that the round of a player's `count`-th status is on the disk.
    pub(crate) fn told(&self, player: usize, count: usize) {
        let mut inside = self.inside();
        if !inside.has_one_table || inside.disk.broke_its_word() {
            return;
        }
        *inside.looked_at.entry("notices of recorded rounds").or_default() += 1;
        let durable = inside.disk.claimed_rounds();
        if count > durable {
            inside
                .violations
                .push(format!("player {player} knows of {count} rounds, and {durable} are on the disk"));
        }
    }

    fn press(&self, button: &Button, inside: &mut Inside) {
        let user = inside.user.clone();
        match button {
            Button::Pause(time) => {
                user.order(Order::Pause, self);
                self.resume_after(Duration::from_millis(*time), user);
            }
            Button::Step => {
                user.order(Order::Step, self);
                self.resume_after(Duration::from_millis(500), user);
            }
            Button::Pace(ms) => user.order(Order::Pace(*ms), self),
            Button::Note => user.note(),
            Button::Remove(player) => {
                if let Some(seat) = inside.seats[*player] {
                    user.order(Order::Remove(seat), self);
                    inside.removed.push(*player);
                }
            }
            Button::Stop => {
                self.stop.store(true, Ordering::Relaxed);
                user.wake();
            }
        }
    }

    fn resume_after(&self, time: Duration, user: ConsoleUser) {
        let watch = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            user.order(Order::Resume, &watch);
        });
    }
}

impl TableRecorder for Watch {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        let mut inside = self.inside();
        inside.steps += 1;
        match event {
            TableEvent::Dealt { seats } => {
                let round = game.table().round();
                let of_all =
                    |card: usize| seats.into_iter().fold(0, |all, seat| all | bit(round.hand(seat)[card]));
                let (holes, second) = (of_all(0), of_all(2));
                for seat in *seats {
                    let own_hole = bit(round.hole(seat));
                    if let Some(dealt) = inside.dealt.get_mut(game.player_at(seat)) {
                        let other_holes = holes & !own_hole;
                        *dealt = Dealt { own_hole, other_holes, second, all: holes | of_all(1) | second };
                    }
                }
            }
            TableEvent::Ended => inside.rounds += 1,
            _ => {}
        }
        while inside.buttons.front().is_some_and(|(after, _)| *after <= inside.steps) {
            let (_, button) = inside.buttons.pop_front().expect("there is one");
            self.press(&button, &mut inside);
        }
        let steps = inside.steps;
        for (_, call) in inside.newcomers.extract_if(.., |(after, _)| *after <= steps) {
            // The late entrant has given up.
            let _ = call.send(());
        }
        Ok(())
    }
}

impl Recorder for Watch {
    fn entry(&mut self, event: &Event, newcomer: &Newcomer) -> io::Result<()> {
        let mut inside = self.inside();
        *inside.looked_at.entry("players who came in late").or_default() += 1;
        inside.dealt.resize(event.players(), Dealt::default());
        match inside.github_ids.iter().position(|github_id| *github_id == newcomer.player.github_id) {
            Some(player) if inside.seats[player].is_none() => {
                inside.seats[player] = Some(event.players() - 1)
            }
            _ => inside.violations.push(format!("somebody comes in who plays already: {newcomer:?}")),
        }
        Ok(())
    }

    fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
        Box::new(self.clone())
    }
}

impl Watch {
    /// An order was given at the console, which answered as it should.
    pub(crate) fn console_is_looked_at(&self) {
        *self.inside().looked_at.entry("buttons of the console").or_default() += 1;
    }

    pub(crate) fn page_is_looked_at(&self) {
        *self.inside().looked_at.entry("messages of the page").or_default() += 1;
    }
}
