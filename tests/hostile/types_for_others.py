import fcntl
import os
from common import attempt, linger

for place in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1", "/proc/self/fd/0", "/dev/pts/0", "/dev/pts/1"):
    attempt(f"type into {place}", lambda: fcntl.ioctl(os.open(place, os.O_RDWR), 0x5412, b"x") == 0)
    attempt(f"paste into {place}", lambda: fcntl.ioctl(os.open(place, os.O_RDWR), 0x541C, b"\x03") == 0)
for number in (0, 1, 2):
    attempt(f"type into {number}", lambda: fcntl.ioctl(number, 0x5412, b"x") == 0)
linger()
