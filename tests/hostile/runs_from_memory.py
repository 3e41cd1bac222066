import os
from common import MARK

# A program without a file, under another name, with the mark in its arguments.
memory = os.memfd_create("kworker", 0)
with open("/bin/sleep", "rb") as file:
    os.write(memory, file.read())
for child in range(5):
    if os.fork() == 0:
        os.setsid()
        os.chdir("/")
        os.execve(memory, ["[kworker/0:1]", "1000"], {"MARK": MARK})
os.execve(f"/proc/self/fd/{memory}", ["[kworker/0:2]", "1000"], {"MARK": MARK})
