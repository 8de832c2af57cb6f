package touchstone;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Runs a cell until the JIT compiler has finished, because the lab measures the steady state. */
final class Warming {
    /**
     * The time of one batch, and of all batches together, in nanoseconds of this thread's CPU time.
     */
    private static final long BATCH = 5_000_000;

    private static final long MOST = 300_000_000;

    /** The most wall-clock nanoseconds, for a machine that has other work to do. */
    private static final long PATIENCE = 4_000_000_000L;

    /** The number of consecutive batches that must take the same time. */
    private static final int STEADY = 3;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Warming() {}

    /**
     * Runs batches until three consecutive batches took the same time per call, to 5 %, while the
     * compiler was idle; or until the batches took {@code MOST} or {@code PATIENCE}. Then waits
     * until the compiler is idle.
     */
    static void up(Cell cell) throws Exception {
        long clock = System.nanoTime();
        long start = THREADS.getCurrentThreadCpuTime();
        long from = start;
        long calls = 1;
        double last = 0;
        long busy = Compiler.busy();
        int steady = 0;
        while (steady < STEADY && from - start < MOST && System.nanoTime() - clock < PATIENCE) {
            cell.repeat(calls);
            long now = THREADS.getCurrentThreadCpuTime();
            long ns = Math.max(1, now - from);
            from = now;
            if (ns < BATCH) {
                calls = Math.max(calls + 1, Math.min(calls * 4, calls * BATCH / ns));
                continue;
            }
            double each = (double) ns / calls;
            long compiled = Compiler.busy();
            boolean idle = compiled - busy < ns / 50;
            boolean same = Math.abs(each - last) <= 0.05 * last;
            steady = idle && same ? steady + 1 : 0;
            last = each;
            busy = compiled;
        }
        // Waits for the compiler. Otherwise the compiler would run during the samples of other
        // libraries.
        long before;
        do {
            before = Compiler.busy();
            Thread.sleep(5);
        } while (Compiler.busy() - before > 200_000 && System.nanoTime() - clock < PATIENCE);
    }
}
