#!/usr/bin/env python3
"""The weeks before in some minutes: a practice ladder of sixty versions, its page watched by fifty, and what it cost.

    scripts/ladder-weeks.py [--casino FILE] [--minutes N] [--jobs N] [--viewers N] [--keep FOLDER]

Who plays: the starter programs in the languages that this machine has and the strategies of tests/ladder for the one in Python, some
of them several times and some through the second address as on the day; ten bad programs; and three that hand in
another version again and again. House bots fill the chairs. In the end every journal is played again.

It prints, and needs no more than the standard library.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import sqlite3
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
KITS = {"cpp": "g++", "go": "go", "java": "javac", "javascript": "node", "python": "python3", "rust": "rustc"}
WIRE = """
import socket, sys, time
dealer = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def read():
    length = int.from_bytes(exactly(2), "big")
    return exactly(length).decode()
def exactly(count):
    data = b""
    while len(data) < count:
        part = dealer.recv(count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data
def write(text):
    dealer.sendall(len(text).to_bytes(2, "big") + text.encode())
def play(reply):
    while True:
        command = read().split(":")
        if command[0] == "login":
            write("bad:Bad")
        elif command[0] in ("bet1", "bet2"):
            write(reply(int(command[1]), int(command[3])))
        elif command[0] == "done":
            return
"""
BAD = {
    "does-not-connect": "import time\ntime.sleep(600)\n",
    "ends-at-once": "print('hello')\n",
    "is-no-python": "this is no program\n",
    "says-nothing": WIRE + "play(lambda stack, call: time.sleep(30) or 'fold')\n",
    "is-always-late": WIRE + "play(lambda stack, call: time.sleep(1.2) or 'fold')\n",
    "is-nearly-late": WIRE + "play(lambda stack, call: time.sleep(0.7) or ('bet:%d' % call if call <= stack else 'fold'))\n",
    "bets-too-much": WIRE + "play(lambda stack, call: 'bet:%d' % (stack + 1))\n",
    "talks": WIRE + "play(lambda stack, call: 'I fold')\n",
    "prints-without-end": WIRE
    + "def loud(stack, call):\n    print('x' * 1_000_000)\n    return 'bet:%d' % call if call <= stack else 'fold'\nplay(loud)\n",
    "leaves": WIRE
    + "import random\nplay(lambda stack, call: sys.exit(1) if random.random() < 0.01 else ('bet:%d' % call if call <= stack else 'fold'))\n",
}


def python_kit(folder, strategy=None, change=""):
    """The starter program in Python, with another strategy or a line more."""
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "bots/python/poker.py", folder)
    shutil.copy(ROOT / "bots/python/strategy.py", folder / ("strategy.py" if strategy is None else "starter.py"))
    if strategy is not None:
        shutil.copy(strategy, folder / "strategy.py")
    with open(folder / "strategy.py", "a") as file:
        file.write(change)


def hand_in(folder):
    """Writes what everybody hands in, and the roster; gives the names of those who are bad, who connect, and who change."""
    handed_in, players = folder / "handed-in", []
    strategies = sorted((ROOT / "tests/ladder").glob("*.py"))
    for name, text in BAD.items():
        (handed_in / name).mkdir(parents=True)
        (handed_in / name / "poker.py").write_text(text)
        players.append(name)
    changing = [f"changes-{number}" for number in (1, 2, 3)]
    for name in changing:
        python_kit(handed_in / name)
        players.append(name)
    languages = [language for language, tool in KITS.items() if shutil.which(tool)]
    connecting = {}
    number = 0
    while len(players) < 60:
        number += 1
        kind = (languages + strategies)[(number - 1) % (len(languages) + len(strategies))]
        if isinstance(kind, str) and kind != "python":
            name = f"{kind}-{number}"
            shutil.copytree(ROOT / "bots" / kind, handed_in / name)
        else:
            name = f"{'python' if kind == 'python' else kind.stem.replace('_', '-')}-{number}"
            place = handed_in / name if number % 5 else folder / "connecting" / name
            github_id = f'\nGITHUB_ID = "id-{name}"\n' if kind == "python" or number % 5 == 0 else ""
            python_kit(place, None if kind == "python" else kind, f"{github_id}# {number}\n")
            if number % 5 == 0:
                connecting[name] = place
        players.append(name)
    rows = "".join(f"{name},id-{name},{name}\n" for name in players)
    (folder / "class.csv").write_text("folder,github_id,name\n" + rows)
    return handed_in, list(BAD), connecting, changing


def memory_and_time(pid):
    """The resident bytes and the seconds of processor time of a process."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0, 0.0
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024, (int(fields[11]) + int(fields[12])) / 100


def watch(page, stop, took, errors):
    """A viewer, who looks every two seconds."""
    time.sleep(random.random() * 2)
    while not stop.is_set():
        began = time.monotonic()
        try:
            with urllib.request.urlopen(f"{page}/api/overview", timeout=30) as answer:
                answer.read()
            took.append(time.monotonic() - began)
        except OSError as error:
            errors.append(str(error))
        stop.wait(2)


def come_again(place, address, port, stop, log):
    """Somebody whose program connects, and is started again after each match."""
    while not stop.is_set():
        subprocess.run([sys.executable, "poker.py", address, port], cwd=place, stdout=subprocess.DEVNULL, stderr=log)
        stop.wait(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--casino", default=str(ROOT / "target/release/casino"))
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--keep", help="a new folder, which stays")
    wanted = parser.parse_args()
    folder = pathlib.Path(wanted.keep or tempfile.mkdtemp(prefix="ladder-weeks-"))
    folder.mkdir(exist_ok=True)
    ladder = str(folder / "ladder")

    def casino(*arguments, check=True):
        return subprocess.run([wanted.casino, "ladder", *arguments], check=check, capture_output=True, text=True).stdout

    handed_in, bad, connecting, changing = hand_in(folder)
    casino("import", ladder, str(handed_in), "--roster", str(folder / "class.csv"))
    casino("set", ladder, "quotas.submissions_an_hour=1000")
    log = open(folder / "log", "w")
    command = [wanted.casino, "ladder", ladder, "--jobs", str(wanted.jobs), "--web", "127.0.0.1:0", "--bind", "127.0.0.1:0"]
    began = time.monotonic()
    host = subprocess.Popen(command, stderr=log, stdout=log)
    kits, stop, took, errors, rss = [], threading.Event(), [], [], []
    try:
        page = door = None
        while not (page and door):
            if host.poll() is not None:
                sys.exit(f"it has ended: {(folder / 'log').read_text()}")
            said = (folder / "log").read_text()
            page = re.search(r"page.*?(http://127\.0\.0\.1:\d+)", said)
            door = re.search(r"Bots connect at (\S+?),? ", said)
            time.sleep(0.1)
        page, (address, port) = page[1], (door[1].rsplit(":", 1) if ":" in door[1] else (door[1], ""))
        port = port or re.search(r"Bots connect at \S+ (\d+)", said)[1]
        for place in connecting.values():
            kits.append(threading.Thread(target=come_again, args=(place, address, port, stop, log)))
            kits[-1].start()
        viewers = [threading.Thread(target=watch, args=(page, stop, took, errors)) for _ in range(wanted.viewers)]
        for viewer in viewers:
            viewer.start()
        end, changed, versions = began + wanted.minutes * 60, began, 0
        while time.monotonic() < end and host.poll() is None:
            rss.append(memory_and_time(host.pid)[0])
            if time.monotonic() - changed > max(60, wanted.minutes * 60 / 30):
                changed, versions = time.monotonic(), versions + 1
                for name in changing:
                    shutil.rmtree(handed_in / name)
                    python_kit(handed_in / name, change=f"\nEDGE = {1.1 + versions % 7 / 10}\n# {versions}\n")
                    new = folder / "new" / name
                    shutil.rmtree(new.parent, ignore_errors=True)
                    shutil.copytree(handed_in / name, new)
                    casino("import", ladder, str(new.parent), "--roster", str(folder / "class.csv"))
            time.sleep(5)
        cpu = memory_and_time(host.pid)[1]
        seconds = time.monotonic() - began
        stop.set()
        host.send_signal(signal.SIGINT)
        host.wait(120)
    finally:
        stop.set()
        if host.poll() is None:
            host.kill()
    tell(folder, ladder, casino, bad, seconds, cpu, took, errors, rss, wanted)
    if not wanted.keep:
        shutil.rmtree(folder, ignore_errors=True)


def tell(folder, ladder, casino, bad, seconds, cpu, took, errors, rss, wanted):
    status = json.loads(casino("status", ladder, "--json"))
    verified = json.loads(casino("verify", ladder, "--json", check=False))
    database = sum(file.stat().st_size for file in pathlib.Path(ladder).glob("ladder.db*"))
    played = max(1, verified["matches"])
    connection = sqlite3.connect(pathlib.Path(ladder) / "ladder.db")
    connection.row_factory = sqlite3.Row
    names = ["players", "versions", "matches", "seats", "fouls"]
    tables = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    rows = sum(len(table) for table in tables.values())
    print(f"{len(status['versions'])} versions, {wanted.jobs} jobs, {wanted.viewers} viewers, {seconds / 60:.1f} minutes")
    print(f"{status['played']} matches played, {status['void']} void, {verified['rounds']} rounds, {status['played'] / seconds:.3f} a second")
    print(f"host: {cpu:.0f} s of processor time, at most {max(rss, default=0) / 1e6:.0f} MB resident")
    print(f"journals: {verified['bytes'] / played:.0f} bytes a match; database: {database / played:.0f} bytes a match, {rows} rows")
    waits, last = [], {}
    starts = {version["id"]: version["created_ms"] for version in tables["versions"]}
    active = {player["active_version"] for player in tables["players"] if not player["is_house"]}
    seats = collections.defaultdict(list)
    for seat in tables["seats"]:
        seats[seat["match"]].append(seat["version"])
    submitted = {version["id"] for version in tables["versions"] if version["kind"] == "submission"}
    for match in sorted((one for one in tables["matches"] if one["began_ms"]), key=lambda one: one["began_ms"]):
        for version in seats[match["id"]]:
            if version in active and version in submitted:
                waits.append(match["began_ms"] - last.get(version, starts[version]))
            last[version] = match["ended_ms"] or match["began_ms"]
    print(f"longest wait of an active submission for its next match: {max(waits, default=0) / 60_000:.1f} minutes, from when it was handed in")
    if took:
        slow = statistics.quantiles(took, n=100)[98] if len(took) > 1 else took[0]
        middle = statistics.median(took)
        print(f"page: {len(took)} answers, half within {middle * 1000:.0f} ms, 99 of 100 within {slow * 1000:.0f} ms, {len(errors)} errors")
    places = {(seat["match"], seat["seat"]): seat["version"] for seat in tables["seats"]}
    of = {version["id"]: version["player"] for version in tables["versions"]}
    names = {player["id"]: player["name"] for player in tables["players"]}
    fouls = collections.Counter(names[of[places[foul["match"], foul["seat"]]]] for foul in tables["fouls"])
    honest = {name: count for name, count in fouls.items() if name not in bad}
    print(f"fouls: {sum(fouls.values())}, of them by programs that are not bad: {honest or 0}")
    states = {version["version"]: version["state"] for version in status["versions"]}
    print("bad ones: " + ", ".join(f"{label} {state}" for label, state in states.items() if label.rsplit("/", 1)[0] in bad))
    print(f"verify: {'everything follows' if verified['verified'] else verified['problems'][:5]}")
    if wanted.keep:
        print(f"everything is in {folder}")


if __name__ == "__main__":
    main()
