use super::*;
use crate::cards::Seed;
use crate::strategies::{Bot, HOUSE};
use crate::table::TableSettings;
use crate::tournament::{EventBots, play};

struct Checked(Picture);

impl Recorder for Checked {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        if matches!(event, TableEvent::Dealt { .. }) {
            self.0.follower.begin();
        }
        self.0.event(tournament, event, true);
        self.0.keep_stacks();
        for (width, height) in [(80, 24), (20, 5), (200, 60), (1, 1), (0, 0)] {
            let lines = self.0.lines(width, height);
            assert!(lines.len() <= height);
            for line in &lines {
                assert!(measure_text_width(line) <= width, "{line}");
                assert!(!console::strip_ansi_codes(line).contains(char::is_control), "{line:?}");
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_picture_fits_every_terminal_and_tells_who_leads_and_who_left() {
    let seed = Seed::chosen("screen");
    // Two columns a letter, none, and one.
    let strange = ["\u{674e}\u{5c0f}\u{9f8d}".repeat(8), "\u{e01}\u{e33}".to_string()];
    let names: Vec<String> =
        strange.into_iter().chain(HOUSE.iter().map(|bot| bot.name.to_string())).take(HOUSE.len()).collect();
    let mut checked = Checked(Picture::new(names.clone(), 500));
    let game = TableGame::new(TableSettings::default(), &seed, HOUSE.len(), 100, 500);
    let mut event = Event::from(game);
    let bots: Vec<Box<dyn Bot>> =
        HOUSE.iter().map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) }).collect();
    play(&mut event, &mut EventBots::new(bots), &mut checked).unwrap();
    assert!(checked.0.past.len() <= PAST);
    let lines: Vec<String> =
        checked.0.lines(100, 40).iter().map(|line| console::strip_ansi_codes(line).into_owned()).collect();
    let best = event.standings().places()[0].player;
    assert!(lines[3].contains(&names[best]), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("is out in round")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains(['♠', '♥', '♦', '♣'])), "{lines:#?}");
}
