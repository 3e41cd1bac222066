import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A small sound player with one thing wrong, or one thing odd, chosen by name: java Bot WHAT HOST PORT.
 *
 * <p>tests/check.rs says what each fault must be found as.
 */
public class Bot {
    static String what;
    static Socket socket;
    static DataInputStream in;
    static DataOutputStream out;
    static PrintWriter lines;
    static ObjectOutputStream objects;
    static int putIn;
    static String street = "";

    static void write(String text) throws IOException {
        switch (what) {
            case "println" -> lines.println(text);
            case "write-chars" -> out.writeChars(text);
            case "write-bytes" -> out.writeBytes(text);
            case "objects" -> {
                objects.writeObject(text);
                objects.flush();
            }
            case "two-writes" -> {
                out.writeShort(text.length());
                out.flush();
                out.writeBytes(text);
            }
            default -> out.writeUTF(text);
        }
        if (!what.equals("no-flush")) {
            out.flush();
        }
    }

    static int rank(String card) {
        return List.of("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
                .indexOf(card.substring(0, card.length() - 1));
    }

    static String decide(String text) {
        String[] fields = text.split(":");
        int stack = Integer.parseInt(fields[1]);
        int toCall = Integer.parseInt(fields[3]);
        String hole = fields[4];
        boolean first = fields[0].equals("bet1");
        int marker = what.equals("up-at-field-6") ? 6 : first ? 6 : 7;
        if (!fields[marker].equals("up")) {
            throw new IllegalStateException("no list of cards in " + text);
        }
        List<String> own = Arrays.asList(fields).subList(5, marker);
        List<String> listed = Arrays.asList(fields).subList(marker + 1, fields.length);
        int best = -1;
        int at = listed.indexOf(own.get(0));
        if (what.equals("own-card-first")) {
            best = rank(listed.get(at - 1));
        }
        if (what.equals("array-of-eight")) {
            String[] cards = new String[8 * own.size()];
            for (int i = 0; i < listed.size(); i++) {
                cards[i] = listed.get(i);
            }
        }
        if (!fields[0].equals(street)) {
            putIn = 0;
            street = fields[0];
        }
        boolean strong = rank(hole) >= 10 || own.stream().anyMatch(card -> rank(card) == rank(hole)) || best > 99;
        if (stack < toCall && !what.equals("forgets-the-stack")) {
            return "fold";
        }
        int chips = strong && toCall < 40 ? toCall + 10 : toCall;
        if (!what.equals("forgets-the-stack")) {
            chips = Math.min(stack, chips);
        }
        if (!strong && toCall > 5) {
            return "fold";
        }
        putIn += chips;
        int said = what.equals("total") ? putIn : chips;
        if (what.equals("format")) {
            return String.format("bet:%d", said);
        }
        if (what.equals("prints")) {
            System.out.println("bet:" + said);
            return null;
        }
        return "bet:" + said;
    }

    static String read() throws IOException {
        if (what.equals("read-line")) {
            return new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
        }
        return in.readUTF();
    }

    static void play() throws IOException {
        if (what.equals("login-before-the-loop")) {
            read();
            write("odd:Java Bot");
        }
        while (true) {
            String text = read();
            if (text.startsWith("bet")) {
                String reply = decide(text);
                if (reply != null) {
                    write(reply);
                }
                if (what.equals("one-behind")) {
                    read();
                }
            } else if (text.startsWith("status")) {
                putIn = 0;
                street = "";
                if (what.equals("answers-status")) {
                    write("thanks");
                }
                if (what.equals("parses-none")) {
                    for (String card : text.split(":")[1].equals("x") ? new String[0] : text.substring(text.indexOf(':', 7) + 1).split(":")) {
                        if (rank(card) < 0) {
                            throw new IllegalArgumentException("no card: " + card);
                        }
                    }
                }
            } else if (text.startsWith("done")) {
                return;
            } else if (text.contains("login")) {
                if (!what.equals("login-before-the-loop")) {
                    write(what.equals("odd-name") ? "öd-d:Zoë \u2603 \uD83D\uDE00" : "odd:Java Bot");
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        what = args[0];
        if (what.equals("format")) {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        }
        int port = what.equals("fixed-address") ? 1 : Integer.parseInt(args[2]);
        socket = new Socket(args[1], port);
        socket.setTcpNoDelay(true);
        OutputStream to = socket.getOutputStream();
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(what.equals("no-flush") ? new BufferedOutputStream(to) : to);
        lines = new PrintWriter(to, true);
        if (what.equals("objects")) {
            objects = new ObjectOutputStream(to);
        }
        play();
        out.close();
        socket.close();
        if (what.equals("thread-left")) {
            new Thread(() -> {
                while (true) {
                    try {
                        Thread.sleep(1000);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }).start();
        }
        if (what.equals("ends-with-an-exception")) {
            in.readUTF();
        }
    }
}
