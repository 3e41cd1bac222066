import os
from common import linger

# The machine's table of open files is shared by everybody.
for child in range(60):
    if os.fork() == 0:
        break
kept = []
try:
    while True:
        kept.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
linger()
