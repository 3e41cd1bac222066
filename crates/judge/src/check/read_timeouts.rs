//! Signs in a program's files that it may stop waiting for the dealer.

use std::path::Path;

use casino_system::files;

/// Names with which languages set the time that a read may take. Compiled Java has them too.
const SIGNS: [&str; 9] = [
    "setSoTimeout",
    "settimeout(",
    "setdefaulttimeout",
    "timeout=",
    ".setTimeout(",
    "SO_RCVTIMEO",
    "set_read_timeout",
    "SetReadDeadline",
    "SetDeadline",
];

/// Files that are read at most, and the bytes of each.
const MAX_FILES: usize = 200;
const MAX_BYTES: u64 = 256 << 10;

/// The first sign in the files beside those of a command line, which runs in a folder.
pub(super) fn sign_of(folder: &Path, command: &str) -> Option<&'static str> {
    // `java Poker` names a class of the folder itself.
    let mut folders = vec![folder.to_path_buf()];
    for word in command.split_whitespace() {
        let path = folder.join(word.trim_matches(['\'', '"']));
        folders.extend(path.is_dir().then(|| path.clone()));
        folders.extend(path.parent().filter(|_| path.is_file()).map(Path::to_path_buf));
    }
    let all = folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
    let plain =
        all.filter(|entry| entry.metadata().is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES));
    plain.take(MAX_FILES).find_map(|entry| {
        let content = files::read(&entry.path()).ok()?;
        SIGNS.into_iter().find(|sign| content.windows(sign.len()).any(|part| part == sign.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_found_beside_the_files_of_the_command() {
        let folder = std::env::temp_dir().join(format!("casino-read-timeouts-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src")).unwrap();
        std::fs::write(folder.join("src/net.py"), "s = socket.create_connection(at, timeout=2)").unwrap();
        std::fs::write(folder.join("src/bot.py"), "import net").unwrap();
        for (command, found) in [
            ("python3 src/bot.py {host} {port}", Some("timeout=")),
            ("python3 -u 'src/net.py' {host} {port}", Some("timeout=")),
            ("java -cp src Poker", Some("timeout=")),
            ("java Poker", None),
        ] {
            assert_eq!(sign_of(&folder, command), found, "{command}");
        }
        std::fs::write(folder.join("Poker.class"), b"\xca\xfe\0setSoTimeout\0").unwrap();
        assert_eq!(sign_of(&folder, "java Poker"), Some("setSoTimeout"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
