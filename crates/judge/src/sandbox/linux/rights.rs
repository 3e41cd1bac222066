//! Gives up the grader's privileges before a program runs.

use std::io;

use nix::unistd::{Gid, Uid, setgroups, setresgid, setresuid};
use rustix::io::Errno;
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs,
};

/// Switches to this user, if any, and drops all rights permanently.
pub(super) fn give_up(user: Option<u32>) -> io::Result<()> {
    empty_bounding_set()?;
    if let Some(user) = user {
        setgroups(&[])?;
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        setresgid(gid, gid, gid)?;
        setresuid(uid, uid, uid)?;
    }
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    // Kernels before 4.3 have no such set.
    match clear_ambient_capability_set() {
        Err(error) if error != Errno::INVAL => return Err(error.into()),
        Ok(()) | Err(_) => {}
    }
    Ok(set_no_new_privs(true)?)
}

/// Empties the bounding set, as far as this process may.
fn empty_bounding_set() -> io::Result<()> {
    for number in 0..u64::BITS {
        match remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number)) {
            Ok(()) => {}
            // The kernel has no further ones, or this process lacks the right.
            Err(Errno::INVAL | Errno::PERM) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
