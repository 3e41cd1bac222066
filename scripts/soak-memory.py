#!/usr/bin/env python3
"""How much memory a host needs over hours: 50 players on sockets, five who watch the page, the console open, no end of
rounds.

    scripts/soak-memory.py [--minutes 60] [--players 50] [--viewers 5] [--pace MS] [--out target/memory.csv] [--wrap "heaptrack"]
    scripts/soak-memory.py --hours 8      # the rounds of eight hours of a show, as fast as they can be played

Samples what the process holds in memory (VmRSS) each minute into a CSV file and prints how much more it becomes in an hour
of the show after the beginning. The exit code is 1 if that is more than 1 MiB. Nothing but Python and
target/release/casino is needed.
"""

import argparse
import asyncio
import http.client
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time

# The rounds of an hour of a show of eight hours with 50 players, as they were counted in one that lasted an hour.
ROUNDS_AN_HOUR = 1_520

# What the memory may grow by in an hour, in KiB.
MOST_AN_HOUR = 1_024


async def player(host, port, name):
    """Calls what is small and folds to the rest, so that chips last."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        while True:
            size = struct.unpack(">H", await reader.readexactly(2))[0]
            words = (await reader.readexactly(size)).decode().split(":")
            if words[0] == "login":
                answer = f"{name}:{name}"
            elif words[0].startswith("bet"):
                answer = f"bet:{words[3]}" if int(words[3]) <= 10 else "fold"
            elif words[0] == "done":
                return ":".join(words)
            else:
                continue
            writer.write(struct.pack(">H", len(answer)) + answer.encode())
    except (asyncio.IncompleteReadError, ConnectionError):
        return "closed"


async def watch(host, port, counts):
    """Reads the page's messages as a browser does."""
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 24)
    writer.write(f"GET /events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    while data := await reader.read(65536):
        counts["page bytes"] += len(data)


def ask(address, token, method, path):
    connection = http.client.HTTPConnection(address, timeout=20)
    connection.request(method, path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    return answer.status, answer.read()


async def console(address, token, counts):
    """Asks what the teacher's console asks, once a second."""
    while True:
        status, body = await asyncio.to_thread(ask, address, token, "GET", "/api/overview")
        counts["console bytes"] += len(body)
        if status == 200:
            overview = json.loads(body)
            counts["round"] = overview.get("round") or counts["round"]
        await asyncio.sleep(1)


def resident(pid):
    """What the process holds in memory in KiB: all of it, and without the parts of files."""
    with open(f"/proc/{pid}/status") as status:
        text = status.read()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "RssAnon"))


def slope(samples):
    """How steep the line through these with the least squares is."""
    count = len(samples)
    mean_x = sum(x for x, _ in samples) / count
    mean_y = sum(y for _, y in samples) / count
    spread = sum((x - mean_x) ** 2 for x, _ in samples)
    return sum((x - mean_x) * (y - mean_y) for x, y in samples) / spread if spread else 0.0


async def main():
    flags = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    flags.add_argument("--minutes", type=float, default=60)
    flags.add_argument("--hours", type=float, help="the rounds of so many hours of a show instead, without its pauses")
    flags.add_argument("--every", type=float, help="seconds between two samples [60; with --hours 10]")
    flags.add_argument("--settle", type=float, help="minutes that the slope leaves out [10; with --hours 60 of the show]")
    flags.add_argument("--players", type=int, default=50)
    flags.add_argument("--viewers", type=int, default=5, help="how many watch the page [5]")
    flags.add_argument("--seats", type=int, default=10)
    flags.add_argument("--rounds", default="60000")
    flags.add_argument("--show", default="480", help="minutes of the show; 0: rounds follow --pace")
    flags.add_argument("--pace", default="0")
    flags.add_argument("--out", default="target/memory.csv")
    flags.add_argument("--wrap", default="", help="a command before the program, as heaptrack")
    flags.add_argument("--binary", default="target/release/casino")
    given = flags.parse_args()
    if given.hours:
        given.show = "0"
    every = given.every or (10 if given.hours else 60)
    settle = (given.settle or (60 if given.hours else 10)) / 60
    folder = tempfile.mkdtemp(prefix="casino-memory-")
    words = shlex.split(given.wrap) + [given.binary, "host", "--bind", "127.0.0.1:0"]
    words += ["--players", str(given.players), "--stack", "1000000", "--seed", "soak", "--quiet"]
    words += ["--rounds", given.rounds, "--reply-ms", "60000", "--pace", given.pace, "--minutes", given.show]
    words += ["--web", "127.0.0.1:0", "--console", "127.0.0.1:0", "--journal", f"{folder}/day.jsonl"]
    if given.seats < given.players:
        words += ["--format", "freezeout", "--seats", str(given.seats)]
    errors = open(f"{folder}/stderr", "w+")
    host = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
    where = ""
    while not where.startswith("listening on "):
        where = host.stdout.readline()
    bind, port = where.split()[-1].rsplit(":", 1)
    said = open(errors.name).read()
    link, page = re.findall(r"http://(\S+)", said)[:2]
    console_address, token = link.split("/#")
    counts = {"page bytes": 0, "console bytes": 0, "round": 0}
    tasks = [asyncio.create_task(player(bind, int(port), f"student-{n}")) for n in range(given.players)]
    page = page.rstrip("/").rsplit(":", 1)
    tasks += [asyncio.create_task(watch(*page, counts)) for _ in range(given.viewers)]
    tasks.append(asyncio.create_task(console(console_address, token, counts)))
    while (await asyncio.to_thread(ask, console_address, token, "POST", "/api/start"))[0] >= 300:
        await asyncio.sleep(0.2)
    pid = host.pid
    if given.wrap:
        pid = int(subprocess.check_output(["pgrep", "-n", "-f", f"^{given.binary} host"]))
    samples, began = [], time.monotonic()
    os.makedirs(os.path.dirname(given.out) or ".", exist_ok=True)
    with open(given.out, "w") as out:
        print("minutes,round,rss_kib,anonymous_kib,page_bytes,journal_bytes", file=out, flush=True)
        hours = 0
        while hours < (given.hours or given.minutes / 60) and host.poll() is None:
            await asyncio.sleep(every)
            minutes = (time.monotonic() - began) / 60
            hours = counts["round"] / ROUNDS_AN_HOUR if given.hours else minutes / 60
            all_of_it, anonymous = resident(pid)
            samples.append((hours, all_of_it))
            journal = os.path.getsize(f"{folder}/day.jsonl")
            line = [f"{minutes:.2f}", counts["round"], all_of_it, anonymous, counts["page bytes"], journal]
            print(*line, sep=",", file=out, flush=True)
    over = sum(task.done() for task in tasks)
    for task in tasks:
        task.cancel()
    os.kill(pid, signal.SIGINT)
    await asyncio.sleep(1)
    os.kill(pid, signal.SIGINT)
    host.wait()
    later = [sample for sample in samples if sample[0] > settle] or samples
    growth = slope(later)
    print(f"{counts['round']} rounds, {len(samples)} samples, {samples[0][1]} to {samples[-1][1]} KiB;", end=" ")
    print(f"after {settle * 60:g} minutes of the show {growth / 1024:+.3f} MiB an hour")
    print(f"{over} connections ended early; the journal was in {folder}", file=sys.stderr)
    return 1 if growth > MOST_AN_HOUR or over else 0


sys.exit(asyncio.run(main()))
