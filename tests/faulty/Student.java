import java.io.*;
import java.net.Socket;
import java.util.*;

/**
 * A course player as students write it, with one true fault chosen by name: java Student FAULT HOST PORT.
 *
 * <p>Written from the course's document and from what was seen in labs, with no look at how the checker makes its
 * diagnoses. tests/diagnoses.rs says what each fault truly is, and what may be said of it.
 */
public class Student {
    private final String fault;
    private Socket socket;
    private DataInputStream dis;
    private DataOutputStream dos;
    private PrintWriter writer;
    private BufferedReader reader;
    private Scanner scanner;
    private int total;
    private int asked;
    private Map<String, Integer> history;
    private final List<int[]> memory = new ArrayList<>();

    Student(String fault, String host, int port) throws IOException {
        this.fault = fault;
        socket = new Socket(host, port);
        dis = new DataInputStream(socket.getInputStream());
        OutputStream to = socket.getOutputStream();
        if (is("buffered")) {
            to = new BufferedOutputStream(to);
        }
        dos = new DataOutputStream(to);
        writer = new PrintWriter(to, true);
        reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        scanner = new Scanner(socket.getInputStream());
    }

    private boolean is(String name) {
        return fault.equals(name);
    }

    private void write(String text) throws IOException {
        switch (fault) {
            case "println" -> writer.println(text);
            case "print-without-newline" -> {
                writer.print(text);
                writer.flush();
            }
            case "write-bytes" -> dos.writeBytes(text);
            case "write-chars" -> dos.writeChars(text);
            case "write-bytes-line" -> dos.writeBytes(text + "\n");
            case "write-int-length" -> {
                dos.writeInt(text.length());
                dos.writeBytes(text);
            }
            case "object-stream" -> {
                ObjectOutputStream oos = new ObjectOutputStream(socket.getOutputStream());
                oos.writeObject(text);
                oos.flush();
            }
            case "reversed-length" -> {
                dos.writeShort(Short.reverseBytes((short) text.length()));
                dos.writeBytes(text);
            }
            case "utf-twice" -> {
                dos.writeShort(text.length());
                dos.writeUTF(text);
            }
            default -> dos.writeUTF(text);
        }
        if (!is("buffered")) {
            dos.flush();
        }
    }

    private String read() throws IOException {
        return switch (fault) {
            case "read-line" -> reader.readLine();
            case "scanner-socket" -> scanner.nextLine();
            case "scanner-next" -> scanner.next();
            case "read-int-length" -> {
                byte[] data = new byte[dis.readInt()];
                dis.readFully(data);
                yield new String(data);
            }
            case "read-available" -> {
                byte[] data = new byte[dis.available()];
                dis.read(data);
                yield new String(data);
            }
            case "read-object" -> {
                try {
                    yield (String) new ObjectInputStream(socket.getInputStream()).readObject();
                } catch (ClassNotFoundException e) {
                    throw new IOException(e);
                }
            }
            default -> dis.readUTF();
        };
    }

    private int value(String card) {
        String v = card.substring(0, card.length() - 1);
        if (is("parse-int-card")) {
            return Integer.parseInt(v);
        }
        if (is("char-at")) {
            char c = card.charAt(0);
            int at = "23456789TJQKA".indexOf(c);
            int[] values = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
            return values[at];
        }
        return switch (v) {
            case "J" -> 11;
            case "Q" -> 12;
            case "K" -> 13;
            case "A" -> 14;
            default -> Integer.parseInt(v);
        };
    }

    private String bet(int street, int stack, int pot, int toCall, String hole, List<String> up, List<String> all)
            throws Exception {
        asked++;
        if (is("odds")) {
            int odds = 100 / toCall;
            if (odds > 50) {
                return "fold";
            }
        }
        if (is("odds-of-bet2") && street == 2) {
            int odds = pot / toCall;
        }
        if (is("null-history")) {
            history.put(hole, asked);
        }
        if (is("null-in-bet2") && street == 2) {
            history.put(hole, asked);
        }
        if (is("array-of-five")) {
            int[] cards = new int[5];
            for (int i = 0; i < all.size() / street; i++) {
                cards[i] = value(all.get(i * street));
            }
        }
        if (is("third-player")) {
            int neighbour = value(all.get(2 * street));
        }
        if (is("next-to-mine")) {
            int neighbour = value(all.get(all.indexOf(up.get(0)) + street));
        }
        if (is("sleeps") || is("sleeps-at-times") && asked % 4 == 0) {
            Thread.sleep((long) (1600 * Double.parseDouble(System.getenv("CHECK_REPLY_SECONDS"))));
        }
        boolean pair = value(hole) == value(up.get(0));
        if (street == 2) {
            pair |= value(hole) == value(up.get(1)) || value(up.get(0)) == value(up.get(1));
        }
        if (is("endless")) {
            while (pair || toCall >= 0) {
                pot++;
            }
        }
        if (is("stack-overflow")) {
            return bet(street, stack, pot, toCall, hole, up, all);
        }
        if (is("leak")) {
            while (true) {
                memory.add(new int[10_000_000]);
            }
        }
        if (is("keyboard-bet")) {
            System.out.print("Your bet? ");
            return "bet:" + new Scanner(System.in).nextInt();
        }
        boolean strong = pair || value(hole) >= 12 || hole.endsWith("S");
        if (toCall > stack && !is("cannot-call") && !is("over-stack") && !is("all-in-when-short")) {
            return "fold";
        }
        if (is("all-in-when-short") && toCall > stack) {
            return "bet:" + stack;
        }
        if (is("twenty")) {
            return "bet:" + (toCall + 20);
        }
        if (is("below")) {
            return "bet:" + (strong ? 10 : 1);
        }
        if (is("zero")) {
            return "bet:0";
        }
        if (is("whole-stack")) {
            return "bet:" + stack;
        }
        int most = is("over-stack") ? toCall + 10 : Math.min(stack, toCall + 10);
        int chips = strong ? most : toCall;
        if (!strong && toCall > 6 && !is("cannot-call")) {
            return "fold";
        }
        total += chips;
        return switch (fault) {
            case "total" -> "bet:" + total;
            case "total-of-ante" -> "bet:" + (chips + 1);
            case "capital" -> "Bet:" + chips;
            case "space" -> "bet: " + chips;
            case "equals-sign" -> "bet=" + chips;
            case "double" -> "bet:" + (double) chips;
            case "call-word" -> chips == toCall ? "call" : "raise:" + chips;
            case "newline" -> "bet:" + chips + "\n";
            case "with-name" -> "greta:bet:" + chips;
            case "null-reply" -> null + "";
            case "short-overflow" -> "bet:" + (byte) (chips + 250);
            default -> "bet:" + chips;
        };
    }

    private String decide(String text) throws Exception {
        String[] f = text.split(is("splits-commas") ? "," : ":");
        int street = f[0].equals("bet1") ? 1 : 2;
        int stack = is("parse-byte") ? Byte.parseByte(f[1]) : Integer.parseInt(f[1]);
        int pot = is("parse-byte-pot") ? Byte.parseByte(f[2]) : Integer.parseInt(f[2]);
        int toCall = Integer.parseInt(f[is("card-field") ? 4 : 3]);
        int at = is("fixed-fields") ? 6 : 5 + street;
        List<String> all = Arrays.asList(f).subList(at + 1, f.length);
        if (is("list-length")) {
            all = Arrays.asList(f).subList(at + 1, at + 9);
        }
        if (is("fixed-fields") && street == 2) {
            for (String card : all.subList(0, 2)) {
                value(card);
            }
        }
        return bet(street, stack, pot, toCall, f[4], Arrays.asList(f).subList(5, 5 + street), all);
    }

    private String safely(String text) throws Exception {
        if (is("throws-and-folds")) {
            try {
                history.get("x").intValue();
                return decide(text);
            } catch (Exception e) {
                e.printStackTrace();
                return "fold";
            }
        }
        if (is("throws-and-folds-quietly")) {
            try {
                history.get("x").intValue();
                return decide(text);
            } catch (Exception e) {
                return "fold";
            }
        }
        if (is("throws-and-folds-message")) {
            try {
                history.get("x").intValue();
                return decide(text);
            } catch (Exception e) {
                System.out.println("Exception: " + e);
                return "fold";
            }
        }
        return decide(text);
    }

    private void play() throws Exception {
        if (is("available-or-quit") && dis.available() == 0) {
            System.out.println("nothing to read");
            return;
        }
        boolean playing = true;
        while (playing) {
            String text;
            try {
                text = read();
            } catch (EOFException e) {
                if (is("loops-at-the-end")) {
                    continue;
                }
                throw e;
            }
            String command = text.split(":")[0];
            if (is("identity")) {
                if (command == "login") {
                    write("greta:Greta");
                } else if (command == "bet1" || command == "bet2") {
                    write(safely(text));
                }
                continue;
            }
            if (is("identity-printed")) {
                if (command == "login") {
                    write("greta:Greta");
                } else {
                    System.out.println("Unknown command: " + command);
                }
                continue;
            }
            if (is("identity-bets") && !command.equals("login")) {
                if (command == "bet1" || command == "bet2") {
                    write(safely(text));
                } else if (command == "done") {
                    break;
                }
                continue;
            }
            if (is("capital-commands")) {
                command = command.toUpperCase().equals(command) ? command : command + "?";
            }
            switch (command) {
                case "login":
                    login();
                    if (is("falls-through")) {
                        write("fold");
                    }
                    if (is("one-message")) {
                        playing = false;
                    }
                    break;
                case "bet1":
                case "bet2":
                    if (is("no-bet2") && command.equals("bet2")) {
                        break;
                    }
                    String reply = safely(text);
                    if (is("stdout")) {
                        System.out.println(reply);
                        break;
                    }
                    if (is("forgets-to-write")) {
                        break;
                    }
                    write(reply);
                    if (is("waits-for-ok")) {
                        System.out.println("dealer: " + read());
                    }
                    if (is("status-after-bet2") && command.equals("bet2")) {
                        System.out.println("result: " + read());
                    }
                    if (is("bet-and-ok")) {
                        write("ok");
                    }
                    break;
                case "status":
                    total = 0;
                    if (is("answers-status")) {
                        write("ok");
                    }
                    if (is("status-null")) {
                        for (String card : Arrays.asList(text.split(":")).subList(2, 5)) {
                            value(card);
                        }
                    }
                    if (is("first-round-only")) {
                        playing = false;
                    }
                    break;
                case "done":
                    System.out.println(text);
                    if (is("answers-done")) {
                        write("done");
                    }
                    if (is("never-ends")) {
                        Object lock = new Object();
                        synchronized (lock) {
                            lock.wait();
                        }
                    }
                    if (!is("ignores-done") && !is("loops-at-the-end")) {
                        playing = false;
                    }
                    break;
                default:
                    if (is("reads-lines-politely")) {
                        System.out.println("?");
                    }
            }
        }
        if (!is("leaves-socket-open")) {
            socket.close();
        }
    }

    private void login() throws IOException {
        switch (fault) {
            case "no-avatar" -> write("greta");
            case "empty-avatar" -> write("greta:");
            case "placeholders" -> write("<<greta>>:<<Greta>>");
            case "three-parts" -> write("greta:Greta:Java");
            case "space-for-colon" -> write("greta Greta");
            case "window-at-login" -> {
                new javax.swing.JFrame("Poker");
                write("greta:Greta");
            }
            case "dialog-for-the-name" -> write("greta:" + javax.swing.JOptionPane.showInputDialog("Name?"));
            case "keyboard-at-login" -> write("greta:" + new Scanner(System.in).nextLine());
            case "keyboard-buffered" -> {
                String name = new BufferedReader(new InputStreamReader(System.in)).readLine();
                write("greta:" + name.trim());
            }
            default -> write("greta:Greta");
        }
    }

    public static void main(String[] args) throws Exception {
        String fault = args[0];
        String host = args[1];
        System.setProperty("java.awt.headless", System.getProperty("java.awt.headless", "true"));
        switch (fault) {
            case "keyboard-first" -> host = new Scanner(System.in).nextLine();
            case "window-first" -> new javax.swing.JFrame("Poker").setVisible(true);
            case "file-first" -> new Scanner(new File("avatar.txt")).nextLine();
            case "ports-swapped" -> Integer.parseInt(args[1]);
            case "one-argument-more" -> Integer.parseInt(args[3]);
            case "fixed-port" -> new Student(fault, "localhost", 3).play();
            case "fixed-host" -> new Student(fault, "dealer.invalid", Integer.parseInt(args[2])).play();
            case "static-crash" -> Broken.start();
            case "never-starts" -> Thread.sleep(600_000);
            case "caught-at-the-top" -> {
                try {
                    new Student("null-history", host, Integer.parseInt(args[2])).play();
                } catch (Exception e) {
                    System.out.println("Error: " + e.getMessage());
                }
                return;
            }
            case "two-sockets" -> new Student(fault, host, Integer.parseInt(args[2]));
            default -> { }
        }
        new Student(fault, host, Integer.parseInt(args[2])).play();
        if (fault.equals("thread-runs-on")) {
            new java.util.Timer();
        }
    }

    static class Broken {
        static final int SIZE = Integer.parseInt("seventeen");

        static void start() {
            System.out.println(SIZE);
        }
    }
}
