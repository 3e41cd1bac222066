import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The wire: connects to the dealer, reads its commands and writes the replies.
 *
 * <p>Nothing here needs editing. How to play is in Strategy.java.
 */
public class Poker {
    private static final int MAX_RAISE = 10;
    private static final int LONGEST_FRAME = 65535;

    /** The seconds in which we try to come back after a game, or when the connection is lost. */
    private static final int PATIENCE = 600;

    /** The seconds between two tries grow up to this. */
    private static final int LONGEST_PAUSE = 15;

    /** A card. The rank is 2 to 14: the jack is 11, the ace 14. The suit is C, D, H or S. */
    record Card(int rank, char suit) {
        private static final List<String> RANKS =
                List.of("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A");
        private static final String SUITS = "CDHS";

        /** All 52 cards. */
        static final List<Card> DECK = deck();

        private static List<Card> deck() {
            List<Card> deck = new ArrayList<>();
            for (int rank = 2; rank <= 14; rank++) {
                for (char suit : SUITS.toCharArray()) {
                    deck.add(new Card(rank, suit));
                }
            }
            return List.copyOf(deck);
        }

        /** The card written as in "10S" or "AD", or null if this is none. */
        static Card parse(String text) {
            if (text.isEmpty()) {
                return null;
            }
            int last = text.length() - 1;
            int rank = RANKS.indexOf(text.substring(0, last)) + 2;
            char suit = text.charAt(last);
            return rank < 2 || SUITS.indexOf(suit) < 0 ? null : new Card(rank, suit);
        }
    }

    /** A legal answer to one question. Only a question makes them. */
    static final class Reply {
        private final String text;

        private Reply(String text) {
            this.text = text;
        }
    }

    /**
     * One "bet1" or "bet2" from the dealer, and the legal answers to it.
     *
     * @param street 1 or 2
     * @param stack chips we have left
     * @param pot chips in the middle
     * @param toCall chips we still have to add to stay in
     * @param hole our hidden card
     * @param up our open cards: one on street 1, two on street 2
     * @param others the open cards of each other player
     */
    record Question(int street, long stack, long pot, long toCall, Card hole, List<Card> up, List<List<Card>> others) {

        /**
         * Reads "bet1:stack:pot:to call:hole:up card:up:..." or its "bet2" sister with two up cards.
         *
         * <p>In the part about the players, cards that cannot be read are left out.
         *
         * @throws IllegalArgumentException when our own part cannot be read
         */
        static Question parse(String text) {
            List<String> fields = List.of(text.split(":", -1));
            int street = fields.get(0).equals("bet1") ? 1 : 2;
            int marker = 6;
            while (marker < fields.size() && !fields.get(marker).equals("up")) {
                marker++;
            }
            if (marker >= fields.size()) {
                throw new IllegalArgumentException("no list of open cards");
            }
            List<Card> own = cards(fields.subList(4, marker));
            if (own.size() != marker - 4) {
                throw new IllegalArgumentException("a card of ours that is none");
            }
            Card hole = own.get(0);
            List<Card> up = own.subList(1, own.size());

            List<List<Card>> others = new ArrayList<>();
            for (int start = marker + 1; start < fields.size(); start += street) {
                List<Card> hand = cards(fields.subList(start, Math.min(start + street, fields.size())));
                if (!hand.isEmpty() && !hand.contains(up.get(0))) {
                    others.add(hand);
                }
            }
            long stack = chips(fields.get(1));
            long pot = chips(fields.get(2));
            long toCall = chips(fields.get(3));
            return new Question(street, stack, pot, toCall, hole, up, others);
        }

        private static long chips(String field) {
            long chips = Long.parseLong(field);
            if (chips < 0) {
                throw new IllegalArgumentException("a negative number of chips");
            }
            return chips;
        }

        /** Give up the round. */
        Reply fold() {
            return new Reply("fold");
        }

        /** Add just the chips to call, which may be 0; fold if we cannot pay them. */
        Reply call() {
            return raiseBy(0);
        }

        /** Add the chips to call and up to this many chips more, as far as the rules and our stack allow. */
        Reply raiseBy(long chips) {
            if (stack < toCall) {
                return fold();
            }
            long extra = Math.max(0, Math.min(chips, Math.min(MAX_RAISE, stack - toCall)));
            // Not String.format: in some languages it writes digits the dealer cannot read.
            return new Reply("bet:" + (toCall + extra));
        }

        /** All cards we cannot see: in the deck, or hole cards of others. */
        List<Card> unseen() {
            Set<Card> seen = new HashSet<>(up);
            seen.add(hole);
            others.forEach(seen::addAll);
            List<Card> unseen = new ArrayList<>(Card.DECK);
            unseen.removeAll(seen);
            return unseen;
        }
    }

    /** The connection: frames of a two-byte length and that many bytes of text. */
    private static final class Dealer implements Closeable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;
        private int waited; // how much of our patience is used up, if it never asks for a bet

        Dealer(String host, int port) throws IOException {
            socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
        }

        String read() throws IOException {
            return in.readUTF();
        }

        void write(String text) {
            try {
                out.writeUTF(text);
                out.flush();
            } catch (IOException hungUp) {
                // Why the dealer hung up may still wait to be read: the next read will tell.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** The cards among these fields. Those that cannot be read are left out. */
    private static List<Card> cards(List<String> fields) {
        List<Card> cards = new ArrayList<>();
        for (String field : fields) {
            Card card = Card.parse(field);
            if (card != null) {
                cards.add(card);
            }
        }
        return cards;
    }

    /** Our reply to a question. A question or a strategy that fails costs the round, not the game. */
    private static String answer(Strategy strategy, String text) {
        Question question;
        try {
            question = Question.parse(text);
        } catch (IllegalArgumentException unreadable) {
            System.err.println("Cannot read this question, so I fold: " + text);
            return "fold";
        }
        try {
            return Objects.requireNonNull(strategy.decide(question), "decide returned null").text;
        } catch (RuntimeException | StackOverflowError bug) {
            bug.printStackTrace();
            System.err.println("The strategy failed, so I fold: " + text);
            return "fold";
        }
    }

    /** Hands "status:win or lose:card:card:card" to the strategy. Dealers leave fields out at times. */
    private static void tellStatus(Strategy strategy, String text) {
        List<String> fields = List.of(text.split(":", -1));
        boolean won = fields.size() > 1 && fields.get(1).equals("win");
        try {
            strategy.roundOver(won, cards(fields.subList(Math.min(2, fields.size()), fields.size())));
        } catch (RuntimeException | StackOverflowError bug) {
            bug.printStackTrace();
        }
    }

    /** Answers the dealer until it says "done", and returns its reason. */
    private static String play(Dealer dealer, String name, Strategy strategy) throws IOException {
        while (true) {
            String text = dealer.read();
            String[] parts = text.split(":", 2);
            switch (parts[0]) {
                case "login" -> dealer.write(name);
                case "bet1", "bet2" -> {
                    dealer.waited = 0;
                    dealer.write(answer(strategy, text));
                }
                case "status" -> tellStatus(strategy, text);
                case "done" -> {
                    return parts.length > 1 ? parts[1] : "";
                }
                default -> { } // a command we do not know is not for us
            }
        }
    }

    /**
     * Tries to connect: a dealer that died may be started again, and one that said "done" may begin another game.
     *
     * @param waited how much of our patience is used up
     */
    private static Dealer comeBack(String host, int port, int waited) {
        System.err.println("I try to come back for " + (PATIENCE - waited) + " seconds. Ctrl-C ends that.");
        while (waited < PATIENCE) {
            int pause = Math.min(waited + 1, LONGEST_PAUSE);
            waited += pause;
            try {
                Thread.sleep(1000L * pause);
                Dealer dealer = new Dealer(host, port);
                dealer.waited = waited;
                System.err.println("The dealer is back.");
                return dealer;
            } catch (IOException notYet) {
                // Perhaps the next time.
            } catch (InterruptedException stopped) {
                break;
            }
        }
        System.err.println("The dealer did not come back.");
        return null;
    }

    /** "GitHubId:avatar", from the environment or from the top of Strategy.java. */
    private static String loginName() {
        String id = fromEnvironment("CASINO_ID", Strategy.GITHUB_ID);
        String avatar = fromEnvironment("CASINO_AVATAR", Strategy.AVATAR);
        for (String part : List.of(id, avatar)) {
            if (part.isEmpty() || part.contains(":")) {
                throw new IllegalArgumentException(
                        "the GitHubId and the avatar must not be empty and must not contain a colon");
            }
        }
        String name = id + ":" + avatar;
        if (name.length() > LONGEST_FRAME / 3) { // a char takes three bytes at most
            throw new IllegalArgumentException("it is too long");
        }
        return name;
    }

    private static String fromEnvironment(String variable, String otherwise) {
        String value = System.getenv(variable);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private static int run(String[] args) {
        List<String> more = new ArrayList<>(List.of(args).subList(Math.min(2, args.length), args.length));
        // A program that was started for one game must end after it.
        boolean once = more.remove("--once") | !fromEnvironment("CASINO_ONCE", "").isEmpty();
        boolean again = more.remove("--again") || !once;
        boolean hasKey = more.size() == 2 && more.get(0).equals("--key");
        if (args.length < 2 || !more.isEmpty() && !hasKey || !isPort(args[1])) {
            System.err.println("usage: java Poker HOST PORT [--once] [--key KEY]");
            return 2;
        }
        String host = args[0];
        int port = Integer.parseInt(args[1]);
        String name;
        try {
            name = loginName();
        } catch (IllegalArgumentException error) {
            System.err.println("Cannot use this name: " + error.getMessage() + ".");
            return 2;
        }

        Dealer dealer;
        try {
            dealer = new Dealer(host, port);
        } catch (UnknownHostException error) {
            System.err.println("There is no host called " + host + ".");
            return 1;
        } catch (ConnectException error) {
            System.err.println("Nobody answers at " + host + " port " + port + ". Is the dealer running there?");
            return 1;
        } catch (IOException error) {
            System.err.println("Cannot connect to " + host + " port " + port + ": " + error.getMessage() + ".");
            return 1;
        }
        System.out.println("Connected to " + host + " port " + port + " as " + name);
        if (hasKey) {
            name += "#" + more.get(1);
        }
        Strategy strategy = new Strategy();
        int code = 1;
        while (dealer != null) {
            code = 1;
            try (Dealer connected = dealer) {
                System.out.println("done: " + play(connected, name, strategy));
                if (!again) {
                    return 0;
                }
                code = 0;
                strategy = new Strategy();
            } catch (EOFException | SocketException error) {
                System.err.println("The dealer closed the connection without saying why.");
            } catch (UTFDataFormatException error) {
                System.err.println("The dealer sent a frame that is not modified UTF-8.");
                return 1;
            } catch (IOException error) {
                System.err.println("The connection to the dealer failed: " + error.getMessage() + ".");
            }
            dealer = comeBack(host, port, dealer.waited);
        }
        return code;
    }

    private static boolean isPort(String text) {
        return text.matches("[0-9]{1,5}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= 65535;
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }
}
