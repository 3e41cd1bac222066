// The game as a student might write it. The course's generator is the C++ library's, with the seed 0.
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "deck.h"
#include "player.h"

using namespace std;

static void shuffle(Deck &deck, Player *player, mt19937 &random) {
    cout << "Shuffling the deck\n";
    for (int i = 0; i < 7; ++i) {
        int cut = 13 + random() % 27;
        cout << "cut at " << cut << endl;
        deck.shuffle(cut);
    }
    player->shuffled();
}

static Card dealt(const char *whom, Deck &deck, Player *player) {
    Card c = deck.deal();
    cout << whom << " dealt " << SpotNames[c.spot] << " of " << SuitNames[c.suit] << endl;
    player->expose(c);
    return c;
}

static int won(Deck &deck, Player *player, int wager) {
    Hand mine, dealers;
    mine.addCard(dealt("Player", deck, player));
    Card up = dealt("Dealer", deck, player);
    dealers.addCard(up);
    mine.addCard(dealt("Player", deck, player));
    Card hole = deck.deal();
    dealers.addCard(hole);
    if (mine.handValue().count == 21) {
        cout << "Player dealt natural 21\n";
        return wager * 3 / 2;
    }
    while (mine.handValue().count <= 21 && player->draw(up, mine)) mine.addCard(dealt("Player", deck, player));
    int count = mine.handValue().count;
    cout << "Player's total is " << count << endl;
    if (count > 21) {
        cout << "Player busts\n";
        return -wager;
    }
    cout << "Dealer's hole card is " << SpotNames[hole.spot] << " of " << SuitNames[hole.suit] << endl;
    player->expose(hole);
    while (dealers.handValue().count < 17) dealers.addCard(dealt("Dealer", deck, player));
    int other = dealers.handValue().count;
    cout << "Dealer's total is " << other << endl;
    if (other > 21) {
        cout << "Dealer busts\n";
        return wager;
    }
    if (other == count) {
        cout << "Push\n";
        return 0;
    }
    cout << (other > count ? "Dealer" : "Player") << " wins\n";
    return other > count ? -wager : wager;
}

int main(int, char **argv) {
    int bankroll = atoi(argv[1]), hands = atoi(argv[2]), hand = 0;
    Player *player = string(argv[3]) == "simple" ? get_Simple() : get_Counting();
    mt19937 random(0);
    Deck deck;
    shuffle(deck, player, random);
    while (bankroll >= 5 && hand < hands) {
        cout << "Hand " << ++hand << " bankroll " << bankroll << endl;
        if (deck.cardsLeft() < 20) shuffle(deck, player, random);
        int wager = player->bet(bankroll, 5);
        cout << "Player bets " << wager << endl;
        bankroll += won(deck, player, wager);
    }
    cout << "Player has " << bankroll << " after " << hand << " hands\n";
}
