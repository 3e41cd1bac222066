//! The flags, words and exit codes of `casino analyse`.

use casino_host::open_replay;
use std::fs::File;
use std::io::BufReader;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use casino_analysis::coach::{
    Addressee, AnalysedDecision, Analysis, ChipMean, Coach, Notebook, NotedRound, PlayerAnalysis,
};
use casino_analysis::rating::HALF_INTERVAL_IN_WORDS;
use casino_judge::figures::{Cell, DataTable, Document, Markup};
use casino_stud::parallel::cores;
use casino_stud::replay::{Replay, ReplayError, Segment, house_bots, names};
use casino_stud::shown::count;

use crate::report::class_table;

use super::findings::{FindingObject, FindingsObject};
use super::progress::ShownProgress;
use super::terminal::quoted;
use super::values::threads;
use super::{Failure, print_result};

#[derive(Args)]
#[command(
    after_help = "The tournament must be over, because until then hole cards are secret. A proven mistake is worse \
        than another reply for any cards and actions of the opponents. The cost of other decisions is \
        estimated: the rest of the round is played many times with random unseen cards and opponents \
        that follow their habits in this journal; house bots without a memory are asked instead. Only \
        decisions that cost at least ten standard errors for any continuation are reported. \
        docs/coach.md has the proofs, the method and its accuracy.\n\n\
        Exit codes: 0 analysed, 2 the journal is unusable or has no player of that name.\n\n\
        Examples:
  casino analyse casino-day.jsonl
  casino analyse casino-day.jsonl --player Steph
  casino analyse casino-day.jsonl --player Steph --json | jq -r '.findings[].what'"
)]
pub(crate) struct Analyse {
    /// Journal of a finished tournament
    #[arg(value_name = "JOURNAL")]
    journal: PathBuf,
    /// Only this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Number of threads; the analysis does not depend on it [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = threads)]
    jobs: Option<NonZero<usize>>,
    /// Print one JSON object: docs/coach.md
    #[arg(long)]
    json: bool,
}

impl Analyse {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let journal = open_replay(&self.journal).map_err(|error| Failure::of_path(&self.journal, error))?;
        let (names, bots) = (names(journal.header()), house_bots(journal.header()));
        let numbers_tables = journal.header().terms.plan.numbers_tables();
        let player =
            self.player.as_deref().map(|name| player_named(name, &names, &self.journal)).transpose()?;
        let rounds = finished_rounds(journal, &self.journal)?;
        let analysis = analyse(&Coach::new(names, &rounds).asking(&bots), &rounds, self.jobs);
        let wanted = RequestedPlayer(player);
        print_result(self.json, &object(&analysis, wanted), || {
            let mut document = document(&analysis, wanted, numbers_tables);
            if player.is_none() {
                document.section();
                let journal = quoted(&self.journal.to_string_lossy());
                document.say(format!("Next: casino analyse {journal} --player NAME"));
            }
            document
        })
    }
}

/// The number of the player with this name in a journal, from 0.
pub(super) fn player_named(name: &str, names: &[String], journal: &Path) -> Result<usize, Failure> {
    names.iter().position(|other| other == name).ok_or_else(|| {
        let (name, names) = (name.escape_debug(), names.join(", "));
        Failure::of_path(journal, format!("there is no player \"{name}\"; there are {names}"))
    })
}

/// Analyses these rounds, several at once.
pub(super) fn analyse(coach: &Coach, rounds: &[NotedRound], threads: Option<NonZero<usize>>) -> Analysis {
    let bar = ShownProgress::rounds();
    coach.analyse_all(rounds, threads.unwrap_or_else(cores), |done, all| bar.at_of(done, all))
}

/// Why a journal cannot be read on from this path.
pub(super) fn unreadable(path: &Path, error: &ReplayError) -> Failure {
    let hint = match error {
        ReplayError::Differs(_) => "\nIt was changed, or written by another program.",
        ReplayError::Read(_) => "",
    };
    Failure::Usage(format!("{}: {error}{hint}", path.display()))
}

/// The finished rounds of a tournament that is over, from its journal, which is read from this path.
pub(super) fn finished_rounds(
    mut journal: Replay<BufReader<File>>,
    path: &Path,
) -> Result<Vec<NotedRound>, Failure> {
    let (mut notebook, mut rounds) = (Notebook::default(), Vec::new());
    while let Some(part) = journal.next(&mut notebook).map_err(|error| unreadable(path, &error))? {
        if let Segment::Round { .. } = part {
            rounds.extend(notebook.take());
        }
    }
    if journal.is_finished() {
        return Ok(rounds);
    }
    let path = path.display();
    Err(Failure::Usage(format!(
        "{path}: the tournament is not over, and until then hole cards are secret. Play it to its end first: casino \
         resume {path}"
    )))
}

/// The addressee: one player, who is called you, or all.
#[derive(Clone, Copy)]
struct RequestedPlayer(Option<usize>);

impl RequestedPlayer {
    fn has(self, player: usize) -> bool {
        self.0.is_none_or(|wanted| wanted == player)
    }

    fn addressee(self) -> Addressee {
        if self.0.is_some() { Addressee::Player } else { Addressee::Everybody }
    }
}

/// The analysis as an object, whose findings are all mistakes.
fn object(analysis: &Analysis, wanted: RequestedPlayer) -> FindingsObject {
    let decisions = analysis.decisions.iter().filter(|decision| wanted.has(decision.player));
    let findings: Vec<FindingObject> = decisions
        .filter_map(|decision| {
            let AnalysedDecision { name, table, round, question, reply, best, .. } = decision;
            let sentence = decision.sentence(Addressee::Everybody)?;
            Some(FindingObject {
                place: format!("round {round}, table {table}, {name}: {question}"),
                what: sentence,
                expected: Some(best.to_string()),
                got: Some(reply.to_string()),
            })
        })
        .collect();
    let players = analysis.players.iter().filter(|player| wanted.has(player.player));
    let player = |player: &PlayerAnalysis| {
        let mean = |mean: ChipMean| json!({"chips": mean.chips, "half_interval": mean.half_interval()});
        json!({
            "name": player.name,
            "rounds": player.rounds,
            "chips": player.chips,
            "luck": player.luck,
            "less_luck": mean(player.less_luck),
            "given_away": {
                "chips": player.given_away.chips,
                "half_interval": player.given_away_half_interval(),
            },
            "decisions": player.decisions,
            "valued": player.valued,
            "proven_mistakes": player.proven_mistakes,
            "estimated_mistakes": player.estimated_mistakes,
        })
    };
    let result = json!({"rounds": analysis.rounds, "players": players.map(player).collect::<Vec<_>>()});
    FindingsObject { passed: findings.is_empty(), result, findings }
}

/// The analysis as text: a table of all players, then for each player the classes of its mistakes, the costliest ones,
/// and the lessons.
fn document(analysis: &Analysis, wanted: RequestedPlayer, numbers_tables: bool) -> Document {
    let mut document = Document::default();
    let Analysis { rounds, drawn, players, decisions } = analysis;
    let all: u64 = players.iter().map(|player| player.decisions).sum();
    document.say(format!("{}, {}", count(*rounds, "round"), count(all, "decision")));
    if drawn < rounds {
        let valued = decisions.len();
        document.say(format!(
            "The coach valued {valued} decisions, those of {drawn} rounds drawn by lot: mistakes are of these, and given \
             away has the interval of the draw."
        ));
    }
    let players = || analysis.players.iter().filter(|player| wanted.has(player.player) && player.rounds > 0);
    document.section();
    document.table(summary(players()));
    document.say(format!(
        "Chips, and chips less luck of the cards: winnings per round; {HALF_INTERVAL_IN_WORDS} Given away: estimated cost of \
         mistakes per round."
    ));
    for player in players().filter(|player| !player.dearest.is_empty()) {
        let item = |decision: &AnalysedDecision| {
            let AnalysedDecision { table, round, question, reply, best, .. } = decision;
            let table = if numbers_tables { format!(", table {table}") } else { String::new() };
            let what = format!("round {round}{table}: {reply}, better {best}, to {question}");
            let sentence = decision.sentence(wanted.addressee());
            [Some(what), sentence].into_iter().flatten().map(Markup::from).collect()
        };
        document.section();
        document.heading(2, format!("The mistakes of {}:", player.name));
        document.table(class_table(&player.classes));
        document.list("", analysis.dearest(player).map(item).collect());
        document.say(player.lesson_in_words());
    }
    document
}

fn summary<'a>(players: impl Iterator<Item = &'a PlayerAnalysis>) -> DataTable {
    let headings = [
        "chips",
        "less luck",
        "given away",
        "proven",
        "estimated",
        "decisions",
        "rounds",
        "all chips",
        "all luck",
    ];
    let mut table = DataTable::default().words(["player"]).figures(headings);
    for player in players {
        let PlayerAnalysis { less_luck, .. } = player;
        table.row([
            Cell::from(&player.name),
            format!("{:+.2}", player.chips as f64 / player.rounds as f64).into(),
            format!("{:+.2} ± {:<6.2}", less_luck.chips, less_luck.half_interval()).into(),
            player.given_away_in_words().into(),
            player.proven_mistakes.into(),
            player.estimated_mistakes.into(),
            player.valued_in_words().into(),
            player.rounds.into(),
            format!("{:+}", player.chips).into(),
            format!("{:+.1}", player.luck).into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Seed;
    use casino_stud::strategies::{HouseBot, HousePlayer};
    use casino_stud::table::{TableSettings, play_round};
    use casino_stud::tournament::TableGame;

    /// The analysis says so if not all decisions were valued, with the numbers of those that were.
    #[test]
    fn a_draw_of_rounds_is_named() {
        let seed = Seed::chosen("a draw");
        let names = ["caller", "bold", "odds"];
        let seated = |name: &str| HouseBot::named(name).expect("a house bot").seated(name, &seed);
        let mut bots: Vec<HousePlayer> = names.map(seated).into();
        let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 500, 40);
        let mut rounds = Vec::new();
        while game.deal() {
            let Ok(()) = play_round(&mut game, &mut bots[..]);
            rounds.push(NotedRound::of(&game));
        }
        let coach = Coach::new(names.map(String::from).into(), &rounds);
        let text = |coach: &Coach| {
            let analysis = analyse(coach, &rounds, None);
            (document(&analysis, RequestedPlayer(None), false).text(false), analysis)
        };
        let (all, analysis) = text(&coach);
        assert!(!all.contains("by lot") && !all.contains(" of 40"), "{all}");
        let decisions = analysis.decisions.len();
        let (partly, analysis) = text(&coach.valuing(decisions as u64 / 4));
        assert!(partly.contains(&format!("40 rounds, {decisions} decisions")), "{partly}");
        let Analysis { drawn, decisions, players, .. } = &analysis;
        let valued = format!("valued {} decisions, those of {drawn} rounds drawn by lot", decisions.len());
        assert!(partly.contains(&valued), "{partly}");
        for player in players {
            assert!(partly.contains(&format!("{} of {}", player.valued, player.decisions)), "{partly}");
        }
    }
}
