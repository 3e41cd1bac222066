//! Taking the steps one after the other, with a program that is started anew where one fails.

use std::time::{Duration, Instant};

use crate::cards::Seed;
use crate::protocol::Login;
use crate::server::{LOOK, LaunchedProgram, ProgramOutputs, ProgramStarter, StartFailure};
use crate::strategies::{Bot, HouseBot, HousePlayer};
use crate::stud::{Chips, Seat};
use crate::table::{Question, TableSettings};
use crate::tournament::{TableGame, harmless};

use super::diagnosis::{Cause, diagnose};
use super::evidence::{Evidence, LastMessage};
use super::rounds::{CheckRound, Seen, drive, follow, give_up, lead, lead_late, press, raise_thrice, round};
use super::step::CheckStep;
use super::wire::{Delivery, ExchangeLine, Pace, Wire};
use super::{CheckSettings, Checked, ReplyTimes, StepOutcome, StepResult};

/// How long a program that has closed its connection is given to end, so that its exit code is known.
const EXIT: Duration = Duration::from_millis(500);

/// The house bots of the last step.
const HOUSE: [&str; 5] = ["odds", "bold", "reader", "caller", "random"];

/// Chips of everyone at the beginning of a game against them.
const STACK: Chips = 500;

/// After so many rounds against house bots everyone begins with full stacks again.
const GAME: u64 = 50;

/// A program that has logged in.
struct Running {
    wire: Wire,
    program: LaunchedProgram,
    login: Login,
}

impl Running {
    fn log_in(&mut self, limit: Duration) -> Result<(), Evidence> {
        self.wire.expect_no_greeting()?;
        self.login = self.wire.login(limit)?;
        Ok(())
    }

    /// Waits for the program to end by itself.
    fn end(&mut self, limit: Duration) -> Result<(), Evidence> {
        match wait(limit, || self.program.process().exit()) {
            Some(_) => Ok(()),
            None => Err(Evidence::Stays { closed: true, limit }),
        }
    }
}

pub(super) struct CheckRunner<'a> {
    starter: &'a dyn ProgramStarter,
    settings: &'a CheckSettings,
    began: Instant,
    running: Option<Running>,
    /// A second copy beside it.
    copy: Option<Running>,
    /// What is known of a program that is gone.
    outputs: ProgramOutputs,
    log: Vec<ExchangeLine>,
    taken: Vec<Option<StepResult>>,
    /// A program that cannot bear a status gets none any more.
    statuses: bool,
    /// Silent programs are tried twice, until it is known what is the matter with them.
    silent_for: Option<Cause>,
    times: Vec<Duration>,
}

impl<'a> CheckRunner<'a> {
    pub(super) fn new(starter: &'a dyn ProgramStarter, settings: &'a CheckSettings) -> CheckRunner<'a> {
        CheckRunner {
            starter,
            settings,
            began: Instant::now(),
            running: None,
            copy: None,
            outputs: ProgramOutputs::default(),
            log: Vec::new(),
            taken: vec![None; CheckStep::ALL.len()],
            statuses: true,
            silent_for: None,
            times: Vec::new(),
        }
    }

    pub(super) fn run(mut self, progress: &mut dyn FnMut(CheckStep)) -> Checked {
        for step in CheckStep::ALL {
            progress(step);
            if self.taken[step as usize].is_some() {
                continue;
            }
            match self.hindrance(step) {
                Some(reason) => self.keep(step, StepResult::not_run(step, reason)),
                None => self.take(step),
            }
        }
        self.collect_times();
        drop(self.running.take());
        Checked {
            subject: self.starter.command_line(),
            steps: self.taken.into_iter().map(|taken| taken.expect("every step has been taken")).collect(),
            reply_times: ReplyTimes::of(&self.times),
            took: self.began.elapsed(),
        }
    }

    /// Why a step cannot be taken.
    fn hindrance(&self, step: CheckStep) -> Option<String> {
        if let Some(needed) = step.needs().iter().find(|needed| !self.has_passed(**needed)) {
            return Some(format!("step {} has to pass first", needed.number()));
        }
        (self.began.elapsed() > self.settings.total)
            .then(|| format!("the {} s of the check are over", self.settings.total.as_secs()))
    }

    fn has_passed(&self, step: CheckStep) -> bool {
        self.taken[step as usize].as_ref().is_some_and(|taken| taken.outcome == StepOutcome::Passed)
    }

    /// Takes a step. A silent program is tried twice, because only time decides about it; a step in which the fault
    /// of another one shows is taken again without that.
    fn take(&mut self, step: CheckStep) {
        let mut again = 2;
        let mut was_silent = false;
        loop {
            again -= 1;
            let trouble = match self.attempt(step) {
                Ok(note) => {
                    let second = "at the second try: at the first it gave no answer in time".to_string();
                    return self.keep(step, StepResult::passed(step, if was_silent { second } else { note }));
                }
                Err(trouble) => self.complete(trouble),
            };
            let owner = owner(&trouble).filter(|owner| *owner < step).unwrap_or(step);
            let diagnosis = diagnose(&trouble, owner, &self.outputs);
            let is_known = self.silent_for == Some(diagnosis.cause);
            if matches!(trouble, Evidence::Silence { .. }) {
                self.silent_for = Some(diagnosis.cause);
                if diagnosis.cause.is_a_matter_of_time() && !is_known && again > 0 {
                    was_silent = true;
                    continue;
                }
            }
            let exchange = std::mem::take(&mut self.log);
            let outputs = std::mem::take(&mut self.outputs);
            if owner == CheckStep::Status {
                self.statuses = false;
            }
            self.keep(owner, StepResult::failed(owner, diagnosis, exchange, outputs));
            if owner == step {
                return;
            }
            if again == 0 {
                return self.keep(
                    step,
                    StepResult::not_run(step, "an earlier step's fault showed again here".into()),
                );
            }
        }
    }

    fn keep(&mut self, step: CheckStep, taken: StepResult) {
        self.taken[step as usize] = Some(taken);
    }

    /// The trouble with how the program ended, which is known only now; it is not used any more.
    fn complete(&mut self, trouble: Evidence) -> Evidence {
        self.collect_times();
        let Some(mut running) = self.copy.take().or_else(|| self.running.take()) else { return trouble };
        self.log = running.wire.take_log();
        let trouble = match trouble {
            Evidence::Closed { partial, asked, last_turn, .. } => {
                let left = wait(EXIT.max(self.settings.quiet), || running.program.process().exit());
                Evidence::Closed { partial, left, asked, last_turn }
            }
            other => other,
        };
        // Whoever spoke through another connection was silent on this one.
        let trouble =
            if running.program.has_another_connection() { Evidence::SecondConnection } else { trouble };
        self.outputs = running.program.process().outputs();
        trouble
    }

    fn collect_times(&mut self) {
        if let Some(running) = &mut self.running {
            self.times.append(&mut running.wire.times);
        }
    }

    fn pace(&self) -> Pace {
        Pace { reply: self.settings.reply, quiet: self.settings.quiet, apart: self.settings.apart }
    }

    /// A copy of the program that has connected. If it does not, what it printed is kept.
    fn connect(&mut self) -> Result<Running, Evidence> {
        self.outputs = ProgramOutputs::default();
        let failed =
            |error: std::io::Error| Evidence::NoStart(format!("this machine has no socket: {error}"));
        let mut program = self.starter.launch().map_err(|error| Evidence::NoStart(error.to_string()))?;
        let deadline = Instant::now() + self.settings.start;
        let left = loop {
            match program.poll_connection() {
                Ok(Some((stream, _))) => {
                    let mut wire = Wire::new(stream, self.pace()).map_err(failed)?;
                    wire.is_known = self.silent_for == Some(Cause::OneBehind);
                    let nobody = Login { github_id: String::new(), avatar: String::new() };
                    return Ok(Running { wire, program, login: nobody });
                }
                Ok(None) if Instant::now() > deadline => break None,
                Ok(None) => std::thread::sleep(LOOK),
                Err(StartFailure::Ended(exit)) => break Some(exit),
                Err(error) => return Err(Evidence::NoStart(error.to_string())),
            }
        };
        self.outputs = program.process().outputs();
        Err(Evidence::NoConnection { left })
    }

    /// The program, started and logged in if it is not there.
    fn program(&mut self) -> Result<&mut Running, Evidence> {
        if self.running.is_none() {
            let running = self.connect()?;
            let running = self.running.insert(running);
            running.log_in(self.settings.login)?;
        }
        Ok(self.running.as_mut().expect("it has just been started"))
    }

    /// Takes a step once. A remark if it passes.
    fn attempt(&mut self, step: CheckStep) -> Result<String, Evidence> {
        let statuses = self.statuses;
        let quiet = self.settings.quiet;
        let (login_limit, leave) = (self.settings.login, self.settings.leave);
        let (bet1_passed, bet2_passed) = (self.has_passed(CheckStep::Bet1), self.has_passed(CheckStep::Bet2));
        match step {
            CheckStep::Times => return self.reply_times(),
            CheckStep::Refused => return self.refuse(),
            CheckStep::Rounds => return self.house_rounds(),
            _ => {}
        }
        let program = self.program()?;
        program.wire.take_log();
        let wire = &mut program.wire;
        wire.delivery = Delivery::Apart;
        let play = |wire: &mut Wire, situations: &[CheckRound]| {
            situations.iter().try_for_each(|situation| situation.play(wire, statuses).map(drop))
        };
        let plain = || CheckRound::new(5, 2, "KS 10D", lead).with(0, "- AS").others_go_after(1);
        match step {
            CheckStep::Login => {
                wire.expect_silence(quiet)?;
                if program.program.has_another_connection() {
                    return Err(Evidence::SecondConnection);
                }
                return Ok(seen_by_the_room(&program.login));
            }
            CheckStep::LoginAgain => {
                let login = wire.login(login_limit)?;
                if login != program.login {
                    let text = |login: &Login| format!("{}:{}", login.github_id, login.avatar);
                    return Err(Evidence::LoginChanged { first: text(&program.login), second: text(&login) });
                }
                wire.expect_silence(quiet)?;
            }
            CheckStep::Bet1 => {
                play(wire, &[plain()])?;
                wire.expect_silence(quiet)?;
            }
            CheckStep::Status => {
                let unasked = |stack, cards| {
                    CheckRound::new(4, 1, cards, drive::<10>).with_stack(stack).with(0, "- AH")
                };
                play(
                    wire,
                    &[
                        // Won and lost at the showdown, lost without one, won without one.
                        unasked(1, "KS KD KH").with(2, "2C 3D 5H").with(3, "4C 6D 8H"),
                        unasked(1, "2C 3D 5H").with(2, "KS KD KH"),
                        unasked(3, "2C 3D 5H").others_go_after(0),
                        CheckRound::new(3, 1, "2C 3D 5H", give_up).with(0, "- AH"),
                    ],
                )?;
                wire.deliver();
                wire.expect_silence(quiet)?;
                play(wire, &[plain()])?;
                wire.deliver();
                wire.expect_silence(quiet)?;
            }
            CheckStep::AskedAgain => {
                let raised = CheckRound::new(3, 1, "KS KD", raise_thrice).with(0, "- AH").with(2, "- AC");
                play(wire, &[raised.clone().others_go_after(3)])?;
            }
            CheckStep::Bet2 => play(
                wire,
                &[
                    CheckRound::new(4, 1, "KS KD KH", lead_late).with(0, "- AH").with(2, "- AC -"),
                    CheckRound::new(4, 2, "2C 7D 10H", lead).with(0, "- AH"),
                ],
            )?,
            CheckStep::EndsAfterBet1 => play(
                wire,
                &[
                    plain(),
                    CheckRound::new(3, 2, "2C 3D", give_up).with(0, "- AH"),
                    CheckRound::new(4, 2, "KS AS", give_up),
                    plain(),
                ],
            )?,
            CheckStep::OpeningZero => {
                play(wire, &[CheckRound::new(4, 2, "KS AS", follow).others_go_after(1)])?;
                if bet2_passed {
                    play(wire, &[CheckRound::new(4, 1, "KS AS AD", follow)])?;
                }
            }
            CheckStep::Limits => {
                let raised = |stack| {
                    CheckRound::new(4, 2, "KS KD", drive::<20>)
                        .with(0, "- AH")
                        .with_stack(stack)
                        .others_go_after(1)
                };
                let led = |stack| {
                    CheckRound::new(3, 1, "KS KD", drive::<10>)
                        .with(0, "- AH")
                        .with_stack(stack)
                        .others_go_after(1)
                };
                play(wire, &[led(11), led(21), raised(500), raised(31), led(12), led(500)])?;
            }
            CheckStep::ShortStack => {
                let led = |stack| {
                    CheckRound::new(3, 1, "KS KD", lead).with(0, "- AH").with_stack(stack).others_go_after(1)
                };
                let opens = CheckRound::new(3, 1, "KS AS", follow).with_stack(4).others_go_after(1);
                // The last cannot call and is folded unasked (R8).
                play(wire, &[led(9), led(7), opens, led(3), led(6)])?;
            }
            CheckStep::ZeroStack => {
                let broke =
                    |stack, cards| CheckRound::new(3, 1, cards, lead).with(0, "- AH").with_stack(stack);
                play(wire, &[broke(1, "KS KD KH"), broke(6, "KS KD KH"), broke(6, "QS QD QH"), plain()])?;
            }
            CheckStep::Places => {
                let answers = if bet2_passed { usize::MAX } else { 1 };
                for place in 0..4 {
                    let situation = CheckRound::new(4, place, "KS 9D KH", lead).with((place + 1) % 4, "- AH");
                    play(wire, &[situation.others_go_after(answers)])?;
                }
                for place in 0..2 {
                    let situation = CheckRound::new(2, place, "QS 8D QH", lead).with(1 - place, "- AC");
                    play(wire, &[situation.others_go_after(answers)])?;
                }
            }
            CheckStep::ManyPlayers => {
                let seventeen =
                    |place| CheckRound::new(17, place, "KS KD", lead).with((place + 9) % 17, "- AH");
                play(wire, &[seventeen(8).others_go_after(1), seventeen(16).others_go_after(1)])?;
            }
            CheckStep::LongLists => {
                let seventeen = |place: usize, stacks| {
                    CheckRound::new(17, place, "10S 10D 10H", lead_late)
                        .with((place + 9) % 17, "- AH")
                        .with_stacks(stacks)
                };
                play(wire, &[seventeen(8, 500), seventeen(16, 1_000_000)])?;
            }
            CheckStep::Split => {
                wire.delivery = Delivery::Split;
                play(
                    wire,
                    &[
                        plain(),
                        CheckRound::new(3, 1, "KS KD", raise_thrice).with(0, "- AH").others_go_after(1),
                    ],
                )?;
            }
            CheckStep::Joined => {
                wire.delivery = Delivery::Joined;
                play(wire, &[plain(), plain(), plain()])?;
                wire.deliver();
            }
            CheckStep::Folding => {
                let pressed = CheckRound::new(3, 1, "2C 4D 7H", press).with(0, "- AH").with(2, "- AC");
                let seen = pressed.others_go_after(8).play(wire, statuses)?;
                play(wire, &[plain()])?;
                if !seen.folded {
                    return Ok(format!(
                        "it did not fold, with nothing in its hand and raised {} times",
                        seen.answers
                    ));
                }
            }
            CheckStep::SuddenDone => {
                let question = CheckRound::new(4, 1, "KS KD", lead).with(0, "- AH").others_go_after(1);
                if bet1_passed {
                    question.play(wire, false)?;
                }
                wire.done("The tournament was stopped: the power went off.", leave)?;
                if program.program.has_another_connection() {
                    return Err(Evidence::SecondConnection);
                }
            }
            CheckStep::Exits => {
                if !wire.is_done() {
                    wire.done("The last round has been played. Thank you for playing.", leave)?;
                }
                program.end(leave)?;
            }
            CheckStep::Times | CheckStep::Refused | CheckStep::Rounds => unreachable!("taken above"),
        }
        Ok(String::new())
    }

    /// A second copy beside the first is not let in, because its GitHubId is in already.
    fn refuse(&mut self) -> Result<String, Evidence> {
        self.program()?;
        let copy = self.connect()?;
        let copy = self.copy.insert(copy);
        copy.log_in(self.settings.login)?;
        let leave = self.settings.leave;
        copy.wire.done("You are not in the game: somebody with this GitHubId is in already.", leave)?;
        copy.end(leave)?;
        self.copy = None;
        Ok(String::new())
    }

    fn house_rounds(&mut self) -> Result<String, Evidence> {
        let wanted = self.settings.rounds;
        let seed = self.settings.seed.clone();
        let until = self.began + self.settings.total;
        let wire = &mut self.program()?.wire;
        wire.take_log();
        // As the dealer does it.
        wire.delivery = Delivery::Joined;
        let mut played = 0;
        let mut chips: i64 = 0;
        for game in 0.. {
            let bot = Seat::new(game % (HOUSE.len() + 1));
            let seed = Seed::chosen(format!("{seed} {game}"));
            let mut house: Vec<HousePlayer> = HOUSE
                .iter()
                .filter_map(|name| HouseBot::named(name).map(|bot| bot.seated(name, &seed)))
                .collect();
            let mut tournament =
                TableGame::new(TableSettings::default(), &seed, house.len() + 1, STACK, GAME);
            while played < wanted && tournament.table().seated().contains(bot) && tournament.deal() {
                if Instant::now() > until {
                    return Err(Evidence::TimeIsOver { played, wanted });
                }
                played += 1;
                wire.note(ExchangeLine::Note(format!("round {played} of {wanted}")));
                let mut others = |seat: Seat, question: &Question<'_>, _: Seen| {
                    house[seat.index() - usize::from(seat > bot)].decide(question)
                };
                round(&mut tournament, bot, wire, true, usize::MAX, &mut others)?;
            }
            chips += i64::from(tournament.table().stacks()[bot.index()]) - i64::from(STACK);
            if played == wanted {
                break;
            }
        }
        wire.deliver();
        Ok(format!("{chips:+} chips in {played} rounds"))
    }

    /// Times of all replies so far.
    fn reply_times(&mut self) -> Result<String, Evidence> {
        self.collect_times();
        let Some(times) = ReplyTimes::of(&self.times) else { return Ok("it was never asked".to_string()) };
        let limit = self.settings.reply;
        let p99 = Duration::from_secs_f64(times.p99_ms / 1e3);
        if p99 > limit / 2 {
            return Err(Evidence::Slow { p99, limit });
        }
        Ok(times.to_string())
    }
}

/// A remark on an avatar that is not shown as it is.
fn seen_by_the_room(login: &Login) -> String {
    match harmless(&login.avatar) {
        Some(_) if login.avatar.eq_ignore_ascii_case(&login.github_id) => {
            "its avatar is its GitHubId, so the room will see a number instead".to_string()
        }
        Some(shown) if shown == login.avatar => String::new(),
        Some(shown) => format!("the room will see its avatar as \"{shown}\""),
        None => "nothing of its avatar can be shown, so the room will see a number instead".to_string(),
    }
}

/// The step that a fault belongs to wherever it shows.
fn owner(trouble: &Evidence) -> Option<CheckStep> {
    match trouble {
        Evidence::SecondConnection | Evidence::Stray { after: LastMessage::Login, .. } => {
            Some(CheckStep::Login)
        }
        Evidence::Stray { after: LastMessage::Status, .. } => Some(CheckStep::Status),
        Evidence::Stray { after: LastMessage::Done, .. } => Some(CheckStep::SuddenDone),
        _ => None,
    }
}

/// Looks again and again until there is something, or the time is over.
fn wait<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + limit;
    loop {
        let found = look();
        if found.is_some() || Instant::now() > deadline {
            return found;
        }
        std::thread::sleep(LOOK);
    }
}
