"""How to play: the only file you need to edit."""

# Your login, without colons. The avatar is your public name.
GITHUB_ID = "starter-python"
AVATAR = "Python Starter"

# A bet means a better hand than average, so a call must promise this many times its price.
CAUTION = 1.5
# Raise when we can expect this many times the share of an average player.
EDGE = 1.3


class Strategy:
    """One object plays the whole game, so its fields keep their values from round to round."""

    def decide(self, question):
        """Answers with question.fold(), question.call() or question.raise_by(chips).

        The fields of a question are listed in poker.py under `class Question`.
        """
        share = expected_share(question)
        if share * (question.pot + question.to_call) < CAUTION * question.to_call:
            return question.fold()

        average_share = 1 / (len(question.others) + 1)
        if share > EDGE * average_share:
            # Half the pot is a raise that worse hands still pay, a tenth of the stack one we can afford to lose.
            return question.raise_by(min(question.pot // 2, question.stack // 10))
        return question.call()

    def round_over(self, won, winning_hand):
        """Called after each round. A place to learn from, which this strategy does not."""


def expected_share(question):
    """Our average share of the pot if all hands were compared now, without any folds."""
    unseen = question.unseen()
    best_hand = chance_of_best_hand(question, unseen)
    no_better_spade = chance_of_no_better_spade(question, unseen)
    if question.hole.suit == "S":
        spade_half = no_better_spade
    else:
        spade_half = no_better_spade * best_hand  # with no spade in any hole, the best hand takes it all
    return (best_hand + spade_half) / 2


def chance_of_best_hand(question, unseen):
    """Tries every unseen card as the hole card of each other player."""
    ours = hand_value([question.hole, *question.up])
    chance = 1.0
    for open_cards in question.others:
        theirs = [hand_value([hole, *open_cards]) for hole in unseen]
        beaten = sum(value < ours for value in theirs)
        tied = sum(value == ours for value in theirs)
        chance *= (beaten + tied / 2) / len(unseen)
    return chance


def chance_of_no_better_spade(question, unseen):
    """How likely it is that no other player has a spade in the hole that beats ours, if ours is one."""
    to_beat = question.hole.rank if question.hole.suit == "S" else 0
    better = sum(card.suit == "S" and card.rank > to_beat for card in unseen)
    return (1 - better / len(unseen)) ** len(question.others)


def hand_value(cards):
    """A larger value is a better hand: three of a kind, then a pair, then the high cards."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    matching = len(ranks) - len(set(ranks))
    return matching, sorted(ranks, key=ranks.count, reverse=True)
