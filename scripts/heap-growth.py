#!/usr/bin/env python3
"""What a program's memory is made of, and what of it grows: from a recording of heaptrack.

    cargo build --profile profiling
    scripts/soak-memory.py --binary target/profiling/casino --hours 8 --wrap "heaptrack -o target/heap"
    scripts/heap-growth.py target/heap.zst [--from 0.2] [--to 0.98] [--most 15]

Each allocation belongs to the innermost line of this project's own sources that led to it, which is printed with its
text: what it makes is what is held. --from and --to are the two moments, as shares of the recording. Needs zstd.
"""

import argparse
import functools
import os
import subprocess
from collections import Counter

OWN = ("crates/", "src/")


class Recording:
    """Traces, their lines of source, and how much of each is live."""

    def __init__(self):
        self.words = [""]
        self.frames = [[]]
        self.traces = [(0, 0)]
        self.allocations = []
        self.live = []
        self.known = {}

    def read(self, letter, words):
        if letter == "s":
            self.words.append(words[0].split(" ", 1)[1] if words[0] else "")
        elif letter == "i":
            numbers = [int(word, 16) for word in words[0].split()][2:]
            # An address without a line of source has the name of its function only.
            places = [numbers[at : at + 3] for at in range(0, len(numbers) - 2, 3)]
            self.frames.append([(self.words[file], line) for _, file, line in places])
        elif letter == "t":
            self.traces.append(tuple(int(word, 16) for word in words[0].split()))
        elif letter == "a":
            self.allocations.append([int(word, 16) for word in words[0].split()])
            self.live.append(0)
        elif letter in "+-":
            self.live[int(words[0], 16)] += 1 if letter == "+" else -1

    def place(self, trace):
        """The innermost line of ours in a trace."""
        seen = trace
        if seen in self.known:
            return self.known[seen]
        found = ("elsewhere", 0)
        while trace:
            address, trace = self.traces[trace]
            ours = [frame for frame in self.frames[address] if is_ours(frame[0])]
            if ours:
                found = ours[0]
                break
        self.known[seen] = found
        return found

    def by_place(self):
        sums = Counter()
        for (size, trace), count in zip(self.allocations, self.live):
            sums[self.place(trace)] += size * count
        return sums


@functools.cache
def is_ours(file):
    """Other packages have a `src/` too."""
    return file.startswith(OWN) and os.path.exists(file)


def lines_of(path):
    with subprocess.Popen(["zstd", "-dc", path], stdout=subprocess.PIPE, text=True, errors="replace") as process:
        yield from process.stdout


def text_of(place):
    file, line = place
    if not is_ours(file):
        return ""
    with open(file) as source:
        return source.read().split("\n")[line - 1].strip()


def main():
    flags = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    flags.add_argument("recording")
    flags.add_argument("--from", dest="start", type=float, default=0.2)
    flags.add_argument("--to", dest="end", type=float, default=0.98)
    flags.add_argument("--most", type=int, default=15)
    given = flags.parse_args()
    last = 0
    for line in lines_of(given.recording):
        if line.startswith("c "):
            last = int(line.split()[1], 16)
    recording, moments, pictures = Recording(), [given.start * last, given.end * last], []
    for line in lines_of(given.recording):
        letter, *words = line.rstrip("\n").split(" ", 1)
        if letter == "c" and moments and int(words[0], 16) >= moments[0]:
            moments.pop(0)
            pictures.append(recording.by_place())
        elif words:
            recording.read(letter, words)
    before, after = pictures
    growth = Counter({place: after[place] - before[place] for place in after | before})
    print(f"live: {sum(before.values()):,} bytes, then {sum(after.values()):,}")
    for title, sums in (("grown most", growth), ("most at the second moment", after)):
        print(f"\n{title}:")
        for place, size in sums.most_common(given.most):
            print(f"{size:>12,}  {place[0]}:{place[1]}  {text_of(place)}")


main()
