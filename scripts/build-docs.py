#!/usr/bin/env python3
"""Writes the documentation as a book to target/book: the pages of docs and of the top folder, and a page with the help of
every command. Without mdbook only its sources are written, and a message on standard error reports it.

usage: build-docs.py CASINO"""

import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
BOOK = TOP / "target" / "book"
PAGES = BOOK / "src"


def page(path):
    """The place of a file of the repository in the book: pages of docs stand at its top, and a README is an index."""
    path = path.relative_to("docs") if path.parts[0] == "docs" else path
    return path.with_name("index.md") if path.name == "README.md" else path


def moved(path, text, pages):
    """The text of a page, with links between the pages of the book. Of links to other files the words are left."""

    def link(match):
        words, target, anchor = match[1], match[2], match[3] or ""
        found = (TOP / path.parent / target).resolve()
        if "://" in target or not target:
            return match[0]
        if found not in pages and found.parent != TOP / "docs" / "images":
            return words
        place = "../" * (len(path.parts) - 1 if path.parts[0] != "docs" else 0) + page(found.relative_to(TOP)).as_posix()
        return f"[{words}]({place}{anchor})"

    return re.sub(r"\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)


def commands(casino):
    """The help of every command, as a page."""

    def help_of(words):
        text = subprocess.run([casino, *words, "--help"], check=True, capture_output=True, text=True).stdout
        yield f"## `{' '.join(['casino', *words])}`\n\n```text\n{text.rstrip()}\n```\n"
        for name in re.findall(r"^  ([a-z][a-z-]+) ", text.partition("ommands:\n")[2].partition("\n\n")[0], re.M):
            if name != "help":
                yield from help_of([*words, name])

    return "# Commands\n\n" + "\n".join(help_of([]))


def main():
    casino = sys.argv[1]
    shutil.rmtree(BOOK, ignore_errors=True)
    summary = TOP / "docs" / "SUMMARY.md"
    targets = ["SUMMARY.md", *re.findall(r"\]\(([^)]+)\)", summary.read_text())]
    pages = [(summary.parent / target).resolve() for target in targets]
    for path in (found.relative_to(TOP) for found in pages):
        place = PAGES / page(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = moved(path, (TOP / path).read_text(), pages)
        if path.name == "SUMMARY.md":
            text = text.replace("# Reference\n\n", "# Reference\n\n- [Commands](commands.md)\n")
        place.write_text(text)
    (PAGES / "commands.md").write_text(commands(casino))
    shutil.copytree(TOP / "docs" / "images", PAGES / "images")
    shutil.copy(TOP / "docs" / "book.toml", BOOK)
    if shutil.which("mdbook") is None:
        print(f"SKIPPED: the book is not built, because mdbook is missing; its pages are in {PAGES}.", file=sys.stderr)
        return
    subprocess.run(["mdbook", "build", BOOK], check=True)
    print(BOOK / "book" / "index.html")


main()
