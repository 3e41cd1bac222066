// Does operations with two decks, a and b:
//
//     a new | a reset | a shuffle N | a deal TIMES | a left
//
// A deck is made in memory that holds rubbish, so that what a constructor leaves out shows.
#include "driver.h"

#include <new>

#include "deck.h"

alignas(Deck) static unsigned char room[2][sizeof(Deck)];
static Deck *decks[2];

static void deal(Deck &deck, long times) {
    for (long dealt = 0; dealt < times; dealt++) {
        try {
            observeCard(deck.deal());
        } catch (const DeckEmpty &) {
            observe("DeckEmpty");
        } catch (...) {
            observe("exception");
        }
        std::fflush(stdout);
    }
}

static void perform(int at, const Operation &operation) {
    if (operation.is(1, "new")) {
        std::memset(room[at], 0xA5, sizeof(Deck));
        decks[at] = new (room[at]) Deck();
        observe("done");
    } else if (operation.is(1, "reset")) {
        decks[at]->reset();
        observe("done");
    } else if (operation.is(1, "shuffle")) {
        decks[at]->shuffle(static_cast<int>(operation.number(2)));
        observe("done");
    } else if (operation.is(1, "left")) {
        observeNumber(decks[at]->cardsLeft());
    } else if (operation.is(1, "deal")) {
        deal(*decks[at], operation.number(2));
    } else {
        unknown(operation);
    }
}

static void operate(const Operation &operation) { perform(operation.is(0, "a") ? 0 : 1, operation); }

int main(int words, char **word) { return drive(words, word, operate); }
