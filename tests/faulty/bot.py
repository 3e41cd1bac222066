"""A small sound player with one thing wrong, or one thing odd, chosen by name: python3 bot.py WHAT HOST PORT.

`sound` has nothing wrong with it. tests/check.rs says what each fault must be found as.
"""

import os
import signal
import socket
import struct
import sys
import time

WHAT, HOST, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
NAMES = {
    "name-no-colon": "faulty",
    "name-two-colons": "faulty:python:bot",
    "name-empty": "faulty:",
    "name-too-long": "faulty:" + "x" * 100,
    "plain-utf8": "faulty:smile \U0001f600",
    "odd-name": "öd-d:Zoë \u2603 of the North",
    "surrogates": "odd:\U0001f600",
    "length-in-characters": "faulty:Zoë",
}


def encode(text):
    """Modified UTF-8, for the texts of these bots."""
    if WHAT == "plain-utf8":
        return text.encode()
    units = text.encode("utf-16-be", "surrogatepass")
    letters = "".join(chr(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2))
    return letters.encode("utf-8", "surrogatepass")


def frame(text):
    data = encode(text)
    size = len(data)
    if WHAT == "little-endian":
        return struct.pack("<H", size) + data
    if WHAT == "four-byte-length":
        return struct.pack(">I", size) + data
    if WHAT == "one-byte-length":
        return struct.pack("B", size) + data
    if WHAT == "counts-the-length":
        return struct.pack(">H", size + 2) + data
    if WHAT == "length-in-characters":
        return struct.pack(">H", len(text)) + data
    if WHAT == "no-length":
        return data
    if WHAT == "half-message" and text.startswith("bet"):
        return struct.pack(">H", size) + data[:-1]
    return struct.pack(">H", size) + data


class Wire:
    def __init__(self):
        port = PORT + (-1 if PORT > 60000 else 1) if WHAT == "fixed-port" else PORT
        self.socket = socket.create_connection((HOST, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if WHAT == "two-connections":
            self.other = socket.create_connection((HOST, PORT))
        self.kept = b""

    def exactly(self, count):
        if WHAT == "one-recv":
            data = self.socket.recv(count)
            if not data:
                raise EOFError
            if len(data) < count:
                raise ValueError("half a message")
            return data
        while len(self.kept) < count:
            data = self.socket.recv(4096)
            if not data:
                raise EOFError
            self.kept += data
        data, self.kept = self.kept[:count], self.kept[count:]
        return data

    def read(self):
        if WHAT == "length-from-the-next-byte":
            # It waits until as much has come as another number says, and reads the right length then.
            header = self.exactly(3)
            self.kept = header + self.kept
            other = self.exactly(2 + int.from_bytes(header[1:], "big"))
            self.kept = other + self.kept
        size = int.from_bytes(self.exactly(4 if WHAT == "four-bytes-read" else 2), "big")
        text = self.exactly(size).decode("utf-8", "surrogatepass")
        if WHAT == "forgets-to-move-on":
            self.kept = text.encode()[-1:] + self.kept
        if WHAT == "loses-the-rest":
            self.kept = b""
        return text

    def write(self, text):
        data = frame(text)
        if WHAT == "byte-by-byte":
            for byte in data:
                self.socket.sendall(bytes([byte]))
                time.sleep(0.001)
        else:
            self.socket.sendall(data)


# What was to call at each question so far.
ASKED = []


def rank(card):
    return RANKS.index(card[:-1])


def decide(text):
    """Raises as much as it may with a pair or a high card in the hole, calls a little, and folds otherwise."""
    fields = text.split(":")
    street = 1 if fields[0] == "bet1" else 2
    stack, _, to_call = (int(field) for field in fields[1:4])
    hole, up = fields[4], fields[5 : 5 + street]
    listed = fields[6 + street :]
    strong = hole[:-1] in [card[:-1] for card in up] or rank(hole) >= 10
    if WHAT == "always-folds":
        return "fold"
    if WHAT == "always-zero":
        return "bet:0"
    if WHAT == "over-the-cap":
        return f"bet:{to_call + 25}" if strong else f"bet:{to_call}"
    if WHAT == "pot-for-call":
        return f"bet:{fields[2]}"
    if WHAT in ("one-question-late", "two-questions-late", "first-question-for-ever"):
        ASKED.append(to_call)
        late = {"one-question-late": -2, "two-questions-late": -3, "first-question-for-ever": -len(ASKED)}[WHAT]
        return f"bet:{ASKED[max(late, -len(ASKED))]}"
    if WHAT == "raise-alone":
        return "bet:3" if strong else "fold"
    if WHAT == "whatever-the-stack":
        return f"bet:{to_call + 10}" if strong else "fold"
    if WHAT == "silent-bet2" and street == 2:
        return None
    if WHAT == "hangs-on-many" and len(listed) // street > 10:
        signal.pause()
    if WHAT == "array-of-ten" and len(listed) // street > 10:
        return [0] * 10 + listed[10**6]
    if stack < to_call:
        return "fold"
    if WHAT == "always-calls":
        return f"bet:{to_call}"
    most = min(stack, to_call + 10)
    if WHAT == "all-in-at-once":
        return f"bet:{most}"
    if strong and to_call < 40:
        return f"bet:{most}"
    return f"bet:{to_call}" if to_call <= 5 else "fold"


WORDING = {
    "newline": lambda reply: reply + "\n",
    "capitals": str.upper,
    "space": lambda reply: reply.replace(":", ": "),
    "extra-field": lambda reply: reply + ":KS",
    "negative": lambda reply: reply.replace("bet:", "bet:-"),
    "sign": lambda reply: reply.replace("bet:", "bet:+"),
    "leading-zero": lambda reply: reply.replace("bet:", "bet:0"),
    "decimal": lambda reply: reply + ".0" if reply.startswith("bet:") else reply,
    "bare-number": lambda reply: reply.replace("bet:", ""),
    "no-colon-in-bet": lambda reply: reply.replace(":", " "),
    "says-call": lambda reply: "call",
    "empty-reply": lambda reply: "",
    "null-amount": lambda reply: "bet:None",
    "other-words": lambda reply: "hello",
}


def play(wire):
    logins = 0
    while True:
        text = wire.read()
        command = text.split(":")[0]
        if WHAT == "name-for-all-but-login":
            if command != "login":
                wire.write("odd:Python Bot")
            continue
        if command == "login":
            logins += 1
            name = NAMES.get(WHAT, "odd:Python Bot")
            if WHAT == "another-name" and logins > 1:
                name += str(logins)
            if WHAT == "login-once" and logins > 1:
                continue
            wire.write(name)
            if WHAT == "login-twice":
                wire.write(name)
        elif command in ("bet1", "bet2"):
            reply = decide(text)
            if reply is None:
                continue
            if WHAT == "prints-its-bets":
                print(reply, flush=True)
                continue
            if WHAT == "too-slow":
                time.sleep(float(os.environ["CHECK_REPLY_SECONDS"]) * 1.5)
            if WHAT == "takes-its-time":
                time.sleep(0.002)
            if WHAT == "echo":
                reply = text
            wire.write(WORDING.get(WHAT, str)(reply))
            if WHAT == "two-replies":
                wire.write(reply)
            if WHAT == "one-behind":
                wire.read()
            if WHAT == "leaves-folded" and reply == "fold":
                return
            if WHAT == "leaves-broke" and reply == "bet:" + text.split(":")[1]:
                return
        elif command == "status":
            if WHAT == "answers-status":
                wire.write("ok")
            if WHAT == "folds-at-status":
                wire.write("fold")
            if WHAT == "leaves-at-status":
                return
        elif command == "done":
            if WHAT == "answers-done":
                wire.write("bye:bye")
            if WHAT == "stays-connected":
                signal.pause()
            return


def main():
    if WHAT == "never-connects":
        print("I had better things to do")
        return
    if WHAT == "starts-late":
        time.sleep(1)
    if WHAT == "chatty":
        print("x" * 3_000_000, file=sys.stderr)
        print("bets and folds and logs in: a:b\nlogin\n" * 50_000)
    wire = Wire()
    if WHAT == "speaks-first":
        wire.write("odd:Python Bot")
    play(wire)
    if WHAT == "closes-late":
        time.sleep(0.2)
    wire.socket.close()
    if WHAT == "never-exits":
        signal.pause()
    if WHAT == "exits-with-an-error":
        sys.exit(7)


main()
