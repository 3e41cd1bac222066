//! State shared by all tournaments of a day.

use std::io;
use std::net::SocketAddr;
use std::panic::resume_unwind;
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use casino_host::driven::{EXIT_INTERRUPTED, on_interrupt_but};
use casino_show::state::LobbyView;
use casino_stud::hex::hex;
use casino_stud::tournament::{DaySettings, Recorder};
use casino_system::interrupts::Interrupt;
use casino_system::processes::thread_named;

use super::console::NoticeKind;
use super::files::ProgramFolder;
use super::reachable::{PageLink, qr_code};
use super::{
    ChairLink, ConsoleState, DayNotice, DayNotices, LobbyFeed, Opening, Options, SessionError, ShowMinutes,
    Showing,
};

/// State shared by all tournaments of a day.
pub(super) struct Context {
    pub(super) options: Options,
    pub(super) notices: Arc<dyn DayNotices>,
    pub(super) console: Arc<ConsoleState>,
    /// The display of the day, if there is one.
    pub(super) showing: Option<Box<dyn Showing>>,
    pub(super) folder: ProgramFolder,
    /// Whether the day is to stop after the round in play, from the first tournament on.
    interrupted: OnceLock<Arc<AtomicBool>>,
    /// The reports that are written while the page stands and the next lobby opens.
    reports: Mutex<Vec<JoinHandle<Result<(), SessionError>>>>,
}

impl Context {
    /// Makes the folder, opens the page and the console, if they are wanted, and tells where they are.
    pub(super) fn open(
        options: Options,
        notices: Arc<dyn DayNotices>,
        has_programs: bool,
    ) -> Result<Context, SessionError> {
        if options.stay.is_some() && !options.is_served() {
            return Err(SessionError::NoPageToStay);
        }
        let folder = ProgramFolder::new(options.out.as_deref(), has_programs)?;
        let console: Arc<ConsoleState> = Arc::default();
        console.controls().set(|settings| settings.pace = options.pace);
        console.set_roster(options.roster.clone());
        let (interrupted, reports) = (OnceLock::new(), Mutex::default());
        let mut context = Context { options, notices, console, showing: None, folder, interrupted, reports };
        if context.options.is_served() {
            context.open_showing()?;
        }
        Ok(context)
    }

    fn open_showing(&mut self) -> Result<(), SessionError> {
        let Options { page, console, .. } = self.options;
        let token: [u8; 16] = random()?;
        let token = hex(token);
        let opening = Opening {
            console_state: Arc::clone(&self.console),
            page,
            console: console.map(|address| (address, token.clone())),
        };
        let minutes = self.options.minutes.unwrap_or(ShowMinutes::DEFAULT).get();
        self.console.controls().set(|settings| settings.minutes = Some(minutes));
        let showing = self.notices.open(opening).map_err(SessionError::Page)?;
        if let Some(address) = showing.console() {
            self.notify(&DayNotice::Console { address, token: &token })?;
        }
        if showing.page().is_some() {
            self.console.chairs().open(self.options.chairs);
        }
        self.showing = Some(showing);
        self.announce_page()
    }

    /// Reports the addresses of the page, and of the chairs on it.
    pub(super) fn announce_page(&self) -> Result<(), SessionError> {
        if let Some(address) = self.page() {
            self.notify(&DayNotice::Page(address))?;
        }
        self.invite()
    }

    fn page(&self) -> Option<SocketAddr> {
        self.showing.as_ref()?.page()
    }

    /// The link to the page by the addresses that this machine has now.
    pub(super) fn link(&self) -> Option<PageLink> {
        self.page().map(PageLink::to)
    }

    /// Reports the address where people sit down, if there are chairs for them.
    pub(super) fn invite(&self) -> Result<(), SessionError> {
        let chairs = self.console.chairs();
        let Some(link) = self.link().filter(|_| chairs.count() > 0) else { return Ok(()) };
        let url = format!("{}chair#{}", link.url, chairs.invitation()?);
        let qr = link.qr.and_then(|_| qr_code(&url));
        self.notify(&DayNotice::Chairs { url: &url })?;
        chairs.set_link(ChairLink { url, qr });
        Ok(())
    }

    /// Without a console, waits until all people who play in a browser have sat down. False if the day ends here.
    pub(super) async fn wait_for_people(&self) -> bool {
        let mut changes = self.console.chairs().changes();
        while self.options.console.is_none() && !self.console.chairs().all_taken() {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return false },
                () = self.console.interrupted() => return false,
            }
        }
        true
    }

    /// The minutes set by a flag or at the console; `None` if unset or without a show.
    pub(super) fn asked_minutes(&self) -> Option<ShowMinutes> {
        let minutes = self.console.minutes();
        let is_asked = self.options.minutes.is_some() || minutes != ShowMinutes::DEFAULT;
        (is_asked && minutes != ShowMinutes::NONE).then_some(minutes)
    }

    /// Takes over the settings of a journal; those of the command line take precedence. Without a console nobody could end
    /// a pause, so there is none.
    pub(super) fn restore(&self, recorded: &DaySettings) {
        let Options { minutes, pace, console, .. } = self.options;
        self.console.controls().set(|settings| {
            let left = recorded.minutes_left.or(recorded.minutes).or(settings.minutes);
            *settings = DaySettings {
                pace: if pace.is_zero() { recorded.pace } else { pace },
                is_paused: recorded.is_paused && console.is_some(),
                minutes: minutes.map_or(left, |minutes| Some(minutes.get())),
                minutes_left: None,
                ..recorded.clone()
            };
        });
    }

    /// Has the teacher's settings recorded in the journal of the tournament that begins next.
    pub(super) fn note_settings(&self) {
        if self.options.is_served() {
            let usual = DaySettings { minutes: Some(ShowMinutes::DEFAULT.get()), ..DaySettings::default() };
            let controls = self.console.controls();
            controls
                .read(|settings| settings.commands(&usual))
                .into_iter()
                .for_each(|note| controls.note(note));
        }
    }

    /// Shows the lobby: names to the public, everything to the teacher.
    pub(super) fn show_lobby(&self, lobby: LobbyView, feed: LobbyFeed) {
        self.console.show_lobby(feed);
        if let Some(showing) = &self.showing {
            showing.lobby(lobby);
        }
    }

    /// With a console, waits for its start command, and calls `show` whenever a player in the lobby is renamed. False
    /// if the day ends here.
    pub(super) async fn wait_for_start(&self, show: impl Fn()) -> bool {
        if self.options.console.is_none() {
            return true;
        }
        loop {
            tokio::select! {
                () = self.console.wait_for_proceed() => return true,
                () = self.console.lobby_changed() => show(),
                () = self.console.interrupted() => return false,
            }
        }
    }

    /// Waits with the page standing: for the next tournament, if the teacher wants one (true), or for
    /// the end of the time or Ctrl-C (false). The actions at the console meanwhile are recorded.
    pub(super) async fn linger<R: Recorder>(
        &self,
        showing: &dyn Showing,
        record: &mut R,
    ) -> io::Result<bool> {
        let control = self.console.controls().control();
        let mut goes_on = pin!(async {
            tokio::select! {
                () = self.console.wait_for_proceed() => true,
                () = self.console.interrupted() => false,
                () = self.page_has_stayed(showing) => false,
            }
        });
        let goes_on = loop {
            tokio::select! {
                goes_on = &mut goes_on => break goes_on,
                () = control.ordered() => {
                    control.record_orders(record)?;
                    record.pause()?;
                }
            }
        };
        control.record_orders(record)?;
        record.pause()?;
        Ok(goes_on)
    }

    /// Waits until the page has stayed so long after the end: that of the show, if the dealer keeps in step with it.
    async fn page_has_stayed(&self, showing: &dyn Showing) {
        if self.console.minutes() != ShowMinutes::NONE {
            showing.is_over().await;
        }
        tokio::time::sleep(self.options.stay.unwrap_or(Duration::MAX)).await;
    }

    /// Begins to write a report. The teacher hears at once if it fails, and the day goes on.
    pub(super) fn begin_report(
        &self,
        write: impl FnOnce() -> Result<(), SessionError> + Send + 'static,
    ) -> Result<(), SessionError> {
        let console = Arc::clone(&self.console);
        let written = thread_named("report", move || {
            write().inspect_err(|error| console.notice(format!("The report is not written: {error}.")))
        });
        self.reports().push(written.map_err(SessionError::System)?);
        Ok(())
    }

    /// Waits until the reports that were begun are written.
    pub(super) fn reports_written(&self) -> Result<(), SessionError> {
        let reports = std::mem::take(&mut *self.reports());
        let written =
            reports.into_iter().map(|report| report.join().unwrap_or_else(|panic| resume_unwind(panic)));
        written.fold(Ok(()), Result::and)
    }

    fn reports(&self) -> MutexGuard<'_, Vec<JoinHandle<Result<(), SessionError>>>> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The day ends in the lobby of a later tournament, or after a tournament that is over.
    pub(super) fn end_day(&self) -> Result<(), SessionError> {
        self.console.forget_decisions();
        self.reports_written()
    }

    /// Takes over what was decided in the lobby of this journal by a host that died, and keeps beside it what is decided now.
    pub(super) fn restore_decisions(&self, journal: &Path) -> Result<(), SessionError> {
        if self.console.restore_decisions(journal)? {
            let kept = "The names that were given and the players who were let in before the host was interrupted hold again.";
            self.console.notice_of(NoticeKind::Restored, kept.to_string());
        }
        self.console.keep_decisions(journal)
    }

    /// Handles interrupts from the first tournament of the day on, once for all of them: Ctrl-C ends the tournament in play
    /// after its round, and any other interrupt stops it, as does Ctrl-C between two tournaments. Whether one has stopped it.
    pub(super) fn interrupted(&self) -> Result<Arc<AtomicBool>, SessionError> {
        if let Some(interrupted) = self.interrupted.get() {
            return Ok(Arc::clone(interrupted));
        }
        let (console, notices) = (Arc::clone(&self.console), Arc::clone(&self.notices));
        let stop = move || {
            if console.interrupt() {
                // The process is about to stop, so a failed message has no receiver.
                let _ = notices.notify(&DayNotice::Stopping);
            }
            console.controls().open_gate();
        };
        let (console, notices) = (Arc::clone(&self.console), Arc::clone(&self.notices));
        let take = move |interrupt| match interrupt {
            // The players still wait for the show: nothing is lost if it ends here.
            Interrupt::CtrlC if console.controls().is_over() => false,
            Interrupt::CtrlC if console.is_playing() && console.is_ended() => {
                std::process::exit(EXIT_INTERRUPTED)
            }
            Interrupt::CtrlC if console.end_now().is_ok() => {
                // The process is about to end, so a failed message has no receiver.
                let _ = notices.notify(&DayNotice::Ending);
                true
            }
            _ => false,
        };
        let interrupted = on_interrupt_but(take, stop).map_err(SessionError::System)?;
        Ok(Arc::clone(self.interrupted.get_or_init(|| interrupted)))
    }

    pub(super) fn notify(&self, notice: &DayNotice<'_>) -> Result<(), SessionError> {
        self.notices.notify(notice).map_err(SessionError::DayNotice)
    }
}

/// A key that the system draws: 128 bits in hexadecimal.
pub(crate) fn drawn_key() -> Result<String, SessionError> {
    random::<16>().map(hex)
}

pub(super) fn random<const N: usize>() -> Result<[u8; N], SessionError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(SessionError::Random)?;
    Ok(bytes)
}
