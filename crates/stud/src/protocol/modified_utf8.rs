//! Java's modified UTF-8, exactly as Java 17's `DataInputStream.readUTF` and `DataOutputStream.writeUTF` have
//! it (R21).
//!
//! A text is a sequence of UTF-16 units, each written in one, two or three bytes; a character beyond the
//! basic plane is written as its two surrogates. `readUTF` is lenient: a raw NUL, overlong forms and lone
//! surrogates pass; four-byte sequences and truncated ones don't. So does this.

/// The error of bytes that are no modified UTF-8, or that end within a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed modified UTF-8 at byte {offset}")]
pub struct Malformed {
    /// Where the first bad sequence begins, counted in bytes from 0.
    pub offset: usize,
}

/// The UTF-16 units `readUTF` would return.
pub fn decode_units(bytes: &[u8]) -> Result<Vec<u16>, Malformed> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        let trailing = |byte: &u8| (byte & 0xC0 == 0x80).then_some(u16::from(byte & 0x3F));
        let (unit, tail) = match (first >> 4, tail) {
            (0..=7, tail) => (Some(u16::from(*first)), tail),
            (12 | 13, [second, tail @ ..]) => {
                (trailing(second).map(|second| u16::from(first & 0x1F) << 6 | second), tail)
            }
            (14, [second, third, tail @ ..]) => (
                trailing(second)
                    .zip(trailing(third))
                    .map(|(second, third)| u16::from(first & 0x0F) << 12 | second << 6 | third),
                tail,
            ),
            _ => (None, tail),
        };
        units.push(unit.ok_or(Malformed { offset: bytes.len() - rest.len() })?);
        rest = tail;
    }
    Ok(units)
}

/// The text for people: lone surrogates, which no Rust text can hold, become U+FFFD.
pub fn decode(bytes: &[u8]) -> Result<String, Malformed> {
    decode_units(bytes).map(|units| String::from_utf16_lossy(&units))
}

/// Appends the bytes `writeUTF` would write for these UTF-16 units, without the length in front.
pub fn encode_units(units: impl IntoIterator<Item = u16>, to: &mut Vec<u8>) {
    for unit in units {
        match unit {
            0x01..=0x7F => to.push(unit as u8),
            0x00 | 0x80..=0x7FF => to.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
            0x800.. => to.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
}

/// The bytes `writeUTF` would write for this text, without the length in front. `writeUTF` itself refuses
/// more than 65,535 of them.
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    encode_units(text.encode_utf16(), &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn modified_utf8_matches_java() {
        assert_eq!(decode_units(b"bet:5"), Ok("bet:5".encode_utf16().collect()));
        assert_eq!(decode_units(&[0xC0, 0x80, 0x00]), Ok(vec![0, 0]));
        assert_eq!(decode_units(&[0xC1, 0xA6]), Ok(vec![u16::from(b'f')]), "overlong f");
        assert_eq!(decode_units(&[0xED, 0xA0, 0x80]), Ok(vec![0xD800]), "lone surrogate");
        for (bytes, offset) in [
            (&[0xF0, 0x9F, 0x98, 0x80][..], 0),
            (&[b'a', 0xC3], 1),
            (&[b'a', b'b', 0xE2, 0x82], 2),
            (&[0xC3, b'a'], 0),
            (&[0x80], 0),
        ] {
            assert_eq!(decode_units(bytes), Err(Malformed { offset }), "{bytes:?}");
            let words = format!("malformed modified UTF-8 at byte {offset}");
            assert_eq!(decode(bytes).unwrap_err().to_string(), words);
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(units in prop::collection::vec(any::<u16>(), 0..80)) {
            let mut bytes = Vec::new();
            encode_units(units.iter().copied(), &mut bytes);
            prop_assert_eq!(decode_units(&bytes), Ok(units));
        }

        #[test]
        fn any_bytes_are_read_or_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Err(Malformed { offset }) = decode_units(&bytes) {
                prop_assert!(offset < bytes.len());
                prop_assert!(decode_units(&bytes[..offset]).is_ok());
            }
        }
    }
}
