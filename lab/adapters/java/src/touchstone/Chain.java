package touchstone;

import java.util.Arrays;

/**
 * Messages each of which is the output before it: the contracts latency and in-place
 * (docs/wire-protocol.md). Two buffers take turns to be read and written; in place they are one.
 */
final class Chain {
    private final Buffers buffers;
    private final Message[] messages;
    private final byte[] first;
    private final boolean endIsNonce;
    /** Which buffer has the last output. */
    private int last;

    private int written;

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

    /** Where the chain is: to go back there after other messages. */
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

    /** Message 0. */
    void first(Operation object) throws Exception {
        for (Message message : messages) {
            System.arraycopy(first, 0, message.input, 0, first.length);
        }
        last = 0;
        call(object, buffers.messages.first().nonce);
    }

    /** The next message. */
    void advance(Operation object) throws Exception {
        byte[] nonce = buffers.messages.advance().nonce;
        if (endIsNonce && written >= nonce.length) {
            // No array is a part of another one, so the end is copied.
            nonce = Arrays.copyOfRange(messages[last].input, written - nonce.length, written);
        }
        call(object, nonce);
    }

    private void call(Operation object, byte[] nonce) throws Exception {
        Message message = messages[last];
        message.nonce = nonce;
        last ^= 1;
        written = object.process(message, messages[last].input);
    }

    byte[] lastOutput() {
        return Arrays.copyOf(messages[last].input, written);
    }
}
