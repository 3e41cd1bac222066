//! Any bytes as modified UTF-8, and as UTF-16 units to be written: the library's reader and writer against the second ones.

use casino_stud::protocol::modified_utf8::{Malformed, decode, decode_units, encode, encode_units};

use super::second_decoder::{read_utf, write_utf};

pub fn body(input: &[u8]) {
    let ours = decode_units(input);
    assert_eq!(ours, read_utf(input).map_err(|offset| Malformed { offset }), "the two readers differ");
    match (&ours, decode(input)) {
        (Ok(units), Ok(text)) => {
            assert!(units.capacity() <= input.len().max(8), "{} units were asked for", units.capacity());
            assert_eq!(text, String::from_utf16_lossy(units));
            assert_eq!(encode(&text), write_utf(&text.encode_utf16().collect::<Vec<_>>()));
            both_write(units);
        }
        (Err(error), Err(same)) => assert_eq!(*error, same),
        (one, other) => panic!("units {one:?}, but text {other:?}"),
    }
    let units: Vec<u16> = input.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    both_write(&units);
}

/// Both writers write the same, and both readers read it again.
fn both_write(units: &[u16]) {
    let mut written = Vec::new();
    encode_units(units.iter().copied(), &mut written);
    assert_eq!(written, write_utf(units), "the two writers differ");
    assert_eq!(decode_units(&written).as_deref(), Ok(units));
}
