//! Text that people wrote with whatever editor their system has.

use std::fs;
use std::io;
use std::path::Path;

/// What some editors put before the first letter of a text.
const MARK: char = '\u{feff}';

/// The text of a file, without the mark that some editors put before it. Its lines end as they were written.
///
/// # Errors
/// If it cannot be read, or is no UTF-8: what it is instead, if that can be seen, and what helps.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_of(fs::read(path)?).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))
}

/// The text without the mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        // This is what `>` writes in older versions of PowerShell.
        return Err("it is UTF-16; save it as UTF-8".to_string());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8; save it as UTF-8")
    })?;
    Ok(without_mark(&text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_goes_and_what_is_no_utf_8_is_said() {
        let read = |bytes: &[u8]| text_of(bytes.to_vec());
        assert_eq!(read("\u{feff}ä\r\nb".as_bytes()), Ok("ä\r\nb".to_string()));
        assert_eq!(read("a\u{feff}".as_bytes()), Ok("a\u{feff}".to_string()));
        assert_eq!(read(b""), Ok(String::new()));
        assert_eq!(read(b"\xff\xfe{\0}\0"), Err("it is UTF-16; save it as UTF-8".to_string()));
        assert_eq!(read(b"\xfe\xff\0{\0}"), Err("it is UTF-16; save it as UTF-8".to_string()));
        assert_eq!(read(b"a\r\nM\xfcller"), Err("line 2 is not UTF-8; save it as UTF-8".to_string()));
    }

    #[test]
    fn a_file_that_is_not_there_is_said_to_be_so() {
        let missing = std::env::temp_dir().join("casino-day-no-such-text");
        assert_eq!(read_text(&missing).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
