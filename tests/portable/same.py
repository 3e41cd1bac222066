"""The same bytes: what is dealt, counted and written on one system is dealt, counted and written on the other."""

import json
import shutil

from proof import proof

HOUSE = ["cautious", "bold", "odds", "bluffer", "reader", "random"]
DAYS = {
    "one table": ["--rounds", "60"],
    "many tables": ["--seats", "3", "--level-rounds", "20", "--rounds", "60"],
    "swiss": ["--format", "swiss", "--level-rounds", "30"],
    "series": ["--series", "2", "--rounds", "30"],
}
JOURNAL = "day.jsonl"


def bots(names):
    return [word for name in names for word in ("--bot", name)]


def same(both, *arguments, files=(), code=0):
    """Runs a command on both systems, each in its own folder, and compares all it says and writes."""
    linux, windows = (system.run(*arguments, expect=code) for system in both)
    assert linux.stdout == windows.stdout, f"{arguments}: {difference(linux.stdout, windows.stdout)}"
    assert linux.stderr == windows.stderr, f"{arguments}: {difference(linux.stderr, windows.stderr)}"
    for file in files:
        one, other = ((system.folder / file).read_bytes() for system in both)
        assert one == other, f"{file} of {arguments}: {difference(one, other)}"
    return linux


def same_folder(both, folder):
    one, other = (files_in(system.folder / folder) for system in both)
    assert sorted(one) == sorted(other), f"{sorted(one)} and {sorted(other)}"
    for file, content in one.items():
        assert content == other[file], f"{file}: {difference(content, other[file])}"
    return len(one)


def files_in(folder):
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def difference(one, other):
    """The first lines that differ."""
    for number, (left, right) in enumerate(zip(one.split(b"\n"), other.split(b"\n")), start=1):
        if left != right:
            return f"line {number} is {left[:300]!r} on Linux and {right[:300]!r} on Windows"
    return f"{len(one)} bytes on Linux and {len(other)} on Windows: {one[-300:]!r} and {other[-300:]!r}"


@proof("house bots, ten seeds: --json and journals are the same bytes")
def ten_seeds(both):
    size = 0
    for number in range(10):
        day = list(DAYS.values())[number % len(DAYS)]
        journal = f"day-{number}.jsonl"
        day = [*day, "--seed", f"Sitz {number}", "--journal", journal]
        same(both, "play", *bots(HOUSE), *day, "--json", files=[journal])
        size += (both.linux.folder / journal).stat().st_size
    return f"{size // 1024} KiB of journals"


@proof("verify, replay and report say the same of a journal")
def records(both):
    same(both, "play", *bots(HOUSE), "--rounds", "40", "--seed", "record", "--journal", JOURNAL, "--json")
    same(both, "verify", JOURNAL)
    same(both, "replay", JOURNAL)
    for form in ("--round 3", "--player bold --hide"):
        same(both, "replay", JOURNAL, *form.split(" "))
    for system in both:
        # How long replies took is no part of the record, and different each time.
        (system.folder / f"{JOURNAL}.times.csv").unlink()
        # It names the files that it wrote, as its system writes paths.
        system.run("report", JOURNAL, "--out", "report", expect=0)
    return f"{same_folder(both, 'report')} pages"


@proof("a journal of one system verifies, replays and resumes on the other, both ways")
def journals_travel(both):
    for here, there in ((both.linux, both.windows), (both.windows, both.linux)):
        whole = here.folder / "travels.jsonl"
        day = ["--rounds", "40", "--seed", "travel", "--journal", whole.name]
        here.run("play", *bots(HOUSE), *day, "--json", expect=0)
        lines = whole.read_bytes().splitlines(keepends=True)
        for system in both:
            (system.folder / "whole.jsonl").write_bytes(whole.read_bytes())
            # Twenty rounds of it, and the beginning of the next.
            ends = [number for number, line in enumerate(lines) if b'"type":"end"' in line]
            (system.folder / "half.jsonl").write_bytes(b"".join(lines[: ends[19] + 4]))
        whole.unlink()
        there.run("verify", "whole.jsonl", expect=0)
        same(both, "replay", "whole.jsonl")
        same(both, "resume", "half.jsonl", "--json", files=["half.jsonl"])
        same(both, "verify", "half.jsonl")
        assert without_break((there.folder / "half.jsonl").read_bytes()) == without_break(b"".join(lines))
        for system in both:
            (system.folder / "half.jsonl").unlink()
            (system.folder / "half.jsonl.times.csv").unlink(missing_ok=True)


def without_break(journal):
    """The lines of a journal as if its host had never stopped: without `resumed`, and without what was begun again."""
    lines = []
    for line in journal.splitlines():
        kind = json.loads(line)["type"]
        if kind == "resumed":
            while json.loads(lines[-1])["type"] not in ("end", "casino_day"):
                lines.pop()
        elif kind == "over":
            over = json.loads(line)
            over.pop("before")  # the SHA-256 of the lines before it, of which one is `resumed`
            lines.append(json.dumps(over).encode())
        else:
            lines.append(line)
    return lines


@proof("rate, its parts and merge")
def ratings(both):
    day = [*bots(["cautious", "bold", "simple"]), "--rounds", "600", "--tournaments", "6", "--seed", "monday"]
    same(both, "rate", *day, "--json")
    whole = same(both, "rate", *day)
    for part in ("1", "2"):
        same(both, "rate", *day, "--shard", f"{part}/2", "--part", f"part-{part}.json", files=[f"part-{part}.json"])
    # Parts may come from different systems.
    shutil.copy(both.windows.folder / "part-2.json", both.linux.folder / "part-2.json")
    shutil.copy(both.linux.folder / "part-1.json", both.windows.folder / "part-1.json")
    merged = same(both, "merge", "part-1.json", "part-2.json")
    assert merged.stdout == whole.stdout, difference(whole.stdout, merged.stdout)


@proof("blackjack and cribbage")
def sisters(both):
    same(both, "blackjack", "100", "3", "simple")
    same(both, "blackjack", "500", "200", "counting", "--seed", "monday")
    same(both, "cribbage", "select", "5H", "KC", "5S", "9D", "5C", "JD", "--explain")
    same(both, "cribbage", "value", "5H", "5S", "5C", "JD", "5D")


@proof("every scenario, in process and over sockets")
def scenarios(both):
    for system in both:
        shutil.copytree(both.project / "scenarios", system.folder / "scenarios", dirs_exist_ok=True)
    same(both, "scenario", "run", "scenarios")
    for system in both:
        # Windows throws away what was sent before a reset, and Linux reads it first: docs/systems.md.
        (system.folder / "scenarios/R18/reset.json").unlink()
    return same(both, "scenario", "run", "scenarios", "--tcp").stdout.decode().strip().splitlines()[-1]


@proof("the starter bots are written out with the same bytes")
def starters(both):
    for language in ("java", "python", "cpp", "javascript", "rust", "go"):
        for system in both:
            system.run("new-bot", language, f"kits/{language}", expect=0)
    return f"{same_folder(both, 'kits')} files"
