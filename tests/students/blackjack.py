#!/usr/bin/env python3
"""A second reading of the Blackjack document, and two misreadings of it.

    blackjack.py [--misread NAME] BANKROLL HANDS simple|counting

Written from the document alone and in another style than the program it is held against: lists of strings,
no classes, its own generator. The tests compare both byte by byte.
"""
import sys

MISREADINGS = ["left-first", "rounded-up"]


def twister(seed):
    """MT19937 as its authors describe it: 624 words, init_genrand, tempered outputs."""
    words = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + i) & 0xFFFFFFFF)
    while True:
        for i in range(624):
            y = (words[i] & 0x80000000) | (words[(i + 1) % 624] & 0x7FFFFFFF)
            words[i] = words[(i + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
        for y in words:
            y ^= y >> 11
            y ^= (y << 7) & 0x9D2C5680
            y ^= (y << 15) & 0xEFC60000
            yield y ^ (y >> 18)


def total(cards):
    """All ways to count the aces; the best that is not over 21."""
    ways = {(0, False)}
    for card in cards:
        spot = card.split()[0]
        if spot == "Ace":
            ways = {(t + 1, s) for t, s in ways} | {(t + 11, True) for t, s in ways}
        else:
            worth = {"Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6, "Seven": 7, "Eight": 8, "Nine": 9}
            ways = {(t + worth.get(spot, 10), s) for t, s in ways}
    fine = [way for way in ways if way[0] <= 21]
    return max(fine) if fine else min(ways)


def wants_card(cards, up):
    count, soft = total(cards)
    order = "Two Three Four Five Six Seven Eight Nine Ten Jack Queen King Ace".split()
    shows = order.index(up.split()[0]) + 2  # jack 11 ... ace 14
    if soft and count >= 19 or not soft and count >= 17:
        return False
    if soft and count == 18:
        return shows not in [2, 7, 8]
    if soft or count <= 11:
        return True
    return shows not in (range(4, 7) if count == 12 else range(2, 7))


def game(bankroll, hands, counting, wrong, say):
    words = twister(0)
    deck = []
    for suit in ("Spades", "Hearts", "Clubs", "Diamonds"):
        for spot in "Two Three Four Five Six Seven Eight Nine Ten Jack Queen King Ace".split():
            deck.append(spot + " of " + suit)
    dealt, count, played = 0, 0, 0

    def shuffle():
        nonlocal deck, dealt, count
        say("Shuffling the deck")
        for _ in range(7):
            cut = 13 + next(words) % 27
            say("cut at %d" % cut)
            left, right = deck[:cut], deck[cut:]
            if wrong == "left-first":
                left, right = right, left
            mixed = []
            while left and right:
                mixed += [right.pop(0), left.pop(0)]
            deck = mixed + right + left
        dealt = 0
        count = 0

    def see(card):
        nonlocal count
        spot = card.split()[0]
        if spot in ("Ten", "Jack", "Queen", "King", "Ace"):
            count -= 1
        elif spot not in ("Seven", "Eight", "Nine"):
            count += 1

    def deal(whom, counts=True):
        nonlocal dealt
        card = deck[dealt]
        dealt += 1
        if whom:
            say("%s dealt %s" % (whom, card))
            if counts:
                see(card)
        return card

    shuffle()
    while bankroll >= 5 and played < hands:
        played += 1
        say("Hand %d bankroll %d" % (played, bankroll))
        if 52 - dealt < 20:
            shuffle()
        bet = 10 if counting and count >= 2 and bankroll >= 10 else 5
        say("Player bets %d" % bet)
        mine, his = [deal("Player")], [deal("Dealer")]
        mine.append(deal("Player"))
        his.append(deal(None))
        if total(mine)[0] == 21:
            say("Player dealt natural 21")
            bankroll += (3 * bet + (1 if wrong == "rounded-up" else 0)) // 2
            continue
        while total(mine)[0] <= 21 and wants_card(mine, his[0]):
            mine.append(deal("Player"))
        say("Player's total is %d" % total(mine)[0])
        if total(mine)[0] > 21:
            say("Player busts")
            bankroll -= bet
            continue
        say("Dealer's hole card is " + his[1])
        see(his[1])
        while total(his)[0] < 17:
            his.append(deal("Dealer"))
        say("Dealer's total is %d" % total(his)[0])
        difference = total(mine)[0] - total(his)[0]
        if total(his)[0] > 21:
            say("Dealer busts")
            bankroll += bet
        elif difference < 0:
            say("Dealer wins")
            bankroll -= bet
        elif difference > 0:
            say("Player wins")
            bankroll += bet
        else:
            say("Push")
    say("Player has %d after %d hands" % (bankroll, played))


def main(words):
    wrong = None
    if words[0] == "--misread":
        wrong, words = words[1], words[2:]
        assert wrong in MISREADINGS, wrong
    lines = []
    game(int(words[0]), int(words[1]), words[2] == "counting", wrong, lines.append)
    sys.stdout.write("\n".join(lines) + "\n")


main(sys.argv[1:])
