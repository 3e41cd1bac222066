//! The replay of a journal shows the same as the page on the day.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use casino_host::{ConnectionLimits, EventHost, SeatedPlayer, open_replay};
use casino_stud::cards::Seed;
use casino_stud::journal::Durability;
use casino_stud::strategies::HouseBot;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{EventPlan, Format, Recorder, TableGame, TableRecorder};
use serde_json::{Map, Value, to_value};

use super::replay_page::ReplayPage;
use super::seat::{PersonTable, SeenRecorder};
use super::show_tests::{ShownDay, apply, journal, jumping, show};
use super::shown_players_tests::{Divergence, TurningBot};

/// The states of the page during a day, each once.
#[derive(Default)]
struct Shown {
    /// The states of each table, by round and table.
    tables: BTreeMap<(u64, u32), Vec<Value>>,
    /// The standings after each round on show.
    boards: BTreeMap<u64, Value>,
    /// The stages of the ceremony.
    ceremony: Vec<Value>,
    page: Map<String, Value>,
}

/// A table without the fields of the show.
fn table(table: &Value) -> Value {
    let fields = [
        "table",
        "round",
        "street",
        "pot",
        "spade_half",
        "level",
        "turn",
        "opener",
        "war",
        "seats",
        "result",
    ];
    fields.into_iter().map(|field| (field.to_string(), table[field].clone())).collect()
}

fn push_new(states: &mut Vec<Value>, state: Value) {
    if states.last() != Some(&state) {
        states.push(state);
    }
}

impl Shown {
    fn of(messages: &[(Duration, Value)]) -> Shown {
        let mut shown = Shown::default();
        for (_, message) in messages {
            apply(&mut shown.page, message);
            if let Some(state) = message.get("table").filter(|state| !state.is_null()) {
                let key = (state["round"].as_u64().unwrap(), state["table"].as_u64().unwrap() as u32);
                push_new(shown.tables.entry(key).or_default(), table(state));
            }
            if let Some(board) = message.get("board").filter(|_| shown.page["phase"] == "playing") {
                shown.boards.insert(board["round"].as_u64().unwrap(), board["rows"].clone());
            }
            if let Some(stage) = message.get("ceremony").filter(|stage| !stage.is_null()) {
                let (number, of) = (&stage["tournament"]["number"], &stage["tournament"]["of"]);
                // The stages between two tournaments have no round of the replay; the last state is the podium.
                if number == of && stage["stage"] != "done" {
                    push_new(&mut shown.ceremony, stage.clone());
                }
            }
        }
        shown
    }
}

/// The differences between the page and the replay.
fn differences(shown: &Shown, replay: &ReplayPage) -> Vec<String> {
    let mut differences = Vec::new();
    let mut same = |what: &str, page: &Value, replay: &Value| {
        if page != replay {
            differences.push(format!("{what}: {page} on the page, {replay} in the replay"));
        }
    };
    let index = to_value(replay.index()).unwrap();
    let (mut seen, mut boards) = (0, 0);
    for place in 1..=index["rounds"].as_u64().unwrap() {
        let round = to_value(replay.round(place).unwrap()).unwrap();
        let frames: Vec<Value> = round["frames"].as_array().unwrap().iter().map(table).collect();
        let number = frames[0]["round"].as_u64().unwrap();
        let key = (number, frames[0]["table"].as_u64().unwrap() as u32);
        let states = shown.tables.get(&key).map_or(&[][..], Vec::as_slice);
        if states.iter().any(|state| state["result"].is_null() && !state["opener"].is_null()) {
            let mut all = Vec::new();
            frames.into_iter().for_each(|frame| push_new(&mut all, frame));
            same(&format!("round {number} step by step"), &Value::from(states), &Value::from(all));
            seen += 1;
        } else {
            // Of a round that passes its deal is seen, or its end.
            for state in states {
                let frame = frames.iter().find(|frame| *frame == state).or(frames.last()).unwrap();
                same(&format!("round {number}"), state, frame);
            }
        }
        let next = replay.round(place + 1).map(|next| to_value(next).unwrap());
        let is_last = next.as_ref().is_none_or(|next| next["frames"][0]["round"] != number);
        if let Some(board) = shown.boards.get(&number).filter(|_| is_last) {
            // Where the next level has begun, it is the board of that.
            let replayed = next.iter().map(|next| &next["before"]).find(|before| *before == board);
            same(&format!("the standings after round {number}"), board, replayed.unwrap_or(&round["board"]));
            boards += 1;
        }
    }
    let ceremony = to_value(replay.ceremony().unwrap()).unwrap();
    same("the ceremony", &Value::from(shown.ceremony.clone()), &ceremony["stages"]);
    same("the podium", &shown.page["podium"], &ceremony["podium"]);
    same("the players", &shown.page["programme"]["players"], &index["programme"]["players"]);
    assert!(seen > 0 && boards > 0, "{seen} rounds and {boards} boards");
    differences
}

#[test]
fn a_replay_matches_the_live_page() {
    let folder = std::env::temp_dir().join(format!("casino-replay-twin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let day = |name: &str, players| ShownDay {
        is_watched: true,
        rounds: 40,
        stack: 60,
        journal: Some(folder.join(format!("{name}.jsonl"))),
        ..ShownDay::new(name, 2, players)
    };
    let turn = Some(Divergence { player: 1, after: 12, dice: 7 });
    let event = |name: &str, format: &str, seats| {
        let day = day(name, 8).at_tables(seats);
        let format = Format::all().find(|other| other.rules().name == format).unwrap();
        let plan = EventPlan { format, level_rounds: Some(8), ..day.plan.clone() };
        ShownDay { plan: EventPlan { antes: vec![1, 2, 4, 8, 16, 32], ..plan }, ..day }
    };
    let mut late = day("late", 4);
    (late.plan.late_entry, late.late) = (Some(30), Some(Duration::from_secs(20)));
    let days = [
        day("one table", 5),
        ShownDay { turn, ..day("a foul", 5) },
        event("freezeout", "freezeout", 4),
        ShownDay {
            plan: EventPlan { series: 2, ..EventPlan::single_table() },
            rounds: 15,
            ..day("series", 4)
        },
        late,
    ];
    for day in days {
        let shown = jumping(show(&day));
        let journal = open_replay(day.journal.as_ref().unwrap()).unwrap();
        let (replay, _) = ReplayPage::of(journal, &Seed::chosen(&day.seed)).unwrap();
        let differences = differences(&Shown::of(&shown.messages), &replay);
        assert!(differences.is_empty(), "{}:\n{}", day.seed, differences.join("\n"));
        let (mut seen, rounds) = (0, replay.index().rounds as u64);
        replay.file(|done, all| seen += u64::from(done == seen + 1 && all == rounds)).unwrap();
        assert_eq!(seen, rounds, "the progress counts each round");
        let refused = replay.file_within(1, |_, _| ()).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("a page of all {rounds} rounds is more than")), "{refused}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The states of a person's table during a day, by round.
struct SeatStates {
    recorder: SeenRecorder,
    states: Arc<Mutex<BTreeMap<u64, Vec<Value>>>>,
}

/// The same at its table.
struct SeatTableStates {
    recorder: Box<dyn TableRecorder>,
    seen: Arc<Mutex<PersonTable>>,
    states: Arc<Mutex<BTreeMap<u64, Vec<Value>>>>,
}

fn note_seat(seen: &Mutex<PersonTable>, states: &Mutex<BTreeMap<u64, Vec<Value>>>) {
    let seen = seen.lock().unwrap();
    if let Some(state) = seen.table() {
        let state = table(&to_value(state).unwrap());
        push_new(states.lock().unwrap().entry(state["round"].as_u64().unwrap()).or_default(), state);
    }
}

impl Recorder for SeatStates {
    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        let (seen, states) = (Arc::clone(&self.recorder.0), Arc::clone(&self.states));
        Box::new(SeatTableStates { recorder: self.recorder.for_table(table), seen, states })
    }

    fn commit(&mut self) -> io::Result<()> {
        self.recorder.commit()?;
        note_seat(&self.recorder.0, &self.states);
        Ok(())
    }
}

impl TableRecorder for SeatTableStates {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.recorder.event(game, event)?;
        note_seat(&self.seen, &self.states);
        Ok(())
    }

    fn hand_over(&mut self) {
        self.recorder.hand_over();
    }
}

/// A person at a table sees each step of a round as the replay has it, until its end, which the replay shortens.
#[test]
fn a_thousand_rounds_look_the_same_from_a_seat_and_in_the_replay() {
    let path = std::env::temp_dir().join(format!("casino-seat-twin-{}.jsonl", std::process::id()));
    let turn = Some(Divergence { player: 1, after: 900, dice: 7 });
    let bots = ["passive", "caller", "random", "cautious", "simple", "caller"];
    let bots = bots.map(|name| HouseBot::named(name).unwrap()).to_vec();
    let day = ShownDay { rounds: 1_500, stack: 200_000, turn, bots, ..ShownDay::new("a seat", 0, 6) };
    let seed = Seed::chosen(&day.seed);
    let names = (1..=day.players).map(|player| format!("P{player}")).collect();
    let seen = Arc::new(Mutex::new(PersonTable::new(names, 2)));
    let states = Arc::default();
    let seat = SeatStates { recorder: SeenRecorder(seen), states: Arc::clone(&states) };
    let mut recorders: Vec<Box<dyn Recorder>> =
        vec![Box::new(journal(&day, &seed, &path, Durability::AtTheEnd)), Box::new(seat)];
    jumping(async {
        let player = |player| SeatedPlayer::House(Box::new(TurningBot::of(&day, player, &seed)));
        let host = EventHost::new((0..day.players).map(player).collect(), ConnectionLimits::default());
        host.play(&mut day.event(&seed), &mut recorders, || false).await.unwrap();
    });
    drop(recorders);
    let (replay, _) = ReplayPage::of(open_replay(&path).unwrap(), &seed).unwrap();
    let (states, mut wars) = (states.lock().unwrap(), 0);
    for (place, seat) in (1..).zip(states.values()) {
        let round = to_value(replay.round(place).unwrap()).unwrap();
        let mut frames = Vec::new();
        round["frames"].as_array().unwrap().iter().for_each(|frame| push_new(&mut frames, table(frame)));
        if frames.iter().any(|frame| !frame["war"].is_null()) {
            // A war of raises has one step in the replay; the person is part of it.
            wars += 1;
            assert_eq!((seat.first(), seat.last()), (frames.first(), frames.last()), "round {place}");
            continue;
        }
        assert_eq!(*seat, frames, "round {place}");
    }
    assert!(states.len() - wars >= 1_000, "{} rounds, {wars} wars of raises", states.len());
    std::fs::remove_file(path).unwrap();
}
