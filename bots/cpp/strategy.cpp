// How to play: the only file you need to edit, with your name and your fields in strategy.hpp.

#include "strategy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace {

// A bet means a better hand than average, so a call must promise this many times its price.
constexpr double CAUTION = 1.5;
// Raise when we can expect this many times the share of an average player.
constexpr double EDGE = 1.3;

// A larger value is a better hand: three of a kind, then a pair, then the high cards. The first part tells how many
// cards match another; the ranks follow, matching ones first, then from high to low.
std::pair<int, std::vector<int>> hand_value(const Card& hole, const std::vector<Card>& open_cards) {
    std::vector<int> ranks{hole.rank};
    for (const Card& card : open_cards) {
        ranks.push_back(card.rank);
    }
    int times[15] = {};
    int different = 0;
    for (int rank : ranks) {
        different += times[rank]++ == 0;
    }
    std::sort(ranks.begin(), ranks.end(), [&](int a, int b) {
        return std::make_pair(times[a], a) > std::make_pair(times[b], b);
    });
    return {static_cast<int>(ranks.size()) - different, ranks};
}

// Tries every unseen card as the hole card of each other player.
double chance_of_best_hand(const Question& question, const std::vector<Card>& unseen) {
    const auto ours = hand_value(question.hole, question.up);
    double chance = 1;
    for (const auto& open_cards : question.others) {
        double beaten = 0;
        for (const Card& hole : unseen) {
            const auto theirs = hand_value(hole, open_cards);
            beaten += ours > theirs ? 1 : ours == theirs ? 0.5 : 0;
        }
        chance *= beaten / static_cast<double>(unseen.size());
    }
    return chance;
}

// How likely it is that no other player has a spade in the hole that beats ours, if ours is one.
double chance_of_no_better_spade(const Question& question, const std::vector<Card>& unseen) {
    const int to_beat = question.hole.suit == 'S' ? question.hole.rank : 0;
    const auto better = std::count_if(unseen.begin(), unseen.end(), [&](const Card& card) {
        return card.suit == 'S' && card.rank > to_beat;
    });
    const double share = static_cast<double>(better) / static_cast<double>(unseen.size());
    return std::pow(1 - share, static_cast<double>(question.others.size()));
}

// Our average share of the pot if all hands were compared now, without any folds.
double expected_share(const Question& question) {
    const std::vector<Card> unseen = question.unseen();
    const double best_hand = chance_of_best_hand(question, unseen);
    double spade_half = chance_of_no_better_spade(question, unseen);
    if (question.hole.suit != 'S') {
        spade_half *= best_hand; // with no spade in any hole, the best hand takes it all
    }
    return (best_hand + spade_half) / 2;
}

} // namespace

Reply Strategy::decide(const Question& question) {
    const double share = expected_share(question);
    const double pot = static_cast<double>(question.pot);
    const double price = static_cast<double>(question.to_call);
    if (share * (pot + price) < CAUTION * price) {
        return question.fold();
    }
    const double average_share = 1 / static_cast<double>(question.others.size() + 1);
    if (share > EDGE * average_share) {
        // Half the pot is a raise that worse hands still pay, a tenth of the stack one we can afford to lose.
        return question.raise_by(std::min(question.pot / 2, question.stack / 10));
    }
    return question.call();
}

void Strategy::round_over(bool, const std::vector<Card>&) {}
