//! Playing the blocks and tournaments of a plan.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use casino_stud::cards::{Shuffler, Stream};
use casino_stud::stud::{Chips, MAX_SEATS, Seat, SeatSet};
use casino_stud::table::{Answer, Fault, Notice, Participants, Table, TableEvent, play_round};
use casino_stud::tournament::Event;

use super::tally::BlockResult;
use super::{BlockTally, FoulBook, Players, RatingPlan};

/// Plays blocks and tournaments of a plan, one after the other and in any order.
///
/// # A block
/// The bots form a cycle, whose order is drawn anew for each block. As many rounds are played as there are bots: in
/// each of them the bots of a window of the cycle sit down in its order, and the window moves by one for the next. So
/// each bot plays once in each seat, and with equal deals once with each hand of the block's deck, while the draw
/// decides the neighbors. All players have the full stack in every round. Blocks that are played together all play the same
/// turn before the next, and the players forget between two turns: no deck comes twice to a program that stores cards.
#[derive(Debug)]
pub struct Dealer<'a> {
    plan: &'a RatingPlan,
    table: Table,
    shuffler: Shuffler,
    /// The blocks that are played together: one at least.
    in_play: Vec<BlockInPlay>,
    /// The chips that each bot won in the block that was played last.
    results: Vec<i64>,
    /// Each bot's stakes in the same block.
    at_stake: Vec<i64>,
}

/// The state of a block between two turns.
#[derive(Clone, Debug)]
struct BlockInPlay {
    rng: Stream,
    /// The circle of bots. Its beginning follows again at its end, so that every arc is a slice.
    cycle: Vec<usize>,
    /// The sums of each bot in the block so far.
    sums: Vec<BotSums>,
}

/// The sums of a bot over the rounds of a block.
#[derive(Clone, Copy, Debug, Default)]
struct BotSums {
    won: i64,
    /// The chips that were at stake for it.
    at_stake: i64,
    /// The squares of the chips at stake, round by round.
    squares: i64,
}

impl BotSums {
    /// The stakes of the block: two rounds may well have equal results, but hardly many.
    fn at_stake(&self) -> i64 {
        // Where it is plain which of the two is less, no root has to be drawn: with two rounds always. Numbers with a point
        // overflow nowhere, and rounding cannot turn the answer: the root of a rounded square is the number itself.
        let (at_stake, likely) = (self.at_stake as f64, 2.0 * self.squares as f64);
        if at_stake * at_stake <= likely {
            return self.at_stake;
        }
        self.at_stake.min(likely.sqrt().ceil() as i64)
    }
}

/// The result of a tournament: a place for each bot that played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// The bots that played, in seat order.
    pub bots: Vec<usize>,
    /// Their places, counted from 1. Bots that nothing tells apart share a place.
    pub places: Vec<usize>,
}

impl Finish {
    /// Whether it can be a result of this plan. It is for results that were read from a file.
    pub fn is_sound(&self, plan: &RatingPlan) -> bool {
        let mut bots = self.bots.clone();
        bots.sort_unstable();
        bots.dedup();
        bots.len() == plan.seats()
            && self.bots.len() == bots.len()
            && self.places.len() == bots.len()
            && bots.iter().all(|bot| *bot < plan.bot_count())
            && self.places.iter().all(|place| (1..=bots.len()).contains(place))
    }
}

impl<'a> Dealer<'a> {
    /// Makes a dealer of this plan.
    pub fn new(plan: &'a RatingPlan) -> Dealer<'a> {
        let seed = plan.seed();
        let block = BlockInPlay {
            rng: seed.stream("rate"),
            cycle: Vec::with_capacity(plan.bot_count() + MAX_SEATS),
            sums: vec![BotSums::default(); plan.bot_count()],
        };
        Dealer {
            plan,
            table: Table::new(plan.table_settings(), &vec![plan.stack(); plan.seats()]),
            shuffler: seed.shuffler(1),
            in_play: vec![block],
            results: vec![0; plan.bot_count()],
            at_stake: vec![0; plan.bot_count()],
        }
    }

    /// Plays these blocks together, numbered from 0, and adds them to the tally.
    pub fn blocks<F: Players>(
        &mut self,
        blocks: Range<u64>,
        players: &mut F,
        tally: &mut BlockTally,
    ) -> Result<(), F::Error> {
        let (seats, rounds) = (self.plan.seats(), self.plan.rounds_per_block());
        while (self.in_play.len() as u64) < blocks.end - blocks.start {
            self.in_play.push(self.in_play[0].clone());
        }
        let is_single = blocks.end - blocks.start == 1;
        for turn in 0..rounds {
            if turn > 0 {
                players.forget()?;
            }
            for (at, block) in blocks.clone().enumerate() {
                if turn == 0 {
                    // Draws the circle of bots. The block continues with the random words that follow.
                    let BlockInPlay { rng, cycle, sums } = &mut self.in_play[at];
                    sums.fill(BotSums::default());
                    rng.seek(block + 1);
                    cycle.clear();
                    cycle.extend(0..self.plan.bot_count());
                    rng.shuffle(cycle);
                    cycle.extend_from_within(..seats);
                }
                if turn == 0 || !is_single {
                    self.shuffler.deck(block + 1, 3 * seats);
                }
                self.table.restart(self.plan.stack());
                self.table.deal(block * rounds + turn + 1, self.shuffler.last());
                self.round(at, turn as usize..turn as usize + seats, players, tally)?;
            }
        }
        for (BlockInPlay { sums, .. }, block) in self.in_play.iter().zip(blocks) {
            self.results.iter_mut().zip(sums).for_each(|(won, sums)| *won = sums.won);
            self.at_stake.iter_mut().zip(sums).for_each(|(at_stake, sums)| *at_stake = sums.at_stake());
            tally.add(block, BlockResult { chips: &self.results, at_stake: &self.at_stake });
        }
        Ok(())
    }

    fn round<F: Players>(
        &mut self,
        at: usize,
        arc: Range<usize>,
        players: &mut F,
        tally: &mut BlockTally,
    ) -> Result<(), F::Error> {
        let BlockInPlay { rng, cycle, sums } = &mut self.in_play[at];
        let lineup = &cycle[arc];
        play_round(&mut self.table, &mut Seated { lineup, players, rng })?;
        let stack = i64::from(self.plan.stack());
        let put_in = &self.table.round().put_in()[..lineup.len()];
        // A player's chips matched by another one, which it would have lost if it had not won.
        let matched = second_largest(put_in);
        for ((bot, chips), put_in) in lineup.iter().zip(self.table.stacks()).zip(put_in) {
            let won = i64::from(*chips) - stack;
            let at_stake = won.abs().max(i64::from(matched.min(*put_in)));
            let sums = &mut sums[*bot];
            sums.won += won;
            sums.at_stake += at_stake;
            sums.squares += at_stake * at_stake;
        }
        if self.table.seated() != SeatSet::first_seats(lineup.len()) {
            // A player who left has lost the chips it had put into the pot, not the chips that left play with it.
            for event in self.table.events() {
                if let TableEvent::Left { seat, forfeited } = *event {
                    sums[lineup[seat.index()]].won += i64::from(forfeited);
                }
            }
        }
        if !self.table.fouled().is_empty() {
            settle_fouls(&self.table, lineup, players, tally.fouls_mut())?;
        }
        Ok(())
    }

    /// Plays a tournament, 1-based, to its end. As many tournaments as there are bots form a group with the same decks
    /// and one cycle of bots, whose windows sit down one after the other: each bot plays once in each seat. The players begin
    /// without memory of an earlier tournament.
    pub fn tournament<F: Players>(
        &mut self,
        tournament: u64,
        players: &mut F,
        fouls: &mut FoulBook,
    ) -> Result<Finish, F::Error> {
        players.forget()?;
        let (bots, playing) = (self.plan.bot_count(), self.plan.seats());
        let (group, turn) = ((tournament - 1) / bots as u64 + 1, (tournament - 1) as usize % bots);
        let seed = self.plan.tournament_seed(group);
        let mut cycle: Vec<usize> = (0..bots).collect();
        seed.stream("seats").shuffle(&mut cycle);
        cycle.rotate_left(turn);
        let lineup = cycle[..playing].to_vec();
        let mut rng = seed.stream("rate");
        rng.seek(turn as u64 + 1);
        let (plan, settings) = (self.plan.tournament_plan(), self.plan.table_settings());
        let (stack, rounds) = (self.plan.stack(), self.plan.tournament_rounds());
        let mut event = Event::new(plan, settings, &seed, playing, stack, Some(rounds));
        while event.next_level() {
            while let Some(due) = event.due() {
                let game = &mut event.tables_mut()[due];
                let at_table: Vec<usize> = game.players().iter().map(|player| lineup[*player]).collect();
                while game.deal() {
                    let mut seated = Seated { lineup: &at_table, players, rng: &mut rng };
                    play_round(game.table_mut(), &mut seated)?;
                    if !game.table().fouled().is_empty() {
                        settle_fouls(game.table(), &at_table, players, fouls)?;
                    }
                }
            }
        }
        let mut places = vec![0; lineup.len()];
        for standing in event.standings().places() {
            places[standing.player] = standing.place.expect("all bots of a rating have places");
        }
        Ok(Finish { bots: lineup, places })
    }
}

#[inline]
fn second_largest(amounts: &[Chips]) -> Chips {
    let (mut largest, mut second) = (0, 0);
    for chips in amounts {
        second = second.max(largest.min(*chips));
        largest = largest.max(*chips);
    }
    second
}

/// The players of a lineup, in seat order.
struct Seated<'a, F> {
    lineup: &'a [usize],
    players: &'a mut F,
    rng: &'a mut Stream,
}

impl<F: Players> Participants for Seated<'_, F> {
    type Stop = F::Error;

    #[inline]
    fn answer(&mut self, table: &Table, seat: Seat) -> Result<Answer, F::Error> {
        self.players.answer(self.lineup[seat.index()], &table.question(seat), self.rng)
    }

    #[inline]
    fn notify(&mut self, _: &Table, seat: Seat, notice: &Notice) -> Result<Result<(), Fault>, F::Error> {
        Ok(match notice {
            Notice::Status(status) => self.players.hear(self.lineup[seat.index()], status),
            // A player who leaves this table plays on at the next one.
            Notice::Done => Ok(()),
        })
    }

    #[inline]
    fn listen(&self) -> bool {
        self.players.listen()
    }
}

#[cold]
fn settle_fouls<F: Players>(
    table: &Table,
    lineup: &[usize],
    players: &mut F,
    fouls: &mut FoulBook,
) -> Result<(), F::Error> {
    for seat in table.fouled() {
        let foul = table.foul_of(seat).expect("a player who fouled has a foul");
        let bot = lineup[seat.index()];
        fouls.note(bot, foul);
        players.fouled(bot, foul)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::super::{BotPlayers, PairLine, RatingReport, play};
    use super::*;
    use casino_stud::cards::Card;
    use casino_stud::strategies::{AwaitedPlayer, HouseBot, Memory};
    use casino_stud::table::{Foul, Question, Reply, Status};
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    impl Dealer<'_> {
        /// Plays a block alone, and returns the chips that each bot won in it.
        fn block<F: Players>(
            &mut self,
            block: u64,
            players: &mut F,
            tally: &mut BlockTally,
        ) -> Result<&[i64], F::Error> {
            self.blocks(block..block + 1, players, tally)?;
            Ok(&self.results)
        }
    }

    /// Bots that call everything and remember who held which cards where.
    #[derive(Default)]
    struct CardObserver {
        seen: Vec<(usize, Card, Card)>,
        stacks: Vec<Chips>,
    }

    impl Players for CardObserver {
        type Error = Infallible;

        fn answer(
            &mut self,
            bot: usize,
            question: &Question<'_>,
            _: &mut Stream,
        ) -> Result<Answer, Infallible> {
            if question.up.len() == 1 && question.bounds.to_call == 0 {
                self.seen.push((bot, question.hole, question.up[0]));
                self.stacks.push(question.bounds.stack);
            }
            Ok(Ok(Reply::Bet(question.bounds.to_call)))
        }

        fn hear(&mut self, _: usize, _: &Status) -> Result<(), Fault> {
            Ok(())
        }

        fn fouled(&mut self, _: usize, foul: &Foul) -> Result<(), Infallible> {
            panic!("{foul}")
        }
    }

    /// In a block of equal deals of any size each bot holds each hand of the deck once, with the full stack; results
    /// sum to zero, and with callers only, all players win and lose exactly the same.
    #[test]
    fn every_bot_plays_every_hand_of_a_block_once() {
        let names: Vec<String> = (0..20).map(|n| format!("bot-{n:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for (field, seats) in [(2, 2), (3, 2), (6, 6), (7, 3), (17, 17), (20, 17)] {
            let plan = plan(&names[..field], seats, 1_000, 0);
            let mut dealer = Dealer::new(&plan);
            let mut cycles = std::collections::BTreeSet::new();
            for block in [0, 1, 5, 1 << 30] {
                let mut watch = CardObserver::default();
                let mut tally = BlockTally::new(field, seats, block, 1);
                let results = dealer.block(block, &mut watch, &mut tally).unwrap_or_else(|no| match no {});
                assert!(results.iter().all(|chips| *chips == 0), "{results:?}");
                let mut hands: BTreeMap<(Card, Card), Vec<usize>> = BTreeMap::new();
                for (bot, hole, up) in watch.seen {
                    hands.entry((hole, up)).or_default().push(bot);
                }
                assert_eq!(hands.len(), seats);
                for bots in hands.values_mut() {
                    bots.sort_unstable();
                    assert_eq!(*bots, (0..field).collect::<Vec<_>>());
                }
                assert!(watch.stacks.iter().all(|stack| *stack == 499));
                cycles.insert(dealer.in_play[0].cycle.clone());
            }
            assert!(field < 6 || cycles.len() == 4, "the circle is drawn anew");
        }
    }

    #[test]
    fn a_block_is_the_same_after_any_other() {
        let plan = plan(&["bold", "odds", "random", "simple"], 3, 1_000, 3);
        let mut field =
            BotPlayers::house(plan.bots().iter().map(|bot| HouseBot::named(&bot.name).unwrap()).collect());
        let mut used = Dealer::new(&plan);
        for block in [9, 2, 4, 9] {
            let mut tallies = [(); 2].map(|()| BlockTally::new(4, 3, block, 1));
            let ours = used.block(block, &mut field, &mut tallies[0]).unwrap().to_vec();
            let mut fresh = Dealer::new(&plan);
            assert_eq!(ours, fresh.block(block, &mut field, &mut tallies[1]).unwrap());
            assert_eq!(ours.iter().sum::<i64>(), 0);
            assert!(ours.iter().any(|chips| *chips != 0));
            assert_eq!(tallies[0], tallies[1]);
            let mut fouls = FoulBook::new(4);
            let finish = used.tournament(block, &mut field, &mut fouls).unwrap();
            assert_eq!(finish, fresh.tournament(block, &mut field, &mut fouls).unwrap());
            assert!(finish.places.contains(&1) && finish.bots.len() == 3);
        }
    }

    /// House bots that receive the result of each round, like bots with a memory.
    struct ListeningBots(BotPlayers, u64);

    impl Players for ListeningBots {
        type Error = Infallible;

        fn answer(
            &mut self,
            bot: usize,
            question: &Question<'_>,
            rng: &mut Stream,
        ) -> Result<Answer, Infallible> {
            self.0.answer(bot, question, rng)
        }

        fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
            self.1 += 1;
            self.0.hear(bot, status)
        }

        fn fouled(&mut self, bot: usize, foul: &Foul) -> Result<(), Infallible> {
            self.0.fouled(bot, foul)
        }
    }

    /// Results need not be sent to bots that ignore them; other bots receive them after every round.
    #[test]
    fn whether_anybody_listens_changes_no_result() {
        let plan = plan(&["bold", "random", "reader", "simple"], 4, 400, 2);
        let bots: Vec<_> = plan.bots().iter().filter_map(|bot| bot.house_bot()).collect();
        let (mut deaf, mut all_ears) =
            (BotPlayers::house(bots.clone()), ListeningBots(BotPlayers::house(bots), 0));
        assert!(!deaf.listen() && all_ears.listen());
        let mut dealers = [Dealer::new(&plan), Dealer::new(&plan)];
        let mut tallies = [(); 2].map(|()| BlockTally::new(4, 4, 0, 1));
        for block in 0..plan.blocks() {
            dealers[0].block(block, &mut deaf, &mut tallies[0]).unwrap();
            dealers[1].block(block, &mut all_ears, &mut tallies[1]).unwrap();
        }
        assert_eq!(tallies[0], tallies[1]);
        assert_eq!(all_ears.1, plan.blocks() * 4 * 4, "four players hear of each of four rounds");
    }

    /// One bot disconnects at its first question; another answers with an illegal bet.
    struct FoulingBots(Vec<(usize, &'static str)>);

    impl Players for FoulingBots {
        type Error = Infallible;

        fn answer(
            &mut self,
            bot: usize,
            question: &Question<'_>,
            _: &mut Stream,
        ) -> Result<Answer, Infallible> {
            Ok(match bot {
                0 => Err(Fault::HungUp { partial: false }),
                1 => Ok(Reply::Bet(question.bounds.to_call + 11)),
                _ => Ok(Reply::Bet(question.bounds.to_call)),
            })
        }

        fn hear(&mut self, _: usize, _: &Status) -> Result<(), Fault> {
            Ok(())
        }

        fn fouled(&mut self, bot: usize, foul: &Foul) -> Result<(), Infallible> {
            self.0.push((bot, foul.name()));
            Ok(())
        }
    }

    #[test]
    fn a_foul_forfeits_the_chips_in_the_pot_and_is_counted() {
        let plan = plan(&["a", "b", "c", "d"], 4, 8, 1);
        let mut dealer = Dealer::new(&plan);
        let mut rude = FoulingBots(Vec::new());
        let mut tally = BlockTally::new(4, 4, 0, 1);
        let results = dealer.block(0, &mut rude, &mut tally).unwrap_or_else(|no| match no {}).to_vec();
        // Both lose their antes in each of four rounds, and the others share them.
        assert_eq!(results[..2], [-4, -4]);
        assert_eq!(results.iter().sum::<i64>(), 0);
        assert_eq!(rude.0.len(), 8);
        assert!(rude.0.contains(&(0, "connection closed")));
        assert!(rude.0.contains(&(1, "illegal bet")));
        assert_eq!(tally.fouls().of(0).count(), 4);
        let mut fouls = FoulBook::new(4);
        let finish = dealer.tournament(1, &mut rude, &mut fouls).unwrap_or_else(|no| match no {});
        assert_eq!(finish.places[finish.bots.iter().position(|bot| *bot == 0).unwrap()], 4);
        // The first leaves at its first foul, and the second stays.
        assert_eq!(fouls.of(0).count(), 1);
        assert!(fouls.of(1).count() > 1, "{}", fouls.of(1).count());
    }

    /// Plays like `simple`, and notes which hand won each deck: where the deck comes again, it raises with that hand and
    /// folds every other one.
    #[derive(Default)]
    struct Remembering {
        is_forgetful: bool,
        book: BTreeMap<Vec<Card>, [Option<Card>; 3]>,
        board: Vec<Card>,
    }

    impl AwaitedPlayer for Remembering {
        type Stop = Infallible;

        fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Infallible> {
            if question.up.len() == 1 {
                self.board = question.board.to_vec();
                self.board.sort_unstable();
            }
            let most = question.bounds.raise(question.bounds.max_raise().unwrap_or(0));
            Ok(Ok(match self.book.get(&self.board) {
                Some(winner) if winner[..2] == [Some(question.hole), Some(question.up[0])] => most.into(),
                Some(_) => Reply::Fold,
                None => {
                    let mut rng = casino_stud::cards::Seed::chosen("unused").stream("bot");
                    HouseBot::named("simple").unwrap().decide(question, &mut Memory::default(), &mut rng)
                }
            }))
        }

        fn hear(&mut self, status: &Status) -> Result<(), Fault> {
            self.book.insert(std::mem::take(&mut self.board), status.hand);
            Ok(())
        }

        fn forget(&mut self) -> Result<(), Infallible> {
            if self.is_forgetful {
                self.book.clear();
            }
            Ok(())
        }
    }

    /// A program with a memory has only the time between two starts to use it, in which no deck comes twice. Without the
    /// new starts it would gain.
    #[test]
    fn a_program_that_stores_cards_gains_nothing() {
        let field = ["bold", "odds", "reader", "simple", "spades", "stores"];
        let advantage = |is_forgetful| {
            let plan = plan(&field, 6, 12_000, 0);
            let stores = |_: &str| Remembering { is_forgetful, ..Remembering::default() };
            let played = play(&plan, &mut [BotPlayers::new(&plan, stores)]).unwrap();
            let report = RatingReport::new(&plan, &played, None);
            let is_pair = |pair: &&PairLine| {
                let both = [pair.first.as_str(), pair.second.as_str()];
                both.contains(&"stores") && both.contains(&"simple")
            };
            let pair = report.pairs.iter().find(is_pair).unwrap();
            let (low, high) = pair.difference.interval().unwrap();
            println!("{} is {low:+.2} to {high:+.2} better than {}", pair.first, pair.second);
            (pair.first == "stores", low > 0.0)
        };
        assert!(!advantage(true).1, "the interval has 0 in it");
        assert_eq!(advantage(false), (true, true));
    }
}
