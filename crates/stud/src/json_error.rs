//! Describes errors of JSON files for the author of the file.

use serde_json::error::Category;

use crate::shown;

/// The sentence for an error, with the line and column of it.
pub fn in_words(error: &serde_json::Error) -> String {
    match (error.line(), error.column()) {
        (0, _) => without_place(error),
        (line, column) => format!("line {line}, column {column}: {}", without_place(error)),
    }
}

/// The error as one line without its position, for callers that add one.
pub fn without_place(error: &serde_json::Error) -> String {
    // It may name a field or a word of the file.
    let text = shown::one_line(&error.to_string()).into_owned();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = text.strip_suffix(&place).unwrap_or(&text);
    match error.classify() {
        Category::Eof => "the file ends in the middle of it".to_string(),
        Category::Syntax => format!("this is not JSON: {what}"),
        Category::Data | Category::Io => data(what),
    }
}

/// The sentence for valid JSON of the wrong shape.
fn data(what: &str) -> String {
    let after = |start: &str| what.strip_prefix(start)?.split_once(", expected ");
    if let Some((found, wanted)) = after("invalid type: ") {
        format!("{} is needed here, not {}", thing(wanted), kind(found))
    } else if let Some((found, wanted)) = after("invalid value: ") {
        format!("{} is needed here, and {} is none", thing(wanted), kind(found))
    } else if let Some((found, known)) = after("unknown field ") {
        format!("there is no field {found}; there are {}", list(known))
    } else if let Some((found, known)) = after("unknown variant ") {
        format!("{found} cannot stand here: write {}", list(known))
    } else if let Some(field) = what.strip_prefix("duplicate field ") {
        format!("the field {field} is there twice: keep one of the two")
    } else if let Some(field) = what.strip_prefix("missing field ") {
        format!("the field {field} is missing")
    } else {
        what.to_string()
    }
}

fn list(known: &str) -> String {
    known.strip_prefix("one of ").unwrap_or(known).to_string()
}

/// The expected value, without names of Rust types.
fn thing(wanted: &str) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative".to_string(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_string(),
        "f32" | "f64" => "a number".to_string(),
        "a nonzero usize" | "a nonzero u32" | "a nonzero u64" => "a whole number from 1".to_string(),
        "a string" | "a borrowed string" | "path string" => "a text in double quotes".to_string(),
        "a boolean" => "true or false".to_string(),
        "a sequence" => "a list in square brackets".to_string(),
        _ if wanted.starts_with("struct ") || wanted == "a map" => "an object in braces".to_string(),
        _ if wanted.starts_with("enum ") || wanted.contains("identifier") => {
            "one of the words for it".to_string()
        }
        _ => wanted.to_string(),
    }
}

fn kind(found: &str) -> String {
    match found.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("integer" | "floating", number)) => {
            format!("the number {}", number.trim_start_matches("point ").trim_matches('`'))
        }
        Some(("boolean", value)) => value.trim_matches('`').to_string(),
        _ if found == "map" => "an object".to_string(),
        _ if found == "sequence" => "a list".to_string(),
        _ => found.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Example {
        rounds: Option<u64>,
        bots: Vec<String>,
        relogin: Option<bool>,
    }

    #[test]
    fn people_read_no_types_of_ours() {
        for (text, words) in [
            (
                r#"{"bots": [], "rounds": "many"}"#,
                "line 1, column 29: a whole number that is not negative is needed",
            ),
            (r#"{"bots": [], "rounds": -1}"#, "and the number -1 is none"),
            (r#"{"bots": [], "rounds": 1.5}"#, "not the number 1.5"),
            (r#"{"bots": "bold"}"#, "a list in square brackets is needed here, not the text \"bold\""),
            (r#"{"bots": [], "relogin": 1}"#, "true or false is needed here, not the number 1"),
            (r#"{"bots": [], "round": 1}"#, "there is no field `round`; there are `rounds`, `bots`"),
            (r#"{}"#, "the field `bots` is missing"),
            (r#"{"bots": [], "bots": []}"#, "the field `bots` is there twice"),
            ("5", "an object in braces is needed here, not the number 5"),
            ("{", "the file ends in the middle of it"),
            ("{'a'}", "this is not JSON"),
        ] {
            let said = in_words(&serde_json::from_str::<Example>(text).unwrap_err());
            assert!(said.contains(words), "{text}: {said}");
            assert!(!said.contains("struct") && !said.contains("u64"), "{said}");
        }
    }
}
