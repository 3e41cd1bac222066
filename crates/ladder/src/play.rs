//! Playing a match: as a day is played, with a journal, and a proof at its end. Submissions are started again for each
//! rotation of the seats, so that no process sees a deck twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use casino_host::{
    Connection, ConnectionLimits, EventHost, JournalFile, LaunchError, SeatedPlayer, StartFailure,
    StartedProgram,
};
use casino_judge::grade::submission::Submission;
use casino_stud::journal::Durability;
use casino_stud::strategies::HouseBot;
use casino_stud::tournament::Ending;

use super::outputs::{CapturedOutputs, CapturingStarter, TimesTaken};
use super::{MatchPlan, PlannedSeat, PlayedMatch, ProofError, SeatSource, Workshop, prove};

/// How long a version that passed the check may take from its start to its connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Why a match has no result.
#[derive(Debug, Error)]
pub(crate) enum PlayError {
    /// A version cannot play: it is set aside, and the match is void.
    #[error("{label} cannot play: it {why}")]
    Unfit {
        /// The label of the version.
        label: String,
        why: String,
    },
    /// A failure of the machine, not attributed to a player.
    #[error("this machine could not play the match: {0}")]
    Machine(String),
    /// It was stopped before its end.
    #[error("it was stopped before its end")]
    Stopped,
    /// The journal does not prove the match.
    #[error(transparent)]
    Proof(#[from] ProofError),
}

/// The programs that connect on their own, by the label of their version.
pub type Connections = BTreeMap<String, Box<Connection>>;

/// Plays a match into this journal, which must not exist, and proves its result. Each program must be built already;
/// programs that connect come with their connections, and receive `done` at the end. The programs' output goes to
/// `captured`, and the time that each version took to `taken`.
#[expect(clippy::too_many_arguments, reason = "it is everything that a match needs")]
pub(crate) async fn play(
    plan: &MatchPlan,
    workshop: &Workshop,
    submissions: &BTreeMap<String, Arc<Submission>>,
    mut connections: Connections,
    journal: &Path,
    captured: &CapturedOutputs,
    taken: &mut TimesTaken,
    stop: impl Fn() -> bool,
) -> Result<PlayedMatch, PlayError> {
    let limits =
        ConnectionLimits { reply: Duration::from_millis(plan.terms.reply_ms), ..ConnectionLimits::default() };
    let header = plan.header().map_err(ProofError::Plan)?;
    let seed = plan.drawn_seed().map_err(ProofError::Plan)?;
    let seating = plan.seating().map_err(ProofError::Plan)?;
    let mut seated = Vec::new();
    for (player, seat) in header.players.iter().zip(&seating) {
        let planned = &plan.seats[*seat];
        seated.push(match &planned.plays {
            SeatSource::House(name) => {
                let bot = HouseBot::named(name)
                    .ok_or_else(|| PlayError::Machine(format!("it has no house bot {name}")))?;
                SeatedPlayer::House(Box::new(bot.seated(&player.github_id, &seed)))
            }
            SeatSource::Connection => {
                let (label, why) = (planned.label.clone(), "is not connected".to_string());
                let connection = connections.remove(&label).ok_or(PlayError::Unfit { label, why })?;
                SeatedPlayer::Remote(connection)
            }
            // It is started for each rotation.
            SeatSource::Submission(_) => SeatedPlayer::Gone,
        });
    }
    let unwritten = |error: std::io::Error| PlayError::Machine(error.to_string());
    let file = JournalFile::create(journal, header.clone(), Durability::AtTheEnd).map_err(unwritten)?;
    let played = async {
        let mut file = file;
        let mut event = header.event().map_err(|why| PlayError::Machine(why.to_string()))?;
        let mut host = EventHost::new(seated, limits);
        loop {
            for (player, seat) in seating.iter().enumerate() {
                let PlannedSeat { label, plays: SeatSource::Submission(sha256) } = &plan.seats[*seat] else {
                    continue;
                };
                if stop() {
                    return Err(PlayError::Stopped);
                }
                let submission = submissions
                    .get(sha256)
                    .ok_or_else(|| PlayError::Machine(format!("{label} has not been built here")))?;
                let starter = CapturingStarter { starter: workshop.starter(submission), label, captured };
                let began = Instant::now();
                let started = start(&starter, limits).await;
                *taken.entry(label.clone()).or_default() += began.elapsed().as_millis() as i64;
                host.replace(player, started?, &event);
            }
            let last_round = event.rounds_played() + plan.decks();
            let ending = host.play_levels(&mut event, &mut file.journal, &stop, last_round).await;
            if ending.map_err(unwritten)? == Ending::Stopped {
                return Err(PlayError::Stopped);
            }
            if event.is_played_out() {
                return match host.play(&mut event, &mut file.journal, &stop).await.map_err(unwritten)? {
                    Ending::Played => Ok(()),
                    Ending::Stopped => Err(PlayError::Stopped),
                };
            }
        }
    };
    let proved = match played.await {
        Ok(()) => prove(plan, journal).map_err(PlayError::from),
        Err(why) => Err(why),
    };
    let mut times = journal.as_os_str().to_owned();
    times.push(".times.csv");
    let times = Path::new(&times);
    add_reply_times(plan, &seating, times, taken);
    // A file that cannot be removed here is removed when the ladder is served again.
    let _ = fs::remove_file(times);
    proved.inspect_err(|_| drop(fs::remove_file(journal)))
}

fn is_machines(why: &StartFailure) -> bool {
    matches!(
        why,
        StartFailure::Socket(_) | StartFailure::Launch(LaunchError::Socket(_) | LaunchError::OutputFiles(_))
    )
}

/// Adds the times of the replies beside the journal of a match.
fn add_reply_times(plan: &MatchPlan, seating: &[usize], times: &Path, taken: &mut TimesTaken) {
    let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
    for line in fs::read_to_string(times).unwrap_or_default().lines() {
        let numbers: Vec<u64> = line.split(',').filter_map(|number| number.parse().ok()).collect();
        let [_, player, microseconds] = numbers[..] else { continue };
        let Some(seat) = seating.get((player as usize).wrapping_sub(1)) else { continue };
        *sums.entry(*seat).or_default() += microseconds;
    }
    for (seat, microseconds) in sums {
        *taken.entry(plan.seats[seat].label.clone()).or_default() += (microseconds / 1_000) as i64;
    }
}

/// Starts a submission. One that does not connect is started once more: the machine may have been busy.
async fn start(starter: &CapturingStarter<'_>, limits: ConnectionLimits) -> Result<SeatedPlayer, PlayError> {
    let label = starter.label;
    let mut again = true;
    loop {
        match StartedProgram::start(label, starter, limits, CONNECT_TIMEOUT).await {
            Ok((guest, program)) => {
                return Ok(SeatedPlayer::Started(guest.connection, Box::new(program)));
            }
            Err(error) if is_machines(&error.why) => {
                return Err(PlayError::Machine(error.to_string()));
            }
            Err(_) if std::mem::take(&mut again) => {}
            Err(error) => {
                let said =
                    if error.stderr.is_empty() { String::new() } else { format!(":\n{}", error.stderr) };
                return Err(PlayError::Unfit {
                    label: label.to_string(),
                    why: format!("{}{said}", error.why),
                });
            }
        }
    }
}

/// Plays a match of house bots.
#[cfg(test)]
pub(crate) fn play_house_match(plan: &MatchPlan, journal: &Path) -> PlayedMatch {
    use casino_judge::check::CheckSettings;
    use casino_judge::sandbox::{Policy, Sandbox};

    let workshop = Workshop::new(Sandbox::new(Policy::Plain).unwrap(), CheckSettings::default());
    let (none, captured, mut times) = (BTreeMap::new(), CapturedOutputs::default(), TimesTaken::new());
    let none_connected = Connections::new();
    let playing = play(plan, &workshop, &none, none_connected, journal, &captured, &mut times, || false);
    casino_host::block_on(playing).unwrap().unwrap()
}
