import os
from common import MEMORY, linger

block, total = b"x" * (1 << 20), 0
for folder in ("/dev/shm", "/tmp", os.getcwd(), "/run", "/work", "/dev", "/var/tmp"):
    for number in range(1000):
        try:
            with open(f"{folder}/part{number}", "wb") as file:
                for _ in range(8):
                    total += file.write(block)
        except OSError as error:
            print("stopped:", folder, error, flush=True)
            break
if total > MEMORY:
    print("LEAK memory in files", total, flush=True)
linger()
