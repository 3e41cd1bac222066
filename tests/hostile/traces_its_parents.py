import ctypes
import os
from common import LIBC, TARGET, attempt, call, linger, system_call, done

PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def read(pid):
    """Reads a byte of the other's memory from where its program is."""
    own = ctypes.create_string_buffer(1)
    for line in open(f"/proc/{pid}/maps"):
        there = int(line.split("-")[0], 16)
        system_call("process_vm_readv", pid, ctypes.byref(Piece(ctypes.addressof(own), 1)), 1,
                    ctypes.byref(Piece(there, 1)), 1, 0)
        return True
    return False


def descriptor(pid):
    handle = system_call("pidfd_open", pid, 0)
    return [number for number in range(20) if done(system_call("pidfd_getfd", handle, number, 0))]


own = os.getpid()
for pid in {os.getppid(), 1, *TARGET["pids"], *range(2, 50)} - {own}:
    attempt(f"attach {pid}", lambda: call("ptrace", PTRACE_ATTACH, pid, 0, 0))
    attempt(f"seize {pid}", lambda: call("ptrace", PTRACE_SEIZE, pid, 0, 0))
    attempt(f"write memory {pid}", lambda: open(f"/proc/{pid}/mem", "r+b") and True)
    attempt(f"read memory {pid}", lambda: read(pid))
    attempt(f"take a descriptor {pid}", lambda: descriptor(pid))
    for part in ("root", "cwd", "exe", "fd/0", "ns/mnt"):
        attempt(f"look {part} {pid}", lambda: bool(os.readlink(f"/proc/{pid}/{part}")))
    for part in ("environ", "auxv", "stack", "syscall"):
        attempt(f"read {part} {pid}", lambda: bool(open(f"/proc/{pid}/{part}", "rb").read()))
linger()
