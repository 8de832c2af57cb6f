package touchstone;

import java.util.Arrays;

/** One primitive × operation made ready: its maker, its object and its buffers. */
final class Cell {
    /**
     * A sample that took so many times as long as the shortest ran in code that the compiler had
     * given up, for other cells' sake; and how often a cell is then warmed again.
     */
    private static final double GIVEN_UP = 2.5;

    private static final int WARMINGS = 3;

    private final Row.Maker maker;
    private final String contract;
    private final Buffers buffers;
    private Operation object;
    private double shortest = Double.POSITIVE_INFINITY;
    private int warmings;

    Cell(Row.Maker maker, String contract, Buffers buffers) {
        this.maker = maker;
        this.contract = contract;
        this.buffers = buffers;
    }

    /** Another with an object and buffers of its own. */
    Cell sibling() {
        return new Cell(maker, contract, new Buffers(buffers));
    }

    /** Does the work once from nothing. */
    byte[] check() throws Exception {
        object = maker.make();
        object.setKey(buffers.keys[0]);
        return once();
    }

    /** Does the work once from nothing: nanoseconds for the object, the key and the message. */
    long[] first() throws Exception {
        long start = System.nanoTime();
        object = maker.make();
        long made = System.nanoTime();
        object.setKey(buffers.keys[0]);
        long keyed = System.nanoTime();
        object.process(buffers.message, buffers.output);
        return new long[] {made - start, keyed - made, System.nanoTime() - keyed};
    }

    /** Does the work with the first key and nonce. */
    byte[] again() throws Exception {
        buffers.rewind();
        object.setKey(buffers.keys[0]);
        return once();
    }

    /**
     * Whether a message's output depends on the messages before it. A stream without nonces goes on
     * where it was, and is not asked.
     */
    boolean remembers() throws Exception {
        if (!buffers.counts()) {
            return false;
        }
        byte[] first = again();
        for (int i = 0; i < 2; i++) {
            buffers.advance();
            once();
        }
        buffers.rewind();
        return !Arrays.equals(first, once());
    }

    private byte[] once() throws Exception {
        return Arrays.copyOf(buffers.output, object.process(buffers.message, buffers.output));
    }

    /** One sample in nanoseconds, of compiled code. */
    long time(long warm, long calls) throws Exception {
        long ns = sample(warm, calls);
        while (ns > GIVEN_UP * shortest * calls && warmings < WARMINGS) {
            warmings++;
            Warming.up(this);
            ns = sample(warm, calls);
        }
        shortest = Math.min(shortest, (double) ns / calls);
        return ns;
    }

    private long sample(long warm, long calls) throws Exception {
        repeat(warm);
        long start = System.nanoTime();
        repeat(calls);
        return System.nanoTime() - start;
    }

    /** The loop that is timed. */
    void repeat(long calls) throws Exception {
        switch (contract) {
            case "hot" -> hot(calls);
            case "keyed" -> keyed(calls);
            case "rekeyed" -> rekeyed(calls);
            default -> setup(calls);
        }
    }

    private void hot(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            buffers.advance();
            object.process(buffers.message, buffers.output);
        }
    }

    private void keyed(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            buffers.advance();
            Operation one = maker.make();
            one.setKey(buffers.keys[0]);
            one.process(buffers.message, buffers.output);
        }
    }

    private void rekeyed(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            buffers.advance();
            object.setKey(buffers.keys[(int) (call & 1)]);
            object.process(buffers.message, buffers.output);
        }
    }

    private void setup(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            object.setKey(buffers.keys[(int) (call & 1)]);
        }
    }
}
