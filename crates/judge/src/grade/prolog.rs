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

/// The answer of the predicate, its first solution, or the reason of a missing one: a syntax error comes first.
pub(super) fn answer<'a>(stdout: &'a str, stderr: &str) -> Result<&'a str, String> {
    let line = |line: &&str| line.starts_with(ANSWER_PREFIX) || *line == NO_ANSWER_LINE;
    let last = stdout.lines().rev().find(line);
    let why = match last.map(|line| line.strip_prefix(ANSWER_PREFIX)) {
        Some(Some(answer)) if !answer.split(';').any(|term| term.starts_with('_')) => return Ok(answer),
        Some(Some(_)) => "The predicate leaves its result unbound.",
        Some(None) => "The predicate fails: no clause of it goes for these cards.",
        None if stderr.contains("Unknown procedure: hand_value/3")
            || stderr.contains("Unknown procedure: select_hand/3") =>
        {
            "The predicate is not there when it is asked: the file does not define it, or it is a module that does not export it."
        }
        None => "The predicate gives no answer: it raised an error, or the file does not load.",
    };
    let first = |(before, error): (&str, &str)| {
        let line = before.split(':').find(|part| part.parse::<u32>().is_ok());
        let line = line.map_or_else(String::new, |line| format!(" in line {line}"));
        format!("The file has a syntax error{line}: {error}. Prolog passes over the clause. ")
    };
    let syntax = stderr.lines().find_map(|line| line.split_once("Syntax error: ")).map(first);
    Err(format!("{}{why}", syntax.unwrap_or_default()))
}

/// The output as a person sees it who asks the question.
pub(super) fn shown(stdout: &str) -> String {
    stdout.replace(NO_ANSWER_LINE, "no")
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
        assert_eq!(answer("Loading...\n\ncasino-answer 29\n", ""), Ok("29"));
        assert!(answer("29\n\ncasino-no\n", "").unwrap_err().contains("fails"));
        assert!(answer("", "").unwrap_err().contains("no answer"));
        assert!(answer("casino-answer _123\n", "").unwrap_err().contains("unbound"));
        let syntax = "Warning: x\nERROR: /a/c.pl:312:20: Syntax error: Unexpected end of file\n";
        let why = answer("casino-no\n", syntax).unwrap_err();
        assert!(
            why.starts_with("The file has a syntax error in line 312: Unexpected end of file. "),
            "{why}"
        );
        assert!(
            answer("", "ERROR: Unknown procedure: hand_value/3").unwrap_err().contains("does not export it")
        );
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
