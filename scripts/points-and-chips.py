#!/usr/bin/env python3
"""Do points go with chips? Grades and rates bots, and prints the rank correlations.

    scripts/points-and-chips.py [--casino FILE] [--rounds N] [--ratings N] [FOLDER ...]

The bots are all house bots, the starter program in Python with the strategies of tests/ladder, the starter programs in the
other languages this machine has, twelve versions of one student's bot (tests/ladder/versions), and the folders that are named. Each
FOLDER holds a program as `casino grade stud` takes it, with a file `run` that holds its command line for `casino rate`; {here} in
it stands for the folder. With several --ratings each has --rounds and a seed of its own, their chips are averaged, and the rank
correlation of the odd ones with the even ones says how much of the order is luck.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INTELLIGENT = ["Intelligent rules", "Uses the other players' up cards"]
VERSION = "student-"


def house(casino):
    """The names of the house bots."""
    ran = subprocess.run([casino, "bots"], check=True, capture_output=True, text=True)
    return [line.split()[0] for line in ran.stdout.splitlines()[2:]]


def python_kit(folder, name, strategy):
    """The starter program in Python, with the text of another strategy if there is one: name, folder, command line."""
    kit, here = ROOT / "bots/python", folder / name
    here.mkdir()
    shutil.copy(kit / "poker.py", here)
    shutil.copy(kit / "strategy.py", here / ("strategy.py" if strategy is None else "starter.py"))
    if strategy is not None:
        (here / "strategy.py").write_text(strategy)
    return name, here, f"{sys.executable} {here}/poker.py {{host}} {{port}}"


def ladder(folder):
    """The starter program in Python, once with each strategy."""
    yield python_kit(folder, "kit-python", None)
    for strategy in sorted((ROOT / "tests/ladder").glob("*.py")):
        yield python_kit(folder, strategy.stem, strategy.read_text())


def versions(folder):
    """The versions of one student's bot, the oldest first."""
    text = (ROOT / "tests/ladder/versions/student.py").read_text()
    for version in range(1, 13):
        changed = text.replace("VERSION = 12", f"VERSION = {version}", 1)
        yield python_kit(folder, f"{VERSION}{version}", changed)


def other_kits(folder):
    """The starter programs in other languages, built."""
    kits = {
        "java": ("javac", "javac -d . *.java", "java -cp {here} Poker {{host}} {{port}}"),
        "javascript": ("node", "true", "node {here}/poker.js {{host}} {{port}}"),
        "cpp": ("g++", "g++ -O2 -std=c++17 -o poker *.cpp", "{here}/poker {{host}} {{port}}"),
        "go": ("go", "go build -o poker .", "{here}/poker {{host}} {{port}}"),
    }
    for language, (tool, build, run) in kits.items():
        if shutil.which(tool) is None:
            print(f"without the starter program in {language}: there is no {tool} here", file=sys.stderr)
            continue
        name = f"kit-{language}"
        shutil.copytree(ROOT / "bots" / language, folder / name)
        built = folder / f"{name}-built"
        shutil.copytree(ROOT / "bots" / language, built)
        subprocess.run(build, shell=True, cwd=built, check=True)
        yield name, folder / name, run.format(here=built)


def grade(casino, spec):
    """All points, those for intelligent play, and what the equal deals say."""
    words = [casino, "grade", "stud", str(spec), "--json", "--exit-zero", "--rounds", "50", "--seed", "casino day"]
    ran = subprocess.run(words, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        raise SystemExit(f"{spec}: {ran.stderr}")
    report = json.loads(ran.stdout)
    parts = {part["title"]: part["items"] for part in report["parts"]}
    total = {title: sum(item["points"] for item in items) for title, items in parts.items()}
    thought = sum(total[title] for title in INTELLIGENT)
    return report["summary"]["points"], thought, parts[INTELLIGENT[0]][-1]["title"]


def rate(casino, bots, rounds, number):
    """The chips per round of each bot in a rating; `number` makes its seed."""
    words = [casino, "rate", "--rounds", str(rounds), "--seats", "6", "--tournaments", "0"]
    words += ["--seed", f"points and chips {number}", "--json"]
    for name, run in bots:
        words += ["--bot", name if run is None else f"{name}={run}"]
    ran = subprocess.run(words, capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit(ran.stderr)
    return {line["name"]: line["chips_per_round"]["value"] for line in json.loads(ran.stdout)["standings"]}


def mean_chips(ratings):
    """The mean chips per round of each bot over these ratings."""
    return {name: sum(rating[name] for rating in ratings) / len(ratings) for name in ratings[0]}


def ranks(values):
    """Ranks from 1; equal values share the middle one of theirs."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) + 1) / 2 for value in values]


def correlation(one, other):
    """Spearman's rank correlation."""
    one, other = ranks(one), ranks(other)
    mean = (len(one) + 1) / 2
    products = sum((a - mean) * (b - mean) for a, b in zip(one, other))
    squares = [sum((value - mean) ** 2 for value in values) for values in (one, other)]
    return products / (squares[0] * squares[1]) ** 0.5


def correlations(whose, rows):
    """Prints how the order by chips goes with the order by points."""
    won = [row[0] for row in rows]
    graded = [float(row[4].split(" chips")[0].removeprefix("Wins ")) for row in rows]
    print(f"{whose}, {len(rows)} bots: rank correlation of chips with the points for intelligent play "
          f"{correlation(won, [row[3] for row in rows]):.3f}, with all points {correlation(won, [row[2] for row in rows]):.3f}, "
          f"with the chips of the grading {correlation(won, graded):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--casino", default=str(ROOT / "target/release/casino"))
    parser.add_argument("--rounds", type=int, default=40_000)
    parser.add_argument("--ratings", type=int, default=1)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bots = [(name, name, None) for name in house(words.casino)]
        bots += [*ladder(folder), *other_kits(folder), *versions(folder)]
        for own in words.folders:
            run = (own / "run").read_text().strip().replace("{here}", str(own.resolve()))
            bots.append((own.name, own, run))
        programs = [(name, run) for name, _, run in bots]
        ratings = [rate(words.casino, programs, words.rounds, 1 + number) for number in range(words.ratings)]
        chips = mean_chips(ratings)
        if len(ratings) > 1:
            odd, even = mean_chips(ratings[::2]), mean_chips(ratings[1::2])
            halves = correlation([odd[name] for name in chips], [even[name] for name in chips])
            print(f"the two halves of {len(ratings)} ratings: rank correlation {halves:.3f}")
        rows = []
        for name, spec, _ in bots:
            rows.append((chips[name], name, *grade(words.casino, spec)))
    rows.sort(reverse=True)
    for won, name, whole, thought, title in rows:
        measured = title.split(" chips")[0].replace("Wins ", "+").replace("Loses ", "-")
        print(f"{name:16} {won:+9.2f} chips a round, {whole:6.2f} points, {thought:6.2f} of 60, equal deals {measured:>7}")
    of_versions = [row for row in rows if row[1].startswith(VERSION)]
    others = [row for row in rows if not row[1].startswith(VERSION)]
    correlations("all", rows)
    correlations("all but the student's", others)
    correlations("the versions of one student's bot", of_versions)


if __name__ == "__main__":
    main()
