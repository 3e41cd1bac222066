// What the dealer asks and what can be answered. Nothing here needs editing.
#pragma once

#include <string>
#include <utility>
#include <vector>

// A card, written as in "10S" or "AD".
struct Card {
    int rank;  // 2 to 14: the jack is 11, the ace 14
    char suit; // one of C, D, H and S

    bool operator==(const Card& other) const { return rank == other.rank && suit == other.suit; }
};

// A legal answer to one question. Only a question makes them.
class Reply {
public:
    const std::string& text() const { return text_; }

private:
    friend struct Question;
    explicit Reply(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

// One "bet1" or "bet2" from the dealer, and the legal answers to it.
struct Question {
    int street;                            // 1 or 2
    long long stack;                       // chips we have left
    long long pot;                         // chips in the middle
    long long to_call;                     // chips we still have to add to stay in
    Card hole;                             // our hidden card
    std::vector<Card> up;                  // our open cards: one on street 1, two on street 2
    std::vector<std::vector<Card>> others; // the open cards of each other player

    // Reads "bet1:stack:pot:to call:hole:up card:up:..." or its "bet2" sister with two up cards.
    //
    // Throws std::invalid_argument when our own part cannot be read. In the part about the players, cards that
    // cannot be read are left out.
    static Question parse(const std::string& text);

    // Give up the round.
    Reply fold() const;

    // Add just what is asked, which may be nothing; fold if we cannot pay it.
    Reply call() const;

    // Add what is asked and up to this many chips more, as far as the rules and our stack allow.
    Reply raise_by(long long chips) const;

    // Every card we cannot see: still in the deck, or in the hole of somebody else.
    std::vector<Card> unseen() const;
};
