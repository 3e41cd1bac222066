//! The return of players to a resumed tournament.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use casino_host::{Admission, Refusal};
use casino_show::state::{GuestView, LobbyView};
use casino_stud::journal::{HeaderPlayer, PlayerSource};
use casino_stud::protocol::Login;
use casino_stud::replay::RebuiltTournament;
use casino_stud::table::{ExitReason, Fault, Foul, FoulTally};
use casino_stud::tournament::ConsoleAction;

use super::context::Context;
use super::gather::LobbyCrowd;
use super::tournament::{ABSENT_REASON, FirstOrders};
use super::{AwaitingPlayer, LobbyFeed, LobbyTerms, Member, MissingPlayer, first_shown_again};

/// The expected players and their addresses.
pub(super) struct ReturningPlayers<'a> {
    pub(super) context: &'a Context,
    pub(super) rebuilt: &'a RebuiltTournament,
    /// The players of the event who connect, by their GitHubId.
    pub(super) remote: &'a HashMap<String, usize>,
}

impl ReturningPlayers<'_> {
    /// Whether a login is let in: at once from the address it played from; from another one only if the teacher
    /// approves it, or trusts all addresses. A journal without addresses knows none that would be wrong.
    pub(super) fn admit(&self, login: &Login, peer: SocketAddr) -> Admission {
        if let Some(why) = self.context.console.roster_refusal(&login.github_id) {
            return Admission::Refused(why);
        }
        let Some(player) = self.remote.get(&login.github_id) else {
            return Admission::Refused(self.refusal_of_another(login, peer));
        };
        let is_known = self.is_known(*player, peer);
        let has_console = self.context.options.console.is_some();
        match is_known || self.context.options.trust_addresses {
            true => Admission::Welcome,
            false if has_console => Admission::Waits,
            false => Admission::Refused(Refusal::Stranger),
        }
    }

    /// Whether a player has connected from the address that it played from.
    fn is_known(&self, player: usize, peer: SocketAddr) -> bool {
        self.address_of(player).is_none_or(|before| before == peer.ip())
    }

    /// The reason for refusing an unexpected login. A former player receives the full sentence again, which may not
    /// have arrived before the crash; from another address only the way it left, because the sentence quotes its
    /// message.
    fn refusal_of_another(&self, login: &Login, peer: SocketAddr) -> Refusal {
        let players = &self.rebuilt.header.players;
        let player = players
            .iter()
            .position(|player| player.plays == PlayerSource::Remote && player.github_id == login.github_id);
        let left = player.and_then(|player| Some((player, exit_of(self.rebuilt, player)?)));
        match left {
            None => Refusal::Unwanted(
                "this game continues with its first players, and you are not one of them".to_string(),
            ),
            Some((player, (_, why, forgiven))) if self.is_known(player, peer) => {
                Refusal::Out(why.last_word(forgiven))
            }
            Some((_, (round, why, _))) => {
                Refusal::Unwanted(format!("you left it in round {round} ({})", why.name()))
            }
        }
    }

    /// The address this player played from last, if the journal has it.
    fn address_of(&self, player: usize) -> Option<IpAddr> {
        let recorded = self.rebuilt.settings.addresses.get(&player).copied();
        recorded.or(self.rebuilt.header.players[player].from)
    }

    /// Preparations before play continues with these players from these addresses: removals that the crash prevented are
    /// carried out, missing players are removed, and new addresses recorded.
    pub(super) fn first_orders(&self, came: &HashMap<usize, IpAddr>) -> FirstOrders {
        let mut players: Vec<usize> = self.remote.values().copied().collect();
        players.sort_unstable();
        let pending = self.rebuilt.settings.removals.clone();
        let mut first = FirstOrders { removals: pending.into_iter().collect(), ..FirstOrders::default() };
        for player in players {
            match came.get(&player) {
                None => first.removals.push((player, ABSENT_REASON.to_string())),
                Some(from) if self.address_of(player) != Some(*from) => {
                    first.notes.push(ConsoleAction::address(player, *from));
                }
                Some(_) => {}
            }
        }
        first
    }

    pub(super) fn show(&self, crowd: &LobbyCrowd) {
        let header = &self.rebuilt.header;
        let is_back = |github_id: &str| crowd.logins.iter().any(|login| login.github_id == github_id);
        let playing = self.rebuilt.returning();
        let secrets = header.secret_ids();
        let (mut members, mut missing) = (Vec::new(), Vec::new());
        for player in playing.iter().map(|player| &header.players[*player]) {
            let HeaderPlayer { github_id, name, plays, .. } = player;
            let member = Member::new(github_id, name, plays.clone(), &secrets);
            if *plays == PlayerSource::Remote && !is_back(github_id) {
                let Member { github_id, name, tells_id, .. } = member;
                missing.push(MissingPlayer { github_id, name, given_up: false, tells_id });
            } else {
                members.push(member);
            }
        }
        let link = self.context.link();
        let (guests, awaited, wanted) = self.as_the_room_sees(crowd);
        let view = LobbyView {
            wanted,
            guests,
            awaited,
            connect: crowd.connect.clone(),
            page_url: link.as_ref().map(|link| link.url.clone()),
            qr: link.and_then(|link| link.qr),
            next: Some(format!("it continues with round {}", self.next_in_room())),
            roster: None,
            resumed: true,
            occasion: header.occasion.clone(),
            next_steps: Vec::new(),
        };
        let terms = LobbyTerms {
            wanted: playing.len(),
            room: playing.len(),
            has_roster: self.context.console.roster().is_some(),
            resumed: true,
            late_entry: header.terms.plan.late_entry,
        };
        let awaiting = crowd.waiting.iter().map(|(login, peer)| AwaitingPlayer {
            github_id: login.github_id.clone(),
            name: self.name_of(&login.github_id),
            from: peer.ip(),
        });
        let awaiting = awaiting.collect();
        self.context.show_lobby(view, LobbyFeed { terms, members, missing, awaiting });
    }

    /// The round that the room sees next: what happened in it must stay hidden.
    fn next_in_room(&self) -> u64 {
        match self.context.options.page {
            Some(_) => first_shown_again(self.rebuilt.event.rounds_complete()),
            None => self.rebuilt.next_round(),
        }
    }

    /// The present, the expected, and the number of players, as far as the page has shown: a player who left in a round
    /// not shown yet counts as present with the first returning one.
    fn as_the_room_sees(&self, crowd: &LobbyCrowd) -> (Vec<GuestView>, Vec<String>, usize) {
        let (header, playing) = (&self.rebuilt.header, self.rebuilt.returning());
        let left_unseen = |player: usize| {
            exit_of(self.rebuilt, player).is_some_and(|(round, ..)| round >= self.next_in_room())
        };
        let (mut guests, mut awaited, mut wanted) = (Vec::new(), Vec::new(), 0);
        for (number, player) in header.players.iter().enumerate() {
            let plays = playing.contains(&number);
            if !plays && !left_unseen(number) {
                continue;
            }
            wanted += 1;
            let is_back = match plays {
                true => crowd.logins.iter().any(|login| login.github_id == player.github_id),
                false => !crowd.logins.is_empty(),
            };
            if player.plays != PlayerSource::Remote || is_back {
                let (connected, house) = (!player.plays.is_program(), player.plays.is_house());
                guests.push(GuestView { name: player.name.clone(), connected, house, rank: None });
            } else if !self.context.console.is_given_up(&player.github_id) {
                awaited.push(player.name.clone());
            }
        }
        (guests, awaited, wanted)
    }

    /// The name everyone sees of the player of this GitHubId.
    fn name_of(&self, github_id: &str) -> String {
        let player = self.remote.get(github_id).map(|player| &self.rebuilt.header.players[*player]);
        player.map(|player| player.name.clone()).unwrap_or_default()
    }
}

/// The reason why a player of this tournament cannot play on: the round in which it left or will be removed, why, and its
/// forgiven fouls.
fn exit_of(rebuilt: &RebuiltTournament, player: usize) -> Option<(u64, ExitReason, FoulTally)> {
    let standings = rebuilt.event.standings();
    let standing = standings.places().iter().find(|standing| standing.player == player)?;
    if let Some(exit) = &standing.exit {
        return Some((exit.round, exit.why.clone(), standing.fouls));
    }
    let reason = rebuilt.settings.removals.get(&player)?;
    let fault = Fault::Removed { reason: reason.clone() };
    let why = ExitReason::Foul(Foul::Fault { fault, allowed: None });
    Some((rebuilt.next_round(), why, standing.fouls))
}
