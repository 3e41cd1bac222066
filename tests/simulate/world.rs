//! A simulated day, generated from a seed.

use std::time::Duration;

use casino_stud::journal::Terms;
use casino_stud::stud::Chips;
use casino_stud::table::{OnFoul, TableSettings};
use casino_stud::tournament::{EventPlan, FEWEST_PLAYERS, Format};

use super::dice::Dice;

/// The fault of a player that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Silent,
    /// It answers this many nanoseconds after the deadline.
    Late(u64),
    /// Its answer comes byte by byte, and is not whole at the deadline.
    Dribble,
    HangUp,
    /// It disconnects in the middle of its answer.
    HangUpInside,
    /// It breaks the connection off.
    Reset,
    /// The header of its answer claims 65,535 bytes.
    TooLong,
    /// Its answer is not modified UTF-8.
    BadText,
    /// Its answer is one of the texts that are not a reply.
    Malformed(usize),
    /// It bets one chip more than it may.
    TooMuch,
    /// It bets less than there is to call.
    TooLittle,
    Twice,
    /// It writes an unexpected message after a status.
    Stray,
    /// It reads nothing after its login, over a socket that holds 16 bytes.
    NotReading,
    /// It writes more messages at once than its connection holds.
    Flood,
}

/// The texts of [`Fault::Malformed`].
pub(crate) const MALFORMED: [&str; 12] = [
    "bet:-5",
    "bet:+5",
    "bet: 5",
    "bet:5 ",
    "bet:05",
    "bet:5.0",
    "bet:99999999999999999999",
    "BET:5",
    "FOLD",
    "",
    "bet:٥",
    "done:x",
];

impl Fault {
    /// Whether the fault depends on the question alone, so that it is repeated when the round is dealt again.
    pub(crate) fn is_settled(self) -> bool {
        !matches!(self, Fault::Twice | Fault::Stray | Fault::Flood)
    }

    fn drawn(dice: &mut Dice) -> Fault {
        match dice.below(16) {
            0 => Fault::Silent,
            1 => Fault::Late(1),
            2 => Fault::Late(dice.within(1, 2_000_000)),
            3 => Fault::Dribble,
            4 => Fault::HangUp,
            5 => Fault::HangUpInside,
            6 => Fault::Reset,
            7 => Fault::TooLong,
            8 => Fault::BadText,
            9 | 10 => Fault::Malformed(dice.below(MALFORMED.len() as u64) as usize),
            11 => Fault::TooMuch,
            12 => Fault::TooLittle,
            13 => Fault::Twice,
            14 => {
                if dice.once_in(2) {
                    Fault::Stray
                } else {
                    Fault::Flood
                }
            }
            _ => Fault::NotReading,
        }
    }
}

/// A player that commits a foul at one in this many questions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Villain {
    /// The player, from 0; newcomers come after all others.
    pub(crate) player: usize,
    pub(crate) fault: Fault,
    pub(crate) rarity: u64,
}

/// How a call of the disk goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    NothingWritten,
    PartWritten,
    /// It reports an error although everything is written.
    AllWritten,
    /// The disk is full: the part that fits is written.
    NoRoom,
    /// A sync succeeds but loses its data. Everything later is kept.
    SyncLies,
}

impl Failure {
    pub(crate) const ALL: [Failure; 5] = [
        Failure::NothingWritten,
        Failure::PartWritten,
        Failure::AllWritten,
        Failure::NoRoom,
        Failure::SyncLies,
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiskFault {
    /// This call of the day, from 1, fails.
    Fails { call: u64, failure: Failure },
    /// It reports every sync as successful without writing anything.
    Lies,
}

/// How the host ends before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kill {
    /// After this many turns.
    AtTurn(u64),
    /// In this call of the disk, from 1, before it is done or when it is done.
    AtDisk { call: u64, is_done: bool },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) kill: Kill,
    /// Whether the power fails, and not only the process: then only the synced part survives, and perhaps a part of
    /// later writes.
    pub(crate) power: bool,
}

/// The teacher's action after this many recorded table events.
#[derive(Clone, Debug)]
pub(crate) enum Button {
    /// Play pauses for this many milliseconds.
    Pause(u64),
    /// A single round is played, and then play continues.
    Step,
    /// Milliseconds from round to round.
    Pace(u64),
    Note,
    Remove(usize),
    /// Ctrl-C: the round is played to its end, and the tournament is resumed another time.
    Stop,
}

/// A client in the lobby, or at its door during the game, that does not play.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stranger {
    /// Connects and never writes.
    Idle,
    /// Takes the port for another.
    Http,
    BadLogin(usize),
    /// Uses the GitHubId of this player, who is connected.
    TakenId(usize),
    Gone,
}

pub(crate) const BAD_LOGINS: [&str; 5] = ["nobody", "a:b:c", ":x", "x:", ""];

/// Makes a day smaller.
type Change = fn(&mut World);

/// A whole day. Everything that happens on it is here.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) players: usize,
    pub(crate) house: Vec<&'static str>,
    pub(crate) plan: EventPlan,
    pub(crate) rounds: u64,
    pub(crate) stack: Chips,
    pub(crate) reply_ms: u64,
    pub(crate) rehearsal: bool,
    pub(crate) relogin: bool,
    pub(crate) villains: Vec<Villain>,
    /// Whether frames are split and merged, and replies take their time.
    pub(crate) rough: bool,
    /// The player who connects last, and after how many milliseconds.
    pub(crate) latecomer: Option<(usize, u64)>,
    pub(crate) strangers: Vec<(u64, Stranger)>,
    /// The number of events after which each late entrant connects; after a kill once play continues.
    pub(crate) newcomers: Vec<u64>,
    pub(crate) disk: Option<DiskFault>,
    pub(crate) ends: Vec<End>,
    /// After how many events.
    pub(crate) buttons: Vec<(u64, Button)>,
    /// The minutes of the show, if there is a page; with 0 the dealer does not wait for it.
    pub(crate) page: Option<u32>,
}

const HOUSE: [&str; 5] = ["random", "caller", "bluffer", "cautious", "folder"];

impl World {
    pub(crate) fn new(seed: u64) -> World {
        let mut dice = Dice::new(seed).fork(1);
        let players = match dice.below(512) {
            0 => dice.within(61, 200),
            1..8 => dice.within(18, 60),
            8..64 => dice.within(8, 15),
            _ => dice.within(2, 7),
        } as usize;
        let house = (0..dice.below(3)).map(|_| HOUSE[dice.below(4) as usize]).collect::<Vec<_>>();
        let all = players + house.len();
        let plan = (all > 17 || dice.once_in(5)).then(|| plan(&mut dice, all)).flatten();
        let plan = plan.unwrap_or_else(EventPlan::single_table);
        let rounds = if dice.once_in(16) { dice.within(50, 200) } else { dice.within(2, 30) };
        let stack = if dice.once_in(3) { dice.within(15, 60) } else { dice.within(100, 2_000) } as Chips;
        let mut world = World {
            seed,
            players,
            house,
            plan,
            rounds,
            stack,
            reply_ms: [1_000, 1_000, 1_000, 50, 200, 7_777][dice.below(6) as usize],
            rehearsal: dice.once_in(8),
            relogin: dice.once_in(8),
            villains: Vec::new(),
            rough: dice.once_in(2),
            latecomer: None,
            strangers: Vec::new(),
            newcomers: Vec::new(),
            disk: None,
            ends: Vec::new(),
            buttons: Vec::new(),
            page: None,
        };
        world.plan.antes.retain(|ante| *ante <= stack);
        world.disturb(&mut dice);
        world.let_in(&mut Dice::new(seed).fork(3));
        world
    }

    /// A small day on which players break rules, leave and change tables, with one table or in an event of this format.
    pub(crate) fn of_disks(format: Option<Format>) -> World {
        let event = |format: Format| EventPlan {
            format,
            seats: 4,
            level_rounds: format.rules().usual_level_rounds(4),
            antes: vec![5, 8],
            series: 1,
            late_entry: None,
        };
        let villain = |player| Villain { player, fault: Fault::TooMuch, rarity: 5 };
        World {
            players: 5,
            house: vec!["random", "caller", "odds"],
            plan: format.map_or_else(EventPlan::single_table, event),
            rounds: 8,
            stack: 80,
            rehearsal: false,
            relogin: false,
            villains: vec![villain(1), villain(2)],
            newcomers: Vec::new(),
            ..World::new(4).undisturbed()
        }
    }

    /// All connecting programs: those at the beginning, and after them the late entrants.
    pub(crate) fn programs(&self) -> usize {
        self.players + self.newcomers.len()
    }

    /// On some of the days on which they may, players come in late.
    fn let_in(&mut self, dice: &mut Dice) {
        let plan = EventPlan { late_entry: Some(dice.within(1, self.rounds)), ..self.plan.clone() };
        if !dice.once_in(5) || plan.check().is_err() {
            return;
        }
        self.plan = plan;
        self.newcomers = (0..dice.within(1, 3)).map(|_| dice.within(1, 12 * self.rounds)).collect();
        if dice.once_in(3) {
            let player = self.programs() - 1;
            let rarity = if dice.once_in(2) { 1 } else { 10 };
            self.villains.push(Villain { player, fault: Fault::drawn(dice), rarity });
        }
    }

    /// The same day with rounds and chips multiplied, and its kills and buttons spread over them.
    pub(crate) fn longer(mut self, times: u64) -> World {
        self.rounds *= times;
        self.stack *= times as Chips;
        for end in &mut self.ends {
            let (Kill::AtTurn(when) | Kill::AtDisk { call: when, .. }) = &mut end.kill;
            *when *= times;
        }
        self.buttons.iter_mut().for_each(|(after, _)| *after *= times);
        self.newcomers.iter_mut().for_each(|after| *after *= times);
        self.plan.late_entry = self.plan.late_entry.map(|last_round| last_round * times);
        self
    }

    /// No host lives longer, with all pauses and shows, if each player takes all its time for ten questions a round.
    pub(crate) fn longest(&self) -> Duration {
        let shows = Duration::from_secs(4 * 3_600) * (1 + self.rounds / 200) as u32;
        let questions = self.rounds * (self.programs() + self.house.len()) as u64 * 10;
        shows + Duration::from_millis(self.reply_ms * questions)
    }

    fn disturb(&mut self, dice: &mut Dice) {
        let players = self.players as u64;
        for _ in 0..dice.below(players.min(6) + 1) {
            let villain = Villain {
                player: dice.below(players) as usize,
                fault: Fault::drawn(dice),
                rarity: [1, 3, 10, 30][dice.below(4) as usize],
            };
            if self.villain(villain.player).is_none() {
                self.villains.push(villain);
            }
        }
        if dice.once_in(4) {
            self.latecomer = Some((dice.below(players) as usize, dice.within(1, 20_000)));
        }
        for _ in 0..if dice.once_in(3) { dice.within(1, 6) } else { 0 } {
            let player = dice.below(players) as usize;
            let stranger = match dice.below(5) {
                0 => Stranger::Idle,
                1 => Stranger::Http,
                2 => Stranger::BadLogin(dice.below(BAD_LOGINS.len() as u64) as usize),
                3 if self.latecomer.is_none_or(|(late, _)| late != player) => Stranger::TakenId(player),
                _ => Stranger::Gone,
            };
            self.strangers.push((dice.within(1, 3_000), stranger));
        }
        self.disk = match dice.below(16) {
            0 | 1 => {
                let failure = Failure::ALL[self.seed as usize % Failure::ALL.len()];
                Some(DiskFault::Fails { call: dice.within(1, 60), failure })
            }
            2 => Some(DiskFault::Lies),
            _ => None,
        };
        for _ in 0..if dice.once_in(2) { dice.within(1, 4) } else { 0 } {
            let kill = match dice.once_in(2) {
                true => Kill::AtTurn(dice.within(1, 20 * players)),
                false => Kill::AtDisk { call: dice.within(1, 40), is_done: dice.once_in(2) },
            };
            self.ends.push(End { kill, power: dice.once_in(2) });
        }
        for _ in 0..if dice.once_in(3) { dice.within(1, 5) } else { 0 } {
            let button = match dice.below(8) {
                0 | 1 => Button::Pause(dice.within(1, 100_000)),
                2 => Button::Step,
                3 => Button::Pace(dice.within(1, 200)),
                4 | 5 => Button::Note,
                6 => Button::Remove(dice.below(players) as usize),
                _ => Button::Stop,
            };
            self.buttons.push((dice.within(1, 300), button));
        }
        if dice.once_in(12) && self.players <= 8 {
            self.page = Some(dice.below(2) as u32);
            self.rounds = self.rounds.min(15);
        }
    }

    pub(crate) fn villain(&self, player: usize) -> Option<Villain> {
        self.villains.iter().copied().find(|villain| villain.player == player)
    }

    /// The same day without disturbances: no kill, a good network and disk, no viewers and no teacher.
    pub(crate) fn undisturbed(&self) -> World {
        World {
            rough: false,
            latecomer: None,
            strangers: Vec::new(),
            disk: None,
            ends: Vec::new(),
            buttons: Vec::new(),
            page: None,
            ..self.clone()
        }
    }

    /// Whether the disturbances of this day must not change its outcome.
    pub(crate) fn is_settled(&self) -> bool {
        let changes = |button: &Button| matches!(button, Button::Remove(_));
        self.villains.iter().all(|villain| villain.fault.is_settled())
            && !self.buttons.iter().any(|(_, button)| changes(button))
            && !self.rehearsal
            // It matters in which round they sit down.
            && self.newcomers.is_empty()
    }

    pub(crate) fn is_disturbed(&self) -> bool {
        self.rough
            || self.page.is_some()
            || self.disk.is_some()
            || !(self.ends.is_empty() && self.buttons.is_empty() && self.strangers.is_empty())
    }

    pub(crate) fn terms(&self) -> Terms {
        let on_foul = if self.rehearsal { OnFoul::Fold } else { OnFoul::Eject };
        Terms {
            plan: self.plan.clone(),
            conduct: TableSettings { on_foul, ..TableSettings::default() },
            stack: self.stack,
            rounds: Some(self.rounds),
            reply_ms: self.reply_ms,
            relogin: self.relogin,
            house_counts: false,
        }
    }

    /// Smaller days that may go wrong in the same way.
    pub(crate) fn smaller(&self) -> Vec<World> {
        let mut smaller = Vec::new();
        let mut add = |change: &dyn Fn(&mut World)| {
            let mut world = self.clone();
            change(&mut world);
            smaller.push(world);
        };
        for index in 0..self.ends.len() {
            add(&|world| {
                world.ends.remove(index);
            });
        }
        for index in 0..self.buttons.len() {
            add(&|world| {
                world.buttons.remove(index);
            });
        }
        for index in 0..self.villains.len() {
            add(&|world| {
                world.villains.remove(index);
            });
        }
        for index in 0..self.strangers.len() {
            add(&|world| {
                world.strangers.remove(index);
            });
        }
        let switches: [(bool, Change); 8] = [
            (!self.newcomers.is_empty(), World::drop_last_newcomer),
            (self.disk.is_some(), |world| world.disk = None),
            (self.page.is_some(), |world| world.page = None),
            (self.rough, |world| world.rough = false),
            (self.latecomer.is_some(), |world| world.latecomer = None),
            (self.relogin, |world| world.relogin = false),
            (!self.house.is_empty(), |world| world.house.truncate(world.house.len() - 1)),
            (self.plan.numbers_tables() && self.players + self.house.len() <= 17, |world| {
                world.play_at_one_table();
            }),
        ];
        switches.iter().filter(|(is_on, _)| *is_on).for_each(|(_, change)| add(change));
        if self.rounds > 1 {
            add(&|world| world.rounds /= 2);
            add(&|world| world.rounds -= 1);
        }
        if self.players > 2 {
            add(&|world| world.drop_last_player());
        }
        smaller
    }

    fn play_at_one_table(&mut self) {
        self.plan = EventPlan { late_entry: self.plan.late_entry, ..EventPlan::single_table() };
    }

    fn drop_last_newcomer(&mut self) {
        self.newcomers.pop();
        let programs = self.programs();
        self.villains.retain(|villain| villain.player < programs);
    }

    fn drop_last_player(&mut self) {
        self.players -= 1;
        let players = self.players;
        self.villains.retain(|villain| villain.player != players);
        let newcomers = self.villains.iter_mut().filter(|villain| villain.player > players);
        newcomers.for_each(|villain| villain.player -= 1);
        self.latecomer = self.latecomer.filter(|(player, _)| *player < players);
        self.buttons.retain(|(_, button)| !matches!(button, Button::Remove(player) if *player >= players));
        self.strangers
            .retain(|(_, stranger)| !matches!(stranger, Stranger::TakenId(player) if *player >= players));
        if self.players + self.house.len() < FEWEST_PLAYERS {
            self.play_at_one_table();
        }
    }
}

/// A plan for many tables and this number of players, if the drawn numbers allow one.
fn plan(dice: &mut Dice, players: usize) -> Option<EventPlan> {
    let formats: Vec<Format> = Format::all().filter(|format| !format.rules().one_table()).collect();
    let format =
        if players > 60 { Format::default() } else { formats[dice.below(formats.len() as u64) as usize] };
    let plan = EventPlan {
        format,
        seats: dice.within(2, 6) as usize,
        level_rounds: Some(dice.within(2, 10)),
        // The ante grows, so that every event ends.
        antes: vec![1, 4, 16, 64, 256, 1_024],
        series: 1,
        late_entry: None,
    };
    (players >= FEWEST_PLAYERS).then_some(plan)
}
