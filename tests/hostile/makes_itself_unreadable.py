import os
import shutil
import sys
from common import LIBC, linger

# Its memory cannot be measured by a user without rights when it is not "dumpable".
if len(sys.argv) == 4:
    LIBC.prctl(4, 0, 0, 0, 0)
    shutil.copy("/usr/bin/python3", "secret")
    os.chmod("secret", 0o111)
    try:
        os.execv("./secret", ["./secret", *sys.argv, "again"])
    except OSError as error:
        print("stopped:", error, flush=True)
LIBC.prctl(4, 0, 0, 0, 0)
memory = [bytearray(b"x" * (50 << 20)) for _ in range(60)]
print("LEAK memory", len(memory) * 50, "MiB", flush=True)
linger()
