package touchstone;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells how busy the JIT compiler is. The compiler works in its own threads, while the program runs
 * the code that is being improved.
 */
final class Compiler {
    /**
     * The files in which Linux counts, for each thread of the compiler, the nanoseconds of running
     * and of waiting for a CPU.
     */
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
            // The system is not Linux, so no thread of the compiler is known.
        }
        return threads;
    }

    /**
     * Returns the nanoseconds that the compiler has worked so far, including the waiting time.
     * While the number grows, code is being compiled. The number stays 0 if the system does not
     * count.
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
