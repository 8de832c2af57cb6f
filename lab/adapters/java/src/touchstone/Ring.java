package touchstone;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The messages for the calls of a cell, each with its own complete nonce, made before timing. The
 * first message is for the requests open and run. The other messages are for the timed calls, in
 * order.
 */
final class Ring {
    /** The number of messages after which the nonces repeat (docs/wire-protocol.md). */
    private static final int SIZE = 256;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The rule that computes the nonce of message i from the nonce of message 0. */
    @FunctionalInterface
    interface Rule {
        void apply(byte[] nonce, int i);

        /** Returns the rule with this name, or null if the name is unknown. */
        static Rule of(String name) {
            return switch (name) {
                case "increment" -> Ring::increment;
                case "random" -> Ring::randomise;
                default -> null;
            };
        }
    }

    private final Message[] messages;
    private final Rule rule;
    private int next;

    Ring(Message first, Rule rule) {
        this.rule = rule;
        boolean fresh = rule != null && first.nonce.length > 0;
        messages = new Message[fresh ? SIZE + 1 : 1];
        messages[0] = first;
        for (int i = 1; i < messages.length; i++) {
            byte[] nonce = first.nonce.clone();
            rule.apply(nonce, i);
            messages[i] = new Message(nonce, first.aad, first.input, first.others);
        }
        first();
    }

    /** Returns another ring with the same content. */
    Ring copy() {
        Message first = messages[0];
        var copied =
                new Message(first.nonce.clone(), first.aad.clone(), first.input.clone(), first.others);
        return new Ring(copied, rule);
    }

    /** Returns whether each call has its own nonce. */
    boolean isFresh() {
        return messages.length > 1;
    }

    /** Returns message 0. The next call of {@link #advance} returns message 1. */
    Message first() {
        next = Math.min(1, messages.length - 1);
        return messages[0];
    }

    /** Returns the message of the next call. */
    Message advance() {
        Message message = messages[next];
        next = next + 1 < messages.length ? next + 1 : Math.min(1, messages.length - 1);
        return message;
    }

    int place() {
        return next;
    }

    void returnTo(int place) {
        next = place;
    }

    /**
     * Adds i to the last eight bytes of a nonce, read as a big-endian number, or to all bytes of a
     * shorter nonce.
     */
    private static void increment(byte[] nonce, int i) {
        int tail = nonce.length - 8;
        if (tail >= 0) {
            LONG.set(nonce, tail, (long) LONG.get(nonce, tail) + i);
            return;
        }
        for (int at = nonce.length - 1; at >= 0; at--) {
            i += nonce[at] & 0xff;
            nonce[at] = (byte) i;
            i >>= 8;
        }
    }

    /**
     * Overwrites the nonce with outputs of SplitMix64. The seed is the fingerprint of message 0's
     * nonce. Each message takes the next outputs that fill its nonce; message 1 begins with the
     * first output.
     */
    private static void randomise(byte[] nonce, int i) {
        long seed = Request.fingerprint(nonce);
        long words = (nonce.length + 7) / 8;
        for (int at = 0; at < nonce.length; at++) {
            long output = splitMix64(seed, (i - 1) * words + at / 8 + 1);
            nonce[at] = (byte) (output >>> (56 - 8 * (at % 8)));
        }
    }

    /** Returns output n of SplitMix64, counted from 1 (Steele, Lea and Flood, OOPSLA 2014). */
    private static long splitMix64(long seed, long n) {
        long z = seed + n * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
