import os
from common import MARK, linger

block = b"x" * (1 << 20)
total = 0
for place in (".", os.environ["HOME"], "/tmp", "/dev/shm", "/dev", "/work", "/"):
    for number in range(1000):
        try:
            with open(f"{place}/{MARK}-{number}", "wb") as file:
                while True:
                    total += file.write(block)
        except OSError as error:
            if error.errno != 27:  # this file is too large: the next one
                print("stopped:", place, error, flush=True)
                break
        if total > 4 << 30:
            print("LEAK disk", total, flush=True)
linger()
