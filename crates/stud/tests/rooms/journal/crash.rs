//! A journal after a crash: announced rounds count, a torn round never happened, and orders of the teacher survive.

use casino_stud::tournament::ConsoleAction;

use super::*;

/// The journal up to the end of this round.
fn up_to_round(journal: &[u8], wanted: u64) -> Vec<u8> {
    let mut up_to = journal.to_vec();
    let mut entries = Reader::new(journal).unwrap().map(Result::unwrap);
    let end = entries.find(|entry| matches!(entry.line, JournalLine::End { round, .. } if round == wanted));
    let end = end.unwrap();
    up_to.truncate(end.offset as usize + end.bytes.len());
    up_to
}

fn order(journal: &mut Vec<u8>, action: ConsoleAction) {
    JournalLine::Console { action }.write(journal);
}

/// The host died between the line of an order and the round in which it is carried out.
#[test]
fn a_removal_is_pending_until_its_player_is_out() {
    let (header, journal, _) = tournament(SEED, OnFoul::Eject);
    let mut cut = up_to_round(&journal, 1);
    let playing = rebuild(&cut).unwrap().returning();
    assert!(playing.len() > 3, "{playing:?}");
    let out = (0..header.players.len()).find(|player| !playing.contains(player));
    let [first, second] = [playing[0], playing[1]];
    order(&mut cut, ConsoleAction::remove(first, "it plays music"));
    order(&mut cut, ConsoleAction::remove(second, "it sleeps"));
    order(&mut cut, ConsoleAction::remove(first, "once more"));
    order(&mut cut, ConsoleAction::remove(out.unwrap_or(99), "it is gone already, or never came"));
    let rebuilt = rebuild(&cut).unwrap();
    assert_eq!(rebuilt.removals, [(first, "it plays music".to_string()), (second, "it sleeps".to_string())]);
    assert_eq!(rebuilt.returning(), playing[2..]);

    // The resuming host carries them out, and then they are not pending any more.
    let mut pending = rebuilt.removals.clone();
    let mut report = |table: &TableGame, _: Moment| {
        let (player, reason) = (table.table().round_number() == 2).then(|| pending.pop()).flatten()?;
        Some((Seat::new(player), Fault::Removed { reason }))
    };
    let memory = Memory::holding(&cut);
    let mut journal =
        Journal::go_on(Box::new(memory.clone()), &rebuilt.resume_point(), Durability::EveryRound).unwrap();
    let RebuiltTournament { mut event, mut house, .. } = rebuilt;
    let answer = |question: &casino_stud::table::Question<'_>| Ok(settled_reply(question));
    play_on(&mut event, &mut house.players, &mut journal, &answer, &mut report, &mut Vec::new()).unwrap();
    drop(journal);
    let resumed = memory.bytes();
    verify(&resumed[..], |_| {}).unwrap();
    let after = rebuild(&up_to_round(&resumed, 2)).unwrap();
    assert_eq!(after.removals, []);
    assert_eq!(after.returning(), playing[2..]);
}
