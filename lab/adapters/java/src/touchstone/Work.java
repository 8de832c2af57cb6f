package touchstone;

import com.google.gson.JsonObject;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/**
 * What check and open carry; the fields' meanings are those of docs/operations.md.
 *
 * @param others inputs of other names
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
