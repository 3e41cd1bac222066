//! The `casino` program: everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    casino_day::run()
}
