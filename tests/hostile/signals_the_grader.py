import ctypes
import os
import signal
from common import TARGET, attempt, call, done, linger, system_call

# A signal that does nothing is as good as one that kills.
for pid in {os.getppid(), *TARGET["pids"]} - {1, os.getpid()}:
    attempt(f"signal {pid}", lambda: os.kill(pid, 0) is None)
    attempt(f"signal group {pid}", lambda: os.killpg(os.getpgid(pid), signal.SIGCONT) is None)
    attempt(f"signal thread {pid}", lambda: call("tgkill", pid, pid, 0))
    attempt(f"signal by descriptor {pid}",
            lambda: done(system_call("pidfd_send_signal", system_call("pidfd_open", pid, 0), 0, None, 0)))
    attempt(f"signal limits {pid}", lambda: __import__("resource").prlimit(pid, 7, (10, 10)) and True)
    attempt(f"signal priority {pid}", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19) is None)
linger()
