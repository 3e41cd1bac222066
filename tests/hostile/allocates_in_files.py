import os
from common import linger

block = b"x" * (1 << 20)
files = []
total = 0
while total < 10 << 30:
    try:
        file = os.memfd_create("memory")
        files.append(file)
        while True:
            total += os.write(file, block)
    except OSError as error:
        if error.errno != 27:
            print("stopped:", error, flush=True)
            break
print("LEAK memory", total, flush=True)
linger()
