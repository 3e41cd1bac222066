//! Any bytes as a stream of frames that comes in pieces, against a reader that has all of it at once.

use bytes::BytesMut;
use casino_host::{FrameCodec, FrameError};
use casino_stud::table::FrameFault;
use tokio_util::codec::{Decoder, Encoder};

use super::check;
use super::dice::Dice;

const CAPS: [u16; 6] = [0, 1, 10, 40, 1_024, u16::MAX];

#[derive(Debug, PartialEq, Eq)]
enum End {
    /// With this many bytes of an incomplete frame.
    Partial(usize),
    TooLong(u16),
}

fn whole(mut stream: &[u8], cap: u16) -> (Vec<&[u8]>, End) {
    let mut frames = Vec::new();
    loop {
        let [high, low, rest @ ..] = stream else { return (frames, End::Partial(stream.len())) };
        let length = u16::from(*high) * 256 + u16::from(*low);
        if length > cap {
            return (frames, End::TooLong(length));
        }
        let Some((frame, after)) = rest.split_at_checked(length.into()) else {
            return (frames, End::Partial(stream.len()));
        };
        frames.push(frame);
        stream = after;
    }
}

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let cap = CAPS[dice.below(CAPS.len())];
    let mut step = dice.byte();
    let mut stream = dice.rest();
    let (frames, end) = whole(stream, cap);

    let mut codec = FrameCodec::with_cap(cap);
    let (mut buffer, mut came) = (BytesMut::new(), Vec::new());
    let found = 'stream: loop {
        loop {
            match codec.decode(&mut buffer) {
                Ok(Some(frame)) => came.push(frame),
                Ok(None) => break,
                Err(FrameError::Fault(fault)) => break 'stream end_of(&fault, cap),
                Err(FrameError::Io(error)) => panic!("nothing is read here: {error}"),
            }
        }
        if stream.is_empty() {
            break End::Partial(buffer.len());
        }
        // Pieces of changing lengths, and often a single byte.
        step = step.rotate_left(3).wrapping_add(7);
        let length = stream.len().min(1 + usize::from(step) % 37 * usize::from(step & 1));
        buffer.extend_from_slice(&stream[..length]);
        stream = &stream[length..];
        // The length claimed by a header allocates no memory.
        assert!(buffer.capacity() <= 2 * (input.len() + 64), "{} bytes are kept", buffer.capacity());
    };
    assert_eq!(found, end);
    assert!(came.iter().map(|frame| &frame[..]).eq(frames.iter().copied()), "other frames");
    write_again(&frames, input);
}

fn end_of(fault: &FrameFault, cap: u16) -> End {
    let FrameFault::TooLong { length, cap: said } = *fault else {
        panic!("the codec reads no text: {fault:?}")
    };
    assert_eq!(said, cap);
    check::sentence(&fault.to_string());
    End::TooLong(length)
}

/// The frames, written again, are the bytes they were read from.
fn write_again(frames: &[&[u8]], input: &[u8]) {
    let mut written = BytesMut::new();
    for frame in frames {
        FrameCodec::default().encode(frame, &mut written).expect("a frame that was read is not too long");
    }
    assert!(input[input.len().min(2)..].starts_with(&written), "written otherwise than read");
}
