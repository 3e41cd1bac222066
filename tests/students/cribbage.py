#!/usr/bin/env python3
"""A second reading of the Cribbage documents, and two misreadings of them.

    cribbage.py [--misread NAME] value C1 C2 C3 C4 START
    cribbage.py [--misread NAME] select C1 ... C6
    cribbage.py [--misread NAME] value|select -        a question a line, an answer a line

Counts every combination with exact fractions, as the documents describe it, and shares no thought with the
program it is held against.
"""
import sys
from fractions import Fraction
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
MISREADINGS = ["pair-outside", "bare-hand"]


def is_run(places):
    return sorted(places) == list(range(min(places), min(places) + len(places)))


def value(hand, start, wrong):
    cards = list(hand) + ([start] if start else [])
    groups = [group for size in range(2, len(cards) + 1) for group in combinations(cards, size)]
    points = 0
    for group in groups:
        if sum(min(RANKS.index(card[0]) + 1, 10) for card in group) == 15:
            points += 2
    pairs = [group for group in groups if len(group) == 2 and group[0][0] == group[1][0]]
    points += 2 * len(pairs)
    runs = [group for group in groups if len(group) >= 3 and is_run([RANKS.index(card[0]) for card in group])]
    longest = max((len(run) for run in runs), default=0)
    runs = [run for run in runs if len(run) == longest]
    in_runs = longest * len(runs)
    if wrong == "pair-outside" and any(pair[0][0] not in [c[0] for c in run] for pair in pairs for run in runs):
        in_runs *= 2
    points += in_runs
    suits = [card[1] for card in hand]
    if len(set(suits)) == 1:
        points += 4 + (1 if start and start[1] == suits[0] else 0)
    if start and "J" + start[1] in hand:
        points += 1
    return points


def select(cards, wrong):
    best, kept = None, None
    for hand in combinations(cards, 4):
        if wrong == "bare-hand":
            average = Fraction(value(hand, None, None))
        else:
            starts = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in cards]
            average = Fraction(sum(value(hand, start, wrong) for start in starts), len(starts))
        if best is None or average > best:
            best, kept = average, hand
    return kept


def answer(task, cards, wrong):
    if task == "value":
        return str(value(cards[:4], cards[4], wrong))
    return " ".join(select(cards, wrong))


def main(words):
    wrong = None
    if words[0] == "--misread":
        wrong, words = words[1], words[2:]
        assert wrong in MISREADINGS, wrong
    if words[1] == "-":
        for line in sys.stdin:
            print(answer(words[0], line.split(), wrong))
    else:
        print(answer(words[0], words[1:], wrong))


main(sys.argv[1:])
