"""Bets a little when nobody has, and folds to every raise without three of a kind."""


class Strategy:
    def decide(self, question):
        ranks = [card.rank for card in [question.hole, *question.up]]
        if question.to_call == 0:
            return question.raise_by(2)
        return question.call() if len(ranks) - len(set(ranks)) == 2 else question.fold()

    def round_over(self, won, winning_hand):
        pass
