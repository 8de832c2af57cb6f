package touchstone;

import java.util.Map;
import java.util.TreeMap;

/**
 * What check and open carry; the fields' meanings are those of docs/operations.md.
 *
 * @param tag −1 where it is absent, as is length
 * @param setup whether key set-up alone will be timed, so that a key may not be put by until the
 *     first message
 */
public record Work(
        String primitive,
        String operation,
        byte[] key,
        byte[] nonce,
        byte[] aad,
        byte[] input,
        int tag,
        int length,
        Map<String, Long> cost,
        boolean setup) {

    static Work of(Request request) {
        Map<String, Long> cost = new TreeMap<>();
        for (String key : request.keys()) {
            if (key.startsWith("cost.")) {
                cost.put(key.substring("cost.".length()), request.number(key, 0));
            }
        }
        return new Work(
                request.text("primitive"),
                request.text("operation"),
                request.bytes("key"),
                request.bytes("nonce"),
                request.bytes("aad"),
                request.bytes("input"),
                Math.toIntExact(request.number("tag", -1)),
                Math.toIntExact(request.number("length", -1)),
                cost,
                request.text("contract").equals("setup"));
    }

    /** A cost parameter, 0 where it is absent. */
    public long cost(String name) {
        return cost.getOrDefault(name, 0L);
    }

    /** A cost parameter that must be between 1 and 2³¹ − 1. */
    public int positive(String name) throws Unsupported {
        long value = cost(name);
        require(value >= 1 && value <= Integer.MAX_VALUE, name + " of " + value);
        return (int) value;
    }

    /** The tag's length in bytes, given the usual one. */
    public int tagOr(int usual) {
        return tag < 0 ? usual : tag;
    }

    /** Parameters that do not hold are not taken. */
    public static void require(boolean holds, String otherwise) throws Unsupported {
        if (!holds) {
            throw new Unsupported(otherwise);
        }
    }

    /** A key between two lengths. */
    public void requireKey(int least, int most) throws Unsupported {
        require(key.length >= least && key.length <= most, "a key of " + key.length + " bytes");
    }

    /** A nonce of one length. */
    public void requireNonce(int bytes) throws Unsupported {
        require(nonce.length == bytes, "a nonce of " + nonce.length + " bytes");
    }

    /** A message of whole blocks. */
    public void requireBlocks(int bytes) throws Unsupported {
        require(input.length % bytes == 0, "a message that is not whole blocks");
    }

    /** A nonce that differs from the given one in every bit. */
    public static byte[] otherNonce(byte[] nonce) {
        byte[] other = new byte[nonce.length];
        for (int i = 0; i < other.length; i++) {
            other[i] = (byte) ~nonce[i];
        }
        return other;
    }
}
