#!/usr/bin/env python3
"""Lets libFuzzer search for inputs that make a target fail, one target after the other, and tells what came of it.

    FUZZ_SECONDS=60     how long each target is searched
    TARGET="a b"        only these targets; without it all of fuzz/fuzz_targets
    SANITIZER=none      without the address sanitizer and without debug assertions: several times as many inputs
    FUZZ_JOBS=2         as many targets beside each other

What is found on the way stays in fuzz/corpus and is where the next search begins. An input that makes a target fail is in
fuzz/artifacts, and the exit code is 1. Nothing is installed: what is missing is said.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
SANITIZER = os.environ.get("SANITIZER", "address")

# The longest input of a target is twice the longest of its corpus, and at least so many bytes: short ones are quicker.
LONGEST = 256

# Instrumentation is an option that stable compilers keep for this variable.
ENVIRONMENT = {**os.environ, "RUSTC_BOOTSTRAP": "1"}


def fail(why, code=1):
    print(f"fuzz: {why}", file=sys.stderr)
    sys.exit(code)


def whole_number(name, otherwise):
    text = os.environ.get(name) or str(otherwise)
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        fail(f"{name} is {text!r}: give a whole number from 1", 2)
    return int(text)


def targets():
    known = sorted(path.stem for path in (ROOT / "fuzz/fuzz_targets").glob("*.rs"))
    wanted = os.environ.get("TARGET", "").split()
    for name in wanted:
        if name not in known:
            fail(f"there is no target {name!r}: there are {', '.join(known)}", 2)
    return wanted or known


def look_for_tools():
    has_fuzz = subprocess.run([CARGO, "fuzz", "--version"], capture_output=True, check=False).returncode == 0
    if not has_fuzz:
        fail("cargo-fuzz is missing: install it with `cargo install cargo-fuzz`")
    if not any(map(shutil.which, ["c++", "g++", "clang++"])):
        fail("a C++ compiler is missing, which libFuzzer is built with: install g++ or clang")


def flags():
    """How the programs of the targets are built."""
    return ["--sanitizer", SANITIZER] + (["--release"] if SANITIZER == "none" else [])


def build(flags):
    if subprocess.run([CARGO, "fuzz", "build", *flags], cwd=ROOT, env=ENVIRONMENT, check=False).returncode != 0:
        fail("the targets cannot be built: what is above says why")


def search(name, seconds, flags):
    """The row of the table, and whether nothing failed."""
    own, seeds = ROOT / "fuzz/corpus" / name, ROOT / "fuzz/seeds" / name
    for folder in (own, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    for line in (ROOT / f"tests/fuzzing/corpus/{name}.txt").read_text().splitlines():
        seed, escaped = line.split("\t", 1)
        (seeds / seed).write_bytes(escaped.encode().decode("unicode_escape").encode("latin-1"))
    longest = max([LONGEST, *(2 * path.stat().st_size for path in seeds.iterdir())])
    command = [CARGO, "fuzz", "run", *flags, name, str(own), str(seeds), "--"]
    command += [f"-max_total_time={seconds}", f"-max_len={longest}", "-print_final_stats=1", "-timeout=30"]
    log_path = ROOT / "fuzz/artifacts" / f"{name}-{SANITIZER}.log"
    log_path.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with log_path.open("w") as log:
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, stdout=log, stderr=log, check=False)
    took = time.monotonic() - began
    said = log_path.read_text(errors="replace")

    def last(pattern):
        found = re.findall(pattern, said, re.MULTILINE)
        return int(found[-1]) if found else 0

    runs = last(r"^stat::number_of_executed_units:\s*(\d+)") or last(r"^#(\d+)\s")
    inputs = runs * last(r"^inputs of each run: (\d+)")
    failed = done.returncode != 0
    if failed:
        kept = re.findall(r"Test unit written to (\S+)", said)
        print(f"fuzz: {name} FAILED; the input: {', '.join(kept) or 'none'}; the log: {log_path}", flush=True)
    row = [name, f"{inputs:,}", f"{runs:,}", f"{inputs / took:,.0f}", str(last(r"\bcov: (\d+)")), str(int(failed))]
    print(f"fuzz: {name}: {inputs:,} inputs in {took:.0f} s", flush=True)
    return row, inputs, failed


def table(rows):
    head = ["target", "inputs", "runs", "inputs a second", "edges reached", "crashes"]
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))))


def main():
    if SANITIZER not in ("address", "none"):
        fail(f"SANITIZER is {SANITIZER!r}: give address or none", 2)
    seconds, jobs, names = whole_number("FUZZ_SECONDS", 60), whole_number("FUZZ_JOBS", 1), targets()
    look_for_tools()
    how = flags()
    build(how)
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda name: search(name, seconds, how), names))
    crashes = sum(failed for _, _, failed in found)
    mode = "without a sanitizer" if SANITIZER == "none" else "with the address sanitizer"
    table([row for row, _, _ in found] + [["all", f"{sum(inputs for _, inputs, _ in found):,}", "", "", "", str(crashes)]])
    print(f"{len(found)} targets, {mode}, {seconds} s each")
    sys.exit(1 if crashes else 0)


if __name__ == "__main__":
    main()
