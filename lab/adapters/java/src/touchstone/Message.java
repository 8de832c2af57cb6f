package touchstone;

import java.util.Map;

/** What one call takes besides the key. */
public final class Message {
    /** Another one for each call, where messages are made of the outputs before them. */
    public byte[] nonce;

    public final byte[] aad;

    /** The message is its first {@link #length} bytes. */
    public final byte[] input;

    public final int length;

    /** Inputs of other names. */
    public final Map<String, byte[]> others;

    Message(byte[] nonce, byte[] aad, byte[] input, Map<String, byte[]> others) {
        this(nonce, aad, input, input.length, others);
    }

    Message(byte[] nonce, byte[] aad, byte[] input, int length, Map<String, byte[]> others) {
        this.nonce = nonce;
        this.aad = aad;
        this.input = input;
        this.length = length;
        this.others = others;
    }
}
