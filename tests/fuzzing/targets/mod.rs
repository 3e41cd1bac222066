//! The bodies of all fuzz targets. Each takes any bytes and fails, by a panic, if the library does something with them
//! that it promises not to. Two drivers call them: `tests/fuzzing/mod.rs`, a plain test with the inputs of
//! `tests/fuzzing/corpus` and a few thousand mutants of them, and libFuzzer through the package in `fuzz/`.
//!
//! A body tests the library from outside. Its expected results come from code of its own ([`second_decoder`] for
//! texts), or from a law that holds for any input: written data is read back, chips are conserved, a sentence is short
//! and harmless.

#![allow(dead_code, unreachable_pub, reason = "each driver uses a part")]

pub mod archives;
pub mod check;
pub mod dice;
pub mod folder;
pub mod frames;
pub mod hand_ins;
pub mod journals;
pub mod logins;
pub mod modified_utf8;
pub mod mutation;
pub mod replies;
pub mod rosters;
pub mod scenarios;
pub mod second_decoder;
pub mod submissions;
pub mod web;

use mutation::Mutator;

/// A fuzz target.
pub struct Target {
    /// Its name: of the file of its body, of its folder in the corpus and of its libFuzzer program.
    pub name: &'static str,
    /// The test of one input.
    pub body: fn(&[u8]),
    /// How many inputs the plain test gives to it.
    pub tested: usize,
    /// How many mutants of each input libFuzzer's program tries besides the input itself: for bodies that take less
    /// time than libFuzzer's own work between two inputs.
    pub mutants: usize,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "frames", body: frames::body, tested: 20_000, mutants: 15 },
    Target { name: "modified_utf8", body: modified_utf8::body, tested: 20_000, mutants: 15 },
    Target { name: "replies", body: replies::body, tested: 20_000, mutants: 15 },
    Target { name: "logins", body: logins::body, tested: 2_000, mutants: 3 },
    Target { name: "journals", body: journals::body, tested: 300, mutants: 0 },
    Target { name: "scenarios", body: scenarios::body, tested: 1_000, mutants: 0 },
    Target { name: "rosters", body: rosters::body, tested: 2_000, mutants: 3 },
    Target { name: "hand_ins", body: hand_ins::body, tested: 5_000, mutants: 3 },
    Target { name: "submissions", body: submissions::body, tested: 100, mutants: 0 },
    Target { name: "archives", body: archives::body, tested: 200, mutants: 0 },
    Target { name: "web", body: web::body, tested: 500, mutants: 0 },
];

impl Target {
    /// The target of this name.
    ///
    /// # Panics
    /// If it does not exist.
    pub fn named(name: &str) -> &'static Target {
        TARGETS
            .iter()
            .find(|target| target.name == name)
            .expect("each libFuzzer program is in the list of targets")
    }

    /// Gives the input to the body, and then as many mutants as the target has. They follow from the input alone, so an
    /// input that fails fails again.
    pub fn run_with_mutants(&self, input: &[u8]) {
        (self.body)(input);
        if self.mutants == 0 {
            return;
        }
        let mut mutator = Mutator::of_input(input);
        for _ in 0..self.mutants {
            (self.body)(mutator.mutant(input, &[]));
        }
    }
}
