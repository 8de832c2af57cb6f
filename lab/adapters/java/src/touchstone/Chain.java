package touchstone;

import java.util.Arrays;

/**
 * Messages of which each is the previous output, for the contracts latency and in-place
 * (docs/wire-protocol.md). Two buffers take turns as input and output. In place, both are the same
 * buffer.
 */
final class Chain {
    private final Buffers buffers;
    private final Message[] messages;
    private final byte[] first;
    private final boolean endIsNonce;
    /** The index of the buffer that has the last output. */
    private int last;

    private int written;

    /** This is 0, but the compiler does not know it. */
    private static byte zero;

    /** @param endIsNonce whether the end of an output is the next nonce */
    Chain(Buffers buffers, boolean inPlace, boolean endIsNonce) {
        Message zero = buffers.messages.first();
        this.buffers = buffers;
        this.first = zero.input;
        this.endIsNonce = endIsNonce;
        byte[] one = new byte[buffers.output.length];
        byte[] other = inPlace ? one : new byte[one.length];
        this.messages = new Message[] {reading(one, zero), reading(other, zero)};
    }

    private static Message reading(byte[] buffer, Message like) {
        return new Message(like.nonce, like.aad, buffer, like.length, like.others);
    }

    /**
     * Returns an action that restores the current place of the chain, after other messages were
     * processed.
     */
    Runnable place() {
        byte[] one = messages[0].input.clone();
        byte[] other = messages[1].input.clone();
        int lastNow = last;
        int writtenNow = written;
        return () -> {
            System.arraycopy(one, 0, messages[0].input, 0, one.length);
            System.arraycopy(other, 0, messages[1].input, 0, other.length);
            last = lastNow;
            written = writtenNow;
        };
    }

    /** Processes message 0. */
    void first(Operation object) throws Exception {
        for (Message message : messages) {
            System.arraycopy(first, 0, message.input, 0, first.length);
        }
        last = 0;
        call(object, buffers.messages.first().nonce);
    }

    /** Processes the next message. */
    void advance(Operation object) throws Exception {
        byte[] nonce = buffers.messages.advance().nonce;
        if (endIsNonce && written >= nonce.length) {
            // A Java array cannot be a part of another array, so the end of the output is
            // copied.
            nonce = Arrays.copyOfRange(messages[last].input, written - nonce.length, written);
        }
        call(object, nonce);
    }

    private void call(Operation object, byte[] nonce) throws Exception {
        // The choice of the message depends on the end of the last output, so a processor cannot
        // begin the call before the last call ends.
        int end = messages[last].input[Math.max(written - 1, 0)] & zero;
        Message message = messages[last ^ end];
        message.nonce = nonce;
        last ^= 1;
        written = object.process(message, messages[last].input);
    }

    byte[] lastOutput() {
        return Arrays.copyOf(messages[last].input, written);
    }
}
