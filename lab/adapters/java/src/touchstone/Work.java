package touchstone;

import com.google.gson.JsonObject;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fields of the requests check and open. docs/operations.md defines the fields.
 *
 * @param others inputs with further names
 * @param tag the tag's length in bytes, or −1 if the work has none; {@code length} too
 * @param setup whether key set-up alone will be timed; then an object must not delay the set-up
 *     until the first message
 */
public record Work(
        String primitive,
        String operation,
        byte[] key,
        byte[] nonce,
        byte[] aad,
        byte[] input,
        Map<String, byte[]> others,
        int tag,
        int length,
        Map<String, Long> cost,
        boolean setup) {
    /** The most bytes of one input or output. */
    public static final int MOST_BYTES = Request.MOST_BYTES;

    static Work of(Request request) throws Unsupported {
        var work = request.object("work");
        Map<String, Long> cost = new TreeMap<>();
        Map<String, byte[]> bytes = new TreeMap<>();
        int tag = -1;
        int length = -1;
        var inputs = work.has("inputs") ? work.getAsJsonObject("inputs") : new JsonObject();
        for (var input : inputs.entrySet()) {
            String name = input.getKey();
            var value = input.getValue().getAsJsonPrimitive();
            if (value.isString()) {
                bytes.put(name, Request.bytes(value.getAsString()));
            } else if (name.startsWith("cost.")) {
                cost.put(name.substring("cost.".length()), value.getAsLong());
            } else if (name.equals("tag")) {
                tag = length(name, value.getAsBigInteger());
            } else if (name.equals("length")) {
                length = length(name, value.getAsBigInteger());
            }
        }
        return new Work(
                work.get("primitive").getAsString(),
                work.get("operation").getAsString(),
                taken(bytes, "key"),
                taken(bytes, "nonce"),
                taken(bytes, "aad"),
                taken(bytes, "input"),
                bytes,
                tag,
                length,
                cost,
                request.text("contract").equals("setup"));
    }

    private static byte[] taken(Map<String, byte[]> bytes, String name) {
        byte[] value = bytes.remove(name);
        return value == null ? new byte[0] : value;
    }

    private static int length(String name, BigInteger bytes) throws Unsupported {
        boolean possible = bytes.signum() >= 0 && bytes.compareTo(BigInteger.valueOf(Request.MOST_BYTES)) <= 0;
        require(possible, name + " of " + bytes + " bytes");
        return bytes.intValue();
    }

    /** Returns a cost parameter, or 0 if the work has none. */
    public long cost(String name) {
        return cost.getOrDefault(name, 0L);
    }

    /** Returns a cost parameter that must be between 1 and 2³¹ − 1. */
    public int positive(String name) throws Unsupported {
        long value = cost(name);
        require(value >= 1 && value <= Integer.MAX_VALUE, name + " of " + value);
        return (int) value;
    }

    /** Returns the tag's length in bytes, or {@code usual} if the work has none. */
    public int tagOr(int usual) {
        return tag < 0 ? usual : tag;
    }

    /** Throws the message {@code otherwise} if a condition on the parameters is false. */
    public static void require(boolean holds, String otherwise) throws Unsupported {
        if (!holds) {
            throw new Unsupported(otherwise);
        }
    }

    /** Requires a key whose length is between two limits, in bytes. */
    public void requireKey(int least, int most) throws Unsupported {
        require(key.length >= least && key.length <= most, "a key of " + key.length + " bytes");
    }

    /** Requires a nonce of this length in bytes. */
    public void requireNonce(int bytes) throws Unsupported {
        require(nonce.length == bytes, "a nonce of " + nonce.length + " bytes");
    }

    /** Requires a message of whole blocks of this length in bytes. */
    public void requireBlocks(int bytes) throws Unsupported {
        require(input.length % bytes == 0, "a message that is not whole blocks");
    }

    /** Returns a nonce that differs from the given nonce in every bit. */
    public static byte[] otherNonce(byte[] nonce) {
        byte[] other = new byte[nonce.length];
        for (int i = 0; i < other.length; i++) {
            other[i] = (byte) ~nonce[i];
        }
        return other;
    }
}
