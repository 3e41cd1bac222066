import java.util.Arrays;
import java.util.List;

/**
 * How to play: the only file you need to edit.
 *
 * <p>One object plays the whole game, so its fields keep their values from round to round.
 */
class Strategy {
    // Your login, without colons. The avatar is your public name.
    static final String GITHUB_ID = "starter-java";
    static final String AVATAR = "Java Starter";

    /** A bet means a better hand than average, so a call must promise this many times its price. */
    private static final double CAUTION = 1.5;

    /** Raise when we can expect this many times the share of an average player. */
    private static final double EDGE = 1.3;

    /**
     * Answers with question.fold(), question.call() or question.raiseBy(chips).
     *
     * <p>The fields of a question are listed in Poker.java at "record Question".
     */
    Poker.Reply decide(Poker.Question question) {
        double share = expectedShare(question);
        if (share * (question.pot() + question.toCall()) < CAUTION * question.toCall()) {
            return question.fold();
        }
        double averageShare = 1.0 / (question.others().size() + 1);
        if (share > EDGE * averageShare) {
            // Half the pot is a raise that worse hands still pay, a tenth of the stack one we can afford to lose.
            return question.raiseBy(Math.min(question.pot() / 2, question.stack() / 10));
        }
        return question.call();
    }

    /** Called after each round. A place to learn from, which this strategy does not. */
    void roundOver(boolean won, List<Poker.Card> winningHand) {}

    /** Our average share of the pot if all hands were compared now, without any folds. */
    private static double expectedShare(Poker.Question question) {
        List<Poker.Card> unseen = question.unseen();
        double bestHand = chanceOfBestHand(question, unseen);
        double spadeHalf = chanceOfNoBetterSpade(question, unseen);
        if (question.hole().suit() != 'S') {
            spadeHalf *= bestHand; // with no spade in any hole, the best hand takes it all
        }
        return (bestHand + spadeHalf) / 2;
    }

    /** Tries every unseen card as the hole card of each other player. */
    private static double chanceOfBestHand(Poker.Question question, List<Poker.Card> unseen) {
        int[] ours = handValue(question.hole(), question.up());
        double chance = 1;
        for (List<Poker.Card> openCards : question.others()) {
            double beaten = 0;
            for (Poker.Card hole : unseen) {
                int order = Arrays.compare(ours, handValue(hole, openCards));
                beaten += order > 0 ? 1 : order == 0 ? 0.5 : 0;
            }
            chance *= beaten / unseen.size();
        }
        return chance;
    }

    /** How likely it is that no other player has a spade in the hole that beats ours, if ours is one. */
    private static double chanceOfNoBetterSpade(Poker.Question question, List<Poker.Card> unseen) {
        int toBeat = question.hole().suit() == 'S' ? question.hole().rank() : 0;
        double better = 0;
        for (Poker.Card card : unseen) {
            if (card.suit() == 'S' && card.rank() > toBeat) {
                better++;
            }
        }
        return Math.pow(1 - better / unseen.size(), question.others().size());
    }

    /**
     * A larger value is a better hand: three of a kind, then a pair, then the high cards.
     *
     * <p>The first number tells how many cards match another; the ranks follow, matching ones first, then from
     * high to low.
     */
    private static int[] handValue(Poker.Card hole, List<Poker.Card> openCards) {
        int[] count = new int[15];
        count[hole.rank()]++;
        for (Poker.Card card : openCards) {
            count[card.rank()]++;
        }
        int[] value = new int[openCards.size() + 2];
        int length = 1;
        for (int times = 3; times >= 1; times--) {
            for (int rank = 14; rank >= 2; rank--) {
                if (count[rank] == times) {
                    value[0] += times - 1;
                    Arrays.fill(value, length, length + times, rank);
                    length += times;
                }
            }
        }
        return value;
    }
}
