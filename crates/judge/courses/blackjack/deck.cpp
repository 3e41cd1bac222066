// A right deck, for programs whose own deck is judged by itself.
#include "deck.h"

Deck::Deck() { reset(); }

void Deck::reset() {
    next = 0;
    for (int place = 0; place < DeckSize; ++place) {
        deck[place].suit = Suit(place / 13);
        deck[place].spot = Spot(place % 13);
    }
}

void Deck::shuffle(int n) {
    Card before[DeckSize];
    for (int place = 0; place < DeckSize; ++place) before[place] = deck[place];
    int left = 0, right = n;
    next = 0;
    for (int place = 0; place < DeckSize;) {
        if (right < DeckSize) deck[place++] = before[right++];
        if (left < n) deck[place++] = before[left++];
    }
}

Card Deck::deal() {
    if (next == DeckSize) throw DeckEmpty();
    return deck[next++];
}

int Deck::cardsLeft() { return DeckSize - next; }
