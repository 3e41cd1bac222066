import os
import resource
from common import LIBC, attempt

attempt("core", lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30)) or True)
LIBC.prctl(4, 1, 0, 0, 0)
memory = b"x" * (100 << 20)
os.abort()
