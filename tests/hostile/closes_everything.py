import os
from common import linger

os.closerange(0, 65_536)
if os.fork() == 0:
    os.setsid()
linger()
