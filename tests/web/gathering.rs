//! Admission: rosters, squatters, and the players of an interrupted tournament.

use super::*;
use crate::support::host::{self, Host, run};

/// The address from which most players of these tests come, and another one.
const HERE: &str = "127.0.0.1";
const ELSEWHERE: &str = "127.0.0.2";

/// A player who connects from an address of this machine. It plays until it receives `done`, and returns its reason; an
/// empty one if the host died.
fn player_from(from: &'static str, address: SocketAddr, github_id: &str, avatar: &str) -> JoinHandle<String> {
    let login = format!("{github_id}:{avatar}");
    std::thread::spawn(move || {
        let told = play_from(from, address, &login, checks);
        told.into_iter().next_back().filter(|text| text.starts_with("done")).unwrap_or_default()
    })
}

/// Checks if that is free, and folds otherwise.
fn checks(fields: &[&str]) -> String {
    if fields[3] == "0" { "bet:0" } else { "fold" }.to_string()
}

fn inside(casino: &Casino) -> BTreeSet<String> {
    let overview = casino.overview();
    let members = overview["members"].as_array().unwrap();
    members.iter().map(|member| member["github_id"].as_str().unwrap().to_string()).collect()
}

fn wait_until_in(casino: &Casino, ids: &[&str]) {
    casino.wait_for(&format!("{ids:?} to be in"), |casino| {
        let inside = inside(casino);
        ids.iter().all(|id| inside.contains(*id)).then_some(())
    });
}

/// The state of the page once its lobby is like this: it is told a moment after the console.
fn state_with_lobby(casino: &Casino, is_like: impl Fn(&Value) -> bool) -> Value {
    casino.wait_for("the page's lobby", |casino| {
        Some(casino.state()).filter(|state| !state["lobby"].is_null() && is_like(&state["lobby"]))
    })
}

#[test]
fn only_roster_players_are_admitted_and_shown_by_name() {
    let folder = std::env::temp_dir().join(format!("casino-web-roster-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let roster = folder.join("class.csv");
    let rows = "GitHub ID;Name\nada-lovelace;Ada\ngrace-hopper;Grace\nkatherine-j;\n";
    std::fs::write(&roster, rows).unwrap();
    let roster = roster.display().to_string();
    let casino = Casino::start_in(folder, &["host", "--bind", "127.0.0.1:0", "--roster", &roster]);
    let game = casino.game.unwrap();
    let overview = casino.wait_for("the lobby", |casino| {
        Some(casino.overview()).filter(|overview| overview["roster"] == json!(true))
    });
    assert_eq!(overview["wanted"], 3);
    assert_eq!(overview["missing"].as_array().unwrap().len(), 3);
    state_with_lobby(&casino, |lobby| lobby["roster"]["missing"] == json!(["Ada", "Grace"]));

    let _ada = player_from(HERE, game, "ada-lovelace", "whatever");
    wait_until_in(&casino, &["ada-lovelace"]);
    let told = |id: &str| player_from(HERE, game, id, "grace-hopper").join().unwrap();
    assert!(told("mallory").contains("\"mallory\", which is not on the roster of this game"));
    assert!(told("Grace-Hopper").contains("has \"grace-hopper\": send it exactly as on the roster"));
    assert!(told("ada-lovelace").contains("a player with this GitHubId has already connected"));
    let overview = casino.wait_for("the refusals", |casino| {
        let overview = casino.overview();
        (overview["refused"].as_array().unwrap().len() == 3).then_some(overview)
    });
    let of_mallory =
        overview["refused"].as_array().unwrap().iter().find(|row| row["github_id"] == "mallory").unwrap();
    assert_eq!((&of_mallory["from"], &of_mallory["count"]), (&json!(HERE), &json!(1)));
    let state = state_with_lobby(&casino, |lobby| lobby["guests"][0]["name"] == "Ada");
    assert_eq!(state["lobby"]["roster"]["missing"], json!(["Grace"]));
    for id in ["ada-lovelace", "grace-hopper", "katherine-j", "mallory"] {
        assert!(!state.to_string().to_lowercase().contains(id), "{id}: {state}");
    }
    assert_eq!(state["lobby"]["connect"], json!([game.to_string()]));
    assert_eq!(state["lobby"]["next"], "one table of 3");
    let (status, why) = casino.ask("POST", "/api/start", None);
    assert!(status == 409 && why.contains("at least 2 players"), "{why}");

    casino.act("/api/let-in", Some(json!({"github_id": "mallory", "name": "Mal"})));
    assert!(!casino.overview()["refused"].to_string().contains("\"mallory\""));
    let _mallory = player_from(HERE, game, "mallory", "x");
    wait_until_in(&casino, &["mallory"]);
    std::fs::write(&roster, format!("{rows}nancy-g;Nancy\n")).unwrap();
    casino.wait_for("the changed roster", |casino| {
        let overview = casino.overview();
        (overview["wanted"] == 5 && overview["notices"].to_string().contains("read again")).then_some(())
    });
    let _nancy = player_from(HERE, game, "nancy-g", "x");
    wait_until_in(&casino, &["nancy-g"]);
    let names = json!(["Ada", "Mal", "Nancy"]);
    state_with_lobby(&casino, |lobby| {
        let guests = lobby["guests"].as_array().unwrap().iter();
        json!(guests.map(|guest| guest["name"].clone()).collect::<Vec<_>>()) == names
    });
}

#[test]
fn a_day_begins_with_those_who_are_in_and_has_a_journal() {
    let folder = std::env::temp_dir().join(format!("casino-web-day-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("casino-day.jsonl"), "of yesterday").unwrap();
    let casino = Casino::start_in(folder, &["host", "--bind", "127.0.0.1:0"]);
    let players = [("ada", "Countess Lovelace"), ("bob", "bob")];
    let players = players.map(|(id, name)| player_from(HERE, casino.game.unwrap(), id, name));
    wait_until_in(&casino, &["ada", "bob"]);
    // Nobody is expected, so names are whole; a GitHubId is none.
    let state = state_with_lobby(&casino, |lobby| {
        let names = lobby["guests"].as_array().unwrap().iter().map(|guest| guest["name"].as_str().unwrap());
        names.collect::<BTreeSet<_>>() == BTreeSet::from(["Countess Lovelace", "Player ?"])
    });
    assert_eq!((&casino.overview()["wanted"], &state["lobby"]["wanted"]), (&json!(0), &json!(0)));
    casino.act("/api/start", None);
    casino.wait_for_phase("playing");
    casino.act("/api/end", None);
    assert!(players.into_iter().all(|player| player.join().unwrap().starts_with("done:")));
    let journal = std::fs::read(casino.folder.join("casino-day-2.jsonl")).unwrap();
    assert!(verify(&journal[..], |_| {}).is_ok());
    assert_eq!(std::fs::read(casino.folder.join("casino-day.jsonl")).unwrap(), b"of yesterday");
}

#[test]
fn a_squatter_is_sent_away_and_cannot_come_back_at_once() {
    let casino = Casino::start("away", &["host", "--bind", "0.0.0.0:0", "--players", "3", "--bot", "caller"]);
    let game = SocketAddr::from(([127, 0, 0, 1], casino.game.unwrap().port()));
    let squatter = player_from(HERE, game, "ada", "Not Ada");
    wait_until_in(&casino, &["ada"]);
    let away = |body: Value| casino.ask("POST", "/api/send-away", Some(body));
    assert_eq!(away(json!({"github_id": "ada", "reason": " "})).0, 409, "it wants a reason");
    assert_eq!(away(json!({"github_id": "house:caller", "reason": "x"})).0, 409, "the house stays");
    casino.act("/api/send-away", Some(json!({"github_id": "ada", "reason": "you are not Ada"})));
    let told = squatter.join().unwrap();
    assert!(told.contains("the teacher sent you out of the lobby: \"you are not Ada\""), "{told}");
    let told = player_from(HERE, game, "ada", "Not Ada").join().unwrap();
    assert!(told.contains("this GitHubId may come back from this address in 1"), "{told}");
    assert_eq!(inside(&casino), BTreeSet::from(["house:caller".to_string()]));
    // The owner of the GitHubId connects from elsewhere, and others from the same address.
    let _owner = player_from(ELSEWHERE, game, "ada", "Ada");
    let _neighbour = player_from(HERE, game, "bob", "Bob");
    wait_until_in(&casino, &["ada", "bob"]);
    let connect = state_with_lobby(&casino, |_| true)["lobby"]["connect"].clone();
    assert!(!connect.to_string().contains("0.0.0.0"), "{connect}");
}

/// How many rounds the journal has: the page may be far behind.
fn rounds_recorded(casino: &Casino) -> usize {
    let journal = std::fs::read_to_string(casino.folder.join("journal.jsonl")).unwrap_or_default();
    journal.matches("{\"type\":\"end\"").count()
}

/// Has a host die in the middle of a tournament, and gives the folder of its journal.
fn interrupted(name: &str, more: &[&str], players: &[&str]) -> PathBuf {
    let mut arguments =
        vec!["host", "--bind", "127.0.0.1:0", "--rounds", "1500", "--seed", "x", "--stack", "9000"];
    arguments.extend(more);
    let mut casino = Casino::start(name, &arguments);
    let game = casino.game.unwrap();
    let came: Vec<JoinHandle<String>> =
        players.iter().map(|id| player_from(HERE, game, id, &format!("The {id}"))).collect();
    wait_until_in(&casino, players);
    casino.act("/api/rehearsal", Some(json!({"on": true})));
    casino.act("/api/pace", Some(json!({"ms": 3})));
    casino.act("/api/minutes", Some(json!({"minutes": 0})));
    casino.act("/api/holes", Some(json!({"holes": "never"})));
    casino.act("/api/predictions", Some(json!({"on": false})));
    casino.act("/api/start", None);
    casino.wait_for("some rounds", |casino| (rounds_recorded(casino) > 9).then_some(()));
    casino.child.kill().unwrap();
    casino.child.wait().unwrap();
    came.into_iter().for_each(|player| drop(player.join().unwrap()));
    // The folder lives on.
    std::mem::take(&mut casino.folder)
}

fn resume(folder: PathBuf, more: &[&str]) -> Casino {
    let journal = folder.join("journal.jsonl").display().to_string();
    let mut arguments = vec!["resume", &journal, "--bind", "127.0.0.1:0"];
    arguments.extend(more);
    Casino::start_in(folder, &arguments)
}

/// Ends a tournament, and checks that its journal proves itself.
fn play_out(casino: &Casino) -> Vec<Value> {
    casino.act("/api/pace", Some(json!({"ms": 0})));
    casino.wait_for("the end", |casino| (casino.overview()["hour"] == "over").then_some(()));
    casino.verify("journal.jsonl");
    casino.journal("journal.jsonl")
}

#[test]
fn after_an_interruption_a_new_address_waits_for_approval() {
    let folder = interrupted("again", &["--players", "4", "--bot", "caller"], &["ada", "bob", "eve"]);
    let casino = resume(folder, &[]);
    let game = casino.game.unwrap();
    // The console answers before the lobby opens.
    casino.wait_for("the lobby", |casino| (casino.overview()["resumed"] == true).then_some(()));
    let overview = casino.overview();
    let settings = ["pace_ms", "holes", "predictions", "rehearsal", "resumed"].map(|name| &overview[name]);
    assert_eq!(settings, [&json!(3), &json!("never"), &json!(false), &json!(true), &json!(true)]);
    assert_eq!(overview["missing"].as_array().unwrap().len(), 3);
    let is_awaiting = |lobby: &Value| lobby["awaited"].as_array().is_some_and(|awaited| awaited.len() == 3);
    state_with_lobby(&casino, |lobby| lobby["resumed"] == true && is_awaiting(lobby));

    let _ada = player_from(HERE, game, "ada", "x");
    wait_until_in(&casino, &["ada"]);
    let squatter = player_from("127.0.0.3", game, "bob", "x");
    let bob = player_from(ELSEWHERE, game, "bob", "x");
    let waiting = |casino: &Casino, count| {
        let waiting = casino.overview()["awaiting_approval"].as_array().unwrap().len();
        (waiting == count).then_some(())
    };
    casino.wait_for("two to wait", |casino| waiting(casino, 2));
    assert!(!inside(&casino).contains("bob"));
    for (path, body) in [
        ("/api/start", None),
        ("/api/rename", Some(json!({"github_id": "ada", "name": "Other"}))),
        ("/api/rehearsal", Some(json!({"on": false}))),
        ("/api/approve", Some(json!({"github_id": "eve"}))),
    ] {
        assert_eq!(casino.ask("POST", path, body).0, 409, "{path}");
    }
    casino.act("/api/approve", Some(json!({"github_id": "bob", "from": ELSEWHERE})));
    wait_until_in(&casino, &["ada", "bob"]);
    let told = squatter.join().unwrap();
    assert!(told.contains("a player with this GitHubId has already connected"), "{told}");
    casino.wait_for("nobody to wait", |casino| waiting(casino, 0));
    let (status, why) = casino.ask("POST", "/api/start", None);
    assert!(status == 409 && why.contains("1 player is missing"), "{why}");
    casino.act("/api/go-on-without", Some(json!({"github_id": "eve"})));
    casino.act("/api/start", None);
    let lines = play_out(&casino);
    drop(bob);
    let seat_of = |id: &str| {
        let players = lines[0]["players"].as_array().unwrap();
        1 + players.iter().position(|player| player["github_id"] == id).unwrap()
    };
    assert_eq!(lines[0]["players"][seat_of("ada") - 1]["from"], HERE);
    let plays_from = json!({ "address": { "player": seat_of("bob"), "from": ELSEWHERE } });
    assert!(lines.iter().any(|line| line["action"] == plays_from), "{lines:?}");
    let standings = lines.last().unwrap()["standings"].as_array().unwrap();
    let eve = standings.iter().find(|line| line["github_id"] == "eve").unwrap();
    assert_eq!(eve["place"], 3, "the bot of the house has no place");
    let why = eve["why"].as_str().unwrap();
    assert!(why.contains("it did not come back after the interruption"), "{why}");

    casino.act("/api/next", None);
    casino.wait_for("the next lobby", |casino| {
        let overview = casino.overview();
        (overview["hour"] == "lobby" && overview["resumed"] == false).then_some(())
    });
    let _eve = player_from(HERE, game, "eve", "Eve");
    wait_until_in(&casino, &["eve", "house:caller"]);
    casino.act("/api/start", None);
    casino.wait_for("play", |casino| (casino.overview()["hour"] == "playing").then_some(()));
    casino.act("/api/end", None);
    // The page shows the winners for half a minute after that.
    casino.wait_for("the end", |casino| (casino.overview()["hour"] == "over").then_some(()));
    casino.verify("journal-2.jsonl");
}

#[test]
fn the_address_that_was_approved_is_known_the_next_time() {
    let folder = interrupted("known", &["--players", "3", "--bot", "caller"], &["ada", "bob"]);
    let mut casino = resume(folder, &[]);
    let game = casino.game.unwrap();
    let players = [player_from(HERE, game, "ada", "x"), player_from(ELSEWHERE, game, "bob", "x")];
    casino.wait_for("bob to wait", |casino| {
        (casino.overview()["awaiting_approval"][0]["from"] == ELSEWHERE).then_some(())
    });
    casino.act("/api/approve", Some(json!({"github_id": "bob"})));
    wait_until_in(&casino, &["ada", "bob"]);
    casino.act("/api/start", None);
    let begun = rounds_recorded(&casino);
    casino.wait_for("play", |casino| (rounds_recorded(casino) > begun + 5).then_some(()));
    casino.child.kill().unwrap();
    casino.child.wait().unwrap();
    players.into_iter().for_each(|player| drop(player.join().unwrap()));
    let casino = resume(std::mem::take(&mut casino.folder), &[]);
    let _bob = player_from(ELSEWHERE, casino.game.unwrap(), "bob", "x");
    wait_until_in(&casino, &["bob"]);
}

/// After a resumed tournament players connect to the same address for the next one.
#[test]
fn the_next_tournament_after_a_resume_has_the_same_address() {
    let folder = interrupted("same", &["--players", "3", "--bot", "caller"], &["ada", "bob"]);
    let casino = resume(folder, &[]);
    let game = casino.game.unwrap();
    let back = ["ada", "bob"].map(|id| player_from(HERE, game, id, "x"));
    wait_until_in(&casino, &["ada", "bob"]);
    casino.act("/api/start", None);
    play_out(&casino);
    back.into_iter().for_each(|player| drop(player.join().unwrap()));
    casino.act("/api/next", None);
    casino.wait_for("the lobby", |casino| (casino.overview()["hour"] == "lobby").then_some(()));
    let _again = ["ada", "bob"].map(|id| {
        // The lobby listens soon after it is shown.
        casino.wait_for("the port", |_| std::net::TcpStream::connect(game).ok());
        player_from(HERE, game, id, "x")
    });
    wait_until_in(&casino, &["ada", "bob"]);
}

#[test]
fn absent_players_of_a_resumed_event_are_removed() {
    let players = ["ada", "bob", "cy", "dee", "eve"];
    let event = ["--players", "6", "--bot", "caller", "--seats", "2", "--level-rounds", "20"];
    let folder = interrupted("event", &event, &players);
    let casino = resume(folder, &[]);
    let game = casino.game.unwrap();
    let _back = ["ada", "bob"].map(|id| player_from(HERE, game, id, "x"));
    wait_until_in(&casino, &["ada", "bob"]);
    casino.act("/api/go-on-without", Some(json!({"all": true})));
    // A player that comes back before the tournament is resumed plays on.
    let _cy = player_from(HERE, game, "cy", "x");
    wait_until_in(&casino, &["cy"]);
    casino.act("/api/start", None);
    let lines = play_out(&casino);
    let standings = lines.last().unwrap()["standings"].as_array().unwrap();
    for line in standings {
        let gone = ["dee", "eve"].contains(&line["github_id"].as_str().unwrap());
        let absent = line["why"].as_str().is_some_and(|why| why.contains("did not come back"));
        assert_eq!(gone, absent, "{line}");
    }
}

#[test]
fn without_a_console_a_new_address_is_refused() {
    let folder = interrupted("bare", &["--players", "3", "--bot", "caller"], &["ada", "bob"]);
    let journal = folder.join("journal.jsonl").display().to_string();
    for trusts in [false, true] {
        let mut command = host::casino();
        command.args(["resume", &journal, "--bind", "127.0.0.1:0", "--quiet"]);
        if trusts {
            command.arg("--trust-addresses");
        }
        let mut host = Host::start(&mut command);
        let game = host.address().unwrap();
        if trusts {
            let players = ["ada", "bob"].map(|id| player_from(ELSEWHERE, game, id, "x"));
            assert!(host.wait().status.success());
            players.into_iter().for_each(|player| assert!(player.join().unwrap().contains("done")));
        } else {
            let told = player_from(ELSEWHERE, game, "ada", "x").join().unwrap();
            assert!(
                told.contains("played from another address") && told.contains("--trust-addresses"),
                "{told}"
            );
        }
    }
    verify(&std::fs::read(&journal).unwrap()[..], |_| {}).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_table_to_show_must_be_in_play() {
    let casino =
        Casino::start("table", &["play", "--bot", "caller*6", "--seats", "2", "--level-rounds", "50"]);
    casino.act("/api/pace", Some(json!({"ms": 500})));
    casino.act("/api/start", None);
    casino
        .wait_for("tables", |casino| (casino.overview()["table_numbers"] == json!([1, 2, 3])).then_some(()));
    let (status, why) = casino.ask("POST", "/api/feature", Some(json!({"table": 9})));
    assert_eq!((status, why.as_str()), (409, "table 9 is not in play; the tables in play: 1, 2, 3"));
    casino.act("/api/feature", Some(json!({"table": 2})));
    casino.act("/api/feature", Some(json!({"table": 0})));
    assert_eq!(casino.ask("POST", "/api/minutes", Some(json!({"minutes": 99_999}))).0, 409);
    assert_eq!(casino.ask("POST", "/api/holes", Some(json!({"holes": "always"}))).0, 422);
}

/// A player that replies once with the GitHubId of another player, and folds after it.
fn tattler(address: SocketAddr, github_id: &str, tells: &'static str) -> JoinHandle<()> {
    let (login, mut told) = (format!("{github_id}:Tattler"), false);
    let tell_once =
        move |_: &[&str]| if std::mem::replace(&mut told, true) { "fold" } else { tells }.to_string();
    std::thread::spawn(move || drop(play_from(HERE, address, &login, tell_once)))
}

/// A day with every kind of secret: GitHubIds that programs send and the teacher writes, addresses, an interruption.
/// The exported record and replay contain none of them, byte for byte, and the record proves itself.
#[test]
fn exported_files_contain_no_secret() {
    let ids = ["canary-ada", "canary-bob", "canary-tat"];
    let folder = interrupted("public", &["--players", "4", "--bot", "caller"], &ids);
    let casino = resume(folder, &[]);
    let game = casino.game.unwrap();
    casino.wait_for("the lobby", |casino| (casino.overview()["resumed"] == true).then_some(()));
    let players =
        [player_from(ELSEWHERE, game, "canary-ada", "x"), player_from(HERE, game, "canary-bob", "x")];
    let tattler = tattler(game, "canary-tat", "canary-eve:Eve");
    wait_until_in(&casino, &["canary-bob", "canary-tat"]);
    casino.wait_for("one to wait", |casino| {
        (casino.overview()["awaiting_approval"].as_array()?.len() == 1).then_some(())
    });
    casino.act("/api/approve", Some(json!({"github_id": "canary-ada"})));
    wait_until_in(&casino, &ids);
    casino.act("/api/start", None);
    let from = rounds_recorded(&casino);
    casino.wait_for("the foul", |casino| (rounds_recorded(casino) > from + 3).then_some(()));
    let overview = casino.overview();
    let bob =
        overview["members"].as_array().unwrap().iter().find(|member| member["github_id"] == "canary-bob");
    casino
        .act("/api/remove", Some(json!({"seat": bob.unwrap()["seat"], "reason": "canary-bob is too loud"})));
    let lines = play_out(&casino);
    players.into_iter().for_each(|player| drop(player.join().unwrap()));
    tattler.join().unwrap();
    let all = lines.iter().map(Value::to_string).collect::<String>();
    for there in ["canary-eve:Eve", "canary-bob is too loud", "127.0.0.2", "\"resumed\""] {
        assert!(all.contains(there), "the journal has it: {there}");
    }

    let journal = casino.folder.join("journal.jsonl");
    let (record, page) = (casino.folder.join("record.jsonl"), casino.folder.join("replay.html"));
    for (flag, file) in [("--public", &record), ("--html", &page)] {
        let written = run(&["replay", journal.to_str().unwrap(), flag, file.to_str().unwrap()]);
        assert!(written.status.success(), "{}", written.stderr);
        let bytes = std::fs::read(file).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        for secret in ["canary", "127.0.0.", ":Eve", "too loud"] {
            assert!(!text.contains(secret), "{flag}: {secret}");
        }
    }
    let verified = verify(&std::fs::read(&record).unwrap()[..], |_| {}).unwrap();
    let original = verify(&std::fs::read(&journal).unwrap()[..], |_| {}).unwrap();
    assert_eq!(
        (verified.rounds, verified.resumed, verified.end),
        (original.rounds, original.resumed, original.end)
    );
    let seed = lines[0]["seed"].as_str().unwrap().to_string();
    let text = std::fs::read_to_string(&page).unwrap();
    assert_eq!(seed, "x");
    assert!(!text.contains("\"seed\":\"x\""), "all hole cards follow from the seed");
}

/// The messages of a host about its addresses for players, page and console.
fn said_when_listening(port: &str) -> Vec<String> {
    let words = ["host", "--players", "2", "--bind", port, "--web", port, "--console", port];
    let mut host = Host::start(host::casino().args(words));
    host.wait_until_said(|said| {
        let whole = said.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let lines: Vec<String> =
            whole.lines().filter(|line| line.contains("open to ")).map(str::to_string).collect();
        (lines.len() == 3).then_some(lines)
    })
}

#[test]
fn a_port_alone_means_the_same_for_players_and_page() {
    // A machine without a network says that it has not joined one.
    let (network, here) = ("open to the ", "open to this machine only");
    for (port, open_to) in
        [("0", [here, network, network]), ("127.0.0.1:0", [here; 3]), ("*:0", [network; 3])]
    {
        let said = said_when_listening(port);
        assert_eq!(said.len(), 3, "{port}: {said:?}");
        let things = ["The teacher's console", "The page for the room", "Players connect to"];
        for ((line, open_to), thing) in said.iter().zip(open_to).zip(things) {
            assert!(line.contains(thing) && line.contains(open_to), "{port}: {line}");
        }
    }
}
