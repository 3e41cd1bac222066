//! The `casino` program.
fn main() {}
