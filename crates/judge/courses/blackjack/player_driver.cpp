// Does operations with the two players, each of which is asked for once, as a game does:
//
//     simple bet BANKROLL MINIMUM | simple draw UP CARD ... | simple expose CARD | simple shuffled | simple same
//
// The last one asks for the player again and observes whether it is the same one.
// and the same with counting.
#include "driver.h"

#include "player.h"

extern Player *get_Simple();
extern Player *get_Counting();

static Player *ask(bool simple) { return simple ? get_Simple() : get_Counting(); }

static void perform(bool simple, const Operation &operation) {
    static Player *players[2] = {nullptr, nullptr};
    Player *&player = players[simple];
    if (player == nullptr) {
        player = ask(simple);
    }
    if (player == nullptr) {
        observe("nobody");
    } else if (operation.is(1, "same")) {
        observe(ask(simple) == player ? "same" : "another");
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

static void operate(const Operation &operation) { perform(operation.is(0, "simple"), operation); }

int main(int words, char **word) { return drive(words, word, operate); }
