//! Ctrl-C.

/// Calls `pressed` each time somebody presses Ctrl-C, which from now on does nothing else.
///
/// # Panics
/// Outside [`super::block_on`].
pub fn on_interrupt(mut pressed: impl FnMut() + Send + 'static) {
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            pressed();
        }
    });
}
