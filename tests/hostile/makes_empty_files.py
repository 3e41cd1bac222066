import os
from common import MARK

# An empty file takes no byte of what may be written, and a kibibyte of the system's memory.
number = 0
while True:
    number += 1
    try:
        open(f"/dev/shm/{MARK}-{number}" if number % 2 and os.access("/dev/shm", os.W_OK) else f"{MARK}-{number}", "x").close()
    except OSError:
        pass
