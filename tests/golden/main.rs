//! Golden tests of the external interface, byte for byte: the wires, the journals, the output and files of the
//! commands, and their exit codes.
//!
//! Everything here is tested from outside, without the library. The frozen bytes are in `tests/data/golden`.
//! `UPDATE_GOLDEN=1 cargo test --test golden` writes them again: twice, because some commands are tried with frozen
//! journals. A new command is a line `=== casino …` in `commands/GROUP.txt`. Review the diff.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

mod clients;
mod commands;
mod games;
mod graders;
#[path = "../support/host.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses a part")]
mod host;
mod journals;
mod pages;
mod shell;
mod store;
#[path = "../support/tools.rs"]
mod tools;
