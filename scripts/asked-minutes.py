#!/usr/bin/env python3
"""Plays days with a page, one after the other, and prints how many minutes were asked and how many they took.

    scripts/asked-minutes.py [PROGRAM]

Some of the players are programs on sockets that think before each reply. A day lasts from the first deal to the podium, as
the page says. Whoever wants to know what a busy machine does to it starts something that computes beside it.
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

HOST = "127.0.0.1"

# Minutes, flags, how many programs connect, and how long they think before each reply, in seconds.
DAYS = [
    (1, "--bot cautious*2 --bot odds --bot bold --bot reader --bot random", 0, 0),
    (1, "--bot cautious*2 --bot odds --bot bold --rounds 60", 2, 0.05),
    (2, "--on-foul fold --rounds 12", 6, 0.3),
    (2, "--bot cautious*4 --bot odds*4 --bot random*4 --seats 6 --rounds 200", 0, 0),
    (3, "--bot odds --bot reader --rounds 8", 4, 0.9),
    (4, "--bot cautious*2 --bot bold*2 --bot odds --series 3 --seats 8 --level-rounds 60 --rounds 60", 1, 0.1),
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


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/debug/casino"
    late = 0
    for minutes, flags, programs, thinks in DAYS:
        taken, least = day(program, minutes, flags, programs, thinks)
        off = taken / (60 * minutes) - 1
        late += abs(off) > 0.05
        what = f"{programs} programs that think {thinks} s, {flags}" if programs else flags
        print(f"asked {60 * minutes:3} s, taken {taken:6.1f} s ({off:+.1%}), {least} s left at least: {what}", flush=True)
    sys.exit(late > 0)


if __name__ == "__main__":
    main()
