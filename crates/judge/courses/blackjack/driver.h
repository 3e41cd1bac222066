// What the drivers share: the list of operations, cards as two letters, and what was observed.
//
// The first line of the list is a mark. Every observation is a line of its own that begins with the mark, so that it is
// told from whatever an implementation prints. Nothing but the C library is included: a driver is compiled in no time.
#ifndef CASINO_DRIVER_H
#define CASINO_DRIVER_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "card.h"

// The longest line of a list, and the most words in it.
const int LineSize = 1024;
const int MostWords = 64;

// What a driver ends with that does not understand its list.
const int NoList = 70;

static char mark[LineSize];

// An operation in words.
struct Operation {
    int count;
    const char *word[MostWords];

    bool is(int at, const char *text) const { return at < count && std::strcmp(word[at], text) == 0; }

    long number(int at) const { return at < count ? std::strtol(word[at], nullptr, 10) : 0; }
};

inline void observe(const char *what) { std::printf("\n%s %s\n", mark, what); }

inline void observeNumber(long number, const char *more = "") { std::printf("\n%s %ld%s\n", mark, number, more); }

inline void unknown(const Operation &operation) {
    std::fprintf(stderr, "%s is no operation\n", operation.count > 0 ? operation.word[0] : "an empty line");
    std::exit(NoList);
}

static const char spotLetters[] = "23456789TJQKA";
static const char suitLetters[] = "SHCD";
static const Spot spotsInOrder[] = {TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE};
static const Suit suitsInOrder[] = {SPADES, HEARTS, CLUBS, DIAMONDS};

// A card of its two letters, such as TS for the ten of spades.
inline Card cardOf(const char *text) {
    const char *spot = std::strchr(spotLetters, text[0]);
    const char *suit = std::strchr(suitLetters, text[1]);
    if (text[0] == '\0' || spot == nullptr || suit == nullptr) {
        std::exit(NoList);
    }
    Card card;
    card.spot = spotsInOrder[spot - spotLetters];
    card.suit = suitsInOrder[suit - suitLetters];
    return card;
}

// A card as its two letters, or as its numbers in brackets if there is no such card.
inline void observeCard(Card card) {
    char text[3] = "";
    for (int at = 0; at < 13; at++) {
        if (card.spot == spotsInOrder[at]) {
            text[0] = spotLetters[at];
        }
    }
    for (int at = 0; at < 4; at++) {
        if (card.suit == suitsInOrder[at]) {
            text[1] = suitLetters[at];
        }
    }
    if (text[0] != '\0' && text[1] != '\0') {
        observe(text);
    } else {
        std::printf("\n%s (%d,%d)\n", mark, static_cast<int>(card.spot), static_cast<int>(card.suit));
    }
}

inline bool readLine(std::FILE *list, char *line) {
    if (std::fgets(line, LineSize, list) == nullptr) {
        return false;
    }
    line[std::strcspn(line, "\r\n")] = '\0';
    return true;
}

// Does every operation of the file that the command line names. An exception that leaves one is observed.
inline int drive(int words, char **word, void (*operate)(const Operation &)) {
    std::FILE *list = words == 2 ? std::fopen(word[1], "r") : nullptr;
    if (list == nullptr || !readLine(list, mark)) {
        return NoList;
    }
    char line[LineSize];
    while (readLine(list, line)) {
        Operation operation = {0, {nullptr}};
        for (char *next = std::strtok(line, " "); next != nullptr && operation.count < MostWords;
             next = std::strtok(nullptr, " ")) {
            operation.word[operation.count++] = next;
        }
        try {
            operate(operation);
        } catch (...) {
            observe("exception");
        }
        std::fflush(stdout);
    }
    return 0;
}

#endif
