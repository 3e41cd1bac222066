//! Putting a recorded view to a program.

use super::ProgramPlayer;
use casino_stud::replay::{RecordedView, Recording, RecordingComparison};

/// Puts a recording to a program, until it cannot be asked any more. `progress` is told after each question how many
/// have been asked.
pub fn put_recording(
    recording: &Recording,
    player: &mut ProgramPlayer<'_>,
    mut progress: impl FnMut(u64),
) -> RecordingComparison {
    let mut comparison = RecordingComparison::default();
    for view in recording.views() {
        match view {
            RecordedView::Told(status) => {
                // A program that cannot be told anything has a fault at its next question.
                let _ = player.hear(status);
            }
            RecordedView::Asked(decision) => {
                comparison.add(decision, &player.answer(&decision.question()));
                progress(comparison.questions);
                if comparison.ended_early.is_some() {
                    break;
                }
            }
        }
    }
    comparison
}
