import socket
import sys
from common import linger

crowd = []
while len(crowd) < 100_000:
    try:
        s = socket.socket()
        s.settimeout(0.2)
        s.connect((sys.argv[2], int(sys.argv[3])))
        s.send(b"\xff" * 1000)
        crowd.append(s)
    except OSError:
        break
linger()
