//! The sandbox and the exit codes of the commands that judge programs.

use casino_judge::Verdict;
use casino_judge::sandbox::{Policy, Sandbox};

use super::Failure;
use super::output::remark;

/// The sandbox of this kind. Prints a warning if programs are not confined.
pub(super) fn sandbox(policy: Policy, even_if_busy: bool) -> Result<Sandbox, Failure> {
    let sandbox = Sandbox::new(policy).map_err(Failure::usage)?;
    if let Some(warning) = &sandbox.protection.warning {
        remark(warning);
    }
    Ok(if even_if_busy { sandbox.even_if_busy() } else { sandbox })
}

/// Turns a verdict into the exit code.
pub(super) fn exit(verdict: Verdict) -> Result<(), Failure> {
    match verdict {
        Verdict::Passed => Ok(()),
        Verdict::Failed => Err(Failure::Verdict(1)),
        Verdict::NeverStarted => Err(Failure::Verdict(3)),
        Verdict::NotJudged => Err(Failure::Verdict(4)),
    }
}
