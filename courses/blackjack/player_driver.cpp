// Does operations with the two players, which are asked for anew each time:
//
//     simple bet BANKROLL MINIMUM | simple draw UP CARD ... | simple expose CARD | simple shuffled
//
// and the same with counting.
#include "driver.h"

#include "player.h"

extern Player *get_Simple();
extern Player *get_Counting();

static void perform(Player *player, const Operation &operation) {
    if (player == nullptr) {
        observe("nobody");
    } else if (operation.is(1, "bet")) {
        observeNumber(player->bet(static_cast<unsigned int>(operation.number(2)),
                                  static_cast<unsigned int>(operation.number(3))));
    } else if (operation.is(1, "draw") && operation.count > 3) {
        Hand hand;
        for (int at = 3; at < operation.count; at++) {
            hand.addCard(cardOf(operation.word[at]));
        }
        observe(player->draw(cardOf(operation.word[2]), hand) ? "draws" : "stands");
    } else if (operation.is(1, "expose") && operation.count > 2) {
        player->expose(cardOf(operation.word[2]));
        observe("done");
    } else if (operation.is(1, "shuffled")) {
        player->shuffled();
        observe("done");
    } else {
        unknown(operation);
    }
}

static void operate(const Operation &operation) { perform(operation.is(0, "simple") ? get_Simple() : get_Counting(), operation); }

int main(int words, char **word) { return drive(words, word, operate); }
