//! The wait for a quiet machine: programs that have just started still load and compile while they are logged in.

use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use casino_system::processes::{OWN_PROCESSOR_SHARE, room_for_a_thread, share_of_processor};

/// How long one look at the processors takes, and the pause after it.
const SAMPLE_TIME: Duration = Duration::from_millis(10);
const SAMPLE_PAUSE: Duration = Duration::from_millis(90);

/// Samples in a row with a free processor that make a machine quiet.
const QUIET_SAMPLES: u32 = 3;

/// A machine that is busy for this long has other work, which does not end with the start of the programs.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Waits until a processor of this machine is free, for at most five seconds.
pub async fn machine_is_quiet() {
    quiet(async || match room_for_a_thread() {
        // A panic there would be one of a loop that only counts.
        Ok(()) => spawn_blocking(|| share_of_processor(SAMPLE_TIME)).await.ok().flatten(),
        Err(_) => None,
    })
    .await;
}

/// The same by this share of a processor, `None` where it is unknown: then there is nothing to wait for.
async fn quiet(mut share: impl AsyncFnMut() -> Option<f64>) {
    let (begun, mut samples) = (Instant::now(), 0);
    while samples < QUIET_SAMPLES && begun.elapsed() < LONGEST_WAIT {
        match share().await {
            None => return,
            Some(share) if share >= OWN_PROCESSOR_SHARE => samples += 1,
            Some(_) => samples = 0,
        }
        sleep(SAMPLE_PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long it waits for a machine with these shares, the last of which stays.
    async fn waits(shares: &[Option<f64>]) -> Duration {
        let (begun, mut sample) = (Instant::now(), 0);
        quiet(async || {
            sample += 1;
            shares[(sample - 1).min(shares.len() - 1)]
        })
        .await;
        begun.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn play_waits_for_a_quiet_machine_but_not_forever() {
        assert_eq!(waits(&[None]).await, Duration::ZERO);
        assert_eq!(waits(&[Some(1.0)]).await, QUIET_SAMPLES * SAMPLE_PAUSE);
        // A busy sample begins the count anew.
        let starting = [Some(1.0), Some(0.2), Some(0.3), Some(1.0), Some(0.4), Some(0.9)];
        assert_eq!(waits(&starting).await, 8 * SAMPLE_PAUSE);
        let busy = waits(&[Some(0.4)]).await;
        assert!((LONGEST_WAIT..LONGEST_WAIT + SAMPLE_PAUSE).contains(&busy), "{busy:?}");
    }
}
