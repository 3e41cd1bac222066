//! Habits of players, counted over a whole journal.

use std::collections::BTreeMap;

use casino_stud::stud::{Action, Bounds, Chips, MAX_SEATS, Street};

use super::noted_round::NotedRound;
use super::own_value::{Board, CARD_KINDS, VALUE_CLASSES};

/// The kinds of replies: a fold, a call, and three sizes of raises.
pub(super) const ACTIONS: usize = 5;

const PRICES: usize = 6;
const POTS: usize = 3;
const CLASSES: usize = CARD_KINDS * VALUE_CLASSES;
/// The cells of the levels of detail, from coarse to fine.
const LOOSENESS_CELLS: usize = 2 * VALUE_CLASSES;
const COARSE_CELLS: usize = 2 * CLASSES;
const MIDDLE_CELLS: usize = 2 * PRICES * CLASSES;
const FINE_CELLS: usize = MIDDLE_CELLS * POTS;

/// Weight of the prior in observations: of the field's, of a player's looseness, and of a player's habit in a setting.
const FIELD_PRIOR_WEIGHT: f32 = 6.0;
const FIELD_SHRINK_WEIGHT: f32 = 2.0;
const LOOSENESS_SHRINK_WEIGHT: f32 = 4.0;
const OWN_SHRINK_WEIGHT: f32 = 3.0;

/// Weight of an observation with another pot, for a player who is asked.
const OTHER_POT_WEIGHT: f32 = 0.5;

type Counts = [u32; ACTIONS];

/// Where a player is asked, apart from its cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    street: usize,
    price: usize,
    pot: usize,
}

impl Setting {
    pub(super) fn new(street: Street, to_call: Chips, pot: Chips, players: usize) -> Setting {
        let price = match to_call {
            0 => 0,
            1..=2 => 1,
            3..=5 => 2,
            6..=9 => 3,
            10..=13 => 4,
            _ => 5,
        };
        let each = pot / (players as Chips).max(1);
        let pot = usize::from(each >= 4) + usize::from(each >= 20);
        Setting { street: usize::from(street == Street::Second), price, pot }
    }

    fn looseness(self, class: usize) -> usize {
        usize::from(self.price > 0) * VALUE_CLASSES + class % VALUE_CLASSES
    }

    fn coarse(self, class: usize) -> usize {
        usize::from(self.price > 0) * CLASSES + class
    }

    fn middle(self, class: usize) -> usize {
        (self.street * PRICES + self.price) * CLASSES + class
    }

    /// The place of a setting and a class of cards in a [`Habit`].
    pub(super) fn fine(self, class: u8) -> usize {
        self.middle(usize::from(class)) * POTS + self.pot
    }
}

/// Which of the kinds of replies an action is.
pub(super) fn kind_of(action: Action, bounds: &Bounds) -> usize {
    let Some(chips) = action.chips() else { return 0 };
    let (more, cap) = (chips - bounds.to_call, bounds.raise_cap.max(1));
    match more {
        0 => 1,
        more if 3 * more <= cap => 2,
        more if 3 * more <= 2 * cap => 3,
        _ => 4,
    }
}

/// The action of a kind, as far as the rules and the stack allow.
pub(super) fn action_of(kind: usize, bounds: &Bounds) -> Action {
    let cap = bounds.raise_cap;
    let more = match kind {
        0 => return Action::FOLD,
        1 => 0,
        2 => (cap / 5).max(1),
        3 => cap / 2,
        _ => cap,
    };
    bounds.raise(more)
}

/// Observations of one player, or of all together.
#[derive(Clone, Debug)]
struct ActionCounts {
    looseness: Vec<Counts>,
    coarse: Vec<Counts>,
    middle: Vec<Counts>,
    fine: Vec<Counts>,
}

impl ActionCounts {
    fn nothing() -> ActionCounts {
        ActionCounts {
            looseness: vec![[0; ACTIONS]; LOOSENESS_CELLS],
            coarse: vec![[0; ACTIONS]; COARSE_CELLS],
            middle: vec![[0; ACTIONS]; MIDDLE_CELLS],
            fine: vec![[0; ACTIONS]; FINE_CELLS],
        }
    }

    fn add(&mut self, Observation { setting, class, kind, .. }: &Observation, sign: i8) {
        let class = usize::from(*class);
        let fine = setting.fine(class as u8);
        let cells = [
            &mut self.looseness[setting.looseness(class)],
            &mut self.coarse[setting.coarse(class)],
            &mut self.middle[setting.middle(class)],
            &mut self.fine[fine],
        ];
        for cell in cells {
            let count = cell[*kind].checked_add_signed(i32::from(sign));
            cell[*kind] = count.expect("only what was counted is taken away");
        }
    }
}

struct Observation {
    player: usize,
    setting: Setting,
    class: u8,
    kind: usize,
}

fn observations(round: &NotedRound) -> Vec<Observation> {
    let mut seen = Vec::new();
    let mut board: Option<(Street, Board)> = None;
    for made in round.turns() {
        let street = made.spot.round.street();
        if board.as_ref().is_none_or(|(of, _)| *of != street) {
            board = Some((street, Board::of(&made.spot)));
        }
        let Some((_, board)) = &board else { continue };
        let state = &made.spot.round;
        let bounds = state.bounds(made.seat);
        seen.push(Observation {
            player: round.player_at(made.seat),
            setting: Setting::new(street, bounds.to_call, state.pot(), made.spot.board.len()),
            class: board.equity(made.seat, state.hole(made.seat)).class,
            kind: kind_of(made.action, &bounds),
        });
    }
    seen
}

/// The habits of all players of a tournament.
#[derive(Clone, Debug)]
pub(super) struct Habits {
    field: ActionCounts,
    players: BTreeMap<usize, ActionCounts>,
}

/// How probable each reply of a player is, by [`Setting::fine`]: the probability of this kind or one before it.
pub(super) type Habit = Vec<[f32; ACTIONS]>;

impl Habits {
    /// Counts the actions of all players in these rounds.
    pub(super) fn learn(rounds: &[NotedRound]) -> Habits {
        let mut habits = Habits { field: ActionCounts::nothing(), players: BTreeMap::new() };
        for observed in rounds.iter().flat_map(observations) {
            habits.field.add(&observed, 1);
            habits.players.entry(observed.player).or_insert_with(ActionCounts::nothing).add(&observed, 1);
        }
        habits
    }

    /// The habits of all players at the table of a round, by seat, learned from the other rounds: the cards held in
    /// this very round must not influence them. `is_learned` tells whether the round was among those counted.
    pub(super) fn at_table(&self, round: &NotedRound, is_learned: bool) -> Vec<Habit> {
        let mut field = self.field.clone();
        let mut players: BTreeMap<usize, ActionCounts> = BTreeMap::new();
        for player in &round.players {
            players.insert(*player, self.players.get(player).cloned().unwrap_or_else(ActionCounts::nothing));
        }
        if is_learned {
            for observed in observations(round) {
                field.add(&observed, -1);
                if let Some(seen) = players.get_mut(&observed.player) {
                    seen.add(&observed, -1);
                }
            }
        }
        let mut habits = vec![Habit::new(); MAX_SEATS];
        for seat in round.seats() {
            habits[seat.index()] = habit(&field, &players[&round.player_at(seat)]);
        }
        habits
    }
}

/// The habit of a player with these observations in a field with those. The field's habit with such cards is shifted by
/// the player's looseness with cards of that value, and then gives way to the player's own observations.
fn habit(field: &ActionCounts, player: &ActionCounts) -> Habit {
    let mut habit = Vec::with_capacity(FINE_CELLS);
    for street in 0..2 {
        for price in 0..PRICES {
            let mut setting = Setting { street, price, pot: 0 };
            for class in 0..CLASSES {
                let loose = setting.looseness(class);
                let usual = shrink(
                    &field.looseness[loose],
                    &prior(price > 0, class % VALUE_CLASSES),
                    FIELD_PRIOR_WEIGHT,
                );
                let own = shrink(&player.looseness[loose], &usual, LOOSENESS_SHRINK_WEIGHT);
                let coarse = shrink(&field.coarse[setting.coarse(class)], &usual, FIELD_SHRINK_WEIGHT);
                let middle = shrink(&field.middle[setting.middle(class)], &coarse, FIELD_SHRINK_WEIGHT);
                for pot in 0..POTS {
                    setting.pot = pot;
                    let fine = setting.fine(class as u8);
                    let of_field = shrink(&field.fine[fine], &middle, FIELD_SHRINK_WEIGHT);
                    let bent: [f32; ACTIONS] =
                        std::array::from_fn(|kind| of_field[kind] * own[kind] / usual[kind]);
                    let all: f32 = bent.iter().sum();
                    let (here, anywhere) = (&player.fine[fine], &player.middle[setting.middle(class)]);
                    let seen: [f32; ACTIONS] = std::array::from_fn(|kind| {
                        let (here, anywhere) = (here[kind] as f32, anywhere[kind] as f32);
                        here + OTHER_POT_WEIGHT * (anywhere - here) + OWN_SHRINK_WEIGHT * bent[kind] / all
                    });
                    let all: f32 = seen.iter().sum();
                    let mut sum = 0.0;
                    habit.push(seen.map(|seen| {
                        sum += seen / all;
                        sum
                    }));
                }
            }
        }
    }
    habit
}

/// The habit of a field without observations, with cards of this value.
fn prior(has_price: bool, worth: usize) -> [f32; ACTIONS] {
    const FOLDS: [f32; VALUE_CLASSES] = [0.6, 0.45, 0.3, 0.2, 0.12, 0.06, 0.02];
    const RAISES: [f32; VALUE_CLASSES] = [0.05, 0.08, 0.15, 0.25, 0.35, 0.5, 0.7];
    let fold = if has_price { FOLDS[worth] } else { 0.02 };
    let each = RAISES[worth] / 3.0;
    [fold, 1.0 - fold - RAISES[worth], each, each, each]
}

fn shrink(counts: &Counts, towards: &[f32; ACTIONS], weight: f32) -> [f32; ACTIONS] {
    let all: f32 = counts.iter().map(|count| *count as f32).sum();
    std::array::from_fn(|kind| (counts[kind] as f32 + weight * towards[kind]) / (all + weight))
}

/// How probable a kind of reply is where these are the probabilities of it or one before it.
pub(super) fn probability(habit: &[f32; ACTIONS], kind: usize) -> f32 {
    habit[kind] - if kind == 0 { 0.0 } else { habit[kind - 1] }
}
