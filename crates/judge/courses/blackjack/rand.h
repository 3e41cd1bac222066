// The cuts of the Blackjack document, III.4.
#ifndef CASINO_RAND_H
#define CASINO_RAND_H

// A number from 13 to 39, at random.
int get_cut();

#endif
