//! The page of a day with more than one tournament.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::{Casino, Listener, events};
use crate::support::host::{Folder, run};

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

/// A pause and an end are about one tournament: the next one has neither, not even in its lobby.
#[test]
fn the_next_tournament_is_neither_paused_nor_ending() {
    let casino = Casino::start("next", &["play", "--bot", "caller*3", "--rounds", "90000"]);
    casino.act("/api/pace", Some(json!({ "ms": 20 })));
    casino.act("/api/start", None);
    casino.wait_for("a round", |casino| (casino.overview()["round"].as_u64() > Some(0)).then_some(()));
    casino.act("/api/pause", None);
    casino.act("/api/end", None);
    casino.wait_for("the end", |casino| (casino.overview()["hour"] == "over").then_some(()));
    casino.act("/api/next", None);
    let lobby = casino.wait_for("the lobby", |casino| {
        Some(casino.overview()).filter(|overview| overview["hour"] == "lobby")
    });
    let settings = ["paused", "ending", "pace_ms"].map(|name| &lobby[name]);
    assert_eq!(settings, [&json!(false), &json!(false), &json!(20)]);
    casino.act("/api/start", None);
    casino.wait_for("a round of the next tournament", |casino| {
        let overview = casino.overview();
        (overview["number"] == 2 && overview["round"].as_u64() > Some(0)).then_some(())
    });
}

/// The host died in a pause: whoever has a console ends it there, and without one play continues.
#[test]
fn a_pause_survives_a_crash_where_a_console_can_end_it() {
    let folder = Folder::new("paused");
    let journal = folder.path("journal.jsonl");
    let words = "play --bot caller*3 --seed paused --rounds 20 --quiet --journal";
    assert!(run(&[&words.split(' ').collect::<Vec<_>>()[..], &[&journal]].concat()).status.success());
    let whole = std::fs::read_to_string(&journal).unwrap();
    let end = whole.find("{\"type\":\"end\",\"round\":5,").unwrap();
    let end = end + whole[end..].find('\n').unwrap() + 1;
    let paused = format!("{}{{\"type\":\"console\",\"action\":\"pause\"}}\n", &whole[..end]);

    std::fs::write(&journal, &paused).unwrap();
    let page = ["--web", "127.0.0.1:0", "--minutes", "0", "--stay", "0", "--quiet"];
    let ended = run(&[&["resume", journal.as_str()][..], &page].concat());
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(std::fs::read_to_string(&journal).unwrap().contains("\"type\":\"over\""));

    std::fs::write(&journal, &paused).unwrap();
    let casino = Casino::start_in(folder.file(""), &["resume", &journal]);
    casino.wait_for("the lobby", |casino| (casino.overview()["resumed"] == true).then_some(()));
    casino.act("/api/start", None);
    casino.wait_for_phase("paused");
    let rounds = || std::fs::read_to_string(&journal).unwrap().matches("{\"type\":\"end\"").count();
    assert_eq!(rounds(), 5);
    casino.act("/api/resume", None);
    casino.wait_for("the end", |casino| (casino.overview()["hour"] == "over").then_some(()));
    assert_eq!(rounds(), 20);
    casino.verify("journal.jsonl");
}

/// Ctrl-C ends the tournament in play, whichever of the day it is, and the process only the second time.
#[test]
fn ctrl_c_ends_the_second_tournament_with_its_places() {
    let mut casino = Casino::start("second", &["play", "--bot", "caller*3", "--rounds", "90000"]);
    casino.act("/api/pace", Some(json!({ "ms": 20 })));
    let press = |casino: &Casino| kill(Pid::from_raw(casino.child.id() as i32), Signal::SIGINT).unwrap();
    for number in 1..=2 {
        casino.act("/api/start", None);
        casino.wait_for("a round", |casino| {
            let overview = casino.overview();
            (overview["number"] == number && overview["round"].as_u64() > Some(0)).then_some(())
        });
        press(&casino);
        casino.wait_for("the end", |casino| (casino.overview()["hour"] == "over").then_some(()));
        if number == 1 {
            casino.act("/api/next", None);
            casino.wait_for("the lobby", |casino| (casino.overview()["hour"] == "lobby").then_some(()));
        }
    }
    for name in ["journal.jsonl", "journal-2.jsonl"] {
        casino.verify(name);
        assert!(casino.journal(name).iter().any(|line| line["type"] == "over"), "{name}");
    }
    press(&casino);
    assert!(casino.child.wait().unwrap().success());
}
