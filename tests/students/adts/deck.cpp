// A deck as a student might write it: right, or with -DMUTANT=N or a line `#define MUTANT N` wrong in one way.
#include "deck.h"

#ifndef MUTANT
#define MUTANT 0
#endif

#if MUTANT == 10
static int place;
#define next place
#endif

Deck::Deck() {
#if MUTANT == 9
    int before = next;
    reset();
    next = before;
#else
    reset();
#endif
}

void Deck::reset() {
    int i = 0;
    for (int s = SPADES; s <= DIAMONDS; ++s)
        for (int r = TWO; r <= ACE; ++r, ++i) {
            deck[i].spot = (Spot)r;
            deck[i].suit = (Suit)(MUTANT == 1 ? (s == SPADES ? HEARTS : s == HEARTS ? SPADES : s) : s);
        }
    if (MUTANT != 5) next = 0;
#if MUTANT == 5
    static bool opened = false;
    if (!opened) next = 0;
    opened = true;
#endif
}

void Deck::shuffle(int n) {
    if (MUTANT == 33 && n % DeckSize == 0) return;
    Card mixed[DeckSize];
    int left = 0, right = n;
    int end = DeckSize, filled = 0;
    if (MUTANT == 8) {
        for (int k = 0; k < next; ++k) mixed[filled++] = deck[k];
        left = next;
        right = n < next ? next : n;
    }
    int leftEnd = right;
    bool takeRight = MUTANT != 2;
    while (filled < DeckSize) {
        if (left >= leftEnd || (takeRight && right < end)) {
            mixed[filled++] = deck[right++];
        } else {
            mixed[filled++] = deck[left++];
        }
        takeRight = !takeRight;
        if (MUTANT == 4 && right >= end) break;
    }
    for (int k = 0; k < filled; ++k) deck[k] = mixed[k];
    if (MUTANT != 3) next = 0;
}

Card Deck::deal() {
    if (MUTANT == 30 && next++ == DeckSize) throw DeckEmpty();
    if (MUTANT == 30) return deck[next - 1];
    if (MUTANT == 31) return deck[next++];
    if (MUTANT == 32 && next == DeckSize) {
        next = 0;
        throw DeckEmpty();
    }
    if (MUTANT == 34 && next++ >= DeckSize) throw DeckEmpty();
    if (MUTANT == 34) return deck[next - 1];
    if (MUTANT == 6 ? next > DeckSize : next == DeckSize) throw DeckEmpty();
    return deck[next++];
}

int Deck::cardsLeft() {
    if (MUTANT == 7) return DeckSize - 1 - next;
    return DeckSize - next;
}
