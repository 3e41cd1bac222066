import ctypes
import os
import sys
from common import linger

ctypes.CDLL(None).prctl(15, b"systemd", 0, 0, 0)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.execve("/bin/sleep", ["kworker/0:1"[:6], "100000"], {})
os.execve("/bin/sleep", ["init", "100000"], {})
