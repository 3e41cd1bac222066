import os
from common import MARK, attempt, call, linger

# What outlives its makers unless somebody removes it.
IPC_CREAT, SIZE = 0o1000, 4 << 20
for key in range(20):
    attempt("shared memory", lambda: call("shmget", 0x0CA51000 + key, SIZE, IPC_CREAT | 0o666))
    attempt("semaphores", lambda: call("semget", 0x0CA51000 + key, 10, IPC_CREAT | 0o666))
    attempt("messages", lambda: call("msgget", 0x0CA51000 + key, IPC_CREAT | 0o666))
attempt("queue", lambda: call("mq_open", f"/{MARK}".encode(), os.O_CREAT | os.O_RDWR, 0o666, None))
try:
    with open(f"/dev/shm/{MARK}", "wb") as file:
        file.write(b"x" * (1 << 20))
except OSError as error:
    print("stopped:", error, flush=True)
linger()
