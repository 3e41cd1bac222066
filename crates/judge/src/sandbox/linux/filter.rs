//! The filter of system calls that no card player, compiler or interpreter needs; all others pass. A 32-bit program,
//! whose call numbers would bypass the filter, is killed at its first call.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::Path;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};
use serde::{Deserialize, Serialize};

/// The filter's facts about the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FilterRules {
    /// The program has its own files, network and processes, so that its calls cannot reach others.
    pub(super) is_alone: bool,
    /// It may inspect its own processes, because another mechanism keeps it from others.
    pub(super) may_trace: bool,
}

/// System calls that change or inspect the machine, or keep uncounted memory: always refused.
const REFUSED_SYSCALLS: [libc::c_long; 49] = [
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_mq_open,
    libc::SYS_msgget,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_semget,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmget,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
];

/// The system calls that this kernel shall seem not to know, because libraries then do the same in another way.
const HIDDEN_SYSCALLS: [libc::c_long; 5] = [
    // Its flags are in memory, where a filter cannot look; `clone` does the same.
    libc::SYS_clone3,
    // Calls through a ring bypass the filter.
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_memfd_secret,
];

const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

const SOCKET_TYPE_MASK: u64 = 0xF;

/// The socket types that no program here needs: raw, other protocols than TCP and UDP, packets.
const REFUSED_SOCKET_TYPES: [u64; 5] = [3, 4, 5, 6, 10];

const DATAGRAM_TYPE: u64 = 2;

/// The flag of sending that opens a connection of TCP with the first data.
const FAST_OPEN: u64 = 0x2000_0000;

/// The ioctl requests of a terminal that inject input, and paste.
const TERMINAL_INPUT_IOCTLS: [u64; 2] = [0x5412, 0x541C];

/// A filter of system calls, by number; a number without rules is refused always.
type Calls = BTreeMap<i64, Vec<SeccompRule>>;

pub(super) fn is_supported() -> bool {
    Path::new("/proc/sys/kernel/seccomp/actions_avail").exists() && processor().is_ok()
}

impl FilterRules {
    /// Filters the system calls of this process and its children, permanently.
    pub(super) fn enforce(self) -> io::Result<()> {
        for (calls, error) in [
            (self.refused()?, libc::EPERM),
            (HIDDEN_SYSCALLS.map(|call| (call, Vec::new())).into(), libc::ENOSYS),
            (self.sockets()?, libc::EAFNOSUPPORT),
        ] {
            apply_filter(&compiled(calls, error)?).map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn refused(self) -> io::Result<Calls> {
        let mut calls: Calls = REFUSED_SYSCALLS.map(|call| (call, Vec::new())).into();
        let flag = |flag: libc::c_int| rule(&[has(0, u64::from(flag.unsigned_abs()))]);
        calls.insert(libc::SYS_clone, NAMESPACES.map(flag).into_iter().collect::<io::Result<_>>()?);
        // Injected input to the terminal, and pasting into it.
        let typing = TERMINAL_INPUT_IOCTLS.map(|request| rule(&[equals(1, request)]));
        calls.insert(libc::SYS_ioctl, typing.into_iter().collect::<io::Result<_>>()?);
        // An undumpable process cannot be measured.
        let hiding = rule(&[equals(0, u64::from(libc::PR_SET_DUMPABLE.unsigned_abs())), differs(1, 1)])?;
        calls.insert(libc::SYS_prctl, vec![hiding]);
        if !self.may_trace {
            calls.insert(libc::SYS_ptrace, Vec::new());
        }
        if !self.is_alone {
            // The first data of TCP may be sent without connecting, past the rules for connecting.
            for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
                calls.insert(call, vec![rule(&[has(flags, FAST_OPEN)])?]);
            }
            // Limits and priorities of others; 0 is the process itself.
            for call in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity, libc::SYS_sched_setattr] {
                calls.insert(call, vec![rule(&[differs(0, 0)])?]);
            }
            for call in [libc::SYS_sched_setparam, libc::SYS_sched_setscheduler] {
                calls.insert(call, vec![rule(&[differs(0, 0)])?]);
            }
            for call in [libc::SYS_setpriority, libc::SYS_ioprio_set] {
                calls.insert(call, vec![rule(&[differs(1, 0)])?]);
            }
            for call in [libc::SYS_migrate_pages, libc::SYS_move_pages, libc::SYS_listen] {
                calls.insert(call, Vec::new());
            }
            calls.insert(libc::SYS_inotify_add_watch, Vec::new());
        }
        Ok(calls)
    }

    /// Sockets: TCP, pairs, netlink for the machine's addresses; UDP and Unix sockets only in an isolated network.
    fn sockets(self) -> io::Result<Calls> {
        let mut families = vec![libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        if self.is_alone {
            families.push(libc::AF_UNIX);
        }
        let family = |family: libc::c_int| u64::from(family.unsigned_abs());
        let others: Vec<_> = families.iter().map(|known| differs(0, family(*known))).collect();
        let mut rules = vec![rule(&others)?];
        rules.push(rule(&[equals(0, family(libc::AF_NETLINK)), differs(2, 0)])?);
        let mut kinds = REFUSED_SOCKET_TYPES.to_vec();
        if !self.is_alone {
            kinds.push(DATAGRAM_TYPE);
        }
        for internet in [libc::AF_INET, libc::AF_INET6].map(family) {
            for kind in &kinds {
                let is_kind = (1, SeccompCmpOp::MaskedEq(SOCKET_TYPE_MASK), *kind);
                rules.push(rule(&[equals(0, internet), is_kind])?);
            }
            let [tcp, udp] = [libc::IPPROTO_TCP, libc::IPPROTO_UDP].map(|number| differs(2, family(number)));
            rules.push(rule(&[equals(0, internet), differs(2, 0), tcp, udp])?);
        }
        let no_pair = vec![rule(&[differs(0, family(libc::AF_UNIX))])?];
        Ok([(libc::SYS_socket, rules), (libc::SYS_socketpair, no_pair)].into())
    }
}

/// A condition: argument number, comparison, value. All arguments here have 32 bits.
type Condition = (u8, SeccompCmpOp, u64);

fn equals(argument: u8, value: u64) -> Condition {
    (argument, SeccompCmpOp::Eq, value)
}

fn differs(argument: u8, value: u64) -> Condition {
    (argument, SeccompCmpOp::Ne, value)
}

fn has(argument: u8, flag: u64) -> Condition {
    (argument, SeccompCmpOp::MaskedEq(flag), flag)
}

fn rule(conditions: &[Condition]) -> io::Result<SeccompRule> {
    let condition = |(argument, operation, value): &Condition| {
        SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operation.clone(), *value)
    };
    let conditions: Result<Vec<_>, _> = conditions.iter().map(condition).collect();
    SeccompRule::new(conditions.map_err(io::Error::other)?).map_err(io::Error::other)
}

fn compiled(calls: Calls, error: libc::c_int) -> io::Result<BpfProgram> {
    let refusal = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(with_x32(calls), SeccompAction::Allow, refusal, processor()?);
    filter.and_then(BpfProgram::try_from).map_err(io::Error::other)
}

/// On x86-64 a second set of numbers leads to the same calls: the same ones with this bit, and some separate ones.
fn with_x32(mut calls: Calls) -> Calls {
    const BIT: i64 = 0x4000_0000;
    if env::consts::ARCH == "x86_64" {
        let doubles: Vec<_> = calls.iter().map(|(call, rules)| (call | BIT, rules.clone())).collect();
        calls.extend(doubles);
        calls.extend((512..=547).map(|call| (call | BIT, Vec::new())));
    }
    calls
}

fn processor() -> io::Result<TargetArch> {
    TargetArch::try_from(env::consts::ARCH).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_can_be_made_for_every_place() {
        for (is_alone, may_trace) in [(true, true), (false, true), (false, false)] {
            let rules = FilterRules { is_alone, may_trace };
            assert!(!compiled(rules.refused().unwrap(), libc::EPERM).unwrap().is_empty());
            assert!(!compiled(rules.sockets().unwrap(), libc::EAFNOSUPPORT).unwrap().is_empty());
            let has = |call| rules.refused().unwrap().contains_key(&call);
            assert_eq!(has(libc::SYS_listen), !is_alone);
            assert_eq!(has(libc::SYS_ptrace), !may_trace);
        }
    }
}
