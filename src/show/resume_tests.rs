//! A page that dies at any moment is the same page after the journal is resumed.

use std::collections::BTreeSet;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::mpsc::unbounded_channel;

use casino_host::{ConnectionLimits, EventHost, JournalFile, SeatedPlayer, open_to_resume};
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_stud::cards::{Seed, Stream};
use casino_stud::journal::{Durability, Journal, Reader};
use casino_stud::replay::{HouseBots, RebuiltTournament, Replay};
use casino_stud::tournament::{Event, EventPlan, Format, Recorder};

use super::hub::Hub;
use super::messages::{PageMessage, open_show};
use super::presenter::Presenter;
use super::publisher::EventPublisher;
use super::show_tests::{ShownDay, journal, jumping};
use super::shown_players_tests::{Divergence, TurningBot};
use super::supervisor::supervise;
use crate::session::{ConsoleState, Interruption, Replies};

/// How long each tournament was interrupted.
const PAUSE: Duration = Duration::from_secs(180);

/// A page as JSON, with the pages of all players.
#[derive(Clone, Debug)]
struct PageSnapshot {
    page: Map<String, Value>,
    players: Vec<Value>,
    /// The overview of the console.
    notices: Vec<String>,
}

impl PageSnapshot {
    fn of(hub: &Hub, console_state: &ConsoleState) -> PageSnapshot {
        let players = hub.look(|page| page.info().players.len());
        let page: Value = serde_json::from_str(&hub.snapshot()).unwrap();
        let player =
            |number| hub.player(number).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
        let players = (1..=players).map(player).collect();
        let notices = console_state.state().notices.sentences();
        PageSnapshot { page: page.as_object().unwrap().clone(), players, notices }
    }

    fn phase(&self) -> &str {
        self.page["phase"].as_str().unwrap()
    }
}

/// A tournament that is shown until it is over or its host is killed.
struct Hosted {
    hub: Arc<Hub>,
    event: Event,
    recorder: Journal,
    beginning: PageMessage,
    /// Whether the tournament is over and only its end is shown.
    is_over: bool,
}

/// Plays and shows, and calls `look` after these times, at the last of which the host is killed. With no time left it
/// plays to the end. Returns how the page was at each of these moments, or at the end.
async fn host(day: &ShownDay, hosted: Hosted, looks: &[Duration]) -> Vec<PageSnapshot> {
    let Hosted { hub, mut event, recorder, beginning, is_over } = hosted;
    let console_state: Arc<ConsoleState> = Arc::default();
    let requests = Arc::default();
    console_state.controls().set(|settings| settings.minutes = Some(day.minutes));
    let (messages, received) = unbounded_channel();
    let presenter = Presenter::new(Arc::clone(&hub), Arc::clone(&console_state), Arc::clone(&requests));
    console_state.begin(1, Vec::new(), day.journal.clone(), None);
    open_show(&console_state, &requests);
    if day.minutes == 0 {
        console_state.controls().set(|settings| settings.pace = Duration::from_millis(400));
    }
    let replies = Arc::new(Replies::new(event.players()));
    let players = match &beginning {
        PageMessage::Begin(info) | PageMessage::GoOn(info, _) => info.players.clone(),
        _ => Vec::new(),
    };
    let mut publisher = EventPublisher::new(messages.clone(), Arc::clone(&requests), replies, players);
    let goes_on = matches!(beginning, PageMessage::GoOn(..));
    messages.send(beginning).unwrap();
    if goes_on {
        publisher.go_on(&event);
    } else {
        publisher.show_level(&event);
    }
    let seed = Seed::chosen(&day.seed);
    let seat = |player| SeatedPlayer::House(Box::new(TurningBot::of(day, player, &seed)));
    let control = console_state.controls().control();
    let host =
        EventHost::new((0..event.players()).map(seat).collect(), ConnectionLimits::default()).under(control);
    let (host, _lobby) = day.let_in(host, &event);
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(recorder), Box::new(publisher)];
    let dealer = async {
        if is_over {
            let rows = BoardRow::all(&event.standings());
            messages.send(PageMessage::End { rows, rounds: event.rounds_played(), stopped: false }).unwrap();
        } else {
            host.play(&mut event, &mut recorders, || false).await.unwrap();
        }
        requests.show_is_over().await;
        messages.send(PageMessage::Close).unwrap();
    };
    let mut seen = Vec::new();
    let watcher = async {
        for wait in looks {
            tokio::time::sleep(*wait).await;
            seen.push(PageSnapshot::of(&hub, &console_state));
        }
        if looks.is_empty() {
            std::future::pending::<()>().await;
        }
    };
    let is_killed = tokio::select! {
        ((), ()) = async { tokio::join!(dealer, supervise(presenter, received)) } => false,
        () = watcher => true,
    };
    if !is_killed {
        seen.push(PageSnapshot::of(&hub, &console_state));
    }
    seen
}

fn info(day: &ShownDay) -> TournamentInfo {
    let players = (1..=day.players).map(|player| format!("P{player}")).collect();
    TournamentInfo { number: 1, players, stack: day.stack, rounds: Some(day.rounds), ..Default::default() }
}

fn begin(day: &ShownDay, path: &Path) -> Hosted {
    let seed = Seed::chosen(&day.seed);
    Hosted {
        hub: Arc::default(),
        event: day.event(&seed),
        recorder: journal(day, &seed, path, Durability::EveryRound),
        beginning: PageMessage::Begin(info(day)),
        is_over: false,
    }
}

/// Resumes as `casino resume` does.
fn resume(day: &ShownDay, path: &Path) -> Hosted {
    let file = open_to_resume(path).unwrap();
    let lines = Reader::new(BufReader::new(file.try_clone().unwrap())).unwrap();
    let rebuilt: RebuiltTournament = Replay::new(lines, HouseBots::AsRecorded).unwrap().rebuild().unwrap();
    let is_over = rebuilt.is_finished;
    let recorder = match is_over {
        // Nothing is added to a journal that is over.
        true => {
            let other = path.with_extension("other");
            journal(day, &Seed::chosen(&day.seed), &other, Durability::AtTheEnd)
        }
        false => {
            JournalFile::resume(path, file, &rebuilt.resume_point(), Durability::EveryRound).unwrap().journal
        }
    };
    let interruption =
        Interruption { journal: path.to_path_buf(), pause: Some(PAUSE), has_new_minutes: false };
    let mut info = info(day);
    let late = rebuilt.header.players.iter().skip(day.players).map(|player| player.name.clone());
    info.players.extend(late);
    let beginning = PageMessage::GoOn(info, interruption);
    Hosted { hub: Arc::default(), event: rebuilt.event, recorder, beginning, is_over }
}

/// Fails if the page after an interruption differs from the page before it. Allowed differences:
///
/// - `n` counts messages of one stream;
/// - `show.interrupted` is the card of the interruption; minutes, seconds and rounds a second belong to a clock;
/// - `exit`: the cards of a round whose exits were being announced are shown again from the first;
/// - `table`, the headline, the mode, the table featured in the hall, the last words on a table and the last item of news, if
///   a round was in the middle of being shown: it is shown again from its deal;
/// - `phase` and `ceremony`, if the last round had been shown: the ceremony begins again;
/// - `predictions` are not kept, as `docs/web.md` says.
fn compare(what: &str, before: &PageSnapshot, after: &PageSnapshot) -> bool {
    let (old, new) = (&before.page, &after.page);
    let same = |field: &str| assert_eq!(old[field], new[field], "{what}: {field}");
    ["lobby", "programme", "race", "podium"].into_iter().for_each(same);
    assert_eq!(old["board"]["round"], new["board"]["round"], "{what}: the round");
    assert_eq!(old["board"]["rows"], new["board"]["rows"], "{what}: board, places, exits");
    for (told, tells) in before.players.iter().zip(&after.players) {
        for (field, told) in told.as_object().unwrap() {
            assert_eq!(told, &tells[field], "{what}: {field} of player {}", tells["seat"]);
        }
    }
    let is_quiet = old["table"] == new["table"];
    let mut halls = [old["hall"].clone(), new["hall"].clone()];
    if !is_quiet {
        for hall in &mut halls {
            if let Some(hall) = hall.as_object_mut() {
                hall.remove("featured");
                let tables = hall["tables"].as_array_mut().unwrap();
                tables.iter_mut().for_each(|table| drop(table.as_object_mut().unwrap().remove("last")));
            }
        }
    }
    assert_eq!(halls[0], halls[1], "{what}: the hall");
    let (told, tells) = (old["news"].as_array().unwrap(), new["news"].as_array().unwrap());
    let is_in_round = |item: &Value| item["kind"] == "round";
    let kept = told.len().min(tells.len());
    assert_eq!(told[..kept], tells[..kept], "{what}: news");
    assert!(tells.len() == kept, "{what}: news that nobody had heard: {:?}", &tells[kept..]);
    assert!(
        told[kept..].iter().all(is_in_round) && (!is_quiet || told.len() == kept),
        "{what}: {:?}",
        &told[kept..]
    );
    if is_quiet && before.phase() != "ceremony" {
        assert_eq!(old["show"]["reason"], new["show"]["reason"], "{what}: the headline");
        assert_eq!(old["show"]["mode"], new["show"]["mode"], "{what}: the mode");
        same("phase");
    }
    let has_begun = old["table"] != Value::Null && new["board"]["round"] != 0;
    let pause = &new["show"]["interrupted"];
    assert!(!has_begun || *pause == PAUSE.as_secs(), "{what}: {pause}");
    assert!(!new["predictions"]["open"].as_bool().unwrap() || new["board"]["round"] == 0, "{what}");
    is_quiet
}

fn day(number: usize, dice: &mut Stream, path: PathBuf) -> ShownDay {
    let minutes = [2, 1, 4, 0][number % 4];
    let mut day = ShownDay::new(&format!("killed {number}"), minutes, 3 + dice.below(9) as usize);
    (day.rounds, day.stack) = (60, [30, 80, 300][dice.below(3) as usize]);
    let formats: Vec<Format> = Format::all().collect();
    let format = formats[number % formats.len()];
    if !number.is_multiple_of(5) {
        let event = day.clone().at_tables(4);
        let plan = EventPlan { format, level_rounds: Some(10), ..event.plan.clone() };
        let growing = EventPlan { antes: vec![1, 2, 4, 8], ..plan.clone() };
        let plan = [growing, plan].into_iter().find(|plan| plan.check().is_ok());
        day = plan.map_or(day, |plan| ShownDay { plan, ..event });
    }
    let turn =
        Divergence { player: 1, after: u64::from(dice.below(60)), dice: u64::from(dice.below(u32::MAX)) };
    day.turn = number.is_multiple_of(2).then_some(turn);
    let lets_in = EventPlan { late_entry: Some(40), ..day.plan.clone() };
    if number.is_multiple_of(3) && lets_in.check().is_ok() {
        (day.plan, day.late) = (lets_in, Some(Duration::from_millis(u64::from(dice.below(30_000)))));
    }
    ShownDay { journal: Some(path), ..day }
}

/// So many days, each of which is killed up to three times at random moments.
fn kill_days(days: std::ops::Range<usize>) {
    let folder = std::env::temp_dir().join(format!("casino-killed-{}-{}", std::process::id(), days.start));
    fs::create_dir_all(&folder).unwrap();
    let (mut kills, mut quiet, mut ceremonies, mut ends) = (0, 0, 0, 0);
    for number in days {
        let mut dice = Seed::chosen(format!("kills {number}")).stream("dice");
        let path = folder.join(format!("{number}.jsonl"));
        let day = day(number, &mut dice, path.clone());
        let mut hosted = begin(&day, &path);
        let mut before: Option<PageSnapshot> = None;
        for kill in 0..4 {
            let after = Duration::from_millis(u64::from(200 + dice.below(60_000)));
            // At once, and later, when it is killed; at last it is left to play to its end.
            let to_the_end = [Duration::from_millis(1), Duration::from_secs(3 * 3_600)];
            let looks = [Duration::from_millis(1), after];
            let seen = jumping(host(&day, hosted, if kill == 3 { &to_the_end } else { &looks }));
            if let Some(before) = &before {
                let what = format!(
                    "day {number} ({:?}, {} min), kill {kill}, {}",
                    day.plan.format,
                    day.minutes,
                    before.phase()
                );
                quiet += usize::from(compare(&what, before, &seen[0]));
                kills += 1;
            }
            let last = seen.last().unwrap();
            ends += usize::from(last.phase() == "over");
            if last.phase() == "over" || kill == 3 {
                break;
            }
            ceremonies += usize::from(last.phase() == "ceremony");
            before = Some(last.clone());
            hosted = resume(&day, &path);
            let _ = fs::remove_file(path.with_extension("other"));
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    eprintln!(
        "{kills} kills, {quiet} between rounds, {ceremonies} in the ceremony, {ends} days to their end"
    );
    assert!(kills > 0 && quiet > 0);
}

#[test]
fn a_resumed_page_equals_the_interrupted_one() {
    kill_days(0..12);
}

#[test]
fn a_hundred_resumed_pages_equal_the_interrupted_ones() {
    kill_days(12..112);
}

/// Killed during a round at a table that the director or the teacher had chosen: the same round at the same table is
/// shown first, whatever the director would choose now.
#[test]
fn an_interrupted_round_is_redealt_at_its_table() {
    let folder = std::env::temp_dir().join(format!("casino-begun-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("day.jsonl");
    let mut day = ShownDay::new("begun 2", 3, 12).at_tables(4);
    (day.rounds, day.stack, day.journal) = (40, 200, Some(path.clone()));
    let look = Duration::from_millis(100);
    let seen = jumping(host(&day, begin(&day, &path), &vec![look; 1_000]));
    let on_show = |seen: &PageSnapshot| {
        let [round, table] = ["round", "table"].map(|field| seen.page["table"][field].as_u64().unwrap_or(0));
        let is_in_round = seen.page["show"]["mode"] == "detail" && seen.page["board"]["round"] != round;
        is_in_round.then_some((round, table))
    };
    // The first table of each round of which no other has been seen.
    let mut begun: Vec<(usize, (u64, u64))> = Vec::new();
    for (at, seen) in seen.iter().enumerate() {
        let next = on_show(seen).filter(|(round, _)| begun.last().is_none_or(|(_, (last, _))| last != round));
        begun.extend(next.map(|shown| (at, shown)));
    }
    let tables: BTreeSet<u64> = begun.iter().map(|(_, (_, table))| *table).collect();
    assert!(tables.len() == 3, "the director looked at every table: {begun:?}");
    for (at, shown) in begun.iter().skip(2).step_by(3).take(8) {
        fs::remove_file(&path).unwrap();
        let before = jumping(host(&day, begin(&day, &path), &vec![look; at + 2]));
        assert_eq!(on_show(&before[*at]), Some(*shown), "the same day comes again");
        let after = jumping(host(&day, resume(&day, &path), &[look; 300]));
        let again = after.iter().find_map(on_show);
        assert_eq!(again, Some(*shown), "the round and table of the first round that the room sees again");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Killed during the exits of the last round of a level: the next level is shown only after them.
#[test]
fn a_level_is_shown_after_the_exits_of_the_last_one() {
    let folder = std::env::temp_dir().join(format!("casino-levels-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("day.jsonl");
    let mut day = ShownDay::new("levels", 3, 12).at_tables(4);
    (day.rounds, day.stack, day.journal) = (60, 20, Some(path.clone()));
    day.plan.level_rounds = Some(5);
    let look = Duration::from_millis(100);
    let seen = jumping(host(&day, begin(&day, &path), &vec![look; 1_600]));
    let is_last_of_a_level =
        |seen: &PageSnapshot| seen.page["board"]["round"].as_u64().is_some_and(|round| round % 5 == 0);
    let told: Vec<usize> = (1..seen.len())
        .filter(|at| !seen[*at].page["exit"].is_null() && seen[*at - 1].page["exit"].is_null())
        .filter(|at| is_last_of_a_level(&seen[*at]) && seen[*at].phase() == "playing")
        .collect();
    assert!(!told.is_empty(), "nobody left in the last round of a level");
    for at in told.iter().take(4) {
        fs::remove_file(&path).unwrap();
        let before = jumping(host(&day, begin(&day, &path), &vec![look; at + 2]));
        let after = jumping(host(&day, resume(&day, &path), &[Duration::from_millis(1)]));
        compare("who left in the last round of a level", before.last().unwrap(), &after[0]);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Killed within a minute: the remaining time is known to the second.
#[test]
fn the_minutes_hold_over_an_interruption() {
    let folder = std::env::temp_dir().join(format!("casino-minutes-left-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("day.jsonl");
    let mut day = ShownDay::new("left", 4, 6);
    (day.rounds, day.stack, day.journal) = (400, 500, Some(path.clone()));
    let killed = Duration::from_secs(100);
    let seen = jumping(host(&day, begin(&day, &path), &[killed]));
    assert_eq!(seen[0].phase(), "playing");
    let left = seen[0].page["show"]["seconds_left"].as_u64().unwrap();
    // As the journal has it.
    day.minutes = u32::try_from(left.div_ceil(60)).unwrap();
    assert_eq!(day.minutes, 3);
    let looks = vec![Duration::from_millis(500); 400];
    let seen = jumping(host(&day, resume(&day, &path), &looks));
    let over = seen.iter().position(|seen| seen.phase() == "over").expect("it ends");
    let taken = killed + looks[0] * u32::try_from(over + 1).unwrap();
    assert!(taken.as_secs().abs_diff(240) <= 12, "4 minutes asked, {taken:?} taken");
    fs::remove_dir_all(&folder).unwrap();
}

/// Killed between the winners: the ceremony comes again, and ends as it would have.
#[test]
fn a_ceremony_that_was_interrupted_is_shown_again() {
    let folder = std::env::temp_dir().join(format!("casino-ceremony-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("day.jsonl");
    let mut day = ShownDay::new("ceremony", 1, 5);
    (day.rounds, day.stack, day.journal) = (40, 40, Some(path.clone()));
    let whole = jumping(host(&day, begin(&day, &path), &[])).pop().unwrap();
    assert_eq!(whole.phase(), "over");
    fs::remove_file(&path).unwrap();
    let mut looks = vec![Duration::from_millis(100); 900];
    let seen = jumping(host(&day, begin(&day, &path), &looks));
    let uninterrupted: BTreeSet<String> =
        seen.iter().map(|seen| seen.page["ceremony"]["stage"].to_string()).collect();
    looks.truncate(seen.iter().position(|seen| seen.phase() == "ceremony").expect("there is one") + 20);
    fs::remove_file(&path).unwrap();
    let killed = jumping(host(&day, begin(&day, &path), &looks)).pop().unwrap();
    assert_eq!(killed.phase(), "ceremony");
    // Longer than a ceremony can take: minutes are left.
    day.minutes = 8;
    let again = resume(&day, &path);
    assert!(again.is_over, "the journal is");
    let seen = jumping(host(&day, again, &vec![Duration::from_millis(100); 900]));
    compare("in the ceremony", &killed, &seen[0]);
    let stages = |seen: &[PageSnapshot]| -> BTreeSet<String> {
        seen.iter().map(|seen| seen.page["ceremony"]["stage"].to_string()).collect()
    };
    assert_eq!(stages(&seen), uninterrupted);
    assert!(uninterrupted.contains("1") && uninterrupted.len() > 3, "{uninterrupted:?}");
    let end = seen.last().unwrap();
    let is_early = |notice: &String| notice.contains("before its time");
    assert!(
        !end.notices.iter().any(is_early),
        "it was decided before these minutes began: {:?}",
        end.notices
    );
    for field in ["phase", "podium", "race", "news", "programme"] {
        assert_eq!(end.page[field], whole.page[field], "{field}");
    }
    assert_eq!(end.page["board"]["rows"], whole.page["board"]["rows"]);
    fs::remove_dir_all(&folder).unwrap();
}
