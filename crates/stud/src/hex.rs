//! Bytes in hexadecimal.

use std::fmt::Write;

/// The bytes as pairs of small hexadecimal digits, as `sha256sum` prints them.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    separated(bytes.as_ref(), "")
}

/// As [`hex`], with a space between the bytes: for people.
pub fn spaced(bytes: impl AsRef<[u8]>) -> String {
    separated(bytes.as_ref(), " ")
}

fn separated(bytes: &[u8], separator: &str) -> String {
    let mut text = String::with_capacity(bytes.len() * (2 + separator.len()));
    for (index, byte) in bytes.iter().enumerate() {
        let before = if index > 0 { separator } else { "" };
        write!(text, "{before}{byte:02x}").expect("a String takes every text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_two_digits() {
        assert_eq!(hex([0, 0x0a, 0xff]), "000aff");
        assert_eq!(spaced([0, 0x0a, 0xff]), "00 0a ff");
        assert_eq!((hex([]), spaced([])), (String::new(), String::new()));
    }
}
