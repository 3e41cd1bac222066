//! The fuzz targets, shared with the plain tests, and their libFuzzer programs.

#[path = "../../tests/fuzzing/targets/mod.rs"]
pub mod targets;

#[doc(hidden)]
pub use libfuzzer_sys;

/// The program of the target of this name. It first prints the number of inputs of each libFuzzer run, for the table of
/// `scripts/fuzz.py`.
#[macro_export]
macro_rules! program {
    ($name:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(
            init: eprintln!("inputs of each run: {}", 1 + $crate::targets::Target::named($name).mutants),
            |input: &[u8]| $crate::targets::Target::named($name).run_with_mutants(input)
        );
    };
}
