//! Most tests of the whole program and of the library's interface, in one test program: it is linked once, and while
//! one of its tests waits, another runs. One file alone: `cargo test --test together resume::`.
//!
//! Separate test programs are `session`, which interrupts its own process; `hostile`, whose programs kill all processes
//! they can reach; `kills` and `simulate`, which load the machine and are also run alone, with other numbers;
//! `golden`, which also writes files of the repository; and `tidy`, which reads the sources and is part of the quick
//! checks.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod browser;
mod documents;
mod events;
mod faults;
mod fuzzing;
mod graders;
mod hand_ins;
mod journal_file;
mod kits;
mod ladder_page;
mod late_entry;
mod modified_utf8;
mod numbers;
mod places;
mod program;
mod python;
mod rate;
mod redeal;
mod replay;
mod resume;
mod sandbox;
mod scenarios;
mod sit;
#[path = "support/kits.rs"]
mod starter_kits;
mod strangers;
mod support;
mod texts;
#[path = "support/tools.rs"]
mod tools;
mod web;
