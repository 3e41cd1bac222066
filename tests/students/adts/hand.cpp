// A hand as a student might write it: right, or with a line `#define MUTANT N` wrong in one way.
#include "hand.h"

#ifndef MUTANT
#define MUTANT 0
#endif

#if MUTANT == 17
static HandValue shared;
#define curValue shared
#endif

static const int table[13] = {2, 3, 4, 5, 6, 7, 8, 9, 10, MUTANT == 14 ? 11 : 10, 10, 10, 1};

Hand::Hand() {
    curValue.count = 0;
#if MUTANT != 16
    curValue.soft = false;
#endif
}

void Hand::discardAll() {
    curValue.count = 0;
    if (MUTANT != 15) curValue.soft = false;
}

void Hand::addCard(Card c) {
    HandValue v = curValue;
    int low = v.count - (v.soft ? 10 : 0) + table[c.spot];
    bool ace = v.soft || c.spot == ACE;
    int most = MUTANT == 18 ? 10 : 11;
    if (MUTANT == 11 && v.soft && c.spot == ACE) {
        // Wrong for a soft 21 alone, to which no card is ever added in a game.
        curValue.count += 1;
        return;
    }
    if (MUTANT == 12 && v.soft) {
        curValue.count += table[c.spot];
        return;
    }
    if (ace && low <= most) {
        curValue.count = low + 10;
        curValue.soft = MUTANT != 36 || low < most;
    } else {
        curValue.count = low;
        curValue.soft = MUTANT == 13 && c.spot == ACE;
        if (MUTANT == 13 && curValue.soft) return;
    }
}

HandValue Hand::handValue() const {
    HandValue v = curValue;
    if (MUTANT == 35 && v.count > 20) v.soft = false;
    return v;
}
