package touchstone.bc;

import org.bouncycastle.crypto.CipherParameters;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Work;

/**
 * The part of an operation that holds the key. Bouncy Castle schedules a key together with its
 * first nonce; later nonces come with a key of null, which leaves the schedule as it is.
 */
abstract class Keyed implements Operation {
    private final Block.Keys keys;
    private final boolean each;
    private final byte[] otherNonce;
    private CipherParameters key;

    /** @param each whether the library's object takes the key with each nonce */
    Keyed(Block.Keys keys, boolean each, Work work) {
        this.keys = keys;
        this.each = each;
        this.otherNonce = work.setup() ? Work.otherNonce(work.nonce()) : null;
    }

    /** The library's init, with a key of null if the scheduled one stays. */
    abstract void init(CipherParameters key, byte[] nonce, byte[] aad);

    @Override
    public void setKey(byte[] given) {
        key = keys.of(given);
        if (otherNonce != null) {
            start(otherNonce, null);
        }
    }

    final void start(Message message) {
        start(message.nonce, message.aad);
    }

    private void start(byte[] nonce, byte[] aad) {
        init(key, nonce, aad);
        if (!each) {
            key = null;
        }
    }
}
