package touchstone.jca;

import java.security.SecureRandom;
import java.util.List;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Work;

/** The generator of random bytes that a program gets without naming one. */
final class Generators {
    private Generators() {}

    static List<Row> rows() {
        String name = new SecureRandom().getAlgorithm();
        return List.of(new Row("own-generator", "random-bytes", "SecureRandom " + name, "the bytes are copied from an array of their own", work -> {
            Work.require(work.length() >= 0, "no output length");
            byte[] bytes = new byte[work.length()];
            return () -> generator(new SecureRandom(), bytes);
        }));
    }

    /** {@code nextBytes} fills an array of its own, so the call also copies the bytes. */
    private static Operation generator(SecureRandom random, byte[] bytes) {
        return (message, output) -> {
            random.nextBytes(bytes);
            System.arraycopy(bytes, 0, output, 0, bytes.length);
            return bytes.length;
        };
    }
}
