//! The answers of a ladder's addresses, in memory.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use casino_judge::check::CheckSettings;
use casino_judge::grade::grade_submission::STARTER_KIT;
use casino_judge::sandbox::{Policy, Sandbox};
use casino_ladder::{Ladder, MatchKind, NewVersion, PlayerId, Settings, VersionKind, VersionState, Workshop};
use casino_stud::protocol::Login;

use super::{LadderState, door, heavy, now_ms, own, routes};
use crate::web::{ServingLimits, answer_in_memory};

pub(super) const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A ladder with Ada, Bob and the house, for one test.
pub(super) struct Served {
    folder: PathBuf,
    pub(super) state: Arc<LadderState>,
    pub(super) ada: PlayerId,
    pub(super) bob: PlayerId,
    keys: [String; 2],
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Served {
    pub(super) fn new() -> Served {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("casino-ladder-page-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut ladder = Ladder::create(&folder).unwrap();
        ladder.add_house_bots(1).unwrap();
        let ada = ladder.add_player("Ada <b>", Some("secret-ada"), 1).unwrap();
        let bob = ladder.add_player("Bob", Some("secret-bob"), 1).unwrap();
        let keys = [ada, bob].map(|player| ladder.renew_key(player).unwrap());
        let mut served = Served::of(folder, ladder);
        (served.ada, served.bob, served.keys) = (ada, bob, keys);
        served
    }

    /// This ladder, whose folder goes with the test.
    pub(super) fn of(folder: PathBuf, ladder: Ladder) -> Served {
        let state = Arc::new(LadderState::new(ladder, TOKEN).unwrap());
        Served { state, folder, ada: PlayerId(0), bob: PlayerId(0), keys: Default::default() }
    }

    pub(super) fn ask(&self, method: &str, path: &str, key: &str, body: &[u8]) -> (u16, String) {
        let kind = if body.starts_with(b"{") { "application/json" } else { "application/octet-stream" };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let bytes = [head.as_bytes(), body].concat();
        let answer =
            answer_in_memory(routes::routes(Arc::clone(&self.state)), &bytes, ServingLimits::LADDER, 1 << 26);
        let answer = casino_host::block_on(answer).unwrap().unwrap();
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(!text.contains("secret-"), "a GitHubId left: {text}");
        (status, text)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, "", b"")
    }
}

#[test]
fn a_key_opens_only_the_page_of_its_owner() {
    let served = Served::new();
    let [ada, bob] = &served.keys;
    for key in ["", "x", &ada.to_uppercase()[..31], TOKEN] {
        assert_eq!(served.ask("GET", "/api/me", key, b"").0, 401, "{key}");
        assert_eq!(served.ask("POST", "/api/me/submit/bot.zip", key, b"PK").0, 401);
    }
    let (status, told) = served.ask("POST", "/api/me/submit/bot.zip", ada, b"PK, but no archive");
    assert_eq!((status, told.contains("waiting")), (200, true), "{told}");
    assert!(served.ask("GET", "/api/me", ada, b"").1.contains("bot.zip"));
    assert!(!served.ask("GET", "/api/me", bob, b"").1.contains("bot.zip"));
    let version = served.state.ladder().versions_of(served.ada).unwrap()[0].id;
    let order = format!("{{\"version\":{version}}}");
    assert_eq!(served.ask("POST", "/api/me/activate", bob, order.as_bytes()).0, 404, "it is not his");
    assert!(!served.get(&format!("/api/player/{}", served.ada)).1.contains("bot.zip"));
    for name in ["..%2Fx.zip", ".zip", "a%2Fb.zip", "bot.exe", "-rf.zip", "%C3%A9.zip", "a%00.zip"] {
        let (status, told) = served.ask("POST", &format!("/api/me/submit/{name}"), ada, b"x");
        assert_eq!(status, 409, "{name}: {told}");
    }
}

#[test]
fn only_a_key_plays_for_its_player() {
    let served = Served::new();
    let [ada, bob] = &served.keys;
    for (github_id, key, player) in [
        ("secret-ada", ada.as_str(), Some(served.ada)),
        ("secret-bob", bob, Some(served.bob)),
        ("secret-ada", "", None),
        ("secret-ada", bob, Some(served.bob)),
        ("secret-ada", TOKEN, None),
        ("starter-python", ada, Some(served.ada)),
        ("nobody", "", None),
    ] {
        let key = if key.is_empty() { String::new() } else { format!("#{key}") };
        let login = Login::read(format!("{github_id}:Me{key}").as_bytes()).unwrap();
        assert_eq!(login.avatar, "Me");
        let found = door::player(&served.state, &login).unwrap().unwrap();
        assert_eq!((!found.is_stranger()).then_some(found.id), player, "{github_id}{key}");
    }
    assert!(!served.get("/api/overview").1.contains("Stranger"));
}

#[test]
fn a_player_has_two_uploads_at_a_time_and_leaves_no_file() {
    let served = Served::new();
    let begin = |player| own::Upload::begin(Arc::clone(&served.state), player, "bot.zip");
    let mut two = [begin(served.ada).unwrap(), begin(served.ada).unwrap()];
    let refused = begin(served.ada).err().unwrap().to_string();
    assert!(refused.contains("on their way"), "{refused}");
    assert!(begin(served.bob).is_ok(), "another player");
    assert!(two[0].add(b"PK").unwrap() && !two[0].add(&vec![0; 33 << 20]).unwrap());
    drop(two);
    assert!(begin(served.ada).is_ok());
    assert_eq!(std::fs::read_dir(served.folder.join("arriving")).unwrap().count(), 0);
}

#[tokio::test]
async fn an_expensive_answer_is_computed_once_and_only_while_somebody_waits() {
    let served = Served::new();
    let (computed, here) = (Arc::new(AtomicU32::new(0)), heavy::Place::Address([10, 0, 0, 1].into()));
    let ask = |thing: &str| {
        let computed = Arc::clone(&computed);
        heavy::heavy(Arc::clone(&served.state), here, thing.to_string(), move |_| {
            computed.fetch_add(1, Ordering::Relaxed);
            Ok(heavy::HeavyAnswer::new("text/plain", "answer"))
        })
    };
    for _ in 0..20 {
        assert_eq!(ask("one").await.status(), 200);
    }
    let same = futures_util::future::join_all((0..20).map(|_| ask("two"))).await;
    assert!(same.iter().all(|answer| answer.status() == 200));
    // Those that hung up before their turn are not computed.
    let workers = served.state.heavy.all_workers().await;
    for number in 0..20 {
        let mut gone = Box::pin(ask(&format!("gone {number}")));
        assert!(futures_util::poll!(gone.as_mut()).is_pending());
    }
    let mut waiting: Vec<_> = (0..32).map(|number| Box::pin(ask(&format!("waits {number}")))).collect();
    for one in &mut waiting {
        assert!(futures_util::poll!(one.as_mut()).is_pending());
    }
    assert_eq!(ask("one too many").await.status(), 429);
    drop((workers, waiting));
    assert_eq!(ask("one").await.status(), 200);
    assert_eq!(computed.load(Ordering::Relaxed), 2);
}

/// Thirty answers for one player, each of which takes for ever, leave a worker to everyone else.
#[tokio::test]
async fn one_key_takes_no_workers_from_other_places() {
    let served = Served::new();
    let (give_up, forever) = std::sync::mpsc::channel::<()>();
    let forever = Arc::new(std::sync::Mutex::new(forever));
    let mut own: Vec<_> = (0..30)
        .map(|number| {
            let forever = Arc::clone(&forever);
            let place = heavy::Place::Player(served.ada);
            Box::pin(heavy::heavy(Arc::clone(&served.state), place, format!("own {number}"), move |_| {
                let _ = super::lock(&forever).recv();
                Ok(heavy::HeavyAnswer::new("text/plain", "own"))
            }))
        })
        .collect();
    for one in &mut own {
        assert!(futures_util::poll!(one.as_mut()).is_pending());
    }
    for place in [heavy::Place::Address([10, 0, 0, 1].into()), heavy::Place::Player(served.bob)] {
        let work = |_: &LadderState| Ok(heavy::HeavyAnswer::new("text/plain", "public"));
        let answer = heavy::heavy(Arc::clone(&served.state), place, format!("{place:?}"), work);
        let answer = tokio::time::timeout(std::time::Duration::from_secs(60), answer).await;
        assert_eq!(answer.expect("a worker is free").status(), 200);
    }
    drop(give_up);
    assert_eq!(own.remove(0).await.status(), 200);
}

#[test]
fn build_errors_reach_only_the_author_and_quotas_hold() {
    let served = Served::new();
    let [ada, bob] = &served.keys;
    served.ask("POST", "/api/me/submit/bot.zip", ada, b"no archive");
    let sandbox = Sandbox::new(Policy::Plain).unwrap();
    let workshop = Workshop::new(sandbox, CheckSettings::default());
    let version = served.state.ladder().waiting_versions().unwrap().remove(0);
    assert!(served.state.ladder().check_version(&version, &workshop).unwrap().is_ok());
    let version = served.state.ladder().version(version.id).unwrap();
    let reason = version.reason.unwrap();
    assert!(served.ask("GET", "/api/me", ada, b"").1.contains(&reason[..10]));
    let player = served.get(&format!("/api/player/{}", served.ada)).1;
    assert!(player.contains("refused") && !player.contains(&reason[..10]), "{player}");
    let settings = served.state.ladder().settings().unwrap();
    let quotas = casino_ladder::Quotas { submissions_an_hour: 2, submission_bytes: 100, ..settings.quotas };
    served.state.ladder().set_settings(&Settings { quotas, ..settings.clone() }).unwrap();
    assert_eq!(served.ask("POST", "/api/me/submit/b.zip", ada, &[0; 101]).0, 413);
    assert_eq!(served.ask("POST", "/api/me/submit/b.zip", ada, b"second").0, 200);
    assert_eq!(served.ask("POST", "/api/me/submit/b.zip", ada, b"third").0, 409);
    served.state.ladder().set_settings(&Settings { is_frozen: true, ..settings }).unwrap();
    let (status, told) = served.ask("POST", "/api/me/submit/b.zip", bob, b"first");
    assert_eq!((status, told.contains("frozen")), (409, true));
}

#[test]
fn a_match_is_shown_proved_and_replayed_once_it_is_over() {
    let served = Served::new();
    let terms = Settings { decks: 2, ..Settings::default() }.terms(MatchKind::Rated);
    let id = {
        let mut ladder = served.state.ladder();
        let versions = ["odds/1", "bold/1"].map(|label| ladder.version_labelled(label).unwrap().id);
        ladder.plan_match(terms, &versions, None, now_ms()).unwrap()
    };
    for path in ["journal.jsonl", "replay.html"] {
        assert_eq!(served.get(&format!("/match/{id}/{path}")).0, 409, "its cards are nobody's business yet");
    }
    let seed = served.state.ladder().match_of(id).unwrap().seed;
    assert!(!served.get(&format!("/api/match/{id}")).1.contains(&seed));
    let workshop = Workshop::new(Sandbox::new(Policy::Plain).unwrap(), CheckSettings::default());
    assert!(served.state.ladder().begin_match(id, now_ms()).unwrap());
    let played = served.state.ladder().play_begun(id, &workshop, Default::default(), &now_ms, || false);
    played.unwrap();
    // A read that failed is not the answer for ever.
    let journal = {
        let ladder = served.state.ladder();
        ladder.journal(&ladder.match_of(id).unwrap().name)
    };
    std::fs::rename(&journal, journal.with_extension("away")).unwrap();
    assert_eq!(served.get(&format!("/api/match/{id}/verify")).0, 500);
    std::fs::rename(journal.with_extension("away"), &journal).unwrap();
    assert!(served.get(&format!("/api/match/{id}/verify")).1.contains("\"proved\":true"));
    let (status, journal) = served.get(&format!("/match/{id}/journal.jsonl"));
    assert!(status == 200 && journal.contains("odds/1"));
    let (status, replay) = served.get(&format!("/match/{id}/replay.html"));
    assert!(status == 200 && replay.contains("sandbox allow-scripts"));
    assert!(served.get("/api/overview").1.contains("\"played\":1"));
    assert_eq!(served.get("/api/match/999").0, 404);
    assert_eq!(served.get("/match/..%2f..%2fladder.db/journal.jsonl").0, 400);
}

/// A match of house bots that has been played.
fn played(served: &Served, labels: &[&str]) -> casino_ladder::MatchId {
    let terms = Settings { decks: 2, ..Settings::default() }.terms(MatchKind::Rated);
    let mut ladder = served.state.ladder();
    let versions: Vec<_> = labels.iter().map(|label| ladder.version_labelled(label).unwrap().id).collect();
    let id = ladder.plan_match(terms, &versions, None, now_ms()).unwrap();
    let workshop = Workshop::new(Sandbox::new(Policy::Plain).unwrap(), CheckSettings::default());
    assert!(ladder.begin_match(id, now_ms()).unwrap());
    ladder.play_begun(id, &workshop, Default::default(), &now_ms, || false).unwrap();
    id
}

/// The answers to the page in a replay's file.
fn kept(file: &str) -> serde_json::Value {
    let kept = file.split_once("id=\"kept\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(kept).unwrap()
}

#[test]
fn a_replay_shows_each_player_only_its_own_cards() {
    let served = Served::new();
    let id = played(&served, &["odds/1", "bold/1", "simple/1"]);
    let [ada, _] = &served.keys;
    let key = {
        let mut ladder = served.state.ladder();
        let bold = ladder.player_named("bold").unwrap().id;
        ladder.renew_key(bold).unwrap()
    };
    let order = format!("{{\"match\":{id}}}");
    for (stranger, status) in [("", 401), (ada.as_str(), 404)] {
        assert_eq!(served.ask("POST", "/api/me/ticket", stranger, order.as_bytes()).0, status);
    }
    let (status, told) = served.ask("POST", "/api/me/ticket", &key, order.as_bytes());
    assert_eq!(status, 200, "{told}");
    let path = told.split_once("\"path\":\"").unwrap().1.split('"').next().unwrap().to_string();
    let (status, file) = served.get(&format!("/{path}"));
    assert_eq!(status, 200);
    let own = kept(&file);
    let public = kept(&served.get(&format!("/match/{id}/replay.html")).1);
    let names = own["/index"]["programme"]["players"].as_array().unwrap();
    let seat = (1 + names.iter().position(|name| name == "bold/1").unwrap()).to_string();
    assert!(own["/index"]["programme"]["seed"].is_null(), "all cards follow from it");
    assert_eq!((&own["/index"]["holes"], &public["/index"]["holes"]), (&true.into(), &false.into()));
    let mut decisions = 0;
    for round in 1..=6 {
        let holes = own[&format!("/round/{round}")]["holes"].as_object().unwrap();
        assert!(holes.keys().eq([&seat]), "{holes:?}");
        assert!(public[&format!("/round/{round}")]["holes"].is_null());
        let said = own[&format!("/decisions/{round}")].as_array().unwrap();
        assert!(said.iter().all(|decision| decision["name"] == "bold/1"), "{said:?}");
        decisions += said.len();
        assert!(public[&format!("/decisions/{round}")].is_null());
    }
    assert!(decisions > 0);
    let players = own["/coach"]["summary"]["players"].as_array().unwrap();
    assert!(players.len() == 1 && players[0]["name"] == "bold/1");
    let elsewhere = path.replacen(&format!("match/{id}/"), "match/999/", 1);
    assert_eq!(served.get(&format!("/{elsewhere}")).0, 401, "a ticket is for one match");
    let other = path.rsplit_once('-').unwrap().0.to_string() + "-0/replay.html";
    assert_eq!(served.get(&format!("/{other}")).0, 401);
}

#[test]
fn players_page_lists_matches_and_compares_two_versions() {
    let served = Served::new();
    let ids: Vec<_> = (0..3).map(|_| played(&served, &["odds/1", "bold/1"])).collect();
    let ladder = served.state.ladder();
    let [odds, bold] = ["odds", "bold"].map(|name| ladder.player_named(name).unwrap().id);
    *super::lock(&served.state.ratings) = Arc::new(ladder.ratings().unwrap());
    drop(ladder);
    let player = served.get(&format!("/api/player/{odds}")).1;
    let shown: serde_json::Value = serde_json::from_str(player.split_once("\r\n\r\n").unwrap().1).unwrap();
    let opponents = shown["opponents"].as_array().unwrap();
    assert!(
        opponents.iter().any(|one| one["id"] == bold.0) && opponents.iter().all(|one| one["id"] != odds.0)
    );
    let page = |before: i64| served.get(&format!("/api/matches/{odds}/{bold}/rated/{before}")).1;
    assert!(page(ids[1].0).contains(&format!("\"id\":{},", ids[0])));
    assert!(!page(ids[1].0).contains(&format!("\"id\":{},", ids[1])));
    let (status, words) = served.get(&format!("/api/player/{odds}/compare/1/1"));
    assert!(
        status == 200 && words.contains("odds/1 and odds/1 have not played against each other"),
        "{words}"
    );
    assert_eq!(served.get(&format!("/api/player/{odds}/compare/1/7")).0, 404);
    assert!(!served.get(&format!("/api/player/{}", served.ada)).1.contains("foul"));
}

#[test]
fn a_refused_version_is_shown_and_no_program_connects_to_a_frozen_ladder() {
    let served = Served::new();
    let [ada, bob] = &served.keys;
    served.ask("POST", "/api/me/submit/bot.zip", ada, b"no archive");
    let version = served.state.ladder().waiting_versions().unwrap().remove(0);
    served.state.ladder().set_checked(version.id, VersionState::Refused, Some("bad"), Some("bad")).unwrap();
    served.state.forget_overview();
    assert!(
        served.get("/api/overview").1.contains("\"version\":1,\"kind\":\"submission\",\"state\":\"refused\"")
    );
    let login = |key: &str| Login::read(format!("x:Me#{key}").as_bytes()).unwrap();
    assert!(matches!(door::admission(&served.state, &login(bob)), casino_host::Admission::Welcome));
    let frozen = Settings { is_frozen: true, ..served.state.ladder().settings().unwrap() };
    served.state.ladder().set_settings(&frozen).unwrap();
    for key in [ada, bob] {
        let admission = door::admission(&served.state, &login(key));
        assert!(matches!(admission, casino_host::Admission::Refused(_)), "it may be another program now");
    }
}

#[test]
fn version_output_is_visible_only_to_its_author() {
    let served = Served::new();
    let [ada, bob] = &served.keys;
    served.ask("POST", "/api/me/submit/bot.zip", ada, b"PK");
    let version = served.state.ladder().versions_of(served.ada).unwrap()[0].id;
    let path = format!("/api/me/said/{version}");
    assert_eq!(served.ask("GET", &path, ada, b"").0, 200);
    assert_eq!(served.ask("GET", &path, bob, b"").0, 404);
    assert_eq!(served.get(&path).0, 401);
}

#[test]
fn challenges_are_limited_and_need_connected_programs() {
    let served = Served::new();
    let [ada, _] = &served.keys;
    let odds = served.state.ladder().player_named("odds").unwrap().id;
    let order = format!("{{\"opponent\":{odds},\"rounds\":200}}");
    let (status, told) = served.ask("POST", "/api/me/challenge", ada, order.as_bytes());
    assert_eq!((status, told.contains("no program here yet")), (409, true), "{told}");
    let order = format!("{{\"opponent\":{},\"rounds\":1000}}", served.bob);
    assert_eq!(served.ask("POST", "/api/me/challenge", ada, order.as_bytes()).0, 409);
    let content_sha256 = Some("ab".repeat(32));
    let kind = VersionKind::Submission;
    let new = NewVersion { player: served.ada, kind, source: "bot".to_string(), content_sha256, bytes: 1 };
    let version = served.state.ladder().add_version(&new, 1, |_| Ok(())).unwrap();
    served.state.ladder().set_checked(version, VersionState::Ready, None, None).unwrap();
    let order = format!("{{\"opponent\":{odds},\"rounds\":2}}");
    let terms = Settings::default().terms(MatchKind::Challenge);
    for number in 1..=20 {
        let (status, told) = served.ask("POST", "/api/me/challenge", ada, order.as_bytes());
        assert_eq!(status, 200, "challenge {number}: {told}");
    }
    // Challenges by others, the newest of all, make no room for more.
    let odds = served.state.ladder().version_labelled("odds/1").unwrap().id;
    for _ in 0..120 {
        served.state.ladder().plan_match(terms, &[version, odds], Some(served.bob), now_ms()).unwrap();
    }
    let (status, told) = served.ask("POST", "/api/me/challenge", ada, order.as_bytes());
    assert_eq!((status, told.contains("try again tomorrow")), (409, true), "{told}");
}

#[test]
fn the_console_opens_to_its_token_alone() {
    let served = Served::new();
    let [ada, _] = &served.keys;
    for key in ["", ada] {
        assert_eq!(served.ask("GET", "/api/teacher/overview", key, b"").0, 401);
        assert_eq!(served.ask("POST", "/api/teacher/retire", key, b"{\"player\":1,\"on\":true}").0, 401);
    }
    let settings =
        Settings { announcement: "Lecture <at> noon".to_string(), is_paused: true, ..Settings::default() };
    let body = serde_json::to_vec(&settings).unwrap();
    assert_eq!(served.ask("POST", "/api/teacher/settings", TOKEN, &body).0, 204);
    assert!(served.get("/api/overview").1.contains("Lecture <at> noon"));
    let order = format!("{{\"player\":{}}}", served.ada);
    let (_, told) = served.ask("POST", "/api/teacher/key", TOKEN, order.as_bytes());
    assert!(told.contains("\"key\":"));
    assert_eq!(served.ask("GET", "/api/me", ada, b"").0, 401, "the old key opens nothing any more");
}

#[test]
fn every_address_of_the_page_is_relative() {
    let served = Served::new();
    for path in
        ["/", "/console.html", "/ladder.js", "/ladder_own.js", "/ladder_console.js", "/ladder_parts.js"]
    {
        let (status, text) = served.get(path);
        assert_eq!(status, 200, "{path}");
        for absolute in ["href=\"/", "src=\"/", "fetch(\"/", "fetch(`/", "http://", "https://"] {
            assert!(!text.contains(absolute), "{path} has {absolute}");
        }
    }
}

/// Values that no script of the page sends are refused in a sentence, which has nothing of the parsers' texts.
#[test]
fn malformed_values_are_refused_in_a_sentence() {
    let served = Served::new();
    let refused = |method: &str, path: &str, body: &str, statuses: &[u16]| {
        let key = if path.starts_with("/api/teacher") { TOKEN } else { &served.keys[0] };
        let (status, answer) = served.ask(method, path, key, body.as_bytes());
        let told = answer.split_once("\r\n\r\n").unwrap().1;
        assert!(statuses.contains(&status), "{path} {body}: {status} {told}");
        assert!(told.ends_with('.') || told.ends_with("load the page again."), "{path} {body}: {told}");
        for raw in ["deserialize", "parse", "invalid", "expected", "Invalid", "column", "i64", "u64"] {
            assert!(!told.contains(raw), "{path} {body}: {told}");
        }
    };
    for (path, field) in [
        ("/api/me/activate", "version"),
        ("/api/me/challenge", "opponent"),
        ("/api/me/ticket", "match"),
        ("/api/teacher/settings", "seats"),
        ("/api/teacher/retire", "player"),
        ("/api/teacher/key", "player"),
    ] {
        for value in ["\"<b>\"", "-1.5", "[]", "1e30", "99999999999999999999"] {
            refused("POST", path, &format!("{{\"{field}\":{value}}}"), &[422]);
        }
        for body in ["{", "{]", "{\"", "7", "", "\u{0}"] {
            refused("POST", path, body, &[400, 415]);
        }
    }
    for path in [
        "/api/player/N",
        "/api/matches/N/0/all/0",
        "/api/matches/0/N/all/0",
        "/api/matches/0/0/all/N",
        "/api/match/N",
        "/api/match/N/verify",
        "/match/N/journal.jsonl",
        "/match/N/replay.html",
        "/match/N/1-2-3/replay.html",
        "/api/player/N/compare/1/1",
        "/api/player/1/compare/N/1",
        "/api/player/1/compare/1/N",
        "/api/me/said/N",
    ] {
        for number in ["x", "1.5", "%00", "%ff", "99999999999999999999"] {
            refused("GET", &path.replace('N', number), "", &[400]);
        }
    }
    refused("POST", "/api/me/submit/%ff", "PK", &[400]);
}

#[test]
fn an_unchanged_starter_kit_is_named_to_all() {
    let served = Served::new();
    let new = |player| {
        let kind = VersionKind::Submission;
        NewVersion {
            player,
            kind,
            source: "bot".to_string(),
            content_sha256: Some("a".to_string()),
            bytes: 1,
        }
    };
    for (player, diagnosis) in [(served.ada, format!("{STARTER_KIT}\npassed")), (served.bob, "passed".into())]
    {
        let mut ladder = served.state.ladder();
        let version = ladder.add_version(&new(player), 1, |_| Ok(())).unwrap();
        ladder.set_checked(version, VersionState::Ready, None, Some(&diagnosis)).unwrap();
    }
    let rows = served.get("/api/overview").1;
    let of = |name: &str| rows.split("\"id\"").find(|row| row.contains(name)).unwrap().to_string();
    assert!(of("Ada <b>").contains("\"starter_kit\":true") && of("Bob").contains("\"starter_kit\":false"));
    let own =
        |key: &str| served.ask("GET", "/api/me", key, b"").1.contains(&format!("\"reason\":\"{STARTER_KIT}"));
    assert!(own(&served.keys[0]) && !own(&served.keys[1]));
    let console = served.ask("GET", "/api/teacher/overview", TOKEN, b"").1;
    assert_eq!(console.matches(STARTER_KIT).count(), 1, "{console}");
}

/// An archive with these files, by their paths, in which a path may be anything.
fn tar_of(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        // A builder would refuse such a path.
        header.as_old_mut().name[..path.len()].copy_from_slice(path);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn bad_archives_are_refused_with_a_reason_and_leave_no_files() {
    let served = Served::new();
    let [ada, _] = &served.keys;
    let settings = served.state.ladder().settings().unwrap();
    let quotas = casino_ladder::Quotas { submissions_an_hour: 100, ..settings.quotas };
    served.state.ladder().set_settings(&Settings { quotas, ..settings }).unwrap();
    let outside = std::env::temp_dir().join(format!("casino-ladder-outside-{}", std::process::id()));
    let absolute = outside.join("bot.json");
    let absolute = absolute.to_str().unwrap().as_bytes();
    // It starts on every machine with these tests, and ends without a connection.
    let program = format!("{:4096}", r#"{"run": "rustc --version {host} {port}"}"#);
    let whole = tar_of(&[(b"bot.json", program.as_bytes())]);
    let deep = "d/".repeat(40) + "poker.py";
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty.zip", Vec::new()),
        ("noise.zip", b"PK\x03\x04 and nothing that follows".to_vec()),
        ("noise.tar.gz", b"\x1f\x8b\x08 and nothing that follows".to_vec()),
        ("cut.tar", whole[..1500].to_vec()),
        ("renamed.zip", whole.clone()),
        ("up.tar", tar_of(&[(b"../../../poker.py", b"x")])),
        ("absolute.tar", tar_of(&[(absolute, program.as_bytes())])),
        ("both.tar", tar_of(&[(b"poker", b"x"), (b"poker/poker.py", b"x")])),
        ("nothing.tar", tar_of(&[(b"notes.txt", b"x")])),
        ("deep.tar", tar_of(&[(deep.as_bytes(), b"import sys; sys.exit(1)")])),
        ("nul.tar", tar_of(&[(b"po\xff\xfe.py", b"x")])),
    ];
    let sandbox = Sandbox::without_box(Policy::Plain).unwrap();
    let workshop = Workshop::new(sandbox, CheckSettings::default());
    for (name, bytes) in &cases {
        let (status, told) = served.ask("POST", &format!("/api/me/submit/{name}"), ada, bytes);
        assert_eq!(status, 200, "{name}: {told}");
        let version = served.state.ladder().waiting_versions().unwrap().remove(0);
        assert!(served.state.ladder().check_version(&version, &workshop).unwrap().is_ok(), "{name}");
        let version = served.state.ladder().version(version.id).unwrap();
        assert_eq!(version.state.word(), "refused", "{name}");
        let reason = version.reason.unwrap();
        assert!(reason.len() > 20, "{name}: {reason}");
        assert!(!reason.contains(served.folder.to_str().unwrap()), "a path of this machine: {reason}");
    }
    assert!(!outside.exists());
    assert_eq!(served.state.ladder().versions_of(served.ada).unwrap().len(), cases.len());
}

#[test]
fn a_flood_of_submissions_ends_at_the_quota() {
    let served = Served::new();
    let [ada, bob] = &served.keys;
    let taken = (0..60)
        .filter(|number| {
            served.ask("POST", "/api/me/submit/b.zip", ada, format!("{number}").as_bytes()).0 == 200
        })
        .count();
    assert_eq!(taken, 12);
    let (status, told) = served.ask("POST", "/api/me/submit/b.zip", ada, b"once more");
    assert!(status == 409 && told.contains("try again later"), "{told}");
    assert_eq!(served.ask("POST", "/api/me/submit/b.zip", bob, b"his first").0, 200, "it is hers alone");
    let kept = std::fs::read_dir(served.folder.join("submissions")).unwrap().count();
    assert_eq!(kept, 13, "what was refused is kept nowhere");
}
