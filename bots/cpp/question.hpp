// Questions of the dealer and their replies. Nothing here needs editing.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
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

    // Add just the chips to call, which may be 0; fold if we cannot pay them.
    Reply call() const;

    // Add the chips to call and up to this many chips more, as far as the rules and our stack allow.
    Reply raise_by(long long chips) const;

    // All cards we cannot see: in the deck, or hole cards of others.
    std::vector<Card> unseen() const;
};

// How the text of a command is read.
namespace wire {

inline constexpr long long MAX_RAISE = 10;
inline const std::vector<std::string> RANKS = {"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"};
inline const std::string SUITS = "CDHS";

inline std::optional<Card> parse_card(const std::string& text) {
    if (text.empty() || SUITS.find(text.back()) == std::string::npos) {
        return std::nullopt;
    }
    const auto rank = std::find(RANKS.begin(), RANKS.end(), text.substr(0, text.size() - 1));
    if (rank == RANKS.end()) {
        return std::nullopt;
    }
    return Card{static_cast<int>(rank - RANKS.begin()) + 2, text.back()};
}

inline std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> fields(1);
    for (char c : text) {
        if (c == ':') {
            fields.emplace_back();
        } else {
            fields.back().push_back(c);
        }
    }
    return fields;
}

// The cards among some fields. Those that cannot be read are left out.
inline std::vector<Card> cards(const std::vector<std::string>& fields, std::size_t from, std::size_t to) {
    std::vector<Card> cards;
    for (std::size_t i = from; i < std::min(to, fields.size()); i++) {
        if (const auto card = parse_card(fields[i])) {
            cards.push_back(*card);
        }
    }
    return cards;
}

inline bool contains(const std::vector<Card>& cards, const Card& card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
}

inline long long chips(const std::string& field) {
    const bool digits = std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || field.empty() || field.size() > 18) {
        throw std::invalid_argument("a number of chips that is none");
    }
    return std::stoll(field);
}

} // namespace wire

inline Question Question::parse(const std::string& text) {
    const std::vector<std::string> fields = wire::split(text);
    const std::size_t street = fields[0] == "bet1" ? 1 : 2;
    std::size_t marker = 6;
    while (marker < fields.size() && fields[marker] != "up") {
        marker++;
    }
    if (marker >= fields.size()) {
        throw std::invalid_argument("no list of open cards");
    }
    const std::vector<Card> own = wire::cards(fields, 4, marker);
    if (own.size() != marker - 4) {
        throw std::invalid_argument("a card of ours that is none");
    }
    const std::vector<Card> up(own.begin() + 1, own.end());
    std::vector<std::vector<Card>> others;
    for (std::size_t start = marker + 1; start < fields.size(); start += street) {
        const std::vector<Card> hand = wire::cards(fields, start, start + street);
        if (!hand.empty() && !wire::contains(hand, up[0])) {
            others.push_back(hand);
        }
    }
    return {static_cast<int>(street), wire::chips(fields[1]), wire::chips(fields[2]), wire::chips(fields[3]), own[0], up, others};
}

inline Reply Question::fold() const {
    return Reply("fold");
}

inline Reply Question::call() const {
    return raise_by(0);
}

inline Reply Question::raise_by(long long chips) const {
    if (stack < to_call) {
        return fold();
    }
    const long long extra = std::max(0LL, std::min({chips, wire::MAX_RAISE, stack - to_call}));
    return Reply("bet:" + std::to_string(to_call + extra));
}

inline std::vector<Card> Question::unseen() const {
    std::vector<Card> unseen;
    for (int rank = 2; rank <= 14; rank++) {
        for (char suit : wire::SUITS) {
            const Card card{rank, suit};
            const bool open = std::any_of(others.begin(), others.end(), [&](const auto& hand) {
                return wire::contains(hand, card);
            });
            if (!(card == hole) && !wire::contains(up, card) && !open) {
                unseen.push_back(card);
            }
        }
    }
    return unseen;
}
