// A playing card: the interface of the Blackjack document, III.1.
#ifndef CASINO_CARD_H
#define CASINO_CARD_H

enum Suit { SPADES, HEARTS, CLUBS, DIAMONDS };

// The suits in words: SuitNames[HEARTS] is "Hearts".
extern const char *SuitNames[DIAMONDS + 1];

enum Spot { TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE };

// The spots in words: SpotNames[ACE] is "Ace".
extern const char *SpotNames[ACE + 1];

struct Card {
    Spot spot;
    Suit suit;
};

#endif
