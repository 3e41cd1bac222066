//! A day from a practice ladder: the versions of all players take part, except those of players that connect.

use super::*;
use crate::support::host::run;

/// Runs a subcommand of `casino ladder` to its end.
fn ladder(arguments: &[&str]) -> String {
    let ended = run(&[&["ladder"], arguments].concat());
    assert!(ended.status.success(), "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    ended.stdout
}

/// Plays matches on the ladder in this folder until each of three students has played.
fn play_until_each_has_played(folder: &str) {
    for _ in 0..60 {
        ladder(&[folder, "--matches", "3"]);
        let status: Value = serde_json::from_str(&ladder(&["status", folder, "--json"])).unwrap();
        let versions = status["versions"].as_array().unwrap();
        let played = versions.iter().filter(|version| version["house"] == false && version["matches"] != 0);
        if played.count() == 3 {
            return;
        }
    }
    panic!("a version never plays");
}

/// Three players submit the Python kit and play a match. On the day Ada connects, Bob's laptop has failed, and Cy's
/// submission is damaged: Ada plays herself, Bob's version plays, and Cy stays out without harming the others.
#[test]
fn the_day_seats_versions_beside_connected_players() {
    if !crate::tools::has("python3", "versions on the day") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("casino-web-ladder-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let path = |name: &str| folder.join(name).display().to_string();
    for name in ["ada", "bob", "cy"] {
        let kit = folder.join("handed-in").join(name);
        std::fs::create_dir_all(&kit).unwrap();
        for file in ["poker.py", "strategy.py"] {
            std::fs::copy(format!("{}/bots/python/{file}", env!("CARGO_MANIFEST_DIR")), kit.join(file))
                .unwrap();
        }
    }
    let roster = "folder,github_id,name\nada,ada-l,Ada\nbob,bob-b,Bob B.\ncy,cy-c,Cy\ndee,dee-d,Dee\n";
    std::fs::write(folder.join("class.csv"), roster).unwrap();
    let spring = path("spring");
    ladder(&["import", &spring, &path("handed-in"), "--roster", &path("class.csv")]);
    ladder(&["set", &spring, "decks=1", "seats=4"]);
    play_until_each_has_played(&spring);
    let cy = std::fs::read_dir(folder.join("spring/submissions/")).unwrap();
    let cy = cy.map(|entry| entry.unwrap().path()).find(|path| path.join("cy").exists()).unwrap();
    std::fs::write(cy.join("cy/poker.py"), "print('my disk is gone')\n").unwrap();
    let journal = path("day.jsonl");
    let arguments =
        ["host", "--bind", "127.0.0.1:0", "--ladder", &spring, "--rounds", "5", "--journal", &journal];
    let casino = Casino::start_in(folder.clone(), &arguments);
    let guests = |casino: &Casino| casino.state()["lobby"]["guests"].as_array().cloned().unwrap_or_default();
    let all =
        casino.wait_for("the three versions", |casino| Some(guests(casino)).filter(|all| all.len() == 3));
    let mut ranks: Vec<u64> = all.iter().map(|guest| guest["rank"].as_u64().unwrap()).collect();
    ranks.sort_unstable();
    assert_eq!(ranks, [1, 2, 3], "{all:?}");
    let stranger = player(casino.game.unwrap(), "eve", "Eve");
    assert!(holds(&stranger.join().unwrap(), "not on the roster"));
    let ada = player(casino.game.unwrap(), "ada-l", "Ada");
    let is_in =
        |guest: &Value| guest["name"] == "Ada" && guest["connected"] == true && guest["rank"].is_u64();
    casino.wait_for("Ada", |casino| guests(casino).iter().any(is_in).then_some(()));
    assert_eq!(guests(&casino).len(), 3, "she takes her own seat");
    assert_eq!(casino.state()["lobby"]["roster"]["missing"], json!(["Dee"]));
    casino.act("/api/start", None);
    ada.join().unwrap();
    // The page shows the last hand and the podium for a minute after that.
    casino.wait_for("the end", |casino| (casino.overview()["hour"] == "over").then_some(()));
    let header = &casino.journal("day.jsonl")[0];
    let mut players: Vec<(String, String, bool)> = header["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| {
            let plays = player["plays"]["program"]["command"].as_str();
            let is_started = plays.is_some_and(|command| command.contains(" ladder bot "));
            let text = |key: &str| player[key].as_str().unwrap().to_string();
            (text("name"), text("github_id"), is_started)
        })
        .collect();
    players.sort();
    let wanted = [("Ada", "ada-l", false), ("Bob B.", "bob-b", true)];
    assert_eq!(players, wanted.map(|(name, id, started)| (name.to_string(), id.to_string(), started)));
    let told = casino.overview().to_string();
    assert!(told.contains("Cy stays out"), "{told}");
}
