import ctypes
import os
from common import attempt, done, linger, system_call

buffer = ctypes.create_string_buffer(4096)
event = ctypes.create_string_buffer(128)
event[4:5] = b"\x80"
attempt("counters", lambda: done(system_call("perf_event_open", event, 0, -1, -1, 0)))
attempt("programs in the kernel", lambda: done(system_call("bpf", 0, buffer, 120)))
attempt("page faults", lambda: done(system_call("userfaultfd", 1)))
attempt("the kernel's log", lambda: done(system_call("syslog", 3, buffer, 4096)))
attempt("another kernel", lambda: done(system_call("kexec_load", 0, 0, None, 0)))
attempt("a module", lambda: done(system_call("init_module", buffer, 0, b"")))
attempt("secret memory", lambda: done(system_call("memfd_secret", 0)))
for device in ("/dev/kmsg", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/dev/fuse", "/dev/kvm", "/dev/net/tun",
               "/dev/sda", "/dev/vda", "/dev/loop0", "/dev/snapshot", "/sys/kernel/debug/x", "/dev/vhost-net"):
    attempt(f"device {device}", lambda: bool(os.open(device, os.O_RDONLY)) or True)
for setting in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
                "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs", "/proc/self/oom_score_adj/../../1/oom_score_adj"):
    attempt(f"setting {setting}", lambda: bool(os.open(setting, os.O_WRONLY)) or True)
linger()
