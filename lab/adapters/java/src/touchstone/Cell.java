package touchstone;

import java.util.Arrays;

/**
 * One primitive × operation that is ready to run: the maker of its objects, an object and buffers.
 */
final class Cell {
    /**
     * If a sample takes this many times as long as the shortest sample, then the JIT compiler has
     * discarded the cell's compiled code because of other cells. The sample counts, but the cell is
     * warmed up again before the next sample, at most {@code WARMINGS} times.
     */
    private static final double GIVEN_UP = 2.5;

    private static final int WARMINGS = 3;

    private final Row.Maker maker;
    private final String contract;
    private final Buffers buffers;
    private final Chain chain;
    private final boolean endIsNonce;
    private Operation object;
    private double shortest = Double.POSITIVE_INFINITY;
    private int warmings;
    private boolean givenUp;
    private int written;

    /** @param endIsNonce whether, in a chain, the end of an output is the next nonce */
    Cell(Row.Maker maker, String contract, Buffers buffers, boolean endIsNonce) {
        this.maker = maker;
        this.contract = contract;
        this.buffers = buffers;
        this.endIsNonce = endIsNonce;
        boolean inPlace = contract.equals("in-place");
        boolean chained = inPlace || contract.equals("latency");
        this.chain = chained ? new Chain(buffers, inPlace, endIsNonce) : null;
    }

    /** Returns another cell for the same work, with its own object and buffers. */
    Cell sibling() {
        return new Cell(maker, contract, new Buffers(buffers), endIsNonce);
    }

    /** Makes a new object, sets the key and processes the first message. */
    byte[] check() throws Exception {
        object = maker.make();
        object.setKey(buffers.keys[0]);
        first(object);
        return delivered();
    }

    /**
     * Makes a new object, sets the key and processes the first message. Returns the nanoseconds of
     * each of these three steps.
     */
    long[] first() throws Exception {
        long start = System.nanoTime();
        object = maker.make();
        long made = System.nanoTime();
        object.setKey(buffers.keys[0]);
        long keyed = System.nanoTime();
        first(object);
        return new long[] {made - start, keyed - made, System.nanoTime() - keyed};
    }

    /** Sets the first key and processes the message with the first nonce. */
    byte[] again() throws Exception {
        object.setKey(buffers.keys[0]);
        first(object);
        return delivered();
    }

    /**
     * Returns whether a message's output depends on the messages before it. A stream cipher without
     * nonces always continues its keystream, so the method does not test such a cipher.
     */
    boolean remembers() throws Exception {
        if (!buffers.messages.isFresh()) {
            return false;
        }
        byte[] first = again();
        for (int i = 0; i < 2; i++) {
            next(object);
        }
        first(object);
        return !Arrays.equals(first, delivered());
    }

    private void first(Operation object) throws Exception {
        if (chain != null) {
            chain.first(object);
        } else {
            call(object, buffers.messages.first());
        }
    }

    private void next(Operation object) throws Exception {
        if (chain != null) {
            chain.advance(object);
        } else {
            call(object, buffers.messages.advance());
        }
    }

    private void call(Operation object, Message message) throws Exception {
        written = object.process(message, buffers.output);
    }

    /** Returns the output of the last call of a sample. */
    byte[] timedOutput() {
        return contract.equals("keyed") ? lastOutput() : delivered();
    }

    /** Makes the object write the result of its last call, and returns this output. */
    private byte[] delivered() {
        if (chain == null) {
            written = object.deliver(buffers.output, written);
        }
        return lastOutput();
    }

    /** Returns the output of the last call. */
    private byte[] lastOutput() {
        return chain != null ? chain.lastOutput() : Arrays.copyOf(buffers.output, written);
    }

    /** Takes one sample and returns its nanoseconds. */
    long time(long warm, long calls) throws Exception {
        // Warms the cell up now and not after the last sample, because the lab may still
        // request the last output.
        if (givenUp) {
            givenUp = false;
            warmUp();
        }
        repeat(warm);
        long start = System.nanoTime();
        repeat(calls);
        long ns = System.nanoTime() - start;
        givenUp = ns > GIVEN_UP * shortest * calls && warmings++ < WARMINGS;
        shortest = Math.min(shortest, (double) ns / calls);
        return ns;
    }

    /**
     * Runs the loop until the JIT compiler has compiled it, and then processes the first message
     * again. Otherwise the loop's next nonce could equal the previous message's nonce, which some
     * providers refuse.
     */
    void warmUp() throws Exception {
        int place = buffers.messages.place();
        Runnable chainBack = chain == null ? () -> {} : chain.place();
        Warming.up(this);
        again();
        buffers.messages.returnTo(place);
        chainBack.run();
    }

    /** The timed loop. */
    void repeat(long calls) throws Exception {
        switch (contract) {
            case "hot" -> hot(calls);
            case "keyed" -> keyed(calls);
            case "rekeyed" -> rekeyed(calls);
            case "latency", "in-place" -> chained(calls);
            default -> setup(calls);
        }
    }

    private void hot(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            call(object, buffers.messages.advance());
        }
    }

    private void chained(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            chain.advance(object);
        }
    }

    private void keyed(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            Operation one = maker.make();
            one.setKey(buffers.keys[0]);
            call(one, buffers.messages.advance());
            written = one.deliver(buffers.output, written);
        }
    }

    private void rekeyed(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            object.setKey(buffers.keys[(int) (call & 1)]);
            call(object, buffers.messages.advance());
        }
    }

    private void setup(long calls) throws Exception {
        for (long call = 0; call < calls; call++) {
            object.setKey(buffers.keys[(int) (call & 1)]);
        }
    }
}
