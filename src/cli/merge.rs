//! The command `casino merge`, which joins the parts of a rating.

use std::path::PathBuf;

use clap::Args;

use casino_analysis::rating::Shard;

use super::Failure;
use super::rate::{RatingPart, ReportArgs};

#[derive(Args)]
#[command(after_help = "The parts may be given in any order, but all of them must be there. The result is \
        the same to the byte as from one machine.\n\n\
        Exit codes: 0 done, 2 the parts are incomplete.\n\n\
        Examples:
  casino merge rate-*-of-8.json
  casino merge parts/*.json --json > result.json")]
pub(crate) struct Merge {
    /// Files written by `casino rate --shard`
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Merge {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let whole = join(&self.parts)?;
        self.report.print_report(&whole, None)
    }
}

fn join(paths: &[PathBuf]) -> Result<RatingPart, Failure> {
    let refuse = |why: String| Err(Failure::Usage(why));
    let mut parts = Vec::new();
    for path in paths {
        parts.push((path.display(), RatingPart::read(path)?));
    }
    let (first_path, first) =
        parts.first().map(|(path, part)| (path.to_string(), part.clone())).expect("clap asks for one");
    for (path, part) in &parts {
        if let Some(other) = part.plan.difference(&first.plan) {
            return refuse(format!("{path} and {first_path} are not parts of the same rating: {other}"));
        }
        if part.shard.parts() != first.shard.parts() {
            return refuse(format!(
                "{path} is part {} and {first_path} is part {}: they were not shared out alike",
                part.shard, first.shard
            ));
        }
    }
    parts.sort_by_key(|(_, part)| part.shard.number());
    for pair in parts.windows(2) {
        let [(one, first), (other, second)] = pair else { unreachable!("windows of two") };
        if first.shard == second.shard {
            return refuse(format!("{one} and {other} are both part {}: give one of them", first.shard));
        }
    }
    let all = first.shard.parts();
    let is_there = |number: &u64| parts.iter().any(|(_, part)| part.shard.number() == *number);
    if let Some(number) = (1..=all).find(|number| !is_there(number)) {
        return refuse(format!("part {number}/{all} is missing: {} files are not the whole", parts.len()));
    }
    let mut parts = parts.into_iter().map(|(_, part)| part);
    let mut whole = parts.next().expect("there is a first part");
    for part in parts {
        whole.played.append(&part.played);
    }
    whole.shard = Shard::WHOLE;
    Ok(whole)
}
