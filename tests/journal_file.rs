//! A journal as a file: begun once, resumed after its whole lines, and the times beside it.

use std::fs;
use std::time::Duration;

use casino_host::{JournalFile, open_journal, open_to_resume};
use casino_stud::journal::{Durability, JournalLine, ResumePoint};
use casino_stud::replay::{HouseBots, Replay};
use casino_stud::stud::Seat;
use casino_stud::tournament::Recorder;

use crate::support::host::Folder;
use crate::support::{event_of_tables, lines};

/// On a real disk: a journal is resumed after its torn end, and the times are beside it.
#[test]
fn a_file_is_begun_once_and_resumed_after_its_whole_lines() {
    let folder = Folder::new("files");
    let (path, times) = (folder.file("day.jsonl"), folder.file("day.jsonl.times.csv"));
    let header = event_of_tables("files");
    let mut event = header.event().unwrap();
    assert!(event.next_level() && event.tables().len() == 2);
    let journal = JournalFile::create(&path, header.clone(), Durability::EveryRound).unwrap();
    assert!(journal.times_problem.is_none());
    let mut journal = journal.journal;
    journal.level(&event).unwrap();
    let mut of_table = journal.for_table(&event.tables()[1]);
    of_table.reply_time(1, Seat::new(2), Duration::from_micros(70), Duration::ZERO);
    of_table.hand_over();
    journal.commit().unwrap();
    of_table.reply_time(2, Seat::new(0), Duration::from_micros(5), Duration::ZERO);
    of_table.hand_over();
    journal.commit().unwrap();
    drop(journal);
    let player = event.tables()[1].player_at(Seat::new(2)) + 1;
    let first = event.tables()[1].player_at(Seat::new(0)) + 1;
    let measured = format!("round,seat,microseconds\n1,{player},70\n2,{first},5\n");
    assert_eq!(fs::read_to_string(&times).unwrap(), measured);
    let begun = fs::read(&path).unwrap();
    assert_eq!(lines(&begun).len(), 1, "a level after the header");

    let refused = JournalFile::create(&path, header, Durability::EveryRound).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), begun, "it might be somebody's tournament");

    fs::write(&path, [&begun[..], b"{\"type\":\"de"].concat()).unwrap();
    let rebuilt =
        Replay::new(open_journal(&path).unwrap(), HouseBots::Recomputed).unwrap().rebuild().unwrap();
    // The second round has left no line in the journal, and leaves no row in the file of times.
    let copy = folder.file("copy.jsonl");
    fs::copy(&path, &copy).unwrap();
    fs::write(folder.file("copy.jsonl.times.csv"), measured.replace("\n2,", "\n1,1,9\n2,") + "2,1").unwrap();
    let point = ResumePoint { next_round: 2, ..rebuilt.resume_point() };
    drop(JournalFile::resume(&copy, open_to_resume(&copy).unwrap(), &point, Durability::EveryRound).unwrap());
    let kept = format!("round,seat,microseconds\n1,{player},70\n1,1,9\n");
    assert_eq!(fs::read_to_string(folder.file("copy.jsonl.times.csv")).unwrap(), kept);
    // If times cannot be written, the journal continues without them and reports the reason.
    fs::remove_file(&times).unwrap();
    fs::create_dir(&times).unwrap();
    let file = open_to_resume(&path).unwrap();
    let journal = JournalFile::resume(&path, file, &rebuilt.resume_point(), Durability::EveryRound).unwrap();
    assert!(journal.times_problem.is_some());
    drop(journal);
    let gone_on = fs::read(&path).unwrap();
    assert!(gone_on.starts_with(&begun));
    assert!(matches!(lines(&gone_on)[1..], [JournalLine::Resumed { .. }]), "{:?}", lines(&gone_on));
}
