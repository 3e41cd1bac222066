import glob
import os
import shutil
import stat
import subprocess
from common import TARGET, attempt, linger

# Programs that belong to root and run as root, and one that this makes itself.
programs = [path for folder in ("/usr/bin", "/usr/sbin", "/usr/lib/*", "/usr/local/bin") for path in glob.glob(f"{folder}/*")
            if os.path.isfile(path) and os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID)]
for program in programs:
    try:
        child = subprocess.Popen([program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rights = open(f"/proc/{child.pid}/status").read()
        users = [line.split()[1:] for line in rights.splitlines() if line.startswith("Uid:")][0]
        if "0" in users and os.getuid() != 0:
            print("LEAK setuid", program, users, flush=True)
        child.kill()
        child.wait()
    except OSError as error:
        print("stopped:", program, error, flush=True)
shutil.copy("/bin/sh", "shell")
for mode in (0o4755, 0o2755, 0o6777):
    attempt("setuid file", lambda: os.chmod("shell", mode))
    answer = subprocess.run(["./shell", "-c", "id -u; id -ru"], capture_output=True, text=True).stdout.split()
    if len(set(answer)) > 1:
        print("LEAK setuid own", answer, flush=True)
for words in (["mount", "-t", "tmpfs", "x", "/mnt"], ["newuidmap", str(os.getpid()), "0", "0", "1"], ["pkexec", "id"],
              ["su", "-", "root", "-c", "id"], ["chsh", "-s", "/bin/false"], ["crontab", "-l"], ["at", "now"]):
    attempt(f"setuid {words}", lambda: subprocess.run(words, capture_output=True, timeout=1,
                                                           stdin=subprocess.DEVNULL).returncode == 0)
linger()
