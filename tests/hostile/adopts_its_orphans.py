import os
import signal
import time
from common import LIBC

# The reaper of what it starts, so that nobody above sees it: a chain of them, each in a session of its own.
SUBREAPER, DEATH_SIGNAL, NAME = 36, 1, 15
for depth in range(10):
    LIBC.prctl(SUBREAPER, 1, 0, 0, 0)
    if os.fork():
        if depth:
            time.sleep(1000)
        os._exit(0)
    os.setsid()
    LIBC.prctl(DEATH_SIGNAL, 0, 0, 0, 0)
    LIBC.prctl(NAME, b"kworker/0:1", 0, 0, 0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
time.sleep(1000)
