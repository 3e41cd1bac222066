// Right players, for programs whose own players are judged by themselves.
#include "player.h"

namespace {

class SimplePlayer : public Player {
  public:
    int bet(unsigned int, unsigned int minimum) { return (int)minimum; }

    bool draw(Card dealer, const Hand &player) {
        HandValue value = player.handValue();
        Spot shown = dealer.spot;
        if (value.soft) {
            bool stands = value.count > 18 || (value.count == 18 && (shown == TWO || shown == SEVEN || shown == EIGHT));
            return !stands;
        }
        Spot lowest = value.count == 12 ? FOUR : TWO;
        bool stands = value.count > 16 || (value.count > 11 && shown >= lowest && shown <= SIX);
        return !stands;
    }

    void expose(Card) {}
    void shuffled() {}
};

class CountingPlayer : public SimplePlayer {
    int count;

  public:
    CountingPlayer() : count(0) {}

    int bet(unsigned int bankroll, unsigned int minimum) {
        return (int)(count >= 2 && bankroll >= 2 * minimum ? 2 * minimum : minimum);
    }

    void expose(Card card) { count += card.spot >= TEN ? -1 : card.spot <= SIX ? 1 : 0; }
    void shuffled() { count = 0; }
};

SimplePlayer simple;
CountingPlayer counting;

} // namespace

Player *get_Simple() { return &simple; }
Player *get_Counting() { return &counting; }
