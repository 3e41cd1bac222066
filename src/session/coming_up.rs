//! What is played next, in words for the room.

use casino_stud::tournament::EventPlan;

/// What so many players play by this plan; at one table if there is none.
pub(super) fn coming_up(plan: Option<&EventPlan>, players: usize) -> Option<String> {
    let Some(plan) = plan else {
        return (players >= 2).then(|| format!("one table of {players}"));
    };
    if players < plan.format.rules().fewest_players.max(1) {
        return None;
    }
    let tables = tables_of(players, plan.seats);
    let is_one = players <= plan.seats;
    let words = match plan.format.rules().name {
        "freezeout" if is_one => tables,
        "freezeout" => format!("{tables}, then the last table"),
        "shootout" if is_one => tables,
        "shootout" => format!("{tables}; the winner of each goes on"),
        "knockout" => format!("{players} players, two at a table; the winners go on"),
        "round-robin" => match players.div_ceil(plan.seats) {
            1 => format!("{players} players, everyone against everyone"),
            pods => format!("{pods} groups, in each everyone against everyone"),
        },
        "gauntlet" if players == 1 => format!("one player against {}", plan.against.join(", ")),
        "gauntlet" => format!("{players} players, each against {}", plan.against.join(", ")),
        "rounds" => format!("{tables}; everyone plays all rounds"),
        other => format!("{tables} ({other})"),
    };
    Some(match plan.series {
        0 | 1 => words,
        series => format!("{words}; {series} tournaments for points"),
    })
}

/// So many players at as few tables as hold them, as evenly as they can be spread.
fn tables_of(players: usize, seats: usize) -> String {
    let tables = players.div_ceil(seats);
    let fewest = players / tables;
    match (tables, players % tables) {
        (1, _) => format!("one table of {players}"),
        (_, 0) => format!("{tables} tables of {fewest}"),
        _ => format!("{tables} tables of {fewest} or {}", fewest + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::tournament::Format;

    fn plan(format: &str, seats: usize) -> EventPlan {
        EventPlan {
            format: Format::named(format).expect("there is such a format"),
            seats,
            level_rounds: 100,
            balance: casino_stud::tournament::Balance::Levels,
            antes: Vec::new(),
            series: 1,
            points: Vec::new(),
            against: vec!["odds".to_string()],
        }
    }

    #[test]
    fn what_comes_is_said_for_every_format_and_size() {
        assert_eq!(coming_up(None, 4).as_deref(), Some("one table of 4"));
        assert_eq!(coming_up(None, 1), None);
        let says = |format: &str, players| coming_up(Some(&plan(format, 8)), players).unwrap_or_default();
        assert_eq!(says("freezeout", 32), "4 tables of 8, then the last table");
        assert_eq!(says("freezeout", 30), "4 tables of 7 or 8, then the last table");
        assert_eq!(says("freezeout", 8), "one table of 8");
        assert_eq!(says("shootout", 16), "2 tables of 8; the winner of each goes on");
        assert_eq!(says("knockout", 9), "9 players, two at a table; the winners go on");
        assert_eq!(says("round-robin", 8), "8 players, everyone against everyone");
        assert_eq!(says("round-robin", 9), "2 groups, in each everyone against everyone");
        assert_eq!(says("gauntlet", 1), "one player against odds");
        assert_eq!(says("rounds", 9), "2 tables of 4 or 5; everyone plays all rounds");
        assert_eq!(says("freezeout", 1), "");
        let series = EventPlan { series: 3, ..plan("freezeout", 8) };
        assert_eq!(coming_up(Some(&series), 8).as_deref(), Some("one table of 8; 3 tournaments for points"));
    }
}
