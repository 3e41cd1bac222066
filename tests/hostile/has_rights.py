import os
from common import TARGET, linger

# Nothing of the grader's rights may be left, whoever the grader is.
status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
for right in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    # A grader without rights cannot take from the last of these what nobody gets by it.
    if int(status[right], 16) and (right != "CapBnd" or TARGET["root"]):
        print("LEAK right", right, status[right], flush=True)
if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid()) or 0 in os.getgroups():
    print("LEAK user", os.getuid(), os.getgid(), os.getgroups(), flush=True)
if status["NoNewPrivs"].strip() != "1":
    print("LEAK new privileges", status["NoNewPrivs"], flush=True)
if status["Seccomp"].strip() != "2":
    print("LEAK no filter", status["Seccomp"], flush=True)
linger()
