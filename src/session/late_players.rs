//! Those who come in while a tournament is played.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use casino_host::Refusal;
use casino_stud::journal::Header;
use casino_stud::protocol::Login;
use casino_stud::tournament::{
    Entrant, Event, Newcomer, NoRecorder, Player, Recorder, TableGame, TableRecorder,
};

use super::{ConsoleState, Member, PlayerKind, PlayerRoster};

/// Why somebody who has played does not come in again.
const TWICE: &str = "this GitHubId has played in this game already, and nobody comes in twice";

/// Those who have come in late, in the order of their numbers.
#[derive(Clone, Default)]
pub(super) struct LatePlayers(Arc<Mutex<Vec<Newcomer>>>);

impl LatePlayers {
    fn list(&self) -> MutexGuard<'_, Vec<Newcomer>> {
        // Players are added whole: a panic elsewhere leaves none half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says who somebody is that logs in while the tournament of this header is played, or why it does not play: under the
    /// name that the teacher or the roster gives it, or its own.
    pub(super) fn doorkeeper(
        &self,
        header: &Header,
        console: Arc<ConsoleState>,
        roster: Option<PlayerRoster>,
    ) -> impl FnMut(&Login, IpAddr) -> Result<Newcomer, Refusal> + Send + 'static {
        let (late, began) = (self.clone(), header.roster());
        move |login, from| {
            let came = late.list().iter().map(|newcomer| newcomer.player.clone()).collect::<Vec<_>>();
            let players = [began.clone(), came].concat();
            if players.iter().any(|player| player.github_id == login.github_id) {
                return Err(Refusal::Unwanted(TWICE.to_string()));
            }
            let listed =
                || roster.as_ref().and_then(|roster| roster.name(&login.github_id)).map(str::to_string);
            let given = console.name_given(&login.github_id).or_else(listed);
            let name = given.unwrap_or_else(|| login.avatar.clone());
            Ok(Newcomer::among(&players, &Entrant { github_id: login.github_id.clone(), name }, from))
        }
    }

    /// Adds those who have come in to the players of the header.
    pub(super) fn add_to(&self, header: &mut Header) {
        self.list().drain(..).for_each(|newcomer| header.enter(newcomer));
    }

    /// What lists those who come in, here and on the console.
    pub(super) fn recorder(&self, console: Arc<ConsoleState>) -> impl Recorder + use<> {
        LateList { late: self.clone(), console }
    }
}

struct LateList {
    late: LatePlayers,
    console: Arc<ConsoleState>,
}

impl Recorder for LateList {
    fn entry(&mut self, _: &Event, newcomer: &Newcomer) -> io::Result<()> {
        self.late.list().push(newcomer.clone());
        let Player { github_id, name } = newcomer.player.clone();
        let avatar = name.clone();
        self.console.enter(Member { github_id, name, avatar, kind: PlayerKind::Remote });
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        NoRecorder.for_table(table)
    }
}
