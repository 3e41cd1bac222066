import os
from common import LIBC, TARGET, attempt, call, linger

watch = LIBC.inotify_init1(os.O_NONBLOCK)
for folder in TARGET["list"] + [os.path.dirname(TARGET["list"][0])]:
    attempt(f"watch {folder}", lambda: call("inotify_add_watch", watch, folder.encode(), 0xFFF))
attempt("watch all", lambda: call("fanotify_init", 0, 0))
linger()
