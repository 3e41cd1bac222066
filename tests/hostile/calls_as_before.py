import ctypes
import mmap
import platform
from common import linger

# The calls of programs with 32 bits have other numbers: here, a user namespace of one's own by the old gate.
if platform.machine() == "x86_64":
    code = b"\x53\xb8\x36\x01\x00\x00\xbb\x00\x00\x00\x10\xcd\x80\x5b\xc3"
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if ctypes.CFUNCTYPE(ctypes.c_int)(address)() == 0:
        print("LEAK namespace by the old gate", flush=True)
linger()
