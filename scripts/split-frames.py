#!/usr/bin/env python3
"""What do bots cost that send a frame in two pieces? Rounds in a fixed time, in six languages.

    scripts/split-frames.py [--casino FILE] [--seconds N] [--passes N] [LANGUAGE ...]

The bots are the starter programs. In copies of them the two bytes of the length and the text are written one after the other,
and Nagle's algorithm is left on, as whoever knows nothing of it would have it: the text then waits until the length has been
acknowledged. The dealer is `casino host`, once as it is and once with a library before the system's own (LD_PRELOAD) that does
nothing where a socket is told to acknowledge at once (TCP_QUICKACK). Two bots of one language play each of the four kinds, which take
turns. The journal counts the rounds and lies in memory. Linux, and a compiler for C.
"""

import argparse
import collections
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

DEAF = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

int setsockopt(int socket, int level, int name, const void *value, socklen_t length) {
    static int (*real)(int, int, int, const void *, socklen_t);
    if (level == IPPROTO_TCP && name == TCP_QUICKACK) return 0;
    if (!real) real = dlsym(RTLD_NEXT, "setsockopt");
    return real(socket, level, name, value, length);
}
"""

# For each language, where the wire writes a message, and what is put there: nobody bets more than nothing, which is always legal
# then, so that each round has four replies.
CALLS = {
    "python": ("    def write(self, text):\n", '        text = "bet:0" if text.startswith(("fold", "bet:")) else text\n'),
    "javascript": ("  const write = (text) => {\n", "    text = /^(fold|bet:)/.test(text) ? 'bet:0' : text;\n"),
    "go": (
        "func (d *dealer) write(text string) {\n",
        '\tif len(text) > 3 && (text[:4] == "fold" || text[:4] == "bet:") {\n\t\ttext = "bet:0"\n\t}\n',
    ),
    "java": (
        "        void write(String text) {\n",
        '            text = text.startsWith("fold") || text.startsWith("bet:") ? "bet:0" : text;\n',
    ),
    "cpp": (
        "    void write(const std::string& text) {\n",
        '        const std::string text{said == "fold" || said.compare(0, 4, "bet:") == 0 ? "bet:0" : said};\n',
    ),
    "rust": (
        "    fn write(&mut self, text: &str) {\n",
        '        let text = if text == "fold" || text.starts_with("bet:") { "bet:0" } else { text };\n',
    ),
}

# For each language: the file of the wire, what is written otherwise in it, how it is built, and how it is started.
KITS = {
    "python": (
        "poker.py",
        [
            ("connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)", "pass"),
            (
                'self.connection.sendall(len(encoded).to_bytes(2, "big") + encoded)',
                'self.connection.sendall(len(encoded).to_bytes(2, "big")); self.connection.sendall(encoded)',
            ),
        ],
        None,
        [sys.executable, "poker.py"],
    ),
    "javascript": (
        "poker.js",
        [
            ("socket.setNoDelay(true);", "socket.setNoDelay(false);"),
            (
                "socket.write(Buffer.concat([length, bytes]), () => {});",
                "socket.write(length, () => {}); socket.write(bytes, () => {});",
            ),
        ],
        None,
        ["node", "poker.js"],
    ),
    "go": (
        "main.go",
        [
            (
                "_, _ = d.connection.Write(frame)",
                "_ = d.connection.(*net.TCPConn).SetNoDelay(false)\n"
                "\t_, _ = d.connection.Write(frame[:2])\n\t_, _ = d.connection.Write(frame[2:])",
            ),
        ],
        ["go", "build", "-o", "poker", "."],
        ["./poker"],
    ),
    "java": (
        "Poker.java",
        [
            ("socket.setTcpNoDelay(true);", "socket.setTcpNoDelay(false);"),
            (
                "out.writeUTF(text);",
                "byte[] all = text.getBytes(java.nio.charset.StandardCharsets.UTF_8); "
                "out.write(new byte[] {(byte) (all.length >> 8), (byte) all.length}); out.write(all);",
            ),
        ],
        ["javac", "-encoding", "UTF-8", "Poker.java", "Strategy.java"],
        ["java", "Poker"],
    ),
    "cpp": (
        "poker.cpp",
        [
            ("const int yes = 1;", "const int yes = 0;"),
            (
                "for (std::size_t done = 0; done < frame.size();) {",
                "for (std::size_t done = send(socket_, frame.data(), 2, QUIETLY) > 0 ? 2 : 0; done < frame.size();) {",
            ),
        ],
        ["g++", "-std=c++17", "-O2", "-o", "poker", "poker.cpp", "strategy.cpp"],
        ["./poker"],
    ),
    "rust": (
        "main.rs",
        [
            ("stream.set_nodelay(true)?;", "stream.set_nodelay(false)?;"),
            (
                "let _ = self.stream.get_mut().write_all(&frame);",
                "let _ = self.stream.get_mut().write_all(&frame[..2]);\n"
                "        let _ = self.stream.get_mut().write_all(&frame[2..]);",
            ),
        ],
        ["rustc", "--edition", "2021", "-O", "-o", "poker", "main.rs"],
        ["./poker"],
    ),
}


def kit(folder, language, splits):
    """A copy of a starter program, built; with frames in two pieces if it is to split them."""
    wire, split, build, _ = KITS[language]
    begins, calls = CALLS[language]
    changes = [(begins, begins.replace("string& text", "string& said") + calls)] + (split if splits else [])
    here = folder / f"{language}-{'split' if splits else 'whole'}"
    shutil.copytree(ROOT / "bots" / language, here)
    text = (here / wire).read_text()
    for old, new in changes:
        if text.count(old) != 1:
            sys.exit(f"bots/{language}/{wire} no longer has «{old.strip()}» once: change {__file__} with it")
        text = text.replace(old, new)
    (here / wire).write_text(text)
    if build:
        subprocess.run(build, cwd=here, check=True)
    return here


def rounds_in(journal):
    """How many rounds a journal has so far."""
    return journal.read_bytes().count(b'{"type":"end"') if journal.exists() else 0


def play(casino, folder, language, here, without, seconds):
    """Rounds that two such bots play in so many seconds, from the first round on."""
    journal = folder / "journal.jsonl"
    environment = dict(os.environ, LD_PRELOAD=str(without)) if without else None
    command = [casino, "host", "--bind", "127.0.0.1:0", "--players", "2", "--rounds", "1000000", "--stack", "10000000"]
    host = subprocess.Popen(
        command + ["--reply-ms", "60000", "--seed", "split", "--journal", str(journal)],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    bots = []
    try:
        address = next(line for line in host.stdout if line.startswith("listening on ")).split()[2]
        port = address.rpartition(":")[2]
        # What it goes on to tell must not fill the pipe.
        threading.Thread(target=collections.deque, args=(host.stdout, 0), daemon=True).start()
        for number in (1, 2):
            start = KITS[language][3] + ["127.0.0.1", port]
            named = dict(os.environ, CASINO_ID=f"split-{number}", CASINO_AVATAR=f"Bot {number}")
            bots.append(subprocess.Popen(start, cwd=here, env=named, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        while rounds_in(journal) == 0:
            if any(process.poll() is not None for process in [host, *bots]):
                sys.exit(f"{language}: the host or a bot ended before the first round")
            time.sleep(0.05)
        before, begun = rounds_in(journal), time.monotonic()
        time.sleep(seconds)
        size = journal.stat().st_size
        took = time.monotonic() - begun
        with journal.open("rb") as file:
            rounds = file.read(size).count(b'{"type":"end"') - before
        return rounds * seconds / took
    finally:
        for process in [host, *bots]:
            process.kill()
            process.wait()
        journal.unlink(missing_ok=True)


def main():
    """Builds the bots, has them play in turns, and prints a row for each language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--casino", default=str(ROOT / "target/release/casino"), help="the program")
    parser.add_argument("--seconds", type=float, default=3, help="of play in each pass")
    parser.add_argument("--passes", type=int, default=5, help="of which the median counts")
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="of " + ", ".join(KITS))
    options = parser.parse_args()
    unknown = [language for language in options.languages if language not in KITS]
    if unknown:
        parser.error(f"there is no starter program in {unknown[0]}; there are those in {', '.join(KITS)}")
    memory = "/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = pathlib.Path(name)
        (folder / "deaf.c").write_text(DEAF)
        deaf = folder / "deaf.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", deaf, folder / "deaf.c", "-ldl"], check=True)
        print(f"rounds of two bots in {options.seconds:g} s; medians of {options.passes}, with the least and the greatest")
        print(f"{'':<12} {'in two pieces':>15} {'without QUICKACK':>17} {'ratio':>24} {'whole':>7} {'without':>8} {'ratio':>20}")
        for language in options.languages or KITS:
            compare(options, folder, language, deaf)


def compare(options, folder, language, deaf):
    """One row: what the four kinds played."""
    casino = str(pathlib.Path(options.casino).resolve())
    here = {splits: kit(folder, language, splits) for splits in (True, False)}
    kinds = [(splits, without) for splits in (True, False) for without in (None, deaf)]
    passes = [
        [play(casino, folder, language, here[splits], without, options.seconds) for splits, without in kinds]
        for _ in range(options.passes)
    ]
    rounds = [statistics.median(column) for column in zip(*passes)]

    def ratio(one, other, digits):
        ratios = sorted(row[one] / max(row[other], 1) for row in passes)
        least, middle, most = ratios[0], statistics.median(ratios), ratios[-1]
        return f"{middle:.{digits}f} ({least:.{digits}f} to {most:.{digits}f})"

    print(
        f"{language:<12} {rounds[0]:>15.0f} {rounds[1]:>17.0f} {ratio(0, 1, 0):>24}"
        f" {rounds[2]:>7.0f} {rounds[3]:>8.0f} {ratio(2, 3, 2):>20}",
        flush=True,
    )


if __name__ == "__main__":
    main()
