//! A page that dies at any moment shows the last two recorded rounds again, and from then on what the journal says, as a replay
//! does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::mpsc::unbounded_channel;

use casino_host::{ConnectionLimits, EventHost, JournalFile, SeatedPlayer, open_to_resume};
use casino_show::plan::FinalResult;
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_show::state::Part;
use casino_stud::cards::{Seed, Stream};
use casino_stud::journal::{Durability, Journal, Reader};
use casino_stud::replay::{HouseBots, RebuiltTournament, Replay};
use casino_stud::tournament::{Event, EventPlan, Format, Recorder};

use super::hub::Hub;
use super::messages::{PageMessage, open_show};
use super::presenter::Presenter;
use super::publisher::EventPublisher;
use super::recorded::RecordedParts;
use super::show_tests::{ShownDay, journal, jumping};
use super::shown_players_tests::{Divergence, TurningBot};
use super::supervisor::supervise;
use crate::session::{ConsoleState, Interruption, Replies, first_shown_again};

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

    fn board_round(&self) -> u64 {
        self.page["board"]["round"].as_u64().unwrap()
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
    console_state.begin(1, Vec::new(), None);
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
            messages
                .send(PageMessage::End(FinalResult { rows, rounds: event.rounds_played(), stopped: false }))
                .unwrap();
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
    let (journal, length, rounds) = (path.to_path_buf(), rebuilt.length, rebuilt.event.rounds_complete());
    let interruption = Interruption { journal, length, rounds, pause: Some(PAUSE) };
    let mut info = info(day);
    let late = rebuilt.header.players.iter().skip(day.players).map(|player| player.name.clone());
    info.players.extend(late);
    let beginning = PageMessage::GoOn(info, interruption);
    Hosted { hub: Arc::default(), event: rebuilt.event, recorder, beginning, is_over }
}

/// All that a page says of the tournament after a round, except for what depends on how rounds are shown: the table on show, the
/// sentences about single rounds, clocks and headlines.
#[derive(PartialEq, Debug)]
struct Standing {
    rows: Value,
    race: Value,
    hall: Value,
    news: Vec<Value>,
    players: Vec<Value>,
}

impl Standing {
    fn of(seen: &PageSnapshot) -> Standing {
        let mut hall = seen.page["hall"].clone();
        if let Some(hall) = hall.as_object_mut() {
            hall.remove("featured");
        }
        let news = seen.page["news"].as_array().unwrap().iter();
        let is_of_tournament = |item: &&Value| item["kind"] != "round" && item["kind"] != "day";
        Standing {
            rows: seen.page["board"]["rows"].clone(),
            race: seen.page["race"].clone(),
            hall,
            news: news.filter(is_of_tournament).cloned().collect(),
            players: seen.players.clone(),
        }
    }
}

/// How everything stands after each round of a journal, before and after the level that follows it.
fn standings_of_replay(day: &ShownDay, path: &Path) -> BTreeMap<u64, Vec<Standing>> {
    let file = BufReader::new(fs::File::open(path).unwrap());
    let replay = Replay::new(Reader::new(file).unwrap(), HouseBots::AsRecorded).unwrap();
    let hub = Hub::default();
    hub.change(|page| page.begin(info(day)));
    let mut recorded = RecordedParts::new(replay, (), 1, false);
    let mut parts = Vec::new();
    while let Some(next) = recorded.next().unwrap() {
        parts.extend(next);
    }
    let mut standings: BTreeMap<u64, Vec<Standing>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        hub.change(|page| page.advance(part));
        let is_same_round = |next: &Part| matches!((part, next), (Part::Round(this), Part::Round(next)) if this.round == next.round);
        if !parts.get(at + 1).is_some_and(is_same_round) {
            let seen = PageSnapshot::of(&hub, &ConsoleState::default());
            standings.entry(seen.board_round()).or_default().push(Standing::of(&seen));
        }
    }
    standings
}

/// Fails if a page in step differs from the replay of its journal after the same round. Returns whether it was compared: the winners
/// are announced by their final places.
fn compare(what: &str, seen: &PageSnapshot, replay: &BTreeMap<u64, Vec<Standing>>) -> bool {
    if seen.page["board"]["round"] == 0 || ["ceremony", "over"].contains(&seen.phase()) {
        return false;
    }
    let (round, shown) = (seen.board_round(), Standing::of(seen));
    let replayed =
        replay.get(&round).unwrap_or_else(|| panic!("{what}: round {round} is not in the journal"));
    assert!(
        replayed.contains(&shown),
        "{what}, round {round}: {shown:#?} on the page, {replayed:#?} in the replay"
    );
    true
}

/// Fails unless a page in step shows the last two recorded rounds again, and nothing that the room has not seen.
fn compare_with_interrupted(what: &str, before: &PageSnapshot, after: &PageSnapshot, recorded: u64) {
    let first = first_shown_again(recorded);
    assert_eq!(after.board_round(), first - 1, "{what}: {recorded} rounds are recorded");
    assert!(before.board_round() >= first - 1, "{what}: round {} was shown", before.board_round());
    let is_in_play = after.phase() == "playing";
    assert!(is_in_play, "{what}: {}", after.phase());
    let pause = &after.page["show"]["interrupted"];
    assert!(recorded == 0 || *pause == PAUSE.as_secs(), "{what}: {pause}");
    assert!(!after.page["predictions"]["open"].as_bool().unwrap() || recorded == 0, "{what}");
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

/// So many days, each of which is killed up to three times at random moments. All pages that were seen in step, before and after the
/// kills, stand as the replay of the journal does after the same round.
fn kill_days(days: std::ops::Range<usize>) {
    let folder = std::env::temp_dir().join(format!("casino-killed-{}-{}", std::process::id(), days.start));
    fs::create_dir_all(&folder).unwrap();
    let (mut kills, mut compared, mut ceremonies, mut ends) = (0, 0, 0, 0);
    for number in days {
        let mut dice = Seed::chosen(format!("kills {number}")).stream("dice");
        let path = folder.join(format!("{number}.jsonl"));
        let day = day(number, &mut dice, path.clone());
        let is_in_step = day.minutes > 0;
        let mut hosted = begin(&day, &path);
        let mut all: Vec<(String, PageSnapshot)> = Vec::new();
        for kill in 0..4 {
            let what = format!("day {number} ({:?}, {} min), kill {kill}", day.plan.format, day.minutes);
            let recorded = hosted.event.rounds_complete();
            // Some moments, the last of which is the kill; at last it is left to play to its end.
            let mut looks: Vec<Duration> =
                (0..6).map(|_| Duration::from_millis(u64::from(20 + dice.below(10_000)))).collect();
            looks[0] = Duration::from_millis(1);
            if kill == 3 {
                looks.push(Duration::from_secs(3 * 3_600));
            }
            let seen = jumping(host(&day, hosted, &looks));
            if let Some((_, before)) = all.last() {
                if is_in_step {
                    compare_with_interrupted(&what, before, &seen[0], recorded);
                }
                kills += 1;
            }
            let last = seen.last().unwrap();
            let is_over = last.phase() == "over";
            ends += usize::from(is_over);
            ceremonies += usize::from(last.phase() == "ceremony");
            all.extend(seen.into_iter().map(|seen| (what.clone(), seen)));
            if is_over || kill == 3 {
                break;
            }
            hosted = resume(&day, &path);
            let _ = fs::remove_file(path.with_extension("other"));
        }
        if is_in_step {
            let replay = standings_of_replay(&day, &path);
            compared += all.iter().filter(|(what, seen)| compare(what, seen, &replay)).count();
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    eprintln!(
        "{kills} kills, {compared} pages compared, {ceremonies} kills in the ceremony, {ends} days to their end"
    );
    assert!(kills > 0 && compared > 0);
}

#[test]
fn a_page_stands_as_its_replay_before_and_after_kills() {
    kill_days(0..12);
}

#[test]
#[ignore = "long: rarer interruptions; the same of 12"]
fn a_hundred_killed_days_stand_as_their_replays() {
    kill_days(12..112);
}

/// After a kill the last two recorded rounds are shown again, and then the next ones, each once and without a gap.
#[test]
fn the_last_two_rounds_are_shown_again_after_a_kill() {
    let folder = std::env::temp_dir().join(format!("casino-again-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("day.jsonl");
    let mut day = ShownDay::new("again", 3, 12).at_tables(4);
    (day.rounds, day.stack, day.journal) = (40, 200, Some(path.clone()));
    for seconds in [20, 33, 60, 71] {
        let killed = jumping(host(&day, begin(&day, &path), &[Duration::from_secs(seconds)]));
        let again = resume(&day, &path);
        let recorded = again.event.rounds_complete();
        assert!(recorded > 2 && killed[0].board_round() + 2 >= recorded, "{recorded} rounds");
        let seen = jumping(host(&day, again, &[Duration::from_millis(20); 2_500]));
        let mut rounds: Vec<u64> =
            seen.iter().filter_map(|seen| seen.page["table"]["round"].as_u64()).collect();
        rounds.dedup();
        let expected: Vec<u64> = (recorded - 1..).take(rounds.len()).collect();
        assert_eq!(rounds, expected, "killed after {seconds} s");
        assert!(rounds.len() > 2, "{rounds:?}");
        fs::remove_file(&path).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// The dealer may write on before the page has read the journal: what was not in it at the interruption comes from the dealer.
#[test]
fn a_journal_that_grows_is_read_as_it_was_at_the_interruption() {
    let folder = std::env::temp_dir().join(format!("casino-grows-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (path, cut) = (folder.join("day.jsonl"), folder.join("cut.jsonl"));
    let mut day = ShownDay::new("grows", 1, 4);
    (day.rounds, day.stack, day.journal) = (40, 400, Some(path.clone()));
    jumping(host(&day, begin(&day, &path), &[]));
    let whole = fs::read_to_string(&path).unwrap();
    let end = whole.find("{\"type\":\"end\",\"round\":12,").unwrap();
    let end = end + whole[end..].find('\n').unwrap() + 1;
    fs::write(&cut, &whole[..end]).unwrap();
    let mut again = resume(&day, &cut);
    let PageMessage::GoOn(_, interruption) = &mut again.beginning else { panic!("it goes on") };
    assert_eq!((interruption.rounds, interruption.length), (12, end as u64));
    interruption.journal = path;
    let mut looks = vec![Duration::from_millis(20); 1_500];
    looks.push(Duration::from_secs(3_600));
    let seen = jumping(host(&day, again, &looks));
    let mut rounds: Vec<u64> = seen.iter().filter_map(|seen| seen.page["table"]["round"].as_u64()).collect();
    rounds.dedup();
    assert_eq!(rounds[..6], [11, 12, 13, 14, 15, 16]);
    assert_eq!(seen.last().unwrap().phase(), "over", "the dealer has played to the end");
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
    let is_last_of_a_level = |seen: &PageSnapshot| seen.board_round().is_multiple_of(5);
    let told: Vec<usize> = (1..seen.len())
        .filter(|at| !seen[*at].page["exit"].is_null() && seen[*at - 1].page["exit"].is_null())
        .filter(|at| is_last_of_a_level(&seen[*at]) && seen[*at].phase() == "playing")
        .collect();
    assert!(!told.is_empty(), "nobody left in the last round of a level");
    for at in told.iter().take(4) {
        fs::remove_file(&path).unwrap();
        let before = jumping(host(&day, begin(&day, &path), &vec![look; at + 2])).pop().unwrap();
        let again = jumping(host(&day, resume(&day, &path), &[look; 400]));
        let level = |seen: &PageSnapshot| seen.page["hall"]["level"].as_u64().unwrap();
        let next = again.iter().position(|seen| level(seen) > level(&before)).expect("the next level begins");
        let exits = again[..next].iter().rev().find(|seen| !seen.page["exit"].is_null());
        assert_eq!(exits.unwrap().board_round(), before.board_round(), "the exits come first");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Killed within a minute: the full minutes that remained are known.
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
    let minute_more = (240 - 12)..=(300 + 12);
    assert!(minute_more.contains(&taken.as_secs()), "4 minutes asked, {taken:?} taken");
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
    let seen = jumping(host(&day, again, &vec![Duration::from_millis(100); 4_000]));
    compare_with_interrupted("in the ceremony", &killed, &seen[0], killed.board_round() + 1);
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
    for field in ["phase", "podium", "programme"] {
        assert_eq!(end.page[field], whole.page[field], "{field}");
    }
    assert_eq!(end.page["ceremony"]["awards"], whole.page["ceremony"]["awards"], "of all rounds");
    assert_eq!(Standing::of(end), Standing::of(&whole));
    fs::remove_dir_all(&folder).unwrap();
}
