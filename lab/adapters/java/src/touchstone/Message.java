package touchstone;

import java.util.Map;

/** What one call takes besides the key. */
public final class Message {
    public final byte[] nonce;
    public final byte[] aad;
    public final byte[] input;

    /** Inputs of other names. */
    public final Map<String, byte[]> others;

    Message(byte[] nonce, byte[] aad, byte[] input, Map<String, byte[]> others) {
        this.nonce = nonce;
        this.aad = aad;
        this.input = input;
        this.others = others;
    }
}
