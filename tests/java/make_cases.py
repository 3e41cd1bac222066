#!/usr/bin/env python3
"""Writes strings longer than those tried one by one, with what Java makes of them. Needs a JDK:

    python3 make_cases.py > ../data/modified-utf8-cases.txt
"""

import random
import subprocess
from pathlib import Path

ORACLE = Path(__file__).with_name("ModifiedUtf8Oracle.java")

HEADER = """\
# What DataInputStream.readUTF and DataOutputStream.writeUTF make of these strings: see tests/java.
#   decode BYTES -> reject
#   decode BYTES -> accept UNITS
#   encode UNITS -> BYTES
# Bytes are two hex digits each, UTF-16 units four. What is missing is empty."""

# The first and last unit of each encoded length, and the surrogates' borders with their neighbours.
BORDERS = [0x00, 0x01, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF]

# Bytes that cannot continue a character.
NO_CONTINUATION = [0x00, 0x7F, 0xC0, 0xFF]

rng = random.Random(17)


def two_bytes(unit):
    return bytes([0xC0 | unit >> 6, 0x80 | unit & 0x3F])


def three_bytes(unit):
    return bytes([0xE0 | unit >> 12, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F])


def high():
    return three_bytes(rng.randrange(0xD800, 0xDC00))


def low():
    return three_bytes(rng.randrange(0xDC00, 0xE000))


# Pieces that Java accepts wherever they stand ...
GOOD = {
    "ascii": lambda: bytes([rng.randrange(0x01, 0x80)]),
    "raw zero": lambda: b"\x00",
    "zero": lambda: b"\xc0\x80",
    "two bytes": lambda: two_bytes(rng.randrange(0x80, 0x800)),
    "three bytes": lambda: three_bytes(rng.randrange(0x800, 0xD800)),
    "private use and beyond": lambda: three_bytes(rng.randrange(0xE000, 0x10000)),
    "overlong two bytes": lambda: two_bytes(rng.randrange(0x80)),
    "overlong three bytes": lambda: three_bytes(rng.randrange(0x800)),
    "surrogate pair": lambda: high() + low(),
    "swapped surrogates": lambda: low() + high(),
    "lone high surrogate": high,
    "lone low surrogate": low,
    "border": lambda: chr(rng.choice(BORDERS)).encode("utf-8", "surrogatepass"),
}

# ... and pieces it does not, unless what follows happens to complete them.
BAD = {
    "four bytes": lambda: chr(rng.randrange(0x10000, 0x110000)).encode(),
    "four-byte lead": lambda: bytes([rng.randrange(0xF0, 0xF8)]),
    "no lead at all": lambda: bytes([rng.randrange(0xF8, 0x100)]),
    "stray continuation": lambda: bytes([rng.randrange(0x80, 0xC0)]),
    "one of two": lambda: bytes([rng.randrange(0xC0, 0xE0)]),
    "one of three": lambda: bytes([rng.randrange(0xE0, 0xF0)]),
    "two of three": lambda: three_bytes(rng.randrange(0x10000))[:2],
    "second byte of two": lambda: bytes([rng.randrange(0xC0, 0xE0), rng.choice(NO_CONTINUATION)]),
    "second byte of three": lambda: bytes([rng.randrange(0xE0, 0xF0), rng.choice(NO_CONTINUATION), 0x80]),
    "third byte of three": lambda: bytes([rng.randrange(0xE0, 0xF0), 0x80, rng.choice(NO_CONTINUATION)]),
}


def good_mix(longest):
    """A string of up to this many bytes that Java accepts."""
    mix = b""
    while True:
        piece = rng.choice(list(GOOD.values()))()
        if len(mix) + len(piece) > longest:
            return mix
        mix += piece


def byte_strings():
    for piece in [*GOOD.values(), *BAD.values()]:
        for before, after in [(b"", b""), (b"bet:", b""), (b"", b"fold"), (b"\xc3\xa9", b"\xe2\x82\xac")]:
            yield before + piece() + after

    # Cut at every place.
    whole = b"".join(piece() for piece in GOOD.values())
    yield from (whole[:length] for length in range(len(whole) + 1))
    yield from (whole[start:] for start in range(1, len(whole)))

    # Every two pieces next to each other.
    pieces = [*GOOD.values(), *BAD.values()]
    yield from (first() + second() for first in pieces for second in pieces)

    for _ in range(300):
        yield good_mix(rng.randrange(4, 300))
    for _ in range(200):
        yield good_mix(rng.randrange(150)) + rng.choice(list(BAD.values()))() + good_mix(rng.randrange(150))
    for _ in range(200):
        damaged = bytearray(good_mix(rng.randrange(10, 300)))
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        yield bytes(damaged)
    for _ in range(100):
        yield rng.randbytes(rng.randrange(4, 12))


def unit_strings():
    yield []
    yield from ([unit] for unit in BORDERS)
    yield from ([first, second] for first in BORDERS for second in BORDERS)
    ranges = [(0x0000, 0x0080), (0x0080, 0x0800), (0x0800, 0x10000), (0xD800, 0xE000)]
    for _ in range(250):
        yield [rng.randrange(*rng.choice(ranges)) for _ in range(rng.randrange(1, 100))]


def ask(mode, requests):
    lines = "".join(f"{request}\n" for request in requests)
    oracle = subprocess.run(["java", str(ORACLE), mode], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    answers = oracle.stdout.splitlines()
    assert len(answers) == len(requests)
    for request, answer in zip(requests, answers):
        yield " ".join(filter(None, [mode, request, "->", answer]))


def main():
    print(HEADER)
    decode = list(dict.fromkeys(data.hex() for data in byte_strings()))
    encode = list(dict.fromkeys("".join(f"{unit:04x}" for unit in units) for units in unit_strings()))
    print(*ask("decode", decode), *ask("encode", encode), sep="\n")


if __name__ == "__main__":
    main()
