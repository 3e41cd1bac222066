//! Valid and invalid headers, and the tournament each describes.

use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::cards::Seed;
use crate::stud::{Chips, MAX_SEATS};
use crate::table::TableSettings;
use crate::tournament::{
    Entrant, EventPlan, FEWEST_PLAYERS, Format, MAX_PLAYERS, Newcomer, Placing, Player, Roster,
};

fn plan(format: &str) -> EventPlan {
    EventPlan {
        format: Format::named(format).unwrap(),
        seats: 6,
        level_rounds: Some(10),
        antes: Vec::new(),
        series: 1,
        late_entry: None,
    }
}

/// A header of this many programs that connect.
fn of(players: usize) -> Header {
    let seed = Seed::chosen("headers");
    let entrant = |number| Entrant::new(format!("hub-{number}"), format!("Guest {number}"));
    let roster = Roster::new(&(0..players).map(entrant).collect::<Vec<_>>(), &seed);
    let terms = Terms { reply_ms: 700, relogin: true, ..Terms::single_table(100, 50) };
    Header::new(terms, &seed, roster.players().iter().map(|player| (player.clone(), PlayerSource::Remote)))
}

fn planned(header: Header, plan: EventPlan) -> Header {
    with(header, |header| header.terms.plan = plan)
}

fn refusal(header: &Header) -> String {
    header.check().unwrap_err().to_string()
}

/// Like this header, with something else.
fn with(mut header: Header, change: impl FnOnce(&mut Header)) -> Header {
    change(&mut header);
    header
}

#[test]
fn a_header_says_how_the_tournament_is_played() {
    let header = of(4);
    assert_eq!(header.check(), Ok(()));
    let terms = &header.terms;
    assert_eq!((terms.stack, terms.rounds, terms.reply_ms, terms.relogin), (100, Some(50), 700, true));
    assert_eq!(terms.conduct, TableSettings::default());
    let mut event = header.event().unwrap();
    assert!(event.next_level());
    assert_eq!((event.tables().len(), event.tables()[0].players().len()), (1, 4));
}

#[test]
fn a_header_keeps_its_occasion_and_all_else() {
    let occasion = Occasion {
        title: Some("Aces of the hall".parse().unwrap()),
        venue: Some("Room 101".parse().unwrap()),
    };
    assert!(of(2).occasion.is_empty() && !occasion.is_empty());
    for occasion in [
        Occasion { venue: None, ..occasion.clone() },
        Occasion { title: None, ..occasion.clone() },
        occasion.clone(),
    ] {
        assert!(!occasion.is_empty(), "{occasion:?}");
        let header = of(2).on(occasion.clone());
        assert_eq!(header.occasion, occasion);
        assert_eq!(with(header, |header| header.occasion = Occasion::default()), of(2));
    }
    assert_eq!((occasion.title(), occasion.venue()), ("Aces of the hall", "Room 101"));
    assert_eq!((of(2).occasion.title(), of(2).occasion.venue()), ("Casino Day", ""));
}

/// House bots have no secret, and are ranked only if the teacher asks for it.
#[test]
fn a_header_lists_secret_ids_and_ranked_players() {
    let with_house = with(of(3), |header| {
        header.players[1].plays = PlayerSource::House("caller".to_string());
    });
    let ids: Vec<&str> = with_house.players.iter().map(|player| player.github_id.as_str()).collect();
    let secret = with_house.secret_ids();
    assert_eq!([0, 1, 2].map(|seat| secret.have(ids[seat])), [true, false, true]);
    assert_eq!(with_house.placing(), Placing::new([false, true, false], false));
    let counted = with(with_house, |header| header.terms.house_counts = true);
    assert_eq!(counted.placing(), Placing::new([false, true, false], true));
}

#[test]
fn a_table_seats_two_to_seventeen() {
    for players in [2, MAX_SEATS] {
        assert!(of(players).check().is_ok(), "{players}");
    }
    for players in [0, 1, MAX_SEATS + 1] {
        let refused = format!("there are {players} players, where a single-table has 2 to {MAX_SEATS}");
        assert_eq!(refusal(&of(players)), refused);
    }
}

/// An event seats as many as its format needs, at as many tables.
#[test]
fn event_headers_need_a_plan_and_a_valid_player_count() {
    let header = planned(of(MAX_SEATS + 3), plan("freezeout"));
    let mut event = header.event().unwrap();
    assert!(event.next_level());
    assert_eq!(event.tables().iter().map(|table| table.players().len()).sum::<usize>(), MAX_SEATS + 3);
    for players in [FEWEST_PLAYERS - 1, MAX_PLAYERS + 1] {
        let refused = format!("there are {players} players, where a freezeout has 2 to {MAX_PLAYERS}");
        assert_eq!(refusal(&planned(of(players), plan("freezeout"))), refused);
    }
    for players in [FEWEST_PLAYERS, MAX_PLAYERS] {
        assert!(planned(of(players), plan("freezeout")).check().is_ok(), "{players}");
    }
    let no_seats = EventPlan { seats: 1, ..plan("freezeout") };
    assert_eq!(refusal(&planned(of(9), no_seats)), "seats is 1, where a table has 2 to 17");
    let dear = EventPlan { antes: vec![101], ..plan("freezeout") };
    let unpayable = "antes has 101 in it, which a stack of 100 cannot pay";
    assert_eq!(refusal(&planned(of(9), dear)), unpayable);
}

#[test]
fn an_event_ends_after_a_thousand_million_rounds_at_the_latest() {
    let of_rounds =
        |rounds| with(planned(of(9), plan("freezeout")), |header| header.terms.rounds = Some(rounds));
    assert!(of_rounds(1_000_000_000).check().is_ok());
    for rounds in [1_000_000_001, u64::MAX] {
        let refused = format!("{rounds} rounds are more than a tournament can have");
        assert_eq!(refusal(&of_rounds(rounds)), refused);
    }
}

/// A round costs something, and the first one can be paid.
#[test]
fn a_stack_pays_at_least_one_ante() {
    let of_chips = |stack: Chips, ante: Chips| {
        with(of(3), |header| (header.terms.stack, header.terms.conduct.rules.ante) = (stack, ante)).check()
    };
    for (stack, ante) in [(1, 1), (7, 7), (8, 7)] {
        assert_eq!(of_chips(stack, ante), Ok(()), "{stack} {ante}");
    }
    for (stack, ante) in [(0, 0), (100, 0), (0, 1), (6, 7)] {
        let refused = format!("a stack of {stack} cannot pay an ante of {ante}");
        assert_eq!(of_chips(stack, ante).unwrap_err().to_string(), refused);
    }
}

/// All chips together stay below 2^31.
#[test]
fn no_more_chips_than_can_be_counted() {
    let of_stacks = |players: usize, stack| with(of(players), |header| header.terms.stack = stack);
    for (players, most) in [(2, (1 << 30) - 1), (4, (1 << 29) - 1), (3, 715_827_882)] {
        assert!(of_stacks(players, most).check().is_ok(), "{players}");
        let stack = most + 1;
        let refused = format!("{players} stacks of {stack} are too many chips to count");
        assert_eq!(refusal(&of_stacks(players, stack)), refused);
    }
}

/// The output of a program goes to a file of its name, which must not lead out of the output folder.
#[test]
fn a_program_is_named_like_a_file() {
    let of_program = |name: &str| {
        let plays = PlayerSource::Program { name: name.to_string(), command: "./bot {port}".to_string() };
        with(of(3), |header| header.players[1].plays = plays)
    };
    assert!(of_program("ada-2").check().is_ok());
    for name in ["", "..", "../ada", "a/b", "ada.txt", "C:ada"] {
        let refused =
            format!("seat 2 is played by a program named \"{name}\", which is no name of a program");
        assert_eq!(refusal(&of_program(name)), refused);
    }
}

#[test]
fn a_name_is_no_longer_than_a_roster_makes_it() {
    let named = |letters: usize| with(of(3), |header| header.players[2].name = "ä".repeat(letters));
    assert!(named(64).check().is_ok());
    let refused = "the name of seat 3 has 100000 letters, and no name has more than 64";
    assert_eq!(refusal(&named(100_000)), refused);
}

/// On resume, a login from another address than the recorded one is confirmed by the teacher.
#[test]
fn addresses_belong_to_the_players_in_their_order() {
    let address = |last| Some(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)));
    let header = of(3).with_addresses([address(1), None, address(3)]);
    let from: Vec<_> = header.players.iter().map(|player| player.from).collect();
    assert_eq!(from, [address(1), None, address(3)]);
    assert_eq!(header.players.len(), 3);
}

/// R2: the seed determines the seats, and the promise commits to the seed.
#[test]
fn the_seed_is_the_promised_one_and_seats_the_players() {
    let seed = Seed::chosen("headers");
    let mut header = of(5);
    assert_eq!(header.seed().unwrap().text(), "headers");
    assert_eq!(header.check_seats(&seed), Ok(()));
    header.players.swap(1, 3);
    let wrong = header.check_seats(&seed).unwrap_err().to_string();
    let [drawn, listed] = [1, 3].map(|player| of(5).players[player].github_id.clone());
    assert_eq!(wrong, format!("seat 4 belongs to {drawn}, by the seed, and {listed} sits there"));

    let drawn = Seed::drawn([7; 32]);
    let promised = |promise: &str| {
        with(of(3), |header| {
            header.seed = drawn.text().to_string();
            header.promise = Some(promise.to_string());
        })
    };
    let promise = drawn.promise().unwrap();
    assert_eq!(promised(&promise).seed().unwrap().text(), drawn.text());
    let other = promised("another").seed().unwrap_err().to_string();
    assert_eq!(other, format!("the SHA-256 of the seed is {promise}, where another was promised"));
    let chosen = with(promised(&promise), |header| header.seed = "mine".to_string());
    assert!(chosen.seed().unwrap_err().to_string().ends_with("is none that is drawn"));
}

#[test]
fn late_entrants_get_the_next_number() {
    let mut header = of(3);
    for number in [4, 5] {
        let player = Player { name: format!("Late {number}"), github_id: format!("late-{number}") };
        header.enter(Newcomer { player, from: [127, 0, 0, 1].into() });
        assert_eq!(header.players.last().map(|player| player.seat), Some(number));
        assert_eq!(header.check(), Ok(()));
    }
}
