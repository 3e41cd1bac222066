//! What is run in the sandbox, and where.

use std::path::PathBuf;

use super::ResourceLimits;

/// A program to run in the sandbox.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program and its arguments. `{host}` and `{port}` become the dealer's address.
    pub words: Vec<String>,
    /// Where it runs.
    pub place: Workspace,
    /// What it may take.
    pub limits: ResourceLimits,
    /// How many bytes of each output are kept: the last ones.
    pub keep: usize,
}

/// Where a program runs, and what it may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workspace {
    /// In a fresh copy of this folder, which is gone afterwards.
    Copy(PathBuf),
    /// In this folder, which it may change: for building.
    Build(PathBuf),
    /// In this folder, which it cannot change under bubblewrap.
    Here(PathBuf),
}
