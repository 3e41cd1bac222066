import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UTFDataFormatException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/**
 * Says what {@link DataInputStream#readUTF} and {@link DataOutputStream#writeUTF} really do, as the reference for
 * our own modified UTF-8 (R21).
 *
 * <p>Run with JDK 17 or later, without compiling first: {@code java ModifiedUtf8Oracle.java MODE}. A bad mode or an
 * unreadable request ends the program with exit code 2.
 *
 * <h2>exhaust</h2>
 *
 * <p>Decodes every byte string of 0 to 3 bytes, the shorter before the longer and equally long ones in the order of
 * their unsigned bytes: the empty string, 00, 01 ... FF, 00 00, 00 01 ... FF FF, 00 00 00 ... FF FF FF. Each string
 * is handed to readUTF in a frame of exactly its own length, and appends its verdict to a stream of bytes:
 *
 * <ul>
 *   <li>rejected (UTFDataFormatException): the one byte 00;
 *   <li>accepted: the byte 01, the number of chars as two bytes, then each char (a UTF-16 unit) as two bytes, all
 *       big-endian. The empty string gives 01 00 00, the string 41 gives 01 00 01 00 41.
 * </ul>
 *
 * <p>Prints one line for each length and two for the whole, the digests in lower-case hex:
 *
 * <pre>
 * length L strings N accepted A sha256 HEX     (the verdicts of this length alone, L = 0, 1, 2, 3)
 * accepted A
 * sha256 HEX                                   (the verdicts of all lengths, one after the other)
 * </pre>
 *
 * <p>Most strings are rejected, and most of the time goes into the stack traces of their exceptions: with the option
 * {@code -XX:-StackTraceInThrowable} before the file name this takes a third of the time.
 *
 * <h2>decode</h2>
 *
 * <p>Each line of standard input is a byte string in hex. Each answer is {@code reject}, or {@code accept} and, unless
 * there are none, a space and the chars in hex, four digits each.
 *
 * <h2>encode</h2>
 *
 * <p>Each line of standard input is a string of chars in hex, four digits each. Each answer is the bytes writeUTF puts
 * after the length, in hex, or {@code toolong} (UTFDataFormatException).
 *
 * <p>In decode and encode an empty line is an empty string, hex is read in either case and written in lower case, and
 * nothing is answered before the input has ended: a caller may write everything, then read.
 */
public class ModifiedUtf8Oracle {
    private static final HexFormat HEX = HexFormat.of();
    private static final int LONGEST_EXHAUSTED = 3;

    public static void main(String[] args) throws Exception {
        String mode = args.length == 1 ? args[0] : "";
        try {
            switch (mode) {
                case "exhaust" -> exhaust();
                case "decode" -> answerEachLine(ModifiedUtf8Oracle::decode);
                case "encode" -> answerEachLine(ModifiedUtf8Oracle::encode);
                default -> throw new IllegalArgumentException(
                        "usage: java ModifiedUtf8Oracle.java exhaust|decode|encode");
            }
        } catch (IllegalArgumentException error) {
            System.err.println(error.getMessage());
            System.exit(2);
        }
    }

    private static void answerEachLine(UnaryOperator<String> answer) throws IOException {
        String requests = new String(System.in.readAllBytes(), StandardCharsets.US_ASCII);
        try (PrintWriter out = new PrintWriter(
                new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.US_ASCII)))) {
            requests.lines().forEach(line -> out.print(answer.apply(line) + "\n"));
        }
    }

    private static String decode(String hex) {
        byte[] bytes = HEX.parseHex(hex);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("a frame cannot hold " + bytes.length + " bytes");
        }
        String text = new Decoder(bytes.length).decode(bytes);
        if (text == null) {
            return "reject";
        }
        StringBuilder answer = new StringBuilder(text.isEmpty() ? "accept" : "accept ");
        for (char unit : text.toCharArray()) {
            answer.append(HEX.toHexDigits(unit));
        }
        return answer.toString();
    }

    private static String encode(String hex) {
        if (hex.length() % 4 != 0) {
            throw new IllegalArgumentException("not a whole number of chars: " + hex);
        }
        StringBuilder text = new StringBuilder();
        for (int start = 0; start < hex.length(); start += 4) {
            text.append((char) HexFormat.fromHexDigits(hex, start, start + 4));
        }
        byte[] frame = written(text.toString());
        return frame == null ? "toolong" : HEX.formatHex(frame, 2, frame.length);
    }

    /** The frame writeUTF writes, or null if the text is too long for one. */
    private static byte[] written(String text) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try {
            new DataOutputStream(frame).writeUTF(text);
            return frame.toByteArray();
        } catch (UTFDataFormatException tooLong) {
            return null;
        } catch (IOException impossible) {
            throw new AssertionError("writing to memory", impossible);
        }
    }

    private static void exhaust() throws NoSuchAlgorithmException {
        MessageDigest whole = MessageDigest.getInstance("SHA-256");
        long accepted = 0;
        for (int length = 0; length <= LONGEST_EXHAUSTED; length++) {
            Verdicts verdicts = tryAll(length);
            byte[] bytes = verdicts.bytes.toByteArray();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            System.out.print("length " + length + " strings " + (1 << 8 * length) + " accepted " + verdicts.accepted
                    + " sha256 " + HEX.formatHex(digest) + "\n");
            whole.update(bytes);
            accepted += verdicts.accepted;
        }
        System.out.print("accepted " + accepted + "\n");
        System.out.print("sha256 " + HEX.formatHex(whole.digest()) + "\n");
    }

    private static Verdicts tryAll(int length) {
        Verdicts verdicts = new Verdicts();
        Decoder decoder = new Decoder(length);
        byte[] bytes = new byte[length];
        for (int number = 0; number < 1 << 8 * length; number++) {
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (number >> 8 * (length - 1 - i));
            }
            verdicts.add(decoder.decode(bytes));
        }
        return verdicts;
    }

    /** The stream of verdicts described at "exhaust". */
    private static final class Verdicts {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int accepted;

        void add(String text) {
            if (text == null) {
                bytes.write(0);
                return;
            }
            accepted++;
            bytes.write(1);
            writeChar(text.length());
            for (int i = 0; i < text.length(); i++) {
                writeChar(text.charAt(i));
            }
        }

        private void writeChar(int unit) {
            bytes.write(unit >> 8);
            bytes.write(unit);
        }
    }

    /** Runs readUTF over frames of one length, without a new stream for each. */
    private static final class Decoder {
        private final byte[] frame;
        private final ByteArrayInputStream source;
        private final DataInputStream in;

        Decoder(int length) {
            frame = new byte[2 + length];
            frame[0] = (byte) (length >> 8);
            frame[1] = (byte) length;
            source = new ByteArrayInputStream(frame);
            in = new DataInputStream(source);
        }

        /** The text, or null if readUTF rejects these bytes. */
        String decode(byte[] bytes) {
            System.arraycopy(bytes, 0, frame, 2, bytes.length);
            source.reset();
            try {
                return in.readUTF();
            } catch (UTFDataFormatException rejected) {
                return null;
            } catch (IOException impossible) {
                throw new AssertionError("reading from memory", impossible);
            }
        }
    }
}
