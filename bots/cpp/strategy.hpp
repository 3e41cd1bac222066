// How to play. What a question tells you is listed in question.hpp at "struct Question".
#pragma once

#include "question.hpp"

// Who you are. No colons. The avatar is the name everybody sees.
inline const std::string GITHUB_ID = "starter-cpp";
inline const std::string AVATAR = "C++ Starter";

// One object plays the whole game, so what you keep in its fields is remembered from round to round.
class Strategy {
public:
    // Answers with question.fold(), question.call() or question.raise_by(chips).
    Reply decide(const Question& question);

    // Called after each round. A place to learn from, which this strategy does not.
    void round_over(bool won, const std::vector<Card>& winning_hand);
};
