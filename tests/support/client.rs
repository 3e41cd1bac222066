//! Players who connect to a host that may die at any moment, and come again.

use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};

use casino_day::cards::Seed;
use casino_day::protocol::{Command, modified_utf8, question_text};
use casino_day::strategies::{Bot, HouseBot};
use casino_day::table::{Question, Reply};

use super::settled_reply;

/// Where the host is: known to everyone who waits for it to come back.
#[derive(Clone, Default)]
pub struct Whereabouts(Arc<(Mutex<State>, Condvar)>);

#[derive(Default)]
struct State {
    /// How often the host has said where it is.
    times: u64,
    address: Option<SocketAddr>,
    /// It will not come back.
    over: bool,
}

impl Whereabouts {
    pub fn tell(&self, address: SocketAddr) {
        let mut state = self.0.0.lock().unwrap();
        state.times += 1;
        state.address = Some(address);
        self.0.1.notify_all();
    }

    pub fn close(&self) {
        self.0.0.lock().unwrap().over = true;
        self.0.1.notify_all();
    }

    /// The address the host said after it had said `times` others; `None` if it never will.
    fn after(&self, times: u64) -> Option<(u64, SocketAddr)> {
        let state = self.0.0.lock().unwrap();
        let state = self.0.1.wait_while(state, |state| state.times <= times && !state.over).unwrap();
        state.address.filter(|_| state.times > times).map(|address| (state.times, address))
    }
}

/// What a player was told: every `status` and `done` as it came.
pub type Told = Vec<String>;

/// A player in a thread of its own: it comes back until it is told `done`, and gives out what it was told. Its
/// replies follow from the questions alone; if it is `careless`, some of them are illegal.
pub fn player(id: &str, careless: bool, host: &Whereabouts) -> JoinHandle<Told> {
    player_who(id, host, move |question| reply(question, careless))
}

fn reply(question: &Question<'_>, careless: bool) -> Reply {
    let tired = careless && question.pot > 30 && question.hole.index().is_multiple_of(7);
    if tired { Reply::Bet(question.bounds.most() + 1) } else { settled_reply(question) }
}

/// Plays like [`player`] until the host is gone, or has said `done`: then this is true.
pub fn visit(address: SocketAddr, id: &str, careless: bool, told: &mut Told) -> io::Result<bool> {
    play(address, id, &|question| reply(question, careless), told)
}

/// The same with a house bot behind the socket. It throws its dice anew for each question, so that it answers the same
/// when it is asked the same again.
pub fn house_bot(id: &str, bot: &'static HouseBot, host: &Whereabouts) -> JoinHandle<Told> {
    let owner = id.to_string();
    player_who(id, host, move |question| {
        let dice = Seed::chosen(&owner).stream(&question_text(question));
        bot.player(dice).decide(question)
    })
}

fn player_who(
    id: &str,
    host: &Whereabouts,
    decide: impl Fn(&Question<'_>) -> Reply + Send + 'static,
) -> JoinHandle<Told> {
    let (id, host) = (id.to_string(), host.clone());
    // A hundred of them have little to remember.
    let builder = thread::Builder::new().stack_size(256 * 1024);
    let life = move || {
        let mut told = Vec::new();
        let mut seen = 0;
        while let Some((times, address)) = host.after(seen) {
            seen = times;
            // Whatever goes wrong, the host has died.
            if play(address, &id, &decide, &mut told).unwrap_or(false) {
                break;
            }
        }
        told
    };
    builder.spawn(life).unwrap()
}

fn play(
    address: SocketAddr,
    id: &str,
    decide: &impl Fn(&Question<'_>) -> Reply,
    told: &mut Told,
) -> io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::with_capacity(1024, stream.try_clone()?);
    loop {
        let text = read(&mut reader)?;
        match Command::read(&text, 10).unwrap() {
            Command::Login => write(&mut stream, &format!("{id}:The {id}"))?,
            Command::Question(question) => {
                let reply = decide(&question.as_question());
                write(&mut stream, &reply.to_string())?;
            }
            Command::Status(_) => told.push(text),
            Command::Done(_) => {
                told.push(text);
                return Ok(true);
            }
        }
    }
}

fn read(stream: &mut impl Read) -> io::Result<String> {
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut text = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut text)?;
    Ok(modified_utf8::decode(&text).unwrap())
}

fn write(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    let text = modified_utf8::encode(text);
    let mut frame = (text.len() as u16).to_be_bytes().to_vec();
    frame.extend(text);
    stream.write_all(&frame)
}
