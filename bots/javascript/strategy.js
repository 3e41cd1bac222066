'use strict';

/** How to play: the only file you need to edit. */

// Your login, without colons. The avatar is your public name.
const GITHUB_ID = 'starter-javascript';
const AVATAR = 'JavaScript Starter';

// A bet means a better hand than average, so a call must promise this many times its price.
const CAUTION = 1.5;
// Raise when we can expect this many times the share of an average player.
const EDGE = 1.3;

/** One object plays the whole game, so its fields keep their values from round to round. */
class Strategy {
  /**
   * Answers with question.fold(), question.call() or question.raiseBy(chips).
   *
   * The fields of a question are listed in poker.js at "class Question".
   */
  decide(question) {
    const share = expectedShare(question);
    if (share * (question.pot + question.toCall) < CAUTION * question.toCall) {
      return question.fold();
    }
    const averageShare = 1 / (question.others.length + 1);
    if (share > EDGE * averageShare) {
      // Half the pot is a raise that worse hands still pay, a tenth of the stack one we can afford to lose.
      return question.raiseBy(Math.min(Math.floor(question.pot / 2), Math.floor(question.stack / 10)));
    }
    return question.call();
  }

  /** Called after each round. A place to learn from, which this strategy does not. */
  roundOver(won, winningHand) {}
}

/** Our average share of the pot if all hands were compared now, without any folds. */
function expectedShare(question) {
  const unseen = question.unseen();
  const bestHand = chanceOfBestHand(question, unseen);
  let spadeHalf = chanceOfNoBetterSpade(question, unseen);
  if (question.hole.suit !== 'S') {
    spadeHalf *= bestHand; // with no spade in any hole, the best hand takes it all
  }
  return (bestHand + spadeHalf) / 2;
}

/** Tries every unseen card as the hole card of each other player. */
function chanceOfBestHand(question, unseen) {
  const ours = handValue([question.hole, ...question.up]);
  let chance = 1;
  for (const openCards of question.others) {
    let beaten = 0;
    for (const hole of unseen) {
      const order = compare(ours, handValue([hole, ...openCards]));
      beaten += order > 0 ? 1 : order === 0 ? 0.5 : 0;
    }
    chance *= beaten / unseen.length;
  }
  return chance;
}

/** How likely it is that no other player has a spade in the hole that beats ours, if ours is one. */
function chanceOfNoBetterSpade(question, unseen) {
  const toBeat = question.hole.suit === 'S' ? question.hole.rank : 0;
  const better = unseen.filter((card) => card.suit === 'S' && card.rank > toBeat).length;
  return Math.pow(1 - better / unseen.length, question.others.length);
}

/**
 * A larger value is a better hand: three of a kind, then a pair, then the high cards.
 *
 * The first number is the count of matching cards; the ranks follow, matching ones first, then from high to low.
 */
function handValue(cards) {
  const ranks = cards.map((card) => card.rank);
  const times = (rank) => ranks.filter((other) => other === rank).length;
  const sorted = [...ranks].sort((a, b) => times(b) - times(a) || b - a);
  return [ranks.length - new Set(ranks).size, ...sorted];
}

/** Above 0 if the first value is the larger one, 0 if they are equal. */
function compare(first, second) {
  for (let i = 0; i < Math.min(first.length, second.length); i++) {
    if (first[i] !== second[i]) {
      return first[i] - second[i];
    }
  }
  return first.length - second.length;
}

module.exports = { GITHUB_ID, AVATAR, Strategy };
