//! The environment of a sandboxed program.

use std::env;
use std::path::{Path, PathBuf};

use super::bubblewrap::toolchains;

/// The environment variables of a program; `sees_all` keeps the whole search path.
pub(super) fn environment(home: &Path, sees_all: bool) -> Vec<(String, String)> {
    let mut variables = vec![
        ("HOME".to_string(), home.display().to_string()),
        ("TMPDIR".to_string(), home.display().to_string()),
        ("LANG".to_string(), "C.UTF-8".to_string()),
        ("PATH".to_string(), search_path(sees_all)),
        ("PYTHONDONTWRITEBYTECODE".to_string(), "1".to_string()),
        ("CARGO_HOME".to_string(), home.join("cargo").display().to_string()),
        ("GOCACHE".to_string(), home.join("go-build").display().to_string()),
        ("GOFLAGS".to_string(), "-mod=mod".to_string()),
    ];
    let rustup = toolchains().into_iter().find(|folder| folder.ends_with(".rustup"));
    if let Some(folder) = env::var("RUSTUP_HOME").ok().or(rustup.map(|path| path.display().to_string())) {
        variables.push(("RUSTUP_HOME".into(), folder));
    }
    variables
}

fn search_path(sees_all: bool) -> String {
    let toolchains = toolchains();
    let path = env::var_os("PATH").unwrap_or_default();
    let visible = |folder: &PathBuf| {
        sees_all
            || ["/usr", "/opt", "/nix/store", "/snap"].iter().any(|part| folder.starts_with(part))
            || toolchains.iter().any(|part| folder.starts_with(part))
    };
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let mut folders: Vec<PathBuf> = env::split_paths(&path).filter(visible).collect();
    for folder in system {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    env::join_paths(folders)
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_else(|_| "/usr/bin:/bin".to_string())
}
