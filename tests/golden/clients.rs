//! Players on plain sockets, which record every byte they receive and send.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};

use casino_stud::protocol::modified_utf8;

use crate::host::PATIENCE;

/// A player's reply to an [odd](is_odd) question. All other questions it answers legally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    Sound,
    Folds,
    /// It bets a chip more than it has.
    OverTheStack,
    OverTheCap,
    /// It bets a chip less than it has to.
    TooLittle,
    /// It sends an unknown word.
    AnotherWord,
    /// It sends the name of a command with unusual characters.
    StrangeWord,
    /// It announces a message that is too long.
    LongHeader,
    BadText,
    HangsUp,
    /// It closes its connection in the middle of a message.
    HalfMessage,
    /// It is silent until it receives another message.
    Silent,
}

/// A player who wants to come in.
#[derive(Clone, Copy)]
pub(crate) struct Player {
    pub(crate) id: &'static str,
    pub(crate) avatar: &'static str,
    pub(crate) habit: Habit,
}

/// The reply depends on the question's text alone, so that a returning player decides as before.
struct Asked {
    stack: u32,
    to_call: u32,
    number: u32,
}

impl Asked {
    fn new(text: &str) -> Asked {
        let fields: Vec<&str> = text.split(':').collect();
        let number = |at: usize| fields[at].parse().unwrap();
        // The hash FNV-1a.
        let hash = text
            .bytes()
            .fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Asked { stack: number(1), to_call: number(3), number: hash >> 8 }
    }

    /// Whether the player applies its habit to this question.
    fn is_odd(&self) -> bool {
        self.number.is_multiple_of(6)
    }

    fn sound(&self) -> String {
        let dear = self.to_call > 12 && !self.number.is_multiple_of(4);
        if dear || self.to_call > self.stack {
            return "fold".to_string();
        }
        let raise = if self.number.is_multiple_of(3) { self.number % 11 } else { 0 };
        format!("bet:{}", (self.to_call + raise).min(self.stack))
    }
}

/// The bytes of a message, the length before the text.
fn frame(text: &[u8]) -> Vec<u8> {
    [&u16::try_from(text.len()).unwrap().to_be_bytes()[..], text].concat()
}

impl Player {
    pub(crate) const fn new(id: &'static str, avatar: &'static str, habit: Habit) -> Player {
        Player { id, avatar, habit }
    }

    /// The bytes of the answer to a question, and whether it goes after them.
    fn answer(&self, text: &str) -> (Vec<u8>, bool) {
        let asked = Asked::new(text);
        let bet = |chips: u32| (frame(format!("bet:{chips}").as_bytes()), false);
        let sound = (frame(asked.sound().as_bytes()), false);
        if !asked.is_odd() {
            return sound;
        }
        match self.habit {
            Habit::Sound => sound,
            Habit::Folds => (frame(b"fold"), false),
            Habit::OverTheStack => bet(asked.stack + 1),
            Habit::OverTheCap => bet(asked.to_call + 11),
            Habit::TooLittle if asked.to_call == 0 => sound,
            Habit::TooLittle => bet(asked.to_call - 1),
            Habit::AnotherWord => (frame(b"call"), false),
            Habit::StrangeWord => {
                (frame(&modified_utf8::encode("done:\0 \u{1b}[31m Zo\u{eb} \u{1f600}")), false)
            }
            Habit::LongHeader => (vec![0x10, 0x00], false),
            Habit::BadText => (frame(&[b'b', 0xff, 0xfe, b't']), false),
            Habit::HangsUp => (Vec::new(), true),
            Habit::HalfMessage => (vec![0, 5, b'b', b'e'], true),
            Habit::Silent => (Vec::new(), false),
        }
    }

    /// Plays until the dealer or the player closes the connection. Returns all bytes of both.
    pub(crate) fn play(self, address: SocketAddr) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut script = String::new();
        loop {
            let Some(heard) = message(&mut stream) else {
                script += "< (closed)\n";
                return script;
            };
            note(&mut script, '<', &heard);
            let text = String::from_utf8_lossy(&heard[2..]).into_owned();
            let (said, goes) = match text.split(':').next().unwrap() {
                "login" => (frame(&modified_utf8::encode(&format!("{}:{}", self.id, self.avatar))), false),
                "bet1" | "bet2" => self.answer(&text),
                _ => continue,
            };
            if !said.is_empty() {
                note(&mut script, '>', &said);
                stream.write_all(&said).unwrap();
            }
            if goes {
                stream.shutdown(Shutdown::Write).unwrap();
                script += "> (closed)\n";
                return script;
            }
        }
    }

    /// The same in a new thread.
    pub(crate) fn start(self, address: SocketAddr) -> JoinHandle<String> {
        thread::spawn(move || self.play(address))
    }
}

/// The bytes of the next message with its length; `None` at the end.
fn message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 2];
    if let Err(error) = stream.read_exact(&mut bytes) {
        let timed_out = matches!(error.kind(), std::io::ErrorKind::WouldBlock);
        assert!(!timed_out, "nothing came for {PATIENCE:?}");
        return None;
    }
    bytes.resize(2 + usize::from(u16::from_be_bytes([bytes[0], bytes[1]])), 0);
    stream.read_exact(&mut bytes[2..]).unwrap();
    Some(bytes)
}

/// Records the bytes of one side: a readable message as text, others as numbers.
fn note(script: &mut String, side: char, bytes: &[u8]) {
    let (length, text) = bytes.split_at(2);
    write!(script, "{side} {:02x}{:02x} ", length[0], length[1]).unwrap();
    for byte in text {
        match byte {
            b' '..=b'[' | b']'..=b'~' => script.push(char::from(*byte)),
            _ => write!(script, "\\x{byte:02x}").unwrap(),
        }
    }
    script.push('\n');
}
