import socket
from common import TARGET, attempt, linger

FAST_OPEN, CONNECT_LATER = 0x20000000, 30


def send(address):
    with socket.socket() as s:
        s.settimeout(0.3)
        return s.sendto(b"escaped", FAST_OPEN, address)


def message(address):
    with socket.socket() as s:
        s.settimeout(0.3)
        return s.sendmsg([b"escaped"], [], FAST_OPEN, address)


def later(address):
    with socket.socket() as s:
        s.settimeout(0.3)
        s.setsockopt(socket.IPPROTO_TCP, CONNECT_LATER, 1)
        s.connect(address)
        return s.send(b"escaped")


for address in TARGET["tcp"]:
    for way in (send, message, later):
        attempt(f"tcp fast open by {way.__name__} {address}", lambda: way(tuple(address)))
linger()
