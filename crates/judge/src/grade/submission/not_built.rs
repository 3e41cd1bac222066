//! A compiler's output, with a hint before it where the sources are not to blame.

const DOWNLOAD_FAILURES: [&str; 5] = [
    "you're using offline mode",
    "no matching package named",
    "failed to get `",
    "failed to download",
    "Could not resolve host",
];

/// The hint before the compiler's output; empty if the output is clear.
pub(super) fn hint(output: &str) -> &'static str {
    if DOWNLOAD_FAILURES.iter().any(|words| output.contains(words)) {
        "Packages that it needs could not be had, because there is no network where programs are built. This says nothing \
         about its sources: hand them in together with the packages (`cargo vendor`).\n"
    } else if lacks_main(output) {
        "None of the sources is a program: no source has a main.\n"
    } else {
        ""
    }
}

/// Whether a linker has missed nothing but the function with which a program begins.
fn lacks_main(output: &str) -> bool {
    let missing = |line: &&str| line.contains("undefined reference to") || line.contains("\"_main\"");
    let mut lines = output.lines().filter(missing).peekable();
    lines.peek().is_some() && lines.all(|line| line.ends_with("to `main'") || line.contains("\"_main\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linker_that_misses_main_alone_is_understood() {
        let start =
            "/usr/bin/ld: Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n";
        assert!(lacks_main(start) && hint(start).contains("no source has a main"));
        assert!(!lacks_main(&format!("{start}x.cpp:(.text+0x5): undefined reference to `Deck::reset()'\n")));
        assert!(!lacks_main("x.cpp:1: error: expected ';'"));
        assert_eq!(hint("x.cpp:1: error: expected ';'"), "");
    }

    #[test]
    fn a_crate_that_is_not_there_is_no_mistake_in_the_sources() {
        let cargo = "error: no matching package named `rand` found\nlocation searched: crates.io index\n";
        assert!(hint(cargo).contains("could not be had") && hint(cargo).contains("cargo vendor"));
        assert_eq!(hint("error[E0432]: unresolved import `rand`"), "");
    }
}
