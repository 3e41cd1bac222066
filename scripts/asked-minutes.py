#!/usr/bin/env python3
"""Plays days of 1 to 40 minutes with a page, all at once, and prints how many seconds were asked and how many they took.

    scripts/asked-minutes.py [PROGRAM [MINUTES...]]

Some of the players are programs on sockets that think before each reply. A day lasts from the first deal to the podium, as
the page says. Whoever wants to know what a busy machine does to it starts something that computes beside it. MINUTES chooses days.
"""

import json
import random
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

HOST = "127.0.0.1"

# Minutes, flags, how many programs connect, and how long they think before each reply, in seconds.
DAYS = [
    (1, "--bot cautious*2 --bot odds --bot bold --bot reader --bot random", 0, 0),
    (2, "--on-foul fold --rounds 12", 6, 0.3),
    (5, "--bot cautious*4 --bot odds*4 --bot random*4 --bot bold*6 --seats 6 --level-rounds 40", 2, 0.05),
    (10, "--bot cautious*3 --bot random*2", 10, 0.1),
    (
        20,
        "--bot cautious*10 --bot random*8 --bot odds*4 --seats 8 --level-rounds 60 "
        "--ante-schedule 1,1,2,3,5,8,12,20,30,50,80,120",
        8,
        0.05,
    ),
    (40, "--bot cautious --bot reader", 4, 0.2),
]


def frames(connection):
    """The texts that come on a connection."""
    with connection.makefile("rb") as stream:
        while len(header := stream.read(2)) == 2:
            yield stream.read(int.from_bytes(header, "big")).decode("utf-8", "replace")


def play(port, name, thinks):
    """A program that calls or folds, after it has thought."""
    dice = random.Random(name)
    with socket.create_connection((HOST, port)) as connection:
        for text in frames(connection):
            if text == "login":
                reply = f"id-{name}:{name}"
            elif text.startswith("bet"):
                time.sleep(thinks)
                _, stack, _, to_call, *_ = text.split(":")
                calls = int(to_call) <= int(stack) and dice.random() < (0.95 if to_call == "0" else 0.6)
                reply = f"bet:{to_call}" if calls else "fold"
            elif text.startswith("done"):
                return
            else:
                continue
            connection.sendall(len(reply).to_bytes(2, "big") + reply.encode())


def addresses(host, has_programs):
    """The ports of the page and, if programs connect, of the game, as the program prints them."""
    page = None
    for line in host.stderr:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
            page = int(found[1])
            break
    game = None
    if has_programs:
        game = next(int(found[1]) for line in host.stdout if (found := re.search(r"^listening on .*:(\d+)$", line)))
    # Nobody may have to wait because these pipes are full.
    for pipe in (host.stderr, host.stdout):
        threading.Thread(target=pipe.read, daemon=True).start()
    return page, game


def show(page):
    """The phase of the page and the seconds that are left by its clock."""
    with urllib.request.urlopen(f"http://{HOST}:{page}/state") as answer:
        state = json.load(answer)
    return state["phase"], state["show"]["seconds_left"]


def day(program, minutes, flags, programs, thinks):
    """Plays a day. The seconds from the first deal to the podium, and the fewest that were left while play went on."""
    named = sum(int(count or 1) for count in re.findall(r"--bot \w+(?:\*(\d+))?", flags))
    whom = ["host", "--bind", f"{HOST}:0", "--players", str(named + programs)] if programs else ["play"]
    command = [program, *whom, "--web", f"{HOST}:0", "--stay", "3", "--seed", "asked minutes", "--minutes", str(minutes)]
    command += flags.split()
    host = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        page, game = addresses(host, programs > 0)
        for index in range(programs):
            threading.Thread(target=play, args=(game, f"slow-{index}", thinks), daemon=True).start()
        began, least = None, None
        while True:
            phase, left = show(page)
            if phase != "lobby" and began is None:
                began = time.monotonic()
            if phase == "playing" and left is not None:
                least = left if least is None else min(least, left)
            if phase == "over":
                return time.monotonic() - began, least
            time.sleep(0.1)
    finally:
        host.kill()
        host.wait()


def measure(program, minutes, flags, programs, thinks):
    """Plays a day and prints what it took. How far that is from what was asked, as a part of it."""
    taken, least = day(program, minutes, flags, programs, thinks)
    off = taken / (60 * minutes) - 1
    what = f"{programs} programs that think {thinks} s, {flags}" if programs else flags
    print(f"asked {60 * minutes:4} s, taken {taken:6.1f} s ({off:+.2%}), {least} s left at least: {what}", flush=True)
    return off


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/debug/casino"
    wanted = {int(minutes) for minutes in sys.argv[2:]} or {minutes for minutes, *_ in DAYS}
    days = [day for day in DAYS if day[0] in wanted]
    if not days:
        sys.exit(f"There are days of {', '.join(str(minutes) for minutes, *_ in DAYS)} minutes.")
    with ThreadPoolExecutor(len(days)) as pool:
        off = list(pool.map(lambda day: measure(program, *day), days))
    sys.exit(any(abs(part) > 0.05 for part in off))


if __name__ == "__main__":
    main()
