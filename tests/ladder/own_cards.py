"""Goes by its own cards: pairs and high spades bet, high cards stay in for little."""


class Strategy:
    def decide(self, question):
        ranks = [card.rank for card in [question.hole, *question.up]]
        pairs = len(ranks) - len(set(ranks))
        spade = question.hole.suit == "S" and question.hole.rank >= 12
        if pairs == 2 or pairs and spade:
            return question.raise_by(10) if question.pot < 200 else question.call()
        if pairs or spade:
            return question.raise_by(5) if question.pot < 60 else question.call()
        return question.call() if question.to_call <= (3 if max(ranks) >= 13 else 0) else question.fold()

    def round_over(self, won, winning_hand):
        pass
