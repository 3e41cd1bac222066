"""Plays high spades in the hole and nothing else."""


class Strategy:
    def decide(self, question):
        if question.hole.suit == "S" and question.hole.rank >= 11:
            return question.raise_by(10) if question.pot < 100 else question.call()
        return question.call() if question.to_call == 0 else question.fold()

    def round_over(self, won, winning_hand):
        pass
