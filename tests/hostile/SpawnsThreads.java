/** Threads and memory without end, from a Java machine. */
public class SpawnsThreads {
    public static void main(String[] arguments) {
        while (true) {
            try {
                new Thread(() -> {
                    byte[][] hoard = new byte[100][];
                    for (int i = 0; i < hoard.length; i++) {
                        hoard[i] = new byte[1 << 20];
                        java.util.Arrays.fill(hoard[i], (byte) 1);
                    }
                    while (true) {
                        try {
                            Thread.sleep(1_000_000);
                        } catch (InterruptedException ignored) {
                        }
                    }
                }).start();
            } catch (Throwable refused) {
                Thread.yield();
            }
        }
    }
}
