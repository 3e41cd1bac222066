//! The report of a rating as it is printed by `--json`, and read again by `--baseline`.

use std::path::Path;

use casino_analysis::rating::RatingReport;
use casino_stud::hex::hex;
use casino_stud::json_error::in_words;
use casino_system::files::read_text;
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::cli::Failure;

const DIGEST_FIELD: &str = "sha256";

/// The report as one JSON object. Its last field is the SHA-256 of the object without it.
pub(super) fn printed(report: &RatingReport) -> Result<String, serde_json::Error> {
    let object = serde_json::to_string(report)?;
    let digest = hex(Sha256::digest(&object));
    let fields = object.strip_suffix('}').unwrap_or(&object);
    Ok(format!("{fields},\"{DIGEST_FIELD}\":\"{digest}\"}}"))
}

/// The report in a file, which may have been laid out anew since it was printed.
pub(super) fn read(path: &Path) -> Result<RatingReport, Failure> {
    let refuse = |why: String| Failure::Usage(format!("--baseline {}: {why}", path.display()));
    let text = read_text(path).map_err(|error| refuse(error.to_string()))?;
    parsed(&text).map_err(refuse)
}

fn parsed(text: &str) -> Result<RatingReport, String> {
    let is_none =
        |error: serde_json::Error| format!("this is no output of `casino rate --json`: {}", in_words(&error));
    let mut fields: Map<String, Value> = serde_json::from_str(text).map_err(is_none)?;
    let digest = fields.remove(DIGEST_FIELD);
    let report = RatingReport::deserialize(Value::Object(fields)).map_err(is_none)?;
    let Some(digest) = digest else {
        return Err(format!(
            "it has no field {DIGEST_FIELD}, with which `casino rate --json` ends: play that rating again"
        ));
    };
    let object = serde_json::to_string(&report).map_err(is_none)?;
    if digest != hex(Sha256::digest(object)) {
        return Err("it has changed since it was printed: its SHA-256 is another one than it says; play that rating again".into());
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use casino_analysis::rating::{BotPlayers, Contestant, PlanTerms, RatingPlan, play};
    use casino_stud::cards::Seed;
    use casino_stud::strategies::HouseBot;

    use super::*;

    fn report() -> RatingReport {
        let bots = ["caller", "simple"].map(|name| HouseBot::named(name).unwrap());
        let contestants = bots.iter().map(|bot| Contestant::house(bot.name, bot)).collect();
        let terms = PlanTerms {
            seats: 2,
            rounds: 60,
            tournaments: 1,
            seed: Seed::chosen("kept"),
            ..PlanTerms::default()
        };
        let plan = RatingPlan::new(contestants, terms).unwrap();
        let played = play(&plan, &mut [BotPlayers::house(bots.to_vec())]).unwrap();
        RatingReport::new(&plan, &played, None)
    }

    #[test]
    fn no_report_that_has_changed_by_one_bit_is_read_as_another() {
        let report = report();
        let text = printed(&report).unwrap();
        assert_eq!(parsed(&format!("{text}\n")).as_ref(), Ok(&report));
        let laid_out = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&text).unwrap()).unwrap();
        assert_eq!(parsed(&laid_out).as_ref(), Ok(&report), "another layout is no change");
        for bit in 0..8 * text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let Ok(flipped) = String::from_utf8(flipped) else { continue };
            // The last of very many digits may make no other number.
            assert!(
                parsed(&flipped).is_ok_and(|read| read == report) || parsed(&flipped).is_err(),
                "{flipped}"
            );
        }
    }

    #[test]
    fn a_report_without_its_sum_is_refused() {
        let bare = serde_json::to_string(&report()).unwrap();
        assert!(parsed(&bare).unwrap_err().contains("has no field sha256"));
    }
}
