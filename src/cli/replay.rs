//! The flags, words and exit codes of `casino replay`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::session::{ShowMinutes, open_page};
use crate::show::ReplayPage;
use crate::web::serve_replay;
use casino_analysis::coach::{Addressee, Coach, NotedRound};
use casino_host::{block_on, open_replay};
use casino_stud::journal::{HeaderPlayer, Reader};
use casino_stud::replay::{
    HouseBots, PublicRecord, PublicRecordError, Replay, ReplayError, RoundPrinter, RoundSelection, Segment,
    TurnNotes, house_bots, names,
};

use casino_judge::figures::PAGE_MARK;
use casino_stud::shown;
use casino_system::files::{self, write_output};

use super::analyse::{analyse, finished_rounds, player_named, unreadable};
use super::progress::ShownProgress;
use super::terminal::quoted;
use super::values::{ALL_INTERFACES, address, positive, show_minutes};
use super::{Failure, Output, output};

#[derive(Args)]
#[command(after_help = "Shows public names only, never a GitHubId.\n\n\
        Exit codes: 0 done, 2 unusable command line or journal.\n\n\
        Examples:
  casino replay casino-day.jsonl
  casino replay casino-day.jsonl --round 12
  casino replay casino-day.jsonl --round 12 --coach
  casino replay casino-day.jsonl --fouls --player Steph
  casino replay casino-day.jsonl --web 127.0.0.1:8080
  casino replay casino-day.jsonl --html replay.html
  casino replay casino-day.jsonl --public record.jsonl
  casino replay casino-day.jsonl --player Steph --hide")]
pub(crate) struct ReplayCommand {
    /// Journal of the tournament
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// Only this round
    #[arg(long, value_name = "N", value_parser = positive::<u64>())]
    round: Option<u64>,
    /// Only this table of an event
    #[arg(long, value_name = "TABLE", value_parser = positive::<u32>())]
    table: Option<u32>,
    /// Only rounds this player was dealt in
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only rounds with a foul, and then a summary: whose fouls, of which kind, how often
    #[arg(long, conflicts_with_all = ["round", "hide", "web", "html", "public"])]
    fouls: bool,
    /// Print only the messages and replies of this player
    #[arg(long, requires = "player")]
    hide: bool,
    /// Show the cost and reason of each mistake, as `casino analyse` does
    #[arg(long, conflicts_with_all = ["hide", "web"])]
    coach: bool,
    /// Serve the replay as a page at this port or address
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES), conflicts_with_all = ["round", "table", "player"])]
    web: Option<SocketAddr>,
    /// Write the replay to one HTML file without secrets, which opens without a server
    #[arg(long, value_name = "FILE", conflicts_with_all = ["round", "table", "player", "web", "coach"])]
    html: Option<PathBuf>,
    /// With --html: include all hole cards, the seed and the coach, for the teacher
    #[arg(long, requires = "html")]
    holes: bool,
    /// Write a public record without secrets, which `casino verify` accepts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["round", "table", "player", "web", "coach", "html"])]
    public: Option<PathBuf>,
    /// Length of the page's replay in minutes
    #[arg(long, value_name = "N", conflicts_with_all = ["public"], value_parser = show_minutes(1))]
    minutes: Option<ShowMinutes>,
}

impl ReplayCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let journal = open_replay(&self.journal).map_err(|error| self.unusable(error))?;
        match (self.web, &self.html, &self.public) {
            (Some(address), ..) => self.serve(journal, address),
            (None, Some(file), _) => self.write_page(file),
            (None, None, Some(file)) => self.write_record(file),
            (None, None, None) if self.minutes.is_some() => {
                Err(Failure::Usage("--minutes says how long the page plays: add --web or --html".to_string()))
            }
            (None, None, None) => self.show(journal),
        }
    }

    /// Writes the page as one file. It is made of the public record, so that it can tell no more than that.
    fn write_page(&self, file: &Path) -> Result<(), Failure> {
        let (_, late, record) = self.public_record()?;
        let read = Reader::new(&record[..]).map_err(ReplayError::from);
        let journal = read
            .and_then(|lines| Replay::new(lines, HouseBots::AsRecorded))
            .map(|journal| journal.knowing(late));
        let (page, rounds) = self.page(journal.map_err(|error| self.differs(&error))?)?;
        let page = match self.holes {
            true if !page.is_finished() => {
                return Err(self.unusable(
                    "the tournament is not over, and its hole cards are secret: leave out --holes",
                ));
            }
            true => {
                page.coached(rounds);
                page
            }
            false => page.keeping_secrets(),
        };
        let bar = ShownProgress::rounds();
        let page = page.file(|done, all| bar.at_of(done, all));
        drop(bar);
        let page = page.map_err(|error| {
            let journal = quoted(&self.journal.to_string_lossy());
            Failure::Usage(format!("{error}. This shows all of them:\n  casino replay {journal} --web 8080"))
        })?;
        self.write(file, page.as_bytes(), PAGE_MARK)
    }

    /// Writes the record that may be given away.
    fn write_record(&self, file: &Path) -> Result<(), Failure> {
        let (is_over, _, record) = self.public_record()?;
        if !is_over {
            let why = "the tournament is not over, and the record would reveal all future cards";
            return Err(self.unusable(why));
        }
        let first = String::from_utf8_lossy(record.split(|byte| *byte == b'\n').next().unwrap_or_default());
        self.write(file, &record, &first)
    }

    /// Whether the tournament is over, who came in late, and its public record.
    fn public_record(&self) -> Result<(bool, Vec<HeaderPlayer>, Vec<u8>), Failure> {
        let open = || files::open(&self.journal).map(BufReader::new).map_err(|error| self.unusable(error));
        let failed = |error| match error {
            PublicRecordError::Replay(error) => self.differs(&error),
            PublicRecordError::Changed | PublicRecordError::Io(_) => self.unusable(error),
        };
        let record = PublicRecord::of(open()?).map_err(failed)?;
        for name in record.revealing_names() {
            output::remark(&format!(
                "The name {} gives a GitHubId away, as it did on the day: it is the teacher's, and stays.",
                shown::one_line(name)
            ));
        }
        let (is_over, late, mut bytes) = (record.is_over(), record.late(), Vec::new());
        record.write(open()?, &mut bytes).map_err(failed)?;
        Ok((is_over, late, bytes))
    }

    /// Writes a public file, which may replace one with this mark, and prints its path.
    fn write(&self, file: &Path, bytes: &[u8], mark: &str) -> Result<(), Failure> {
        write_output(file, bytes, &[mark])
            .map_err(|error| Failure::Usage(format!("{} cannot be written: {error}", file.display())))?;
        output::print(file.display())
    }

    /// The page with all finished rounds, and these rounds for the coach.
    fn page(&self, journal: Replay<impl BufRead>) -> Result<(ReplayPage, Vec<NotedRound>), Failure> {
        let seed = journal.header().seed().map_err(|why| self.unusable(why))?;
        let (page, rounds) = ReplayPage::of(journal, &seed).map_err(|error| self.differs(&error))?;
        Ok((page.playing_itself(self.minutes), rounds))
    }

    /// Shows the whole journal on a page until the process ends.
    fn serve(&self, journal: Replay<BufReader<File>>, address: SocketAddr) -> Result<(), Failure> {
        let (page, rounds) = self.page(journal)?;
        let ready = |address| {
            output::remark(&open_page("Until Ctrl-C is pressed the replay", address));
        };
        let served = block_on(serve_replay(page, address, rounds, ready)).map_err(Failure::runtime)?;
        served.map_err(|error| Failure::Usage(format!("{address} cannot be listened on: {error}")))
    }

    fn show(&self, mut journal: Replay<BufReader<File>>) -> Result<(), Failure> {
        if self.table.is_some_and(|table| table > 1) && !journal.header().terms.plan.numbers_tables() {
            return Err(self.unusable("there is one table in it: leave --table out"));
        }
        let names = names(journal.header());
        let player =
            self.player.as_deref().map(|name| player_named(name, &names, &self.journal)).transpose()?;
        let mut output = Output::stdout();
        let (round, table, fouls, hide) = (self.round, self.table, self.fouls, self.hide);
        let selection = RoundSelection { round, table, player, fouls, hide };
        let paint = output.colours();
        let mut printer = RoundPrinter::new(journal.header(), selection, paint);
        if self.coach {
            printer = printer.with_notes(self.coach_notes()?);
        }
        while let Some(part) = journal.next(&mut printer).map_err(|error| self.differs(&error))? {
            let Segment::Round { .. } = part else { continue };
            let Some(text) = printer.round() else { continue };
            output.text(text)?;
        }
        if let (Some(round), 0) = (self.round, printer.printed()) {
            let last = journal.event().rounds_played();
            let player = self.player.as_ref().map(|name| format!(" with {name} in it")).unwrap_or_default();
            return Err(
                self.unusable(format!("there is no round {round}{player}; the last one is round {last}"))
            );
        }
        output.text(printer.end(&journal))?;
        if self.coach {
            let (journal, name) = (self.journal.to_string_lossy(), self.player.as_deref().unwrap_or("NAME"));
            output.line(format_args!(
                "Next: casino analyse {} --player {}",
                quoted(&journal),
                quoted(name)
            ))?;
        }
        output.flush()
    }

    /// The coach's verdict on each mistake, by table and round.
    fn coach_notes(&self) -> Result<BTreeMap<(u32, u64), TurnNotes>, Failure> {
        let journal = open_replay(&self.journal).map_err(|error| self.unusable(error))?;
        let (names, bots) = (names(journal.header()), house_bots(journal.header()));
        let mut rounds = finished_rounds(journal, &self.journal)?;
        let coach = Coach::new(names, &rounds).asking(&bots).valuing(u64::MAX);
        rounds.retain(|round| {
            let is_wanted = self.round.is_none_or(|wanted| wanted == round.round);
            is_wanted && self.table.is_none_or(|wanted| wanted == round.table)
        });
        let mut notes: BTreeMap<(u32, u64), TurnNotes> = BTreeMap::new();
        // Only the author of a request for one player's rounds is that player.
        let spoken_to = self.player.as_deref();
        for decision in analyse(&coach, &rounds, None).decisions {
            let is_player = spoken_to == Some(decision.name.as_str());
            let to = if is_player { Addressee::Player } else { Addressee::Everybody };
            if let Some(sentence) = decision.sentence(to) {
                let round = notes.entry((decision.table, decision.round)).or_default();
                round.insert(decision.turn, sentence);
            }
        }
        Ok(notes)
    }

    fn unusable(&self, error: impl std::fmt::Display) -> Failure {
        Failure::of_path(&self.journal, error)
    }

    /// Text printed before a damage in the journal remains.
    fn differs(&self, error: &ReplayError) -> Failure {
        unreadable(&self.journal, error)
    }
}
