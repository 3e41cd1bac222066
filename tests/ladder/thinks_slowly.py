"""As `thinks`, but hides good hands on the first street: it only calls there."""

from starter import expected_share


class Strategy:
    def decide(self, question):
        share = expected_share(question)
        fair = 1 / (len(question.others) + 1)
        if share * (question.pot + question.to_call) < 1.5 * question.to_call:
            return question.fold()
        if question.street == 2 and share > 1.5 * fair and question.pot < 200:
            return question.raise_by(10)
        return question.call()

    def round_over(self, won, winning_hand):
        pass
