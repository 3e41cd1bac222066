//! Catches panics of the show and starts it again where it was.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use super::messages::PageMessage;
use super::presenter::Presenter;
use crate::session::ConsoleState;

/// The delay before the show is started again after a panic, times the number of panics so far.
const RESTART_DELAY: Duration = Duration::from_millis(50);
const MAX_RESTART_DELAY: Duration = Duration::from_secs(2);

/// Opens the gate when the show ends for any reason: the dealer never waits for a show that is gone.
struct OpenGate(Arc<ConsoleState>);

impl Drop for OpenGate {
    fn drop(&mut self) {
        self.0.controls().open_gate();
    }
}

/// Runs the show until there is nothing to come, however often it panics.
pub(crate) async fn supervise(mut presenter: Presenter, mut messages: UnboundedReceiver<PageMessage>) {
    let console_state = Arc::clone(&presenter.console_state);
    let _gate = OpenGate(Arc::clone(&console_state));
    let mut restarts = 0;
    while let Err(panic) = caught(&mut presenter, &mut messages).await {
        restarts += 1;
        let why = words(&*panic);
        console_state.notice(format!(
            "The page had to be started again ({why}). Play was not touched; please report this."
        ));
        tokio::time::sleep((RESTART_DELAY * restarts).min(MAX_RESTART_DELAY)).await;
        presenter = presenter.restarted();
    }
}

/// Runs the show; the panic if there was one.
async fn caught(
    presenter: &mut Presenter,
    messages: &mut UnboundedReceiver<PageMessage>,
) -> Result<(), Box<dyn Any + Send>> {
    let mut run = pin!(presenter.run(messages));
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| run.as_mut().poll(context))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason was given").to_string()
}
