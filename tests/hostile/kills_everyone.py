import os
import signal
from common import linger

if os.fork() == 0:
    os.setsid()
    linger()
for pid in [os.getppid(), -1, 1] + list(range(2, 70_000)):
    for sig in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP):
        if pid in (os.getpid(), -os.getpid()):
            continue
        try:
            os.kill(pid, sig)
        except OSError:
            pass
linger()
