import os
import subprocess
from common import TARGET, attempt, linger

attempt("setuid", lambda: os.setuid(0) is None and os.getuid() == 0 and open(TARGET["read"][0]).read())
for words in (["unshare", "-Urmnp", "--fork", "sh", "-c", "mount -t tmpfs x /usr && echo mounted"],
              ["mount", "-o", "remount,rw", "/usr"], ["mount", "-t", "tmpfs", "x", "/mnt"],
              ["nsenter", "-t", "1", "-a", "cat", TARGET["read"][0]], ["chroot", "/proc/1/root", "cat", TARGET["read"][0]],
              ["su", "-c", "id"], ["sudo", "-n", "id"]):
    done = subprocess.run(words, capture_output=True, text=True, timeout=1, stdin=subprocess.DEVNULL)
    if TARGET["secret"] in done.stdout:
        print("LEAK", words, flush=True)
linger()
