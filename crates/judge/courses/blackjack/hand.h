// A hand and its value: the interface of the Blackjack document, III.2.
#ifndef CASINO_HAND_H
#define CASINO_HAND_H

#include "card.h"

struct HandValue {
    int count; // the total
    bool soft; // whether an ace counts 11 in it
};

class Hand {
    HandValue curValue;

  public:
    // An empty hand.
    Hand();

    // Makes it empty again.
    void discardAll();

    // Adds a card.
    void addCard(Card c);

    // The highest total that is not over 21, and whether an ace counts 11 in it; anything over 21 if all are over.
    HandValue handValue() const;
};

#endif
