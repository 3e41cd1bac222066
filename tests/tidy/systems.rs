//! Only crates/system may contain code that differs between systems.

use crate::rust_files;

/// Code that only the system package may contain.
const SIGNS: [&str; 9] = [
    "cfg(windows)",
    "cfg(unix)",
    "cfg(not(windows))",
    "cfg(not(unix))",
    "target_os",
    "target_family",
    "std::os::",
    "cfg!(windows)",
    "cfg!(unix)",
];

/// The crates that know one kind of system only.
const CRATES: [&str; 6] = ["nix", "rustix", "landlock", "windows", "process_wrap", "anstyle_query"];

/// The system package, and the Linux sandbox, which a macro of that package chooses.
const ROOMS: [&str; 2] = ["crates/system/", "crates/judge/src/sandbox/linux/"];

/// The system-specific code in a source, outside its comments.
fn signs(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names_crate = |line: &str, name: &str| {
        line.match_indices(&format!("{name}::")).any(|(at, _)| {
            !line[..at].ends_with(|c: char| is_name(c) || c == ':')
                || line[..at].trim_end().ends_with("use ::")
        })
    };
    let mut found = Vec::new();
    for (number, line) in code.iter().enumerate() {
        let spaceless: String = line.split_whitespace().collect();
        let signs = SIGNS.iter().filter(|sign| spaceless.contains(**sign));
        let crates = CRATES.iter().filter(|name| names_crate(line, name));
        found.extend(signs.chain(crates).map(|sign| format!("{}: {sign}", number + 1)));
        // `cfg(any(windows, …))`, `cfg(all(unix, …))` and their like.
        if spaceless.contains("cfg")
            && spaceless.split(|c: char| !is_name(c)).any(|word| word == "windows" || word == "unix")
        {
            found.push(format!("{}: {}", number + 1, line.trim()));
        }
    }
    found
}

#[test]
fn only_the_room_for_systems_knows_which_system_it_is() {
    let files = rust_files();
    let is_source = |file: &str| file.starts_with("src/") || file.starts_with("crates/");
    let (inside, outside): (Vec<_>, Vec<_>) = files
        .iter()
        .filter(|(file, _)| is_source(file))
        .partition(|(file, _)| ROOMS.iter().any(|room| file.starts_with(room)));
    assert!(inside.iter().any(|(file, _)| file.starts_with(ROOMS[0])), "the room for systems was not found");
    let elsewhere: Vec<String> = outside
        .iter()
        .flat_map(|(file, text)| signs(text).into_iter().map(move |sign| format!("{file}:{sign}")))
        .collect();
    assert!(elsewhere.is_empty(), "move this to crates/system:\n{}", elsewhere.join("\n"));
}

#[test]
fn system_specific_code_is_found() {
    for text in [
        "#[cfg(windows)]",
        "#[cfg(any(test, windows))]",
        "#[cfg_attr(unix, path = \"x\")]",
        "if cfg!(target_os = \"linux\") {",
        "use std::os::fd::OwnedFd;",
        "let x = nix::unistd::getpid();",
    ] {
        assert!(!signs(text).is_empty(), "{text}");
    }
    for text in
        ["// cfg(windows)", "let windows = 3;", "fn phoenix::x()", "slice.windows(2)", "use crate::unix::x;"]
    {
        assert_eq!(signs(text), Vec::<String>::new(), "{text}");
    }
}
