// Rounds of two players who always call, played by the game code of the dealer of the Annual Computer Poker Competition:
// what its dealer does for each decision, without its sockets. scripts/peers.py compiles it against that code, and says
// where it comes from.
//
//     acpc GAME ROUNDS

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "game.h"
#include "rng.h"

using namespace project_acpc_server;

static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int words, char **word) {
    FILE *file = words == 3 ? fopen(word[1], "r") : nullptr;
    const Game *game = file != nullptr ? readGame(file) : nullptr;
    if (game == nullptr) {
        fprintf(stderr, "acpc: give a file with a game, and a number of rounds\n");
        return 2;
    }
    const long rounds = atol(word[2]);
    rng_state_t rng;
    init_genrand(&rng, 1);
    long decisions = 0;
    double won = 0;
    const double start = now();
    for (long round = 0; round < rounds; round++) {
        State state;
        initState(game, round, &state);
        dealCards(game, &rng, &state);
        while (!stateFinished(&state)) {
            Action call = {a_call, 0};
            if (currentPlayer(game, &state) >= game->numPlayers || !isValidAction(game, &state, 0, &call)) {
                fprintf(stderr, "acpc: a call is not allowed\n");
                return 1;
            }
            doAction(game, &call, &state);
            decisions++;
        }
        // So that the showdown is not left out: all that was won adds up to nothing.
        for (int player = 0; player < game->numPlayers; player++) won += valueOfState(game, &state, player);
    }
    const double seconds = now() - start;
    if (won != 0) {
        fprintf(stderr, "acpc: the chips do not add up\n");
        return 1;
    }
    printf("%ld rounds and %ld decisions in %.6f s\n", rounds, decisions, seconds);
}
