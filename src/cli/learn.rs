//! The command `casino learn`: dealt hands that teach the game, one after the other, in a browser.

use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;

use casino_host::block_on;
use casino_system::interrupts::Interrupts;

use crate::session::{ConsoleState, LOCALHOST_FREE_PORT, Opening, Showing, page_url};
use crate::show::seat::LESSONS;
use crate::web::Room;

use super::output::remark;
use super::values::{HERE, address, whole};
use super::{Failure, print};

#[derive(Args)]
#[command(
    after_help = "Prints the link to the lessons, which are served until Ctrl-C. In each lesson you play a dealt \
        hand against two bots and read the reasons for the result.\n\n\
        Examples:
  casino learn
  casino learn 4
  casino learn --web 8080"
)]
pub(crate) struct Learn {
    /// The lesson to begin with
    #[arg(value_name = "LESSON", default_value_t = 1, value_parser = whole::<usize>(1..=LESSONS as u64))]
    lesson: usize,
    /// Serve the lessons at this port or address [default: a free port of this machine]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(HERE))]
    web: Option<SocketAddr>,
}

impl Learn {
    pub(crate) fn run(self) -> Result<(), Failure> {
        block_on(self.teach()).map_err(Failure::runtime)?
    }

    async fn teach(self) -> Result<(), Failure> {
        let mut interrupts = Interrupts::handle().map_err(Failure::runtime)?;
        let opening = Opening {
            console_state: Arc::<ConsoleState>::default(),
            page: Some(self.web.unwrap_or(LOCALHOST_FREE_PORT)),
            console: None,
        };
        let room = Room::open(opening).map_err(Failure::usage)?;
        let page = room.page().expect("the page was opened");
        print(format_args!("The lessons: {}learn#{}", page_url(page), self.lesson))?;
        remark("They stay until Ctrl-C is pressed.");
        interrupts.next().await;
        Ok(())
    }
}
