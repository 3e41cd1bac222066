//! The lobby, as the page shows it.

use serde::Serialize;

use casino_stud::journal::Occasion;

/// The players who have come in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LobbyView {
    /// How many players there will be; 0 if that is open.
    pub wanted: usize,
    /// All players in the lobby.
    pub guests: Vec<GuestView>,
    /// The names of those who played in the tournament before and are not in yet.
    pub awaited: Vec<String>,
    /// Where programs connect, as it is typed: the best line first.
    pub connect: Vec<String>,
    /// The address of the page itself.
    pub page_url: Option<String>,
    /// The same as a picture for phones; nothing if they cannot reach it.
    pub qr: Option<QrCode>,
    /// The event that will begin, in words.
    pub next: Option<String>,
    /// The missing players of the roster, if there is one.
    pub roster: Option<RosterView>,
    /// Whether an interrupted tournament is resumed.
    pub resumed: bool,
    /// Title, place and date.
    #[serde(default, skip_serializing_if = "Occasion::is_empty")]
    #[cfg_attr(test, ts(type = "Occasion"))]
    pub occasion: Occasion,
    /// What to do after the day, in lines for the end of the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_steps: Vec<String>,
}

/// The public view of the roster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RosterView {
    /// The names of those who are not in yet, where the room may see them.
    pub missing: Vec<String>,
}

/// A player in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestView {
    /// The name everyone sees.
    pub name: String,
    /// Whether the connection stands.
    pub connected: bool,
    /// Whether it is a bot of the house.
    pub house: bool,
    /// Its rank on the practice ladder when the day began, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
}

/// A QR code, drawn as a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QrCode {
    /// The modules of each side, without the quiet margin of four around it.
    pub size: usize,
    /// The dark modules as the data of an SVG path: one unit is one module.
    pub path: String,
}
