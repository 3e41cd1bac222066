//! Asking the predicates of a Prolog file, one process for each question.

use std::path::Path;

use casino_stud::cards::{Card, Notation};

/// Marks the line of an answer, so that the file's own output cannot be mistaken for one.
const ANSWER_PREFIX: &str = "casino-answer ";

const NO_ANSWER_LINE: &str = "casino-no";

/// A question to a predicate, and the term that is its answer.
pub(super) struct Question {
    goal: String,
    answer: &'static str,
}

/// The question to `hand_value/3`.
pub(super) fn value(hand: &[Card], start: Card) -> Question {
    let start = Notation::Prolog.write(start);
    Question { goal: format!("hand_value({},{start},V)", list(hand)), answer: "V" }
}

/// The question to `select_hand/3`. The answer is the hand, a semicolon and the crib.
pub(super) fn select(dealt: &[Card]) -> Question {
    Question { goal: format!("select_hand({},H,C)", list(dealt)), answer: "H;C" }
}

/// The command with which a person asks the question.
pub(super) fn typed(file: &Path, Question { goal, answer }: &Question) -> Vec<String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let goal = format!("{goal},print({answer}),nl");
    ["swipl", "-g", &goal, "-t", "halt", &name].map(String::from).into()
}

/// The command that asks the question of a file.
pub(super) fn ask(file: &Path, Question { goal: predicate, answer }: &Question) -> Vec<String> {
    // A file that ends Prolog while it is loaded is judged all the same: `halt` is cancelled until its end, `abort` fails.
    let goal = format!(
        "current_prolog_flag(argv,A),append(_,[F],A),asserta(user:casino_loading),\
         redefine_system_predicate(user:abort),assertz((user:abort:-fail)),\
         at_halt((user:casino_loading->cancel_halt(loading);true)),catch(load_files(F,[]),L,print_message(error,L)),\
         retractall(user:casino_loading),catch(({predicate}->format(\"~n{ANSWER_PREFIX}~q~n\",[{answer}]);format(\"~n{NO_ANSWER_LINE}~n\")),E,\
         (print_message(error,E),halt(2))),halt(0)"
    );
    let file = file.display().to_string();
    ["swipl", "-q", "-f", "none", "-g", &goal, "-t", "halt(3)", "--", &file].map(String::from).into()
}

/// The answer of the predicate: its first solution.
pub(super) fn answer(stdout: &str) -> Result<&str, &'static str> {
    for line in stdout.lines().rev() {
        if let Some(answer) = line.strip_prefix(ANSWER_PREFIX) {
            let is_unbound = answer.split(';').any(|term| term.starts_with('_'));
            return if is_unbound { Err("The predicate leaves its result unbound.") } else { Ok(answer) };
        }
        if line == NO_ANSWER_LINE {
            return Err("The predicate fails: no clause of it goes for these cards.");
        }
    }
    Err("The predicate gives no answer: it raised an error, or the file does not load.")
}

fn list(cards: &[Card]) -> String {
    let terms: Vec<String> = cards.iter().map(|card| Notation::Prolog.write(*card)).collect();
    format!("[{}]", terms.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_found_in_other_output() {
        assert_eq!(answer("Loading...\n\ncasino-answer 29\n"), Ok("29"));
        assert!(answer("29\n\ncasino-no\n").unwrap_err().contains("fails"));
        assert!(answer("").unwrap_err().contains("no answer"));
        assert!(answer("casino-answer _123\n").unwrap_err().contains("unbound"));
    }

    #[test]
    fn the_question_is_a_ground_goal() {
        let cards: Vec<Card> = ["TH", "AC"].map(|card| card.parse().unwrap()).into();
        let question = select(&cards);
        let words = ask(Path::new("my file.pl"), &question);
        assert_eq!(words[0], "swipl");
        assert!(words.iter().any(|word| word.contains("select_hand([card(10,hearts),card(ace,clubs)],H,C)")));
        assert!(words.contains(&"my file.pl".to_string()));
        let typed = typed(Path::new("/copy/my file.pl"), &question).join(" ");
        assert_eq!(
            typed,
            "swipl -g select_hand([card(10,hearts),card(ace,clubs)],H,C),print(H;C),nl -t halt my file.pl"
        );
    }
}
