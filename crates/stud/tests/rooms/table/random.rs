//! Random rounds, compared with a replica of the table and a second implementation of the showdown.

use super::*;

/// A table as small as it can be, which knows nothing but events and the cards of the deal.
#[derive(Debug)]
struct Replica {
    stacks: Vec<Chips>,
    put_in: Vec<Chips>,
    pot: Chips,
    forfeited: Chips,
    seated: Vec<bool>,
    live: Vec<bool>,
    street: Option<Street>,
    opener: usize,
}

impl Replica {
    fn new(stacks: &[Chips]) -> Replica {
        Replica {
            stacks: stacks.to_vec(),
            put_in: vec![0; stacks.len()],
            pot: 0,
            forfeited: 0,
            seated: stacks.iter().map(|chips| *chips > 0).collect(),
            live: vec![false; stacks.len()],
            street: None,
            opener: 0,
        }
    }

    fn take(&mut self, event: &TableEvent) {
        match *event {
            TableEvent::Dealt { seats } => {
                for index in 0..self.stacks.len() {
                    self.live[index] = seats.contains(seat(index));
                    if self.live[index] {
                        self.stacks[index] -= 1;
                        self.pot += 1;
                    }
                }
            }
            TableEvent::Opened { street, opener } => {
                self.street = Some(street);
                self.opener = opener.index();
                self.put_in.fill(0);
            }
            TableEvent::Acted { seat, action } => match action.chips() {
                None => self.live[seat.index()] = false,
                Some(chips) => {
                    self.stacks[seat.index()] -= chips;
                    self.put_in[seat.index()] += chips;
                    self.pot += chips;
                }
            },
            TableEvent::Passed { .. } | TableEvent::Ended => {}
            TableEvent::ForcedFold { seat } | TableEvent::Fouled { seat } => self.live[seat.index()] = false,
            TableEvent::Won { seat, chips, .. } => {
                self.pot -= chips;
                self.stacks[seat.index()] += chips;
            }
            TableEvent::Left { seat, forfeited } => {
                assert_eq!(self.stacks[seat.index()], forfeited);
                self.stacks[seat.index()] = 0;
                self.forfeited += forfeited;
                self.seated[seat.index()] = false;
            }
        }
    }

    fn assert_like(&self, table: &Table) {
        assert_eq!(self.stacks, table.stacks());
        assert_eq!(self.forfeited, table.forfeited());
        assert_eq!(self.pot, table.round().pot());
        let seats =
            |flags: &[bool]| -> SeatSet { (0..flags.len()).filter(|i| flags[*i]).map(seat).collect() };
        assert_eq!(seats(&self.seated), table.seated());
        assert_eq!(seats(&self.live), table.round().live());
        assert_eq!(self.street, Some(table.round().street()));
        assert_eq!(seat(self.opener), table.round().opener());
        if let Some((seat, bounds)) = table.asked() {
            let level = self.put_in.iter().copied().max().unwrap_or(0);
            assert_eq!(bounds.to_call, level - self.put_in[seat.index()]);
            assert_eq!(bounds.stack, self.stacks[seat.index()]);
        }
    }
}

/// A slow second implementation of the payouts at a showdown, following the document word by word.
fn shares(table: &Table) -> Vec<(usize, Chips)> {
    let round = table.round();
    let events = table.events();
    let pot: Chips = won(table).iter().map(|(_, _, chips)| chips).sum();
    let paid =
        events.iter().position(|event| matches!(event, TableEvent::Won { .. })).expect("a pot is paid");
    let mut live = Vec::new();
    for event in &events[..paid] {
        match *event {
            TableEvent::Dealt { seats } => live = seats.into_iter().map(Seat::index).collect(),
            TableEvent::Acted { seat, action } if action == Action::FOLD => {
                live.retain(|i| *i != seat.index())
            }
            TableEvent::ForcedFold { seat } | TableEvent::Fouled { seat } => {
                live.retain(|i| *i != seat.index())
            }
            _ => {}
        }
    }
    if let [last] = live[..] {
        return vec![(last, pot)];
    }
    let opener = round.opener().index();
    live.sort_by_key(|index| (index + MAX_SEATS - opener) % MAX_SEATS);
    let groups = |index: usize| {
        let mut ranks: Vec<Rank> = round.hand(seat(index)).iter().map(|card| card.rank()).collect();
        ranks.sort();
        ranks.reverse();
        let count = |rank: &Rank| ranks.iter().filter(|other| *other == rank).count();
        let mut groups: Vec<(usize, Rank)> = ranks.iter().map(|rank| (count(rank), *rank)).collect();
        groups.sort();
        groups.reverse();
        groups
    };
    let best = live.iter().map(|index| groups(*index)).max().expect("somebody is in");
    let tied: Vec<usize> = live.iter().copied().filter(|index| groups(*index) == best).collect();
    let spade = live
        .iter()
        .filter(|index| round.hole(seat(**index)).suit() == Suit::Spades)
        .max_by_key(|index| round.hole(seat(**index)).rank());
    let spade_half = if spade.is_some() { pot / 2 } else { 0 };
    let hand_half = pot - spade_half;
    let mut shares = vec![0; table.stacks().len()];
    for (place, index) in tied.iter().enumerate() {
        let odd = Chips::from((place as Chips) < hand_half % tied.len() as Chips);
        shares[*index] += hand_half / tied.len() as Chips + odd;
    }
    if let Some(index) = spade {
        shares[*index] += spade_half;
    }
    (0..shares.len()).map(|index| (index, shares[index])).filter(|(_, chips)| *chips > 0).collect()
}

/// Checks a finished round: the statuses, the sum of the chips, and the winners.
fn check_round(table: &Table, dealt: SeatSet, told: &[Seat], all_chips: Chips) {
    assert_eq!(*told, dealt.into_iter().collect::<Vec<_>>(), "R14: everyone dealt in, once");
    let sum = table.stacks().iter().sum::<Chips>() + table.forfeited();
    assert_eq!((sum, table.round().pot()), (all_chips, 0), "R12");
    let mut paid = vec![0; table.stacks().len()];
    for (seat, _, chips) in won(table) {
        paid[seat] += chips;
    }
    let paid: Vec<(usize, Chips)> =
        (0..table.stacks().len()).map(|index| (index, paid[index])).filter(|(_, chips)| *chips > 0).collect();
    assert_eq!(paid, shares(table), "R10, R11");
}

/// Twenty thousand rounds of random legal bots at tables of every size: no panic, chips conserved after every event
/// (the table itself checks), every event followed by the replica, every pot shared by the document's rules, one status
/// for each player.
#[test]
fn random_rounds_at_tables_of_every_size() {
    let random = HouseBot::named("random").expect("there is one");
    let mut rounds = 0;
    for game in 0.. {
        if rounds >= 20_000 {
            break;
        }
        let players = 2 + game % 16;
        let seed = Seed::chosen(format!("random rounds {game}"));
        let conduct = TableSettings {
            rules: Rules {
                short_stack: if game % 3 == 0 { ShortStack::Ask } else { ShortStack::Fold },
                ..Rules::default()
            },
            ..TableSettings::default()
        };
        let stack = [3, 40, 500, 5_000][game / 16 % 4];
        let mut bots: Vec<_> =
            (0..players).map(|bot| random.player(seed.stream(&format!("bot {bot}")))).collect();
        let mut freezeout = TableGame::new(conduct, &seed, players, stack, 60);
        let mut replica = Replica::new(freezeout.table().stacks());
        let all_chips = stack * players as Chips;
        while freezeout.deal() {
            rounds += 1;
            let dealt = freezeout.table().seated();
            let mut told = Vec::new();
            let mut seen = 0;
            loop {
                let step = freezeout.table_mut().step();
                let table = freezeout.table();
                for event in &table.events()[seen..] {
                    replica.take(event);
                }
                seen = table.events().len();
                replica.assert_like(table);
                match step {
                    Step::Ask(asked) => {
                        let question = table.question(asked);
                        let reply = bots[asked.index()].decide(&question);
                        assert!(reply.legalise(&question.bounds).is_ok());
                        freezeout.table_mut().answer(Ok(reply));
                    }
                    Step::Tell(seat, Notice::Status(status)) => {
                        told.push(seat);
                        let took = won(table).iter().any(|(winner, ..)| *winner == seat.index());
                        assert_eq!(status.won, took);
                    }
                    Step::Tell(seat, Notice::Done) => {
                        assert_eq!(table.stacks()[seat.index()], 0);
                        assert!(matches!(
                            table.exit_reason(seat),
                            Some(ExitReason::Busted { chips: 0, ante: 1 })
                        ));
                    }
                    Step::Over => break,
                }
            }
            check_round(freezeout.table(), dealt, &told, all_chips);
        }
        let standings = freezeout.standings();
        assert_eq!(standings.places().len(), players);
        assert_eq!(standings.places()[0].place, Some(1));
    }
}

/// Random bots among whom some do not answer, in both settings: still no chip comes or goes.
#[test]
fn random_rounds_with_fouls() {
    for game in 0..600 {
        let players = 2 + game % 16;
        let seed = Seed::chosen(format!("fouls {game}"));
        let on_foul = if game % 2 == 0 { OnFoul::Eject } else { OnFoul::Fold };
        let mut dice = seed.stream("dice");
        let mut table = Table::new(TableSettings { on_foul, ..TableSettings::default() }, &vec![60; players]);
        let mut replica = Replica::new(table.stacks());
        let mut shuffler = seed.shuffler(1);
        for round in 1..=20 {
            if table.seated().len() < 2 {
                break;
            }
            let deck = shuffler.deck(round, table.cards_needed());
            table.deal(round, deck);
            let mut seen = 0;
            loop {
                let step = table.step();
                for event in &table.events()[seen..] {
                    replica.take(event);
                }
                seen = table.events().len();
                replica.assert_like(&table);
                match step {
                    Step::Ask(_) if dice.one_in(9) => {
                        table.answer(Err(Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false }));
                    }
                    Step::Ask(_) if dice.one_in(20) => table.answer(Ok(Reply::Bet(dice.below(200)))),
                    Step::Ask(asked) if dice.one_in(20) => {
                        let other = seat(dice.below(players as u32) as usize);
                        table.report(other, Fault::HungUp { partial: false });
                        if other != asked {
                            table.answer(Ok(Reply::Fold));
                        }
                    }
                    Step::Ask(asked) => {
                        let bounds = table.question(asked).bounds;
                        table.answer(Ok(Reply::Bet(
                            bounds.to_call + dice.below(bounds.most() - bounds.to_call + 1),
                        )));
                    }
                    Step::Tell(..) => {}
                    Step::Over => break,
                }
            }
            let sum = table.stacks().iter().sum::<Chips>() + table.forfeited();
            assert_eq!(sum, 60 * players as Chips, "R12");
        }
    }
}
