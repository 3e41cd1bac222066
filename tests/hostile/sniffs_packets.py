import socket
import struct
from common import attempt, linger

SOL_PACKET_ALL = 3
for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM, 10):
    attempt(f"packet {kind}", lambda: socket.socket(socket.AF_PACKET, kind, socket.htons(SOL_PACKET_ALL)))
for protocol in (socket.IPPROTO_RAW, socket.IPPROTO_TCP, socket.IPPROTO_UDP, socket.IPPROTO_ICMP):
    attempt(f"raw {protocol}", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol))
attempt("ping", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP))
attempt("sockets of others", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4))
attempt("audit", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9))
attempt("virtual machine", lambda: socket.socket(40, socket.SOCK_STREAM, 0))
attempt("kernel crypto", lambda: socket.socket(38, socket.SOCK_SEQPACKET, 0))


def device():
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, struct.pack("i", 1))
    return True


attempt("mark", device)
linger()
