//! The page of a day with more than one tournament.

use super::{Casino, Listener, events};

use serde_json::json;

/// Every tournament of many tables begins with its first round on the page.
#[test]
fn the_first_round_is_shown_of_the_next_tournament_too() {
    let game = ["play", "--bot", "caller*6", "--seats", "3", "--level-rounds", "3", "--rounds", "6"];
    let casino = Casino::start("first-rounds", &game);
    casino.act("/api/tempo", Some(json!({ "percent": 2000 })));
    let viewer = Listener::new(casino.page());
    casino.wait_for("a viewer", |casino| (casino.overview()["viewers"] == 1).then_some(()));
    casino.act("/api/start", None);
    for tournament in 1..=3 {
        let state = casino.wait_for("the end of a tournament", |casino| {
            let state = casino.state();
            (state["phase"] == "over" && state["programme"]["number"] == tournament).then_some(state)
        });
        casino.wait_for("the last change", |_| viewer.has_come_to(&state).then_some(()));
        if tournament < 3 {
            casino.act("/api/next", None);
            casino.wait_for("the lobby", |casino| (casino.overview()["hour"] == "lobby").then_some(()));
            casino.act("/api/start", None);
        }
    }
    drop(casino);
    let (mut tournament, mut first_rounds) = (json!(0), Vec::new());
    for event in events(&viewer.into_heard()) {
        if !event["programme"].is_null() {
            tournament = event["programme"]["number"].clone();
        }
        let round = &event["table"]["round"];
        if !round.is_null() && first_rounds.last().is_none_or(|(before, _)| *before != tournament) {
            first_rounds.push((tournament.clone(), round.clone()));
        }
    }
    assert_eq!(first_rounds, [(json!(1), json!(1)), (json!(2), json!(1)), (json!(3), json!(1))]);
}
