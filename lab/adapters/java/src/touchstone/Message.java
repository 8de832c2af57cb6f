package touchstone;

import java.util.Map;

/** The inputs of one call, except the key. */
public final class Message {
    /** The nonce. It changes for each call if a message is made from the previous outputs. */
    public byte[] nonce;

    public final byte[] aad;

    /** The buffer of the message, which is the first {@link #length} bytes. */
    public final byte[] input;

    public final int length;

    /** Inputs with further names, such as the signature that is verified. */
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
