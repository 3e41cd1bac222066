import os
import sys
from common import TARGET

# What the supervisor would say to the grader, to every descriptor that is there, and to the outputs.
MESSAGES = [b'"started"\n', b'{"ended":{"exited":0}}\n', b'{"points":100,"score":100}\n', b'0\n', b"L"]
numbers = set(range(1, 1100))
for number in numbers:
    for message in MESSAGES:
        try:
            os.write(number, message)
        except OSError:
            pass
for pid in ("self", os.getppid(), 1, *TARGET["pids"]):
    for number in range(20):
        try:
            with open(f"/proc/{pid}/fd/{number}", "wb", buffering=0) as file:
                file.write(MESSAGES[1])
        except OSError:
            pass
extra = [number for number in os.listdir("/proc/self/fd") if int(number) > 2]
# One is the listing itself.
if len(extra) > 1:
    print("LEAK descriptors", {number: os.readlink(f"/proc/self/fd/{number}") for number in extra
                               if os.path.exists(f"/proc/self/fd/{number}")}, flush=True)
sys.exit(7)
