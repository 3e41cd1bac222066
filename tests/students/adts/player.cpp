// Players as a student might write them: right, or with a line `#define MUTANT N` wrong in one way.
#include "player.h"

#ifndef MUTANT
#define MUTANT 0
#endif

class Simple : public Player {
  public:
    int bet(unsigned int, unsigned int minimum) override { return (int)minimum; }

    bool draw(Card dealer, const Hand &player) override {
        const HandValue v = player.handValue();
        const int up = dealer.spot + 2;
        if (v.soft) {
            if (MUTANT == 21 && v.count == 19 && up == 10) return true;
            if (v.count >= 19) return false;
            if (v.count <= 17) return true;
            return !(up == 2 || up == 7 || (up == 8 && MUTANT != 20));
        }
        if (v.count < 12) return true;
        if (v.count > 16) return false;
        if (v.count == 12) return !(up >= (MUTANT == 19 ? 3 : 4) && up <= 6);
        return !(up >= 2 && up <= 6);
    }

    void expose(Card) override {}
    void shuffled() override {}
};

class Counting : public Simple {
    int seen;

    void see(Card c) {
        if (c.spot >= TEN && !(MUTANT == 25 && c.spot == ACE)) --seen;
        if (c.spot <= SIX) ++seen;
    }

  public:
    Counting() : seen(0) {}

    int bet(unsigned int bankroll, unsigned int minimum) override {
        bool rich = bankroll >= 2 * minimum;
        if (MUTANT == 23) rich = bankroll > 2 * minimum;
        if (MUTANT == 27) rich = true;
        if (MUTANT == 38) rich = false;
        if (seen >= (MUTANT == 22 ? 3 : 2) && rich) return (int)(2 * minimum);
        return Simple::bet(bankroll, minimum);
    }

    bool draw(Card dealer, const Hand &player) override {
        if (MUTANT == 28) see(dealer);
        if (MUTANT == 29 && seen >= 2 && player.handValue().count >= 15) return false;
        return Simple::draw(dealer, player);
    }

    void expose(Card c) override { see(c); }

    void shuffled() override {
        if (MUTANT != 24) seen = 0;
    }
};

static Simple simple;
static Counting counting;

Player *get_Simple() {
    if (MUTANT == 37) return new Simple();
    return &simple;
}

Player *get_Counting() {
    if (MUTANT == 26 || MUTANT == 37) return new Counting();
    return &counting;
}
