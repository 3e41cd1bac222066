//! Writes JSON that people like to read: in the order it is made, and on one line where it fits.

use std::fmt;

#[derive(Clone)]
pub(crate) enum Json {
    Value(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The longest line, in characters.
const WIDTH: usize = 110;

impl Json {
    pub(crate) fn text(text: &str) -> Json {
        Json::Value(serde_json::Value::from(text).to_string())
    }

    pub(crate) fn raw(number: impl fmt::Display) -> Json {
        Json::Value(number.to_string())
    }

    pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
    }

    fn on_one_line(&self) -> String {
        let key = |key: &String| serde_json::Value::from(key.as_str()).to_string();
        match self {
            Json::Value(text) => text.clone(),
            Json::List(list) => {
                format!("[{}]", list.iter().map(Json::on_one_line).collect::<Vec<_>>().join(", "))
            }
            Json::Object(fields) => {
                let field =
                    |(name, value): &(String, Json)| format!("{}: {}", key(name), value.on_one_line());
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let line = self.on_one_line();
        let fits = depth > 0 && 2 * depth + line.chars().count() <= WIDTH;
        let indent = "  ".repeat(depth + 1);
        match self {
            Json::List(list) if !fits && !list.is_empty() => {
                for (index, value) in list.iter().enumerate() {
                    write!(f, "{}\n{indent}", if index == 0 { "[" } else { "," })?;
                    value.write(f, depth + 1)?;
                }
                write!(f, "\n{}]", "  ".repeat(depth))
            }
            Json::Object(fields) if !fits && !fields.is_empty() => {
                for (index, (key, value)) in fields.iter().enumerate() {
                    let key = serde_json::Value::from(key.as_str());
                    write!(f, "{}\n{indent}{key}: ", if index == 0 { "{" } else { "," })?;
                    value.write(f, depth + 1)?;
                }
                write!(f, "\n{}}}", "  ".repeat(depth))
            }
            _ => f.write_str(&line),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
