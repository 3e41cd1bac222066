"""Counts what it may win, and bets as much as it may when that is more than its share."""

from starter import expected_share


class Strategy:
    def decide(self, question):
        share = expected_share(question)
        fair = 1 / (len(question.others) + 1)
        if share > 1.5 * fair and question.pot < 40 * (len(question.others) + 1):
            return question.raise_by(10)
        if share * (question.pot + question.to_call) < 1.2 * question.to_call:
            return question.fold()
        return question.call()

    def round_over(self, won, winning_hand):
        pass
