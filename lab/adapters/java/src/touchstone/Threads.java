package touchstone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;

/** Takes one sample with several threads. */
final class Threads {
    private Threads() {}

    /**
     * Returns the nanoseconds of one sample. Each thread has its own object and buffers. The time
     * begins when all threads have finished their untimed calls, and ends when the last thread has
     * finished.
     */
    static long time(Cell like, long warm, long calls, int threads, List<Integer> cpus)
            throws Exception {
        var warmed = new CyclicBarrier(threads + 1);
        var trouble = new AtomicReference<Exception>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int index = i;
            var thread =
                    new Thread(
                            () -> {
                                Cell cell = like.sibling();
                                try {
                                    pinToNth(index, cpus);
                                    cell.check();
                                    cell.repeat(warm);
                                } catch (Exception e) {
                                    trouble.compareAndSet(null, e);
                                }
                                try {
                                    warmed.await();
                                    if (trouble.get() == null) {
                                        cell.repeat(calls);
                                    }
                                } catch (Exception e) {
                                    trouble.compareAndSet(null, e);
                                }
                            });
            thread.start();
            running.add(thread);
        }
        await(warmed);
        long start = System.nanoTime();
        for (Thread thread : running) {
            thread.join();
        }
        long ns = System.nanoTime() - start;
        if (trouble.get() != null) {
            throw trouble.get();
        }
        return ns;
    }

    private static void await(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("a timing thread was interrupted", e);
        }
    }

    /**
     * Moves the calling thread to CPU number n of the list, counted modulo the list's length. The
     * lab has pinned the whole process before. Java has no call for pinning, so the program taskset
     * moves the thread. If taskset fails, the thread stays on its CPU.
     */
    private static void pinToNth(int n, List<Integer> cpus) throws InterruptedException {
        if (cpus.isEmpty()) {
            return;
        }
        try {
            String cpu = String.valueOf(cpus.get(n % cpus.size()));
            String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
            new ProcessBuilder("taskset", "-p", "-c", cpu, thread)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            // The thread stays on its CPU.
        }
    }
}
