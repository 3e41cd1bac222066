import ctypes
import os
import subprocess
from common import LIBC, TARGET, attempt, call, done, linger, system_call

KINDS = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000,
         "uts": 0x4000000, "cgroup": 0x2000000, "time": 0x80}


def in_child(deed):
    """Whether it works, tried in a process of its own."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if deed() else 1)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


for kind, flag in KINDS.items():
    attempt(f"namespace unshare {kind}", lambda: in_child(lambda: call("unshare", flag)))
    attempt(f"namespace unshare user and {kind}", lambda: in_child(lambda: call("unshare", flag | KINDS["user"])))
    arguments = (ctypes.c_uint64 * 11)(flag, 0, 0, 0, 17)

    def clone():
        child = system_call("clone3", arguments, ctypes.sizeof(arguments))
        if child == 0:
            os._exit(0)
        return done(child)

    attempt(f"namespace clone {kind}", clone)
for name in ("user", "mnt", "net", "pid", "ipc", "uts"):
    for pid in (1, os.getppid(), *TARGET["pids"]):
        attempt(f"namespace of {pid} {name}", lambda: call("setns", os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY), 0))
for words in (["unshare", "-Ur", "true"], ["unshare", "-Urn", "true"], ["bwrap", "--ro-bind", "/", "/", "true"]):
    attempt(f"namespace {words}", lambda: subprocess.run(words, capture_output=True, timeout=1).returncode == 0)
linger()
