"""Raises with nothing and folds pairs."""


class Strategy:
    def decide(self, question):
        ranks = [card.rank for card in [question.hole, *question.up]]
        if len(set(ranks)) < len(ranks):
            return question.call() if question.to_call == 0 else question.fold()
        return question.raise_by(5) if question.pot < 60 else question.call()

    def round_over(self, won, winning_hand):
        pass
