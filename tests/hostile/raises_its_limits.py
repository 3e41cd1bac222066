import os
import resource
from common import attempt, linger

for name in ("NPROC", "NOFILE", "FSIZE", "CPU", "CORE"):
    kind = getattr(resource, f"RLIMIT_{name}")
    _, hard = resource.getrlimit(kind)
    attempt(f"limit {name}", lambda: resource.setrlimit(kind, (hard + 1, hard + 1)) or True)
    attempt(f"limit {name} gone", lambda: resource.setrlimit(kind, (-1, -1)) or True)
attempt("limit nice", lambda: os.nice(-5) or True)
attempt("limit scheduler", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)) or True)
try:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    print("LEAK limit oom", flush=True)
except OSError as error:
    print("stopped:", error, flush=True)
linger()
