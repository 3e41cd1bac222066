#!/usr/bin/env python3
"""Puts together what people install: the program, its manual, completions for shells, the starter bots, the licences.

    scripts/dist.py archive         one archive and its SHA-256, in target/archives; and a wheel, with maturin
    scripts/dist.py check           unpacks that archive and installs that wheel, and plays with them if they run here
    scripts/dist.py install         the same files under DESTDIR and PREFIX (/usr/local)
    scripts/dist.py uninstall       takes these away

`make dist`, `make dist-check`, `make install` and `make uninstall` call it. Environment:

    TARGET    the system the program is for, as rustc names it; without it this machine's own
    BINARY    a program that is built already; without it cargo builds it
    STRIP     the command that takes out of a BINARY what only a debugger reads; without it the file stays as it is
    CASINO    a program for this machine, for the manual of a BINARY that cannot run here
    OUT       the folder for archives
    PROFILE   the profile of cargo to build with, `release` if none is named
    REQUIRE   with `maturin` or `all`, a missing wheel is an error

The bytes of an archive depend on what is in it alone: entries are in order, and bear the time of the last commit, or
that of SOURCE_DATE_EPOCH. It needs Python 3.9 or newer and nothing else.
"""

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

import licences

ROOT = licences.ROOT
CARGO = licences.CARGO

# Where each shell looks for completions, below a prefix. The others' go to the documents, for everyone to place.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/casino",
    "zsh": "share/zsh/site-functions/_casino",
    "fish": "share/fish/vendor_completions.d/casino.fish",
}
ALL_SHELLS = {
    "bash": "casino.bash",
    "zsh": "_casino",
    "fish": "casino.fish",
    "powershell": "casino.ps1",
    "elvish": "casino.elv",
}
DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]
THIRD_PARTIES = "LICENSES-THIRD-PARTY.txt"

# A word of each system's targets, and the word for it in the names of wheels.
SYSTEMS = {"linux": "manylinux", "apple": "macosx", "windows": "win"}


def say(*words):
    print(*words, flush=True)


def run(*words, **options):
    """Runs a command that has to succeed."""
    return subprocess.run([str(word) for word in words], check=True, cwd=ROOT, **options)


def host():
    """This machine's own target."""
    about = licences.output_of("rustc", "-vV")
    return next(line.split()[1] for line in about.splitlines() if line.startswith("host: "))


def target_folder():
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target")


def profile():
    return os.environ.get("PROFILE") or "release"


def environment(target):
    """The environment of a build without libraries that the program's user may lack and without this machine's paths."""
    flags = os.environ.get("RUSTFLAGS", "").split()
    if "musl" in target or "linux-gnu" in target or "msvc" in target:
        flags += ["-C", "target-feature=+crt-static"]
    home = os.environ.get("CARGO_HOME", Path.home() / ".cargo")
    flags += [f"--remap-path-prefix={home}=cargo", f"--remap-path-prefix={ROOT}=casino-day"]
    return {**os.environ, "RUSTFLAGS": " ".join(flags), "SOURCE_DATE_EPOCH": str(moment())}


def build(target):
    """Builds the stripped program."""
    words = ["build", "--locked", "--profile", profile(), "--bin", "casino", "--target", target]
    run(*CARGO, *words, env=environment(target))
    return target_folder() / target / profile() / program_name(target)


def program_name(target):
    return "casino.exe" if "windows" in target else "casino"


def runs_here(binary):
    try:
        asked = subprocess.run([binary, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return asked.returncode == 0
    except OSError:
        return False


def that_runs(binary):
    """The command of a program that runs on this machine and says what the binary would say."""
    if "CASINO" in os.environ:
        return [os.environ["CASINO"]]
    return [binary] if runs_here(binary) else [*CARGO, "run", "--quiet", "--locked", "--"]


def manual(casino):
    """The manual pages: their names and what is in them."""
    with tempfile.TemporaryDirectory() as folder:
        run(*casino, "manual", folder, stdout=subprocess.DEVNULL)
        return {page.name: page.read_bytes() for page in Path(folder).iterdir()}


def tracked(folder):
    """The files below a folder of this repository that belong to it."""
    try:
        names = run("git", "ls-files", "-z", folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return [name for name in names.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        # An unpacked archive of the sources is no repository.
        files = (file for file in (ROOT / folder).rglob("*") if file.is_file())
        return [file.relative_to(ROOT).as_posix() for file in files if "__pycache__" not in file.parts]


def documents(target, casino):
    """What there is to read, the starter bots, and the completions, by their places in the folder of documents."""
    found = {name: (ROOT / name).read_bytes() for name in DOCUMENTS}
    for name in tracked("docs") + tracked("bots"):
        found[name] = (ROOT / name).read_bytes()
    found[THIRD_PARTIES] = licences.document(target).encode()
    for shell, name in ALL_SHELLS.items():
        found[f"completions/{name}"] = run(*casino, "completions", shell, stdout=subprocess.PIPE).stdout
    return found


def tree(target, binary):
    """All files of an installation: their places below the prefix and what is in them."""
    casino = that_runs(binary)
    reading = documents(target, casino)
    program = {program_name(target): binary.read_bytes()}
    if "windows" in target:
        return {**program, **reading, **{f"manual/{name}": page for name, page in manual(casino).items()}}
    files = {f"bin/{name}": content for name, content in program.items()}
    files.update({f"share/man/man1/{name}": content for name, content in manual(casino).items()})
    for shell, place in COMPLETIONS.items():
        files[place] = reading.pop(f"completions/{ALL_SHELLS[shell]}")
    files.update({f"share/doc/casino/{name}": content for name, content in reading.items()})
    return files


def is_program(place):
    return place in ("bin/casino", "casino.exe")


def moment():
    """The time that all entries of an archive bear, in seconds since 1970."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        return int(licences.output_of("git", "log", "-1", "--format=%ct"))
    except (OSError, subprocess.CalledProcessError):
        # The first moment that a zip can name.
        return 315532800


def tar_gz(name, files):
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for place in sorted(files):
            entry = tarfile.TarInfo(f"{name}/{place}")
            entry.size = len(files[place])
            entry.mode = 0o755 if is_program(place) else 0o644
            entry.mtime = moment()
            archive.addfile(entry, io.BytesIO(files[place]))
    return gzip.compress(tar.getvalue(), compresslevel=9, mtime=0)


def zipped(name, files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as entries:
        for place in sorted(files):
            entry = zipfile.ZipInfo(f"{name}/{place}", time.gmtime(moment())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o755 if is_program(place) else 0o644) << 16
            entries.writestr(entry, files[place])
    return archive.getvalue()


def version():
    lines = (ROOT / "Cargo.toml").read_text(encoding="utf-8").splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("version = "))


def stripped(content):
    """A program without what only a debugger reads."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "casino"
        program.write_bytes(content)
        run(*os.environ["STRIP"].split(), program)
        return program.read_bytes()


def wanted():
    """The target that is asked for."""
    return os.environ.get("TARGET") or host()


def folder_name(target):
    return f"casino-{version()}-{target}"


def archive_path(target):
    out = Path(os.environ.get("OUT") or target_folder() / "archives").resolve()
    return out / (folder_name(target) + (".zip" if "windows" in target else ".tar.gz"))


def sum_path(archive):
    return archive.with_name(archive.name + ".sha256")


def make_archive():
    target = wanted()
    given = os.environ.get("BINARY")
    files = tree(target, Path(given).resolve() if given else build(target))
    program = next(place for place in files if is_program(place))
    if given and os.environ.get("STRIP"):
        files[program] = stripped(files[program])
    archive = archive_path(target)
    pack = zipped if archive.suffix == ".zip" else tar_gz
    content = pack(folder_name(target), files)
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    sum_path(archive).write_bytes(f"{digest}  {archive.name}\n".encode())
    say(f"{archive}: {len(content):,} bytes in {len(files)} files, of them the program {len(files[program]):,}")
    say(f"SHA-256 {digest}")


def wheels():
    """The wheels in the folder of archives, for this version and the target."""
    system = next(word for name, word in SYSTEMS.items() if name in wanted())
    machine = wanted().split("-")[0]
    machine = {"win": "amd64", "macosx": machine.replace("aarch64", "arm64")}.get(system, machine)
    return sorted(archive_path(wanted()).parent.glob(f"casino_day-{version()}-*{system}*{machine}.whl"))


def make_wheel():
    """The same program for people with pip, if maturin is there to pack it."""
    if os.environ.get("BINARY"):
        say("No wheel: it is built, and never made of a BINARY.")
        return
    maturin = shutil.which("maturin")
    if not maturin:
        say("No wheel: this installs what builds one: pipx install maturin")
        if {"maturin", "all"} & set(os.environ.get("REQUIRE", "").split(",")):
            sys.exit("dist: maturin is missing, and REQUIRE names it")
        return
    target = wanted()
    for wheel in wheels():
        wheel.unlink()
    # Beside the project's own licences, which pyproject.toml names by their beginning.
    third_parties = ROOT / THIRD_PARTIES
    try:
        third_parties.write_text(licences.document(target), encoding="utf-8")
        run(maturin, "build", "--profile", profile(), "--target", target, "--out", archive_path(target).parent,
            env=environment(target))
    finally:
        third_parties.unlink(missing_ok=True)
    for wheel in wheels():
        content = wheel.read_bytes()
        sum_path(wheel).write_bytes(f"{hashlib.sha256(content).hexdigest()}  {wheel.name}\n".encode())
        say(f"{wheel}: {len(content):,} bytes")


def check_wheel():
    """Installs the wheel into an empty virtual environment, and plays and checks with the command in it."""
    found = wheels()
    if not found:
        say("There is no wheel.")
        return
    if wanted() != host():
        say(f"{found[0].name}: another system's, and not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "venv", place / "venv")
        scripts = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run(scripts / "python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", found[0])
        licence = list(place.glob(f"venv/**/*.dist-info/licenses/{THIRD_PARTIES}"))
        if not licence:
            sys.exit(f"dist: {found[0].name} lacks {THIRD_PARTIES}")
        with zipfile.ZipFile(found[0]) as wheel:
            telling = [name for name in wheel.namelist() if str(ROOT).encode() in wheel.read(name)]
        if telling:
            sys.exit(f"dist: {', '.join(telling)} of {found[0].name} names the folder of this machine")
        # Neither Rust nor a setting of this user is within reach.
        system = [] if os.name == "nt" else ["/usr/bin", "/bin"]
        user = {"PATH": os.pathsep.join([str(scripts), *system]), "HOME": folder, "USERPROFILE": folder}
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
        casino = scripts / program_name(wanted())
        for words in [["demo", "--minutes", "1"], ["new-bot", "python", "my-bot"], ["check", "my-bot"]]:
            subprocess.run([casino, *words], check=True, cwd=folder, env={**user, **kept}, stdout=subprocess.DEVNULL)
    say(f"{found[0].name}: installed; the program showed a tournament and checked a starter bot")


def check_archive():
    """Unpacks the archive and tries what is in it.

    Where the program cannot run, as another system's, only the files are looked at.
    """
    target = wanted()
    archive = archive_path(target)
    digest, name = sum_path(archive).read_text().split()
    if (name, digest) != (archive.name, hashlib.sha256(archive.read_bytes()).hexdigest()):
        sys.exit(f"dist: {archive} is not what {sum_path(archive)} says")
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder)
        root = Path(folder) / folder_name(target)
        reading = root if "windows" in target else root / "share/doc/casino"
        missing = [name for name in [*DOCUMENTS, THIRD_PARTIES, "bots/java/Poker.java", "docs/rules.md"]
                   if not (reading / name).is_file()]
        if missing:
            sys.exit(f"dist: {archive} lacks {', '.join(missing)}")
        binary = next(path for path in root.rglob("casino*") if is_program(path.relative_to(root).as_posix()))
        binary.chmod(0o755)
        if not runs_here(binary):
            say(f"{archive.name}: the files are there; the program is another system's and was not run")
            return
        journal = Path(folder) / "journal.jsonl"
        game = ["play", "--bot", "cautious", "--bot", "bold", "--rounds", "20", "--seed", "dist", "--journal", journal]
        run(binary, *game, stdout=subprocess.DEVNULL)
        run(binary, "verify", journal, stdout=subprocess.DEVNULL)
    say(f"{archive.name}: the files are there; the program played a tournament and verified its journal")


def prefix():
    """The folder to install to: DESTDIR, which packagers set, and below it PREFIX."""
    below = os.path.expanduser(os.environ.get("PREFIX") or "/usr/local")
    return Path((os.environ.get("DESTDIR") or "") + os.path.abspath(below))


def install():
    target = wanted()
    if "windows" in target:
        sys.exit("install: on Windows, unpack the zip of `make dist`, or use `cargo install --path .`")
    given = os.environ.get("BINARY")
    if not given:
        run(*CARGO, "build", "--locked", "--release", "--bin", "casino")
    files = tree(target, Path(given).resolve() if given else target_folder() / "release" / "casino")
    for place, content in files.items():
        path = prefix() / place
        path.parent.mkdir(parents=True, exist_ok=True)
        # A program that runs cannot be written to; a new file beside it can take its place.
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(content)
        fresh.chmod(0o755 if is_program(place) else 0o644)
        fresh.replace(path)
    say(f"{len(files)} files are installed under {prefix()}.")
    if str(prefix() / "bin") not in os.environ.get("PATH", "").split(os.pathsep):
        say(f"{prefix() / 'bin'} is not on your PATH.")


def uninstall():
    below = prefix()
    files = [below / "bin" / "casino", *(below / "share/man/man1").glob("casino*.1")]
    files += [below / place for place in COMPLETIONS.values()]
    gone = [file for file in files if file.exists()]
    for file in gone:
        file.unlink()
    shutil.rmtree(below / "share/doc/casino", ignore_errors=True)
    say(f"{len(gone)} files and share/doc/casino are gone from {below}.")


if __name__ == "__main__":
    commands = {
        "archive": [make_archive, make_wheel],
        "check": [check_archive, check_wheel],
        "install": [install],
        "uninstall": [uninstall],
    }
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(f"usage: scripts/dist.py {'|'.join(commands)}")
    try:
        for work in commands[sys.argv[1]]:
            work()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"dist: {error}")
