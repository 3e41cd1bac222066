//! The environment of a program without a sandbox: as little of the grader's as programs and compilers need.

use std::env;
use std::ffi::OsString;
use std::path::Path;

/// Variables that programs and compilers need to start. None holds a secret.
const KEPT_VARIABLES: [&str; 18] = [
    "COMMONPROGRAMFILES",
    "COMSPEC",
    "DEVELOPER_DIR",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "JAVA_HOME",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SDKROOT",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "WINDIR",
    "WINEPREFIX",
];

const HOME_VARIABLES: [&str; 7] = ["APPDATA", "HOME", "LOCALAPPDATA", "TEMP", "TMP", "TMPDIR", "USERPROFILE"];

pub(super) fn environment(home: &Path) -> Vec<(OsString, OsString)> {
    let kept = KEPT_VARIABLES.iter().filter_map(|name| Some((OsString::from(name), env::var_os(name)?)));
    let mut variables: Vec<(OsString, OsString)> = kept.collect();
    variables.extend(HOME_VARIABLES.iter().map(|name| (name.into(), home.into())));
    for (name, value) in [("LANG", "C.UTF-8"), ("PYTHONDONTWRITEBYTECODE", "1"), ("GOFLAGS", "-mod=mod")] {
        variables.push((name.into(), value.into()));
    }
    variables.push(("CARGO_HOME".into(), home.join("cargo").into()));
    variables.push(("GOCACHE".into(), home.join("go-build").into()));
    let rustup = || env::home_dir().map(|home| home.join(".rustup")).filter(|folder| folder.is_dir());
    if let Some(folder) = env::var_os("RUSTUP_HOME").or_else(|| rustup().map(OsString::from)) {
        variables.push(("RUSTUP_HOME".into(), folder));
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_a_home_of_its_own_and_the_search_path() {
        let home = env::temp_dir().join("a home");
        let variables = environment(&home);
        let value = |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        assert_eq!(value("HOME"), Some(&OsString::from(&home)));
        assert_eq!(value("PATH"), env::var_os("PATH").as_ref());
        assert_eq!(value("CARGO_MANIFEST_DIR"), None, "what else this process knows stays here");
    }
}
