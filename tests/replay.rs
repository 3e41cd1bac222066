//! `casino replay`: a recorded tournament shown, exported, and put to another bot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use casino_host::open_replay;
use casino_stud::replay::{PublicEvent, RoundSummary, Segment, SummaryBuilder};

use crate::support::host::{self, scratch};

fn casino(arguments: &[&str]) -> Output {
    host::casino().args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A tournament of house bots, recorded in a folder of this test's own.
fn recorded(name: &str) -> PathBuf {
    let folder = scratch(name);
    let journal = folder.join("day.jsonl");
    let bots = ["play", "--bot", "bold", "--bot", "random*2", "--bot", "cautious"];
    let rest = ["--seed", "replay", "--stack", "80", "--rounds", "30", "--quiet", "--journal"];
    let played = casino(&[&bots[..], &rest, &[journal.to_str().unwrap()]].concat());
    assert!(played.status.success(), "{}", text(&played.stderr));
    journal
}

fn replay(journal: &Path, arguments: &[&str]) -> Output {
    casino(&[&["replay", journal.to_str().unwrap()], arguments].concat())
}

/// All rounds of a journal in full.
fn rounds(journal: &Path) -> Vec<RoundSummary> {
    let mut replay = open_replay(journal).unwrap();
    let mut builder = SummaryBuilder::new(replay.header());
    let mut rounds = Vec::new();
    while let Some(part) = replay.next(&mut builder).unwrap() {
        if let Segment::Round { .. } = part {
            rounds.push(builder.round().clone());
        }
    }
    assert!(replay.is_finished());
    rounds
}

#[test]
fn every_round_is_shown_and_the_chips_add_up() {
    let journal = recorded("told");
    let rounds = rounds(&journal);
    assert!(rounds.len() > 5);
    for (index, round) in rounds.iter().enumerate() {
        assert_eq!(round.round, index as u64 + 1);
        let before: Vec<u32> = round.players.iter().map(|player| player.stack).collect();
        assert_eq!(before.iter().sum::<u32>(), 4 * 80, "house bots forfeit nothing");
        assert_eq!(round.stacks.iter().sum::<u32>(), 4 * 80);
        let bet = |event: &PublicEvent| if let PublicEvent::Bet { chips, .. } = event { *chips } else { 0 };
        let won = |event: &PublicEvent| if let PublicEvent::Won { chips, .. } = event { *chips } else { 0 };
        assert_eq!(round.events.iter().map(bet).sum::<u32>() + before.len() as u32, round.pot);
        assert_eq!(round.events.iter().map(won).sum::<u32>(), round.pot);
    }
    for pair in rounds.windows(2) {
        let still_in = pair[0].stacks.iter().filter(|chips| **chips > 0);
        assert!(still_in.eq(pair[1].players.iter().map(|player| &player.stack)), "{pair:?}");
    }
    let told = text(&replay(&journal, &[]).stdout);
    assert_eq!(told.matches("\nround ").count() + 1, rounds.len());
    assert!(told.contains("the highest spade in the hole") && told.contains("is out: "), "{told}");
    assert!(!told.contains("house:"), "nobody's id is printed");
    let one = text(&replay(&journal, &["--round", "3"]).stdout);
    assert!(one.starts_with("round 3, pot ") && told.contains(&one), "{one}");
}

#[test]
fn a_players_view_has_no_foreign_secret() {
    let journal = recorded("saw");
    let rounds = rounds(&journal);
    let told = text(&replay(&journal, &["--player", "cautious", "--hide"]).stdout);
    assert!(told.contains("  < bet1:79:") && told.contains("  > ") && told.contains("  < status:"), "{told}");
    let mut shown = 0;
    for said in told.split("\n\n").filter_map(|block| block.strip_prefix("round ")) {
        let (number, said) = said.split_once('\n').unwrap();
        let round = &rounds[number.parse::<usize>().unwrap() - 1];
        let cards: Vec<&str> = said.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        for player in &round.players {
            if player.name != "cautious" && !round.shown.contains(&player.hole) {
                let hole = player.hole.to_string();
                assert!(!cards.contains(&&*hole), "{hole} of {}: {said}", player.name);
            }
        }
        shown += 1;
    }
    assert!(shown > 3, "{told}");
    let random = replay(&journal, &["--player", "random-1"]);
    assert!(random.stdout.starts_with(b"round 1, pot"));
}

/// The strategy of `solver` is mixed, and it remembers the round: its replies must follow from the seed all the same.
#[test]
fn a_journal_of_solver_is_verified() {
    let folder = scratch("replay-solver");
    let out = folder.to_str().unwrap();
    let bots = ["play", "--bot", "solver", "--bot", "bold", "--bot", "simple"];
    let played = casino(&[&bots[..], &["--rounds", "60", "--seed", "v", "--out", out]].concat());
    assert!(played.status.success(), "{}", text(&played.stderr));
    let verified = casino(&["verify", folder.join("journal.jsonl").to_str().unwrap()]);
    assert!(verified.status.success(), "{} {}", text(&verified.stdout), text(&verified.stderr));
}

/// The text of a foul is part of the record.
#[test]
fn a_journal_with_other_words_for_a_foul_is_not_verified() {
    let journal = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden/journals/eject.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    assert!(lines.contains(" Allowed was: "), "a player is told what it was allowed");
    assert_eq!(casino(&["verify", journal.to_str().unwrap()]).status.code(), Some(0));
    let other = Path::new(env!("CARGO_TARGET_TMPDIR")).join("other-wording.jsonl");
    fs::write(&other, lines.replacen(" Allowed was: ", " Allowed is: ", 1)).unwrap();
    assert_eq!(casino(&["verify", other.to_str().unwrap()]).status.code(), Some(4));
}

/// An exported replay has no hole card that was not shown, and nothing that reveals one; the teacher's has them all.
#[test]
fn an_exported_replay_has_only_the_shown_hole_cards() {
    let folder = scratch("replay-file");
    let (journal, file) = (folder.join("day.jsonl"), folder.join("replay.html"));
    let (path, out) = (journal.to_str().unwrap(), file.to_str().unwrap());
    let words = "play --bot bold*3 --bot odds*2 --rounds 25 --stack 90 --quiet".split(' ');
    let named = ["--seed", "canary seed", "--title", "Aces & </script> Kings", "--venue", "Room 101"];
    let words: Vec<&str> = words.chain(named).chain(["--journal", path]).collect();
    let played = casino(&words);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let rounds = rounds(&journal);
    let kept = |flags: &[&str]| -> (String, serde_json::Value) {
        let written = replay(&journal, &[&["--html", out], flags].concat());
        assert_eq!(text(&written.stdout), format!("{out}\n"), "{}", text(&written.stderr));
        let page = fs::read_to_string(&file).unwrap();
        let (_, rest) = page.split_once("id=\"kept\">").unwrap();
        let kept = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
        (page, kept)
    };
    let (page, public) = kept(&[]);
    assert!(!page.contains("canary"), "all cards follow from the seed");
    assert!(!page.contains("src=") && !page.contains("href=\"/"), "it needs no other file");
    assert_eq!(page.matches("\"stride\"").count(), 1, "the stacks over the rounds are kept once");
    assert_eq!(public["/index"]["programme"]["occasion"]["title"], "Aces & </script> Kings");
    assert_eq!((&public["/index"]["holes"], &public["/coach"]["comes"]), (&false.into(), &false.into()));
    let mut hidden = 0;
    for (round, number) in rounds.iter().zip(1..) {
        let said = public[format!("/round/{number}")].to_string();
        // The best hand is shown, and the highest spade.
        let taker = |event: &PublicEvent| match event {
            PublicEvent::Won { seat, .. } => Some(round.name_at(*seat)),
            _ => None,
        };
        let takers: Vec<&str> = round.events.iter().filter_map(taker).collect();
        for player in &round.players {
            if !takers.contains(&&*player.name) {
                hidden += 1;
                let hole = format!("\"{}\"", player.hole);
                assert!(!said.contains(&hole), "round {number}: {hole} of {}", player.name);
            }
        }
        assert!(public[format!("/decisions/{number}")].is_null());
    }
    assert!(hidden > 20, "{hidden}");

    let (page, teachers) = kept(&["--holes", "--minutes", "3"]);
    assert!(page.contains("canary seed"));
    assert_eq!((&teachers["/index"]["holes"], &teachers["/index"]["minutes"]), (&true.into(), &3.into()));
    for (round, number) in rounds.iter().zip(1..) {
        let holes = &teachers[format!("/round/{number}")]["holes"];
        assert_eq!(holes.as_object().unwrap().len(), round.players.len());
        assert!(teachers[format!("/decisions/{number}")].is_array());
    }
    assert!(teachers["/coach"]["summary"]["players"].is_array());
}

/// Certificates: one for each player, when the places are final.
#[test]
fn certificates_are_written_when_the_places_are_final() {
    let journal = recorded("certificates");
    let folder = journal.with_file_name("report");
    let out = folder.to_str().unwrap();
    let path = journal.to_str().unwrap();
    let named = ["--title", "Aces <i>&</i> Kings", "--venue", "Room 101"];
    let written = casino(&[&["report", path, "--out", out, "--certificates"], &named[..]].concat());
    assert!(written.status.success(), "{}", text(&written.stderr));
    assert!(text(&written.stdout).contains("certificates.html\nNext: casino analyse "));
    let page = fs::read_to_string(folder.join("certificates.html")).unwrap();
    assert_eq!(page.matches("<section>").count(), 4);
    assert_eq!(page.matches("Aces &lt;i&gt;&amp;&lt;/i&gt; Kings</h2>\n<p>Room 101</p>").count(), 4);
    for part in ["Champion of 4 players", "Place 4 of 4", "Best hand at a showdown: ", "The seed: replay"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let overview = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(overview.contains("<p>Aces &lt;i&gt;&amp;&lt;/i&gt; Kings · Room 101</p>"), "{overview}");

    let lines = fs::read_to_string(&journal).unwrap();
    let open = journal.with_file_name("open.jsonl");
    fs::write(&open, &lines[..=lines.trim_end().rfind('\n').unwrap()]).unwrap();
    let refused = casino(&["report", open.to_str().unwrap(), "--out", out, "--certificates"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("leave out --certificates"), "{}", text(&refused.stderr));
    let refused = casino(&["report", path, "--out", out, "--title", "two\nlines"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("write one line"), "{}", text(&refused.stderr));
}

/// The frozen journal of a rehearsal has fouls of two players.
#[test]
fn fouls_are_filtered_and_summed_up() {
    let journal = Path::new("tests/data/golden/journals/fold.jsonl");
    let shown = |arguments: &[&str]| {
        let shown = replay(journal, arguments);
        assert!(shown.status.success(), "{}", text(&shown.stderr));
        text(&shown.stdout)
    };
    let with_fouls = rounds(journal)
        .into_iter()
        .filter(|round| round.events.iter().any(|event| matches!(event, PublicEvent::Foul { .. })));
    let expected: Vec<u64> = with_fouls.map(|round| round.round).collect();
    let all = shown(&["--fouls"]);
    let heading = |line: &str| line.strip_prefix("round ")?.split(',').next()?.parse().ok();
    assert_eq!(all.lines().filter_map(heading).collect::<Vec<u64>>(), expected);
    let summary = "9 fouls in 6 of 10 rounds:\n    5  Dan 4  unreadable reply, in rounds 2 to 10\n    4  B.     illegal bet, \
                   in rounds 1 to 5\n";
    assert!(all.ends_with(summary), "{all}");
    let his = shown(&["--fouls", "--player", "B."]);
    assert!(his.ends_with("4 fouls in 4 of 10 rounds:\n    4  B.  illegal bet, in rounds 1 to 5\n"), "{his}");
    assert_eq!(his.lines().filter_map(heading).count(), 4);
    assert_eq!(replay(journal, &["--fouls", "--round", "1"]).status.code(), Some(2));
    let none = text(&replay(&recorded("no-fouls"), &["--fouls"]).stdout);
    assert!(none.starts_with("No fouls in "), "{none}");
}
