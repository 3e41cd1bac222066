//! Following every game of a program from hand to hand: each decision is judged by what the program itself has shown so
//! far, so that one fault is one fault and does not make everything after it wrong.

use std::collections::{BTreeMap, BTreeSet};

use casino_stud::cards::Card;

use super::bets::{self, BetReading, Bettor, COUNTING, Exposure, SIMPLE_WRONG};
use super::decks::{self, Kept, follow};
use super::draws::{self, DealersDecision, DrawDecision};
use super::faulty_hand::{self, FaultyHand, HandFault, is_natural};
use super::money::{self, Settled, Totals};
use super::said::{Said, TextFault};
use super::transcript::HandSaid;
use super::written::WrittenGame;
use crate::blackjack::{HandValue, MINIMUM_BET};
use crate::misreadings::evidence::{Flaw, Place, Reading, Tally};

const MINIMUM: i64 = MINIMUM_BET as i64;

/// Everything that is known about the transcripts of a program. Games have the numbers that they are given in, from 0.
#[derive(Debug)]
pub struct Inspection<'a> {
    pub(super) games: &'a [WrittenGame],
    /// For each game the parts of it with a difference: 0 is the opening shuffle, then the hands, then the end.
    pub(super) wrong: Vec<BTreeSet<usize>>,
    /// Differences that are plain to see, by their name: a sentence, how many, where first.
    facts: BTreeMap<&'static str, (&'static str, usize, Place)>,
    flaws: Vec<Flaw>,
    /// How the program counts its hands wrongly, as far as that is known.
    counted: Option<HandFault>,
    /// The hole card of each hand of each game.
    holes: Vec<Vec<Option<Card>>>,
}

impl<'a> Inspection<'a> {
    /// Looks at all rules in all games.
    pub fn of(games: &'a [WrittenGame]) -> Inspection<'a> {
        let mut all = Inspection {
            games,
            wrong: vec![BTreeSet::new(); games.len()],
            facts: BTreeMap::new(),
            flaws: Vec::new(),
            counted: None,
            holes: Vec::new(),
        };
        all.deck();
        all.totals();
        all.draws();
        all.dealer();
        all.results();
        all.money();
        all.bets(true);
        all.bets(false);
        all.shuffles();
        all.cuts();
        all.naturals();
        all.lines();
        all.ends();
        all
    }

    /// What is wrong, what shows first coming first, and after it the faults of the text.
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut all = self.flaws.clone();
        for (code, (says, times, first)) in &self.facts {
            let times = if *times == 1 { "once".into() } else { format!("{times} times") };
            all.push(Flaw {
                codes: vec![(*code).to_string()],
                says: format!("{says} Seen {times}."),
                first: *first,
            });
        }
        all.sort_by_key(|flaw| flaw.first);
        all.extend(self.flaws_of_text());
        all
    }

    /// What is wrong with the text of lines, a flaw for each kind.
    fn flaws_of_text(&self) -> impl Iterator<Item = Flaw> {
        let mut kinds: BTreeMap<TextFault, (usize, Place)> = BTreeMap::new();
        for (game, run) in self.games.iter().enumerate() {
            for (line, fault) in &run.transcript.text {
                let at = Place { game, line: *line };
                kinds.entry(*fault).or_insert((0, at)).0 += 1;
            }
        }
        kinds.into_iter().map(|(fault, (times, first))| {
            let says = format!("{} {times} lines.", fault.sentence());
            Flaw { codes: vec![fault.code().to_string()], says, first }
        })
    }

    /// Notes a difference in a part of a game.
    pub(super) fn differs(&mut self, at: Place, part: usize) {
        self.wrong[at.game].insert(part);
    }

    /// Notes a difference that needs no explanation but its sentence.
    pub(super) fn fact(&mut self, code: &'static str, says: &'static str, at: Place, part: usize) {
        self.differs(at, part);
        self.facts.entry(code).or_insert((says, 0, at)).1 += 1;
    }

    pub(super) fn found(&mut self, flaw: Option<Flaw>) {
        self.flaws.extend(flaw);
    }

    /// Every hand of every game, with its place and its number.
    pub(super) fn hands(&self) -> impl Iterator<Item = (usize, usize, &'a HandSaid)> + use<'a> {
        let games = self.games.iter().enumerate();
        games.flat_map(|(game, run)| {
            run.transcript.hands.iter().enumerate().map(move |(hand, said)| (game, hand, said))
        })
    }

    /// The deck by which the cards come, and from it the hole cards that are not shown.
    fn deck(&mut self) {
        let right: Vec<_> = self.games.iter().map(|run| follow(Kept::Right, &run.transcript)).collect();
        let mut tally = Tally::new(decks::WRONG.len());
        if right.iter().all(|game| game.cards.iter().all(|(_, right)| *right)) {
            self.holes = right.into_iter().map(|game| game.holes).collect();
            return;
        }
        let others: Vec<Vec<_>> = decks::WRONG
            .iter()
            .map(|(kept, _)| self.games.iter().map(|run| follow(*kept, &run.transcript)).collect())
            .collect();
        for (game, dealt) in right.iter().enumerate() {
            // A way in which the hole card is not a card of its own shows as many cards all the same.
            for (at, (line, fine)) in dealt.cards.iter().enumerate() {
                let place = Place { game, line: *line };
                tally.see(place, *fine, |other| others[other][game].cards.get(at).is_some_and(|card| card.1));
                if !fine {
                    self.differs(place, self.part_of(place));
                }
            }
        }
        let fits = tally.fitting().next();
        let readings = decks::WRONG.map(|(_, reading)| reading);
        self.found(tally.flaw(decks::THEME, &readings));
        let known =
            fits.map_or(right, |fits| others.into_iter().nth(fits).expect("a reading that fits exists"));
        self.holes = known.into_iter().map(|game| game.holes).collect();
    }

    /// The part of a game that a line belongs to.
    pub(super) fn part_of(&self, at: Place) -> usize {
        let transcript = &self.games[at.game].transcript;
        if transcript.over.is_some_and(|over| at.line >= over.line) {
            return transcript.hands.len() + 1;
        }
        transcript.hands.partition_point(|hand| hand.line <= at.line)
    }

    /// The dealer's cards of a hand that it has played: the one face up, the hole card, and those it drew.
    fn dealers_cards(&self, game: usize, hand: usize, said: &HandSaid) -> Option<Vec<Card>> {
        let shown: Vec<Card> = said.dealer().into_iter().map(|(_, card)| card).collect();
        let hole = said.hole().map(|(_, card)| card).or_else(|| {
            said.first(|said| matches!(said, Said::DealerTotal(_)))?;
            self.holes[game][hand]
        })?;
        let (up, drawn) = shown.split_first()?;
        Some([&[*up, hole], drawn].concat())
    }

    fn totals(&mut self) {
        let mut tally = Tally::new(faulty_hand::WRONG.len());
        let mut wrong = Vec::new();
        for (game, hand, said) in self.hands() {
            for (line, line_said) in &said.said {
                let (total, cards) = match line_said {
                    Said::PlayerTotal(total) => {
                        (*total, said.player().into_iter().map(|(_, card)| card).collect())
                    }
                    Said::DealerTotal(total) => match self.dealers_cards(game, hand, said) {
                        Some(cards) => (*total, cards),
                        None => continue,
                    },
                    _ => continue,
                };
                let agrees = |counted| FaultyHand::of(counted, cards.iter().copied()).agrees(total);
                let at = Place { game, line: *line };
                if !tally.see(at, agrees(None), |other| agrees(Some(faulty_hand::WRONG[other]))) {
                    wrong.push((at, hand + 1));
                }
            }
        }
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
        if tally.is_any_wrong() {
            self.counted = tally.fitting().next().map(|fits| faulty_hand::WRONG[fits]);
            self.found(tally.flaw(faulty_hand::THEME, &faulty_hand::WRONG.map(HandFault::reading)));
        } else {
            self.totals_behind_decisions(
                &tally.fitting().map(|fits| faulty_hand::WRONG[fits]).collect::<Vec<_>>(),
            );
        }
    }

    /// A hand is never over with a total that another count of its aces could raise. So a wrong count may not show in
    /// any total, but in what is decided by it.
    fn totals_behind_decisions(&mut self, fitting: &[HandFault]) {
        let wrong = self.wrong_decisions(None);
        let Some((first, _)) = wrong.first().copied() else { return };
        let explains = |fault: &&HandFault| self.wrong_decisions(Some(**fault)).is_empty();
        let explaining: Vec<HandFault> = fitting.iter().filter(explains).copied().collect();
        let Some(one) = explaining.first() else { return };
        self.counted = Some(*one);
        let readings: Vec<Reading> = explaining.iter().map(|fault| fault.reading()).collect();
        let says: Vec<&str> = readings.iter().map(|reading| reading.says).collect();
        self.found(Some(Flaw {
            codes: readings.iter().map(|reading| reading.code.to_string()).collect(),
            says: format!(
                "{} This explains every decision of player and dealer, of which {} are wrong.",
                says.join(" Or: "),
                wrong.len()
            ),
            first,
        }));
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
    }

    /// The decisions of player and dealer that are wrong if hands are counted this way, with their parts of the game.
    fn wrong_decisions(&self, counted: Option<HandFault>) -> Vec<(Place, usize)> {
        let mut wrong = Vec::new();
        for (game, hand, said) in self.hands() {
            if said.first(|said| matches!(said, Said::Natural)).is_some() {
                continue;
            }
            let cards = said.player();
            let plain: Vec<Card> = cards.iter().map(|(_, card)| *card).collect();
            let up = said.dealer().first().map(|(_, card)| *card);
            for held in 2..=plain.len() {
                let Some(up) = up else { break };
                let decision = DrawDecision::counted(counted, &plain[..held], up, None);
                let drew = held < plain.len();
                if (drew || said.player_is_done()) && (decision.total <= 21 && decision.draws()) != drew {
                    wrong.push((Place { game, line: cards[held - 1].0 + 1 }, hand + 1));
                }
            }
            let Some(end) = said.first(|said| matches!(said, Said::DealerTotal(_))) else { continue };
            let dealers = self.dealers_cards(game, hand, said).unwrap_or_default();
            for held in 2..=dealers.len() {
                let total = FaultyHand::of(counted, dealers[..held].iter().copied()).value().count;
                if (total < 17) != (held < dealers.len()) {
                    wrong.push((Place { game, line: end }, hand + 1));
                }
            }
        }
        wrong
    }

    /// What the player decided after each card.
    fn draws(&mut self) {
        let readings = draws::WRONG.map(|(reading, _)| reading);
        let mut tally = Tally::new(readings.len());
        let mut wrong = Vec::new();
        let mut cells: BTreeMap<String, (usize, bool)> = BTreeMap::new();
        for (game, hand, said) in self.hands() {
            let cards = said.player();
            let Some((_, up)) = said.dealer().first().copied() else { continue };
            if cards.len() < 2 || said.first(|said| matches!(said, Said::Natural)).is_some() {
                continue;
            }
            let plain: Vec<Card> = cards.iter().map(|(_, card)| *card).collect();
            for held in 2..=plain.len() {
                let decision =
                    DrawDecision::counted(self.counted, &plain[..held], up, self.holes[game][hand]);
                let drew = held < plain.len();
                if decision.total > 21 || !drew && !said.player_is_done() {
                    break;
                }
                let line = if drew { cards[held].0 } else { cards[held - 1].0 + 1 };
                let at = Place { game, line };
                let fits = |other: usize| draws::WRONG[other].1(&decision) == drew;
                if !tally.see(at, decision.draws() == drew, fits) {
                    cells.entry(decision.words()).or_insert((0, drew)).0 += 1;
                    wrong.push((at, hand + 1));
                }
            }
        }
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
        let mut flaw = tally.flaw(draws::THEME, &readings);
        if let Some(flaw) = &mut flaw {
            flaw.says += &most_often(&cells);
        }
        self.found(flaw);
    }

    /// What the dealer decided after each card.
    fn dealer(&mut self) {
        let readings = draws::DEALER_WRONG.map(|(reading, _)| reading);
        let mut tally = Tally::new(readings.len());
        let mut wrong = Vec::new();
        for (game, hand, said) in self.hands() {
            let Some(cards) = self.dealers_cards(game, hand, said) else { continue };
            let Some(end) = said.first(|said| matches!(said, Said::DealerTotal(_))) else { continue };
            let player = self.player_total(said);
            if player > 21 || said.first(|said| matches!(said, Said::Natural)).is_some() {
                continue;
            }
            let lines: Vec<usize> = said.dealer().into_iter().map(|(line, _)| line).collect();
            for held in 2..=cards.len() {
                let HandValue { count, soft } =
                    FaultyHand::of(self.counted, cards[..held].iter().copied()).value();
                let total = i64::from(count);
                let drew = held < cards.len();
                if total > 21 && !drew {
                    break;
                }
                let at = Place { game, line: if drew { lines[held - 1] } else { end } };
                let decision = DealersDecision { total, soft, player };
                let right = (total < 17) == drew;
                if !tally.see(at, right, |other| draws::DEALER_WRONG[other].1(&decision) == drew) {
                    wrong.push((at, hand + 1));
                }
            }
        }
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
        self.found(tally.flaw(draws::DEALER_THEME, &readings));
    }

    /// Who wins a hand that both have played.
    fn results(&mut self) {
        let readings = money::RESULT_WRONG.map(|(reading, _)| reading);
        let mut tally = Tally::new(readings.len());
        let mut wrong = Vec::new();
        for (game, hand, said) in self.hands() {
            let result = said.said.iter().rev().find(|(_, said)| is_result(said));
            let cards = self.dealers_cards(game, hand, said);
            let (Some((line, result)), Some(cards)) = (result, cards) else { continue };
            let player = self.player_total(said);
            if player > 21 {
                continue;
            }
            let dealer = i64::from(FaultyHand::of(self.counted, cards.iter().copied()).value().count);
            let totals = Totals { player, dealer, dealers_two: cards.len() == 2 };
            let at = Place { game, line: *line };
            let fits = |other: usize| money::RESULT_WRONG[other].1(&totals) == *result;
            if !tally.see(at, totals.result() == *result, fits) {
                wrong.push((at, hand + 1));
            }
        }
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
        self.found(tally.flaw(money::RESULT_THEME, &readings));
    }

    /// What the bankroll became after each hand.
    fn money(&mut self) {
        let readings = money::WRONG.map(|(reading, _)| reading);
        let mut tally = Tally::new(readings.len());
        let mut wrong = Vec::new();
        for (game, hand, said) in self.hands() {
            let after = self.games[game].transcript.bankroll_after(hand);
            let (Some((line, after)), Some((_, bet))) = (after, said.bet) else { continue };
            let first = said.dealer().first().map(|(_, card)| *card);
            let dealers_21 = first.zip(self.holes[game][hand]).is_some_and(|(a, b)| is_natural(a, b));
            let ends: Vec<Settled> = said
                .said
                .iter()
                .filter(|(_, said)| is_result(said) || matches!(said, Said::Natural | Said::PlayerBusts))
                .map(|(_, said)| Settled { said: *said, bet, dealers_21 })
                .collect();
            let won = after - said.bankroll;
            let at = Place { game, line };
            // A hand with two results has a fault of its own; it may be paid by either.
            let Some(end) = ends.iter().rev().find(|end| end.is_right(won)).or(ends.last()) else { continue };
            if !tally.see(at, end.is_right(won), |other| money::WRONG[other].1(end) == won) {
                wrong.push((at, hand + 1));
            }
        }
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
        self.found(tally.flaw(money::THEME, &readings));
    }

    /// The bets of the counting or of the simple player.
    fn bets(&mut self, counting: bool) {
        let wrong_ways: &[BetReading] = if counting { &bets::WRONG } else { &SIMPLE_WRONG };
        let readings: Vec<Reading> = wrong_ways.iter().map(|(reading, _)| *reading).collect();
        let mut tally = Tally::new(readings.len());
        let mut wrong = Vec::new();
        for (game, run) in self.games.iter().enumerate().filter(|(_, run)| run.asked.counting == counting) {
            let mut wrong_bettors: Vec<Bettor> =
                wrong_ways.iter().map(|(_, way)| Bettor::new(*way)).collect();
            let mut right_bettor = Bettor::new(COUNTING);
            for (hand, said) in run.transcript.hands.iter().enumerate() {
                let shuffled = run.transcript.shuffles_of(hand).next().is_some();
                let exposed = self.exposed(game, hand, said);
                let all = wrong_bettors.iter_mut().chain([&mut right_bettor]);
                all.for_each(|bettor| bettor.begin_hand(shuffled));
                if let Some((line, bet)) = said.bet.filter(|_| said.bankroll >= 5) {
                    let right = if counting { right_bettor.bet(said.bankroll, MINIMUM) } else { MINIMUM };
                    let fits = |way: usize| wrong_bettors[way].bet(said.bankroll, MINIMUM) == bet;
                    let at = Place { game, line };
                    if !tally.see(at, bet == right, fits) {
                        wrong.push((at, hand + 1));
                    }
                }
                let all = wrong_bettors.iter_mut().chain([&mut right_bettor]);
                all.for_each(|bettor| bettor.end_hand(shuffled, &exposed));
            }
        }
        wrong.into_iter().for_each(|(at, part)| self.differs(at, part));
        let theme = if counting { bets::THEME } else { bets::SIMPLE_THEME };
        self.found(tally.flaw(theme, &readings));
    }

    /// The cards of a hand as a counting player may see them.
    fn exposed(&self, game: usize, hand: usize, said: &HandSaid) -> Vec<(Exposure, Card)> {
        let mut all = Vec::new();
        let (mut players, mut dealers) = (0, 0);
        for (_, line) in &said.said {
            match line {
                Said::Player(card) => {
                    players += 1;
                    all.push((
                        if players > 2 { Exposure::PlayerDrawn } else { Exposure::PlayerFirst },
                        *card,
                    ));
                }
                Said::Dealer(card) => {
                    dealers += 1;
                    all.push((if dealers > 1 { Exposure::DealerDrawn } else { Exposure::DealerUp }, *card));
                }
                Said::Hole(card) => all.push((Exposure::HoleShown, *card)),
                _ => {}
            }
        }
        if said.hole().is_none()
            && let Some(hole) = self.holes[game][hand]
        {
            let natural = said.first(|said| matches!(said, Said::Natural)).is_some();
            let played = said.first(|said| matches!(said, Said::DealerTotal(_))).is_some();
            let kind = match (played, natural) {
                (true, _) => Exposure::HoleShown,
                (false, true) => Exposure::HoleAfterNatural,
                (false, false) => Exposure::HoleAfterBust,
            };
            all.push((kind, hole));
        }
        all
    }

    pub(super) fn counted(&self) -> Option<HandFault> {
        self.counted
    }

    /// The total of the player's cards as the program counts them.
    pub(super) fn player_total(&self, said: &HandSaid) -> i64 {
        let cards = said.player().into_iter().map(|(_, card)| card);
        i64::from(FaultyHand::of(self.counted, cards).value().count)
    }
}

/// Whether a line says who wins a hand that both have played.
pub(super) fn is_result(said: &Said) -> bool {
    matches!(said, Said::DealerBusts | Said::DealerWins | Said::PlayerWins | Said::Push)
}

/// The three situations that were decided wrongly most often.
fn most_often(cells: &BTreeMap<String, (usize, bool)>) -> String {
    let mut cells: Vec<_> = cells.iter().collect();
    cells.sort_by_key(|(_, (times, _))| std::cmp::Reverse(*times));
    let some: Vec<String> = cells
        .iter()
        .take(3)
        .map(|(words, (times, drew))| {
            let does = if *drew { "draws" } else { "stands" };
            format!("{words} it {does} ({times} times)")
        })
        .collect();
    let more = if cells.len() > 3 { format!(" and {} more", cells.len() - 3) } else { String::new() };
    format!(" Wrong: {}{more}.", some.join(", "))
}
