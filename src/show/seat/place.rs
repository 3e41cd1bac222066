//! The view of a person in a browser: its table, its question, and the result of the round.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use casino_host::{ChairHandle, ChairState};
use casino_show::rounds::TableView;
use casino_show::state::Programme;
use casino_stud::cards::Card;
use casino_stud::protocol::OwnedQuestion;
use casino_stud::shown::one_line;
use casino_stud::stud::Chips;

use super::lessons::{LessonSaid, LessonWords};
use super::seen::{PersonTable, lock};
use super::words;

/// A person's seat and its view of the table.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) chair: ChairHandle,
    seen: Arc<Mutex<PersonTable>>,
    shows_odds: bool,
    lesson: Option<LessonWords>,
    /// The odds for the question of this number.
    odds: Arc<Mutex<(u64, String)>>,
}

/// The fields are private data and are not printed.
impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Places")
    }
}

/// The places of people, by their ids in the journal.
#[derive(Default)]
pub(crate) struct Places(Mutex<HashMap<String, Place>>);

impl Places {
    fn places(&self) -> MutexGuard<'_, HashMap<String, Place>> {
        // Each entry is set at once.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The places of another tournament.
    pub(crate) fn set(&self, places: HashMap<String, Place>) {
        *self.places() = places;
    }

    pub(crate) fn of(&self, github_id: &str) -> Option<Place> {
        self.places().get(github_id).cloned()
    }
}

/// All that a person sees, as JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlaceView {
    #[cfg_attr(test, ts(type = "Programme"))]
    programme: Programme,
    /// The person's number, from 1.
    me: usize,
    #[cfg_attr(test, ts(type = "TableView | null"))]
    table: Option<TableView>,
    /// The sentences since the person acted.
    said: Vec<String>,
    turn: Option<TurnView>,
    /// The winners of the halves of the pot with reasons, while the person looks at the end.
    ending: Vec<String>,
    /// How long the person is waited for.
    seconds: Option<u64>,
    /// The reason of the person's exit.
    out: Option<String>,
    away: bool,
    /// Whether the teacher has paused play.
    pub(crate) paused: bool,
    lesson: Option<LessonSaid>,
}

/// A question with the cost of each reply.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TurnView {
    number: u64,
    words: String,
    to_call: Chips,
    /// The most that can be added to the call; nothing if the call cannot be paid.
    most_raise: Option<Chips>,
    #[cfg_attr(test, ts(type = "CardCode"))]
    hole: Card,
    odds: Option<String>,
}

impl Place {
    pub(crate) fn new(chair: ChairHandle, seen: Arc<Mutex<PersonTable>>, shows_odds: bool) -> Place {
        Place { chair, seen, shows_odds, lesson: None, odds: Arc::default() }
    }

    /// The same place in a lesson, without a deadline.
    pub(crate) fn teaching(self, lesson: LessonWords) -> Place {
        Place { lesson: Some(lesson), ..self }
    }

    /// Whether this is the same place as another.
    pub(crate) fn is(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.seen, &other.seen)
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, PersonTable> {
        lock(&self.seen)
    }

    pub(crate) fn view(&self) -> PlaceView {
        let state = self.chair.snapshot();
        let question = words::last_question(&state);
        let hole = question.as_ref().map(|question| question.as_question().hole);
        let turn = self.turn(&state, question.as_ref());
        let seen = self.seen();
        let table = seen.own_table(hole);
        let looks = state.confirm_by.is_some();
        let me = seen.me + 1;
        let ending = table.as_ref().filter(|_| looks).map_or_else(Vec::new, |table| {
            let lines = words::ending(table, seen.names(), me, hole);
            lines.into_iter().chain(seen.held.iter().cloned()).collect()
        });
        PlaceView {
            programme: Programme { info: seen.page.info().clone(), ..Programme::default() },
            me,
            table,
            said: seen.said.clone(),
            turn,
            ending,
            seconds: state.seconds_left().filter(|_| self.lesson.is_none()),
            out: words::last_word(&state).map(|reason| one_line(&reason).into_owned()),
            away: state.away,
            paused: false,
            lesson: self.lesson.as_ref().map(|lesson| lesson.said(seen.round.round, &seen.replied)),
        }
    }

    fn turn(&self, state: &ChairState, question: Option<&OwnedQuestion>) -> Option<TurnView> {
        let (asked, question) = (state.asked?, question?.as_question());
        Some(TurnView {
            number: asked.number,
            words: words::your_turn(None, &question),
            to_call: asked.bounds.to_call,
            most_raise: asked.bounds.max_raise(),
            hole: question.hole,
            odds: self.shows_odds.then(|| {
                let mut odds = self.odds.lock().unwrap_or_else(PoisonError::into_inner);
                if odds.0 != asked.number {
                    *odds = (asked.number, words::odds(&question));
                }
                odds.1.clone()
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use casino_host::{Chair, ConnectionLimits, EventHost, SeatedPlayer};
    use casino_stud::cards::Seed;
    use casino_stud::journal::{Header, PlayerSource, Terms};
    use casino_stud::strategies::HouseBot;
    use casino_stud::table::{Reply, TableEvent};
    use casino_stud::tournament::{Entrant, Recorder, Roster, TableGame, TableRecorder};

    use super::super::seen::SeenRecorder;
    use super::*;

    /// Checks the view of each person after every event.
    #[derive(Clone)]
    struct Canary {
        places: Vec<(usize, Place)>,
        looks: Arc<Mutex<u64>>,
    }

    impl Recorder for Canary {
        fn for_table(&mut self, _: &TableGame) -> Box<dyn TableRecorder> {
            Box::new(self.clone())
        }
    }

    impl TableRecorder for Canary {
        fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
            if !matches!(event, TableEvent::Acted { .. } | TableEvent::Ended) {
                return Ok(());
            }
            let round = table.table().round();
            for (player, place) in &self.places {
                let sent = serde_json::to_string(&place.view()).unwrap();
                for seat in round.dealt() {
                    let hole = serde_json::to_string(&round.hole(seat)).unwrap();
                    let is_own = table.player_at(seat) == *player;
                    assert!(is_own || !sent.contains(&hole), "{player} is sent {hole}: {sent}");
                }
            }
            *self.looks.lock().unwrap() += 1;
            Ok(())
        }
    }

    /// In ten thousand rounds with two people and a bot, no view has the hole card of another before the round is over.
    #[test]
    fn ten_thousand_rounds_leak_no_hole_card_to_another_person() {
        const ROUNDS: u64 = 10_000;
        let seed = Seed::chosen("page canaries");
        let names = ["odds", "ann", "ben"];
        let roster = Roster::new(&names.map(|name| Entrant::new(name, name)), &seed);
        let terms = Terms { house_counts: true, ..Terms::single_table(10_000_000, ROUNDS) };
        let plays = |index: &usize| match names[*index] {
            "odds" => PlayerSource::House("odds".to_string()),
            _ => PlayerSource::Person,
        };
        let order = roster.entrants().to_vec();
        let header = Header::new(terms, &seed, roster.players().iter().cloned().zip(order.iter().map(plays)));
        let all: Vec<String> = header.players.iter().map(|player| player.name.clone()).collect();
        let (mut seated, mut places, mut record): (_, _, Vec<Box<dyn Recorder>>) =
            (Vec::new(), Vec::new(), Vec::new());
        for (player, index) in order.iter().enumerate() {
            if names[*index] == "odds" {
                let bot = HouseBot::named("odds").unwrap().seated("odds", &seed);
                seated.push(SeatedPlayer::House(Box::new(bot)));
                continue;
            }
            let chair = Chair::new(std::time::Duration::from_secs(60));
            let seen = Arc::new(Mutex::new(PersonTable::new(all.clone(), player)));
            record.push(Box::new(SeenRecorder(Arc::clone(&seen))));
            places.push((player, Place::new(chair.handle(), seen, false)));
            seated.push(SeatedPlayer::Person(chair));
        }
        let looks = Arc::new(Mutex::new(0));
        record.insert(0, Box::new(Canary { places: places.clone(), looks: Arc::clone(&looks) }));
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut event = header.event().unwrap();
            let host = EventHost::new(seated, ConnectionLimits::default());
            let people = places.iter().map(|(_, place)| {
                let chair = place.chair.clone();
                tokio::spawn(async move {
                    let mut changes = chair.changes();
                    loop {
                        let state = chair.snapshot();
                        if let Some(asked) = state.asked {
                            // It may be answered already: the change was another one.
                            let _ = chair.reply(asked.number, Reply::Bet(asked.bounds.to_call));
                        } else if state.confirm_by.is_some() {
                            chair.go_on();
                        }
                        if changes.changed().await.is_err() {
                            return;
                        }
                    }
                })
            });
            let people: Vec<_> = people.collect();
            host.play(&mut event, &mut record, || false).await.unwrap();
            people.iter().for_each(tokio::task::JoinHandle::abort);
        });
        assert!(*looks.lock().unwrap() >= ROUNDS);
        // Its own card a person is sent.
        let (_, place) = &places[0];
        assert!(place.view().out.is_some());
    }
}
