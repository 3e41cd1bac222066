import socket
import sys
from common import TARGET, attempt, linger


def take(port, family=socket.AF_INET, address="127.0.0.1"):
    s = socket.socket(family)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        s.setsockopt(socket.SOL_SOCKET, option, 1)
    s.bind((address, port))
    s.listen()
    return s


# The dealer's own port, so that another player comes here, and those of others.
attempt("dealer's port", lambda: take(int(sys.argv[3])))
attempt("dealer's port everywhere", lambda: take(int(sys.argv[3]), address="0.0.0.0"))
linger()
