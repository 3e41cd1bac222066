#!/usr/bin/env python3
"""Decisions a second of two players who always call: ours beside other engines that anybody can install.

    scripts/peers.py          beside those that are there
    scripts/peers.py --get    gets them before, as packages, into target/peers

Ours and the other take turns, pass by pass; shown are the medians, and the median of the ratios with the least and the
greatest. What a decision costs depends on the game: each peer plays the one it was made for, and the dealer of the Annual
Computer Poker Competition also one as near to three-card stud as its games come.

- acpc: the game code of that dealer in C++, which the source package of OpenSpiel on PyPI brings along, compiled with
  benches/peers/acpc.cc. ACPC=FOLDER names another folder with its game.cc and rng.cc.
- pokerkit: the Python library of that name.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
PEERS = TARGET / "peers"
CARGO = os.environ.get("CARGO", "cargo")
PAIRS = 9
ROUNDS = 400_000

# Two callers are asked once each on either street.
OUR_DECISIONS = 4


def fail(why, code=1):
    print(f"peers: {why}", file=sys.stderr)
    sys.exit(code)


def run(command, **how):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def get():
    PEERS.mkdir(parents=True, exist_ok=True)
    if not (PEERS / "venv").exists():
        run([sys.executable, "-m", "venv", PEERS / "venv"])
    pip = [PEERS / "venv/bin/pip", "--quiet", "--disable-pip-version-check"]
    # What a source package needs so that pip can read its name.
    run([*pip, "install", "pokerkit", "setuptools>=77", "wheel", "numpy"])
    if not list(PEERS.glob("open_spiel-*.tar.gz")):
        of_sources = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
        run([*pip, "download", *of_sources, "--dest", PEERS, "open_spiel"])


def our_program():
    built = subprocess.run(
        [CARGO, "bench", "--package", "casino-stud", "--bench", "rounds", "--no-run"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.findall(r"Executable .*\((.*)\)", built.stderr)
    if built.returncode != 0 or not found:
        fail(f"our own bench cannot be built: {built.stderr.strip()[-2000:]}")
    return ROOT / found[0]


def seconds_of(text):
    return float(re.search(r"in ([0-9.]+) s", text)[1])


def acpc_program():
    """The folder of its sources, compiled; or None if it is not there."""
    sources = Path(os.environ["ACPC"]) if os.environ.get("ACPC") else None
    archives = sorted(PEERS.glob("open_spiel-*.tar.gz"))
    if sources is None and archives:
        with tarfile.open(archives[-1]) as archive:
            inside = [member for member in archive.getmembers() if "/project_acpc_server/" in member.name]
            archive.extractall(PEERS, members=inside, filter="data")
        sources = PEERS / Path(inside[0].name).parent if inside else None
    if sources is None:
        return None
    if not (sources / "game.cc").is_file():
        fail(f"there is no game.cc in {sources}: ACPC names the folder of the dealer's sources", 2)
    if not shutil.which("c++"):
        fail("a C++ compiler is missing: install g++ or clang")
    program = PEERS / "acpc"
    PEERS.mkdir(parents=True, exist_ok=True)
    flags = ["-O3", "-march=native", "-D__STDC_FORMAT_MACROS=1", f"-I{sources}"]
    own = ROOT / "benches/peers/acpc.cc"
    run(["c++", *flags, own, sources / "game.cc", sources / "rng.cc", "-o", program])
    return program


POKERKIT = """
import time
from pokerkit import Automation as A, FixedLimitTexasHoldem as Game
done_by_itself = (A.ANTE_POSTING, A.BET_COLLECTION, A.BLIND_OR_STRADDLE_POSTING, A.CARD_BURNING, A.HOLE_DEALING,
    A.BOARD_DEALING, A.HOLE_CARDS_SHOWING_OR_MUCKING, A.HAND_KILLING, A.CHIPS_PUSHING, A.CHIPS_PULLING)
decisions, start = 0, time.perf_counter()
for _ in range(100):
    state = Game.create_state(done_by_itself, True, 0, (5, 10), 10, 20, (2000, 2000), 2)
    while state.status:
        state.check_or_call()
        decisions += 1
    assert sum(state.stacks) == 4000
print(f"{decisions} decisions in {time.perf_counter() - start:.6f} s")
"""


def pokerkit_python():
    for python in [PEERS / "venv/bin/python", sys.executable]:
        has = [python, "-c", "import pokerkit"]
        if Path(python).exists() and subprocess.run(has, capture_output=True, check=False).returncode == 0:
            return python
    return None


def decisions_a_second(command):
    said = run(command)
    return int(re.search(r"(\d+) decisions", said)[1]) / seconds_of(said)


def ours(program):
    said = run([program, "table", "2", "call"])
    return OUR_DECISIONS * int(re.match(r"(\d+) rounds", said)[1]) / seconds_of(said)


def compare(name, program, theirs):
    pairs = [(ours(program), decisions_a_second(theirs)) for _ in range(PAIRS)]
    ratios = sorted(own / other for own, other in pairs)
    middle = [statistics.median(side) for side in zip(*pairs)]
    print(
        f"{name:<40} {middle[0]:>14,.0f} {middle[1]:>14,.0f} "
        f"{statistics.median(ratios):>10,.2f} ({ratios[0]:,.2f} to {ratios[-1]:,.2f})"
    )


def main():
    match sys.argv[1:]:
        case []:
            pass
        case ["--get"]:
            get()
        case _:
            fail("say nothing, or --get", 2)
    acpc, pokerkit = acpc_program(), pokerkit_python()
    for name, there in [("acpc", acpc), ("pokerkit", pokerkit)]:
        if there is None:
            print(f"peers: {name} is not there; `scripts/peers.py --get` gets it", file=sys.stderr)
    if acpc is None and pokerkit is None:
        sys.exit(1)
    program = our_program()
    print(f"{'peer, and its game':<40} {'ours':>14} {'theirs':>14} {'ratio':>10}")
    if acpc:
        for game, name in [("stud", "acpc, most like stud"), ("holdem", "acpc, limit hold'em")]:
            compare(name, program, [acpc, ROOT / f"benches/peers/{game}.game", str(ROUNDS)])
    if pokerkit:
        compare("pokerkit, limit hold'em", program, [pokerkit, "-c", POKERKIT])


if __name__ == "__main__":
    main()
