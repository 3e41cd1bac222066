import ctypes
import os
import stat
from common import MARK, TARGET, attempt, call, done, linger, system_call

here = os.getcwd().encode()
os.makedirs("hole", exist_ok=True)
BIND, REMOUNT, DETACH = 4096, 32, 2
attempt("mount in memory", lambda: call("mount", b"x", here + b"/hole", b"tmpfs", 0, None))
attempt("mount a folder", lambda: call("mount", b"/", here + b"/hole", None, BIND, None))
attempt("mount the system again", lambda: call("mount", b"none", b"/usr", None, REMOUNT | BIND, None))
attempt("mount processes", lambda: call("mount", b"proc", here + b"/hole", b"proc", 0, None))
for place in (b"/proc", b"/tmp", b"/work", b"/dev", b"/submission"):
    attempt(f"unmount {place}", lambda: call("umount2", place, DETACH))
attempt("mount a tree", lambda: done(system_call("open_tree", -100, b"/", 1)))
attempt("mount a new one", lambda: done(system_call("fsopen", b"tmpfs", 0)))
attempt("root", lambda: call("chroot", here))
attempt("root turned", lambda: done(system_call("pivot_root", here, here + b"/hole")))
handle = ctypes.create_string_buffer(b"\x08\x00\x00\x00\x01\x00\x00\x00\x02" + bytes(7))
attempt("file by handle", lambda: done(system_call("open_by_handle_at", os.open("/", os.O_RDONLY), handle, 0)))
attempt("device made", lambda: os.mknod("disk", stat.S_IFBLK | 0o666, os.makedev(254, 0)) or True)
attempt("device made 2", lambda: os.mknod("memory", stat.S_IFCHR | 0o666, os.makedev(1, 1)) or True)
attempt("given away", lambda: os.chown("hole", 0, 0) if os.getuid() else False or os.stat("hole").st_uid == 0 and os.getuid() != 0)
linger()
