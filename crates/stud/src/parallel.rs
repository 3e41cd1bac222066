//! Work on several threads whose outcome does not depend on their number.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// How many threads this machine runs at the same time; 1 if it does not say.
pub fn cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Does the work on these items in pieces of at most `at_once`, with a thread for each worker, and passes the outcomes to
/// `take` in the order of the items until `take` breaks off. Any worker may do any piece, but pieces always begin at the
/// multiples of `at_once`.
///
/// # Panics
/// If `work` panics, there are no workers, or `at_once` is 0.
pub fn in_order<W: Send, T: Send, E: Send>(
    workers: &mut [W],
    items: Range<u64>,
    at_once: u64,
    work: impl Fn(&mut W, Range<u64>) -> Result<T, E> + Sync,
    mut take: impl FnMut(Range<u64>, T) -> ControlFlow<()>,
) -> Result<(), E> {
    assert!(!workers.is_empty() && at_once > 0, "work takes a worker and pieces that are not empty");
    if items.is_empty() {
        return Ok(());
    }
    let pieces = items.start / at_once..items.end.div_ceil(at_once);
    let piece = |number: u64| {
        (number * at_once).max(items.start)..number.saturating_add(1).saturating_mul(at_once).min(items.end)
    };
    if workers.len() > 1
        && let Some(done) = side_by_side(workers, pieces.clone(), &piece, &work, &mut take)
    {
        return done;
    }
    for number in pieces {
        if take(piece(number), work(&mut workers[0], piece(number))?).is_break() {
            break;
        }
    }
    Ok(())
}

/// Does pieces of work with a thread for each worker, or for as many as the system has threads for; `None` if it has none.
fn side_by_side<W: Send, T: Send, E: Send>(
    workers: &mut [W],
    pieces: Range<u64>,
    piece: &(impl Fn(u64) -> Range<u64> + Sync),
    work: &(impl Fn(&mut W, Range<u64>) -> Result<T, E> + Sync),
    take: &mut impl FnMut(Range<u64>, T) -> ControlFlow<()>,
) -> Option<Result<(), E>> {
    let next = AtomicU64::new(pieces.start);
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sender, outcomes) = mpsc::channel();
        let mut threads = 0;
        for worker in workers {
            let (sender, next, enough, end) = (sender.clone(), &next, &enough, pieces.end);
            let does_work = move || {
                while !enough.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || sender.send((number, work(worker, piece(number)))).is_err() {
                        return;
                    }
                }
            };
            match std::thread::Builder::new().spawn_scoped(scope, does_work) {
                Ok(_) => threads += 1,
                Err(_) if threads == 0 => return None,
                Err(_) => break,
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = pieces.start;
        for (number, outcome) in outcomes {
            early.insert(number, outcome);
            while let Some(outcome) = early.remove(&wanted) {
                let taken = outcome.map(|outcome| take(piece(wanted), outcome));
                if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                    enough.store(true, Ordering::Relaxed);
                    return Some(taken.map(|_| ()));
                }
                wanted += 1;
            }
        }
        Some(Ok(()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(
        workers: usize,
        items: Range<u64>,
        at_once: u64,
        stop: u64,
    ) -> (Vec<Range<u64>>, Result<(), u64>) {
        let mut taken = Vec::new();
        let done = in_order(
            &mut vec![(); workers],
            items,
            at_once,
            |(), piece| if piece.contains(&77) { Err(77) } else { Ok(piece) },
            |piece, outcome| {
                assert_eq!(piece, outcome);
                taken.push(piece.clone());
                if piece.contains(&stop) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        (taken, done)
    }

    #[test]
    fn outcomes_are_ordered_for_any_thread_assignment() {
        for workers in 1..5 {
            assert_eq!(squares(workers, 3..11, 4, 99), (vec![3..4, 4..8, 8..11], Ok(())));
            assert_eq!(squares(workers, 5..5, 4, 99), (vec![], Ok(())));
            assert_eq!(squares(workers, 0..70, 10, 35).0.last(), Some(&(30..40)));
            let (taken, done) = squares(workers, 0..200, 10, 999);
            assert_eq!((taken.len(), done), (7, Err(77)));
        }
    }
}
