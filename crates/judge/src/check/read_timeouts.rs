//! Signs in a program's files that it may stop waiting for the dealer.

use std::path::Path;
use std::time::Duration;

use casino_system::files;

/// Names with which languages set the time that a read may take. Compiled Java has them too.
const SIGNS: [&str; 12] = [
    "setSoTimeout",
    "settimeout(",
    "setdefaulttimeout",
    "timeout=",
    ".setTimeout(",
    "SO_RCVTIMEO",
    "set_read_timeout",
    "SetReadDeadline",
    "SetDeadline",
    "signal.alarm(",
    "select(",
    "poll(",
];

/// How long a copy waits for a message where there is a sign: longer than the common timeouts of 5 s, and than one that is
/// written behind the sign, up to a limit.
const MIN_WAIT: Duration = Duration::from_millis(5_500);
const MAX_WAIT: Duration = Duration::from_secs(31);

/// Files that are read at most, and the bytes of each.
const MAX_FILES: usize = 200;
const MAX_BYTES: u64 = 256 << 10;

/// A sign in the files beside those of a command line, which runs in a folder, and how long a copy waits because of it: the
/// one with the longest time.
pub(super) fn sign_of(folder: &Path, command: &str) -> Option<(&'static str, Duration)> {
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
    let texts = plain.take(MAX_FILES).filter_map(|entry| files::read(&entry.path()).ok());
    let signs = texts.filter_map(|content| sign_in(&String::from_utf8_lossy(&content)));
    signs.max_by_key(|(_, wait)| *wait)
}

fn sign_in(text: &str) -> Option<(&'static str, Duration)> {
    let named = SIGNS.into_iter().find_map(|sign| Some((sign, text.split_once(sign)?.1)));
    // The second argument of Python's `create_connection` needs no name.
    let positional = || {
        let line = text.split_once("create_connection(")?.1.lines().next()?;
        let rest = line.split_once("),")?.1;
        rest.trim_start()
            .starts_with(|letter: char| letter.is_ascii_digit())
            .then_some(("create_connection", rest))
    };
    let (sign, rest) = named.or_else(positional)?;
    let line = rest.lines().next().unwrap_or_default();
    let digits = line.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let end = digits.find(|letter: char| !letter.is_ascii_digit() && letter != '_').unwrap_or(digits.len());
    let number = digits[..end].replace('_', "").parse().unwrap_or(0);
    // Small numbers are seconds, large ones are milliseconds.
    let time = if number < 300 { Duration::from_secs(number) } else { Duration::from_millis(number) };
    let wait = time.saturating_add(Duration::from_millis(500));
    Some((sign, if wait > MAX_WAIT { MIN_WAIT } else { wait.max(MIN_WAIT) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn signs_are_found_beside_the_files_of_the_command() {
        let net = "s = socket.create_connection(at, timeout=2)";
        let folder = ScratchFolder::with(&[("src/net.py", net), ("src/bot.py", "import net")]);
        for (command, found) in [
            ("python3 src/bot.py {host} {port}", Some(("timeout=", MIN_WAIT))),
            ("python3 -u 'src/net.py' {host} {port}", Some(("timeout=", MIN_WAIT))),
            ("java -cp src Poker", Some(("timeout=", MIN_WAIT))),
            ("java Poker", None),
        ] {
            assert_eq!(sign_of(&folder, command), found, "{command}");
        }
        for (text, millis) in [
            ("socket.setSoTimeout(9_000);", 9_500),
            ("s = create_connection((host, int(port)), 10)", 10_500),
            ("c.SetReadDeadline(time.Now().Add(20 * time.Second))", 20_500),
            ("setSoTimeout(60000)", 5_500),
            ("poll(&p, 1, -1)", 5_500),
        ] {
            assert_eq!(sign_in(text).map(|(_, wait)| wait.as_millis()), Some(millis), "{text}");
        }
        assert_eq!(sign_in("s = create_connection((host, int(port)))"), None);
        std::fs::write(folder.join("Poker.class"), b"\xca\xfe\0setSoTimeout\0").unwrap();
        assert_eq!(sign_of(&folder, "java Poker"), Some(("setSoTimeout", MIN_WAIT)));
    }
}
