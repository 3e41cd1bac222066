import socket
from common import TARGET, attempt, linger


def connect(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(0.3)
        s.connect(address)
        s.send(b"escaped")
        return "connected"


def send(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.sendto(b"escaped", address)
    return None  # whether it arrives is seen outside


for address in TARGET["tcp"]:
    attempt(f"tcp {address}", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, tuple(address)))
for address in TARGET["udp"]:
    attempt(f"udp {address}", lambda: send(tuple(address)))
for name in TARGET["abstract"]:
    attempt(f"abstract {name}", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name))
for name in TARGET["unix"]:
    attempt(f"unix {name}", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, name))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
linger()
