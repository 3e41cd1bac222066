#!/usr/bin/env python3
"""Draws how the figures of many tables grow, as an SVG, from what `cargo bench --bench tables` prints.

    cargo bench --bench tables -- 1 10 100 167 1000 1666 > tables.txt
    scripts/growth.py tables.txt docs/images/growth.svg

Four pictures over the number of players, from one table of six to ten thousand players: round trips a second, the dealer's
processor time a request, memory a connection, and the rate with a journal as a share of that without.
"""

import math
import pathlib
import re
import sys

SEATS = 6
COLOURS = {"bare dealer": "#888888", "host": "#1f6f43", "with a journal": "#b5541c"}
NAMES = {"bare": "bare dealer", "host": "host", "with journal": "with a journal"}
ROW = re.compile(
    r"^\s*(\d+)\s+(bare|host|with journal)\s+(\d+)\s+(?:[\d.]+ \([\d.]+–[\d.]+\)\s+)?(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+)$"
)
WIDTH, HEIGHT, LEFT, TOP, GAP = 330, 170, 62, 44, 92


def figures(text):
    """The rows of the bench: for each kind of dealer its points (tables, trips a second, microseconds, bytes)."""
    found = {}
    for line in text.splitlines():
        if row := ROW.match(line):
            tables, dealer, trips, _, _, cpu, memory = row.groups()
            found.setdefault(NAMES[dealer], []).append((int(tables), int(trips), float(cpu), int(memory)))
    if len(found) < len(NAMES):
        sys.exit("there is not a row for each kind of dealer: give me what `cargo bench --bench tables` printed")
    return {name: sorted(rows) for name, rows in found.items()}


def panel(at, title, curves, ticks):
    """One picture: its curves over the players, which are drawn by their logarithm, from nothing up to the last tick."""
    left, top = LEFT + at % 2 * (WIDTH + GAP), TOP + at // 2 * (HEIGHT + GAP)
    across = lambda players: left + WIDTH * math.log10(players / 5) / math.log10(2_400)
    down = lambda value: top + HEIGHT * (1 - value / ticks[-1])
    parts = [f'<text class="title" x="{left}" y="{top - 14}">{title}</text>']
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{left}" x2="{left + WIDTH}" y1="{down(tick):.1f}" y2="{down(tick):.1f}"/>')
        parts.append(f'<text class="tick end" x="{left - 8}" y="{down(tick) + 4:.1f}">{tick:,}</text>')
    for players in (10, 100, 1_000, 10_000):
        parts.append(f'<text class="tick middle" x="{across(players):.1f}" y="{top + HEIGHT + 18}">{players:,}</text>')
    parts.append(f'<text class="tick middle" x="{left + WIDTH / 2}" y="{top + HEIGHT + 36}">players, six at a table</text>')
    for name, points in curves.items():
        line = " ".join(f"{across(SEATS * tables):.1f},{down(value):.1f}" for tables, value in points)
        parts.append(f'<polyline points="{line}" stroke="{COLOURS[name]}"/>')
        for tables, value in points:
            place = f'cx="{across(SEATS * tables):.1f}" cy="{down(value):.1f}"'
            label = f"{name}, {SEATS * tables:,} players: {value:,}"
            parts.append(f'<circle {place} r="3.5" fill="{COLOURS[name]}"><title>{label}</title></circle>')
    return parts


def ticks(most, steps=4):
    """Round numbers from 0 to beyond the most."""
    step = most / steps
    size = 10 ** math.floor(math.log10(step))
    step = next(size * nice for nice in (1, 2, 2.5, 5, 10) if size * nice >= step)
    numbers = [step * number for number in range(math.ceil(most / step) + 1)]
    return [int(number) if float(number).is_integer() else round(number, 2) for number in numbers]


def picture(found):
    """The whole picture."""
    column = lambda at: {name: [(row[0], row[at]) for row in rows] for name, rows in found.items()}
    memory = {"host": [(row[0], row[3]) for row in found["host"] if SEATS * row[0] >= 500]}
    plain = dict((row[0], row[1]) for row in found["host"])
    share = [(row[0], round(row[1] / plain[row[0]], 2)) for row in found["with a journal"] if row[0] in plain]
    panels = [
        ("Round trips a second", column(1)),
        ("Processor time of the dealer a request, in µs", column(2)),
        ("Memory a connection, in bytes", memory),
        ("Rate with a journal, share of that without", {"with a journal": share}),
    ]
    width, height = LEFT + 2 * WIDTH + GAP + 24, TOP + 2 * (HEIGHT + GAP) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        ' aria-label="How the figures of many tables grow with the number of players">',
        "<style>text{font:12px sans-serif;fill:#333}.title{font-weight:bold;font-size:13px}.tick{fill:#555}.end{text-anchor:end}"
        ".middle{text-anchor:middle}.grid{stroke:#ddd}polyline{fill:none;stroke-width:2}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for at, (title, curves) in enumerate(panels):
        most = max(value for points in curves.values() for _, value in points)
        parts += panel(at, title, curves, ticks(most))
    for at, (name, colour) in enumerate(COLOURS.items()):
        x, y = LEFT + at * 150, height - 12
        parts.append(f'<rect x="{x}" y="{y - 9}" width="14" height="10" fill="{colour}"/><text x="{x + 20}" y="{y}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    """Reads the bench's lines and writes the picture."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(picture(figures(pathlib.Path(sys.argv[1]).read_text())))


if __name__ == "__main__":
    main()
