// The cuts of the course's generator: MT19937, seeded once with 0.
#include "rand.h"

#include <random>

int get_cut() {
    static std::mt19937 generator(0);
    return 13 + (int)(generator() % 27);
}
