package touchstone;

/** What one call takes besides the key. */
public final class Message {
    public final byte[] nonce;
    public final byte[] aad;
    public final byte[] input;

    Message(byte[] nonce, byte[] aad, byte[] input) {
        this.nonce = nonce;
        this.aad = aad;
        this.input = input;
    }
}
