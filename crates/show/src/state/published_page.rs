//! The page and the state its viewers have received: a change is the difference between the two, so none can be
//! forgotten.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Page, Scoreboard};
use crate::rounds::BoardRow;

/// The points of the race from one of them on, which take the place of those that viewers have from there on.
#[derive(Serialize)]
struct RaceTail<T> {
    from: usize,
    points: T,
}

/// The rows of the standings that are not as viewers have them, with their indices. The others follow in their order.
#[derive(Serialize)]
struct ChangedRows<'a> {
    round: u64,
    rate: f64,
    rows: Vec<(usize, &'a BoardRow)>,
    /// Of each row: `=` for the place of the row before it, `-` for no place, `+` for the next place.
    places: String,
}

impl<'a> ChangedRows<'a> {
    /// The rows that changed, if some did and the others are the same and in the same order, and if that says less than all rows.
    fn between(told: &Scoreboard, now: &'a Scoreboard) -> Option<ChangedRows<'a>> {
        // A page changes many times a second, and its standings seldom.
        if told == now {
            return None;
        }
        let old: BTreeMap<usize, &BoardRow> = told.rows.iter().map(|row| (row.seat, row)).collect();
        let same = |row: &BoardRow| {
            old.get(&row.seat).is_some_and(|old| BoardRow { place: row.place, ..(*old).clone() } == *row)
        };
        let (kept, rows): (Vec<_>, Vec<_>) = now.rows.iter().enumerate().partition(|(_, row)| same(row));
        let changed: BTreeSet<usize> = rows.iter().map(|(_, row)| row.seat).collect();
        let before = told.rows.iter().map(|row| row.seat).filter(|seat| !changed.contains(seat));
        if 2 * rows.len() > now.rows.len() || !before.eq(kept.iter().map(|(_, row)| row.seat)) {
            return None;
        }
        let (mut placed, mut last) = (0, None);
        let places = now.rows.iter().map(|row| {
            placed += usize::from(row.place.is_some());
            let place = match row.place {
                None => Some('-'),
                place if place == last => Some('='),
                place => (place == Some(placed)).then_some('+'),
            };
            last = row.place.or(last);
            place
        });
        Some(ChangedRows { round: now.round, rate: now.rate, rows, places: places.collect::<Option<_>>()? })
    }
}

/// The page with the state its viewers have received.
#[derive(Debug, Default)]
pub struct PublishedPage {
    /// The page as it is now.
    pub page: Page,
    /// The state sent to viewers.
    told: Page,
    /// The number of the last change.
    number: u64,
}

/// A change as a JSON object, which begins with its number.
struct ChangeText(String);

impl ChangeText {
    fn add(&mut self, name: &str, value: &impl Serialize) {
        let value = serde_json::to_string(value).expect("a page is plain data");
        self.0.push_str(&format!(",\"{name}\":{value}"));
    }

    /// Adds a part of the page as a whole if it differs from the one sent.
    fn compare<T: Clone + PartialEq + Serialize>(&mut self, name: &str, told: &mut T, now: &T) {
        if told != now {
            self.add(name, now);
            told.clone_from(now);
        }
    }
}

impl PublishedPage {
    /// The changes since the last call as numbered JSON; `None` without changes. Changed parts are sent as a whole; of
    /// the race only the end may be sent, and news are appended.
    pub fn change(&mut self) -> Option<(u64, String)> {
        let Page {
            phase,
            lobby,
            show,
            programme,
            table,
            hall,
            board,
            race,
            news,
            podium,
            exit,
            ceremony,
            predictions,
            followed: _,
            told: _,
        } = &self.page;
        let (told, number) = (&mut self.told, self.number + 1);
        let mut change = ChangeText(format!("{{\"n\":{number}"));
        let unchanged = change.0.len();
        change.compare("phase", &mut told.phase, phase);
        change.compare("lobby", &mut told.lobby, lobby);
        change.compare("show", &mut told.show, show);
        change.compare("programme", &mut told.programme, programme);
        change.compare("table", &mut told.table, table);
        change.compare("hall", &mut told.hall, hall);
        match ChangedRows::between(&told.board, board) {
            Some(rows) => {
                change.add("board_rows", &rows);
                told.board.clone_from(board);
            }
            None => change.compare("board", &mut told.board, board),
        }
        let stride = told.race.stride();
        match told.race.follow(race) {
            None => {}
            // A race that begins or has been thinned out is sent whole.
            Some(from) if from == 0 || race.stride() != stride => change.add("race", race),
            Some(from) => change.add("race_tail", &RaceTail { from, points: &race.points()[from..] }),
        }
        change.compare("podium", &mut told.podium, podium);
        change.compare("exit", &mut told.exit, exit);
        change.compare("ceremony", &mut told.ceremony, ceremony);
        change.compare("predictions", &mut told.predictions, predictions);
        let added = told.news.follow(news);
        if !added.is_empty() {
            change.add("added_news", &added);
        }
        if change.0.len() == unchanged {
            return None;
        }
        self.number = number;
        change.0.push('}');
        Some((number, change.0))
    }

    /// The whole page as JSON with the number of its last change. It includes the changes since the last call of
    /// [`PublishedPage::change`], which are not sent again.
    pub fn snapshot(&mut self) -> (u64, String) {
        #[derive(Serialize)]
        struct Snapshot<'a> {
            n: u64,
            #[serde(flatten)]
            page: &'a Page,
        }
        self.change();
        let snapshot = Snapshot { n: self.number, page: &self.page };
        (self.number, serde_json::to_string(&snapshot).expect("a page is plain data"))
    }
}

#[cfg(test)]
mod tests {
    use crate::rounds::{TableView, TournamentInfo};
    use casino_stud::cards::Seed;
    use casino_stud::replay::PublicDeal;
    use casino_stud::tournament::Point;
    use serde_json::Value;

    use super::*;
    use crate::state::{GuestView, LobbyView};
    use crate::state::{Phase, Scoreboard};

    /// Applies a change like the page's script.
    fn apply(page: &mut Value, change: &Value) {
        assert_eq!(change["n"].as_u64(), page["n"].as_u64().map(|n| n + 1));
        for (key, value) in change.as_object().unwrap() {
            match key.as_str() {
                "race_tail" => {
                    let points = page["race"]["points"].as_array_mut().unwrap();
                    points.truncate(value["from"].as_u64().unwrap() as usize);
                    points.extend(value["points"].as_array().unwrap().clone());
                }
                "board_rows" => {
                    let changed: Vec<(usize, Value)> = serde_json::from_value(value["rows"].clone()).unwrap();
                    let rows = page["board"]["rows"].as_array_mut().unwrap();
                    rows.retain(|row| changed.iter().all(|(_, new)| new["seat"] != row["seat"]));
                    changed.into_iter().for_each(|(at, row)| rows.insert(at, row));
                    let (mut placed, mut last) = (0, Value::Null);
                    for (row, place) in rows.iter_mut().zip(value["places"].as_str().unwrap().chars()) {
                        placed += u64::from(place != '-');
                        last = if place == '+' { placed.into() } else { last };
                        row["place"] = if place == '-' { Value::Null } else { last.clone() };
                    }
                    page["board"]["round"] = value["round"].clone();
                    page["board"]["rate"] = value["rate"].clone();
                }
                "added_news" => {
                    page["news"].as_array_mut().unwrap().extend(value.as_array().unwrap().clone());
                }
                _ => page[key] = value.clone(),
            }
        }
    }

    #[test]
    fn a_snapshot_and_the_changes_after_it_make_the_page() {
        let mut published = PublishedPage::default();
        let mut seen: Value = serde_json::from_str(&published.snapshot().1).unwrap();
        let mut follow = |change: &dyn Fn(&mut Page)| {
            change(&mut published.page);
            let (_, change) = published.change().expect("something changed");
            apply(&mut seen, &serde_json::from_str(&change).unwrap());
            assert_eq!(published.change(), None, "a change is told once");
            assert_eq!(seen, serde_json::from_str::<Value>(&published.snapshot().1).unwrap());
            seen.as_object().unwrap().len()
        };
        let guest = GuestView { name: "Steph".to_string(), connected: true, house: false, rank: None };
        let guests = vec![guest];
        let awaited = vec!["Curry".to_string()];
        let lobby = LobbyView { wanted: 2, guests, awaited, ..LobbyView::default() };
        follow(&|page| page.lobby = lobby.clone());
        let players = vec!["Steph".to_string(), "Curry".to_string()];
        let info =
            TournamentInfo { number: 1, players, stack: 500, rounds: Some(9), ..TournamentInfo::default() };
        follow(&|page| page.begin(info.clone()));
        follow(&|page| {
            page.race.push(Point { round: 1, stacks: vec![490, 510] });
            page.news.add("exit", "Steph is out.".to_string());
        });
        let deal = PublicDeal { table: 1, round: 1, ante: 1, seats: Vec::new() };
        follow(&|page| page.table = Some(TableView::dealt(&deal, false)));
        follow(&|page| {
            page.table.as_mut().unwrap().pot = 9;
            page.phase = Phase::Paused;
        });
        follow(&|page| {
            page.programme.info.seed = Some("seed".to_string());
            page.board = Scoreboard { round: 3, ..Scoreboard::default() };
        });
        // So many rounds that the race is thinned out on the way.
        for round in 2..2_000 {
            follow(&|page| page.race.push(Point { round, stacks: vec![500, 500] }));
        }
        let parts = follow(&|page| page.begin(info.clone()));
        assert_eq!(parts, 14, "every part of the page, and its number");
    }

    #[test]
    fn of_a_large_board_only_changed_rows_are_sent() {
        let mut published = PublishedPage::default();
        let players: Vec<String> = (0..1_000).map(|number| format!("Player {number}")).collect();
        published.page.begin(TournamentInfo { number: 1, players, stack: 500, ..TournamentInfo::default() });
        let mut seen: Value = serde_json::from_str(&published.snapshot().1).unwrap();
        let (mut random, mut bytes) = (Seed::chosen("board").stream("test"), 0);
        for round in 1..=100_u64 {
            let board = &mut published.page.board;
            board.round = round;
            for _ in 0..16 {
                let row = &mut board.rows[random.below(1_000) as usize];
                row.chips = (row.chips + random.below(31)).saturating_sub(15);
                if row.seat % 50 == 0 {
                    row.place = None;
                } else if row.chips == 0 {
                    (row.left_in_round, row.why) = (Some(round), Some("no chips".to_string()));
                }
            }
            crate::rounds::rank(&mut board.rows, &BTreeMap::new());
            let (_, change) = published.change().expect("something changed");
            bytes += change.len();
            apply(&mut seen, &serde_json::from_str(&change).unwrap());
            assert_eq!(seen, serde_json::from_str::<Value>(&published.snapshot().1).unwrap());
        }
        assert!(bytes < 100 * 4_000, "{bytes} bytes for 100 changes of 16 rows among 1,000");
    }

    #[test]
    fn unsent_changes_are_in_the_next_snapshot_only() {
        let mut published = PublishedPage::default();
        published.page.news.add("day", "Nobody watches.".to_string());
        let (number, snapshot) = published.snapshot();
        assert!(snapshot.contains("Nobody watches."));
        assert_eq!(published.change(), None);
        // More news than the page keeps: the remaining ones are sent.
        (0..500).for_each(|news| published.page.news.add("day", format!("news {news}")));
        let (next, change) = published.change().unwrap();
        assert_eq!(next, number + 1);
        assert!(
            !change.contains("news 299\"") && change.contains("news 300\"") && change.contains("news 499\"")
        );
    }
}
