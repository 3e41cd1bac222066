//! Amounts of chips, and how people read them.

/// An amount of chips, or a stack of them. Whole and never negative; sums are checked in every build.
pub type Chips = u32;

/// A number as people read it, with commas between the thousands.
pub fn grouped(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_the_thousands() {
        let read = [0u32, 999, 1_000, 15_046, 999_999, 1_000_000].map(grouped);
        assert_eq!(read, ["0", "999", "1,000", "15,046", "999,999", "1,000,000"]);
        assert_eq!([-999i64, -1_000].map(grouped), ["-999", "-1,000"]);
    }
}
