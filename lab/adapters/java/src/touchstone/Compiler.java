package touchstone;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How busy the JIT is: it works in threads of its own, while the code that it improves runs on. */
final class Compiler {
    /** Nanoseconds that each of its threads has run, and has waited for a CPU. */
    private static final List<Path> THREADS = threads();

    private Compiler() {}

    private static List<Path> threads() {
        List<Path> threads = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : all) {
                String name = Files.readString(thread.resolve("comm"));
                Path busy = thread.resolve("schedstat");
                if (name.matches("C[12] CompilerThre.*\\s*") && Files.isReadable(busy)) {
                    threads.add(busy);
                }
            }
        } catch (IOException e) {
            // Not Linux: none is known.
        }
        return threads;
    }

    /**
     * Nanoseconds of its work so far, waiting included: while it grows, something is being
     * compiled. Stays 0 where the system does not tell.
     */
    static long busy() throws IOException {
        long ns = 0;
        for (Path thread : THREADS) {
            String[] numbers = Files.readString(thread).trim().split(" ");
            ns += Long.parseLong(numbers[0]) + Long.parseLong(numbers[1]);
        }
        return ns;
    }
}
