import ctypes
import os
import select
from common import LIBC, linger

# Everything that the kernel keeps for a program, as much as it gives.
number, spec = ctypes.c_void_p(), (ctypes.c_long * 4)(0, 1000, 0, 1000)
for _ in range(200_000):
    if LIBC.timer_create(1, None, ctypes.byref(number)) == -1:
        break
kept = []
try:
    while True:
        kept.append(select.epoll())
        kept.append(os.eventfd(0))
        timer = LIBC.timerfd_create(1, 0)
        LIBC.timerfd_settime(timer, 0, spec, None)
        kept[-2].register(timer, select.EPOLLIN)
except (OSError, ValueError):
    pass
linger()
