import os
import time
from common import TARGET, linger

# Links in the place of what the grader is about to make, to what it must not write.
until = time.monotonic() + 0.8
grader = TARGET["pids"][0]
while time.monotonic() < until:
    for folder in ("/tmp", "/var/tmp", "/dev/shm", os.path.dirname(os.path.dirname(TARGET["list"][0]))):
        for number in range(60):
            for name in (f"casino-box-{grader}-{number}", f"casino-{grader}-{number}"):
                try:
                    os.symlink(TARGET["list"][0], f"{folder}/{name}")
                except OSError:
                    pass
    for name in ("work", "../work", "../tmp", "../../work"):
        try:
            os.rename(name, name + ".old")
            os.symlink(TARGET["list"][0], name)
        except OSError:
            pass
linger()
