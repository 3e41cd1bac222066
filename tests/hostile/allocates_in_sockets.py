import os
import socket
from common import MEMORY, linger

SLACK = 64 << 20
block, total, kept = b"x" * (1 << 20), 0, []


def pairs():
    while True:
        yield socket.socketpair()
        with socket.socket() as door:
            door.bind(("127.0.0.1", 0))
            door.listen()
            one = socket.socket()
            one.connect(door.getsockname())
            yield one, door.accept()[0]


# In many processes, because each may have so many descriptors only.
report, told = os.pipe()
for child in range(8):
    if os.fork() == 0:
        try:
            for pair in pairs():
                kept.append(pair)
                for end in pair:
                    end.setblocking(False)
                    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                        end.setsockopt(socket.SOL_SOCKET, option, 1 << 30)
                try:
                    while True:
                        total += pair[0].send(block)
                except BlockingIOError:
                    pass
        except OSError as error:
            print("stopped:", error, flush=True)
        os.write(told, total.to_bytes(8, "little"))
        linger()
whole = 0
for child in range(8):
    whole += int.from_bytes(os.read(report, 8), "little")
    if whole > MEMORY + SLACK:
        print("LEAK memory in sockets", whole, flush=True)
linger()
