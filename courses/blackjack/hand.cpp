// A right hand, and with -DFAULT=N one that is wrong in one way:
// FAULT 1 soft-ace-stays: An ace that once counted 11 does so for ever; it counts 1 as soon as the hand would be over 21.
// FAULT 2 soft-ace-stays-for-aces: An ace that counted 11 goes on doing so when another ace takes the hand over 21: ace, ten, ace are 12, hard.
// FAULT 3 ace-always-1: An ace always counts 1; it counts 11 unless the hand would be over 21.
// FAULT 4 ace-always-11: An ace always counts 11; it counts 1 if the hand would be over 21 otherwise.
// FAULT 5 second-ace-hard-third-soft: A second ace makes the first one count 1, though a third may count 11 again; one of them does unless the hand would be over 21.
// FAULT 6 soft-flag-kept: A hand stays soft when its ace has come to count 1; it is hard then.
// FAULT 7 never-soft: A hand is never soft; it is soft if an ace counts 11.
// FAULT 8 pictures-climb: A jack counts 11, a queen 12, a king 13; they count 10 each.
// FAULT 9 discard-keeps-soft: discardAll() leaves the hand soft if it was; an empty hand is hard.
// FAULT 10 discard-keeps-count: discardAll() leaves the total as it was; an empty hand is worth 0.
// FAULT 11 ace-1-after-10: An ace that comes to 10 counts 1; it counts 11, which makes 21.
// FAULT 12 late-ace-1: Only an ace that comes first counts 11; one that comes later may as well.
// FAULT 13 over-21-comes-back: Ten is taken off whenever the hand is over 21; only an ace that counts 11 allows it.
#include "hand.h"

#ifndef FAULT
#define FAULT 0
#endif

static int worth(Spot spot) {
    if (FAULT == 8 && spot > TEN && spot < ACE) {
        return 10 + spot - TEN;
    }
    return spot > TEN ? 10 : spot + 2;
}

Hand::Hand() {
    curValue.count = 0;
    curValue.soft = false;
}

void Hand::discardAll() {
    if (FAULT != 10) {
        curValue.count = 0;
    }
    if (FAULT != 9) {
        curValue.soft = false;
    }
}

void Hand::addCard(Card c) {
    bool ace = c.spot == ACE;
    bool first = curValue.count == 0;
    if (!ace) {
        curValue.count += worth(c.spot);
    } else if (FAULT == 4) {
        curValue.count += 11;
        curValue.soft = true;
        return;
    } else {
        int most = FAULT == 11 ? 9 : 10;
        bool counts11 = curValue.count <= most && FAULT != 3 && (FAULT != 12 || first);
        if (FAULT == 5 && curValue.soft) {
            curValue.count -= 10;
            curValue.soft = false;
            counts11 = false;
        }
        curValue.count += counts11 ? 11 : 1;
        if (counts11) {
            curValue.soft = true;
            return;
        }
    }
    bool back = curValue.soft && FAULT != 1 && FAULT != 4 && !(FAULT == 2 && ace);
    if (FAULT == 13) {
        back = true;
    }
    if (curValue.count > 21 && back) {
        curValue.count -= 10;
        curValue.soft = FAULT == 6;
    }
}

HandValue Hand::handValue() const {
    HandValue value = curValue;
    if (FAULT == 7) {
        value.soft = false;
    }
    return value;
}
