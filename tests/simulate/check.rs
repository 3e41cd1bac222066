//! Invariants of a finished day, and of a host that died.

use std::collections::{BTreeMap, BTreeSet};

use casino_stud::journal::{JournalLine, Reader, Replied};
use casino_stud::replay::{JournalEnd, verify};
use casino_stud::table::Fault;
use casino_stud::tournament::ConsoleAction;

use super::day::Outcome;
use super::player::Player;
use super::support::{self, recorded, without_orders};
use super::watch::{REMOVED, Seen};
use super::world::World;

/// Messages that are not recorded: the client is not in the game, or the game is stopped.
const NOT_RECORDED: [&str; 2] = ["done:You are not in the game", "done:The tournament was stopped"];

/// Whether these are the same words; at the end of a rehearsal a program also receives its forgiven fouls (R19).
fn is_same(told: &str, recorded: &str) -> bool {
    told == recorded || told.starts_with("done:") && told.starts_with(recorded)
}

/// A player's messages about the game itself.
fn of_the_game(told: &[String]) -> Vec<&String> {
    told.iter().filter(|told| !NOT_RECORDED.iter().any(|words| told.starts_with(words))).collect()
}

/// Checks that all messages of the players follow from this journal, in its order.
pub(crate) fn told_is_recorded(players: &[Player], journal: &[u8]) -> Result<(), String> {
    let recorded = recorded(journal, false)?;
    let nothing = Vec::new();
    for player in players {
        let memory = player.memory();
        let mut lines = recorded.get(&player.github_id).unwrap_or(&nothing).iter();
        for told in of_the_game(&memory.told) {
            if !lines.any(|line| is_same(told, line)) {
                return Err(format!("player {} was told what is not on the disk: {told}", player.index));
            }
        }
    }
    Ok(())
}

/// The name of a foul in the figures.
fn name(did: &Replied) -> String {
    let name = match did {
        Replied::Illegal { .. } => "illegal bet",
        Replied::Fault(fault) => match fault {
            Fault::Malformed { .. } => "unreadable reply",
            Fault::Late { partial: false, .. } => "late",
            Fault::Late { partial: true, .. } => "late with half a reply",
            Fault::HungUp { .. } => "hung up",
            Fault::Frame(_) => "no frame",
            Fault::Stray { .. } => "not asked",
            Fault::NotReading => "does not read",
            Fault::Removed { .. } => "removed",
        },
    };
    name.to_string()
}

pub(crate) fn whole_day(world: &World, players: &[Player], seen: &Seen, outcome: &mut Outcome) {
    let mut violations = Vec::new();
    match verify(&outcome.journal[..], |_| {}) {
        Ok(verified) if verified.end == JournalEnd::Over => {}
        Ok(verified) => violations.push(format!("the journal has no end: {:?}", verified.end)),
        Err(error) => violations.push(format!("the journal does not verify: {error}")),
    }
    let reader = Reader::new(&outcome.journal[..]).map_err(|error| error.to_string());
    let lines = reader.and_then(|reader| {
        let mut players = reader.header().players.clone();
        let lines: Result<Vec<_>, _> = reader.map(|entry| entry.map(|entry| entry.line)).collect();
        let lines = lines.map_err(|error| error.to_string())?;
        let began = players.len();
        players.extend(lines.iter().filter_map(|line| match line {
            JournalLine::Entry(player) => Some(player.clone()),
            _ => None,
        }));
        Ok((began, players, lines))
    });
    match lines {
        Err(error) => violations.push(format!("the journal cannot be read: {error}")),
        Ok((began, seats, lines)) => {
            let by_seat = |seat: usize| {
                let github_id = &seats.get(seat - 1)?.github_id;
                players.iter().find(|player| player.github_id == *github_id)
            };
            check_fouls(world, &lines, by_seat, players, seen, outcome, &mut violations);
            check_chips(world, began, &lines, &mut violations);
            check_removals(&lines, &mut violations);
            check_torn_rounds(&lines, &mut violations);
        }
    }
    if outcome.hosts == 1 && outcome.kills == 0 && world.disk.is_none() && violations.is_empty() {
        check_all_was_told(players, outcome, &mut violations);
    }
    outcome.violations.extend(violations);
}

/// The seating, line by line of a journal.
#[derive(Default)]
struct Tables {
    /// The players at each table of an event, seat by seat.
    players: BTreeMap<u32, Vec<usize>>,
    dealt: u32,
}

impl Tables {
    fn follow(&mut self, line: &JournalLine) {
        match line {
            JournalLine::Level { tables, .. } => {
                self.players = tables.iter().map(|table| (table.table, table.players.clone())).collect();
            }
            JournalLine::Deal { table, .. } => self.dealt = *table,
            _ => {}
        }
    }

    /// The player of the header, from 1, in a seat of the table in play.
    fn player(&self, seat: usize) -> usize {
        self.players.get(&self.dealt).map_or(seat, |players| players[seat - 1])
    }
}

/// Checks that each foul is recorded for its player, and no other.
fn check_fouls<'a>(
    world: &World,
    lines: &[JournalLine],
    by_seat: impl Fn(usize) -> Option<&'a Player>,
    players: &[Player],
    seen: &Seen,
    outcome: &mut Outcome,
    violations: &mut Vec<String>,
) {
    let mut fouled = vec![false; players.len()];
    let removal = Replied::Fault(Fault::Removed { reason: REMOVED.to_string() });
    let mut tables = Tables::default();
    for line in lines {
        tables.follow(line);
        match line {
            JournalLine::Foul { seat, did, .. } => {
                *outcome.fouls.entry(name(did)).or_default() += 1;
                let Some(player) = by_seat(tables.player(*seat)) else {
                    violations.push(format!("a house bot is fouled: {line:?}"));
                    continue;
                };
                fouled[player.index] = true;
                let was_removed = *did == removal && seen.removed.contains(&player.index);
                let acts = &player.memory().acts;
                // If play continues after an unexpected message, each later reply may be attributed to another
                // question.
                let is_beside_itself =
                    world.rehearsal && player.villain.is_some_and(|villain| !villain.fault.is_settled());
                if !was_removed && !is_beside_itself && !acts.contains(did) {
                    violations.push(format!("player {} is fouled, and did {acts:?}: {line:?}", player.index));
                }
            }
            JournalLine::Left { seat, why, .. } => {
                let Some(player) = by_seat(tables.player(*seat)) else { continue };
                let keeps_the_rules = ["You have ", "The rounds at your table"];
                if !fouled[player.index] && !keeps_the_rules.iter().any(|words| why.starts_with(words)) {
                    violations.push(format!("player {} left without a foul: {why}", player.index));
                }
            }
            _ => {}
        }
    }
    if outcome.hosts > 1 {
        // A foul in a lost round may not happen again when the round is dealt again.
        return;
    }
    for player in players {
        let settled = player.villain.is_some_and(|villain| villain.fault.is_settled());
        if settled && !player.memory().acts.is_empty() && !fouled[player.index] && world.page.is_none() {
            let acts = &player.memory().acts;
            let deaf = matches!(acts[..], [Replied::Fault(Fault::NotReading)]);
            if !deaf {
                violations.push(format!("player {} got away with {acts:?}", player.index));
            }
        }
    }
}

/// Checks after every round that the chips at a table and those that left play add up to the initial ones.
fn check_chips(world: &World, players: usize, lines: &[JournalLine], violations: &mut Vec<String>) {
    if world.plan.numbers_tables() {
        // The chips of an event are counted by `verify`, which plays all of it again.
        return;
    }
    let mut all = u64::from(world.stack) * players as u64;
    let (mut forfeited, mut in_round) = (0, 0);
    for line in lines {
        match line {
            JournalLine::Entry(_) => all += u64::from(world.stack),
            JournalLine::Deal { .. } => {
                // A player that left between two rounds has left permanently.
                forfeited += std::mem::take(&mut in_round);
            }
            JournalLine::Left { forfeited: chips, .. } => in_round += u64::from(*chips),
            JournalLine::End { round, stacks } => {
                let stacks: u64 = stacks.iter().map(|chips| u64::from(*chips)).sum();
                if stacks + forfeited + in_round != all {
                    let found = stacks + forfeited + in_round;
                    violations.push(format!("{found} chips after round {round}, of {all}"));
                }
                forfeited += std::mem::take(&mut in_round);
            }
            _ => {}
        }
    }
}

/// Checks that a round which a dead host left unfinished at some tables has left no line, and is dealt again at all.
fn check_torn_rounds(lines: &[JournalLine], violations: &mut Vec<String>) {
    let mut dealt = 0;
    for line in lines {
        match line {
            JournalLine::Deal { round, .. } => dealt = *round,
            JournalLine::Resumed { round, .. } if *round <= dealt => {
                violations.push(format!("play resumes with round {round}, of which lines are left"));
            }
            _ => {}
        }
    }
}

/// Checks that a player whose removal is recorded leaves in the next round that is dealt to it, also if the host died
/// before.
fn check_removals(lines: &[JournalLine], violations: &mut Vec<String>) {
    let (mut tables, mut ordered, mut dealt) = (Tables::default(), BTreeSet::new(), BTreeSet::new());
    for line in lines {
        tables.follow(line);
        match line {
            JournalLine::Console { action: ConsoleAction::Remove { player, .. } } => {
                ordered.insert(player.get());
            }
            JournalLine::Left { seat, .. } => {
                let player = tables.player(*seat);
                ordered.remove(&player);
                dealt.remove(&player);
            }
            JournalLine::Deal { .. } | JournalLine::Over { .. } => {
                for player in std::mem::take(&mut dealt) {
                    violations.push(format!("player {player} of the header plays on, and was to be removed"));
                }
            }
            _ => {}
        }
        if let JournalLine::Deal { seats, .. } = line {
            dealt = seats
                .iter()
                .map(|seat| tables.player(*seat))
                .filter(|player| ordered.contains(player))
                .collect();
        }
    }
}

/// Without a dead host, all honest players received all messages.
fn check_all_was_told(players: &[Player], outcome: &Outcome, violations: &mut Vec<String>) {
    let nothing = Vec::new();
    let recorded = match recorded(&outcome.journal, false) {
        Ok(recorded) => recorded,
        Err(error) => return violations.push(error),
    };
    for player in players.iter().filter(|player| player.villain.is_none()) {
        let told = &outcome.told[player.index];
        let told = of_the_game(told);
        let lines = recorded.get(&player.github_id).unwrap_or(&nothing);
        let same = told.iter().zip(lines).take_while(|(told, line)| is_same(told, line)).count();
        if same < told.len().max(lines.len()) {
            let (told, line) = (told.get(same), lines.get(same));
            let player = player.index;
            violations.push(format!("player {player} was told {told:?}, where {line:?} is recorded"));
        }
    }
}

/// Checks that a day has the same result as the undisturbed one.
pub(crate) fn compare(outcome: &mut Outcome, undisturbed: &Outcome) {
    // A day whose minutes are over ends earlier or later than one that was not disturbed: until then they are the same.
    let mut is_cut = false;
    let mut of_play = |journal| {
        let all = support::outcome(journal);
        is_cut |=
            all.iter().any(|line| matches!(line, JournalLine::Console { action: ConsoleAction::EndNow, .. }));
        without_orders(all)
    };
    let (mut ours, mut theirs) = (of_play(&outcome.journal), of_play(&undisturbed.journal));
    if is_cut {
        let is_over = |line: &JournalLine| matches!(line, JournalLine::Over { .. });
        ours.retain(|line| !is_over(line));
        theirs.retain(|line| !is_over(line));
        let both = ours.len().min(theirs.len());
        ours.truncate(both);
        theirs.truncate(both);
    }
    // Header lines are not among them; the house's and the players' are.
    let at = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
    if let Some(at) = at.or((ours.len() != theirs.len()).then_some(ours.len().min(theirs.len()))) {
        let (ours, theirs) = (ours.drain(..).nth(at), theirs.drain(..).nth(at));
        let what = format!("the undisturbed day goes otherwise: {ours:?} here, {theirs:?} there");
        outcome.violations.push(what);
    }
}
