//! The air between the host and a player: how long a player is waited for whose question or answer may still be on its way.
//!
//! A player is late when its machine has had the question for the whole limit, not when the air has. The host sees four
//! things of the air, and each is something that the player's program cannot bring about by not reading or not thinking,
//! because its machine acknowledges for it:
//!
//! - The question has not been acknowledged, or was late.
//! - The player's machine does not answer when the system knocks.
//! - Machines of other players at the table do not answer either, although each is knocked at every second.
//! - Something had to be sent again on the way to any player of the event within the last half minute.
//!
//! The last tells of outages that fit between two knocks. A knock comes a second after a machine was heard: an outage of
//! a second, less or a little more, may begin after the question was acknowledged and be over when the knock comes. If it
//! swallowed the reply and its first two repetitions, the third comes 1.6 to 2 seconds after the reply, and nothing else
//! tells of that. Where the air is quiet there is no such doubt.
//!
//! What was seen is judged here, in times since the question was sent, and nothing is waited for.

use std::time::Duration;

use casino_system::sockets::{KNOCK_AFTER, Way};

/// An acknowledgement within this is as usual: a round trip through a room, and the 40 ms for which a machine may keep an
/// acknowledgement to itself.
const USUAL: Duration = Duration::from_millis(100);

/// How long beyond the limit it may take until it is known whether there was an outage: a machine is knocked at when it has
/// been silent for [`KNOCK_AFTER`], and with a usual limit that is as long after the limit as the question took to be
/// acknowledged.
const PROBE: Duration = USUAL;

/// The longest outage of which no machine need tell: one that is over when the knock comes, or shortly after it.
const UNSEEN: Duration = Duration::from_millis(1_100);

/// How long, beside two round trips, the answer to a knock may take.
const ANSWER: Duration = Duration::from_millis(50);

/// How many times as long as the silence the way back may take. Before each repetition TCP waits twice as long as before the
/// last: what a silence swallowed comes at most as long after the silence as it lasted; if that is lost too, twice as long
/// after that; and if that is lost as well, four times.
const WAY_BACK: u32 = 1 + 2 + 4;

/// How many times as long as a machine that alone is not heard one is waited for at most that is heard again, or that is silent
/// in rough air: what an outage of five seconds swallowed comes ten seconds after it began, and if that is lost too, twenty.
const HEARD_AGAIN: u32 = 3;

/// The same where one outage follows the other in rough air. An answer whose fifth repetition is lost after an outage of five
/// seconds comes with its sixth, 16 seconds after it was sent, or with its seventh after 33, or its eighth after 66; each may meet
/// an outage, and does if there is one every fifteen seconds.
const OUT_OF_REACH_AGAIN: u32 = 7;

/// The machines of the other players at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OtherMachines {
    /// How many there are, apart from this host, the machine of the player who was asked, and those of which the system
    /// tells nothing.
    pub(super) count: usize,
    /// How many of them do not answer.
    pub(super) silent: usize,
    pub(super) air: Air,
}

/// How the air to the players of an event has been of late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Air {
    #[default]
    Quiet,
    /// Something had to be sent again to the machine of the player who was asked, and to no other.
    RoughToOne,
    /// Something had to be sent again to another machine.
    Rough,
}

impl OtherMachines {
    /// Whether so many are silent that it is the air: two of them, and a quarter of all. Where 2 % of all packets are lost,
    /// a knock or its answer is lost in 4 % of all cases; six of 24 machines are then silent at the same time once in some
    /// thousand times.
    fn are_many_silent(self) -> bool {
        self.silent >= 2 && self.silent * 4 >= self.count
    }
}

/// Whether a machine has not answered to the knock that was due when it had been silent for [`KNOCK_AFTER`].
pub(super) fn is_silent(way: Way) -> bool {
    way.silent_for >= KNOCK_AFTER + answer_time(way)
}

/// How long the answer to a knock may take.
fn answer_time(way: Way) -> Duration {
    ANSWER + 2 * way.round_trip
}

/// The answer may have been lost in an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outage {
    /// Since when the machine may have been out of reach.
    since: Duration,
    noticed: Duration,
    /// When the machine was heard again.
    over: Option<Duration>,
}

/// What has been seen of the air while one answer was waited for. All times count from when the question was sent.
#[derive(Debug)]
pub(super) struct AirWatch {
    limit: Duration,
    /// How much longer than its limit a player is waited for at most whose machine alone is not heard.
    most: Duration,
    /// Whether the player has the benefit of the doubt where the air is rough.
    is_believed: bool,
    acknowledged: Option<Duration>,
    outage: Option<Outage>,
    /// The worst air there was. While all wait for one player, nothing is sent to the others that could tell more.
    air: Air,
    /// Whether the machine was out of reach again after it had been heard.
    is_out_again: bool,
    /// Whether the air was seen to be to blame.
    is_bad: bool,
}

impl AirWatch {
    /// A question has been sent whose answer may take this limit, and through bad air as much longer as `most` says; where
    /// only rough air speaks for the player, if it is believed.
    pub(super) fn new(limit: Duration, most: Duration, is_believed: bool) -> AirWatch {
        AirWatch {
            limit,
            most,
            is_believed,
            acknowledged: None,
            outage: None,
            air: Air::Quiet,
            is_out_again: false,
            is_bad: false,
        }
    }

    /// Whether the air was seen to be to blame that the player was waited for beyond its limit.
    pub(super) fn is_bad(&self) -> bool {
        self.is_bad
    }

    /// Until when the player is waited for, as far as is known now; it may be asked again until then. Without the air it
    /// would be until `plain`: the limit, and the time in which the host stood still.
    pub(super) fn deadline(
        &mut self,
        now: Duration,
        plain: Duration,
        own: Way,
        others: OtherMachines,
    ) -> Duration {
        self.air = self.air.max(others.air);
        let deadline = self.judge(now, plain, own, others);
        let times =
            if self.is_out_again && self.air == Air::Rough { OUT_OF_REACH_AGAIN } else { HEARD_AGAIN };
        deadline.clamp(plain, plain + times * self.most)
    }

    fn judge(&mut self, now: Duration, plain: Duration, own: Way, others: OtherMachines) -> Duration {
        // A host repeats evenly only for a while, and then as seldom as others: where the air is bad to many, a repetition may
        // meet the next outage. A machine that alone is silent is rather gone.
        let unheard = if self.air == Air::Rough { HEARD_AGAIN * self.most } else { self.most };
        if !own.is_acknowledged {
            return self.blame(now, plain, plain + unheard);
        }
        let heard = now.saturating_sub(own.silent_for);
        let acknowledged = *self.acknowledged.get_or_insert(heard);
        let mut deadline = plain;
        if acknowledged > USUAL {
            deadline = self.blame(now, plain, acknowledged + self.limit + WAY_BACK * acknowledged);
        }
        self.notice(now, heard, is_silent(own), others.are_many_silent());
        match &self.outage {
            Some(Outage { since, over, .. }) => {
                let back = over.map(|over| over + WAY_BACK * (over - *since));
                deadline.max(self.blame(now, plain, back.unwrap_or(plain.max(*since) + unheard)))
            }
            None if self.air != Air::Quiet && self.is_believed => {
                deadline.max(plain + self.most.min(WAY_BACK * UNSEEN))
            }
            // The machine has to be heard once more, and the others have to be heard too, before it is sure that nothing was
            // lost: also an outage that is over leaves its traces until then.
            None if heard >= plain => deadline.max(plain + PROBE / 2),
            None if heard + KNOCK_AFTER <= plain + PROBE => {
                deadline.max(plain + PROBE).max(heard + KNOCK_AFTER + answer_time(own))
            }
            None => deadline.max(plain + PROBE),
        }
    }

    /// Notices that an outage begins or is over.
    fn notice(&mut self, now: Duration, heard: Duration, is_silent: bool, are_others_silent: bool) {
        match &mut self.outage {
            Some(Outage { noticed, over, .. }) if over.is_none() => {
                *over = Some(heard).filter(|heard| *heard > *noticed);
            }
            // What others tell of an outage they tell until a second after it.
            outage if is_silent || outage.is_none() && are_others_silent => {
                // It is silent only since then for whoever is knocked at once a second.
                let since = heard.min(now.saturating_sub(KNOCK_AFTER));
                self.is_out_again = outage.is_some();
                *outage = Some(Outage { since, noticed: now, over: None });
            }
            _ => {}
        }
    }

    /// The air is to blame if the player is waited for until then, beyond its limit.
    fn blame(&mut self, now: Duration, plain: Duration, deadline: Duration) -> Duration {
        self.is_bad |= now >= plain;
        deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All times of these tests are in milliseconds.
    const LIMIT: i64 = 1_000;
    const MOST: i64 = 10_000;
    const WAY: i64 = 15;

    /// When the host looks next, if nothing happens before.
    fn next_look(now: i64) -> i64 {
        now + if (LIMIT..LIMIT + 200).contains(&now) { 10 } else { 50 }
    }

    /// The waits before each repetition of a question, as Linux has them when it repeats evenly, and as it had them before
    /// 6.15, when it did so only for a while.
    const EVENLY: &[i64] = &[250, 250, 250, 250, 250, 250, 250, 500, 1_000];
    const DOUBLING: &[i64] =
        &[250, 250, 250, 250, 250, 250, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

    fn ms(ms: i64) -> Duration {
        Duration::from_millis(ms.try_into().expect("times here are not negative"))
    }

    fn way(is_acknowledged: bool, silent_for: i64) -> Way {
        Way { is_acknowledged, silent_for: ms(silent_for), round_trip: ms(2 * WAY), sent_again: 0 }
    }

    fn none() -> OtherMachines {
        OtherMachines::default()
    }

    /// A question sent at 0 to an honest or silent player through air that is dead for a while, in milliseconds; what the
    /// kernels of both sides do is played as Linux does it.
    #[derive(Clone, Debug)]
    struct World {
        outage: std::ops::Range<i64>,
        /// From one such outage to the next, if there is another.
        every: Option<i64>,
        /// The waits before the repetitions of a question: the last one stays.
        repetitions: &'static [i64],
        /// How many repetitions of the question are lost after the outage.
        questions_lost: usize,
        /// How long after it has the question the program answers; never if nothing is said.
        thinks: Option<i64>,
        others: i64,
        most: i64,
        /// How many repetitions of the answer are lost after the outage.
        lost: usize,
        air: Air,
        is_believed: bool,
    }

    /// Others at the table whose air is quiet, but for this outage.
    const QUIET: World = World {
        outage: 0..0,
        every: None,
        repetitions: EVENLY,
        questions_lost: 0,
        thinks: None,
        others: 24,
        most: MOST,
        lost: 0,
        air: Air::Quiet,
        is_believed: true,
    };

    /// What came of it: when the wait was over, whether there was an answer, and whether the air was to blame.
    #[derive(Debug, PartialEq)]
    struct Outcome {
        at: i64,
        answered: bool,
        is_bad: bool,
    }

    impl World {
        fn gets_through(&self, at: i64) -> bool {
            let since = at - self.outage.start;
            let since = self.every.map_or(since, |every| since.rem_euclid(every));
            !(0..self.outage.end - self.outage.start).contains(&since)
        }

        fn repetitions(&self) -> impl Iterator<Item = i64> {
            let last = self.repetitions.last().expect("a question is repeated");
            self.repetitions.iter().chain(std::iter::repeat(last)).copied()
        }

        /// When something sent at this moment and repeated after these waits arrives, if so many of those that get through
        /// the outage are lost.
        fn arrival(&self, sent: i64, mut waits: impl Iterator<Item = i64>, lost: usize) -> i64 {
            let (mut at, mut lost) = (sent, lost);
            loop {
                if self.gets_through(at) {
                    let Some(left) = lost.checked_sub(1) else { return at + WAY };
                    lost = left;
                }
                at += waits.next().expect("no outage is longer than the repetitions");
            }
        }

        /// Whether a machine that is asked now answers.
        fn is_heard(&self, at: i64) -> bool {
            self.gets_through(at) && self.gets_through(at + WAY)
        }

        /// When the machine of another player was last heard that was first heard at this moment, and since then has been
        /// knocked at whenever it had been silent for a second.
        fn last_heard(&self, first: i64, now: i64) -> i64 {
            let (mut heard, mut knock) = (first, first + 1_000);
            while knock + 2 * WAY <= now {
                if self.is_heard(knock) {
                    heard = knock + 2 * WAY;
                    knock = heard;
                }
                knock += 1_000;
            }
            heard
        }

        /// When the host has the first acknowledgement of a question that came at this moment.
        fn acknowledged(&self, has_question: i64, answer: Option<i64>) -> i64 {
            let sent_after_a_while = has_question + 40;
            // Each repetition that comes is acknowledged at once.
            let sent = self.repetitions().scan(0, |at, wait| {
                *at += wait;
                Some(*at)
            });
            let sent_again = sent.take(60).filter(|at| self.gets_through(*at) && *at + WAY > has_question);
            let sent_again = sent_again.map(|at| at + WAY);
            let sent = std::iter::once(sent_after_a_while).chain(sent_again);
            let came = sent.filter(|at| self.gets_through(*at)).map(|at| at + WAY).min();
            came.into_iter().chain(answer).min().expect("the air lives again")
        }

        /// When the player's machine has the question, and the host the answer.
        fn travels(&self) -> (i64, Option<i64>) {
            // The player's machine doubles its waits whatever the host does.
            let has_question = self.arrival(0, self.repetitions(), self.questions_lost);
            let doubling = [260, 240].into_iter().chain((0..8).map(|turn| 500 << turn));
            let answer = self.thinks.map(|thinks| self.arrival(has_question + thinks, doubling, self.lost));
            (has_question, answer)
        }

        fn play(&self) -> Outcome {
            let (has_question, answer) = self.travels();
            let acknowledged = self.acknowledged(has_question, answer);
            let mut watch = AirWatch::new(ms(LIMIT), ms(self.most), self.is_believed);
            let (mut heard, mut now) = (None, 50);
            loop {
                if let Some(at) = answer.filter(|answer| *answer <= now) {
                    return Outcome { at, answered: true, is_bad: watch.is_bad() };
                }
                if acknowledged <= now {
                    let heard = heard.get_or_insert(acknowledged);
                    // After the limit it is knocked at with each beat, where it has been silent for a second.
                    let looks = std::iter::successors(Some(LIMIT), |at| Some(next_look(*at)));
                    let knocks = looks.take_while(|at| *at < now).map(|at| at.max(*heard + 1_000));
                    let heard_again = knocks.filter(|at| self.is_heard(*at)).map(|at| at + 2 * WAY);
                    *heard = heard_again.filter(|at| *at <= now).max().unwrap_or(*heard);
                }
                let own = way(heard.is_some(), now - heard.unwrap_or(0));
                // They answered, one after the other, in the half second before the question.
                let first_heard = (1..=self.others).map(|other| -other * 500 / self.others);
                let silences = first_heard.map(|first| now - self.last_heard(first, now));
                let silent = silences.filter(|silence| is_silent(way(true, *silence))).count();
                // Nobody else is asked meanwhile, and what was sent again before is forgotten.
                let air = if now < 25_000 { self.air } else { Air::Quiet };
                let others = OtherMachines { count: self.others as usize, silent, air };
                let deadline = watch.deadline(ms(now), ms(LIMIT), own, others).as_millis() as i64;
                assert!((LIMIT..=LIMIT + 7 * self.most).contains(&deadline), "{deadline}");
                if now >= deadline {
                    return Outcome { at: now, answered: false, is_bad: watch.is_bad() };
                }
                now = deadline.min(next_look(now));
            }
        }
    }

    #[test]
    fn an_acknowledgement_within_a_tenth_of_a_second_is_as_usual() {
        let after = |acknowledged: i64| {
            let mut watch = AirWatch::new(ms(LIMIT), ms(MOST), true);
            let now = acknowledged + 50;
            watch.deadline(ms(now), ms(LIMIT), way(true, 50), none())
        };
        assert_eq!(after(100), ms(100) + KNOCK_AFTER + ANSWER + ms(4 * WAY));
        // The answer may take as long for each of three repetitions.
        assert_eq!(after(101), ms(101 + LIMIT + 7 * 101));
    }

    #[test]
    fn an_outage_that_only_others_tell_of_may_have_begun_a_second_ago() {
        let mut watch = AirWatch::new(ms(LIMIT), ms(MOST), true);
        let silent = OtherMachines { count: 4, silent: 2, air: Air::Quiet };
        // The player's machine was heard at 900, those of the others were not a second before 1,200.
        watch.deadline(ms(1_200), ms(LIMIT), way(true, 300), silent);
        assert_eq!(watch.deadline(ms(1_300), ms(LIMIT), way(true, 0), none()), ms(1_300 + 7 * (1_300 - 200)));
    }

    /// Every outage of these lengths that begins while the question, the thinking or the answer is under way.
    fn outages(lengths: &[i64]) -> impl Iterator<Item = std::ops::Range<i64>> {
        lengths.iter().flat_map(|length| (-length..LIMIT).step_by(10).map(move |from| from..from + length))
    }

    #[test]
    fn whoever_answers_within_its_limit_is_in_time_whenever_the_air_is_dead() {
        // A machine alone has to be out of reach when it is knocked at, a second after it was heard.
        for (others, lengths) in
            [(0, [1_150, 1_200, 1_500]), (4, [1_000, 1_200, 1_500]), (24, [1_000, 1_200, 1_500])]
        {
            for outage in outages(&lengths) {
                for thinks in (0..900).step_by(30) {
                    let world = World { outage: outage.clone(), thinks: Some(thinks), others, ..QUIET };
                    let outcome = world.play();
                    assert!(outcome.answered, "{outage:?}, thinks {thinks}, {others} others: {outcome:?}");
                }
            }
        }
    }

    #[test]
    fn many_silent_machines_tell_of_a_short_outage_that_the_player_s_own_has_outlived() {
        let mut alone = 0;
        for outage in outages(&[500, 600, 700]) {
            for thinks in (0..400).step_by(20) {
                let world = World { outage: outage.clone(), thinks: Some(thinks), ..QUIET };
                let outcome = world.play();
                assert!(outcome.answered, "{outage:?}, thinks {thinks}: {outcome:?}");
                alone += i32::from(!World { others: 0, ..world }.play().answered);
            }
        }
        assert!(alone > 0, "nothing would be known without the others");
    }

    #[test]
    fn whoever_is_silent_is_out_when_it_is_known_that_there_was_no_outage() {
        for others in [0, 1, 2, 24] {
            let world = World { others, ..QUIET };
            let Outcome { at, answered, is_bad } = world.play();
            assert!((LIMIT + 50..=LIMIT + 100).contains(&at), "{others} others: {at}");
            assert!(!answered && !is_bad, "{others} others");
        }
        // Whoever thinks for longer than that is late.
        let world = World { thinks: Some(LIMIT + 200), ..QUIET };
        assert!(!world.play().answered);
    }

    /// How often an honest player would be out in outages of 0.3 to 5 s, at each moment and however long it thinks.
    fn out(world: &World) -> Vec<String> {
        let mut out = Vec::new();
        for length in (300..=5_000).step_by(100) {
            for from in (-length..LIMIT).step_by(100) {
                for thinks in (0..900).step_by(120) {
                    let world = World { outage: from..from + length, thinks: Some(thinks), ..world.clone() };
                    let outcome = world.play();
                    if !outcome.answered {
                        out.push(format!("{:?}, thinks {thinks}: {outcome:?}", world.outage));
                    }
                }
            }
        }
        out
    }

    /// A second is as long as it takes until a machine is knocked at: an outage of that length is over when the knock comes, and
    /// has swallowed the reply and two repetitions.
    #[test]
    fn in_rough_air_no_outage_puts_an_honest_player_out() {
        let rough = World { others: 0, air: Air::Rough, ..QUIET };
        let quiet = out(&World { others: 0, ..QUIET });
        assert!(quiet.iter().any(|out| out.starts_with("100..1100, ")), "nothing tells of it otherwise");
        for lost in [0, 1] {
            let out = out(&World { lost, ..rough.clone() });
            assert!(
                out.is_empty(),
                "{} out, {lost} repetitions lost: {:?}",
                out.len(),
                &out[..out.len().min(5)]
            );
        }
    }

    /// Where an outage follows the other every few seconds, one repetition may be lost, and the next come in the next outage.
    #[test]
    fn who_has_not_got_its_question_in_one_outage_after_the_other_is_waited_for() {
        let mut doubling = 0;
        for length in (300..=5_000).step_by(100) {
            for (from, questions_lost) in
                (-length..LIMIT).step_by(100).flat_map(|from| [(from, 1), (from, 2)])
            {
                let every = Some(6_000.max(3 * length));
                let air =
                    World { outage: from..from + length, every, questions_lost, air: Air::Rough, ..QUIET };
                let world = World { thinks: Some(40), others: 0, ..air };
                assert!(world.play().answered, "{world:?}: {:?}", world.play());
                doubling += i32::from(!World { repetitions: DOUBLING, ..world }.play().answered);
            }
        }
        assert!(doubling > 0, "it is the even repetitions that make the difference");
    }

    /// Repetitions of the answer are ever rarer, so that one that is lost may be followed by others in the next outages.
    #[test]
    fn who_loses_its_answer_in_one_outage_after_the_other_is_waited_for() {
        let mut too_late = 0;
        for length in (300..=5_000).step_by(100) {
            for (from, thinks) in (-length..LIMIT).step_by(100).flat_map(|from| [(from, 40), (from, 200)]) {
                let every = Some(6_000.max(3 * length));
                let air = World { outage: from..from + length, every, lost: 1, air: Air::Rough, ..QUIET };
                let world = World { thinks: Some(thinks), others: 0, ..air };
                // Some outages come just when each of the repetitions does, for more than a minute.
                let is_too_late = world.travels().1 > Some(LIMIT + 7 * MOST);
                assert_eq!(world.play().answered, !is_too_late, "{world:?}: {:?}", world.play());
                too_late += i32::from(is_too_late);
            }
        }
        assert_eq!(too_late, 4);
    }

    /// Whoever was late in rough air, and is late again soon, is slow.
    #[test]
    fn only_who_is_believed_has_the_benefit_of_the_doubt() {
        let slow = World { thinks: Some(3_000), air: Air::Rough, ..QUIET };
        assert!(slow.play().answered);
        let again = World { is_believed: false, ..slow }.play();
        assert!(!again.answered && !again.is_bad && again.at < LIMIT + 200, "{again:?}");
        let silent = World { air: Air::Rough, ..QUIET }.play();
        assert_eq!((silent.at, silent.is_bad), (LIMIT + 7_700, false), "it was waited for in vain");
    }

    #[test]
    fn whoever_is_silent_in_an_outage_is_out_in_the_end() {
        let mut latest = 0;
        for outage in outages(&[100, 600, 1_000, 3_000]) {
            let outcome = World { outage, ..QUIET }.play();
            assert!(!outcome.answered && outcome.at <= LIMIT + 3 * MOST, "{outcome:?}");
            latest = latest.max(outcome.at);
        }
        assert!(latest > 2 * LIMIT, "the outages made a difference");
    }

    #[test]
    fn without_a_bound_of_its_own_the_air_makes_no_difference() {
        for outage in outages(&[1_000]) {
            let outcome = World { outage, most: 0, air: Air::Rough, ..QUIET }.play();
            assert_eq!((outcome.at, outcome.answered), (LIMIT, false));
        }
    }

    /// Looks every 50 ms at what this tells of each moment, and gives out when the wait is over.
    fn wait(seen: impl Fn(i64) -> (Way, OtherMachines)) -> (i64, bool) {
        let mut watch = AirWatch::new(ms(LIMIT), ms(MOST), true);
        let mut now = 50;
        loop {
            let (own, others) = seen(now);
            let deadline = watch.deadline(ms(now), ms(LIMIT), own, others).as_millis() as i64;
            if now >= deadline {
                return (now, watch.is_bad());
            }
            now = deadline.min(next_look(now));
        }
    }

    #[test]
    fn a_question_that_is_never_acknowledged_is_waited_for_until_the_bound() {
        assert_eq!(wait(|now| (way(false, now), none())), (LIMIT + MOST, true));
        for (air, bound) in [(Air::RoughToOne, MOST), (Air::Rough, 3 * MOST)] {
            let over = wait(|now| (way(false, now), OtherMachines { air, ..none() }));
            assert_eq!(over, (LIMIT + bound, true), "{air:?}");
        }
    }

    #[test]
    fn a_late_acknowledgement_gives_the_whole_limit_and_the_way_back() {
        let acknowledged = |at: i64| move |now: i64| (way(now >= at, (now - at).max(0) % 900), none());
        // As usual: the acknowledgement came within 100 ms.
        assert!(!wait(acknowledged(90)).1);
        let (over, is_bad) = wait(acknowledged(500));
        assert_eq!((over, is_bad), (500 + LIMIT + 7 * 500, true));
        assert_eq!(wait(acknowledged(3_000)), (3_000 + LIMIT + 7 * 3_000, true));
        assert_eq!(wait(acknowledged(5_000)), (LIMIT + 3 * MOST, true), "never beyond the bound");
    }

    #[test]
    fn a_machine_that_was_heard_when_its_limit_was_over_gets_no_more_time() {
        assert_eq!(wait(|_| (way(true, 0), none())), (LIMIT + 50, false));
        // It was heard so shortly before that no knock would be answered soon.
        assert_eq!(wait(|now| (way(true, (now - 800).max(0)), none())), (LIMIT + 100, false));
    }

    #[test]
    fn what_others_tell_of_an_outage_counts_once() {
        let others = OtherMachines { count: 4, silent: 4, air: Air::Quiet };
        let mut watch = AirWatch::new(ms(LIMIT), ms(MOST), true);
        // The player's own machine was heard 100 ms ago and is heard with every look: only the others know of the outage.
        watch.deadline(ms(60), ms(LIMIT), way(true, 0), none());
        assert_eq!(watch.deadline(ms(1_010), ms(LIMIT), way(true, 100), others), ms(LIMIT + MOST));
        for now in [1_060, 1_110, 1_160] {
            let deadline = watch.deadline(ms(now), ms(LIMIT), way(true, 0), others);
            assert_eq!(deadline, ms(1_060 + 7 * (1_060 - 10)), "at {now}");
        }
        assert!(watch.is_bad());
    }

    #[test]
    fn a_machine_far_away_has_as_long_for_its_answer_as_the_way_takes() {
        let far = |now: i64| Way { round_trip: ms(200), ..way(true, (now - 60).max(0)) };
        let mut watch = AirWatch::new(ms(LIMIT), ms(MOST), true);
        assert_eq!(watch.deadline(ms(1_100), ms(LIMIT), far(1_100), none()), ms(60 + 1_000 + 50 + 400));
        assert!(!watch.is_bad());
        watch.deadline(ms(1_510), ms(LIMIT), far(1_510), none());
        assert!(watch.is_bad());
    }

    #[test]
    fn a_machine_is_silent_only_if_a_knock_was_not_answered() {
        for (silent_for, silent) in [(0, false), (1_000, false), (1_109, false), (1_110, true)] {
            assert_eq!(is_silent(way(true, silent_for)), silent);
        }
    }

    #[test]
    fn two_silent_machines_are_the_air_and_one_of_two_is_not() {
        let over = |count, silent| {
            wait(move |now| {
                // The player's machine is heard with every look after the limit, the others are looked at only then.
                let (heard, silent) = if now < LIMIT { (60.min(now), 0) } else { (now, silent) };
                (way(true, now - heard), OtherMachines { count, silent, air: Air::Quiet })
            })
        };
        for (count, silent, is_bad) in [
            (24, 6, true),
            (24, 5, false),
            (8, 2, true),
            (9, 2, false),
            (2, 2, true),
            (2, 1, false),
            (1, 1, false),
        ] {
            assert_eq!(over(count, silent).1, is_bad, "{silent} of {count}");
        }
    }
}
