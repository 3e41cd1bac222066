//! A limit to the lines that others can make this program print.

use std::time::{Duration, Instant};

/// Lets a number of lines pass at once, and from then on one a second.
#[derive(Debug)]
pub(super) struct LineLimit {
    /// The most lines that may pass at once.
    burst: u32,
    /// The lines that may pass now.
    allowed: u32,
    /// The time until which lines have been allowed.
    since: Option<Instant>,
    left_out: u64,
}

impl LineLimit {
    pub(super) fn new(burst: u32) -> LineLimit {
        LineLimit { burst, allowed: burst, since: None, left_out: 0 }
    }

    /// Whether a line may pass at this time, and how many before it did not since the last one that did.
    pub(super) fn pass(&mut self, now: Instant) -> Option<u64> {
        let since = *self.since.get_or_insert(now);
        let seconds = now.saturating_duration_since(since).as_secs();
        self.since = Some(since + Duration::from_secs(seconds));
        self.allowed =
            self.allowed.saturating_add(u32::try_from(seconds).unwrap_or(u32::MAX)).min(self.burst);
        if self.allowed == 0 {
            self.left_out += 1;
            return None;
        }
        self.allowed -= 1;
        Some(std::mem::take(&mut self.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_one_line_a_second_and_is_counted() {
        let (mut limit, begun) = (LineLimit::new(2), Instant::now());
        let mut passed = Vec::new();
        for tenth in 0..50 {
            passed.extend(limit.pass(begun + Duration::from_millis(100 * tenth)).map(|left| (tenth, left)));
        }
        assert_eq!(passed, [(0, 0), (1, 0), (10, 8), (20, 9), (30, 9), (40, 9)]);
        let later = begun + Duration::from_secs(3_600);
        assert_eq!([(); 3].map(|()| limit.pass(later)), [Some(9), Some(0), None]);
    }
}
