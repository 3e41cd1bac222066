"""What the hostile programs share."""

import ctypes
import json
import os
import platform
import sys
import time

with open(sys.argv[1]) as file:
    TARGET = json.load(file)
MARK = TARGET["mark"]
LIBC = ctypes.CDLL(None, use_errno=True)
# What they may take: tests/hostile.rs says the same.
MEMORY = 256 << 20


def attempt(what, deed):
    """Does it, and says so if it worked."""
    try:
        got = deed()
    except BaseException as error:  # whatever stops it
        print("stopped:", what, type(error).__name__, error, flush=True)
        return None
    if got is not None and got is not False:
        print("LEAK", what, repr(got)[:200], flush=True)
    return got


def linger():
    """Stays as long as it is let."""
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass


def system_call(name, *arguments):
    """Calls the kernel by number; raises the error of the system. `None` where the number is not known."""
    number = NUMBERS.get(name, (None, None))[0 if platform.machine() == "x86_64" else 1]
    if number is None or platform.machine() not in ("x86_64", "aarch64"):
        return None
    fill = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    got = LIBC.syscall(ctypes.c_long(number), *fill)
    if got == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return got


def call(name, *arguments):
    """Calls the C library; raises the error of the system."""
    got = getattr(LIBC, name)(*arguments)
    if got == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return True


def done(got):
    """Whether a call by number did something: every number it returns is a success."""
    return got is not None


# On x86-64 and on ARM with 64 bits.
NUMBERS = {
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "clock_settime": (227, 112),
    "clone3": (435, 435),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "request_key": (249, 218),
    "syslog": (103, 116),
    "userfaultfd": (323, 282),
}
