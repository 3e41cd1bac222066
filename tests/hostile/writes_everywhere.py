import os
from common import MARK, TARGET, linger

places = ["/", "/etc", "/usr", "/usr/bin", "/usr/local/bin", "/var/tmp", "/tmp", "/dev", "/dev/shm", "/home", "/root",
          "/run", "/proc", "/sys", "..", "../..", "/work/..", "/submission", "/opt", "/mnt", "/srv", "/var/spool/cron"]
for place in places + TARGET["write"]:
    try:
        with open(os.path.join(place, MARK), "w") as file:
            file.write("here")
    except OSError as error:
        print("stopped:", place, error, flush=True)
for name in TARGET["overwrite"]:
    try:
        with open(name, "w") as file:
            file.write("changed")
    except OSError as error:
        print("stopped:", name, error, flush=True)
linger()
