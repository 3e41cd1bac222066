// Does operations with two hands, a and b, and with one that is new each time:
//
//     a new | a add CARD | a discard | a value | a copy     (a becomes a copy of b, b one of a)
//     run CARD CARD ...                                     (a new hand, and its value after each card)
//
// A hand is made in memory that holds rubbish, so that what a constructor leaves out shows.
#include "driver.h"

#include <new>

#include "hand.h"

alignas(Hand) static unsigned char room[3][sizeof(Hand)];
static Hand *hands[3];

static Hand &fresh(int at) {
    std::memset(room[at], 0xA5, sizeof(Hand));
    hands[at] = new (room[at]) Hand();
    return *hands[at];
}

static void observeValue(const Hand &hand) {
    HandValue value = hand.handValue();
    observeNumber(value.count, value.soft ? "s" : "h");
}

static void run(const Operation &operation) {
    Hand &hand = fresh(2);
    for (int at = 1; at < operation.count; at++) {
        hand.addCard(cardOf(operation.word[at]));
        observeValue(hand);
    }
}

static void perform(int at, const Operation &operation) {
    if (operation.is(0, "run")) {
        run(operation);
    } else if (operation.is(1, "new")) {
        fresh(at);
        observe("done");
    } else if (operation.is(1, "add") && operation.count > 2) {
        hands[at]->addCard(cardOf(operation.word[2]));
        observe("done");
    } else if (operation.is(1, "discard")) {
        hands[at]->discardAll();
        observe("done");
    } else if (operation.is(1, "value")) {
        observeValue(*hands[at]);
    } else if (operation.is(1, "copy")) {
        hands[at] = new (room[at]) Hand(*hands[1 - at]);
        observe("done");
    } else {
        unknown(operation);
    }
}

static void operate(const Operation &operation) { perform(operation.is(0, "a") ? 0 : 1, operation); }

int main(int words, char **word) { return drive(words, word, operate); }
