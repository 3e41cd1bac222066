"""Hosts and clients of the two systems, and hosts that are ended in every way."""

import json
import re
import shutil
import socket
import urllib.error
import urllib.request

from programs import SLOW, kits_in, player
from proof import proof
from same import HOUSE, JOURNAL, bots, difference, same, without_break
from systems import Terminal, end_processes, processes_left, wait_for

CLIENTS = (("rust-kit", "rust-student", "Röst 🂡"), ("cpp-kit", "cpp-student", "Plüs"))


def hosted(host, client):
    """A day at one system's host with programs of the other, and what is printed at its end."""
    journal = f"host-{host.name}-{client.name}.jsonl"
    day = ["--players", "4", "--bot", "cautious", "--bot", "bold", "--rounds", "60", "--seed", "guests", *SLOW]
    running = host.start("host", "--bind", "127.0.0.1:0", *day, "--journal", journal, "--json")
    port = running.port()
    guests = []
    for program, identity, avatar in CLIENTS:
        names = {"CASINO_ID": identity, "CASINO_AVATAR": avatar, "CASINO_ONCE": "1"}
        guests.append(client.start("127.0.0.1", str(port), program=program, variables=names))
    ended = running.wait()
    assert ended.code == 0, ended.words()
    for guest in guests:
        left = guest.wait()
        assert left.code == 0 and b"done: " in left.stdout, left.words()
    lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith(b"{")]
    return lines[-1], (host.folder / journal).read_bytes()


@proof("a Windows host with Linux programs, and a Linux host with Windows programs: the same day")
def across(both):
    pairs = [(host, client) for host in both for client in both]
    days = {f"{host.name} with {client.name}": hosted(host, client) for host, client in pairs}
    (first, expected), *others = days.items()
    names = [line["name"] for line in expected[0]["standings"]]
    assert "Plüs" in names and len(names) == 4, names
    for name, day in others:
        assert day[0] == expected[0], f"{name}: {day[0]}\n{first}: {expected[0]}"
        assert day[1] == expected[1], f"{name} and {first}: {difference(expected[1], day[1])}"
    return f"{len(days)} pairs, journals of {len(expected[1])} bytes are the same"


def rounds_of(file):
    return file.read_bytes().count(b'"type":"end"') if file.exists() else 0


@proof("a host that is killed goes on by resume, and its journal is that of a day without a break")
def killed(both):
    for system in both:
        players = [*kits_in(system, "killed ü"), *bots(HOUSE)]
        day = [*players, "--rounds", "80", "--seed", "killed", *SLOW, "--json"]
        system.run("play", *day, "--journal", "quiet.jsonl", expect=0)
        journal = system.folder / "killed.jsonl"
        running = system.start("play", *day, "--pace", "50", "--journal", journal.name)
        wait_for(lambda journal=journal: rounds_of(journal) >= 3, "three rounds")
        running.kill()
        running.wait()
        left = rounds_of(journal)
        assert left < 80, "it was over before it was killed"
        # Programs outlive a host that was killed, and try to come back for a minute: so long we do not wait.
        end_processes("rust-kit", "cpp-kit")
        wait_for(lambda: not processes_left(), "the programs of the killed host to end")
        refused = system.run("resume", journal.name, "--json")
        assert refused.code == 2 and "--run-programs" in refused.words(), f"{system.name}: {refused.words()}"
        system.run("resume", journal.name, "--run-programs", "--json", expect=0)
        whole = without_break((system.folder / "quiet.jsonl").read_bytes())
        assert without_break(journal.read_bytes()) == whole, f"{system.name}: another day after round {left}"
        assert journal.read_bytes().count(b'"type":"resumed"') == 1
        system.run("verify", journal.name, expect=0)
    for system, other in ((both.linux, both.windows), (both.windows, both.linux)):
        shutil.copy(system.folder / "killed.jsonl", other.folder / "from-there.jsonl")
        other.run("verify", "from-there.jsonl", expect=0)


@proof("Ctrl-C finishes the round, says how to go on, and the day goes on by what it says")
def interrupted(both):
    said = []
    for system in both:
        journal = system.folder / "ctrl-c.jsonl"
        terminal = Terminal()
        day = [*kits_in(system, "Strg C"), *bots(HOUSE), "--rounds", "80", "--seed", "break", *SLOW, "--pace", "50"]
        running = system.start("play", *day, "--journal", journal.name, terminal=terminal)
        wait_for(lambda journal=journal: rounds_of(journal) >= 3, "three rounds")
        terminal.press_ctrl_c()
        ended = running.wait()
        terminal.close()
        assert 3 <= rounds_of(journal) < 80, f"{system.name}: {rounds_of(journal)} rounds: {ended.words()}"
        last = json.loads(journal.read_bytes().splitlines()[-1])
        assert last["type"] == "end", f"{system.name}: the round is not finished: {last}"
        assert "To go on:" in ended.words() and "casino resume" in ended.words(), f"{system.name}: {ended.words()}"
        system.run("resume", journal.name, "--run-programs", "--quiet", expect=0)
        system.run("verify", journal.name, expect=0)
        how = ended.words().split("To go on:")[1].strip().splitlines()[0].strip()
        said.append((how, ended.code))
    assert said[0] == said[1], said
    return f"{said[0][0]!r}, exit code {said[0][1]}"


@proof("two hosts cannot write one journal")
def locked(both):
    for system in both:
        journal = system.folder / "locked.jsonl"
        running = system.start("play", *bots(HOUSE), "--rounds", "500", "--pace", "50", "--journal", journal.name)
        wait_for(lambda journal=journal: rounds_of(journal) >= 1, "a round")
        ended = system.run("resume", journal.name, "--quiet")
        assert ended.code != 0, f"{system.name}: a second host wrote to {journal}"
        again = system.run("play", *bots(HOUSE), "--rounds", "5", "--journal", journal.name)
        assert again.code == 2, f"{system.name}: it is overwritten: {again.words()}"
        running.kill()
        running.wait()
        journal.unlink()


@proof("page and console: the page, its stream of events, and no console without its token")
def served(both):
    for system in both:
        day = ["--rounds", "20", "--web", "127.0.0.1:0", "--console", "127.0.0.1:0", "--stay", "600"]
        running = system.start("play", *bots(HOUSE), *day, "--seed", "page", "--minutes", "0")
        page = running.line_with("The page for the room is ").rsplit(" ", 1)[1]
        console, token = running.line_with("console is ").rsplit(" ", 1)[1].split("/#")
        assert re.fullmatch("[0-9a-f]{32}", token), token
        assert "<html" in text(page) and "<html" in text(f"{console}/")
        stream = first_of_stream(page)
        assert stream.startswith("HTTP/1.1 200") and "text/event-stream" in stream, stream[:300]
        for wrong in (None, "0" * 32):
            refused = status(f"{console}/api/overview", wrong)
            assert refused in (401, 403), f"{system.name}: {refused} with the token {wrong}"
        assert status(f"{console}/api/overview", token) == 200
        assert status(f"{page}api/overview", token) == 404
        assert status(f"{console}/api/start", token, "POST") == 204
        wait_for(lambda page=page: round_shown(page) >= 3, "the third round to be shown")
        running.kill()
        running.wait()


def round_shown(page):
    return (json.loads(text(f"{page}state"))["table"] or {"round": 0})["round"]


def request(address, token=None, method="GET"):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return urllib.request.Request(address, headers=headers, method=method, data=b"" if method == "POST" else None)


def text(address):
    with urllib.request.urlopen(request(address), timeout=20) as answer:
        return answer.read().decode()


def status(address, token, method="GET"):
    try:
        with urllib.request.urlopen(request(address, token, method), timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def first_of_stream(page):
    """The beginning of what a browser gets that listens."""
    host, port = page.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(f"GET /events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        return connection.recv(4096).decode()


@proof("a roster with CRLF and a byte order mark lets in who is on it, under the names it gives")
def roster(both):
    for system in both:
        rows = "\ufeffgithub_id,name\r\nrust-student,Jürgen Groß\r\n"
        (system.folder / "Liste ü.csv").write_bytes(rows.encode())
        day = ["--players", "2", "--bot", "cautious", "--rounds", "10", "--seed", "roster", *SLOW, "--json"]
        running = system.start("host", "--bind", "127.0.0.1:0", "--roster", "Liste ü.csv", *day)
        port = str(running.port())
        guest = system.start("127.0.0.1", port, program="rust-kit", variables={"CASINO_ID": "rust-student", "CASINO_ONCE": "1"})
        ended = running.wait()
        guest.wait()
        assert ended.code == 0 and "Jürgen Groß" in ended.words(), f"{system.name}: {ended.words()}"
