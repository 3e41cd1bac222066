//! The console: its token, and everything that is done there.

use super::*;

#[test]
fn the_console_needs_its_token() {
    let casino = Casino::start("token", &["play", "--bot", "cautious*3"]);
    let actions = "start next pause resume step reveal pace tempo feature rehearsal rename \
                   remove journal result overview minutes holes predictions send-away approve ask-again go-on-without end";
    for action in actions.split(' ') {
        let path = format!("/api/{action}");
        for headers in [
            &[][..],
            &[("Authorization", "Bearer ")],
            &[("Authorization", "Bearer 00000000000000000000000000000000")],
            &[("Authorization", casino.token())],
            &[("Cookie", casino.token())],
        ] {
            for method in ["GET", "POST"] {
                let (status, body) = http(casino.console(), method, &path, headers, None);
                assert_eq!(status, 401, "{method} {path} {headers:?}");
                assert!(!body.contains("cautious"), "{body}");
            }
        }
        let bearer = format!("Bearer {}", casino.token());
        for method in ["GET", "POST"] {
            let headers = [("Authorization", bearer.as_str())];
            assert_eq!(http(casino.page(), method, &path, &headers, None).0, 404, "{method} {path}");
        }
    }
    for path in ["/", "/state", "/events"] {
        assert_eq!(http(casino.page(), "POST", path, &[], None).0, 405, "{path}");
    }
    // Nothing that changes anything is done by a GET, with the token either.
    assert_eq!(casino.ask("GET", "/api/start", None).0, 405);
    assert_eq!(casino.overview()["hour"], "lobby");
    assert_eq!(casino.overview()["actions"], json!([]));
}

/// The console actions of the test below, as the journal has them.
fn actions() -> [Value; 13] {
    [
        json!({ "minutes": 0 }),
        json!("rename \"house:folder-1\" to The <Folder>"),
        json!("rehearsal on"),
        json!({ "pace_ms": 60_000 }),
        json!({ "tempo_percent": 2000 }),
        json!("start"),
        json!("pause"),
        json!("step"),
        json!({ "remove": { "player": 2, "reason": "it plays music" } }),
        json!({ "pace_ms": 0 }),
        json!("resume"),
        json!("reveal seed"),
        json!("next"),
    ]
}

/// All console actions in the journal.
fn console_actions(journal: &[Value]) -> Vec<Value> {
    let console = journal.iter().filter(|line| line["type"] == "console");
    console.map(|line| line["action"].clone()).collect()
}

/// Pauses, steps once and waits to see that one round was played.
fn a_step_is_one_round(casino: &Casino) {
    casino.act("/api/pause", None);
    casino.wait_for_phase("paused");
    let round = |casino: &Casino| casino.overview()["round"].as_u64().unwrap();
    // The round in play when the pause came may still end.
    let standing = casino.wait_for("a rest", |casino| {
        let before = round(casino);
        std::thread::sleep(Duration::from_millis(1_000));
        (round(casino) == before).then_some(before)
    });
    casino.act("/api/step", None);
    casino.wait_for("one round", |casino| (round(casino) == standing + 1).then_some(()));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(round(casino), standing + 1, "a step is one round");
}

#[test]
fn everything_done_at_the_console_happens_and_is_in_the_journal() {
    let casino =
        Casino::start("actions", &["play", "--bot", "cautious*4", "--bot", "folder*2", "--rounds", "400"]);
    let refused = |path: &str, body: Option<Value>, words: &str| {
        let (status, text) = casino.ask("POST", path, body);
        assert_eq!(status, 409, "{path}: {text}");
        assert!(text.contains(words), "{path}: {text}");
    };
    refused("/api/pause", None, "only while a tournament is played");
    refused("/api/next", None, "only when the tournament is over");
    refused(
        "/api/rename",
        Some(json!({ "github_id": "nobody", "name": "x" })),
        "no connected player has this GitHubId",
    );
    refused(
        "/api/rename",
        Some(json!({ "github_id": "house:folder-1", "name": "\u{200b}" })),
        "letters and digits",
    );
    casino.act("/api/rename", Some(json!({ "github_id": "house:folder-1", "name": "The <Folder>" })));
    casino.act("/api/rehearsal", Some(json!({ "on": true })));
    // So slow that it cannot be over before everything has been tried.
    casino.act("/api/pace", Some(json!({ "ms": 60_000 })));
    casino.act("/api/tempo", Some(json!({ "percent": 2000 })));
    casino.wait_for("the new name in the lobby", |casino| {
        let lobby = casino.state()["lobby"]["guests"].to_string();
        lobby.contains("The <Folder>").then_some(())
    });
    casino.act("/api/start", None);
    casino.wait_for_phase("playing");
    assert_eq!(casino.state()["programme"]["rehearsal"], true);
    refused("/api/start", None, "only before a tournament begins");
    a_step_is_one_round(&casino);
    refused("/api/remove", Some(json!({ "seat": 2, "reason": " " })), "give a reason");
    refused("/api/remove", Some(json!({ "seat": 99, "reason": "x" })), "there is no seat 99");
    casino.act("/api/remove", Some(json!({ "seat": 2, "reason": "it plays music" })));
    assert_eq!(casino.overview()["members"][1]["removing"], "it plays music");
    casino.act("/api/pace", Some(json!({ "ms": 0 })));
    casino.act("/api/resume", None);
    casino.wait_for_phase("over");
    refused("/api/pause", None, "only while a tournament is played");
    let rows = casino.state()["board"]["rows"].clone();
    let out = rows.as_array().unwrap().iter().find(|row| row["seat"] == 2).unwrap();
    assert_eq!(out["why"], "was removed: it plays music");
    assert!(casino.state()["programme"]["seed"].is_null(), "the seed waits to be revealed");
    casino.act("/api/reveal", None);
    casino.wait_for("the seed", |casino| casino.state()["programme"]["seed"].as_str().map(str::to_string));
    casino.act("/api/next", None);
    casino.wait_for("the lobby again", |casino| (casino.overview()["hour"] == "lobby").then_some(()));
    let journal = casino.journal("journal.jsonl");
    assert_eq!(console_actions(&journal), actions());
    casino.verify("journal.jsonl");
    casino.act("/api/start", None);
    casino.wait_for_phase("over");
    assert_eq!(casino.state()["programme"]["number"], 2);
    assert_ne!(casino.journal("journal-2.jsonl")[0]["seed"], casino.journal("journal.jsonl")[0]["seed"]);
}

#[test]
fn a_tournament_that_is_ended_has_places_and_a_whole_journal() {
    let bots =
        ["play", "--bot", "cautious*9", "--seats", "3", "--rounds", "90000", "--level-rounds", "90000"];
    let casino = Casino::start("ended", &bots);
    casino.act("/api/minutes", Some(json!({ "minutes": 0 })));
    casino.act("/api/pace", Some(json!({ "ms": 50 })));
    casino.act("/api/tempo", Some(json!({ "percent": 2000 })));
    casino.act("/api/start", None);
    casino.wait_for("a round", |casino| (casino.overview()["round"].as_u64() > Some(0)).then_some(()));
    casino.act("/api/end", None);
    casino.wait_for_phase("over");
    let journal = casino.journal("journal.jsonl");
    assert!(console_actions(&journal).contains(&json!("end_now")));
    let over = journal.iter().find(|line| line["type"] == "over").expect("it is over");
    assert!(over["rounds"].as_u64().unwrap() < 90_000, "{over}");
    casino.verify("journal.jsonl");
}
