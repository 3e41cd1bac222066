#!/usr/bin/env python3
"""Runs `casino` on this Linux and on Windows as Wine plays it, and compares.

`scripts/portable.sh` prepares everything and calls it. Prints a line for each proof, and ends with code 1 if one failed. With words after the folders it runs only the proofs
whose sentence or function has one of them.
"""

import argparse
import shutil
import sys
import time
import traceback
from pathlib import Path

import same  # noqa: F401  (each of these has proofs)
import programs  # noqa: F401
import hosts  # noqa: F401
from proof import PROOFS
from systems import System, Wine, end_processes, processes_left, wait_for


class Both:
    """The two systems; goes through them, Linux first."""

    def __init__(self, linux, windows, project):
        self.linux = linux
        self.windows = windows
        self.project = project

    def __iter__(self):
        return iter((self.linux, self.windows))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--linux", type=Path, required=True, help="the folder of the programs for Linux")
    parser.add_argument("--windows", type=Path, help="that of the programs for Windows [default: Linux twice]")
    parser.add_argument("--root", type=Path, help="Debian's root with Wine in it")
    parser.add_argument("--prefix", type=Path, help="Wine's folder")
    parser.add_argument("--scratch", type=Path, required=True, help="a folder that is emptied first")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    shutil.rmtree(options.scratch, ignore_errors=True)
    folders = [options.scratch / "linux", options.scratch / "windows"]
    for folder in folders:
        folder.mkdir(parents=True)
    linux = System("Linux", options.linux, folders[0])
    if options.windows:
        windows = Wine(options.windows, folders[1], options.root, options.prefix)
    else:
        windows = System("Linux again", options.linux, folders[1])
    both = Both(linux, windows, Path(__file__).resolve().parents[2])
    chosen = [
        (words, function)
        for words, function in PROOFS
        if not options.words or any(word in words or word == function.__name__ for word in options.words)
    ]
    failed = sum(not shown(both, words, function) for words, function in chosen)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


def shown(both, words, function):
    """Whether a proof holds, and leaves no process."""
    began = time.monotonic()
    try:
        found = function(both)
        wait_for(lambda: not processes_left(), "every process to end")
    except Exception:  # whatever it is, the proof has failed, and the next one is tried
        print(f"FAILED  {words}\n{traceback.format_exc()[-3000:]}\nStill running: {processes_left()}", flush=True)
        end_processes("casino", "rust-kit", "cpp-kit", "faulty")
        return False
    seconds = time.monotonic() - began
    print(f"ok      {words}{f': {found}' if found else ''} ({seconds:.0f} s)", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
