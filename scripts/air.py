#!/usr/bin/env python3
"""Plays a day of bots over bad air, and tells who was thrown out and why.

    make air                                     25 bots, 1,000 rounds, 15 ms +- 10, 2 % loss, 1 s dead every 30 s
    AIR="--rounds 100 --air-ms 0" make air       anything else; `scripts/air.py --help` lists it

The host and each bot are in a network namespace of their own. Their cables end in one more namespace, where this program
hands the frames over: late, in order, and not all of them. Nothing is sent anywhere else. It needs Linux, root and
iproute2, and removes the namespaces when it ends.
"""

import argparse
import collections
import ctypes
import fcntl
import heapq
import itertools
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = f"cair{os.getpid() % 10_000}"
HOST_IP = "10.99.0.1"
PORT = 9000
CLONE_NEWNET = 0x4000_0000
ETH_P_ALL = 3
SIOCETHTOOL = 0x8946
# Checksums, segmentation of TCP, segmentation at large: what a cable in memory leaves out and a bridge cannot add.
OFFLOADS = [0x17, 0x1F, 0x24]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--casino", default=str(HERE.parent / "target/release/casino"), help="the program")
    add("--bots", type=int, default=25, help="honest bots [25]")
    add("--rounds", type=int, default=1_000, help="rounds to play [1000]")
    add("--seats", type=int, default=5, help="seats at a table [5]")
    add("--delay", type=float, default=15, help="one way in ms [15]")
    add("--jitter", type=float, default=10, help="more or less, in ms [10]")
    add("--loss", type=float, default=2, help="packets lost each way, in per cent [2]")
    add("--outage", type=float, default=1, help="how long nothing gets through, in s [1]")
    add("--every", type=float, default=30, help="from one outage to the next, in s [30]")
    add("--air-ms", help="passed on to the host")
    add("--reply-ms", help="passed on to the host")
    add("--silent", type=int, default=0, help="bots more that stop answering after some replies [0]")
    add("--deaf", type=int, default=0, help="bots more that stop reading after some replies [0]")
    add("--seed", type=int, default=1, help="of the air [1]")
    add("--keep", help="keep the journal in this folder")
    add("--bot", help=argparse.SUPPRESS)
    return parser.parse_args()


# --- A bot that plays slowly, falls silent or stops reading -------------------------------------------------------------


def bot(kind):
    """Calls. `thinks` takes 50 to 150 ms for it; `silent` and `deaf` do that for twenty questions."""
    name, after = os.environ["CASINO_ID"], 20
    wire = socket.create_connection((HOST_IP, PORT))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    read = wire.makefile("rb").read
    while length := read(2):
        fields = read(int.from_bytes(length, "big")).decode().split(":")
        if fields[0] == "done":
            print(name, ":".join(fields[1:]), flush=True)
            return
        if fields[0] == "login":
            reply = f"{name}:{os.environ['CASINO_AVATAR']}"
        elif fields[0] in ("bet1", "bet2"):
            if kind == "thinks":
                time.sleep(random.uniform(0.05, 0.15))
            elif after == 0:
                # A silent bot reads on and answers nothing; a deaf one does not even read.
                if kind == "silent":
                    continue
                time.sleep(3_600)
            after -= 1
            stack, to_call = int(fields[1]), int(fields[3])
            reply = f"bet:{to_call}" if to_call <= stack else "fold"
        else:
            continue
        wire.sendall(len(reply).to_bytes(2, "big") + reply.encode())


# --- The air ------------------------------------------------------------------------------------------------------------


class Air:
    """Frames between the host's cable and those of the bots."""

    def __init__(self, args, ports):
        self.args, self.random = args, random.Random(args.seed)
        self.ports = ports
        self.waiting, self.number = [], itertools.count()
        self.last = collections.defaultdict(float)
        self.begun = time.monotonic()
        self.frames = self.lost = self.cut = 0

    def is_dead(self, now):
        # The first outage comes after a whole interval: everybody has logged in by then.
        since = (now - self.begun) % self.args.every
        return self.args.outage > 0 and now - self.begun > self.args.every and since < self.args.outage

    def take(self, source, frame):
        now = time.monotonic()
        self.frames += 1
        if self.is_dead(now):
            self.cut += 1
            return
        if self.random.random() * 100 < self.args.loss:
            self.lost += 1
            return
        to = frame[:6]
        targets = [port for mac, port in self.ports.items() if mac == to and port is not source]
        late = self.args.delay + self.random.uniform(-self.args.jitter, self.args.jitter)
        for target in targets:
            # In order: a frame does not overtake the one before it.
            way = (source.fileno(), target.fileno())
            due = self.last[way] = max(self.last[way], now + max(late, 0) / 1_000)
            heapq.heappush(self.waiting, (due, next(self.number), target, frame))

    def carry(self, until):
        """Hands frames over until this process says that it is enough."""
        poll = select.epoll()
        sockets = {port.fileno(): port for port in self.ports.values()}
        for number in sockets:
            poll.register(number, select.EPOLLIN)
        while not until():
            left = self.waiting[0][0] - time.monotonic() if self.waiting else 0.2
            for number, _ in poll.poll(max(0, min(left, 0.2))):
                while True:
                    try:
                        frame, (_, _, kind, _, _) = sockets[number].recvfrom(65_535)
                    except BlockingIOError:
                        break
                    if kind != socket.PACKET_OUTGOING:
                        self.take(sockets[number], frame)
            while self.waiting and self.waiting[0][0] <= time.monotonic():
                _, _, target, frame = heapq.heappop(self.waiting)
                try:
                    target.send(frame)
                except OSError:
                    pass  # as a full queue in any network: the frame is lost


def run(*command):
    subprocess.run(command, check=True)


def mac_of(index):
    return bytes([2, 0, 0, 0, index >> 8, index & 255])


def spelt(mac):
    return ":".join(f"{byte:02x}" for byte in mac)


def cable(index, namespace, address):
    """Lays a cable from this namespace into that one, and gives out a raw socket at this end."""
    near, far = f"n{index}", f"f{index}"
    run("ip", "link", "add", near, "type", "veth", "peer", "name", far)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for feature in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", feature, 0))
            request = struct.pack("16sP", far.encode(), ctypes.addressof(value)) + bytes(16)
            fcntl.ioctl(any_socket, SIOCETHTOOL, request)
    run("ip", "link", "set", far, "address", spelt(mac_of(index)))
    run("ip", "link", "set", far, "netns", namespace)
    inside = ("ip", "-n", namespace)
    run(*inside, "address", "add", f"{address}/16", "dev", far)
    run(*inside, "link", "set", "lo", "up")
    run(*inside, "link", "set", far, "up")
    run("ip", "link", "set", near, "up")
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    raw.bind((near, 0))
    raw.setblocking(False)
    return raw


def lay_cables(count):
    """The host is number 0. Everybody knows everybody's address: that is not what is tried here."""
    names = [f"{PREFIX}-{index}" for index in range(count + 1)]
    run("ip", "netns", "add", f"{PREFIX}-air")
    for name in names:
        run("ip", "netns", "add", name)
    with open(f"/run/netns/{PREFIX}-air") as air:
        if ctypes.CDLL(None, use_errno=True).setns(air.fileno(), CLONE_NEWNET) != 0:
            sys.exit(f"this process may not change its network namespace: {os.strerror(ctypes.get_errno())}")
    ports = {}
    for index, name in enumerate(names):
        ports[mac_of(index)] = cable(index, name, HOST_IP if index == 0 else f"10.99.1.{index}")
    for index, name in enumerate(names[1:], start=1):
        permanent = ("nud", "permanent")
        run("ip", "-n", name, "neigh", "replace", HOST_IP, "lladdr", spelt(mac_of(0)), "dev", f"f{index}", *permanent)
        run("ip", "-n", names[0], "neigh", "replace", f"10.99.1.{index}", "lladdr", spelt(mac_of(index)), "dev", "f0", *permanent)
    return names, ports


def remove_namespaces():
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout
    for line in listed.splitlines():
        if line.split()[0].startswith(f"{PREFIX}-"):
            subprocess.run(["ip", "netns", "delete", line.split()[0]])


# --- What came of it ----------------------------------------------------------------------------------------------------


def read_journal(path):
    """Who was given time by the network, who committed which foul, and the last round."""
    players, seats, rounds, given, fouls = [], [], 0, collections.Counter(), []
    tables = {}
    for line in path.read_text().splitlines():
        line = json.loads(line)
        kind = line["type"]
        name = lambda: players[seats[line["seat"] - 1] - 1]["name"]
        if kind == "casino_day":
            players = line["players"]
            seats = list(range(1, len(players) + 1))
        elif kind == "level":
            tables = {table["table"]: table["players"] for table in line["tables"]}
        elif kind == "deal":
            seats, rounds = tables.get(line["table"], seats), line["round"]
        elif kind == "network":
            given[name()] += 1
        elif kind == "foul":
            fouls.append((rounds, name(), line["did"], line["why"]))
    return rounds, given, fouls


def late_times(path, limit):
    """The waits that were longer than the limit, in ms, longest last."""
    rows = path.read_text().splitlines()[1:] if path.exists() else []
    return sorted(ms for row in rows if (ms := int(row.rsplit(",", 1)[1]) / 1_000) > limit)


def main():
    args = arguments()
    if args.bot:
        return bot(args.bot)
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("ip"):
        sys.exit("this needs Linux, root, and the program `ip` of iproute2: it makes network namespaces")
    if not os.access(args.casino, os.X_OK):
        sys.exit(f"{args.casino} is not there: `cargo build --release` makes it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    folder = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="casino-air-"))
    folder.mkdir(parents=True, exist_ok=True)
    bad = ["silent"] * args.silent + ["deaf"] * args.deaf
    count = args.bots + len(bad)
    started = []
    try:
        names, ports = lay_cables(count)
        inside = lambda name: ("ip", "netns", "exec", name)
        journal = folder / "air.jsonl"
        journal.unlink(missing_ok=True)
        pathlib.Path(f"{journal}.times.csv").unlink(missing_ok=True)
        host = [args.casino, "host", "--bind", f"{HOST_IP}:{PORT}", "--players", str(count), "--seed", "air"]
        host += ["--rounds", str(args.rounds), "--stack", "40", "--journal", str(journal)]
        # Short stacks, so that nobody raises for ever, and new ones every five rounds, so that nobody is out of chips.
        if count > args.seats:
            host += ["--format", "rounds", "--seats", str(args.seats), "--level-rounds", "5"]
        for flag, value in [("--air-ms", args.air_ms), ("--reply-ms", args.reply_ms)]:
            host += [flag, value] if value is not None else []
        said = open(folder / "host.txt", "w")
        dealer = subprocess.Popen([*inside(names[0]), *host], stdout=said, stderr=said)
        started.append(dealer)
        time.sleep(1)
        for index, name in enumerate(names[1:]):
            kind = bad[index - args.bots] if index >= args.bots else "thinks" if index % 5 == 0 else "kit"
            who = f"{kind}-{index + 1}"
            kit = [sys.executable, HERE.parent / "bots/python/poker.py", HOST_IP, str(PORT)]
            program = kit if kind == "kit" else [sys.executable, __file__, "--bot", kind]
            environment = os.environ | {"CASINO_ID": f"id-{who}", "CASINO_AVATAR": who}
            said = open(folder / f"{who}.txt", "w")
            started.append(subprocess.Popen([*inside(name), *program], stdout=said, stderr=said, env=environment))
        air = Air(args, ports)
        air.carry(lambda: dealer.poll() is not None)
        took = time.monotonic() - air.begun
    finally:
        for process in started:
            process.terminate()
        for process in started:
            # A host plays its round to the end, for which there is no air any more.
            try:
                process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        remove_namespaces()
    tell(args, air, took, dealer.returncode, journal, bad)
    if not args.keep:
        shutil.rmtree(folder)


def tell(args, air, took, code, journal, bad):
    rounds, given, fouls = read_journal(journal)
    limit = int(args.reply_ms or 1_000)
    late = late_times(pathlib.Path(f"{journal}.times.csv"), limit + 300)
    honest = [foul for foul in fouls if foul[1].split("-")[0] not in ("silent", "deaf")]
    print(f"{args.bots} honest bots, {len(bad)} others; {rounds} rounds in {took:.0f} s; the host's exit code {code}")
    print(f"air: {args.delay:g} ms +- {args.jitter:g}, {args.loss:g} % loss, dead {args.outage:g} s every {args.every:g} s; "
          f"{air.frames} frames, {air.lost} lost, {air.cut} in outages")
    print(f"extensions: {sum(given.values())} for {len(given)} players; waits of more than {limit + 300} ms: {len(late)}, "
          f"the longest {late[-1] if late else 0:.0f} ms")
    for round_number, name, did, why in fouls:
        print(f"  round {round_number}: {name}: {why} ({json.dumps(did)})")
    print(f"honest bots out: {len(honest)}")
    verified = subprocess.run([args.casino, "verify", str(journal)], capture_output=True, text=True)
    print("verify:", (verified.stdout or verified.stderr).strip().splitlines()[0])
    if honest or code != 0 or verified.returncode != 0:
        sys.exit(1)


if __name__ == "__main__":
    main()
