import os
import signal
import time
from common import MARK, TARGET

for number in range(5):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            for sig in range(1, 65):
                try:
                    signal.signal(sig, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            while True:
                for place in TARGET["write"]:
                    try:
                        with open(f"{place}/{MARK}", "a") as file:
                            file.write("alive\n")
                    except OSError:
                        pass
                time.sleep(0.05)
        os._exit(0)
os._exit(0)
