//! The lobby in the teacher's view, and the teacher's commands before a tournament begins.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use casino_host::{LobbyNews, LobbyOrders, Refusal};
use casino_stud::journal::PlayerSource;
use casino_stud::protocol::Login;
use casino_stud::table::escape;
use casino_stud::tournament::{FEWEST_PLAYERS, SecretIds, harmless};

use super::{ConsoleDay, ConsoleError, ConsoleState, DayPhase, NoticeKind, reason_of};
use crate::session::{ChairGrant, MAX_CHAIRS, NoChair, PlayerRoster};

/// A player in the lobby or in the tournament, as the teacher knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Member {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The avatar as it was sent, harmless to look at.
    pub avatar: String,
    /// The bot, program or person that plays; the console sees its kind only, not its command line.
    #[serde(rename = "kind", serialize_with = "kind_of")]
    #[cfg_attr(test, ts(type = r#""house" | "started" | "remote" | "person""#))]
    pub plays: PlayerSource,
    /// Whether the name tells a GitHubId: then the teacher wrote it, and is warned.
    pub tells_id: bool,
}

impl Member {
    /// A player under its public name, where the GitHubIds in `secrets` must not be revealed.
    pub fn new(github_id: &str, name: &str, plays: PlayerSource, secrets: &SecretIds) -> Member {
        let avatar = match &plays {
            PlayerSource::Program { name, .. } => name,
            _ => name,
        };
        Member {
            github_id: github_id.to_string(),
            name: name.to_string(),
            avatar: avatar.to_string(),
            plays,
            tells_id: secrets.are_revealed_by(name),
        }
    }
}

fn kind_of<S: Serializer>(plays: &PlayerSource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match plays {
        PlayerSource::House(_) => "house",
        PlayerSource::Program { .. } => "started",
        PlayerSource::Remote => "remote",
        PlayerSource::Person => "person",
    })
}

/// The requirements of a lobby.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LobbyTerms {
    /// How many players there will be; 0 if that is open.
    pub wanted: usize,
    /// How many there can be.
    pub room: usize,
    /// Whether only those on a roster may log in.
    pub has_roster: bool,
    /// Whether an interrupted tournament is resumed.
    pub resumed: bool,
    /// The round before which players may still enter after the start.
    pub late_entry: Option<u64>,
}

impl LobbyTerms {
    /// The fewest players that can begin.
    pub fn fewest(&self) -> usize {
        if self.resumed { 1 } else { FEWEST_PLAYERS }
    }
}

/// A player who is expected and has not come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MissingPlayer {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees; empty if it is not known yet.
    pub name: String,
    /// Whether the teacher goes on without this player.
    pub given_up: bool,
    /// Whether the name that the room will see tells a GitHubId.
    pub tells_id: bool,
}

/// A player whose login waits for the teacher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AwaitingPlayer {
    /// The GitHubId of the player.
    pub github_id: String,
    /// The name everyone sees.
    pub name: String,
    /// The address it connected from.
    pub from: IpAddr,
}

/// A lobby as the teacher sees it.
#[derive(Clone, Debug, Default)]
pub struct LobbyFeed {
    /// The requirements.
    pub terms: LobbyTerms,
    /// The players present.
    pub members: Vec<Member>,
    /// The missing players.
    pub missing: Vec<MissingPlayer>,
    /// Logins that wait for the teacher's decision.
    pub awaiting: Vec<AwaitingPlayer>,
}

impl ConsoleState {
    /// Assigns numbers to these GitHubIds: their 1-based rank among them, or the next free number. A number stays the
    /// same all day.
    pub(crate) fn number_all<'a>(&self, github_ids: impl IntoIterator<Item = &'a str>) {
        let numbers = &mut self.state().numbers;
        let mut taken: BTreeSet<usize> = numbers.values().copied().collect();
        for (github_id, place) in github_ids.into_iter().zip(1..) {
            if !numbers.contains_key(github_id) {
                let number = (place..)
                    .find(|number| taken.insert(*number))
                    .expect("there are more numbers than players");
                numbers.insert(github_id.to_string(), number);
            }
        }
    }

    /// The number of this GitHubId, if it has been given one.
    pub(crate) fn number_of(&self, github_id: &str) -> Option<usize> {
        self.state().numbers.get(github_id).copied()
    }

    /// Commands to the lobby.
    pub fn lobby_orders(&self) -> &LobbyOrders {
        &self.lobby_orders
    }

    /// For how many programs more there is room in the lobby: chairs are for people.
    pub(crate) fn room(&self) -> usize {
        let chairs = self.chairs().count();
        let state = self.state();
        let programs = state.members.iter().filter(|member| member.plays != PlayerSource::Person).count();
        let named = state.members.len() - programs;
        state.lobby.room.saturating_sub(programs + chairs.max(named))
    }

    /// How many players are in the lobby, and how many there will be; 0 if that is open.
    pub(crate) fn lobby_counts(&self) -> (usize, usize) {
        let state = self.state();
        (state.members.len(), state.lobby.wanted)
    }

    /// So many chairs are open for people.
    pub(crate) fn open_chairs(&self, count: usize) -> Result<(), ConsoleError> {
        let state = self.state_in(DayPhase::Lobby, "opening chairs")?;
        if state.lobby.resumed {
            return Err(ConsoleError::recorded("Who plays"));
        }
        drop(state);
        if count > MAX_CHAIRS {
            return Err("there are at most 50 chairs".into());
        }
        self.chairs().open(count);
        self.done(format!("open {count} chairs"));
        self.lobby_changed.notify_one();
        Ok(())
    }

    /// Frees the chair of this number, 1-based.
    pub(crate) fn free_chair(&self, number: usize) -> Result<(), ConsoleError> {
        if !self.chairs().free(number) {
            return Err(format!("chair {number} is free").into());
        }
        self.done(format!("free chair {number}"));
        self.lobby_changed.notify_one();
        Ok(())
    }

    /// A person takes a chair.
    pub(crate) fn take_chair(&self, invitation: &str, name: &str) -> Result<ChairGrant, NoChair> {
        let taken = self.chairs().take(invitation, name);
        self.lobby_changed.notify_one();
        taken
    }

    /// Gives up the chair of this key. False if there is none.
    pub(crate) fn leave_chair(&self, key: &str) -> bool {
        let left = self.chairs().leave(key);
        self.lobby_changed.notify_one();
        left
    }

    /// Players come in. A player that returns no longer counts as given up.
    pub fn show_lobby(&self, feed: LobbyFeed) {
        let mut state = self.state();
        if !matches!(state.day, ConsoleDay::Lobby { .. }) {
            state.day = ConsoleDay::default();
        }
        state.given_up.retain(|id| feed.missing.iter().any(|player| player.github_id == *id));
        (state.members, state.missing) = (feed.members, feed.missing);
        (state.lobby, state.awaiting) = (feed.terms, feed.awaiting);
        state.last_replies.clear();
    }

    /// Lists refused and departed players, with the message of the program.
    pub fn hear(&self, news: &LobbyNews) {
        match news {
            // There is nothing to do about it, and it may only wait for the next tournament.
            LobbyNews::Refused { login: None, why: Refusal::TooLate(_), .. } => {}
            LobbyNews::Refused { peer, login, why } => {
                let is_unlisted = matches!(why, Refusal::NotOnRoster { near: None, .. });
                self.refused(login.as_ref(), peer.ip(), &why.for_teacher(), is_unlisted);
            }
            LobbyNews::Left { login, peer, why } => {
                self.refused(Some(login), peer.ip(), &format!("it was in, and left: {why}"), false);
            }
            LobbyNews::Entered(_) | LobbyNews::Waits { .. } => {}
        }
    }

    fn refused(&self, login: Option<&Login>, from: IpAddr, why: &str, is_unlisted: bool) {
        let login = login.map(|login| (login.github_id.as_str(), login.avatar.as_str()));
        self.state().refusals.add(login, from, why, is_unlisted);
    }

    /// Sets the players allowed to log in.
    pub(crate) fn set_roster(&self, roster: Option<PlayerRoster>) {
        self.state().roster = roster.map(Arc::new);
    }

    /// The roster as it is now.
    pub(crate) fn roster(&self) -> Option<Arc<PlayerRoster>> {
        self.state().roster.clone()
    }

    /// Why the roster refuses this GitHubId, if it does.
    pub(crate) fn roster_refusal(&self, github_id: &str) -> Option<Refusal> {
        self.roster()?.refusal(github_id)
    }

    /// Reads the file of the roster again if it has changed.
    pub(crate) fn read_roster_again(&self) {
        let mut state = self.state();
        let Some(read) = state.roster.as_mut().and_then(|roster| Arc::make_mut(roster).read_again()) else {
            return;
        };
        // Of both only the last one is true.
        state.notices.forget(&NoticeKind::RosterRead);
        match read {
            Ok(read) => {
                state.notices.forget(&NoticeKind::RosterError);
                state.notices.add(Some(NoticeKind::RosterRead), read);
            }
            Err(error) => state.notices.add(Some(NoticeKind::RosterError), error),
        }
        drop(state);
        self.lobby_changed.notify_one();
    }

    /// Adds a player to the roster; with an empty name the program's own is shown.
    pub(crate) fn let_in(&self, github_id: &str, name: &str) -> Result<(), ConsoleError> {
        let mut state = self.state();
        let roster = state.roster.as_mut().ok_or("this day has no roster: all programs are let in")?;
        Arc::make_mut(roster).let_in(github_id, harmless(name).unwrap_or_default());
        state.refusals.forget(github_id);
        drop(state);
        self.done(format!("let in {}", escape(github_id)));
        self.decided()
    }

    /// The missing player of this GitHubId on the roster logs in with another one: its line gets that one.
    pub(crate) fn is_meant(&self, sent: &str, github_id: &str) -> Result<(), ConsoleError> {
        let mut state = self.state();
        if state.members.iter().any(|member| member.github_id == github_id) {
            return Err("this player is in already".into());
        }
        let roster = state.roster.as_mut().ok_or("this day has no roster: all programs are let in")?;
        if !Arc::make_mut(roster).rename_id(github_id, sent) {
            return Err("the roster has the new GitHubId already, or lacks the old one".into());
        }
        state.refusals.forget(sent);
        drop(state);
        self.number_all([sent]);
        self.done(format!("{} is {}", escape(sent), escape(github_id)));
        self.decided()
    }

    /// Whether the teacher goes on without the player of this GitHubId.
    pub fn is_given_up(&self, github_id: &str) -> bool {
        self.state().given_up.contains(github_id)
    }

    pub(crate) fn start(&self) -> Result<(), ConsoleError> {
        let state = self.state_in(DayPhase::Lobby, "starting")?;
        let missing =
            state.missing.iter().filter(|player| !state.given_up.contains(&player.github_id)).count();
        if state.lobby.resumed && missing > 0 {
            let verb = if missing == 1 { "player is" } else { "players are" };
            let why = format!("{missing} {verb} missing: wait for them, or continue without them");
            return Err(why.into());
        }
        let fewest = state.lobby.fewest();
        if state.members.len() < fewest {
            let why = format!("a game like this takes at least {fewest} players, and fewer are in");
            return Err(why.into());
        }
        drop(state);
        self.press_proceed("start");
        Ok(())
    }

    pub(crate) fn rehearse(&self, on: bool) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Lobby, "changing the cost of a foul")?;
        if state.lobby.resumed {
            return Err(ConsoleError::recorded("The cost of a foul"));
        }
        state.rehearsal = on;
        drop(state);
        self.done(format!("rehearsal {}", if on { "on" } else { "off" }));
        Ok(())
    }

    pub(crate) fn rename(&self, github_id: &str, name: &str) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Lobby, "another name")?;
        if state.lobby.resumed {
            return Err(ConsoleError::recorded("A name"));
        }
        let name = harmless(name).ok_or("nothing of this name can be shown: use letters and digits")?;
        if !state.members.iter().any(|member| member.github_id == github_id) {
            return Err(ConsoleError::unknown_player());
        }
        state.renames.insert(github_id.to_string(), name.clone());
        drop(state);
        self.done(format!("rename {} to {name}", escape(github_id)));
        self.decided()
    }

    /// Removes a player from the lobby, or refuses a waiting login.
    pub(crate) fn send_away(
        &self,
        github_id: &str,
        from: Option<IpAddr>,
        reason: &str,
    ) -> Result<(), ConsoleError> {
        let state = self.state_in(DayPhase::Lobby, "removing a player from the lobby")?;
        let reason = reason_of(reason)?;
        let is_in = |member: &Member| member.github_id == github_id && member.plays == PlayerSource::Remote;
        let waits = |player: &AwaitingPlayer| player.github_id == github_id;
        if !state.members.iter().any(is_in) && !state.awaiting.iter().any(waits) {
            return Err(ConsoleError::unknown_player());
        }
        drop(state);
        self.done(format!("send away {}: {reason}", escape(github_id)));
        self.lobby_orders.send_away(github_id, from, &reason);
        Ok(())
    }

    /// Accepts a player from a new address.
    pub(crate) fn approve(&self, github_id: &str, from: Option<IpAddr>) -> Result<(), ConsoleError> {
        let state = self.state_in(DayPhase::Lobby, "approving a player")?;
        let meant = |player: &&AwaitingPlayer| {
            player.github_id == github_id && from.is_none_or(|from| from == player.from)
        };
        let waiting: Vec<IpAddr> = state.awaiting.iter().filter(meant).map(|player| player.from).collect();
        let from = match waiting[..] {
            [] => return Err("no player with this GitHubId waits for an approval any more".into()),
            [from] => from,
            _ => {
                let from: Vec<String> = waiting.iter().map(IpAddr::to_string).collect();
                let (count, from) = (from.len(), from.join(", "));
                let why = format!(
                    "{count} players with this GitHubId wait: say with `from` which is meant, of {from}"
                );
                return Err(why.into());
            }
        };
        drop(state);
        self.done(format!("approve {} from {from}", escape(github_id)));
        self.lobby_orders.approve(github_id, from);
        Ok(())
    }

    /// Goes on without those who are missing: one of them, or all.
    pub(crate) fn go_on_without(&self, github_id: Option<&str>) -> Result<(), ConsoleError> {
        let mut state = self.state_in(DayPhase::Lobby, "resuming without a player")?;
        if !state.lobby.resumed {
            return Err("a new tournament begins with the players in the lobby".into());
        }
        if state.members.is_empty() {
            return Err("no player is back yet, and a game needs at least one".into());
        }
        let meant = |player: &&MissingPlayer| github_id.is_none_or(|id| id == player.github_id);
        let missing: Vec<String> =
            state.missing.iter().filter(meant).map(|player| player.github_id.clone()).collect();
        if missing.is_empty() {
            return Err("no missing player has this GitHubId".into());
        }
        for id in &missing {
            self.listed_in(&mut state, format!("continue without {}", escape(id)));
        }
        state.given_up.extend(missing);
        drop(state);
        self.lobby_changed.notify_one();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assigned_numbers_stay_and_are_not_reused() {
        let console = ConsoleState::default();
        let numbers = |ids: &[&str]| {
            console.number_all(ids.iter().copied());
            ids.iter().map(|id| console.number_of(id).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(console.number_of("bob"), None);
        assert_eq!(numbers(&["bob", "dee"]), [1, 2]);
        assert_eq!(numbers(&["ada", "bob", "cyd", "dee"]), [3, 1, 4, 2]);
        assert_eq!(numbers(&["dee", "eve", "fay"]), [2, 5, 6]);
    }
}
