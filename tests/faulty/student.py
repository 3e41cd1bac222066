"""A course player as students write it, with one true fault chosen by name: python3 student.py FAULT HOST PORT.

Written from the course's document and from what was seen in labs, with no look at how the checker makes its
diagnoses. tests/diagnoses.rs says what each fault truly is, and what may be said of it.
"""

import os
import resource
import signal
import socket
import struct
import sys
import time
import traceback

FAULT = sys.argv[1]

if FAULT == "missing-module":
    import pokerlib_of_the_lab
if FAULT == "missing-name-in-module":
    from socket import connect_to_dealer
if FAULT == "needs-a-display":
    # What tkinter raises where there is no screen; tkinter itself is not installed everywhere.
    TclError = type("TclError", (Exception,), {"__module__": "_tkinter"})
    raise TclError("no display name and no $DISPLAY environment variable")
if FAULT == "asks-for-the-address":
    HOST = input("Address of the dealer? ")
else:
    HOST = sys.argv[2]
if FAULT == "one-argument-too-many":
    PORT = int(sys.argv[4])
elif FAULT == "port-from-the-address":
    PORT = int(sys.argv[2])
else:
    PORT = int(sys.argv[3])

VALUES = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10, "J": 11, "Q": 12, "K": 13, "A": 14}


def value(card):
    if FAULT == "first-letter":
        return VALUES[card[0]]
    if FAULT == "int-of-a-card":
        return int(card[:-1])
    return VALUES[card[:-1]]


class Player:
    def __init__(self):
        if FAULT == "ipv6-only":
            self.s = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
            self.s.connect((HOST, PORT))
        elif FAULT == "udp":
            self.s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.s.connect((HOST, PORT))
            self.s.settimeout(3)
        elif FAULT == "localhost-8080":
            self.s = socket.create_connection(("localhost", 2))
        elif FAULT == "host-name-of-the-lab":
            self.s = socket.create_connection(("dealer.invalid", PORT))
        else:
            self.s = socket.create_connection((HOST, PORT))
        if FAULT == "own-timeout":
            self.s.settimeout(0.05)
        self.messages = 0
        self.stack = None
        self.hands = 0
        self.put_in = 0
        self.round_total = 0
        self.seen = []
        self.asked = 0

    def get(self):
        if FAULT == "text-of-recv":
            return self.s.recv(1024).decode()
        if FAULT == "buffer-of-forty":
            data = self.s.recv(40)
            return data[2:].decode()
        if FAULT == "skips-the-header-blindly":
            data = self.s.recv(4096)
            if not data:
                raise EOFError
            return data[2:].decode()
        if FAULT == "one-byte-header":
            size = self.s.recv(1)[0]
            return self.s.recv(size).decode()
        if FAULT == "little-endian-read":
            size = struct.unpack("<H", self.s.recv(2))[0]
        else:
            header = self.all_of(2)
            size = struct.unpack(">H", header)[0]
        return self.all_of(size).decode()

    def all_of(self, count):
        data = b""
        while len(data) < count:
            part = self.s.recv(count - len(data))
            if not part:
                raise EOFError("the dealer has gone")
            data += part
        return data

    def put(self, text):
        if FAULT == "sends-text":
            self.s.sendall(text)
        elif FAULT == "no-header":
            self.s.sendall(text.encode())
        elif FAULT == "header-as-text":
            self.s.sendall((f"{len(text)}:" + text).encode())
        elif FAULT == "little-endian":
            self.s.sendall(struct.pack("<H", len(text)) + text.encode())
        elif FAULT == "native-struct":
            self.s.sendall(struct.pack("H", len(text)) + text.encode())
        elif FAULT == "int-header":
            self.s.sendall(struct.pack("!I", len(text)) + text.encode())
        elif FAULT == "latin-1-name":
            data = text.encode("latin-1")
            self.s.sendall(struct.pack(">H", len(data)) + data)
        elif FAULT == "zero-at-the-end":
            data = text.encode() + b"\0"
            self.s.sendall(struct.pack(">H", len(data)) + data)
        elif FAULT == "repr-of-bytes":
            data = str(text.encode()).encode()
            self.s.sendall(struct.pack(">H", len(data)) + data)
        elif FAULT == "line-ends":
            data = (text + "\r\n").encode()
            self.s.sendall(struct.pack(">H", len(data)) + data)
        elif FAULT == "utf-16":
            data = text.encode("utf-16-be")
            self.s.sendall(struct.pack(">H", len(data)) + data)
        elif FAULT == "text-file-no-flush":
            if not hasattr(self, "file"):
                self.file = self.s.makefile("wb")
            data = text.encode()
            self.file.write(struct.pack(">H", len(data)) + data)
        else:
            data = text.encode()
            self.s.sendall(struct.pack(">H", len(data)) + data)

    def think(self, street, stack, pot, call, hole, ups, table):
        """The reply to a question."""
        self.asked += 1
        if FAULT == "divides-by-the-call":
            odds = pot / call
        elif FAULT == "divides-by-the-others":
            odds = 1 / (len(table) // street - 2)
        else:
            odds = pot / (call + 1)
        if FAULT == "undefined-name":
            return self.best_bet(hole, ups)
        if FAULT == "crash-in-bet2" and street == 2:
            return "bet:" + call + 1
        if FAULT == "third-player":
            danger = value(table[2 * street])
        if FAULT == "six-players":
            places = [0] * 6
            for i in range(len(table) // street):
                places[i] = value(table[i * street])
        if FAULT == "sleeps-at-times" and self.asked % 3 == 0:
            time.sleep(float(os.environ["CHECK_REPLY_SECONDS"]) * 1.6)
        if FAULT == "thinks-two-seconds":
            time.sleep(float(os.environ["CHECK_REPLY_SECONDS"]) * 1.6)
        pair = value(hole) in [value(card) for card in ups]
        if FAULT == "endless-loop-with-a-pair" and pair:
            while True:
                time.sleep(1)
        if FAULT == "recursion":
            return self.think(street, stack, pot, call, hole, ups, table)
        if FAULT == "asks-the-user":
            return "bet:" + input(f"you hold {hole} and {ups}; your bet? ")
        if FAULT == "memory":
            while True:
                self.seen.append("x" * 10_000_000)
        if FAULT == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if FAULT == "reads-a-file":
            with open("table_of_odds.csv") as odds:
                odds.read()
        if FAULT == "asserts-the-stack" and self.stack is not None:
            assert stack <= self.stack, "chips came from nowhere"
        self.stack = stack
        strong = pair or value(hole) >= 12 or hole[-1] == "S"
        if call > stack:
            return "bet:" + str(call) if FAULT == "calls-what-it-cannot-pay" else "fold"
        most = min(call + 10, stack)
        if FAULT == "all-in":
            most = stack
        if FAULT == "ten-times":
            most = min(call + 10 * value(hole), stack)
        if FAULT == "ignores-the-stack":
            most = call + 10
        if FAULT == "raise-only":
            return f"bet:{10 if strong else 0}"
        if FAULT == "float":
            return "bet:" + str(call + most / 2 - call / 2)
        if FAULT == "half-the-pot":
            return "bet:" + str(pot // 2 + call)
        if FAULT == "twenty-five-when-raised" and call >= 8:
            return "bet:25"
        if FAULT == "another-game":
            return f"play:{hole}"
        if FAULT == "five-always":
            return "bet:5"
        bet = most if strong else call
        if not strong and call > 6:
            return "fold"
        if FAULT == "counts-on-from-its-total":
            # The total of its calls, of which it believes that the dealer takes only the difference.
            self.put_in += call
            return f"bet:{self.put_in}"
        self.put_in += bet
        if FAULT == "says-the-total":
            return f"bet:{self.put_in}"
        if FAULT == "negative-at-times":
            return f"bet:{call - 1}"
        if FAULT == "list-in-the-reply":
            return f"bet:{[bet]}"
        if FAULT == "raise-word":
            return f"raise:{bet}" if bet > call else f"call"
        if FAULT == "check-word" and bet == 0:
            return "check"
        if FAULT == "spaces":
            return f"bet: {bet}"
        if FAULT == "bet-twice-street":
            return f"bet2:{bet}" if street == 2 else f"bet1:{bet}"
        if FAULT == "none":
            return "None"
        return f"bet:{bet}"

    def decide(self, text):
        words = text.split(":") if FAULT != "splits-at-spaces" else text.split(" ")
        street = 1 if words[0] == "bet1" else 2
        if street == 2 and self.seen != ["2"]:
            self.put_in, self.seen = 0, ["2"]
        stack, pot, call = int(words[1]), int(words[2]), int(words[3])
        if FAULT == "pot-for-the-call":
            call = int(words[2])
        if FAULT == "call-for-the-stack":
            stack, call = call, stack
        at = words.index("up")
        if FAULT == "field-six":
            at = 6
        own = words[5:at]
        if FAULT == "card-in-the-wrong-field":
            call, stack, pot = int(words[4]), int(words[2]), int(words[3])
        table = words[at + 1 :]
        if FAULT == "list-of-colons":
            table = text.split("up:")[2].split(":")
        return self.think(street, stack, pot, call, words[4], own, table)

    def run(self):
        while True:
            try:
                text = self.get()
            except EOFError:
                if FAULT == "reads-and-comes-back":
                    self.s = socket.create_connection((HOST, PORT))
                    continue
                if FAULT == "loops-for-ever-at-the-end":
                    continue
                raise
            if FAULT == "prints-what-it-reads":
                print("dealer says", text, flush=True)
            self.messages += 1
            if FAULT == "fifty-messages" and self.messages == 50:
                return
            if FAULT == "reads-and-comes-back":
                continue
            if text == "login":
                self.login()
                if FAULT == "one-message-only":
                    return
            elif text.startswith("bet"):
                if FAULT == "knows-no-bets":
                    continue
                if FAULT == "equals-bet1" and text != "bet1":
                    continue
                if FAULT == "only-bet1" and not text.startswith("bet1"):
                    continue
                self.answer(text)
            elif text.startswith("status"):
                self.status(text)
            elif text.startswith("done"):
                if FAULT == "ends-with-three":
                    sys.exit(3)
                if FAULT == "answers-done":
                    self.put("fold")
                if FAULT == "knows-no-bets":
                    self.put("fold")
                if FAULT == "comes-back":
                    self.s.close()
                    Player().run()
                if FAULT == "says-goodbye":
                    self.put("bye")
                if FAULT == "ignores-done" or FAULT == "loops-for-ever-at-the-end":
                    continue
                return

    def login(self):
        names = {
            "empty-name": "frieda:",
            "empty-login": ":",
            "colon-name": "frieda:The:Great",
            "no-colon-name": "frieda Frieda the Great",
            "long-name": "frieda:" + "Frieda the Great " * 20,
            "echo-login": "login:frieda:Frieda",
            "latin-1-name": "frieda:Zoë",
            "newline-name": "frieda:Frieda\n",
        }
        if FAULT == "random-name":
            self.put(f"frieda:Frieda{time.time_ns()}")
        elif FAULT == "name-from-keyboard":
            self.put("frieda:" + input("Name? "))
        else:
            self.put(names.get(FAULT, "frieda:Frieda"))

    def answer(self, text):
        if FAULT == "traces-and-plays":
            try:
                raise ValueError("no plan for this")
            except ValueError:
                traceback.print_exc()
        if FAULT == "throws-and-folds":
            try:
                reply = self.decide(text + undefined_thing)
            except Exception:
                traceback.print_exc()
                reply = "fold"
        elif FAULT == "throws-and-folds-quietly":
            try:
                reply = self.decide(text + undefined_thing)
            except Exception:
                reply = "fold"
        elif FAULT == "swallows-and-says-nothing":
            try:
                reply = self.decide(text + undefined_thing)
            except Exception as error:
                print("something went wrong:", error)
                return
        elif FAULT == "throws-on-pairs-and-folds":
            try:
                reply = self.decide(text)
                if int(text.split(":")[2]) > 4:
                    raise ValueError("no plan for this pot")
            except Exception:
                traceback.print_exc()
                reply = "fold"
        else:
            reply = self.decide(text)
        if FAULT == "prints-its-bet":
            print(reply, flush=True)
            return
        if FAULT == "returns-nothing":
            return
        self.put(reply)
        if FAULT == "falls-through" and text.startswith("bet1"):
            self.bet2(text)
        if FAULT == "reads-an-answer":
            self.get()
        if FAULT == "reads-after-bet2" and text.startswith("bet2"):
            self.get()
        if FAULT == "fold-and-bet" and reply == "fold":
            self.put("bet:0")
        if FAULT == "sends-a-newline-too":
            self.put("\n")
        if FAULT == "twice":
            self.put(reply)
        if FAULT == "leaves-when-folded" and reply == "fold":
            sys.exit(0)

    def bet2(self, text):
        """The second street, which has its list at field 7."""
        words = text.split(":")
        if words[7] != "up":
            raise ValueError("no second street: " + words[7])

    def status(self, text):
        self.put_in, self.seen = 0, []
        if FAULT == "reads-after-status":
            self.get()
        if FAULT == "status-cards":
            for card in text.split(":")[2:]:
                value(card)
        if FAULT == "thanks":
            self.put("ok")
        if FAULT == "logs-in-again":
            self.put("frieda:Frieda")
        if FAULT == "one-round":
            sys.exit(0)
        if FAULT == "one-round-with-error":
            raise SystemExit("the game is over: " + text)
        if FAULT == "hangs-at-status":
            signal.pause()
        if FAULT == "new-connection-each-round":
            self.s.close()
            self.s = socket.create_connection((HOST, PORT))


def main():
    if FAULT == "limits-its-memory":
        resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
    if FAULT == "two-players":
        other = Player()
    if FAULT == "does-nothing":
        return
    if FAULT == "usage":
        sys.exit("usage: student.py --host HOST --port PORT")
    if FAULT == "speaks-first":
        first = Player()
        first.put("frieda:Frieda")
        first.run()
        return
    if FAULT == "hangs-before-connecting":
        signal.pause()
    player = Player()
    if FAULT == "connection-refused-later":
        player.s.close()
    player.run()
    if FAULT == "stays-after-done":
        signal.pause()


if FAULT == "catches-everything":
    try:
        player = Player()
        player.decide("bet1:10")
    except Exception as error:
        print("Error:", error)
        sys.exit(0)
main()
