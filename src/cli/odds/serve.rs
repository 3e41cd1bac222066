//! `casino odds --serve`: a line in, a line out.

use std::io::{self, BufRead, Read};

use super::super::{Failure, Output};
use super::{Sampling, shown, written_situation};

/// The longest line that is read. A question at a full table has less than 150 bytes.
const LONGEST: u64 = 4_096;

/// Answers each line of standard input, until it ends. A line that is no question is answered too.
pub(super) fn serve(ends: &Sampling, json: bool) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut output = Output::stdout();
    let mut line = Vec::new();
    let broken = |error: io::Error| Failure::Broke(format!("standard input cannot be read: {error}"));
    while next_line(&mut input, &mut line).map_err(broken)? {
        let text = String::from_utf8_lossy(&line);
        let answer = answer(text.trim_end_matches(['\r', '\n']), ends, json)?;
        output.line(answer)?;
        output.flush()?;
    }
    output.flush()
}

/// Reads the next line; of one that is too long, as much as shows it. Returns whether there was one.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.take(LONGEST + 1).read_until(b'\n', line)?;
    if line.len() as u64 > LONGEST && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(!line.is_empty())
}

/// The answer to a line.
pub(in crate::cli) fn answer(text: &str, ends: &Sampling, json: bool) -> Result<String, Failure> {
    let asked = match text.len() as u64 {
        ..=LONGEST => written_situation::line(text),
        _ => Err(format!("the line is longer than {LONGEST} bytes")),
    };
    let answered = asked.and_then(|asked| ends.odds(&asked.situation, |_| {}).map(|odds| (asked, odds)));
    match (answered, json) {
        (Ok((asked, odds)), true) => shown::json(&asked, &odds, false),
        (Ok((_, odds)), false) => {
            let [share, hand, spade, error] = [odds.share, odds.hand, odds.spade, odds.standard_error];
            Ok(format!("odds:{share:.6}:{hand:.6}:{spade:.6}:{error:.6}"))
        }
        (Err(why), true) => Ok(serde_json::json!({ "error": why }).to_string()),
        (Err(why), false) => Ok(format!("error:{why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_one_line_and_the_last_needs_no_end() {
        let text = format!("short\n{}\nlast", "x".repeat(10_000));
        let mut input = io::Cursor::new(text);
        let mut line = Vec::new();
        let mut lengths = Vec::new();
        while next_line(&mut input, &mut line).unwrap() {
            lengths.push(line.len() as u64);
        }
        assert_eq!(lengths, [6, LONGEST + 1, 4]);
    }
}
