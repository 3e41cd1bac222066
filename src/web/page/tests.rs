use super::*;
use casino_stud::replay::PublicDeal;
use serde_json::Value;

/// What the page's script does with a delta.
fn apply(page: &mut Value, delta: &Value) {
    assert_eq!(delta["n"].as_u64(), page["n"].as_u64().map(|n| n + 1));
    for (key, value) in delta.as_object().unwrap() {
        match key.as_str() {
            "race_tail" => {
                let points = page["race"]["points"].as_array_mut().unwrap();
                points.truncate(value["from"].as_u64().unwrap() as usize);
                points.extend(value["points"].as_array().unwrap().clone());
            }
            "added_news" => page["news"].as_array_mut().unwrap().extend(value.as_array().unwrap().clone()),
            _ => page[key] = value.clone(),
        }
    }
}

#[test]
fn a_snapshot_and_the_deltas_after_it_make_the_page() {
    let mut page = Page::default();
    let mut seen: Value = serde_json::from_str(&page.snapshot()).unwrap();
    let mut follow = |page: &mut Page| {
        let (_, delta) = page.delta().expect("something changed");
        apply(&mut seen, &serde_json::from_str(&delta).unwrap());
        assert_eq!(seen, serde_json::from_str::<Value>(&page.snapshot()).unwrap());
        assert_eq!(page.delta(), None, "a change is told once");
    };
    let guest = GuestView { name: "Steph".to_string(), connected: true, house: false };
    page.show_lobby(LobbyView {
        wanted: 2,
        guests: vec![guest],
        awaited: vec!["Curry".to_string()],
        ..LobbyView::default()
    });
    follow(&mut page);
    let players = vec!["Steph".to_string(), "Curry".to_string()];
    page.begin(TournamentInfo { number: 1, players, stack: 500, rounds: 9, ..TournamentInfo::default() });
    follow(&mut page);
    page.add_points(vec![Point { round: 1, stacks: vec![490, 510] }]);
    page.add_news("exit", "Steph is out.".to_string());
    follow(&mut page);
    page.show_table(TableView::dealt(&PublicDeal { table: 1, round: 1, ante: 1, seats: Vec::new() }, false));
    follow(&mut page);
    page.table_mut().unwrap().0.pot = 9;
    page.enter(Phase::Paused);
    follow(&mut page);
    page.reveal("seed");
    page.show_board(Board { round: 3, ..Board::default() });
    page.show_podium(vec![]);
    follow(&mut page);
}
