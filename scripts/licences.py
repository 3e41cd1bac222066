#!/usr/bin/env python3
"""Writes the licences of everything that is linked into the program, to standard output.

    scripts/licences.py [TARGET]

Which crates these are, cargo says (`cargo tree`, for TARGET or for this machine's own); their texts are in the crates'
sources, where cargo has put them. A text that several crates share stands there once. It is an error, with exit code 1,
if a crate has neither a text nor a licence whose words are known without it.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo").split()
OURS = "casino-"

# Files of a crate that are licences, copyrights or notices.
TEXTS = re.compile(r"(UN)?LICEN[CS]E|COPYING|COPYRIGHT|NOTICE", re.IGNORECASE)

# Of a crate that says MIT and has no file: the words are the same everywhere, but for the names.
MIT = "LICENSE-MIT"


def output_of(*words):
    """What a command prints. Its errors go to standard error as they are."""
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode()


def linked(target):
    """The names and versions of the crates in the program, without those that only run while it is compiled."""
    tree = ["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    if target:
        tree += ["--target", target]
    crates = {tuple(line.split()[:2]) for line in output_of(*CARGO, *tree).splitlines() if line}
    return sorted((name, version[1:]) for name, version in crates if not name.startswith(OURS))


def texts(package):
    """The licence texts of a package, in the order of their names."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.is_file() and TEXTS.match(file.name))
    if files:
        return [plain(file.read_text(encoding="utf-8", errors="replace")) for file in files]
    if "MIT" in re.split(r"[ /()]+", package["license"] or ""):
        by = ", ".join(re.sub(r" *<.*>", "", author) for author in package["authors"]) or "its authors"
        words = plain((ROOT / MIT).read_text(encoding="utf-8")).splitlines()
        return ["\n".join(f"Copyright (c) {by}" if line.startswith("Copyright") else line for line in words)]
    return []


def plain(text):
    """A text without what only says where a line ends."""
    return "\n".join(line.rstrip() for line in text.strip("\ufeff\r\n").splitlines())


def standard_library():
    """What the compiler's folder says of the standard library, which is linked too."""
    folder = Path(output_of("rustc", "--print", "sysroot").strip()) / "share" / "doc"
    files = [folder / name / licence for name in ("rust", "rustc") for licence in ("LICENSE-MIT", "LICENSE-APACHE")]
    version = output_of("rustc", "--version").split()[1]
    return version, [plain(file.read_text(encoding="utf-8")) for file in files if file.is_file()]


def add(users, text, name):
    """Notes that a text belongs to this name too. Texts are the same if they differ in spaces and line ends alone."""
    _, names = users.setdefault(" ".join(text.split()), (text, []))
    if name not in names:
        names.append(name)


def document(target):
    """The whole text."""
    packages = json.loads(output_of(*CARGO, "metadata", "--locked", "--format-version", "1"))["packages"]
    known = {(package["name"], package["version"]): package for package in packages}
    crates, users, without = [], {}, []
    for name, version in linked(target):
        package = known[name, version]
        crates.append(f"{name} {version}: {package['license']}")
        found = texts(package)
        if not found:
            without.append(f"{name} {version} ({package['license']})")
        for text in found:
            add(users, text, name)
    if without:
        sys.exit("licences: no text of a licence for " + ", ".join(without) + ": add it to scripts/licences.py")
    version, of_std = standard_library()
    crates.append(f"Rust's standard library {version}: MIT OR Apache-2.0")
    for text in of_std:
        add(users, text, "Rust's standard library")
    line = "-" * 80
    parts = [
        "Casino Day is under MIT or Apache-2.0, at your option. These are in the program too; after the list come the\n"
        "texts of their licences, each with the names of those it belongs to.\n",
        "\n".join(crates) + "\n",
    ]
    parts += [f"{line}\n{', '.join(names)}\n{line}\n\n{text}\n" for text, names in users.values()]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.buffer.write(document(sys.argv[1] if len(sys.argv) > 1 else None).encode())
