import fcntl
import os
from common import MEMORY, linger

SLACK = 64 << 20
block, total, kept = b"x" * (1 << 20), 0, []
try:
    while total < 4 << 30:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            fcntl.fcntl(writer, 1031, 1 << 20)
        except OSError:
            pass
        kept.append(reader)
        try:
            while True:
                total += os.write(writer, block)
        except BlockingIOError:
            pass
except OSError as error:
    print("stopped:", error, flush=True)
if total > MEMORY + SLACK:
    print("LEAK memory in pipes", total, flush=True)
linger()
