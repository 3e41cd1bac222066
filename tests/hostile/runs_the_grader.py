import glob
import os
import shutil
import subprocess
from common import TARGET, linger

# Every place in which the grader's own program could be: it knows all answers.
places = ["/run/casino", "/casino", "/usr/bin/casino", "/usr/local/bin/casino", TARGET["grader"], "/proc/1/exe",
          f"/proc/{os.getppid()}/exe"]
places += [f"{folder}/casino" for folder in os.environ["PATH"].split(":")]
places += [shutil.which("casino") or "casino", *glob.glob("/proc/[0-9]*/exe"), *glob.glob("/proc/[0-9]*/fd/*")]
places += [f"/proc/{pid}/exe" for pid in TARGET["pids"]]
places += glob.glob("/run/*") + glob.glob("/usr/local/bin/*") + glob.glob(os.path.dirname(TARGET["grader"]) + "/*")
own = f"/proc/{os.getpid()}/"
for place in dict.fromkeys(places):
    if place.startswith(own) or not ("casino" in place or "/exe" in place or "/fd/" in place):
        continue
    try:
        with open(place, "rb") as file:
            if b"__supervise" in file.read(200 << 20):
                print("LEAK the grader can be read:", place, flush=True)
    except OSError as error:
        print("stopped:", place, error, flush=True)
    try:
        answer = subprocess.run([place, "--version"], capture_output=True, timeout=0.5, stdin=subprocess.DEVNULL)
        if answer.stdout.startswith(b"casino"):
            print("LEAK the grader answers:", place, flush=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        print("stopped:", place, error, flush=True)
linger()
