//! The starter kits in `bots/`.

/// The languages of the kits, their tools, and the command of the built bot.
pub(crate) const KITS: [(&str, &[&str], &str); 6] = [
    ("java", &["javac", "-version"], "java -cp . Poker"),
    ("python", &["python3", "--version"], "python3 poker.py"),
    ("cpp", &["g++", "--version"], "./poker"),
    ("javascript", &["node", "--version"], "node poker.js"),
    ("rust", &["rustc", "--version"], "./main"),
    ("go", &["go", "version"], "./casino-bot"),
];
