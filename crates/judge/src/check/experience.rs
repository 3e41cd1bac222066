//! What a program has answered so far.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use casino_stud::stud::Street;
use casino_stud::table::Reply;

use super::evidence::{AskedQuestion, LastTurn, Novelty};

/// What the questions were like that a program has answered so far, all its copies together.
#[derive(Clone, Debug, Default)]
pub(super) struct Experience {
    /// The fewest and the most players in a list.
    players: Option<(usize, usize)>,
    second_street: bool,
    own_first: bool,
    own_last: bool,
    nothing_to_call: bool,
    /// It went on after a fold, and after its last chip.
    stayed_folded: bool,
    stayed_broke: bool,
}

impl Experience {
    pub(super) fn new_in(&self, question: &AskedQuestion) -> Vec<Novelty> {
        let Some((fewest, most)) = self.players else { return vec![Novelty::First] };
        let second = question.street == Street::Second;
        [
            (second && !self.second_street, Novelty::SecondStreet),
            (question.players > most, Novelty::MorePlayers(question.players)),
            (question.players < fewest, Novelty::FewerPlayers(question.players)),
            (question.own_first && !self.own_first, Novelty::OwnFirst),
            (question.own_last && !self.own_last, Novelty::OwnLast),
            (question.bounds.to_call == 0 && !self.nothing_to_call, Novelty::NothingToCall),
        ]
        .into_iter()
        .filter_map(|(is_new, novelty)| is_new.then_some(novelty))
        .collect()
    }

    pub(super) fn add(&mut self, question: &AskedQuestion) {
        let players = question.players;
        let (fewest, most) = self.players.unwrap_or((players, players));
        self.players = Some((fewest.min(players), most.max(players)));
        self.second_street |= question.street == Street::Second;
        self.own_first |= question.own_first;
        self.own_last |= question.own_last;
        self.nothing_to_call |= question.bounds.to_call == 0;
    }
}

/// What it has answered on this connection.
pub(super) struct OwnReplies {
    /// What it has sent as its login.
    pub(super) name: Option<String>,
    /// Replies to questions.
    pub(super) answers: usize,
    pub(super) folds: usize,
    pub(super) last_turn: LastTurn,
    pub(super) times: Vec<Duration>,
    all_copies: Rc<RefCell<Experience>>,
}

impl OwnReplies {
    pub(super) fn new(all_copies: Rc<RefCell<Experience>>) -> OwnReplies {
        OwnReplies {
            name: None,
            answers: 0,
            folds: 0,
            last_turn: LastTurn::Other,
            times: Vec::new(),
            all_copies,
        }
    }

    /// What it did in its last turn, unless it did the same before and went on.
    pub(super) fn last_turn_that_explains(&self) -> LastTurn {
        let all = self.all_copies.borrow();
        match self.last_turn {
            LastTurn::Folded if all.stayed_folded => LastTurn::Other,
            LastTurn::AllIn if all.stayed_broke => LastTurn::Other,
            last_turn => last_turn,
        }
    }

    pub(super) fn new_in(&self, question: &AskedQuestion) -> Vec<Novelty> {
        self.all_copies.borrow().new_in(question)
    }

    pub(super) fn add(&mut self, asked: &AskedQuestion, reply: Reply) {
        let mut all = self.all_copies.borrow_mut();
        all.add(asked);
        all.stayed_folded |= self.last_turn == LastTurn::Folded;
        all.stayed_broke |= self.last_turn == LastTurn::AllIn;
        drop(all);
        self.answers += 1;
        self.folds += usize::from(reply == Reply::Fold);
        self.last_turn = match reply {
            Reply::Fold => LastTurn::Folded,
            Reply::Bet(chips) if chips == asked.bounds.stack => LastTurn::AllIn,
            Reply::Bet(_) => LastTurn::Other,
        };
    }
}
