import os
import signal
import time

# Pipes in the place of everything that somebody might read, and children that hang on them.
for name in os.listdir("."):
    try:
        os.remove(name)
        os.mkfifo(name)
    except OSError:
        pass
os.mkfifo("pipe")
for child in range(5):
    if os.fork() == 0:
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        os.open("pipe", os.O_WRONLY)
if os.fork() == 0:
    os.kill(os.getpid(), signal.SIGSTOP)
os.open("pipe", os.O_RDWR)
os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(1000)
