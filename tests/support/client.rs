//! Players who connect to a host that may die at any moment, and come again.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use casino_stud::cards::Seed;
use casino_stud::protocol::{Command, modified_utf8, question_text};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::table::{Question, Reply};
use socket2::{Domain, SockRef, Socket, TcpKeepalive, Type};

use super::settled_reply;

/// The host's address, shared with all players who wait for it to come back.
#[derive(Clone, Default)]
pub struct Whereabouts(Arc<(Mutex<State>, Condvar)>);

#[derive(Default)]
struct State {
    /// How often the host has announced its address.
    times: u64,
    address: Option<SocketAddr>,
    over: bool,
    /// How many players wait for it, or are finished.
    resting: usize,
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

    /// The address announced after `times` others; `None` if there will be none.
    fn after(&self, times: u64) -> Option<(u64, SocketAddr)> {
        let mut state = self.0.0.lock().unwrap();
        state.resting += 1;
        self.0.1.notify_all();
        let mut state = self.0.1.wait_while(state, |state| state.times <= times && !state.over).unwrap();
        let next = state.address.filter(|_| state.times > times).map(|address| (state.times, address));
        state.resting -= usize::from(next.is_some());
        next
    }

    /// A player is finished with the host.
    fn rest(&self) {
        self.0.0.lock().unwrap().resting += 1;
        self.0.1.notify_all();
    }

    /// Waits until this many players rest: they have read all messages of the dead host.
    fn settle(&self, players: usize) {
        let state = self.0.0.lock().unwrap();
        let patience = Duration::from_secs(120);
        let waited = self.0.1.wait_timeout_while(state, patience, |state| state.resting < players).unwrap();
        assert!(!waited.1.timed_out(), "{} of {players} players rest", waited.0.resting);
    }
}

/// Players whose messages can be read while they play.
pub struct Crowd {
    host: Whereabouts,
    players: Vec<(String, Arc<Mutex<Told>>, JoinHandle<Told>)>,
}

impl Crowd {
    /// These, and whether they are careless.
    pub fn new(players: &[(&str, bool)]) -> Crowd {
        let host = Whereabouts::default();
        let start = |(id, careless): &(&str, bool)| {
            let (told, careless): (Arc<Mutex<Told>>, bool) = (Arc::default(), *careless);
            let life = spawn(id, &host, move |question| reply(question, careless), Arc::clone(&told));
            ((*id).to_string(), told, life)
        };
        let players = players.iter().map(start).collect();
        Crowd { host, players }
    }

    /// Gives the host's address to all players.
    pub fn tell(&self, address: SocketAddr) {
        self.host.tell(address);
    }

    /// When the host is gone: waits until all players have read all its messages.
    pub fn settle(&self) {
        self.host.settle(self.players.len());
    }

    /// All messages received so far.
    pub fn told(&self) -> BTreeMap<String, Told> {
        self.players.iter().map(|(id, told, _)| (id.clone(), told.lock().unwrap().clone())).collect()
    }

    /// The host will not come back: waits for all players, and returns their messages.
    pub fn disperse(self) -> BTreeMap<String, Told> {
        self.host.close();
        self.players.into_iter().map(|(id, _, life)| (id, life.join().unwrap())).collect()
    }
}

/// The messages of a player: every `status` and `done` in order.
pub type Told = Vec<String>;

/// A player in a new thread: it reconnects until it receives `done`, and returns its messages. Its replies follow from
/// the questions alone; if it is `careless`, some of them are illegal.
pub fn player(id: &str, careless: bool, host: &Whereabouts) -> JoinHandle<Told> {
    player_who(id, host, move |question| reply(question, careless))
}

fn reply(question: &Question<'_>, careless: bool) -> Reply {
    let tired = careless && question.pot > 30 && question.hole.index().is_multiple_of(7);
    if tired { Reply::Bet(question.bounds.most() + 1) } else { settled_reply(question) }
}

/// Plays like [`player`] until the host is gone, or has sent `done`: then this is true.
pub fn visit(address: SocketAddr, id: &str, careless: bool, told: &mut Told) -> io::Result<bool> {
    visit_aloud(address, id, careless, &mut |words| told.push(words))
}

/// Visits as [`visit`] does, and every bet is illegal.
pub fn visit_fouling(address: SocketAddr, id: &str) -> io::Result<bool> {
    play(address, id, &|question| Reply::Bet(question.bounds.most() + 1), &mut |_| {})
}

/// The login of `id` or `id#key`.
fn login_of(id: &str) -> String {
    match id.split_once('#') {
        Some((id, key)) => format!("{id}:The {id}#{key}"),
        None => format!("{id}:The {id}"),
    }
}

/// Logs in and disconnects.
pub fn log_in_and_leave(address: SocketAddr, id: &str) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    read(&mut BufReader::with_capacity(1024, stream.try_clone()?))?;
    write(&mut stream, &login_of(id))
}

/// The same, passing each `status` and `done` to `hear` at once.
pub fn visit_aloud(
    address: SocketAddr,
    id: &str,
    careless: bool,
    hear: &mut impl FnMut(String),
) -> io::Result<bool> {
    play(address, id, &|question| reply(question, careless), hear)
}

/// The same with a player that calls every question after this long.
pub fn visit_calling(
    address: SocketAddr,
    id: &str,
    thinks: Duration,
    hear: &mut impl FnMut(String),
) -> io::Result<bool> {
    let decide = |question: &Question<'_>| {
        thread::sleep(thinks);
        Reply::Bet(question.bounds.to_call)
    };
    play(address, id, &decide, hear)
}

/// The same with a house bot behind the socket. It draws new random numbers for each question, so that it gives the
/// same answer when it is asked the same again.
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
    spawn(id, host, decide, Arc::default())
}

/// A player that stores its messages there, and returns them at the end.
fn spawn(
    id: &str,
    host: &Whereabouts,
    decide: impl Fn(&Question<'_>) -> Reply + Send + 'static,
    told: Arc<Mutex<Told>>,
) -> JoinHandle<Told> {
    let (id, host) = (id.to_string(), host.clone());
    // A hundred of them have little to remember.
    let builder = thread::Builder::new().stack_size(256 * 1024);
    let life = move || {
        let mut seen = 0;
        while let Some((times, address)) = host.after(seen) {
            seen = times;
            // Any error means that the host has died.
            if play(address, &id, &decide, &mut |words| told.lock().unwrap().push(words)).unwrap_or(false) {
                host.rest();
                break;
            }
        }
        told.lock().unwrap().clone()
    };
    builder.spawn(life).unwrap()
}

fn play(
    address: SocketAddr,
    id: &str,
    decide: &impl Fn(&Question<'_>) -> Reply,
    hear: &mut impl FnMut(String),
) -> io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    // A host that ends while many connect may not tell a client; the system then asks for it.
    let asking = TcpKeepalive::new().with_time(Duration::from_secs(1)).with_interval(Duration::from_secs(1));
    SockRef::from(&stream).set_tcp_keepalive(&asking)?;
    let mut reader = BufReader::with_capacity(1024, stream.try_clone()?);
    loop {
        let text = read(&mut reader)?;
        match Command::read(&text, 10).unwrap() {
            Command::Login => write(&mut stream, &login_of(id))?,
            Command::Question(question) => {
                let reply = decide(&question.as_question());
                write(&mut stream, &reply.to_string())?;
            }
            Command::Status(_) => hear(text),
            Command::Done(_) => {
                hear(text);
                return Ok(true);
            }
        }
    }
}

/// Plays from this address of the machine until the host sends `done` or is gone: `reply` gets the fields of a question.
/// Returns every message.
pub fn play_from(
    from: &str,
    address: SocketAddr,
    login: &str,
    mut reply: impl FnMut(&[&str]) -> String,
) -> Vec<String> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::new(from.parse().unwrap(), 0).into()).unwrap();
    socket.connect(&address.into()).unwrap();
    let mut stream = TcpStream::from(socket);
    let mut told: Vec<String> = Vec::new();
    while told.last().is_none_or(|text| !text.starts_with("done")) {
        let Ok(text) = read(&mut stream) else { break };
        let fields: Vec<&str> = text.split(':').collect();
        let answer = match fields[0] {
            "login" => Some(login.to_string()),
            "bet1" | "bet2" => Some(reply(&fields)),
            _ => None,
        };
        told.push(text);
        if answer.is_some_and(|answer| write(&mut stream, &answer).is_err()) {
            break;
        }
    }
    told
}

pub fn read(stream: &mut impl Read) -> io::Result<String> {
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut text = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut text)?;
    Ok(modified_utf8::decode(&text).unwrap())
}

/// The bytes of a message: its length and its text.
pub fn frame(text: &str) -> Vec<u8> {
    let text = modified_utf8::encode(text);
    [&u16::try_from(text.len()).unwrap().to_be_bytes()[..], &text].concat()
}

pub fn write(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(&frame(text))
}
