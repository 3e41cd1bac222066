//! The show: from recorded rounds to the state of the page that people watch. Nothing here reads a clock, a file or a
//! socket, and no type has a field for a GitHubId.
//!
//! ```toml
//! [dependencies]
//! casino-show = "0.1"
//! casino-stud = "0.1"
//! ```
//!
//! Imports go up this list only:
//!
//! | module | content |
//! |---|---|
//! | [`rounds`] | a recorded round for display: steps, tables, drama, headlines, standings, awards |
//! | [`timing`] | the time of steps, rounds and levels; the director's choice of rounds and tables |
//! | [`state`] | the page, its sections, and the changes that rounds and levels make |
//! | [`plan`] | the rounds that wait, and the order in which everything is shown |

//!
//! | word | meaning |
//! |---|---|
//! | [`Page`](state::Page) | all that people see, as plain data; moved by the parts and the steps of a tournament |
//! | [`PublishedPage`](state::PublishedPage) | a page, and what its viewers have received of it |
//! | [`HallView`](state::HallView) | the tables of an event on the page |
//! | [`Cue`](plan::Cue), [`ShowPlan`](plan::ShowPlan) | something that is shown for a time; those that are planned, in order |
//! | presenter, page writer | in the host: the task that performs the cues in their time; what it changes the page with |
//! | level, seating | rounds at the same ante; the tables of a level, which may be balanced in the middle of it |
//! | late | of an entry: after the first deal. Of a reply: after its time. Of a show: behind its minutes |
//! | headline | why a round is worth watching, in a few words, until it has ended |

pub mod plan;
pub mod rounds;
pub mod state;
pub mod timing;

#[cfg(test)]
#[path = "../../../tests/support/typescript.rs"]
mod typescript;

#[cfg(test)]
#[test]
fn typescript_declares_the_types_of_the_page() {
    use ts_rs::TypeVisitor;
    let mut types = typescript::Declarations::default();
    types.visit::<state::Page>();
    types.visit::<state::NewsItem>();
    types.visit::<state::PlayerPage>();
    types.visit::<state::ProphetResult>();
    types.visit::<plan::ReplayShot>();
    types.visit::<rounds::TournamentInfo>();
    let imports =
        r#"{ CardCode, ExitKind, Half, HoleCards, Occasion, Race } from "../../src/web/assets/data.d.ts""#;
    types.compare(concat!(env!("CARGO_MANIFEST_DIR"), "/page.d.ts"), imports);
}
