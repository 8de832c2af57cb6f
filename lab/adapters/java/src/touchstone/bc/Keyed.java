package touchstone.bc;

import org.bouncycastle.crypto.CipherParameters;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Work;

/**
 * The part of an operation that holds the key. Bouncy Castle sets a key together with the first
 * nonce. Later nonces are set with a null key, which keeps the key schedule.
 */
abstract class Keyed implements Operation {
    private final Block.Keys keys;
    private final boolean each;
    private final byte[] otherNonce;
    private CipherParameters key;

    /** @param each whether the library's object needs the key with each nonce */
    Keyed(Block.Keys keys, boolean each, Work work) {
        this.keys = keys;
        this.each = each;
        this.otherNonce = work.setup() ? Work.otherNonce(work.nonce()) : null;
    }

    /** Calls the library's init. A null key keeps the key schedule. */
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
