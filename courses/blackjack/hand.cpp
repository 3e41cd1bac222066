// A right hand, and with -DFAULT=N one that is wrong in one way. crates/judge/src/grade/blackjack/adt/faults.rs names them.
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
