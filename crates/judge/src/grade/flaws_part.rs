//! What is wrong with a program of a sister game as a part of its report.

use super::report::{Item, Part, Points};
use casino_sisters::misreadings::{Flaw, Place};

/// The title of the part of a report that says what is behind the differences. It has no points.
const PART: &str = "What the differences come from";

/// The flaws as a part of a report; nothing if there are none. Places are put into words by a function.
pub(super) fn flaws_part(flaws: &[Flaw], place: impl Fn(Place) -> String) -> Option<Part> {
    let item = |flaw: &Flaw| {
        let title = format!("First seen in {}", place(flaw.first));
        Item::new(flaw.codes.join(" or "), title, Points::ZERO).failed(flaw.says.as_str())
    };
    let items: Vec<Item> = flaws.iter().map(item).collect();
    (!items.is_empty()).then(|| Part { title: PART.into(), items })
}
