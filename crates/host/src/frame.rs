//! Frames: a two-byte big-endian length and that many bytes (R21).

use std::fmt;
use std::io;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use casino_stud::protocol::MAX_REPLY_BYTES;
use casino_stud::table::FrameFault;

/// Cuts a stream of bytes into frames and back, wherever it is split. A length over the cap is refused at the header,
/// without waiting for further bytes.
#[derive(Clone, Copy, Debug)]
pub struct FrameCodec {
    cap: u16,
}

impl FrameCodec {
    /// Makes a codec that accepts frames of at most `cap` bytes.
    pub const fn with_cap(cap: u16) -> FrameCodec {
        FrameCodec { cap }
    }

    /// The end of the first frame's payload, if it is complete: the payload begins with the third byte.
    pub fn first_end(self, bytes: &[u8]) -> Result<Option<usize>, FrameFault> {
        let Some(header) = bytes.first_chunk::<2>() else { return Ok(None) };
        let length = u16::from_be_bytes(*header);
        if length > self.cap {
            return Err(FrameFault::TooLong { length, cap: self.cap });
        }
        Ok(Some(2 + usize::from(length)).filter(|end| *end <= bytes.len()))
    }
}

impl Default for FrameCodec {
    fn default() -> FrameCodec {
        FrameCodec::with_cap(MAX_REPLY_BYTES)
    }
}

/// Why no further frame can be read.
#[derive(Debug)]
pub enum FrameError {
    /// Reading from the connection or writing to it failed.
    Io(io::Error),
    /// The received bytes are not a frame.
    Fault(FrameFault),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Io(error) => write!(f, "the connection failed: {error}"),
            FrameError::Fault(fault) => write!(f, "the bytes are no frame: {fault}"),
        }
    }
}

impl std::error::Error for FrameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FrameError::Io(error) => Some(error),
            FrameError::Fault(fault) => Some(fault),
        }
    }
}

impl From<io::Error> for FrameError {
    fn from(error: io::Error) -> FrameError {
        FrameError::Io(error)
    }
}

impl Decoder for FrameCodec {
    type Item = Bytes;
    type Error = FrameError;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<Bytes>, FrameError> {
        let Some(end) = self.first_end(from).map_err(FrameError::Fault)? else { return Ok(None) };
        from.advance(2);
        Ok(Some(from.split_to(end - 2).freeze()))
    }
}

/// Frames a message that is in modified UTF-8 already.
impl Encoder<&[u8]> for FrameCodec {
    type Error = io::Error;

    fn encode(&mut self, message: &[u8], to: &mut BytesMut) -> io::Result<()> {
        let length = u16::try_from(message.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a frame has at most 65,535 bytes"))?;
        to.reserve(2 + message.len());
        to.put_u16(length);
        to.put_slice(message);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn length_over_the_cap_is_refused_at_the_header() {
        let mut codec = FrameCodec::with_cap(10);
        let mut from = BytesMut::from(&[0, 11][..]);
        let error = codec.decode(&mut from).unwrap_err();
        assert!(matches!(error, FrameError::Fault(FrameFault::TooLong { length: 11, cap: 10 })), "{error:?}");
        assert!(matches!(codec.decode(&mut BytesMut::from(&[0, 10][..])), Ok(None)));
    }

    proptest! {
        /// Any split of the bytes gives the same frames and loses no remainder.
        #[test]
        fn frames_survive_any_split(
            messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8),
            cuts in prop::collection::vec(1..20usize, 1..60),
            torn in 0..3usize,
        ) {
            let mut codec = FrameCodec::default();
            let mut stream = BytesMut::new();
            for message in &messages {
                codec.encode(message, &mut stream).unwrap();
            }
            stream.put_slice(&[0, 9, 1][..torn]);
            let (mut arrived, mut came, mut cuts) = (BytesMut::new(), Vec::new(), cuts.iter().cycle());
            while !stream.is_empty() {
                let next = stream.len().min(*cuts.next().unwrap());
                arrived.unsplit(stream.split_to(next));
                while let Some(frame) = codec.decode(&mut arrived).unwrap() {
                    came.push(frame.to_vec());
                }
            }
            prop_assert_eq!(came, messages);
            prop_assert_eq!(arrived.len(), torn);
        }
    }
}
