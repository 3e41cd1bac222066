//! Those who come in while a tournament is played.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use casino_host::Refusal;
use casino_stud::journal::{Header, PlayerSource};
use casino_stud::protocol::Login;
use casino_stud::tournament::{
    Entrant, Event, Newcomer, NoRecorder, Player, Recorder, SecretIds, TableGame, TableRecorder,
};

use super::{ConsoleState, Member};

const ALREADY_PLAYED_REASON: &str = "this GitHubId has already played in this game, and cannot enter twice";

/// Those who have come in late, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct LatePlayers(Arc<Mutex<Vec<Newcomer>>>);

impl LatePlayers {
    fn list(&self) -> MutexGuard<'_, Vec<Newcomer>> {
        // Players are added whole: a panic elsewhere leaves none half-done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entrant for a login during the tournament of this header, under the teacher's, the roster's or its own name,
    /// or the reason for a refusal.
    pub fn doorkeeper(
        &self,
        header: &Header,
        console: Arc<ConsoleState>,
    ) -> impl FnMut(&Login, IpAddr) -> Result<Newcomer, Refusal> + Send + 'static {
        let (late, began) = (self.clone(), header.roster());
        move |login, from| {
            let came = late.list().iter().map(|newcomer| newcomer.player.clone()).collect::<Vec<_>>();
            let players = [began.clone(), came].concat();
            if players.iter().any(|player| player.github_id == login.github_id) {
                return Err(Refusal::Unwanted(ALREADY_PLAYED_REASON.to_string()));
            }
            let listed = || console.roster()?.name(&login.github_id).map(str::to_string);
            console.number_all([login.github_id.as_str()]);
            let number = console.number_of(&login.github_id);
            let came = Entrant { number, ..Entrant::new(&login.github_id, &login.avatar) };
            let entrant = match console.name_given(&login.github_id).or_else(listed) {
                Some(name) => came.named(name),
                None => came,
            };
            Ok(Newcomer::among(&players, &entrant, from))
        }
    }

    /// Adds those who have come in to the players of the header.
    pub(super) fn add_to(&self, header: &mut Header) {
        self.list().drain(..).for_each(|newcomer| header.enter(newcomer));
    }

    /// Lists late entrants here and on the console.
    pub fn recorder(&self, console: Arc<ConsoleState>) -> impl Recorder + use<> {
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
        let Player { github_id, name } = &newcomer.player;
        let own = SecretIds::new([github_id]);
        self.console.enter(Member::new(github_id, name, PlayerSource::Remote, &own));
        Ok(())
    }

    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        NoRecorder.for_table(table)
    }
}

#[cfg(test)]
mod tests {
    use casino_stud::cards::Seed;
    use casino_stud::journal::Terms;
    use casino_stud::tournament::{EventPlan, Roster};

    use super::*;

    #[test]
    fn no_player_enters_twice() {
        let seed = Seed::chosen("twice");
        let roster = Roster::new(&["ada", "bob"].map(|id| Entrant::new(id, id)), &seed);
        let players = roster.players().iter().map(|player| (player.clone(), PlayerSource::Remote));
        let plan = EventPlan { late_entry: Some(9), ..EventPlan::single_table() };
        let terms = Terms { plan, rounds: None, ..Terms::single_table(50, 1) };
        let header = Header::new(terms, &seed, players);
        let console: Arc<ConsoleState> = Arc::default();
        let mut keeper = LatePlayers::default().doorkeeper(&header, Arc::clone(&console));
        let login = |id: &str| Login { github_id: id.to_string(), avatar: "Me".to_string(), key: None };
        let from = IpAddr::from([10, 0, 0, 7]);
        assert!(keeper(&login("eve"), from).is_ok());
        let Err(why) = keeper(&login("ada"), from) else { panic!("ada has played") };
        assert_eq!(why, Refusal::Unwanted(ALREADY_PLAYED_REASON.to_string()));
    }
}
