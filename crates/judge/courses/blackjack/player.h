// A player: the interface of the Blackjack document, III.3.
#ifndef CASINO_PLAYER_H
#define CASINO_PLAYER_H

#include "hand.h"

class Player {
  public:
    // The wager, from the minimum to the bankroll, which is not below the minimum.
    virtual int bet(unsigned int bankroll, unsigned int minimum) = 0;

    // Whether the player wants another card, the dealer showing this one.
    virtual bool draw(Card dealer, const Hand &player) = 0;

    // Shows the player a card that was turned up.
    virtual void expose(Card c) = 0;

    // Tells the player that the deck was shuffled.
    virtual void shuffled() = 0;
};

// The one player of each kind.
extern Player *get_Simple();
extern Player *get_Counting();

#endif
