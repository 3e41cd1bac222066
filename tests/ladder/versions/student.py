"""One student's bot as it grows: VERSION says how far it has come, from 1 to 12, with two wrong turns on the way."""

from starter import expected_share

VERSION = 12

GITHUB_ID = f"ladder-student-{VERSION}"
AVATAR = f"Student {VERSION}"

# From which many times its fair share each version raises, by how many chips, and how many times its price a call has to promise.
SETTINGS = {
    3: (9.0, 0, 0.7),  # counts what it may win, and hopes for more
    4: (9.0, 0, 1.0),
    5: (1.2, 1, 1.0),  # begins to raise
    6: (1.2, 10, 1.0),
    7: (0.8, 10, 1.0),  # a wrong turn: raises with less than its share
    8: (1.3, 10, 1.0),
    9: (1.3, 10, 4.0),  # another one: afraid of every bet
    10: (1.3, 10, 1.3),
    11: (1.5, 10, 1.3),
    12: (1.5, 10, 1.3),  # and more careful where many are in, or much is bet
}


class Strategy:
    def decide(self, question):
        if VERSION == 1:
            return question.call()
        ranks = [card.rank for card in [question.hole, *question.up]]
        if VERSION == 2:
            has_something = len(set(ranks)) < len(ranks) or max(ranks) >= 13
            return question.call() if has_something or question.to_call == 0 else question.fold()
        edge, raise_by, caution = SETTINGS[VERSION]
        share, players = expected_share(question), len(question.others) + 1
        if VERSION == 12 and question.to_call >= 10:
            caution += 0.1 * players
        if share * players > edge and question.pot < 40 * players:
            return question.raise_by(raise_by)
        if share * (question.pot + question.to_call) < caution * question.to_call:
            return question.fold()
        return question.call()

    def round_over(self, won, winning_hand):
        pass
