//! A program with one fault, named by its third argument: each must get the same diagnosis on every system. With
//! `fifteens` and five cards it scores only the fifteens of cribbage, and gets some points for it.

use std::env;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    if let [_, word, cards @ ..] = &arguments[..]
        && word == "fifteens"
    {
        println!("{}", fifteens(cards));
        return Ok(());
    }
    let [_, host, port, fault] = &arguments[..] else {
        eprintln!("usage: faulty HOST PORT FAULT");
        std::process::exit(2);
    };
    let mut stream = TcpStream::connect((host.as_str(), port.parse().expect("PORT is a number")))?;
    let mut questions = 0;
    loop {
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        let mut text = vec![0; usize::from(u16::from_be_bytes(length))];
        stream.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let reply = match text.split(':').next() {
            Some("login") => "faulty:Faulty",
            Some("bet1" | "bet2") => {
                questions += 1;
                match fault.as_str() {
                    "bets-too-much" => "bet:5000",
                    "wrong-word" => "I call",
                    "dies" if questions == 2 => std::process::exit(3),
                    "sleeps" => {
                        std::thread::sleep(Duration::from_secs(60));
                        "fold"
                    }
                    _ => "fold",
                }
            }
            Some("done") => return Ok(()),
            _ => continue,
        };
        let length = u16::try_from(reply.len()).expect("a reply is short");
        let length = if fault == "little-endian" { length.to_le_bytes() } else { length.to_be_bytes() };
        stream.write_all(&[&length[..], reply.as_bytes()].concat())?;
    }
}

/// Two points for each way to make fifteen of these cards.
fn fifteens(cards: &[String]) -> u32 {
    let worth = |card: &String| match card.chars().next() {
        Some('A') => 1,
        Some(digit @ '2'..='9') => digit.to_digit(10).expect("a digit"),
        _ => 10,
    };
    let sum = |ways: u32| -> u32 {
        let chosen = cards.iter().enumerate().filter(|(index, _)| ways >> index & 1 == 1);
        chosen.map(|(_, card)| worth(card)).sum()
    };
    (0..1 << cards.len()).filter(|ways| sum(*ways) == 15).count() as u32 * 2
}
