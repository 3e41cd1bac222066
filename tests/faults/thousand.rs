//! A thousand bad inputs, each with the exact sentence that its program is told, or with none where it hears nothing any
//! more. The sentences are put together here from docs/protocol.md and the rules, and not by the code that is tested.

mod texts;

use std::collections::VecDeque;
use std::fmt::Write;

use tokio::io::AsyncWriteExt;

use texts::{OTHERS, SHOWN_OTHERWISE, TEXTS};

use super::common::{Asked, End, EventHost, Game, Heard, LIMIT, Wire, frame, on_a_held_clock, pass};

/// How many villains sit at a table, with two players who keep to the rules.
const VILLAINS: usize = 12;

/// When something is done: at a question of this street, with something to call or with nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    street: &'static str,
    is_called: bool,
}

const MOMENTS: [Moment; 4] = [
    Moment { street: "bet1", is_called: false },
    Moment { street: "bet1", is_called: true },
    Moment { street: "bet2", is_called: false },
    Moment { street: "bet2", is_called: true },
];

/// What is done instead of an answer.
#[derive(Clone, Debug)]
enum Act {
    /// An amount so far from what is to call.
    Below(u32),
    /// An amount so far above the largest raise.
    OverRaise(u64),
    /// An amount so far above the stack, where that is less than the largest raise allows.
    OverStack(u32),
    /// Text that is no reply: how it is shown, and what is probably wrong with it.
    Text {
        sent: String,
        shown: String,
        why: &'static str,
    },
    /// A payload that readUTF would not accept.
    Bytes(Vec<u8>),
    /// Two bytes of length that are too much.
    Length(u16),
    /// As many bytes of a reply, and then half of the connection is closed.
    HalfClosed(usize),
    /// As many bytes of a reply, and then all of it is closed.
    Gone(usize),
    Reset,
    /// As many bytes of a reply, and nothing more for a second.
    Late(usize),
    /// A legal reply, and in the same segment this message, which nobody asked for: how it is shown.
    Stray {
        sent: Vec<u8>,
        shown: Option<String>,
    },
}

const WRITE_UTF: &str = "Write replies with writeUTF: two bytes of length, high byte first, then the text. Nothing else may be \
                         written to the connection.";

impl Act {
    /// What "Your program" did, as the whole sentence for the player says it.
    fn foul(&self, asked: &Asked) -> String {
        let Asked { to_call, stack, .. } = asked;
        let allowed = asked.allowed();
        let no_reply =
            "A reply is \"fold\" or \"bet:\" and a whole number, like \"bet:12\". Only a question wants one.";
        match self {
            Act::Below(less) if to_call == less => format!(
                "answered \"bet:0\", less than the {to_call} it takes to call. {allowed} A bet of 0 is possible only when \
                 nothing is to call."
            ),
            Act::Below(less) => format!(
                "answered \"bet:{}\", less than the {to_call} it takes to call. {allowed} An amount has to cover what is to \
                 call; a raise comes on top of it.",
                to_call - less
            ),
            Act::OverRaise(more) => format!(
                "answered \"bet:{}\", more than 10 over the {to_call} to call. {allowed} Cut the amount to what is to call and \
                 the largest raise. If it was meant as a total for the round: an amount is what is added now.",
                u64::from(to_call + 10) + more
            ),
            Act::OverStack(more) => format!(
                "answered \"bet:{}\", more than the {stack} chips in its stack. {allowed} Compare the amount with the stack, \
                 the first number of every question.",
                stack + more
            ),
            Act::Text { shown, why, .. } => {
                format!("answered \"{shown}\", which is no reply{why}. {allowed} {no_reply}")
            }
            Act::Bytes(_) => format!("sent bytes that readUTF would not accept. {allowed} {WRITE_UTF}"),
            Act::Length(length) => format!("{}. {allowed} {WRITE_UTF}", too_long(*length)),
            Act::HalfClosed(0) | Act::Gone(0) | Act::Reset => {
                format!(
                    "closed its connection. {allowed} It ended, or closed the connection itself, in the middle of the game: look at what it printed last and what ends its loop."
                )
            }
            Act::HalfClosed(_) | Act::Gone(_) => format!(
                "closed its connection in the middle of a message. {allowed} It ended, or closed the connection itself, in the middle of the game: look at what it printed last and what ends its loop."
            ),
            Act::Late(0) => format!(
                "gave no answer within 1000 ms. {allowed} Perhaps it takes too long, does not flush what it writes, waits for \
                 another message after its last bet, or has a path on which it writes no reply."
            ),
            Act::Late(_) => format!(
                "sent only a part of a message within 1000 ms. {allowed} Write each reply with one writeUTF and then flush."
            ),
            Act::Stray { shown, .. } => {
                let what = match shown {
                    Some(shown) => format!("sent \"{shown}\" when nobody had asked"),
                    None => "sent a message nobody asked for".to_string(),
                };
                format!(
                    "{what}. Write exactly one reply for each question and none for any other message. A program that answers \
                     every message is one message behind from then on."
                )
            }
        }
    }

    /// Whether a question is one at which this can be done.
    fn fits(&self, asked: &Asked) -> bool {
        match self {
            Act::Below(less) => asked.to_call >= *less,
            Act::OverStack(more) => asked.stack >= asked.to_call && asked.stack + more <= asked.to_call + 10,
            // More than the stack can hold is more than the largest raise all the same.
            _ => asked.stack > asked.to_call + 10,
        }
    }

    async fn commit(&self, wire: &mut Wire, asked: &Asked) {
        let Asked { to_call, stack, .. } = asked;
        let reply = frame(&format!("bet:{to_call}"));
        match self {
            Act::Below(less) => wire.say(&format!("bet:{}", to_call - less)).await,
            Act::OverRaise(more) => wire.say(&format!("bet:{}", u64::from(to_call + 10) + more)).await,
            Act::OverStack(more) => wire.say(&format!("bet:{}", stack + more)).await,
            Act::Text { sent, .. } => wire.say(sent).await,
            Act::Bytes(payload) => wire.send(&framed(payload)).await,
            Act::Length(length) => wire.send(&length.to_be_bytes()).await,
            Act::HalfClosed(bytes) => {
                wire.send(&reply[..*bytes]).await;
                wire.stream().shutdown().await.expect("half is closed");
            }
            Act::Gone(bytes) => {
                wire.send(&reply[..*bytes]).await;
                wire.hang_up();
            }
            Act::Reset => wire.reset(),
            Act::Late(bytes) => {
                wire.send(&reply[..*bytes]).await;
                pass(LIMIT + std::time::Duration::from_millis(1)).await;
            }
            Act::Stray { sent, .. } => wire.send(&[&reply[..], sent].concat()).await,
        }
    }

    fn hears_nothing(&self) -> bool {
        matches!(self, Act::Gone(_) | Act::Reset)
    }
}

fn too_long(length: u16) -> String {
    format!("sent a message that says it is {length} bytes long, where no reply has more than 1024")
}

fn framed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = u16::try_from(payload.len()).expect("a payload fits").to_be_bytes().to_vec();
    bytes.extend(payload);
    bytes
}

/// Payloads that readUTF would not accept: bytes that begin nothing, letters cut off, wrong continuations, and UTF-8 of
/// four bytes, which Java writes as two surrogates.
fn bad_payloads() -> Vec<Vec<u8>> {
    let mut payloads: Vec<Vec<u8>> = Vec::new();
    for first in [0x80, 0x8f, 0xbf, 0xf0, 0xf4, 0xf8, 0xfc, 0xfe, 0xff] {
        payloads.push(vec![first]);
        payloads.push([b"bet:5".as_slice(), &[first]].concat());
    }
    payloads.extend([&b"\xc3"[..], b"\xe2\x82", b"fol\xc3", b"\xe2", b"bet:\xe2\x82"].map(<[u8]>::to_vec));
    payloads.extend([&b"\xc3\x28"[..], b"\xe2\x28\xa1", b"\xe2\x82\x28", b"\xc3\xff"].map(<[u8]>::to_vec));
    payloads.extend([&b"\xf0\x9f\x98\x80"[..], b"bet:\xf0\x9f\x83\x8f"].map(<[u8]>::to_vec));
    payloads
}

/// Everything that is done at one kind of question.
fn acts(moment: Moment) -> Vec<Act> {
    let mut acts = Vec::new();
    let known = TEXTS.iter().flat_map(|(why, texts)| texts.iter().map(|sent| (*sent, *why)));
    let plain = known.chain(OTHERS.map(|sent| (sent, "")));
    let plain = plain.map(|(sent, why)| (sent, sent.escape_default().to_string(), why));
    let other = SHOWN_OTHERWISE.map(|(sent, shown, why)| (sent, shown.to_string(), why));
    for (sent, shown, why) in plain.chain(other) {
        acts.push(Act::Text { sent: sent.to_string(), shown, why });
    }
    acts.push(Act::Text { sent: "y".repeat(1_000), shown: format!("{}…", "y".repeat(60)), why: "" });
    if moment.is_called {
        acts.extend([1, 2, 3, 5].map(Act::Below));
        acts.extend([1, 2, 5, 9].map(Act::OverStack));
    }
    acts.extend([1, 2, 3, 10, 100, 1_000, (1 << 31) - 100, (1 << 32) - 100].map(Act::OverRaise));
    acts.extend(bad_payloads().into_iter().map(Act::Bytes));
    acts.extend(
        [1_025, 1_026, 1_279, 1_280, 2_048, 4_096, 8_192, 25_189, 26_223, 32_767, 32_768, 65_280, 65_535]
            .map(Act::Length),
    );
    acts.extend((0..7).map(Act::HalfClosed));
    acts.extend((0..7).map(Act::Gone));
    acts.push(Act::Reset);
    acts.extend((0..7).map(Act::Late));
    for text in ["bet:5", "fold", "ok", "call", "mallory:Mal", "x", "bet:0", "5", "bet:-5", "FOLD"] {
        acts.push(Act::Stray { sent: frame(text), shown: Some(text.to_string()) });
    }
    acts.push(Act::Stray { sent: frame("status"), shown: Some(r"\x73tatus".to_string()) });
    acts.push(Act::Stray { sent: frame("\u{1b}c"), shown: Some(r"\u{1b}c".to_string()) });
    acts.push(Act::Stray { sent: frame(""), shown: None });
    acts.push(Act::Stray { sent: framed(b"\xff"), shown: None });
    acts
}

/// Seats these villains, plays, and gives back those that did not come to their moment. What goes wrong is noted.
fn play(
    cases: Vec<(Moment, Act)>,
    is_poor: bool,
    number: u64,
    wrong: &mut Vec<String>,
) -> Vec<(Moment, Act)> {
    let mut missed = Vec::new();
    on_a_held_clock(async {
        let seed = casino_stud::cards::Seed::chosen(format!("a thousand bad inputs {number}"));
        let (stack, rounds) = if is_poor { (16, 12) } else { (600, 14) };
        let hall = EventHost::open(Game { stack, rounds, seed, ..Game::default() }).await;
        let honest = [hall.bettor("ada"), hall.caller("bob")];
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel::<(usize, Asked)>();
        let mut villains = Vec::new();
        for (index, (moment, act)) in cases.iter().cloned().enumerate() {
            let (tell, fits) = (tell.clone(), act.clone());
            let wanted = move |asked: &Asked| {
                asked.text.starts_with(moment.street)
                    && (asked.to_call > 0) == moment.is_called
                    && fits.fits(asked)
            };
            villains.push(hall.villain(&format!("m{index:02}"), wanted, async move |wire, asked| {
                tell.send((index, asked.clone())).expect("the test listens");
                act.commit(wire, asked).await;
            }));
        }
        let played = hall.play(cases.len() + honest.len()).await;
        for player in honest {
            player.await.expect("it plays");
        }
        ["ada", "bob"].iter().for_each(|id| played.assert_kept(id));
        let mut heard: Vec<Heard> = Vec::new();
        for villain in villains {
            heard.push(villain.await.expect("it comes to its end"));
        }
        let mut asked: Vec<Option<Asked>> = vec![None; cases.len()];
        while let Ok((index, question)) = told.try_recv() {
            asked[index] = Some(question);
        }
        for (index, case) in cases.into_iter().enumerate() {
            let Some(asked) = &asked[index] else {
                missed.push(case);
                continue;
            };
            let sentence = format!("You are out of the game. Your program {}", case.1.foul(asked));
            let (standing, heard) = (played.standing(&format!("m{index:02}")), &heard[index]);
            let last = heard.commands.last().and_then(|command| command.strip_prefix("done:"));
            let (told, end) = match case.1.hears_nothing() {
                true => (None, End::Gone),
                false => (Some(sentence.as_str()), End::Closed),
            };
            if (standing.why.as_deref(), last, heard.end) != (Some(&sentence), told, Some(end)) {
                wrong.push(format!(
                    "{case:?}\n  due {sentence:?}\n  why {:?}\n  told {last:?} {:?}",
                    standing.why, heard.end
                ));
            }
        }
    });
    missed
}

/// What is answered to `login`, and what follows "You are not in the game: your program ".
fn bad_logins() -> Vec<(Vec<u8>, String)> {
    let remedy = "answer your GitHubId, one colon and your avatar's name";
    let long = "z".repeat(65);
    let no_colon = "there is no colon in it";
    let colons = "there is more than one colon in it";
    let empty = "one of the two names is empty";
    let mut texts: Vec<(String, String, &str)> = Vec::new();
    for text in ["", "mallory", "mallory Mal", "fold", "mallory;Mal", "mallory=Mal", "{}", "GET / HTTP/1.1"] {
        texts.push((text.to_string(), text.to_string(), no_colon));
    }
    for text in ["a:b:c", "::", ":::", "a::b", ":a:", "a:b:", ":a:b", "http://x:1"] {
        texts.push((text.to_string(), text.to_string(), colons));
    }
    for text in [":", ":Mal", "mallory:", " :Mal", "mallory: ", "  :  "] {
        texts.push((text.to_string(), text.to_string(), empty));
    }
    texts.push(("mallory:\u{3000}".to_string(), r"mallory:\u{3000}".to_string(), empty));
    texts.push(("mallory\u{ff1a}Mal".to_string(), r"mallory\u{ff1a}Mal".to_string(), no_colon));
    texts.push(("\u{1b}[2J".to_string(), r"\u{1b}[2J".to_string(), no_colon));
    let said = |(sent, shown, why): (String, String, &str)| {
        (frame(&sent), format!("said it was \"{shown}\", but {why}; {remedy}."))
    };
    let mut logins: Vec<_> = texts.into_iter().map(said).collect();
    for (sent, shown) in [
        (format!("{long}:Mal"), format!("{}…", "z".repeat(60))),
        (format!("m:{long}"), format!("m:{}…", "z".repeat(58))),
    ] {
        let words = format!("said it was \"{shown}\", but no name may have more than 64 characters.");
        logins.push((frame(&sent), words));
    }
    for payload in bad_payloads() {
        let hex = payload.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{}{byte:02x}", if hex.is_empty() { "" } else { " " }).expect("a String takes it");
            hex
        });
        let words =
            format!("said who it is in the bytes {hex}, but readUTF would not accept its bytes; {remedy}.");
        logins.push((framed(&payload), words));
    }
    for length in [1_025u16, 1_280, 4_096, 25_189, 32_768, 65_535] {
        logins.push((length.to_be_bytes().to_vec(), format!("{}.", too_long(length))));
    }
    logins
}

/// How many were tried: bad logins, hang-ups and silences at `login`.
fn try_logins() -> usize {
    let logins = bad_logins();
    let whole = frame("mallory:Mal");
    let tried = logins.len() + 2 * (whole.len() - 1);
    on_a_held_clock(async {
        let mut hall = EventHost::open(Game::default()).await;
        let address = hall.address;
        let strangers = tokio::task::spawn_local(async move {
            let refused = |heard: &Heard, words: &str| {
                assert_eq!(heard.reason(), format!("You are not in the game: your program {words}"));
                assert_eq!(heard.end, Some(End::Closed));
            };
            for (sent, words) in logins {
                let mut wire = Wire::connect(address).await;
                assert_eq!(wire.next().await.as_deref(), Some("login"));
                wire.send(&sent).await;
                refused(&wire.listen().await, &words);
            }
            for cut in 0..whole.len() - 1 {
                let part = if cut == 0 {
                    "closed its connection."
                } else {
                    "closed its connection in the middle of a message."
                };
                let mut wire = Wire::connect(address).await;
                assert_eq!(wire.next().await.as_deref(), Some("login"));
                wire.send(&whole[..cut]).await;
                wire.stream().shutdown().await.expect("half is closed");
                refused(&wire.listen().await, part);

                let part = if cut == 0 {
                    "gave no answer within 10000 ms."
                } else {
                    "sent only a part of a message within 10000 ms."
                };
                let mut wire = Wire::connect(address).await;
                assert_eq!(wire.next().await.as_deref(), Some("login"));
                wire.send(&whole[..cut]).await;
                pass(std::time::Duration::from_millis(10_001)).await;
                refused(&wire.listen().await, part);
            }
            let players = ["ada", "bob"].map(|id| {
                tokio::task::spawn_local(async move {
                    let mut wire = Wire::connect(address).await;
                    wire.log_in(&format!("{id}:The {id}")).await;
                    wire.call_until(|_| false).await;
                    wire.listen().await.assert_played_on(3);
                })
            });
            for player in players {
                player.await.expect("it plays");
            }
        });
        let guests = hall.gather(2).await;
        hall.play_with(guests).await;
        strangers.await.expect("they come to their end");
    });
    tried
}

#[test]
fn a_thousand_bad_inputs_are_each_told_the_exact_reason() {
    let (mut tried, mut wrong) = (try_logins(), Vec::new());
    for is_poor in [false, true] {
        let all = MOMENTS.iter().flat_map(|moment| acts(*moment).into_iter().map(|act| (*moment, act)));
        let belongs = |(_, act): &(Moment, Act)| matches!(act, Act::OverStack(_)) == is_poor;
        let mut left: VecDeque<(Moment, Act)> = all.filter(belongs).collect();
        tried += left.len();
        let (mut number, most) = (0, left.len() as u64);
        while !left.is_empty() {
            assert!(number < most, "these never come to their moment: {left:?}");
            let cases = left.drain(..left.len().min(VILLAINS)).collect();
            left.extend(play(cases, is_poor, number, &mut wrong));
            number += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {tried} came out otherwise:\n{}", wrong.len(), wrong.join("\n"));
    println!("{tried} bad inputs");
    assert!(tried >= 1_000, "{tried} bad inputs");
}
