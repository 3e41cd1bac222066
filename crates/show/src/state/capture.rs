//! A round at a table, caught whole while it is played.

use casino_stud::replay::{PublicEvent, PublicExit, PublicRound};
use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Point, Race, TableGame};

use super::{TableRound, TableTally, TvHoles};

const MAX_LISTED_FOULS: usize = 5;

/// A round that is being played and will be shown.
struct RoundCapture {
    events: PublicRound,
    public: Vec<PublicEvent>,
    before: TableTally,
    asked: bool,
}

/// Records one table round by round: requested rounds are kept in full, of others only the part needed for the
/// standings.
pub struct Capture {
    /// The player of the tournament in each seat, from 0.
    players: Vec<usize>,
    catching: Option<RoundCapture>,
    /// The stacks over the rounds that are not caught, where this is the only table.
    race: Option<Race>,
    /// Events since the last tally.
    tally: TableTally,
}

impl Capture {
    /// Nothing has happened at this table of these players yet.
    pub fn new(players: Vec<usize>) -> Capture {
        Capture { players, catching: None, race: None, tally: TableTally::default() }
    }

    /// The same for a table with all players: it also keeps the stacks by round.
    pub fn with_race(self) -> Capture {
        Capture { race: Some(Race::default()), ..self }
    }

    /// Whether a round is being caught.
    #[inline]
    pub fn is_catching(&self) -> bool {
        self.catching.is_some()
    }

    /// The player of the tournament in this seat, from 0.
    pub fn player_at(&self, seat: Seat) -> usize {
        self.players[seat.index()]
    }

    /// The state of the table and the events since the last tally.
    fn take_tally(&mut self, game: &TableGame) -> TableTally {
        let table = game.table();
        let mut tally = std::mem::take(&mut self.tally);
        tally.table = game.number();
        tally.round = table.round_number();
        tally.done = game.is_over();
        tally.chips = self.players.iter().copied().zip(table.stacks().iter().copied()).collect();
        tally.last_replies = vec![None; table.stacks().len()];
        for event in table.events() {
            if let TableEvent::Acted { seat, action } = event {
                tally.last_replies[seat.index()] = Some(action.to_string());
            }
        }
        tally
    }

    /// The state of the table at the deal, and the events before it.
    fn take_tally_before(&mut self, game: &TableGame) -> TableTally {
        let round = game.table().round_number();
        let all = std::mem::take(&mut self.tally);
        let (points, points_since) = all.points.into_iter().partition(|point| point.round < round);
        let (exits, exits_since) = all.exits.into_iter().partition(|exit| exit.round < round);
        let (fouls, fouls_since): (Vec<_>, Vec<_>) =
            all.fouls.into_iter().partition(|(_, foul_round, _)| *foul_round < round);
        let fouls_now = fouls_since.len() as u64;
        self.tally = TableTally {
            points: points_since,
            exits: exits_since,
            fouls: fouls_since,
            foul_count: fouls_now,
            ..TableTally::default()
        };
        TableTally {
            table: game.number(),
            round: round - 1,
            chips: self.players.iter().copied().zip(game.began_with().iter().copied()).collect(),
            points,
            exits,
            fouls,
            foul_count: all.foul_count - fouls_now,
            last_replies: Vec::new(),
            done: false,
        }
    }

    /// Notes an event. `wanted` says, when a round is dealt, whether it is to be caught. Gives out the round when it is
    /// over, if it was wanted or is the last of its table.
    pub fn note(
        &mut self,
        game: &TableGame,
        event: &TableEvent,
        wanted: impl FnOnce() -> bool,
        with_holes: impl FnOnce() -> bool,
    ) -> Option<TableRound> {
        match event {
            TableEvent::Dealt { .. } => {
                self.catching = wanted().then(|| RoundCapture {
                    events: PublicRound::default(),
                    public: Vec::new(),
                    before: self.take_tally_before(game),
                    asked: true,
                });
            }
            TableEvent::Fouled { seat } => self.count_foul(game, *seat),
            TableEvent::Left { seat, .. } => {
                let exit = PublicExit::of(game, *seat);
                // A player who comes back between levels can leave many times.
                self.tally.exits.retain(|before| before.player != exit.player);
                self.tally.exits.push(exit);
            }
            _ => {}
        }
        if let Some(RoundCapture { events, public, .. }) = &mut self.catching {
            public.push(events.push(game, event));
        }
        if *event == TableEvent::Ended { self.ended(game, with_holes) } else { None }
    }

    fn count_foul(&mut self, game: &TableGame, seat: Seat) {
        let table = game.table();
        if table.exit_reason(seat).is_some() {
            return;
        }
        let foul = table.foul_of(seat).expect("a foul was kept when it happened");
        self.tally.foul_count += 1;
        if self.tally.fouls.len() == MAX_LISTED_FOULS {
            self.tally.fouls.remove(0);
        }
        self.tally.fouls.push((self.players[seat.index()], table.round_number(), foul.in_public()));
    }

    fn ended(&mut self, game: &TableGame, with_holes: impl FnOnce() -> bool) -> Option<TableRound> {
        let table = game.table();
        let round = table.round_number();
        if let Some(race) = &mut self.race
            && race.wants(round)
        {
            // A player who left before others joined late has no seat and no chips any more.
            let mut stacks = vec![0; self.players.iter().max().map_or(0, |last| last + 1)];
            for (player, chips) in self.players.iter().zip(table.stacks()) {
                stacks[*player] = *chips;
            }
            let point = Point { round, stacks };
            race.push(point.clone());
            self.tally.points.push(point);
            if self.tally.points.len() > 2 * race.points().len() {
                // The tally has not been requested for a long time: the points of the race suffice.
                self.tally.points = race.points().to_vec();
            }
        }
        let caught = match self.catching.take() {
            Some(caught) => caught,
            // The last round of a table may decide everything: it is always told.
            None if game.is_over() => RoundCapture {
                events: PublicRound::default(),
                public: PublicRound::events(game),
                before: self.take_tally_before(game),
                asked: false,
            },
            None => return None,
        };
        let dealt = table.round().dealt();
        let hole = |seat: Seat| (seat, table.round().hole(seat));
        Some(TableRound {
            table: game.number(),
            round,
            before: caught.before,
            events: caught.public,
            holes: with_holes().then(|| TvHoles(dealt.into_iter().map(hole).collect())),
            after: self.take_tally(game),
            asked: caught.asked,
        })
    }
}
