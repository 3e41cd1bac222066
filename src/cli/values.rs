//! The values of flags as people write them, numbers and addresses, and the seed that is drawn where none is given.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde::de::value::{Error as ValueError, StringDeserializer};

use casino_stud::cards::Seed;

use super::Failure;
use crate::session::ShowMinutes;

/// The most that can be counted here: more than any machine plays, and small enough that no sum of such numbers overflows.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// The most threads: more than any machine has processors.
const MAX_THREADS: u64 = 4_096;

/// A reader of whole numbers in this range, also written as `10_000`, `10k`, `2m`, `1e4` or `2.5e6`.
pub(super) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    let range = *range.start()..=MAX_COUNT.min(*range.end());
    move |text| {
        let number = read_whole(text).filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = range.clone().into_inner();
            let limits = match (least, most) {
                (0, MAX_COUNT) => " up to 1e15".to_string(),
                (least, MAX_COUNT) => format!(" from {least} to 1e15"),
                (least, most) => format!(" from {least} to {most}"),
            };
            format!("write a whole number{limits}; large ones also as 10_000, 10k or 1e4")
        })
    }
}

/// A reader of the minutes of a show: from `least` to a day.
pub(super) fn show_minutes(
    least: u64,
) -> impl Fn(&str) -> Result<ShowMinutes, String> + Clone + Send + Sync + 'static {
    whole(least..=u64::from(ShowMinutes::MAX.get()))
}

/// A reader of whole numbers from 1.
pub(super) fn positive<T: TryFrom<u64>>() -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
{
    whole(1..=u64::MAX)
}

/// An unpredictable seed.
pub(super) fn drawn_seed() -> Result<Seed, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Runtime(format!("the system gives no random seed: {error}")))?;
    Ok(Seed::drawn(bytes))
}

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    whole::<usize>(1..=MAX_THREADS)(text)
        .and_then(|number| NonZero::new(number).ok_or_else(|| "write 1 or more".to_string()))
}

/// A reader of one of these words, which are those that the type has in files.
pub(super) fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words)
        .try_map(|word| T::deserialize(StringDeserializer::<ValueError>::new(word)))
}

/// A whole number, and zeros after it.
fn read_whole(text: &str) -> Option<u64> {
    let plain = text.trim().replace('_', "").to_ascii_lowercase();
    let (digits, zeros) = match plain.split_once('e') {
        Some((digits, zeros)) => (digits, zeros.parse::<u32>().ok()?),
        None => match (plain.strip_suffix('k'), plain.strip_suffix('m')) {
            (Some(digits), _) => (digits, 3),
            (None, Some(digits)) => (digits, 6),
            (None, None) => (plain.as_str(), 0),
        },
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{before}{after}");
    if before.is_empty() || digits.ends_with('.') || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let zeros = zeros.checked_sub(u32::try_from(after.len()).ok()?)?;
    all.parse::<u64>().ok()?.checked_mul(10u64.checked_pow(zeros)?)
}

/// A reader of addresses of this machine: `127.0.0.1:9000`, `localhost:9000`, `[::1]:9000`, or a port alone, which is
/// one of this address.
pub(super) fn address(
    usual: IpAddr,
) -> impl Fn(&str) -> Result<SocketAddr, String> + Clone + Send + Sync + 'static {
    move |text| {
        let text = text.trim();
        let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
        let host: Option<IpAddr> = match host {
            "" => Some(usual),
            "*" => Some(ALL_INTERFACES),
            host if host.eq_ignore_ascii_case("localhost") => Some(Ipv4Addr::LOCALHOST.into()),
            host => host.trim_start_matches('[').trim_end_matches(']').parse().ok(),
        };
        let port = port.bytes().all(|byte| byte.is_ascii_digit()).then(|| port.parse::<u16>().ok()).flatten();
        match (host, port) {
            (Some(host), Some(port)) => Ok(SocketAddr::new(host, port)),
            (Some(_), None) => Err(format!(
                "\"{}\" is no port: write a number from 0 to 65535, alone or after an address, as in 9000 or 127.0.0.1:9000",
                text.escape_debug()
            )),
            (None, _) => Err(
                "write an address of this machine and a port, as in 127.0.0.1:9000 for this machine alone, or a \
                 port alone for the network"
                    .to_string(),
            ),
        }
    }
}

/// The interface for a port alone, for players and the room: the network, by IPv4 and IPv6.
pub(super) const ALL_INTERFACES: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// The interface for a port alone of the console, which controls the day: this machine only.
pub(super) const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = positive::<u64>();
        for (text, number) in [
            ("1", 1),
            ("100000", 100_000),
            ("1e6", 1_000_000),
            ("25e3", 25_000),
            ("1_000", 1_000),
            ("10k", 10_000),
            ("2M", 2_000_000),
            ("1.5e6", 1_500_000),
            ("2.5k", 2_500),
            ("1E4", 10_000),
        ] {
            assert_eq!(read(text), Ok(number), "{text}");
        }
        for text in [
            "",
            "0",
            "-1",
            "1.5",
            "e3",
            "1e",
            "1e99",
            "0e4",
            "1e-3",
            "many",
            "1.2345k",
            "k",
            ".5k",
            "1.",
            "+1",
            "1e16",
            "18446744073709551615",
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains("whole number from 1 to 1e15;"), "{text}: {why}");
        }
        assert!(whole::<u32>(1..=10)("11").unwrap_err().contains("from 1 to 10"));
        assert!(whole::<u8>(0..=u64::MAX)("300").is_err(), "it does not fit");
    }

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let read = |text: &str| address(ALL_INTERFACES)(text).map(|address| address.to_string());
        for (text, address) in [
            ("9000", "[::]:9000"),
            (":9000", "[::]:9000"),
            ("*:9000", "[::]:9000"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("[::1]:9000", "[::1]:9000"),
            ("192.168.1.4:80", "192.168.1.4:80"),
        ] {
            assert_eq!(read(text), Ok(address.to_string()), "{text}");
        }
        assert_eq!(address(HERE)("0").map(|address| address.to_string()), Ok("127.0.0.1:0".to_string()));
        for text in ["127.0.0.1", "70000", "", "localhost", "localhost:", "1.2.3.4:-1"] {
            assert!(read(text).unwrap_err().contains("is no port"), "{text}: {:?}", read(text));
        }
        for text in ["nonsense:80", "300.1.1.1:80", "::1:x:9"] {
            assert!(read(text).unwrap_err().contains("write an address"), "{text}: {:?}", read(text));
        }
    }
}
