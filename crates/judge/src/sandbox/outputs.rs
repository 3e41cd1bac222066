//! Observations of a running program: its outputs, up to their limits, and how it ended.

use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::limits::{Limit, ResourceLimits, Termination};

#[derive(Debug, Default)]
pub(super) struct WatchedProgram {
    observed: Mutex<ProgramState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct ProgramState {
    pub(super) termination: Option<Termination>,
    pub(super) gone: bool,
    pub(super) stdout: KeptOutput,
    pub(super) stderr: KeptOutput,
    pub(super) open_outputs: u8,
    overflow: Option<Limit>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct KeptOutput {
    pub(super) bytes: Vec<u8>,
    pub(super) is_cut: bool,
}

impl KeptOutput {
    fn cut_to(&mut self, keep: usize) {
        self.is_cut |= self.bytes.len() > keep;
        self.bytes.drain(..self.bytes.len().saturating_sub(keep));
    }

    /// As text, which begins with a remark if it is incomplete.
    pub(super) fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let cut = if self.is_cut { "(Earlier output is cut.)\n" } else { "" };
        format!("{cut}{}", text.trim_end())
    }
}

impl WatchedProgram {
    pub(super) fn observed(&self) -> MutexGuard<'_, ProgramState> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut ProgramState)) {
        change(&mut self.observed());
        self.changed.notify_all();
    }

    pub(super) fn wait(&self, time: Duration, condition: impl Fn(&ProgramState) -> bool) -> bool {
        let observed = self.observed();
        let waited = self.changed.wait_timeout_while(observed, time, |observed| !condition(observed));
        let (observed, _) = waited.unwrap_or_else(PoisonError::into_inner);
        condition(&observed)
    }

    /// Reads both outputs and keeps their ends. `stop` is called when one is longer than its limit.
    pub(super) fn read_outputs(
        self: &Arc<WatchedProgram>,
        (stdout, stderr): (Option<impl Read + Send + 'static>, Option<impl Read + Send + 'static>),
        limits: &ResourceLimits,
        keep: usize,
        stop: impl Fn() + Clone + Send + 'static,
    ) -> io::Result<()> {
        self.observed().open_outputs = 2;
        let output = |limit, cap, kept| LimitedOutput { keep, cap, limit, kept };
        output(Limit::Output, limits.output, |seen| &mut seen.stdout).read(stdout, self, stop.clone())?;
        output(Limit::Errors, limits.errors, |seen| &mut seen.stderr).read(stderr, self, stop)
    }
}

impl ProgramState {
    pub(super) fn end(&self) -> Option<Termination> {
        (self.gone || self.termination.is_some()).then(|| self.termination())
    }

    pub(super) fn termination(&self) -> Termination {
        match (self.overflow, self.termination) {
            (Some(limit), _) => Termination::Over(limit),
            (None, Some(end)) => end,
            (None, None) => Termination::Fled,
        }
    }
}

struct LimitedOutput {
    keep: usize,
    cap: u64,
    limit: Limit,
    kept: fn(&mut ProgramState) -> &mut KeptOutput,
}

impl LimitedOutput {
    /// Reads the output in a thread and keeps its end. Too much stops the program, even after its end.
    fn read(
        self,
        pipe: Option<impl Read + Send + 'static>,
        shared: &Arc<WatchedProgram>,
        stop: impl Fn() + Send + 'static,
    ) -> io::Result<()> {
        let shared = Arc::clone(shared);
        let Some(mut pipe) = pipe else {
            shared.change(|observed| observed.open_outputs -= 1);
            return Ok(());
        };
        let read = move || {
            let mut buffer = vec![0; 1 << 16];
            let mut printed = 0;
            loop {
                match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => break,
                    Ok(read) => self.add(&buffer[..read], &mut printed, &shared, &stop),
                }
            }
            shared.change(|observed| {
                (self.kept)(observed).cut_to(self.keep);
                observed.open_outputs -= 1;
            });
        };
        thread::Builder::new().spawn(read).map(drop)
    }

    fn add(&self, bytes: &[u8], printed: &mut u64, shared: &WatchedProgram, stop: &impl Fn()) {
        let mut observed = shared.observed();
        // Bytes beyond the limit are discarded.
        let room = usize::try_from(self.cap.saturating_sub(*printed)).unwrap_or(usize::MAX);
        (self.kept)(&mut observed).bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        *printed += bytes.len() as u64;
        if *printed > self.cap && observed.overflow.is_none() {
            observed.overflow = Some(self.limit);
            stop();
        }
        let kept = (self.kept)(&mut observed);
        // Not at every read: moving the rest takes as long as the rest is.
        if kept.bytes.len() > 2 * self.keep + (1 << 16) {
            kept.cut_to(self.keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loud_program_is_cut_and_not_stopped() {
        let shared = Arc::new(WatchedProgram::default());
        let pipes = (Some(io::repeat(b'.').take(3 << 20)), Some(&b"oh dear\n"[..]));
        shared.read_outputs(pipes, &ResourceLimits::BOT, 1_000, || panic!("it is stopped")).unwrap();
        assert!(shared.wait(Duration::from_secs(60), |observed| observed.open_outputs == 0));
        let observed = shared.observed();
        assert_eq!(observed.overflow, None);
        assert_eq!(observed.stdout.text(), format!("(Earlier output is cut.)\n{}", ".".repeat(1_000)));
        assert_eq!(observed.stderr.text(), "oh dear");
    }
}
