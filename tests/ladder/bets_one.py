"""Raises by one chip, whatever it holds, until that costs more than ten."""


class Strategy:
    def decide(self, question):
        return question.raise_by(1) if question.to_call <= 10 else question.call()

    def round_over(self, won, winning_hand):
        pass
