import socket
from common import TARGET, attempt, linger

MPTCP, SCTP, DCCP, UDP_LITE, SMC = 262, 132, 33, 136, 43


def connect(family, kind, protocol, address):
    with socket.socket(family, kind, protocol) as s:
        s.settimeout(0.3)
        s.connect(address)
        s.send(b"escaped")
        return "connected"


for address in map(tuple, TARGET["tcp"]):
    attempt(f"tcp by many ways {address}", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, MPTCP, address))
    attempt(f"tcp by memory {address}", lambda: connect(SMC, socket.SOCK_STREAM, 0, address))
    mapped = ("::ffff:" + address[0], address[1])
    attempt(f"tcp 6 {address}", lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, 0, mapped))
    attempt(f"tcp 6 by many ways {address}", lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, MPTCP, mapped))
    attempt(f"sctp {address}", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, SCTP))
    attempt(f"dccp {address}", lambda: socket.socket(socket.AF_INET, 6, DCCP))
for address in map(tuple, TARGET["udp"]):
    # Whether it arrives is seen outside.
    mapped = ("::ffff:" + address[0], address[1])
    attempt(f"udp lite {address}", lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, UDP_LITE, address) and None)
    attempt(f"udp 6 {address}", lambda: connect(socket.AF_INET6, socket.SOCK_DGRAM, 0, mapped) and None)
linger()
