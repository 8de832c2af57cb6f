package touchstone;

/** All data that the timed calls read and write. The buffers are made before timing. */
final class Buffers {
    final byte[][] keys;
    final byte[] output;
    final Ring messages;

    /**
     * @param other the second key, for contracts that alternate between two keys
     * @param rule how a call's nonce follows from the first nonce; null if all calls have the same
     *     nonce
     */
    Buffers(Work work, byte[] other, Ring.Rule rule) {
        this.keys = new byte[][] {work.key(), other};
        int inputs = work.input().length + work.key().length;
        for (byte[] input : work.others().values()) {
            inputs += input.length;
        }
        this.output = new byte[Math.max(work.length(), inputs) + room(work.primitive())];
        this.messages =
                new Ring(new Message(work.nonce(), work.aad(), work.input(), work.others()), rule);
    }

    /**
     * Returns the bytes that an output may have beyond the inputs. A signature of SLH-DSA has up to
     * 29792 bytes in the lab's parameter sets (FIPS 205, table 2).
     */
    private static int room(String primitive) {
        return primitive.startsWith("ml-") || primitive.startsWith("slh-dsa-") ? 32 << 10 : 256;
    }

    /**
     * Returns whether the interfaces of the JDK and of Bouncy Castle allow an operation to write
     * its output over its input.
     */
    static boolean worksInPlace(String operation) {
        return switch (operation) {
            case "cbc-encrypt", "cbc-decrypt", "ctr-encrypt", "gcm-encrypt", "aead-encrypt", "stream-encrypt" -> true;
            default -> false;
        };
    }

    /** Makes other buffers with the same content. */
    Buffers(Buffers like) {
        this.keys = new byte[][] {like.keys[0].clone(), like.keys[1].clone()};
        this.output = new byte[like.output.length];
        this.messages = like.messages.copy();
    }
}
