import ctypes
import socket
import time
from common import attempt, call, linger, system_call, done

before = socket.gethostname()
attempt("host name", lambda: call("sethostname", b"hostile", 7))
attempt("domain name", lambda: call("setdomainname", b"hostile", 7))
if socket.gethostname() != before:
    print("LEAK the machine is called", socket.gethostname(), flush=True)


def clock():
    now = (ctypes.c_long * 2)(int(time.time()), 0)
    return done(system_call("clock_settime", 0, now))


attempt("clock", clock)
attempt("clock by C", lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()) or True)
attempt("time zone", lambda: call("settimeofday", None, (ctypes.c_int * 2)(0, 0)))
linger()
