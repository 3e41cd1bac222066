// Two right players, and with -DFAULT=N two of which something is wrong:
// FAULT 1 hard-12-like-13: It stands on hard 12 against 2 to 6; it stands only against 4, 5 and 6.
// FAULT 2 hard-12-always-hits: It always draws on hard 12; it stands against 4, 5 and 6.
// FAULT 3 hard-16-stands: It always stands on hard 16; it stands only against 2 to 6.
// FAULT 4 hard-17-hits: It draws on hard 17; it always stands on 17 or more.
// FAULT 5 soft-17-stands: It stands on soft 17; it always draws on soft 17 or less.
// FAULT 6 soft-18-stands: It always stands on soft 18; it stands only against 2, 7 and 8.
// FAULT 7 soft-18-hits-on-2: It draws on soft 18 against 2; it stands against 2, 7 and 8.
// FAULT 8 simple-counts: The simple player bets like the counting player; it always bets the minimum.
// FAULT 9 never-doubles: It never doubles; it does at a count of +2 or more.
// FAULT 10 double-at-1: It doubles from a count of +1; it is +2 or more.
// FAULT 11 double-only-above: It doubles only with more than twice the minimum; exactly twice is enough.
// FAULT 12 double-without-bankroll: It doubles with less than twice the minimum, which it has not got.
// FAULT 13 count-kept-at-shuffle: It keeps its count at a shuffle; it begins at 0 after each shuffle.
// FAULT 14 ace-not-counted: It does not count aces, which take one from the count.
// FAULT 15 seven-counted: It counts sevens as low cards; sevens, eights and nines count nothing.
// FAULT 16 count-shared: The two players share one count; each has to be by itself.
// FAULT 17 double-is-10: It bets 10 where it doubles, whatever the minimum is.
// FAULT 18 hard-11-stands: It stands on hard 11; it always draws on 11 or less.
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
