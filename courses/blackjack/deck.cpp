// A right deck, and with -DFAULT=N one that is wrong in one way:
// FAULT 1 left-first: A cut begins with the first card of the left part; it is the first card of the right part, then the first of the left.
// FAULT 2 diamonds-before-clubs: A newly opened deck has the diamonds before the clubs; it is spades, hearts, clubs, diamonds.
// FAULT 3 ace-before-two: A newly opened deck begins each suit with the ace; it is two to ace.
// FAULT 4 reset-keeps-order: reset() leaves the cards as they were shuffled; it makes a newly opened deck.
// FAULT 5 reset-keeps-place: reset() goes on dealing where it was; it begins with the first card again.
// FAULT 6 shuffle-keeps-place: shuffle() goes on dealing where it was; the next card is the first of the shuffled deck.
// FAULT 7 reset-at-reshuffle: A reshuffle begins with a newly opened deck; it has to shuffle the deck as it is, the dealt cards put back in the order in which they were dealt.
// FAULT 8 dealt-cards-to-the-back: A reshuffle puts the dealt cards behind the others; they go back where they were, in the order in which they were dealt.
// FAULT 9 rest-of-the-cut-reversed: What is left of the longer part of a cut is put down in reverse; it keeps its order.
// FAULT 10 never-empty: After the last card it deals the first one again; deal() throws DeckEmpty.
// FAULT 11 empty-at-52: deal() throws DeckEmpty at card 52; it does so at card 53.
// FAULT 12 left-counts-dealt: cardsLeft() counts the cards that were dealt; it counts the others.
// FAULT 13 always-halves: shuffle() cuts in the middle whatever it is told; it cuts off so many cards.
// FAULT 14 full-cut-opens: shuffle(52) makes a newly opened deck; with an empty part the order stays.
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
