//! A certificate for each player, on a page to print.

use casino_judge::figures::{Document, Markup};
use casino_show::rounds::BoardRow;
use casino_stud::cards::notation::pretty;

use super::data::{BestHand, ReportData};
use super::pages::reached;

/// How a certificate looks: one on a page of A4.
const STYLE: &str = include_str!("certificates.css");

/// The page with all certificates, the champion's first; unranked house bots get none. The tournament must be over.
pub fn certificates(data: &ReportData) -> String {
    let mut page = Document::default();
    let placed = data.info.placing.placed(data.players.len());
    for (row, place) in data.standings.iter().filter_map(|row| Some((row, row.place?))) {
        certificate(data, row, (place, placed), &mut page);
    }
    page.page(&format!("{}: certificates", data.info.occasion.title()), STYLE)
}

/// The certificate for a place among so many players.
fn certificate(data: &ReportData, row: &BoardRow, (place, players): (usize, usize), page: &mut Document) {
    let info = &data.info;
    page.section();
    page.heading(2, info.occasion.title());
    if !info.occasion.venue().is_empty() {
        page.say(info.occasion.venue());
    }
    page.heading(1, Markup::name(&info.players[row.seat - 1]));
    page.classed(
        "place",
        match place {
            1 if players < info.players.len() => {
                format!("Champion: best of {players} players. House bots are not ranked")
            }
            1 => format!("Champion of {players} players"),
            place => format!("Place {place} of {players}"),
        },
    );
    if let Some(BestHand { strength, cards, round }) = &data.players[row.seat - 1].best_hand {
        let cards = cards.map(pretty);
        page.say(format!("Best hand at a showdown: {strength} ({}), in round {round}", cards.join(" ")));
    }
    page.say(match row.left_in_round {
        Some(round) => format!("Played until round {round}. Thank you for playing!"),
        None => format!("In until the end with {}", reached(row)),
    });
    let fingerprint = info
        .promise
        .iter()
        .map(|promise| format!("SHA-256 of the seed, shown before the first deal: {promise}"));
    let seed = info.seed.iter().map(|seed| format!("The seed: {seed}"));
    fingerprint.chain(seed).for_each(|line| page.classed("small", line));
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_show::rounds::TournamentInfo;

    #[test]
    fn every_player_has_a_certificate_with_title_and_escaped_name() {
        let row = |seat: usize, place: usize, left: Option<u64>| BoardRow {
            seat,
            place: Some(place),
            chips: 500,
            points: None,
            left_in_round: left,
            why: left.map(|_| "ran out of chips".to_string()),
            fouls: None,
        };
        let mut data = ReportData::new(TournamentInfo {
            players: vec!["<script>alert(1)</script>".to_string(), "Ada".to_string()],
            occasion: casino_stud::journal::Occasion {
                title: Some("Aces & Kings".parse().unwrap()),
                venue: Some("Room 101, 24 November".parse().unwrap()),
            },
            promise: Some("ab12".to_string()),
            seed: Some("the seed".to_string()),
            ..TournamentInfo::default()
        });
        data.standings = vec![row(2, 1, None), row(1, 2, Some(7))];
        let page = certificates(&data);
        for part in [
            "<title>Aces &amp; Kings: certificates</title>",
            "<p>Room 101, 24 November</p>",
            "<h1><bdi>Ada</bdi></h1>\n<p class=\"place\">Champion of 2 players</p>\n<p>In until the end with 500 chips</p>",
            "<p class=\"place\">Place 2 of 2</p>\n<p>Played until round 7. Thank you for playing!</p>",
            "first deal: ab12</p>\n<p class=\"small\">The seed: the seed</p>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert_eq!(page.matches("<section>").count(), 2);
        assert!(!page.contains("<script"), "{page}");
        // The other one was ejected, and was the last to leave: it is counted.
        data.standings = vec![BoardRow { place: None, ..row(2, 1, Some(7)) }, row(1, 2, Some(7))];
        let page = certificates(&data);
        assert!(page.matches("<section>").count() == 1 && page.contains("Place 2 of 2"), "{page}");
    }
}
