//! A recorded tournament as one file that is opened without a server: the page of the replay, and in it everything that the
//! page would ask for.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

use casino_judge::figures::PAGE_MARK;

use super::audience::{SCRIPTS, STYLES};
use super::replay::{REPLAY_PAGE, REPLAY_SCRIPTS};
use crate::session::ShowMinutes;
use crate::show::ReplayPage;

/// The stored lengths of the show, in minutes. The page stretches the nearest one for other lengths.
const SHOWS: [u32; 12] = [1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 60, 90];

/// The content policy of the page in a file: it loads nothing from elsewhere and sends nothing.
const RULES: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
                     script-src 'unsafe-inline' data:; style-src 'unsafe-inline'\" />";

/// The script with which the page begins.
const FIRST: &str = "replay.js";

/// The most bytes of answers in a file: more than a browser takes in a few seconds.
const MAX_ANSWER_BYTES: usize = 128 << 20;

/// A page is too large for one file.
#[derive(Debug, Error)]
#[error(
    "a page of all {rounds} rounds is more than a browser loads: {fitting} rounds fill the {} MB that it may have",
    most >> 20
)]
pub struct PageTooLarge {
    rounds: u64,
    fitting: u64,
    most: usize,
}

impl ReplayPage {
    /// Returns the page as one file, with no more than the page may show: see [`ReplayPage::keeping_secrets`]. `progress`
    /// is called with the numbers of rounds in the file and of all rounds.
    pub fn file(&self, progress: impl FnMut(u64, u64)) -> Result<String, PageTooLarge> {
        self.file_within(MAX_ANSWER_BYTES, progress)
    }

    /// The same with so many bytes of answers at most.
    pub(crate) fn file_within(
        &self,
        most: usize,
        progress: impl FnMut(u64, u64),
    ) -> Result<String, PageTooLarge> {
        let mut page = REPLAY_PAGE
            .replace("<link rel=\"icon\" href=\"/icon.svg\" />", &format!("{PAGE_MARK} />\n{RULES}"));
        for (path, _, text) in STYLES {
            let link = format!("<link rel=\"stylesheet\" href=\"{path}\" />");
            page = page.replace(&link, &format!("<style>\n{text}</style>"));
        }
        let script = format!("<script type=\"module\" src=\"/{FIRST}\"></script>");
        let (above, below) = page.split_once(&script).expect("the page has its script");
        let mut file = format!(
            "{above}<script type=\"importmap\">{}</script>\n<script type=\"application/json\" id=\"kept\">",
            modules()
        );
        self.answers(&mut file, most, progress)?;
        file.push_str("</script>\n<script type=\"module\">import \"");
        file.push_str(FIRST);
        file.push_str("\";</script>");
        file.push_str(below);
        Ok(file)
    }

    /// Appends the answers of a server by request.
    fn answers(
        &self,
        file: &mut String,
        most: usize,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<(), PageTooLarge> {
        let index = self.index();
        let (begin, rounds) = (file.len(), index.rounds as u64);
        let mut keep = |path: &str, answer: &Value| {
            file.push(if file.len() == begin { '{' } else { ',' });
            // The text of a script ends at the first such tag, also inside a string.
            file.push_str(&format!("{}:{answer}", json!(path)).replace('<', "\\u003c"));
            file.len() - begin <= most
        };
        keep("/index", &value(&index));
        keep("/coach", &value(&self.coach()));
        keep("/jumps", &value(&self.jumps()));
        keep("/race", &value(&self.whole_race()));
        keep("/ceremony", &value(&self.ceremony()));
        for minutes in SHOWS {
            keep(&format!("/show/{minutes}"), &value(&self.programme(ShowMinutes::clamped(minutes))));
        }
        for (number, round) in (1..).zip(self.all_rounds()) {
            // Its race is a part of the whole one, which is kept once.
            let mut round = value(&round.without_race());
            round["race"].take();
            let frames = round["frames"].take();
            round["frames"] = in_changes(frames.as_array().map_or(&[], Vec::as_slice));
            keep(&format!("/round/{number}"), &round);
            if !keep(&format!("/decisions/{number}"), &value(&self.decisions(number).flatten())) {
                return Err(PageTooLarge { rounds, fitting: number - 1, most });
            }
            progress(number, rounds);
        }
        file.push('}');
        Ok(())
    }
}

fn value(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("an answer is plain data")
}

/// The first of these values, and the change of each to the next.
fn in_changes(frames: &[Value]) -> Value {
    let changes = frames.windows(2).map(|pair| change(&pair[0], &pair[1]).unwrap_or_else(|| json!({})));
    frames.iter().take(1).cloned().chain(changes).collect()
}

/// The change from one value to another: `{"=": value}` replaces it, any other object names its changed parts. `None`
/// if they are equal.
fn change(before: &Value, after: &Value) -> Option<Value> {
    if before == after {
        return None;
    }
    let parts: Map<String, Value> = match (before, after) {
        (Value::Object(before), Value::Object(after)) if before.keys().eq(after.keys()) => {
            let part = |(key, value): (&String, &Value)| Some((key.clone(), change(&before[key], value)?));
            after.iter().filter_map(part).collect()
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let pairs = before.iter().zip(after).enumerate();
            pairs.filter_map(|(at, (one, other))| Some((at.to_string(), change(one, other)?))).collect()
        }
        _ => return Some(json!({ "=": after })),
    };
    Some(Value::Object(parts))
}

/// The scripts that the page needs, by their names, as a map for imports. In a file a script cannot be found by its path, so
/// they import one another by name.
fn modules() -> Value {
    let mut modules = Map::new();
    let mut wanted = vec![FIRST];
    while let Some(name) = wanted.pop() {
        if modules.contains_key(name) {
            continue;
        }
        let mut all = SCRIPTS.iter().chain(&REPLAY_SCRIPTS);
        let (_, _, text) = all
            .find(|(path, ..)| path.trim_start_matches('/') == name)
            .expect("a script of the page is part of it");
        let imported = text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next());
        // Of types only comments speak.
        wanted.extend(imported.filter(|name| name.ends_with(".js")));
        let text = text.replace("from \"./", "from \"");
        modules.insert(name.to_string(), Value::String(as_address(&text)));
    }
    json!({ "imports": modules })
}

/// A script as an address that holds it.
fn as_address(script: &str) -> String {
    let mut address = "data:text/javascript;charset=utf-8,".to_string();
    for byte in script.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'('
            | b')'
            | b';'
            | b','
            | b'=' => {
                address.push(byte.into());
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies a change as the page's script does.
    fn changed(before: &Value, change: &Value) -> Value {
        if let Some(value) = change.get("=") {
            return value.clone();
        }
        let mut after = before.clone();
        for (key, part) in change.as_object().unwrap() {
            let part_before = key.parse::<usize>().ok().and_then(|at| before.get(at)).unwrap_or(&before[key]);
            let part = changed(part_before, part);
            match key.parse::<usize>() {
                Ok(at) if after.is_array() => after[at] = part,
                _ => after[key] = part,
            }
        }
        after
    }

    #[test]
    fn a_change_makes_the_next_value_of_the_one_before() {
        let values = [
            json!({"pot": 1, "turn": null, "seats": [{"bet": 0}, {"bet": 1}], "war": null}),
            json!({"pot": 3, "turn": 2, "seats": [{"bet": 2}, {"bet": 1}], "war": null}),
            json!({"pot": 3, "turn": 2, "seats": [{"bet": 2}, {"bet": 1}], "war": null}),
            json!({"pot": 3, "turn": null, "seats": [{"bet": 2}], "war": {"from": 3}}),
            json!({"pot": 3, "turn": null, "seats": [], "war": {"from": 3, "to": 9}}),
        ];
        let kept = in_changes(&values);
        let kept = kept.as_array().unwrap();
        assert_eq!(kept[1], json!({"pot": {"=": 3}, "turn": {"=": 2}, "seats": {"0": {"bet": {"=": 2}}}}));
        let mut seen = vec![kept[0].clone()];
        kept[1..].iter().for_each(|change| seen.push(changed(seen.last().unwrap(), change)));
        assert_eq!(seen, values);
        assert_eq!(in_changes(&[]), json!([]));
    }

    #[test]
    fn the_scripts_of_a_file_find_one_another() {
        let modules = modules();
        let imports = modules["imports"].as_object().unwrap();
        assert!(imports.contains_key("table.js") && !imports.contains_key("lobby.js"));
        for (name, address) in imports {
            let address = address.as_str().unwrap();
            assert!(!address.contains("from%20%22.%2F"), "{name}");
            assert!(address.bytes().all(|byte| byte.is_ascii_graphic()), "{name}");
        }
    }
}
