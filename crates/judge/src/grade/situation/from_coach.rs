//! Situations from a journal: the question that a player answered badly, to be asked again.

use crate::scenario::pretty_json::Json;
use casino_analysis::coach::{Addressee, AnalysedDecision, NotedRound, ReplyKind};
use casino_analysis::rating::HALF_INTERVAL_IN_WORDS;
use casino_stud::cards::notation;
use casino_stud::stud::{Chips, Rules, ShortStack, Street};
use casino_stud::table::Reply;

/// The text of a situation that asks what was asked in this decision of a round: the same cards, stacks, and replies of the
/// others. It expects a reply of the kind of the best one. `None` for a decision that is sound, and where somebody had broken a rule
/// before, which no situation can do.
///
/// `names` has everybody's name as it may be shown.
pub fn situation_of(round: &NotedRound, decision: &AnalysedDecision, names: &[String]) -> Option<String> {
    let reason = decision.sentence(Addressee::Player)?;
    let expected = Json::text(expected(decision)?);
    if round.is_fouled() {
        return None;
    }
    let street = if decision.street == 1 { Street::First } else { Street::Second };
    let mut asked = 0;
    let (mut moves, mut turn) = (vec![[Vec::new(), Vec::new()]; round.players.len()], 0);
    for made in round.replies() {
        let player = round.player_at(made.seat);
        let place = round.players.iter().position(|other| *other == player)?;
        if player == decision.player && made.street == street && turn <= decision.turn {
            asked += 1;
        }
        moves[place][usize::from(made.street == Street::Second)].push(in_words(made.reply, made.to_call));
        turn += 1;
    }
    let seats = round.seats().into_iter().zip(&round.players).zip(moves).map(|((seat, player), moves)| {
        let mut fields = vec![("name", Json::text(&names[*player]))];
        if *player == decision.player {
            fields.push(("plays", Json::text("bot")));
        }
        fields.push(("stack", Json::raw(round.stack(seat))));
        fields.push(("cards", Json::text(&notation::list(&round.cards(seat)))));
        if *player != decision.player {
            for (street, moves) in ["bet1", "bet2"].into_iter().zip(moves) {
                if !moves.is_empty() {
                    fields.push((street, Json::List(moves.iter().map(|word| Json::text(word)).collect())));
                }
            }
        }
        Json::object(fields)
    });
    let seats = Json::List(seats.collect());
    let street = format!("bet{}", decision.street);
    let title = format!("Round {}: {} to {}", decision.round, decision.reply, decision.question);
    let mut fields = vec![("title", Json::text(&title)), ("reason", Json::text(&reason))];
    fields.extend(settings(round.rules()).map(|settings| ("settings", settings)));
    let at =
        [("at", Json::text(&street)), ("asked", Json::raw(asked)), ("facing", Json::raw(decision.to_call))];
    fields.extend([
        ("seats", seats),
        ("decision", Json::object(at)),
        ("expect", Json::object([("bot", expected)])),
    ]);
    Some(format!("{}\n", Json::object(fields)))
}

/// The text of the rubric with these situations, which are in the folder of this name beside it.
pub fn rubric_of(player: &str, folder: &str, count: usize) -> String {
    let interval = HALF_INTERVAL_IN_WORDS.trim_end_matches('.');
    let part = Json::object([
        ("title", Json::text(&format!("Its dearest decisions ({interval})"))),
        ("points", Json::raw(count)),
        ("situations", Json::text(folder)),
    ]);
    let title = format!("What the coach asks {player} again");
    format!("{}\n", Json::object([("title", Json::text(&title)), ("parts", Json::List(vec![part]))]))
}

fn in_words(reply: Reply, to_call: Chips) -> String {
    match reply {
        Reply::Fold => "fold".to_string(),
        Reply::Bet(chips) if chips > to_call => format!("raise {}", chips - to_call),
        Reply::Bet(_) => "call".to_string(),
    }
}

/// What is expected: a reply of the kind of the best one. `None` if the given one is of that kind too: the coach tells no sizes of a
/// raise apart.
fn expected(decision: &AnalysedDecision) -> Option<&'static str> {
    match decision.kinds() {
        [replied, better] if replied == better => None,
        [_, ReplyKind::Fold] => Some("must fold"),
        [ReplyKind::Fold, _] => Some("must not fold"),
        [_, ReplyKind::Call] => Some("must not raise"),
        [_, ReplyKind::Raise] => Some("must raise"),
    }
}

/// The settings that are not the usual ones.
fn settings(rules: Rules) -> Option<Json> {
    let usual = Rules::default();
    let mut fields = Vec::new();
    if rules.ante != usual.ante {
        fields.push(("ante", Json::raw(rules.ante)));
    }
    if rules.raise_cap != usual.raise_cap {
        fields.push(("raise_cap", Json::raw(rules.raise_cap)));
    }
    if rules.short_stack == ShortStack::Ask {
        fields.push(("short_stack", Json::text("ask")));
    }
    (!fields.is_empty()).then(|| Json::object(fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::situation::{JudgedPlayer, RubricSituation, Side};
    use casino_analysis::coach::{Analysis, Coach};
    use casino_stud::cards::Seed;
    use casino_stud::strategies::{Bot, HouseBot, HousePlayer};
    use casino_stud::stud::MAX_SEATS;
    use casino_stud::table::{Question, TableSettings, play_round};
    use casino_stud::tournament::TableGame;

    fn play(bots: &[&str], seed: &str, rounds: u64) -> Vec<NotedRound> {
        let seed = Seed::chosen(seed);
        let player = |name: &&str| HouseBot::named(name).expect("a house bot").seated(name, &seed);
        let mut players: Vec<HousePlayer> = bots.iter().map(player).collect();
        let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 200, rounds);
        let mut noted = Vec::new();
        while game.deal() {
            let Ok(()) = play_round(&mut game, &mut players[..]);
            noted.push(NotedRound::of(&game));
        }
        noted
    }

    /// A bot that replies as was recorded, and at the decision as it is told.
    fn recorded(round: &NotedRound, decision: &AnalysedDecision, there: Reply) -> impl Bot + use<> {
        let mut replies = Vec::new();
        for (turn, made) in round.replies().enumerate() {
            if round.player_at(made.seat) == decision.player {
                replies.push(if turn == decision.turn { there } else { made.reply });
            }
        }
        let mut at = 0;
        move |question: &Question<'_>| {
            at += 1;
            match replies.get(at - 1) {
                Some(reply) if reply.legalise(&question.bounds).is_ok() => *reply,
                _ => Reply::Fold,
            }
        }
    }

    #[test]
    fn the_same_question_is_asked_again_and_passes_only_with_a_better_reply() {
        let bots = ["folder", "random", "caller", "bold", "bluffer"];
        let rounds = play(&bots, "asked again", 120);
        let names: Vec<String> = bots.map(String::from).into();
        assert!(bots.len() < MAX_SEATS);
        let coach = Coach::new(names.clone(), &rounds);
        let decisions = rounds.iter().flat_map(|round| coach.analyse(round)).collect();
        let analysis = Analysis::new(&names, &rounds, decisions);
        let mut kinds = std::collections::BTreeSet::new();
        for decision in analysis.decisions.iter().filter(|decision| decision.judgement.is_mistake()) {
            let round = rounds.iter().find(|round| round.round == decision.round).expect("a round");
            let text = situation_of(round, decision, &names).expect("a mistake");
            let situation =
                RubricSituation::read("again", &text).unwrap_or_else(|error| panic!("{error}: {text}"));
            for (reply, passes) in [(decision.reply, false), (decision.best, true)] {
                let mut bot = JudgedPlayer::in_process(recorded(round, decision, reply));
                let played = situation.play(Side::Here, &mut bot).expect("there is one side");
                let asked = played.decision.map(|at| played.asked[at].text.as_str());
                assert_eq!(asked, Some(decision.question.as_str()), "{text}");
                let choice = played.choice();
                let holds = situation.expectations().iter().all(|expected| expected.holds(choice));
                assert_eq!(holds, passes, "{reply}: {text}");
            }
            kinds.insert(expected(decision));
        }
        assert_eq!(kinds.len(), 4, "folds, calls, raises and no raises were better: {kinds:?}");
    }
}
