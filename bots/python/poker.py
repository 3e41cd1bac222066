#!/usr/bin/env python3
"""The wire: connects to the dealer, reads its commands and writes the replies.

Nothing here needs editing. How to play is in strategy.py.
"""

import os
import socket
import sys
import time
import traceback
from dataclasses import dataclass
from typing import NamedTuple

import strategy

MAX_RAISE = 10
LONGEST_FRAME = 0xFFFF
PATIENCE = 600  # seconds in which we try to come back after a game, or when the connection is lost
LONGEST_PAUSE = 15  # seconds between two tries: the pauses grow up to that


class Card(NamedTuple):
    rank: int  # 2 to 14: the jack is 11, the ace 14
    suit: str  # "C", "D", "H" or "S"


RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DECK = {name + suit: Card(rank, suit) for rank, name in enumerate(RANKS, start=2) for suit in "CDHS"}


class Reply(str):
    """A legal answer to one question. Only a question makes them."""


@dataclass(frozen=True)
class Question:
    """One `bet1` or `bet2` from the dealer, and the legal answers to it."""

    street: int  # 1 or 2
    stack: int  # chips we have left
    pot: int  # chips in the middle
    to_call: int  # chips we still have to add to stay in
    hole: Card  # our hidden card
    up: list[Card]  # our open cards: one on street 1, two on street 2
    others: list[list[Card]]  # the open cards of each other player

    def fold(self):
        """Give up the round."""
        return Reply("fold")

    def call(self):
        """Add just the chips to call, which may be 0; fold if we cannot pay them."""
        return self.raise_by(0)

    def raise_by(self, chips):
        """Add the chips to call and up to `chips` more, as far as the rules and our stack allow."""
        if self.stack < self.to_call:
            return self.fold()
        extra = max(0, min(int(chips), MAX_RAISE, self.stack - self.to_call))
        return Reply(f"bet:{self.to_call + extra}")

    def unseen(self):
        """All cards we cannot see: in the deck, or hole cards of others."""
        seen = {self.hole, *self.up}.union(*self.others)
        return [card for card in DECK.values() if card not in seen]


def parse_question(text):
    """Reads `bet1:stack:pot:to call:hole:up card:up:...` or its `bet2` sister with two up cards.

    Raises ValueError when our own part of it cannot be read. In the part about the players, cards that
    cannot be read are left out.
    """
    fields = text.split(":")
    street = {"bet1": 1, "bet2": 2}[fields[0]]
    marker = fields.index("up", 6)
    stack, pot, to_call = (int(field) for field in fields[1:4])
    if min(stack, pot, to_call) < 0:
        raise ValueError("a negative number of chips")
    own = [DECK.get(field) for field in fields[4:marker]]
    if None in own:
        raise ValueError("a card of ours that is none")
    hole, *up = own
    shown = fields[marker + 1 :]
    players = (shown[i : i + street] for i in range(0, len(shown), street))
    hands = [[DECK[field] for field in player if field in DECK] for player in players]
    others = [hand for hand in hands if hand and up[0] not in hand]
    return Question(street, stack, pot, to_call, hole, up, others)


def encode(text):
    """Java's modified UTF-8: U+0000 takes two bytes, a character above U+FFFF two surrogates of three."""
    units = text.encode("utf-16-be", "surrogatepass")
    characters = (chr(units[i] << 8 | units[i + 1]) for i in range(0, len(units), 2))
    encoded = "".join(characters).encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")
    if len(encoded) > LONGEST_FRAME:
        raise ValueError("it is too long for one frame")
    return encoded


def decode(data):
    """The reverse of `encode`. Surrogates without a partner stay as they are."""
    text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


class Dealer:
    """The connection: frames of a two-byte length and that many bytes of text."""

    def __init__(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = connection
        self.incoming = connection.makefile("rb")
        self.has_asked = False  # whether it has asked for a bet

    def read(self):
        length = int.from_bytes(self._read_exactly(2), "big")
        return decode(self._read_exactly(length))

    def _read_exactly(self, count):
        data = self.incoming.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def write(self, text):
        encoded = encode(text)
        try:
            self.connection.sendall(len(encoded).to_bytes(2, "big") + encoded)
        except OSError:
            # The dealer has hung up, but why it did may still wait to be read: the next read will tell.
            pass


def answer(player, text):
    """Our reply to a question. A question or a strategy that fails costs the round, not the game."""
    try:
        question = parse_question(text)
    except ValueError:
        print(f"Cannot read this question, so I fold: {text!a}", file=sys.stderr)
        return "fold"
    try:
        reply = player.decide(question)
        if not isinstance(reply, Reply):
            raise TypeError(f"decide must return question.fold(), .call() or .raise_by(n), not {reply!r}")
        return reply
    except Exception:
        traceback.print_exc()
        print(f"The strategy failed, so I fold: {text!a}", file=sys.stderr)
        return "fold"


def tell_status(player, text):
    """Hands `status:win or lose:card:card:card` to the strategy. Dealers leave fields out at times."""
    fields = text.split(":")
    try:
        player.round_over("win" in fields[1:2], [DECK[field] for field in fields[2:] if field in DECK])
    except Exception:
        traceback.print_exc()


def play(dealer, name, player):
    """Answers the dealer until it says `done`, and returns its reason."""
    while True:
        text = dealer.read()
        command, _, rest = text.partition(":")
        if command == "login":
            dealer.write(name)
        elif command in ("bet1", "bet2"):
            dealer.has_asked = True
            dealer.write(answer(player, text))
        elif command == "status":
            tell_status(player, text)
        elif command == "done":
            return rest
        # A command we do not know is not for us.


def come_back(host, port, waited):
    """Tries to connect: a dealer that died may be started again, and one that said `done` may begin another game.

    `waited` is how much of our patience is used up. Returns the connection, or None, and how much is then.
    """
    complain(f"I try to come back for {PATIENCE - waited} seconds. Ctrl-C ends that.")
    while waited < PATIENCE:
        pause = min(waited + 1, LONGEST_PAUSE)
        time.sleep(pause)
        waited += pause
        try:
            connection = socket.create_connection((host, port))
        except OSError:
            continue
        complain("The dealer is back.")
        return connection, waited
    complain("The dealer did not come back.")
    return None, waited


def login_name():
    """`GitHubId:avatar`, from the environment or from the top of strategy.py."""
    github_id = os.environ.get("CASINO_ID") or strategy.GITHUB_ID
    avatar = os.environ.get("CASINO_AVATAR") or strategy.AVATAR
    for part in (github_id, avatar):
        if not part or ":" in part:
            raise ValueError("the GitHubId and the avatar must not be empty and must not contain a colon")
    name = f"{github_id}:{avatar}"
    encode(name)
    return name


def say(text):
    try:
        print(text, flush=True)
    except OSError:
        pass  # Nobody reads our output, which is no reason to stop playing.


def complain(text):
    print(text, file=sys.stderr)


def main(arguments):
    more = arguments[2:]
    # A program that was started for one game must end after it.
    again = "--again" in more or "--once" not in more and not os.environ.get("CASINO_ONCE")
    more = [word for word in more if word not in ("--again", "--once")]
    key = more[1] if len(more) == 2 and more[0] == "--key" else None
    if len(arguments) < 2 or more and not key or not is_port(arguments[1]):
        complain("usage: python3 poker.py HOST PORT [--once] [--key KEY]")
        return 2
    host, port = arguments[0], int(arguments[1])
    try:
        name = login_name()
    except ValueError as error:
        complain(f"Cannot use this name: {error}.")
        return 2
    try:
        connection = socket.create_connection((host, port))
    except ConnectionRefusedError:
        complain(f"Nobody answers at {host} port {port}. Is the dealer running there?")
        return 1
    except (socket.gaierror, UnicodeError):
        complain(f"There is no host called {host}.")
        return 1
    except OSError as error:
        complain(f"Cannot connect to {host} port {port}: {error}.")
        return 1
    say(f"Connected to {host} port {port} as {name}")
    if key:
        name += "#" + key
    player = strategy.Strategy()
    waited = 0
    while connection is not None:
        dealer = Dealer(connection)
        code = 1
        with connection:
            try:
                say(f"done: {play(dealer, name, player)}")
                if not again:
                    return 0
                code = 0
                player = strategy.Strategy()
            except (EOFError, ConnectionError):
                complain("The dealer closed the connection without saying why.")
            except OSError as error:
                complain(f"The connection to the dealer failed: {error}.")
            except UnicodeError:
                complain("The dealer sent a frame that is not modified UTF-8.")
                return 1
        connection, waited = come_back(host, port, 0 if dealer.has_asked else waited)
    return code


def is_port(text):
    return text.isascii() and text.isdigit() and 1 <= int(text) <= 65535


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
