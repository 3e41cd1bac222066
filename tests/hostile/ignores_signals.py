import signal
from common import linger

for sig in range(1, 65):
    try:
        signal.signal(sig, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
linger()
