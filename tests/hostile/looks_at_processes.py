import ctypes
import glob
import os
from common import TARGET, attempt, linger

secret = TARGET["secret"].encode()
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    attempt(path, lambda: secret in open(path, "rb").read())
libc = ctypes.CDLL(None, use_errno=True)
for pid in [os.getppid(), 1] + TARGET["pids"]:
    if pid != os.getpid():
        attempt(f"ptrace {pid}", lambda: libc.ptrace(16, pid, 0, 0) == 0)
        attempt(f"memory {pid}", lambda: open(f"/proc/{pid}/mem", "rb") and True)
        attempt(f"files {pid}", lambda: bool(os.listdir(f"/proc/{pid}/fd")))
linger()
