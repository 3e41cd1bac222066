// A right hand, for the driver of the players.
#include "hand.h"

static int worth(Spot spot) { return spot == ACE ? 1 : spot > TEN ? 10 : spot + 2; }

Hand::Hand() { discardAll(); }

void Hand::discardAll() {
    curValue.count = 0;
    curValue.soft = false;
}

void Hand::addCard(Card card) {
    int hard = (curValue.soft ? curValue.count - 10 : curValue.count) + worth(card.spot);
    bool ace = curValue.soft || card.spot == ACE;
    // An ace that has come to count 1 counts 1 from then on: with it the hard total is at least 12.
    curValue.soft = ace && hard <= 11;
    curValue.count = curValue.soft ? hard + 10 : hard;
}

HandValue Hand::handValue() const { return curValue; }
