import ctypes
from common import attempt, done, linger, system_call

attempt("ring", lambda: done(system_call("io_uring_setup", 8, ctypes.create_string_buffer(120))))
linger()
