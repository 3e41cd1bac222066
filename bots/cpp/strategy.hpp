// How to play. The fields of a question are listed in question.hpp at "struct Question".
#pragma once

#include "question.hpp"

// Your login, without colons. The avatar is your public name.
inline const std::string GITHUB_ID = "starter-cpp";
inline const std::string AVATAR = "C++ Starter";

// One object plays the whole game, so its fields keep their values from round to round.
class Strategy {
public:
    // Answers with question.fold(), question.call() or question.raise_by(chips).
    Reply decide(const Question& question);

    // Called after each round. A place to learn from, which this strategy does not.
    void round_over(bool won, const std::vector<Card>& winning_hand);
};
