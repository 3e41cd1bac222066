//! The command line: usage errors and help.

use super::*;

/// All other refusals are among the golden commands.
#[test]
fn a_port_in_use_is_refused_before_any_client_could_connect() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("bound").to_string();
    let _listener = std::net::TcpListener::bind(&taken);
    for (flag, address, remedy) in [
        ("--bind", taken.as_str(), "choose another --bind"),
        ("--bind", "203.0.113.7:1", "203.0.113.7:1"),
        ("--web", &taken, "choose another address"),
    ] {
        let bind = if flag == "--web" { ["--bind", "127.0.0.1:0"].as_slice() } else { &[] };
        let output = run(&[&["host", "--players", "2", flag, address], bind].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag} {address}: {said}");
        assert!(said.contains("cannot be listened on") && said.contains(remedy), "{flag} {address}: {said}");
        assert!(!text(&output.stdout).contains("listening"), "{flag} {address}: it listened first");
    }
}

pub(super) fn commands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("Commands:") else { return Vec::new() };
    list.lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .flat_map(|line| {
            // The last line of `casino --help` lists commands without a description.
            let names = line
                .split(';')
                .next()
                .filter(|names| names.trim().split(' ').all(|n| n.ends_with(',') || names.ends_with(n)));
            names.unwrap_or_else(|| line.split_whitespace().next().unwrap_or_default()).split_whitespace()
        })
        .map(|name| name.trim_end_matches(','))
        .filter(|name| *name != "help")
        .map(ToString::to_string)
        .collect()
}

pub(super) fn text_of_help(words: &[String]) -> String {
    let output = casino().args(words).arg("--help").output().expect("the program runs");
    assert!(output.status.success(), "{words:?}");
    text(&output.stdout)
}

/// Checks the examples in a command's help and in those of its subcommands.
fn look_for_examples(words: &[String]) {
    let help = text_of_help(words);
    for under in commands(&help) {
        look_for_examples(&[words, &[under]].concat());
    }
    if commands(&help).is_empty() {
        let command = format!("casino {}", words.join(" "));
        assert!(help.contains("Example") && help.contains(&command), "{words:?}: {help}");
    }
}

#[test]
fn every_commands_help_has_examples() {
    let help = text(&run(&["--help"]).stdout);
    for wanted in ["play", "host", "bots"] {
        assert!(commands(&help).iter().any(|command| command == wanted), "{wanted} is not in {help}");
    }
    look_for_examples(&[]);
}
