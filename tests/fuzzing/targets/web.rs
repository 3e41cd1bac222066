//! Any bytes on a connection to the page or the console of a tournament.

use casino_day::driven::{Address, SecretTournament, answer};

use super::dice::Dice;

/// The token that inputs of the corpus bring.
const TOKEN: &str = "the-token-of-the-console";

const GITHUB_IDS: [&str; 2] = ["canary-of-steph", "canary-of-ada"];

const SEED: &str = "canary-of-the-seed";

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let kind = dice.byte();
    let address = if kind.is_multiple_of(2) { Address::Page } else { Address::Console };
    let tournament =
        SecretTournament { token: TOKEN, github_ids: GITHUB_IDS, seed: SEED, is_over: kind & 2 == 2 };
    let sent = dice.rest();
    let answered = answer(address, tournament, sent).expect("there is a runtime");
    let told = String::from_utf8_lossy(&answered);

    let has_token = contains(sent, TOKEN.as_bytes());
    let may_know = address == Address::Console && has_token;
    for secret in GITHUB_IDS.iter().chain([&SEED]) {
        let sent_it = contains(sent, secret.as_bytes());
        assert!(may_know || sent_it || !told.contains(secret), "{secret} is told by {address:?}: {told}");
    }
    assert!(has_token || !told.contains(TOKEN), "the token is told by {address:?}: {told}");
    if answered.is_empty() {
        return;
    }
    let status = told.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse::<u16>().ok());
    let status = status.unwrap_or_else(|| panic!("no status: {told}"));
    assert!((100..500).contains(&status), "{status}: {told}");
    // Every response with content forbids other sources.
    if status == 200 {
        let head = told.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
        for rule in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff"] {
            assert!(head.contains(rule), "{rule} is missing: {head}");
        }
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
