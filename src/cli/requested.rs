//! A new tournament, put together from the flags.

use crate::session::{NewTournament, Options};
use casino_host::LocalPlayers;
use casino_stud::journal::{Occasion, Terms};
use casino_stud::stud::Chips;
use casino_stud::tournament::EventPlan;

use super::Failure;
use super::flags::{TournamentArgs, by_flag};
use super::specs::startable;
use super::terminal::Terminal;

/// Maximum number of players for whom a freeze-out's ante rises until it ends by default. More players continue at the
/// last ante.
const MAX_DEFAULT_FREEZE_OUT_PLAYERS: u64 = 1_000;

/// A new tournament as the flags ask for it.
pub(super) struct RequestedTournament {
    pub(super) new: NewTournament,
    pub(super) options: Options,
    pub(super) terminal: Terminal,
}

impl TournamentArgs {
    /// The tournament that is asked for, without the words of the command line.
    pub(super) fn requested(self) -> Result<RequestedTournament, Failure> {
        let local_players = LocalPlayers::new(&startable(self.bots.as_deref().unwrap_or_default())?)
            .map_err(Failure::usage)?;
        let mut new = NewTournament::new(local_players, self.plan()?);
        new.play_is_usual = self.has_default_length();
        let Terms { plan, conduct, stack, rounds, reply_ms, relogin, house_counts } = &mut new.terms;
        *stack = self.stack.unwrap_or(*stack);
        // A freeze-out without a limit is played to the last chip.
        if let (true, Some(level_rounds), None) =
            (plan.format.rules().balances && plan.antes.is_empty(), plan.level_rounds, self.rounds)
        {
            let all_chips = u64::from(*stack) * MAX_DEFAULT_FREEZE_OUT_PLAYERS;
            let all_chips = Chips::try_from(all_chips).unwrap_or(Chips::MAX).min(Chips::MAX / 4);
            plan.antes = EventPlan::closing_antes(level_rounds, all_chips);
            *rounds = None;
        }
        plan.check_stack(*stack).map_err(|why| by_flag(&why.to_string()))?;
        *rounds = self.rounds.or(*rounds);
        *reply_ms = self.reply_ms.unwrap_or(*reply_ms);
        *relogin = self.relogin.unwrap_or(*relogin);
        *house_counts = self.house_counts.unwrap_or(*house_counts);
        conduct.on_foul = self.on_foul.unwrap_or(conduct.on_foul);
        let short_stack = &mut conduct.rules.short_stack;
        *short_stack = self.short_stack.unwrap_or(*short_stack);
        (new.rounds_are_usual, new.seed, new.journal) = (self.rounds.is_none(), self.seed, self.journal);
        new.occasion = Occasion { title: self.title, venue: self.venue };
        let (options, terminal) = self.presentation.options(self.jobs.threads);
        let options = Options { time_bank: self.time_bank.most(), ..options };
        Ok(RequestedTournament { new, options, terminal })
    }
}
