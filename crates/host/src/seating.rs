//! The seats of an event: guests and house bots in the order that the seed draws.

use casino_stud::cards::Seed;
use casino_stud::journal::PlayerSource;
use casino_stud::strategies::HouseBot;
use casino_stud::tournament::{Entrant, Player, Roster};

use super::{Guest, SeatedPlayer};

/// Seats guests and house bots by the seed (R2). Returns the players with their sources for a
/// [`Header`](casino_stud::journal::Header), and in the same order those that an [`EventHost`](super::EventHost) asks.
///
/// Names become unique: a guest who is called like a house bot gets a number.
pub fn seat(
    guests: Vec<Guest>,
    bots: &[&'static HouseBot],
    seed: &Seed,
) -> (Vec<(Player, PlayerSource)>, Vec<SeatedPlayer>) {
    let guests = guests.into_iter().map(|Guest { login, connection }| {
        let entrant = Entrant::new(login.github_id, login.avatar);
        (entrant, (PlayerSource::Remote, SeatedPlayer::Remote(connection)))
    });
    let bots = bots.iter().zip(1..).map(|(bot, number)| {
        // No login can contain a colon, so no guest can impersonate a house bot.
        let github_id = format!("house:{}-{number}", bot.name);
        let player = SeatedPlayer::House(Box::new(bot.seated(&github_id, seed)));
        let entrant = Entrant::new(github_id, "").named(bot.name);
        (entrant, (PlayerSource::House(bot.name.to_string()), player))
    });
    let (roster, seated) = Roster::seat(guests.chain(bots), seed);
    let (sources, seats): (Vec<_>, Vec<_>) = seated.into_iter().unzip();
    (roster.players().iter().cloned().zip(sources).collect(), seats)
}

#[cfg(test)]
mod tests {
    use casino_stud::protocol::Login;

    use super::*;
    use crate::memory_socket::MemorySocket;
    use crate::{Connection, Socket};

    #[tokio::test]
    async fn a_guest_called_like_a_house_bot_gets_a_number() {
        let guest = |github_id: &str, avatar: &str| {
            let socket = Socket::Memory(MemorySocket::pair(1_024).0);
            let connection = Connection::new(socket, ([10, 0, 0, 1], 9_000).into()).unwrap();
            let login = Login { github_id: github_id.to_string(), avatar: avatar.to_string(), key: None };
            Guest { login, connection: Box::new(connection) }
        };
        let odds = HouseBot::named("odds").unwrap();
        for seed in ["monday", "tuesday", "wednesday"] {
            let guests = vec![guest("ada", "odds"), guest("cyd", "Bob")];
            let (players, seats) = seat(guests, &[odds, odds], &Seed::chosen(seed));
            let mut names: Vec<&str> = players.iter().map(|(player, _)| player.name.as_str()).collect();
            names.sort_unstable();
            assert_eq!(names, ["Bob", "odds", "odds 2", "odds 3"]);
            for ((player, source), seat) in players.iter().zip(&seats) {
                let (is_house, is_bot) = (source.is_house(), matches!(seat, SeatedPlayer::House(_)));
                assert_eq!((is_house, is_bot), (player.github_id.contains(':'), is_house), "{player:?}");
            }
            assert!(players.iter().any(|(player, _)| player.github_id == "ada" && player.name == "odds 3"));
        }
    }
}
