// Two right players, and with -DFAULT=N two of which something is wrong. crates/judge/src/grade/blackjack/adt/faults.rs names them.
#include "player.h"

#ifndef FAULT
#define FAULT 0
#endif

static int simpleCount = 0;

static int worth(Spot spot) {
    if (spot >= TEN) {
        return FAULT == 14 && spot == ACE ? 0 : -1;
    }
    return spot <= (FAULT == 15 ? SEVEN : SIX) ? 1 : 0;
}

class SimplePlayer : public Player {
  public:
    virtual int bet(unsigned int bankroll, unsigned int minimum) {
        bool doubles = FAULT == 8 && simpleCount >= 2 && bankroll >= 2 * minimum;
        return doubles ? 2 * minimum : minimum;
    }

    virtual bool draw(Card dealer, const Hand &player) {
        HandValue value = player.handValue();
        Spot up = dealer.spot;
        return value.soft ? drawsSoft(value.count, up) : drawsHard(value.count, up);
    }

    virtual void expose(Card c) { simpleCount += worth(c.spot); }

    virtual void shuffled() { simpleCount = 0; }

  private:
    static bool drawsHard(int total, Spot up) {
        if (total <= 11) {
            return !(FAULT == 18 && total == 11);
        }
        if (total == 12 && FAULT != 1) {
            return FAULT == 2 || up < FOUR || up > SIX;
        }
        if (total == 16 && FAULT == 3) {
            return false;
        }
        return total <= 16 ? up > SIX : FAULT == 4 && total == 17;
    }

    static bool drawsSoft(int total, Spot up) {
        if (total <= 17) {
            return !(FAULT == 5 && total == 17);
        }
        if (total == 18) {
            bool stands = up == SEVEN || up == EIGHT || (up == TWO && FAULT != 7) || FAULT == 6;
            return !stands;
        }
        return false;
    }
};

class CountingPlayer : public SimplePlayer {
  public:
    virtual int bet(unsigned int bankroll, unsigned int minimum) {
        unsigned int doubled = FAULT == 17 ? 10 : 2 * minimum;
        bool enough = FAULT == 11 ? bankroll > doubled : FAULT == 12 || bankroll >= doubled;
        int from = FAULT == 10 ? 1 : 2;
        int seen = FAULT == 16 ? simpleCount : count;
        return seen >= from && enough && FAULT != 9 ? doubled : minimum;
    }

    virtual void expose(Card c) {
        count += worth(c.spot);
        if (FAULT == 16) {
            simpleCount += worth(c.spot);
        }
    }

    virtual void shuffled() {
        if (FAULT != 13) {
            count = 0;
        }
        if (FAULT == 16) {
            simpleCount = 0;
        }
    }

  private:
    int count = 0;
};

static SimplePlayer simple;
static CountingPlayer counting;

Player *get_Simple() { return &simple; }

Player *get_Counting() { return &counting; }
