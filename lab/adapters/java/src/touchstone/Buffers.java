package touchstone;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** All that the timed calls read and write, made before timing. */
final class Buffers {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    final byte[][] keys;
    final Message message;
    final byte[] output;
    final boolean fresh;
    private final byte[] firstNonce;

    /** @param other the key with which the first takes turns */
    Buffers(Work work, byte[] other, boolean fresh) {
        this.keys = new byte[][] {work.key(), other};
        this.message = new Message(work.nonce().clone(), work.aad(), work.input(), work.others());
        this.output = new byte[Math.max(work.length(), work.input().length) + 256];
        this.fresh = fresh;
        this.firstNonce = work.nonce();
    }

    /** Others of the same content. */
    Buffers(Buffers like) {
        this.keys = new byte[][] {like.keys[0].clone(), like.keys[1].clone()};
        this.message =
                new Message(
                        like.firstNonce.clone(),
                        like.message.aad.clone(),
                        like.message.input.clone(),
                        like.message.others);
        this.output = new byte[like.output.length];
        this.fresh = like.fresh;
        this.firstNonce = like.firstNonce;
    }

    /** Whether each call has a nonce of its own. */
    boolean counts() {
        return fresh && firstNonce.length > 0;
    }

    void rewind() {
        System.arraycopy(firstNonce, 0, message.nonce, 0, firstNonce.length);
    }

    /** The next nonce: its last eight bytes, as a big-endian number, plus one. */
    void advance() {
        if (!fresh) {
            return;
        }
        byte[] nonce = message.nonce;
        int tail = nonce.length - 8;
        if (tail >= 0) {
            LONG.set(nonce, tail, (long) LONG.get(nonce, tail) + 1);
            return;
        }
        for (int i = nonce.length - 1; i >= 0; i--) {
            if (++nonce[i] != 0) {
                break;
            }
        }
    }
}
