"""Calls whatever it costs."""

GITHUB_ID = "ladder-always-calls"
AVATAR = "Always calls"


class Strategy:
    def decide(self, question):
        return question.call()

    def round_over(self, won, winning_hand):
        pass
