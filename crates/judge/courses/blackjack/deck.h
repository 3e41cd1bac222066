// A deck of 52 cards: the interface of the Blackjack document, III.1.
#ifndef CASINO_DECK_H
#define CASINO_DECK_H

#include "card.h"

// Thrown by Deck::deal when all cards have been dealt.
class DeckEmpty {
};

const int DeckSize = 52;

class Deck {
    Card deck[DeckSize]; // the cards in their order
    int next;            // the place of the card that is dealt next

  public:
    // A newly opened deck: spades, hearts, clubs, diamonds, each from two to ace.
    Deck();

    // Makes it a newly opened deck again.
    void reset();

    // Takes the dealt cards back as they were, cuts the first n off, and lays down a card of the rest and a card of
    // those n in turn; what is left of the longer part comes last. n is from 0 to 52.
    void shuffle(int n);

    // The next card. Throws DeckEmpty if there is none.
    Card deal();

    // How many cards have not been dealt since the last reset or shuffle.
    int cardsLeft();
};

#endif
