"""The two systems that are compared: this Linux, and Windows as Wine plays it. Each runs a `casino` of its own."""

import fcntl
import os
import pty
import queue
import signal
import subprocess
import termios
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 180  # seconds after which what is sure to come is given up


@dataclass(frozen=True)
class Ended:
    """What a program that has ended left behind."""

    code: int
    stdout: bytes
    stderr: bytes

    def words(self):
        return (self.stdout + self.stderr).decode("utf-8", "replace")


class System:
    """A `casino`, the programs that play, and how this system names and runs them."""

    def __init__(self, name, programs, folder):
        self.name = name
        self.programs = programs  # casino, rust-kit, cpp-kit and faulty
        self.folder = folder

    def file_of(self, program):
        return self.programs / program

    def command(self, program, arguments, folder, variables):
        """The words to start, and the environment."""
        return [str(self.file_of(program)), *arguments], {**os.environ, **variables}

    def path(self, path):
        return str(path)

    def start(self, *arguments, folder=None, program="casino", variables=None, terminal=None):
        words, environment = self.command(program, arguments, folder or self.folder, variables or {})
        return Running(words, environment, folder or self.folder, terminal)

    def run(self, *arguments, folder=None, program="casino", expect=None, **more):
        ended = self.start(*arguments, folder=folder, program=program, **more).wait()
        if expect is not None and ended.code != expect:
            raise AssertionError(f"{self.name}: {arguments} ended with {ended.code}: {ended.words()[-2000:]}")
        return ended

    def bot(self, program, *more):
        """The command line of a program as a teacher on this system would write it after NAME=."""
        file = self.path(self.file_of(program))
        return " ".join([f'"{file}"' if " " in file else file, "{host} {port}", *more])


class Wine(System):
    """Windows as Wine plays it, in a root of Debian's. Paths are the same inside of it and outside."""

    def __init__(self, programs, folder, root, prefix):
        super().__init__("Windows", programs, folder)
        self.root = root
        self.prefix = prefix

    def file_of(self, program):
        return self.programs / f"{program}.exe"

    def command(self, program, arguments, folder, variables):
        around = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.prefix),
            "WINEPREFIX": str(self.prefix),
            "XDG_RUNTIME_DIR": str(self.prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            "LC_ALL": "C.UTF-8",
            **variables,
        }
        set_up = [f"{name}={value}" for name, value in around.items()]
        inside = ["env", "-i", "-C", str(folder), *set_up, "wine", self.path(self.file_of(program)), *arguments]
        return ["chroot", str(self.root), *inside], dict(os.environ)

    def path(self, path):
        return "Z:" + str(path).replace("/", "\\")


class Running:
    """A program that was started. Its output is read all the time, so that it never waits for us."""

    def __init__(self, words, environment, folder, terminal):
        # A terminal for its standard input only: enough to be sent Ctrl-C, and its output stays plain.
        self.terminal = terminal
        self.process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=terminal.slave if terminal else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=terminal.control if terminal else None,
        )
        self.lines = queue.Queue()
        self.stdout = []
        self.stderr = []
        self.readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.stdout), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.stderr), daemon=True),
        ]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, into):
        for line in stream:
            into.append(line)
            self.lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self.lines.put(None)

    def line_with(self, words):
        """Waits for a line of its output that holds these words, and returns it."""
        ends = 0
        until = time.monotonic() + PATIENCE
        while ends < 2:
            line = self.lines.get(timeout=max(0.1, until - time.monotonic()))
            if line is None:
                ends += 1
            elif words in line:
                return line
        raise AssertionError(f"it ended without {words!r}: {self.wait().words()[-2000:]}")

    def port(self):
        return int(self.line_with("listening on ").rsplit(":", 1)[1])

    def kill(self):
        """Ends it as a power failure would."""
        self.process.send_signal(signal.SIGKILL)

    def wait(self):
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"it did not end: {b''.join(self.stdout + self.stderr)[-2000:]}") from None
        for reader in self.readers:
            reader.join(PATIENCE)
        return Ended(code, b"".join(self.stdout), b"".join(self.stderr))


class Terminal:
    """A terminal whose keys we press."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        # Whatever the console of the other side draws is not looked at.
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        try:
            while os.read(self.master, 4096):
                pass
        except OSError:
            pass

    def control(self):
        """In the program that is to be: this is its terminal now."""
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def press_ctrl_c(self):
        os.write(self.master, b"\x03")

    def close(self):
        os.close(self.slave)
        os.close(self.master)


def wait_for(what, words):
    """Waits until `what` is true."""
    until = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > until:
            raise AssertionError(f"waited {PATIENCE} s in vain: {words}")
        time.sleep(0.05)


def processes_left(names=("casino", "rust-kit", "cpp-kit", "faulty")):
    """The programs of this proof that still run: their command lines by their numbers."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has just ended
        program = words[0].decode("utf-8", "replace").replace("\\", "/").rsplit("/", 1)[-1]
        if program.removesuffix(".exe") in names:
            found[int(folder.name)] = b" ".join(words).decode("utf-8", "replace").strip()
    return found


def end_processes(*names):
    """Ends programs of this proof. We live in a space of processes of our own, so there are no others of their name."""
    for number in processes_left(names):
        os.kill(number, signal.SIGKILL)
