"""Programs that are started: by a tournament, by `check` and by `grade`."""

import json
import shutil

from proof import proof
from same import bots, difference, same, without_break

KITS = ("rust-kit", "cpp-kit")
FAULTS = ("bets-too-much", "wrong-word", "dies", "sleeps", "little-endian")
SLOW = ("--reply-ms", "60000")  # nobody shall be late because this machine is busy


def player(name, line):
    return ["--bot", f"{name}={line}"]


def kits_in(system, folder):
    """Copies the kits to a folder and returns their players. Each kit has one name, so there is one of each."""
    place = system.folder / folder
    place.mkdir(exist_ok=True)
    players = []
    for kit in KITS:
        file = shutil.copy(system.file_of(kit), place)
        players += player(kit, f'"{system.path(file)}" {{host}} {{port}}')
    return players


def day(system, kits, journal, *more):
    rules = ["--bot", "cautious", "--rounds", "60", "--seed", "programs", *SLOW]
    return system.run("play", *kits, *rules, "--journal", journal, "--json", *more, expect=0)


def rounds(journal):
    """All lines of a journal but the first, which names the command lines of the players."""
    return without_break(journal.read_bytes())[1:-1]


@proof("the kits in Rust and C++ as started programs, in a folder with spaces and umlauts")
def started(both):
    results = []
    for system in both:
        ended = day(system, kits_in(system, "mit Leerzeichen ü"), "started.jsonl")
        standings = json.loads(ended.stdout)["standings"]
        assert all(line["how"] in (None, "out of chips") for line in standings), standings
        results.append((standings, rounds(system.folder / "started.jsonl")))
        system.run("verify", "started.jsonl", expect=0)
    assert results[0] == results[1], "another day on Windows than on Linux"
    return f"{len(results[0][1])} lines of the journal are the same"


@proof("check: the kits pass every step on both systems")
def sound(both):
    steps = 0
    for kit in KITS:
        verdicts = [verdict(system, system.bot(kit), 0) for system in both]
        assert verdicts[0] == verdicts[1], f"{kit}: {verdicts}"
        steps = len(verdicts[0]["steps"])
        assert all(step["outcome"] == "passed" for step in verdicts[0]["steps"])
    return f"{steps} steps each"


@proof("check: a program with a fault gets the same diagnosis on both systems")
def faulty(both):
    seen = set()
    for fault in FAULTS:
        verdicts = [verdict(system, system.bot("faulty", fault), 1) for system in both]
        assert verdicts[0] == verdicts[1], f"{fault}:\n{verdicts[0]}\n{verdicts[1]}"
        seen |= {step["diagnosis"]["cause"] for step in verdicts[0]["steps"] if step.get("diagnosis")}
    return f"{len(FAULTS)} faults: {', '.join(sorted(seen))}"


@proof("check: a program that is not there is said not to start, with exit code 3")
def absent(both):
    for system in both:
        system.run("check", "there-is-no-such-program {host} {port}", "--start-secs", "10", expect=3)


def verdict(system, line, code):
    """What `check` finds, without what is no part of the verdict: how long replies took, and the command line."""
    flags = ["--rounds", "100", "--json", "--reply-ms", "2000"]
    found = json.loads(system.run("check", line, *flags, expect=code).stdout)
    for key in ("subject", "reply_times", "seconds"):
        found.pop(key)
    for step in found["steps"]:
        if step["step"] == "reply-times":
            step.pop("note", None)
    return found


@proof("grade: the same points for the kits and for a program with a fault")
def points(both):
    given = []
    for line in (*KITS, "faulty bets-too-much"):
        program, *more = line.split(" ")
        # Without the box, which only one of them has.
        flags = ["--sandbox", "off", "--rounds", "200", "--json"]
        given.append(same_points(both, lambda system: ["grade", "stud", system.bot(program, *more), *flags]))
    return f"points {given}"


@proof("grade: the same points and reasons for ten seeds, of stud, Blackjack and Cribbage")
def points_for_ten_seeds(both):
    given = []
    for number in range(10):
        seed = f"Klasse {number}"
        for system in both:
            other_seed(both.project / "crates/judge/rubric", system.folder / f"rubric-{number}", seed)
        rubric = ["--rubric", f"rubric-{number}/rubric.json", "--rounds", "50", "--sandbox", "off", "--json"]
        given.append(same_points(both, lambda _: ["grade", "stud", "random", *rubric]))
        given.append(same_points(both, lambda system: ["grade", "stud", system.bot(KITS[number % 2]), *rubric]))
        flags = ["--sandbox", "off", "--json", "--seed", seed]
        # Two that are right, and one whose points depend on the cards that are drawn.
        for game, cases, program, line in (
            (["blackjack"], "5", "casino", "blackjack {bankroll} {hands} {player}"),
            (["cribbage", "select"], "5", "casino", "cribbage select {cards}"),
            (["cribbage", "value"], "40", "faulty", "fifteens {cards}"),
        ):
            judged = ["grade", *game, "--cases", cases, *flags, "--program"]
            given.append(same_points(both, lambda system: [*judged, f"{quoted(system, program)} {line}"]))
    assert len(set(given[4::5])) > 1, "the seed changes nothing"
    kinds = len(given) // 10
    return "points " + "; ".join(" ".join(str(points) for points in given[kind::kinds]) for kind in range(kinds))


def other_seed(rubric, folder, seed):
    """A copy of a rubric whose situations are dealt from this seed."""
    shutil.copytree(rubric, folder)
    for file in folder.glob("*/*.json"):
        situation = json.loads(file.read_text())
        situation.setdefault("settings", {})["seed"] = seed
        file.write_text(json.dumps(situation))


def quoted(system, program):
    """A program's file as a word of a command line."""
    return f'"{system.path(system.file_of(program))}"'


def same_points(both, arguments):
    """The points that a judging gives on both systems; its reasons are the same too."""
    reports = []
    for system in both:
        ended = system.run(*arguments(system))
        assert ended.code in (0, 1), f"{system.name}: {ended.words()[-2000:]}"
        reports.append(graded(json.loads(ended.stdout)))
    assert reports[0] == reports[1], f"{reports[0]}\n{reports[1]}"
    return reports[0][0]


def graded(report):
    items = [item for part in report["parts"] for item in part["items"]]
    return report["summary"]["points"], [(item["id"], item["outcome"], item["points"]) for item in items]


@proof("--sandbox require: the box, or exit code 2 and why there is none")
def boxed(both):
    ended = both.windows.run("check", both.windows.bot("rust-kit"), "--sandbox", "require", expect=2)
    assert "box" in ended.words(), ended.words()
    return ended.words().strip().splitlines()[0]
