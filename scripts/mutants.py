#!/usr/bin/env python3
"""What is said of real programs that were changed at random places, and whether it is true.

    scripts/mutants.py --casino target/release/casino [--seed TEXT] [--number N] [--jobs N] [--grade] [KIND ...]

Each program is one of this repository with one change that nobody chose: another comparison, a number that is one more or less, a
condition turned round, a statement left out or done twice, a word or character of a text changed. Those that do not build are
thrown away. Every other one is judged: a bot by `casino check`, and with --grade by `casino grade stud` too; a program of a
sister game by its grader. A row of the table has the change, which is the true fault, and the causes that were named.

Whether a cause is true people have to say: tests/mutants/judged.tsv keeps what they said of each row, with the causes they saw.
The last lines sum it up. A row that nobody has judged, or that names other causes than then, is marked with "?".

The exit code is 1 if a cause was judged to be false.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
JUDGED = ROOT / "tests/mutants/judged.tsv"
LIMIT = 240  # seconds for one run of the judge

# The programs: where their files are, which are changed, what is needed to build one, and how it is run.
BOTS = {
    "python": ("bots/python", ["poker.py"], "python3 -m py_compile *.py", "python3 {here}/poker.py {{host}} {{port}}"),
    "java": ("bots/java", ["Poker.java"], "javac -nowarn -d . *.java", "java -cp {here} Poker {{host}} {{port}}"),
    "javascript": ("bots/javascript", ["poker.js"], "node --check poker.js", "node {here}/poker.js {{host}} {{port}}"),
    "cpp": ("bots/cpp", ["poker.cpp", "question.hpp"], "g++ -O0 -std=c++17 -o poker *.cpp", "{here}/poker {{host}} {{port}}"),
    "go": ("bots/go", ["main.go"], "go build -o poker .", "{here}/poker {{host}} {{port}}"),
}
SISTERS = {
    "blackjack": ("tests/students", ["blackjack.py"], "python3 -m py_compile blackjack.py",
                  ["blackjack", "--cases", "5", "--program", "python3 {here}/blackjack.py {{bankroll}} {{hands}} {{player}}"]),
    "value": ("tests/students", ["cribbage.py"], "python3 -m py_compile cribbage.py",
              ["cribbage", "value", "--program", "python3 {here}/cribbage.py value {{cards}}"]),
    "select": ("tests/students", ["cribbage.py"], "python3 -m py_compile cribbage.py",
               ["cribbage", "select", "--program", "python3 {here}/cribbage.py select {{cards}}"]),
    "adts": ("tests/students/adts", ["deck.cpp", "hand.cpp", "player.cpp"], "true", ["blackjack", "{here}", "--cases", "0"]),
}

COMPARISONS = [("<=", "<"), (">=", ">"), ("<", "<="), (">", ">="), ("==", "!="), ("!=", "=="), ("===", "!=="), ("!==", "===")]
WORDS = [("and", "or"), ("or", "and"), ("&&", "||"), ("||", "&&"), ("true", "false"), ("false", "true"), ("True", "False"),
         ("False", "True"), ("min", "max"), ("max", "min"), ("break", "continue"), ("continue", "break")]
SIGNS = [(" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " / "), (" += ", " -= "), (" -= ", " += ")]


def code_lines(text, name):
    """The numbers of the lines that are code."""
    python = name.endswith(".py")
    inside = False
    for number, line in enumerate(text):
        plain = line.strip()
        if python and plain.count('"""') % 2 == 1:
            inside = not inside
            continue
        if not python and plain.startswith("/*"):
            inside = "*/" not in plain
            continue
        if inside:
            inside = python or "*/" not in plain
            continue
        # What a program tells people is not judged.
        speaks = re.match(r"(print|say|complain|console|System\.(out|err)|fmt\.|std::c|log\.)", plain)
        is_noise = speaks or plain.startswith(("#", "//", "*", "import ", "from ", "package ", "using ", '"""')) or len(plain) < 4
        # A student's program that is told which fault to have keeps what is only about that.
        if not is_noise and "MUTANT" not in plain and "misread" not in plain:
            yield number


def changes_of(line, name):
    """All changes of a line that there are, each as the new line."""
    found = []
    def swap(old, new, pattern):
        for match in re.finditer(pattern, line):
            found.append(line[: match.start()] + new + line[match.end():])
    for old, new in COMPARISONS:
        swap(old, new, r"(?<![<>=!\-])" + re.escape(old) + r"(?![<>=])(?= )")
    for old, new in WORDS:
        swap(old, new, (r"\b" + old + r"\b") if old.isalpha() else re.escape(old))
    for old, new in SIGNS:
        swap(old, new, re.escape(old))
    for match in re.finditer(r"(?<![\w.\"'])\d+(?![\w.\"'])", line):
        for step in (1, -1):
            if int(match.group()) + step >= 0:
                found.append(line[: match.start()] + str(int(match.group()) + step) + line[match.end():])
    for match in re.finditer(r'"([a-z0-9:]{2,8})"', line):
        inner = match.group(1)
        for new in (inner.capitalize(), inner[:-1], inner + " "):
            if new != inner:
                found.append(line[: match.start(1)] + new + line[match.end(1):])
    indent = line[: len(line) - len(line.lstrip())]
    plain = line.strip()
    condition = re.fullmatch(r"(if|while|elif|} else if) ?\(?(.+?)\)?( ?[:{])", plain)
    if condition and name.endswith(".py"):
        found.append(f"{indent}{condition.group(1)} not ({condition.group(2)}):")
    whole = plain.endswith(";") and not plain.startswith(("return", "}", "const", "let", "var", "int ", "final", "static", "private"))
    if whole and plain.count("(") == plain.count(")"):
        found.append(f"{indent};" if not name.endswith(".go") else indent)
        found.append(f"{line} {plain}")
    calls = re.fullmatch(r"[\w.]+\(.*\)|[\w.\[\]]+ [+\-]?= .+", plain)
    if name.endswith((".py", ".go")) and calls:
        found.append(f"{indent}pass" if name.endswith(".py") else indent)
        if "(" in plain and " = " not in plain:
            found.append(f"{line}\n{line}")
    return [new for new in found if new != line]


def mutants(kind, seed):
    """Changes of a program without end: file, number of the line from 1, the line before and after."""
    folder, names, _, _ = {**BOTS, **SISTERS}[kind]
    texts = {name: (ROOT / folder / name).read_text().split("\n") for name in names}
    dice = random.Random(f"{seed} {kind}")
    places = [(name, number) for name in names for number in code_lines(texts[name], name)]
    seen = set()
    for _ in range(100_000):
        name, number = dice.choice(places)
        line = texts[name][number]
        changes = changes_of(line, name)
        if not changes:
            continue
        new = dice.choice(changes)
        if (name, number, new) not in seen:
            seen.add((name, number, new))
            yield name, number + 1, line.strip(), new.strip()


def run(words, **more):
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, **more)
    except subprocess.TimeoutExpired:
        return None


def build(kind, mutant, work):
    """The folder of a mutant that builds; `None` if it does not."""
    folder, _, command, _ = {**BOTS, **SISTERS}[kind]
    name, number, _, new = mutant
    here = work / hashlib.sha256(repr((kind, mutant)).encode()).hexdigest()[:12]
    shutil.copytree(ROOT / folder, here, ignore=shutil.ignore_patterns("adts", "__pycache__", "*.md", "test_*", "cribbage.pl"))
    text = (here / name).read_text().split("\n")
    old = text[number - 1]
    indent = old[: len(old) - len(old.lstrip())]
    text[number - 1] = indent + new.replace("\n", "\n" + ("" if new.split("\n")[-1].startswith(" ") else indent))
    (here / name).write_text("\n".join(text))
    ran = run(command, shell=True, cwd=here)
    return here if ran and ran.returncode == 0 else None


def said_of_bot(casino, kind, here, grade):
    """The steps that fail with the causes that are named, and whether the grader names others."""
    command = BOTS[kind][3].format(here=here)
    ran = run([casino, "check", command, "--json", "--rounds", "300"])
    if ran is None or not ran.stdout:
        return ["(no report)"], ""
    said = []
    for step in json.loads(ran.stdout)["steps"]:
        diagnosis = step.get("diagnosis") or {}
        causes = [diagnosis.get("cause", ""), *[other.get("cause", "") for other in diagnosis.get("also_possible", [])]]
        said += [cause for cause in causes if cause] or (["unknown"] if step["outcome"] == "failed" else [])
    more = ""
    if grade and said:
        ran = run([casino, "grade", "stud", command, "--json", "--exit-zero", "--rounds", "10", "--even-if-busy"])
        keys = set(re.findall(r"\[([a-z0-9-]{4,})\]", ran.stdout)) if ran else {"(no report)"}
        more = " ".join(sorted(keys - set(said)))
    return list(dict.fromkeys(said)), more


def said_of_sister(casino, kind, here, _):
    words = [word.format(here=here) for word in SISTERS[kind][3]]
    ran = run([casino, "grade", *words, "--json", "--exit-zero", "--seed", "mutants", "--even-if-busy"])
    if ran is None or not ran.stdout:
        return ["(no report)"], ""
    report = json.loads(ran.stdout)
    items = [item for part in report["parts"] for item in part["items"]]
    explains = [item["id"] for item in items if item["max_points"] == 0 and item["outcome"] == "failed"]
    # The transcripts are not run where the types are judged alone.
    fine = ("passed", "not_run") if kind == "adts" else ("passed",)
    lost = any(item["outcome"] not in fine for item in items if item["max_points"])
    return explains or (["unknown"] if lost else []), ""


def judged():
    """What people said of rows: by kind, file, line and change the verdict and the causes that they saw."""
    rows = {}
    if JUDGED.exists():
        for line in JUDGED.read_text().splitlines()[1:]:
            kind, name, number, old, new, said, verdict = line.split("\t")
            rows[kind, name, old, new] = (said, verdict)
    return rows


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--casino", default=str(ROOT / "target/debug/casino"))
    options.add_argument("--seed", default="mutants")
    options.add_argument("--number", type=int, default=20, help="programs of each kind that build [default: 20]")
    options.add_argument("--jobs", type=int, default=4)
    options.add_argument("--grade", action="store_true", help="bots are graded too")
    options.add_argument("kinds", nargs="*", metavar="KIND", help=f"some of {', '.join([*BOTS, *SISTERS])} [default: all]")
    chosen = options.parse_args()
    casino = str(pathlib.Path(chosen.casino).resolve())
    known = judged()
    sums = {}
    print("kind\tfile\tline\tbefore\tafter\tnamed\tverdict")
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        work = pathlib.Path(work)
        for kind in chosen.kinds or [*BOTS, *SISTERS]:
            say = said_of_bot if kind in BOTS else said_of_sister
            built = []
            for mutant in mutants(kind, chosen.seed):
                here = build(kind, mutant, work)
                if here:
                    built.append((mutant, pool.submit(say, casino, kind, here, chosen.grade)))
                if len(built) == chosen.number:
                    break
            for (name, number, old, new), future in built:
                said, more = future.result()
                named = " ".join(said) or "nothing wrong"
                before, verdict = known.get((kind, name, old, new.replace("\n", " ")), ("", "?"))
                if named != before and verdict != "?":
                    verdict = f"? (was {before}: {verdict})"
                if not said:
                    verdict = "no difference"
                sums[verdict.split(" (")[0]] = sums.get(verdict.split(" (")[0], 0) + 1
                print(kind, name, number, old, new.replace("\n", " "), named + (f" + grade: {more}" if more else ""), verdict, sep="\t", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(sums.items())), file=sys.stderr)
    return 1 if "false" in sums else 0


if __name__ == "__main__":
    sys.exit(main())
