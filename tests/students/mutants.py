#!/usr/bin/env python3
"""The second readings of Blackjack and Cribbage with one fault at a time.

    mutants.py list blackjack|value|select          their names, one a line; those that begin with "right" are right
    mutants.py blackjack|value|select NAME+NAME...  answers a line of words with its number of bytes, a line feed, and its bytes

A fault replaces text of blackjack.py or cribbage.py. One that ends the program leaves what it has printed.
"""
import re
import sys
from pathlib import Path

# Places in blackjack.py, by what is changed there.
ACES = "{(t + 1, s) for t, s in ways} | {(t + 11, True) for t, s in ways}"
STANDS = "    if soft and count >= 19 or not soft and count >= 17:\n"
HARD = "(range(4, 7) if count == 12 else range(2, 7))"
SOFT_18 = "not in [2, 7, 8]"
BET = "10 if counting and count >= 2 and bankroll >= 10 else 5"
SHUFFLE = '        say("Shuffling the deck")\n'
LINE = '        say("Hand %d bankroll %d" % (played, bankroll))\n'
LOW = "        if 52 - dealt < 20:\n            shuffle()\n"
FIRST = 'mine, his = [deal("Player")], [deal("Dealer")]'
SECOND = '        mine.append(deal("Player"))\n        his.append(deal(None))\n'
DRAWS = 'wants_card(mine, his[0]):\n            mine.append(deal("Player"))\n'
NATURAL = "if total(mine)[0] == 21:"
PAYS = '(3 * bet + (1 if wrong == "rounded-up" else 0)) // 2'
SAYS_NATURAL = '            say("Player dealt natural 21")\n'
TOTAL = '        say("Player\'s total is %d" % total(mine)[0])\n'
BUST = '        if total(mine)[0] > 21:\n            say("Player busts")\n'
HOLE = '        say("Dealer\'s hole card is " + his[1])\n'
SEES_HOLE = "        see(his[1])\n"
DEALER = "total(his)[0] < 17:"
NOT_COUNTED = '("Seven", "Eight", "Nine")'
HIGH = '("Ten", "Jack", "Queen", "King", "Ace")'
LAST = '    say("Player has %d after %d hands" % (bankroll, played))\n'
PLAYS_DEALER = (
    "            say(\"Dealer's hole card is \" + his[1])\n            see(his[1])\n"
    "            while total(his)[0] < 17:\n                his.append(deal(\"Dealer\"))\n"
    "            say(\"Dealer's total is %d\" % total(his)[0])\n"
)


def before(place, text):
    return (place, text + place)


def after(place, text):
    return (place, place + text)


def hard(count, wants):
    """What is wanted with this hard total."""
    return [before(STANDS, "    if not soft and count == %d:\n        return %s\n" % (count, wants))]


BLACKJACK = {
    "right": [],
    "left-first": [('if wrong == "left-first":', "if True:")],
    "reset-at-reshuffle": [after("    dealt, count, played = 0, 0, 0\n", "    fresh = deck\n"), after(SHUFFLE, "        deck = fresh\n")],
    "dealt-cards-to-the-back": [after(SHUFFLE, "        deck = deck[dealt:] + deck[:dealt]\n")],
    "rest-of-the-cut-reversed": [("mixed + right + left", "mixed + (right + left)[::-1]")],
    "six-cuts": [("range(7)", "range(6)")],
    "eight-cuts": [("range(7)", "range(8)")],
    "diamonds-before-clubs": [('"Clubs", "Diamonds")', '"Diamonds", "Clubs")')],
    "ace-before-two": [('for spot in "Two Three Four Five Six Seven Eight Nine Ten Jack Queen King Ace"', 'for spot in "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King"')],
    "cuts-of-26": [("% 27", "% 26")],
    "generator-seeded-again": [("nonlocal deck, dealt, count", "nonlocal deck, dealt, count, words"), after(SHUFFLE, "        words = twister(0)\n")],
    "time-as-seed": [("twister(0)", "twister(1700000000)")],
    "reshuffle-at-20": [("52 - dealt < 20", "52 - dealt < 21")],
    "reshuffle-below-15": [("52 - dealt < 20", "52 - dealt < 15")],
    "reshuffle-below-26": [("52 - dealt < 20", "52 - dealt < 26")],
    "reshuffle-each-hand": [("52 - dealt < 20", "played > 1")],
    "reshuffle-before-hand-line": [(LINE + LOW, LOW + LINE)],
    "never-reshuffles": [("52 - dealt < 20", "False")],
    "double-only-above-10": [("bankroll >= 10", "bankroll > 10")],
    "double-without-bankroll": [("and bankroll >= 10", "")],
    "double-at-1": [("count >= 2", "count >= 1")],
    "double-at-3": [("count >= 2", "count >= 3")],
    "double-below-minus-2": [("count >= 2", "count <= -2")],
    "triples": [(BET, "15 if counting and count >= 2 and bankroll >= 15 else 5")],
    "always-doubles": [("count >= 2 and", "")],
    "never-doubles": [(BET, "5")],
    "simple-counts": [("counting and count", "count")],
    "count-kept-at-shuffle": [("        dealt = 0\n        count = 0\n", "        dealt = 0\n")],
    "count-reset-each-hand": [before("        bet = ", "        count = 0\n")],
    "hole-counted-early": [(SEES_HOLE, ""), after(SECOND, "        see(his[1])\n")],
    "hole-never-counted": [(SEES_HOLE, "")],
    "hole-counted-after-bust": [after(BUST, "            see(his[1])\n")],
    "hole-counted-after-natural": [after(SAYS_NATURAL, "            see(his[1])\n")],
    "dealer-never-counted": [('deal("Dealer")', 'deal("Dealer", False)'), (SEES_HOLE, "")],
    "up-card-not-counted": [('[deal("Dealer")]', '[deal("Dealer", False)]')],
    "dealer-draws-not-counted": [('his.append(deal("Dealer"))', 'his.append(deal("Dealer", False))')],
    "player-draws-not-counted": [(DRAWS, DRAWS.replace('"Player"', '"Player", False'))],
    "player-first-card-not-counted": [('[deal("Player")]', '[deal("Player", False)]')],
    "player-second-card-not-counted": [(SECOND, SECOND.replace('"Player"', '"Player", False'))],
    "first-cards-not-counted": [(FIRST, FIRST.replace('er")', 'er", False)')), (SECOND, SECOND.replace('"Player"', '"Player", False'))],
    "ace-not-counted": [(HIGH, '("Ten", "Jack", "Queen", "King")'), (NOT_COUNTED, '("Seven", "Eight", "Nine", "Ace")')],
    "ten-not-counted": [(HIGH, '("Jack", "Queen", "King", "Ace")'), (NOT_COUNTED, '("Seven", "Eight", "Nine", "Ten")')],
    "deuce-not-counted": [(NOT_COUNTED, '("Seven", "Eight", "Nine", "Two")')],
    "seven-counted": [(NOT_COUNTED, '("Eight", "Nine")')],
    "nine-counted-as-high": [(HIGH, '("Nine", "Ten", "Jack", "Queen", "King", "Ace")')],
    "ace-always-1": [(ACES, "{(t + 1, s) for t, s in ways}")],
    "ace-always-11": [(ACES, "{(t + 11, True) for t, s in ways}")],
    "soft-ace-stays": [(ACES, "{(t + 11, True) if t + 11 <= 21 else (t + 1, s) for t, s in ways}")],
    "soft-flag-kept": [("return max(fine) if fine else min(ways)", 'return (max(fine) if fine else min(ways))[0], any(card.startswith("Ace") for card in cards)')],
    "second-ace-hard": [before("    fine = ", '    if sum(card.startswith("Ace") for card in cards) > 1:\n        return min(ways)\n')],
    "jack-is-11": [("worth.get(spot, 10)", 'worth.get(spot, 11 if spot == "Jack" else 10)')],
    "hard-12-like-13": [("count == 12", "count == 0")],
    "hard-12-stands-on-3": [("range(4, 7)", "range(3, 7)")],
    "hard-12-always-hits": [("range(4, 7)", "range(0)")],
    "hard-16-stands-on-7": hard(16, "not 2 <= shows <= 7"),
    "hard-16-hits": hard(16, "True"),
    "hard-13-like-12": hard(13, "not 4 <= shows <= 6"),
    "hard-17-hits": hard(17, "True"),
    "hard-11-stands": hard(11, "False"),
    "soft-17-stands": [before(STANDS, "    if soft and count == 17:\n        return False\n")],
    "soft-18-stands": [("shows " + SOFT_18, "False")],
    "soft-18-hits": [("shows " + SOFT_18, "True")],
    "soft-18-stands-on-9": [(SOFT_18, "not in [2, 7, 8, 9]")],
    "soft-18-hits-on-2": [(SOFT_18, "not in [7, 8]")],
    "soft-19-hits": [("soft and count >= 19", "soft and count >= 20")],
    "soft-as-hard": [after("    count, soft = total(cards)\n", "    soft = False\n")],
    "plays-like-dealer": [before(STANDS, "    return count < 17\n")],
    "ace-up-card-low": [before(STANDS, "    shows = 1 if shows == 14 else shows\n"), ("range(2, 7)", "range(1, 7)")],
    "looks-at-hole-card": [("wants_card(mine, his[0])", "wants_card(mine, his[1])")],
    "natural-plays-on": [("            bankroll += " + PAYS + "\n            continue\n", "")],
    "natural-plays-dealer": [after(SAYS_NATURAL, PLAYS_DEALER)],
    "natural-shows-hole": [after(SAYS_NATURAL, "    " + HOLE + "    " + SEES_HOLE)],
    "natural-prints-total": [after(SAYS_NATURAL, '            say("Player\'s total is 21")\n')],
    "natural-payout:once": [(PAYS, "bet")],
    "natural-payout:double": [(PAYS, "2 * bet")],
    "natural-payout:half": [(PAYS, "bet // 2")],
    "natural-payout:rounded-up": [(PAYS, "(3 * bet + 1) // 2")],
    "natural-payout:halved-first": [(PAYS, "bet // 2 * 3")],
    "natural-pushes": [(PAYS, "0 if total(his)[0] == 21 else 3 * bet // 2")],
    "natural-without-ten": [(NATURAL, 'if total(mine)[0] == 21 and not any(card.startswith("Ten") for card in mine):')],
    "natural-not-known": [(NATURAL, "if False:")],
    "three-cards-natural": [before(TOTAL, "        if total(mine)[0] == 21:\n" + SAYS_NATURAL + "            bankroll += 3 * bet // 2\n            continue\n")],
    "dealer-hits-soft-17": [(DEALER, "total(his)[0] < 17 or total(his) == (17, True):")],
    "dealer-stands-on-16": [(DEALER, "total(his)[0] < 16:")],
    "dealer-hits-17": [(DEALER, "total(his)[0] < 18:")],
    "dealer-natural-beats-21": [("elif difference < 0:", "elif difference < 0 or len(his) == 2 and total(his)[0] == 21:")],
    "dealer-21-busts": [("total(his)[0] > 21", "total(his)[0] >= 21")],
    "dealer-plays-after-bust": [after(BUST, PLAYS_DEALER)],
    "hole-shown-after-bust": [after(BUST, "    " + HOLE + "    " + SEES_HOLE)],
    "hole-not-shown": [(HOLE, "")],
    "dealt-two-and-two": [(FIRST + '\n        mine.append(deal("Player"))\n', 'mine = [deal("Player")]\n        mine.append(deal("Player"))\n        his = [deal("Dealer")]\n')],
    "bust-without-total": [(TOTAL, "        if total(mine)[0] <= 21:\n    " + TOTAL)],
    "bust-before-total": [(TOTAL + BUST, BUST + TOTAL + "        if total(mine)[0] > 21:\n")],
    "bust-costs-nothing": [("            bankroll -= bet\n            continue\n", "            continue\n")],
    "crashes-at-bust": [before(TOTAL, "        if total(mine)[0] > 21:\n            raise IndexError\n")],
    "dealer-bust-pays-nothing": [('say("Dealer busts")\n            bankroll += bet', 'say("Dealer busts")')],
    "push-to-dealer": [("elif difference < 0:", "elif difference <= 0:")],
    "push-to-player": [("elif difference > 0:", "elif difference >= 0:")],
    "double-pays-single": [("bankroll += bet", "bankroll += 5")],
    "hands-plus-one": [("(bankroll, played))\n", "(bankroll, played + 1))\n")],
    "hand-from-zero": [("(played, bankroll)", "(played - 1, bankroll)")],
    "poor-player-played-one": [before("    while bankroll >= 5", '    if bankroll < 5:\n        say("Player has %d after 1 hands" % bankroll)\n        return\n')],
    "plays-when-poor": [("while bankroll >= 5", "while bankroll >= 1"), ("else 5\n", "else min(5, bankroll)\n")],
    "stops-at-5": [("while bankroll >= 5", "while bankroll >= 6")],
    "one-hand-too-many": [("played < hands", "played <= hands")],
    "no-closing-line": [(LAST, "")],
    "arguments-ignored:hands": [after("    dealt, count, played = 0, 0, 0\n", "    hands = 10\n")],
    "arguments-ignored:bankroll": [after("    dealt, count, played = 0, 0, 0\n", "    bankroll = 100\n")],
    "player-draws-labelled-dealer": [(DRAWS, DRAWS.replace('"Player"', '"Dealer"'))],
    "player-total-without-s": [("Player\'s total is", "Player total is")],
    "debug-lines": [before("        played += 1\n", '        if played:\n            say("count = %d" % count)\n')],
    "cards-as-digits": [],
    "spaces-at-the-end": [],
    "small-letters": [],
    "no-last-line-end": [],
}

DIGITS = "Two Three Four Five Six Seven Eight Nine Ten".split()

# What is printed otherwise.
PRINTED = {
    "cards-as-digits": lambda text: re.sub(
        "(%s) of" % "|".join(DIGITS), lambda found: "%d of" % (DIGITS.index(found[1]) + 2), text
    ),
    "spaces-at-the-end": lambda text: text.replace("\n", " \n"),
    "small-letters": str.lower,
    "no-last-line-end": lambda text: text[:-1],
}

# Places in cribbage.py.
CARDS = "    cards = list(hand) + ([start] if start else [])\n"
WORTH = "min(RANKS.index(card[0]) + 1, 10)"
FIFTEEN = "== 15:"
PAIR = "len(group) == 2 and "
PAIRS = "2 * len(pairs)"
RUN = "len(group) >= 3 and "
RUNS = "longest * len(runs)"
FLUSH = "if len(set(suits)) == 1:"
FLUSH_POINTS = "4 + (1 if start and start[1] == suits[0] else 0)"
NOB = 'if start and "J" + start[1] in hand:'
END = "    return points\n"


def crashes(condition):
    return [after(CARDS, "    if %s:\n        raise IndexError\n" % condition)]


VALUE = {
    "right": [],
    "ace-as-start-card-is-14": [('"A23456789TJQK"', '"A23456789TJQKZ"'), after(CARDS, '    if start and start[0] == "A":\n        cards[-1] = "Z" + start[1]\n')],
    "ace-as-start-card-ignored": [(CARDS, '    cards = list(hand) + ([start] if start and start[0] != "A" else [])\n')],
    **{"flush-not-" + suit: [(FLUSH, 'if len(set(suits)) == 1 and suits[0] != "%s":' % suit[0].upper())] for suit in ("clubs", "diamonds", "hearts", "spades")},
    "flush-always-4": [(FLUSH_POINTS, "4")],
    "flush-only-of-five": [(FLUSH, "if len(set(suits)) == 1 and start[1] == suits[0]:")],
    "flush-5-without-start": [(FLUSH_POINTS, "5")],
    "flush-with-start-card": [before("    " + NOB, "    if len(set(suits)) > 1 and suits.count(start[1]) == 3:\n        points += 4\n")],
    "no-flush": [(FLUSH, "if False:")],
    **{"nob-not-" + suit: [(NOB, NOB[:-1] + ' and start[1] != "%s":' % suit[0].upper())] for suit in ("clubs", "diamonds", "hearts", "spades")},
    "nob-any-suit": [(NOB, 'if any(card[0] == "J" for card in hand):')],
    "nob-wrong-suit": [(NOB, 'if any(card[0] == "J" for card in hand) and "J" + start[1] not in hand:')],
    "nob-start-jack": [(NOB, 'if "J" + start[1] in hand or start[0] == "J":')],
    "nob-only-start-jack": [(NOB, 'if start[0] == "J":')],
    "no-nob": [(NOB, "if False:")],
    "nob-2": [("points += 1\n", "points += 2\n")],
    "nob-each-jack": [(NOB, "if True:"), ("points += 1\n", 'points += sum(card[0] == "J" for card in hand)\n')],
    "pair-outside-run-multiplies": [('wrong == "pair-outside" and ', "")],
    "double-double-run-twice": [(RUNS, "longest * (2 if len(runs) == 4 else len(runs))")],
    "runs-once": [(RUNS, "longest")],
    "run-three-times-for-trips-missed": [(RUNS, "longest * (2 if len(runs) == 3 else len(runs))")],
    "runs-without-start": [(RUN, RUN + "start not in group and ")],
    "run-of-5-as-4": [(RUNS, "min(longest, 4) * len(runs)")],
    "run-and-its-parts": [("    runs = [run for run in runs if len(run) == longest]\n", ""), (RUNS, "sum(len(run) for run in runs)")],
    "run-of-two": [("len(group) >= 3", "len(group) >= 2")],
    "run-of-four": [("len(group) >= 3", "len(group) >= 4")],
    "no-runs": [("points += in_runs", "points += 0")],
    "round-the-corner": [("return sorted(places) ==", "return any(sorted((place + turn) % 13 for place in places) in [list(range(low, low + len(places))) for low in range(13)] for turn in range(13)) or sorted(places) ==")],
    "queen-king-ace": [("return sorted(places) ==", "return sorted(place or 13 for place in places) in [list(range(low, low + len(places))) for low in range(13)] or sorted(places) ==")],
    "ace-two-three-missed": [(RUN, RUN + 'all(card[0] != "A" for card in group) and ')],
    "run-needs-order": [("sorted(places) ==", "list(places) ==")],
    "fifteens-without-tens": [(FIFTEEN, '== 15 and all(card[0] != "T" for card in group):')],
    "fifteens-without-aces": [(FIFTEEN, '== 15 and all(card[0] != "A" for card in group):')],
    "fifteens-of-two": [(FIFTEEN, "== 15 and len(group) == 2:")],
    "fifteens-no-five-cards": [(FIFTEEN, "== 15 and len(group) < 5:")],
    "fifteens-no-four-cards": [(FIFTEEN, "== 15 and len(group) != 4:")],
    "fifteens-jack-11": [(WORTH, "(RANKS.index(card[0]) + 1)")],
    "fifteens-ace-11": [(WORTH, '(11 if card[0] == "A" else %s)' % WORTH)],
    "fifteens-1-point": [("            points += 2\n", "            points += 1\n")],
    "fifteens-twice": [("            points += 2\n", "            points += 4\n")],
    "fifteens-without-start": [(FIFTEEN, "== 15 and start not in group:")],
    "no-fifteens": [(FIFTEEN, "== 0:")],
    "three-of-a-kind-4": [(PAIRS, PAIRS + " - 2 * any(sum(card[0] == rank for card in cards) == 3 for rank in RANKS)")],
    "four-of-a-kind-8": [(PAIRS, PAIRS + " - 4 * any(sum(card[0] == rank for card in cards) == 4 for rank in RANKS)")],
    "pairs-without-start": [(PAIR, PAIR + "start not in group and ")],
    "pairs-1-point": [(PAIRS, "len(pairs)")],
    "pairs-twice": [(PAIRS, "4 * len(pairs)")],
    "tens-paired": [("group[0][0] == group[1][0]", "min(RANKS.index(group[0][0]), 9) == min(RANKS.index(group[1][0]), 9)")],
    "pairs-next-to-each-other": [(PAIRS, "2 * sum(one[0] == next[0] for one, next in zip(cards, cards[1:]))")],
    "no-pairs": [(PAIRS, "0")],
    "crashes-on-kqk": crashes('sorted(card[0] for card in cards if card[0] in "QK") in (list("KKQ"), list("KKQQ"), list("KKQQQ"))'),
    "crashes-on-ten": crashes('any(card[0] == "T" for card in cards)'),
    "start-card-first": [before(CARDS, "    hand, start = [*hand, start][1:], hand[0]\n")],
    "one-more": [(END, "    return points + 1\n")],
}

AVERAGE = "Fraction(sum(value(hand, start, wrong) for start in starts), len(starts))"
HANDS = "combinations(cards, 4):"
BEST = "average > best"
KEPT = "    best, kept = None, None\n"
PRINTS = '" ".join(select(cards, wrong))'


def without(starts):
    return [("not in cards]", "not in [*cards, %s]]" % starts)]


SELECT = {
    "right": [],
    "right-last-of-equals": [(BEST, "average >= best")],
    "value-without-start": [('if wrong == "bare-hand":', "if True:")],
    "start-cards-of-crib": [("not in cards]", "not in hand]")],
    "start-cards-of-hand": [("not in cards]", "in hand or rank + suit not in cards]")],
    "start-cards-all-52": [(" if rank + suit not in cards]", "]")],
    "least": [(BEST, "average < best")],
    "first-four": [(HANDS, "[tuple(cards[:4])]:")],
    "last-four": [(HANDS, "[tuple(cards[-4:])]:")],
    "best-start-card": [(AVERAGE, "max(value(hand, start, wrong) for start in starts)")],
    "worst-start-card": [(AVERAGE, "min(value(hand, start, wrong) for start in starts)")],
    "start-card-median": [(AVERAGE, "sorted(value(hand, start, wrong) for start in starts)[len(starts) // 2]")],
    "start-cards-of-one-suit": [("for suit in SUITS", 'for suit in "C"')],
    "start-cards-without-aces": [("for rank in RANKS", "for rank in RANKS[1:]")],
    "start-cards-without-kings": [("for rank in RANKS", "for rank in RANKS[:-1]")],
    "start-cards-without-king-of-spades": without('"KS"'),
    "start-cards-without-ace-of-clubs": without('"AC"'),
    "keeps-first-card": [(HANDS, "[hand for hand in combinations(cards, 4) if cards[0] in hand]:")],
    "five-cards-fail": [after(KEPT, "    if len(cards) == 5:\n        raise IndexError\n")],
    "four-cards-fail": [after(KEPT, "    if len(cards) == 4:\n        raise IndexError\n")],
    "prints-five": [(PRINTS, '" ".join([*(kept := select(cards, wrong)), *[card for card in cards if card not in kept][:1]])')],
    "prints-crib": [(PRINTS, '" ".join(card for card in cards if card not in select(cards, wrong))')],
    "prints-value": [("    return kept\n", "    return [str(best)]\n")],
    "with-commas": [(PRINTS, '", ".join(select(cards, wrong))')],
    **{
        "value:" + name: VALUE[name]
        for name in "no-flush no-nob runs-once no-runs fifteens-without-tens three-of-a-kind-4 flush-with-start-card nob-any-suit "
        "round-the-corner pair-outside-run-multiplies flush-always-4 flush-only-of-five".split()
    },
}

GAMES = {"blackjack": ("blackjack.py", BLACKJACK), "value": ("cribbage.py", VALUE), "select": ("cribbage.py", SELECT)}


def remembering(function):
    """The same function of cards, which is asked once for the same spots."""
    known = {}

    def of(cards, *up):
        spots = tuple(card[:3] for card in (*cards, *up))
        if spots not in known:
            known[spots] = function(cards, *up)
        return known[spots]

    return of


def mutant(game, name):
    """The functions of the second reading with this fault."""
    file, faults = GAMES[game]
    source = Path(__file__).with_name(file).read_text().removesuffix("main(sys.argv[1:])\n")
    for old, new in [change for fault in name.split("+") for change in faults[fault]]:
        assert old in source, "%s: %r is not in %s" % (name, old, file)
        source = source.replace(old, new)
    functions = {}
    exec(compile(source, file, "exec"), functions)
    if game == "blackjack":
        for name in ("total", "wants_card"):
            functions[name] = remembering(functions[name])
    return functions


def answer(game, name, functions, words):
    lines = []
    try:
        if game == "blackjack":
            functions["game"](int(words[0]), int(words[1]), words[2] == "counting", None, lines.append)
        else:
            lines.append(functions["answer"](game, words, None))
    except IndexError:
        pass
    text = "".join(line + "\n" for line in lines)
    return PRINTED.get(name, lambda text: text)(text) if game == "blackjack" else text


def main(game, name):
    if game == "list":
        print("\n".join(GAMES[name][1]))
        return
    functions = mutant(game, name)
    for line in sys.stdin:
        text = answer(game, name, functions, line.split()).encode()
        sys.stdout.write("%d\n" % len(text) + text.decode())
        sys.stdout.flush()


main(*sys.argv[1:])
