//! What all tournaments of a day share.

use std::sync::Arc;

use crate::server::outlive_file_size_limit;
use crate::web::Room;

use super::files::ProgramFolder;
use super::{DayNotice, DayNotices, Options, SessionError};

/// What all tournaments of a day share.
pub(super) struct Context {
    pub(super) options: Options,
    pub(super) notices: Arc<dyn DayNotices>,
    /// The page and the console, if there is one of them.
    pub(super) room: Option<Arc<Room>>,
    pub(super) folder: ProgramFolder,
}

impl Context {
    /// Makes the folder, opens the page and the console, if they are wanted, and tells where they are.
    pub(super) fn open(
        options: Options,
        notices: Arc<dyn DayNotices>,
        has_programs: bool,
    ) -> Result<Context, SessionError> {
        if options.stay.is_some() && options.page.is_none() && options.console.is_none() {
            return Err(SessionError::NoPageToStay);
        }
        outlive_file_size_limit().map_err(SessionError::System)?;
        let folder = ProgramFolder::new(options.out.as_deref(), has_programs)?;
        let mut context = Context { options, notices, room: None, folder };
        let Options { page, console, .. } = context.options;
        if page.is_none() && console.is_none() {
            return Ok(context);
        }
        let console = match console {
            Some(address) => {
                let token: [u8; 16] = random()?;
                Some((address, token.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
            }
            None => None,
        };
        let room = Room::open(page, console).map_err(|error| SessionError::Page(error.into()))?;
        if let Some(address) = room.page() {
            context.tell(&DayNotice::Page(address))?;
        }
        if let Some((address, token)) = room.console() {
            context.tell(&DayNotice::Console { address, token })?;
        }
        context.room = Some(Arc::new(room));
        Ok(context)
    }

    pub(super) fn tell(&self, notice: &DayNotice<'_>) -> Result<(), SessionError> {
        self.notices.tell(notice).map_err(SessionError::DayNotice)
    }
}

/// Random bytes from the system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], SessionError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(SessionError::Random)?;
    Ok(bytes)
}
