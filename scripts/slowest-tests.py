#!/usr/bin/env python3
"""Runs every test alone, one after the other, and prints the fifty that take the most processor time.

    scripts/slowest-tests.py [--most N] [TEST PROGRAM ...]

TEST PROGRAM is a name that `cargo test --no-run` prints, such as `together` or `casino_stud`; without any, all are run.
A row has the processor time of the test and of all that it started and waited for, how long it took, and its name. The
last rows are the sums. It is an error, with exit code 1, if a test fails.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo").split()


def programs():
    """The name, the file and the folder of each test program."""
    built = subprocess.run(
        [*CARGO, "test", "--no-run", "--locked", "--message-format", "json"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE,
    )
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["profile"]["test"]:
            folder = Path(message["manifest_path"]).parent
            yield message["target"]["name"], message["executable"], folder, message["target"]["kind"]


def tests(program, folder):
    """The names of the tests of a program, the long ones too; ALONE names those that are run alone."""
    said = subprocess.run([program, "--list", "--format", "terse"], cwd=folder, check=True, stdout=subprocess.PIPE)
    names = [line[: -len(": test")] for line in said.stdout.decode().splitlines() if line.endswith(": test")]
    alone = os.environ.get("ALONE", "").split()
    return [name for name in names if name.rsplit("::", 1)[-1] not in alone]


def run(program, folder, name, environment):
    """The processor time and the time that one test takes, in seconds, and whether it passes."""
    began, before = time.monotonic(), os.times()
    done = subprocess.run([program, "--include-ignored", "--exact", name], cwd=folder, env=environment, capture_output=True, check=False)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, time.monotonic() - began, done.returncode == 0


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--most", type=int, default=50, metavar="N", help="how many rows (50)")
    flags.add_argument("programs", nargs="*", metavar="TEST PROGRAM")
    asked = flags.parse_args()
    rows, failed = [], []
    for name, program, folder, kind in programs():
        if asked.programs and name not in asked.programs:
            continue
        if kind == ["example"]:
            continue
        environment = dict(os.environ, CARGO_MANIFEST_DIR=str(folder))
        for test in tests(program, folder):
            used, took, passed = run(program, folder, test, environment)
            rows.append((used, took, f"{name} {test}"))
            if not passed:
                failed.append(f"{name} {test}")
            if sys.stderr.isatty():
                print(f"\r{len(rows)} tests, {sum(row[0] for row in rows):.0f} s of processor time", end="", file=sys.stderr)
    rows.sort(reverse=True)
    print("processor s  seconds  test")
    for used, took, name in rows[: asked.most]:
        print(f"{used:11.1f}  {took:7.1f}  {name}")
    print(f"{sum(row[0] for row in rows):11.1f}  {sum(row[1] for row in rows):7.1f}  all {len(rows)} tests")
    for name in failed:
        print(f"failed: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
