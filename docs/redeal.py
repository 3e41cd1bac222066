#!/usr/bin/env python3
"""Deals any round of Casino Day again from its seed, as docs/deal.md says, with the standard library only.

    python3 docs/redeal.py SEED [TABLE [ROUND [PLAYERS]]]

prints the whole deck of that round, top card first; with PLAYERS, who gets which card.
"""

import hashlib
import struct
import sys

MASK = 0xFFFFFFFF


def key_of(seed, purpose="deck"):
    """The 32-byte key of one purpose."""
    return hashlib.sha256(f"casino-day {purpose}\n".encode() + seed.encode()).digest()


def chacha12_block(key, counter, stream):
    """The sixteen 32-bit words of one block: ChaCha with 12 rounds, 64-bit counter and 64-bit stream."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += struct.unpack("<8I", key)
    start += [counter & MASK, counter >> 32, stream & MASK, stream >> 32]
    state = list(start)

    def quarter(a, b, c, d):
        for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[first] = (state[first] + state[second]) & MASK
            mixed = state[third] ^ state[first]
            state[third] = (mixed << turn | mixed >> (32 - turn)) & MASK

    for _ in range(6):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for diagonal in range(4):
            quarter(diagonal, (diagonal + 1) % 4 + 4, (diagonal + 2) % 4 + 8, (diagonal + 3) % 4 + 12)
    return [(one + other) & MASK for one, other in zip(start, state)]


def words(key, table, round_number):
    """The 64 words of a round: block b is block number `round_number` of stream 4 * table + b."""
    for block in range(4):
        yield from chacha12_block(key, round_number, 4 * table + block)


def below(bound, source):
    """A number from 0 to bound - 1, each equally likely."""
    while True:
        product = next(source) * bound
        if product & MASK >= 2**32 % bound:
            return product >> 32


def deck(seed, table, round_number):
    """The 52 cards of one round, top card first."""
    cards = [rank + suit for rank in "2 3 4 5 6 7 8 9 10 J Q K A".split() for suit in "CDHS"]
    source = words(key_of(seed), table, round_number)
    for at in range(51):
        other = at + below(52 - at, source)
        cards[at], cards[other] = cards[other], cards[at]
    return cards


def main():
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__.strip())
    table, round_number, players = (int(text) for text in (sys.argv[2:] + ["1", "1", "0"][len(sys.argv) - 2 :]))
    cards = deck(sys.argv[1], table, round_number)
    if not players:
        print(" ".join(cards))
    for seat in range(players):
        print(f"player {seat + 1}: hole {cards[seat]}, up {cards[players + seat]} {cards[2 * players + seat]}")


if __name__ == "__main__":
    main()
