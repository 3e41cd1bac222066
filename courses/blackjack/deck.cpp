// A right deck, and with -DFAULT=N one that is wrong in one way. crates/judge/src/grade/blackjack/adt/faults.rs names them.
#include "deck.h"

#ifndef FAULT
#define FAULT 0
#endif

static void open(Card *cards) {
    for (int at = 0; at < DeckSize; at++) {
        int suit = at / 13;
        if (FAULT == 2 && suit >= 2) {
            suit = 5 - suit;
        }
        cards[at].suit = static_cast<Suit>(suit);
        cards[at].spot = static_cast<Spot>(FAULT == 3 ? (at + 12) % 13 : at % 13);
    }
}

Deck::Deck() : next(0) { open(deck); }

void Deck::reset() {
    if (FAULT != 4) {
        open(deck);
    }
    if (FAULT != 5) {
        next = 0;
    }
}

void Deck::shuffle(int n) {
    Card before[DeckSize];
    if (FAULT == 7) {
        open(deck);
    }
    if (FAULT == 13) {
        n = 26;
    }
    for (int at = 0; at < DeckSize; at++) {
        before[at] = deck[FAULT == 8 ? (at + next) % DeckSize : at];
    }
    int right = DeckSize - n;
    int both = n < right ? n : right;
    for (int pair = 0; pair < both; pair++) {
        deck[2 * pair + (FAULT == 1)] = before[n + pair];
        deck[2 * pair + (FAULT != 1)] = before[pair];
    }
    int rest = DeckSize - 2 * both;
    int from = n > right ? both : n + both;
    for (int at = 0; at < rest; at++) {
        deck[2 * both + at] = before[FAULT == 9 ? from + rest - 1 - at : from + at];
    }
    if (FAULT == 14 && right == 0) {
        open(deck);
    }
    if (FAULT != 6) {
        next = 0;
    }
}

Card Deck::deal() {
    if (next >= (FAULT == 11 ? DeckSize - 1 : DeckSize)) {
        if (FAULT != 10) {
            throw DeckEmpty();
        }
        next = 0;
    }
    return deck[next++];
}

int Deck::cardsLeft() { return FAULT == 12 ? next : DeckSize - next; }
