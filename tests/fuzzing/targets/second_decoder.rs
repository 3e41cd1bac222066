//! Modified UTF-8 a second time, written from the text of `java.io.DataInput.readUTF` and `java.io.DataOutput.writeUTF`
//! alone. It shares nothing with the library's: it goes by the table of bit patterns that the text has.

/// The patterns of the first byte of a group: mask, value, and the number of bytes of the group.
const FIRST: [(u8, u8, usize); 3] =
    [(0b1000_0000, 0, 1), (0b1110_0000, 0b1100_0000, 2), (0b1111_0000, 0b1110_0000, 3)];

/// The pattern of every further byte of a group.
const FURTHER: (u8, u8) = (0b1100_0000, 0b1000_0000);

/// The other bits of a byte whose telling bits are these, or `None` if they are not.
fn bits_after(telling: u8, wanted: u8, byte: u8) -> Option<u32> {
    (byte & telling == wanted).then_some(u32::from(byte & !telling))
}

/// The result of `readUTF` for these bytes: its chars, or the offset of the group at which it throws.
pub fn read_utf(bytes: &[u8]) -> Result<Vec<u16>, usize> {
    let mut chars = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (bits, group) = FIRST
            .iter()
            .find_map(|(telling, wanted, group)| Some((bits_after(*telling, *wanted, bytes[at])?, *group)))
            .ok_or(at)?;
        let mut char = bits;
        for further in at + 1..at + group {
            let byte = bytes.get(further).ok_or(at)?;
            char = char * 64 + bits_after(FURTHER.0, FURTHER.1, *byte).ok_or(at)?;
        }
        chars.push(u16::try_from(char).expect("three bytes have 16 bits"));
        at += group;
    }
    Ok(chars)
}

/// The bytes `writeUTF` writes for these chars, after the length.
pub fn write_utf(chars: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for char in chars.iter().copied().map(u32::from) {
        // The three rules of the text, in its order.
        if (1..=0x7f).contains(&char) {
            bytes.push(char);
        } else if char == 0 || (0x80..=0x7ff).contains(&char) {
            bytes.extend([0b1100_0000 + char / 64, 0b1000_0000 + char % 64]);
        } else {
            bytes.extend([0b1110_0000 + char / 4096, 0b1000_0000 + char / 64 % 64, 0b1000_0000 + char % 64]);
        }
    }
    bytes.into_iter().map(|byte| u8::try_from(byte).expect("eight bits each")).collect()
}

/// The text of these bytes for people, where they are one.
pub fn text(bytes: &[u8]) -> Option<String> {
    read_utf(bytes).ok().map(|chars| String::from_utf16_lossy(&chars))
}
