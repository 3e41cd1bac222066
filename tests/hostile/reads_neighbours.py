import glob
import os
from common import TARGET, attempt, linger

for path in TARGET["read"] + ["/etc/shadow", "/etc/gshadow", "/root/.ssh/id_rsa", "/root/.bashrc", "/proc/1/root/etc/shadow"]:
    attempt(f"read {path}", lambda: open(path).read())
for folder in TARGET["list"]:
    attempt(f"list {folder}", lambda: os.listdir(folder) or None)
for path in glob.glob("/home/*/.*") + glob.glob("/proc/*/root/home/*"):
    print("LEAK home", path)
try:
    os.symlink(TARGET["read"][0], "link")
except OSError:
    pass
attempt("read through a link", lambda: open("link").read())
attempt("hard link", lambda: os.link(TARGET["read"][0], "hard") or open("hard").read())
linger()
