//! What all tournaments of a day share.

use std::net::SocketAddr;
use std::sync::Arc;

use casino_stud::hex::hex;

use crate::web::{DEFAULT_MINUTES, QrCode, Room, qr_code};
use casino_host::ControlHandle;
use casino_system::interrupts::outlive_file_size_limit;

use super::files::ProgramFolder;
use super::reachable::{page_url, reachable};
use super::recorded_settings::RecordedSettings;
use super::{DayNotice, DayNotices, Options, SessionError};

/// The tempo of a show that is only drawn and has no length, in per cent: it hurries after the dealer.
const HURRY: u32 = 2_000;

/// What all tournaments of a day share.
pub(super) struct Context {
    pub(super) options: Options,
    pub(super) notices: Arc<dyn DayNotices>,
    /// The page and the console, if there is one of them.
    pub(super) room: Option<Arc<Room>>,
    pub(super) folder: ProgramFolder,
    pub(super) link: Option<PageLink>,
}

/// Where the page is found from outside.
#[derive(Clone, Debug)]
pub(super) struct PageLink {
    /// The address, as it is typed.
    pub(super) url: String,
    /// The same as a picture; nothing if only this machine can open it.
    pub(super) qr: Option<QrCode>,
}

impl PageLink {
    fn to(page: SocketAddr) -> Option<PageLink> {
        let best = *reachable(page).first()?;
        let url = page_url(page);
        let qr = if best.ip().is_loopback() { None } else { qr_code(&url) };
        Some(PageLink { url, qr })
    }
}

impl Context {
    /// Makes the folder, opens the page and the console, if they are wanted, and tells where they are.
    pub(super) fn open(
        options: Options,
        notices: Arc<dyn DayNotices>,
        has_programs: bool,
    ) -> Result<Context, SessionError> {
        if options.stay.is_some() && !options.opens_room() {
            return Err(SessionError::NoPageToStay);
        }
        outlive_file_size_limit().map_err(SessionError::System)?;
        let folder = ProgramFolder::new(options.out.as_deref(), has_programs)?;
        let mut context = Context { options, notices, room: None, folder, link: None };
        let (page, console) = (context.options.page, context.options.console);
        if !context.options.opens_room() {
            return Ok(context);
        }
        let console = match console {
            Some(address) => {
                let token: [u8; 16] = random()?;
                Some((address, hex(token)))
            }
            None => None,
        };
        let room = Room::open(page, console).map_err(|error| SessionError::Page(error.into()))?;
        let show = room.console_state().show();
        show.set_minutes(context.options.minutes.unwrap_or(DEFAULT_MINUTES));
        show.keep_for_winners(context.options.kept_for_winners);
        if !context.options.is_served() && show.minutes().is_none() {
            room.console_state().restore_tempo(HURRY);
        }
        if context.options.shown {
            context.tell(&DayNotice::Show(&room.viewer()))?;
        }
        if let Some(address) = room.page() {
            context.tell(&DayNotice::Page(address))?;
            context.link = PageLink::to(address);
        }
        if let Some((address, token)) = room.console() {
            context.tell(&DayNotice::Console { address, token })?;
        }
        room.console_state().controls().set_pace(context.options.pace);
        context.room = Some(Arc::new(room));
        Ok(context)
    }

    /// The controls of the dealer: those of the console, or such as only know the pace that was asked for.
    pub(super) fn controls(&self) -> ControlHandle {
        match &self.room {
            Some(room) => room.console_state().controls().clone(),
            None => {
                let controls = ControlHandle::default();
                controls.set_pace(self.options.pace);
                controls
            }
        }
    }

    /// Has the teacher's settings recorded in the journal of the tournament that begins next.
    pub(super) fn note_settings(&self) {
        if let Some(room) = self.room.as_ref().filter(|_| self.options.is_served()) {
            let settings = RecordedSettings::of(room.console_state());
            settings.notes().iter().for_each(|note| room.console_state().controls().note(note));
        }
    }

    pub(super) fn tell(&self, notice: &DayNotice<'_>) -> Result<(), SessionError> {
        self.notices.tell(notice).map_err(SessionError::DayNotice)
    }
}

pub(super) fn random<const N: usize>() -> Result<[u8; N], SessionError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(SessionError::Random)?;
    Ok(bytes)
}
