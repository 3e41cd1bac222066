//! The power fails with the host: unsynced writes are lost, or a part of them.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use casino_stud::cards::Stream;

use crate::tools::skip;

/// The system's own Python, for which Debian packages pyfuse3.
const PYTHON: &str = "/usr/bin/python3";

/// The remainder of unsynced writes: see forgetful.py.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The power stays on: all of it.
    All,
    Nothing,
    Torn,
    Zeros,
    Holes,
}

/// A file system in user space that forgets, ended and unmounted when dropped.
pub(crate) struct Forgetful {
    child: Child,
    at: PathBuf,
    is_mounted: bool,
}

impl Forgetful {
    /// Mounts one. `None` with a message if that is impossible.
    pub(crate) fn mount(at: &Path) -> Option<Forgetful> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kills/forgetful.py");
        fs::create_dir_all(at).unwrap();
        let mut command = Command::new(PYTHON);
        command.args(["-B", script]).arg(at).stdout(Stdio::piped()).stderr(Stdio::piped());
        let Ok(child) = command.spawn() else {
            skip("fuse", "power failures", &format!("there is no {PYTHON}"));
            return None;
        };
        let mut forgetful = Forgetful { child, at: at.to_path_buf(), is_mounted: false };
        let mut line = String::new();
        let mut said = BufReader::new(forgetful.child.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        if line.trim() != "mounted" {
            skip("fuse", "power failures", "no file system in user space can be mounted with pyfuse3");
            return None;
        }
        // It is mounted a moment later.
        while !forgetful.at.join("power").exists() {
            assert!(forgetful.child.try_wait().unwrap().is_none(), "it has ended");
            thread::yield_now();
        }
        forgetful.is_mounted = true;
        Some(forgetful)
    }

    /// Makes an empty disk of this name, with power.
    pub(crate) fn disk(&self, name: &str) -> Power {
        fs::create_dir(self.at.join(name)).unwrap();
        Power { top: self.at.clone(), disk: name.to_string() }
    }
}

impl Drop for Forgetful {
    fn drop(&mut self) {
        // Once unmounted it exits.
        let unmounted = Command::new("umount").arg(&self.at).stderr(Stdio::null()).status();
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        let is_left = self.is_mounted && !unmounted.is_ok_and(|ended| ended.success());
        assert!(!is_left || thread::panicking(), "{} is still mounted", self.at.display());
    }
}

pub(crate) struct Power {
    top: PathBuf,
    disk: String,
}

impl Power {
    /// The folder of the disk.
    pub(crate) fn folder(&self) -> PathBuf {
        self.top.join(&self.disk)
    }

    /// Limits the free space of all disks of the file system to this many bytes; `None` removes the limit.
    pub(crate) fn leave_room(&self, bytes: Option<u64>) {
        let bytes = bytes.map_or(-1, |bytes| i64::try_from(bytes).unwrap());
        let mut switch = OpenOptions::new().write(true).open(self.top.join("power")).unwrap();
        switch.write_all(format!("room {bytes}").as_bytes()).unwrap();
    }

    /// A file in a folder that a host makes.
    pub(crate) fn journal(&self) -> String {
        self.top.join(&self.disk).join("results/journal.jsonl").display().to_string()
    }

    /// Fails in one of the ways, or now and then stays on.
    pub(crate) fn fail(&self, dice: &mut Stream) -> Way {
        let (name, way) = match dice.below(5) {
            0 => return Way::All,
            1 => ("nothing", Way::Nothing),
            2 => ("torn", Way::Torn),
            3 => ("zeros", Way::Zeros),
            _ => ("holes", Way::Holes),
        };
        self.cut(dice.below(u32::MAX), name);
        way
    }

    /// Cuts the power so that only synced writes remain.
    pub(crate) fn forget_all(&self) {
        self.cut(0, "nothing");
    }

    fn cut(&self, seed: u32, way: &str) {
        let mut switch = OpenOptions::new().write(true).open(self.top.join("power")).unwrap();
        switch.write_all(format!("cut {} {seed} {way}", self.disk).as_bytes()).unwrap();
    }
}
