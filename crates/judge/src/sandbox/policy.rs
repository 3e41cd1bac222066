//! The kinds of sandbox that can be asked for.

use std::str::FromStr;

use thiserror::Error;

/// What programs are held by. Limits and the killing of what is left are there always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Bubblewrap where it works, elsewhere what the kernel has and a warning: `auto`.
    #[default]
    Auto,
    /// Bubblewrap, or nothing runs: `require`.
    Require,
    /// As on a machine without bubblewrap: `plain`.
    Plain,
    /// Nothing but limits, for programs one trusts: `off`.
    Off,
}

/// A word that is no policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{}\" is no kind of sandbox: write auto, require, plain or off", .0.escape_debug())]
pub struct NoPolicy(String);

impl FromStr for Policy {
    type Err = NoPolicy;

    fn from_str(text: &str) -> Result<Policy, NoPolicy> {
        match text {
            "auto" => Ok(Policy::Auto),
            "require" => Ok(Policy::Require),
            "plain" => Ok(Policy::Plain),
            "off" => Ok(Policy::Off),
            _ => Err(NoPolicy(text.to_string())),
        }
    }
}
